//! One try to deliver a lead to an organisation's server, and what follows from its answer.
//!
//! The try is written down before it is made, and made outside any transaction. Where it is not known
//! whether it arrived (no answer, rubbish, an error of the organisation's server, a process that died) the
//! lead is unconfirmed: its price and its room stay held until the organisation is asked, reports the lead by
//! itself, or answers a later try under the same number that it takes the lead or has it already. Any other
//! answer to a later try leaves it unconfirmed; in the end a person decides.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::applicant;
use super::ask::knows_the_person;
use super::authorise;
use super::policy::Policy;
use super::settle::{self, Refusal};
use super::tell;
use base::db::Tx;
use base::outbox::{self, Due, Kind, LEASE, Leased, MOST_TRIES, Seen, Settled, State};
use base::outside::Caller;
use frame::api::{ApiError, App};
use trade::blacklist::{self, BlacklistScope, Suspect};
use trade::org::OrgStatus;
use trade::org::call::{DeliveryCall, DeliveryVerdict, Exchange, Line, Prepared};
use trade::org::message::Applicant;
use trade::org::standing;
use trade::plan;
use trade::plan::market::Market;
use trade::plan::push::edited::{self, Edited};
use trade::plan::push::model::{AttemptOutcome, AuthStatus, PushAttempt, PushStatus};
use trade::plan::push::store::{self as pushes, OnWay};
use trade::user::RevealedUser;
use trade::user::store as users;

/// The refusal code of a lead that could not be delivered. It may be offered to the organisation again.
pub const NO_DELIVERY: &str = "no_delivery";
/// The refusal code of a lead whose applicant was erased.
pub const ERASED: &str = "erased";
/// Where organisations put their number of a lead: in the answer, or in its `data`.
const NUMBERS: &[&str] = &["orderNo", "order_no", "orderId", "order_id", "applyNo", "loanNo", "no", "id"];
/// Where they say why not, as a code and in words.
const CODES: &[&str] = &["code", "errCode", "status", "result"];
const REASONS: &[&str] = &["msg", "message", "desc", "reason", "errMsg"];
/// Characters of what they say that are kept, at most.
const LONGEST: usize = 200;

/// What an answer says.
#[derive(Clone, Debug)]
enum Verdict {
    /// They have it, under a number of theirs.
    Taken(Option<String>),
    /// They do not want it, and cannot have it from an earlier try.
    Refused(Refusal),
    /// They answer no, which does not say whether they have it from an earlier try. Why.
    Unclear(String),
    /// Asked for it, they say that they have it not.
    NotThere,
    /// It did not arrive, or was turned away at the door: nobody has it. Why.
    NotDelivered(String),
    /// Nobody knows. Why.
    Unknown(String),
}

/// A try that is about to be made.
struct Try {
    item: Leased,
    push: OnWay,
    call: DeliveryCall,
    prepared: Prepared,
    applicant: Applicant,
    attempt: PushAttempt,
    /// The most retries.
    retries: i64,
    /// Whether the organisation answers queries about its leads.
    can_be_asked: bool,
    within: Duration,
}

/// Tries to deliver a lead that is due, unless another process does.
pub async fn carry(app: &App, due: &Due) -> Result<Seen, ApiError> {
    let begun = match begin(app, due).await {
        // An error of our own with this lead, such as a field that no key decrypts. The lead is put off, so that it
        // does not block others and its tries end.
        Err(ApiError::Internal(error)) => {
            tracing::error!(outbox.id = due.id, ?error, "distribution: a lead could not be made ready for its delivery");
            outbox::store::put_off(&app.db, &app.clock, due, "own_fault").await?;
            return Ok(Seen::Nothing);
        }
        begun => begun?,
    };
    let Some(Try { item, push, call, prepared, applicant, mut attempt, retries, can_be_asked, within }) = begun else {
        return Ok(Seen::Nothing);
    };
    let (caller, began) = (Caller { private: app.config.private_calls }, Instant::now());
    let exchange = prepared.send(caller, &applicant, Some(&push.no), within).await;
    let verdict = read(&exchange, call, item.unanswered > 0);
    attempt.http_status = exchange.status;
    attempt.response = Some(exchange.response).filter(|text| !text.is_empty());
    attempt.cost_ms = exchange.milliseconds;
    (attempt.outcome, attempt.error) = match &verdict {
        Verdict::Taken(_) | Verdict::Refused(_) | Verdict::NotThere => (Some(AttemptOutcome::Answered), None),
        Verdict::Unclear(error) => (Some(AttemptOutcome::Answered), Some(error.clone())),
        Verdict::NotDelivered(error) => (Some(AttemptOutcome::NotDelivered), Some(error.clone())),
        Verdict::Unknown(error) => (Some(AttemptOutcome::Unknown), Some(error.clone())),
    };
    let ended = Ended { item: &item, push_id: push.id, call, retries, can_be_asked, attempt: &attempt, verdict: &verdict };
    outbox::write_outcome(item.id, began, || ended.write(app)).await?;
    let failing = matches!(verdict, Verdict::NotDelivered(_) | Verdict::Unknown(_));
    match failing {
        true if plan::delivery_failed(app, push.plan_id).await? => app.service::<Market>().forget().await,
        true => {}
        false => plan::delivery_went_well(app, push.plan_id).await?,
    }
    Ok(if failing { Seen::Failing } else { Seen::Well })
}

