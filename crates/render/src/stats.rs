//! Counters of the pool, kept in atomics and read by `/metrics` and the monitor.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::RenderFailure;
use counts::histogram::Histogram;
use counts::render_stats::{FailureCounts, IsolateStats, RenderStats};

/// The live counters behind [`RenderStats`].
#[derive(Default)]
pub(super) struct Counters {
    pub memo_hits: AtomicU64,
    pub memo_misses: AtomicU64,
    pub skipped: AtomicU64,
    pub replacements: AtomicU64,
    pub recycles: AtomicU64,
    pub cpu_nanos: AtomicU64,
    pub times: Histogram,
    queue_full: AtomicU64,
    timeout: AtomicU64,
    out_of_memory: AtomicU64,
    threw: AtomicU64,
    pub isolates: Vec<IsolateCounters>,
}

/// The live counters of one isolate; written by its thread alone.
#[derive(Default)]
pub(super) struct IsolateCounters {
    pub renders: AtomicU64,
    pub heap_used: AtomicU64,
    pub heap_total: AtomicU64,
}

impl Counters {
    pub fn new(isolates: usize) -> Self {
        Self { isolates: (0..isolates).map(|_| IsolateCounters::default()).collect(), ..Self::default() }
    }

    pub fn failed(&self, failure: &RenderFailure) {
        match failure {
            RenderFailure::QueueFull => &self.queue_full,
            RenderFailure::Timeout => &self.timeout,
            RenderFailure::OutOfMemory => &self.out_of_memory,
            RenderFailure::Threw { .. } => &self.threw,
            RenderFailure::Stopped => return,
        }
        .fetch_add(1, Relaxed);
    }

    pub fn read(&self, queued: usize, queue_limit: usize) -> RenderStats {
        let isolates: Vec<_> = self
            .isolates
            .iter()
            .map(|isolate| IsolateStats {
                renders: isolate.renders.load(Relaxed),
                heap_used: isolate.heap_used.load(Relaxed),
                heap_total: isolate.heap_total.load(Relaxed),
            })
            .collect();
        RenderStats {
            engine: crate::ENGINE,
            renders: isolates.iter().map(|isolate| isolate.renders).sum(),
            memo_hits: self.memo_hits.load(Relaxed),
            memo_misses: self.memo_misses.load(Relaxed),
            failures: FailureCounts {
                queue_full: self.queue_full.load(Relaxed),
                timeout: self.timeout.load(Relaxed),
                out_of_memory: self.out_of_memory.load(Relaxed),
                threw: self.threw.load(Relaxed),
            },
            skipped: self.skipped.load(Relaxed),
            replacements: self.replacements.load(Relaxed),
            recycles: self.recycles.load(Relaxed),
            queued,
            queue_limit,
            times: self.times.counts(),
            cpu: Duration::from_nanos(self.cpu_nanos.load(Relaxed)),
            isolates,
        }
    }
}
