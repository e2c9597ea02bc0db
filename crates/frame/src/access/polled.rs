//! Sessions of pages that poll, read together: a thousand pages that poll every three seconds cost the server a few
//! statements a second instead of hundreds.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use sqlx::any::AnyRow;
use sqlx::{Error, Row};
use tokio::sync::oneshot;
use tokio::time;
use tracing::warn;

use super::session;
use base::db::{Db, padded};

/// How far apart batches begin at least. A poll after a longer pause is read at once; one that comes sooner waits for its
/// batch.
const APART: Duration = Duration::from_millis(60);

/// The polls of one number.
#[derive(Default)]
struct Polls {
    /// Sessions that wait for the next batch.
    waiting: Vec<(i64, oneshot::Sender<Option<AnyRow>>)>,
    /// When the last batch began.
    last: Option<Instant>,
}

/// Polls that wait for their session, by the number that is read with it.
#[derive(Default)]
pub struct PolledSessions {
    polls: Arc<Mutex<HashMap<&'static str, Polls>>>,
}

impl PolledSessions {
    /// The row of a session, see [`session::select`]; none if no such session is open at `now`.
    pub async fn read(&self, db: &Db, session_id: i64, number: &'static str, now: i64) -> Result<Option<AnyRow>, Error> {
        let (sender, receiver) = oneshot::channel();
        let begins = {
            let mut polls = self.polls.lock().unwrap_or_else(PoisonError::into_inner);
            let polls = polls.entry(number).or_default();
            polls.waiting.push((session_id, sender));
            (polls.waiting.len() == 1).then(|| pause(polls.last, Instant::now()))
        };
        if let Some(pause) = begins {
            // A task of its own: the first page may go away before its answer.
            tokio::spawn(read_together(self.polls.clone(), pause, db.clone(), number, now));
        }
        match receiver.await {
            Ok(row) => Ok(row),
            // The common statement failed: this session is read alone, and its own failure is reported.
            Err(_) => session::select([session_id], Some(number), now).fetch_optional(db.read()).await,
        }
    }
}

/// How long the first poll of a batch waits for more.
fn pause(last: Option<Instant>, now: Instant) -> Duration {
    last.map_or(Duration::ZERO, |last| APART.saturating_sub(now.saturating_duration_since(last)))
}

async fn read_together(all: Arc<Mutex<HashMap<&'static str, Polls>>>, pause: Duration, db: Db, number: &'static str, now: i64) {
    if !pause.is_zero() {
        time::sleep(pause).await;
    }
    let polls = {
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        let polls = all.entry(number).or_default();
        polls.last = Some(Instant::now());
        mem::take(&mut polls.waiting)
    };
    let mut pages: HashMap<i64, Vec<oneshot::Sender<Option<AnyRow>>>> = HashMap::new();
    for (id, sender) in polls {
        pages.entry(id).or_default().push(sender);
    }
    let ids: Vec<i64> = pages.keys().copied().collect();
    for part in padded(&ids) {
        match session::select(part.copied(), Some(number), now).fetch_all(db.read()).await {
            Ok(rows) => answer(&mut pages, rows),
            Err(error) => {
                warn!(%error, "sessions of polls were not read together");
                return;
            }
        }
    }
    for sender in pages.into_values().flatten() {
        // A page that has gone away takes no answer.
        let _ = sender.send(None);
    }
}

/// Hands each poll the row of its session. Two pages of one session get the row twice.
fn answer(pages: &mut HashMap<i64, Vec<oneshot::Sender<Option<AnyRow>>>>, rows: Vec<AnyRow>) {
    for row in rows {
        let Ok(id) = row.try_get::<i64, _>("session_id") else { continue };
        for sender in pages.remove(&id).unwrap_or_default() {
            let _ = sender.send(Some(row.clone()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_poll_after_a_pause_is_read_at_once_and_the_next_ones_together() {
        let began = Instant::now();
        let at = |milliseconds| began + Duration::from_millis(milliseconds);
        assert_eq!(pause(None, began), Duration::ZERO);
        assert_eq!(pause(Some(began), at(3)), Duration::from_millis(57));
        assert_eq!(pause(Some(began), at(60)), Duration::ZERO);
        assert_eq!(pause(Some(began), at(3000)), Duration::ZERO);
        // The clock of a moment before the lock was taken.
        assert_eq!(pause(Some(at(1)), began), APART);
    }
}
