//! Rounds under way for each plan and organisation, and how many of them sell at once: a flood for one plan leaves
//! the others their rounds and their database connections.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{AcquireError, Notify, OwnedSemaphorePermit, Semaphore, oneshot};

use super::queue::Queue;

/// The most rounds under way that are about to sell to one plan, and to one organisation. Some of them ask the
/// organisation first and wait for its answers meanwhile.
const FOR_PLAN: usize = 128;
const FOR_ORGANISATION: usize = 192;
/// Rounds that wait for such a place.
const WAITING: usize = 2000;
/// The most concurrent sales to one plan, and to one organisation: each has a connection, and most of them wait for
/// the one before.
const SALES_OF_PLAN: usize = 6;
const SALES_OF_ORGANISATION: usize = 8;
/// Plans and organisations without a sale that are kept in memory.
const KEPT: usize = 1024;

/// A plan and its organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Buyer {
    pub org_id: i64,
    pub plan_id: i64,
}

/// The rounds under way by the buyer to which they are about to sell, and the rounds that wait for a place.
pub struct Places {
    state: Mutex<State>,
    /// Another round waits.
    waits: Notify,
}

struct State {
    of_plans: HashMap<i64, usize>,
    of_organisations: HashMap<i64, usize>,
    waiting: Queue<Buyer, oneshot::Sender<Place>>,
    /// Rounds do not wait any more: the process stops.
    closed: bool,
}

impl Default for Places {
    fn default() -> Places {
        let state = State { of_plans: HashMap::new(), of_organisations: HashMap::new(), waiting: Queue::new(WAITING), closed: false };
        Places { state: Mutex::new(state), waits: Notify::new() }
    }
}

impl Places {
    /// A place for a round, if one is free and no other round waits for it.
    pub fn try_enter(self: &Arc<Places>, buyer: Buyer) -> Option<Place> {
        let state = &mut *self.state();
        (state.is_free(buyer) && !state.waiting.has(buyer)).then(|| self.take(state, buyer))
    }

    /// A place for a round, as soon as one is free. Buyers take turns; rounds of one buyer keep their order. None if
    /// too many rounds wait (the last round of the buyer with the most is sent away), and when the process stops.
    pub async fn enter(self: &Arc<Places>, buyer: Buyer) -> Option<Place> {
        let given = {
            let state = &mut *self.state();
            if state.is_free(buyer) && !state.waiting.has(buyer) {
                return Some(self.take(state, buyer));
            }
            if state.closed {
                return None;
            }
            let (give, given) = oneshot::channel();
            // Dropping it informs the round that is sent away.
            drop(state.waiting.push(buyer, give));
            given
        };
        self.waits.notify_one();
        given.await.ok()
    }

    /// How many rounds wait for a place.
    pub fn waiting(&self) -> usize {
        self.state().waiting.len()
    }

    /// Whether the queue of rounds is full.
    pub fn is_full(&self) -> bool {
        self.waiting() >= WAITING
    }

    /// Returns once another round waits.
    pub async fn another_waits(&self) {
        self.waits.notified().await;
    }

    /// Allows rounds to wait, from the start of the work to its end.
    pub fn open(&self) {
        self.state().closed = false;
    }

    /// Sends away all waiting rounds, and allows no more.
    pub fn close(&self) {
        let state = &mut *self.state();
        state.closed = true;
        while state.waiting.pop(|_| true).is_some() {}
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(self: &Arc<Places>, state: &mut State, buyer: Buyer) -> Place {
        *state.of_plans.entry(buyer.plan_id).or_default() += 1;
        *state.of_organisations.entry(buyer.org_id).or_default() += 1;
        Place { buyer, places: self.clone(), is_given_back: false }
    }

    /// Gives free places to waiting rounds.
    fn hand_on(self: &Arc<Places>) {
        loop {
            let (place, waiter) = {
                let state = &mut *self.state();
                let (of_plans, of_organisations) = (&state.of_plans, &state.of_organisations);
                let Some((buyer, waiter)) = state.waiting.pop(|buyer| is_free(of_plans, of_organisations, *buyer)) else { return };
                (self.take(state, buyer), waiter)
            };
            // A round that has ended meanwhile passes its place to the next.
            if let Err(mut place) = waiter.send(place) {
                place.give_back();
            }
        }
    }
}

impl State {
    fn is_free(&self, buyer: Buyer) -> bool {
        is_free(&self.of_plans, &self.of_organisations, buyer)
    }
}

fn is_free(of_plans: &HashMap<i64, usize>, of_organisations: &HashMap<i64, usize>, buyer: Buyer) -> bool {
    let is_below = |of: &HashMap<i64, usize>, id, most| of.get(&id).is_none_or(|count| *count < most);
    is_below(of_plans, buyer.plan_id, FOR_PLAN) && is_below(of_organisations, buyer.org_id, FOR_ORGANISATION)
}

/// The place of a round, until it is dropped.
pub struct Place {
    buyer: Buyer,
    places: Arc<Places>,
    is_given_back: bool,
}

impl Place {
    pub fn buyer(&self) -> Buyer {
        self.buyer
    }

