//! The rules of passwords by the settings, and the former passwords of an account.

use sqlx::Row;

use super::common;
use crate::setting::{self, Values};
use base::db::{Connection, Db};
use base::password_hashing::Place;

/// The most characters of a password.
pub const LONGEST: usize = 128;
/// Former passwords that are kept for the comparison; no setting needs more.
const KEPT: i64 = 9;

/// The rules for new passwords.
#[derive(Clone, Debug)]
pub struct Policy {
    /// The fewest characters.
    pub shortest: usize,
    /// Words that no password may contain, in either case.
    pub words: Vec<String>,
    /// How many of the latest passwords, including the present one, may not be used again.
    pub history: i64,
}

impl Policy {
    /// The rules by the settings.
    pub fn of(values: &Values) -> Policy {
        Policy {
            shortest: usize::try_from(values.get(&setting::SECURITY_PASSWORD_MIN_LENGTH)).unwrap_or(LONGEST),
            words: values.get(&setting::SECURITY_PASSWORD_WORDS),
            history: values.get(&setting::SECURITY_PASSWORD_HISTORY),
        }
    }

    /// Whether a new password is good enough: long enough, none of the commonest, not the user name, and without
    /// forbidden words. There are no rules on kinds of characters.
    pub fn accepts(&self, password: &str, username: &str) -> bool {
        let lower = password.to_lowercase();
        (self.shortest..=LONGEST).contains(&password.chars().count())
            && !common::is_common(password)
            && !password.eq_ignore_ascii_case(username)
            && !self.words.iter().any(|word| lower.contains(&word.to_lowercase()))
    }

    /// Whether an account has had this password recently, so that it may not be used again. Each of the (at most ten)
    /// hashes takes as long as a sign-in: call it before a transaction, never within one.
    pub async fn is_worn(&self, db: &Db, place: &Place, admin_id: i64, password: &str) -> Result<bool, sqlx::Error> {
        let mut hashes: Vec<String> =
            sqlx::query_scalar("SELECT password_hash FROM administrator WHERE id = $1").bind(admin_id).fetch_all(db.read()).await?;
        let former = sqlx::query("SELECT password_hash FROM password_history WHERE admin_id = $1 ORDER BY id DESC LIMIT $2")
            .bind(admin_id)
            .bind(self.history - 1)
            .fetch_all(db.read())
            .await?;
        for row in former {
            hashes.push(row.try_get("password_hash")?);
        }
        for hash in hashes {
            if place.verify(password, Some(hash)).await {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Adds an account's present password to its former ones, before it is replaced.
pub(super) async fn remember(tx: &mut Connection, admin_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO password_history (admin_id, password_hash, replaced_at) SELECT id, password_hash, $1 FROM administrator WHERE id = $2",
    )
    .bind(now)
    .bind(admin_id)
    .execute(&mut *tx)
    .await?;
    sqlx::query(
        "DELETE FROM password_history WHERE admin_id = $1 AND id NOT IN \
         (SELECT id FROM password_history WHERE admin_id = $1 ORDER BY id DESC LIMIT $2)",
    )
    .bind(admin_id)
    .bind(KEPT)
    .execute(tx)
    .await
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_plain_and_familiar_passwords_are_refused() {
        let policy = Policy::of(&Values::default());
        for bad in ["", "a1", "12345678", "abcdefgh", "Abcdefg1", "North.Sales1", &"a1".repeat(65)] {
            assert!(!policy.accepts(bad, "north.sales1"), "{bad}");
        }
        for good in ["Blue-Kettle-7", "blue kettle on the stove"] {
            assert!(policy.accepts(good, "north.sales1"), "{good}");
        }
    }

    #[test]
    fn a_stricter_policy_refuses_more() {
        let policy = Policy { shortest: 13, words: vec!["Kettle".to_owned()], ..Policy::of(&Values::default()) };
        assert!(!policy.accepts("Blue-Kettle-7", "x"), "a word");
        assert!(!policy.accepts("BLUE-KETTLE-7", "x"), "in either case");
        assert!(!policy.accepts("Blue-Teapot7", "x"), "12 characters");
        assert!(policy.accepts("Blue-Teapot-7", "x"));
    }
}
