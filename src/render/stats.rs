//! Counters of the pool, kept in atomics and read by `/metrics` and the monitor.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::RenderFailure;
use crate::histogram::{Counts, Histogram};

/// What the pool has done since it started.
#[derive(Clone, Debug, Default)]
pub struct RenderStats {
    /// Pages rendered by an isolate.
    pub renders: u64,
    /// Pages answered from the memo.
    pub memo_hits: u64,
    /// Pages the memo was asked for in vain; 0 when it is off.
    pub memo_misses: u64,
    /// Pages that were not rendered, by reason.
    pub failures: FailureCounts,
    /// Queued pages dropped unrendered because their caller had left.
    pub skipped: u64,
    /// Isolates replaced after a page looped or ate memory.
    pub replacements: u64,
    /// Isolates renewed because of their age or their growth.
    pub recycles: u64,
    /// Pages waiting for an isolate now.
    pub queued: usize,
    /// Pages that may wait at most.
    pub queue_limit: usize,
    /// CPU time of all renders.
    pub cpu: Duration,
    /// Time in an isolate of each render, by the clock on the wall.
    pub times: Counts,
    /// One entry an isolate.
    pub isolates: Vec<IsolateStats>,
}

/// Pages that were not rendered, by [`RenderFailure`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailureCounts {
    /// [`RenderFailure::QueueFull`]
    pub queue_full: u64,
    /// [`RenderFailure::Timeout`]
    pub timeout: u64,
    /// [`RenderFailure::OutOfMemory`]
    pub out_of_memory: u64,
    /// [`RenderFailure::Threw`]
    pub threw: u64,
}

impl FailureCounts {
    /// Pages that were not rendered, whatever the reason.
    pub fn total(&self) -> u64 {
        self.queue_full + self.timeout + self.out_of_memory + self.threw
    }
}

/// One isolate of the pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct IsolateStats {
    /// Pages it (and those it replaced) rendered.
    pub renders: u64,
    /// Bytes of its heap in use when it was last looked at; garbage included.
    pub heap_used: u64,
    /// Bytes of its heap the engine has from the system, likewise.
    pub heap_total: u64,
}

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
