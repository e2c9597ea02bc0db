//! A batch of applications that are taken in within one transaction: what is known of them is read in common queries,
//! each is checked in turn, and all are written at once.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::admission::{self, Known};
use super::check::{Checks, UserCheck};
use super::model::UserStatus;
use super::phone;
use super::reputation::{self, By, Reputation};
use super::store;
use super::store::{Earlier, NewConsent, NewUser};
use super::submission::{PreparedSubmission, Taken};
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

/// The result of one application: taken, or refused as a call.
pub type Answered = Result<Taken, Refusal>;

/// Takes applications in, in their order. An application whose token was used before is refused, and so is one whose
/// request number belongs to another application.
///
/// Batches lock the phones and request numbers that they contain, across nodes, so that a duplicate always sees the
/// first application. Batches of other people run in parallel; what they share, the room under a channel's caps and
/// the tokens, is taken by single statements.
pub async fn take(db: &Db, tx: &mut Tx, clock: &Clock, submissions: &[&PreparedSubmission]) -> Result<Vec<Answered>, sqlx::Error> {
    let phones = submissions.iter().map(|prepared| phone::name(&prepared.sealed.phone_hash));
    let requests =
        submissions.iter().filter_map(|prepared| prepared.request()).map(|(channel_id, number)| format!("request:{channel_id}:{number}"));
    db.lock_all(tx, &phones.chain(requests).collect::<Vec<_>>()).await?;
    // After the wait for the locks, so that an earlier application has an earlier time.
    let now = tx.now(clock).await?;
    let mut fresh = nonce::claim_all(tx, submissions.iter().filter_map(|prepared| prepared.submission.nonce.as_ref()).collect()).await?;
    let admitted: Vec<bool> =
        submissions.iter().map(|prepared| prepared.submission.nonce.as_ref().is_none_or(|nonce| fresh.remove(nonce))).collect();
    let others: Vec<&PreparedSubmission> =
        submissions.iter().zip(&admitted).filter(|(_, admitted)| **admitted).map(|(prepared, _)| *prepared).collect();
    let mut taken = Vec::new();
    let mut rest = others.as_slice();
    while !rest.is_empty() {
        let (some, later) = rest.split_at(independent_prefix(rest));
        taken.extend(take_independent(tx, some, now).await?);
        rest = later;
    }
    let mut taken = taken.into_iter();
    Ok(admitted
        .into_iter()
        .map(|admitted| match admitted {
            true => taken.next().expect("an admitted application has an answer"),
            false => Err(Refusal::Nonce),
        })
        .collect())
}

/// Takes in a single application.
pub async fn take_one(db: &Db, tx: &mut Tx, clock: &Clock, prepared: &PreparedSubmission) -> Result<Answered, sqlx::Error> {
    Ok(take(db, tx, clock, &[prepared]).await?.pop().expect("each application has an answer"))
}

/// How many of the first applications share neither a phone nor a request number.
fn independent_prefix(submissions: &[&PreparedSubmission]) -> usize {
    let (mut phones, mut requests) = (HashSet::new(), HashSet::new());
    for (count, prepared) in submissions.iter().enumerate() {
        if !phones.insert(&prepared.sealed.phone_hash) || prepared.request().is_some_and(|request| !requests.insert(request)) {
            return count;
        }
    }
    submissions.len()
}

