//! Whether an application is accepted: it is checked against its channel, the blacklist and earlier applications, in
//! the order of `check`.

use super::check::{CheckOutcome, Checks, UserCheck};
use super::reputation::Reputation;
use super::store::Earlier;
use super::submission::PreparedSubmission;
use crate::blacklist;
use crate::channel::ChannelStatus;
use base::clock::DAY;
use base::db::Connection;
use base::locale::Locale::{Chinese, English};
use frame::api::{Say, say};
use frame::terms::cap::{self, StoredCap, Taking};

/// What the database holds for or against an applicant.
pub struct Known<'k> {
    /// The last accepted application with the same phone.
    pub last: Option<&'k Earlier>,
    /// The entry of the blacklist that names the applicant.
    pub blacklisted: Option<i64>,
    /// The known past of the person, if the filters of the channel use it.
    pub reputation: Reputation,
    /// The caps of the channel.
    pub caps: &'k [StoredCap],
}

/// The checks up to the first that fails. An applicant who passes all of them has taken room under the caps.
pub async fn checks(tx: &mut Connection, prepared: &PreparedSubmission, known: &Known<'_>, now: i64) -> Result<Checks, sqlx::Error> {
    use CheckOutcome::{Pass, Skip};
    let (channel, application) = (&prepared.submission.channel, &prepared.submission.application);
    let mut checks = Checks::default();
    let by = match prepared.submission.entered_by {
        Some(_) => say("员工录入", "Entered by staff"),
        None => say("签名有效", "Valid signature"),
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
    let silent = application.form.consent.is_none().then(|| say("没有授权记录", "No consent on record"));
    if !checks.that(UserCheck::Consent, silent) {
        return Ok(checks);
    }
    let blocked = match known.blacklisted {
        Some(entry) => Some(blocked_by(&blacklist::count_hit(tx, entry, now).await?)),
        None => None,
    };
    if !checks.that(UserCheck::Blacklist, blocked) {
        return Ok(checks);
    }
    match &channel.filters {
        None => checks.note(UserCheck::Filters, Skip, Some(say("没有过滤条件", "There are no filters"))),
        Some(filters) => {
            let facts = known.reputation.add_to(application.facts.clone());
            let miss = filters.evaluate(&facts).err().map(|miss| miss.reason());
            if !checks.that(UserCheck::Filters, miss) {
                return Ok(checks);
            }
        }
    }
    if channel.test {
        checks.note(UserCheck::Dedup, Skip, Some(say("测试线索不参与去重", "Test leads are not deduplicated")));
        checks.note(UserCheck::Caps, Skip, Some(say("测试线索不占用量控", "Test leads do not count towards caps")));
        return Ok(checks);
    }
    // Before the caps: an applicant who came before takes no room.
    let days = prepared.dedup_days;
    match known.last.filter(|last| days > 0 && last.created_at > now - days * DAY) {
        Some(last) => {
            let note = say(format!("{days} 天内已申请过：{}", last.no), format!("Already applied within {days} days: {}", last.no));
            checks.that(UserCheck::Dedup, Some(note));
            return Ok(checks);
        }
        None if days == 0 => checks.note(UserCheck::Dedup, Skip, Some(say("不去重", "No deduplication"))),
        None => checks.note(UserCheck::Dedup, Pass, None),
    }
    if known.caps.is_empty() {
        checks.note(UserCheck::Caps, Skip, Some(say("没有量控", "There are no caps")));
    } else {
        let full = match cap::counters::take(tx, known.caps, 1, channel.registered_cents, now).await? {
            Taking::Taken => None,
            Taking::Full(cap) => {
                let words = |locale| cap::sentence(std::slice::from_ref(&cap.rule), locale);
                Some(say(format!("已达上限：{}", words(Chinese)), format!("Cap reached: {}", words(English))))
            }
        };
        checks.that(UserCheck::Caps, full);
    }
    Ok(checks)
}

fn blocked_by(hit: &blacklist::Hit) -> Say {
    let (chinese, english) = (hit.kind.label(Chinese), hit.kind.label(English));
    say(format!("{chinese}在黑名单中（#{}）", hit.id), format!("{english} on the blacklist (#{})", hit.id))
}
