//! Teams in answers, filters and forms.

use serde::{Deserialize, Serialize};

use base::codes::UseStatus;
use base::db::Flag;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;
use frame::places;

/// A team as lists and details show it. Its phone is masked.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct TeamRow {
    pub id: i64,
    pub org_id: i64,
    pub org_name: String,
    pub name: String,
    #[sqlx(try_from = "places::Stored")]
    pub city: String,
    pub address: String,
    pub manager_name: String,
    pub phone_mask: Option<String>,
    /// Codes of cities whose leads it takes; empty: all.
    #[sqlx(try_from = "places::StoredList")]
    pub cities: Vec<String>,
    #[sqlx(try_from = "Flag")]
    pub accept_leads: bool,
    /// Leads assigned a day at most; none: no limit.
    pub daily_cap: Option<i64>,
    /// Its share of the organisation's leads, against the weights of the other teams.
    pub weight: i64,
    /// Its place in lists.
    pub sort: i64,
    pub status: UseStatus,
    /// Salespeople who have not left.
    pub people: i64,
    /// Leads assigned today; absent in the answer of a change.
    #[sqlx(skip)]
    pub assigned_today: Option<i64>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TeamFilters {
    /// A part of a name, a city or a manager's name, or the whole phone.
    pub keyword: Option<String>,
    /// Set from the keyword, by the keys of this installation.
    #[serde(skip)]
    pub phone_hash: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    pub status: Option<UseStatus>,
}

impl ListFilters for TeamFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("sort", "t.sort"), ("createdAt", "t.created_at"), ("name", "t.name")];
    const ID: &'static str = "t.id";
    const ASCENDING: bool = true;
}

/// The form of a team.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct TeamBody {
    /// Absent for a new team.
    pub id: Option<i64>,
    /// As read; absent for a new team. Without a version the newest one is changed, and the audit trail records that.
    pub version: Option<i64>,
    /// Chosen by platform staff for a new team; an organisation's own people make teams of theirs. It never changes.
    pub org_id: Option<i64>,
    pub name: String,
    #[serde(default)]
    pub city: String,
    #[serde(default)]
    pub address: String,
    #[serde(default)]
    pub manager_name: String,
    /// Absent, or the mask of the stored one: the stored one stays.
    pub phone: Option<String>,
    #[serde(default)]
    pub cities: Vec<String>,
    /// Absent: as it is; true for a new team.
    pub accept_leads: Option<bool>,
    /// Absent: no limit.
    pub daily_cap: Option<i64>,
    /// Absent: as it is; 1 for a new team.
    pub weight: Option<i64>,
    /// Absent: as it is; 0 for a new team.
    pub sort: Option<i64>,
    /// Absent: as it is; enabled for a new team.
    pub status: Option<UseStatus>,
}
