//! Work that waits in the database until it is due, and is leased piece by piece: so many pieces at
//! once, and so many of them for one owner, so that one whose server hangs holds up nobody else.

use std::collections::{BTreeSet, HashMap};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// How often the database is asked what is due.
const LOOK: Duration = Duration::from_secs(1);

/// A piece of work that is due.
#[derive(Clone, Copy, Debug)]
pub struct Due {
    pub id: i64,
    /// When it was due as it was seen; epoch milliseconds. Who leases it asks that it still is.
    pub seen: i64,
    /// Whose it is.
    pub owner: i64,
}

/// Pieces that are worked on at once.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub at_once: usize,
    /// Of one owner.
    pub to_one: usize,
}

/// Works until the program stops; what is being done then is done first. `due` answers what is due, so
/// much at most and nothing of some owners; `one` leases a piece and does it, or does nothing if somebody
/// else has it; `wake` says that something may be due.
pub async fn work<D, O>(limits: Limits, wake: &Notify, stop: CancellationToken, due: impl Fn(usize, Vec<i64>) -> D, one: impl Fn(Due) -> O)
where
    D: Future<Output = Vec<Due>>,
    O: Future<Output = ()> + Send + 'static,
{
    let mut running = JoinSet::new();
    let mut hands = Hands { limits, pieces: HashMap::new() };
    // There is more than there was room for.
    let mut more = false;
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(ended) = running.join_next() => {
                if let Ok(id) = ended {
                    hands.pieces.remove(&id);
                }
                if !more {
                    continue;
                }
            }
            () = wake.notified(), if hands.has_room() => {}
            _ = look.tick(), if hands.has_room() => {}
        }
        more = false;
        while hands.has_room() {
            // So many that there are others among them than those that are not leased yet.
            let found = due(limits.at_once * 2, hands.full()).await;
            let before = hands.pieces.len();
            for piece in found {
                match hands.take(piece) {
                    true => {
                        let work = one(piece);
                        running.spawn(async move {
                            work.await;
                            piece.id
                        });
                    }
                    false => more = true,
                }
            }
            if !more || hands.pieces.len() == before {
                break;
            }
        }
        more |= !hands.has_room();
    }
    while running.join_next().await.is_some() {}
}

/// What is being worked on: pieces with their owners.
struct Hands {
    limits: Limits,
    pieces: HashMap<i64, i64>,
}

impl Hands {
    fn has_room(&self) -> bool {
        self.pieces.len() < self.limits.at_once
    }

    fn of(&self, owner: i64) -> usize {
        self.pieces.values().filter(|other| **other == owner).count()
    }

    /// Owners who have their share.
    fn full(&self) -> Vec<i64> {
        let owners: BTreeSet<i64> = self.pieces.values().copied().collect();
        owners.into_iter().filter(|owner| self.of(*owner) >= self.limits.to_one).collect()
    }

    /// Takes a piece, unless it is in hand already or there is no room for it; tells whether it did.
    fn take(&mut self, piece: Due) -> bool {
        let takes = self.has_room() && self.of(piece.owner) < self.limits.to_one && !self.pieces.contains_key(&piece.id);
        takes && self.pieces.insert(piece.id, piece.owner).is_none()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[tokio::test]
    async fn one_owner_that_hangs_holds_up_nobody_else() {
        const HANGS: i64 = 7;
        let (stop, wake, goes_on) = (CancellationToken::new(), Notify::new(), CancellationToken::new());
        // All of its work was due before that of the others.
        let piece = |id: i64| Due { id, seen: id, owner: if id <= 100 { HANGS } else { id } };
        let waiting = Arc::new(Mutex::new((1..=120).map(piece).collect::<Vec<_>>()));
        let done = Arc::new(Mutex::new(Vec::new()));
        let due = |most: usize, full: Vec<i64>| {
            let some = waiting.lock().unwrap().iter().filter(|piece| !full.contains(&piece.owner)).take(most).copied().collect();
            async move { some }
        };
        let one = |piece: Due| {
            let (waiting, done, goes_on) = (waiting.clone(), done.clone(), goes_on.clone());
            async move {
                // Leased, it is due no more.
                waiting.lock().unwrap().retain(|other| other.id != piece.id);
                if piece.owner == HANGS {
                    goes_on.cancelled().await;
                }
                done.lock().unwrap().push(piece.id);
            }
        };
        let stops = async {
            while done.lock().unwrap().len() < 20 {
                tokio::task::yield_now().await;
            }
            assert_eq!(*done.lock().unwrap(), (101..=120).collect::<Vec<_>>());
            stop.cancel();
            tokio::task::yield_now().await;
            goes_on.cancel();
        };
        tokio::join!(work(Limits { at_once: 3, to_one: 2 }, &wake, stop.clone(), due, one), stops);
        assert_eq!(done.lock().unwrap()[20..], [1, 2], "what was being done is done, and nothing else begun");
    }
}
