//! Reproducible random numbers: SplitMix64, which does not change with a library's version.

/// A source of numbers that depend on the seed alone.
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number of `0..end`.
    pub fn below(&mut self, end: i64) -> i64 {
        (self.next() % end.max(1) as u64) as i64
    }

    /// A number of `from..end`.
    pub fn between(&mut self, from: i64, end: i64) -> i64 {
        from + self.below(end - from)
    }

    /// True in so many of a hundred cases.
    pub fn percent(&mut self, of_hundred: i64) -> bool {
        self.below(100) < of_hundred
    }

    /// One of some.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len() as i64) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_repeats_itself() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            std::array::from_fn::<i64, 8, _>(|_| random.between(-5, 5))
        };
        assert_eq!(numbers(1), numbers(1));
        assert_ne!(numbers(1), numbers(2));
        assert!(numbers(3).iter().all(|number| (-5..5).contains(number)));
    }
}
