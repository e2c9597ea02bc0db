//! What visits and signed calls read of channels.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::model::{ChannelMode, ChannelStatus, SettleMode};
use base::crypto::place;
use base::db;
use frame::rotation::Secrets;

/// The terms of a channel for its visits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visited {
    pub id: i64,
    pub code: String,
    pub landing_url: Option<String>,
    /// The present price of a visitor, in fen; 0 if visitors are not paid for.
    pub uv_price_cents: i64,
    pub test: bool,
    pub status: ChannelStatus,
}

/// A channel that makes signed calls.
pub struct Caller {
    pub channel: Visited,
    /// Addresses and networks that may call; empty for any.
    pub ip_allow: Vec<String>,
    pub secrets: Secrets,
}

/// The channel of a code, unless it was deleted.
pub async fn by_code<'e>(on: impl Executor<'e, Database = Any>, code: &str) -> Result<Option<Visited>, sqlx::Error> {
    const FOUND: &str =
        "SELECT id, code, landing_url, settle_mode, unit_price_cents, mode, status FROM channel WHERE code = $1 AND deleted_at IS NULL";
    sqlx::query(FOUND).bind(code).fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// The channel of an app key, unless it was deleted. After a rotation the previous secret is valid, too, for the time
/// that was set.
pub async fn by_app_key<'e>(on: impl Executor<'e, Database = Any>, app_key: &str, now: i64) -> Result<Option<Caller>, sqlx::Error> {
    const FOUND: &str = "SELECT id, code, landing_url, settle_mode, unit_price_cents, mode, status, ip_allow, app_secret_enc, \
        old_secret_enc, old_secret_until \
        FROM channel WHERE app_key = $1 AND deleted_at IS NULL";
    let Some(row) = sqlx::query(FOUND).bind(app_key).fetch_optional(on).await? else { return Ok(None) };
    let secrets = Secrets::read(&row, place::CHANNEL_SECRET.of(app_key), now)?;
    Ok(Some(Caller { channel: read(&row)?, ip_allow: db::json(&row, "ip_allow")?, secrets }))
}

fn read(row: &AnyRow) -> Result<Visited, sqlx::Error> {
    let settle_mode: SettleMode = db::code(row, "settle_mode")?;
    Ok(Visited {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        landing_url: row.try_get("landing_url")?,
        uv_price_cents: if settle_mode == SettleMode::Uv { row.try_get("unit_price_cents")? } else { 0 },
        test: db::code::<ChannelMode>(row, "mode")? == ChannelMode::Test,
        status: db::code(row, "status")?,
    })
}
