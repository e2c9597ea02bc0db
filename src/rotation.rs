//! Changing a key or a secret without a gap: the one before stays valid beside its successor for a while.

use crate::clock::HOUR;

/// Hours for which the one before stays valid, at most.
pub const LONGEST_OVERLAP: i64 = 720;

/// Until when the one before is valid, epoch milliseconds; nothing when it ends at once.
pub fn valid_until(now: i64, overlap_hours: i64) -> Option<i64> {
    (overlap_hours > 0).then(|| now + overlap_hours * HOUR)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_hours_are_no_overlap() {
        assert_eq!(valid_until(5, 0), None);
        assert_eq!(valid_until(5, 24), Some(5 + 24 * HOUR));
    }
}
