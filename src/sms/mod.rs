//! How short messages leave the house: through the provider that is set, else into a file, where codes and
//! phones stand in clear only if that is set too.

mod provider;

use provider::{Outcome, Provider};

use crate::api::{ApiError, App};
use crate::crypto::place;
use crate::outbox::{self, Due, LEASE, Leased, Seen, Settled, Sms, SmsFile, State};
use crate::outside::Caller;
use crate::setting;

/// Tries to send a message, and seconds until the next one: somebody waits for his code, which is worth
/// nothing after five minutes.
const TRIES: i64 = 6;
const PAUSES: [i64; 5] = [5, 10, 20, 40, 80];

/// Sends a short message, if nobody else does and it is worth anything yet.
pub async fn carry(app: &App, due: &Due) -> Result<Seen, ApiError> {
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let Some(item) = outbox::store::claim(&mut tx, due, now + LEASE, now).await? else { return Ok(Seen::Nothing) };
    if item.is_expired(now) || item.tries > TRIES {
        let ended = match item.unanswered {
            0 if item.is_expired(now) => Settled { state: State::Expired, due_at: None, unanswered: 0, error: Some("expired") },
            0 => Settled { state: State::Dead, due_at: None, unanswered: 0, error: Some("too_many_tries") },
            // Whether it arrived is not known, and nobody asks any more.
            unanswered => Settled { state: State::Unconfirmed, due_at: None, unanswered, error: Some("expired") },
        };
        outbox::store::settle(&mut tx, &item, &ended, now).await?;
        tx.commit().await?;
        return Ok(Seen::Nothing);
    }
    tx.commit().await?;
    let (outcome, called) = send(app, &item, now).await;
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let (settled, seen) = follow(&item, &outcome, now);
    if let Some(error) = settled.error {
        tracing::warn!(outbox.id = item.id, error, "sms: a short message could not be sent");
    }
    outbox::store::settle(&mut tx, &item, &settled, now).await?;
    tx.commit().await?;
    Ok(if called { seen } else { Seen::Nothing })
}

/// Sends it; tells whether somebody was called for that.
async fn send(app: &App, item: &Leased, now: i64) -> (Outcome, bool) {
    let own_fault = |error: String| (Outcome::NotSent(error), false);
    let place = place::OUTBOX_PAYLOAD.of(&item.idem_key);
    let opened = app.keys.open(&place, item.payload_enc.as_deref().unwrap_or_default()).map_err(|error| error.to_string());
    let message = match opened.and_then(|payload| serde_json::from_str::<Sms>(&payload).map_err(|error| error.to_string())) {
        Ok(message) => message,
        Err(error) => return own_fault(error),
    };
    match Provider::of(app).await {
        Ok(Some(provider)) => {
            let caller = Caller { private: app.config.private_calls };
            (provider.send(caller, &format!("SMS-{}", item.id), &message, now).await, true)
        }
        Ok(None) => match app.settings.get(&app.db, &setting::SMS_LOG_IN_CLEAR).await {
            Ok(in_clear) => {
                let written = SmsFile::in_folder(&app.config.data).write(&message, in_clear, now);
                written.map_or_else(|error| own_fault(error.to_string()), |()| (Outcome::Accepted, false))
            }
            Err(error) => own_fault(error.to_string()),
        },
        Err(error) => {
            tracing::error!(?error, "sms: the provider's settings could not be read");
            own_fault("own_fault".to_owned())
        }
    }
}

/// What becomes of a message, and what its outcome says of the provider.
fn follow<'o>(item: &Leased, outcome: &'o Outcome, now: i64) -> (Settled<'o>, Seen) {
    let again = item.tries < TRIES;
    let due_at = again.then(|| now + PAUSES[(item.tries - 1).clamp(0, PAUSES.len() as i64 - 1) as usize] * 1000);
    let unanswered = item.unanswered;
    match outcome {
        Outcome::Accepted => (Settled { state: State::Done, due_at: None, unanswered: 0, error: None }, Seen::Well),
        Outcome::Refused(why) => (Settled { state: State::Dead, due_at: None, unanswered: 0, error: Some(why) }, Seen::Well),
        // An earlier try may have arrived all the same.
        Outcome::NotSent(why) if unanswered > 0 => {
            (Settled { state: State::Unconfirmed, due_at, unanswered, error: Some(why) }, Seen::Failing)
        }
        Outcome::NotSent(why) => {
            let state = if again { State::Waiting } else { State::Dead };
            (Settled { state, due_at, unanswered, error: Some(why) }, Seen::Failing)
        }
        Outcome::Unknown(why) => {
            (Settled { state: State::Unconfirmed, due_at, unanswered: unanswered + 1, error: Some(why) }, Seen::Failing)
        }
    }
}
