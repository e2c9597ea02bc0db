//! A write transaction whose length is counted.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Instant;

use super::connection::{Connection, Inner};
use super::times::Times;

/// A transaction on either engine; dropping it without `commit` rolls it back.
pub struct Tx {
    connection: Connection,
    began: Instant,
    times: Arc<Times>,
}

impl Tx {
    pub(super) fn new(inner: Inner, times: Arc<Times>) -> Tx {
        Tx { connection: Connection(inner), began: Instant::now(), times }
    }

    /// Makes what was written last.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        match self.connection.0 {
            Inner::Pooled(_) => {}
            Inner::Postgres(transaction) => transaction.commit().await?,
            Inner::Sqlite(part) => part.commit().await?,
        }
        self.times.writes.record(self.began.elapsed());
        Ok(())
    }

    /// Takes back what was written.
    pub async fn rollback(self) -> Result<(), sqlx::Error> {
        match self.connection.0 {
            Inner::Postgres(transaction) => transaction.rollback().await,
            // Dropped, it is undone.
            Inner::Pooled(_) | Inner::Sqlite(_) => Ok(()),
        }
    }
}

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
