//! Restores an installation: built beside the present one, checked, and put in place last.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use tempfile::{NamedTempFile, TempDir};

use base::clock::Clock;
use base::config::{Config, StorageConfig};
use base::crypto::{Found, Lines};
use base::db::{self, Db, Engine};
use base::key_check::{self, Secrets};
use frame::access::trail_end;
use frame::sms;
use trade::ledger::{self, head};

use super::archive::{Archive, private_folder, unfinished};
use super::postgres::Replaced;
use super::sqlite::{self, Old};
use super::{FILES, Figures, LOOK, Manifest, Report, Stop, engine_name, ensure_same, folder_of, for_operator, postgres};

/// Tables without business data: those that the program fills itself, and its own records.
const SEEDED: &[&str] = &["_sqlx_migrations", "menu_node", "dict_type", "dict_item", "compliance_rule", "key_check", "ledger_seal"];

/// Restores the content of a file, into an empty installation or, with `force`, over the present one.
pub async fn restore(config: &Config, clock: &Clock, file: &Path, force: bool, stop: &Stop) -> anyhow::Result<Report> {
    let restored = run(config, clock, file, force, stop).await;
    restored.map_err(|error| for_operator(error, &config.data.join(LOOK), "nothing was restored; what there was is as it was"))
}

async fn run(config: &Config, clock: &Clock, file: &Path, force: bool, stop: &Stop) -> anyhow::Result<Report> {
    let mut archive = Archive::open(file)?;
    let found = Found::look(config)?;
    archive.ensure_sealed_with(data_key(config, &found)?)?;
    let engine = db::engine_of(&config.database_url);
    let manifest = archive.manifest.clone();
    let Manifest { engine: made_on, schema, .. } = &manifest;
    ensure!(made_on == engine_name(engine), "the backup is of {made_on}, and LEADLANE_DATABASE_URL names {}", engine_name(engine));
    let newest = db::migrate::newest();
    ensure!(
        *schema <= newest,
        "the backup's schema is {schema}, and this program knows only up to {newest}: restore it with a newer program"
    );

    let files = Files::take(config, &mut archive, force, stop)?;
    let mut bring = Bring { config, clock, found, manifest: &manifest, force, notes: Vec::new() };
    match engine {
        Engine::Sqlite => bring.bring_to_sqlite(&mut archive, files, stop).await?,
        Engine::Postgres => bring.bring_to_postgres(&mut archive, files, stop).await?,
    }
    let mut notes = bring.notes;
    trail_end::forget(&config.data)?;
    head::kept::forget(&config.data)?;
    take_look(config, &mut archive, force, stop)?;
    notes.push("all sessions are as they were when the backup was made".to_owned());
    Ok(manifest.report(fs::metadata(file)?.len(), notes))
}

pub(super) fn data_key<'a>(config: &Config, found: &'a Found) -> anyhow::Result<&'a Lines> {
    let missing = || {
        let place = base::crypto::data_file(config);
        format!(
            "{} is missing: restore it first from your copy of the keys; nothing in the backup can be decrypted without it",
            place.display()
        )
    };
    found.data.as_ref().with_context(missing)
}

/// Whether a database only holds the rows that the program puts into every one.
pub fn is_empty(rows: &BTreeMap<String, i64>) -> bool {
    rows.iter().all(|(table, rows)| *rows == 0 || SEEDED.contains(&table.as_str()))
}

struct Bring<'a> {
    config: &'a Config,
    clock: &'a Clock,
    found: Found,
    manifest: &'a Manifest,
    force: bool,
    notes: Vec<String>,
}

