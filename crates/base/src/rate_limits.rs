//! Rate limits: a bucket for each partner and each account, which fills at a steady rate and from which every call
//! takes one. They are kept in the memory of a node, since they protect its work: a new node has nothing to protect
//! yet.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::address::counted;

/// The most buckets that are kept: the most recently used.
const MOST: usize = 20_000;

/// The owner of a bucket.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Asker {
    /// A partner, by the app key: calls that are signed.
    Partner(String),
    /// An account: expensive reads.
    Reader(i64),
    /// The payer of a payment order: calls of its provider.
    Payer(i64),
    /// The link of a partner's statement: its answers and files.
    StatementLink(i64),
    /// Visitors of the chat: the action, and the visitor or the address.
    Visitor(String),
    /// A network that has requested pages by unknown keys.
    UnknownKeys(String),
}

/// The size of a bucket, and how fast it fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Calls that may be made at once.
    pub burst: i64,
    /// Calls a minute, in the long run.
    pub minute: i64,
}

/// Remaining thousandths of a call, and the time of that.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    left: i64,
    at: i64,
}

/// Pages that a network may request by unknown keys: more than people behind one address mistype, far less than
/// guessing needs.
const UNKNOWN_KEYS: Rate = Rate { burst: 60, minute: 20 };

/// Log lines that anyone can cause, such as those about refusals, in a process.
const LINES: Rate = Rate { burst: 50, minute: 300 };

/// The buckets of a process.
#[derive(Debug, Default)]
pub struct Limits {
    buckets: Mutex<HashMap<Asker, Bucket>>,
    /// For log lines, and how many were left out since the last one.
    lines: Mutex<(Option<Bucket>, u64)>,
}

impl Bucket {
    fn full(rate: Rate, now: i64) -> Bucket {
        Bucket { left: rate.burst * 1000, at: now }
    }

    /// Takes one call; otherwise returns the remaining thousandths.
    fn take(&mut self, rate: Rate, now: i64) -> Result<(), i64> {
        // A thousandth for each millisecond and each call a second.
        let filled = (now - self.at).clamp(0, 3_600_000) * rate.minute / 60;
        // An amount too small to count is not lost: the time stays. A clock that is set back fills nothing.
        if filled > 0 || now < self.at {
            *self = Bucket { left: (self.left + filled).min(rate.burst * 1000), at: now };
        }
        if self.left < 1000 {
            return Err(self.left);
        }
        self.left -= 1000;
        Ok(())
    }
}

impl Limits {
    /// Takes the room of a log line that anyone can cause; returns how many were left out since the last one.
    pub fn line(&self, now: i64) -> Option<u64> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bucket = lines.0.unwrap_or(Bucket::full(LINES, now));
        let taken = bucket.take(LINES, now);
        lines.0 = Some(bucket);
        match taken {
            Ok(()) => Some(std::mem::take(&mut lines.1)),
            Err(_) => {
                lines.1 += 1;
                None
            }
        }
    }

    /// Takes one call from a bucket at a moment in epoch milliseconds; otherwise returns the seconds until there is
    /// one.
    pub fn take(&self, asker: Asker, rate: Rate, now: i64) -> Result<(), i64> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        if buckets.len() >= MOST && !buckets.contains_key(&asker) {
            make_room(&mut buckets);
        }
        buckets.entry(asker).or_insert_with(|| Bucket::full(rate, now)).take(rate, now).map_err(|left| seconds_until_one(left, rate))
    }

    /// Counts an unknown key against the network of the address; if the network has used up its unknown keys, returns
    /// the seconds until it may try another. An existing key is neither counted nor refused, since people share
    /// networks.
    pub fn unknown_key(&self, address: &str, now: i64) -> Result<(), i64> {
        self.take(Asker::UnknownKeys(counted(address)), UNKNOWN_KEYS, now)
    }
}

