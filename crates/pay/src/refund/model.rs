//! Refunds on the wire.

use serde::{Deserialize, Serialize};

use crate::channel::PayProvider;
use base::codes;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::decision::Pending;

codes! {
    /// Status of a refund.
    pub enum RefundStatus {
        Pending("待审核", "Pending") -> [Processing, Success, Rejected, Withdrawn],
        /// Requested from the provider, until the result is known.
        Processing("处理中", "Processing") -> [Success, Failed],
        Success("成功", "Refunded"),
        Failed("失败", "Failed"),
        Rejected("已驳回", "Rejected"),
        Withdrawn("已撤回", "Withdrawn"),
    }
}

/// A refund as lists and details show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentRefundRow {
    pub id: i64,
    /// `RF20260131` and eight letters or digits.
    pub no: String,
    pub payment_order_id: i64,
    pub payment_order_no: String,
    /// Fen that came in for the order.
    pub order_paid_cents: Option<i64>,
    /// Fen of the order that are refunded or requested to be.
    pub order_refunding_cents: i64,
    /// Fen of the order that are back with the payer.
    pub order_refunded_cents: i64,
    pub org_id: i64,
    pub org_name: String,
    pub payee_channel_id: i64,
    pub payee_channel_name: String,
    pub provider: PayProvider,
    /// Fen.
    pub amount_cents: i64,
    pub reason: String,
    pub status: RefundStatus,
    /// The number of the provider or, of a refund that staff made, of the bank.
    pub channel_refund_no: Option<String>,
    /// The account that asked for it, which does not approve it.
    pub created_by: Option<i64>,
    pub creator_name: Option<String>,
    pub reviewer_name: Option<String>,
    /// Epoch milliseconds.
    pub reviewed_at: Option<i64>,
    pub review_note: Option<String>,
    pub done_at: Option<i64>,
    /// Why the provider could not be called, or why it refused.
    pub error: Option<String>,
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filter: refunds that have been at their provider for more than a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LateRefund {
    Yes,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PaymentRefundFilters {
    /// The whole number of a refund or of its order.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_channel_id: Option<i64>,
    pub status: Option<RefundStatus>,
    /// `yes`: those that have been at their provider for more than a day.
    pub late: Option<LateRefund>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for PaymentRefundFilters {
    const SORTS: &'static [(&'static str, &'static str)] =
        &[("createdAt", "r.created_at"), ("amountCents", "r.amount_cents"), ("no", "r.no"), ("status", "r.status")];
    const ID: &'static str = "r.id";
}

/// A request for a refund.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentRefundForm {
    pub payment_order_id: i64,
    /// Fen.
    pub amount_cents: i64,
    /// Why; the payer may see it.
    pub reason: String,
}

/// A decision on a refund.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PaymentRefundDecision {
    pub id: i64,
    pub version: i64,
    pub approve: bool,
    /// Why; required to refuse.
    pub note: Option<String>,
    /// The bank's number of a refund that staff have made; required where the channel is a bank.
    pub channel_refund_no: Option<String>,
    /// Needed to approve if the organisation has records of the same amount within 30 days: states that this is another
    /// payment.
    pub another_payment: Option<bool>,
}

/// A refund in the version that the viewer saw.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentRefundVersion {
    pub id: i64,
    pub version: i64,
}
