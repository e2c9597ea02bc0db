//! SQLite's one writing connection, and commits that several transactions share.
//!
//! A commit writes every changed page, and waits for the disk. Transactions run one after another; those that have
//! queued when one of them is done follow it within the same commit. Each is undone by itself if it fails, and each
//! gets its result only once that commit is on the disk. Under load, pages are written and the disk is waited for
//! once per group instead of once per transaction, and a single transaction pays nothing for it.
//!
//! The first of a group begins the transaction of SQLite, the others have a savepoint in it. The lock is fair: the
//! end of the group is queued when the first is done, so it comes after all that waited then, and before all later
//! ones.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::Error;
use tokio::sync::{Mutex, OwnedMutexGuard, oneshot};
use tokio::time::{Instant, sleep, timeout};

use super::connection::away;
use super::failure;
use super::sqlite::{self, Sqlite};

/// How long a transaction waits for its turn.
const PATIENCE: Duration = Duration::from_secs(8);
/// How long it waits for another process that writes, and how often it checks.
const FOREIGN: (Duration, Duration) = (Duration::from_secs(5), Duration::from_millis(5));

/// The connection, passed from one transaction to the next.
#[derive(Clone)]
pub struct Writer {
    state: Arc<Mutex<State>>,
}

struct State {
    /// None once it is closed.
    connection: Option<Sqlite>,
    /// Finished transactions of the group that wait for its commit.
    done: Vec<oneshot::Sender<Result<(), Error>>>,
}

/// A transaction that has the connection; dropping it without `commit` undoes it.
pub struct Part {
    state: OwnedMutexGuard<State>,
    writer: Writer,
    place: Place,
}

/// The position of a transaction in its group.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    First,
    Joined,
    /// Committed or undone.
    Over,
}

impl Writer {
    /// Opens the connection with `settings`.
    pub fn open(path: &Path, settings: &str) -> Result<Writer, Error> {
        let connection = Sqlite::open(path, settings)?;
        connection.keep_plans()?;
        let connection = Some(connection);
        Ok(Writer { state: Arc::new(Mutex::new(State { connection, done: Vec::new() })) })
    }

    /// Begins a transaction. It has SQLite's write lock from the start.
    pub async fn begin(&self) -> Result<Part, Error> {
        let mut state = timeout(PATIENCE, self.state.clone().lock_owned()).await.map_err(|_| Error::PoolTimedOut)?;
        let place = if state.done.is_empty() {
            state.begin_group().await?;
            Place::First
        } else {
            state.run("SAVEPOINT part")?;
            Place::Joined
        };
        Ok(Part { state, writer: self.clone(), place })
    }

    /// Whether a transaction has the connection.
    pub fn is_busy(&self) -> bool {
        self.state.try_lock().is_err()
    }

    /// Closes the connection once nothing waits for it.
    pub async fn close(&self) {
        let mut state = self.state.lock().await;
        state.end_group();
        state.connection = None;
    }

    /// Ends the group, after the transactions that wait now.
    fn end_group(&self) {
        match self.state.try_lock() {
            Ok(mut state) => state.end_group(),
            Err(_) => {
                let writer = self.clone();
                // The end does not depend on callers that stop waiting.
                tokio::spawn(async move { writer.state.lock().await.end_group() });
            }
        }
    }
}

impl Part {
    /// The connection, inside the transaction.
    pub fn sqlite(&mut self) -> Result<&mut Sqlite, Error> {
        self.state.connection()
    }

    /// Commits; returns when it is on the disk.
    pub async fn commit(mut self) -> Result<(), Error> {
        if self.place == Place::Joined {
            self.state.run("RELEASE part")?;
        }
        self.place = Place::Over;
        let (done, committed) = oneshot::channel();
        self.state.done.push(done);
        let ends = (self.state.done.len() == 1).then(|| self.writer.clone());
        drop(self);
        if let Some(writer) = ends {
            writer.end_group();
        }
        match committed.await {
            Ok(outcome) => outcome,
            // The sender is gone, so the result is unknown.
            Err(_) => Err(failure::of_commit(Error::WorkerCrashed)),
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        match self.place {
            Place::Over => {}
            // The error that ended the transaction has undone it.
            Place::First => drop(self.state.run("ROLLBACK")),
            Place::Joined => {
                if let Err(error) = self.state.run("ROLLBACK TO part").and_then(|()| self.state.run("RELEASE part")) {
                    self.state.fail_group(&error);
                }
            }
        }
    }
}

impl State {
    fn connection(&mut self) -> Result<&mut Sqlite, Error> {
        self.connection.as_mut().ok_or(Error::PoolClosed)
    }

    fn run(&mut self, statement: &str) -> Result<(), Error> {
        self.connection()?.run(statement, None).map(drop)
    }

    /// Begins the transaction of SQLite, when no other process writes.
    async fn begin_group(&mut self) -> Result<(), Error> {
        let until = Instant::now() + FOREIGN.0;
        loop {
            match self.run("BEGIN IMMEDIATE") {
                Err(error) if sqlite::is_busy(&error) && Instant::now() < until => sleep(FOREIGN.1).await,
                begun => return begun,
            }
        }
    }

