//! A test lead to an organisation: what would be sent of a made-up applicant, sent for once, and
//! what came back. Nothing of it is a lead.

use std::sync::Arc;
use std::time::Duration;

use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use strum::{EnumString, IntoStaticStr};

use super::delivery::{self, OrgApi, OrgCrypto};
use super::expression::Expression;
use super::message::{Applicant, Purpose, build, masked};
use super::record::record;
use super::sealing::seal;
use super::store;
use crate::access::audit::{Action, Change};
use crate::admin::ours_to_change;
use crate::api::{ApiError, Body, Ctx, Result, say};
use crate::outside::{Answer, Caller, Fault};

/// The longest that one call is waited for: the browser waits for both.
const LONGEST: Duration = Duration::from_secs(20);
/// Characters of an answer that are shown, at most.
const MOST_SHOWN: usize = 8000;
/// A phone of a range that no operator has given out, and an identity number of a region that there is not.
const PHONE: &str = "10000010000";
const ID_NO: &str = "990000199001010000";

/// Which of an organisation's addresses is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum DeliveryCall {
    Match,
    Apply,
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum DeliveryVerdict {
    /// The answer meets the expression.
    Accepted,
    /// It does not.
    Refused,
    /// It is no JSON, or there is no expression to read it by.
    Unreadable,
    /// Another status than 2xx; a redirect is not followed.
    BadStatus,
    /// Not within the time of the settings.
    TooLate,
    /// More than is read of an answer.
    TooLarge,
    /// Nobody answers there.
    Unreachable,
    /// An address of our own network.
    NotPublic,
}

/// One call of a test.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct DeliveryTrial {
    pub call: DeliveryCall,
    pub url: String,
    /// What was sent, before it was sealed, with numbers hidden.
    pub request: String,
    /// It was sealed.
    pub sealed: bool,
    /// The HTTP status; none without an answer.
    pub status: Option<i64>,
    /// What came back, with numbers hidden, cut off where it is long.
    pub response: String,
    pub milliseconds: i64,
    pub verdict: DeliveryVerdict,
}

/// Whose delivery is tested.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct DeliveryTestRequest {
    /// The organisation's.
    pub id: i64,
}

