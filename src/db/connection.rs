//! A connection for several statements in a row, in a transaction or not, on either engine: an
//! executor for `sqlx` queries.

use std::fmt;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use futures_util::stream::{self, BoxStream, StreamExt};
use sqlx::any::{AnyArguments, AnyQueryResult, AnyRow, AnyStatement, AnyTypeInfo};
use sqlx::pool::PoolConnection;
use sqlx::{Any, Either, Error, Execute, Executor, SqlStr, Transaction};
use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::block_in_place;

use super::sqlite::{Ran, Sqlite};
use super::writer::Part;

/// A statement with so many values writes many rows.
const LONG: usize = 64;

/// A connection.
pub struct Connection(pub(super) Inner);

pub(super) enum Inner {
    /// For reading, on either engine.
    Pooled(PoolConnection<Any>),
    Postgres(Transaction<'static, Any>),
    Sqlite(Part),
}

/// Runs a statement of SQLite in place: away from the tasks of its thread, if it may take long.
fn run(sqlite: &mut Sqlite, sql: &SqlStr, arguments: Option<&AnyArguments>) -> Result<Ran, Error> {
    match arguments.is_some_and(|arguments| arguments.values.0.len() >= LONG) {
        true => away(|| sqlite.run(sql.as_str(), arguments)),
        false => sqlite.run(sql.as_str(), arguments),
    }
}

/// Does something that takes long while other threads take over the tasks of this one.
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
        match &mut self.0 {
            Inner::Pooled(pooled) => (&mut **pooled).fetch_many(query),
            Inner::Postgres(transaction) => (&mut **transaction).fetch_many(query),
            Inner::Sqlite(part) => {
                let ran = async move {
                    let arguments = query.take_arguments().map_err(Error::Encode)?;
                    run(part.sqlite()?, &query.sql(), arguments.as_ref())
                };
                let told = |ran: Result<Ran, Error>| match ran {
                    Ok(Ran { rows, result }) => {
                        let rows = rows.into_iter().map(|row| Ok(Either::Right(row)));
                        stream::iter(rows.chain([Ok(Either::Left(result))]).collect::<Vec<_>>())
                    }
                    Err(error) => stream::iter(vec![Err(error)]),
                };
                ran.map(told).flatten_stream().boxed()
            }
        }
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, mut query: E) -> BoxFuture<'e, Result<Option<AnyRow>, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match &mut self.0 {
            Inner::Pooled(pooled) => (&mut **pooled).fetch_optional(query),
            Inner::Postgres(transaction) => (&mut **transaction).fetch_optional(query),
            Inner::Sqlite(part) => Box::pin(async move {
                let arguments = query.take_arguments().map_err(Error::Encode)?;
                Ok(run(part.sqlite()?, &query.sql(), arguments.as_ref())?.rows.into_iter().next())
            }),
        }
    }

    fn execute<'e, 'q: 'e, E>(self, mut query: E) -> BoxFuture<'e, Result<AnyQueryResult, Error>>
    where
        'c: 'e,
        E: 'q + Execute<'q, Any>,
    {
        match &mut self.0 {
            Inner::Pooled(pooled) => (&mut **pooled).execute(query),
            Inner::Postgres(transaction) => (&mut **transaction).execute(query),
            Inner::Sqlite(part) => Box::pin(async move {
                let arguments = query.take_arguments().map_err(Error::Encode)?;
                Ok(run(part.sqlite()?, &query.sql(), arguments.as_ref())?.result)
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
