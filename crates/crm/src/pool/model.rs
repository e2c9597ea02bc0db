//! Pools in answers, filters and forms.

use serde::{Deserialize, Serialize};

use crate::model::SalesLevel;
use base::codes::UseStatus;
use base::db::JsonText;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;

/// A pool as lists and details show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PoolRow {
    pub id: i64,
    pub org_id: i64,
    pub org_name: String,
    pub name: String,
    /// Teams that use it; empty: the whole organisation.
    #[sqlx(try_from = "JsonText<Vec<i64>>")]
    pub sub_org_ids: Vec<i64>,
    /// Their names, in the same order.
    #[sqlx(skip)]
    pub sub_org_names: Vec<String>,
    /// Clues that one salesperson may claim a day.
    pub claim_per_day: i64,
    /// Days for which a former owner may not claim a clue again.
    pub former_owner_days: i64,
    /// Minutes for which a clue that enters the pool cannot be claimed.
    pub new_delay_minutes: i64,
    /// Days without a follow-up after which an owned clue goes back to the pool; 0: never.
    pub reclaim_days: i64,
    /// Days before the reclaim when the owner is reminded; 0: never.
    pub remind_days: i64,
    /// The least level of a salesperson who may claim its clues, or be assigned them; none for any.
    pub min_level: Option<SalesLevel>,
    /// Its place among the pools of the organisation: a team's clues go to the first pool that serves the team.
    pub sort: i64,
    pub status: UseStatus,
    /// Open clues in it.
    pub clues: i64,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PoolFilters {
    /// A part of a name.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    pub status: Option<UseStatus>,
}

impl ListFilters for PoolFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "p.created_at")];
    const ID: &'static str = "p.id";
}

/// The form of a pool. A new one is in use.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PoolBody {
    /// Absent for a new pool.
    pub id: Option<i64>,
    /// As read; absent for a new pool.
    pub version: Option<i64>,
    /// Chosen by platform staff for a new pool; an organisation's own people make pools of theirs. It never changes.
    pub org_id: Option<i64>,
    pub name: String,
    /// Teams of the organisation; empty: the whole organisation.
    #[serde(default)]
    pub sub_org_ids: Vec<i64>,
    pub claim_per_day: i64,
    pub former_owner_days: i64,
    pub new_delay_minutes: i64,
    pub reclaim_days: i64,
    pub remind_days: i64,
    /// The least level of a salesperson who may claim its clues, or be assigned them; absent for any.
    pub min_level: Option<SalesLevel>,
    #[serde(default)]
    pub sort: i64,
}
