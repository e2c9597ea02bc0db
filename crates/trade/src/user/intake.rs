//! Intake of single applicants: those who come at the same time share a transaction.

use std::sync::Arc;

use futures_util::FutureExt;
use tokio::sync::{Mutex, mpsc, oneshot};

use super::batch;
use super::submission::{PreparedSubmission, Submission, Taken};
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
    prepared: PreparedSubmission,
    reply: oneshot::Sender<Result<Taken>>,
}

impl Default for Intake {
    fn default() -> Intake {
        let (queue, waiting) = mpsc::channel(QUEUE);
        Intake { queue, turn: Arc::new(Mutex::new(waiting)) }
    }
}

/// Takes an applicant in. A second call with the same number of the channel returns the result of the first.
pub async fn take(app: &App, submission: Submission) -> Result<Taken> {
    let (reply, answer) = oneshot::channel();
    let waiting = Waiting { prepared: PreparedSubmission::of(app, submission).await?, reply };
    app.service::<Intake>().queue.send(waiting).await.map_err(|_| ApiError::Busy)?;
    // A caller that hangs up does not stop the batch for others.
    tokio::spawn(take_waiting(app.service::<Intake>().turn.clone(), app.db.clone(), app.clock.clone()));
    answer.await.map_err(|_| ApiError::Busy)?
}

/// Takes in the applicants of the queue when its turn comes. It is called once for each applicant, so none is left.
async fn take_waiting(turn: Arc<Mutex<mpsc::Receiver<Waiting>>>, db: Db, clock: Clock) {
    let mut queue = turn.lock().await;
    let (mut submissions, mut reply) = (Vec::new(), Vec::new());
    while submissions.len() < MOST
        && let Ok(waiting) = queue.try_recv()
    {
        // The application of a caller that has hung up is not taken.
        if !waiting.reply.is_closed() {
            submissions.push(waiting.prepared);
            reply.push(waiting.reply);
        }
    }
    let answers = answers(&db, &clock, &submissions.iter().collect::<Vec<_>>()).await;
    // A caller that has stopped waiting gets no reply.
    reply.into_iter().zip(answers).for_each(|(reply, answer)| drop(reply.send(answer)));
}

/// The results, in the order of the submissions.
async fn answers(db: &Db, clock: &Clock, submissions: &[&PreparedSubmission]) -> Vec<Result<Taken>> {
    match together(db, clock, submissions).await {
        Ok(answers) => answers,
        // The database may refuse one of them: the others are taken all the same.
        Err(error @ sqlx::Error::Database(_)) if submissions.len() > 1 && !is_passing(&error) => {
            let mut answers = Vec::new();
            for prepared in submissions {
                answers.extend(together(db, clock, &[prepared]).await.unwrap_or_else(|error| vec![Err(error.into())]));
            }
            answers
        }
        Err(error) if submissions.len() == 1 => vec![Err(error.into())],
        Err(error) => {
            tracing::error!(%error, waiting = submissions.len(), "intake: a batch could not be taken");
            let unclear = db::is_unknown(&error);
            let answer = |_| match unclear {
                true => ApiError::Unclear(anyhow::anyhow!("a batch of applicants: {error}")),
                false if db::is_full(&error) => ApiError::Full,
                false => ApiError::Busy,
            };
            submissions.iter().map(answer).map(Err).collect()
        }
    }
}

/// Whether the fault lies in the database, so that single applications would meet it again.
fn is_passing(error: &sqlx::Error) -> bool {
    db::is_contention(error) || db::is_lost(error) || db::is_overlong(error) || db::is_full(error)
}

/// Takes all of them or none.
async fn together(db: &Db, clock: &Clock, submissions: &[&PreparedSubmission]) -> std::result::Result<Vec<Result<Taken>>, sqlx::Error> {
    if submissions.is_empty() {
        return Ok(Vec::new());
    }
    let taken = db.transact(|mut tx| async move { batch::take(db, &mut tx, clock, submissions).await }.boxed()).await?;
    Ok(taken.into_iter().map(|taken| taken.map_err(ApiError::Signed)).collect())
}
