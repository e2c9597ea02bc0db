//! Reads outside a transaction.
//!
//! A page asks the database four or five short questions, and on SQLite each takes some
//! microseconds to answer. So a read of SQLite runs where it is asked, on a connection kept for
//! that; one that turns out to be long is stopped after [`SHORT`] steps and runs again on the pool,
//! off the serving threads.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::{Any, AnyPool, Either, Error, Execute, Executor, SqlStr};

use super::connection::Connection;
use super::sqlite::Sqlite;
use super::times::Times;

/// Steps of SQLite's machine after which a read counts as long: about a millisecond.
const SHORT: i32 = 50_000;
/// Where reads run; an executor for `sqlx` queries like a pool.
#[derive(Clone)]
pub struct Reads {
    pool: AnyPool,
    /// None on PostgreSQL.
    here: Option<Arc<Here>>,
    times: Arc<Times>,
}

/// Connections to one SQLite file on which short reads run in place.
struct Here {
    path: PathBuf,
    idle: Mutex<Vec<Sqlite>>,
}

impl Reads {
    /// Reads through a pool; short ones of the SQLite file at `path` in place.
    pub fn new(pool: AnyPool, path: Option<PathBuf>, times: Arc<Times>) -> Reads {
        Reads { pool, here: path.map(|path| Arc::new(Here { path, idle: Mutex::default() })), times }
    }

    /// The pool behind the reads.
    pub(super) fn pool(&self) -> &AnyPool {
        &self.pool
    }

    /// A connection of the pool, for several reads in a row.
    pub async fn acquire(&self) -> Result<Connection, Error> {
        Ok(Connection::pooled(self.pool.acquire().await?))
    }

    /// Closes all connections, waiting for those in use.
    pub async fn close(&self) {
        self.pool.close().await;
        if let Some(here) = &self.here {
            here.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        }
    }
}

impl Here {
    /// Answers a read, or nothing when the pool should: it is long, or this connection cannot.
    fn answer(&self, sql: &str, arguments: Option<&AnyArguments>) -> Option<Vec<AnyRow>> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut reader = match idle {
            Some(reader) => reader,
            None => self.open().ok()?,
        };
        let ran = reader.run(sql, arguments);
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(reader);
        // A long read is interrupted; anything else the pool says in the words everyone knows.
        ran.ok().map(|ran| ran.rows)
    }

    fn open(&self) -> Result<Sqlite, Error> {
        let reader = Sqlite::open(&self.path, "PRAGMA query_only = ON; PRAGMA cache_size = -4000")?;
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
        match self.here.as_ref().and_then(|here| here.answer(sql.as_str(), arguments.as_ref())) {
            Some(rows) => stream::iter(rows.into_iter().map(Either::Right).map(Ok)).boxed(),
            // Rows come one by one: an export's are too many to hold.
            None => self.pool.fetch_many((sql, arguments)),
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
            let here = self.here.as_ref().and_then(|here| here.answer(sql.as_str(), arguments.as_ref()));
            let rows = match here {
                Some(rows) => rows,
                None => self.pool.fetch_all((sql, arguments)).await?,
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
    async fn a_short_read_answers_like_the_pool() {
        let folder = tempfile::tempdir().unwrap();
        let db = filled(&folder).await;
        const SQL: &str = "SELECT a, b, $2 AS c FROM t WHERE id >= $1 OR $2 = 'never' ORDER BY id";
        let here = sqlx::query(SQL).bind(1i64).bind("x").fetch_all(db.read()).await.unwrap();
        let pool = sqlx::query(SQL).bind(1i64).bind("x").fetch_all(&db.read().pool).await.unwrap();
        for rows in [here, pool] {
            assert_eq!(rows.len(), 2);
            assert_eq!(rows[0].try_get::<&str, _>("a").unwrap(), "北");
            assert_eq!(rows[0].try_get::<i64, _>("b").unwrap(), 7);
            assert_eq!(rows[1].try_get::<Option<String>, _>("a").unwrap(), None);
            assert_eq!(rows[1].try_get::<Option<i64>, _>("b").unwrap(), None);
            assert_eq!(rows[1].try_get::<String, _>("c").unwrap(), "x");
        }
    }

    #[tokio::test]
    async fn a_long_read_moves_to_the_pool() {
        let folder = tempfile::tempdir().unwrap();
        let db = filled(&folder).await;
        const LONG: &str = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) SELECT COUNT(*) FROM n";
        assert!(db.read().here.as_ref().unwrap().answer(LONG, None).is_none());
        assert_eq!(sqlx::query_scalar::<_, i64>(LONG).fetch_one(db.read()).await.unwrap(), 200_000);
        // The connection serves on.
        assert!(db.read().here.as_ref().unwrap().answer("SELECT 1", None).is_some());
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
        assert!(db.read().here.as_ref().unwrap().answer("DELETE FROM t RETURNING id", None).is_none());
    }

    #[tokio::test]
    async fn a_wrong_statement_is_an_error_of_the_pool() {
        let folder = tempfile::tempdir().unwrap();
        let db = filled(&folder).await;
        let error = sqlx::query("SELECT nothing FROM t").fetch_all(db.read()).await.map(drop).unwrap_err();
        assert!(matches!(error, Error::Database(_)), "{error}");
    }
}
