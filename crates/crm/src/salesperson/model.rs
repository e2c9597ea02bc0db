//! Salespeople in answers, filters and forms.

use serde::{Deserialize, Serialize};

use crate::model::{SalesLevel, SalesStatus};
use base::codes;
use base::db::Flag;
use frame::access::AdminStatus;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;
use frame::places;

codes! {
    /// Whether a salesperson takes leads by the rules.
    pub enum SalesReceiving {
        On("接收", "Receiving"),
        Off("不接收", "Not receiving"),
    }
}

codes! {
    /// Whether a salesperson works for the organisation.
    pub enum SalesEmployed {
        Yes("在职或休假", "Has not left"),
    }
}

/// A salesperson as lists and details show it. The id is that of the account.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct SalespersonRow {
    pub id: i64,
    pub name: String,
    pub username: String,
    /// The account's status: a disabled one gets no leads by the rules.
    pub account_status: AdminStatus,
    pub org_id: i64,
    pub org_name: String,
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    pub job_no: String,
    pub level: SalesLevel,
    pub wechat: String,
    /// Codes of cities whose leads the salesperson takes; empty: all.
    #[sqlx(try_from = "places::StoredList")]
    pub cities: Vec<String>,
    /// The share of the team's leads, against the weights of the others.
    pub weight: i64,
    /// Leads assigned a day at most; none: no limit.
    pub daily_cap: Option<i64>,
    /// The most open clues; none for no limit.
    pub private_cap: Option<i64>,
    #[sqlx(try_from = "Flag")]
    pub receiving: bool,
    pub status: SalesStatus,
    /// Epoch milliseconds; none unless the salesperson has left.
    pub left_at: Option<i64>,
    /// The number of open clues.
    pub held: i64,
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
pub struct SalespersonFilters {
    /// A part of a name, a user name or a job number.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub sub_org_id: Option<i64>,
    pub status: Option<SalesStatus>,
    pub level: Option<SalesLevel>,
    pub receiving: Option<SalesReceiving>,
    pub employed: Option<SalesEmployed>,
}

impl ListFilters for SalespersonFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "s.created_at"), ("held", "s.held")];
    const ID: &'static str = "s.id";
}

/// The form of a salesperson.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct SalespersonBody {
    /// Absent for a new salesperson.
    pub id: Option<i64>,
    /// As read; absent for a new salesperson.
    pub version: Option<i64>,
    /// For a new salesperson: an enabled account of an organisation.
    pub admin_id: Option<i64>,
    /// A team of the organisation: the account moves there. Absent: the account's team stays.
    pub sub_org_id: Option<i64>,
    #[serde(default)]
    pub job_no: String,
    pub level: SalesLevel,
    #[serde(default)]
    pub wechat: String,
    #[serde(default)]
    pub cities: Vec<String>,
    pub weight: i64,
    /// Absent: no limit.
    pub daily_cap: Option<i64>,
    /// Absent: no limit.
    pub private_cap: Option<i64>,
    /// Absent: as it is; true for a new salesperson.
    pub receiving: Option<bool>,
}

/// Whether a salesperson takes leads.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReceivingChange {
    pub id: i64,
    pub version: i64,
    pub receiving: bool,
}

/// A change of status.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct SalesStatusChange {
    pub id: i64,
    pub version: i64,
    pub status: SalesStatus,
    /// For one who leaves: the salesperson who gets the open clues. Absent: they return to the pool.
    pub hand_over_to: Option<i64>,
}
