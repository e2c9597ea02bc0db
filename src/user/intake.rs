//! How an applicant comes in: he is held against all that his channel, the blacklist and his own past
//! say, in the order of `check`, and kept with what came of it, in one transaction.

use std::collections::BTreeSet;

use super::check::{CheckOutcome, CheckResult, Checks, UserCheck};
use super::form::{self, Application, Sealed};
use super::model::UserStatus;
use super::store::{self, Earlier, NewUser};
use crate::api::{ApiError, App, Result, Say, say};
use crate::blacklist::{self, Suspect};
use crate::channel::{ChannelStatus, Supplier};
use crate::clock::{self, DAY, MINUTE};
use crate::db::{Connection, Tx};
use crate::locale::Locale::{Chinese, English};
use crate::nonce::{self, Nonce};
use crate::product::{self, Named};
use crate::terms::cap::{self, Taking};
use crate::visit::System;
use crate::{crypto, org, setting};

/// The same application within this time is a repetition.
const REPEATED: i64 = MINUTE;
/// How long somebody whom this process looks after at once is nobody else's.
pub const LEASE: i64 = MINUTE;

/// An applicant who is offered.
pub struct Offer<'o> {
    pub channel: Supplier,
    pub application: Application,
    /// The channel's own number of the call.
    pub request_id: Option<&'o str>,
    /// The member of staff who enters him.
    pub entered_by: Option<i64>,
    /// Of a signed call.
    pub nonce: Option<&'o Nonce>,
    /// Plans are looked for when it is his turn, rather than by this process at once.
    pub waits: bool,
}

/// What became of him.
#[derive(Clone, Debug)]
pub struct Taken {
    pub id: i64,
    pub no: String,
    pub status: UserStatus,
    /// The check that he failed.
    pub failed: Option<UserCheck>,
    pub checks: Vec<CheckResult>,
    /// Until when this process has him, to look for plans; none when nobody needs to.
    pub claimed: Option<i64>,
    /// He was not told of before.
    pub added: bool,
}

/// Takes an applicant in. A second call with the channel's same number answers what became of the first.
pub async fn take(app: &App, offer: &Offer<'_>) -> Result<Taken> {
    let sealed = Sealed::of(&app.keys, &offer.application.form);
    let days = dedup_days(app, &offer.channel).await?;
    let mut tx = app.db.begin().await?;
    // After the wait for the transaction, so that what came first is earlier.
    let now = app.clock.now();
    if let Some(nonce) = offer.nonce
        && !nonce::claim(&mut tx, nonce).await?
    {
        return Err(ApiError::Signed(crate::api::error::Refusal::Nonce));
    }
    app.db.lock(&mut tx, &format!("applicant:{}", sealed.phone_hash)).await?;
    let taken = within(app, &mut tx, offer, &sealed, days, now).await?;
    tx.commit().await?;
    Ok(taken)
}

