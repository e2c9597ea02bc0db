//! How a clue begins, with the sale of its lead, and how the lead's return or its person's erasure ends it.

use super::holder::{self, ClueState};
use super::{notices, store};
use crate::model::ClueStage;
use crate::new_lead::lead_seen;
use base::clock::{self, MINUTE};
use base::crypto;
use base::db::Connection;
use frame::api::App;
use frame::setting;

/// A lead that an organisation has taken.
#[derive(Clone, Copy, Debug)]
pub struct NewClue<'n> {
    pub user_id: i64,
    pub push_id: i64,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub name_mask: &'n str,
    pub phone_mask: &'n str,
    pub city: &'n str,
}

/// Makes the clue of a lead, once, and gives it to a salesperson by the rules or to a pool.
pub async fn begin(app: &App, tx: &mut Connection, new: &NewClue<'_>, at: i64) -> Result<(), sqlx::Error> {
    let made: Option<i64> = sqlx::query_scalar(
        "INSERT INTO clue (no, user_id, push_id, org_id, sub_org_id, name_mask, phone_mask, city, stage, plan_id, channel_id, phone_hash, \
           test, created_at, updated_at) SELECT $1, $2, h.id, $3, $4, $5, $6, $7, 'new', h.plan_id, h.channel_id, h.phone_hash, h.test, $8, $9 \
         FROM push_record h WHERE h.id = $10 ON CONFLICT (push_id) DO NOTHING RETURNING id",
    )
    .bind(format!("CL{}-{}", clock::day_compact(at), crypto::random_text(8).to_uppercase()))
    .bind(new.user_id)
    .bind(new.org_id)
    .bind(new.sub_org_id)
    .bind(new.name_mask)
    .bind(new.phone_mask)
    .bind(new.city)
    .bind(at)
    .bind(at)
    .bind(new.push_id)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(clue) = (match made {
        Some(id) => holder::state(tx, id).await?,
        None => None,
    }) else {
        return Ok(());
    };
    // Uses the last known settings, so that the transaction does not wait for a second connection.
    let minutes = app.settings.last_known(&app.db, &setting::CRM_RESPONSE_MINUTES).await?;
    holder::place(tx, &clue, minutes * MINUTE, at).await.map(drop)
}

/// How long a new owner has for the first follow-up, in milliseconds.
pub async fn response_within(app: &App) -> Result<i64, sqlx::Error> {
    Ok(app.settings.get(&app.db, &setting::CRM_RESPONSE_MINUTES).await? * MINUTE)
}

/// Locks the clue of a push, if it has one, until the transaction ends; contracts and payments of the clue wait
/// meanwhile. The caller must have locked the push.
pub async fn hold_of_push(tx: &mut Connection, push_id: i64) -> Result<(), sqlx::Error> {
    match of_push(tx, push_id).await? {
        Some(id) => store::hold(tx, id).await,
        None => Ok(()),
    }
}

async fn of_push(tx: &mut Connection, push_id: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT id FROM clue WHERE push_id = $1").bind(push_id).fetch_optional(tx).await
}

/// Ends the clue of a lead that was given back: nothing is left to be done with it.
pub async fn end(tx: &mut Connection, push_id: i64, at: i64) -> Result<(), sqlx::Error> {
    match of_push(tx, push_id).await? {
        Some(id) => close(tx, id, "returned", at).await,
        None => Ok(()),
    }
}

/// Ends a clue as invalid, for a reason.
async fn close(tx: &mut Connection, id: i64, reason: &str, at: i64) -> Result<(), sqlx::Error> {
    let Some(clue) = held(tx, id).await? else { return Ok(()) };
    if clue.stage.is_open()
        && let Some(owner) = clue.owner_id
    {
        holder::add_held(tx, owner, -1).await?;
    }
    sqlx::query(
        "UPDATE clue SET stage = $1, lost_reason = $2, ended_at = $3, response_due_at = NULL, next_follow_at = NULL, reclaim_at = NULL, \
           remind_at = NULL, escalate_at = NULL, escalation = 0, version = version + 1, updated_at = $4 WHERE id = $5",
    )
    .bind(ClueStage::Invalid)
    .bind(reason)
    .bind(at)
    .bind(at)
    .bind(clue.id)
    .execute(&mut *tx)
    .await?;
    notices::ended(tx, clue.id, at).await?;
    lead_seen(tx, clue.id).await
}

/// The clue, locked until the transaction ends.
async fn held(tx: &mut Connection, id: i64) -> Result<Option<ClueState>, sqlx::Error> {
    store::hold(tx, id).await?;
    holder::state(tx, id).await
}

/// Deletes the personal data and the notes in the clues of an applicant, and ends those that are open.
pub async fn erase(tx: &mut Connection, user_id: i64, now: i64) -> Result<(), sqlx::Error> {
    let open: Vec<i64> =
        sqlx::query_scalar("SELECT id FROM clue WHERE user_id = $1 AND stage NOT IN ('disbursed', 'invalid', 'lost') ORDER BY id")
            .bind(user_id)
            .fetch_all(&mut *tx)
            .await?;
    for id in open {
        close(tx, id, "other", now).await?;
    }
    sqlx::query(
        "UPDATE clue SET name_mask = '***', phone_mask = '***', city = '', last_follow_text = '', version = version + 1, updated_at = $1 \
         WHERE user_id = $2",
    )
    .bind(now)
    .bind(user_id)
    .execute(&mut *tx)
    .await?;
    for statement in [
        "UPDATE clue_follow SET content = '***' WHERE clue_id IN (SELECT id FROM clue WHERE user_id = $1)",
        "UPDATE clue_sms SET text = '***' WHERE clue_id IN (SELECT id FROM clue WHERE user_id = $1)",
        "UPDATE money_record SET remark = '***', review_note = NULL WHERE clue_id IN (SELECT id FROM clue WHERE user_id = $1)",
    ] {
        sqlx::query(statement).bind(user_id).execute(&mut *tx).await?;
    }
    Ok(())
}
