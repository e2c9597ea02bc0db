//! A write transaction whose time is counted.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Instant;

use super::connection::{ChainKeys, Connection, Inner};
use super::failure::{self, Failure};
use super::once::Claim;
use super::times::Times;
use crate::clock::Clock;

/// A transaction on either engine; dropping it without `commit` rolls it back.
pub struct Tx {
    connection: Connection,
    began: Instant,
    times: Arc<Times>,
    /// The key of its request, if it has one.
    claim: Option<Arc<Claim>>,
    /// The answer is part of the transaction.
    answered: bool,
}

impl Tx {
    pub(super) fn new(inner: Inner, times: Arc<Times>, chain_keys: Option<ChainKeys>) -> Tx {
        Tx { connection: Connection::writing(inner, times.clone(), chain_keys), began: Instant::now(), times, claim: None, answered: false }
    }

    /// Commits. If the connection is lost meanwhile it is unknown whether it did: [`super::is_unknown`].
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        let Connection { inner, notes, .. } = self.connection;
        let committed = match inner {
            Inner::Pooled(_) => Ok(()),
            // PostgreSQL would roll back without an error.
            Inner::Postgres(_) if notes.failure.is_some() => {
                Err(sqlx::Error::Protocol("a transaction of which a statement had failed was to be committed".to_owned()))
            }
            Inner::Postgres(transaction) => transaction.commit().await.map_err(failure::of_commit),
            Inner::Sqlite(part) => part.commit().await,
        };
        committed.inspect_err(|error| self.times.failed(error))?;
        self.times.wrote();
        if let Some(claim) = &self.claim {
            claim.hold(self.answered);
        }
        self.times.writes.record(self.began.elapsed());
        Ok(())
    }

    /// Rolls back.
    pub async fn rollback(self) -> Result<(), sqlx::Error> {
        match self.connection.inner {
            Inner::Postgres(transaction) => transaction.rollback().await,
            // Dropping it undoes it.
            Inner::Pooled(_) | Inner::Sqlite(_) => Ok(()),
        }
    }

    /// The database's clock, epoch milliseconds, plus the amount by which a test has set `clock` forward: leases
    /// between nodes are measured by one clock, however wrong their own are. On SQLite all writers are on one
    /// machine, whose clock is used.
    pub async fn now(&mut self, clock: &Clock) -> Result<i64, sqlx::Error> {
        match &self.connection.inner {
            Inner::Postgres(_) => {
                let now: i64 = sqlx::query_scalar(NOW).fetch_one(&mut self.connection).await?;
                Ok(now + clock.ahead())
            }
            Inner::Pooled(_) | Inner::Sqlite(_) => Ok(clock.now()),
        }
    }

    /// Whether another try may succeed: other transactions were in the way.
    pub(super) fn may_be_tried_again(&self) -> bool {
        self.connection.notes.failure == Some(Failure::Passing)
    }

    /// Connects the transaction with the key of its request.
    pub(super) fn claimed_by(&mut self, claim: Arc<Claim>) {
        self.claim = Some(claim);
    }

    /// Stores the sealed answer of the request with its work, if the request has a key.
    pub async fn keep_answer(&mut self, seal: impl FnOnce(&Claim) -> String) -> Result<(), sqlx::Error> {
        let Some(claim) = &self.claim else { return Ok(()) };
        claim.keep(&mut self.connection, seal(claim)).await?;
        self.answered = true;
        Ok(())
    }
}

/// The wall clock of PostgreSQL, epoch milliseconds: not the moment at which the transaction began.
pub(super) const NOW: &str = "SELECT (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::BIGINT";

impl Deref for Tx {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.connection
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.connection
    }
}
