//! A test lead to an organisation: the calls for an invented applicant, made once, and the answers. It does not
//! become a lead.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::call::{DeliveryCall, DeliveryVerdict, Line};
use super::delivery::OrgCrypto;
use super::message::Applicant;
use super::record::record;
use super::store;
use base::outside::Caller;
use frame::access::audit::{Action, Change};
use frame::api::owner::require_platform_staff;
use frame::api::{ApiError, Body, Ctx, Result, say};

/// The longest wait for one call: the browser waits for both.
const LONGEST: Duration = Duration::from_secs(20);
/// A phone of a range that no operator uses, and an identity number of a region that does not exist.
const PHONE: &str = "10000010000";
const ID_NO: &str = "990000199001010000";

/// One call of a test.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct DeliveryTrial {
    pub call: DeliveryCall,
    pub url: String,
    /// The request before sealing, with numbers hidden.
    pub request: String,
    /// It was sealed.
    pub sealed: bool,
    /// The HTTP status; none without an answer.
    pub status: Option<i64>,
    /// The response, with numbers hidden, cut if it is long.
    pub response: String,
    pub milliseconds: i64,
    pub verdict: DeliveryVerdict,
}

/// The organisation whose delivery is tested.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct DeliveryTestRequest {
    /// The organisation's id.
    pub id: i64,
}

/// `POST /org/api/test`: the calls of a lead, with the stored settings.
pub async fn run(cx: Arc<Ctx>, Body(body): Body<DeliveryTestRequest>) -> Result<Vec<DeliveryTrial>> {
    let viewer = cx.viewer()?;
    store::find(cx.db().read(), viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
    require_platform_staff(viewer)?;
    let line = Line::open(cx.db().read(), &cx.app.keys, body.id, cx.now).await?;
    if line.settings.apply_url.is_none() && line.settings.match_url.is_none() {
        return Err(ApiError::State(say("请先填写撞库地址或进件地址", "Enter a match or apply URL first")));
    }
    if line.lacks_key() {
        return Err(ApiError::State(say("请先填写密钥", "Enter a key first")));
    }
    let caller = Caller { private: cx.app.config.private_calls };
    let call = |call| one(caller, &line, call);
    let (matching, applying, asking) = tokio::join!(call(DeliveryCall::Match), call(DeliveryCall::Apply), call(DeliveryCall::Query));
    let trials: Vec<DeliveryTrial> = [matching?, applying?, asking?].into_iter().flatten().collect();
    let results = trials.iter().map(|trial| format!("{}: {}", <&str>::from(trial.call), <&str>::from(trial.verdict)));
    let change = Change { field: "api.test".to_owned(), before: None, after: Some(results.collect::<Vec<_>>().join(", ")) };
    let (context, change, made) = (&*cx, std::slice::from_ref(&change), &trials);
    cx.db()
        .transact(|mut tx| {
            async move {
                record(context, &mut tx, body.id, Action::Other, change).await?;
                context.keep_answer(&mut tx, made).await
            }
            .boxed()
        })
        .await?;
    Ok(trials)
}

/// Makes one call, if there is an address for it.
async fn one(caller: Caller, line: &Line, call: DeliveryCall) -> Result<Option<DeliveryTrial>> {
    let Ok(exchange) = line.call(caller, call, &applicant(), LONGEST).await else {
        return Err(ApiError::State(say("密钥无法使用，请更换", "The key cannot be used: replace it")));
    };
    Ok(exchange.map(|exchange| DeliveryTrial {
        call,
        url: exchange.url,
        request: exchange.request,
        sealed: line.settings.crypto != OrgCrypto::None,
        status: exchange.status,
        response: exchange.response,
        milliseconds: exchange.milliseconds,
        verdict: exchange.verdict,
    }))
}

/// An applicant who does not exist.
pub(super) fn applicant() -> Applicant {
    Applicant::from([
        ("age", json!(30)),
        ("applyAmount", json!(50_000)),
        ("applyTerm", json!(12)),
        ("car", json!("owned")),
        ("city", json!("上海市")),
        ("creditCard", json!(true)),
        ("education", json!("bachelor")),
        ("house", json!("mortgaged")),
        ("housingFund", json!("over_12_months")),
        ("idNo", json!(ID_NO)),
        ("income", json!(12_000)),
        ("leadNo", json!("TEST")),
        ("name", json!("测试用户")),
        ("occupation", json!("employee")),
        ("overdue", json!("none")),
        ("payForm", json!("bank")),
        ("phone", json!(PHONE)),
        ("phoneMd5", json!(hex::encode(Md5::digest(PHONE)))),
        ("policy", json!("none")),
        ("province", json!("上海市")),
        ("purpose", json!("consumption")),
        ("sex", json!("male")),
        ("socialIns", json!("over_12_months")),
        ("test", json!(true)),
        ("userNo", json!("TEST")),
        ("zhima", json!("from_650")),
    ])
}

#[cfg(test)]
mod tests {
    use super::super::delivery;
    use super::*;

    #[test]
    fn all_that_can_be_sent_is_made_up() {
        let made_up: Vec<&str> = applicant().into_keys().collect();
        assert_eq!(made_up, delivery::FIELDS);
    }
}
