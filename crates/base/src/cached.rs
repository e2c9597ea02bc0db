//! Caches of a process: data that is read from the database at most once a second, or when a version has changed, and only
//! when it is used.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// How long a cached value is used.
const FRESH: Duration = Duration::from_secs(1);
/// How long it is used while it is found to be current: after a database was wound back, a version may come again.
const OLDEST: Duration = Duration::from_secs(60);

/// A cached value with the time of its read. A change applies on every node about a second after it, and at once on the node
/// that made it and called [`Cached::forget`].
pub struct Cached<T> {
    held: RwLock<Held<T>>,
    /// One request reads while the others wait for its result.
    reading: tokio::sync::Mutex<()>,
}

struct Held<T> {
    value: Option<Value<T>>,
    /// The number of calls to `forget`: a read that began before one is not stored.
    forgotten: u64,
}

struct Value<T> {
    read_at: Instant,
    /// When it was last found to be what the database has.
    checked_at: Instant,
    value: Arc<T>,
}

impl<T> Default for Cached<T> {
    fn default() -> Cached<T> {
        Cached { held: RwLock::new(Held { value: None, forgotten: 0 }), reading: tokio::sync::Mutex::default() }
    }
}

impl<T> Cached<T> {
    /// The current value; it is read if there is no fresh one.
    pub async fn get<E>(&self, read: impl Future<Output = Result<T, E>>) -> Result<Arc<T>, E> {
        self.get_if(Cached::fresh, read).await
    }

    /// The last value while `is_current` says that the database still has it, for a minute at most: it then counts as read now.
    /// Otherwise it is read.
    pub async fn get_current<E>(&self, is_current: impl Fn(&T) -> bool, read: impl Future<Output = Result<T, E>>) -> Result<Arc<T>, E> {
        self.get_if(|cached| cached.renewed(&is_current), read).await
    }

    async fn get_if<E>(&self, held: impl Fn(&Self) -> Option<Arc<T>>, read: impl Future<Output = Result<T, E>>) -> Result<Arc<T>, E> {
        if let Some(value) = held(self) {
            return Ok(value);
        }
        let _turn = self.reading.lock().await;
        if let Some(value) = held(self) {
            return Ok(value);
        }
        let began = Instant::now();
        let forgotten = self.held.read().unwrap_or_else(PoisonError::into_inner).forgotten;
        let value = Arc::new(read.await?);
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        if held.forgotten == forgotten {
            held.value = Some(Value { read_at: began, checked_at: began, value: value.clone() });
        }
        Ok(value)
    }

    /// The last value, perhaps more than a second old.
    pub fn last(&self) -> Option<Arc<T>> {
        self.held.read().unwrap_or_else(PoisonError::into_inner).value.as_ref().map(|held| held.value.clone())
    }

    /// Drops the value: call it after a change is committed.
    pub fn forget(&self) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        held.value = None;
        held.forgotten += 1;
    }

    fn renewed(&self, is_current: impl Fn(&T) -> bool) -> Option<Arc<T>> {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        let held = held.value.as_mut().filter(|held| held.read_at.elapsed() < OLDEST && is_current(&held.value))?;
        held.checked_at = Instant::now();
        Some(held.value.clone())
    }

    fn fresh(&self) -> Option<Arc<T>> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.value.as_ref().filter(|held| held.checked_at.elapsed() < FRESH).map(|held| held.value.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(value: i64) -> Result<i64, ()> {
        Ok(value)
    }

    #[tokio::test]
    async fn a_value_that_is_current_is_not_read_again() {
        let cached = Cached::default();
        assert_eq!(*cached.get(read(1)).await.unwrap(), 1);
        assert_eq!(*cached.get(read(2)).await.unwrap(), 1, "within a second");
        assert_eq!(*cached.get_current(|value| *value == 1, read(2)).await.unwrap(), 1);
        assert_eq!(*cached.get_current(|value| *value == 2, read(2)).await.unwrap(), 2, "at once, when it has changed");
        std::thread::sleep(FRESH);
        assert_eq!(*cached.get_current(|value| *value == 2, read(3)).await.unwrap(), 2);
        assert_eq!(*cached.get(read(3)).await.unwrap(), 2, "it counts as read when it was current");
    }
}
