//! Checks of a person against the blacklist, by intake and pushes within their transactions.

use std::collections::HashMap;

use sqlx::Row;

use super::model::{BlacklistKind, BlacklistScope, BlacklistSource};
use base::crypto::Keys;
use base::db::{self, Connection, Db, Sql};

/// The known hashes of a person: `Keys::lookup_hash` of [`BlacklistKind::canonical`] values.
#[derive(Clone, Copy, Debug, Default)]
pub struct Suspect<'s> {
    pub phone_hash: Option<&'s str>,
    pub id_no_hash: Option<&'s str>,
    pub ip_hash: Option<&'s str>,
    pub device_hash: Option<&'s str>,
}

/// The entry that blocks a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    pub id: i64,
    pub kind: BlacklistKind,
    pub reason: String,
}

impl<'s> Suspect<'s> {
    /// The known hashes, with their kinds.
    fn known(&self) -> Vec<(BlacklistKind, &'s str)> {
        let Suspect { phone_hash, id_no_hash, ip_hash, device_hash } = *self;
        let all = [
            (BlacklistKind::Phone, phone_hash),
            (BlacklistKind::IdNo, id_no_hash),
            (BlacklistKind::Ip, ip_hash),
            (BlacklistKind::Device, device_hash),
        ];
        all.into_iter().filter_map(|(kind, hash)| Some((kind, hash?))).collect()
    }
}

/// The hash of an address in any form; none for a text that is not an address.
pub fn ip_hash(keys: &Keys, address: &str) -> Option<String> {
    BlacklistKind::Ip.canonical(address).map(|address| keys.lookup_hash(&address))
}

/// An active entry that names a person, in any scope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Naming {
    pub id: i64,
    pub kind: BlacklistKind,
    pub scope: BlacklistScope,
    pub scope_id: i64,
    pub source: BlacklistSource,
    pub created_at: i64,
}

/// The most entries that [`naming`] returns.
const MOST_NAMING: i64 = 20;

/// The active entries that name a person, in any scope, the latest first. This is no hit: nothing is counted.
pub async fn naming(on: &Db, suspect: &Suspect<'_>, now: i64) -> Result<Vec<Naming>, sqlx::Error> {
    let known = suspect.known();
    if known.is_empty() {
        return Ok(Vec::new());
    }
    let rows = naming_statement(&known, now).fetch_all(on.read()).await?;
    rows.iter()
        .map(|row| {
            Ok(Naming {
                id: row.try_get("id")?,
                kind: db::code(row, "kind")?,
                scope: db::code(row, "scope")?,
                scope_id: row.try_get("scope_id")?,
                source: db::code(row, "source")?,
                created_at: row.try_get("created_at")?,
            })
        })
        .collect()
}

fn naming_statement(known: &[(BlacklistKind, &str)], now: i64) -> Sql {
    let mut sql = Sql::new(
        "SELECT id, kind, scope, scope_id, source, created_at FROM blacklist_entry WHERE status <> 'lifted' AND deleted_at IS NULL",
    );
    sql.push(" AND (expires_at IS NULL OR expires_at > ").bind(now).push(") AND (value_hash, kind) IN (VALUES ");
    let mut comma = "(";
    for (kind, hash) in known {
        sql.push(comma).bind((*hash).to_owned()).push(", ").bind(*kind).push(")");
        comma = ", (";
    }
    sql.push(") ORDER BY created_at DESC, id DESC LIMIT ").bind(MOST_NAMING);
    sql
}

/// The scope of a check: the channel of the person, or the organisation that would buy the lead.
pub type Asker = (BlacklistScope, i64);

/// A check of one person: its position among the checks, a kind and hash, and the scope.
type Asked = (i64, BlacklistKind, String, Asker);

