//! Sizes of statements with many rows: few sizes, so that each text is prepared once.

use std::iter;

/// The most rows of a statement: well below the engines' limits.
const MOST: usize = 128;

/// Rows to be written, in pieces whose sizes are powers of two.
pub fn pieces<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    iter::from_fn(move || {
        let size = MOST.min(1 << rows.len().checked_ilog2()?);
        let (some, rest) = rows.split_at(size);
        rows = rest;
        Some(some)
    })
}

/// Keys to be looked up, in pieces whose sizes are powers of two: the last key is repeated.
pub fn padded<T>(keys: &[T]) -> impl Iterator<Item = impl Iterator<Item = &T>> {
    keys.chunks(MOST).map(|some| some.iter().chain(iter::repeat(&some[some.len() - 1])).take(some.len().next_power_of_two()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_left_out_and_sizes_are_few() {
        let sizes = |count: usize| {
            let rows: Vec<usize> = (0..count).collect();
            assert_eq!(pieces(&rows).flatten().copied().collect::<Vec<_>>(), rows);
            pieces(&rows).map(<[usize]>::len).collect::<Vec<_>>()
        };
        assert_eq!(sizes(0), [0usize; 0]);
        assert_eq!(sizes(11), [8, 2, 1]);
        assert_eq!(sizes(300), [128, 128, 32, 8, 4]);
    }

    #[test]
    fn the_last_key_fills_up() {
        let asked =
            |count: usize| padded(&(0..count).collect::<Vec<_>>()).map(|some| some.copied().collect::<Vec<_>>()).collect::<Vec<_>>();
        assert_eq!(asked(0), Vec::<Vec<usize>>::new());
        assert_eq!(asked(3), [[0, 1, 2, 2]]);
        assert_eq!(asked(130).iter().map(Vec::len).collect::<Vec<_>>(), [128, 2]);
    }
}