async fn take_independent(tx: &mut Tx, submissions: &[&PreparedSubmission], now: i64) -> Result<Vec<Answered>, sqlx::Error> {
    let requests: Vec<_> = submissions.iter().filter_map(|prepared| prepared.request()).collect();
    let by_request = store::by_requests(tx, &requests).await?;
    let phones: Vec<_> = submissions
        .iter()
        // Far enough back for all that counts.
        .map(|prepared| {
            (
                prepared.sealed.phone_hash.clone(),
                prepared.submission.channel.test,
                now - REPEATED.max(prepared.dedup_days * DAY),
                prepared.submission.channel.dedup_channel(),
            )
        })
        .collect();
    let last = store::last_of_phones(tx, &phones).await?;
    let suspects: Vec<_> =
        submissions.iter().map(|prepared| (suspect(prepared), (BlacklistScope::Channel, prepared.submission.channel.id))).collect();
    let hits = blacklist::hits(tx, &suspects, now).await?;
    let mut reputations = reputations(tx, submissions, now).await?;
    let channels: BTreeSet<i64> = submissions.iter().map(|prepared| prepared.submission.channel.id).collect();
    let caps = cap::counters::of_all(&mut **tx, "channel", channels).await?;
    let is_test = submissions.iter().any(|prepared| prepared.submission.channel.test);
    let has_test_plan = is_test && plan::has_test_plan(tx).await?;

    // Ordered by channel, as in every batch: two batches that take room under the caps of the same channels never
    // wait for each other in a circle.
    let mut places: Vec<usize> = (0..submissions.len()).collect();
    places.sort_by_key(|place| submissions[*place].submission.channel.id);
    let mut before: Vec<Option<Answered>> = submissions.iter().map(|_| None).collect();
    let mut new = Vec::new();
    for place in places {
        let prepared = submissions[place];
        let last = last.get(&prepared.sealed.phone_hash);
        let repeats = last.filter(|last| last.payload_hash == prepared.payload_hash && last.created_at > now - REPEATED);
        let known_by = prepared.request().and_then(|request| by_request.get(&request));
        before[place] = match known_by {
            Some(known) if known.payload_hash != prepared.payload_hash => Some(Err(Refusal::Request)),
            Some(known) => Some(Ok(known_already(known, None))),
            None => repeats.map(|last| Ok(known_already(last, Some(UserCheck::Repeated)))),
        };
        if before[place].is_none() {
            let caps = caps.get(&prepared.submission.channel.id).map(Vec::as_slice).unwrap_or_default();
            let reputation = reputations.remove(&place).unwrap_or_default();
            let known = Known { last, blacklisted: hits.get(&place).copied(), reputation, caps };
            new.push((place, to_be_added(prepared, admission::checks(tx, prepared, &known, now).await?, has_test_plan, now)));
        }
    }
    new.sort_by_key(|(place, _)| *place);
    let new: Vec<NewUser<'_>> = new.into_iter().map(|(_, user)| user).collect();
    let ids = store::insert(tx, &new).await?;
    let added: Vec<Taken> = new.iter().map(|user| added(user, &ids)).collect();
    let agreed: Vec<NewConsent<'_>> = new.iter().zip(&added).filter_map(|(user, taken)| consent(user.prepared, taken.id, now)).collect();
    store::agree(tx, &agreed).await?;
    let came: Vec<LeadEvent> =
        new.iter().filter(|user| !user.prepared.submission.channel.test).map(|user| has_come(user, ids[&user.no])).collect();
    lead::note(tx, &came, now).await?;
    let passed = new.iter().filter(|user| user.checks.failed.is_none());
    let visitors: Vec<&str> = passed.filter_map(|user| user.prepared.submission.visitor.as_deref()).collect();
    applied::note(tx, &visitors, now).await?;
    let mut added = added.into_iter();
    Ok(before
        .into_iter()
        .map(|before| before.unwrap_or_else(|| Ok(added.next().expect("an application that is not known is added"))))
        .collect())
}

/// The known past of the applicants whose channels use it, by position.
async fn reputations(tx: &mut Tx, submissions: &[&PreparedSubmission], now: i64) -> Result<HashMap<usize, Reputation>, sqlx::Error> {
    let (mut places, mut asked) = (Vec::new(), Vec::new());
    for (place, prepared) in submissions.iter().enumerate().filter(|(_, prepared)| prepared.past_span.is_some()) {
        places.push(place);
        asked.push((prepared.sealed.phone_hash.clone(), now));
    }
    let Some(span) = submissions.iter().filter_map(|prepared| prepared.past_span).max() else { return Ok(HashMap::new()) };
    let found = reputation::of_all(tx, By::Phone, &asked, span).await?;
    Ok(found.into_iter().map(|(index, reputation)| (places[index], reputation)).collect())
}

fn suspect(prepared: &PreparedSubmission) -> Suspect<'_> {
    Suspect {
        phone_hash: Some(&prepared.sealed.phone_hash),
        id_no_hash: prepared.sealed.id_no_hash.as_deref(),
        ip_hash: prepared.ip_hash.as_deref(),
        device_hash: prepared.sealed.device_hash.as_deref(),
    }
}

/// The result for an applicant who came before, or a moment ago.
fn known_already(before: &Earlier, failed: Option<UserCheck>) -> Taken {
    let status = if failed.is_some() { UserStatus::Duplicate } else { before.status };
    Taken { id: before.id, no: before.no.clone(), status, failed, checks: Vec::new(), claimed: None, added: false }
}

/// An applicant of a test channel goes on only if a plan of a test organisation runs, and costs nothing.
fn to_be_added(prepared: &PreparedSubmission, checks: Checks, has_test_plan: bool, now: i64) -> NewUser<'_> {
    let channel = &prepared.submission.channel;
    let (status, due_at) = match checks.failed {
        Some(check) => (check.ends_in(), None),
        None if channel.test && !has_test_plan => (UserStatus::Registered, None),
        None if prepared.submission.waits => (UserStatus::Completed, Some(now)),
        None => (UserStatus::Matching, Some(now + LEASE)),
    };
    NewUser {
        no: prepared.no.clone(),
        prepared,
        system: System::of(prepared.submission.application.form.user_agent.as_deref().unwrap_or_default()),
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
        claimed: user.due_at.filter(|_| !user.prepared.submission.waits),
        added: true,
    }
}

/// The entry of the daily figures for one application.
fn has_come(user: &NewUser<'_>, id: i64) -> LeadEvent {
    LeadEvent {
        kind: if user.checks.failed.is_some() { LeadKind::Registered } else { LeadKind::Applied },
        user_id: Some(id),
        channel_id: user.prepared.submission.channel.id,
        product_id: None,
        plan_id: None,
        org_id: None,
        system: user.system,
        cost_cents: user.channel_cost_cents,
        income_cents: 0,
        money_id: None,
    }
}

fn consent(prepared: &PreparedSubmission, user_id: i64, at: i64) -> Option<NewConsent<'_>> {
    let consent = prepared.submission.application.form.consent.as_ref()?;
    Some(NewConsent { user_id, prepared, consent, at })
}
