//! Clues: leads as an organisation's sales people work on them. So far: how one begins, and ends.

use super::new_lead::{NewLead, lead_arrived};
use crate::clock;
use crate::crypto;
use crate::db::Connection;

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
    sqlx::query("UPDATE clue SET stage = 'invalid', updated_at = $1 WHERE push_id = $2").bind(at).bind(push_id).execute(tx).await.map(drop)
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
