//! Short messages to phones: queued in the outbox within the caller's transaction ([`queue`]), sent by the provider
//! in the settings, otherwise into a file ([`carry`]), and recorded, so that people see the result of each. Calls
//! under `/sms`.
//!
//! [`verification`] has the codes for a lost password. Not here: the content and the recipients of other messages
//! (`org::alert`, `crm::clue`, `chat::phone_code`).

mod file;
mod kind;
mod list;
mod model;
mod provider;
mod queue;
mod record;
mod report;
pub mod store;
pub mod verification;

use std::time::Instant;

use provider::{Outcome, Outgoing, Provider};
use queue::Sms;

use crate::api::Access::Point;
use crate::api::{ApiError, App, Calls, listing};
use crate::setting;
use base::crypto::place;
use base::outbox::{self, Due, LEASE, Leased, Seen, Settled, State};
use base::outside::Caller;

pub use file::SmsFile;
pub use kind::SmsKind;
pub use list::open_work;
pub use model::{SmsRoute, SmsRow, SmsState, SmsWay};
pub use provider::key as provider_key;
pub use queue::{NewSms, queue};
pub use report::{SmsReport, SmsReported, report};
pub use store::{OLD_ITEMS, OLD_MESSAGES, mark_restored, put_off};

/// Tries to send a message, and the most seconds until the next one: people wait for their codes, which expire after
/// five minutes.
const TRIES: i64 = 6;
const PAUSES: [i64; 5] = [5, 10, 20, 40, 80];
const SECOND: i64 = 1000;

/// The calls on the record of messages.
pub fn calls() -> Calls {
    Calls::new()
        .list("/sms/page", Point("admin/sms/list"), listing::page::<list::Messages>)
        .list("/sms/page/export", Point("admin/sms/export"), listing::export::<list::Messages>)
        .get("/sms/route", Point("admin/sms/list"), record::route)
        .get("/sms/{id}", Point("admin/sms/view"), record::view)
        .get("/sms/history/{id}", Point("admin/sms/view"), record::history)
        .put("/sms/again", Point("admin/sms/handle"), record::again)
        .put("/sms/giveUp", Point("admin/sms/handle"), record::give_up)
        .post("/sms/test", Point("admin/sms/test"), record::test)
}

/// The destination of messages by the settings.
pub async fn route(app: &App) -> Result<SmsRoute, ApiError> {
    let values = app.settings.values(&app.db).await?;
    let url = values.get(&setting::SMS_PROVIDER_URL);
    if url.is_empty() {
        let way = if values.get(&setting::SMS_LOG_IN_CLEAR) { SmsWay::ClearFile } else { SmsWay::File };
        return Ok(SmsRoute { way, host: None, key_missing: false });
    }
    let host = url.parse::<axum::http::Uri>().ok().and_then(|uri| uri.host().map(str::to_owned));
    Ok(SmsRoute { way: SmsWay::Provider, host, key_missing: provider::key(app, &values)?.is_none() })
}

/// Sends a short message, unless another process does, or it has expired.
pub async fn carry(app: &App, due: &Due) -> Result<Seen, ApiError> {
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let Some(item) = outbox::queue::claim(&mut tx, due, now + LEASE, now).await? else { return Ok(Seen::Nothing) };
    if item.is_expired(now) || item.tries > TRIES {
        let ended = match item.unanswered {
            0 if item.is_expired(now) => Settled { state: State::Expired, due_at: None, unanswered: 0, error: Some("expired") },
            0 => Settled { state: State::Dead, due_at: None, unanswered: 0, error: Some("too_many_tries") },
            // It is unknown whether it arrived, and no more tries are made.
            unanswered => Settled { state: State::Unconfirmed, due_at: None, unanswered, error: Some("expired") },
        };
        outbox::queue::settle(&mut tx, &item, &ended, now).await?;
        if let Some(id) = item.ref_id {
            let tried = store::Tried { state: ended.state, way: None, provider_no: None, error: ended.error };
            store::end_try(&mut tx, id, &tried, now).await?;
        }
        tx.commit().await?;
        return Ok(Seen::Nothing);
    }
    if let Some(id) = item.ref_id {
        store::begin_try(&mut tx, id, now).await?;
    }
    tx.commit().await?;
    let made = Instant::now();
    let (outcome, way) = send(app, &item, now).await;
    let (settled, seen) = after(&item, &outcome);
    if let Some(error) = settled.error {
        tracing::warn!(outbox.id = item.id, error, "sms: a short message could not be sent");
    }
    outbox::write_outcome(item.id, made, || write(app, &item, &outcome, &settled, way)).await?;
    Ok(if way == Some(SmsWay::Provider) { seen } else { Seen::Nothing })
}

/// Writes the result of a try: in the outbox, and in the record.
async fn write(app: &App, item: &Leased, outcome: &Outcome, ended: &Ended<'_>, way: Option<SmsWay>) -> Result<(), ApiError> {
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let due_at = ended.again_in.map(|pause| now + pause);
    let settled = Settled { state: ended.state, due_at, unanswered: ended.unanswered, error: ended.error };
    let held = outbox::queue::settle(&mut tx, item, &settled, now).await?;
    if let Some(id) = item.ref_id {
        let provider_no = if let Outcome::Accepted(no) = outcome { no.as_deref() } else { None };
        match held {
            true => store::end_try(&mut tx, id, &store::Tried { state: ended.state, way, provider_no, error: ended.error }, now).await?,
            // A report on it, or a person, was faster than the answer.
            false => store::keep_provider_no(&mut tx, id, way, provider_no).await?,
        }
    }
    Ok(tx.commit().await?)
}

