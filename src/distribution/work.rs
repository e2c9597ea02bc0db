//! The worker that looks for plans for applicants, some at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Interval;
use tokio_util::sync::CancellationToken;

use super::{deliver, round};
use crate::api::{ApiError, App};
use crate::clock::MINUTE;
use crate::handoff::{Applicants, Claimed, LEASE, Place};
use crate::outbox::{self, Kind};
use crate::user::store::{self as users, DueUser};

/// Rounds that are under way at once: most of them wait for an organisation's answer when there are many,
/// and the others take turns (`Handoff::rounds`). Of one plan and one organisation there are fewer (`Handoff::places`).
const ROUNDS: usize = 512;
/// How often a round is begun that meets a lock for too long, and how long it waits in between.
const ROUND_TRIES: u32 = 5;
const ROUND_PAUSE: Duration = Duration::from_millis(100);
/// Milliseconds from the beginning of a round that does not finish to the next, at most.
const LONGEST_PAUSE: i64 = 30 * MINUTE;
/// How often the database is asked what else is due, and how many of those are taken at once. Where there
/// were so many it is asked again at once: whoever was refused waits there.
const LOOK: Duration = Duration::from_secs(1);
const AT_ONCE: usize = 64;

/// Distributes until the program stops; rounds that are under way then are ended first.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let mut handed = app.handoff.applicants().expect("one task works on applicants");
    let mut running = JoinSet::new();
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut more = false;
    loop {
        // Not biased: under a load of new applicants those who wait in the database have their turn too.
        tokio::select! {
            () = stop.cancelled() => break,
            Some(_) = running.join_next() => {}
            // They leave room for a look: where all of them wait, nobody else would ever have his turn.
            claimed = handed.next(), if running.len() + AT_ONCE < ROUNDS => {
                running.spawn(one_round(app.clone(), claimed, None));
            }
            (place, claimed) = app.handoff.places.next(), if running.len() + AT_ONCE < ROUNDS => {
                running.spawn(one_round(app.clone(), claimed, Some(place)));
            }
            () = next_look(&mut look, more), if running.len() + AT_ONCE <= ROUNDS && app.handoff.places.has_room_for(AT_ONCE) => {
                more = false;
                match due_applicants(&app).await {
                    Ok(claimed) => {
                        more = claimed.len() == AT_ONCE;
                        claimed.into_iter().for_each(|claimed| drop(running.spawn(one_round(app.clone(), claimed, None))));
                    }
                    Err(error) => tracing::error!(%error, "distribution: applicants could not be looked for"),
                }
            }
        }
    }
    while running.join_next().await.is_some() {}
}

/// Waits until the database is to be asked again: not at all where it held more than was taken.
async fn next_look(look: &mut Interval, more: bool) {
    if !more {
        look.tick().await;
    }
}

async fn one_round(app: Arc<App>, claimed: Claimed, place: Option<Place>) {
    if let Err(error) = make_round(&app, claimed, place).await {
        tracing::error!(user.id = claimed.user_id, ?error, "distribution: a round failed");
    }
}

/// Makes a round, which may have a place; puts the next one off where it does not finish. The error is why it did not.
async fn make_round(app: &App, claimed: Claimed, mut place: Option<Place>) -> Result<(), ApiError> {
    let mut tried = 1;
    let error = loop {
        match round::distribute(app, claimed, place.take()).await {
            Ok(()) => return Ok(()),
            // Others stood in its way. One that has gone on since it began is taken up when its lease ends: here
            // it finds nobody.
            Err(ApiError::Busy) if tried < ROUND_TRIES => tokio::time::sleep(ROUND_PAUSE).await,
            Err(error) => break error,
        }
        tried += 1;
    };
    // A round that had renewed its lease, or a database that cannot be written: it is put off when the lease ends.
    if let Err(error) = put_off(app, claimed).await {
        tracing::warn!(user.id = claimed.user_id, %error, "distribution: a round that failed could not be put off");
    }
    Err(error)
}

