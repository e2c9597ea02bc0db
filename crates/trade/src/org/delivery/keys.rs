//! The keys of the delivery by API, as they are stored.

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use base::crypto::{Keys, place};
use base::db;
use frame::rotation;

/// A key as stored.
#[derive(Clone, Serialize, Deserialize)]
pub struct StoredKey {
    pub fingerprint: String,
    pub sealed: String,
    pub added_at: i64,
    pub valid_until: Option<i64>,
}

/// The keys in a row of settings that are valid at a moment.
pub fn valid(row: &AnyRow, now: i64) -> Result<Vec<StoredKey>, sqlx::Error> {
    let mut keys: Vec<StoredKey> = db::json(row, "keys_enc")?;
    keys.retain(|key| key.valid_until.is_none_or(|until| until > now));
    Ok(keys)
}

pub fn fingerprint(house: &Keys, key: &str) -> String {
    house.lookup_hash(key).chars().take(8).collect()
}

/// The new key in front, and the one before it for as long as it overlaps.
pub fn rotated(house: &Keys, org_id: i64, keys: Vec<StoredKey>, key: &str, overlap_hours: i64, now: i64) -> Vec<StoredKey> {
    let mut all = vec![StoredKey {
        fingerprint: fingerprint(house, key),
        sealed: house.seal(&place::ORGANISATION_API_KEYS.of(org_id), key),
        added_at: now,
        valid_until: None,
    }];
    let before = keys.into_iter().find(|key| key.valid_until.is_none());
    let valid_until = rotation::valid_until(now, overlap_hours);
    all.extend(before.filter(|_| valid_until.is_some()).map(|key| StoredKey { valid_until, ..key }));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::clock::HOUR;

    #[test]
    fn two_keys_are_valid_while_they_overlap() {
        let house = Keys::new(b"secret", &[7; 32]);
        let first = rotated(&house, 1, Vec::new(), "a", 24, 0);
        assert_eq!(first.len(), 1);
        let second = rotated(&house, 1, first, "b", 24, 1000);
        assert_eq!(second.iter().map(|key| key.valid_until).collect::<Vec<_>>(), [None, Some(1000 + 24 * HOUR)]);
        let open = |key: &StoredKey| house.open(&place::ORGANISATION_API_KEYS.of(1), &key.sealed).unwrap();
        assert_eq!(open(&second[1]), "a");
        let third = rotated(&house, 1, second, "c", 24, 2000);
        let opened: Vec<String> = third.iter().map(open).collect();
        assert_eq!(opened, ["c", "b"], "never more than two");
        assert_eq!(rotated(&house, 1, third, "d", 0, 3000).len(), 1, "without an overlap the old one ends at once");
    }
}
