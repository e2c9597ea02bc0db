//! The database: one SQL text for SQLite and PostgreSQL. Which writes are tried again after
//! a conflict stands in [`Db::transact`]'s module.
//!
//! Everything that differs between the two engines lives in this room: how a connection is
//! opened, how a write transaction begins, how keys are generated ([`migrate`]), how a list is
//! counted and paged ([`page`]). SQL elsewhere uses `$1` placeholders, `RETURNING` and
//! `ON CONFLICT`, 64-bit integers and text, which both engines read alike.

mod columns;
mod connection;
mod failure;
mod functions;
mod kept;
mod long;
pub mod migrate;
mod once;
mod options;
pub mod page;
mod pieces;
pub mod plans;
mod read;
pub mod schema;
pub mod sql;
mod sqlite;
mod times;
mod transact;
mod tx;
mod writer;

use std::iter;
use std::ops::Add;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::FutureExt;
use serde::Serialize;
use sqlx::any::AnyConnectOptions;
use sqlx::{AnyConnection, AnyPool, Connection as _};

pub use columns::{Flag, JsonText, code, flag, json, optional_code};
pub use connection::Connection;
pub use failure::{is_contention, is_full, is_lost, is_overlong, is_unknown};
pub use once::{Claim, Earlier, Stand};
pub use pieces::{padded, pieces};
pub use read::Reads;
pub use sql::Sql;
pub use times::Times;
pub use transact::Try;
pub use tx::Tx;

use crate::clock::Clock;
use crate::crypto::{Keys, LedgerKey};
use connection::{ChainKeys, Inner};
use kept::Kept;
use once::Repeated;
use options::{PAGE_SETTINGS, WORKER_SETTINGS, open_writer, postgres_options, sqlite_options, with_create_mode};
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
    /// The pools of PostgreSQL, this handle's among them.
    pools: Option<Pools>,
    /// The file of SQLite.
    file: Option<PathBuf>,
    times: Arc<Times>,
    /// The key under which the request of this handle is made once.
    claim: Option<Arc<Claim>>,
    /// Seals the entries of the audit trail and of the ledger.
    chain_keys: Option<ChainKeys>,
}

/// Where write transactions run.
#[derive(Clone)]
enum Writes {
    Postgres(AnyPool),
    Sqlite(Writer),
}

/// The pools of connections to PostgreSQL: a flood of one kind of work leaves the other its own.
#[derive(Clone)]
struct Pools {
    /// Of calls and pages, whose callers wait.
    pages: AnyPool,
    /// Of what works behind them, and of commands.
    workers: AnyPool,
    /// Connections of `pages` that are kept for the next reads.
    kept: Arc<Kept>,
}

/// Pooled connections.
#[derive(Clone, Copy, Debug)]
pub struct Connections {
    pub in_use: u32,
    pub idle: u32,
    /// Most that the pools open.
    pub most: u32,
}

/// An answer within this time tells what the database's clock says.
const PROMPT: Duration = Duration::from_secs(1);
/// Connections that a process opens to SQLite for long reads, and as many for streamed ones, at most.
const SQLITE_READERS: u32 = 8;
/// Connections that a process opens to PostgreSQL for calls and pages, and for its workers, at most:
/// writers wait for its disk side by side.
const POSTGRES_CONNECTIONS: (u32, u32) = (16, 16);

