//! The settings of an S3-compatible bucket.

use std::fmt;

use axum::http::Uri;
use axum::http::uri::Authority;

use super::{ConfigError, secret};

const ENDPOINT: &str = "LEADLANE_S3_ENDPOINT";
const REGION: &str = "LEADLANE_S3_REGION";
const ACCESS_KEY_ID: &str = "LEADLANE_S3_ACCESS_KEY_ID";
const SECRET_ACCESS_KEY: &str = "LEADLANE_S3_SECRET_ACCESS_KEY";

/// A bucket and its address: always `ENDPOINT/BUCKET/…`.
#[derive(Clone, PartialEq, Eq)]
pub struct BucketConfig {
    /// The bucket's name, from `LEADLANE_STORAGE`.
    pub bucket: String,
    /// The prefix of all its keys, from `LEADLANE_STORAGE`; may be empty.
    pub prefix: String,
    /// `LEADLANE_S3_ENDPOINT`: `https://HOST[:PORT]`, or `http://…` for a private network. No default.
    pub endpoint: String,
    /// `LEADLANE_S3_REGION`: the region that requests are signed for. Default `us-east-1`.
    pub region: String,
    /// `LEADLANE_S3_ACCESS_KEY_ID`: no default.
    pub access_key_id: String,
    /// `LEADLANE_S3_SECRET_ACCESS_KEY`: no default.
    pub secret_access_key: String,
}

impl fmt::Debug for BucketConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BucketConfig")
            .field("bucket", &self.bucket)
            .field("prefix", &self.prefix)
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .finish_non_exhaustive()
    }
}

