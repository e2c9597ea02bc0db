//! Connections to PostgreSQL that short reads have just used.
//!
//! After each use of a connection the pool asks the server whether it is still whole: a second trip for each statement. A
//! page reads three or four times, so a read that succeeded keeps its connection here for the next one. One that failed, or
//! was given up, goes back to the pool and is tested there.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Connection as _, Error};
use tokio::runtime::Handle;
use tokio::time::timeout;

use super::options::UNUSED;

/// At most this many are kept: a quarter of the pool.
const MOST: usize = 4;
/// After this time a connection goes back to the pool, which closes those that are old.
const LONGEST: Duration = Duration::from_secs(600);
/// How long a connection that was not used for a while may take to answer. A server that is gone may never answer.
const PING: Duration = Duration::from_secs(2);

#[derive(Default)]
pub struct Kept {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The one used last at the end.
    free: Vec<Free>,
    is_closed: bool,
}

/// A connection between two reads.
struct Free {
    connection: PoolConnection<Any>,
    /// When the pool gave it.
    taken: Instant,
    used: Instant,
}

/// A connection for one read.
pub struct Lent {
    pub connection: PoolConnection<Any>,
    taken: Instant,
}

impl Kept {
    /// A connection for one read: a kept one, or one of the pool.
    pub async fn take(&self, pool: &AnyPool) -> Result<Lent, Error> {
        loop {
            // By itself: the lock ends before the wait.
            let found = self.state().free.pop();
            let Some(Free { mut connection, taken, used }) = found else {
                return Ok(Lent { connection: pool.acquire().await?, taken: Instant::now() });
            };
            if used.elapsed() < UNUSED || matches!(timeout(PING, connection.ping()).await, Ok(Ok(()))) {
                return Ok(Lent { connection, taken });
            }
            connection.close_on_drop();
        }
    }

    /// Keeps the connection of a read that succeeded. If the pool has no other to give, it goes back to the pool: another may
    /// wait for it there.
    pub fn put(&self, pool: &AnyPool, Lent { connection, taken }: Lent) {
        if !has_more(pool) || taken.elapsed() > LONGEST {
            return;
        }
        let mut state = self.state();
        if !state.is_closed && state.free.len() < MOST {
            state.free.push(Free { connection, taken, used: Instant::now() });
        }
    }

    /// Gives all back if the pool has no other to give: a transaction or a streamed read waits for one.
    pub fn make_room(&self, pool: &AnyPool) {
        if !has_more(pool) {
            let free = std::mem::take(&mut self.state().free);
            drop(free);
        }
    }

    /// How many are kept now.
    pub fn count(&self) -> u32 {
        u32::try_from(self.state().free.len()).unwrap_or(u32::MAX)
    }

    /// Gives all back for good: the pool waits for them when it closes.
    pub fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let free = std::mem::take(&mut state.free);
        drop(state);
        drop(free);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Kept {
    fn drop(&mut self) {
        // Outside a runtime a connection cannot be given back: it is cut off.
        if Handle::try_current().is_err() {
            for free in std::mem::take(&mut self.state().free) {
                drop(free.connection.leak());
            }
        }
    }
}

/// Whether the pool can give a connection at once.
fn has_more(pool: &AnyPool) -> bool {
    pool.num_idle() > 0 || pool.size() < pool.options().get_max_connections()
}
