//! Keeps the leases of applicants whose rounds wait for others, however long that takes.

use std::pin::pin;
use std::time::Duration;

use base::clock::SECOND;
use frame::api::{ApiError, App};
use trade::handoff::Handoff;
use trade::handoff::{Buyer, LEASE, Place};
use trade::user::rounds;

/// Milliseconds after which a waiting round renews its lease. The first renewal is early, since part of the lease may
/// have passed before the wait began. The second value is how often the wait checks whether a renewal is due.
const FIRST_RENEWED_AFTER: i64 = LEASE / 12;
const RENEWED_AFTER: i64 = LEASE / 3;
const LOOK: Duration = Duration::from_secs(1);
/// Milliseconds until plans are looked for again for an applicant whose round could not wait.
const AGAIN: std::ops::RangeInclusive<i64> = 5 * SECOND..=15 * SECOND;

/// Waits, and renews the lease of an applicant meanwhile; none once the lease is lost.
pub(super) async fn keeping<T>(app: &App, user_id: i64, until: &mut i64, waiting: impl Future<Output = T>) -> Result<Option<T>, ApiError> {
    let mut waiting = pin!(waiting);
    let mut renews_at = app.clock.now() + FIRST_RENEWED_AFTER;
    loop {
        if let Ok(done) = tokio::time::timeout(LOOK, &mut waiting).await {
            return Ok(Some(done));
        }
        if app.clock.now() < renews_at {
            continue;
        }
        renews_at = app.clock.now() + RENEWED_AFTER;
        let mut tx = app.db.begin().await?;
        let next = tx.now(&app.clock).await? + LEASE;
        if !rounds::renew(&mut tx, user_id, *until, next).await? {
            return Ok(None);
        }
        tx.commit().await?;
        *until = next;
    }
}

/// A place for the round of an applicant. None if the round is over: this process has lost the applicant, or too many
/// rounds wait and the applicant waits in the database.
pub(super) async fn place(app: &App, user_id: i64, until: &mut i64, buyer: Buyer) -> Result<Option<Place>, ApiError> {
    let entered = keeping(app, user_id, until, app.service::<Handoff>().places.enter(buyer)).await?;
    if let Some(None) = entered {
        tracing::debug!(user.id = user_id, plan.id = buyer.plan_id, "distribution: an applicant waits in the database for a plan's rounds");
        let mut tx = app.db.begin().await?;
        let due_at = tx.now(&app.clock).await? + rand::random_range(AGAIN);
        rounds::give_back(&mut tx, user_id, *until, due_at).await?;
        tx.commit().await?;
    }
    Ok(entered.flatten())
}
