//! Stuck reports on the wire.

use serde::{Deserialize, Serialize};

use frame::api::ListFilters;
use frame::api::list::lenient_integer;

/// A report that is not tried any more, as the list shows it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentReportRow {
    pub id: i64,
    /// The provider's number of it.
    pub notice_no: String,
    /// The order that the provider names.
    pub order_no: String,
    /// None where there is no such order of the channel.
    pub payment_order_id: Option<i64>,
    pub payee_channel_id: i64,
    pub payee_channel_name: String,
    /// A code for the last error.
    pub last_error: Option<String>,
    pub tries: i64,
    /// Epoch milliseconds.
    pub received_at: i64,
    /// When it was given up.
    pub created_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PaymentReportFilters {
    /// The whole number of an order or a report.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_channel_id: Option<i64>,
}

impl ListFilters for PaymentReportFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "r.created_at")];
    const ID: &'static str = "r.payment_notice_id";
}

/// A report to retry.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentReportRetry {
    pub id: i64,
}

/// A report to settle, with the reason.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentReportSettlement {
    pub id: i64,
    pub note: String,
}
