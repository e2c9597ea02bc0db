//! The worker that makes the rounds of applicants, several at a time.

use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::Interval;
use tokio_util::sync::CancellationToken;

use super::{deliver, search, wait};
use base::clock::MINUTE;
use base::outbox::{self, Kind};
use frame::api::{ApiError, App};
use trade::handoff::Handoff;
use trade::handoff::{Applicants, Claimed, LEASE};
use trade::plan::market::Market;
use trade::user::rounds;
use trade::user::rounds::DueUser;

/// Rounds that are under way at once. When there are many, most of them wait for an organisation's answer, and the
/// others take turns (`Handoff::rounds`). Rounds that wait for a place among those of their plan and organisation
/// (`Handoff::places`) are not counted, so that they leave room for all others.
const ROUNDS: usize = 512;
/// How often a round that meets a lock too long is begun again, and the pause between.
const ROUND_TRIES: u32 = 5;
const ROUND_PAUSE: Duration = Duration::from_millis(100);
/// The longest pause, in milliseconds, from the beginning of a round that does not finish to the next one.
const LONGEST_PAUSE: i64 = 30 * MINUTE;
/// How often the database is asked for due applicants, and how many are taken at once. If a query returns that many,
/// the next one follows at once; while as many rounds wait for places as may, after a pause, since most of those
/// found would only be given back.
const LOOK: Duration = Duration::from_secs(1);
const CROWDED_LOOK: Duration = Duration::from_millis(200);
const AT_ONCE: usize = 64;

/// Makes rounds until the program stops; rounds that are under way then are finished first.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let mut handed = app.service::<Handoff>().applicants().expect("one task works on applicants");
    let mut running = JoinSet::new();
    let mut look = tokio::time::interval(LOOK);
    look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let mut more = false;
    let handoff = app.service::<Handoff>();
    let places = &handoff.places;
    places.open();
    loop {
        let under_way = running.len().saturating_sub(places.waiting());
        // Not biased: under a load of new applicants, those who wait in the database have their turn, too.
        tokio::select! {
            () = stop.cancelled() => break,
            Some(_) = running.join_next() => {}
            () = places.another_waits() => {}
            // New applicants leave room for one query: otherwise those who wait in the database would never have
            // their turn.
            claimed = handed.next(), if under_way + AT_ONCE < ROUNDS => {
                running.spawn(one_round(app.clone(), claimed));
            }
            () = next_look(&mut look, more, places.is_full()), if under_way + AT_ONCE <= ROUNDS => {
                more = false;
                match due_applicants(&app).await {
                    Ok(claimed) => {
                        more = claimed.len() == AT_ONCE;
                        claimed.into_iter().for_each(|claimed| drop(running.spawn(one_round(app.clone(), claimed))));
                    }
                    Err(error) => tracing::error!(%error, "distribution: applicants could not be looked for"),
                }
            }
        }
    }
    places.close();
    while running.join_next().await.is_some() {}
}

/// Waits until the database is to be asked again. It does not wait if the last query found more than was taken,
/// unless as many rounds wait as may.
async fn next_look(look: &mut Interval, more: bool, is_crowded: bool) {
    match (more, is_crowded) {
        (true, false) => {}
        (true, true) => tokio::time::sleep(CROWDED_LOOK).await,
        (false, _) => drop(look.tick().await),
    }
}

async fn one_round(app: Arc<App>, claimed: Claimed) {
    if let Err(error) = make_round(&app, claimed).await {
        tracing::error!(user.id = claimed.user_id, ?error, "distribution: a round failed");
    }
}

