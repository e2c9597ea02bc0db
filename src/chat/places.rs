//! Limits on the files of visitors that a node receives at the same time: in all, by network, and by the least speed at which a
//! file must arrive.

use std::collections::HashMap;
use std::io::{Error, ErrorKind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

/// Files that one node receives at the same time, and those of one network.
const PLACES: usize = 16;
const OF_NETWORK: usize = 3;
/// A file may take so long, and a second more for each so many bytes.
const PATIENCE: Duration = Duration::from_secs(10);
const SECOND_BYTES: u64 = 32 * 1024;

type Taken = HashMap<String, usize>;

/// The places of a node.
#[derive(Debug, Default)]
pub struct Places {
    taken: Arc<Mutex<Taken>>,
}

/// A place that is taken, until it is dropped.
#[derive(Debug)]
pub struct FilePlace {
    network: String,
    taken: Arc<Mutex<Taken>>,
}

impl Places {
    /// Takes a place for a network; none where all are taken, or all of this network.
    pub fn take(&self, network: &str) -> Option<FilePlace> {
        let mut taken = held(&self.taken);
        let all: usize = taken.values().sum();
        let own = taken.get(network).copied().unwrap_or(0);
        if all >= PLACES || own >= OF_NETWORK {
            return None;
        }
        taken.insert(network.to_owned(), own + 1);
        Some(FilePlace { network: network.to_owned(), taken: self.taken.clone() })
    }
}

impl Drop for FilePlace {
    fn drop(&mut self) {
        let mut taken = held(&self.taken);
        match taken.get_mut(&self.network) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(taken.remove(&self.network)),
        }
    }
}

fn held(taken: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    taken.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Until when the next bytes of a body have to come that began at a moment, after so many.
fn due(began: Instant, bytes: u64) -> Instant {
    began + PATIENCE + Duration::from_millis(bytes * 1000 / SECOND_BYTES)
}

/// A body that ends with an error when it arrives too slowly.
pub fn in_time(body: Body) -> Body {
    let began = Instant::now();
    let pieces = stream::unfold((body.into_data_stream(), 0_u64, false), move |(mut body, bytes, over)| async move {
        if over {
            return None;
        }
        let next: Result<Bytes, Error> = match timeout_at(due(began, bytes), body.next()).await {
            Ok(next) => next?.map_err(Error::other),
            Err(_) => Err(Error::new(ErrorKind::TimedOut, "the file arrives too slowly")),
        };
        let (more, over) = next.as_ref().map_or((0, true), |piece| (piece.len() as u64, false));
        Some((next, (body, bytes + more, over)))
    });
    Body::from_stream(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_network_leaves_places_to_others() {
        let places = Places::default();
        let mut own: Vec<FilePlace> = (0..OF_NETWORK).map(|_| places.take("a").unwrap()).collect();
        assert!(places.take("a").is_none());
        let others: Vec<FilePlace> = (0..PLACES - OF_NETWORK).map(|number| places.take(&number.to_string()).unwrap()).collect();
        assert!(places.take("b").is_none(), "all are taken");
        own.pop();
        assert!(places.take("a").is_some(), "one was given up");
        drop((own, others));
        assert!(held(&places.taken).is_empty());
    }

    #[test]
    fn a_file_has_to_come_with_a_least_speed() {
        let began = Instant::now();
        for (bytes, seconds) in [(0, 10), (32 * 1024, 11), (20 * 1024 * 1024, 650)] {
            assert_eq!(due(began, bytes) - began, Duration::from_secs(seconds));
        }
    }
}
