//! Statements on the wire.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;

codes! {
    /// Status of a statement.
    pub enum StatementStatus {
        Draft("未发送", "Not sent") -> [Sent],
        Sent("待机构确认", "Awaiting confirmation") -> [Confirmed, Disputed],
        Confirmed("已确认", "Confirmed"),
        Disputed("有异议", "Disputed") -> [Sent],
    }
}

/// The movements of an account in a month, in fen.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatementRow {
    pub id: i64,
    pub org_id: i64,
    pub org_name: String,
    /// `YYYY-MM`.
    pub month: String,
    pub opening_cents: i64,
    /// What was paid, less what was reversed.
    pub recharge_cents: i64,
    /// What was given, less what was taken back.
    pub gift_cents: i64,
    pub adjust_cents: i64,
    pub spend_cents: i64,
    pub refund_cents: i64,
    pub closing_cents: i64,
    pub entries: i64,
    pub status: StatementStatus,
    /// Why it is disputed.
    pub note: Option<String>,
    pub sent_at: Option<i64>,
    /// The newest head of the ledger then, `DAY:DIGEST`.
    pub ledger_head: Option<String>,
    pub answered_name: Option<String>,
    pub answered_at: Option<i64>,
    pub version: i64,
    pub created_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct StatementFilters {
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    /// `YYYY-MM`.
    pub month: Option<String>,
    pub status: Option<StatementStatus>,
}

impl ListFilters for StatementFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("month", "m.month"), ("status", "m.status")];
    const ID: &'static str = "m.id";
}

/// A month is closed.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct MonthClosing {
    /// `YYYY-MM`.
    pub month: String,
}

/// The months of the books.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BookMonths {
    /// The last closed month, `YYYY-MM`.
    pub closed: Option<String>,
    /// The month that can be closed now: the first one that is over and not closed.
    pub next: Option<String>,
}

/// Statements are sent to their organisations.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct StatementSending {
    pub ids: Vec<i64>,
}

/// How many were.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct StatementsSent {
    pub sent: i64,
}

/// An organisation's answer to its statement.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct StatementAnswer {
    pub id: i64,
    pub version: i64,
    /// Whether it agrees.
    pub agree: bool,
    /// Why not.
    pub note: Option<String>,
}