/// Ends the last try of a lead as unanswered, without a call, so that the lead becomes unconfirmed: for the demo.
/// Returns false if the lead was not to be sent.
pub async fn unheard(app: &App, due: &Due) -> Result<bool, ApiError> {
    let Some(Try { item, push, call, mut attempt, .. }) = begin(app, due).await? else { return Ok(false) };
    let verdict = Verdict::Unknown(<&str>::from(DeliveryVerdict::TooLate).to_owned());
    (attempt.outcome, attempt.error) = (Some(AttemptOutcome::Unknown), Some(<&str>::from(DeliveryVerdict::TooLate).to_owned()));
    attempt.cost_ms = 10_000;
    let ended = Ended { item: &item, push_id: push.id, call, retries: 0, can_be_asked: false, attempt: &attempt, verdict: &verdict };
    ended.write(app).await?;
    Ok(true)
}

/// Claims a lead and stores the try, or ends a lead that must not be tried any more.
async fn begin(app: &App, due: &Due) -> Result<Option<Try>, ApiError> {
    let policy = Policy::of(app).await?;
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let Some(item) = outbox::store::claim(&mut tx, due, now + LEASE, now).await? else { return Ok(None) };
    let Some(push) = pushes::on_way(&mut tx, item.ref_id.unwrap_or_default()).await? else {
        outbox::store::end(&mut tx, Kind::Delivery, item.ref_id.unwrap_or_default(), State::Done, now).await?;
        tx.commit().await?;
        return Ok(None);
    };
    let unknown = item.unanswered > 0;
    if push.auth_status == Some(AuthStatus::Waiting) && push.stopped.is_none() {
        match push.auth_until.filter(|until| *until > now) {
            // A person requested a try before the applicant has agreed.
            Some(until) => {
                let waits = Settled { state: State::Waiting, due_at: Some(until), unanswered: item.unanswered, error: None };
                outbox::store::settle(&mut tx, &item, &waits, now).await?;
            }
            None => {
                outbox::store::end(&mut tx, Kind::Delivery, push.id, State::Done, now).await?;
                authorise::give_up(&mut tx, &push, AuthStatus::Expired, now).await?;
            }
        }
        tx.commit().await?;
        return Ok(None);
    }
    if let Some(refusal) = obstacle(&mut tx, &push, &item, now).await? {
        send_no_more(&mut tx, &item, &push, &refusal, now).await?;
        tx.commit().await?;
        return Ok(None);
    }
    let line = Line::open(&mut *tx, &app.keys, push.org_id, now).await?;
    // The lead is not sent again, but the organisation may still be queried: a query contains no personal data.
    if let Some(stop) = push.stopped.filter(|_| !line.can_be_asked()) {
        leave_to_people(&mut tx, &item, &push, stop.into(), now).await?;
        tx.commit().await?;
        return Ok(None);
    }
    let person = users::reveal(&mut *tx, &app.keys, push.user_id).await.map_err(ApiError::Internal)?;
    let edited = push.edited_enc.as_deref().map(|sealed| edited::open(&app.keys, &push.no, sealed));
    let edited = edited.transpose().map_err(ApiError::Internal)?;
    let sent = match (person, users::said(&mut *tx, push.user_id).await?, edited) {
        (Some(person), Some((no, ..)), Some(Edited { name, province, said })) => {
            let person = RevealedUser { name, ..person };
            applicant::fields_sent(&person, &no, &province, &push.no, push.test, &said)
        }
        (Some(person), Some((no, province, said)), None) => applicant::fields_sent(&person, &no, &province, &push.no, push.test, &said),
        _ => {
            // The applicant was erased: there are no data to send.
            send_no_more(&mut tx, &item, &push, &erased(), now).await?;
            tx.commit().await?;
            return Ok(None);
        }
    };
    let call = if unknown && line.can_be_asked() { DeliveryCall::Query } else { DeliveryCall::Apply };
    let retries = line.settings.retry_max.min(policy.push_retry);
    let attempt = |url: &str, request: &str, error: Option<String>| PushAttempt {
        seq: push.attempts + 1,
        url: url.to_owned(),
        request: request.to_owned(),
        http_status: None,
        response: None,
        cost_ms: 0,
        outcome: Some(if error.is_some() { AttemptOutcome::NotDelivered } else { AttemptOutcome::Open }),
        error,
        at: now,
    };
    let prepared = match line.prepare(call, &sent) {
        Ok(Some(prepared)) => prepared,
        // With these settings nothing can be sent.
        other => {
            let error = other.err().map_or_else(|| "no_address".to_owned(), |error| error.to_string());
            let attempt = attempt(line.settings.apply_url.as_deref().unwrap_or_default(), "", Some(error.clone()));
            pushes::begin_try(&mut tx, push.id, &attempt).await?;
            let verdict = Verdict::NotDelivered(error);
            let can_be_asked = line.can_be_asked();
            let ended = Ended { item: &item, push_id: push.id, call, retries, can_be_asked, attempt: &attempt, verdict: &verdict };
            ended.follow(app, &mut tx, &push, now).await?;
            tx.commit().await?;
            if plan::delivery_failed(app, push.plan_id).await? {
                app.service::<Market>().forget().await;
            }
            return Ok(None);
        }
    };
    let attempt = attempt(&prepared.url, &prepared.request, None);
    pushes::begin_try(&mut tx, push.id, &attempt).await?;
    tx.commit().await?;
    let within = Duration::from_millis(u64::try_from(policy.push_timeout_ms).unwrap_or_default());
    Ok(Some(Try { item, push, call, prepared, applicant: sent, attempt, retries, can_be_asked: line.can_be_asked(), within }))
}

