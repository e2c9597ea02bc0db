//! Who carries what waits in the outbox: leads go by `distribution`, word to channels by `feedback`, short
//! messages by `sms`. It stands above the areas, which know nothing of each other.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::api::{ApiError, App};
use crate::outbox::{self, Due, Kind, Seen};
use crate::{clock, distribution, feedback, sms};

/// How often what was done long ago is forgotten, and what an older program left behind taken over.
const SWEEP: Duration = Duration::from_secs(20);
const MOST_FORGOTTEN: i64 = 1000;

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
    carried.unwrap_or_else(|error| {
        // It is due again: when its lease ends, if it was taken.
        tracing::error!(outbox.id = due.id, kind = <&str>::from(due.kind), ?error, "outbox: a try failed");
        Seen::Nothing
    })
}

async fn sweep(app: &App) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    feedback::adopt(&app.db, now).await?;
    sms::adopt(&app.db, &app.keys, now).await?;
    outbox::store::forget(&app.db, now, MOST_FORGOTTEN).await.map(drop)
}

/// Sends all short messages that are due: for tests, which run no worker.
pub async fn send_all(app: &App) -> Result<(), ApiError> {
    for due in outbox::store::due_of(app.db.read(), Kind::Sms, app.db.now(&app.clock).await?).await? {
        sms::carry(app, &due).await?;
    }
    Ok(())
}
