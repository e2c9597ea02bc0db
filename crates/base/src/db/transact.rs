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
        let mut tries = Tries::of(self);
        loop {
            let mut tx = tries.begin().await?;
            match work(Try { tx: &mut tx, env: PhantomData }).await {
                Ok(done) => {
                    if tries.commit(tx).await? {
                        return Ok(done);
                    }
                }
                Err(error) => {
                    if !tries.undo(tx).await {
                        return Err(error);
                    }
                }
            }
        }
    }
}

/// The tries of one transaction. Code that does not depend on the work is here, so that it is compiled once.
struct Tries<'d> {
    db: &'d Db,
    began: Instant,
    tried: u32,
    pause: Duration,
    /// Whether there may be another try after the present one.
    again: bool,
}

impl Tries<'_> {
    fn of(db: &Db) -> Tries<'_> {
        Tries { db, began: Instant::now(), tried: 0, pause: PAUSE, again: true }
    }

    /// Begins the next try.
    async fn begin(&mut self) -> Result<Tx, sqlx::Error> {
        loop {
            self.tried += 1;
            self.again = self.tried < TRIES && self.began.elapsed() < PATIENCE;
            match self.db.begin().await {
                Err(error) if self.again && (is_contention(&error) || is_lost(&error)) => self.wait().await,
                begun => return begun,
            }
        }
    }

    /// Commits a try whose work is done; false if the commit was refused, and so undone, and there is another try.
    async fn commit(&mut self, tx: Tx) -> Result<bool, sqlx::Error> {
        match tx.commit().await {
            Ok(()) => Ok(true),
            Err(error) if self.again && is_contention(&error) => {
                self.wait().await;
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }

    /// Undoes a try whose work failed, and returns whether there is another.
    async fn undo(&mut self, tx: Tx) -> bool {
        let again = self.again && tx.may_be_tried_again();
        drop(tx);
        if again {
            self.wait().await;
        }
        again
    }

    /// Waits before the next try.
    async fn wait(&mut self) {
        tracing::debug!(tried = self.tried, "a transaction is tried again");
        // At a random moment, so that not all retry together.
        sleep(self.pause.mul_f64(rand::random())).await;
        self.pause *= 2;
    }
}