impl Db {
    /// Opens `sqlite:PATH` (the file is made, its folder is not) or `postgres://…`.
    ///
    /// SQLite runs in WAL mode with foreign keys on and full synchronisation, so a write that was
    /// answered survives a killed process and a power cut. It has a single writing connection:
    /// writers queue in this process instead of failing on a locked file.
    pub async fn connect(url: &str) -> Result<Db, sqlx::Error> {
        sqlx::any::install_default_drivers();
        functions::register();
        let times = Arc::new(Times::default());
        let engine = engine_of(url);
        match engine {
            Engine::Postgres => {
                // A pool keeps trying and then only says that it ran out of time; this says why.
                AnyConnection::connect(url).await?.close().await?;
                let options = AnyConnectOptions::from_str(url)?;
                let (pages, workers) = POSTGRES_CONNECTIONS;
                let pools = Pools {
                    pages: postgres_options(pages, PAGE_SETTINGS).connect_with(options.clone()).await?,
                    workers: postgres_options(workers, WORKER_SETTINGS).connect_lazy_with(options),
                    kept: Arc::default(),
                };
                let read = Reads::of_pages(pools.pages.clone(), pools.kept.clone(), times.clone());
                let write = Writes::Postgres(pools.pages.clone());
                Ok(Db { engine, read, write, pools: Some(pools), file: None, times, claim: None, chain_keys: None })
            }
            Engine::Sqlite => {
                let file = file_of(url);
                sqlite::whole(&file)?;
                sqlite::keep_private(&file)?;
                let options = AnyConnectOptions::from_str(&with_create_mode(url))?;
                let read = sqlite_options(SQLITE_READERS).connect_lazy_with(options);
                let read = Reads::of_file(file.clone(), SQLITE_READERS, read, times.clone());
                // A connection reads the whole schema first; the first of the readers does so beside the writer.
                read.open_ahead();
                let write = open_writer(&file).await?;
                Ok(Db { engine, read, write: Writes::Sqlite(write), pools: None, file: Some(file), times, claim: None, chain_keys: None })
            }
        }
    }

    /// Opens a database that is there already: of SQLite no file is made.
    pub async fn existing(url: &str) -> Result<Db, sqlx::Error> {
        if url.starts_with("sqlite:") && !file_of(url).exists() {
            return Err(sqlx::Error::Protocol(format!("there is no file {}", file_of(url).display())));
        }
        Db::connect(url).await
    }

    /// The same database, whose transactions can write into the audit trail and the ledger.
    pub fn sealing(self, keys: &Keys) -> Db {
        Db { chain_keys: Some(ChainKeys::of(keys)), ..self }
    }

    /// The key of the ledger's hashes.
    pub fn ledger_key(&self) -> Result<Arc<LedgerKey>, sqlx::Error> {
        ChainKeys::ledger(self.chain_keys.as_ref())
    }

    /// The same database for work that no caller waits for. On PostgreSQL it has connections of its own, on
    /// which a statement may take as long as the figures of years do.
    pub fn for_workers(&self) -> Db {
        let Some(pools) = &self.pools else { return self.clone() };
        let read = Reads::of_pool(pools.workers.clone(), self.times.clone());
        Db { read, write: Writes::Postgres(pools.workers.clone()), ..self.clone() }
    }

    /// The same database for a request that is made once: each of its transactions claims the request's
    /// key before anything else, and does not begin where the request was made before.
    pub fn claiming(&self, claim: Arc<Claim>) -> Db {
        Db { claim: Some(claim), ..self.clone() }
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
            Writes::Postgres(pool) => {
                self.read.make_room();
                Inner::Postgres(pool.begin().await?)
            }
            Writes::Sqlite(writer) => Inner::Sqlite(writer.begin().await?),
        };
        self.times.waits.record(asked.elapsed());
        let mut tx = Tx::new(inner, self.times.clone(), self.chain_keys.clone());
        if let Some(claim) = &self.claim {
            if !claim.enter(&mut tx).await? {
                // Nothing was written, but on SQLite the answer may be given only once what was read is on the disk.
                tx.commit().await?;
                return Err(sqlx::Error::AnyDriverError(Box::new(Repeated)));
            }
            tx.claimed_by(claim.clone());
        }
        Ok(tx)
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

