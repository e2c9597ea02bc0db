//! The watch over plans. It pauses plans past their last day, plans of organisations whose licence is over, and plans
//! whose organisation cannot pay a lead any more, with an audit row and a message. The last resume automatically once
//! there is money, or if none is needed: a test organisation pays for nothing.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio_util::sync::CancellationToken;

use super::gate;
use super::list::TARGET;
use super::model::{PauseReason, PlanRow, PlanStatus};
use super::notices;
use super::store::{self, Step};
use crate::finance;
use crate::ledger::account::{self, Funds};
use crate::org;
use crate::org::standing;
use crate::plan::push::delivery;
use base::clock;
use base::db::Connection;
use base::outbox::{self, Kind};
use frame::access::Scope;
use frame::access::audit::{self, Action};
use frame::api::{ApiError, App};

/// Days end at midnight; a minute later is soon enough.
const EVERY: Duration = Duration::from_secs(60);
/// Deliveries in a row that fail before a plan is paused.
const MOST_ERRORS: i64 = 20;
/// The most leads of a plan paused for its errors that go on to others.
const MOST_RELEASED: i64 = 1000;
/// Plans checked in one transaction.
const BATCH: i64 = 100;

/// Runs until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    tokio::join!(watch(&app, stop.clone()), resume_when_credited(&app, stop));
}

/// Resumes plans as soon as an account was credited on this node.
async fn resume_when_credited(app: &App, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.credited.notified() => {}
        }
        if let Err(error) = resume(app).await {
            tracing::error!(?error, "plans: those with money again could not be resumed");
        }
    }
}

async fn watch(app: &App, stop: CancellationToken) {
    clock::every(EVERY, stop, || async {
        if let Err(error) = sweep(app).await {
            tracing::error!(cause = format!("{error:#}"), "plans: a sweep failed");
        }
        if let Err(error) = resume(app).await {
            tracing::error!(?error, "plans: those with money again could not be resumed");
        }
        if let Err(error) = crate::finance::warn_of_low_balances(app).await {
            tracing::error!(?error, "plans: notices of low balances could not be sent");
        }
        if let Err(error) = finance::warn_of_over_invoiced(app).await {
            tracing::error!(?error, "invoices: messages about organisations that are over-invoiced could not be sent");
        }
        if let Err(error) = org::warn_of_licences(app).await {
            tracing::error!(%error, "plans: notices of licences that expire soon could not be sent");
        }
    })
    .await;
}

