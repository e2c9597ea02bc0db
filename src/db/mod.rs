//! The database: one pool and one SQL text for SQLite and PostgreSQL.
//!
//! Everything that differs between the two engines lives in this room: how a connection is
//! opened, how a write transaction begins, how keys are generated ([`migrate`]), how a list is
//! counted and paged ([`page`]). SQL elsewhere uses `$1` placeholders, `RETURNING` and
//! `ON CONFLICT`, 64-bit integers and text, which both engines read alike.

mod connection;
mod lots;
pub mod migrate;
pub mod page;
#[cfg(test)]
pub(crate) mod plans;
mod read;
pub mod sql;
mod sqlite;
mod times;
mod tx;
mod writer;

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use sqlx::any::{AnyConnectOptions, AnyPoolOptions, AnyRow};
use sqlx::{AnyConnection, AnyPool, Connection as _, Executor, Row};

pub use connection::Connection;
pub use lots::{padded, pieces};
pub use read::Reads;
pub use sql::Sql;
pub use times::Times;
pub use tx::Tx;

use connection::Inner;
use writer::Writer;

/// Which engine a database is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "DatabaseEngine")]
#[ts(export, export_to = "api-types.ts", rename = "DatabaseEngine")]
pub enum Engine {
    Sqlite,
    Postgres,
}

/// An open database. Cheap to clone.
#[derive(Clone)]
pub struct Db {
    engine: Engine,
    read: Reads,
    write: Writes,
    /// The file of SQLite.
    file: Option<PathBuf>,
    times: Arc<Times>,
}

/// Where write transactions run.
#[derive(Clone)]
enum Writes {
    Postgres(AnyPool),
    Sqlite(Writer),
}

/// Pooled connections.
#[derive(Clone, Copy, Debug)]
pub struct Connections {
    pub in_use: u32,
    pub idle: u32,
    /// Most that the pools open.
    pub most: u32,
}

/// Connections that a process opens to SQLite for long reads, at most.
const SQLITE_READERS: u32 = 8;
/// Connections that a process opens to PostgreSQL, at most: writers wait for its disk side by side.
const POSTGRES_CONNECTIONS: u32 = 24;

impl Db {
    /// Opens `sqlite:PATH` (the file is made, its folder is not) or `postgres://…`.
    ///
    /// SQLite runs in WAL mode with foreign keys on and full synchronisation, so a write that was
    /// answered survives a killed process and a power cut. It has a single writing connection:
    /// writers queue in this process instead of failing on a locked file.
    pub async fn connect(url: &str) -> Result<Db, sqlx::Error> {
        sqlx::any::install_default_drivers();
        let times = Arc::new(Times::default());
        let engine = if url.starts_with("postgres:") || url.starts_with("postgresql:") { Engine::Postgres } else { Engine::Sqlite };
        match engine {
            Engine::Postgres => {
                // A pool keeps trying and then only says that it ran out of time; this says why.
                AnyConnection::connect(url).await?.close().await?;
                let pool = postgres_options().connect_with(AnyConnectOptions::from_str(url)?).await?;
                Ok(Db { engine, read: Reads::new(pool.clone(), None, times.clone()), write: Writes::Postgres(pool), file: None, times })
            }
            Engine::Sqlite => {
                let options = AnyConnectOptions::from_str(&with_create_mode(url))?;
                let read = sqlite_options(SQLITE_READERS).connect_with(options).await?;
                let file = file_of(url);
                let write = Writer::open(&file, &format!("{SQLITE_SETTINGS}; {WRITER_SETTINGS}"))?;
                let read = Reads::new(read, Some(file.clone()), times.clone());
                Ok(Db { engine, read, write: Writes::Sqlite(write), file: Some(file), times })
            }
        }
    }

    /// The engine behind this database.
    pub fn engine(&self) -> Engine {
        self.engine
    }

    /// Where reads outside a transaction run.
    pub fn read(&self) -> &Reads {
        &self.read
    }

    /// Begins a write transaction. On SQLite it has the write lock from the start, so that a
    /// transaction that reads before it writes cannot fail half-way on a busy database, and shares
    /// its commit with those that queue behind it.
    pub async fn begin(&self) -> Result<Tx, sqlx::Error> {
        let asked = Instant::now();
        let inner = match &self.write {
            Writes::Postgres(pool) => Inner::Postgres(pool.begin().await?),
            Writes::Sqlite(writer) => Inner::Sqlite(writer.begin().await?),
        };
        self.times.waits.record(asked.elapsed());
        Ok(Tx::new(inner, self.times.clone()))
    }

    /// Holds a named lock until the transaction ends, on every node. SQLite needs none: its write
    /// transactions run one after the other.
    pub async fn lock(&self, tx: &mut Tx, name: &str) -> Result<(), sqlx::Error> {
        match self.engine {
            Engine::Sqlite => Ok(()),
            Engine::Postgres => sqlx::query("SELECT 1 FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))) AS held")
                .bind(name)
                .execute(&mut **tx)
                .await
                .map(drop),
        }
    }

