//! Who carries what waits in the outbox: leads go by `distribution`, word to channels by `feedback`, short
//! messages from here. It stands above the areas, which know nothing of each other.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use crate::api::{ApiError, App};
use crate::outbox::{self, Due, Kind, LEASE, Seen, Settled, Sms, SmsFile, State};
use crate::{clock, distribution, feedback};

/// Tries to send a short message.
const SMS_TRIES: i64 = 5;
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
        Kind::Sms => send(app, &due).await,
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
    outbox::sms::adopt(&app.db, now).await?;
    outbox::store::forget(&app.db, now, MOST_FORGOTTEN).await.map(drop)
}

/// Sends all short messages that are due: for tests, which run no worker.
pub async fn send_all(app: &App) -> Result<(), ApiError> {
    for due in outbox::store::due_of(app.db.read(), Kind::Sms, app.db.now(&app.clock).await?).await? {
        send(app, &due).await?;
    }
    Ok(())
}

/// Sends a short message, if nobody else does and it is worth anything yet.
async fn send(app: &App, due: &Due) -> Result<Seen, ApiError> {
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let Some(item) = outbox::store::claim(&mut tx, due, now + LEASE, now).await? else { return Ok(Seen::Nothing) };
    if item.is_expired(now) {
        let expired = Settled { state: State::Expired, due_at: None, unanswered: item.unanswered, error: Some("expired") };
        outbox::store::settle(&mut tx, &item, &expired, now).await?;
        tx.commit().await?;
        return Ok(Seen::Nothing);
    }
    tx.commit().await?;
    let sent = app
        .keys
        .decrypt(item.payload_enc.as_deref().unwrap_or_default())
        .map_err(|error| error.to_string())
        .and_then(|payload| serde_json::from_str::<Sms>(&payload).map_err(|error| error.to_string()))
        .and_then(|message| SmsFile::in_folder(&app.config.data).send(&message, now).map_err(|error| error.to_string()));
    let error = sent.as_ref().err().map(String::as_str);
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let settled = match error {
        None => Settled { state: State::Done, due_at: None, unanswered: 0, error },
        Some(_) if item.tries < SMS_TRIES => {
            Settled { state: State::Waiting, due_at: Some(now + outbox::pause(item.tries)), unanswered: item.unanswered, error }
        }
        Some(_) => Settled { state: State::Dead, due_at: None, unanswered: item.unanswered, error },
    };
    if let Some(error) = error {
        tracing::warn!(outbox.id = item.id, error, "outbox: a short message could not be sent");
    }
    outbox::store::settle(&mut tx, &item, &settled, now).await?;
    tx.commit().await?;
    Ok(if sent.is_ok() { Seen::Well } else { Seen::Failing })
}
