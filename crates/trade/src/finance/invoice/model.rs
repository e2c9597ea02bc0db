//! Invoices on the wire.

use serde::{Deserialize, Serialize};

use crate::org::InvoiceKind;
use base::codes;
use base::db::JsonText;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_text, day_to, lenient_integer};
use frame::decision::Pending;
use frame::upload::StoredFile;

codes! {
    /// The kind of name on an invoice.
    pub enum InvoiceTitleType {
        Company("企业", "Company"),
        Person("个人", "Person"),
    }
}

codes! {
    /// Whether an invoice is for spending, or counts an issued one back.
    pub enum InvoiceColor {
        Blue("蓝字", "Ordinary"),
        Red("红字", "Red-letter"),
    }
}

codes! {
    /// How much of an organisation's spending is invoiced.
    pub enum InvoiceableState {
        Open("可开票", "Invoiceable"),
        Over("多开票", "Over-invoiced"),
    }
}

codes! {
    /// Status of an invoice.
    pub enum InvoiceStatus {
        Waiting("待审核", "Pending") -> [Approved, Refused, Withdrawn],
        Approved("待开票", "To be issued") -> [Issued, Refused],
        Refused("已驳回", "Refused"),
        Issued("已开票", "Issued") -> [Sent, Void],
        Sent("已寄出", "Sent") -> [Void],
        Void("已作废", "Void"),
        Withdrawn("已撤回", "Withdrawn"),
    }
}

impl InvoiceStatus {
    /// Whether its amount counts as invoiced.
    pub fn counts(self) -> bool {
        matches!(self, InvoiceStatus::Waiting | InvoiceStatus::Approved | InvoiceStatus::Issued | InvoiceStatus::Sent)
    }
}

/// An invoice as lists and details show it. Its receiver's phone is masked.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct InvoiceRow {
    pub id: i64,
    /// `FP20260131-` and six letters or digits: the number of the request.
    pub no: String,
    pub org_id: i64,
    pub org_name: String,
    pub payee_org_id: i64,
    pub payee_org_name: String,
    pub color: InvoiceColor,
    /// For a red-letter invoice, the invoice that it counts back: its id, its request and its number.
    pub red_of_id: Option<i64>,
    pub red_of_no: Option<String>,
    pub red_of_number: Option<String>,
    /// The reason of the red-letter invoice.
    pub red_reason: Option<String>,
    pub kind: InvoiceKind,
    pub title_type: InvoiceTitleType,
    pub title: String,
    pub tax_no: Option<String>,
    pub bank: Option<String>,
    pub bank_account: Option<String>,
    pub reg_address: Option<String>,
    pub reg_phone: Option<String>,
    /// Below zero for a red-letter invoice.
    pub amount_cents: i64,
    /// For an issued invoice, the amount that red-letter invoices count back, including those not issued yet.
    pub red_cents: i64,
    /// Refunds since the request before, which reduced the invoiceable amount.
    pub refunded_cents: i64,
    pub content: String,
    pub receiver_name: String,
    pub receiver_phone_mask: String,
    pub receiver_address: String,
    pub receiver_email: String,
    pub status: InvoiceStatus,
    /// For an issued invoice.
    pub invoice_code: Option<String>,
    pub invoice_number: Option<String>,
    /// `YYYY-MM-DD`.
    pub issued_on: Option<String>,
    #[sqlx(try_from = "JsonText<Vec<StoredFile>>")]
    pub files: Vec<StoredFile>,
    pub courier: Option<String>,
    pub tracking_no: Option<String>,
    pub remark: String,
    pub review_note: Option<String>,
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    /// The account that requested it, which may not approve it.
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
pub struct InvoiceFilters {
    /// A part of a request's number, a title or an invoice's number, or the receiver's whole phone.
    pub keyword: Option<String>,
    /// Computed from the keyword, with the keys of this installation.
    #[serde(skip)]
    pub phone_hash: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_org_id: Option<i64>,
    pub status: Option<InvoiceStatus>,
    pub color: Option<InvoiceColor>,
    /// The invoice that red-letter invoices count back.
    #[serde(deserialize_with = "lenient_integer")]
    pub red_of_id: Option<i64>,
    pub kind: Option<InvoiceKind>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    #[serde(deserialize_with = "day_text")]
    pub issued_from: Option<String>,
    #[serde(deserialize_with = "day_text")]
    pub issued_to: Option<String>,
}

