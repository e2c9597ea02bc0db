//! Changes of an application after its intake: consent withdrawn, marked invalid, answers and stars set, erased.

use serde_json::Value;
use sqlx::{Any, Executor, Row};

use super::model::{InvalidReason, UserStatus, WithdrawnVia};
use super::rounds::IS_SOLD;
use super::store::SCOPE;
use crate::match_log;
use crate::plan::push::edited::Edited;
use base::crypto::{Keys, place};
use base::db::{Connection, Sql};
use frame::access::Scope;

/// Withdraws the consents of an applicant that hold. Returns whether there were any.
pub async fn withdraw_consents(tx: &mut Connection, id: i64, via: WithdrawnVia, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE consent_record SET revoked_at = $1, revoked_via = $2 WHERE user_id = $3 AND revoked_at IS NULL")
        .bind(now)
        .bind(<&str>::from(via))
        .bind(id)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() > 0)
}

/// Marks an applicant invalid. No plan is offered them any more.
pub async fn mark_invalid(
    tx: &mut Connection,
    (id, from): (i64, UserStatus),
    (reason, note): (InvalidReason, &str),
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE applicant SET status = 'invalid', invalid_reason = $1, invalid_note = $2, invalid_from = $3, due_at = NULL, look_again = 0, \
           begun = 0, version = version + 1, updated_at = $4, updated_by = $5 WHERE id = $6",
    )
    .bind(<&str>::from(reason))
    .bind(note)
    .bind(<&str>::from(from))
    .bind(now)
    .bind(by)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Takes the mark back. Plans are looked for at once, if a round was due when the applicant was marked and the
/// consent still holds.
pub async fn mark_valid(tx: &mut Connection, id: i64, by: i64, now: i64) -> Result<(), sqlx::Error> {
    const IS_WANTED: &str = "invalid_from IN ('completed', 'matching') AND EXISTS (SELECT 1 FROM consent_record k WHERE k.user_id = applicant.id AND k.revoked_at IS NULL)";
    let mut sql = Sql::new("UPDATE applicant SET status = CASE WHEN invalid_from = 'registered' THEN 'registered' WHEN ");
    sql.push(IS_SOLD)
        .push(" THEN 'distributed' WHEN ")
        .push(IS_WANTED)
        .push(" THEN 'completed' ELSE 'unmatched' END, due_at = CASE WHEN NOT ");
    sql.push(IS_SOLD).push(" AND ").push(IS_WANTED).push(" THEN ").bind(now).push(" END, invalid_reason = NULL, invalid_note = NULL, ");
    sql.push("main_reason = CASE WHEN ").push(IS_SOLD).push(" THEN NULL ELSE main_reason END, ");
    sql.push("invalid_from = NULL, version = version + 1, updated_at = ")
        .bind(now)
        .push(", updated_by = ")
        .bind(by)
        .push(" WHERE id = ")
        .bind(id);
    sql.execute(tx).await.map(drop)
}

/// The ids of the same person's applications, by phone, that have a consent that holds, within a scope: the newest
/// first, up to a limit.
pub async fn of_same_phone<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64, most: i64) -> Result<Vec<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.phone_hash = (SELECT s.phone_hash FROM applicant s WHERE s.id = ");
    sql.bind(id).push(") AND EXISTS (SELECT 1 FROM consent_record k WHERE k.user_id = u.id AND k.revoked_at IS NULL)");
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY u.id DESC LIMIT ").bind(most);
    sql.fetch_all(on).await?.iter().map(|row| row.try_get("id")).collect()
}

/// The applicant of a channel, by the channel's number or by the platform's.
pub async fn brought_by(
    on: &mut Connection,
    channel_id: i64,
    request_id: Option<&str>,
    no: Option<&str>,
) -> Result<Option<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.channel_id = ");
    sql.bind(channel_id).and("u.request_id = ", request_id).and("u.no = ", no);
    sql.fetch_optional(on).await?.map(|row| row.try_get("id")).transpose()
}

/// Replaces the name, the province and the answers of an applicant, by id and number.
pub async fn set_said(
    tx: &mut Connection,
    keys: &Keys,
    (id, no): (i64, &str),
    said: &Edited,
    by: i64,
    now: i64,
) -> Result<(), sqlx::Error> {
    let number = |field: &str| said.said.get(field).and_then(Value::as_i64);
    sqlx::query(
        "UPDATE applicant SET name_enc = $1, name_mask = $2, province = $3, city = $4, sex = $5, age = $6, amount_cents = $7, said = $8, \
           version = version + 1, updated_at = $9, updated_by = $10 WHERE id = $11",
    )
    .bind(keys.seal(&place::APPLICANT_NAME.of(no), &said.name))
    .bind(said.name_mask())
    .bind(&said.province)
    .bind(said.city())
    .bind(said.said.get("sex").and_then(Value::as_str))
    .bind(number("age"))
    .bind(number("applyAmountCents"))
    .bind(Value::Object(said.said.clone()).to_string())
    .bind(now)
    .bind(by)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Sets the stars of an applicant.
pub async fn set_star(tx: &mut Connection, id: i64, star: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE applicant SET star = $1, updated_at = $2 WHERE id = $3").bind(star).bind(now).bind(id).execute(tx).await.map(drop)
}

/// Wipes what identifies an applicant. Hashes, results of checks, sales and payments stay. False if a round is under
/// way, or if the applicant is erased already.
pub async fn erase(tx: &mut Connection, id: i64, by: Option<i64>, now: i64) -> Result<bool, sqlx::Error> {
    let erased = sqlx::query(
        "UPDATE applicant SET phone_enc = NULL, phone_mask = '***', name_enc = NULL, name_mask = '***', id_no_enc = NULL, id_no_mask = NULL, \
           province = '', city = '', sex = NULL, age = NULL, amount_cents = NULL, said = '{}', source_url = NULL, client_ip = '', \
           client_ip_enc = NULL, client_ip_hash = NULL, device_enc = NULL, device_hash = NULL, user_agent = '', invalid_note = NULL, status = 'erased', \
           due_at = NULL, begun = 0, main_reason = NULL, main_condition = NULL, version = version + 1, updated_at = $1, updated_by = $2 \
         WHERE id = $3 AND status NOT IN ('matching', 'erased')",
    )
    .bind(now)
    .bind(by)
    .bind(id)
    .execute(&mut *tx)
    .await?;
    sqlx::query("UPDATE consent_record SET ip = '', user_agent = '', revoked_at = COALESCE(revoked_at, $1) WHERE user_id = $2")
        .bind(now)
        .bind(id)
        .execute(&mut *tx)
        .await?;
    match_log::erase(tx, id).await?;
    Ok(erased.rows_affected() == 1)
}

/// Deletes consents.
pub async fn delete_consents(tx: &mut Connection, ids: &[i64]) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("DELETE FROM consent_record WHERE id IN ");
    sql.ids(ids.iter().copied());
    sql.execute(tx).await.map(drop)
}