impl Bring<'_> {
    async fn bring_to_sqlite(&mut self, archive: &mut Archive, files: Option<Files>, stop: &Stop) -> anyhow::Result<()> {
        let target = db::file_of(&self.config.database_url);
        let folder = folder_of(&target);
        let old = Old::take(&target)?;
        if fs::metadata(&target).is_ok_and(|old| old.len() > 0) {
            let rows = sqlite::figures(&target).await.with_context(|| format!("{} is no database", target.display()));
            ensure!(self.force || is_empty(&rows?.rows), "the database {} is not empty; --force replaces it", target.display());
        }
        let mut copy = unfinished(&folder)?;
        archive.take(sqlite::PART, copy.as_file_mut(), stop)?;
        copy.as_file().sync_all()?;
        sqlite::ensure_sound(copy.path())?;
        ensure_same(&sqlite::figures(copy.path()).await?, self.manifest)?;
        let checked = self.check(&format!("sqlite:{}", copy.path().display())).await;
        // The log of the migrations is in the file when the last connection has closed.
        let logs = logs(copy.path());
        let left = logs.iter().filter(|log| fs::metadata(log).is_ok_and(|log| log.len() > 0)).count();
        for log in &logs {
            let _ = fs::remove_file(log);
        }
        checked?;
        ensure!(left == 0, "the restored database was not closed whole");
        File::open(copy.path())?.sync_all()?;
        stop.check()?;
        put(copy, &target, files)?;
        drop(old);
        Ok(())
    }

    async fn bring_to_postgres(&mut self, archive: &mut Archive, files: Option<Files>, stop: &Stop) -> anyhow::Result<()> {
        let url = self.config.database_url.clone();
        let mut dump = unfinished(&self.config.data)?;
        archive.take(postgres::PART, dump.as_file_mut(), stop)?;
        let mut replaced = Replaced::begin(&url, self.force).await?;
        let put = async {
            let figures: Figures = replaced.fill(&url, dump.path()).await?;
            ensure_same(&figures, self.manifest)?;
            self.check(&url).await?;
            stop.check()?;
            anyhow::Ok(files.map(Files::put).transpose()?)
        }
        .await;
        let kept = match put {
            Ok(swapped) => match replaced.keep().await {
                Ok(()) => return Ok(()),
                Err(error) => {
                    swapped.map(Swapped::back).transpose()?;
                    Err(error)
                }
            },
            Err(error) => Err(error),
        };
        replaced.back().await?;
        kept
    }

    /// Migrates a restored database and checks its keys and its books.
    async fn check(&mut self, url: &str) -> anyhow::Result<()> {
        let db = Db::connect(url).await.context("the restored database")?;
        let checked = self.check_open(&db).await;
        db.close().await;
        checked
    }

    async fn check_open(&mut self, db: &Db) -> anyhow::Result<()> {
        let Bring { config, clock, found, manifest, force, notes } = self;
        key_check::ask(db, config, found, Secrets::Accepted).await?;
        db::migrate::run(db).await.context("the restored database's migrations")?;
        if found.secret.as_ref().is_none_or(|secret| !secret.fingerprints().contains(&manifest.secret)) {
            notes.push("tokens are signed with a different secret than before: everyone must log in again".to_owned());
        }
        let mut keys = found.clone().or_make(config)?;
        key_check::settle(db, config, &mut keys, Secrets::Accepted, clock.now()).await?;
        if let Some(note) = doubt_messages(db, clock.now()).await? {
            notes.push(note);
        }
        let db = &db.clone().sealing(&keys);
        // For a backup of an older version.
        ledger::seal_ledger(db, false, clock.now()).await?;
        let wrong = ledger::verify::verify(db).await?;
        let Some(first) = wrong.first() else { return Ok(()) };
        let said = format!(
            "{} differences in the books, the first of organisation {}: {} is {}, should be {}",
            wrong.len(),
            first.org_id,
            first.what,
            first.found,
            first.expected
        );
        ensure!(*force, "{said}; --force restores it nevertheless");
        notes.push(said);
        Ok(())
    }
}

/// Marks waiting messages in the backup as unconfirmed: they may have been sent after it was made. Returns how many,
/// if any.
async fn doubt_messages(db: &Db, now: i64) -> anyhow::Result<Option<String>> {
    let mut tx = db.begin().await?;
    let (texts, answers) = (sms::mark_restored(&mut tx, now).await?, chat::wechat::mark_restored(&mut tx, now).await?);
    tx.commit().await?;
    Ok((texts > 0 || answers > 0).then(|| {
        format!(
            "{texts} short messages and {answers} WeChat messages waited to be sent: they are marked as not confirmed, for they may have been \
             sent since; staff send them again"
        )
    }))
}

/// The files that SQLite keeps beside an open database.
fn logs(database: &Path) -> [PathBuf; 2] {
    ["-wal", "-shm"].map(|suffix| PathBuf::from(format!("{}{suffix}", database.display())))
}

