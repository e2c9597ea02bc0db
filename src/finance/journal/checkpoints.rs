//! Checkpoints of the journal: what each account had on both sides at the beginning of a day. Balances are added up from the last
//! checkpoint before their moment. One node writes them at night, each day in a transaction, so that it may be interrupted; the last of
//! each month and the newest stay. Transfers are dated when they are posted: one that a wrong clock dates before a checkpoint corrects it
//! in the database.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use jiff::ToSpan;
use tokio_util::sync::CancellationToken;

use super::earlier;
use crate::api::App;
use crate::clock::{self, HOUR, MINUTE};
use crate::daily_task::{self, DailyTask};
use crate::db::{Connection, Engine, Sql};

/// When it begins, on Shanghai's clock.
const AT: i64 = 2 * HOUR;
/// How long a day is over before it gets its checkpoints: what was begun in its last moments is posted by then.
const REST: i64 = HOUR;
/// The pause after a transaction.
const PAUSE: Duration = Duration::from_millis(20);
/// A node that has written nothing for so long is taken to have stopped, and another goes on.
const LEASE: i64 = 10 * MINUTE;

/// Works every night until the program stops.
pub async fn work_checkpoints(app: Arc<App>, stop: CancellationToken) {
    daily_task::nightly(&app, stop.clone(), AT, async || {
        if let Err(error) = write_checkpoints(&app, &stop).await {
            tracing::error!(%error, "checkpoints of the journal were not written");
        }
    })
    .await;
}

/// Writes tonight's checkpoints, if earlier bookings are all entered and no node has done it or is doing it; tells whether all are
/// written.
pub async fn write_checkpoints(app: &App, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    if !earlier::is_done(app.db.read()).await? {
        return Ok(false);
    }
    let Some(mut task) = DailyTask::start(app, "journal_checkpoint", LEASE).await? else { return Ok(false) };
    let done = go_through(app, &mut task, stop).await;
    task.leave(app, *done.as_ref().unwrap_or(&false)).await?;
    done
}

/// Tells whether it came to the end.
async fn go_through(app: &App, task: &mut DailyTask, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    loop {
        if stop.is_cancelled() || !task.go_on(app).await? {
            return Ok(false);
        }
        let (engine, now) = (app.db.engine(), app.clock.now());
        if !app.db.transact(|mut tx| async move { write_next(&mut tx, engine, now).await }.boxed()).await? {
            return Ok(true);
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Writes the checkpoints of the end of the next day with transfers; tells whether there was one that is over.
async fn write_next(tx: &mut Connection, engine: Engine, now: i64) -> Result<bool, sqlx::Error> {
    let last: Option<i64> = sqlx::query_scalar("SELECT MAX(d.upto) FROM journal_checkpoint_day d").fetch_one(&mut *tx).await?;
    let from = last.unwrap_or(i64::MIN);
    let first: Option<i64> = sqlx::query_scalar("SELECT MIN(t.at) FROM journal_transfer t WHERE t.status = 'posted' AND t.at >= $1")
        .bind(from)
        .fetch_one(&mut *tx)
        .await?;
    let Some(upto) = first.map(|at| clock::start(clock::day(at).saturating_add(1.day()))).filter(|upto| upto + REST <= now) else {
        return Ok(false);
    };
    if engine == Engine::Postgres {
        // Transfers that are on their way end first and count; those that follow find the checkpoints and correct them.
        sqlx::query("LOCK TABLE journal_transfer IN SHARE MODE").execute(&mut *tx).await?;
    }
    let written =
        sqlx::query("INSERT INTO journal_checkpoint_day (upto) VALUES ($1) ON CONFLICT DO NOTHING").bind(upto).execute(&mut *tx).await?;
    if written.rows_affected() == 0 {
        return Ok(true);
    }
    let mut sql = Sql::new("INSERT INTO journal_checkpoint (upto, kind, owner, debit_cents, credit_cents) SELECT CAST(");
    sql.bind(upto).push(
        " AS BIGINT), s.kind, s.owner, CAST(SUM(s.debit_cents) AS BIGINT), CAST(SUM(s.credit_cents) AS BIGINT) FROM ( \
         SELECT c.kind, c.owner, c.debit_cents, c.credit_cents FROM journal_checkpoint c WHERE c.upto = ",
    );
    sql.bind(from);
    for side in [
        " UNION ALL SELECT t.debit_kind, t.debit_owner, t.amount_cents, CAST(0 AS BIGINT)",
        " UNION ALL SELECT t.credit_kind, t.credit_owner, CAST(0 AS BIGINT), t.amount_cents",
    ] {
        sql.push(side).push(" FROM journal_transfer t WHERE t.status = 'posted' AND t.at >= ").bind(from);
        sql.push(" AND t.at < ").bind(upto);
    }
    sql.push(") s GROUP BY s.kind, s.owner");
    sql.execute(&mut *tx).await?;
    if let Some(last) = last.filter(|last| month(*last) == month(upto)) {
        for table in ["DELETE FROM journal_checkpoint WHERE upto = $1", "DELETE FROM journal_checkpoint_day WHERE upto = $1"] {
            sqlx::query(table).bind(last).execute(&mut *tx).await?;
        }
    }
    Ok(true)
}

/// The first day of the month that the day before a checkpoint is of.
fn month(upto: i64) -> jiff::civil::Date {
    clock::day(upto - 1).first_of_month()
}