/// Makes a round, once there is a place for it. Puts the next one off if it does not finish. The error says why it
/// did not.
async fn make_round(app: &App, mut claimed: Claimed) -> Result<(), ApiError> {
    let (mut tried, mut place) = (1, None);
    let error = loop {
        match search::distribute(app, claimed, place.take()).await {
            Ok(None) => return Ok(()),
            Ok(Some(buyer)) => match wait::place(app, claimed.user_id, &mut claimed.until, buyer).await {
                Ok(Some(free)) => place = Some(free),
                Ok(None) => return Ok(()),
                Err(error) => break error,
            },
            // Locks of others stood in the way. A round that has progressed is taken up when its lease ends: here it
            // finds no applicant.
            Err(ApiError::Busy) if tried < ROUND_TRIES => {
                tokio::time::sleep(ROUND_PAUSE).await;
                tried += 1;
            }
            Err(error) => break error,
        }
    };
    // The round had renewed its lease, or the database cannot be written: the round is put off when the lease ends.
    if let Err(error) = put_off(app, claimed).await {
        tracing::warn!(user.id = claimed.user_id, %error, "distribution: a round that failed could not be put off");
    }
    Err(error)
}

async fn put_off(app: &App, claimed: Claimed) -> Result<(), sqlx::Error> {
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    if let Some(begun) = rounds::begun(&mut tx, claimed.user_id, claimed.until).await? {
        rounds::put_off(&mut tx, claimed.user_id, claimed.until, now + pause(begun), now).await?;
    }
    tx.commit().await
}

/// Milliseconds from the beginning of a round that did not finish to the next one, after `begun` such rounds in a
/// row. The pause doubles each time, up to a bound. It is randomised, so that rounds that failed together are not
/// retried together.
fn pause(begun: i64) -> i64 {
    let longest = (LEASE << (begun - 1).clamp(0, 16)).min(LONGEST_PAUSE);
    rand::random_range(longest * 8 / 10..=longest)
}

/// Takes applicants whose rounds are due. If the round of a process that died has not finished for the second time or
/// more, the next one is put off instead.
async fn due_applicants(app: &App) -> Result<Vec<Claimed>, sqlx::Error> {
    let due = rounds::due(app.db.read(), app.db.now(&app.clock).await?, AT_ONCE as i64).await?;
    let mut claimed = Vec::with_capacity(due.len());
    if due.is_empty() {
        return Ok(claimed);
    }
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let until = now + LEASE;
    for DueUser { id: user_id, seen, lost, begun } in due {
        // The lease has passed since the round began.
        let next = if lost { seen - LEASE + pause(begun) } else { seen };
        if next > now {
            tracing::warn!(user.id = user_id, begun, "distribution: rounds for an applicant do not finish");
            rounds::put_off(&mut tx, user_id, seen, next, now).await?;
        } else if rounds::claim(&mut tx, user_id, seen, until).await? {
            claimed.push(Claimed { user_id, until, fresh: false });
        }
    }
    tx.commit().await?;
    Ok(claimed)
}

/// Distributes only the applicants that intake has handed over: for the demo, whose clock runs ahead.
pub async fn settle_handed(app: &App) -> Result<(), ApiError> {
    let mut handed = app.service::<Handoff>().applicants();
    while let Some(claimed) = handed.as_mut().and_then(Applicants::try_next) {
        make_round(app, claimed).await?;
    }
    app.service::<Handoff>().give_back(handed);
    Ok(())
}

/// Does all due work, one item after another, until none is left: for tests, which run no workers. It ends at the
/// first round that does not finish.
pub async fn settle_all(app: &App) -> Result<(), ApiError> {
    let mut handed = app.service::<Handoff>().applicants();
    let settled = settle_due(app, &mut handed).await;
    app.service::<Handoff>().give_back(handed);
    settled
}

async fn settle_due(app: &App, handed: &mut Option<Applicants>) -> Result<(), ApiError> {
    loop {
        app.service::<Market>().forget().await;
        let mut applicants = due_applicants(app).await?;
        applicants.extend(std::iter::from_fn(|| handed.as_mut().and_then(Applicants::try_next)));
        let deliveries = outbox::queue::due_of(app.db.read(), Kind::Delivery, app.db.now(&app.clock).await?).await?;
        if applicants.is_empty() && deliveries.is_empty() {
            return Ok(());
        }
        for claimed in applicants {
            make_round(app, claimed).await?;
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
