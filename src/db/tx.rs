//! A write transaction whose length is counted.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::time::Instant;

use sqlx::{Any, AnyConnection, Transaction};

use super::times::Times;

/// A transaction on either engine; dropping it without `commit` rolls it back.
pub struct Tx {
    inner: Transaction<'static, Any>,
    began: Instant,
    times: Arc<Times>,
}

impl Tx {
    pub(super) fn new(inner: Transaction<'static, Any>, times: Arc<Times>) -> Tx {
        Tx { inner, began: Instant::now(), times }
    }

    /// Makes what was written last.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        self.inner.commit().await?;
        self.times.writes.record(self.began.elapsed());
        Ok(())
    }

    /// Takes back what was written.
    pub async fn rollback(self) -> Result<(), sqlx::Error> {
        self.inner.rollback().await
    }
}

impl Deref for Tx {
    type Target = AnyConnection;

    fn deref(&self) -> &AnyConnection {
        &self.inner
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut AnyConnection {
        &mut self.inner
    }
}
