//! The outbox: items sent to other servers. An item is written in the transaction that decides on it, and is leased,
//! tried and ended here, whatever its kind: a lead for an organisation, a callback to a channel, a short message.
//!
//! A try is counted before its call is made. So an answer that never comes, a process that dies and a node that is
//! frozen all leave the same state: a try that is `unanswered`, of which it is unknown whether it arrived. The
//! carrier of the item decides what follows.
//!
//! Not here: the content and the carriers (`distribution`, `feedback`, `sms`).

pub mod breaker;
pub mod queue;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use strum::{EnumString, IntoStaticStr};
use tokio::sync::Notify;

use crate::clock::MINUTE;

pub use breaker::{Admission, Breakers};
pub use queue::{Due, Leased, NewItem, Settled};
pub use worker::work;

/// How long an item is leased: longer than the wait for any answer.
pub const LEASE: i64 = 2 * MINUTE;
/// The same, as a process measures it; and the pause before an outcome is written again.
const LEASED_FOR: Duration = Duration::from_millis(LEASE.unsigned_abs());
const WRITE_AGAIN: Duration = Duration::from_millis(500);
/// The most tries of an item: one whose tries end in failures of this program is given up.
pub const MOST_TRIES: i64 = 30;
/// Minutes until the next try, after the first, the second and so on; the last for all that follow.
const PAUSES: [i64; 6] = [1, 5, 5, 15, 30, 60];

/// The kind of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// A lead for an organisation's server.
    Delivery,
    /// The outcome of an applicant, for the channel.
    Callback,
    /// A short message to a phone.
    Sms,
}

/// The state of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// It waits for its next try; nothing has arrived.
    Waiting,
    /// A process has it.
    Sending,
    /// It is unknown whether it arrived.
    Unconfirmed,
    /// It arrived.
    Done,
    /// It is not tried any more; a person may start the tries again, or give up.
    Dead,
    /// A person gave it up.
    GivenUp,
    /// It is too late to send it.
    Expired,
}

/// The server of an item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    Organisation(i64),
    Channel(i64),
    Sms,
    /// The same provider, for codes: they expire within minutes and do not wait behind warnings.
    Code,
}

impl Destination {
    /// The stored form.
    pub fn key(self) -> String {
        match self {
            Destination::Organisation(id) => format!("org:{id}"),
            Destination::Channel(id) => format!("channel:{id}"),
            Destination::Sms => "sms".to_owned(),
            Destination::Code => "sms:code".to_owned(),
        }
    }
}

/// What a try has shown about its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It answers.
    Well,
    /// It does not, or not correctly.
    Failing,
    /// Unknown: it was not called.
    Nothing,
}

/// The state of the outbox in a process, besides the database.
#[derive(Default)]
pub struct Outbox {
    /// Items may be due.
    pub wake: Notify,
    /// The failing destinations.
    pub breakers: Breakers,
    /// Leases that ended before their result was written.
    lost_leases: AtomicU64,
}

impl Outbox {
    /// Notes what a try has shown about its destination.
    pub fn note(&self, destination: &str, seen: Seen, now: i64) {
        match seen {
            Seen::Well => self.breakers.note(destination, true, now),
            Seen::Failing => self.breakers.note(destination, false, now),
            Seen::Nothing => {}
        }
    }

    /// Counts a lease that was lost.
    pub fn lost_lease(&self) {
        self.lost_leases.fetch_add(1, Ordering::Relaxed);
    }

    /// Leases lost since the start.
    pub fn lost_leases(&self) -> u64 {
        self.lost_leases.load(Ordering::Relaxed)
    }
}

/// Milliseconds until an item is tried again after so many tries: randomised, so that items that failed together are
/// not retried together.
pub fn pause(tries: i64) -> i64 {
    pause_of(&PAUSES, MINUTE, tries)
}

/// The same with other pauses: `pauses[0]` follows the first try, in a unit of so many milliseconds.
pub fn pause_of(pauses: &[i64], unit: i64, tries: i64) -> i64 {
    let place = usize::try_from(tries - 1).unwrap_or_default().min(pauses.len() - 1);
    let longest = pauses[place] * unit;
    rand::random_range(longest * 8 / 10..=longest)
}

/// Writes the outcome of a try made at `made`. The outcome is only in memory: a failed write is repeated every half
/// second, until the try's lease is over. Then the last error is returned, and the item is tried again as one whose
/// outcome is unknown.
pub async fn write_outcome<E: std::fmt::Debug, F: Future<Output = Result<(), E>>>(
    item: i64,
    made: Instant,
    write: impl Fn() -> F,
) -> Result<(), E> {
    while let Err(error) = write().await {
        if made.elapsed() >= LEASED_FOR {
            return Err(error);
        }
        tracing::warn!(outbox.id = item, ?error, "outbox: the outcome of a try could not be written, and is written again");
        tokio::time::sleep(WRITE_AGAIN).await;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_and_differ() {
        for (tries, minutes) in [(0, 1), (1, 1), (2, 5), (3, 5), (6, 60), (60, 60)] {
            let pauses: Vec<i64> = (0..50).map(|_| pause(tries)).collect();
            assert!(pauses.iter().all(|pause| (minutes * MINUTE * 8 / 10..=minutes * MINUTE).contains(pause)), "{tries}: {pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]), "{tries}");
        }
    }
}