impl BucketConfig {
    /// Reads a bucket's settings. `place` is its name, and possibly a slash and a prefix; none if it is neither.
    pub(super) fn read(place: &str, take: &mut impl FnMut(&'static str) -> Option<String>) -> Result<Option<BucketConfig>, ConfigError> {
        let (bucket, prefix) = place.split_once('/').map_or((place, None), |(bucket, prefix)| (bucket, Some(prefix)));
        if !is_bucket(bucket) || !prefix.is_none_or(is_prefix) {
            return Ok(None);
        }
        Ok(Some(BucketConfig {
            bucket: bucket.to_owned(),
            prefix: prefix.unwrap_or_default().to_owned(),
            endpoint: endpoint(needed(ENDPOINT, take(ENDPOINT))?)?,
            region: match take(REGION) {
                None => "us-east-1".to_owned(),
                Some(region) if is_region(&region) => region,
                Some(found) => return Err(ConfigError::Bad { name: REGION, found, expected: "a region such as us-east-1" }),
            },
            access_key_id: needed(ACCESS_KEY_ID, secret(take(ACCESS_KEY_ID), ACCESS_KEY_ID, "letters and digits", is_key_id)?)?,
            secret_access_key: needed(
                SECRET_ACCESS_KEY,
                secret(take(SECRET_ACCESS_KEY), SECRET_ACCESS_KEY, "one word of ASCII characters", is_word)?,
            )?,
        }))
    }

    /// Refuses settings of a bucket if there is none.
    pub(super) fn none(take: &mut impl FnMut(&'static str) -> Option<String>) -> Result<(), ConfigError> {
        match [ENDPOINT, REGION, ACCESS_KEY_ID, SECRET_ACCESS_KEY].into_iter().find(|name| take(name).is_some()) {
            Some(name) => Err(ConfigError::NoBucket(name)),
            None => Ok(()),
        }
    }
}

fn needed(name: &'static str, value: Option<String>) -> Result<String, ConfigError> {
    value.ok_or_else(|| missing(name))
}

fn missing(name: &'static str) -> ConfigError {
    ConfigError::Missing { name, needed_by: "the bucket that LEADLANE_STORAGE names" }
}

/// The address of a server and nothing more. A refused one may contain a password and is not repeated.
fn endpoint(text: String) -> Result<String, ConfigError> {
    match text.parse::<Uri>() {
        // `Uri` drops what follows a `#`.
        Ok(uri) if is_server(&uri) && !text.contains('#') => Ok(uri.to_string().trim_end_matches('/').to_owned()),
        _ => Err(ConfigError::Bad { name: ENDPOINT, found: "…".to_owned(), expected: "https://HOST or http://HOST, perhaps with :PORT" }),
    }
}

pub(super) fn is_server(uri: &Uri) -> bool {
    let plain = |server: &Authority| !server.host().is_empty() && (server.as_str() == server.host() || server.port_u16().is_some());
    matches!(uri.scheme_str(), Some("http" | "https"))
        && uri.authority().is_some_and(|server| plain(server) && !server.as_str().contains('@'))
        && (uri.path(), uri.query()) == ("/", None)
}

/// The common rules of bucket names.
fn is_bucket(name: &str) -> bool {
    let inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.');
    let outer = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    (3..=63).contains(&name.len())
        && name.bytes().all(inner)
        && outer(name.bytes().next())
        && outer(name.bytes().next_back())
        && !name.contains("..")
}

/// Characters that are safe in all stores and signatures, and no `..`.
fn is_prefix(prefix: &str) -> bool {
    let plain = |part: &str| {
        !matches!(part, "" | "." | "..") && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
    };
    prefix.len() <= 200 && prefix.split('/').all(plain)
}

fn is_region(region: &str) -> bool {
    region.len() <= 64 && region.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

/// It is part of a header, between slashes and commas.
fn is_key_id(id: &str) -> bool {
    id.len() <= 128 && is_word(id) && !id.contains(['/', ',', '='])
}

fn is_word(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::super::tests::read;
    use super::*;
    use crate::config::StorageConfig;

    const SECRET: &str = "hush-hush";
    const ALL: [(&str, &str); 4] = [
        ("LEADLANE_STORAGE", "s3:leadlane-files"),
        (ENDPOINT, "https://s3.example:9000/"),
        (ACCESS_KEY_ID, "AKIDEXAMPLE"),
        (SECRET_ACCESS_KEY, SECRET),
    ];

    /// All settings of a bucket, with these changes.
    fn but(changes: &[(&'static str, &'static str)]) -> Result<StorageConfig, ConfigError> {
        read(&[&ALL[..], changes].concat()).map(|config| config.storage)
    }

    fn bucket(changes: &[(&'static str, &'static str)]) -> BucketConfig {
        match but(changes) {
            Ok(StorageConfig::Bucket(bucket)) => bucket,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn files_are_kept_in_a_bucket() {
        let config = bucket(&[]);
        let parts = (config.bucket.as_str(), config.prefix.as_str(), config.endpoint.as_str(), config.region.as_str());
        assert_eq!(parts, ("leadlane-files", "", "https://s3.example:9000", "us-east-1"));
        assert_eq!((config.access_key_id.as_str(), config.secret_access_key.as_str()), ("AKIDEXAMPLE", SECRET));
        let config = bucket(&[("LEADLANE_STORAGE", "s3:a.b-3/production/back.office"), (REGION, "cn-north-1")]);
        assert_eq!((config.bucket.as_str(), config.prefix.as_str()), ("a.b-3", "production/back.office"));
        assert_eq!(config.region, "cn-north-1");
        for plain in ["http://127.0.0.1:9000", "http://[::1]:9000", "https://minio"] {
            assert_eq!(bucket(&[(ENDPOINT, plain)]).endpoint, plain);
        }
    }

    #[test]
    fn what_a_bucket_needs_is_asked_for_by_name() {
        for name in [ENDPOINT, ACCESS_KEY_ID, SECRET_ACCESS_KEY] {
            assert_eq!(but(&[(name, "")]).unwrap_err(), missing(name));
        }
        assert_eq!(missing(ENDPOINT).to_string(), "LEADLANE_S3_ENDPOINT is not set; the bucket that LEADLANE_STORAGE names needs it");
        assert!(matches!(but(&[("LEADLANE_S3_SESSION_TOKEN", "x")]), Err(ConfigError::Unknown(_))));
    }

    #[test]
    fn without_a_bucket_its_settings_are_refused() {
        for name in [ENDPOINT, REGION, ACCESS_KEY_ID, SECRET_ACCESS_KEY] {
            for place in ["", "file:/srv/files"] {
                let error = read(&[("LEADLANE_STORAGE", place), (name, SECRET)]).unwrap_err();
                assert_eq!(error, ConfigError::NoBucket(name));
                assert!(!error.to_string().contains(SECRET), "{error}");
            }
        }
    }

    #[test]
    fn hostile_values_are_refused_and_secrets_never_repeated() {
        let long: &'static str = "x".repeat(300).leak();
        let place = |rest: &str| -> &'static str { format!("s3:{rest}").leak() };
        for (name, values) in [
            (
                "LEADLANE_STORAGE",
                &[
                    "",
                    "ab",
                    "//bucket",
                    "Bucket",
                    "-bucket",
                    "bucket-",
                    "a..b",
                    "bucket/",
                    "bucket//x",
                    "bucket/../x",
                    "bucket/.",
                    "bucket/a b",
                ]
                .map(place)[..],
            ),
            ("LEADLANE_STORAGE", &[place("bucket/ключ"), place("bucket?x"), place("bucket/x#y"), place(long), "S3:bucket", "s3", "bucket"]),
            (
                ENDPOINT,
                &["s3.example", "ftp://s3.example", "https://", "https://:9000", "https://user:hush-hush@s3.example", "https://h:99999"],
            ),
            (ENDPOINT, &["https://s3.example/path", "https://s3.example/?x=hush-hush", "https://s3.example#x", "https://a b", "file:///x"]),
            (REGION, &["us east", "us/east", "us-east-1\n", "北京"]),
            (ACCESS_KEY_ID, &["hush-hush/x", "hush-hush,x", "hush-hush x", "hush-hush\n", "hush-hush\u{e9}", long]),
            (SECRET_ACCESS_KEY, &["hush-hush x", "hush-hush\n", "hush-hush\u{e9}", "\u{0}hush-hush"]),
        ] {
            for value in values {
                let message = match but(&[(name, value)]) {
                    Err(error) => error.to_string(),
                    Ok(config) => panic!("{name}={value:?} is {config:?}"),
                };
                assert!(message.starts_with(name) && !message.contains('\n'), "{message}");
                assert!(!message.contains(SECRET), "{message}");
            }
        }
    }

    #[test]
    fn debug_output_holds_no_secret() {
        let config = read(&ALL).unwrap();
        let debug = format!("{config:?} {config:#?}");
        assert!(debug.contains("leadlane-files") && !debug.contains(SECRET) && !debug.contains("AKIDEXAMPLE"), "{debug}");
    }
}
