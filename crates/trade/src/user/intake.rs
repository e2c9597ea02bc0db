//! Intake of single applicants: those who come at the same time share a transaction.

use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::{Mutex, mpsc, oneshot};

use super::arrival::{Arrival, Offer, Taken};
use super::lot;
use base::clock::Clock;
use base::db::{self, Db};
use frame::api::{ApiError, App, Result};

/// The most applicants who may wait for their turn.
const QUEUE: usize = 1024;
/// The most applicants of one batch.
const MOST: usize = 64;

/// The queue in which applicants wait for the transaction of the batch before. There is no other wait: while one
/// batch is written the next gathers.
pub struct Intake {
    queue: mpsc::Sender<Waiting>,
    turn: Arc<Mutex<mpsc::Receiver<Waiting>>>,
}

struct Waiting {
    arrival: Arrival,
    told: oneshot::Sender<Result<Taken>>,
}

impl Default for Intake {
    fn default() -> Intake {
        let (queue, waiting) = mpsc::channel(QUEUE);
        Intake { queue, turn: Arc::new(Mutex::new(waiting)) }
    }
}

/// Takes an applicant in. A second call with the channel's same number answers what became of the first.
pub async fn take(app: &App, offer: Offer) -> Result<Taken> {
    let (told, answer) = oneshot::channel();
    let waiting = Waiting { arrival: Arrival::of(app, offer).await?, told };
    app.service::<Intake>().queue.send(waiting).await.map_err(|_| ApiError::Busy)?;
    // A caller that hangs up does not stop the batch for others.
    tokio::spawn(take_waiting(app.service::<Intake>().turn.clone(), app.db.clone(), app.clock.clone()));
    answer.await.map_err(|_| ApiError::Busy)?
}

/// Takes in the applicants of the queue when its turn comes. It is called once for each applicant, so none is left.
async fn take_waiting(turn: Arc<Mutex<mpsc::Receiver<Waiting>>>, db: Db, clock: Clock) {
    let mut queue = turn.lock().await;
    let (mut arrivals, mut told) = (Vec::new(), Vec::new());
    while arrivals.len() < MOST
        && let Ok(waiting) = queue.try_recv()
    {
        // Who has hung up is not taken.
        if !waiting.told.is_closed() {
            arrivals.push(waiting.arrival);
            told.push(waiting.told);
        }
    }
    let answers = answers(&db, &clock, &arrivals.iter().collect::<Vec<_>>()).await;
    // Whoever has stopped waiting does not need to know.
    told.into_iter().zip(answers).for_each(|(told, answer)| drop(told.send(answer)));
}

/// What became of each.
async fn answers(db: &Db, clock: &Clock, arrivals: &[&Arrival]) -> Vec<Result<Taken>> {
    match together(db, clock, arrivals).await {
        Ok(answers) => answers,
        // One of them may be what the database refuses: the others are taken all the same.
        Err(error @ sqlx::Error::Database(_)) if arrivals.len() > 1 && !is_passing(&error) => {
            let mut answers = Vec::new();
            for arrival in arrivals {
                answers.extend(together(db, clock, &[arrival]).await.unwrap_or_else(|error| vec![Err(error.into())]));
            }
            answers
        }
        Err(error) if arrivals.len() == 1 => vec![Err(error.into())],
        Err(error) => {
            tracing::error!(%error, waiting = arrivals.len(), "intake: a lot could not be taken");
            let unclear = db::is_unknown(&error);
            let answer = |_| match unclear {
                true => ApiError::Unclear(anyhow::anyhow!("a lot of applicants: {error}")),
                false if db::is_full(&error) => ApiError::Full,
                false => ApiError::Busy,
            };
            arrivals.iter().map(answer).map(Err).collect()
        }
    }
}

/// Whether the fault lies in the database, so that single applications would meet it again.
fn is_passing(error: &sqlx::Error) -> bool {
    db::is_contention(error) || db::is_lost(error) || db::is_overlong(error) || db::is_full(error)
}

/// Takes all of them or none.
async fn together(db: &Db, clock: &Clock, arrivals: &[&Arrival]) -> std::result::Result<Vec<Result<Taken>>, sqlx::Error> {
    if arrivals.is_empty() {
        return Ok(Vec::new());
    }
    let taken = db.transact(|mut tx| async move { lot::take(db, &mut tx, clock, arrivals).await }.boxed()).await?;
    Ok(taken.into_iter().map(|taken| taken.map_err(ApiError::Signed)).collect())
}