/// Pauses plans that may no longer run, and returns how many. Several nodes may do it at once: a plan is paused over
/// the version that was read, by one of them.
pub async fn sweep(app: &App) -> Result<usize, sqlx::Error> {
    let (mut paused, mut after) = (0, 0);
    loop {
        let mut tx = app.db.begin().await?;
        let now = app.clock.now();
        let plans = store::running(&mut tx, after, BATCH).await?;
        let funds = account::funds(&mut *tx, plans.iter().map(|plan| plan.org_id)).await?;
        let standings = standing::standings(&mut *tx, plans.iter().map(|plan| plan.org_id), now).await?;
        let today = clock::day(now).to_string();
        for plan in &plans {
            let over = plan.ends_on.as_ref().is_some_and(|day| *day < today);
            let reason = match standings.get(&plan.org_id) {
                _ if over => PauseReason::Expired,
                Some(standing) if !standing.licensed => PauseReason::Licence,
                None => PauseReason::Licence,
                Some(standing) if standing.test || pays(&funds, plan) => continue,
                _ => PauseReason::NoBalance,
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

/// Whether a plan's organisation has the price of one lead. Money held for leads on their way counts, since it may
/// come back in a moment.
fn pays(funds: &HashMap<i64, Funds>, plan: &PlanRow) -> bool {
    let funds = funds.get(&plan.org_id).copied().unwrap_or_default();
    !funds.is_frozen && funds.balance_cents + funds.credit_limit_cents >= plan.price_cents
}

/// Resumes plans that were paused for lack of money, if there is some now and nothing else prevents it. Returns how
/// many.
pub async fn resume(app: &App) -> Result<usize, ApiError> {
    let (mut resumed, mut after) = (0, 0);
    loop {
        let waiting = store::short_of_money(&app.db, after, BATCH).await?;
        resumed += resume_some(app, &waiting).await?;
        match waiting.last() {
            Some(last) if waiting.len() as i64 == BATCH => after = last.id,
            _ => return Ok(resumed),
        }
    }
}

/// The same for some plans.
async fn resume_some(app: &App, waiting: &[PlanRow]) -> Result<usize, ApiError> {
    let funds = account::funds(app.db.read(), waiting.iter().map(|plan| plan.org_id)).await?;
    let standings = standing::standings(app.db.read(), waiting.iter().map(|plan| plan.org_id), app.clock.now()).await?;
    let is_test = |plan: &PlanRow| standings.get(&plan.org_id).is_some_and(|standing| standing.test);
    let mut resumed = 0;
    for plan in waiting.iter().filter(|plan| is_test(plan) || pays(&funds, plan)) {
        let mut tx = app.db.begin().await?;
        let now = app.clock.now();
        match gate::may_run(&mut tx, plan, now).await {
            Ok(()) => {}
            // Other obstacles are reported to the person who starts the plan by hand.
            Err(ApiError::State(_) | ApiError::Unchecked { .. }) => continue,
            Err(error) => return Err(error),
        }
        let step = Step { status: PlanStatus::Running, pause_reason: None, by_org: false, reject_note: None };
        if !store::step(&mut tx, plan.id, plan.version, step, now, None).await? {
            continue;
        }
        if let Some(after) = store::find(&mut *tx, Scope::All, plan.id).await? {
            audit::record_own(&mut tx, TARGET.of(plan.id), Action::Update, &audit::changes(Some(plan), Some(&after)), now).await?;
        }
        tx.commit().await?;
        resumed += 1;
    }
    Ok(resumed)
}

/// Counts a failed delivery of a plan: after so many in a row the plan is paused, and its waiting leads go to others.
/// Returns whether it was paused.
pub async fn delivery_failed(app: &App, plan_id: i64) -> Result<bool, sqlx::Error> {
    let mut tx = app.db.begin().await?;
    let now = app.clock.now();
    let mut paused = false;
    if store::delivered(&mut tx, plan_id, false).await? >= MOST_ERRORS
        && let Some(plan) = store::find(&mut *tx, Scope::All, plan_id).await?.filter(|plan| plan.status == PlanStatus::Running)
    {
        paused = pause(&mut tx, &plan, PauseReason::ApiErrors, now).await?;
        store::delivered(&mut tx, plan_id, true).await?;
        // Leads that were never sent to it may go to others.
        let waiting = delivery::waiting_of(&mut tx, plan_id, MOST_RELEASED).await?;
        outbox::queue::expire(&mut tx, Kind::Delivery, waiting, now).await?;
    }
    tx.commit().await?;
    Ok(paused)
}

/// Stores that a delivery of a plan succeeded: earlier failures no longer count.
pub async fn delivery_went_well(app: &App, plan_id: i64) -> Result<(), sqlx::Error> {
    if !store::has_errors(&app.db, plan_id).await? {
        return Ok(());
    }
    let mut tx = app.db.begin().await?;
    store::delivered(&mut tx, plan_id, true).await?;
    tx.commit().await
}

/// Pauses a plan without a person. Returns whether it still had the version that was read.
async fn pause(tx: &mut Connection, before: &PlanRow, reason: PauseReason, now: i64) -> Result<bool, sqlx::Error> {
    let step = Step { status: PlanStatus::Paused, pause_reason: Some(reason), by_org: false, reject_note: None };
    if !store::step(tx, before.id, before.version, step, now, None).await? {
        return Ok(false);
    }
    let Some(after) = store::find(&mut *tx, Scope::All, before.id).await? else { return Ok(false) };
    let changes = audit::changes(Some(before), Some(&after));
    audit::record_own(tx, TARGET.of(after.id), Action::Update, &changes, now).await?;
    let manager = org::find(&mut *tx, Scope::All, after.org_id).await?.and_then(|org| org.owner_admin_id);
    notices::paused(tx, &after, manager, now).await?;
    Ok(true)
}
