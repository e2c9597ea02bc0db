//! Choices that are kept between calls: read again once a table that they were made from has changed.
//!
//! The versions of the tables are read with the session, before the choices are, so kept choices are at least as new as
//! the versions that they are kept with. A request uses them only if its own versions are the same. This holds on every
//! node, since the versions are in the database.

use std::any::Any;
use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::ApiError;
use super::ctx::Ctx;
use crate::access::Scope;
use crate::access::versions::Table;
use base::db::sql;
use base::locale::Locale;

/// The most choices that are kept, and the most bytes of them as JSON: all together, and those of one call.
const MOST_KEPT: usize = 1000;
const MOST_BYTES: usize = 16 * 1024 * 1024;
const MOST_BYTES_OF_ONE: usize = 1024 * 1024;
/// How long choices are kept if no version changes: after a database was wound back, a version may come again.
const OLDEST: Duration = Duration::from_secs(300);
/// The most bytes of what a query says besides.
const MOST_ASKED: usize = 200;

/// The call and its viewer, and what else the call says that its choices depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Key {
    call: &'static str,
    scope: Scope,
    org_id: Option<i64>,
    locale: Locale,
    asked: String,
}

struct Kept {
    /// Of the tables that the choices were made from, in the order in which the call names them.
    versions: Vec<i64>,
    choices: Arc<dyn Any + Send + Sync>,
    read_at: Instant,
    bytes: usize,
    /// The number of the last use.
    used: u64,
}

#[derive(Default)]
struct All {
    by_key: HashMap<Key, Kept>,
    bytes: usize,
    uses: u64,
}

/// The kept choices of this process.
#[derive(Default)]
pub struct KeptChoices(Mutex<All>);

impl KeptChoices {
    fn get<T: Send + Sync + 'static>(&self, key: &Key, versions: &[i64], oldest: Duration) -> Option<Arc<T>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.uses += 1;
        let used = all.uses;
        let kept = all.by_key.get_mut(key).filter(|kept| kept.versions == versions && kept.read_at.elapsed() < oldest)?;
        kept.used = used;
        kept.choices.clone().downcast().ok()
    }

    fn keep<T: Serialize + Send + Sync + 'static>(&self, key: Key, versions: Vec<i64>, choices: Arc<T>, read_at: Instant) {
        let Ok(bytes) = serde_json::to_vec(&*choices).map(|json| json.len()) else { return };
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.remove(&key);
        // No choices: they cost little to read, and codes that do not exist must not take the place of others.
        if bytes > MOST_BYTES_OF_ONE || bytes <= "[]".len() {
            return;
        }
        while all.by_key.len() >= MOST_KEPT || all.bytes + bytes > MOST_BYTES {
            let Some(oldest) = all.by_key.iter().min_by_key(|(_, kept)| kept.used).map(|(key, _)| key.clone()) else { break };
            all.remove(&oldest);
        }
        all.uses += 1;
        let used = all.uses;
        all.bytes += bytes;
        all.by_key.insert(key, Kept { versions, choices, read_at, bytes, used });
    }
}

impl All {
    fn remove(&mut self, key: &Key) {
        if let Some(kept) = self.by_key.remove(key) {
            self.bytes -= kept.bytes;
        }
    }
}

impl Ctx {
    /// The choices that a call answers, made from the given tables: those that are kept, if no table has changed since,
    /// else what `read` reads. Choices of a keyword are not kept. The call, the language, and the scope and organisation
    /// of the viewer tell them apart, and `asked`: what else decides the choices, such as a filter or a permission
    /// point.
    pub async fn choices<T, E>(
        &self,
        tables: &[Table],
        keyword: Option<&str>,
        asked: impl Debug + Send,
        read: impl Future<Output = Result<T, E>> + Send,
    ) -> super::Result<Arc<T>>
    where
        T: Serialize + Send + Sync + 'static,
        ApiError: From<E>,
    {
        self.choices_kept_for(OLDEST, tables, keyword, asked, read).await
    }

