//! Every setting: its environment variable, default and meaning. A bad value or an unknown
//! `LEADLANE_*` name stops the start with one clear line.

mod bucket;
mod risk;

use std::collections::BTreeMap;
use std::fmt;
use std::fs::DirBuilder;
use std::net::{IpAddr, SocketAddr};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use axum::http::Uri;

pub use bucket::BucketConfig;

use bucket::is_server;
pub use risk::RiskConfig;

/// WeChat's public address.
const WECHAT_API: &str = "https://api.weixin.qq.com";

/// The settings of one process.
#[derive(Clone)]
pub struct Config {
    /// `LEADLANE_LISTEN`: address and port to serve on. Default `127.0.0.1:8080`.
    pub listen: SocketAddr,
    /// `LEADLANE_STATUS_LISTEN`: separate address and port of `/metrics` and `/readyz`. Default: the same as of all
    /// else.
    pub status_listen: Option<SocketAddr>,
    /// `LEADLANE_HSTS=subdomains`: browsers are to use https for all subdomains, too. Default: for this host alone.
    pub hsts_subdomains: bool,
    /// `LEADLANE_DATA`: folder of the database, keys and files. Default `data`.
    pub data: PathBuf,
    /// `LEADLANE_DATABASE_URL`: `sqlite:PATH` or `postgres://…`. Default `sqlite:<data>/leadlane.db`.
    pub database_url: String,
    /// `LEADLANE_SECRET`: signs login tokens, at least 32 characters, the same on every node. Default: generated once
    /// and kept in the data folder.
    pub secret: Option<String>,
    /// `LEADLANE_SECRET_OLD`: with `LEADLANE_SECRET`: tokens signed with it are accepted, too. Default: none.
    pub secret_old: Option<String>,
    /// `LEADLANE_DATA_KEY`: 64 hex digits, encrypts personal data and secrets at rest, the same on every node.
    /// Default: generated once and kept in the data folder.
    pub data_key: Option<String>,
    /// `LEADLANE_DATA_KEY_OLD`: with `LEADLANE_DATA_KEY`: opens, and seals nothing. Default: none.
    pub data_key_old: Option<String>,
    /// `LEADLANE_PASSWORD`: the password of accounts made by `admin create` and `demo`. Default: one is generated and
    /// printed.
    pub password: Option<String>,
    /// `LEADLANE_ISOLATES`: rendering threads, 1 to 64. Default: as many as cores.
    pub isolates: usize,
    /// `LEADLANE_RENDER_MEMO`: megabytes of rendered pages kept for identical requests, 0 to 1024. Default 0, off.
    pub render_memo_mb: usize,
    /// `LEADLANE_LOG`: `text` or `json`, on standard error. Default `text`.
    pub log: LogFormat,
    /// `LEADLANE_TRUSTED_PROXIES`: comma-separated addresses whose `X-Forwarded-For` and
    /// `X-Forwarded-Proto` are believed. Default: none.
    pub trusted_proxies: Vec<IpAddr>,
    /// `LEADLANE_MAX_CONNECTIONS`: the most concurrent connections, 16 to 1,000,000 and within the limit of open
    /// files. Default: as many as that limit allows, 8192 at most.
    pub max_connections: Option<usize>,
    /// `LEADLANE_HEAD_TIMEOUT`: seconds within which the head of a request must arrive, 1 to 60. Default: 10.
    pub head_timeout: Duration,
    /// `LEADLANE_IDLE_TIMEOUT`: seconds that a connection may wait for its next request, 1 to 3600. Default: 75.
    pub idle_timeout: Duration,
    /// `LEADLANE_STORAGE`: where uploads and exported files are kept, `file:FOLDER`, `s3:BUCKET` or
    /// `s3:BUCKET/PREFIX`, the same on every node. Default: `files` in the data folder. Further settings of a bucket:
    /// [`BucketConfig`].
    pub storage: StorageConfig,
    /// `LEADLANE_CLAMD`: `HOST:PORT` of a virus scanner (clamd) for every upload. Default: none.
    pub clamd: Option<String>,
    /// `LEADLANE_WECHAT_API`: the address of WeChat's calls for official accounts. Default: `https://api.weixin.qq.com`.
    pub wechat_api: String,
    /// `LEADLANE_DRAIN`: seconds for which a process that stops waits for its own calls under way, 1 to 300. Default
    /// 30.
    pub drain: Duration,
    /// `LEADLANE_PRIVATE_CALLS=allow`: organisations' addresses may be plain and in our own network. For tests;
    /// default: never.
    pub private_calls: bool,
    /// `LEADLANE_DEV_ASSETS`: a folder that `js/app/build.mjs --watch` writes; pages, scripts and styles are read
    /// from it. Only a debug build has this setting: a release build never serves code from the disk.
    /// Default: the front end that the build has embedded.
    #[cfg(debug_assertions)]
    pub dev_assets: Option<PathBuf>,
    /// The external provider of risk reports, see [`RiskConfig`]. Default: none, the built-in rules are used.
    pub risk: Option<RiskConfig>,
}

