//! `leadlane backup` and `leadlane restore`: an installation in one file, and back.
//!
//! The file is a ZIP of the database at one moment, the uploads, `settings.json`, and a manifest: the number of rows
//! of each table, the schema's version, the keys' fingerprints (never the keys), and the hash of every part. The
//! manifest is sealed with the data key, so that a person who only has the file cannot change it.
//!
//! - [`make`] writes while staff go on working, under another name until all is there.
//! - [`restore`] builds and checks the content beside the present installation, and puts it in place last; if it
//!   fails, the present installation is unchanged.

mod archive;
mod postgres;
mod restore;
mod sqlite;

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};
use sqlx::{AnyConnection, AssertSqlSafe};

use base::clock::Clock;
use base::config::{Config, StorageConfig};
use base::crypto::{Found, Keys};
use base::db::{self, Engine, schema};
use frame::access::trail::{self, ChainEnd};
use server::trail_watch;
use trade::ledger;

pub use postgres::ensure_whole;
pub use restore::restore;

use archive::{Archive, Draft};

/// The format of the file that this program writes and reads.
const FORMAT: u32 = 1;
/// The parts besides the database.
const FILES: &str = "files/";
const LOOK: &str = "settings.json";

/// Set when the command shall end: the unfinished work is removed.
#[derive(Clone, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Asks for the end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    fn check(&self) -> io::Result<()> {
        if self.asked() { Err(io::Error::other("stopped")) } else { Ok(()) }
    }
}

/// The content of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Manifest {
    format: u32,
    program: String,
    /// Epoch milliseconds.
    made_at: i64,
    engine: String,
    /// The newest migration.
    schema: i64,
    /// Fingerprints.
    data_key: String,
    secret: String,
    /// Rows of each table.
    rows: BTreeMap<String, i64>,
    /// The ends of the chains, `trail` and `account 7`: later changes in the database are found by them. Backups of
    /// older versions have none.
    #[serde(default)]
    ends: BTreeMap<String, ChainEnd>,
    /// The number of uploads; none if they are kept in a bucket.
    files: Option<u64>,
    parts: Vec<Part>,
}

/// One entry of the archive.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Part {
    name: String,
    bytes: u64,
    sha256: String,
}

/// The result of a backup or a restore, for the operator.
#[derive(Debug)]
pub struct Report {
    pub rows: i64,
    pub tables: usize,
    /// None if they are in a bucket.
    pub files: Option<u64>,
    pub bytes: u64,
    /// Further information for the operator.
    pub notes: Vec<String>,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { rows, tables, files, bytes, notes } = self;
        let files = files.map_or("files in their bucket".to_owned(), |files| format!("{files} files"));
        write!(out, "{rows} rows of {tables} tables, {files}, {bytes} bytes")?;
        notes.iter().try_for_each(|note| write!(out, "\n{note}"))
    }
}

impl Manifest {
    fn report(&self, bytes: u64, notes: Vec<String>) -> Report {
        Report { rows: self.rows.values().sum(), tables: self.rows.len(), files: self.files, bytes, notes }
    }
}

/// The figures of a database at one moment.
struct Figures {
    schema: i64,
    rows: BTreeMap<String, i64>,
    /// For each chain, as in [`Manifest`].
    ends: BTreeMap<String, ChainEnd>,
}

impl Figures {
    async fn read(engine: Engine, on: &mut AnyConnection) -> Result<Figures, sqlx::Error> {
        let mut rows = BTreeMap::new();
        for table in schema::tables(engine, &mut *on).await?.into_keys() {
            let number: i64 = sqlx::query_scalar(AssertSqlSafe(format!("SELECT COUNT(*) FROM \"{table}\""))).fetch_one(&mut *on).await?;
            rows.insert(table, number);
        }
        let schema = match rows.contains_key("_sqlx_migrations") {
            true => sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM _sqlx_migrations").fetch_one(&mut *on).await?,
            false => 0,
        };
        let has_chains = ["trail_link", "account_ledger"].iter().all(|table| rows.contains_key(*table));
        let ends = match has_chains {
            true => trail_watch::ends(trail::end(&mut *on).await?, ledger::chain_ends(&mut *on).await?).collect(),
            false => BTreeMap::new(),
        };
        Ok(Figures { schema, rows, ends })
    }
}

/// The end of the audit trail's chain when a backup was made; none in one of an older version.
pub fn trail_end(config: &Config, file: &Path) -> anyhow::Result<Option<ChainEnd>> {
    let mut archive = Archive::open(file)?;
    archive.ensure_sealed_with(restore::data_key(config, &Found::look(config)?)?)?;
    Ok(archive.manifest.ends.remove("trail"))
}

/// Saves the installation in a new file.
pub async fn make(config: &Config, keys: &Keys, clock: &Clock, file: &Path, stop: &Stop) -> anyhow::Result<Report> {
    ensure!(!file.exists(), "{} is there already; it is not overwritten", file.display());
    let made = write(config, keys, clock, file, stop).await;
    made.map_err(|error| for_operator(error, file, "the backup was not made, and nothing of it is left"))
}

