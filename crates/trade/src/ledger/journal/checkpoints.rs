//! Checkpoints of the journal: both sides of each account at the beginning of a day. Balances are added up from the
//! last checkpoint before their moment. One node writes them at night, each day in a transaction, so that it may be
//! interrupted; the last of each month and the newest stay. Transfers are dated at their posting: one that a wrong
//! clock dates before a checkpoint corrects it in the database.
//!
//! Bookings do not wait for checkpoints. On PostgreSQL a day is announced first. A transfer dated before its end is
//! then either committed before the day is summed, or corrects the checkpoints afterwards: transactions that had
//! entered transfers before the announcement have ended, and those that enter one later hold a lock.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use jiff::ToSpan;
use tokio_util::sync::CancellationToken;

use super::earlier;
use base::clock::{self, HOUR, MINUTE};
use base::db::{Connection, Engine, Sql};
use frame::api::App;
use frame::daily_task::{self, DailyTask};

/// When it begins, on Shanghai's clock.
const AT: i64 = 2 * HOUR;
/// How long after its end a day gets its checkpoints: work of its last moments is posted by then.
const REST: i64 = HOUR;
/// The pause after a transaction.
const PAUSE: Duration = Duration::from_millis(20);
/// The pause between two looks whether earlier transactions have ended, and the number of looks; then it is left to
/// the next run.
const LOOK: Duration = Duration::from_millis(50);
const LOOKS: u32 = 200;
/// The lock that transactions share which date a transfer before a checkpoint (`correct_journal_checkpoint` in the
/// database), and that the writer of checkpoints takes alone. A transfer dated now takes no lock.
const LATE: &str = "journal_checkpoint";
/// The open transactions that have written transfers: they hold this lock on the table from their first transfer until they end.
macro_rules! writers {
    () => {
        " FROM pg_locks l WHERE l.locktype = 'relation' AND l.relation = 'journal_transfer'::regclass AND l.mode = 'RowExclusiveLock' \
         AND l.granted AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())"
    };
}
/// After this long without a write, a node counts as stopped, and another one continues.
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

/// Writes tonight's checkpoints, if earlier bookings are all entered and no node has done it or is doing it. Returns
/// whether all are written.
pub async fn write_checkpoints(app: &App, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    if !earlier::is_done(app.db.read()).await? {
        return Ok(false);
    }
    let Some(mut task) = DailyTask::start(app, "journal_checkpoint", LEASE).await? else { return Ok(false) };
    let done = go_through(app, &mut task, stop).await;
    task.leave(app, *done.as_ref().unwrap_or(&false)).await?;
    done
}

/// Returns whether it came to the end.
async fn go_through(app: &App, task: &mut DailyTask, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    loop {
        if stop.is_cancelled() || !task.go_on(app).await? {
            return Ok(false);
        }
        let (engine, now) = (app.db.engine(), app.clock.now());
        let Some(upto) = app.db.transact(|mut tx| async move { announce(&mut tx, engine, now).await }.boxed()).await? else {
            return Ok(true);
        };
        if engine == Engine::Postgres && !earlier_ones_have_ended(app, stop).await? {
            return Ok(false);
        }
        let mut looks = 0;
        while !app.db.transact(|mut tx| async move { write(&mut tx, engine, upto).await }.boxed()).await? {
            looks += 1;
            if stop.is_cancelled() || looks == LOOKS {
                return Ok(false);
            }
            tokio::time::sleep(LOOK).await;
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// The end of the next day with transfers, if it is over. From the commit on, transfers dated before it hold
/// [`LATE`].
async fn announce(tx: &mut Connection, engine: Engine, now: i64) -> Result<Option<i64>, sqlx::Error> {
    let from = last(tx).await?.unwrap_or(i64::MIN);
    let first: Option<i64> = sqlx::query_scalar("SELECT MIN(t.at) FROM journal_transfer t WHERE t.status = 'posted' AND t.at >= $1")
        .bind(from)
        .fetch_one(&mut *tx)
        .await?;
    let Some(upto) = first.map(|at| clock::start(clock::day(at).saturating_add(1.day()))).filter(|upto| upto + REST <= now) else {
        return Ok(None);
    };
    if engine == Engine::Postgres {
        sqlx::query("UPDATE journal_checkpoint_due SET upto = $1 WHERE id = 1 AND upto < $2").bind(upto).bind(upto).execute(tx).await?;
    }
    Ok(Some(upto))
}

async fn last(tx: &mut Connection) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT MAX(d.upto) FROM journal_checkpoint_day d").fetch_one(tx).await
}

/// Waits until the transactions that may have entered a transfer without seeing the announcement have ended, without
/// blocking any. Returns whether they have. Later transfers have seen it.
async fn earlier_ones_have_ended(app: &App, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    let list = concat!("SELECT COALESCE(STRING_AGG(DISTINCT l.virtualtransaction, ' '), '')", writers!());
    let earlier: String = app.db.transact(|mut tx| async move { sqlx::query_scalar(list).fetch_one(&mut **tx).await }.boxed()).await?;
    let left = concat!("SELECT COUNT(*)", writers!(), " AND l.virtualtransaction = ANY (string_to_array($1, ' '))");
    for _ in 0..LOOKS {
        let earlier = &earlier;
        let left: i64 =
            app.db.transact(|mut tx| async move { sqlx::query_scalar(left).bind(earlier).fetch_one(&mut **tx).await }.boxed()).await?;
        if left == 0 {
            return Ok(true);
        }
        if stop.is_cancelled() {
            break;
        }
        tokio::time::sleep(LOOK).await;
    }
    Ok(false)
}

/// Writes the checkpoints of an announced day, with all transfers dated before its end. Returns whether they are
/// written. They are not while a transaction that holds [`LATE`] is open: the lock is not queued for, or others would
/// wait behind it.
async fn write(tx: &mut Connection, engine: Engine, upto: i64) -> Result<bool, sqlx::Error> {
    if engine == Engine::Postgres {
        let held: i64 = sqlx::query_scalar(
            "SELECT CASE WHEN pg_try_advisory_xact_lock(hashtextextended($1, 0)) THEN CAST(1 AS BIGINT) ELSE CAST(0 AS BIGINT) END",
        )
        .bind(LATE)
        .fetch_one(&mut *tx)
        .await?;
        if held == 0 {
            return Ok(false);
        }
    }
    let last = last(&mut *tx).await?;
    let from = last.unwrap_or(i64::MIN);
    if from >= upto {
        // Another node has written them meanwhile.
        return Ok(true);
    }
    sqlx::query("INSERT INTO journal_checkpoint_day (upto) VALUES ($1)").bind(upto).execute(&mut *tx).await?;
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

/// The month of the day before a checkpoint, as its first day.
fn month(upto: i64) -> jiff::civil::Date {
    clock::day(upto - 1).first_of_month()
}
