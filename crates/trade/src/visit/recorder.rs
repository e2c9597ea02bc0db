//! Writes events into the database: a bounded queue, and one task that writes what waits.
//!
//! Thousands of events a second cannot have a transaction each. Events that arrive within some milliseconds are
//! merged and written together; meanwhile the next batch gathers. A full queue makes callers wait. If the database
//! fails, the same batch is tried again, in order: events are lost only by the end of the process.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout_at};
use tokio_util::sync::CancellationToken;

use super::LOCK;
use super::batch::Batch;
use super::model::Seen;
use base::clock::Clock;
use base::db::Db;
use base::nonce::{self, Nonce};

/// Callers that may wait for their turn.
const QUEUE: usize = 4096;
/// Callers whose events are written at once, at most.
const MOST: usize = 1000;
/// How long the first event of a batch waits for others.
const GATHER: Duration = Duration::from_millis(50);
/// The pause between two tries of a batch that the database refused: at first, and at most.
const RETRY: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(5));

/// The result of recording events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Written,
    /// Their token had been used: nothing was counted.
    Used,
}

/// The program stops and takes no more events.
#[derive(Debug, thiserror::Error)]
#[error("events are no longer taken")]
pub struct Stopped;

/// The queue of events.
pub struct Recorder {
    queue: mpsc::Sender<Recording>,
    /// Held here until the task takes it.
    waiting: Mutex<Option<mpsc::Receiver<Recording>>>,
}

/// Events of one caller: all are written, or none.
struct Recording {
    nonce: Option<Nonce>,
    seen: Vec<Seen>,
    /// Gets the result when they are in the database; none if no caller waits for it.
    done: Option<oneshot::Sender<Outcome>>,
}

impl Default for Recorder {
    fn default() -> Recorder {
        let (queue, waiting) = mpsc::channel(QUEUE);
        Recorder { queue, waiting: Mutex::new(Some(waiting)) }
    }
}

impl Recorder {
    /// Queues events to be written soon. Waits while the queue is full.
    pub async fn note(&self, seen: Vec<Seen>) -> Result<(), Stopped> {
        self.queue.send(Recording { nonce: None, seen, done: None }).await.map_err(|_| Stopped)
    }

    /// Writes events, and returns when they are written, unless the token of their call has been used before.
    pub async fn record(&self, nonce: Option<Nonce>, seen: Vec<Seen>) -> Result<Outcome, Stopped> {
        let (done, written) = oneshot::channel();
        self.queue.send(Recording { nonce, seen, done: Some(done) }).await.map_err(|_| Stopped)?;
        written.await.map_err(|_| Stopped)
    }

    /// How many callers' events are in the queue.
    pub fn backlog(&self) -> usize {
        QUEUE - self.queue.capacity()
    }

    /// Writes events as they arrive until the program stops; then the rest of the queue, and takes no more. Call it
    /// once.
    pub async fn work(&self, db: Db, clock: Clock, stop: CancellationToken) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        let mut waiting = waiting.expect("one task works on the queue");
        loop {
            let mut recordings = Vec::new();
            let first = tokio::select! {
                biased;
                first = waiting.recv() => first,
                () = stop.cancelled(), if !waiting.is_closed() => {
                    waiting.close();
                    continue;
                }
            };
            let Some(first) = first else { return };
            recordings.push(first);
            let until = Instant::now() + GATHER;
            while recordings.len() < MOST {
                let room = MOST - recordings.len();
                match timeout_at(until, waiting.recv_many(&mut recordings, room)).await {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {}
                }
            }
            written(&db, &clock, recordings).await;
        }
    }
}

/// Writes a batch, with as many tries as needed, and sends the results to the callers.
async fn written(db: &Db, clock: &Clock, recordings: Vec<Recording>) {
    let (mut pause, longest) = RETRY;
    let used = loop {
        match write(db, &recordings, clock.now()).await {
            Ok(used) => break used,
            Err(error) => {
                tracing::error!(%error, waiting = recordings.len(), "visits: not written, will be tried again");
                sleep(pause).await;
                pause = (pause * 2).min(longest);
            }
        }
    };
    for (index, recording) in recordings.into_iter().enumerate() {
        if let Some(done) = recording.done {
            // A caller that has stopped waiting gets no result.
            let _ = done.send(if used.contains(&index) { Outcome::Used } else { Outcome::Written });
        }
    }
}

/// Writes a batch in one transaction. Returns the positions of those whose token had been used.
async fn write(db: &Db, recordings: &[Recording], now: i64) -> Result<HashSet<usize>, sqlx::Error> {
    let mut tx = db.begin().await?;
    db.lock_shared(&mut tx, LOCK).await?;
    let mut fresh = nonce::claim_all(&mut tx, recordings.iter().filter_map(|recording| recording.nonce.as_ref()).collect()).await?;
    let (mut batch, mut used) = (Batch::default(), HashSet::new());
    for (index, recording) in recordings.iter().enumerate() {
        match recording.nonce.as_ref().is_none_or(|nonce| fresh.remove(nonce)) {
            true => recording.seen.iter().for_each(|seen| batch.add(seen)),
            false => drop(used.insert(index)),
        }
    }
    batch.write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(used)
}