    fn give_back(&mut self) {
        let state = &mut *self.places.state();
        for (of, id) in [(&mut state.of_plans, self.buyer.plan_id), (&mut state.of_organisations, self.buyer.org_id)] {
            if let Some(count) = of.get_mut(&id) {
                *count -= 1;
                if *count == 0 {
                    of.remove(&id);
                }
            }
        }
        self.is_given_back = true;
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if !self.is_given_back {
            self.give_back();
            self.places.hand_on();
        }
    }
}

/// Concurrent sales.
pub struct Sales {
    plans: Slots,
    organisations: Slots,
}

/// A sale goes on until this is dropped.
pub struct Selling {
    _permits: [OwnedSemaphorePermit; 2],
}

impl Default for Sales {
    fn default() -> Sales {
        Sales { plans: Slots::new(SALES_OF_PLAN), organisations: Slots::new(SALES_OF_ORGANISATION) }
    }
}

impl Sales {
    /// Begins a sale now, if there are few enough of its plan and its organisation.
    pub fn try_begin(&self, buyer: Buyer) -> Option<Selling> {
        let plan = self.plans.of(buyer.plan_id).try_acquire_owned().ok()?;
        let organisation = self.organisations.of(buyer.org_id).try_acquire_owned().ok()?;
        Some(Selling { _permits: [plan, organisation] })
    }

    /// Begins a sale once there are few enough. Sales of a plan begin in the order of their calls.
    pub async fn begin(&self, buyer: Buyer) -> Result<Selling, AcquireError> {
        let plan = self.plans.of(buyer.plan_id).acquire_owned().await?;
        let organisation = self.organisations.of(buyer.org_id).acquire_owned().await?;
        Ok(Selling { _permits: [plan, organisation] })
    }
}

/// So many permits for each id.
struct Slots {
    most: usize,
    of: Mutex<HashMap<i64, Arc<Semaphore>>>,
}

impl Slots {
    fn new(most: usize) -> Slots {
        Slots { most, of: Mutex::default() }
    }