/// What stands in the way of a lead that was sold a while ago.
async fn obstacle(tx: &mut Tx, push: &OnWay, item: &Leased, now: i64) -> Result<Option<Refusal>, ApiError> {
    let cancelled =
        |code: &str, reason: &str| Some(Refusal { status: PushStatus::Cancelled, code: code.to_owned(), reason: reason.to_owned() });
    // If the organisation may have the lead, the queries go on.
    if item.is_expired(now) && item.unanswered == 0 {
        return Ok(Some(undelivered("expired")));
    }
    if let Some(stop) = push.stopped.filter(|_| item.unanswered == 0) {
        return Ok(cancelled(stop.into(), stop.into()));
    }
    if item.tries > MOST_TRIES {
        return Ok(Some(undelivered("too_many_tries")));
    }
    let standing = standing::standings(&mut **tx, [push.org_id], now).await?.remove(&push.org_id);
    let Some(standing) = standing.filter(|standing| matches!(standing.status, OrgStatus::Active | OrgStatus::Paused)) else {
        return Ok(cancelled("organisation", "机构不在合作中"));
    };
    if !standing.delivers {
        return Ok(cancelled("delivery_off", "接口未启用"));
    }
    // A lead from before applicants were kept has its phone alone.
    let known = users::known_by(&mut **tx, push.user_id).await?.unwrap_or_default();
    let suspect = Suspect { phone_hash: Some(&push.phone_hash), ..known.suspect() };
    if blacklist::hit(tx, &suspect, (BlacklistScope::Organisation, push.org_id), now).await?.is_some() {
        return Ok(cancelled("blacklist", "黑名单"));
    }
    Ok(None)
}

