//! Sessions of pages that poll, read together: a thousand pages that poll every three seconds cost the server a few
//! statements a second instead of hundreds.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{Error, Row};
use tokio::sync::oneshot;
use tokio::time;
use tracing::warn;

use super::session;
use base::db::{Db, padded};

/// How long the first poll of a batch waits for more. Pages show the answer of a poll whenever it comes.
const WINDOW: Duration = Duration::from_millis(60);

type Waiting = (i64, oneshot::Sender<Option<AnyRow>>);

/// Polls that wait for their session, by the number that is read with it.
#[derive(Default)]
pub struct PolledSessions {
    waiting: Arc<Mutex<HashMap<&'static str, Vec<Waiting>>>>,
}

impl PolledSessions {
    /// The row of a session, see [`session::select`]; none if no such session is open at `now`.
    pub async fn read(&self, db: &Db, session_id: i64, number: &'static str, now: i64) -> Result<Option<AnyRow>, Error> {
        let (sender, receiver) = oneshot::channel();
        let first = {
            let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
            let polls = waiting.entry(number).or_default();
            polls.push((session_id, sender));
            polls.len() == 1
        };
        if first {
            // A task of its own: the first page may go away before its answer.
            tokio::spawn(read_together(self.waiting.clone(), db.clone(), number, now));
        }
        match receiver.await {
            Ok(row) => Ok(row),
            // The common statement failed: this session is read alone, and its own failure is reported.
            Err(_) => session::select([session_id], Some(number), now).fetch_optional(db.read()).await,
        }
    }
}

async fn read_together(waiting: Arc<Mutex<HashMap<&'static str, Vec<Waiting>>>>, db: Db, number: &'static str, now: i64) {
    time::sleep(WINDOW).await;
    let polls = mem::take(waiting.lock().unwrap_or_else(PoisonError::into_inner).entry(number).or_default());
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
