//! What the process counts of itself while it serves: requests, their times and what came of them,
//! and a sample every ten seconds of the last hour.
//!
//! A request costs a handful of additions; the only locks are taken by what is rare (a sample, a
//! request that failed or was slow) and by who looks.

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

    /// Sets where the counters of the isolates are read. Only the first call counts.
    pub fn watch(&self, renders: impl Fn() -> RenderStats + Send + Sync + 'static) {
        let _ = self.renders.set(Box::new(renders));
    }

    /// What the isolates have done; nothing where no page is rendered.
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

    /// What was counted over about the last `span`.
    pub fn lately(&self, span: Duration) -> Window {
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
        // Samples are plain numbers: valid even if somebody panicked over them.
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
