//! The demo's blacklist: entries of every kind, scope and source, most of them active, some lifted or expired, and
//! some with hits. Applicants share none of their values but one device.

use super::actor;
use super::people::Account;
use super::random::Random;
use base::clock::{DAY, HOUR};
use base::crypto::{self, Keys};
use base::db::Connection;
use frame::access::Scope;
use frame::access::audit::{self, Action, Stamp};
use frame::api::Versioned;
use trade::blacklist::model::{BlacklistKind, BlacklistRow, BlacklistScope, BlacklistSource, BlacklistStatus};
use trade::blacklist::store::{self, NewEntry};

const ENTRIES: i64 = 60;
const KINDS: &[BlacklistKind] =
    &[BlacklistKind::Phone, BlacklistKind::Phone, BlacklistKind::IdNo, BlacklistKind::Phone, BlacklistKind::Ip, BlacklistKind::Device];
/// Sources with their reasons.
const REASONS: &[(BlacklistSource, &str)] = &[
    (BlacklistSource::Complaint, "投诉被多次联系"),
    (BlacklistSource::OptOut, "本人退订"),
    (BlacklistSource::Risk, "多头借贷，疑似中介代办"),
    (BlacklistSource::Manual, "资料与本人不符"),
    (BlacklistSource::Import, "同业共享名单"),
    (BlacklistSource::Risk, "同一设备频繁申请"),
    (BlacklistSource::Complaint, "监管转办投诉"),
];

/// Adds the entries, each with its history.
pub async fn insert(tx: &mut Connection, keys: &Keys, accounts: &[Account], random: &mut Random, now: i64) -> Result<(), sqlx::Error> {
    let operator = accounts.iter().find(|account| account.role == "operator").expect("the demo has every role");
    let channels: Vec<i64> = sqlx::query_scalar("SELECT id FROM channel ORDER BY id LIMIT 8").fetch_all(&mut *tx).await?;
    let orgs: Vec<i64> = sqlx::query_scalar("SELECT id FROM organisation ORDER BY id LIMIT 8").fetch_all(&mut *tx).await?;
    for index in 0..ENTRIES {
        let kind = KINDS[index as usize % KINDS.len()];
        let value = value(kind, index);
        let (source, reason) = REASONS[index as usize % REASONS.len()];
        let at = now - (ENTRIES - index) * 3 * DAY - random.below(20) * HOUR;
        let (scope, scope_id) = match index % 9 {
            4 if !channels.is_empty() => (BlacklistScope::Channel, *random.pick(&channels)),
            7 if !orgs.is_empty() => (BlacklistScope::Organisation, *random.pick(&orgs)),
            _ => (BlacklistScope::Global, 0),
        };
        // Some for a while: the first of them are over.
        let expires_at = (index % 5 == 3).then(|| at + 90 * DAY);
        let value_hash = keys.lookup_hash(&value);
        let entry = NewEntry { kind, value, value_hash, scope, scope_id, source, reason: reason.to_owned(), expires_at };
        let id = one(tx, keys, entry, operator, at).await?;
        if random.percent(45) {
            let last = at + random.below(now - at);
            sqlx::query("UPDATE blacklist_entry SET hit_count = $1, last_hit_at = $2 WHERE id = $3")
                .bind(random.between(1, 30))
                .bind(last)
                .bind(id)
                .execute(&mut *tx)
                .await?;
        }
        if index % 10 == 6 {
            lift(tx, id, operator, (at + 2 * DAY).min(now)).await?;
        }
    }
    Ok(())
}

/// A value in a range that is not in use.
fn value(kind: BlacklistKind, index: i64) -> String {
    match kind {
        BlacklistKind::Phone => format!("1000007{index:04}"),
        // No region has the number 990000.
        BlacklistKind::IdNo => {
            let digits = format!("99000019{:02}0101{:03}", 60 + index % 40, index + 1);
            let whole = |check: char| format!("{digits}{check}");
            "0123456789X".chars().map(whole).find(|number| crypto::is_id_no(number)).expect("one check digit is right")
        }
        // Addresses for documents (RFC 5737, RFC 3849).
        BlacklistKind::Ip if index % 4 == 0 => format!("2001:db8::{:x}", index + 1),
        BlacklistKind::Ip => format!("203.0.113.{}", index + 1),
        BlacklistKind::Device => device(index),
    }
}

/// The device that an entry of this place names.
pub(super) fn device(index: i64) -> String {
    crypto::md5_hex(&format!("demo device {index}"))
}

async fn one(tx: &mut Connection, keys: &Keys, entry: NewEntry, by: &Account, at: i64) -> Result<i64, sqlx::Error> {
    let imported = entry.source == BlacklistSource::Import;
    let ids = store::insert(tx, keys, &[entry], Stamp { admin_id: by.id, at }).await?;
    let id = *ids.first().expect("each value is there once");
    // An import has one audit row for all.
    if !imported {
        let row = store::find(&mut *tx, Scope::All, id).await?.expect("it was just added");
        audit::record(
            tx,
            &actor(by.id, by.role_id, at),
            BlacklistRow::TARGET.of(id),
            Action::Create,
            &BlacklistRow::diff(None, Some(&row)),
        )
        .await?;
    }
    Ok(id)
}

async fn lift(tx: &mut Connection, id: i64, by: &Account, at: i64) -> Result<(), sqlx::Error> {
    let before = store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
    let stamp = Stamp { admin_id: by.id, at };
    store::set_status(tx, id, before.version, BlacklistStatus::Lifted, Some("核实为误报".to_owned()), stamp).await?;
    let after = store::find(&mut *tx, Scope::All, id).await?.expect("it is there");
    audit::record(
        tx,
        &actor(by.id, by.role_id, at),
        BlacklistRow::TARGET.of(id),
        Action::Update,
        &BlacklistRow::diff(Some(&before), Some(&after)),
    )
    .await
}
