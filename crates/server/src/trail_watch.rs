//! The work on the chain of the audit trail: entries are appended to it every few seconds; every night the trail is
//! verified, and the ends of all chains, including the accounts', are written to the log, which the database's
//! administrator cannot write. The end of the trail is also kept in the data folder, and the next check compares with
//! it.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use base::clock::{self, HOUR, MINUTE};
use frame::access::trail::{self, ChainEnd};
use frame::access::trail_end;
use frame::api::{App, say};
use frame::daily_task::{self, DailyTask};
use frame::message::NewMessage;

/// How often entries are appended, and the pause for other writers between two batches.
const EVERY: Duration = Duration::from_secs(10);
const PAUSE: Duration = Duration::from_millis(20);
/// When the trail is verified, on Shanghai's clock.
const AT: i64 = 3 * HOUR + 30 * MINUTE;
/// After this long without an end, another node begins again.
const LEASE: i64 = HOUR;

/// Appends entries and verifies the trail every night, until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let appending = clock::every(EVERY, stop.clone(), async || {
        if let Err(error) = append(&app, &stop).await {
            tracing::warn!(%error, "audit trail: entries could not be added to the chain, and are added later");
        }
    });
    let verifying = daily_task::nightly(&app, stop.clone(), AT, async || {
        if let Err(error) = check(&app).await {
            tracing::error!(%error, "audit trail: the check failed, and is made again");
        }
    });
    tokio::join!(appending, verifying);
}

/// Appends all entries that are not yet in the chain. Returns how many.
pub async fn append(app: &App, stop: &CancellationToken) -> Result<u64, sqlx::Error> {
    let mut all = 0;
    while !stop.is_cancelled() {
        let some = trail::link(&app.db, app.clock.now()).await?;
        all += some;
        if some == 0 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(all)
}

/// The ends of all chains, each with the name of its chain: `trail`, or `account 7`.
pub fn ends(trail: Option<ChainEnd>, accounts: Vec<(i64, ChainEnd)>) -> impl Iterator<Item = (String, ChainEnd)> {
    let accounts = accounts.into_iter().map(|(account, end)| (format!("account {account}"), end));
    trail.into_iter().map(|end| ("trail".to_owned(), end)).chain(accounts)
}

/// Verifies the trail of today, unless another node does or has done so, writes the ends of the chains to the log,
/// and reports faults; returns how many there are. A failed check is left to the next node.
pub async fn check(app: &App) -> Result<Option<usize>, sqlx::Error> {
    let Some(task) = DailyTask::start(app, "trail", LEASE).await? else { return Ok(None) };
    let checked = check_begun(app, &task).await;
    if checked.is_err() {
        task.leave(app, false).await?;
    }
    checked
}

async fn check_begun(app: &App, task: &DailyTask) -> Result<Option<usize>, sqlx::Error> {
    let data = &app.config.data;
    let kept = trail_end::read(data)?;
    let (faults, end) = trail::verify(&app.db, &app.keys.trail_key(), app.clock.now(), kept.as_slice()).await?;
    for (chain, end) in ends(trail::end(app.db.read()).await?, trade::ledger::chain_ends(app.db.read()).await?) {
        tracing::info!(chain, %end, "the end of a chain");
    }
    if faults.is_empty() {
        trail_end::keep(data, &end)?;
        tracing::info!("audit trail: every entry is as it was written");
    } else {
        tracing::error!(?faults, "audit trail: entries were changed, removed or inserted");
    }
    let report = (!faults.is_empty()).then(|| ("admin/audit/list", report(app.clock.now(), faults.len())));
    Ok(task.end_with(app, report).await?.then_some(faults.len()))
}

fn report(now: i64, number: usize) -> NewMessage {
    let title = say("操作日志校验不通过", "The audit trail was tampered with");
    let content = say(
        format!("夜间校验发现操作日志有 {number} 处被改动、删除或插入，请运行 leadlane trail verify 查看明细。"),
        format!("The nightly check found {number} places where the audit trail was changed: run leadlane trail verify to see them."),
    );
    NewMessage::to_person(0, "trail", title, content, now)
}
