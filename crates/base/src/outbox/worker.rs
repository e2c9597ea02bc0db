//! The worker of the outbox: looks for due items, divides its capacity among the destinations, with a limit for each,
//! and skips those with an open breaker.

use std::collections::HashMap;
use std::iter;
use std::panic::AssertUnwindSafe;
use std::time::Duration;

use futures_util::FutureExt;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::queue::{self, Due, What};
use super::{Admission, Outbox, Seen};
use crate::clock::Clock;
use crate::db::Db;

/// How often due items are looked for.
const LOOK: Duration = Duration::from_secs(1);
/// Items that are tried at the same time, and those of one destination. Most of them wait for an answer.
const AT_ONCE: usize = 256;
const FOR_ONE: usize = 8;

/// Carries due items until the program stops; those under way then are finished. `carry` leases an item and tries it,
/// or does nothing if another process has it.
pub async fn work<C>(outbox: &Outbox, db: &Db, clock: &Clock, stop: CancellationToken, carry: impl Fn(Due) -> C)
where
    C: Future<Output = Seen> + Send + 'static,
{
    let mut running = JoinSet::new();
    let mut in_flight = InFlight::default();
    // There are more items than capacity.
    let mut more = false;
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(ended) = running.join_next() => {
                // All that have ended by now: one look serves them.
                for Tried { id, destination, seen } in iter::successors(Some(ended), |_| running.try_join_next()).flatten() {
                    in_flight.finish(id, &destination);
                    outbox.note(&destination, seen, clock.now());
                }
                if !more {
                    continue;
                }
            }
            () = outbox.wake.notified(), if in_flight.has_room() => {}
            _ = look.tick(), if in_flight.has_room() => {}
        }
        more = false;
        // The leases of others are measured by the database's clock; breakers by this process's.
        let looked = async {
            let now = db.now(clock).await?;
            Ok::<_, sqlx::Error>((now, queue::destinations(db.read(), now).await?))
        };
        let (now, destinations) = match looked.await {
            Ok(looked) => looked,
            Err(error) => {
                tracing::error!(%error, "outbox: what is due could not be looked for");
                continue;
            }
        };
        for destination in in_flight.in_turn(destinations) {
            // Items just started may not be leased yet, and so still be due.
            let busy = in_flight.count_of(&destination);
            if busy >= FOR_ONE || !in_flight.has_room() {
                more = true;
                continue;
            }
            let (room, what) = match outbox.breakers.admit(&destination, clock.now()) {
                Admission::All => (FOR_ONE, What::All),
                Admission::One => (busy + 1, What::All),
                Admission::Nothing => (FOR_ONE, What::EndedWithoutCall),
            };
            let due = match queue::due_for(db.read(), &destination, what, now, room + busy + 1).await {
                Ok(due) => due,
                Err(error) => {
                    tracing::error!(%error, "outbox: what is due could not be looked for");
                    break;
                }
            };
            for item in due {
                if in_flight.count_of(&destination) >= room || !in_flight.has_room() {
                    more = true;
                    break;
                }
                if !in_flight.start(item.id, &destination) {
                    continue;
                }
                if item.lost {
                    outbox.lost_lease();
                }
                let (id, destination, work) = (item.id, destination.clone(), AssertUnwindSafe(carry(item)).catch_unwind());
                running.spawn(async move {
                    // If the try panicked, the item is due again when its lease ends.
                    let seen = work.await.unwrap_or_else(|_| {
                        tracing::error!(outbox.id = id, "outbox: a try panicked");
                        Seen::Nothing
                    });
                    Tried { id, destination, seen }
                });
            }
        }
    }
    while running.join_next().await.is_some() {}
}

/// An item after its try.
struct Tried {
    id: i64,
    destination: String,
    seen: Seen,
}

/// The items being tried, and their number for each destination.
#[derive(Default)]
struct InFlight {
    items: HashMap<i64, String>,
    for_each: HashMap<String, usize>,
    /// The destination that was served last: the next one in order follows.
    last: String,
}

impl InFlight {
    fn has_room(&self) -> bool {
        self.items.len() < AT_ONCE
    }

    fn count_of(&self, destination: &str) -> usize {
        self.for_each.get(destination).copied().unwrap_or_default()
    }

    /// Starts an item, unless it is being tried. Returns whether it did.
    fn start(&mut self, id: i64, destination: &str) -> bool {
        if self.items.contains_key(&id) {
            return false;
        }
        self.items.insert(id, destination.to_owned());
        *self.for_each.entry(destination.to_owned()).or_default() += 1;
        destination.clone_into(&mut self.last);
        true
    }

    fn finish(&mut self, id: i64, destination: &str) {
        if self.items.remove(&id).is_some()
            && let Some(count) = self.for_each.get_mut(destination)
        {
            *count -= 1;
            if *count == 0 {
                self.for_each.remove(destination);
            }
        }
    }

    /// Destinations in order, beginning after the one that was served last.
    fn in_turn(&self, mut destinations: Vec<String>) -> Vec<String> {
        let behind = destinations.partition_point(|destination| *destination <= self.last);
        destinations.rotate_left(behind);
        destinations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_take_turns_and_each_has_its_share() {
        let mut in_flight = InFlight::default();
        let names = || ["a", "b", "c"].map(str::to_owned).to_vec();
        assert_eq!(in_flight.in_turn(names()), ["a", "b", "c"]);
        assert!(in_flight.start(1, "b") && !in_flight.start(1, "b"), "what is in hand is not picked up again");
        assert_eq!(
            (in_flight.in_turn(names()), in_flight.count_of("b"), in_flight.count_of("a")),
            (["c", "a", "b"].map(str::to_owned).to_vec(), 1, 0)
        );
        in_flight.finish(1, "b");
        in_flight.finish(1, "b");
        assert_eq!((in_flight.count_of("b"), in_flight.has_room()), (0, true));
    }
}
