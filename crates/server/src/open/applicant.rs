//! `POST /open/user` and `POST /open/match`: a channel's server sends an applicant, or asks first whether any plan
//! would buy such a person.

use std::sync::Arc;
use std::time::Instant;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{partner, person};
use base::clock::{self, DAY, MINUTE};
use base::nonce;
use frame::api::check::present;
use frame::api::error::Refusal;
use frame::api::input::null_is_default;
use frame::api::{ApiError, Check, Ctx, Result, Signed, say};
use frame::dict::ChoiceBook;
use frame::setting;
use frame::terms::applicant::{Fact, Facts, facts_said, in_one_form, past_field};
use frame::terms::{RuleSet, cap};
use lead::distribution::Policy;
use lead::distribution::selection::{Matched, Person, select};
use trade::channel::{self, ChannelStatus, Supplier};
use trade::handoff::Claimed;
use trade::handoff::Handoff;
use trade::match_log::PassedOver;
use trade::match_log::{self as records, Asked, Direction, MatchStatus, NewMatch};
use trade::plan::market::Market;
use trade::user;
use trade::user::form::{Application, UserForm, not_to_say};
use trade::user::reputation::{self, By};
use trade::user::{Submission, UserCheck, UserStatus, intake};

/// A question that is repeated within this time, with the same answer, is the same one.
const SAME: i64 = 10 * MINUTE;
/// How long an answer is valid.
const BELIEVED: i64 = 30 * MINUTE;

/// An application.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NewApplication {
    /// The caller's own number of it, 1 to 64 characters: an application that is sent twice is one applicant.
    request_id: String,
    /// The caller's own name for the visitor who applies, as in `POST /open/uv`; at most 128 characters.
    visitor: Option<String>,
    user: UserForm,
}

/// The result. It is in the database when this is answered; buyers are looked for afterwards.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Received {
    /// The platform's number of the applicant.
    no: String,
    /// The application was accepted.
    accepted: bool,
    status: UserStatus,
    /// The check that failed.
    reason: Option<UserCheck>,
}

/// `POST /open/user`.
pub async fn receive(cx: Arc<Ctx>, call: Signed<NewApplication>) -> Result<Received> {
    let (caller, body, nonce) = partner::channel(&cx, call).await?;
    let request_id = body.request_id.trim();
    let visitor = present(body.visitor);
    let mut check = Check::new();
    check.text("requestId", request_id, 1..=64).text("visitor", visitor.as_deref().unwrap_or_default(), 0..=128).done()?;
    let channel = channel::supplier(cx.db().read(), caller.id).await?.ok_or(ApiError::Signed(Refusal::Caller))?;
    let choices = cx.app.service::<ChoiceBook>().current(cx.db()).await?;
    let application = Application::read(body.user, &choices, cx.now).map_err(|error| error.below("user"))?;
    if application.form.consent.as_ref().is_some_and(|consent| consent.text_hash.is_none()) {
        return Err(ApiError::field("user.consent.textHash", say("必填", "Required")));
    }
    let submission = Submission {
        channel,
        application,
        request_id: Some(request_id.to_owned()),
        visitor: visitor.map(|name| person::visitor_key(&cx.app.keys, &person::device_of_channel(caller.id, &name))),
        entered_by: None,
        nonce: Some(nonce),
        waits: false,
    };
    let taken = intake::take(&cx.app, submission).await.map_err(|error| error.below("user"))?;
    if let Some(until) = taken.claimed {
        cx.app.service::<Handoff>().applicant(caller.id, Claimed { user_id: taken.id, until, fresh: true });
    }
    let accepted = !matches!(taken.status, UserStatus::Duplicate | UserStatus::Blocked | UserStatus::Invalid);
    Ok(Received { no: taken.no, accepted, status: taken.status, reason: taken.failed })
}

/// A person, without anything that identifies them.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Question {
    /// Hex MD5 of the 11 digits of the applicant's phone. It is kept as a keyed hash only.
    phone_md5: String,
    /// Answers by the names of an applicant's fields: `age`, `city`, `house`…
    #[serde(default, deserialize_with = "null_is_default")]
    applicant: Map<String, Value>,
}

/// Whether any plan would buy such a person. It names no plan and no price.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Answered {
    /// The platform's number of the question.
    no: String,
    matched: bool,
    status: MatchStatus,
    /// Until when it is valid, epoch milliseconds; none for a no.
    expires_at: Option<i64>,
}

