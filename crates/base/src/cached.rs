//! Caches of a process: data that is read from the database at most once a second, and only when it is used.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// How long a cached value is used.
const FRESH: Duration = Duration::from_secs(1);

/// A cached value with the time of its read. A change applies on every node within a second, and at once on the node
/// that made it and called [`Cached::forget`].
pub struct Cached<T> {
    held: RwLock<Held<T>>,
    /// One request reads while the others wait for its result.
    reading: tokio::sync::Mutex<()>,
}

struct Held<T> {
    value: Option<(Instant, Arc<T>)>,
    /// The number of calls to `forget`: a read that began before one is not stored.
    forgotten: u64,
}

impl<T> Default for Cached<T> {
    fn default() -> Cached<T> {
        Cached { held: RwLock::new(Held { value: None, forgotten: 0 }), reading: tokio::sync::Mutex::default() }
    }
}

impl<T> Cached<T> {
    /// The current value; it is read if there is no fresh one.
    pub async fn get<E>(&self, read: impl Future<Output = Result<T, E>>) -> Result<Arc<T>, E> {
        if let Some(value) = self.fresh() {
            return Ok(value);
        }
        let _turn = self.reading.lock().await;
        if let Some(value) = self.fresh() {
            return Ok(value);
        }
        let began = Instant::now();
        let forgotten = self.held.read().unwrap_or_else(PoisonError::into_inner).forgotten;
        let value = Arc::new(read.await?);
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        if held.forgotten == forgotten {
            held.value = Some((began, value.clone()));
        }
        Ok(value)
    }

    /// The last value, perhaps more than a second old.
    pub fn last(&self) -> Option<Arc<T>> {
        self.held.read().unwrap_or_else(PoisonError::into_inner).value.as_ref().map(|(_, value)| value.clone())
    }

    /// Drops the value: call it after a change is committed.
    pub fn forget(&self) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        held.value = None;
        held.forgotten += 1;
    }

    fn fresh(&self) -> Option<Arc<T>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.value.as_ref().filter(|(read_at, _)| read_at.elapsed() < FRESH).map(|(_, value)| value.clone())
    }
}
