//! The nightly check of the books, and who is told when they do not agree.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::api::{App, say};
use crate::clock::{self, HOUR};
use crate::finance::verify::verify;
use crate::message::{self, NewMessage};

/// When the books are checked, on Shanghai's clock.
const AT: i64 = 3 * HOUR;

/// Checks the books every night until the program stops, and tells whoever decides on receipts when
/// they do not agree.
pub async fn check_nightly(app: Arc<App>, stop: CancellationToken) {
    loop {
        let now = app.clock.now();
        let today = clock::start(clock::day(now)) + AT;
        let next = if now < today { today } else { clock::start(clock::day(now + 24 * HOUR)) + AT };
        tokio::select! {
            () = stop.cancelled() => return,
            () = tokio::time::sleep(Duration::from_millis((next - now).unsigned_abs())) => {}
        }
        match verify(&app.db).await {
            Ok(wrong) if wrong.is_empty() => tracing::info!("ledger: every account agrees with its entries"),
            Ok(wrong) => {
                tracing::error!(?wrong, "ledger: accounts do not agree with their entries");
                if let Err(error) = tell(&app, wrong.len()).await {
                    tracing::error!(%error, "ledger: that could not be told");
                }
            }
            Err(error) => tracing::error!(%error, "ledger: the check failed"),
        }
    }
}

async fn tell(app: &App, wrong: usize) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let title = say("账户与流水不一致", "Accounts do not agree with their ledger");
    let content = say(
        format!("夜间核对发现 {wrong} 处不一致，请运行 leadlane ledger verify 查看明细。"),
        format!("The nightly check found {wrong} differences: run leadlane ledger verify to see them."),
    );
    let message = NewMessage::to_person(0, "ledger", title, content, now);
    message::to_overseers(&mut tx, "org/receipt/audit", message, now).await?;
    tx.commit().await
}