/// Sends it. Returns by which way, if anything was tried.
async fn send(app: &App, item: &Leased, now: i64) -> (Outcome, Option<SmsWay>) {
    let own_fault = |error: String| (Outcome::NotSent(error), None);
    let place = place::OUTBOX_PAYLOAD.of(&item.idem_key);
    let opened = app.keys.open(&place, item.payload_enc.as_deref().unwrap_or_default()).map_err(|error| error.to_string());
    let sms = match opened.and_then(|payload| serde_json::from_str::<Sms>(&payload).map_err(|error| error.to_string())) {
        Ok(sms) => sms,
        Err(error) => return own_fault(error),
    };
    let values = match app.settings.values(&app.db).await {
        Ok(values) => values,
        Err(error) => return own_fault(error.to_string()),
    };
    let text = sms.kind.map_or_else(|| sms.text.clone(), |kind| kind.text(&values, &sms.params));
    match Provider::of(app, &values) {
        Ok(Some(provider)) => {
            let caller = Caller { private: app.config.private_calls };
            let template = sms.kind.map(|kind| kind.template(&values)).unwrap_or_default();
            let message = Outgoing { no: &store::no_of(item.id), phone: &sms.phone, text, template, params: &sms.params };
            (provider.send(caller, &message, now).await, Some(SmsWay::Provider))
        }
        Ok(None) => {
            let in_clear = values.get(&setting::SMS_LOG_IN_CLEAR);
            match SmsFile::in_folder(&app.config.data).write(&sms.phone, &text, in_clear, now) {
                Ok(()) => (Outcome::Accepted(None), Some(if in_clear { SmsWay::ClearFile } else { SmsWay::File })),
                Err(error) => own_fault(error.to_string()),
            }
        }
        Err(error) => {
            tracing::error!(?error, "sms: the provider's settings could not be read");
            own_fault("own_fault".to_owned())
        }
    }
}

/// The state of a message after a try.
struct Ended<'o> {
    state: State,
    /// Milliseconds until the next try; none if there is none.
    again_in: Option<i64>,
    /// Tries without an answer, including this one if it had none.
    unanswered: i64,
    error: Option<&'o str>,
}

/// The state of a message after an outcome, and what the outcome shows about the provider.
fn after<'o>(item: &Leased, outcome: &'o Outcome) -> (Ended<'o>, Seen) {
    let again = item.tries < TRIES;
    let again_in = again.then(|| outbox::pause_of(&PAUSES, SECOND, item.tries));
    let unanswered = item.unanswered;
    match outcome {
        Outcome::Accepted(_) => (Ended { state: State::Done, again_in: None, unanswered: 0, error: None }, Seen::Well),
        Outcome::Known(_) if unanswered > 0 => (Ended { state: State::Done, again_in: None, unanswered: 0, error: None }, Seen::Well),
        // This try was refused; an earlier one may have arrived, and its report will show it.
        Outcome::Refused(why) if unanswered > 0 => {
            (Ended { state: State::Unconfirmed, again_in: None, unanswered, error: Some(why) }, Seen::Well)
        }
        Outcome::Refused(why) | Outcome::Known(why) => {
            (Ended { state: State::Dead, again_in: None, unanswered: 0, error: Some(why) }, Seen::Well)
        }
        // An earlier try may have arrived all the same.
        Outcome::NotSent(why) if unanswered > 0 => {
            (Ended { state: State::Unconfirmed, again_in, unanswered, error: Some(why) }, Seen::Failing)
        }
        Outcome::NotSent(why) => {
            let state = if again { State::Waiting } else { State::Dead };
            (Ended { state, again_in, unanswered, error: Some(why) }, Seen::Failing)
        }
        Outcome::Unknown(why) => {
            (Ended { state: State::Unconfirmed, again_in, unanswered: unanswered + 1, error: Some(why) }, Seen::Failing)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Messages that failed together are not sent together again, since the provider has only just recovered.
    #[test]
    fn pauses_between_tries_grow_and_differ() {
        let mut item = Leased {
            id: 1,
            ref_id: None,
            destination: String::new(),
            idem_key: String::new(),
            payload_enc: None,
            until: 0,
            tries: 1,
            unanswered: 0,
            expires_at: None,
            created_at: 0,
        };
        let outcome = Outcome::NotSent("http_503".to_owned());
        for (tries, seconds) in (1..).zip(PAUSES) {
            item.tries = tries;
            let pauses: Vec<i64> = (0..50).map(|_| after(&item, &outcome).0.again_in.unwrap()).collect();
            assert!(pauses.iter().all(|pause| (seconds * 800..=seconds * 1000).contains(pause)), "{tries}: {pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]), "{tries}");
        }
        item.tries = TRIES;
        assert_eq!(after(&item, &outcome).0.again_in, None);
    }
}
