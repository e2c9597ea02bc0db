//! Transfers for bookings of versions before the journal: entered in small transactions in the background. The
//! progress is stored, so that another node continues after an interruption. The keys are the same as for new
//! postings, so nothing is entered twice. All rows are read once more when versions before the journal have surely
//! ended, since they book until they stop.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::{Any, AssertSqlSafe, Executor};
use tokio_util::sync::CancellationToken;

use super::sources::{Source, enter_some};
use base::clock::{self, MINUTE};
use base::db::{Connection, Sql};
use frame::api::App;
use frame::daily_task::DailyTask;

/// Rows of one transaction, and the pause after it.
const BATCH: i64 = 1000;
const PAUSE: Duration = Duration::from_millis(20);
/// How often a node checks whether there is work.
const LOOK: Duration = Duration::from_secs(60);
/// After this long without a write, a node counts as stopped, and another one continues.
const LEASE: i64 = 10 * MINUTE;
/// How long after the first look versions before the journal may still book: longer than any takes to stop.
const OVERLAP: i64 = 10 * MINUTE;
/// The row of the progress with its beginning.
const BEGUN: &str = "begun";
/// The row of the progress that marks the second pass.
const AGAIN: &str = "again";
/// The row of the progress that marks the end: from then on the books are compared with the journal.
const DONE: &str = "done";

/// Works until all is entered, or the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let ended = stop.child_token();
    clock::every(LOOK, ended.clone(), async || match enter_earlier(&app, &stop).await {
        Ok(true) => ended.cancel(),
        Ok(false) => {}
        Err(error) => tracing::error!(%error, "earlier bookings were not entered in the journal"),
    })
    .await;
}

/// Enters what is not entered yet, if no other node does. Returns whether all is.
pub async fn enter_earlier(app: &App, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    if is_done(app.db.read()).await? {
        return Ok(true);
    }
    let Some(mut task) = DailyTask::start(app, "journal", LEASE).await? else { return Ok(false) };
    let done = go_through(app, &mut task, stop).await;
    task.leave(app, *done.as_ref().unwrap_or(&false)).await?;
    done
}

/// Returns whether it came to the end.
async fn go_through(app: &App, task: &mut DailyTask, stop: &CancellationToken) -> Result<bool, sqlx::Error> {
    let now = app.clock.now();
    let is_last = app
        .db
        .transact(|mut tx| {
            async move {
                let begun = progress(&mut **tx, BEGUN).await?;
                if begun.is_none() {
                    keep(&mut tx, BEGUN, now).await?;
                }
                let is_last = begun.is_some_and(|begun| begun + OVERLAP <= now);
                if is_last && progress(&mut **tx, AGAIN).await?.is_none() {
                    sqlx::query("DELETE FROM journal_progress WHERE source NOT IN ($1, $2)")
                        .bind(BEGUN)
                        .bind(DONE)
                        .execute(&mut **tx)
                        .await?;
                    keep(&mut tx, AGAIN, now).await?;
                }
                Ok::<_, sqlx::Error>(is_last)
            }
            .boxed()
        })
        .await?;
    for source in Source::ALL {
        loop {
            if stop.is_cancelled() || !task.go_on(app).await? {
                return Ok(false);
            }
            if !app.db.transact(|mut tx| async move { enter_next(&mut tx, source).await }.boxed()).await? {
                break;
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
    if is_last {
        app.db.transact(|mut tx| async move { finish(&mut tx, app.clock.now()).await }.boxed()).await?;
    }
    Ok(is_last)
}

/// Enters the next rows of a source. Returns whether there were any.
async fn enter_next(tx: &mut Connection, source: Source) -> Result<bool, sqlx::Error> {
    // A node whose lease is over may come after the one that has finished.
    if is_done(&mut *tx).await? {
        return Ok(false);
    }
    let table = source.table();
    let after = progress(&mut *tx, table).await?.unwrap_or(0);
    let last = format!("SELECT MAX(n.id) FROM (SELECT id FROM {table} WHERE id > $1 ORDER BY id LIMIT {BATCH}) n");
    let Some(upto) = sqlx::query_scalar::<_, Option<i64>>(AssertSqlSafe(last)).bind(after).fetch_one(&mut *tx).await? else {
        return Ok(false);
    };
    if source == Source::Hold {
        // A held amount stays held until its transfer exists and can be ended.
        let mut sql = Sql::new("SELECT h.id FROM push_record h WHERE h.held_cents <> 0 AND h.id > ");
        sql.bind(after).push(" AND h.id <= ").bind(upto).push(" ORDER BY h.id");
        tx.hold(&mut sql, "h");
        sql.fetch_all(&mut *tx).await?;
    }
    enter_some(tx, source, (after, upto)).await?;
    keep(tx, table, upto).await?;
    Ok(true)
}

/// Ends pending transfers of leads that versions before the journal gave up after these were entered.
async fn finish(tx: &mut Connection, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE journal_transfer SET status = 'void', at = $1 WHERE status = 'pending' AND ref_type = 'push_record' \
         AND NOT EXISTS (SELECT 1 FROM push_record h WHERE h.id = journal_transfer.ref_id AND h.held_cents <> 0)",
    )
    .bind(at)
    .execute(&mut *tx)
    .await?;
    keep(tx, DONE, at).await
}

/// Whether all is entered.
pub(super) async fn is_done<'e>(on: impl Executor<'e, Database = Any>) -> Result<bool, sqlx::Error> {
    Ok(progress(on, DONE).await?.is_some())
}

async fn progress<'e>(on: impl Executor<'e, Database = Any>, source: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT upto FROM journal_progress WHERE source = $1").bind(source).fetch_optional(on).await
}

async fn keep(tx: &mut Connection, source: &str, upto: i64) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO journal_progress (source, upto) VALUES ($1, $2) ON CONFLICT (source) DO UPDATE SET upto = excluded.upto")
        .bind(source)
        .bind(upto)
        .execute(tx)
        .await
        .map(drop)
}
