//! Applicants whom intake hands to those who look for plans at once, instead of having them find them
//! in the database. They are there too: whoever is lost here is found there a little later.

use std::sync::{Mutex, PoisonError};

use tokio::sync::{Semaphore, mpsc};

use crate::clock::MINUTE;

/// How long somebody whom this process looks after at once is nobody else's.
pub const LEASE: i64 = MINUTE;
/// Rounds that go on at once.
const TURNS: usize = 64;
/// Applicants that may wait here.
const WAITING: usize = 2000;

/// An applicant, and until when this process has him.
#[derive(Clone, Copy, Debug)]
pub struct Claimed {
    pub user_id: i64,
    /// Epoch milliseconds.
    pub until: i64,
    /// He came a moment ago: no plan was looked for yet.
    pub fresh: bool,
}

/// The hatch between them.
pub struct Handoff {
    /// Rounds that take turns on the processor and the database: whoever waits for an answer needs no turn.
    pub rounds: Semaphore,
    /// Trials of a plan on past leads: one at a time, beside the work.
    pub trials: Semaphore,
    applicants: mpsc::Sender<Claimed>,
    /// Until somebody works on it.
    waiting: Mutex<Option<mpsc::Receiver<Claimed>>>,
}

impl Default for Handoff {
    fn default() -> Handoff {
        let (applicants, waiting) = mpsc::channel(WAITING);
        Handoff { rounds: Semaphore::new(TURNS), trials: Semaphore::new(1), applicants, waiting: Mutex::new(Some(waiting)) }
    }
}

impl Handoff {
    /// Hands an applicant over. Where too many wait, he is found in the database once this process
    /// has him no more.
    pub fn applicant(&self, claimed: Claimed) {
        if self.applicants.try_send(claimed).is_err() {
            tracing::debug!(user.id = claimed.user_id, "handoff: an applicant waits in the database");
        }
    }

    /// The other side of the hatch, unless somebody has it.
    pub fn applicants(&self) -> Option<mpsc::Receiver<Claimed>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Puts it back for the next.
    pub fn give_back(&self, waiting: Option<mpsc::Receiver<Claimed>>) {
        if waiting.is_some() {
            *self.waiting.lock().unwrap_or_else(PoisonError::into_inner) = waiting;
        }
    }
}
