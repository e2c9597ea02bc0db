//! The carriers of outbox items: leads by `distribution`, callbacks by `feedback`, short messages by `sms`. It is a
//! layer above these areas, which do not know each other.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use base::clock;
use base::outbox::{self, Due, Kind, Seen};
use frame::api::{ApiError, App};
use frame::sms;
use lead::{distribution, feedback};

/// How often items that ended long ago are deleted.
const SWEEP: Duration = Duration::from_secs(20);
const MOST_FORGOTTEN: i64 = 1000;
/// The most tries of an item that fails in this program each time.
const MOST_TRIES: i64 = 10;

/// Carries due items until the program stops; those under way then are finished.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let sweeps = clock::every(SWEEP, stop.clone(), async || {
        if let Err(error) = sweep(&app).await {
            tracing::error!(%error, "outbox: a sweep failed");
        }
    });
    let carries = outbox::work(&app.outbox, &app.db, &app.clock, stop, |due| {
        let app = app.clone();
        async move { carry(&app, due).await }
    });
    tokio::join!(sweeps, carries);
}

async fn carry(app: &App, due: Due) -> Seen {
    let carried = match due.kind {
        Kind::Delivery => distribution::carry(app, &due).await,
        Kind::Callback => feedback::carry(app, &due).await,
        Kind::Sms => sms::carry(app, &due).await,
    };
    let Err(error) = carried else { return carried.unwrap_or(Seen::Nothing) };
    // It is due again: when its lease ends, if it was leased.
    tracing::error!(outbox.id = due.id, kind = <&str>::from(due.kind), ?error, "outbox: a try failed");
    // A fault of this program with this item: others of its destination come first, and the tries are limited.
    // Deliveries handle that themselves.
    if due.kind != Kind::Delivery
        && matches!(error, ApiError::Internal(_))
        && let Err(error) = put_off(app, &due).await
    {
        tracing::error!(outbox.id = due.id, %error, "outbox: it could not be put off");
    }
    Seen::Nothing
}

/// Puts an item off, or ends it, together with the record that it carries.
async fn put_off(app: &App, due: &Due) -> Result<(), sqlx::Error> {
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    if let Some(put_off) = outbox::queue::put_off_or_end(&mut tx, due, "own_fault", MOST_TRIES, now).await? {
        match due.kind {
            // Leads have their own way of putting off.
            Kind::Delivery => {}
            Kind::Callback => feedback::put_off(&mut tx, &put_off).await?,
            Kind::Sms => sms::put_off(&mut tx, &put_off, now).await?,
        }
    }
    tx.commit().await
}

async fn sweep(app: &App) -> Result<(), sqlx::Error> {
    outbox::queue::forget(&app.db, app.clock.now(), MOST_FORGOTTEN).await.map(drop)
}

/// Carries all due items of a kind, and deletes old ones: for tests, which run no worker.
pub async fn carry_due(app: &App, kind: Kind) -> Result<(), sqlx::Error> {
    for due in outbox::queue::due_of(app.db.read(), kind, app.db.now(&app.clock).await?).await? {
        carry(app, due).await;
    }
    sweep(app).await
}

/// Sends all short messages that are due: for tests, which run no worker.
pub async fn send_all(app: &App) -> Result<(), ApiError> {
    for due in outbox::queue::due_of(app.db.read(), Kind::Sms, app.db.now(&app.clock).await?).await? {
        sms::carry(app, &due).await?;
    }
    Ok(())
}
