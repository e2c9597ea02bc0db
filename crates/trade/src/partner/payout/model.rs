//! Payouts on the wire.

use serde::{Deserialize, Serialize};

use base::codes;
use base::db::{Flag, JsonText};
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::decision::Pending;
use frame::upload::StoredFile;

codes! {
    /// Status of a payout.
    pub enum PayoutStatus {
        Waiting("待审核", "Pending") -> [Approved, Refused, Withdrawn],
        Approved("待付款", "To be paid") -> [Paid, Failed],
        Refused("已驳回", "Refused"),
        Paid("已付款", "Paid") -> [Returned],
        Failed("付款失败", "Failed"),
        Withdrawn("已撤回", "Withdrawn"),
        /// The bank has sent the transfer back.
        Returned("已退回", "Sent back"),
    }
}

impl PayoutStatus {
    /// Whether its amount counts against its statement.
    pub fn counts(self) -> bool {
        matches!(self, PayoutStatus::Waiting | PayoutStatus::Approved | PayoutStatus::Paid)
    }
}

/// A payout as lists and details show it, in fen.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PayoutRow {
    pub id: i64,
    /// `FK20260131-` and six letters or digits.
    pub payout_no: String,
    pub statement_id: i64,
    pub statement_no: String,
    pub month: String,
    pub channel_id: i64,
    pub channel_name: String,
    pub payee_org_id: i64,
    pub payee_org_name: String,
    /// The amount for the partner.
    pub amount_cents: i64,
    /// The tax withheld with it.
    pub tax_cents: i64,
    pub remark: String,
    pub status: PayoutStatus,
    pub review_note: Option<String>,
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    /// The bank's number of the transfer.
    pub bank_number: Option<String>,
    pub paid_at: Option<i64>,
    #[sqlx(try_from = "JsonText<Vec<StoredFile>>")]
    pub proof_files: Vec<StoredFile>,
    /// It was made before channels had books: the request has its day and number, and it counts as paid once
    /// approved.
    #[sqlx(try_from = "Flag")]
    pub before_books: bool,
    /// Who entered the payment; this person may not enter its return.
    pub paid_by: Option<i64>,
    /// Why it failed.
    pub failure: Option<String>,
    /// When the bank sent the transfer back.
    pub returned_at: Option<i64>,
    /// The bank's number of that transfer.
    pub return_number: Option<String>,
    pub return_reason: Option<String>,
    pub returner_name: Option<String>,
    pub created_by: Option<i64>,
    pub creator_name: Option<String>,
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PayoutFilters {
    /// The beginning of the number of a payout or of the bank.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub statement_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_org_id: Option<i64>,
    pub status: Option<PayoutStatus>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for PayoutFilters {
    const SORTS: &'static [(&'static str, &'static str)] =
        &[("createdAt", "w.created_at"), ("amountCents", "w.amount_cents"), ("status", "w.status")];
    const ID: &'static str = "w.id";
}

/// A request for a payout.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PayoutForm {
    pub statement_id: i64,
    pub payee_org_id: i64,
    /// Fen, without the tax.
    pub amount_cents: i64,
    pub remark: Option<String>,
    /// It is another payment than the channel's payouts of the same amount within 30 days; needed if there are any.
    pub another_payment: Option<bool>,
}

/// A payment to a channel from before channels had books.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct OpeningPayoutForm {
    pub statement_id: i64,
    pub payee_org_id: i64,
    /// Fen, without the tax.
    pub amount_cents: i64,
    /// Fen that were withheld with it.
    pub tax_cents: i64,
    /// The day of the payment, `YYYY-MM-DD`.
    pub day: String,
    /// The bank's number of the transfer; without one the remark says how it was paid.
    pub bank_number: Option<String>,
    pub remark: Option<String>,
    /// Uploaded for the kind of record `payout_proof`.
    #[serde(default)]
    pub proof_file_ids: Vec<i64>,
    /// It is another payment than the channel's payouts of the same amount within 30 days; needed if there are any.
    pub another_payment: Option<bool>,
}

/// A payout in the version that the request names.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PayoutVersion {
    pub id: i64,
    pub version: i64,
}

/// The bank has made the transfer.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PayoutPayment {
    pub id: i64,
    pub version: i64,
    pub bank_number: String,
    /// Epoch milliseconds.
    pub paid_at: i64,
    /// Uploaded for the kind of record `payout_proof`.
    #[serde(default)]
    pub proof_file_ids: Vec<i64>,
}

/// The bank has not made it.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PayoutFailure {
    pub id: i64,
    pub version: i64,
    pub failure: String,
}

/// The bank has sent the transfer back.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PayoutReturn {
    pub id: i64,
    pub version: i64,
    /// The number of the return.
    pub bank_number: String,
    /// Epoch milliseconds.
    pub returned_at: i64,
    pub reason: String,
}
