//! Payee organisations on the wire: the row, the filters, the form, and what is revealed of one.

use serde::{Deserialize, Serialize};

use super::account::PayeeAccount;
use base::codes;
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::decision::{Awaits, OpenDecision};

codes! {
    /// A kind of invoice.
    pub enum InvoiceKind {
        Plain("普票", "General"),
        Special("专票", "Special"),
        Electronic("电子发票", "Electronic"),
    }
}

codes! {
    /// Whether a payee can be chosen.
    pub enum PayeeStatus {
        Enabled("启用", "Enabled"),
        Disabled("停用", "Disabled"),
    }
}

/// A payee organisation as lists and details show it. Its account is masked.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PayeeRow {
    pub id: i64,
    pub name: String,
    pub tax_no: String,
    pub bank_name: String,
    pub bank_account_mask: String,
    pub address: String,
    pub phone: String,
    pub invoice_types: Vec<InvoiceKind>,
    pub status: PayeeStatus,
    /// The account that awaits approval.
    pub proposed: Option<PayeeAccount>,
    pub decision: Option<OpenDecision>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// What narrows the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PayeeFilters {
    /// A part of a name or a tax number.
    pub keyword: Option<String>,
    pub status: Option<PayeeStatus>,
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
}

impl ListFilters for PayeeFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "p.created_at"), ("name", "p.name")];
    const ID: &'static str = "p.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "org/payee/audit");
    }
}

/// The form of a payee organisation.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PayeeForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    /// As read; absent for a new one.
    pub version: Option<i64>,
    pub name: String,
    pub tax_no: String,
    pub bank_name: String,
    /// Absent or empty keeps the stored one, which the form never saw whole.
    pub bank_account: Option<String>,
    #[serde(default)]
    pub address: String,
    #[serde(default)]
    pub phone: String,
    pub invoice_types: Vec<InvoiceKind>,
    pub status: PayeeStatus,
}

/// A payee's whole bank accounts.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedPayee {
    /// Empty before the first one is approved.
    pub bank_account: String,
    /// The one that awaits approval, where it is another.
    pub proposed: Option<String>,
}
