//! What a process reads from the database once a second at most, and only when it is asked for.

use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

/// What was read is believed for this long.
const FRESH: Duration = Duration::from_secs(1);

/// Something that was read, and when. A change counts on every node within a second, and at once on the node that made it
/// and called [`Cached::forget`].
pub struct Cached<T> {
    held: RwLock<Held<T>>,
    /// One request reads while the others wait for what it finds.
    reading: tokio::sync::Mutex<()>,
}

struct Held<T> {
    value: Option<(Instant, Arc<T>)>,
    /// Counts what was forgotten: a reading that began before does not come back.
    forgotten: u64,
}

impl<T> Default for Cached<T> {
    fn default() -> Cached<T> {
        Cached { held: RwLock::new(Held { value: None, forgotten: 0 }), reading: tokio::sync::Mutex::default() }
    }
}

impl<T> Cached<T> {
    /// What holds now; it is read where nothing fresh is there.
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

    /// What was read last, perhaps more than a second ago.
    pub fn last(&self) -> Option<Arc<T>> {
        self.held.read().unwrap_or_else(PoisonError::into_inner).value.as_ref().map(|(_, value)| value.clone())
    }

    /// Makes the next reader look into the database: to be called once a change is committed.
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