async fn put_off(app: &App, claimed: Claimed) -> Result<(), sqlx::Error> {
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    if let Some(begun) = users::begun(&mut tx, claimed.user_id, claimed.until).await? {
        users::put_off(&mut tx, claimed.user_id, claimed.until, now + pause(begun), now).await?;
    }
    tx.commit().await
}

/// Milliseconds from the beginning of a round that did not finish to the next, after so many in a row: twice as
/// many each time, up to a bound. Never quite the same, so that what failed together is not tried together again.
fn pause(begun: i64) -> i64 {
    let longest = (LEASE << (begun - 1).clamp(0, 16)).min(LONGEST_PAUSE);
    rand::random_range(longest * 8 / 10..=longest)
}

/// Takes applicants whose rounds are due. Where the round of a process that died has not finished for the second
/// time or more, the next is put off instead.
async fn due_applicants(app: &App) -> Result<Vec<Claimed>, sqlx::Error> {
    let due = users::due(app.db.read(), app.db.now(&app.clock).await?, AT_ONCE as i64).await?;
    let mut claimed = Vec::with_capacity(due.len());
    if due.is_empty() {
        return Ok(claimed);
    }
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let until = now + LEASE;
    for DueUser { id: user_id, seen, lost, begun } in due {
        // Its lease has passed since the round began.
        let next = if lost { seen - LEASE + pause(begun) } else { seen };
        if next > now {
            tracing::warn!(user.id = user_id, begun, "distribution: rounds for an applicant do not finish");
            users::put_off(&mut tx, user_id, seen, next, now).await?;
        } else if users::claim(&mut tx, user_id, seen, until).await? {
            claimed.push(Claimed { user_id, until, fresh: false });
        }
    }
    tx.commit().await?;
    Ok(claimed)
}

/// Distributes whom intake has handed over, and nothing else: for the demo, whose clock runs ahead.
pub async fn settle_handed(app: &App) -> Result<(), ApiError> {
    let mut handed = app.handoff.applicants();
    while let Some(claimed) = handed.as_mut().and_then(Applicants::try_next) {
        round::distribute(app, claimed, None).await?;
    }
    app.handoff.give_back(handed);
    Ok(())
}

/// Does all that is due now, one after another, until nothing is: for tests, which run no workers. The first round
/// that does not finish ends it.
pub async fn settle_all(app: &App) -> Result<(), ApiError> {
    let mut handed = app.handoff.applicants();
    let settled = settle_due(app, &mut handed).await;
    app.handoff.give_back(handed);
    settled
}

async fn settle_due(app: &App, handed: &mut Option<Applicants>) -> Result<(), ApiError> {
    loop {
        app.market.forget().await;
        let mut applicants = due_applicants(app).await?;
        applicants.extend(std::iter::from_fn(|| handed.as_mut().and_then(Applicants::try_next)));
        let deliveries = outbox::store::due_of(app.db.read(), Kind::Delivery, app.db.now(&app.clock).await?).await?;
        if applicants.is_empty() && deliveries.is_empty() {
            return Ok(());
        }
        for claimed in applicants {
            make_round(app, claimed, None).await?;
        }
        for due in deliveries {
            let seen = deliver::carry(app, &due).await?;
            app.outbox.note(&due.destination, seen, app.clock.now());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_between_rounds_double_up_to_a_bound_and_differ() {
        for (begun, minutes) in [(0, 1), (1, 1), (2, 2), (3, 4), (5, 16), (6, 30), (i64::MAX, 30)] {
            let pauses: Vec<i64> = (0..50).map(|_| pause(begun)).collect();
            assert!(pauses.iter().all(|pause| (minutes * MINUTE * 8 / 10..=minutes * MINUTE).contains(pause)), "{begun}: {pauses:?}");
            assert!(pauses.iter().any(|pause| *pause != pauses[0]), "{begun}");
        }
    }
}
