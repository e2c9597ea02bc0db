//! One try to deliver a lead to an organisation's address, and what follows from the answer. It is
//! made outside any transaction: a crash in its middle has it made again, under the same number.

use std::time::Duration;

use serde_json::Value;

use super::applicant;
use super::ask::knows_him;
use super::policy::Policy;
use super::settle::{self, Refusal};
use crate::api::{ApiError, App};
use crate::clock::MINUTE;
use crate::org::call::{DeliveryCall, DeliveryVerdict, Exchange, Line};
use crate::outside::Caller;
use crate::plan;
use crate::plan::push::model::{PushAttempt, PushStatus};
use crate::plan::push::store::{self as pushes, OnWay};
use crate::user;

/// How long a lead is nobody else's: longer than an answer is waited for.
pub const LEASE: i64 = 2 * MINUTE;
/// Between two tries.
const RETRY: i64 = 5 * MINUTE;
/// Where organisations put their number of a lead: in the answer, or in its `data`.
const NUMBERS: &[&str] = &["orderNo", "order_no", "orderId", "order_id", "applyNo", "loanNo", "no", "id"];
/// Where they say why not, as a code and in words.
const CODES: &[&str] = &["code", "errCode", "status", "result"];
const REASONS: &[&str] = &["msg", "message", "desc", "reason", "errMsg"];
/// Characters of what they say that are kept, at most.
const LONGEST: usize = 200;

/// What is to be done after a try.
enum Next {
    Accept(Option<String>),
    Refuse(Refusal),
    /// It may work later: why it did not now.
    Again(String),
}

/// Tries a lead that this process has until a moment.
pub async fn attempt(app: &App, push_id: i64, until: i64) -> Result<(), ApiError> {
    let Some(push) = pushes::on_way(app.db.read(), push_id).await? else { return Ok(()) };
    let policy = Policy::of(app).await?;
    let line = Line::open(app.db.read(), &app.keys, push.org_id, app.clock.now()).await?;
    let (exchange, next) = exchange(app, &push, &line, &policy).await?;

    let mut tx = app.db.begin().await?;
    let now = app.clock.now();
    if !pushes::still_has(&mut tx, push.id, until).await? {
        return Ok(());
    }
    let url = exchange.as_ref().map(|exchange| exchange.url.clone()).or(line.settings.apply_url.clone()).unwrap_or_default();
    let tried = PushAttempt {
        seq: push.attempts,
        url,
        request: exchange.as_ref().map(|exchange| exchange.request.clone()).unwrap_or_default(),
        http_status: exchange.as_ref().and_then(|exchange| exchange.status),
        response: exchange.as_ref().map(|exchange| exchange.response.clone()).filter(|text| !text.is_empty()),
        cost_ms: exchange.as_ref().map_or(0, |exchange| exchange.milliseconds),
        error: match &next {
            Next::Again(error) => Some(error.clone()),
            Next::Accept(_) | Next::Refuse(_) => None,
        },
        at: now,
    };
    pushes::tried(&mut tx, push.id, &tried).await?;
    let retries = line.settings.retry_max.min(policy.push_retry);
    let failed = match next {
        Next::Accept(upstream_no) => {
            settle::accept(app, &mut tx, &push, upstream_no.as_deref(), now).await?;
            false
        }
        Next::Refuse(refusal) => {
            settle::refuse(&mut tx, &push, &refusal, now).await?;
            false
        }
        Next::Again(_) if push.attempts <= retries => {
            pushes::retry_at(&mut tx, push.id, now + RETRY, now).await?;
            true
        }
        Next::Again(error) => {
            let refusal = Refusal { status: PushStatus::Failed, code: "no_delivery".to_owned(), reason: error };
            settle::refuse(&mut tx, &push, &refusal, now).await?;
            true
        }
    };
    tx.commit().await?;
    match failed {
        true => plan::delivery_failed(app, push.plan_id).await?,
        false => plan::delivery_went_well(app, push.plan_id).await?,
    }
    Ok(())
}