    /// The same for choices that depend on records without a version too, such as the channels of existing clues: a
    /// choice that came or went with such a record is known on each node within `oldest`.
    pub async fn choices_kept_for<T, E>(
        &self,
        oldest: Duration,
        tables: &[Table],
        keyword: Option<&str>,
        asked: impl Debug + Send,
        read: impl Future<Output = Result<T, E>> + Send,
    ) -> super::Result<Arc<T>>
    where
        T: Serialize + Send + Sync + 'static,
        ApiError: From<E>,
    {
        let viewer = self.viewer()?;
        let asked = format!("{asked:?}");
        let versions = viewer.versions.of_all(tables).filter(|_| sql::typed(keyword).is_none() && asked.len() <= MOST_ASKED);
        let Some(versions) = versions else { return Ok(Arc::new(read.await?)) };
        let key = Key { call: self.call, scope: viewer.scope(), org_id: viewer.org_id, locale: self.locale, asked };
        let kept = self.app.service::<KeptChoices>();
        if let Some(choices) = kept.get(&key, &versions, oldest) {
            return Ok(choices);
        }
        let read_at = Instant::now();
        let choices = Arc::new(read.await?);
        kept.keep(key, versions, choices.clone(), read_at);
        Ok(choices)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(asked: &str) -> Key {
        Key { call: "/channel/options", scope: Scope::All, org_id: None, locale: Locale::Chinese, asked: asked.to_owned() }
    }

    fn keep<T: Serialize + Send + Sync + 'static>(all: &KeptChoices, key: Key, versions: Vec<i64>, choices: Arc<T>) {
        all.keep(key, versions, choices, Instant::now());
    }

    fn kept(all: &KeptChoices) -> (usize, usize) {
        let all = all.0.lock().unwrap();
        (all.by_key.len(), all.bytes)
    }

    #[test]
    fn choices_are_used_with_the_versions_they_were_kept_with() {
        let all = KeptChoices::default();
        keep(&all, key(""), vec![1, 7], Arc::new(vec!["a"]));
        assert_eq!(all.get::<Vec<&str>>(&key(""), &[1, 7], OLDEST), Some(Arc::new(vec!["a"])));
        assert_eq!(all.get::<Vec<&str>>(&key(""), &[2, 7], OLDEST), None);
        assert_eq!(all.get::<Vec<&str>>(&key("active"), &[1, 7], OLDEST), None);
        assert_eq!(all.get::<Vec<&str>>(&Key { scope: Scope::Org(1), ..key("") }, &[1, 7], OLDEST), None);
        keep(&all, key(""), vec![2, 7], Arc::new(vec!["a", "b"]));
        assert_eq!(kept(&all), (1, r#"["a","b"]"#.len()), "those of before are gone");
    }

    #[test]
    fn those_unused_for_longest_make_room() {
        let all = KeptChoices::default();
        for number in 0..MOST_KEPT {
            keep(&all, key(&number.to_string()), vec![1], Arc::new(vec![number]));
        }
        assert!(all.get::<Vec<usize>>(&key("0"), &[1], OLDEST).is_some());
        keep(&all, key("one more"), vec![1], Arc::new(vec![0usize]));
        assert_eq!(kept(&all).0, MOST_KEPT);
        assert!(all.get::<Vec<usize>>(&key("0"), &[1], OLDEST).is_some() && all.get::<Vec<usize>>(&key("1"), &[1], OLDEST).is_none());
    }

    #[test]
    fn bytes_are_bounded() {
        let all = KeptChoices::default();
        keep(&all, key("too large"), vec![1], Arc::new("x".repeat(MOST_BYTES_OF_ONE)));
        assert_eq!(kept(&all), (0, 0));
        for number in 0..40 {
            keep(&all, key(&number.to_string()), vec![1], Arc::new("x".repeat(MOST_BYTES_OF_ONE - 2)));
        }
        assert_eq!(kept(&all), (16, MOST_BYTES));
    }

    #[test]
    fn choices_have_an_end_and_no_choices_are_not_kept() {
        let all = KeptChoices::default();
        all.keep(key(""), vec![1], Arc::new(vec!["a"]), Instant::now().checked_sub(OLDEST).expect("the machine runs for longer"));
        assert_eq!(all.get::<Vec<&str>>(&key(""), &[1], OLDEST), None);
        all.keep(key(""), vec![1], Arc::new(vec!["a"]), Instant::now().checked_sub(OLDEST / 2).expect("the machine runs for longer"));
        assert!(all.get::<Vec<&str>>(&key(""), &[1], OLDEST).is_some());
        assert_eq!(all.get::<Vec<&str>>(&key(""), &[1], OLDEST / 3), None);
        keep(&all, key("unknown"), vec![1], Arc::new(Vec::<&str>::new()));
        assert_eq!(all.get::<Vec<&str>>(&key("unknown"), &[1], OLDEST), None);
    }
}
