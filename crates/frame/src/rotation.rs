//! Rotation of a key or a secret without a gap: the previous one stays valid beside its successor for a while.

use sqlx::Row;
use sqlx::any::AnyRow;

use crate::access::audit::Change;
use base::clock::HOUR;
use base::crypto::{Keys, Place, WrongKey};
use base::form_limits;

form_limits! {
    /// Of a change of a key or a secret.
    rotation {
        /// Hours for which the one before stays valid, at most.
        pub LONGEST_OVERLAP: i64 = 720,
    }
}

/// Until when the previous one is valid, epoch milliseconds; none if it ends at once.
pub fn valid_until(now: i64, overlap_hours: i64) -> Option<i64> {
    (overlap_hours > 0).then(|| now + overlap_hours * HOUR)
}

/// The audit changes of a new secret: only that it changed, and until when the previous one is valid. `place` is the
/// prefix of the field names.
pub fn diff(place: &str, had_one: bool, before: Option<i64>, after: Option<i64>) -> Vec<Change> {
    let hidden = || "***".to_owned();
    let mut changes = vec![Change { field: format!("{place}appSecret"), before: had_one.then(hidden), after: Some(hidden()) }];
    if before != after {
        let text = |until: Option<i64>| until.map(|until| until.to_string());
        changes.push(Change { field: format!("{place}oldSecretUntil"), before: text(before), after: text(after) });
    }
    changes
}

/// The sealed secrets that are valid at a moment.
pub struct Secrets {
    place: Place,
    sealed: Vec<String>,
}

impl Secrets {
    /// Reads the columns `app_secret_enc`, `old_secret_enc` and `old_secret_until`. Both secrets are sealed
    /// for the place of the one in use.
    pub fn read(row: &AnyRow, place: Place, now: i64) -> Result<Secrets, sqlx::Error> {
        let mut sealed = vec![row.try_get("app_secret_enc")?];
        if row.try_get::<Option<i64>, _>("old_secret_until")?.is_some_and(|until| until > now) {
            sealed.extend(row.try_get::<Option<String>, _>("old_secret_enc")?);
        }
        Ok(Secrets { place, sealed })
    }

    /// The opened secrets; all of them are valid.
    pub fn open(&self, keys: &Keys) -> Result<Vec<String>, WrongKey> {
        self.sealed.iter().map(|sealed| keys.open(&self.place, sealed)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hours_are_no_overlap() {
        assert_eq!(valid_until(5, 0), None);
        assert_eq!(valid_until(5, 24), Some(5 + 24 * HOUR));
    }
}
