//! How many rounds are under way for a plan and an organisation, and how many of them sell at once: a flood for one plan leaves
//! the others their rounds and their connections to the database.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{AcquireError, Notify, OwnedSemaphorePermit, Semaphore};

use super::Claimed;
use super::queue::Queue;

/// Rounds under way at once that would sell to one plan first, and to one organisation. Those that ask an organisation before
/// they sell wait for its answers meanwhile.
const FOR_PLAN: usize = 128;
const FOR_ORGANISATION: usize = 192;
/// Applicants that wait for such a place.
const WAITING: usize = 2000;
/// Sales at once to one plan, and to one organisation: each has a connection, and most of them wait for the one before.
const SALES_OF_PLAN: usize = 6;
const SALES_OF_ORGANISATION: usize = 8;
/// Plans and organisations without a sale that are kept in mind.
const KEPT: usize = 1024;

/// A plan and its organisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Buyer {
    pub org_id: i64,
    pub plan_id: i64,
}

/// The rounds under way by the buyer they would sell to first, and the applicants who wait for one.
pub struct Places {
    state: Mutex<State>,
    /// A place may be free.
    wake: Notify,
}

struct State {
    of_plans: HashMap<i64, usize>,
    of_organisations: HashMap<i64, usize>,
    waiting: Queue<Buyer, Claimed>,
}

impl Default for Places {
    fn default() -> Places {
        let state = State { of_plans: HashMap::new(), of_organisations: HashMap::new(), waiting: Queue::new(WAITING) };
        Places { state: Mutex::new(state), wake: Notify::new() }
    }
}

impl Places {
    /// A place for the round of an applicant, if one is free and no other applicant waits for it. Without one the applicant waits
    /// for [`Places::next`]; where too many wait, one of them is found in the database once this process has them no more.
    pub fn enter(self: &Arc<Places>, buyer: Buyer, claimed: Claimed) -> Option<Place> {
        let mut state = self.state();
        if state.is_free(buyer) && !state.waiting.has(buyer) {
            return Some(self.take(&mut state, buyer));
        }
        if let Some(refused) = state.waiting.push(buyer, claimed) {
            tracing::debug!(user.id = refused.user_id, "handoff: an applicant waits in the database for a plan's rounds");
        }
        None
    }

    /// The next applicant who has waited, with the place, as soon as there is one. Buyers take turns.
    pub async fn next(self: &Arc<Places>) -> (Place, Claimed) {
        loop {
            if let Some(next) = self.try_next() {
                return next;
            }
            self.wake.notified().await;
        }
    }

    fn try_next(self: &Arc<Places>) -> Option<(Place, Claimed)> {
        let state = &mut *self.state();
        let (of_plans, of_organisations) = (&state.of_plans, &state.of_organisations);
        let (buyer, claimed) = state.waiting.pop(|buyer| is_free(of_plans, of_organisations, *buyer))?;
        Some((self.take(state, buyer), claimed))
    }

    /// Whether so many more may wait.
    pub fn has_room_for(&self, more: usize) -> bool {
        self.state().waiting.has_room_for(more)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(self: &Arc<Places>, state: &mut State, buyer: Buyer) -> Place {
        *state.of_plans.entry(buyer.plan_id).or_default() += 1;
        *state.of_organisations.entry(buyer.org_id).or_default() += 1;
        Place { buyer, places: self.clone() }
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
}

impl Place {
    pub fn buyer(&self) -> Buyer {
        self.buyer
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let state = &mut *self.places.state();
        for (of, id) in [(&mut state.of_plans, self.buyer.plan_id), (&mut state.of_organisations, self.buyer.org_id)] {
            if let Some(count) = of.get_mut(&id) {
                *count -= 1;
                if *count == 0 {
                    of.remove(&id);
                }
            }
        }
        self.places.wake.notify_one();
    }
}

/// The sales that go on at once.
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
    /// Lets a sale begin now, if there are few enough of its plan and its organisation.
    pub fn try_begin(&self, buyer: Buyer) -> Option<Selling> {
        let plan = self.plans.of(buyer.plan_id).try_acquire_owned().ok()?;
        let organisation = self.organisations.of(buyer.org_id).try_acquire_owned().ok()?;
        Some(Selling { _permits: [plan, organisation] })
    }

    /// Lets a sale begin once there are few enough. Sales of a plan begin in the order in which they came here.
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
            // Permits and those that wait for one share theirs.
            of.retain(|_, slots| Arc::strong_count(slots) > 1);
        }
        of.entry(id).or_insert_with(|| Arc::new(Semaphore::new(self.most))).clone()
    }
}

#[cfg(test)]
mod tests {
    use std::iter;

    use futures_util::FutureExt;

    use super::*;

    fn claimed(user_id: i64) -> Claimed {
        Claimed { user_id, until: 0, fresh: true }
    }

    fn buyer(org_id: i64, plan_id: i64) -> Buyer {
        Buyer { org_id, plan_id }
    }

    #[test]
    fn a_flood_for_one_plan_leaves_the_others_their_places() {
        let places = Arc::new(Places::default());
        let hot: Vec<Place> = (0..1500).filter_map(|user| places.enter(buyer(1, 1), claimed(user))).collect();
        assert_eq!(hot.len(), FOR_PLAN);
        let beside: Vec<Place> = (0..1500).filter_map(|user| places.enter(buyer(1, 2), claimed(user))).collect();
        assert_eq!(beside.len(), FOR_ORGANISATION - FOR_PLAN, "and those of another plan to its organisation");
        assert!(places.enter(buyer(2, 3), claimed(9000)).is_some());
        assert!(places.next().now_or_never().is_none(), "the others wait");
        assert!(!places.has_room_for(WAITING));
        drop((hot, beside));
        let state = places.state();
        assert!(state.of_plans.is_empty() && state.of_organisations.is_empty(), "places that are given back are forgotten");
    }

    #[test]
    fn those_who_wait_take_turns_by_plan_and_come_before_the_next() {
        let places = Arc::new(Places::default());
        let full =
            |org_id, plan_id| -> Vec<Place> { (0..FOR_PLAN).map(|_| places.enter(buyer(org_id, plan_id), claimed(0)).unwrap()).collect() };
        let (mut one, mut other) = (full(1, 1), full(2, 2));
        for user in [11, 12, 13] {
            assert!(places.enter(buyer(1, 1), claimed(user)).is_none());
        }
        assert!(places.enter(buyer(2, 2), claimed(21)).is_none());
        one.truncate(FOR_PLAN - 3);
        other.truncate(FOR_PLAN - 1);
        assert!(places.enter(buyer(1, 1), claimed(14)).is_none(), "behind those who wait for the same");
        let served: Vec<(Place, Claimed)> = iter::from_fn(|| places.next().now_or_never()).collect();
        assert_eq!(served.iter().map(|(_, claimed)| claimed.user_id).collect::<Vec<_>>(), [11, 21, 12, 13]);
        drop(served);
        assert_eq!(places.next().now_or_never().map(|(_, claimed)| claimed.user_id), Some(14));
    }

    #[test]
    fn so_many_sell_at_once_to_a_plan_and_an_organisation() {
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