    /// Commits the group, and sends the result to each transaction.
    fn end_group(&mut self) {
        if self.done.is_empty() {
            return;
        }
        match away(|| self.run("COMMIT")) {
            Ok(()) => self.done.drain(..).for_each(|done| drop(done.send(Ok(())))),
            Err(error) => self.fail_group(&error),
        }
    }

    /// Undoes the whole group, and sends the error to each transaction.
    fn fail_group(&mut self, error: &Error) {
        // The error that ended the transaction has undone it.
        drop(self.run("ROLLBACK"));
        for done in self.done.drain(..) {
            // A caller that has stopped waiting gets no result.
            let _ = done.send(Err(sqlite::again(error, "the commit shared with others failed")));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::db::{Db, Tx};

    async fn empty(folder: &tempfile::TempDir) -> Db {
        let db = Db::connect(&format!("sqlite:{}", folder.path().join("t.db").display())).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        sqlx::query("CREATE TABLE t (id INTEGER PRIMARY KEY)").execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        db
    }

    async fn add(tx: &mut Tx, id: i64) -> Result<(), sqlx::Error> {
        sqlx::query("INSERT INTO t (id) VALUES ($1)").bind(id).execute(&mut **tx).await.map(drop)
    }

    async fn all(db: &Db) -> Vec<i64> {
        sqlx::query_scalar("SELECT id FROM t ORDER BY id").fetch_all(db.read()).await.unwrap()
    }

    #[tokio::test]
    async fn queued_writes_share_a_commit_and_fail_alone() {
        let folder = tempfile::tempdir().unwrap();
        let db = empty(&folder).await;
        let mut first = db.begin().await.unwrap();
        add(&mut first, 1).await.unwrap();
        // Queued behind it in this order: one that succeeds, one whose row exists, one that is dropped half-way, one
        // that undoes its row, one that succeeds.
        let queue = async {
            tokio::join!(
                async {
                    let mut tx = db.begin().await.unwrap();
                    add(&mut tx, 2).await.unwrap();
                    assert_eq!(all(&db).await, [] as [i64; 0], "nothing of the group is to be seen before its commit");
                    tx.commit().await.unwrap();
                },
                async {
                    let mut tx = db.begin().await.unwrap();
                    add(&mut tx, 3).await.unwrap();
                    add(&mut tx, 1).await.unwrap_err();
                },
                async {
                    let mut tx = db.begin().await.unwrap();
                    add(&mut tx, 4).await.unwrap();
                },
                async {
                    let mut tx = db.begin().await.unwrap();
                    add(&mut tx, 5).await.unwrap();
                    tx.rollback().await.unwrap();
                },
                async {
                    let mut tx = db.begin().await.unwrap();
                    add(&mut tx, 6).await.unwrap();
                    tx.commit().await.unwrap();
                },
            )
        };
        let lead = async {
            tokio::time::sleep(Duration::from_millis(50)).await;
            first.commit().await.unwrap();
        };
        tokio::join!(queue, lead);
        assert_eq!(all(&db).await, [1, 2, 6]);
    }

    #[tokio::test]
    async fn one_that_is_dropped_alone_lets_the_file_go() {
        let folder = tempfile::tempdir().unwrap();
        let db = empty(&folder).await;
        let mut tx = db.begin().await.unwrap();
        add(&mut tx, 1).await.unwrap();
        drop(tx);
        // Another process would wait at most five seconds for the lock.
        let other = Db::connect(&format!("sqlite:{}", folder.path().join("t.db").display())).await.unwrap();
        let mut tx = other.begin().await.unwrap();
        add(&mut tx, 2).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(all(&db).await, [2]);
    }

    #[tokio::test]
    async fn a_commit_happens_even_if_its_caller_stops_waiting() {
        let folder = tempfile::tempdir().unwrap();
        let db = empty(&folder).await;
        let mut tx = db.begin().await.unwrap();
        add(&mut tx, 1).await.unwrap();
        let next = async {
            let mut tx = db.begin().await.unwrap();
            add(&mut tx, 2).await.unwrap();
            tx.commit().await.unwrap();
        };
        let stops = async {
            assert!(futures_util::poll!(Box::pin(tx.commit())).is_pending());
        };
        tokio::join!(next, stops);
        assert_eq!(all(&db).await, [1, 2]);
    }

    #[tokio::test]
    async fn many_at_once_are_all_there() {
        let folder = tempfile::tempdir().unwrap();
        let db = empty(&folder).await;
        let writes = (1..=200).map(|id| {
            let db = db.clone();
            tokio::spawn(async move {
                let mut tx = db.begin().await.unwrap();
                add(&mut tx, id).await.unwrap();
                if id % 7 == 0 {
                    return;
                }
                tx.commit().await.unwrap();
                assert!(all(&db).await.contains(&id), "it is there when the commit has answered");
            })
        });
        for write in writes.collect::<Vec<_>>() {
            write.await.unwrap();
        }
        assert_eq!(all(&db).await.len(), 200 - 200 / 7);
        db.close().await;
        assert!(db.begin().await.is_err(), "a closed database takes nothing");
    }
}
