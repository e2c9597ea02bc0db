//! The one way to write: a transaction that is tried again while others stand in its way.

use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::time::{Duration, Instant};

use futures_util::future::BoxFuture;
use tokio::time::sleep;

use super::failure::{is_contention, is_lost};
use super::{Db, Tx};

/// Tries of one transaction, at most.
const TRIES: u32 = 5;
/// After this long there is no further try: somebody waits.
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
    /// Does some work in a transaction and commits it. When others stand in the way (PostgreSQL would not
    /// have them one after the other, they waited for each other, one held a lock for too long), or the
    /// connection is lost before the commit, nothing of it is done, and all of it is done again: so it may
    /// change nothing but the database. Whatever else it answers with is a refusal, and undone.
    ///
    /// ```ignore
    /// let id = db.transact(|mut tx| async move { store::insert(&mut tx, &row).await }.boxed()).await?;
    /// ```
    ///
    /// A connection that is lost in the commit itself leaves nobody to say whether it was made. It is
    /// never done again, and is an error of its own: [`super::is_unknown`].
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
