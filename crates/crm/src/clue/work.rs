//! The background work on clues: those without a holder are placed, those without a follow-up return to a pool, their
//! owners are reminded before, and overdue contacts are reported. Several nodes may do it at once: each step is
//! written over the version that was read.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use sqlx::{Row, query_scalar};
use tokio_util::sync::CancellationToken;

use super::begin::response_within;
use super::holder::{self, Giving, Holder};
use super::{notices, store};
use crate::model::OwnerWay;
use crate::new_lead::lead_seen;
use crate::salesperson::hold_salesperson;
use base::clock::{self, DAY};
use base::db::Connection;
use frame::api::{ApiError, App};

/// How often due clues are looked for.
const EVERY: Duration = Duration::from_secs(20);
/// Clues of one round, each in a transaction of its own.
const BATCH: i64 = 200;

/// Does due work again and again until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(EVERY, stop, || async {
        if let Err(error) = run(&app).await {
            tracing::error!(?error, "clues: what is due could not be done");
        }
    })
    .await;
}

/// Does all due work. Returns how many clues it changed.
pub async fn run(app: &App) -> Result<usize, ApiError> {
    let mut changed = 0;
    for step in [Step::Place, Step::Reclaim, Step::Remind, Step::Escalate] {
        loop {
            let ids = due(app, step).await?;
            let mut done = 0;
            for id in &ids {
                // One that fails does not keep the others waiting.
                match apply(app, step, *id).await {
                    Ok(applied) => done += usize::from(applied),
                    Err(error) => tracing::error!(clue.id = id, ?step, ?error, "clues: what is due with one could not be done"),
                }
            }
            changed += done;
            // A full batch in which nothing was done is tried again in the next round.
            if done == 0 || (ids.len() as i64) < BATCH {
                break;
            }
        }
    }
    Ok(changed)
}

/// A due step of a clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Place,
    Reclaim,
    Remind,
    Escalate,
}

async fn due(app: &App, step: Step) -> Result<Vec<i64>, sqlx::Error> {
    let select = match step {
        // Clues of versions that had no pools and owners.
        Step::Place => "SELECT id FROM clue WHERE owner_id IS NULL AND pool_id IS NULL AND $1 > 0 ORDER BY id LIMIT $2",
        Step::Reclaim => "SELECT id FROM clue WHERE reclaim_at IS NOT NULL AND reclaim_at <= $1 ORDER BY reclaim_at LIMIT $2",
        Step::Remind => "SELECT id FROM clue WHERE remind_at IS NOT NULL AND remind_at <= $1 ORDER BY remind_at LIMIT $2",
        Step::Escalate => "SELECT id FROM clue WHERE escalate_at IS NOT NULL AND escalate_at <= $1 ORDER BY escalate_at LIMIT $2",
    };
    query_scalar(select).bind(app.clock.now()).bind(BATCH).fetch_all(app.db.read()).await
}

async fn apply(app: &App, step: Step, id: i64) -> Result<bool, ApiError> {
    let (now, response_within) = (app.clock.now(), response_within(app).await?);
    let done = app
        .db
        .transact(|mut tx| {
            async move {
                match step {
                    Step::Place => place(&mut tx, id, response_within, now).await,
                    Step::Reclaim => reclaim(&mut tx, id, now).await,
                    Step::Remind => remind(&mut tx, id, now).await,
                    Step::Escalate => escalate(&mut tx, id, now).await,
                }
            }
            .boxed()
        })
        .await;
    match done {
        Ok(()) => Ok(true),
        // Another node was first, or a person has just changed it.
        Err(Undone::Overtaken) => Ok(false),
        Err(Undone::Failed(error)) => Err(error.into()),
    }
}

/// Why nothing was written.
enum Undone {
    Overtaken,
    Failed(sqlx::Error),
}

impl From<sqlx::Error> for Undone {
    fn from(error: sqlx::Error) -> Undone {
        Undone::Failed(error)
    }
}