/// `POST /open/match`.
pub async fn ask(cx: Arc<Ctx>, call: Signed<Question>) -> Result<Answered> {
    let began = Instant::now();
    let (caller, mut question, nonce) = partner::channel(&cx, call).await?;
    let md5 = question.phone_md5.trim().to_ascii_lowercase();
    let md5 = md5.as_str();
    in_one_form(&mut question.applicant);
    let is_md5 = md5.len() == 32 && md5.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    Check::new()
        .that("phoneMd5", is_md5, say("32 位十六进制 MD5", "Enter an MD5 of 32 hex digits"))
        .that("applicant", past_field(&question.applicant).is_none(), not_to_say())
        .done()?;
    let facts = facts_said(&question.applicant, &*cx.app.service::<ChoiceBook>().current(cx.db()).await?)
        .map_err(|wrong| ApiError::Fields(wrong).below("applicant"))?;
    let channel = channel::supplier(cx.db().read(), caller.id).await?.ok_or(ApiError::Signed(Refusal::Caller))?;
    if channel.status != ChannelStatus::Enabled {
        return Err(ApiError::State(say("渠道已暂停", "The channel is paused")));
    }
    let (status, passed_over, bid_cents) = answer(&cx, &channel, &cx.app.keys.lookup_hash(md5), &facts).await?;
    let expires_at = (status == MatchStatus::Matched).then_some(cx.now + BELIEVED);
    let answered = |no| Answered { no, matched: status == MatchStatus::Matched, status, expires_at };
    let city = match facts.get("city") {
        Some(Fact::Text(city)) => city.as_str(),
        _ => "",
    };
    let request = Value::Object(question.applicant).to_string();
    let asked = Asked { channel_id: channel.id, question_hash: cx.app.keys.lookup_hash(&format!("question\n{md5}\n{request}")) };
    let most = cx.setting(&setting::MATCH_DAILY_QUESTIONS).await?;
    let mut tx = cx.db().begin().await?;
    if !nonce::claim(&mut tx, &nonce).await? {
        return Err(ApiError::Signed(Refusal::Nonce));
    }
    if let Some(no) = asked.before(&mut tx, status, cx.now - SAME).await? {
        tx.commit().await?;
        return Ok(answered(no));
    }
    if records::asked_on(&mut tx, channel.id, cx.now).await? >= most {
        return Err(too_many_today(cx.now));
    }
    let no = records::number(cx.now);
    let record = NewMatch {
        no: &no,
        direction: Direction::Inbound,
        user_id: None,
        phone_mask: "",
        city,
        channel_id: channel.id,
        plan: None,
        request: &request,
        response: None,
        status,
        bid_cents,
        passed_over: &passed_over,
        cost_ms: i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX),
        expires_at,
        test: channel.test,
        at: cx.now,
    };
    records::add(&mut tx, &record).await?;
    records::count(&mut tx, channel.id, status, channel.test, cx.now).await?;
    asked.keep(&mut tx, &no, status, cx.now, cx.now - SAME).await?;
    tx.commit().await?;
    Ok(answered(no))
}

/// The refusal of a question beyond a channel's daily limit, by Shanghai's day.
fn too_many_today(now: i64) -> ApiError {
    let tomorrow = clock::start(clock::day(now)) + DAY;
    ApiError::TooOften {
        message: say("今天的撞库次数已达上限", "Today's limit of match queries has been reached"),
        retry_after: ((tomorrow - now) / 1000).max(1),
    }
}

/// The answer, the plans that were passed over as JSON, and the best bid in fen.
async fn answer(cx: &Ctx, channel: &Supplier, phone_md5_hash: &str, facts: &Facts) -> Result<(MatchStatus, String, Option<i64>)> {
    let none = |status| Ok((status, "{}".to_owned(), None));
    let days = match channel.dedup_days {
        Some(days) => days,
        None => cx.setting(&setting::LEAD_DEDUP_DAYS).await?,
    };
    if !channel.test && days > 0 && user::is_known(cx.db().read(), phone_md5_hash, cx.now - days * DAY, channel.dedup_channel()).await? {
        return none(MatchStatus::Exists);
    }
    let policy = Policy::of(&cx.app).await?;
    let running = cx.app.service::<Market>().running_plans(cx.db(), cx.now).await?;
    let facts = match running.asks_past || channel.filters.as_ref().is_some_and(RuleSet::asks_past) {
        true => &reputation::of(&cx.app, By::PhoneMd5, phone_md5_hash, cx.now).await?.add_to(facts.clone()),
        false => facts,
    };
    if channel.filters.as_ref().is_some_and(|filters| filters.evaluate(facts).is_err()) {
        return none(MatchStatus::NotQualified);
    }
    let subject = channel.subject();
    let usage = cap::counters::usage(cx.db().read(), subject.kind, [subject.id], cx.now).await?;
    if usage.get(&channel.id).is_some_and(|usage| usage.iter().any(|usage| usage.is_full(channel.registered_cents))) {
        return none(MatchStatus::Capped);
    }
    // The required consents are checked when the application comes.
    let person = Person { facts, channel_id: channel.id, test: channel.test, recipients: &[], all_partners: true, had_by: &[] };
    let Matched { candidates, passed, .. } = select(&running, &person, policy.method, &Default::default(), cx.now);
    let waits = passed.contains_key(&PassedOver::Waiting);
    let status = if candidates.is_empty() && !waits { MatchStatus::NoPlan } else { MatchStatus::Matched };
    Ok((status, json!(passed).to_string(), candidates.iter().map(|candidate| candidate.price_cents).max()))
}
