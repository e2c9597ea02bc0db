//! Applicants that intake hands to the rounds of this process at once, without a query. They are in the database,
//! too: one that is lost here is found there a little later. Channels and plans take turns, so that a flood of one
//! delays only itself.

mod places;
mod queue;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, Semaphore};

use base::clock::MINUTE;

pub use places::{Buyer, Place, Places, Sales, Selling};
use queue::Queue;

/// Milliseconds for which this process leases an applicant.
pub const LEASE: i64 = MINUTE;
/// Rounds that run at once.
const TURNS: usize = 64;
/// Applicants that may wait here for their rounds.
const WAITING: usize = 2000;

/// An applicant, and until when this process has them.
#[derive(Clone, Copy, Debug)]
pub struct Claimed {
    pub user_id: i64,
    /// Epoch milliseconds.
    pub until: i64,
    /// The applicant is new: no plan was looked for yet.
    pub fresh: bool,
}

/// The data shared by intake and rounds.
pub struct Handoff {
    /// Permits for rounds that use the processor and the database: a round that waits for an answer needs none.
    pub rounds: Arc<Semaphore>,
    /// Rounds under way for each plan and organisation.
    pub places: Arc<Places>,
    /// Concurrent sales of each plan and organisation.
    pub sales: Sales,
    /// Trials of a plan on past leads: one by people of the platform at a time, and one by people of organisations.
    trials: [Semaphore; 2],
    handed: Arc<Handed>,
    /// Held here until a worker takes it.
    waiting: Mutex<Option<Applicants>>,
}

/// Applicants that were handed over, by channel.
struct Handed {
    queue: Mutex<Queue<i64, Claimed>>,
    wake: Notify,
}

/// The worker's end of the queue.
pub struct Applicants(Arc<Handed>);

impl Default for Handoff {
    fn default() -> Handoff {
        let handed = Arc::new(Handed { queue: Mutex::new(Queue::new(WAITING)), wake: Notify::new() });
        Handoff {
            rounds: Arc::new(Semaphore::new(TURNS)),
            places: Arc::default(),
            sales: Sales::default(),
            trials: [Semaphore::new(1), Semaphore::new(1)],
            waiting: Mutex::new(Some(Applicants(handed.clone()))),
            handed,
        }
    }
}

impl Handoff {
    /// The permit for a trial on past leads.
    pub fn trials(&self, by_platform: bool) -> &Semaphore {
        &self.trials[usize::from(by_platform)]
    }

    /// Hands over an applicant of a channel. If too many wait, the last one of the channel with the most is dropped;
    /// it is found in the database when its lease ends.
    pub fn applicant(&self, channel_id: i64, claimed: Claimed) {
        if let Some(refused) = self.handed.queue().push(channel_id, claimed) {
            tracing::debug!(user.id = refused.user_id, "handoff: an applicant waits in the database");
        }
        self.handed.wake.notify_one();
    }

    /// The worker's end, unless a worker has it.
    pub fn applicants(&self) -> Option<Applicants> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Puts it back for the next worker.
    pub fn give_back(&self, waiting: Option<Applicants>) {
        if waiting.is_some() {
            *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
        }
    }
}

impl Handed {
    fn queue(&self) -> MutexGuard<'_, Queue<i64, Claimed>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Applicants {
    /// The next applicant, as soon as there is one. Channels take turns.
    pub async fn next(&mut self) -> Claimed {
        loop {
            if let Some(claimed) = self.try_next() {
                return claimed;
            }
            self.0.wake.notified().await;
        }
    }

    /// The next applicant, if there is one.
    pub fn try_next(&mut self) -> Option<Claimed> {
        self.0.queue().pop(|_| true).map(|(_, claimed)| claimed)
    }
}