async fn place(tx: &mut Connection, id: i64, response_within: i64, now: i64) -> Result<(), Undone> {
    let clue = holder::state(&mut *tx, id).await?.filter(|clue| clue.owner_id.is_none() && clue.pool_id.is_none());
    let clue = clue.ok_or(Undone::Overtaken)?;
    // Versions before plans and channels of clues did not write these columns.
    sqlx::query(
        "UPDATE clue SET plan_id = (SELECT h.plan_id FROM push_record h WHERE h.id = clue.push_id), channel_id = (SELECT h.channel_id \
           FROM push_record h WHERE h.id = clue.push_id), phone_hash = (SELECT h.phone_hash FROM push_record h WHERE h.id = clue.push_id) \
         WHERE id = $1 AND push_id IS NOT NULL AND plan_id IS NULL",
    )
    .bind(id)
    .execute(&mut *tx)
    .await?;
    let was_new = query_scalar::<_, i64>("SELECT id FROM new_lead WHERE clue_id = $1").bind(id).fetch_optional(&mut *tx).await?.is_some();
    if !holder::place(tx, &clue, response_within, now).await? {
        return Err(Undone::Overtaken);
    }
    // A clue opened before there were owners does not become new again.
    if !was_new {
        lead_seen(tx, id).await?;
    }
    Ok(())
}

async fn reclaim(tx: &mut Connection, id: i64, now: i64) -> Result<(), Undone> {
    let owner = holder::state(&mut *tx, id).await?.and_then(|clue| clue.owner_id).ok_or(Undone::Overtaken)?;
    // Locks the salesperson, then the clue, as everywhere else.
    hold_salesperson(&mut *tx, owner).await?;
    store::hold(&mut *tx, id).await?;
    let clue = holder::state(&mut *tx, id).await?.filter(|clue| clue.reclaim_at.is_some_and(|at| at <= now));
    let clue = clue.filter(|clue| clue.owner_id == Some(owner)).ok_or(Undone::Overtaken)?;
    let giving = Giving { way: OwnerWay::Reclaim, by: None, at: now, response_within: 0 };
    holder::give(tx, &clue, Holder::Pool, &giving).await?.map_err(|_| Undone::Overtaken)?;
    Ok(notices::reclaimed(tx, &clue, owner, now).await?)
}

async fn remind(tx: &mut Connection, id: i64, now: i64) -> Result<(), Undone> {
    let clue = holder::state(&mut *tx, id).await?.ok_or(Undone::Overtaken)?;
    let taken = sqlx::query("UPDATE clue SET remind_at = NULL WHERE id = $1 AND version = $2 AND remind_at <= $3")
        .bind(id)
        .bind(clue.version)
        .bind(now)
        .execute(&mut *tx)
        .await?;
    let (owner, reclaim_at) = clue.owner_id.zip(clue.reclaim_at).filter(|_| taken.rows_affected() == 1).ok_or(Undone::Overtaken)?;
    Ok(notices::reclaim_soon(tx, &clue, owner, reclaim_at, now).await?)
}

/// Days after the due moment of a contact at which each reminder is sent.
const DAYS: [i64; 4] = [0, 3, 5, 7];

async fn escalate(tx: &mut Connection, id: i64, now: i64) -> Result<(), Undone> {
    let clue = holder::state(&mut *tx, id).await?.ok_or(Undone::Overtaken)?;
    let row = sqlx::query(
        "SELECT k.escalate_at, k.escalation, a.real_name FROM clue k LEFT JOIN administrator a ON a.id = k.owner_id WHERE k.id = $1",
    )
    .bind(id)
    .fetch_one(&mut *tx)
    .await?;
    let (at, step): (Option<i64>, i64) = (row.try_get("escalate_at")?, row.try_get("escalation")?);
    let (owner, at) = clue.owner_id.zip(at.filter(|at| *at <= now)).ok_or(Undone::Overtaken)?;
    let step = usize::try_from(step).unwrap_or(0);
    let days = DAYS.get(step).copied().unwrap_or(0);
    let next = DAYS.get(step + 1).map(|next| at + (next - days) * DAY);
    let taken =
        sqlx::query("UPDATE clue SET escalation = escalation + 1, escalate_at = $1 WHERE id = $2 AND version = $3 AND escalate_at = $4")
            .bind(next)
            .bind(id)
            .bind(clue.version)
            .bind(at)
            .execute(&mut *tx)
            .await?;
    if taken.rows_affected() != 1 {
        return Err(Undone::Overtaken);
    }
    if days == 0 {
        notices::due(tx, &clue, owner, now).await?;
    } else {
        let name: Option<String> = row.try_get("real_name")?;
        notices::escalated(tx, &clue, owner, days, name.as_deref().unwrap_or_default(), now).await?;
    }
    Ok(())
}
