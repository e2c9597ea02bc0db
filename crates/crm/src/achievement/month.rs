//! Months of Shanghai's calendar.

use std::fmt;

use jiff::{ToSpan, civil};

use base::clock;

/// A month from 2020 to 2099.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(civil::Date);

impl Month {
    /// The month of a time.
    pub fn of(at: i64) -> Month {
        Month(clock::day(at).first_of_month())
    }

    /// Reads `YYYY-MM`.
    pub fn read(text: &str) -> Option<Month> {
        let first: civil::Date = format!("{text}-01").parse().ok().filter(|_| text.len() == 7)?;
        (2020..2100).contains(&first.year()).then_some(Month(first))
    }

    /// So many months later, or earlier if negative.
    pub fn plus(self, months: i32) -> Month {
        self.0.checked_add(months.months()).map_or(self, Month)
    }

    /// Its first millisecond.
    pub fn start(self) -> i64 {
        clock::start(self.0)
    }

    /// The first millisecond after it.
    pub fn end(self) -> i64 {
        self.plus(1).start()
    }
}

impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}", self.0.year(), self.0.month())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn months_are_months_of_shanghai() {
        let march = Month::read("2026-03").unwrap();
        assert_eq!((Month::of(march.start()), Month::of(march.start() - 1)), (march, march.plus(-1)));
        assert_eq!(march.plus(-14).to_string(), "2025-01");
        assert_eq!(march.end(), clock::day_start("2026-04-01").unwrap());
        for bad in ["", "2026-13", "2026-3", "2026-03-01", "1999-01", "1234567"] {
            assert_eq!(Month::read(bad), None, "{bad}");
        }
    }
}