impl ListFilters for InvoiceFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "i.created_at"),
        // By the amount alone, without the sign of red-letter invoices.
        ("amountCents", "i.amount_cents"),
        ("no", "i.no"),
        ("issuedOn", "i.issued_on"),
        ("status", "i.status"),
    ];
    const ID: &'static str = "i.id";
}

/// A request for an invoice.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct InvoiceForm {
    pub org_id: i64,
    pub payee_org_id: i64,
    pub kind: InvoiceKind,
    pub title_type: InvoiceTitleType,
    pub title: String,
    /// For a company.
    pub tax_no: Option<String>,
    /// The next four are for a special invoice.
    pub bank: Option<String>,
    pub bank_account: Option<String>,
    pub reg_address: Option<String>,
    pub reg_phone: Option<String>,
    /// Fen.
    pub amount_cents: i64,
    pub content: String,
    /// Where a paper invoice is sent.
    #[serde(default)]
    pub receiver_name: String,
    #[serde(default)]
    pub receiver_phone: String,
    #[serde(default)]
    pub receiver_address: String,
    /// Where an electronic one is sent.
    #[serde(default)]
    pub receiver_email: String,
    #[serde(default)]
    pub remark: String,
}

/// A request for a red-letter invoice.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RedInvoiceForm {
    /// The id of the invoice that is counted back, in the version that was read.
    pub id: i64,
    pub version: i64,
    /// Fen, above zero: all of the invoice or a part of it.
    pub amount_cents: i64,
    pub reason: String,
}

/// A decision: approved or refused while it waits, refused before it is issued, void after.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct InvoiceDecision {
    pub id: i64,
    pub version: i64,
    pub status: InvoiceStatus,
    /// The reason; needed to refuse and to void.
    pub note: Option<String>,
}

/// The invoice was issued.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct InvoiceIssue {
    pub id: i64,
    pub version: i64,
    /// An electronic invoice has none.
    pub invoice_code: Option<String>,
    pub invoice_number: String,
    /// `YYYY-MM-DD`.
    pub issued_on: String,
    /// Uploaded for the kind of record `invoice_file`.
    #[serde(default)]
    pub file_ids: Vec<i64>,
}

/// The invoice was sent: by courier with a number, or an electronic one by mail without.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct InvoiceSending {
    pub id: i64,
    pub version: i64,
    pub courier: Option<String>,
    pub tracking_no: Option<String>,
}

/// An invoice in the version that the request names.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct InvoiceVersion {
    pub id: i64,
    pub version: i64,
}

/// The receiver's whole phone.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedReceiver {
    pub receiver_phone: String,
}

/// What an organisation spent with a payee, in fen.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct InvoiceableRow {
    /// The organisation's id.
    pub id: i64,
    pub org_name: String,
    pub payee_org_id: i64,
    pub payee_org_name: String,
    /// Without gifts, less refunds.
    pub spent_cents: i64,
    pub invoiced_cents: i64,
    /// The amount that can be invoiced; below zero if refunds came after the invoice.
    pub invoiceable_cents: i64,
    /// Refunds since the last request for an invoice: the invoiceable amount is reduced by them already.
    pub refunded_cents: i64,
    /// The amount that red-letter invoices have to count back, unless the organisation spends as much again.
    #[sqlx(skip)]
    pub over_cents: i64,
}

/// Filters of the list of what can be invoiced.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct InvoiceableFilters {
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_org_id: Option<i64>,
    pub state: Option<InvoiceableState>,
}

impl ListFilters for InvoiceableFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("orgName", "o.name"), ("spentCents", "x.spent_cents")];
    const ID: &'static str = "o.id";
}
