//! The question before a lead: an organisation is asked whether it wants somebody like this, by the
//! MD5 of his phone and what he says, never by his name. No answer is a no.

use std::time::Duration;

use serde_json::Value;

use super::applicant;
use super::matching::{Candidate, PassedOver};
use super::policy::Policy;
use crate::api::{ApiError, App};
use crate::matching::{self, Direction, MatchStatus, NewMatch};
use crate::org::call::{DeliveryCall, DeliveryVerdict, Exchange, Line};
use crate::outside::Caller;
use crate::user;
use crate::user::store::Wanted;

/// Asks, and keeps question and answer; tells why not, where it is a no. An organisation that has no
/// address for the question wants everybody.
pub async fn ask(app: &App, user: &Wanted, candidate: Candidate<'_>, policy: &Policy) -> Result<Option<PassedOver>, ApiError> {
    let (plan, now) = (candidate.plan, app.clock.now());
    let line = Line::open(app.db.read(), &app.keys, plan.org_id, now).await?;
    let Some(person) = user::store::reveal(app.db.read(), &app.keys, user.id).await.map_err(ApiError::Internal)? else {
        return Ok(Some(PassedOver::Declined));
    };
    let told = applicant::told(&person, &user.no, &user.province, "", &user.said);
    let caller = Caller { private: app.config.private_calls };
    let within = Duration::from_millis(u64::try_from(policy.match_timeout_ms).unwrap_or_default());
    let exchange = match line.call(caller, DeliveryCall::Match, &told, within).await {
        Ok(None) => return Ok(None),
        Ok(Some(exchange)) => exchange,
        Err(_) => return Ok(Some(PassedOver::Delivery)),
    };
    let status = answered(&exchange);
    let no = matching::number(now);
    let asked = NewMatch {
        no: &no,
        direction: Direction::Outbound,
        user_id: Some(user.id),
        phone_mask: &user.phone_mask,
        city: &user.city,
        channel_id: user.channel_id,
        plan: Some((plan.id, plan.org_id)),
        request: &exchange.request,
        response: Some(&exchange.response),
        status,
        bid_cents: (status == MatchStatus::Matched).then_some(candidate.price_cents),
        passed_over: "{}",
        cost_ms: exchange.milliseconds,
        expires_at: None,
        test: false,
        at: now,
    };
    let mut tx = app.db.begin().await?;
    matching::add(&mut tx, &asked).await?;
    tx.commit().await?;
    Ok(match status {
        MatchStatus::Matched => None,
        MatchStatus::Timeout | MatchStatus::Error => Some(PassedOver::NoAnswer),
        _ => Some(PassedOver::Declined),
    })
}

fn answered(exchange: &Exchange) -> MatchStatus {
    match exchange.verdict {
        DeliveryVerdict::Accepted => MatchStatus::Matched,
        DeliveryVerdict::Refused if exchange.answer.as_ref().is_some_and(knows_him) => MatchStatus::Exists,
        DeliveryVerdict::Refused => MatchStatus::NotQualified,
        DeliveryVerdict::TooLate => MatchStatus::Timeout,
        _ => MatchStatus::Error,
    }
}

/// Whether an answer that is a no says that the person is known there already. Organisations have no
/// common code for it, but few words.
pub fn knows_him(answer: &Value) -> bool {
    const WORDS: &[&str] = &["重复", "已存在", "老客户", "老用户", "exist", "duplicate", "repeat"];
    let text = answer.to_string().to_lowercase();
    WORDS.iter().any(|word| text.contains(word))
}