/// Without secrets: the database's address may contain a password.
impl fmt::Debug for Config {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Config")
            .field("listen", &self.listen)
            .field("data", &self.data)
            .field("storage", &self.storage)
            .finish_non_exhaustive()
    }
}

/// The place of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageConfig {
    Folder(PathBuf),
    Bucket(BucketConfig),
}

/// The format of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

/// An error in the settings, as one line for the operator.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum ConfigError {
    #[error("{0} is not a setting of Leadlane; see docs/configuration.md")]
    Unknown(String),
    #[error("{name} is {found:?}; it must be {expected}")]
    Bad { name: &'static str, found: String, expected: &'static str },
    #[error("{name} is not set; {needed_by} needs it")]
    Missing { name: &'static str, needed_by: &'static str },
    #[error("{0} is set, but LEADLANE_STORAGE names no bucket")]
    NoBucket(&'static str),
}

/// The form of a key, in a variable or a file.
pub struct Form {
    /// In words, for messages.
    pub expected: &'static str,
    pub valid: fn(&str) -> bool,
}

/// The form of the secret that signs login tokens.
pub const SECRET_FORM: Form = Form { expected: "at least 32 characters", valid: |text| text.len() >= 32 };
/// The form of the key that encrypts data at rest.
pub const DATA_KEY_FORM: Form =
    Form { expected: "64 hex digits", valid: |text| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) };

/// Names that tests and the build use; the program itself does not read them.
const OTHER_NAMES: &[&str] = &["LEADLANE_TEST_POSTGRES_URL", "LEADLANE_TEST_POSTGRES_RESTART"];

/// The default times of idle connections. Proxies keep theirs for 60 seconds: the side that keeps one longer than the
/// other sends requests into a closed one.
const HEAD: Duration = Duration::from_secs(10);
const IDLE: Duration = Duration::from_secs(75);

impl Config {
    /// Reads the process's environment.
    pub fn from_env() -> Result<Config, ConfigError> {
        // Other programs' variables may have any content, even no text.
        let ours = std::env::vars_os().filter_map(|(name, value)| {
            let name = name.into_string().ok().filter(|name| name.starts_with("LEADLANE_"))?;
            Some((name, value.to_string_lossy().into_owned()))
        });
        Config::read(ours.collect())
    }

