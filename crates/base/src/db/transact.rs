//! Writes that are tried again after a conflict.
//!
//! Repeated are those through [`Db::transact`]. Their work reads and writes the database alone, so a repetition has
//! the effect of one run. Receipts, plans, returns, applicants, settings, sign-ins, the menu, imports and every
//! change by `api::versioned::change` are written in this way.
//!
//! Not repeated are transactions begun by [`Db::begin`]. A conflict ends them, and nothing is written:
//! - A call answers 5003 ("busy"). Its sender may send it again, with its `Idempotency-Key` or without.
//! - A worker leaves the work until its next look: what it leased is due again when the lease ends.
//! - The outcome of a call to another server is written again until the lease ends (`outbox::write_outcome`); the
//!   call itself is not repeated.
//!
//! Work with other effects than on the database between its begin and its commit must not go through
//! [`Db::transact`].

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tokio::time::sleep;

use super::failure::{is_contention, is_lost};
use super::{Db, Tx};

/// The most tries of one transaction.
const TRIES: u32 = 5;
/// After this long there is no further try, since a caller waits for the answer.
const PATIENCE: Duration = Duration::from_secs(12);
/// The longest pause before the second try; each further pause is twice as long.
const PAUSE: Duration = Duration::from_millis(20);

/// The transaction of one try; the work borrows it, and may borrow anything that lives as long as `'env`. (An async
/// closure would do the same, but cannot be declared `Send` yet.)
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
    /// Does work in a transaction and commits it. After a conflict (PostgreSQL cannot serialise two transactions,
    /// they are in a deadlock, a lock is held too long), or if the connection is lost before the commit, nothing is
    /// written, and all of the work is done again: so it may change nothing but the database. It is tried five times,
    /// for twelve seconds at most. Any other error is a refusal: the work is undone, and not tried again.
    ///
    /// ```ignore
    /// let id = db.transact(|mut tx| async move { store::insert(&mut tx, &row).await }.boxed()).await?;
    /// ```
    ///
    /// If the connection is lost during the commit, it is unknown whether it was made. The work is not repeated, and
    /// there is a separate error: [`super::is_unknown`].
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
