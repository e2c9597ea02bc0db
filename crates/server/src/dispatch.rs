//! Who carries what waits in the outbox: leads go by `distribution`, word to channels by `feedback`, short
//! messages by `sms`. It stands above the areas, which know nothing of each other.

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
/// Tries of what fails in us each time.
const MOST_TRIES: i64 = 10;

/// Carries what is due until the program stops; what is on its way then is brought to its end.
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
    // It is due again: when its lease ends, if it was taken.
    tracing::error!(outbox.id = due.id, kind = <&str>::from(due.kind), ?error, "outbox: a try failed");
    // A fault of ours in this one: others of its destination have their turn first, and there is an end to it.
    // Deliveries see to that themselves.
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
    if let Some(put_off) = outbox::store::put_off_or_end(&mut tx, due, "own_fault", MOST_TRIES, now).await? {
        match due.kind {
            // Leads have a put-off of their own.
            Kind::Delivery => {}
            Kind::Callback => feedback::put_off(&mut tx, &put_off).await?,
            Kind::Sms => sms::put_off(&mut tx, &put_off, now).await?,
        }
    }
    tx.commit().await
}

async fn sweep(app: &App) -> Result<(), sqlx::Error> {
    outbox::store::forget(&app.db, app.clock.now(), MOST_FORGOTTEN).await.map(drop)
}

/// Carries all of a kind that is due, and sweeps: for tests, which run no worker.
pub async fn carry_due(app: &App, kind: Kind) -> Result<(), sqlx::Error> {
    for due in outbox::store::due_of(app.db.read(), kind, app.db.now(&app.clock).await?).await? {
        carry(app, due).await;
    }
    sweep(app).await
}

/// Sends all short messages that are due: for tests, which run no worker.
pub async fn send_all(app: &App) -> Result<(), ApiError> {
    for due in outbox::store::due_of(app.db.read(), Kind::Sms, app.db.now(&app.clock).await?).await? {
        sms::carry(app, &due).await?;
    }
    Ok(())
}
