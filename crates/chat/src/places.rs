//! Limits on the files of visitors that a node receives at the same time: in all, and by network and site.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use base::address::Sender;

/// The most files that one node receives at the same time, and those of one network and of one site.
const PLACES: usize = 16;
const OF_NETWORK: usize = 3;
const OF_SITE: usize = PLACES / 2;

/// The senders of the files that are being received.
type Taken = Vec<Sender>;

/// The places of a node.
#[derive(Debug, Default)]
pub struct Places {
    taken: Arc<Mutex<Taken>>,
}

/// A place that is taken, until it is dropped.
#[derive(Debug)]
pub struct FilePlace {
    sender: Sender,
    taken: Arc<Mutex<Taken>>,
}

impl Places {
    /// Takes a place for a sender; none where all are taken, or all of their network or site.
    pub fn take(&self, sender: &Sender) -> Option<FilePlace> {
        let mut taken = held(&self.taken);
        let of_network = taken.iter().filter(|other| other.network == sender.network).count();
        let of_site = taken.iter().filter(|other| sender.site.is_some() && other.site == sender.site).count();
        if taken.len() >= PLACES || of_network >= OF_NETWORK || of_site >= OF_SITE {
            return None;
        }
        taken.push(sender.clone());
        Some(FilePlace { sender: sender.clone(), taken: self.taken.clone() })
    }
}

impl Drop for FilePlace {
    fn drop(&mut self) {
        let mut taken = held(&self.taken);
        if let Some(place) = taken.iter().position(|sender| *sender == self.sender) {
            taken.swap_remove(place);
        }
    }
}

fn held(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_network_leaves_places_to_others() {
        let places = Places::default();
        let take = |address: &str| places.take(&Sender::at(address));
        let mut own: Vec<FilePlace> = (0..OF_NETWORK).map(|_| take("10.0.0.1").unwrap()).collect();
        assert!(take("10.0.0.1").is_none());
        let others: Vec<FilePlace> = (0..PLACES - OF_NETWORK).map(|number| take(&format!("10.0.1.{number}")).unwrap()).collect();
        assert!(take("10.0.0.2").is_none(), "all are taken");
        own.pop();
        assert!(take("10.0.0.1").is_some(), "one was given up");
        drop((own, others));
        assert!(held(&places.taken).is_empty());
    }

    #[test]
    fn one_site_leaves_half_of_the_places_to_others() {
        let places = Places::default();
        let take = |address: &str| places.take(&Sender::at(address));
        let own: Vec<FilePlace> = (0..OF_SITE).map(|number| take(&format!("2001:db8:1:{number}::1")).unwrap()).collect();
        assert!(take("2001:db8:1:ff::1").is_none());
        assert!(take("2001:db8:2:ff::1").is_some() && take("10.0.0.1").is_some());
        drop(own);
        assert!(take("2001:db8:1:ff::1").is_some());
    }
}
