//! The provider's reports on messages that it has: which arrived, and which did not. Reports come in any order,
//! repeatedly, and after the tries have ended.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::model::SmsState;
use super::{provider, store};
use crate::api::check::present;
use crate::api::error::Refusal;
use crate::api::input::null_is_default;
use crate::api::{ApiError, Check, Ctx, Result, say};
use base::nonce::{self, Nonce};

/// The most messages of one report.
const MOST: usize = 200;

/// A report on some messages.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SmsReport {
    /// 1 to 200 of them.
    reports: Vec<DeliveryReport>,
}

/// The report on one message.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DeliveryReport {
    /// The platform's number of it, as it was sent (`SMS-7`).
    no: Option<String>,
    /// The provider's number of it; needed if the platform's is absent.
    provider_no: Option<String>,
    state: DeliveryState,
    /// When the provider found it, epoch milliseconds. Of two reports on a message the later moment counts.
    at: i64,
    /// Why it did not arrive; 200 characters of it are kept.
    #[serde(default, deserialize_with = "null_is_default")]
    msg: String,
}

/// Whether a message arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeliveryState {
    Delivered,
    /// It will not arrive any more.
    Undelivered,
}

/// The result of a report: a line for each message, in the order of the report.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SmsReported {
    results: Vec<ReportOutcome>,
}

/// The result of the report on one message. It is in the database when this is answered.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportOutcome {
    no: Option<String>,
    provider_no: Option<String>,
    outcome: Heard,
}

/// The effect of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Heard {
    /// It is new.
    Counted,
    /// It is known already, or older.
    Known,
    /// No message, or more than one, has this number.
    Unknown,
}

/// A report in its stored form.
pub struct Delivery<'d> {
    pub state: SmsState,
    pub provider_no: Option<&'d str>,
    pub error: Option<&'d str>,
    pub at: i64,
}

/// Stores a signed report of the provider. An unknown number is an error in its line, and does not affect the others.
pub async fn report(cx: &Ctx, body: SmsReport, nonce: &Nonce) -> Result<SmsReported> {
    let count = body.reports.len();
    Check::new().that("reports", (1..=MOST).contains(&count), say(format!("1 到 {MOST} 条"), format!("1 to {MOST} messages"))).done()?;
    let mut tx = cx.db().begin().await?;
    if !nonce::claim(&mut tx, nonce).await? {
        return Err(ApiError::Signed(Refusal::Nonce));
    }
    let (mut results, mut known) = (Vec::with_capacity(count), Vec::new());
    for (place, report) in body.reports.into_iter().enumerate() {
        let (no, provider_no) = (present(report.no), present(report.provider_no));
        if let Some(id) = store::numbered(&mut tx, no.as_deref(), provider_no.as_deref()).await? {
            known.push((id, place, report.state, report.at, report.msg));
        }
        results.push(ReportOutcome { no, provider_no, outcome: Heard::Unknown });
    }
    // The same order everywhere, so that two reports never wait for each other in a circle.
    known.sort_unstable_by_key(|(id, place, ..)| (*id, *place));
    for (id, place, state, at, msg) in known {
        let words = provider::kept_words(msg.trim());
        let provider_no = results[place].provider_no.as_deref().and_then(provider::kept_no);
        let delivery = Delivery {
            state: match state {
                DeliveryState::Delivered => SmsState::Delivered,
                DeliveryState::Undelivered => SmsState::Undelivered,
            },
            provider_no: provider_no.as_deref(),
            error: (state == DeliveryState::Undelivered && !words.is_empty()).then_some(words.as_str()),
            // A provider's clock that runs ahead does not block later reports.
            at: at.clamp(0, cx.now),
        };
        results[place].outcome = if store::reported(&mut tx, id, &delivery, cx.now).await? { Heard::Counted } else { Heard::Known };
    }
    tx.commit().await?;
    Ok(SmsReported { results })
}
