//! The question before a lead: whether an organisation wants such a person, by the MD5 of the phone and the answers,
//! never by the name. No answer counts as no.

use std::time::Duration;

use serde_json::Value;

use super::applicant;
use super::authorise::{self, AuthPage};
use super::policy::Policy;
use super::selection::Candidate;
use base::outbox::Admission;
use base::outside::Caller;
use frame::api::{ApiError, App};
use trade::handoff::LEASE;
use trade::match_log::PassedOver;
use trade::match_log::{self, Direction, MatchStatus, NewMatch};
use trade::org::call::{DeliveryCall, DeliveryVerdict, Exchange, Line};
use trade::plan::DeliverMode;
use trade::user;
use trade::user::rounds::{RoundApplicant, RoundEnd};

/// The fields in which organisations send a code and a text: at the top of the answer, or in its `data`.
const WORDS_OF_THEIRS: &[&str] = &["code", "errCode", "status", "result", "msg", "message", "desc", "reason", "errMsg"];

/// The result of a question before a lead.
pub struct Answered {
    /// The reason, if the answer is no.
    pub reason: Option<PassedOver>,
    /// Until when the applicant is leased to this process after the question; none if the lease is over.
    pub until: Option<i64>,
    /// The page of the organisation on which the applicant has to agree first.
    pub page: Option<String>,
}

/// Asks an organisation, and stores question and answer. An organisation without an address for the question wants
/// everyone. An organisation that does not answer at present is not asked.
pub async fn ask(
    app: &App,
    user: &RoundApplicant,
    candidate: Candidate<'_>,
    policy: &Policy,
    left: Duration,
    until: i64,
) -> Result<Answered, ApiError> {
    let unasked = |reason| Ok(Answered { reason, until: Some(until), page: None });
    let (plan, now) = (candidate.plan, app.clock.now());
    let line = Line::open(app.db.read(), &app.keys, plan.org_id, now).await?;
    let Some(person) = user::person::reveal(app.db.read(), &app.keys, user.id).await.map_err(ApiError::Internal)? else {
        return unasked(Some(PassedOver::Declined));
    };
    let destination = format!("ask:{}", plan.org_id);
    if line.settings.match_url.is_some() && app.outbox.breakers.admit(&destination, now) == Admission::Nothing {
        return unasked(Some(PassedOver::NoAnswer));
    }
    let sent = applicant::fields_sent(&person, &user.no, &user.province, "", user.test, &user.said);
    let caller = Caller { private: app.config.private_calls };
    let patience = Duration::from_millis(u64::try_from(policy.match_timeout_ms).unwrap_or_default());
    let within = patience.min(left);
    let exchange = match line.call(caller, DeliveryCall::Match, &sent, within).await {
        Ok(None) => return unasked(None),
        Ok(Some(exchange)) => exchange,
        Err(_) => return unasked(Some(PassedOver::Delivery)),
    };
    let page = authorise::page_of(exchange.answer.as_ref());
    let status = match answered(&exchange) {
        // A page is of no use for a plan whose leads are not sent by a call: nothing could wait for the applicant.
        MatchStatus::Matched if page == AuthPage::Unusable => MatchStatus::Error,
        MatchStatus::Matched if page != AuthPage::NotAsked && plan.deliver_mode != DeliverMode::Api => MatchStatus::Error,
        status => status,
    };
    let silent = matches!(status, MatchStatus::Timeout | MatchStatus::Error);
    // A question that got less time than was agreed, because earlier questions used it, does not count as a failure
    // of the organisation.
    let agreed = patience.min(Duration::from_millis(u64::try_from(line.settings.timeout_ms).unwrap_or_default()));
    if status != MatchStatus::Timeout || left >= agreed {
        app.outbox.breakers.note(&destination, !silent, app.clock.now());
    }
    let no = match_log::number(now);
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
        test: user.test,
        at: now,
    };
    let mut tx = app.db.begin().await?;
    let at = tx.now(&app.clock).await?;
    // The lease is renewed for its full time, however long the answer took.
    let still_held = user::rounds::end(&mut tx, user.id, until, RoundEnd::goes_on(at + LEASE), at).await?;
    match_log::add(&mut tx, &asked).await?;
    tx.commit().await?;
    let reason = match status {
        MatchStatus::Matched => None,
        MatchStatus::Timeout | MatchStatus::Error => Some(PassedOver::NoAnswer),
        _ => Some(PassedOver::Declined),
    };
    let page = match page {
        AuthPage::At(url) => Some(url),
        AuthPage::NotAsked | AuthPage::Unusable => None,
    };
    Ok(Answered { reason, until: still_held.then_some(at + LEASE), page })
}

fn answered(exchange: &Exchange) -> MatchStatus {
    match exchange.verdict {
        DeliveryVerdict::Accepted => MatchStatus::Matched,
        DeliveryVerdict::Known => MatchStatus::Exists,
        DeliveryVerdict::Refused if exchange.answer.as_ref().is_some_and(knows_the_person) => MatchStatus::Exists,
        DeliveryVerdict::Refused => MatchStatus::NotQualified,
        DeliveryVerdict::TooLate => MatchStatus::Timeout,
        _ => MatchStatus::Error,
    }
}

/// Whether an answer of no says that the organisation knows the person already, for organisations whose settings do
/// not say how they express it ([`DeliveryVerdict::Known`]). Organisations have no common code for it, but use few
/// words, in a text or as a code. Names of fields do not count, nor does a text that something does not exist.
pub fn knows_the_person(answer: &Value) -> bool {
    const KNOWN: &[&str] =
        &["重复", "已存在", "已申请", "已提交", "已受理", "已进件", "老客户", "老用户", "exist", "duplicate", "repeat", "already"];
    const NOT: &[&str] =
        &["不重复", "未重复", "非重复", "not exist", "n't exist", "non-exist", "nonexist", "not duplicate", "not a duplicate"];
    let places = [Some(answer), answer.get("data")];
    let texts = places.into_iter().flatten().flat_map(|place| WORDS_OF_THEIRS.iter().filter_map(|name| place.get(*name)?.as_str()));
    texts.map(str::to_lowercase).any(|text| KNOWN.iter().any(|word| text.contains(word)) && !NOT.iter().any(|word| text.contains(word)))
}
