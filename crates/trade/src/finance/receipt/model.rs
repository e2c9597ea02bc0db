//! What a receipt is, on the wire and in words.

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
    /// What was paid for.
    pub enum ReceiptType {
        /// In advance.
        Recharge("充值", "Recharge"),
        /// A month that was bought on credit.
        Settlement("月结", "Settlement"),
        /// Something that the account has nothing to do with.
        Other("其他", "Other"),
    }
}

impl ReceiptType {
    /// Whether it goes to the organisation's account.
    pub fn is_credited(self) -> bool {
        self != ReceiptType::Other
    }
}

codes! {
    /// Status of a receipt.
    pub enum ReceiptStatus {
        Waiting("待确认", "Pending") -> [Confirmed, Rejected],
        Confirmed("已确认", "Confirmed") -> [Void],
        Rejected("已驳回", "Rejected"),
        Void("已作废", "Void"),
    }
}

/// A receipt as lists and details show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ReceiptRow {
    pub id: i64,
    /// `RC20260131-` and six letters or digits.
    pub no: String,
    pub org_id: i64,
    pub org_name: String,
    pub payee_org_id: i64,
    pub payee_org_name: String,
    pub biz_type: ReceiptType,
    pub amount_cents: i64,
    pub pay_method: PayMethod,
    /// Epoch milliseconds.
    pub paid_at: i64,
    pub payer_name: String,
    pub bank_serial: Option<String>,
    #[sqlx(try_from = "JsonText<Vec<StoredFile>>")]
    pub proof_files: Vec<StoredFile>,
    pub status: ReceiptStatus,
    pub review_note: Option<String>,
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    pub remark: String,
    /// The account that entered it, which does not confirm it.
    pub created_by: Option<i64>,
    pub creator_name: Option<String>,
    /// What of it waits for a second person: its confirmation, or that it is voided.
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// The organisation whose newest receipts are read.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LatestReceiptsQuery {
    pub org_id: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ReceiptFilters {
    /// The beginning of a number, or a part of a payer's name or a bank's serial number.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_org_id: Option<i64>,
    pub status: Option<ReceiptStatus>,
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
    pub biz_type: Option<ReceiptType>,
    pub pay_method: Option<PayMethod>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub paid_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub paid_to: Option<i64>,
}

impl ListFilters for ReceiptFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "r.created_at"),
        ("paidAt", "r.paid_at"),
        ("amountCents", "r.amount_cents"),
        ("no", "r.no"),
        ("status", "r.status"),
    ];
    const ID: &'static str = "r.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "org/receipt/audit");
    }
}

/// The form of a receipt. One that is saved waits to be confirmed.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ReceiptForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one.
    pub version: Option<i64>,
    /// Never changes.
    pub org_id: i64,
    pub payee_org_id: i64,
    pub biz_type: ReceiptType,
    /// Fen.
    pub amount_cents: i64,
    pub pay_method: PayMethod,
    /// Epoch milliseconds.
    pub paid_at: i64,
    pub payer_name: String,
    /// Of a bank transfer; of one payee there is each once.
    pub bank_serial: Option<String>,
    /// Uploaded for the kind of record `receipt_proof`, or there already.
    #[serde(default)]
    pub proof_file_ids: Vec<i64>,
    #[serde(default)]
    pub remark: String,
}

/// What was decided of a receipt: confirmed, rejected, or void after it was confirmed.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ReceiptDecision {
    pub id: i64,
    pub version: i64,
    pub status: ReceiptStatus,
    /// Why; needed to reject, and to say that one stays whose voiding was asked for.
    pub note: Option<String>,
    /// To confirm: it is another payment than the organisation's records of the same amount within 30 days; needed where there are any.
    pub another_payment: Option<bool>,
}

/// Somebody asks to void a confirmed receipt.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct VoidAsking {
    pub id: i64,
    pub version: i64,
    /// Why.
    pub note: String,
}

/// A receipt in the version that is meant.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReceiptVersion {
    pub id: i64,
    pub version: i64,
}

#[cfg(test)]
mod tests {
    use sqlx::Row;

    use base::codes::Codes as _;
    use base::db::Db;

    use super::ReceiptStatus::{self, Confirmed, Rejected, Void, Waiting};

    #[test]
    fn only_the_listed_steps_are_allowed() {
        let allowed = |from: ReceiptStatus| ReceiptStatus::ALL.iter().copied().filter(|next| from.may_become(*next)).collect::<Vec<_>>();
        assert_eq!(allowed(Waiting), [Confirmed, Rejected]);
        assert_eq!(allowed(Confirmed), [Void]);
        assert_eq!([allowed(Rejected), allowed(Void)], [[]; 2]);
    }

    #[tokio::test]
    async fn codes_are_read_from_and_bound_to_text_columns() {
        let folder = tempfile::tempdir().unwrap();
        let db = Db::connect(&format!("sqlite:{}", folder.path().join("t.db").display())).await.unwrap();
        let select = sqlx::query("SELECT $1 AS held, CAST(NULL AS TEXT) AS none, 'blue' AS wrong").bind(Void);
        let row = select.fetch_one(db.read()).await.unwrap();
        assert_eq!(row.try_get::<ReceiptStatus, _>("held").unwrap(), Void);
        assert_eq!(row.try_get::<Option<ReceiptStatus>, _>("held").unwrap(), Some(Void));
        assert_eq!(row.try_get::<Option<ReceiptStatus>, _>("none").unwrap(), None);
        let wrong = row.try_get::<ReceiptStatus, _>("wrong").unwrap_err().to_string();
        assert!(wrong.contains("`blue` is no ReceiptStatus"), "{wrong}");
    }
}
