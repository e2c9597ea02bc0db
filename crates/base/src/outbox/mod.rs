//! The outbox: what leaves the house for somebody else's server. An item is written in the transaction
//! that decided it, and is leased, tried and ended here, whatever it is: a lead for an organisation,
//! word to a channel, a short message.
//!
//! A try is counted before its call is made. So an answer that never comes, a process that dies and a
//! node that is frozen all leave the same trace: a try that is `unanswered`, of which nobody knows
//! whether it arrived. What follows from that is for whoever carries the item to say.
//!
//! Not here: what is carried and how (`distribution`, `feedback`, `sms`).

pub mod breaker;
pub mod store;
mod worker;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use strum::{EnumString, IntoStaticStr};
use tokio::sync::Notify;

use crate::clock::MINUTE;

pub use breaker::{Admission, Breakers};
pub use store::{Due, Leased, NewItem, Settled};
pub use worker::work;

/// How long an item is nobody else's: longer than any answer is waited for.
pub const LEASE: i64 = 2 * MINUTE;
/// The same, as a process measures it; and how long it waits before it writes an outcome again.
const LEASED_FOR: Duration = Duration::from_millis(LEASE.unsigned_abs());
const WRITE_AGAIN: Duration = Duration::from_millis(500);
/// How often an item may be taken at most: one whose tries end in failures of our own is given up.
pub const MOST_TRIES: i64 = 30;
/// Minutes until the next try, after the first, the second and so on; the last for all that follow.
const PAUSES: [i64; 6] = [1, 5, 5, 15, 30, 60];

/// What an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Kind {
    /// A lead for an organisation's server.
    Delivery,
    /// What became of an applicant, for the channel that brought them.
    Callback,
    /// A short message to a phone.
    Sms,
}

/// Where an item stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum State {
    /// It waits for its next try; nothing has arrived.
    Waiting,
    /// Somebody has it.
    Sending,
    /// Nobody knows whether it arrived.
    Unconfirmed,
    /// It arrived.
    Done,
    /// Nobody tries it any more; a person may have it tried again, or give it up.
    Dead,
    /// A person has given it up.
    GivenUp,
    /// It was worth nothing any more.
    Expired,
}

/// Whose server an item goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Destination {
    Organisation(i64),
    Channel(i64),
    Sms,
    /// The same provider, for codes: they are worth something for minutes and wait behind no warnings.
    Code,
}

impl Destination {
    /// As it is stored.
    pub fn key(self) -> String {
        match self {
            Destination::Organisation(id) => format!("org:{id}"),
            Destination::Channel(id) => format!("channel:{id}"),
            Destination::Sms => "sms".to_owned(),
            Destination::Code => "sms:code".to_owned(),
        }
    }
}

/// What a try has shown of its destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It answers.
    Well,
    /// It does not, or not as it should.
    Failing,
    /// Nothing: it was not called.
    Nothing,
}

/// What a process knows of its outbox beside the database.
#[derive(Default)]
pub struct Outbox {
    /// Something may be due.
    pub wake: Notify,
    /// Which destinations fail.
    pub breakers: Breakers,
    /// Leases that ended before whoever had them said what came of it.
    lost_leases: AtomicU64,
}

impl Outbox {
    /// Notes what a try has shown of its destination.
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

/// Milliseconds until an item is tried again that was tried so often: never quite the same, so that what
/// failed together is not tried together again.
pub fn pause(tries: i64) -> i64 {
    pause_of(&PAUSES, MINUTE, tries)
}

/// The same by other pauses: `pauses[0]` follows the first try, in a unit of so many milliseconds.
pub fn pause_of(pauses: &[i64], unit: i64, tries: i64) -> i64 {
    let place = usize::try_from(tries - 1).unwrap_or_default().min(pauses.len() - 1);
    let longest = pauses[place] * unit;
    rand::random_range(longest * 8 / 10..=longest)
}

/// Writes the outcome of a try that was made at `made`. The outcome is in memory alone: a write that fails is made
/// again every half second, until the try's lease is over. Then the last error is answered, and the item is tried
/// again as one whose outcome is not known.
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
