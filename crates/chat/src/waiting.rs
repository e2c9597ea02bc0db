//! The waiting streams and polls of this process: those of staff and of visitors. Each is woken only by events of conversations
//! that its reader sees. A person may have a few at the same time; one more ends the oldest.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::access::ChatAccess;

/// The kind of a waiting caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// An account of the staff.
    Account(i64),
    /// A visitor, by their id as a customer.
    Visitor(i64),
}

/// A conversation in which something happened, with its group and staff at that moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touched {
    pub customer_id: i64,
    pub group_id: i64,
    pub staff_id: Option<i64>,
}

type Readers = HashMap<Who, VecDeque<Arc<Reader>>>;

/// All waiting streams and polls.
#[derive(Debug, Default)]
pub struct Waiting {
    readers: Arc<Mutex<Readers>>,
}

#[derive(Debug, Default)]
struct Reader {
    wake: Notify,
    ended: CancellationToken,
    /// The access of a member of the staff; visitors only see their own events.
    access: Mutex<ChatAccess>,
}

/// A place among the waiting callers. Dropping it gives it up.
#[derive(Debug)]
pub struct Place {
    who: Who,
    reader: Arc<Reader>,
    readers: Arc<Mutex<Readers>>,
}

impl Waiting {
    /// Takes a place. If the person then has more than `most`, the oldest ends.
    pub fn enter(&self, who: Who, most: usize) -> Place {
        let reader = Arc::<Reader>::default();
        let mut readers = held(&self.readers);
        let own = readers.entry(who).or_default();
        own.push_back(reader.clone());
        while own.len() > most {
            if let Some(oldest) = own.pop_front() {
                oldest.ended.cancel();
            }
        }
        drop(readers);
        Place { who, reader, readers: self.readers.clone() }
    }

    /// Wakes the readers who see these conversations.
    pub fn wake(&self, touched: &[Touched]) {
        let readers = held(&self.readers);
        for (who, own) in readers.iter() {
            for reader in own {
                let concerns = match who {
                    Who::Visitor(id) => touched.iter().any(|one| one.customer_id == *id),
                    Who::Account(_) => {
                        let access = held(&reader.access);
                        touched.iter().any(|one| access.sees(one.group_id, one.staff_id))
                    }
                };
                if concerns {
                    reader.wake.notify_one();
                }
            }
        }
    }

    /// Wakes all.
    pub fn wake_all(&self) {
        held(&self.readers).values().flatten().for_each(|reader| reader.wake.notify_one());
    }

    /// How many wait.
    pub fn len(&self) -> usize {
        held(&self.readers).values().map(VecDeque::len).sum()
    }
}

impl Place {
    /// Ready when something has happened since the last wake-up, also before this call.
    pub async fn woken(&self) {
        self.reader.wake.notified().await;
    }

    /// Ready when newer streams or polls have ended this one.
    pub async fn ended(&self) {
        self.reader.ended.cancelled().await;
    }

    /// Whether newer streams or polls have ended this one.
    pub fn is_ended(&self) -> bool {
        self.reader.ended.is_cancelled()
    }

    /// Sets what the member of the staff sees from now on.
    pub fn sees(&self, access: &ChatAccess) {
        *held(&self.reader.access) = access.clone();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut readers = held(&self.readers);
        if let Some(own) = readers.get_mut(&self.who) {
            own.retain(|reader| !Arc::ptr_eq(reader, &self.reader));
            if own.is_empty() {
                readers.remove(&self.who);
            }
        }
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;
    use crate::access::AccessStaff;
    use crate::codes::ChatPresence;

    fn access(staff_id: i64, group_ids: &[i64]) -> ChatAccess {
        let staff = AccessStaff { id: staff_id, nickname: String::new(), presence: ChatPresence::Online, last_seen_at: None };
        ChatAccess { staff: Some(staff), group_ids: group_ids.to_vec(), ..ChatAccess::default() }
    }

    fn is_woken(place: &Place) -> bool {
        place.woken().now_or_never().is_some()
    }

    #[test]
    fn a_message_wakes_only_readers_who_see_it() {
        let waiting = Waiting::default();
        let [visitor, other] = [1, 2].map(|id| waiting.enter(Who::Visitor(id), 3));
        let staff = [access(5, &[7]), access(6, &[8]), ChatAccess { sees_all: true, ..ChatAccess::default() }, ChatAccess::default()];
        let staff: Vec<Place> = (0..)
            .zip(&staff)
            .map(|(id, access)| {
                let place = waiting.enter(Who::Account(id), 5);
                place.sees(access);
                place
            })
            .collect();
        let woken = |touched| {
            waiting.wake(&[touched]);
            ([is_woken(&visitor), is_woken(&other)], staff.iter().map(is_woken).collect::<Vec<_>>())
        };
        assert_eq!(woken(Touched { customer_id: 1, group_id: 7, staff_id: None }), ([true, false], vec![true, false, true, false]));
        assert_eq!(woken(Touched { customer_id: 9, group_id: 9, staff_id: Some(6) }), ([false, false], vec![false, true, true, false]));
        waiting.wake_all();
        assert!(is_woken(&visitor) && is_woken(&other) && staff.iter().all(is_woken));
        drop((visitor, other, staff));
        assert_eq!(waiting.len(), 0);
    }

    #[test]
    fn one_more_than_there_is_room_for_ends_the_oldest() {
        let waiting = Waiting::default();
        let mut places: Vec<Place> = (0..5).map(|_| waiting.enter(Who::Account(1), 5)).collect();
        let other = waiting.enter(Who::Account(2), 5);
        assert!(places.iter().all(|place| !place.is_ended()));
        drop(places.remove(2));
        places.push(waiting.enter(Who::Account(1), 5));
        assert!(places.iter().all(|place| !place.is_ended()), "one that left makes room");
        places.push(waiting.enter(Who::Account(1), 5));
        assert_eq!(places.iter().map(Place::is_ended).collect::<Vec<_>>(), [true, false, false, false, false, false]);
        assert!(!other.is_ended() && places[0].ended().now_or_never().is_some());
    }
}