/// Takes many in within one transaction, in their order; tells how many of them were not there before.
pub async fn take_many(app: &App, tx: &mut Tx, offers: &[Offer<'_>]) -> Result<usize> {
    let sealed: Vec<Sealed> = offers.iter().map(|offer| Sealed::of(&app.keys, &offer.application.form)).collect();
    // Before anything else and in one order, so that no two who bring many wait for each other.
    app.db.lock(tx, "applicants").await?;
    for phone_hash in sealed.iter().map(|sealed| &sealed.phone_hash).collect::<BTreeSet<_>>() {
        app.db.lock(tx, &format!("applicant:{phone_hash}")).await?;
    }
    let now = app.clock.now();
    let mut added = 0;
    for (offer, sealed) in offers.iter().zip(&sealed) {
        let days = dedup_days(app, &offer.channel).await?;
        added += usize::from(within(app, tx, offer, sealed, days, now).await?.added);
    }
    Ok(added)
}

/// Days over which an applicant of a channel counts once.
async fn dedup_days(app: &App, channel: &Supplier) -> Result<i64> {
    match channel.dedup_days {
        Some(days) => Ok(days),
        None => Ok(app.settings.get(&app.db, &setting::LEAD_DEDUP_DAYS).await?),
    }
}

async fn within(app: &App, tx: &mut Tx, offer: &Offer<'_>, sealed: &Sealed, days: i64, now: i64) -> Result<Taken> {
    let (channel, application) = (&offer.channel, &offer.application);
    if let Some(request_id) = offer.request_id
        && let Some(before) = store::by_request(tx, channel.id, request_id).await?
    {
        return Ok(told_before(before, None));
    }
    let product_id = product_of(tx, application, now).await?;
    let recipients = recipients_of(tx, application).await?;
    let payload_hash = application.hash();
    // So far back that whatever counts is among them.
    let last = store::last_of_phone(tx, &sealed.phone_hash, channel.test, now - REPEATED.max(days * DAY)).await?;
    if let Some(before) = last.as_ref().filter(|last| last.payload_hash == payload_hash && last.created_at > now - REPEATED) {
        return Ok(told_before(Earlier { no: before.no.clone(), payload_hash: String::new(), ..*before }, Some(UserCheck::Repeated)));
    }
    let checks = checks(app, tx, offer, sealed, last.as_ref(), days, now).await?;
    let (status, due_at) = match checks.failed {
        Some(check) => (check.ends_in(), None),
        None if channel.test => (UserStatus::Registered, None),
        None if offer.waits => (UserStatus::Completed, Some(now)),
        None => (UserStatus::Matching, Some(now + LEASE)),
    };
    let claimed = due_at.filter(|_| !offer.waits);
    let no = format!("U{}-{}", clock::day_compact(now), crypto::random_text(8).to_uppercase());
    let new = NewUser {
        no: &no,
        application,
        sealed,
        payload_hash: &payload_hash,
        channel_id: channel.id,
        product_id,
        request_id: offer.request_id,
        system: System::of(application.form.user_agent.as_deref().unwrap_or_default()),
        test: channel.test,
        status,
        reason: checks.failed.map(<&str>::from),
        checks: &checks.made,
        due_at,
        channel_cost_cents: if due_at.is_some() { channel.registered_cents } else { 0 },
        entered_by: offer.entered_by,
        at: now,
    };
    let id = store::insert(tx, &new).await?;
    if let Some(consent) = &application.form.consent {
        store::agree(tx, id, sealed, application, consent, &recipients, now).await?;
    }
    Ok(Taken { id, no, status, failed: checks.failed, checks: checks.made, claimed, added: true })
}

fn told_before(before: Earlier, failed: Option<UserCheck>) -> Taken {
    let status = if failed.is_some() { UserStatus::Duplicate } else { before.status };
    Taken { id: before.id, no: before.no, status, failed, checks: Vec::new(), claimed: None, added: false }
}

/// The checks up to the first that fails.
async fn checks(
    app: &App,
    tx: &mut Connection,
    offer: &Offer<'_>,
    sealed: &Sealed,
    last: Option<&Earlier>,
    days: i64,
    now: i64,
) -> Result<Checks> {
    use CheckOutcome::{Pass, Skip};
    let (channel, application) = (&offer.channel, &offer.application);
    let mut checks = Checks::default();
    let by = match offer.entered_by {
        Some(_) => say("员工录入", "Entered by staff"),
        None => say("签名有效", "Signed"),
    };
    checks.note(UserCheck::Authentication, Pass, Some(by));
    let (chinese, english) = (channel.status.label(Chinese), channel.status.label(English));
    let closed =
        (channel.status != ChannelStatus::Enabled).then(|| say(format!("渠道当前为“{chinese}”"), format!("The channel is {english}")));
    if !checks.that(UserCheck::Status, closed) {
        return Ok(checks);
    }
    checks.note(UserCheck::Repeated, Pass, None);
    checks.note(UserCheck::Fields, Pass, None);
    let silent = application.form.consent.is_none().then(|| say("没有授权记录", "He has not agreed to anything"));
    if !checks.that(UserCheck::Consent, silent) {
        return Ok(checks);
    }
    if !checks.that(UserCheck::Blacklist, blocked(app, tx, offer, sealed, now).await?) {
        return Ok(checks);
    }
    match &channel.filters {
        None => checks.note(UserCheck::Filters, Skip, Some(say("没有过滤条件", "There are no filters"))),
        Some(filters) => {
            let miss = filters.evaluate(&application.facts).err().map(|miss| miss.reason());
            if !checks.that(UserCheck::Filters, miss) {
                return Ok(checks);
            }
        }
    }
    if channel.test {
        checks.note(UserCheck::Dedup, Skip, Some(say("测试线索不参与去重", "A test lead is compared with no other")));
        checks.note(UserCheck::Caps, Skip, Some(say("测试线索不占用量控", "A test lead takes no room")));
        return Ok(checks);
    }
    // Before the caps: one who came before takes no room.
    match last.filter(|last| days > 0 && last.created_at > now - days * DAY) {
        Some(last) => {
            let note = say(format!("{days} 天内已来过：{}", last.no), format!("Came within {days} days: {}", last.no));
            checks.that(UserCheck::Dedup, Some(note));
            return Ok(checks);
        }
        None if days == 0 => checks.note(UserCheck::Dedup, Skip, Some(say("不去重", "Not compared"))),
        None => checks.note(UserCheck::Dedup, Pass, None),
    }
    let caps = cap::store::of(&mut *tx, channel.subject()).await?;
    if caps.is_empty() {
        checks.note(UserCheck::Caps, Skip, Some(say("没有量控", "There are no caps")));
    } else {
        let full = match cap::store::take(tx, &caps, 1, channel.registered_cents, now).await? {
            Taking::Taken => None,
            Taking::Full(cap) => {
                let words = |locale| cap::sentence(std::slice::from_ref(&cap.rule), locale);
                Some(say(format!("已达上限：{}", words(Chinese)), format!("Full: {}", words(English))))
            }
        };
        checks.that(UserCheck::Caps, full);
    }
    Ok(checks)
}

/// Why the blacklist keeps him out, if it does.
async fn blocked(app: &App, tx: &mut Connection, offer: &Offer<'_>, sealed: &Sealed, now: i64) -> Result<Option<Say>> {
    let ip_hash = blacklist::ip_hash(&app.keys, offer.application.form.ip.as_deref().unwrap_or_default());
    let suspect = Suspect {
        phone_hash: Some(&sealed.phone_hash),
        id_no_hash: sealed.id_no_hash.as_deref(),
        ip_hash: ip_hash.as_deref(),
        device_hash: None,
    };
    let hit = blacklist::hit(tx, &suspect, Some(offer.channel.id), None, now).await?;
    Ok(hit.map(|hit| {
        let (chinese, english) = (hit.kind.label(Chinese), hit.kind.label(English));
        say(format!("{chinese}在黑名单中（#{}）", hit.id), format!("{english} on the blacklist (#{})", hit.id))
    }))
}

/// The product that he chose.
async fn product_of(tx: &mut Connection, application: &Application, now: i64) -> Result<Option<i64>> {
    let Some(code) = &application.form.product else { return Ok(None) };
    let found = product::visited(tx, Named::Codes(std::slice::from_ref(code)), now).await?;
    found.first().map(|product| Some(product.id)).ok_or_else(|| form::wrong_product(code))
}

/// The organisations that his consent names.
async fn recipients_of(tx: &mut Connection, application: &Application) -> Result<Vec<i64>> {
    let Some(consent) = application.form.consent.as_ref().filter(|consent| !consent.recipients.is_empty()) else { return Ok(Vec::new()) };
    let found = org::store::by_codes(tx, &consent.recipients).await?;
    match consent.recipients.iter().find(|code| !found.contains_key(*code)) {
        None => Ok(found.into_values().collect()),
        Some(code) => {
            Err(ApiError::field("consent.recipients", say(format!("没有机构 {code}"), format!("There is no organisation {code}"))))
        }
    }
}
