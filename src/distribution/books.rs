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
        match check(&app).await {
            Ok(None) => tracing::info!("ledger: another node checks the books"),
            Ok(Some(0)) => tracing::info!("ledger: every account agrees with its entries"),
            Ok(Some(_)) => {}
            Err(error) => tracing::error!(%error, "ledger: the check failed"),
        }
    }
}

/// Checks the books of today, if no other node does, and tells what does not agree; answers how much that is.
pub async fn check(app: &App) -> Result<Option<usize>, sqlx::Error> {
    let now = app.clock.now();
    let today = clock::day(now).to_string();
    let mut tx = app.db.begin().await?;
    let first = sqlx::query("INSERT INTO daily_task (name, day, begun_at) VALUES ('books', $1, $2) ON CONFLICT DO NOTHING")
        .bind(&today)
        .bind(now)
        .execute(&mut *tx)
        .await?;
    tx.commit().await?;
    if first.rows_affected() == 0 {
        return Ok(None);
    }
    let wrong = verify(&app.db).await?;
    if !wrong.is_empty() {
        tracing::error!(?wrong, "ledger: the books do not agree");
        tell(app, wrong.len()).await?;
    }
    Ok(Some(wrong.len()))
}

async fn tell(app: &App, wrong: usize) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    let mut tx = app.db.begin().await?;
    let title = say("账目核对不一致", "The books do not agree");
    let content = say(
        format!("夜间核对发现 {wrong} 处不一致，请运行 leadlane ledger verify 查看明细。"),
        format!("The nightly check found {wrong} differences: run leadlane ledger verify to see them."),
    );
    let message = NewMessage::to_person(0, "ledger", title, content, now);
    message::to_overseers(&mut tx, "org/receipt/audit", message, now).await?;
    tx.commit().await
}
