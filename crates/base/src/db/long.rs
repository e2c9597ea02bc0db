//! Long reads of a SQLite file: each runs on a thread, on its own connection.
//!
//! The pool passes each row over from its connection's thread, which for thousands of rows costs twenty times as much
//! as reading them. Here all rows come back at once.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use sqlx::any::{AnyArguments, AnyRow};
use sqlx::{Error, SqlStr};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::timeout;

use super::Connections;
use super::sqlite::{Ran, Sqlite};

/// See [`LongReads::patience`].
const PATIENCE: Duration = Duration::from_secs(8);
/// The settings of the connections.
const SETTINGS: &str = "PRAGMA query_only = ON; PRAGMA busy_timeout = 5000; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY";

/// Connections for long reads.
pub struct LongReads {
    path: PathBuf,
    /// The most concurrent reads.
    most: u32,
    /// How long a read waits for a connection.
    patience: Duration,
    free: Arc<Semaphore>,
    idle: Mutex<Vec<Reader>>,
}

/// A connection, and the flag that stops its statement.
struct Reader {
    sqlite: Sqlite,
    stop: Arc<AtomicBool>,
}

/// A read on its thread; dropping it ends the read.
struct Running {
    thread: JoinHandle<(Reader, Result<Ran, Error>, OwnedSemaphorePermit)>,
    /// None once the thread is done.
    stop: Option<Arc<AtomicBool>>,
}

impl LongReads {
    /// Opens up to `most` connections, each when it is needed.
    pub fn new(path: PathBuf, most: u32) -> LongReads {
        LongReads { path, most, patience: PATIENCE, free: Arc::new(Semaphore::new(most as usize)), idle: Mutex::default() }
    }

    /// Runs a statement to its end.
    ///
    /// # Errors
    /// [`Error::PoolTimedOut`] if no connection becomes free in time, and what SQLite refuses.
    pub async fn run(&self, sql: SqlStr, arguments: Option<AnyArguments>) -> Result<Vec<AnyRow>, Error> {
        let permit = timeout(self.patience, self.free.clone().acquire_owned()).await.map_err(|_| Error::PoolTimedOut)?;
        let permit = permit.map_err(|_| Error::PoolClosed)?;
        let idle = self.idle().pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => self.open()?,
        };
        let stop = Some(reader.stop.clone());
        let thread = spawn_blocking(move || {
            let ran = reader.sqlite.run(sql.as_str(), arguments.as_ref());
            (reader, ran, permit)
        });
        let mut running = Running { thread, stop };
        let ended = (&mut running.thread).await;
        // The next read of this connection must not be stopped.
        running.stop = None;
        let (reader, ran, _permit) = ended.map_err(|_| Error::WorkerCrashed)?;
        self.idle().push(reader);
        ran.map(|ran| ran.rows)
    }

    fn open(&self) -> Result<Reader, Error> {
        let (sqlite, stop) = (Sqlite::open(&self.path, SETTINGS)?, Arc::<AtomicBool>::default());
        sqlite.stop_when(stop.clone())?;
        Ok(Reader { sqlite, stop })
    }

    /// The connections of long reads.
    pub fn connections(&self) -> Connections {
        let count = |number: usize| u32::try_from(number).unwrap_or(self.most);
        let in_use = self.most.saturating_sub(count(self.free.available_permits()));
        Connections { in_use, idle: count(self.idle().len()), most: self.most }
    }

    /// Closes all connections, waiting for those in use.
    pub async fn close(&self) {
        if let Ok(all) = self.free.acquire_many(self.most).await {
            all.forget();
        }
        self.free.close();
        self.idle().clear();
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Reader>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let Some(stop) = &self.stop else { return };
        // A thread that has not begun is not started.
        self.thread.abort();
        stop.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::Row;

    /// Runs until it is stopped.
    const ENDLESS: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n";

    fn of_new_file(folder: &tempfile::TempDir, most: u32) -> LongReads {
        LongReads::new(folder.path().join("t.db"), most)
    }

    #[tokio::test]
    async fn a_dropped_read_ends_and_frees_its_place() {
        let folder = tempfile::tempdir().unwrap();
        let reads = of_new_file(&folder, 1);
        for _ in 0..3 {
            timeout(Duration::from_millis(50), reads.run(SqlStr::from_static(ENDLESS), None)).await.map(drop).unwrap_err();
            let rows = reads.run(SqlStr::from_static("SELECT 7"), None).await.unwrap();
            assert_eq!(rows[0].get::<i64, _>(0), 7);
        }
        assert_eq!(reads.connections().in_use, 0);
    }

    #[tokio::test]
    async fn a_read_waits_for_a_place_only_so_long() {
        let folder = tempfile::tempdir().unwrap();
        let reads = LongReads { patience: Duration::from_millis(20), ..of_new_file(&folder, 1) };
        let held = reads.free.acquire().await.unwrap();
        assert!(matches!(reads.run(SqlStr::from_static("SELECT 7"), None).await, Err(Error::PoolTimedOut)));
        drop(held);
        reads.close().await;
        assert!(matches!(reads.run(SqlStr::from_static("SELECT 7"), None).await, Err(Error::PoolClosed)));
    }

    #[tokio::test]
    async fn a_long_read_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let reads = of_new_file(&folder, 1);
        reads.run(SqlStr::from_static("CREATE TABLE t (id BIGINT)"), None).await.map(drop).unwrap_err();
    }
}
