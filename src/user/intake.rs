//! How applicants come in one by one: those who come at the same time share a transaction.

use std::sync::Arc;

use tokio::sync::{Mutex, mpsc, oneshot};

use super::arrival::{Arrival, Offer, Taken};
use super::lot;
use crate::api::error::Refusal;
use crate::api::{ApiError, App, Result};
use crate::clock::Clock;
use crate::db::Db;

/// Applicants who may wait for their turn.
const QUEUE: usize = 1024;
/// Applicants who are taken in at once, at most.
const MOST: usize = 64;

/// Where applicants wait for the transaction of those who came before them. There is no other wait:
/// while one lot is written the next gathers.
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
    app.intake.queue.send(waiting).await.map_err(|_| ApiError::Busy)?;
    // Whoever hangs up does not end what others wait for.
    tokio::spawn(take_waiting(app.intake.turn.clone(), app.db.clone(), app.clock.clone()));
    answer.await.map_err(|_| ApiError::Busy)?
}

/// Takes in those who wait, when it is their turn. It is called once for each who comes, so nobody is left.
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
        Err(sqlx::Error::Database(_)) if arrivals.len() > 1 => {
            let mut answers = Vec::new();
            for arrival in arrivals {
                answers.extend(together(db, clock, &[arrival]).await.unwrap_or_else(|error| vec![Err(error.into())]));
            }
            answers
        }
        Err(error) if arrivals.len() == 1 => vec![Err(error.into())],
        Err(error) => {
            tracing::error!(%error, waiting = arrivals.len(), "intake: a lot could not be taken");
            arrivals.iter().map(|_| Err(ApiError::Busy)).collect()
        }
    }
}

async fn together(db: &Db, clock: &Clock, arrivals: &[&Arrival]) -> std::result::Result<Vec<Result<Taken>>, sqlx::Error> {
    if arrivals.is_empty() {
        return Ok(Vec::new());
    }
    let mut tx = db.begin().await?;
    let taken = lot::take(db, &mut tx, clock, arrivals).await?;
    tx.commit().await?;
    Ok(taken.into_iter().map(|taken| taken.ok_or(ApiError::Signed(Refusal::Nonce))).collect())
}