/// Something of ours stands in the way of a lead: it goes to another, unless the organisation may have it,
/// which is not asked to give it back by our not asking.
async fn send_no_more(tx: &mut Tx, item: &Leased, push: &OnWay, refusal: &Refusal, now: i64) -> Result<(), ApiError> {
    match item.unanswered > 0 {
        true => leave_to_people(tx, item, push, &refusal.code, now).await,
        false => refuse(tx, push, refusal, now).await,
    }
}

/// Nobody has it, and it is tried no more: another plan is looked for.
async fn refuse(tx: &mut Tx, push: &OnWay, refusal: &Refusal, now: i64) -> Result<(), ApiError> {
    outbox::store::end(tx, Kind::Delivery, push.id, State::Done, now).await?;
    settle::refuse(tx, push, refusal, now).await
}

/// Nobody tries it any more: its price and its room stay held until somebody says who has it.
async fn leave_to_people(tx: &mut Tx, item: &Leased, push: &OnWay, error: &str, now: i64) -> Result<(), ApiError> {
    let settled = Settled { state: State::Dead, due_at: None, unanswered: item.unanswered.max(1), error: Some(error) };
    outbox::store::settle(tx, item, &settled, now).await?;
    pushes::waits(tx, push.id, PushStatus::Unconfirmed, now).await?;
    tell::unconfirmed(tx, push, now).await?;
    Ok(())
}

/// A try that was made, with its result.
struct Ended<'e> {
    item: &'e Leased,
    push_id: i64,
    call: DeliveryCall,
    retries: i64,
    can_be_asked: bool,
    attempt: &'e PushAttempt,
    verdict: &'e Verdict,
}

impl Ended<'_> {
    /// Stores the result of the try. Its consequences are only written if the lead is still being delivered.
    async fn write(&self, app: &App) -> Result<(), ApiError> {
        let mut tx = app.db.begin().await?;
        let now = tx.now(&app.clock).await?;
        let taken = matches!(self.verdict, Verdict::Taken(_));
        // Whoever has it by now: that it was taken counts, however late it is told.
        let ours = match taken {
            true => {
                outbox::store::end(&mut tx, Kind::Delivery, self.push_id, State::Done, now).await?;
                true
            }
            false => {
                let held =
                    Settled { state: State::Sending, due_at: Some(self.item.until), unanswered: self.item.unanswered + 1, error: None };
                outbox::store::settle(&mut tx, self.item, &held, now).await?
            }
        };
        let push = pushes::on_way(&mut tx, self.push_id).await?;
        pushes::end_try(&mut tx, self.push_id, self.attempt).await?;
        match push {
            Some(push) if ours => self.follow(app, &mut tx, &push, now).await?,
            // It was taken back before, and may be somebody else's by now.
            None if taken && !pushes::is_accepted(&mut tx, self.push_id).await? => tell::taken_too_late(&mut tx, self.push_id, now).await?,
            _ => {}
        }
        tx.commit().await?;
        Ok(())
    }

    /// What follows, for a lead that is on its way.
    async fn follow(&self, app: &App, tx: &mut Tx, push: &OnWay, now: i64) -> Result<(), ApiError> {
        let item = self.item;
        let settled = match self.verdict {
            Verdict::Taken(upstream_no) => return settle::accept(app, tx, push, upstream_no.as_deref(), now).await,
            // The organisation's reason is not stored if the applicant was erased meanwhile.
            Verdict::Refused(refusal) if push.erased => {
                return refuse(tx, push, &Refusal { status: refusal.status, ..erased() }, now).await;
            }
            Verdict::Refused(refusal) => return refuse(tx, push, refusal, now).await,
            // The organisation never had the lead: it is sent as if for the first time.
            Verdict::NotThere if item.tries <= self.retries => {
                Settled { state: State::Waiting, due_at: Some(now), unanswered: 0, error: Some("not_there") }
            }
            Verdict::NotThere => return refuse(tx, push, &undelivered("not_there"), now).await,
            Verdict::NotDelivered(error) => match (item.unanswered > 0, item.tries <= self.retries) {
                (false, false) => return refuse(tx, push, &undelivered(error), now).await,
                (false, true) => {
                    let due_at = Some(now + outbox::pause(item.tries));
                    Settled { state: State::Waiting, due_at, unanswered: 0, error: Some(error) }
                }
                // An earlier try may have arrived all the same.
                (true, _) => self.in_doubt(item.unanswered, error, now),
            },
            Verdict::Unclear(error) => self.in_doubt(item.unanswered, error, now),
            Verdict::Unknown(error) => {
                // A query without an answer is not counted as unanswered: it sent no lead.
                let asked = i64::from(self.call != DeliveryCall::Query);
                self.in_doubt(item.unanswered + asked, error, now)
            }
        };
        let status = match settled.state {
            State::Waiting => PushStatus::Retrying,
            _ => PushStatus::Unconfirmed,
        };
        outbox::store::settle(tx, item, &settled, now).await?;
        pushes::waits(tx, push.id, status, now).await?;
        if settled.state == State::Dead {
            tell::unconfirmed(tx, push, now).await?;
        }
        Ok(())
    }

    /// Schedules the next query or try of a lead that may have arrived, if there is one; otherwise a person decides.
    fn in_doubt<'s>(&self, unanswered: i64, error: &'s str, now: i64) -> Settled<'s> {
        let goes_on = self.can_be_asked || self.item.tries <= self.retries;
        let due_at = goes_on.then(|| now + outbox::pause(self.item.tries));
        Settled { state: if goes_on { State::Unconfirmed } else { State::Dead }, due_at, unanswered, error: Some(error) }
    }
}