    /// Makes the data folder, readable only by its owner: it holds keys and personal data.
    pub fn make_data_folder(&self) -> std::io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(&self.data)
    }

    /// The warning about the connection to the database, if others could listen to it: without `sslmode=verify-full`
    /// the server's identity is not proved.
    pub fn database_warning(&self) -> Option<&'static str> {
        let address = self.database_url.strip_prefix("postgres://").or_else(|| self.database_url.strip_prefix("postgresql://"))?;
        let (place, query) = address.split_once('?').unwrap_or((address, ""));
        let set = |name: &str| {
            query.split('&').filter_map(|pair| pair.split_once('=')).rfind(|(found, _)| *found == name).map(|(_, value)| value)
        };
        let place = place.split('/').next().unwrap_or_default();
        let host = place.rsplit_once('@').map_or(place, |(_, host)| host);
        let bare = match host.strip_prefix('[') {
            Some(rest) => rest.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let host = set("host").unwrap_or(bare);
        // Empty, or a folder: a socket of this machine.
        let is_here = host.is_empty()
            || host.starts_with('/')
            || host.starts_with("%2F")
            || host == "localhost"
            || host.parse::<IpAddr>().is_ok_and(|address| address.to_canonical().is_loopback());
        let is_verified = matches!(set("sslmode").or(set("ssl-mode")), Some("verify-full"));
        (!is_here && !is_verified)
            .then_some("LEADLANE_DATABASE_URL names another machine without sslmode=verify-full: the database's identity is not verified")
    }

    /// Reads settings from names and values.
    pub fn read(mut values: BTreeMap<String, String>) -> Result<Config, ConfigError> {
        values.retain(|name, value| !value.is_empty() && !OTHER_NAMES.contains(&name.as_str()));
        let mut take = |name: &'static str| values.remove(name);

        let data = PathBuf::from(take("LEADLANE_DATA").unwrap_or_else(|| "data".to_owned()));
        let private_calls = match take("LEADLANE_PRIVATE_CALLS") {
            None => false,
            Some(text) if text == "allow" => true,
            Some(found) => return Err(ConfigError::Bad { name: "LEADLANE_PRIVATE_CALLS", found, expected: "allow, or nothing" }),
        };
        let config = Config {
            listen: parse(take("LEADLANE_LISTEN"), "LEADLANE_LISTEN", "an address and port such as 127.0.0.1:8080")?
                .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080))),
            status_listen: parse(take("LEADLANE_STATUS_LISTEN"), "LEADLANE_STATUS_LISTEN", "an address and port such as 127.0.0.1:9090")?,
            hsts_subdomains: match take("LEADLANE_HSTS").as_deref() {
                None | Some("host") => false,
                Some("subdomains") => true,
                Some(other) => {
                    return Err(ConfigError::Bad { name: "LEADLANE_HSTS", found: other.to_owned(), expected: "host or subdomains" });
                }
            },
            database_url: match take("LEADLANE_DATABASE_URL") {
                None => format!("sqlite:{}", data.join("leadlane.db").display()),
                Some(url) if ["sqlite:", "postgres:", "postgresql:"].iter().any(|kind| url.starts_with(kind)) => url,
                // The value may contain a password: it is not repeated.
                Some(_) => {
                    return Err(ConfigError::Bad {
                        name: "LEADLANE_DATABASE_URL",
                        found: "…".to_owned(),
                        expected: "sqlite:PATH or postgres://…",
                    });
                }
            },
            secret: key(&mut take, "LEADLANE_SECRET", &SECRET_FORM)?,
            secret_old: key(&mut take, "LEADLANE_SECRET_OLD", &SECRET_FORM)?,
            data_key: key(&mut take, "LEADLANE_DATA_KEY", &DATA_KEY_FORM)?,
            data_key_old: key(&mut take, "LEADLANE_DATA_KEY_OLD", &DATA_KEY_FORM)?,
            password: take("LEADLANE_PASSWORD"),
            isolates: bounded(take("LEADLANE_ISOLATES"), "LEADLANE_ISOLATES", "a number from 1 to 64", 1, 64)?
                .unwrap_or_else(|| std::thread::available_parallelism().map_or(2, usize::from).min(64)),
            render_memo_mb: bounded(take("LEADLANE_RENDER_MEMO"), "LEADLANE_RENDER_MEMO", "a number from 0 to 1024", 0, 1024)?.unwrap_or(0),
            log: match take("LEADLANE_LOG").as_deref() {
                None | Some("text") => LogFormat::Text,
                Some("json") => LogFormat::Json,
                Some(other) => {
                    return Err(ConfigError::Bad { name: "LEADLANE_LOG", found: other.to_owned(), expected: "text or json" });
                }
            },
            trusted_proxies: take("LEADLANE_TRUSTED_PROXIES")
                .iter()
                .flat_map(|list| list.split(','))
                .map(|address| parse(Some(address.trim().to_owned()), "LEADLANE_TRUSTED_PROXIES", "addresses separated by commas"))
                .collect::<Result<Vec<_>, _>>()?
                .into_iter()
                .flatten()
                .map(|address: IpAddr| address.to_canonical())
                .collect(),
            max_connections: bounded(
                take("LEADLANE_MAX_CONNECTIONS"),
                "LEADLANE_MAX_CONNECTIONS",
                "a number from 16 to 1000000",
                16,
                1_000_000,
            )?,
            head_timeout: seconds(take("LEADLANE_HEAD_TIMEOUT"), "LEADLANE_HEAD_TIMEOUT", "a number of seconds from 1 to 60", 60)?
                .unwrap_or(HEAD),
            idle_timeout: seconds(take("LEADLANE_IDLE_TIMEOUT"), "LEADLANE_IDLE_TIMEOUT", "a number of seconds from 1 to 3600", 3600)?
                .unwrap_or(IDLE),
            clamd: match take("LEADLANE_CLAMD") {
                Some(found) if !is_host_and_port(&found) => {
                    return Err(ConfigError::Bad { name: "LEADLANE_CLAMD", found, expected: "HOST:PORT" });
                }
                other => other,
            },
            storage: storage(&mut take, &data)?,
            wechat_api: match take("LEADLANE_WECHAT_API") {
                None => WECHAT_API.to_owned(),
                Some(found) => match found.parse::<Uri>() {
                    Ok(uri) if is_server(&uri) => found.trim_end_matches('/').to_owned(),
                    _ => return Err(ConfigError::Bad { name: "LEADLANE_WECHAT_API", found, expected: "https://HOST or http://HOST" }),
                },
            },
            drain: Duration::from_secs(
                bounded(take("LEADLANE_DRAIN"), "LEADLANE_DRAIN", "seconds from 1 to 300", 1, 300)?.unwrap_or(30) as u64
            ),
            #[cfg(debug_assertions)]
            dev_assets: take("LEADLANE_DEV_ASSETS").map(PathBuf::from),
            risk: RiskConfig::read(&mut take, private_calls)?,
            private_calls,
            data,
        };
        if config.secret_old.is_some() && config.secret.is_none() {
            return Err(ConfigError::Missing { name: "LEADLANE_SECRET", needed_by: "LEADLANE_SECRET_OLD" });
        }
        if config.data_key_old.is_some() && config.data_key.is_none() {
            return Err(ConfigError::Missing { name: "LEADLANE_DATA_KEY", needed_by: "LEADLANE_DATA_KEY_OLD" });
        }
        match values.into_keys().next() {
            Some(name) => Err(ConfigError::Unknown(name)),
            None => Ok(config),
        }
    }
}

