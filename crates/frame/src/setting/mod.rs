//! The general settings, which operators change while the program runs. This module has the catalogue ([`ALL`]),
//! stores the values, and returns the current ones. It is a layer below `access`, so that sessions and sign-ins can
//! use it; the calls on settings are in `admin`.
//!
//! ```ignore
//! let minutes: i64 = cx.setting(&setting::SESSION_IDLE_MINUTES).await?;
//! ```
//!
//! What a process needs to start (addresses, keys, folders) is in `config`.

mod catalogue;
mod model;
pub mod stored;

use std::collections::HashMap;
use std::sync::Arc;

use base::cached::Cached;
use base::crypto::{Keys, WrongKey, place};
use base::db::Db;
use base::networks::Networks;

pub use catalogue::*;
pub use model::{About, Holds, Kind, Placeholder, Secret, Setting, SettingGroup, SettingUnit, SettingValue, Words};

/// The setting of a key.
pub fn about(key: &str) -> Option<&'static About> {
    ALL.iter().copied().find(|about| about.key == key)
}

/// The values of all settings at one moment.
#[derive(Debug, Default)]
pub struct Values {
    /// Values that differ from the default.
    set: HashMap<&'static str, SettingValue>,
    /// The settings with networks, parsed: every request reads them.
    networks: HashMap<&'static str, Networks>,
    /// Encrypted.
    secrets: HashMap<&'static str, String>,
    /// The version of their table, read with them.
    version: Option<i64>,
}

impl Values {
    /// Reads the rows. A value that the catalogue no longer allows is ignored and logged.
    pub fn of(mut stored: HashMap<String, stored::Stored>) -> Values {
        let mut values = Values::default();
        for about in ALL.iter() {
            let Some(text) = stored.remove(about.key).and_then(|row| row.value) else { continue };
            if about.is_secret() {
                values.secrets.insert(about.key, text);
                continue;
            }
            match serde_json::from_str(&text).ok().and_then(|value| about.check(value).ok()) {
                Some(value) => {
                    if let (Kind::Networks { .. }, SettingValue::List(texts)) = (about.kind, &value) {
                        values.networks.insert(about.key, Networks::of(texts));
                    }
                    values.set.insert(about.key, value);
                }
                None => tracing::warn!(setting = about.key, "the stored value is not allowed; the default holds"),
            }
        }
        values
    }

    /// The value of a setting.
    pub fn get<T: Holds>(&self, setting: &Setting<T>) -> T {
        let about = &setting.about;
        self.value(about).and_then(T::from_value).expect("a setting's constant and its default are of one type")
    }

    /// The networks of a setting.
    pub fn networks(&self, setting: &Setting<Networks>) -> &Networks {
        self.networks.get(setting.about.key).unwrap_or(Networks::NONE)
    }

    /// The value of a setting of any type; none for a secret.
    pub fn value(&self, about: &About) -> Option<SettingValue> {
        self.set.get(about.key).cloned().or_else(|| about.default())
    }

    /// A secret in the clear, if there is one.
    pub fn secret(&self, setting: &Setting<Secret>, keys: &Keys) -> Result<Option<String>, WrongKey> {
        self.secrets.get(setting.about.key).map(|sealed| keys.open(&place::SETTING.of(setting.about.key), sealed)).transpose()
    }
}

/// The settings of this process. A change applies on every node within a second: at once to requests with a session,
/// which read the version of the settings, and on the node that wrote it and called [`Settings::forget`].
#[derive(Default)]
pub struct Settings(Cached<Values>);

impl Settings {
    /// The current values of all settings.
    pub async fn values(&self, db: &Db) -> Result<Arc<Values>, sqlx::Error> {
        self.0.get(read(db)).await
    }

    /// The values at a version of their table, which was read before. They are read again only if it has changed.
    pub async fn values_at(&self, db: &Db, version: Option<i64>) -> Result<Arc<Values>, sqlx::Error> {
        match version {
            Some(version) => self.0.get_current(|values| values.version == Some(version), read(db)).await,
            None => self.values(db).await,
        }
    }

