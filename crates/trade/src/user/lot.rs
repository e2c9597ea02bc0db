//! Several applicants who are taken in within one transaction: what is known of them is asked for all
//! at once, each is held against it in his turn, and all are written at once.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::admission::{self, Known};
use super::arrival::{Arrival, Taken};
use super::check::{Checks, UserCheck};
use super::model::UserStatus;
use super::phone;
use super::reputation::{self, By, Reputation};
use super::store::{self, Earlier, NewConsent, NewUser};
use crate::blacklist::{self, BlacklistScope, Suspect};
use crate::handoff::LEASE;
use crate::plan;
use crate::visit::lead::{self, LeadEvent, LeadKind};
use crate::visit::{System, applied};
use base::clock::{Clock, DAY, MINUTE};
use base::db::{Db, Tx};
use base::nonce;
use frame::api::error::Refusal;
use frame::terms::cap;

/// The same application within this time is a repetition.
const REPEATED: i64 = MINUTE;

/// What became of one: taken, or refused as a call.
pub type Answered = Result<Taken, Refusal>;

/// Takes some in, in their order. Nothing comes of one whose token had been used, or whose channel's
/// number stands for another application.
///
/// On every node one lot at a time has a phone, and one a channel's number: who came first is there when
/// the next is held against him. Lots of other people go on beside it; what they share, the room under a
/// channel's caps and the tokens, is taken by statements that count for themselves.
pub async fn take(db: &Db, tx: &mut Tx, clock: &Clock, arrivals: &[&Arrival]) -> Result<Vec<Answered>, sqlx::Error> {
    let phones = arrivals.iter().map(|arrival| phone::name(&arrival.sealed.phone_hash));
    let requests =
        arrivals.iter().filter_map(|arrival| arrival.request()).map(|(channel_id, number)| format!("request:{channel_id}:{number}"));
    db.lock_all(tx, &phones.chain(requests).collect::<Vec<_>>()).await?;
    // After the wait, so that what came first is earlier.
    let now = tx.now(clock).await?;
    let mut fresh = nonce::claim_all(tx, arrivals.iter().filter_map(|arrival| arrival.offer.nonce.as_ref()).collect()).await?;
    let let_on: Vec<bool> = arrivals.iter().map(|arrival| arrival.offer.nonce.as_ref().is_none_or(|nonce| fresh.remove(nonce))).collect();
    let others: Vec<&Arrival> = arrivals.iter().zip(&let_on).filter(|(_, let_on)| **let_on).map(|(arrival, _)| *arrival).collect();
    let mut taken = Vec::new();
    let mut rest = others.as_slice();
    while !rest.is_empty() {
        let (some, later) = rest.split_at(strangers(rest));
        taken.extend(take_strangers(tx, some, now).await?);
        rest = later;
    }
    let mut taken = taken.into_iter();
    Ok(let_on
        .into_iter()
        .map(|let_on| match let_on {
            true => taken.next().expect("who is let on is answered"),
            false => Err(Refusal::Nonce),
        })
        .collect())
}

/// Takes one in who came by himself.
pub async fn take_one(db: &Db, tx: &mut Tx, clock: &Clock, arrival: &Arrival) -> Result<Answered, sqlx::Error> {
    Ok(take(db, tx, clock, &[arrival]).await?.pop().expect("everybody is answered"))
}

/// How many of the first have nothing to do with each other: neither the phone nor the channel's number.
fn strangers(arrivals: &[&Arrival]) -> usize {
    let (mut phones, mut requests) = (HashSet::new(), HashSet::new());
    for (count, arrival) in arrivals.iter().enumerate() {
        if !phones.insert(&arrival.sealed.phone_hash) || arrival.request().is_some_and(|request| !requests.insert(request)) {
            return count;
        }
    }
    arrivals.len()
}

