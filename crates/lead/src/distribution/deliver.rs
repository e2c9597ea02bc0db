//! One try to deliver a lead to an organisation's server, and what follows from its answer.
//!
//! The try is stored before it is made, and made outside any transaction. If it is unknown whether the lead arrived (no
//! answer, an unreadable one, an error of the organisation's server, a process that died), the lead is unconfirmed: its
//! price and its room stay held. That ends when the organisation answers a query about the lead, reports the lead
//! itself, or answers a later try with the same number that it takes the lead or has it already. After any other answer
//! to a later try the lead stays unconfirmed; in the end a person decides.

mod answer;

use std::time::{Duration, Instant};

use self::answer::{Verdict, read};
use super::policy::Policy;
use super::settle::{self, Refusal};
use super::{applicant, authorise, notices};
use base::db::Tx;
use base::outbox::{self, Due, Kind, LEASE, Leased, MOST_TRIES, Seen, Settled, State};
use base::outside::Caller;
use frame::api::{ApiError, App};
use trade::blacklist::{self, BlacklistScope, Suspect};
use trade::org::call::{DeliveryCall, DeliveryVerdict, Line, Prepared};
use trade::org::message::Applicant;
use trade::org::{OrgStatus, standing};
use trade::plan;
use trade::plan::market::Market;
use trade::plan::push::delivery::{self, Delivery};
use trade::plan::push::edited::{self, Edited};
use trade::plan::push::model::{AttemptOutcome, AuthStatus, PushAttempt, PushStatus};
use trade::user::{RevealedUser, person};

/// The refusal code of a lead that could not be delivered. It may be offered to the organisation again.
pub const NO_DELIVERY: &str = "no_delivery";
/// The refusal code of a lead whose applicant was erased.
pub const ERASED: &str = "erased";

/// A try that is about to be made.
struct Try {
    item: Leased,
    push: Delivery,
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
            outbox::queue::put_off(&app.db, &app.clock, due, "own_fault").await?;
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
    let Some(item) = outbox::queue::claim(&mut tx, due, now + LEASE, now).await? else { return Ok(None) };
    let Some(push) = delivery::find(&mut tx, item.ref_id.unwrap_or_default()).await? else {
        outbox::queue::end(&mut tx, Kind::Delivery, item.ref_id.unwrap_or_default(), State::Done, now).await?;
        tx.commit().await?;
        return Ok(None);
    };
    let unknown = item.unanswered > 0;
    if push.auth_status == Some(AuthStatus::Waiting) && push.stopped.is_none() {
        match push.auth_until.filter(|until| *until > now) {
            // A person requested a try before the applicant has agreed.
            Some(until) => {
                let waits = Settled { state: State::Waiting, due_at: Some(until), unanswered: item.unanswered, error: None };
                outbox::queue::settle(&mut tx, &item, &waits, now).await?;
            }
            None => {
                outbox::queue::end(&mut tx, Kind::Delivery, push.id, State::Done, now).await?;
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
    let person = person::reveal(&mut *tx, &app.keys, push.user_id).await.map_err(ApiError::Internal)?;
    let edited = push.edited_enc.as_deref().map(|sealed| edited::open(&app.keys, &push.no, sealed));
    let edited = edited.transpose().map_err(ApiError::Internal)?;
    let sent = match (person, person::said(&mut *tx, push.user_id).await?, edited) {
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
            delivery::begin_try(&mut tx, push.id, &attempt).await?;
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
    delivery::begin_try(&mut tx, push.id, &attempt).await?;
    tx.commit().await?;
    let within = Duration::from_millis(u64::try_from(policy.push_timeout_ms).unwrap_or_default());
    Ok(Some(Try { item, push, call, prepared, applicant: sent, attempt, retries, can_be_asked: line.can_be_asked(), within }))
}

/// Why a lead that was sold a while ago must not be sent any more; none if it may.
async fn obstacle(tx: &mut Tx, push: &Delivery, item: &Leased, now: i64) -> Result<Option<Refusal>, ApiError> {
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
    // A lead of a version that did not store applicants only has its phone.
    let known = person::known_by(&mut **tx, push.user_id).await?.unwrap_or_default();
    let suspect = Suspect { phone_hash: Some(&push.phone_hash), ..known.suspect() };
    if blacklist::hit(tx, &suspect, (BlacklistScope::Organisation, push.org_id), now).await?.is_some() {
        return Ok(cancelled("blacklist", "黑名单"));
    }
    Ok(None)
}

/// Ends a lead that this side cannot send any more: refuses it, so that another plan is looked for. If the organisation
/// may have it, a person decides.
async fn send_no_more(tx: &mut Tx, item: &Leased, push: &Delivery, refusal: &Refusal, now: i64) -> Result<(), ApiError> {
    match item.unanswered > 0 {
        true => leave_to_people(tx, item, push, &refusal.code, now).await,
        false => refuse(tx, push, refusal, now).await,
    }
}

/// Refuses a lead that the organisation does not have: it is not tried any more, and another plan is looked for.
async fn refuse(tx: &mut Tx, push: &Delivery, refusal: &Refusal, now: i64) -> Result<(), ApiError> {
    outbox::queue::end(tx, Kind::Delivery, push.id, State::Done, now).await?;
    settle::refuse(tx, push, refusal, now).await
}

/// Leaves a lead to a person: it is not tried any more, and its price and its room stay held until a person enters
/// whether the organisation has it.
async fn leave_to_people(tx: &mut Tx, item: &Leased, push: &Delivery, error: &str, now: i64) -> Result<(), ApiError> {
    let settled = Settled { state: State::Dead, due_at: None, unanswered: item.unanswered.max(1), error: Some(error) };
    outbox::queue::settle(tx, item, &settled, now).await?;
    delivery::waits(tx, push.id, PushStatus::Unconfirmed, now).await?;
    notices::unconfirmed(tx, push, now).await?;
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
        // An acceptance counts even if it comes late.
        let counts = match taken {
            true => {
                outbox::queue::end(&mut tx, Kind::Delivery, self.push_id, State::Done, now).await?;
                true
            }
            false => {
                let held =
                    Settled { state: State::Sending, due_at: Some(self.item.until), unanswered: self.item.unanswered + 1, error: None };
                outbox::queue::settle(&mut tx, self.item, &held, now).await?
            }
        };
        let push = delivery::find(&mut tx, self.push_id).await?;
        delivery::end_try(&mut tx, self.push_id, self.attempt).await?;
        match push {
            Some(push) if counts => self.follow(app, &mut tx, &push, now).await?,
            // The lead was taken back before, and another organisation may have it now.
            None if taken && !delivery::is_accepted(&mut tx, self.push_id).await? => {
                notices::taken_too_late(&mut tx, self.push_id, now).await?
            }
            _ => {}
        }
        tx.commit().await?;
        Ok(())
    }

    /// Writes the consequences for a lead that is being delivered.
    async fn follow(&self, app: &App, tx: &mut Tx, push: &Delivery, now: i64) -> Result<(), ApiError> {
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
        outbox::queue::settle(tx, item, &settled, now).await?;
        delivery::waits(tx, push.id, status, now).await?;
        if settled.state == State::Dead {
            notices::unconfirmed(tx, push, now).await?;
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
