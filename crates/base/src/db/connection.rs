//! A connection for several statements in a row, in a transaction or not, on either engine: an
//! executor for `sqlx` queries.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use futures_util::{FutureExt, TryFutureExt, TryStreamExt};
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::pool::PoolConnection;
use sqlx::{Any, Either, Error, Execute, Executor, SqlStr, Transaction};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

use super::failure::Failure;
use super::sql::Sql;
use super::sqlite::{Ran, Sqlite};
use super::times::Times;
use super::writer::Part;
use crate::crypto::{Keys, LedgerKey, TrailKey};

/// A statement with so many values writes many rows.
const LONG: usize = 64;

/// The keys of hashes that are written together with their content.
#[derive(Clone)]
pub(super) struct ChainKeys {
    trail: Arc<TrailKey>,
    ledger: Arc<LedgerKey>,
}

impl ChainKeys {
    pub fn of(keys: &Keys) -> ChainKeys {
        ChainKeys { trail: Arc::new(keys.trail_key()), ledger: Arc::new(keys.ledger_key()) }
    }

    /// The key of the ledger. A database that was opened without its keys has none.
    pub fn ledger(keys: Option<&ChainKeys>) -> Result<Arc<LedgerKey>, Error> {
        let missing = || Error::Protocol("this database was opened without the key of the ledger".to_owned());
        keys.map(|keys| keys.ledger.clone()).ok_or_else(missing)
    }
}

/// A connection.
pub struct Connection {
    pub(super) inner: Inner,
    pub(super) notes: Notes,
    /// Seals entries of the audit trail and the ledger in the transaction.
    chain_keys: Option<ChainKeys>,
}

/// Notes on the statements of a transaction.
#[derive(Default)]
pub(super) struct Notes {
    /// The first failure: on PostgreSQL the transaction cannot be committed then.
    pub failure: Option<Failure>,
    times: Option<Arc<Times>>,
}

impl Notes {
    fn failed(&mut self, error: &Error) {
        self.failure.get_or_insert(Failure::of(error));
        if let Some(times) = &self.times {
            times.failed(error);
        }
    }
}

pub(super) enum Inner {
    /// For reading, on either engine.
    Pooled(PoolConnection<Any>),
    Postgres(Transaction<'static, Any>),
    Sqlite(Part),
}

impl Connection {
    /// One for reading.
    pub(super) fn pooled(pooled: PoolConnection<Any>) -> Connection {
        Connection { inner: Inner::Pooled(pooled), notes: Notes::default(), chain_keys: None }
    }

    /// Ends a `SELECT` so that the rows of a table, by its name in the statement, are locked until the transaction
    /// ends, as by an update, but without writing them. SQLite does not need it: its write transactions run one after
    /// the other.
    pub fn hold(&self, sql: &mut Sql, table: &'static str) {
        if matches!(self.inner, Inner::Postgres(_)) {
            sql.push(" FOR NO KEY UPDATE OF ").push(table);
        }
    }

    /// The same, for the first row that no other transaction has locked.
    pub fn hold_free(&self, sql: &mut Sql, table: &'static str) {
        self.hold(sql, table);
        if matches!(self.inner, Inner::Postgres(_)) {
            sql.push(" SKIP LOCKED");
        }
    }

    /// One in a transaction.
    pub(super) fn writing(inner: Inner, times: Arc<Times>, chain_keys: Option<ChainKeys>) -> Connection {
        Connection { inner, notes: Notes { failure: None, times: Some(times) }, chain_keys }
    }

    /// The key of the audit trail's hashes. A database opened without its keys writes no trail.
    pub fn trail_key(&self) -> Result<Arc<TrailKey>, Error> {
        let missing = || Error::Protocol("this database was opened without the key of the audit trail".to_owned());
        self.chain_keys.as_ref().map(|keys| keys.trail.clone()).ok_or_else(missing)
    }