/// Seconds until there is a call again in a bucket with so many thousandths.
fn seconds_until_one(left: i64, rate: Rate) -> i64 {
    let wait_ms = (1000 - left) * 60 / rate.minute.max(1);
    (wait_ms + 999) / 1000
}

/// Drops the half that was unused for longest.
fn make_room(buckets: &mut HashMap<Asker, Bucket>) {
    let mut moments: Vec<i64> = buckets.values().map(|bucket| bucket.at).collect();
    let middle = moments.len() / 2;
    let (_, median, _) = moments.select_nth_unstable(middle);
    let median = *median;
    buckets.retain(|_, bucket| bucket.at > median);
}

#[cfg(test)]
mod tests {
    use super::*;

    const RATE: Rate = Rate { burst: 5, minute: 60 };

    fn taken(limits: &Limits, asker: &Asker, tries: i64, now: i64) -> i64 {
        (0..tries).map(|_| i64::from(limits.take(asker.clone(), RATE, now).is_ok())).sum()
    }

    #[test]
    fn a_bucket_gives_what_it_holds_and_fills_at_its_rate() {
        let (limits, one, other) = (Limits::default(), Asker::Reader(1), Asker::Partner("a".into()));
        assert_eq!(taken(&limits, &one, 9, 1000), 5);
        assert_eq!(limits.take(one.clone(), RATE, 1000), Err(1));
        assert_eq!(taken(&limits, &other, 9, 1000), 5, "each asker has its own bucket");
        assert_eq!(taken(&limits, &one, 9, 1999), 0);
        assert_eq!(taken(&limits, &one, 9, 2000), 1);
        assert_eq!(taken(&limits, &one, 9, 4500), 2);
        assert_eq!(taken(&limits, &one, 9, 5000), 1, "half a call is not lost");
        assert_eq!(taken(&limits, &one, 9, 900_000), 5, "it holds no more than it holds");
        assert_eq!(taken(&limits, &one, 9, 0), 0, "a clock that is set back fills nothing");
        assert_eq!(taken(&limits, &one, 9, 1000), 1, "and goes on from there");
    }

    #[test]
    fn constant_requests_gain_nothing() {
        let (limits, one) = (Limits::default(), Asker::Reader(1));
        let taken: i64 = (0..60_000).step_by(7).map(|now| taken(&limits, &one, 1, now)).sum();
        assert!((64..=65).contains(&taken), "{taken}");
    }

    #[test]
    fn unknown_keys_are_counted_by_network() {
        let limits = Limits::default();
        for host in 0..UNKNOWN_KEYS.burst {
            assert_eq!(limits.unknown_key(&format!("2001:db8::{host:x}"), 0), Ok(()));
        }
        assert_eq!(limits.unknown_key("2001:db8::ffff", 0), Err(3));
        assert_eq!(limits.unknown_key("2001:db8:0:1::1", 0), Ok(()), "another network");
        assert_eq!(limits.unknown_key("2001:db8::1", 3000), Ok(()));
    }

    #[test]
    fn a_flood_writes_few_lines_and_says_how_many_it_left_out() {
        let limits = Limits::default();
        assert_eq!((0..1000).filter(|_| limits.line(5).is_some()).count(), 50);
        assert_eq!(limits.line(1005), Some(950));
        assert_eq!(limits.line(1005), Some(0));
        assert_eq!((0..1000).filter(|_| limits.line(1005).is_some()).count(), 3);
    }

    #[test]
    fn there_is_room_for_so_many_and_who_asked_last_is_kept() {
        let limits = Limits::default();
        for id in 0..MOST as i64 + 10 {
            _ = limits.take(Asker::Reader(id), RATE, id);
        }
        let last = Asker::Reader(MOST as i64 - 1);
        assert!(limits.buckets.lock().unwrap().len() <= MOST);
        assert_eq!(taken(&limits, &last, 9, MOST as i64), 4);
    }
}
