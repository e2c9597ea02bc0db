//! The SQL of the delivery settings.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::keys::{self, StoredKey};
use super::model::{OrgApi, OrgApiForm, OrgKey, blank};
use super::pending;
use base::db::{self, Connection};
use frame::access::audit::Stamp;
use frame::decision::{self, DecisionAction};
use frame::proposal;

/// The delivery settings of an organisation, as they are kept.
pub struct Kept {
    pub settings: OrgApi,
    pub keys: Vec<StoredKey>,
    /// Its app key, and its secret in use, sealed.
    pub signs: Option<(String, String)>,
}

pub async fn kept<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, now: i64) -> std::result::Result<Kept, sqlx::Error> {
    Ok(find(on, org_id, now).await?.unwrap_or_else(|| Kept { settings: blank(org_id), keys: Vec::new(), signs: None }))
}

pub async fn find<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, now: i64) -> std::result::Result<Option<Kept>, sqlx::Error> {
    let row = sqlx::query(concat!(
        "SELECT a.org_id, a.match_url, a.apply_url, a.query_url, a.crypto, a.keys_enc, a.field_map, a.value_map, a.match_ok_expr, \
           a.apply_ok_expr, a.query_ok_expr, a.query_none_expr, a.known_expr, a.timeout_ms, a.retry_max, a.status, a.version, k.app_key, \
           k.app_secret_enc, ",
        decision::open_columns!("org/list/apiAudit"),
        " FROM org_api_config a LEFT JOIN org_signing_key k ON k.org_id = a.org_id",
        decision::open_join!("org_api_config", "a.org_id"),
        " WHERE a.org_id = $1"
    ))
    .bind(org_id)
    .fetch_optional(on)
    .await?;
    row.map(|row| read(&row, now)).transpose()
}

fn read(row: &AnyRow, now: i64) -> std::result::Result<Kept, sqlx::Error> {
    let keys = keys::valid(row, now)?;
    let shown = |key: &StoredKey| OrgKey {
        fingerprint: key.fingerprint.clone(),
        added_at: key.added_at,
        valid_until: key.valid_until,
        is_proposed: false,
        overlap_hours: None,
    };
    let decision = decision::read(row)?;
    let wanted: Option<pending::Wanted> = proposal::proposed(decision.as_ref(), DecisionAction::ChangeDelivery)?;
    let mut settings = OrgApi {
        id: row.try_get("org_id")?,
        match_url: row.try_get("match_url")?,
        apply_url: row.try_get("apply_url")?,
        query_url: row.try_get("query_url")?,
        crypto: db::code(row, "crypto")?,
        keys: keys.iter().map(shown).collect(),
        field_map: db::json(row, "field_map")?,
        value_map: db::json(row, "value_map")?,
        match_ok_expr: row.try_get("match_ok_expr")?,
        apply_ok_expr: row.try_get("apply_ok_expr")?,
        query_ok_expr: row.try_get("query_ok_expr")?,
        query_none_expr: row.try_get("query_none_expr")?,
        known_expr: row.try_get("known_expr")?,
        timeout_ms: row.try_get("timeout_ms")?,
        retry_max: row.try_get("retry_max")?,
        status: db::code(row, "status")?,
        proposed: None,
        decision,
        version: row.try_get("version")?,
    };
    settings.proposed = wanted.map(|wanted| Box::new(wanted.shown_beside(&settings)));
    let signs = row.try_get::<Option<String>, _>("app_key")?.zip(row.try_get("app_secret_enc")?);
    Ok(Kept { settings, keys, signs })
}

/// Makes blank settings of an organisation that has none.
pub async fn make(tx: &mut Connection, org_id: i64, stamp: Stamp) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO org_api_config (org_id, crypto, timeout_ms, retry_max, status, version, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, 'none', 10000, 3, 'disabled', 0, $2, $3, $4, $5) ON CONFLICT (org_id) DO NOTHING",
    )
    .bind(org_id)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Writes the settings over the given version, 0 for the first time; returns whether there was such a version.
pub async fn write(tx: &mut Connection, form: &OrgApiForm, keys: &[StoredKey], stamp: Stamp) -> std::result::Result<bool, sqlx::Error> {
    let text = |value: serde_json::Result<String>| value.expect("texts serialise");
    make(tx, form.id, stamp).await?;
    sqlx::query(
        "UPDATE org_api_config SET match_url = $1, apply_url = $2, query_url = $3, crypto = $4, keys_enc = $5, field_map = $6, value_map = $7, \
           match_ok_expr = $8, apply_ok_expr = $9, query_ok_expr = $10, query_none_expr = $11, known_expr = $12, timeout_ms = $13, \
           retry_max = $14, status = $15, version = version + 1, updated_at = $16, updated_by = $17 WHERE org_id = $18 AND version = $19",
    )
    .bind(&form.match_url)
    .bind(&form.apply_url)
    .bind(&form.query_url)
    .bind(<&str>::from(form.crypto))
    .bind(text(serde_json::to_string(keys)))
    .bind(text(serde_json::to_string(&form.field_map)))
    .bind(text(serde_json::to_string(&form.value_map)))
    .bind(&form.match_ok_expr)
    .bind(&form.apply_ok_expr)
    .bind(&form.query_ok_expr)
    .bind(&form.query_none_expr)
    .bind(&form.known_expr)
    .bind(form.timeout_ms)
    .bind(form.retry_max)
    .bind(<&str>::from(form.status))
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(form.id)
    .bind(form.version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}