    /// Holds several named locks at once until the transaction ends, and waits for them in an order that
    /// is the same for all: two transactions that want some of the same locks never wait for each other.
    pub async fn lock_all(&self, tx: &mut Tx, names: &[String]) -> Result<(), sqlx::Error> {
        if self.engine == Engine::Sqlite || names.is_empty() {
            return Ok(());
        }
        // All in one statement: the order of the keys is that of the whole.
        let mut sql =
            Sql::new("SELECT COUNT(pg_advisory_xact_lock(key)) FROM (SELECT DISTINCT hashtextextended(name, 0) AS key FROM (VALUES ");
        // So many as a power of two, so that few texts are prepared; one name more often is one lock.
        for (index, name) in names.iter().chain(iter::repeat(&names[0])).take(names.len().next_power_of_two()).enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(name.clone()).push(")");
        }
        sql.push(") AS n (name) ORDER BY key OFFSET 0) AS keys");
        sql.execute(&mut **tx).await.map(drop)
    }

    /// Holds a named lock with others who hold it so, until the transaction ends: only a transaction
    /// that takes [`Db::lock`] of the same name waits for them, and they wait for it.
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

    /// What the database's clock says, as [`Tx::now`] does: for a look at what is due.
    pub async fn now(&self, clock: &Clock) -> Result<i64, sqlx::Error> {
        match self.engine {
            Engine::Sqlite => Ok(clock.now()),
            Engine::Postgres => {
                let now: i64 = sqlx::query_scalar(tx::NOW).fetch_one(&self.read).await?;
                Ok(now + clock.ahead())
            }
        }
    }

    /// Sets a process's clock right by the database's, so that days, caps and due times mean the
    /// same on every node. On SQLite there is nothing to be compared with.
    pub async fn set_right(&self, clock: &Clock) -> Result<(), sqlx::Error> {
        let (asked, here) = (Instant::now(), clock.now());
        let there = self.now(clock).await?;
        let took = asked.elapsed();
        // An answer that took long says nothing of either clock.
        if self.engine == Engine::Postgres && took < PROMPT {
            clock.correct(there - here - took.as_millis() as i64 / 2);
        }
        Ok(())
    }

    /// Answers whether the database answers.
    pub async fn ping(&self) -> Result<(), sqlx::Error> {
        sqlx::query("SELECT 1").execute(&self.read).await.map(drop)
    }

    /// Whether writes find room on the disk: after one that did not, whether a small one does again.
    pub async fn can_write(&self) -> Result<(), sqlx::Error> {
        if !self.times.is_full() {
            return Ok(());
        }
        const SMALL: &str = "UPDATE schema_fence SET probes = probes + 1 WHERE id = 1";
        self.transact(|mut tx| async move { sqlx::query(SMALL).execute(&mut **tx).await.map(drop) }.boxed()).await
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

    /// The pooled connections of this process, of all kinds.
    pub fn connections(&self) -> Connections {
        match (&self.write, &self.pools) {
            (Writes::Sqlite(writer), _) => {
                let busy = u32::from(writer.is_busy());
                self.read.connections() + Connections { in_use: busy, idle: 1 - busy, most: 1 }
            }
            (Writes::Postgres(pool), None) => Connections::of(pool),
            (Writes::Postgres(_), Some(pools)) => {
                let (pages, kept) = (Connections::of(&pools.pages), pools.kept.count());
                let pages = Connections { in_use: pages.in_use.saturating_sub(kept), idle: pages.idle + kept, ..pages };
                pages + Connections::of(&pools.workers)
            }
        }
    }

    /// How long reads and writes have taken.
    pub fn times(&self) -> &Times {
        &self.times
    }

    /// Closes all connections, waiting for those in use.
    pub async fn close(&self) {
        if let Some(pools) = &self.pools {
            pools.kept.close();
            pools.pages.close().await;
            pools.workers.close().await;
        }
        self.read.close().await;
        if let Writes::Sqlite(writer) = &self.write {
            writer.close().await;
        }
    }
}

impl Connections {
    fn of(pool: &AnyPool) -> Connections {
        let idle = u32::try_from(pool.num_idle()).unwrap_or(u32::MAX);
        Connections { in_use: pool.size().saturating_sub(idle), idle, most: pool.options().get_max_connections() }
    }
}

impl Add for Connections {
    type Output = Connections;

    fn add(self, other: Connections) -> Connections {
        Connections { in_use: self.in_use + other.in_use, idle: self.idle + other.idle, most: self.most + other.most }
    }
}

/// The engine that an address names.
pub fn engine_of(url: &str) -> Engine {
    if url.starts_with("postgres:") || url.starts_with("postgresql:") { Engine::Postgres } else { Engine::Sqlite }
}

/// The file that a `sqlite:` address names.
pub fn file_of(url: &str) -> PathBuf {
    let path = url.trim_start_matches("sqlite:").trim_start_matches("//");
    PathBuf::from(path.split('?').next().unwrap_or(path))
}

/// Whether a write failed because a unique constraint or index already holds the value.
pub fn is_duplicate(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(cause) if cause.is_unique_violation())
}

/// Whether a write failed because another row still refers to this one, or the one it names is missing.
pub fn is_foreign_key(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Database(cause) if cause.is_foreign_key_violation())
}
