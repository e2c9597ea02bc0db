//! What the intake of applicants reads of a channel: which applicants it may send, how many, and its price.

use std::collections::HashMap;

use sqlx::{Any, Executor, Row};

use super::model::{ChannelMode, ChannelStatus, DedupScope, SettleMode};
use super::store;
use base::db;
use frame::terms::RuleSet;
use frame::terms::cap::Subject;

/// The terms of a channel for its applicants.
#[derive(Clone, Debug)]
pub struct Supplier {
    pub id: i64,
    pub code: String,
    pub name: String,
    pub status: ChannelStatus,
    pub test: bool,
    /// Days within which an applicant counts once; none for the general setting.
    pub dedup_days: Option<i64>,
    pub dedup_scope: DedupScope,
    /// The fields that an application must have besides phone and name, by the names of an applicant's fields.
    pub required_fields: Vec<String>,
    /// The applicants that it may send; none for all.
    pub filters: Option<RuleSet>,
    /// The price of an applicant, in fen.
    pub registered_cents: i64,
    /// Its share of loans to its applicants, in basis points; 0 if it has none.
    pub share_bp: i64,
}

impl Supplier {
    /// The channel, if only its own applications are searched for a repeated one; none for all channels.
    pub fn dedup_channel(&self) -> Option<i64> {
        (self.dedup_scope == DedupScope::Channel).then_some(self.id)
    }

    /// The key of the channel's caps.
    pub fn subject(&self) -> Subject {
        store::subject(self.id)
    }
}

/// The fields that channels require, by channel id; channels without any are left out.
pub async fn required_fields<'e>(on: impl Executor<'e, Database = Any>) -> Result<HashMap<i64, Vec<String>>, sqlx::Error> {
    let rows =
        sqlx::query("SELECT id, required_fields FROM channel WHERE required_fields <> '[]' AND deleted_at IS NULL").fetch_all(on).await?;
    rows.iter().map(|row| Ok((row.try_get("id")?, db::json(row, "required_fields")?))).collect()
}

/// The channel of an id, unless it was deleted.
pub async fn supplier<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<Option<Supplier>, sqlx::Error> {
    const FOUND: &str = "SELECT id, code, name, status, mode, dedup_days, dedup_scope, required_fields, filters, settle_mode, unit_price_cents, share_bp \
        FROM channel WHERE id = $1 AND deleted_at IS NULL";
    let Some(row) = sqlx::query(FOUND).bind(id).fetch_optional(on).await? else { return Ok(None) };
    let (settle_mode, price): (SettleMode, i64) = (db::code(&row, "settle_mode")?, row.try_get("unit_price_cents")?);
    Ok(Some(Supplier {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        name: row.try_get("name")?,
        status: db::code(&row, "status")?,
        test: db::code::<ChannelMode>(&row, "mode")? == ChannelMode::Test,
        dedup_days: row.try_get("dedup_days")?,
        dedup_scope: db::code(&row, "dedup_scope")?,
        required_fields: db::json(&row, "required_fields")?,
        filters: row.try_get::<Option<&str>, _>("filters")?.map(|_| db::json(&row, "filters")).transpose()?,
        registered_cents: if settle_mode == SettleMode::Registered { price } else { 0 },
        share_bp: if settle_mode == SettleMode::Share { row.try_get("share_bp")? } else { 0 },
    }))
}
