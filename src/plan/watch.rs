//! The watch over running plans: those past their last day, and those of organisations whose licence
//! is over, are paused, written down and told.

use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::list::TARGET;
use super::model::{PauseReason, PlanRow, PlanStatus};
use super::store::{self, Step};
use super::tell;
use crate::access::Scope;
use crate::access::audit::{self, Action};
use crate::api::App;
use crate::clock;
use crate::org;
use crate::org::standing;

/// Days end at midnight; a minute later is soon enough.
const EVERY: Duration = Duration::from_secs(60);
/// Plans looked at in one transaction.
const BATCH: i64 = 100;

/// Watches until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = sweep(&app).await {
            tracing::error!(cause = format!("{error:#}"), "plans: a sweep failed");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Pauses what may no longer run, and returns how many those were. Several nodes may do it at once:
/// a plan is paused over the version that was read, by one of them.
pub async fn sweep(app: &App) -> Result<usize, sqlx::Error> {
    let (mut paused, mut after) = (0, 0);
    loop {
        let mut tx = app.db.begin().await?;
        let now = app.clock.now();
        let plans = store::running(&mut tx, after, BATCH).await?;
        let standings = standing::standings(&mut *tx, plans.iter().map(|plan| plan.org_id), now).await?;
        let today = clock::day(now).to_string();
        for plan in &plans {
            let over = plan.ends_on.as_ref().is_some_and(|day| *day < today);
            let reason = match standings.get(&plan.org_id) {
                _ if over => PauseReason::Expired,
                Some(standing) if standing.licensed => continue,
                _ => PauseReason::Licence,
            };
            paused += usize::from(pause(&mut tx, plan, reason, now).await?);
        }
        tx.commit().await?;
        match plans.last() {
            Some(last) if plans.len() as i64 == BATCH => after = last.id,
            _ => return Ok(paused),
        }
    }
}

/// Pauses a plan by the program; tells whether it was still as read.
async fn pause(tx: &mut sqlx::AnyConnection, before: &PlanRow, reason: PauseReason, now: i64) -> Result<bool, sqlx::Error> {
    let step = Step { status: PlanStatus::Paused, pause_reason: Some(reason), reject_note: None };
    if !store::step(tx, before.id, before.version, step, now, None).await? {
        return Ok(false);
    }
    let Some(after) = store::find(&mut *tx, Scope::All, before.id).await? else { return Ok(false) };
    let changes = audit::changes(Some(before), Some(&after));
    audit::record_own(tx, TARGET.of(after.id), Action::Update, &changes, now).await?;
    let manager = org::store::find(&mut *tx, Scope::All, after.org_id).await?.and_then(|org| org.owner_admin_id);
    tell::paused(tx, &after, manager, now).await?;
    Ok(true)
}