/// The refusal of a lead whose applicant was erased.
fn erased() -> Refusal {
    Refusal { status: PushStatus::Failed, code: ERASED.to_owned(), reason: "申请人已注销".to_owned() }
}

/// The refusal of a lead that could not be delivered.
fn undelivered(error: &str) -> Refusal {
    Refusal { status: PushStatus::Failed, code: NO_DELIVERY.to_owned(), reason: error.to_owned() }
}

/// What an answer says. `in_doubt`: they may have had the lead before.
fn read(exchange: &Exchange, call: DeliveryCall, in_doubt: bool) -> Verdict {
    let answer = exchange.answer.as_ref();
    let number = || answer.and_then(|answer| found(answer, NUMBERS));
    // In words for people only what may be shown: organisations name the phone in them.
    let said = |names: &[&str]| exchange.shown.as_ref().and_then(|shown| found(shown, names)).unwrap_or_default();
    let refused = |status: PushStatus, code: String| Verdict::Refused(Refusal { status, code, reason: said(REASONS) });
    let word = || <&str>::from(exchange.verdict).to_owned();
    let status = exchange.status.unwrap_or_default();
    match exchange.verdict {
        DeliveryVerdict::Accepted => Verdict::Taken(number()),
        DeliveryVerdict::NotThere => Verdict::NotThere,
        DeliveryVerdict::NotPublic | DeliveryVerdict::Unreachable => Verdict::NotDelivered(word()),
        // What they have already under this number is ours, if they may have had it from us.
        DeliveryVerdict::Known if in_doubt || call == DeliveryCall::Query => Verdict::Taken(number()),
        DeliveryVerdict::Known => refused(PushStatus::Duplicate, said(CODES)),
        // Nothing but a clear yes or no answers a question.
        _ if call == DeliveryCall::Query => Verdict::Unknown(word()),
        DeliveryVerdict::Refused if answer.is_some_and(knows_the_person) => match in_doubt {
            true => Verdict::Taken(number()),
            false => refused(PushStatus::Duplicate, said(CODES)),
        },
        // An organisation that has the lead from an earlier try may say so in words of its own, or find the second one
        // over its daily limit. So after a try without an answer only words that are known end the doubt.
        DeliveryVerdict::Refused if in_doubt => Verdict::Unclear(word()),
        DeliveryVerdict::Refused => refused(PushStatus::Rejected, said(CODES)),
        DeliveryVerdict::BadStatus => match status {
            409 if in_doubt => Verdict::Taken(number()),
            409 => refused(PushStatus::Duplicate, status.to_string()),
            // The line is wrong, not the lead: a key, an address, a redirect. Or it comes too early, or too much.
            300..400 | 401 | 403 | 404 | 405 | 407 | 408 | 415 | 421 | 425 | 426 | 429 => Verdict::NotDelivered(format!("http_{status}")),
            400..500 if in_doubt && answer.is_some_and(knows_the_person) => Verdict::Taken(number()),
            // What is wrong with a request that they may have taken before says nothing of that one.
            400..500 if in_doubt => Verdict::Unknown(format!("http_{status}")),
            // A request that they call wrong stays wrong, however often it is made.
            400..500 => refused(PushStatus::Failed, status.to_string()),
            _ => Verdict::Unknown(word()),
        },
        DeliveryVerdict::Unreadable | DeliveryVerdict::TooLate | DeliveryVerdict::TooLarge | DeliveryVerdict::Cut => {
            Verdict::Unknown(word())
        }
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

    fn outcome(verdict: DeliveryVerdict, status: i64, answer: Value, call: DeliveryCall, in_doubt: bool) -> String {
        match read(&exchange(verdict, status, answer), call, in_doubt) {
            Verdict::Taken(no) => format!("taken {}", no.unwrap_or_default()),
            Verdict::Refused(Refusal { status, code, reason }) => format!("{} {code} {reason}", <&str>::from(status)),
            Verdict::Unclear(error) => format!("unclear: {error}"),
            Verdict::NotThere => "not there".to_owned(),
            Verdict::NotDelivered(error) => format!("not delivered: {error}"),
            Verdict::Unknown(error) => format!("unknown: {error}"),
        }
    }

    /// C1, H5: what an answer says of a lead that they cannot have had before, and of one that they may.
    #[test]
    fn an_answer_says_what_follows() {
        use DeliveryVerdict::{Accepted, BadStatus, Cut, NotThere, Refused, TooLate, Unreachable, Unreadable};
        let known = json!({"code": 2, "msg": "客户已存在", "id": 7});
        for (verdict, status, answer, first, in_doubt) in [
            (Accepted, 200, json!({"code": 0, "data": {"orderNo": "A-1"}}), "taken A-1", "taken A-1"),
            (Accepted, 200, json!({"ok": true}), "taken ", "taken "),
            (Refused, 200, json!({"code": "E1", "msg": "年龄不符"}), "rejected E1 年龄不符", "unclear: refused"),
            (Refused, 200, known, "duplicate 2 客户已存在", "taken 7"),
            (BadStatus, 409, json!({}), "duplicate 409 ", "taken "),
            (BadStatus, 500, json!({}), "unknown: bad_status", "unknown: bad_status"),
            (BadStatus, 401, json!({}), "not delivered: http_401", "not delivered: http_401"),
            (BadStatus, 302, json!({}), "not delivered: http_302", "not delivered: http_302"),
            (BadStatus, 429, json!({}), "not delivered: http_429", "not delivered: http_429"),
            (BadStatus, 422, json!({"message": "no city"}), "failed 422 no city", "unknown: http_422"),
            (BadStatus, 422, json!({"message": "already taken"}), "failed 422 already taken", "taken "),
            (Refused, 200, json!({"code": "9", "msg": "您已提交过申请"}), "duplicate 9 您已提交过申请", "taken "),
            // What a field is called says nothing, nor what does not exist.
            (Refused, 200, json!({"code": "9", "exist": false, "duplicate": false}), "rejected 9 ", "unclear: refused"),
            (Refused, 200, json!({"code": "9", "msg": "it does not exist"}), "rejected 9 it does not exist", "unclear: refused"),
            (Unreadable, 200, json!(null), "unknown: unreadable", "unknown: unreadable"),
            (TooLate, 0, json!(null), "unknown: too_late", "unknown: too_late"),
            (Cut, 0, json!(null), "unknown: cut", "unknown: cut"),
            (Unreachable, 0, json!(null), "not delivered: unreachable", "not delivered: unreachable"),
            (NotThere, 200, json!({}), "not there", "not there"),
        ] {
            assert_eq!(outcome(verdict, status, answer.clone(), DeliveryCall::Apply, false), first, "{answer}");
            assert_eq!(outcome(verdict, status, answer.clone(), DeliveryCall::Apply, true), in_doubt, "{answer}");
        }
        for (verdict, status, expected) in [
            (Accepted, 200, "taken "),
            (NotThere, 200, "not there"),
            (Refused, 200, "unknown: refused"),
            (BadStatus, 404, "unknown: bad_status"),
            (BadStatus, 409, "unknown: bad_status"),
            (Unreachable, 0, "not delivered: unreachable"),
        ] {
            assert_eq!(outcome(verdict, status, json!({}), DeliveryCall::Query, true), expected);
        }
    }
}
