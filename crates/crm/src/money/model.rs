//! The types of records of money, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use base::codes;
use base::db::JsonText;
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer, moment};
use frame::decision::{Awaits, Pending};
use frame::upload::StoredFile;
use trade::ledger::incoming::PayMethod;

codes! {
    /// The purpose of the money.
    pub enum MoneyType {
        Service("服务费", "Service fee"),
        Deposit("定金", "Deposit"),
        /// Money paid back to the person; it is subtracted.
        Refund("退款", "Refund"),
        Other("其他", "Other"),
    }
}

codes! {
    /// Status of a record of money.
    pub enum MoneyStatus {
        Pending("待确认", "Pending") -> [Confirmed, Rejected],
        Confirmed("已确认", "Confirmed") -> [Void],
        Rejected("已驳回", "Rejected"),
        Void("已作废", "Void"),
    }
}

/// A record of money as lists and details show it. In the totals the id is 0, and only confirmed records are added
/// up, refunds subtracted.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MoneyRow {
    pub id: i64,
    /// `MR20260131-` and six letters or digits.
    pub no: String,
    pub clue_id: i64,
    pub clue_no: String,
    /// Masked.
    pub name_mask: String,
    pub org_id: i64,
    pub org_name: String,
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    /// The owner of the clue when the record was entered.
    pub sales_id: Option<i64>,
    pub sales_name: Option<String>,
    #[serde(rename = "type")]
    #[sqlx(rename = "type")]
    pub kind: MoneyType,
    /// Fen: the loan that was granted.
    pub loan_cents: Option<i64>,
    /// Fen, above 0, also of a refund.
    pub amount_cents: i64,
    pub pay_method: PayMethod,
    /// The bank's number of a refund.
    pub bank_serial: Option<String>,
    /// Epoch milliseconds.
    pub paid_at: i64,
    #[sqlx(try_from = "JsonText<Vec<StoredFile>>")]
    pub proof_files: Vec<StoredFile>,
    pub status: MoneyStatus,
    pub review_note: Option<String>,
    /// The account that decided last.
    pub reviewed_by: Option<i64>,
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    pub remark: String,
    /// The payment order that the money was received or refunded through. Such money can only be refunded there.
    pub payment_order_id: Option<i64>,
    /// The account that entered it, which does not decide on it.
    pub created_by: Option<i64>,
    pub creator_name: Option<String>,
    /// The confirmation that it waits for.
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

impl MoneyRow {
    /// Fen that it adds to what was received: negative for a refund.
    pub fn net_cents(&self) -> i64 {
        if self.kind == MoneyType::Refund { -self.amount_cents } else { self.amount_cents }
    }
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MoneyFilters {
    /// The whole number of a record or of a clue.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub sub_org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub sales_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub clue_id: Option<i64>,
    #[serde(rename = "type")]
    pub kind: Option<MoneyType>,
    pub status: Option<MoneyStatus>,
    pub pay_method: Option<PayMethod>,
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub paid_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub paid_to: Option<i64>,
}

impl ListFilters for MoneyFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "m.created_at"),
        ("paidAt", "m.paid_at"),
        ("amountCents", "m.amount_cents"),
        // Written as an expression, so that no index of all organisations is walked for the records of one.
        ("no", "m.no || ''"),
        ("status", "m.status || ''"),
    ];
    const ID: &'static str = "m.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "crm/clue/moneyAudit");
    }
}

/// The form of a record of money. A saved record waits to be confirmed.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct MoneyForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one. Without a version the newest one is changed, and the audit trail records that.
    pub version: Option<i64>,
    /// For a new record, unless it has the clue's number; it never changes.
    pub clue_id: Option<i64>,
    /// The number of the clue; read only without its id.
    pub clue_no: Option<String>,
    #[serde(rename = "type")]
    pub kind: MoneyType,
    /// Fen; not with a refund.
    pub loan_cents: Option<i64>,
    /// Fen.
    pub amount_cents: i64,
    pub pay_method: PayMethod,
    /// The bank's number of a refund; required of a bank transfer.
    pub bank_serial: Option<String>,
    /// Epoch milliseconds; a day (`YYYY-MM-DD`) is its beginning.
    #[serde(deserialize_with = "moment")]
    pub paid_at: i64,
    /// Uploaded for the kind of record `money_proof`, or there already. Absent: the files stay as they are.
    pub proof_file_ids: Option<Vec<i64>>,
    pub remark: Option<String>,
}

/// A decision on a record of money: confirmed, rejected, or void after it was confirmed.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct MoneyDecision {
    pub id: i64,
    pub version: i64,
    pub status: MoneyStatus,
    /// Why; required to reject and to void.
    pub note: Option<String>,
    /// Needed to confirm a refund if the organisation has records of the same amount within 30 days: states that the
    /// refund is another payment.
    pub another_payment: Option<bool>,
}

/// The days of confirmed money; by default the last 30.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct OrgMoneyQuery {
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    /// `YYYY-MM-DD`. Absent: 30 days up to `dayTo`.
    pub day_from: Option<String>,
    /// `YYYY-MM-DD`, included. Absent: today.
    pub day_to: Option<String>,
}

/// Confirmed money of a day.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OrgMoneyDay {
    /// The number of the day since 1970-01-01.
    pub id: i64,
    /// `YYYY-MM-DD` in Shanghai.
    pub day: String,
    /// Loans that were granted.
    pub loan_cents: i64,
    /// Service fees, deposits and others.
    pub fee_cents: i64,
    pub refund_cents: i64,
    /// Fees less refunds.
    pub net_cents: i64,
    /// Confirmed records.
    pub count: i64,
}