    fn of(&self, id: i64) -> Arc<Semaphore> {
        let mut of = self.of.lock().unwrap_or_else(PoisonError::into_inner);
        if of.len() >= KEPT {
            // Permits and waiting sales hold a reference.
            of.retain(|_, slots| Arc::strong_count(slots) > 1);
        }
        of.entry(id).or_insert_with(|| Arc::new(Semaphore::new(self.most))).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::iter;
    use std::pin::Pin;

    use futures_util::FutureExt;

    use super::*;

    fn buyer(org_id: i64, plan_id: i64) -> Buyer {
        Buyer { org_id, plan_id }
    }

    fn all_of(places: &Arc<Places>, buyer: Buyer) -> Vec<Place> {
        iter::from_fn(|| places.try_enter(buyer)).collect()
    }

    type Waiter = Pin<Box<dyn Future<Output = Option<Place>>>>;

    /// A round that waits for a place.
    fn waiter(places: &Arc<Places>, buyer: Buyer) -> Waiter {
        let places = places.clone();
        let mut waiter: Waiter = Box::pin(async move { places.enter(buyer).await });
        assert!(waiter.as_mut().now_or_never().is_none());
        waiter
    }

    #[test]
    fn a_flood_for_one_plan_leaves_the_others_their_places() {
        let places = Arc::new(Places::default());
        let hot = all_of(&places, buyer(1, 1));
        assert_eq!(hot.len(), FOR_PLAN);
        let beside = all_of(&places, buyer(1, 2));
        assert_eq!(beside.len(), FOR_ORGANISATION - FOR_PLAN, "and those of another plan to its organisation");
        assert!(places.try_enter(buyer(2, 3)).is_some());
        drop((hot, beside));
        let state = places.state();
        assert!(state.of_plans.is_empty() && state.of_organisations.is_empty(), "places that are given back are forgotten");
    }

    #[test]
    fn rounds_that_wait_take_turns_by_plan_and_come_before_the_next() {
        let places = Arc::new(Places::default());
        let (mut one, mut other) = (all_of(&places, buyer(1, 1)), all_of(&places, buyer(2, 2)));
        let mut waiters = [1, 1, 1, 2].map(|id| waiter(&places, buyer(id, id)));
        let mut served = Vec::new();
        let serve = |waiters: &mut [Waiter], served: &mut Vec<(usize, Place)>| {
            for (index, waiter) in waiters.iter_mut().enumerate() {
                if served.iter().all(|(one, _)| *one != index) {
                    served.extend(waiter.as_mut().now_or_never().flatten().map(|place| (index, place)));
                }
            }
        };
        one.pop();
        serve(&mut waiters, &mut served);
        other.pop();
        serve(&mut waiters, &mut served);
        one.pop();
        assert!(places.try_enter(buyer(1, 1)).is_none(), "behind those that wait for the same");
        serve(&mut waiters, &mut served);
        assert_eq!(served.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [0, 3, 1]);
        assert_eq!(places.waiting(), 1);
        // A waiter that has given up passes its place to the next.
        let last = waiter(&places, buyer(1, 1));
        let [_, _, third, _] = waiters;
        drop(third);
        drop(one.pop());
        assert!(last.now_or_never().flatten().is_some());
    }

    #[test]
    fn rounds_are_sent_away_where_too_many_wait_and_when_the_work_ends() {
        let places = Arc::new(Places::default());
        let (_hot, _other) = (all_of(&places, buyer(1, 1)), all_of(&places, buyer(2, 2)));
        let mut hot: Vec<Waiter> = (0..WAITING).map(|_| waiter(&places, buyer(1, 1))).collect();
        assert!(places.is_full());
        assert!(places.enter(buyer(1, 1)).now_or_never().is_some_and(|place| place.is_none()), "it is of the buyer with the most itself");
        let beside = waiter(&places, buyer(2, 2));
        let last = hot.pop().unwrap();
        assert!(last.now_or_never().is_some_and(|place| place.is_none()), "the last of the buyer with the most");
        places.close();
        assert!(beside.now_or_never().is_some_and(|place| place.is_none()));
        assert!(places.enter(buyer(1, 1)).now_or_never().is_some_and(|place| place.is_none()));
        assert_eq!(places.waiting(), 0);
        assert!(places.try_enter(buyer(3, 3)).is_some());
        places.open();
        let again = waiter(&places, buyer(1, 1));
        drop(_hot);
        assert!(again.now_or_never().flatten().is_some());
    }

    #[test]
    fn sales_to_a_plan_and_an_organisation_are_limited() {
        let sales = Sales::default();
        let hot: Vec<Selling> = iter::from_fn(|| sales.try_begin(buyer(1, 1))).collect();
        assert_eq!(hot.len(), SALES_OF_PLAN);
        let beside: Vec<Selling> = iter::from_fn(|| sales.try_begin(buyer(1, 2))).collect();
        assert_eq!(beside.len(), SALES_OF_ORGANISATION - SALES_OF_PLAN);
        assert!(sales.try_begin(buyer(2, 3)).is_some());
        assert!(sales.begin(buyer(1, 1)).now_or_never().is_none());
        drop(hot);
        assert!(sales.begin(buyer(1, 1)).now_or_never().is_some());
        for id in 0..2 * KEPT as i64 {
            assert!(sales.try_begin(buyer(id, id)).is_some());
        }
        assert!(sales.plans.of.lock().unwrap().len() <= KEPT);
    }
}
