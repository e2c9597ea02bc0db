//! The nightly check of the books, and who is told when they do not agree.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;

use crate::api::{App, say};
use crate::clock::{self, HOUR};
use crate::db::Tx;
use crate::finance::verify::verify;
use crate::message::{self, NewMessage};

/// When the books are checked, on Shanghai's clock.
const AT: i64 = 3 * HOUR;
/// How often a node looks whether they are to be.
const LOOK: Duration = Duration::from_secs(600);
/// After this long whoever began is taken to have stopped, and another begins anew.
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
    let Some(begun) = app.db.transact(|mut tx| async move { begin(app, &mut tx).await }.boxed()).await? else { return Ok(None) };
    let begun = &begun;
    let checked = check_begun(app, begun).await;
    if checked.is_err() {
        app.db.transact(|mut tx| async move { begun.give_back(&mut tx).await }.boxed()).await?;
    }
    checked
}

/// Nothing where another has begun anew since.
async fn check_begun(app: &App, begun: &Begun) -> Result<Option<usize>, sqlx::Error> {
    let wrong = verify(&app.db).await?;
    if !wrong.is_empty() {
        tracing::error!(?wrong, "ledger: the books do not agree");
    }
    let found = wrong.len();
    let ours = app.db.transact(|mut tx| {
        async move {
            let ours = begun.end(app, &mut tx).await?;
            if ours && found > 0 {
                tell(app, &mut tx, found).await?;
            }
            Ok::<_, sqlx::Error>(ours)
        }
        .boxed()
    });
    Ok(ours.await?.then_some(found))
}

/// A day's check that this node has begun.
struct Begun {
    day: String,
    at: i64,
}

/// Begins today's check, if it is nobody else's.
async fn begin(app: &App, tx: &mut Tx) -> Result<Option<Begun>, sqlx::Error> {
    let at = tx.now(&app.clock).await?;
    let begun = Begun { day: clock::day(at).to_string(), at };
    let done = sqlx::query(
        "INSERT INTO daily_task (name, day, begun_at) VALUES ('books', $1, $2) ON CONFLICT (name, day) DO UPDATE SET \
           begun_at = excluded.begun_at WHERE daily_task.done_at IS NULL AND daily_task.begun_at <= $3",
    )
    .bind(&begun.day)
    .bind(at)
    .bind(at - LEASE)
    .execute(&mut **tx)
    .await?;
    Ok((done.rows_affected() == 1).then_some(begun))
}

impl Begun {
    /// Ends it; tells whether it still was this node's.
    async fn end(&self, app: &App, tx: &mut Tx) -> Result<bool, sqlx::Error> {
        let now = tx.now(&app.clock).await?;
        sqlx::query("UPDATE daily_task SET done_at = $1 WHERE name = 'books' AND day = $2 AND begun_at = $3 AND done_at IS NULL")
            .bind(now)
            .bind(&self.day)
            .bind(self.at)
            .execute(&mut **tx)
            .await
            .map(|done| done.rows_affected() == 1)
    }

    /// Leaves it to the next who looks.
    async fn give_back(&self, tx: &mut Tx) -> Result<(), sqlx::Error> {
        sqlx::query("DELETE FROM daily_task WHERE name = 'books' AND day = $1 AND begun_at = $2 AND done_at IS NULL")
            .bind(&self.day)
            .bind(self.at)
            .execute(&mut **tx)
            .await
            .map(drop)
    }
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
