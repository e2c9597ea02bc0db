//! Connections to PostgreSQL that short reads have just used.
//!
//! After each use of a connection the pool asks the server whether it is still whole: a second trip for each statement. A
//! page reads three or four times, so a read that succeeded keeps its connection here for the next one. One that failed, or
//! was given up, goes back to the pool and is tested there.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use sqlx::pool::PoolConnection;
use sqlx::{Any, AnyPool, Connection as _, Error};
use tokio::runtime::Handle;

use super::options::UNUSED;

/// So many are kept at most: the pool has four times as many.
const MOST: usize = 4;

#[derive(Default)]
pub struct Kept {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The one used last at the end, with the time of its use.
    free: Vec<(PoolConnection<Any>, Instant)>,
    is_closed: bool,
}

impl Kept {
    /// A connection for one read: a kept one, or one of the pool.
    pub async fn take(&self, pool: &AnyPool) -> Result<PoolConnection<Any>, Error> {
        loop {
            // By itself: the lock ends before the wait.
            let found = self.state().free.pop();
            let Some((mut connection, used)) = found else { return pool.acquire().await };
            if used.elapsed() < UNUSED || connection.ping().await.is_ok() {
                return Ok(connection);
            }
            connection.close_on_drop();
        }
    }

    /// Keeps the connection of a read that succeeded.
    pub fn put(&self, connection: PoolConnection<Any>) {
        let mut state = self.state();
        if !state.is_closed && state.free.len() < MOST {
            state.free.push((connection, Instant::now()));
        }
    }

    /// Gives all back to the pool if it has no other: a transaction waits for one.
    pub fn make_room(&self, pool: &AnyPool) {
        if pool.num_idle() == 0 && pool.size() >= pool.options().get_max_connections() {
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
            for (connection, _) in std::mem::take(&mut self.state().free) {
                drop(connection.leak());
            }
        }
    }
}
