//! The nightly check of the books, and who is told when they do not agree.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use crate::api::{App, say};
use crate::clock::{self, HOUR};
use crate::daily_task::DailyTask;
use crate::db::Tx;
use crate::finance::verify::verify;
use crate::message::{self, NewMessage};

/// When the books are checked, on Shanghai's clock.
const AT: i64 = 3 * HOUR;
/// How often a node looks whether they are to be.
const LOOK: Duration = Duration::from_secs(600);
/// After this long the node that began is taken to have stopped, and another begins again.
const LEASE: i64 = HOUR;

/// Has the books checked once a day, by whichever node comes first, until the program stops; whoever decides on
/// receipts is told when they do not agree.
pub async fn check_nightly(app: Arc<App>, stop: CancellationToken) {
    // A process that starts has something else to do.
    tokio::select! {
        () = stop.cancelled() => return,
        () = tokio::time::sleep(LOOK) => {}
    }
    clock::every(LOOK, stop, async || {
        let now = app.clock.now();
        if now < clock::start(clock::day(now)) + AT {
            return;
        }
        match check(&app).await {
            Ok(Some(0)) => tracing::info!("ledger: every account agrees with its entries"),
            Ok(_) => {}
            Err(error) => tracing::error!(%error, "ledger: the check failed, and is made again"),
        }
    })
    .await;
}

/// Checks the books of today, unless a node has done so or is at it, and tells what does not agree; answers
/// how much that is. A check that fails is left to whoever looks next.
pub async fn check(app: &App) -> Result<Option<usize>, sqlx::Error> {
    let begun = app.db.transact(|mut tx| async move { DailyTask::begin(app, &mut tx, "books", LEASE).await }.boxed()).await?;
    let Some(task) = &begun else { return Ok(None) };
    let checked = check_begun(app, task).await;
    if checked.is_err() {
        app.db.transact(|mut tx| async move { task.give_back(&mut tx).await }.boxed()).await?;
    }
    checked
}

/// None where another node has begun the check again since.
async fn check_begun(app: &App, task: &DailyTask) -> Result<Option<usize>, sqlx::Error> {
    let wrong = verify(&app.db).await?;
    if !wrong.is_empty() {
        tracing::error!(?wrong, "ledger: the books do not agree");
    }
    let found = wrong.len();
    let held = app.db.transact(|mut tx| {
        async move {
            let held = task.end(app, &mut tx).await?;
            if held && found > 0 {
                tell(app, &mut tx, found).await?;
            }
            Ok::<_, sqlx::Error>(held)
        }
        .boxed()
    });
    Ok(held.await?.then_some(found))
}

async fn tell(app: &App, tx: &mut Tx, wrong: usize) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    let title = say("账目核对不一致", "Ledger check found differences");
    let content = say(
        format!("夜间核对发现 {wrong} 处不一致，请运行 leadlane ledger verify 查看明细。"),
        format!("The nightly check found {wrong} differences: run leadlane ledger verify to see them."),
    );
    let message = NewMessage::to_person(0, "ledger", title, content, now);
    message::to_overseers(tx, "org/receipt/audit", message, now).await
}