async fn take_strangers(tx: &mut Tx, arrivals: &[&Arrival], now: i64) -> Result<Vec<Answered>, sqlx::Error> {
    let requests: Vec<_> = arrivals.iter().filter_map(|arrival| arrival.request()).collect();
    let told = store::by_requests(tx, &requests).await?;
    let phones: Vec<_> = arrivals
        .iter()
        // So far back that whatever counts is among them.
        .map(|arrival| {
            (
                arrival.sealed.phone_hash.clone(),
                arrival.offer.channel.test,
                now - REPEATED.max(arrival.dedup_days * DAY),
                arrival.offer.channel.dedup_channel(),
            )
        })
        .collect();
    let last = store::last_of_phones(tx, &phones).await?;
    let suspects: Vec<_> = arrivals.iter().map(|arrival| (suspect(arrival), (BlacklistScope::Channel, arrival.offer.channel.id))).collect();
    let hits = blacklist::hits(tx, &suspects, now).await?;
    let mut reputations = reputations(tx, arrivals, now).await?;
    let channels: BTreeSet<i64> = arrivals.iter().map(|arrival| arrival.offer.channel.id).collect();
    let caps = cap::store::of_all(&mut **tx, "channel", channels).await?;
    let is_test = arrivals.iter().any(|arrival| arrival.offer.channel.test);
    let has_test_plan = is_test && plan::store::has_test_plan(tx).await?;

    // Channel by channel, as every lot goes: two that take room under the caps of some same channels
    // never wait for each other.
    let mut places: Vec<usize> = (0..arrivals.len()).collect();
    places.sort_by_key(|place| arrivals[*place].offer.channel.id);
    let mut before: Vec<Option<Answered>> = arrivals.iter().map(|_| None).collect();
    let mut new = Vec::new();
    for place in places {
        let arrival = arrivals[place];
        let last = last.get(&arrival.sealed.phone_hash);
        let repeats = last.filter(|last| last.payload_hash == arrival.payload_hash && last.created_at > now - REPEATED);
        let known_by = arrival.request().and_then(|request| told.get(&request));
        before[place] = match known_by {
            Some(known) if known.payload_hash != arrival.payload_hash => Some(Err(Refusal::Request)),
            Some(known) => Some(Ok(told_before(known, None))),
            None => repeats.map(|last| Ok(told_before(last, Some(UserCheck::Repeated)))),
        };
        if before[place].is_none() {
            let caps = caps.get(&arrival.offer.channel.id).map(Vec::as_slice).unwrap_or_default();
            let reputation = reputations.remove(&place).unwrap_or_default();
            let known = Known { last, blacklisted: hits.get(&place).copied(), reputation, caps };
            new.push((place, to_be_added(arrival, admission::checks(tx, arrival, &known, now).await?, has_test_plan, now)));
        }
    }
    new.sort_by_key(|(place, _)| *place);
    let new: Vec<NewUser<'_>> = new.into_iter().map(|(_, user)| user).collect();
    let ids = store::insert(tx, &new).await?;
    let added: Vec<Taken> = new.iter().map(|user| added(user, &ids)).collect();
    let agreed: Vec<NewConsent<'_>> = new.iter().zip(&added).filter_map(|(user, taken)| consent(user.arrival, taken.id, now)).collect();
    store::agree(tx, &agreed).await?;
    let came: Vec<LeadEvent> =
        new.iter().filter(|user| !user.arrival.offer.channel.test).map(|user| has_come(user, ids[&user.no])).collect();
    lead::note(tx, &came, now).await?;
    let passed = new.iter().filter(|user| user.checks.failed.is_none());
    let visitors: Vec<&str> = passed.filter_map(|user| user.arrival.offer.visitor.as_deref()).collect();
    applied::note(tx, &visitors, now).await?;
    let mut added = added.into_iter();
    Ok(before.into_iter().map(|before| before.unwrap_or_else(|| Ok(added.next().expect("who was not there before is added")))).collect())
}

/// What is known of those whose channels ask for it, by their places.
async fn reputations(tx: &mut Tx, arrivals: &[&Arrival], now: i64) -> Result<HashMap<usize, Reputation>, sqlx::Error> {
    let (mut places, mut asked) = (Vec::new(), Vec::new());
    for (place, arrival) in arrivals.iter().enumerate().filter(|(_, arrival)| arrival.past_span.is_some()) {
        places.push(place);
        asked.push((arrival.sealed.phone_hash.clone(), now));
    }
    let Some(span) = arrivals.iter().filter_map(|arrival| arrival.past_span).max() else { return Ok(HashMap::new()) };
    let found = reputation::of_all(tx, By::Phone, &asked, span).await?;
    Ok(found.into_iter().map(|(index, reputation)| (places[index], reputation)).collect())
}

fn suspect(arrival: &Arrival) -> Suspect<'_> {
    Suspect {
        phone_hash: Some(&arrival.sealed.phone_hash),
        id_no_hash: arrival.sealed.id_no_hash.as_deref(),
        ip_hash: arrival.ip_hash.as_deref(),
        device_hash: arrival.sealed.device_hash.as_deref(),
    }
}

/// What is answered of somebody who came before: then, or a moment ago.
fn told_before(before: &Earlier, failed: Option<UserCheck>) -> Taken {
    let status = if failed.is_some() { UserStatus::Duplicate } else { before.status };
    Taken { id: before.id, no: before.no.clone(), status, failed, checks: Vec::new(), claimed: None, added: false }
}

/// An applicant of a test channel goes on only where a plan of a test organisation runs, and costs nothing.
fn to_be_added(arrival: &Arrival, checks: Checks, has_test_plan: bool, now: i64) -> NewUser<'_> {
    let channel = &arrival.offer.channel;
    let (status, due_at) = match checks.failed {
        Some(check) => (check.ends_in(), None),
        None if channel.test && !has_test_plan => (UserStatus::Registered, None),
        None if arrival.offer.waits => (UserStatus::Completed, Some(now)),
        None => (UserStatus::Matching, Some(now + LEASE)),
    };
    NewUser {
        no: arrival.no.clone(),
        arrival,
        system: System::of(arrival.offer.application.form.user_agent.as_deref().unwrap_or_default()),
        status,
        checks,
        due_at,
        channel_cost_cents: if due_at.is_some() && !channel.test { channel.registered_cents } else { 0 },
        share_bp: if channel.test { 0 } else { channel.share_bp },
        at: now,
    }
}

fn added(user: &NewUser<'_>, ids: &HashMap<String, i64>) -> Taken {
    Taken {
        id: ids[&user.no],
        no: user.no.clone(),
        status: user.status,
        failed: user.checks.failed,
        checks: user.checks.made.clone(),
        claimed: user.due_at.filter(|_| !user.arrival.offer.waits),
        added: true,
    }
}

/// What the daily figures are told of one.
fn has_come(user: &NewUser<'_>, id: i64) -> LeadEvent {
    LeadEvent {
        kind: if user.checks.failed.is_some() { LeadKind::Registered } else { LeadKind::Applied },
        user_id: Some(id),
        channel_id: user.arrival.offer.channel.id,
        product_id: None,
        plan_id: None,
        org_id: None,
        system: user.system,
        cost_cents: user.channel_cost_cents,
        income_cents: 0,
        money_id: None,
    }
}

fn consent(arrival: &Arrival, user_id: i64, at: i64) -> Option<NewConsent<'_>> {
    let consent = arrival.offer.application.form.consent.as_ref()?;
    Some(NewConsent { user_id, arrival, consent, at })
}
