//! Our own data on an applicant: the figures for the rules. Each is counted from events here; unknown ones are left
//! out.

use std::collections::HashSet;
use std::hash::Hash;

use serde_json::{Map, Value};

use crate::blacklist::{self, BlacklistKind, BlacklistScope, Naming, Suspect};
use crate::match_log;
use crate::plan::push::eligibility;
use crate::user::UserStatus;
use crate::user::past::{self, Application, Phones, Subject};
use base::clock::DAY;
use frame::api::App;

/// The known figures of an applicant.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// By the names of an applicant's fields.
    pub said: Map<String, Value>,
    pub has_id_no: bool,
    pub has_consent: bool,
    pub blacklist: Vec<Listed>,
    pub past: Past,
    /// Organisations that accepted leads of the same phone within 180 days, and within 30.
    pub takers: i64,
    pub takers_month: i64,
    /// Organisations that answered that they know the person already.
    pub known_to: i64,
    pub phones: Phones,
    /// Whether the address of the application is known.
    pub has_address: bool,
    /// Whether the device is known.
    pub has_device: bool,
}

/// An entry of the blacklist that names the applicant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listed {
    pub kind: BlacklistKind,
    pub scope: BlacklistScope,
    /// It applies to the application: everywhere, or in its channel.
    pub holds: bool,
    pub created_at: i64,
}

/// Counts of applications of the last 180 days, including this one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Past {
    pub applied: i64,
    pub applied_week: i64,
    pub applied_month: i64,
    /// Channels of applications within 30 days.
    pub channels_month: i64,
    /// Identity numbers, names and cities that came with the same phone.
    pub id_nos: i64,
    pub names: i64,
    pub cities: i64,
    /// Applicants that no organisation could reach.
    pub unreachable: i64,
    /// Applications refused by the blacklist.
    pub blocked: i64,
    /// Ids of the applicant's own, for which organisations were asked.
    pub ids: Vec<i64>,
}

impl Past {
    /// Counts applications.
    pub fn of(applications: &[Application], now: i64) -> Past {
        let within = |days: i64| applications.iter().filter(move |one| one.created_at > now - days * DAY);
        Past {
            applied: count(applications.len()),
            applied_week: count(within(7).count()),
            applied_month: count(within(30).count()),
            channels_month: different(within(30).map(|one| one.channel_id)),
            id_nos: different(applications.iter().filter_map(|one| one.id_no_hash.as_ref())),
            names: different(applications.iter().filter_map(|one| one.name_mask.as_ref())),
            cities: different(applications.iter().map(|one| &one.city).filter(|city| !city.is_empty())),
            unreachable: count(applications.iter().filter(|one| one.star == Some(0)).count()),
            blocked: count(applications.iter().filter(|one| one.status == UserStatus::Blocked).count()),
            ids: applications.iter().map(|one| one.id).collect(),
        }
    }
}

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn different<T: Hash + Eq>(all: impl Iterator<Item = T>) -> i64 {
    count(all.collect::<HashSet<_>>().len())
}

/// Gathers all of it.
pub async fn gather(app: &App, subject: &Subject, now: i64) -> Result<Evidence, sqlx::Error> {
    let db = &app.db;
    let past = Past::of(&past::applications(db, subject, now).await?, now);
    let ip_hash = subject.came_from.as_ref().and_then(|from| from.ip_hash.clone());
    let suspect = Suspect {
        phone_hash: Some(&subject.phone_hash),
        id_no_hash: subject.id_no_hash.as_deref(),
        ip_hash: ip_hash.as_deref(),
        device_hash: subject.device_hash.as_deref(),
    };
    let listed = |entry: Naming| Listed {
        kind: entry.kind,
        scope: entry.scope,
        holds: match entry.scope {
            BlacklistScope::Global => true,
            BlacklistScope::Channel => entry.scope_id == subject.channel_id,
            BlacklistScope::Organisation => false,
        },
        created_at: entry.created_at,
    };
    let (takers, takers_month) = eligibility::takers(db.read(), &subject.phone_hash, now - 180 * DAY, now - 30 * DAY).await?;
    Ok(Evidence {
        said: subject.said.clone(),
        has_id_no: subject.id_no_hash.is_some(),
        has_consent: subject.consent_id.is_some(),
        blacklist: blacklist::naming(db, &suspect, now).await?.into_iter().map(listed).collect(),
        takers,
        takers_month,
        known_to: match_log::known_to(db, past.ids.iter().copied()).await?,
        phones: past::phones(db, subject, now).await?,
        has_address: subject.came_from.is_some(),
        has_device: subject.device_hash.is_some(),
        past,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn applications_are_counted_by_their_age() {
        let now = 1000 * DAY;
        let came = |days: i64, channel_id: i64, city: &str, star: Option<i64>| Application {
            id: days,
            channel_id,
            id_no_hash: (days < 50).then(|| "x".to_owned()),
            name_mask: Some(if days < 10 { "张*" } else { "李*" }.to_owned()),
            city: city.to_owned(),
            star,
            status: if days == 100 { UserStatus::Blocked } else { UserStatus::Unmatched },
            created_at: now - days * DAY,
        };
        let all = [came(0, 1, "上海市", None), came(6, 2, "", Some(0)), came(29, 1, "杭州市", Some(3)), came(100, 4, "上海市", Some(0))];
        let past = Past::of(&all, now);
        assert_eq!((past.applied, past.applied_week, past.applied_month, past.channels_month), (4, 2, 3, 2));
        assert_eq!((past.id_nos, past.names, past.cities, past.unreachable, past.blocked), (1, 2, 2, 2, 1));
        assert_eq!(past.ids, [0, 6, 29, 100]);
        assert_eq!(Past::of(&[], now), Past::default());
    }
}
