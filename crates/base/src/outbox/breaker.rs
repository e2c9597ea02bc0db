//! Circuit breakers: a destination that fails repeatedly is left alone for a while, then tried once; if that succeeds
//! everything is sent to it again. Each process has its own.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::clock::MINUTE;

/// Failures in a row that open a breaker.
const FAILURES: u32 = 5;
/// Milliseconds for which it is open the first time, and at most; twice as long after each failed trial.
const OPEN: (i64, i64) = (15_000, 5 * MINUTE);
/// How long a trial has the destination to itself.
const TRIAL: i64 = MINUTE;

/// Whether items may be sent to a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// All items.
    All,
    /// One item, whose outcome decides about the others.
    One,
    Nothing,
}

/// The breakers of a process. A destination without failures has none.
#[derive(Default)]
pub struct Breakers(Mutex<HashMap<String, Breaker>>);

#[derive(Clone, Copy)]
enum Breaker {
    /// The number of failures in a row.
    Closed { failures: u32 },
    /// Nothing is sent until a moment; the length is for how long it was opened.
    Open { until: i64, length: i64 },
    /// One item is being tried; its result must come before a moment.
    Trial { until: i64, length: i64 },
}

impl Breakers {
    /// Whether an item may be sent now. A caller that gets [`Admission::One`] makes the trial.
    pub fn admit(&self, destination: &str, now: i64) -> Admission {
        let mut all = self.all();
        let Some(breaker) = all.get_mut(destination) else { return Admission::All };
        match *breaker {
            Breaker::Closed { .. } => Admission::All,
            Breaker::Open { until, length } | Breaker::Trial { until, length } if until <= now => {
                *breaker = Breaker::Trial { until: now + TRIAL, length };
                Admission::One
            }
            _ => Admission::Nothing,
        }
    }

    /// Whether it is open now.
    pub fn is_open(&self, destination: &str, now: i64) -> bool {
        self.all().get(destination).is_some_and(|breaker| breaker.is_open(now))
    }

    /// Notes the result of a call.
    pub fn note(&self, destination: &str, went_well: bool, now: i64) {
        let mut all = self.all();
        if went_well {
            all.remove(destination);
            return;
        }
        let breaker = all.entry(destination.to_owned()).or_insert(Breaker::Closed { failures: 0 });
        match *breaker {
            Breaker::Closed { failures } if failures + 1 >= FAILURES => *breaker = Breaker::Open { until: now + OPEN.0, length: OPEN.0 },
            Breaker::Closed { failures } => *breaker = Breaker::Closed { failures: failures + 1 },
            // Calls that were under way when it opened do not change it.
            Breaker::Open { .. } => {}
            Breaker::Trial { length, .. } => {
                let length = (length * 2).min(OPEN.1);
                *breaker = Breaker::Open { until: now + length, length };
            }
        }
    }

    /// How many destinations are open now.
    pub fn open(&self, now: i64) -> usize {
        self.all().values().filter(|breaker| breaker.is_open(now)).count()
    }

    fn all(&self) -> MutexGuard<'_, HashMap<String, Breaker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Breaker {
    fn is_open(self, now: i64) -> bool {
        matches!(self, Breaker::Open { until, .. } | Breaker::Trial { until, .. } if until > now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_is_left_alone_and_tried_once() {
        let breakers = Breakers::default();
        for _ in 0..FAILURES - 1 {
            breakers.note("a", false, 0);
        }
        assert_eq!((breakers.admit("a", 0), breakers.is_open("a", 0)), (Admission::All, false));
        breakers.note("a", false, 0);
        assert_eq!((breakers.admit("a", 0), breakers.admit("b", 0), breakers.open(0)), (Admission::Nothing, Admission::All, 1));
        breakers.note("a", false, 1);
        assert_eq!(breakers.admit("a", OPEN.0 - 1), Admission::Nothing);
        assert_eq!(breakers.admit("a", OPEN.0), Admission::One);
        assert_eq!(breakers.admit("a", OPEN.0), Admission::Nothing, "one at a time");
        breakers.note("a", false, OPEN.0);
        assert_eq!((breakers.admit("a", 3 * OPEN.0 - 1), breakers.admit("a", 3 * OPEN.0)), (Admission::Nothing, Admission::One));
        breakers.note("a", true, 3 * OPEN.0);
        assert_eq!((breakers.admit("a", 3 * OPEN.0), breakers.open(0)), (Admission::All, 0));
    }

    #[test]
    fn a_success_resets_the_count_and_a_lost_trial_is_repeated() {
        let breakers = Breakers::default();
        for _ in 0..10 {
            for _ in 0..FAILURES - 1 {
                breakers.note("a", false, 0);
            }
            breakers.note("a", true, 0);
        }
        assert_eq!(breakers.admit("a", 0), Admission::All);
        for _ in 0..FAILURES {
            breakers.note("a", false, 0);
        }
        assert_eq!(breakers.admit("a", OPEN.0), Admission::One);
        assert_eq!(breakers.admit("a", OPEN.0 + TRIAL), Admission::One);
    }
}
