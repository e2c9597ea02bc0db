//! Callbacks: reports to channels on the outcome of their applicants. A callback is signed with the channel's secret,
//! tried again while the channel's server fails, and not sent after its expiry. It says nothing about buyers and
//! prices.

use std::time::{Duration, Instant};

use serde_json::json;

use super::model::CallbackStatus;
use super::store::{self, CallbackContent};
use base::crypto;
use base::mask;
use base::outbox::queue::Leased;
use base::outbox::{self, Due, Kind, LEASE, Seen, Settled, State};
use base::outside::{Caller, Fault};
use frame::api::{ApiError, App, signed};
use trade::channel;
use trade::plan::push::model::{AttemptOutcome, PushAttempt};

/// Tries after the first.
const RETRIES: i64 = 3;
const WITHIN: Duration = Duration::from_secs(10);
/// Characters of an answer that are kept, at most.
const MOST_SHOWN: usize = 2000;

/// Sends every callback that is due now, until none is: for tests, which run no workers.
pub async fn notify_all(app: &App) -> Result<(), ApiError> {
    loop {
        let due = outbox::queue::due_of(app.db.read(), Kind::Callback, app.db.now(&app.clock).await?).await?;
        if due.is_empty() {
            return Ok(());
        }
        for item in due {
            carry(app, &item).await?;
        }
    }
}

/// Sends a callback that is due, unless another process has it; one that has expired is ended without a call. By its
/// number a channel recognises a callback that it gets twice.
pub async fn carry(app: &App, due: &Due) -> Result<Seen, ApiError> {
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let Some(item) = outbox::queue::claim(&mut tx, due, now + LEASE, now).await? else { return Ok(Seen::Nothing) };
    let id = item.ref_id.unwrap_or_default();
    if item.is_expired(now) {
        let (status, state) = ended(item.unanswered);
        let settled = Settled { state, due_at: None, unanswered: item.unanswered, error: Some("expired") };
        outbox::queue::settle(&mut tx, &item, &settled, now).await?;
        store::set_callback_status(&mut tx, id, status, now).await?;
        tx.commit().await?;
        return Ok(Seen::Nothing);
    }
    let callback_content = store::callback_content(&mut tx, id).await?;
    let request = body(&callback_content);
    let line = channel::callback_address(&mut *tx, callback_content.channel_id).await?;
    let mut attempt = PushAttempt {
        seq: callback_content.attempts,
        url: line.as_ref().map(|line| line.url.clone()).unwrap_or_default(),
        request: request.clone(),
        http_status: None,
        response: None,
        cost_ms: 0,
        error: None,
        outcome: Some(AttemptOutcome::Open),
        at: now,
    };
    store::begin_try(&mut tx, id, &attempt).await?;
    tx.commit().await?;

    let made = Instant::now();
    let answer = match line {
        None => Err("no_address"),
        Some(line) => match line.secret(&app.keys) {
            Ok(secret) => {
                let nonce = crypto::random_text(16);
                let address = signed::address(&line.url, &line.app_key, &secret, now, &nonce, &request);
                let caller = Caller { private: app.config.private_calls };
                let (answer, cost_ms) = caller.post_json(&address, request, Some(&format!("callback-{id}")), WITHIN).await;
                attempt.cost_ms = cost_ms;
                answer.map_err(word)
            }
            Err(error) => {
                tracing::error!(feedback.id = id, ?error, "feedback: a channel's secret does not open");
                Err("own_fault")
            }
        },
    };
    let called = attempt.cost_ms > 0 || answer.is_ok();
    let status = answer.as_ref().map_or(0, |answer| answer.status);
    // A 409 after a try without an answer means that the earlier try arrived.
    let sent = (200..300).contains(&status) || (status == 409 && item.unanswered > 0);
    let unknown = status >= 500 || matches!(answer, Err("too_late" | "too_large" | "cut"));
    match answer {
        Ok(answer) => {
            let text: String = mask::beginning(&String::from_utf8_lossy(&answer.body).replace('\0', "\u{fffd}"), MOST_SHOWN);
            attempt.http_status = Some(i64::from(answer.status));
            attempt.response = Some(text).filter(|text| !text.is_empty());
            attempt.error = (!sent).then(|| "bad_status".to_owned());
            attempt.outcome = Some(if unknown { AttemptOutcome::Unknown } else { AttemptOutcome::Answered });
        }
        Err(error) => {
            attempt.outcome = Some(if unknown { AttemptOutcome::Unknown } else { AttemptOutcome::NotDelivered });
            attempt.error = Some(error.to_owned());
        }
    }
    outbox::write_outcome(item.id, made, || write(app, &item, &attempt, sent, unknown)).await?;
    Ok(match (called, sent) {
        (false, _) => Seen::Nothing,
        (true, true) => Seen::Well,
        (true, false) => Seen::Failing,
    })
}

/// Writes the result of a try, and the new status of the callback.
async fn write(app: &App, item: &Leased, attempt: &PushAttempt, sent: bool, unknown: bool) -> Result<(), ApiError> {
    let error = attempt.error.as_deref();
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let unanswered = if sent { 0 } else { item.unanswered + i64::from(unknown) };
    let due_at = (!sent && item.tries <= RETRIES && !item.is_expired(now)).then(|| now + outbox::pause(item.tries));
    let (status, state) = match (sent, due_at, unanswered) {
        (true, ..) => (CallbackStatus::Sent, State::Done),
        (false, Some(_), 0) => (CallbackStatus::Waiting, State::Waiting),
        (false, Some(_), _) => (CallbackStatus::Waiting, State::Unconfirmed),
        (false, None, _) => ended(unanswered),
    };
    let is_leased = outbox::queue::settle(&mut tx, item, &Settled { state, due_at, unanswered, error }, now).await?;
    store::end_try(&mut tx, item.ref_id.unwrap_or_default(), is_leased.then_some(status), attempt, now).await?;
    Ok(tx.commit().await?)
}

/// The status of a callback that is not tried any more, after so many tries without an answer.
fn ended(unanswered: i64) -> (CallbackStatus, State) {
    match unanswered {
        0 => (CallbackStatus::Failed, State::Dead),
        _ => (CallbackStatus::Unconfirmed, State::Unconfirmed),
    }
}

/// What is sent: the platform's and the channel's number of the applicant, and the outcome; for a test lead, the mark
/// that it is one.
fn body(callback_content: &CallbackContent) -> String {
    let mut body = json!({
        "event": "feedback", "no": callback_content.user_no, "requestId": callback_content.request_id, "star": callback_content.star, "endCode": callback_content.end_code,
        "loanCents": callback_content.loan_cents, "at": callback_content.at
    });
    if callback_content.test {
        body["test"] = json!(true);
    }
    body.to_string()
}

fn word(fault: Fault) -> &'static str {
    match fault {
        Fault::NotPublic => "not_public",
        Fault::TooLate => "too_late",
        Fault::TooLarge => "too_large",
        Fault::Unreachable => "unreachable",
        Fault::Cut => "cut",
    }
}
