//! The counters of a pool of isolates, for `/metrics` and the monitor.

use std::time::Duration;

use crate::histogram::Counts;

/// The pool's work since it started.
#[derive(Clone, Debug, Default)]
pub struct RenderStats {
    /// The JavaScript engine; empty if no page is rendered.
    pub engine: &'static str,
    /// Pages rendered by an isolate.
    pub renders: u64,
    /// Pages answered from the memo.
    pub memo_hits: u64,
    /// Requests that the memo could not answer; 0 if it is off.
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
    /// The most pages that may wait.
    pub queue_limit: usize,
    /// CPU time of all renders.
    pub cpu: Duration,
    /// Wall-clock time of each render in an isolate.
    pub times: Counts,
    /// One entry per isolate.
    pub isolates: Vec<IsolateStats>,
}

/// Pages that were not rendered, by `RenderFailure`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FailureCounts {
    /// `RenderFailure::QueueFull`
    pub queue_full: u64,
    /// `RenderFailure::Timeout`
    pub timeout: u64,
    /// `RenderFailure::OutOfMemory`
    pub out_of_memory: u64,
    /// `RenderFailure::Threw`
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
    /// Bytes of its heap in use at the last measurement; garbage included.
    pub heap_used: u64,
    /// Bytes of its heap that the engine has from the system, likewise.
    pub heap_total: u64,
}
