//! Which entry of the register a consent names.

use std::sync::Arc;

use super::model::AgreementState;
use super::store;
use base::cached::Cached;
use base::db::Db;
use frame::api::{Say, say};

/// An agreement as consents are compared with it.
#[derive(Clone, Debug)]
pub struct Held {
    pub id: i64,
    pub code: String,
    pub edition: String,
    pub digest: String,
    pub text_kept: bool,
    pub valid_from: i64,
    pub valid_to: Option<i64>,
}

/// The register, cached in each process.
#[derive(Default)]
pub struct Register(Cached<Vec<Held>>);

impl Register {
    /// All agreements, at most a second old.
    pub async fn current(&self, db: &Db) -> Result<Arc<Vec<Held>>, sqlx::Error> {
        self.0.get(store::held(db.read())).await
    }

    /// Drops the cache: call it after a change is committed.
    pub fn forget(&self) {
        self.0.forget();
    }
}

/// The agreement in a consent.
#[derive(Clone, Copy, Debug)]
pub struct Named<'n> {
    pub code: &'n str,
    pub edition: &'n str,
    /// In lower case.
    pub digest: Option<&'n str>,
    pub granted_at: i64,
}

/// The agreement that a consent names, among some; otherwise the wrong field of the consent, and why. An entry with
/// its text comes first.
pub fn named<'h>(held: impl IntoIterator<Item = &'h Held>, asked: &Named<'_>) -> Result<i64, (&'static str, Say)> {
    let Named { code, edition, digest, granted_at } = *asked;
    let of_code: Vec<&Held> = held.into_iter().filter(|held| held.code == code).collect();
    if of_code.is_empty() {
        return Err(("agreement", say(format!("没有授权书 {code}"), format!("Agreement {code} does not exist"))));
    }
    let of_edition: Vec<&Held> = of_code.into_iter().filter(|held| held.edition == edition).collect();
    if of_edition.is_empty() {
        return Err(("version", say(format!("授权书 {code} 没有版本 {edition}"), format!("Agreement {code} has no version {edition}"))));
    }
    let of_digest: Vec<&Held> = of_edition.into_iter().filter(|held| digest.is_none_or(|digest| held.digest == digest)).collect();
    if of_digest.is_empty() {
        return Err(("textHash", say("与登记的授权书文本摘要不一致", "Not the digest of the agreement's text in the register")));
    }
    let valid =
        of_digest.into_iter().filter(|held| AgreementState::at(held.valid_from, held.valid_to, granted_at) == AgreementState::Valid);
    let found = valid.max_by_key(|held| held.text_kept);
    found.map(|held| held.id).ok_or_else(|| ("grantedAt", say("当时授权书不在有效期内", "The agreement was not valid at that moment")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_wrong_part_is_named() {
        let held = |id, edition: &str, digest: &str, text_kept| Held {
            id,
            code: "LOAN".into(),
            edition: edition.into(),
            digest: digest.into(),
            text_kept,
            valid_from: 10,
            valid_to: Some(20),
        };
        let all = [held(1, "1", "a", false), held(2, "1", "b", true), held(3, "2", "c", true)];
        let asked =
            |code, edition, digest, granted_at| named(&all, &Named { code, edition, digest, granted_at }).map_err(|(field, _)| field);
        assert_eq!(asked("LOAN", "1", Some("a"), 10), Ok(1));
        assert_eq!(asked("LOAN", "1", None, 19), Ok(2));
        assert_eq!(asked("LOAN", "2", Some("c"), 15), Ok(3));
        assert_eq!(asked("X", "1", None, 15), Err("agreement"));
        assert_eq!(asked("LOAN", "3", None, 15), Err("version"));
        assert_eq!(asked("LOAN", "2", Some("a"), 15), Err("textHash"));
        assert_eq!(asked("LOAN", "2", None, 9), Err("grantedAt"));
        assert_eq!(asked("LOAN", "2", None, 20), Err("grantedAt"));
    }
}
