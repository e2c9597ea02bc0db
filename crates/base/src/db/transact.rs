//! Writes that are tried again after a conflict.
//!
//! Which writes are: those that go through [`Db::transact`]. Their work reads and writes the database alone, so doing
//! it again does it once. Receipts, plans, returns, applicants, settings, sign-ins, the menu, imports and every change by
//! `api::versioned::change` are written so.
//!
//! Which are not: transactions that are begun by [`Db::begin`]. A conflict ends them, and nothing of them is done:
//! - A call answers 5003 ("busy"). Its sender may send it again, with its `Idempotency-Key` or without.
//! - A worker leaves the work, and does it when it looks again: what it leased is due again when the lease ends.
//! - The outcome of a call that was made to another server is written again until the lease ends
//!   (`outbox::write_outcome`); the call itself is not repeated.
//!
//! Work that does something besides the database between its begin and its commit must not go through
//! [`Db::transact`].

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tokio::time::sleep;

use super::failure::{is_contention, is_lost};
use super::{Db, Tx};

/// Tries of one transaction, at most.
const TRIES: u32 = 5;
/// After this long there is no further try: a caller waits for the answer.
const PATIENCE: Duration = Duration::from_secs(12);
/// How long the second try waits, at most; each further one twice as long.
const PAUSE: Duration = Duration::from_millis(20);

/// The transaction of one try; what does the work borrows it, and may borrow what lives as long as
/// `'env`. (An async closure would say the same, but nothing can yet say of one that it may change
/// threads.)
pub struct Try<'t, 'env: 't> {
    tx: &'t mut Tx,
    env: PhantomData<&'t &'env ()>,
}

impl<'env> Try<'_, 'env> {
    /// The same, lent to a part of the work.
    pub fn lend(&mut self) -> Try<'_, 'env> {
        Try { tx: self.tx, env: PhantomData }
    }
}

impl Deref for Try<'_, '_> {
    type Target = Tx;

    fn deref(&self) -> &Tx {
        self.tx
    }
}

impl DerefMut for Try<'_, '_> {
    fn deref_mut(&mut self) -> &mut Tx {
        self.tx
    }
}

impl Db {
    /// Does some work in a transaction and commits it. After a conflict (PostgreSQL cannot put two transactions in an
    /// order, they wait for each other, a lock is held for too long), or where the connection is lost before the
    /// commit, nothing of the work is done, and all of it is done again: so it may change nothing but the database. It
    /// is tried five times, for twelve seconds at most. Any other error is a refusal: the work is undone, and not tried
    /// again.
    ///
    /// ```ignore
    /// let id = db.transact(|mut tx| async move { store::insert(&mut tx, &row).await }.boxed()).await?;
    /// ```
    ///
    /// Where the connection is lost in the commit itself, whether it was made is not known. The work is not done
    /// again, and the error is one of its own: [`super::is_unknown`].
    pub async fn transact<'env, T, E: From<sqlx::Error>>(
        &self,
        mut work: impl for<'t> FnMut(Try<'t, 'env>) -> BoxFuture<'t, Result<T, E>>,
    ) -> Result<T, E> {
        let began = Instant::now();
        let mut pause = PAUSE;
        for tried in 1.. {
            let again = tried < TRIES && began.elapsed() < PATIENCE;
            match self.begin().await {
                Ok(mut tx) => match work(Try { tx: &mut tx, env: PhantomData }).await {
                    Ok(done) => match tx.commit().await {
                        Ok(()) => return Ok(done),
                        // Refused, and so undone.
                        Err(error) if again && is_contention(&error) => {}
                        Err(error) => return Err(error.into()),
                    },
                    Err(_) if again && tx.may_be_tried_again() => {}
                    Err(error) => return Err(error),
                },
                Err(error) if again && (is_contention(&error) || is_lost(&error)) => {}
                Err(error) => return Err(error.into()),
            }
            tracing::debug!(tried, "a transaction is tried again");
            // Not all of them at the same moment.
            sleep(pause.mul_f64(rand::random())).await;
            pause *= 2;
        }
        unreachable!("the last try returns")
    }
}