    /// The key of the ledger's hashes. A database opened without its keys writes no entry.
    pub fn ledger_key(&self) -> Result<Arc<LedgerKey>, Error> {
        ChainKeys::ledger(self.chain_keys.as_ref())
    }
}

/// Runs a statement of SQLite in place, with the thread's tasks moved away if it may take long.
fn run(sqlite: &mut Sqlite, sql: &SqlStr, arguments: Option<&AnyArguments>) -> Result<Ran, Error> {
    match arguments.is_some_and(|arguments| arguments.values.0.len() >= LONG) {
        true => away(|| sqlite.run(sql.as_str(), arguments)),
        false => sqlite.run(sql.as_str(), arguments),
    }
}

/// Runs slow work while other threads take over the tasks of this one.
pub(super) fn away<T>(what: impl FnOnce() -> T) -> T {
    match Handle::try_current().map(|runtime| runtime.runtime_flavor()) {
        Ok(RuntimeFlavor::MultiThread) => block_in_place(what),
        _ => what(),
    }
}

impl fmt::Debug for Connection {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Connection")
    }
}

impl<'c> Executor<'c> for &'c mut Connection {
    type Database = Any;

    fn fetch_many<'e, 'q: 'e, E>(self, mut query: E) -> BoxStream<'e, Result<Either<AnyQueryResult, AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let Connection { inner, notes, .. } = self;
        match inner {
            Inner::Pooled(pooled) => (&mut **pooled).fetch_many(query),
            Inner::Postgres(transaction) => (&mut **transaction).fetch_many(query).inspect_err(|error| notes.failed(error)).boxed(),
            Inner::Sqlite(part) => {
                let ran = async move {
                    let arguments = query.take_arguments().map_err(Error::Encode)?;
                    run(part.sqlite()?, &query.sql(), arguments.as_ref()).inspect_err(|error| notes.failed(error))
                };
                let into_stream = |ran: Result<Ran, Error>| match ran {
                    Ok(Ran { rows, result }) => {
                        let rows = rows.into_iter().map(|row| Ok(Either::Right(row)));
                        stream::iter(rows.chain([Ok(Either::Left(result))]).collect::<Vec<_>>())
                    }
                    Err(error) => stream::iter(vec![Err(error)]),
                };
                ran.map(into_stream).flatten_stream().boxed()
            }
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, mut query: E) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let Connection { inner, notes, .. } = self;
        match inner {
            Inner::Pooled(pooled) => (&mut **pooled).fetch_optional(query),
            Inner::Postgres(transaction) => Box::pin((&mut **transaction).fetch_optional(query).inspect_err(|error| notes.failed(error))),
            Inner::Sqlite(part) => Box::pin(async move {
                let arguments = query.take_arguments().map_err(Error::Encode)?;
                let ran = run(part.sqlite()?, &query.sql(), arguments.as_ref()).inspect_err(|error| notes.failed(error))?;
                Ok(ran.rows.into_iter().next())
            }),
        }
    }

    fn execute<'e, 'q: 'e, E>(self, mut query: E) -> BoxFuture<'e, Result<AnyQueryResult, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        let Connection { inner, notes, .. } = self;
        match inner {
            Inner::Pooled(pooled) => (&mut **pooled).execute(query),
            Inner::Postgres(transaction) => Box::pin((&mut **transaction).execute(query).inspect_err(|error| notes.failed(error))),
            Inner::Sqlite(part) => Box::pin(async move {
                let arguments = query.take_arguments().map_err(Error::Encode)?;
                let ran = run(part.sqlite()?, &query.sql(), arguments.as_ref()).inspect_err(|error| notes.failed(error))?;
                Ok(ran.result)
            }),
        }
    }

    fn prepare_with<'e>(self, _: SqlStr, _: &'e [AnyTypeInfo]) -> BoxFuture<'e, Result<AnyStatement, Error>>
    where
        'c: 'e,
    {
        Box::pin(async { Err(Error::Protocol("statements are run here, not prepared".to_owned())) })
    }
}
