//! Clues: leads as an organisation's sales people work on them. So far: how one begins, and ends.

use futures_util::FutureExt;

use super::new_lead::{NewLead, lead_arrived, lead_seen};
use crate::clock;
use crate::crypto;
use crate::db::{Connection, Db};

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

/// Makes the clue of a lead, once, and tells the organisation's people that it is there.
pub async fn begin(tx: &mut Connection, new: &NewClue<'_>, at: i64) -> Result<(), sqlx::Error> {
    let made: Option<i64> = sqlx::query_scalar(
        "INSERT INTO clue (no, user_id, push_id, org_id, sub_org_id, name_mask, phone_mask, city, stage, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'new', $9, $10) ON CONFLICT (push_id) DO NOTHING RETURNING id",
    )
    .bind(format!("CL{}-{}", clock::day_compact(at), crypto::random_text(8).to_uppercase()))
    .bind(new.user_id)
    .bind(new.push_id)
    .bind(new.org_id)
    .bind(new.sub_org_id)
    .bind(new.name_mask)
    .bind(new.phone_mask)
    .bind(new.city)
    .bind(at)
    .bind(at)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(clue_id) = made else { return Ok(()) };
    let lead = NewLead { clue_id: Some(clue_id), org_id: new.org_id, sub_org_id: new.sub_org_id, owner_admin_id: None };
    lead_arrived(tx, lead, at).await
}

/// Ends the clue of a lead that was given back: nothing is left to be done with it.
pub async fn end(tx: &mut Connection, push_id: i64, at: i64) -> Result<(), sqlx::Error> {
    let ended: Option<i64> = sqlx::query_scalar("UPDATE clue SET stage = 'invalid', updated_at = $1 WHERE push_id = $2 RETURNING id")
        .bind(at)
        .bind(push_id)
        .fetch_optional(&mut *tx)
        .await?;
    match ended {
        Some(clue_id) => lead_seen(tx, clue_id).await,
        None => Ok(()),
    }
}

/// Notes that one of the organisation's people has opened a lead: it is new to nobody any more.
pub async fn opened(db: &Db, push_id: i64) -> Result<(), sqlx::Error> {
    let new: Option<i64> = sqlx::query_scalar("SELECT n.clue_id FROM new_lead n JOIN clue k ON k.id = n.clue_id WHERE k.push_id = $1")
        .bind(push_id)
        .fetch_optional(db.read())
        .await?;
    let Some(clue_id) = new else { return Ok(()) };
    db.transact(|mut tx| async move { lead_seen(&mut tx, clue_id).await }.boxed()).await
}

/// Wipes who the clues of an applicant are about.
pub async fn erase(tx: &mut Connection, user_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE clue SET name_mask = '***', phone_mask = '***', city = '', updated_at = $1 WHERE user_id = $2")
        .bind(now)
        .bind(user_id)
        .execute(tx)
        .await
        .map(drop)
}
