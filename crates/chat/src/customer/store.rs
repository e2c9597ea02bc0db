//! Customers in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, FromRow, Row};

use super::model::{CustomerFilters, CustomerRow, CustomerStatus};
use crate::SCOPE;
use crate::codes::{CustomerSource, PhoneState};
use crate::consent;
use crate::conversation::FILES;
use crate::wechat;
use crate::words::{Reveals, Words};
use base::crypto::{Keys, place};
use base::db::{Connection, Sql};
use base::locale::Locale;
use base::mask;
use frame::access::Scope;
use frame::access::audit::Stamp;
use frame::access::stamped;
use frame::upload;

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT k.id, k.nickname, k.source, k.phone_mask, \
     CASE WHEN k.phone_hash IS NULL THEN NULL WHEN k.phone_verified_at IS NULL THEN 'unverified' ELSE 'verified' END AS phone_state, \
     k.phone_verified_at, k.remark, k.remark_enc, k.tags, k.status, u.id AS user_id, u.no AS user_no, \
     (SELECT COUNT(*) FROM chat_conversation c WHERE c.customer_id = k.id) AS conversations, l.id AS conversation_id, l.status AS conversation_status, \
     k.consented_at, n.text AS consent_text, n.locale AS consent_locale, k.consent_version, k.last_inbound_at, k.version, k.created_at, k.updated_at \
     FROM chat_customer k \
     LEFT JOIN applicant u ON u.id = (SELECT MAX(a.id) FROM applicant a WHERE a.phone_hash = k.phone_hash AND a.status <> 'erased') \
     LEFT JOIN chat_consent n ON n.version = k.consent_version \
     LEFT JOIN chat_conversation l ON l.id = (SELECT MAX(c.id) FROM chat_conversation c WHERE c.customer_id = k.id) WHERE 1 = 1";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT k.id FROM chat_customer k WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &CustomerFilters, scope: Scope) {
    sql.and_prefix(&["k.nickname"], filters.keyword.as_deref()).and("k.phone_hash = ", filters.phone_hash.clone());
    sql.and("k.source = ", filters.source).and("k.status = ", filters.status);
    match filters.phone_state {
        Some(PhoneState::Unverified) => sql.push(" AND k.phone_hash IS NOT NULL AND k.phone_verified_at IS NULL"),
        Some(PhoneState::Verified) => sql.push(" AND k.phone_verified_at IS NOT NULL"),
        None => sql,
    };
    if let Some(tag) = filters.tag.as_deref().map(str::trim).filter(|tag| !tag.is_empty()) {
        // Tags contain no quotation marks, so one in quotes is a whole tag.
        let wanted = tag.replace(['%', '_', '\\', '"'], "");
        sql.push(" AND k.tags LIKE ").bind(format!("%\"{wanted}\"%"));
    }
    if let Some(wechat_id) = filters.wechat_id {
        sql.push(" AND k.id IN (SELECT f.customer_id FROM chat_wechat_follower f WHERE f.subscribed = 1 AND f.wechat_id = ")
            .bind(wechat_id)
            .push(")");
    }
    if let Some(user_id) = filters.user_id {
        sql.push(" AND k.phone_hash = (SELECT a.phone_hash FROM applicant a WHERE a.status <> 'erased' AND a.id = ")
            .bind(user_id)
            .push(")");
    }
    sql.and("k.created_at >= ", filters.created_from).and("k.created_at < ", filters.created_to);
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`], with the remark as `reveals` allows it.
pub fn read(row: &AnyRow, reveals: &Reveals) -> Result<CustomerRow, sqlx::Error> {
    let read = CustomerRow::from_row(row)?;
    let remark = reveals.text(row, "remark", || place::CHAT_CUSTOMER_REMARK.of(read.id))?;
    Ok(CustomerRow { remark, ..read })
}

/// One customer within a scope.
pub async fn find<'e>(
    on: impl Executor<'e, Database = Any>,
    reveals: &Reveals,
    scope: Scope,
    id: i64,
) -> Result<Option<CustomerRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("k.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(|row| read(row, reveals)).transpose()
}

/// Writes the staff's fields of a customer. Without a remark the present one stays.
pub async fn write(
    tx: &mut Connection,
    (id, version): (i64, i64),
    (nickname, remark, tags): (&str, Option<Words>, &[String]),
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE chat_customer SET nickname = ");
    sql.bind(nickname.to_owned()).push(", tags = ").bind(serde_json::to_string(tags).expect("texts serialise"));
    if let Some(remark) = remark {
        sql.push(", remark = ").bind(remark.shown).push(", remark_enc = ").bind(remark.sealed);
    }
    stamped::over_kept(sql, id, version, stamp, tx).await
}

/// Whether the remark about a customer has long numbers, sealed or from an older version.
pub async fn has_number_in_remark(tx: &mut Connection, id: i64) -> Result<bool, sqlx::Error> {
    let row = sqlx::query("SELECT remark, remark_enc FROM chat_customer WHERE id = $1").bind(id).fetch_one(tx).await?;
    let (shown, sealed): (String, Option<String>) = (row.try_get("remark")?, row.try_get("remark_enc")?);
    Ok(sealed.is_some() || mask::numbers(&shown) != shown)
}

/// Blocks a customer, or lets them write again.
pub async fn set_status(tx: &mut Connection, id: i64, version: i64, status: CustomerStatus, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE chat_customer SET status = ");
    sql.bind(status);
    stamped::over_kept(sql, id, version, stamp, tx).await
}

/// A customer's sealed phone number.
pub async fn sealed_phone(tx: &mut Connection, id: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query("SELECT phone_enc FROM chat_customer WHERE id = $1").bind(id).fetch_one(tx).await?.try_get("phone_enc")
}

/// Adds a customer from a visitors' page, and returns the id; if the key is known, the id of its customer. `agreed` is
/// the language of the text that they agreed to.
pub async fn insert_visitor(
    tx: &mut Connection,
    visit_key_hash: &str,
    nickname: &str,
    agreed: Locale,
    now: i64,
) -> Result<i64, sqlx::Error> {
    let version = consent::keep(tx, agreed, now).await?;
    sqlx::query(
        "INSERT INTO chat_customer (source, nickname, visit_key_hash, status, consented_at, consent_version, created_at, updated_at) \
         VALUES ($1, $2, $3, 'active', $4, $5, $6, $7) \
         ON CONFLICT (visit_key_hash) DO UPDATE SET visit_key_hash = excluded.visit_key_hash RETURNING id",
    )
    .bind(<&str>::from(CustomerSource::Web))
    .bind(nickname)
    .bind(visit_key_hash)
    .bind(now)
    .bind(version)
    .bind(now)
    .bind(now)
    .fetch_one(tx)
    .await?
    .try_get("id")
}

/// Sets a customer's phone number, unverified if it is another one; false for a customer who may not write.
pub async fn set_phone(tx: &mut Connection, keys: &Keys, id: i64, phone: &str, now: i64) -> Result<bool, sqlx::Error> {
    let set = sqlx::query(
        "UPDATE chat_customer SET phone_verified_at = CASE WHEN phone_hash = $1 THEN phone_verified_at ELSE NULL END, phone_enc = $2, \
           phone_hash = $3, phone_mask = $4, version = version + 1, updated_at = $5 WHERE id = $6 AND status = 'active'",
    )
    .bind(keys.lookup_hash(phone))
    .bind(keys.seal(&place::CHAT_CUSTOMER_PHONE.of(id), phone))
    .bind(keys.lookup_hash(phone))
    .bind(mask::phone(phone))
    .bind(now)
    .bind(id)
    .execute(tx)
    .await?;
    Ok(set.rows_affected() == 1)
}

/// Records that a code proved a customer's phone number.
pub async fn set_phone_verified(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE chat_customer SET phone_verified_at = $1, version = version + 1, updated_at = $2 WHERE id = $3")
        .bind(now)
        .bind(now)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Deletes the identity of customers, and their messages.
pub async fn erase(tx: &mut Connection, ids: &[i64], now: i64) -> Result<(), sqlx::Error> {
    if ids.is_empty() {
        return Ok(());
    }
    // The customers are locked first, then their conversations: a concurrent message comes before, or is refused.
    let mut sql = Sql::new("UPDATE chat_customer SET version = version WHERE id IN ");
    sql.ids(ids.iter().copied());
    sql.execute(&mut *tx).await?;
    let mut sql = Sql::new("UPDATE chat_conversation SET version = version + 1 WHERE customer_id IN ");
    sql.ids(ids.iter().copied());
    sql.execute(&mut *tx).await?;
    let mut sql = Sql::new(
        "SELECT m.id FROM chat_message m JOIN chat_conversation c ON c.id = m.conversation_id WHERE m.file_id IS NOT NULL AND c.customer_id IN ",
    );
    sql.ids(ids.iter().copied());
    let with_files = sql.fetch_all(&mut *tx).await?.iter().map(|row| row.try_get("id")).collect::<Result<Vec<i64>, _>>()?;
    upload::release(tx, FILES.biz_type, &with_files, now).await?;
    wechat::erase_followers(tx, ids).await?;
    let mut sql = Sql::new("DELETE FROM chat_phone_code WHERE customer_id IN ");
    sql.ids(ids.iter().copied());
    sql.execute(&mut *tx).await?;
    // Texts of the system stay JSON.
    let mut sql = Sql::new(
        "UPDATE chat_message SET content = CASE WHEN direction = 'system' THEN '{}' ELSE '' END, content_enc = NULL, file_id = NULL \
         WHERE conversation_id IN (SELECT c.id FROM chat_conversation c WHERE c.customer_id IN ",
    );
    sql.ids(ids.iter().copied()).push(")");
    sql.execute(&mut *tx).await?;
    let mut sql = Sql::new(
        "UPDATE chat_transfer SET note = '', note_enc = NULL WHERE conversation_id IN (SELECT c.id FROM chat_conversation c WHERE c.customer_id IN ",
    );
    sql.ids(ids.iter().copied()).push(")");
    sql.execute(&mut *tx).await?;
    let mut sql = Sql::new(
        "UPDATE chat_conversation SET last_text = '', close_note = '', rating_note = '', last_text_enc = NULL, close_note_enc = NULL, \
           rating_note_enc = NULL, status = 'resolved', waiting_since = NULL, unread = 0, \
           snoozed_until = NULL, closed_at = COALESCE(closed_at, ",
    );
    sql.bind(now).push("), updated_at = ").bind(now).push(" WHERE customer_id IN ").ids(ids.iter().copied());
    sql.execute(&mut *tx).await?;
    let mut sql = Sql::new(
        "UPDATE chat_customer SET nickname = '', phone_enc = NULL, phone_hash = NULL, phone_mask = '', phone_verified_at = NULL, remark = '', remark_enc = NULL, tags = '[]', visit_key_hash = NULL, \
           status = 'erased', version = version + 1, updated_at = ",
    );
    sql.bind(now).push(" WHERE id IN ").ids(ids.iter().copied());
    sql.execute(tx).await.map(drop)
}

/// The customers of an applicant's phone, unless another applicant who is not erased has the same phone.
pub async fn of_applicant(tx: &mut Connection, user_id: i64) -> Result<Vec<i64>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT k.id FROM chat_customer k JOIN applicant u ON u.phone_hash = k.phone_hash WHERE u.id = $1 \
         AND NOT EXISTS (SELECT 1 FROM applicant o WHERE o.phone_hash = k.phone_hash AND o.id <> u.id AND o.status <> 'erased')",
    )
    .bind(user_id)
    .fetch_all(tx)
    .await?;
    rows.iter().map(|row| row.try_get("id")).collect()
}
