//! The workers: applicants for whom plans are looked for, and leads that are delivered, some at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{deliver, round};
use crate::api::{ApiError, App};
use crate::handoff::{Claimed, LEASE};
use crate::leased::{self, Due, Limits};
use crate::plan::push::store as pushes;
use crate::user::store as users;

/// Rounds at once. A question to an organisation takes a round seconds, and no connection: most of
/// these wait for an answer when there are many.
const ROUNDS: usize = 64;
/// Deliveries at once, and of them to one organisation.
const DELIVERIES: Limits = Limits { at_once: 32, to_one: 8 };
/// How often the database is asked what else is due.
const LOOK: Duration = Duration::from_secs(1);

/// Distributes and delivers until the program stops; what is being done then is done first.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    tokio::join!(distribute(app.clone(), stop.clone()), deliver(app, stop));
}

async fn distribute(app: Arc<App>, stop: CancellationToken) {
    let mut handed = app.handoff.applicants().expect("one task works on applicants");
    let mut running = JoinSet::new();
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = stop.cancelled() => break,
            Some(_) = running.join_next() => {}
            Some(claimed) = handed.recv(), if running.len() < ROUNDS => {
                running.spawn(one_round(app.clone(), claimed));
            }
            _ = look.tick(), if running.len() < ROUNDS => {
                match due_applicants(&app, ROUNDS - running.len()).await {
                    Ok(claimed) => claimed.into_iter().for_each(|claimed| drop(running.spawn(one_round(app.clone(), claimed)))),
                    Err(error) => tracing::error!(%error, "distribution: applicants could not be looked for"),
                }
            }
        }
    }
    while running.join_next().await.is_some() {}
}

async fn one_round(app: Arc<App>, claimed: Claimed) {
    if let Err(error) = round::distribute(&app, claimed).await {
        // It is tried again once nobody has him any more.
        tracing::error!(user.id = claimed.user_id, ?error, "distribution: a round failed");
    }
}

/// Takes applicants who are due.
async fn due_applicants(app: &App, most: usize) -> Result<Vec<Claimed>, sqlx::Error> {
    let now = app.clock.now();
    let mut claimed = Vec::new();
    for (user_id, seen) in users::due(app.db.read(), now, most as i64).await? {
        let mut tx = app.db.begin().await?;
        let until = now + LEASE;
        if users::claim(&mut tx, user_id, seen, until).await? {
            tx.commit().await?;
            claimed.push(Claimed { user_id, until, fresh: false });
        }
    }
    Ok(claimed)
}

async fn deliver(app: Arc<App>, stop: CancellationToken) {
    let due = async |most, but| match pushes::due(app.db.read(), app.clock.now(), most, but).await {
        Ok(due) => due,
        Err(error) => {
            tracing::error!(%error, "distribution: deliveries could not be looked for");
            Vec::new()
        }
    };
    leased::work(DELIVERIES, &app.handoff.deliveries, stop, due, |piece| one_delivery(app.clone(), piece)).await;
}

async fn one_delivery(app: Arc<App>, piece: Due) {
    if let Err(error) = attempt(&app, piece).await {
        tracing::error!(push.id = piece.id, ?error, "distribution: a delivery failed");
    }
}

/// Tries a delivery, if nobody else does.
async fn attempt(app: &App, piece: Due) -> Result<(), ApiError> {
    let now = app.clock.now();
    let until = now + deliver::LEASE;
    let mut tx = app.db.begin().await?;
    let claimed = pushes::claim(&mut tx, piece.id, piece.seen, until, now).await?;
    tx.commit().await?;
    match claimed {
        true => deliver::attempt(app, piece.id, until).await,
        false => Ok(()),
    }
}

/// Distributes whom intake has handed over, and nothing else: for the demo, whose clock runs ahead.
pub async fn settle_handed(app: &App) -> Result<(), ApiError> {
    let mut handed = app.handoff.applicants();
    while let Some(claimed) = handed.as_mut().and_then(|handed| handed.try_recv().ok()) {
        round::distribute(app, claimed).await?;
    }
    app.handoff.give_back(handed);
    Ok(())
}

/// Does all that is due now, one after another, until nothing is: for tests, which run no
/// workers.
pub async fn settle_all(app: &App) -> Result<(), ApiError> {
    let mut handed = app.handoff.applicants();
    loop {
        app.market.forget().await;
        let mut applicants = due_applicants(app, 100).await?;
        applicants.extend(std::iter::from_fn(|| handed.as_mut().and_then(|handed| handed.try_recv().ok())));
        let deliveries = pushes::due(app.db.read(), app.clock.now(), 100, Vec::new()).await?;
        if applicants.is_empty() && deliveries.is_empty() {
            break;
        }
        for claimed in applicants {
            round::distribute(app, claimed).await?;
        }
        for piece in deliveries {
            attempt(app, piece).await?;
        }
    }
    app.handoff.give_back(handed);
    Ok(())
}
