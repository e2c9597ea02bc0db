//! Durations counted by size, for quantiles: one addition per measurement, no lock, a fixed size.

use std::array;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Four buckets an octave of microseconds, up to four and a half minutes.
const BUCKETS: usize = 112;

/// A histogram of durations. A quantile is right to an eighth of its value.
#[derive(Debug)]
pub struct Histogram([AtomicU64; BUCKETS]);

/// The counts of a [`Histogram`] up to a moment, or between two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counts([u64; BUCKETS]);

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram(array::from_fn(|_| AtomicU64::new(0)))
    }
}

impl Default for Counts {
    fn default() -> Counts {
        Counts([0; BUCKETS])
    }
}

impl Histogram {
    /// Counts a duration.
    pub fn record(&self, time: Duration) {
        self.0[bucket(u64::try_from(time.as_micros()).unwrap_or(u64::MAX))].fetch_add(1, Relaxed);
    }

    /// Everything counted so far.
    pub fn counts(&self) -> Counts {
        Counts(array::from_fn(|index| self.0[index].load(Relaxed)))
    }
}

impl Counts {
    /// How many durations.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// What was counted after `earlier`.
    pub fn since(&self, earlier: &Counts) -> Counts {
        Counts(array::from_fn(|index| self.0[index].saturating_sub(earlier.0[index])))
    }

    /// The duration that `share` of all stay within, in milliseconds; none without durations.
    pub fn quantile(&self, share: f64) -> Option<f64> {
        let total = self.total();
        let wanted = ((total as f64 * share).ceil() as u64).clamp(1, total.max(1));
        let mut passed = 0;
        let index = self.0.iter().position(|count| {
            passed += count;
            passed >= wanted
        })?;
        Some(middle(index) / 1000.0)
    }
}

fn bucket(micros: u64) -> usize {
    if micros < 4 {
        return micros as usize;
    }
    let octave = micros.ilog2();
    let quarter = (micros >> (octave - 2)) & 3;
    ((octave as usize - 1) * 4 + quarter as usize).min(BUCKETS - 1)
}

/// The middle of a bucket, in microseconds.
fn middle(index: usize) -> f64 {
    match index {
        0..4 => index as f64 + 0.5,
        _ => (4.5 + (index % 4) as f64) * f64::from(1u32 << (index / 4 - 1)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_duration_has_a_bucket_whose_middle_is_near() {
        let mut last = 0;
        for micros in (0..2000).chain((1..200).map(|step| step * 1_000_000)) {
            let index = bucket(micros);
            assert!(index >= last && index - last <= 1 || micros >= 2000, "{micros}: from {last} to {index}");
            last = index;
            let off = (middle(index) - micros as f64).abs();
            assert!(off <= (micros as f64 / 8.0).max(1.0), "{micros} is told as {}", middle(index));
        }
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
    }

    #[test]
    fn quantiles_are_of_what_was_counted_since() {
        let histogram = Histogram::default();
        assert_eq!(histogram.counts().quantile(0.99), None);
        (0..10).for_each(|_| histogram.record(Duration::from_secs(9)));
        let earlier = histogram.counts();
        (0..98).for_each(|_| histogram.record(Duration::from_millis(10)));
        (0..2).for_each(|_| histogram.record(Duration::from_millis(800)));
        let counts = histogram.counts().since(&earlier);
        assert_eq!(counts.total(), 100);
        let near = |share, ms: f64| (counts.quantile(share).unwrap() - ms).abs() <= ms / 8.0;
        assert!(near(0.5, 10.0) && near(0.98, 10.0) && near(0.99, 800.0) && near(1.0, 800.0));
    }
}