/// The first active entry that blocks each person, everywhere or in the scope of the check: by position, with its id.
/// Hits are not counted before [`count`] is called.
pub async fn hits(tx: &mut Connection, suspects: &[(Suspect<'_>, Asker)], now: i64) -> Result<HashMap<usize, i64>, sqlx::Error> {
    let known = |(place, (suspect, asker)): (usize, &(Suspect<'_>, Asker))| {
        suspect.known().into_iter().map(|(kind, hash)| (place as i64, kind, hash.to_owned(), *asker)).collect::<Vec<_>>()
    };
    let asked: Vec<Asked> = suspects.iter().enumerate().flat_map(known).collect();
    let mut found = HashMap::new();
    for some in db::padded(&asked) {
        for row in statement(some, now).fetch_all(&mut *tx).await? {
            let (place, id): (i64, i64) = (row.try_get("place")?, row.try_get("id")?);
            let first = found.entry(usize::try_from(place).unwrap_or_default()).or_insert(id);
            *first = id.min(*first);
        }
    }
    Ok(found)
}

fn statement<'a>(asked: impl Iterator<Item = &'a Asked>, now: i64) -> Sql {
    let mut sql = Sql::new("SELECT v.column1 AS place, MIN(b.id) AS id FROM (VALUES ");
    let mut comma = "(";
    for (place, kind, hash, (scope, scope_id)) in asked {
        sql.push(comma).bind(*place).push(", ").bind(*kind).push(", ").bind(hash.clone());
        sql.push(", ").bind(*scope).push(", ").bind(*scope_id).push(")");
        comma = ", (";
    }
    // A cross join, so that SQLite walks the short list and looks each one up.
    sql.push(
        ") AS v CROSS JOIN blacklist_entry b WHERE b.value_hash = v.column3 AND b.kind = v.column2 AND b.status <> 'lifted' \
         AND b.deleted_at IS NULL AND (b.scope = 'global' OR (b.scope = v.column4 AND b.scope_id = v.column5)) \
         AND (b.expires_at IS NULL OR b.expires_at > ",
    );
    sql.bind(now).push(") GROUP BY v.column1");
    sql
}

/// Counts a hit of an entry. Returns the entry.
pub async fn count(tx: &mut Connection, id: i64, now: i64) -> Result<Hit, sqlx::Error> {
    let row =
        sqlx::query("UPDATE blacklist_entry SET hit_count = hit_count + 1, last_hit_at = $1 WHERE id = $2 RETURNING id, kind, reason")
            .bind(now)
            .bind(id)
            .fetch_one(tx)
            .await?;
    Ok(Hit { id: row.try_get("id")?, kind: db::code(&row, "kind")?, reason: row.try_get("reason")? })
}

/// Finds the first active entry that blocks a person, everywhere or in the scope of the check, and counts the hit.
pub async fn hit(tx: &mut Connection, suspect: &Suspect<'_>, asker: Asker, now: i64) -> Result<Option<Hit>, sqlx::Error> {
    match hits(tx, &[(*suspect, asker)], now).await?.remove(&0) {
        Some(id) => count(tx, id, now).await.map(Some),
        None => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::super::model::BlacklistStatus;
    use super::super::store::{self, NewEntry};
    use super::*;
    use base::crypto::Keys;
    use base::db::plans::Plans;
    use frame::access::Scope;
    use frame::access::audit::Stamp;

    const PHONE: &str = "10000070001";
    const STAMP: Stamp = Stamp { admin_id: 1, at: 1000 };

    fn channel(id: i64) -> Asker {
        (BlacklistScope::Channel, id)
    }

    fn organisation(id: i64) -> Asker {
        (BlacklistScope::Organisation, id)
    }

    struct Bench {
        plans: Plans,
        keys: Keys,
    }

    impl Bench {
        async fn open() -> Bench {
            Bench { plans: Plans::open().await, keys: Keys::new(b"s", &[1; 32]) }
        }

        async fn enter(&self, kind: BlacklistKind, value: &str, scope: (BlacklistScope, i64), expires_at: Option<i64>) -> i64 {
            let entry = NewEntry {
                kind,
                value: value.to_owned(),
                value_hash: self.keys.lookup_hash(value),
                scope: scope.0,
                scope_id: scope.1,
                source: BlacklistSource::Manual,
                reason: "投诉".to_owned(),
                expires_at,
            };
            let mut tx = self.plans.db.begin().await.unwrap();
            let ids = store::insert(&mut tx, &self.keys, &[entry], STAMP).await.unwrap();
            tx.commit().await.unwrap();
            ids[0]
        }

        async fn phone(&self, value: &str, asker: Asker, now: i64) -> Option<i64> {
            let hash = self.keys.lookup_hash(value);
            let suspect = Suspect { phone_hash: Some(&hash), ..Suspect::default() };
            let mut tx = self.plans.db.begin().await.unwrap();
            let found = hit(&mut tx, &suspect, asker, now).await.unwrap();
            tx.commit().await.unwrap();
            found.map(|hit| hit.id)
        }
    }

    #[tokio::test]
    async fn an_entry_holds_where_it_says_and_until_it_expires() {
        let bench = Bench::open().await;
        let in_channel = bench.enter(BlacklistKind::Phone, PHONE, (BlacklistScope::Channel, 7), None).await;
        let for_org = bench.enter(BlacklistKind::Phone, PHONE, (BlacklistScope::Organisation, 7), None).await;
        assert_eq!(bench.phone(PHONE, channel(8), 2000).await, None);
        assert_eq!(bench.phone(PHONE, organisation(8), 2000).await, None);
        assert_eq!(bench.phone(PHONE, channel(7), 2000).await, Some(in_channel));
        assert_eq!(bench.phone(PHONE, organisation(7), 2000).await, Some(for_org));
        assert_eq!(bench.phone("10000070002", channel(7), 2000).await, None);

        let everywhere = bench.enter(BlacklistKind::Phone, "10000070003", (BlacklistScope::Global, 0), Some(5000)).await;
        assert_eq!(bench.phone("10000070003", channel(1), 4999).await, Some(everywhere));
        assert_eq!(bench.phone("10000070003", organisation(1), 5000).await, None);
    }

    #[tokio::test]
    async fn each_hit_is_counted_and_what_is_lifted_or_deleted_is_none() {
        let bench = Bench::open().await;
        let id = bench.enter(BlacklistKind::Phone, PHONE, (BlacklistScope::Global, 0), None).await;
        for now in [2000, 3000] {
            assert_eq!(bench.phone(PHONE, channel(1), now).await, Some(id));
        }
        let db = &bench.plans.db;
        let row = store::find(db.read(), Scope::All, id).await.unwrap().unwrap();
        assert_eq!((row.hit_count, row.last_hit_at, row.version), (2, Some(3000), 1));
        let mut tx = db.begin().await.unwrap();
        assert!(store::set_status(&mut tx, id, 1, BlacklistStatus::Lifted, Some("误报".to_owned()), STAMP).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(bench.phone(PHONE, channel(1), 4000).await, None);
        let again = bench.enter(BlacklistKind::Phone, PHONE, (BlacklistScope::Global, 0), None).await;
        let mut tx = db.begin().await.unwrap();
        assert!(store::delete(&mut tx, again, STAMP).await.unwrap());
        tx.commit().await.unwrap();
        assert_eq!(bench.phone(PHONE, channel(1), 4000).await, None);
    }

    #[tokio::test]
    async fn whoever_is_named_is_told_and_no_hit_is_counted() {
        let bench = Bench::open().await;
        let for_org = bench.enter(BlacklistKind::Phone, PHONE, (BlacklistScope::Organisation, 7), None).await;
        bench.enter(BlacklistKind::Phone, PHONE, (BlacklistScope::Channel, 7), Some(3000)).await;
        bench.enter(BlacklistKind::Phone, "10000070002", (BlacklistScope::Global, 0), None).await;
        let hash = bench.keys.lookup_hash(PHONE);
        let suspect = Suspect { phone_hash: Some(&hash), id_no_hash: Some(&hash), ..Suspect::default() };
        let named = naming(&bench.plans.db, &suspect, 4000).await.unwrap();
        assert_eq!(named.iter().map(|one| (one.id, one.scope_id)).collect::<Vec<_>>(), [(for_org, 7)]);
        let row = store::find(bench.plans.db.read(), Scope::All, for_org).await.unwrap().unwrap();
        assert_eq!(row.hit_count, 0);
        let plan = bench.plans.of(naming_statement(&suspect.known(), 1)).await;
        assert!(plan.contains("USING INDEX blacklist_entry_active (value_hash=? AND kind=?)"), "{plan}");
    }

    #[tokio::test]
    async fn any_of_what_is_known_hits_by_its_own_kind() {
        let bench = Bench::open().await;
        let device = bench.enter(BlacklistKind::Device, "203.0.113.9", (BlacklistScope::Global, 0), None).await;
        let hash = bench.keys.lookup_hash("203.0.113.9");
        let mut tx = bench.plans.db.begin().await.unwrap();
        let by_ip = Suspect { ip_hash: Some(&hash), phone_hash: Some("x"), id_no_hash: Some("y"), device_hash: None };
        assert_eq!(hit(&mut tx, &by_ip, channel(1), 2000).await.unwrap(), None);
        let by_device = Suspect { device_hash: Some(&hash), ..by_ip };
        let found = hit(&mut tx, &by_device, channel(1), 2000).await.unwrap();
        assert_eq!(found, Some(Hit { id: device, kind: BlacklistKind::Device, reason: "投诉".to_owned() }));
        assert_eq!(hit(&mut tx, &Suspect::default(), channel(1), 2000).await.unwrap(), None);
    }

    #[tokio::test]
    async fn several_persons_are_checked_at_once_each_in_their_channel() {
        let bench = Bench::open().await;
        let in_channel = bench.enter(BlacklistKind::Phone, PHONE, (BlacklistScope::Channel, 7), Some(5000)).await;
        bench.enter(BlacklistKind::Phone, PHONE, (BlacklistScope::Organisation, 7), None).await;
        let everywhere = bench.enter(BlacklistKind::Ip, "203.0.113.9", (BlacklistScope::Global, 0), None).await;
        let (phone, address) = (bench.keys.lookup_hash(PHONE), bench.keys.lookup_hash("203.0.113.9"));
        let by_phone = Suspect { phone_hash: Some(&phone), ..Suspect::default() };
        let both = Suspect { ip_hash: Some(&address), ..by_phone };
        let wrong_kind = Suspect { device_hash: Some(&address), ..Suspect::default() };
        let of = |suspect, id| (suspect, channel(id));
        let asked = [of(by_phone, 7), of(by_phone, 8), of(both, 7), of(both, 8), of(wrong_kind, 7), of(Suspect::default(), 7)];
        let mut tx = bench.plans.db.begin().await.unwrap();
        let found = hits(&mut tx, &asked, 4999).await.unwrap();
        assert_eq!(found, HashMap::from([(0, in_channel), (2, in_channel), (3, everywhere)]));
        assert_eq!(hits(&mut tx, &asked, 5000).await.unwrap(), HashMap::from([(2, everywhere), (3, everywhere)]));
        assert_eq!(hits(&mut tx, &[], 5000).await.unwrap(), HashMap::new());
        let hit = count(&mut tx, everywhere, 6000).await.unwrap();
        assert_eq!((hit.id, hit.kind), (everywhere, BlacklistKind::Ip));
        tx.commit().await.unwrap();
        let row = store::find(bench.plans.db.read(), Scope::All, everywhere).await.unwrap().unwrap();
        assert_eq!((row.hit_count, row.last_hit_at), (1, Some(6000)));
        let plan = bench.plans.of(statement([(0, BlacklistKind::Phone, phone.clone(), channel(7))].iter(), 1)).await;
        assert!(plan.contains("SEARCH b USING INDEX blacklist_entry_active (value_hash=? AND kind=?)"), "{plan}");
    }
}
