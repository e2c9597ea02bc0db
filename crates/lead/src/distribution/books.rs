//! The nightly check of the books, and the message about differences.

use std::sync::Arc;

use tokio_util::sync::CancellationToken;

use base::clock::HOUR;
use frame::api::{App, say};
use frame::daily_task::{self, DailyTask};
use frame::message::NewMessage;
use trade::ledger::verify::verify;

/// Time of day of the check, in Shanghai.
const AT: i64 = 3 * HOUR;
/// After this long without an end, another node begins the check again.
const LEASE: i64 = HOUR;

/// Checks the books once a day, on the node that comes first, until the program stops. If the books do not agree,
/// people who decide on receipts get a message.
pub async fn check_nightly(app: Arc<App>, stop: CancellationToken) {
    daily_task::nightly(&app, stop, AT, async || match check(&app).await {
        Ok(Some(0)) => tracing::info!("ledger: every account agrees with its entries"),
        Ok(_) => {}
        Err(error) => tracing::error!(%error, "ledger: the check failed, and is made again"),
    })
    .await;
}

/// Checks the books of today and reports differences. Returns their number; none if another node makes or has made
/// the check. A check that fails is left to the next node.
pub async fn check(app: &App) -> Result<Option<usize>, sqlx::Error> {
    let Some(task) = DailyTask::start(app, "books", LEASE).await? else { return Ok(None) };
    let checked = check_begun(app, &task).await;
    if checked.is_err() {
        task.leave(app, false).await?;
    }
    checked
}

/// Checks the books in a task that has begun. None if another node has begun the check again meanwhile.
async fn check_begun(app: &App, task: &DailyTask) -> Result<Option<usize>, sqlx::Error> {
    let wrong = verify(&app.db).await?;
    if !wrong.is_empty() {
        tracing::error!(?wrong, "ledger: the books do not agree");
    }
    let report = (!wrong.is_empty()).then(|| ("org/receipt/audit", report(app.clock.now(), wrong.len())));
    Ok(task.end_with(app, report).await?.then_some(wrong.len()))
}

fn report(now: i64, wrong: usize) -> NewMessage {
    let title = say("账目核对不一致", "Ledger check found differences");
    let content = say(
        format!("夜间核对发现 {wrong} 处不一致，请运行 leadlane ledger verify 查看明细。"),
        format!("The nightly check found {wrong} differences: run leadlane ledger verify to see them."),
    );
    NewMessage::to_person(0, "ledger", title, content, now)
}