/// `POST /org/api/test`: the calls of a lead, made with the settings as they are stored.
pub async fn run(cx: Arc<Ctx>, Body(body): Body<DeliveryTestRequest>) -> Result<Vec<DeliveryTrial>> {
    let viewer = cx.viewer()?;
    store::find(cx.db().read(), viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
    ours_to_change(viewer)?;
    let (settings, key) = delivery::in_use(cx.db().read(), &cx.app.keys, body.id, cx.now).await?;
    if settings.apply_url.is_none() && settings.match_url.is_none() {
        return Err(ApiError::State(say("请先填写匹配地址或进件地址", "Enter an address first")));
    }
    if settings.crypto != OrgCrypto::None && key.is_none() {
        return Err(ApiError::State(say("请先填写密钥", "Enter a key first")));
    }
    let caller = Caller { private: cx.app.config.private_calls };
    let (matching, applying) = tokio::join!(
        call(caller, &settings, key.as_deref(), DeliveryCall::Match),
        call(caller, &settings, key.as_deref(), DeliveryCall::Apply)
    );
    let trials: Vec<DeliveryTrial> = [matching?, applying?].into_iter().flatten().collect();
    let told = trials.iter().map(|trial| format!("{}: {}", <&str>::from(trial.call), <&str>::from(trial.verdict)));
    let change = Change { field: "api.test".to_owned(), before: None, after: Some(told.collect::<Vec<_>>().join(", ")) };
    let mut tx = cx.db().begin().await?;
    record(&cx, &mut tx, body.id, Action::Other, &[change]).await?;
    tx.commit().await?;
    Ok(trials)
}

/// Makes one call, if there is an address for it.
async fn call(caller: Caller, settings: &OrgApi, key: Option<&str>, call: DeliveryCall) -> Result<Option<DeliveryTrial>> {
    let (url, purpose, expression) = match call {
        DeliveryCall::Match => (&settings.match_url, Purpose::Match, &settings.match_ok_expr),
        DeliveryCall::Apply => (&settings.apply_url, Purpose::Apply, &settings.apply_ok_expr),
    };
    let Some(url) = url else { return Ok(None) };
    let message = build(settings, &applicant(), purpose);
    let Ok(sealed) = seal(settings.crypto, key, &message.to_string()) else {
        return Err(ApiError::State(say("密钥无法使用，请更换", "The key cannot be used: enter another")));
    };
    let within = Duration::from_millis(u64::try_from(settings.timeout_ms).unwrap_or_default()).min(LONGEST);
    let (answer, milliseconds) = caller.post_json(url, sealed, within).await;
    let (status, response, verdict) = match &answer {
        Ok(answer) => (Some(i64::from(answer.status)), shown(&answer.body), judge(answer, expression)),
        Err(fault) => (None, String::new(), verdict_of(*fault)),
    };
    Ok(Some(DeliveryTrial {
        call,
        url: url.clone(),
        request: masked(&serde_json::to_string_pretty(&message).expect("a message serialises")),
        sealed: settings.crypto != OrgCrypto::None,
        status,
        response,
        milliseconds,
        verdict,
    }))
}

fn verdict_of(fault: Fault) -> DeliveryVerdict {
    match fault {
        Fault::NotPublic => DeliveryVerdict::NotPublic,
        Fault::TooLate => DeliveryVerdict::TooLate,
        Fault::TooLarge => DeliveryVerdict::TooLarge,
        Fault::Unreachable => DeliveryVerdict::Unreachable,
    }
}

fn judge(answer: &Answer, expression: &str) -> DeliveryVerdict {
    if !(200..300).contains(&answer.status) {
        return DeliveryVerdict::BadStatus;
    }
    match (serde_json::from_slice::<Value>(&answer.body), Expression::parse(expression)) {
        (Ok(body), Some(expression)) if expression.holds(&body) => DeliveryVerdict::Accepted,
        (Ok(_), Some(_)) => DeliveryVerdict::Refused,
        _ => DeliveryVerdict::Unreadable,
    }
}

/// An answer as people read it: JSON in lines, anything else as text.
fn shown(body: &[u8]) -> String {
    let text = match serde_json::from_slice::<Value>(body) {
        Ok(json) => serde_json::to_string_pretty(&json).expect("JSON serialises"),
        Err(_) => String::from_utf8_lossy(body).replace('\0', "\u{fffd}"),
    };
    masked(&text).chars().take(MOST_SHOWN).collect()
}

/// Somebody who does not exist.
fn applicant() -> Applicant {
    Applicant::from([
        ("age", json!(30)),
        ("applyAmount", json!(50_000)),
        ("applyTerm", json!(12)),
        ("car", json!("owned")),
        ("city", json!("上海")),
        ("creditCard", json!(true)),
        ("education", json!("bachelor")),
        ("house", json!("mortgaged")),
        ("housingFund", json!("over_12_months")),
        ("idNo", json!(ID_NO)),
        ("income", json!(12_000)),
        ("name", json!("测试用户")),
        ("occupation", json!("employee")),
        ("overdue", json!("none")),
        ("payForm", json!("bank")),
        ("phone", json!(PHONE)),
        ("phoneMd5", json!(hex::encode(Md5::digest(PHONE)))),
        ("policy", json!("none")),
        ("province", json!("上海")),
        ("purpose", json!("consumption")),
        ("sex", json!("male")),
        ("socialIns", json!("over_12_months")),
        ("userNo", json!("TEST")),
        ("zhima", json!("from_650")),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_can_be_sent_is_made_up() {
        let made_up: Vec<&str> = applicant().into_keys().collect();
        assert_eq!(made_up, delivery::FIELDS);
    }

    #[test]
    fn an_answer_is_judged_by_its_status_and_the_expression() {
        let answer = |status, body: &str| Answer { status, body: body.into() };
        let ok = r#"code == "0000""#;
        for (status, body, expression, verdict) in [
            (200, r#"{"code":"0000"}"#, ok, DeliveryVerdict::Accepted),
            (201, r#"{"code":"0001"}"#, ok, DeliveryVerdict::Refused),
            (200, "<html>", ok, DeliveryVerdict::Unreadable),
            (200, r#"{"code":"0000"}"#, "", DeliveryVerdict::Unreadable),
            (302, r#"{"code":"0000"}"#, ok, DeliveryVerdict::BadStatus),
            (500, r#"{"code":"0000"}"#, ok, DeliveryVerdict::BadStatus),
        ] {
            assert_eq!(judge(&answer(status, body), expression), verdict, "{status} {body}");
        }
    }
}