async fn write(config: &Config, keys: &Keys, clock: &Clock, file: &Path, stop: &Stop) -> anyhow::Result<Report> {
    let mut draft = Draft::begin(file, stop.clone())?;
    let engine = db::engine_of(&config.database_url);
    let made_at = clock.now();
    let figures = match engine {
        Engine::Sqlite => sqlite::save(&db::file_of(&config.database_url), &mut draft).await?,
        Engine::Postgres => postgres::save(&config.database_url, &mut draft).await?,
    };
    ensure!(figures.schema > 0, "the database is empty");
    let mut notes = Vec::new();
    let files = match &config.storage {
        StorageConfig::Folder(folder) => Some(draft.put_folder(folder, FILES)?),
        StorageConfig::Bucket(_) => {
            notes.push("the uploads are in the bucket and not in this file: save them there".to_owned());
            None
        }
    };
    let look = config.data.join(LOOK);
    if look.exists() {
        draft.put_file(&look, LOOK)?;
    }
    notes.push(format!("it opens only with the data key of the fingerprint {}: keep a copy of that apart from it", keys.fingerprint()));
    let manifest = Manifest {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        made_at,
        engine: engine_name(engine).to_owned(),
        schema: figures.schema,
        data_key: keys.fingerprint().to_owned(),
        secret: keys.secret_fingerprint().to_owned(),
        rows: figures.rows,
        ends: figures.ends,
        files,
        parts: draft.parts(),
    };
    let bytes = draft.finish(&manifest, keys)?;
    Ok(manifest.report(bytes, notes))
}

fn engine_name(engine: Engine) -> &'static str {
    match engine {
        Engine::Sqlite => "sqlite",
        Engine::Postgres => "postgres",
    }
}

/// The folder of a path.
fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new(".")).to_owned()
}

/// A failure with a message for the operator: a full disk is named.
fn for_operator(error: anyhow::Error, place: &Path, outcome: &str) -> anyhow::Error {
    let full = error.chain().any(|cause| {
        let no_room = |error: &io::Error| {
            matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge)
        };
        cause.downcast_ref::<io::Error>().is_some_and(no_room)
            || cause
                .downcast_ref::<zip::result::ZipError>()
                .is_some_and(|error| matches!(error, zip::result::ZipError::Io(error) if no_room(error)))
            || cause.downcast_ref::<rusqlite::Error>().is_some_and(no_room_for_sqlite)
    });
    match full {
        true => anyhow::anyhow!("the disk of {} is full: {outcome}", folder_of(place).display()),
        false => error.context(outcome.to_owned()),
    }
}

/// SQLite has a code for a full disk, and one for any other failed write.
fn no_room_for_sqlite(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    code == Some(rusqlite::ffi::SQLITE_FULL) || code == Some(rusqlite::ffi::SQLITE_IOERR_WRITE)
}

/// Compares the restored figures with the saved ones.
fn ensure_same(found: &Figures, manifest: &Manifest) -> anyhow::Result<()> {
    if found.schema != manifest.schema {
        bail!("the schema is {}, and the manifest says {}", found.schema, manifest.schema);
    }
    for (table, rows) in &manifest.rows {
        let now = found.rows.get(table).with_context(|| format!("the table {table} is missing"))?;
        ensure!(now == rows, "the table {table} has {now} rows, and the manifest says {rows}");
    }
    for (chain, end) in &manifest.ends {
        ensure!(found.ends.get(chain) == Some(end), "the chain {chain} does not end as the manifest says");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// X3: in any library.
    #[test]
    fn a_full_disk_is_named_in_the_error() {
        let place = Path::new("/backups/today.leadlane");
        let said = |error: anyhow::Error| format!("{:#}", for_operator(error.context("somewhere"), place, "nothing is left"));
        for kind in [io::ErrorKind::StorageFull, io::ErrorKind::QuotaExceeded, io::ErrorKind::FileTooLarge] {
            assert_eq!(said(io::Error::from(kind).into()), "the disk of /backups is full: nothing is left");
            assert_eq!(said(zip::result::ZipError::Io(kind.into()).into()), "the disk of /backups is full: nothing is left");
        }
        let full = rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_FULL), None);
        assert_eq!(said(full.into()), "the disk of /backups is full: nothing is left");
        assert_eq!(said(io::Error::other("no").into()), "nothing is left: somewhere: no");
    }

    #[test]
    fn every_table_is_compared() {
        let figures = |rows: &[(&str, i64)]| Figures {
            schema: 3,
            rows: rows.iter().map(|(name, rows)| ((*name).to_owned(), *rows)).collect(),
            ends: BTreeMap::new(),
        };
        let manifest = Manifest {
            format: FORMAT,
            program: String::new(),
            made_at: 0,
            engine: "sqlite".to_owned(),
            schema: 3,
            data_key: String::new(),
            secret: String::new(),
            rows: figures(&[("a", 1), ("b", 2)]).rows,
            ends: BTreeMap::new(),
            files: None,
            parts: Vec::new(),
        };
        ensure_same(&figures(&[("a", 1), ("b", 2)]), &manifest).unwrap();
        for wrong in [figures(&[("a", 1), ("b", 3)]), figures(&[("a", 1)]), Figures { schema: 4, ..figures(&[("a", 1), ("b", 2)]) }] {
            assert!(ensure_same(&wrong, &manifest).is_err());
        }
    }
}