fn storage(take: &mut impl FnMut(&'static str) -> Option<String>, data: &Path) -> Result<StorageConfig, ConfigError> {
    let place = take("LEADLANE_STORAGE").unwrap_or_else(|| "file:".to_owned());
    let known = match place.split_once(':') {
        Some(("file", folder)) => {
            BucketConfig::none(take)?;
            Some(StorageConfig::Folder(if folder.is_empty() { data.join("files") } else { PathBuf::from(folder) }))
        }
        Some(("s3", bucket)) => BucketConfig::read(bucket, take)?.map(StorageConfig::Bucket),
        _ => None,
    };
    known.ok_or_else(|| ConfigError::Bad {
        name: "LEADLANE_STORAGE",
        // It may be a key in the wrong place: it is not repeated.
        found: if place.contains('@') { "…".to_owned() } else { place },
        expected: "file:FOLDER, s3:BUCKET or s3:BUCKET/PREFIX",
    })
}

fn parse<T: std::str::FromStr>(value: Option<String>, name: &'static str, expected: &'static str) -> Result<Option<T>, ConfigError> {
    value.map(|text| text.parse().map_err(|_| ConfigError::Bad { name, found: text, expected })).transpose()
}

fn bounded(
    value: Option<String>,
    name: &'static str,
    expected: &'static str,
    least: usize,
    most: usize,
) -> Result<Option<usize>, ConfigError> {
    match parse::<usize>(value, name, expected)? {
        Some(number) if number < least || number > most => Err(ConfigError::Bad { name, found: number.to_string(), expected }),
        number => Ok(number),
    }
}

fn key(take: &mut impl FnMut(&'static str) -> Option<String>, name: &'static str, form: &Form) -> Result<Option<String>, ConfigError> {
    secret(take(name), name, form.expected, |text| (form.valid)(text.trim()))
}

fn is_host_and_port(text: &str) -> bool {
    text.rsplit_once(':')
        .is_some_and(|(host, port)| !host.is_empty() && !host.contains('/') && port.parse::<u16>().is_ok_and(|port| port > 0))
}

fn seconds(value: Option<String>, name: &'static str, expected: &'static str, most: usize) -> Result<Option<Duration>, ConfigError> {
    Ok(bounded(value, name, expected, 1, most)?.map(|seconds| Duration::from_secs(seconds as u64)))
}

fn secret(
    value: Option<String>,
    name: &'static str,
    expected: &'static str,
    valid: impl Fn(&str) -> bool,
) -> Result<Option<String>, ConfigError> {
    match value {
        Some(text) if !valid(&text) => Err(ConfigError::Bad { name, found: "…".to_owned(), expected }),
        other => Ok(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn read(pairs: &[(&str, &str)]) -> Result<Config, ConfigError> {
        Config::read(pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect())
    }

    #[test]
    fn no_secret_is_in_what_is_printed() {
        let secret = "0123456789abcdef0123456789abcdef";
        let database = "postgres://ll:hidden@db/ll";
        let config = read(&[("LEADLANE_SECRET", secret), ("LEADLANE_DATA_KEY", &secret.repeat(2)), ("LEADLANE_DATABASE_URL", database)]);
        let printed = format!("{:?}", config.unwrap());
        assert!(!printed.contains(secret) && !printed.contains("hidden"), "{printed}");
    }

    #[test]
    fn defaults_need_no_environment() {
        let config = read(&[]).unwrap();
        assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
        assert_eq!(config.database_url, "sqlite:data/leadlane.db");
        assert_eq!(config.storage, StorageConfig::Folder("data/files".into()));
    }

    #[test]
    fn files_are_kept_in_a_folder() {
        assert_eq!(read(&[("LEADLANE_STORAGE", "file:/srv/files")]).unwrap().storage, StorageConfig::Folder("/srv/files".into()));
        assert_eq!(
            read(&[("LEADLANE_STORAGE", "file:"), ("LEADLANE_DATA", "d")]).unwrap().storage,
            StorageConfig::Folder("d/files".into())
        );
    }

    /// S-L7: a remote server must prove its identity.
    #[test]
    fn an_open_connection_to_the_database_gives_a_warning() {
        let warned = |url: &str| read(&[("LEADLANE_DATABASE_URL", url)]).unwrap().database_warning().is_some();
        for fine in [
            "sqlite:data/leadlane.db",
            "postgres://u:p@localhost/leadlane",
            "postgres://u:p@127.0.0.1:5432/leadlane",
            "postgresql://u:p@[::1]:5432/leadlane",
            "postgres:///leadlane?host=/run/postgresql",
            "postgres://%2Frun%2Fpostgresql/leadlane",
            "postgres://u:p@db.example/leadlane?sslmode=verify-full&sslrootcert=/etc/ca.pem",
            "postgres://u:p@db.example/leadlane?sslmode=require&sslmode=verify-full",
        ] {
            assert!(!warned(fine), "{fine}");
        }
        for bare in [
            "postgres://u:p@db.example/leadlane",
            "postgres://u:p@10.0.0.7/leadlane?sslmode=require",
            "postgres://u:p%40localhost@db.example/leadlane?sslmode=verify-ca",
            "postgres://u:p@localhost/leadlane?host=db.example",
            "postgresql://db.example?sslmode=disable",
        ] {
            assert!(warned(bare), "{bare}");
        }
    }

    #[test]
    fn the_guide_lists_every_variable() {
        use std::collections::BTreeSet;
        let names = |text: &'static str, before: &str| -> BTreeSet<&'static str> {
            let rest = text.lines().filter_map(|line| line.trim_start().strip_prefix(before)?.strip_prefix('`'));
            rest.filter(|rest| rest.starts_with("LEADLANE_")).map(|rest| rest.split(['`', '=']).next().unwrap_or_default()).collect()
        };
        let sources = [include_str!("mod.rs"), include_str!("bucket.rs"), include_str!("risk.rs")];
        let read: BTreeSet<&str> = sources.into_iter().flat_map(|text| names(text, "/// ")).collect();
        assert_eq!(names(include_str!("../../../../docs/configuration.md"), "| "), read);
    }

    #[test]
    fn an_unknown_name_stops_the_start() {
        assert_eq!(read(&[("LEADLANE_LISTN", "x")]).unwrap_err(), ConfigError::Unknown("LEADLANE_LISTN".into()));
    }

    /// Run with `--release` too, this shows that a release build does not know the setting.
    #[test]
    fn only_a_debug_build_takes_code_from_the_disk() {
        let refused = read(&[("LEADLANE_DEV_ASSETS", "/srv/web")]).err();
        match cfg!(debug_assertions) {
            true => assert_eq!(refused, None),
            false => assert_eq!(refused, Some(ConfigError::Unknown("LEADLANE_DEV_ASSETS".into()))),
        }
    }

    #[test]
    fn bad_values_name_the_variable_and_never_repeat_a_secret() {
        for (name, value) in [
            ("LEADLANE_LISTEN", "8080"),
            ("LEADLANE_STATUS_LISTEN", "9090"),
            ("LEADLANE_HSTS", "all"),
            ("LEADLANE_WECHAT_API", "api.weixin.qq.com"),
            ("LEADLANE_WECHAT_API", "https://api.weixin.qq.com/cgi-bin"),
            ("LEADLANE_CLAMD", "clamd"),
            ("LEADLANE_CLAMD", "tcp://clamd:3310"),
            ("LEADLANE_ISOLATES", "0"),
            ("LEADLANE_LOG", "xml"),
            ("LEADLANE_TRUSTED_PROXIES", "10.0.0.1,here"),
            ("LEADLANE_SECRET", "hush-hush"),
            ("LEADLANE_SECRET", "hush-hush                           "),
            ("LEADLANE_SECRET_OLD", "hush-hush"),
            ("LEADLANE_DATA_KEY", "hush-hush"),
            ("LEADLANE_DATA_KEY_OLD", "hush-hush"),
            ("LEADLANE_DATABASE_URL", "mysql://u:hush-hush@h/d"),
            ("LEADLANE_STORAGE", "ftp://h/d"),
            ("LEADLANE_STORAGE", "s3://key:hush-hush@h/d"),
        ] {
            let message = read(&[(name, value)]).unwrap_err().to_string();
            assert!(message.starts_with(name), "{message}");
            assert!(!message.contains("hush-hush"), "{message}");
        }
    }
}
