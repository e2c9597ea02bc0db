//! Recharges on the wire.

use serde::{Deserialize, Serialize};

use crate::ledger::incoming::PayMethod;
use base::codes;
use base::db::JsonText;
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::decision::{Awaits, Pending};
use frame::upload::StoredFile;

codes! {
    /// Status of a recharge.
    pub enum RechargeStatus {
        Pending("待审核", "Pending") -> [Credited, Rejected, Cancelled],
        Credited("已到账", "Credited") -> [Reversed],
        Rejected("已驳回", "Rejected"),
        Cancelled("已取消", "Cancelled"),
        Reversed("已冲正", "Reversed"),
    }
}

/// A recharge as lists and details show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RechargeRow {
    pub id: i64,
    /// `CZ20260131-` and six letters or digits.
    pub no: String,
    pub org_id: i64,
    pub org_name: String,
    /// Fen that were paid.
    pub amount_cents: i64,
    /// Fen that are given on top.
    pub gift_cents: i64,
    pub pay_method: PayMethod,
    pub payee_org_id: i64,
    pub payee_org_name: String,
    /// The bank's number of the transfer, in capitals.
    pub bank_serial: Option<String>,
    #[sqlx(try_from = "JsonText<Vec<StoredFile>>")]
    pub proof_files: Vec<StoredFile>,
    pub status: RechargeStatus,
    /// The confirmed receipt that credited the account with the amount, where there is one.
    pub receipt_id: Option<i64>,
    pub receipt_no: Option<String>,
    /// The payment order that it comes from, where one was paid.
    pub payment_order_id: Option<i64>,
    pub payment_order_no: Option<String>,
    pub remark: String,
    /// The account that applied for it, which does not confirm it.
    pub created_by: Option<i64>,
    pub creator_name: Option<String>,
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    pub review_note: Option<String>,
    /// Epoch milliseconds.
    pub credited_at: Option<i64>,
    /// What of it waits for a second person: its confirmation, or its reversal.
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
pub struct RechargeFilters {
    /// The beginning of a number.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_org_id: Option<i64>,
    pub status: Option<RechargeStatus>,
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
    pub pay_method: Option<PayMethod>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub credited_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub credited_to: Option<i64>,
}

impl ListFilters for RechargeFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "r.created_at"),
        ("creditedAt", "r.credited_at"),
        ("amountCents", "r.amount_cents"),
        ("no", "r.no"),
        ("status", "r.status"),
    ];
    const ID: &'static str = "r.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "finance/recharge/audit");
    }
}

/// An application for a recharge.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct RechargeForm {
    pub org_id: i64,
    pub payee_org_id: i64,
    /// Fen.
    pub amount_cents: i64,
    /// Fen; only the platform's people give.
    #[serde(default)]
    pub gift_cents: i64,
    pub pay_method: PayMethod,
    /// The bank's number of the transfer; needed of a bank transfer.
    pub bank_serial: Option<String>,
    /// Uploaded for the kind of record `recharge_proof`.
    #[serde(default)]
    pub proof_file_ids: Vec<i64>,
    #[serde(default)]
    pub remark: String,
}

/// What was decided on what waits of a recharge: its confirmation, or its reversal.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct RechargeDecision {
    pub id: i64,
    pub version: i64,
    pub approve: bool,
    /// Why; needed to refuse.
    pub note: Option<String>,
    /// The confirmed receipt that has credited the amount already: it is not credited again. 0 says that none has; needed
    /// where there are receipts that fit.
    pub receipt_id: Option<i64>,
    /// To approve: it is another payment than the organisation's records of the same amount within 30 days; needed where there are any
    /// and no receipt is chosen.
    pub another_payment: Option<bool>,
}

/// The reversal of a credited recharge is asked for.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReversalRequest {
    pub id: i64,
    pub version: i64,
    /// Why.
    pub note: String,
}

/// A recharge in the version that is meant.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RechargeVersion {
    pub id: i64,
    pub version: i64,
}