async fn exchange(app: &App, push: &OnWay, line: &Line, policy: &Policy) -> Result<(Option<Exchange>, Next), ApiError> {
    let gone =
        |code: &str, reason: &str| Next::Refuse(Refusal { status: PushStatus::Failed, code: code.to_owned(), reason: reason.to_owned() });
    let person = user::store::reveal(app.db.read(), &app.keys, push.user_id).await.map_err(ApiError::Internal)?;
    let (Some(person), Some((no, province, said))) = (person, user::store::said(app.db.read(), push.user_id).await?) else {
        return Ok((None, gone("erased", "申请人已注销")));
    };
    let told = applicant::told(&person, &no, &province, &push.no, &said);
    let caller = Caller { private: app.config.private_calls };
    let within = Duration::from_millis(u64::try_from(policy.push_timeout_ms).unwrap_or_default());
    Ok(match line.call(caller, DeliveryCall::Apply, &told, within).await {
        Err(error) => (None, Next::Again(error.to_string())),
        Ok(None) => (None, Next::Again("no_address".to_owned())),
        Ok(Some(exchange)) => {
            let next = follow(&exchange);
            (Some(exchange), next)
        }
    })
}

fn follow(exchange: &Exchange) -> Next {
    let answer = exchange.answer.as_ref();
    // In words for people only what may be shown: organisations name the phone in them.
    let said = |names: &[&str]| exchange.shown.as_ref().and_then(|shown| found(shown, names)).unwrap_or_default();
    match exchange.verdict {
        DeliveryVerdict::Accepted => Next::Accept(answer.and_then(|answer| found(answer, NUMBERS))),
        DeliveryVerdict::Refused => Next::Refuse(Refusal {
            status: if answer.is_some_and(knows_him) { PushStatus::Duplicate } else { PushStatus::Rejected },
            code: said(CODES),
            reason: said(REASONS),
        }),
        // A request that they call wrong stays wrong, however often it is made.
        DeliveryVerdict::BadStatus
            if exchange.status.is_some_and(|status| (400..500).contains(&status) && status != 408 && status != 429) =>
        {
            Next::Refuse(Refusal {
                status: PushStatus::Failed,
                code: exchange.status.unwrap_or_default().to_string(),
                reason: said(REASONS),
            })
        }
        verdict => Next::Again(<&str>::from(verdict).to_owned()),
    }
}

/// The first of some fields that an answer has, as a short text.
fn found(answer: &Value, names: &[&str]) -> Option<String> {
    let text = |value: &Value| match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    };
    let places = [Some(answer), answer.get("data")];
    let field = places.into_iter().flatten().find_map(|place| names.iter().find_map(|name| place.get(name).and_then(text)))?;
    Some(field.chars().take(LONGEST).collect()).filter(|text: &String| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn exchange(verdict: DeliveryVerdict, status: i64, answer: Value) -> Exchange {
        let (url, request, response) = (String::new(), String::new(), String::new());
        Exchange {
            url,
            request,
            status: Some(status),
            response,
            milliseconds: 1,
            verdict,
            shown: Some(answer.clone()),
            answer: Some(answer),
        }
    }

    fn outcome(verdict: DeliveryVerdict, status: i64, answer: Value) -> String {
        match follow(&exchange(verdict, status, answer)) {
            Next::Accept(no) => format!("accept {}", no.unwrap_or_default()),
            Next::Refuse(Refusal { status, code, reason }) => format!("{} {code} {reason}", <&str>::from(status)),
            Next::Again(error) => format!("again {error}"),
        }
    }

    #[test]
    fn an_answer_says_what_follows() {
        use DeliveryVerdict::{Accepted, BadStatus, Refused, TooLate, Unreadable};
        for (verdict, status, answer, expected) in [
            (Accepted, 200, json!({"code": 0, "data": {"orderNo": "A-1"}}), "accept A-1"),
            (Accepted, 200, json!({"ok": true}), "accept "),
            (Refused, 200, json!({"code": "E1", "msg": "年龄不符"}), "rejected E1 年龄不符"),
            (Refused, 200, json!({"code": 2, "msg": "客户已存在"}), "duplicate 2 客户已存在"),
            (BadStatus, 500, json!({}), "again bad_status"),
            (BadStatus, 429, json!({}), "again bad_status"),
            (BadStatus, 422, json!({"message": "no city"}), "failed 422 no city"),
            (Unreadable, 200, json!(null), "again unreadable"),
            (TooLate, 0, json!(null), "again too_late"),
        ] {
            assert_eq!(outcome(verdict, status, answer.clone()), expected, "{answer}");
        }
    }
}