/// Gives a checked database and its uploads their names. The old database is replaced in one step.
fn put(copy: NamedTempFile, target: &Path, files: Option<Files>) -> anyhow::Result<()> {
    let swapped = files.map(Files::put).transpose()?;
    // A log left beside a deleted database would be used for the new one.
    for log in logs(target) {
        let _ = fs::remove_file(log);
    }
    if let Err(failed) = copy.persist(target) {
        if let Some(swapped) = swapped {
            swapped.back()?;
        }
        return Err(failed.error).with_context(|| target.display().to_string());
    }
    Ok(File::open(folder_of(target))?.sync_all()?)
}

/// Restored uploads, beside their place.
struct Files {
    brought: TempDir,
    target: PathBuf,
}

/// Uploads in their place; the previous ones are kept aside until this is dropped.
struct Swapped {
    target: PathBuf,
    before: Option<TempDir>,
}

impl Files {
    /// Takes the uploads out of the archive; none if they are in a bucket.
    fn take(config: &Config, archive: &mut Archive, force: bool, stop: &Stop) -> anyhow::Result<Option<Files>> {
        let target = match (&config.storage, archive.manifest.files) {
            (_, None) => return Ok(None),
            (StorageConfig::Folder(folder), Some(_)) => folder.clone(),
            (StorageConfig::Bucket(_), Some(0)) => return Ok(None),
            (StorageConfig::Bucket(_), Some(_)) => {
                bail!("the backup holds uploads, and LEADLANE_STORAGE names a bucket; restore with file:FOLDER")
            }
        };
        let any = fs::read_dir(&target).is_ok_and(|mut entries| entries.next().is_some());
        ensure!(force || !any, "the folder {} is not empty; --force replaces it", target.display());
        private_folder(&folder_of(&target))?;
        let brought = beside(&target)?;
        let inner = brought.path().join("files");
        private_folder(&inner)?;
        let number = archive.take_folder(FILES, &inner, stop)?;
        ensure!(Some(number) == archive.manifest.files, "the backup has {number} files, and its manifest says otherwise");
        Ok(Some(Files { brought, target }))
    }

    fn put(self) -> anyhow::Result<Swapped> {
        let Files { brought, target } = self;
        let before = match target.exists() {
            false => None,
            true => {
                let before = beside(&target)?;
                fs::rename(&target, before.path().join("files")).with_context(|| target.display().to_string())?;
                Some(before)
            }
        };
        let swapped = Swapped { target, before };
        match fs::rename(brought.path().join("files"), &swapped.target) {
            Ok(()) => Ok(swapped),
            Err(error) => {
                swapped.back()?;
                Err(error.into())
            }
        }
    }
}

impl Swapped {
    fn back(self) -> io::Result<()> {
        let _ = fs::remove_dir_all(&self.target);
        match &self.before {
            Some(before) => fs::rename(before.path().join("files"), &self.target),
            None => Ok(()),
        }
    }
}

/// A folder beside another, removed when dropped with its content at that time.
fn beside(target: &Path) -> anyhow::Result<TempDir> {
    Ok(tempfile::Builder::new().prefix(".leadlane-").tempdir_in(folder_of(target))?)
}

/// The layout's file, if there is none or it is replaced.
fn take_look(config: &Config, archive: &mut Archive, force: bool, stop: &Stop) -> anyhow::Result<()> {
    let target = config.data.join(LOOK);
    let has = archive.manifest.parts.iter().any(|part| part.name == LOOK);
    if !has || (target.exists() && !force) {
        return Ok(());
    }
    let mut draft = unfinished(&config.data)?;
    archive.take(LOOK, &mut draft, stop)?;
    draft.flush()?;
    draft.as_file().sync_all()?;
    draft.persist(&target)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_program_seeds_is_nothing() {
        let rows = |pairs: &[(&str, i64)]| pairs.iter().map(|(table, rows)| ((*table).to_owned(), *rows)).collect();
        assert!(is_empty(&rows(&[])));
        assert!(is_empty(&rows(&[("menu_node", 90), ("administrator", 0), ("_sqlx_migrations", 33)])));
        assert!(!is_empty(&rows(&[("administrator", 1)])));
        assert!(!is_empty(&rows(&[("somebody_elses", 1)])));
    }
}