    /// The current value of one setting.
    pub async fn get<T: Holds>(&self, db: &Db, setting: &Setting<T>) -> Result<T, sqlx::Error> {
        Ok(self.values(db).await?.get(setting))
    }

    /// The value of one setting at the last read, perhaps more than a second ago: for work inside a transaction,
    /// which holds a connection and must not wait for another one. It is read only if nothing was read before.
    pub async fn last_known<T: Holds>(&self, db: &Db, setting: &Setting<T>) -> Result<T, sqlx::Error> {
        match self.0.last() {
            Some(values) => Ok(values.get(setting)),
            None => self.get(db, setting).await,
        }
    }

    /// Drops the cache: call it after a change is committed.
    pub fn forget(&self) {
        self.0.forget();
    }
}

async fn read(db: &Db) -> Result<Values, sqlx::Error> {
    let (stored, version) = stored::all_and_version(db.read()).await?;
    Ok(Values { version, ..Values::of(stored) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stored(value: &str) -> stored::Stored {
        stored::Stored { value: Some(value.to_owned()), version: 1, updated_at: 0, updated_by: None, updated_by_name: None }
    }

    #[test]
    fn allowed_values_apply_and_others_do_not() {
        let rows = [("session.idle_minutes", "45"), ("session.max_hours", "0"), ("security.single_session", "\"yes\""), ("gone", "1")];
        let values = Values::of(rows.into_iter().map(|(key, value)| (key.to_owned(), stored(value))).collect());
        assert_eq!(values.get(&SESSION_IDLE_MINUTES), 45);
        assert_eq!(values.get(&SESSION_MAX_HOURS), 168, "out of bounds");
        assert!(!values.get(&SECURITY_SINGLE_SESSION), "of another type");
        assert_eq!(values.get(&LEAD_METHOD), "priority");
    }

    #[test]
    fn networks_are_checked_named_and_parsed() {
        let about = &SECURITY_SIGN_IN_DENY.about;
        let check = |texts: &[&str]| about.check(SettingValue::List(texts.iter().map(ToString::to_string).collect()));
        let kept = check(&[" 10.1.2.3/8 ", "", "10.0.0.0/8", "::ffff:192.0.2.1", "2001:DB8::/32"]).unwrap();
        assert_eq!(kept, SettingValue::List(["10.0.0.0/8", "192.0.2.1", "2001:db8::/32"].map(str::to_owned).into()));
        let (chinese, english) = check(&["10.0.0.0/8", "10.1.2.300", "10.0.0.0/33"]).unwrap_err();
        assert_eq!(chinese, "“10.1.2.300”不是 IP 地址或网段；“10.0.0.0/33”的前缀长度须为 0 到 32");
        assert_eq!(english, "“10.1.2.300” is not an IP address or network; The prefix length of “10.0.0.0/33” must be 0 to 32");
        let (_, english) = check(&["office"; 25]).unwrap_err();
        assert!(english.ends_with("; 15 more lines are wrong"), "{english}");
        let addresses = |count: usize| (0..count).map(|number| format!("10.0.0.{number}")).collect::<Vec<_>>();
        assert!(about.check(SettingValue::List(addresses(200))).is_ok());
        assert!(about.check(SettingValue::List(addresses(201))).is_err());

        let rows = [("security.sign_in_deny", r#"["10.0.0.0/8"]"#), ("security.sign_in_allow", r#"["office"]"#)];
        let values = Values::of(rows.into_iter().map(|(key, value)| (key.to_owned(), stored(value))).collect());
        assert!(values.networks(&SECURITY_SIGN_IN_DENY).contain("::ffff:10.9.8.7"));
        assert!(values.networks(&SECURITY_SIGN_IN_ALLOW).is_empty(), "what is not allowed does not count");
    }

    #[test]
    fn every_constant_reads_its_own_default() {
        for about in ALL.iter() {
            assert_eq!(Values::default().value(about).is_none(), about.is_secret(), "{}", about.key);
        }
        assert!(Values::default().get(&SECURITY_PASSWORD_WORDS).is_empty());
    }

    /// The screen shows no setting without an effect.
    #[test]
    fn every_setting_has_a_reader() {
        fn sources(folder: &std::path::Path) -> String {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            let is_source = |path: &std::path::PathBuf| path.is_dir() || path.extension().is_some_and(|ending| ending == "rs");
            let elsewhere = entries.filter(|path| is_source(path) && !path.ends_with("frame/src/setting"));
            elsewhere.map(|path| if path.is_dir() { sources(&path) } else { std::fs::read_to_string(path).unwrap() }).collect()
        }
        let all = sources(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/..")));
        let unread: Vec<&str> = NAMES.iter().copied().filter(|name| !all.contains(name)).collect();
        assert_eq!(unread, [""; 0]);
    }

    #[test]
    fn a_secret_opens_with_the_key_alone() {
        let keys = Keys::new(b"s", &[1; 32]);
        let row = stored(&keys.seal(&place::SETTING.of(SMS_PROVIDER_KEY.about.key), "hush"));
        let values = Values::of([("sms.provider_key".to_owned(), row)].into());
        assert_eq!(values.secret(&SMS_PROVIDER_KEY, &keys).unwrap().as_deref(), Some("hush"));
        assert!(values.secret(&SMS_PROVIDER_KEY, &Keys::new(b"s", &[2; 32])).is_err());
        assert!(values.value(&SMS_PROVIDER_KEY.about).is_none());
    }

    #[test]
    fn values_are_checked_and_tidied() {
        use SettingValue::{Flag, List, Number, Text};
        let words = |texts: &[&str]| List(texts.iter().map(ToString::to_string).collect());
        let about = |key| about(key).unwrap();
        assert_eq!(about("security.password_words").check(words(&[" a ", "", "b", "a"])), Ok(words(&["a", "b"])));
        assert!(about("sms.provider_url").check(Text("https://sms.example/send".into())).is_ok());
        assert_eq!(about("sms.code_text").check(Text(" 码：{code} ".into())), Ok(Text("码：{code}".into())));
        let (chinese, english) = about("sms.code_text").check(Text("{minutes} min".into())).unwrap_err();
        assert_eq!((chinese.as_str(), english.as_str()), ("必须包含 {code}", "Must contain {code}"));
        assert_eq!(about("sms.sign_name").check(Text(" 领航 ".into())), Ok(Text("领航".into())));
        for (key, bad) in [
            ("session.idle_minutes", Number(4)),
            ("session.idle_minutes", Number(721)),
            ("session.idle_minutes", Text("30".into())),
            ("security.single_session", Number(1)),
            ("lead.method", Text("luck".into())),
            ("sms.code_text", Text("".into())),
            ("sms.code_text", Text("您的验证码已发送".into())),
            ("sms.code_text", Text("验证码 {code}，{name}".into())),
            ("sms.code_text", Text("验证码 {code".into())),
            ("sms.code_text", Text("验证码 {code}}".into())),
            ("sms.code_text", Text("验证码 {{code}}".into())),
            ("sms.sign_name", Text("x".repeat(17))),
            ("sms.sign_name", Text("a\nb".into())),
            ("sms.provider_url", Text("http://sms.example".into())),
            ("sms.provider_url", Text("https://".into())),
            ("sms.provider_key", Text("  ".into())),
            ("sms.provider_key", Flag(true)),
            ("security.password_words", words(&["x".repeat(33).as_str()])),
        ] {
            assert!(about(key).check(bad.clone()).is_err(), "{key} {bad:?}");
        }
    }

    /// The list of sealed columns names each secret setting; the key check and the rotation of keys would skip a
    /// missing one.
    #[test]
    fn every_secret_is_sealed() {
        let secrets: Vec<_> = ALL.iter().filter(|about| about.is_secret()).map(|about| format!("'{}'", about.key)).collect();
        let only = base::key_check::SEALED.iter().find(|sealed| sealed.table == "general_setting").unwrap().only;
        assert_eq!(only, format!("key IN ({})", secrets.join(", ")));
    }
}
