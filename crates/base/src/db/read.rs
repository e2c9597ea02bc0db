//! Reads outside a transaction.
//!
//! A page makes four or five short queries, and on SQLite each takes some microseconds. So a read of SQLite runs on
//! the caller's thread, on a connection kept for that; a long one is stopped after [`SHORT`] steps and runs again on
//! a thread of [`super::long`]. Reads with streamed rows run on the pool.
//! On PostgreSQL all run on a pool, short ones on connections that [`super::kept`] keeps for them.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::{Any, AnyPool, Either, Error, Execute, Executor, SqlStr};

use super::Connections;
use super::connection::Connection;
use super::kept::Kept;
use super::long::LongReads;
use super::sqlite::Sqlite;
use super::times::Times;

/// Steps of SQLite's machine after which a read counts as long: about a millisecond.
const SHORT: i32 = 50_000;

/// The executor of reads for `sqlx` queries, like a pool.
#[derive(Clone)]
pub struct Reads {
    pool: AnyPool,
    /// Of PostgreSQL's pool for calls and pages.
    kept: Option<Arc<Kept>>,
    /// None on PostgreSQL.
    file: Option<Arc<FileReads>>,
    times: Arc<Times>,
}

/// Connections to one SQLite file.
struct FileReads {
    path: PathBuf,
    /// Idle ones, for short reads in place.
    idle: Mutex<Vec<Sqlite>>,
    long: LongReads,
}

impl Reads {
    /// Reads of PostgreSQL through a pool.
    pub fn of_pool(pool: AnyPool, times: Arc<Times>) -> Reads {
        Reads { pool, kept: None, file: None, times }
    }

    /// The same for reads of calls and pages, which are short and many.
    pub fn of_pages(pool: AnyPool, kept: Arc<Kept>, times: Arc<Times>) -> Reads {
        Reads { kept: Some(kept), ..Reads::of_pool(pool, times) }
    }

    /// Reads of the SQLite file at `path`, at most `most` long ones at the same time; streamed ones through a pool.
    pub fn of_file(path: PathBuf, most: u32, pool: AnyPool, times: Arc<Times>) -> Reads {
        let long = LongReads::new(path.clone(), most);
        Reads { pool, kept: None, file: Some(Arc::new(FileReads { path, idle: Mutex::default(), long })), times }
    }

    /// Opens the first connection of short reads on another thread, if the file is there. Where that fails, the first read
    /// tries again.
    pub fn open_ahead(&self) {
        let Some(file) = self.file.clone().filter(|file| file.path.exists()) else { return };
        let opened = thread::Builder::new().spawn(move || {
            if let Ok(mut reader) = file.open()
                && reader.run("SELECT COUNT(*) FROM sqlite_master", None).is_ok()
            {
                file.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
            }
        });
        if let Err(error) = opened {
            tracing::debug!(%error, "no thread to open a connection ahead");
        }
    }

    /// The connections of reads.
    pub fn connections(&self) -> Connections {
        let pool = Connections::of(&self.pool);
        match &self.file {
            Some(file) => pool + file.long.connections(),
            None => pool,
        }
    }

    /// The pool behind the reads.
    pub(super) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// Makes sure that the pool has a connection to give when only kept ones are free.
    pub(super) fn make_room(&self) {
        if let Some(kept) = &self.kept {
            kept.make_room(&self.pool);
        }
    }

    /// A connection of the pool, for several reads in a row.
    pub async fn acquire(&self) -> Result<Connection, Error> {
        self.make_room();
        Ok(Connection::pooled(self.pool.acquire().await?))
    }

    async fn fetch_from_pool(&self, sql: SqlStr, arguments: Option<AnyArguments>) -> Result<Vec<AnyRow>, Error> {
        let Some(kept) = &self.kept else { return self.pool.fetch_all((sql, arguments)).await };
        let mut lent = kept.take(&self.pool).await?;
        let rows = (&mut *lent.connection).fetch_all((sql, arguments)).await?;
        kept.put(&self.pool, lent);
        Ok(rows)
    }

    /// Closes all connections, waiting for those in use.
    pub async fn close(&self) {
        self.pool.close().await;
        if let Some(file) = &self.file {
            file.long.close().await;
            file.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

impl FileReads {
    /// Runs a read in place. None if it is long or fails: it is then run again elsewhere, which gives the error.
    fn in_place(&self, sql: &str, arguments: Option<&AnyArguments>) -> Option<Vec<AnyRow>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => self.open().ok()?,
        };
        let ran = reader.run(sql, arguments);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
        ran.ok().map(|ran| ran.rows)
    }

    fn open(&self) -> Result<Sqlite, Error> {
        let reader = Sqlite::open(&self.path, "PRAGMA query_only = ON; PRAGMA cache_size = -4000")?;
        reader.keep_plans()?;
        reader.stop_after(SHORT)?;
        Ok(reader)
    }
}

impl fmt::Debug for Reads {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Reads")
    }
}

