//! Deletes old rows every night, in small transactions. Each room says which of its rows are old ([`OldRows`]). One
//! node does it; another takes over a run that failed or was cut off.
//!
//! Not here: rows with their own lifetime that are deleted by day (`visit`, [`base::nonce`], `access::tries`, the
//! outbox, exports, uploads), and what stays forever: the audit trail, money, leads, and the rounds that found a
//! buyer, from which the daily figures are rebuilt. Applicants and consents are erased by `applicant::retain`, and with them what
//! they wrote in chats.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use base::clock::{self, DAY, HOUR};
use frame::access::{session, sign_in};
use frame::api::{self, App, number_search};
use frame::daily_task::{self, DailyTask};
use frame::old_rows::{Keep, OldRows};
use frame::reveal;
use frame::sms::{self, verification};
use frame::terms::cap::counters;
use lead::{applicant, feedback};
use trade::match_log;
use trade::plan::push::delivery;

/// When it begins, on Shanghai's clock.
const AT: i64 = 4 * HOUR;
/// How often the time is checked.
const LOOK: Duration = Duration::from_secs(600);
/// Rows deleted in one transaction: few, since other writers wait meanwhile; and the pause after it.
const BATCH: i64 = 1000;
const PAUSE: Duration = Duration::from_millis(20);
/// The old rows, in the order of deletion.
const OLD: &[&OldRows] = &[
    &delivery::OLD_ATTEMPTS,
    &feedback::OLD_ATTEMPTS,
    &match_log::OLD_ROUNDS,
    &sign_in::OLD_SIGN_INS,
    &session::OLD_SESSIONS,
    &verification::OLD_CODES,
    &chat::OLD_CODES,
    &number_search::OLD_SEARCHES,
    &reveal::OLD_REVEALS,
    &reveal::OLD_LIMITS,
    &match_log::OLD_QUESTIONS,
    &counters::OLD_COUNTERS,
    &counters::OLD_TAKEN,
    &sms::OLD_MESSAGES,
    &sms::OLD_ITEMS,
    &daily_task::OLD_TASKS,
];

/// After this long without a deletion, a node counts as stopped, and another one continues.
const LEASE: i64 = HOUR;

/// Works every night until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(LOOK, stop.clone(), async || {
        if let Err(error) = tonight(&app, &stop).await {
            tracing::error!(?error, "retention: old rows could not be deleted");
        }
    })
    .await;
}

/// Does tonight's work, if it is time and no node has done it or is doing it; returns how many rows were deleted. A
/// run that fails, or that `stop` cuts off, is left to the next node.
pub async fn tonight(app: &App, stop: &CancellationToken) -> api::Result<Option<u64>> {
    let now = app.clock.now();
    let today = clock::day(now);
    if now < clock::start(today) + AT {
        return Ok(None);
    }
    let Some(mut task) = DailyTask::start(app, "retention", LEASE).await? else { return Ok(None) };
    let swept = sweep(app, &mut task, stop).await;
    task.leave(app, swept.is_ok() && !stop.is_cancelled()).await?;
    swept.map(Some)
}

/// Deletes old rows. Returns how many.
async fn sweep(app: &App, task: &mut DailyTask, stop: &CancellationToken) -> api::Result<u64> {
    let mut gone = 0;
    for old in OLD {
        gone += some_at_a_time(app, task, old, stop).await?;
    }
    Ok(gone + applicant::retain::sweep(app, task, stop).await?)
}

/// Deletes rows in batches; stops if another node has taken the work over.
async fn some_at_a_time(app: &App, task: &mut DailyTask, old: &OldRows, stop: &CancellationToken) -> api::Result<u64> {
    let (before, mut gone) = (until(app, old.keep).await?, 0);
    while !stop.is_cancelled() {
        let mut tx = app.db.begin().await?;
        let Some(renewed) = task.renew(app, &mut tx).await? else { break };
        let some = sqlx::query(old.statement).bind(before).bind(BATCH).execute(&mut *tx).await?.rows_affected();
        tx.commit().await?;
        *task = renewed;
        gone += some;
        if some < BATCH as u64 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    if gone > 0 {
        tracing::info!(what = old.name, gone, "retention: over");
    }
    Ok(gone)
}

/// The moment before which rows are old.
async fn until(app: &App, keep: Keep) -> api::Result<i64> {
    let days = match keep {
        Keep::Days(days) => days,
        Keep::AsSet(setting) => app.settings.get(&app.db, setting).await?,
    };
    Ok(app.clock.now() - days * DAY)
}
