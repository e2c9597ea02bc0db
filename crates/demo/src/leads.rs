//! The demo's new leads: unread when the people of North Star sign in.

use sqlx::Row;

use super::random::Random;
use super::users;
use base::clock::MINUTE;
use frame::api::{ApiError, App};
use trade::channel::Supplier;

use lead::distribution;
use trade::handoff::Claimed;
use trade::handoff::Handoff;
use trade::user::intake;

/// The buyer.
const BUYER: &str = "north-star";
/// The owner by user name, how many minutes ago the lead came, oldest first, and whether it waits in the team's pool
/// instead.
const LEADS: &[(&str, i64, bool)] = &[
    ("north.sales2", 87, true),
    ("north.sales1", 53, true),
    ("north.sales1", 26, false),
    ("north.sales2", 11, false),
    ("north.sales1", 4, false),
];
/// The most applicants brought for one lead: the plan does not take every applicant.
const MOST: i64 = 12;
/// Their numbers begin here, beyond those of other applicants.
const FIRST: i64 = 9_800;

/// Adds them, as far as the organisation buys.
pub async fn insert(app: &App, now: i64) -> Result<(), ApiError> {
    let mut random = Random::new(FIRST as u64);
    let channels: Vec<Supplier> = users::suppliers(app).await?.into_iter().filter(|one| !one.test && one.filters.is_none()).collect();
    if channels.is_empty() {
        return Ok(());
    }
    let mut numbers = FIRST..;
    for (username, minutes, pooled) in LEADS {
        let at = now - minutes * MINUTE;
        app.clock.advance(at - app.clock.now());
        for number in numbers.by_ref().take(usize::try_from(MOST).unwrap_or_default()) {
            let channel = random.pick(&channels);
            let submission = users::only_for(BUYER, number, channel, at, &mut random);
            let taken = intake::take(app, submission).await?;
            let Some(until) = taken.claimed else { continue };
            app.service::<Handoff>().applicant(channel.id, Claimed { user_id: taken.id, until, fresh: true });
            distribution::settle_handed(app).await?;
            if hand_out(app, taken.id, username, *pooled, at).await? {
                break;
            }
        }
    }
    app.clock.advance(now - app.clock.now());
    Ok(())
}

/// Gives the clue of an applicant to a salesperson of the organisation, or to their pool. Returns whether there is
/// one.
async fn hand_out(app: &App, user_id: i64, username: &str, pooled: bool, at: i64) -> Result<bool, sqlx::Error> {
    let mut tx = app.db.begin().await?;
    let row = sqlx::query(
        "SELECT k.id AS clue_id, a.id FROM clue k JOIN administrator a ON a.org_id = k.org_id WHERE k.user_id = $1 AND a.username = $2",
    )
    .bind(user_id)
    .bind(username)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(false) };
    let owner: i64 = row.try_get("id")?;
    crm::hand_to(&mut tx, row.try_get("clue_id")?, (!pooled).then_some(owner), at).await?;
    tx.commit().await?;
    Ok(true)
}
