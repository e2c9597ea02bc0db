//! The counters of a running process: requests, their times and results, and a sample every ten seconds of the last
//! hour.
//!
//! A request costs a handful of additions; locks are only taken by rare events (a sample, a failed or slow request)
//! and by readers.

mod history;
pub mod machine;
mod requests;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use counts::render_stats::RenderStats;

pub use history::{EVERY, Sample, Window};
pub use requests::{Answered, CODES, Notable, RequestKind, Requests, Waited};

use history::History;

/// The counters of one process.
pub struct Meter {
    started: Instant,
    /// Epoch milliseconds of the start.
    pub started_at: i64,
    pub requests: Requests,
    renders: OnceLock<Box<dyn Fn() -> RenderStats + Send + Sync>>,
    history: Mutex<History>,
}

impl Meter {
    /// Begins to count, at an epoch millisecond.
    pub fn new(now: i64) -> Meter {
        Meter {
            started: Instant::now(),
            started_at: now,
            requests: Requests::default(),
            renders: OnceLock::new(),
            history: Mutex::default(),
        }
    }

    /// Sets the source of the isolates' counters. Only the first call has an effect.
    pub fn watch(&self, renders: impl Fn() -> RenderStats + Send + Sync + 'static) {
        let _ = self.renders.set(Box::new(renders));
    }

    /// The counters of the isolates; zero if no page is rendered.
    pub fn renders(&self) -> RenderStats {
        self.renders.get().map(|read| read()).unwrap_or_default()
    }

    /// For how long the process has served.
    pub fn uptime(&self) -> Duration {
        self.started.elapsed()
    }

    /// Takes a sample; to be called every [`EVERY`].
    pub fn sample(&self, now: i64) {
        let snapshot = self.snapshot();
        self.history().add(now, snapshot);
    }

    /// The samples of the last hour, oldest first.
    pub fn samples(&self) -> Vec<Sample> {
        self.history().samples()
    }

    /// The counts over about the last `span`.
    pub fn recent(&self, span: Duration) -> Window {
        let snapshot = self.snapshot();
        self.history().window(self.started, snapshot, span)
    }

    fn snapshot(&self) -> history::Snapshot {
        history::Snapshot {
            at: Instant::now(),
            cpu: machine::cpu_time(),
            rss: machine::resident(),
            requests: self.requests.counts(),
            renders: self.renders(),
        }
    }

    fn history(&self) -> MutexGuard<'_, History> {
        // Samples are plain numbers: valid even after a panic.
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
