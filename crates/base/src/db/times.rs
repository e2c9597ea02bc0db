//! Counts of the database's times.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::failure::is_full;
use counts::histogram::Histogram;

/// A read of this length is slow.
const SLOW: Duration = Duration::from_millis(100);

/// Times of one database.
#[derive(Debug, Default)]
pub struct Times {
    /// Reads outside transactions, except streams.
    pub reads: Histogram,
    /// Waiting for a write transaction to begin.
    pub waits: Histogram,
    /// Write transactions, from their beginning to the end of their commit.
    pub writes: Histogram,
    slow_reads: AtomicU64,
    /// The last write found the disk full.
    full: AtomicBool,
}

impl Times {
    /// Counts a read.
    pub fn read(&self, time: Duration) {
        self.reads.record(time);
        if time >= SLOW {
            self.slow_reads.fetch_add(1, Relaxed);
        }
    }

    /// Notes a write that failed.
    pub fn failed(&self, error: &sqlx::Error) {
        if is_full(error) {
            self.full.store(true, Relaxed);
        }
    }

    /// Notes a committed write.
    pub fn wrote(&self) {
        self.full.store(false, Relaxed);
    }

    /// Whether the last write found no room on the disk.
    pub fn is_full(&self) -> bool {
        self.full.load(Relaxed)
    }

    /// Reads of a tenth of a second and more.
    pub fn slow_reads(&self) -> u64 {
        self.slow_reads.load(Relaxed)
    }
}
