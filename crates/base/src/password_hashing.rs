//! Passwords, hashed and compared with argon2id: a few at the same time, behind a short queue in which sign-ins of
//! staff come before resets by unknown callers. If the queue is full the caller gets an error at once instead of
//! waiting behind a flood.

use std::collections::VecDeque;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use tokio::sync::oneshot;

/// Concurrent hashes: each takes 19 MB and some 20 ms of one core.
const SLOTS: usize = 2;
/// How many of them may be resets, so that a sign-in always finds a slot.
const RESET_SLOTS: usize = 1;
/// How many may wait or run, of each kind: some 200 ms of work.
const PLACES: usize = 20;

/// The kind of a hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Priority {
    /// A sign-in, or a person who is signed in. They come first.
    Staff,
    /// A reset of a lost password.
    Reset,
}

const KINDS: usize = 2;

/// The queue is full: try again later.
#[derive(Debug, thiserror::Error)]
#[error("too many passwords wait to be hashed")]
pub struct Full;

/// The queue of a process. Cheap to clone.
#[derive(Clone, Default)]
pub struct Hashing {
    queue: Arc<Mutex<Queue>>,
}

/// Numbers by [`Priority`].
#[derive(Default)]
struct Queue {
    places: [usize; KINDS],
    running: [usize; KINDS],
    waiting: [VecDeque<oneshot::Sender<Turn>>; KINDS],
    begun: [u64; KINDS],
}

/// A place in the queue. It is taken before a try is written and kept until its password is hashed, so that a counted
/// try is never turned away.
pub struct Place {
    hashing: Hashing,
    priority: Priority,
}

/// A slot, until dropped.
struct Turn {
    /// None once the slot was given back in another way.
    of: Option<Hashing>,
    priority: Priority,
}

impl Hashing {
    /// Takes a place, if one is left.
    pub fn place(&self, priority: Priority) -> Result<Place, Full> {
        let places = &mut self.lock().places[priority as usize];
        if *places >= PLACES {
            return Err(Full);
        }
        *places += 1;
        Ok(Place { hashing: self.clone(), priority })
    }

    /// Hashes a password for staff.
    pub async fn hash(&self, password: &str) -> Result<String, Full> {
        Ok(self.place(Priority::Staff)?.hash(password).await)
    }

    /// How many passwords this process has hashed.
    pub fn begun(&self, priority: Priority) -> u64 {
        self.lock().begun[priority as usize]
    }

    /// How many wait or run.
    pub fn places(&self, priority: Priority) -> usize {
        self.lock().places[priority as usize]
    }

    async fn turn(&self, priority: Priority) -> Turn {
        let (sender, receiver) = oneshot::channel();
        {
            let mut queue = self.lock();
            queue.waiting[priority as usize].push_back(sender);
            self.start_waiting(&mut queue);
        }
        receiver.await.expect("a waiting password gets its turn")
    }