    /// Holds a named lock with others who hold it so, until the transaction ends: only whoever takes
    /// [`Db::lock`] of the same name is kept out, and keeps them out.
    pub async fn lock_shared(&self, tx: &mut Tx, name: &str) -> Result<(), sqlx::Error> {
        match self.engine {
            Engine::Sqlite => Ok(()),
            Engine::Postgres => sqlx::query("SELECT 1 FROM (SELECT pg_advisory_xact_lock_shared(hashtextextended($1, 0))) AS held")
                .bind(name)
                .execute(&mut **tx)
                .await
                .map(drop),
        }
    }

    /// Answers whether the database answers.
    pub async fn ping(&self) -> Result<(), sqlx::Error> {
        sqlx::query("SELECT 1").execute(&self.read).await.map(drop)
    }

    /// Bytes that the database takes.
    pub async fn size(&self) -> Result<u64, sqlx::Error> {
        match &self.file {
            Some(file) => {
                let log = file.with_file_name(format!("{}-wal", file.file_name().unwrap_or_default().display()));
                let log = tokio::fs::metadata(log).await.map_or(0, |meta| meta.len());
                Ok(tokio::fs::metadata(file).await?.len() + log)
            }
            None => {
                let bytes: i64 = sqlx::query_scalar("SELECT pg_database_size(current_database())").fetch_one(&self.read).await?;
                Ok(u64::try_from(bytes).unwrap_or(0))
            }
        }
    }

    /// The pooled connections of this process.
    pub fn connections(&self) -> Connections {
        let pool = self.read.pool();
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        let of_pool = Connections { in_use: pool.size().saturating_sub(idle), idle, most: pool.options().get_max_connections() };
        match &self.write {
            Writes::Postgres(_) => of_pool,
            Writes::Sqlite(writer) => {
                let busy = u32::from(writer.is_busy());
                Connections { in_use: of_pool.in_use + busy, idle: of_pool.idle + 1 - busy, most: of_pool.most + 1 }
            }
        }
    }

    /// How long reads and writes have taken.
    pub fn times(&self) -> &Times {
        &self.times
    }

    /// Closes all connections, waiting for those in use.
    pub async fn close(&self) {
        self.read.close().await;
        match &self.write {
            Writes::Postgres(pool) => pool.close().await,
            Writes::Sqlite(writer) => writer.close().await,
        }
    }
}

fn pool_options(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new().max_connections(connections).acquire_timeout(Duration::from_secs(8)).test_before_acquire(false)
}

/// How every connection to PostgreSQL is set: nothing is asked here that takes as long as compiling it
/// would, and from the disks of today any page is read about as fast as the next one.
const POSTGRES_SETTINGS: &str = "SET jit = off; SET random_page_cost = 1.1";

fn postgres_options() -> AnyPoolOptions {
    pool_options(POSTGRES_CONNECTIONS)
        .after_connect(|connection, _| Box::pin(async move { connection.execute(POSTGRES_SETTINGS).await.map(drop) }))
}

/// How every connection to SQLite is set.
const SQLITE_SETTINGS: &str = "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; \
    PRAGMA busy_timeout = 5000; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY";

/// How the writing connection is set besides: it waits for other processes by itself, and keeps the
/// pages that inserts come back to.
const WRITER_SETTINGS: &str = "PRAGMA busy_timeout = 0; PRAGMA cache_size = -32000";

fn sqlite_options(connections: u32) -> AnyPoolOptions {
    pool_options(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .after_connect(|connection, _| Box::pin(async move { connection.execute(SQLITE_SETTINGS).await.map(drop) }))
}

/// The file that a `sqlite:` address names.
fn file_of(url: &str) -> PathBuf {
    let path = url.trim_start_matches("sqlite:").trim_start_matches("//");
    PathBuf::from(path.split('?').next().unwrap_or(path))
}

fn with_create_mode(url: &str) -> String {
    match url.contains("mode=") {
        true => url.to_owned(),
        false => format!("{url}{}mode=rwc", if url.contains('?') { '&' } else { '?' }),
    }
}

/// Reads a short text code of a column as the enumeration it stands for.
pub fn code<T: FromStr>(row: &AnyRow, column: &str) -> Result<T, sqlx::Error> {
    let text: &str = row.try_get(column)?;
    text.parse()
        .map_err(|_| sqlx::Error::ColumnDecode { index: column.to_owned(), source: format!("`{text}` is no code of this column").into() })
}

/// Reads a 0/1 column.
pub fn flag(row: &AnyRow, column: &str) -> Result<bool, sqlx::Error> {
    row.try_get::<i64, _>(column).map(|value| value != 0)
}

/// Reads a column that holds a JSON text.
pub fn json<T: serde::de::DeserializeOwned>(row: &AnyRow, column: &str) -> Result<T, sqlx::Error> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|error| sqlx::Error::ColumnDecode { index: column.to_owned(), source: error.into() })
}

/// Whether a write failed because a unique constraint or index already holds the value.
pub fn is_duplicate(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(cause) if cause.is_unique_violation())
}

/// Whether PostgreSQL gave a transaction up because it and another waited for each other.
pub fn is_deadlock(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(cause) if cause.code().as_deref() == Some("40P01"))
}

/// Whether a write failed because another row still refers to this one, or the one it names is missing.
pub fn is_foreign_key(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(cause) if cause.is_foreign_key_violation())
}
