//! The settings of an external risk provider.

use std::fmt;

use axum::http::Uri;

use super::{ConfigError, secret};

const URL: &str = "LEADLANE_RISK_URL";
const APP_ID: &str = "LEADLANE_RISK_APP_ID";
const KEY: &str = "LEADLANE_RISK_KEY";

/// A provider, and our account there. All three variables are set, or none.
#[derive(Clone, PartialEq, Eq)]
pub struct RiskConfig {
    /// `LEADLANE_RISK_URL`: `https://HOST[:PORT]/PATH`. No default.
    pub url: String,
    /// Its host, by which reports name it.
    pub host: String,
    /// `LEADLANE_RISK_APP_ID`: our account there. No default.
    pub app_id: String,
    /// `LEADLANE_RISK_KEY`: signs our requests. No default.
    pub key: String,
}

impl fmt::Debug for RiskConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RiskConfig").field("url", &self.url).field("app_id", &self.app_id).finish_non_exhaustive()
    }
}

impl RiskConfig {
    /// Reads a provider's settings; `private` also allows plain addresses.
    pub(super) fn read(take: &mut impl FnMut(&'static str) -> Option<String>, private: bool) -> Result<Option<RiskConfig>, ConfigError> {
        let (url, app_id, key) = (take(URL), take(APP_ID), take(KEY));
        let Some(set) = [(&url, URL), (&app_id, APP_ID), (&key, KEY)].into_iter().find_map(|(value, name)| value.as_ref().map(|_| name))
        else {
            return Ok(None);
        };
        let needed = |value: Option<String>, name| value.ok_or(ConfigError::Missing { name, needed_by: set });
        let (url, app_id) = (needed(url, URL)?, needed(app_id, APP_ID)?);
        let key = needed(secret(key, KEY, "16 to 256 ASCII characters", |key| (16..=256).contains(&key.len()) && is_word(key))?, KEY)?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
        if app_id.len() > 64 || !app_id.bytes().all(plain) {
            return Err(ConfigError::Bad { name: APP_ID, found: app_id, expected: "at most 64 letters, digits, - _ and ." });
        }
        let uri = url.parse::<Uri>().ok().filter(|uri| is_address(uri, private) && !url.contains('#'));
        match uri.as_ref().and_then(|uri| uri.host()).map(str::to_owned) {
            Some(host) => Ok(Some(RiskConfig { url, host, app_id, key })),
            // It may contain a password: it is not repeated.
            None => Err(ConfigError::Bad { name: URL, found: "…".to_owned(), expected: "https://HOST/PATH, without a query" }),
        }
    }
}

fn is_address(uri: &Uri, private: bool) -> bool {
    let server = uri.authority().is_some_and(|server| !server.host().is_empty() && !server.as_str().contains('@'));
    let scheme = uri.scheme_str() == Some("https") || (private && uri.scheme_str() == Some("http"));
    scheme && server && uri.query().is_none()
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use super::*;

    const SECRET: &str = "hush-hush-hush-hush";
    const ALL: [(&str, &str); 3] = [(URL, "https://risk.example.com/v1/report"), (APP_ID, "leadlane"), (KEY, SECRET)];

    #[test]
    fn a_provider_is_read_whole_and_printed_without_its_key() {
        assert_eq!(read(&[]).unwrap().risk, None);
        let risk = read(&ALL).unwrap().risk.unwrap();
        assert_eq!((risk.host.as_str(), risk.app_id.as_str()), ("risk.example.com", "leadlane"));
        assert!(!format!("{risk:?}").contains(SECRET));
    }

    #[test]
    fn what_is_left_out_is_named() {
        for (index, (name, _)) in ALL.iter().enumerate() {
            let mut rest = ALL.to_vec();
            rest.remove(index);
            let error = read(&rest).unwrap_err();
            assert!(matches!(error, ConfigError::Missing { name: missing, .. } if missing == *name), "{error}");
        }
    }

    #[test]
    fn bad_values_are_named_and_secrets_are_not_repeated() {
        for (name, value) in [
            (URL, "http://risk.example.com/v1"),
            (URL, "https://user:hush@risk.example.com/v1"),
            (URL, "https://risk.example.com/v1?key=hush"),
            (URL, "risk.example.com"),
            (APP_ID, "a b"),
            (KEY, "hush"),
        ] {
            let changed: Vec<_> = ALL.iter().map(|(key, old)| (*key, if *key == name { value } else { *old })).collect();
            let message = read(&changed).unwrap_err().to_string();
            assert!(message.starts_with(name) && !message.contains("hush"), "{message}");
        }
    }

    #[test]
    fn a_test_may_ask_this_machine() {
        let mut local = ALL.to_vec();
        local[0].1 = "http://127.0.0.1:9000/v1";
        local.push(("LEADLANE_PRIVATE_CALLS", "allow"));
        assert_eq!(read(&local).unwrap().risk.unwrap().host, "127.0.0.1");
    }
}