    /// Gives free slots to waiting hashes, staff first.
    fn start_waiting(&self, queue: &mut Queue) {
        while queue.running.iter().sum::<usize>() < SLOTS {
            let resets_may = queue.running[Priority::Reset as usize] < RESET_SLOTS;
            let mut next = |priority: Priority| queue.waiting[priority as usize].pop_front().map(|waiting| (waiting, priority));
            let Some((waiting, priority)) = next(Priority::Staff).or_else(|| if resets_may { next(Priority::Reset) } else { None }) else {
                return;
            };
            queue.running[priority as usize] += 1;
            match waiting.send(Turn { of: Some(self.clone()), priority }) {
                Ok(()) => queue.begun[priority as usize] += 1,
                // The caller has stopped waiting. The queue is locked here, so the slot is given back directly.
                Err(mut unused) => {
                    unused.of = None;
                    queue.running[priority as usize] -= 1;
                }
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(hashing) = self.of.take() {
            let mut queue = hashing.lock();
            queue.running[self.priority as usize] -= 1;
            hashing.start_waiting(&mut queue);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.hashing.lock().places[self.priority as usize] -= 1;
    }
}

impl Place {
    /// Hashes a password, off the serving threads.
    pub async fn hash(&self, password: &str) -> String {
        let password = password.to_owned();
        self.work(move || hash_now(&password)).await
    }

    /// Compares a password with a stored hash. Without a hash it takes the same time and returns false, so that an
    /// unknown user name cannot be distinguished from a wrong password.
    pub async fn verify(&self, password: &str, hash: Option<String>) -> bool {
        static NOBODY: LazyLock<String> = LazyLock::new(|| hash_now("nobody's password"));
        let password = password.to_owned();
        self.work(move || {
            let known = hash.is_some();
            let matches = matches(&password, hash.as_deref().unwrap_or(&NOBODY));
            matches && known
        })
        .await
    }

    async fn work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> T {
        let turn = self.hashing.turn(self.priority).await;
        // The slot is free when the work is done, even if the caller has stopped waiting.
        let done = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        done.await.expect("hashing does not panic")
    }
}

/// Hashes a password on this thread: for commands and tests, where nothing else waits.
pub fn hash_now(password: &str) -> String {
    Argon2::default().hash_password(password.as_bytes()).expect("argon2's own parameters are valid").to_string()
}

/// Compares a password with a stored hash on this thread.
pub fn matches(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|parsed| Argon2::default().verify_password(password.as_bytes(), &parsed).is_ok())
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;
    use futures_util::poll;

    use super::*;

    #[tokio::test]
    async fn passwords_verify_and_unknown_users_never_do() {
        let place = Hashing::default().place(Priority::Staff).unwrap();
        let hash = place.hash("right").await;
        assert!(hash.starts_with("$argon2id$"));
        assert!(place.verify("right", Some(hash.clone())).await);
        assert!(!place.verify("wrong", Some(hash)).await);
        assert!(!place.verify("nobody's password", None).await);
    }

    /// S-H1: the queue is short, and each kind has its own.
    #[tokio::test]
    async fn a_full_queue_says_so_and_only_to_its_own_kind() {
        let hashing = Hashing::default();
        let places: Vec<Place> = (0..PLACES).map(|_| hashing.place(Priority::Reset).unwrap()).collect();
        assert!(hashing.place(Priority::Reset).is_err());
        assert!(hashing.place(Priority::Staff).is_ok());
        drop(places);
        assert!(hashing.place(Priority::Reset).is_ok(), "who leaves makes room");
        assert_eq!(hashing.places(Priority::Reset), 0);
    }

    /// S-H1: resets never hold both slots, and wait while staff do.
    #[tokio::test]
    async fn staff_go_before_resets() {
        let hashing = Hashing::default();
        let reset = hashing.turn(Priority::Reset).await;
        let mut second_reset = Box::pin(hashing.turn(Priority::Reset));
        assert!(poll!(&mut second_reset).is_pending(), "one slot is not for resets");
        let staff = hashing.turn(Priority::Staff).await;
        let mut more_staff = Box::pin(hashing.turn(Priority::Staff));
        assert!(poll!(&mut more_staff).is_pending());
        drop(reset);
        let more_staff = more_staff.await;
        assert!(poll!(&mut second_reset).is_pending(), "it came first and still waits");
        drop(staff);
        drop(second_reset.await);
        drop(more_staff);
        assert_eq!((hashing.begun(Priority::Staff), hashing.begun(Priority::Reset)), (2, 2));
    }

    #[tokio::test]
    async fn a_caller_that_stops_waiting_keeps_no_slot() {
        let hashing = Hashing::default();
        let held = join_all((0..SLOTS).map(|_| hashing.turn(Priority::Staff))).await;
        let (mut gone, mut granted) = (Box::pin(hashing.turn(Priority::Staff)), Box::pin(hashing.turn(Priority::Staff)));
        assert!(poll!(&mut gone).is_pending() && poll!(&mut granted).is_pending());
        // One leaves while it waits, the other when it has got its slot but has not noticed.
        drop(gone);
        drop(held);
        drop(granted);
        drop(join_all((0..SLOTS).map(|_| hashing.turn(Priority::Staff))).await);
    }
}