impl<'c> Executor<'c> for &'c Reads {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(self, mut query: E) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let arguments = match query.take_arguments() {
            Ok(arguments) => arguments,
            Err(error) => return stream::once(async { Err(Error::Encode(error)) }).boxed(),
        };
        let sql = query.sql();
        match self.file.as_ref().and_then(|file| file.in_place(sql.as_str(), arguments.as_ref())) {
            Some(rows) => stream::iter(rows.into_iter().map(Either::Right).map(Ok)).boxed(),
            // Rows come one by one: an export has too many to hold.
            None => {
                self.make_room();
                self.pool.fetch_many((sql, arguments))
            }
        }
    }

    fn fetch_all<'e, 'q: 'e, E>(self, mut query: E) -> BoxFuture<'e, Result<Vec<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        Box::pin(async move {
            let arguments = query.take_arguments().map_err(Error::Encode)?;
            let (sql, asked) = (query.sql(), Instant::now());
            let rows = match &self.file {
                Some(file) => match file.in_place(sql.as_str(), arguments.as_ref()) {
                    Some(rows) => rows,
                    None => file.long.run(sql, arguments).await?,
                },
                None => self.fetch_from_pool(sql, arguments).await?,
            };
            self.times.read(asked.elapsed());
            Ok(rows)
        })
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        Box::pin(async move { Ok(self.fetch_all(query).await?.into_iter().next()) })
    }

    fn prepare_with<'e>(self, sql: SqlStr, parameters: &'e [AnyTypeInfo]) -> BoxFuture<'e, Result<AnyStatement, Error>>
    where
        'c: 'e,
    {
        self.make_room();
        self.pool.prepare_with(sql, parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::Db;
    use sqlx::Row;

    async fn filled(folder: &tempfile::TempDir) -> Db {
        let db = Db::connect(&format!("sqlite:{}", folder.path().join("t.db").display())).await.unwrap();
        let mut tx = db.begin().await.unwrap();
        for statement in ["CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b BIGINT)", "INSERT INTO t VALUES (1, '北', 7), (2, NULL, NULL)"]
        {
            sqlx::query(statement).execute(&mut *tx).await.unwrap();
        }
        tx.commit().await.unwrap();
        db
    }

    #[tokio::test]
    async fn each_way_to_read_answers_alike() {
        let folder = tempfile::tempdir().unwrap();
        let db = filled(&folder).await;
        const SQL: &str = "SELECT a, b, $2 AS c FROM t WHERE id >= $1 OR $2 = 'never' ORDER BY id";
        let in_place = sqlx::query(SQL).bind(1i64).bind("x").fetch_all(db.read()).await.unwrap();
        let mut arguments = AnyArguments::default();
        sqlx::Arguments::add(&mut arguments, 1i64).unwrap();
        sqlx::Arguments::add(&mut arguments, "x").unwrap();
        let long = db.read().file.as_ref().unwrap().long.run(SqlStr::from_static(SQL), Some(arguments)).await.unwrap();
        let pool = sqlx::query(SQL).bind(1i64).bind("x").fetch_all(&db.read().pool).await.unwrap();
        for rows in [in_place, long, pool] {
            assert_eq!(rows.len(), 2);
            assert_eq!(rows[0].try_get::<&str, _>("a").unwrap(), "北");
            assert_eq!(rows[0].try_get::<i64, _>("b").unwrap(), 7);
            assert_eq!(rows[1].try_get::<Option<String>, _>("a").unwrap(), None);
            assert_eq!(rows[1].try_get::<Option<i64>, _>("b").unwrap(), None);
            assert_eq!(rows[1].try_get::<String, _>("c").unwrap(), "x");
        }
    }

    #[tokio::test]
    async fn a_long_read_runs_on_a_thread() {
        let folder = tempfile::tempdir().unwrap();
        let db = filled(&folder).await;
        const LONG: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT COUNT(*) FROM n";
        assert!(db.read().file.as_ref().unwrap().in_place(LONG, None).is_none());
        assert_eq!(sqlx::query_scalar::<_, i64>(LONG).fetch_one(db.read()).await.unwrap(), 200_000);
        // The connection is still usable.
        assert!(db.read().file.as_ref().unwrap().in_place("SELECT 1", None).is_some());
    }

    #[tokio::test]
    async fn a_read_sees_what_was_committed_and_writes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let db = filled(&folder).await;
        assert_eq!(sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM t").fetch_one(db.read()).await.unwrap(), 2);
        let mut tx = db.begin().await.unwrap();
        sqlx::query("INSERT INTO t (id) VALUES (3)").execute(&mut *tx).await.unwrap();
        assert_eq!(sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM t").fetch_one(db.read()).await.unwrap(), 2);
        tx.commit().await.unwrap();
        assert_eq!(sqlx::query_scalar::<_, i64>("SELECT COUNT(*) FROM t").fetch_one(db.read()).await.unwrap(), 3);
        assert!(db.read().file.as_ref().unwrap().in_place("DELETE FROM t RETURNING id", None).is_none());
    }

    #[tokio::test]
    async fn a_wrong_statement_is_a_database_error() {
        let folder = tempfile::tempdir().unwrap();
        let db = filled(&folder).await;
        let error = sqlx::query("SELECT nothing FROM t").fetch_all(db.read()).await.map(drop).unwrap_err();
        assert!(matches!(error, Error::Database(_)), "{error}");
    }
}
