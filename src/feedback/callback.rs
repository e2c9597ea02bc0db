//! Word to channels of what became of those whom they brought: signed with the channel's secret, tried
//! again while its server fails. It says nothing of buyers and prices.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::model::CallbackStatus;
use super::store::{self, ToTell};
use crate::api::{ApiError, App, signed};
use crate::channel;
use crate::clock::MINUTE;
use crate::crypto;
use crate::leased::{self, Due, Limits};
use crate::org::message::masked;
use crate::outside::{Caller, Fault};
use crate::plan::push::model::PushAttempt;

/// When it is tried again after the first try, and the next ones.
const RETRIES: [i64; 3] = [MINUTE, 5 * MINUTE, 30 * MINUTE];
/// How long feedback is nobody else's to tell: longer than an answer is waited for.
const LEASE: i64 = 2 * MINUTE;
const WITHIN: Duration = Duration::from_secs(10);
/// Tries at once, and of them to one channel.
const TRIES: Limits = Limits { at_once: 16, to_one: 4 };
/// Characters of an answer that are kept, at most.
const MOST_SHOWN: usize = 2000;

/// Tells channels until the program stops; what is being told then is told first.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let due = async |most, but| match store::due(app.db.read(), app.clock.now(), most, but).await {
        Ok(due) => due,
        Err(error) => {
            tracing::error!(%error, "feedback: what channels are to be told could not be looked for");
            Vec::new()
        }
    };
    leased::work(TRIES, &Notify::new(), stop, due, |piece| one(app.clone(), piece)).await;
}

async fn one(app: Arc<App>, piece: Due) {
    if let Err(error) = attempt(&app, piece).await {
        tracing::error!(feedback.id = piece.id, ?error, "feedback: a channel could not be told");
    }
}

/// Tells all that is due now, until nothing is: for tests, which run no workers.
pub async fn tell_all(app: &App) -> Result<(), ApiError> {
    loop {
        let due = store::due(app.db.read(), app.clock.now(), TRIES.at_once, Vec::new()).await?;
        if due.is_empty() {
            return Ok(());
        }
        for piece in due {
            attempt(app, piece).await?;
        }
    }
}

/// Tries once, if nobody else does.
async fn attempt(app: &App, Due { id, seen, .. }: Due) -> Result<(), ApiError> {
    let until = app.clock.now() + LEASE;
    let mut tx = app.db.begin().await?;
    let claimed = store::claim(&mut tx, id, seen, until).await?;
    tx.commit().await?;
    let Some(to_tell) = claimed else { return Ok(()) };
    let (attempt, sent) = tell(app, &to_tell).await?;
    let retry = usize::try_from(to_tell.attempts - 1).ok().and_then(|tried| RETRIES.get(tried));
    let (status, due_at) = match (sent, retry) {
        (true, _) => (CallbackStatus::Sent, None),
        (false, Some(after)) => (CallbackStatus::Waiting, Some(attempt.at + after)),
        (false, None) => (CallbackStatus::Failed, None),
    };
    let mut tx = app.db.begin().await?;
    if store::tried(&mut tx, id, until, status, due_at, &attempt).await? {
        tx.commit().await?;
    }
    Ok(())
}

/// Makes the call, and tells whether the channel has taken it: any answer of 2xx says so.
async fn tell(app: &App, to_tell: &ToTell) -> Result<(PushAttempt, bool), ApiError> {
    let request = body(to_tell);
    let made = |url: String, request: String| PushAttempt {
        seq: to_tell.attempts,
        url,
        request,
        http_status: None,
        response: None,
        cost_ms: 0,
        error: None,
        at: app.clock.now(),
    };
    let Some(line) = channel::told_at(app.db.read(), to_tell.channel_id).await? else {
        return Ok((PushAttempt { error: Some("no_address".to_owned()), ..made(String::new(), request) }, false));
    };
    let nonce = crypto::random_text(16);
    let address = signed::address(&line.url, &line.app_key, &line.secret(&app.keys)?, app.clock.now(), &nonce, &request);
    let (answer, cost_ms) = Caller { private: app.config.private_calls }.post_json(&address, request.clone(), WITHIN).await;
    let attempt = PushAttempt { cost_ms, ..made(line.url, request) };
    Ok(match answer {
        Ok(answer) => {
            let sent = (200..300).contains(&answer.status);
            let text: String = masked(&String::from_utf8_lossy(&answer.body).replace('\0', "\u{fffd}")).chars().take(MOST_SHOWN).collect();
            let response = Some(text).filter(|text| !text.is_empty());
            let error = (!sent).then(|| "bad_status".to_owned());
            (PushAttempt { http_status: Some(i64::from(answer.status)), response, error, ..attempt }, sent)
        }
        Err(fault) => (PushAttempt { error: Some(word(fault).to_owned()), ..attempt }, false),
    })
}

/// What is told: our number and the channel's of the applicant, and what became of him.
fn body(to_tell: &ToTell) -> String {
    json!({
        "event": "feedback", "no": to_tell.user_no, "requestId": to_tell.request_id, "star": to_tell.star, "endCode": to_tell.end_code,
        "loanCents": to_tell.loan_cents, "at": to_tell.at
    })
    .to_string()
}

fn word(fault: Fault) -> &'static str {
    match fault {
        Fault::NotPublic => "not_public",
        Fault::TooLate => "too_late",
        Fault::TooLarge => "too_large",
        Fault::Unreachable => "unreachable",
    }
}
