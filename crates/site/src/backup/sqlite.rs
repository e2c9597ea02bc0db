//! SQLite: the database in one file, copied while others write.

use std::fs::File;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use rusqlite::{Connection, ErrorCode, OpenFlags};
use sqlx::{AnyConnection, Connection as _};

use base::db::Engine;

use super::archive::{Draft, Pack};
use super::{Figures, Stop};

/// The name of the part.
pub const PART: &str = "database.sqlite";
/// Steps of SQLite's machine between two looks at whether to stop.
const STEPS: i32 = 100_000;

/// Adds the database at one moment. `VACUUM INTO` reads in one transaction, which in WAL mode neither waits for
/// writers nor makes them wait, so it ends however fast they write.
pub async fn save(database: &Path, draft: &mut Draft) -> anyhow::Result<Figures> {
    let copy = draft.scratch()?;
    let (from, to, stop) = (database.to_owned(), copy.path().to_owned(), draft.stop().clone());
    tokio::task::spawn_blocking(move || vacuum(&from, &to, stop)).await??;
    let figures = figures(copy.path()).await?;
    draft.put(PART, &mut File::open(copy.path())?, Pack::Smaller)?;
    Ok(figures)
}

fn vacuum(from: &Path, to: &Path, stop: Stop) -> anyhow::Result<()> {
    let connection = open(from)?;
    connection.progress_handler(STEPS, Some(move || stop.asked()))?;
    let name = to.to_str().context("the backup's folder has a name that is no text")?;
    let copied = connection.execute("VACUUM INTO ?1", [name]);
    if copied.is_err() {
        // SQLite leaves a journal beside a copy that it could not finish.
        let _ = std::fs::remove_file(format!("{name}-journal"));
    }
    copied?;
    Ok(())
}

/// Opens an existing file.
fn open(path: &Path) -> anyhow::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).with_context(|| format!("the database {}", path.display()))?;
    connection.busy_timeout(Duration::from_secs(30))?;
    Ok(connection)
}

/// The figures of a file without writers.
pub async fn figures(path: &Path) -> anyhow::Result<Figures> {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(&format!("sqlite:{}?mode=ro&immutable=true", path.display())).await?;
    let figures = Figures::read(Engine::Sqlite, &mut connection).await;
    connection.close().await?;
    Ok(figures?)
}

/// Checks a file with SQLite's own check.
pub fn ensure_sound(path: &Path) -> anyhow::Result<()> {
    let said: String = open(path)?.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    ensure!(said == "ok", "the database is damaged: {said}");
    Ok(())
}

/// The database that a restore replaces, locked against all others until this is dropped.
pub struct Old(#[expect(dead_code, reason = "it holds the lock")] Option<Connection>);

impl Old {
    /// Locks it, if no other process has it open; none if there is none.
    pub fn take(path: &Path) -> anyhow::Result<Old> {
        if !path.exists() {
            return Ok(Old(None));
        }
        let connection = open(path)?;
        connection.busy_timeout(Duration::ZERO)?;
        // Leaves WAL mode, which requires that no other process has it open, and brings all writes into the one file.
        let alone = connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT");
        match alone {
            Ok(()) => Ok(Old(Some(connection))),
            Err(error) if matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked)) => {
                bail!("{} is in use: stop Leadlane first", path.display())
            }
            Err(error) => Err(error).with_context(|| format!("the database {}", path.display())),
        }
    }
}
