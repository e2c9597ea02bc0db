//! Statements of partners on the wire.

use serde::{Deserialize, Serialize};

use crate::ledger::partner_items::PartnerItemKind;
use base::codes;
use base::db::{Flag, JsonText};
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;
use frame::decision::{Awaits, Pending};
use frame::upload::StoredFile;

codes! {
    /// Status of a statement of a partner.
    pub enum PartnerStatementStatus {
        Draft("未发送", "Not sent") -> [Sent, Confirmed],
        Sent("待渠道确认", "Awaiting confirmation") -> [Draft, Sent, Confirmed, Disputed],
        Confirmed("已确认", "Confirmed"),
        Disputed("有异议", "Disputed") -> [Sent, Confirmed],
    }
}

codes! {
    /// Status of a correction of a statement.
    pub enum PartnerAdjustmentStatus {
        Pending("待审核", "Pending") -> [Approved, Rejected, Withdrawn],
        Approved("已调整", "Approved"),
        Rejected("已驳回", "Rejected"),
        Withdrawn("已撤回", "Withdrawn"),
    }
}

/// The amount owed to a channel for a month, in fen.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerStatementRow {
    pub id: i64,
    /// `DZ202601-` and six letters or digits.
    pub statement_no: String,
    pub channel_id: i64,
    pub channel_name: String,
    /// `YYYY-MM`.
    pub month: String,
    /// Payable at the end of the previous statement, and of this one.
    pub opening_cents: i64,
    pub closing_cents: i64,
    pub visit_cents: i64,
    pub registered_cents: i64,
    pub sold_cents: i64,
    pub share_cents: i64,
    pub returned_cents: i64,
    pub share_back_cents: i64,
    pub adjust_cents: i64,
    pub items: i64,
    /// At most 0: the negative rest of the previous statement.
    pub carried_cents: i64,
    /// Paid out and withheld since the previous statement, less what the bank sent back: below zero if more came
    /// back.
    pub settled_cents: i64,
    pub total_cents: i64,
    pub tax_bp: i64,
    pub tax_cents: i64,
    pub net_cents: i64,
    /// The part of the net amount in payouts that wait, are approved or are paid.
    pub asked_cents: i64,
    pub paid_cents: i64,
    pub status: PartnerStatementStatus,
    /// Until when the link works.
    pub link_ends_at: Option<i64>,
    pub sent_at: Option<i64>,
    pub answered_at: Option<i64>,
    /// The reason of the dispute, or the other means of the confirmation.
    pub answer_note: Option<String>,
    /// The masked address from which it was answered by its link, and the browser's user agent.
    pub answer_ip: Option<String>,
    pub answer_user_agent: Option<String>,
    /// Who approved that it was confirmed by other means than the link.
    #[serde(skip)]
    #[ts(skip)]
    pub confirmed_by: Option<i64>,
    /// The name of the person who approved that it was confirmed by other means than the link.
    pub confirmer_name: Option<String>,
    /// Files that prove the confirmation, or that are to prove it.
    #[sqlx(try_from = "JsonText<Vec<StoredFile>>")]
    pub proof_files: Vec<StoredFile>,
    /// There was business before channels had books: payments from then may be entered.
    #[sqlx(try_from = "Flag")]
    pub has_earlier: bool,
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PartnerStatementFilters {
    /// The beginning of a number.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    /// `YYYY-MM`.
    pub month: Option<String>,
    pub status: Option<PartnerStatementStatus>,
    /// Those with an open confirmation by other means.
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
}

impl ListFilters for PartnerStatementFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("month", "m.month"), ("totalCents", "m.total_cents"), ("status", "m.status")];
    const ID: &'static str = "m.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "finance/partner/audit");
    }
}

/// A statement is made.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerStatementForm {
    pub channel_id: i64,
    /// `YYYY-MM`.
    pub month: String,
}

/// A statement in the version that the request names.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerStatementVersion {
    pub id: i64,
    pub version: i64,
}

/// A request that a statement counts as confirmed by other means than its link.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerConfirmation {
    pub id: i64,
    pub version: i64,
    /// How the partner confirmed it.
    pub reason: String,
    /// Uploaded for the kind of record `partner_confirmation_proof`.
    pub proof_file_ids: Vec<i64>,
}

/// The link by which a partner answers a statement. It is shown once.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerStatementLink {
    /// The path on this site.
    pub path: String,
    /// Epoch milliseconds.
    pub ends_at: i64,
    pub statement: PartnerStatementRow,
}

/// The reason of an amount owed to a partner, or by a partner.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerItemRow {
    pub id: i64,
    pub channel_id: i64,
    pub channel_name: String,
    pub kind: PartnerItemKind,
    pub amount_cents: i64,
    /// `YYYY-MM-DD`.
    pub day: String,
    pub at: i64,
    pub visitors: i64,
    /// None if it is on no statement yet.
    pub statement_id: Option<i64>,
    pub statement_no: Option<String>,
}

/// Filters of the items.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PartnerItemFilters {
    #[serde(deserialize_with = "lenient_integer")]
    pub statement_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    pub kind: Option<PartnerItemKind>,
}

impl ListFilters for PartnerItemFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("at", "i.at")];
    const ID: &'static str = "i.id";
}

/// A correction of a statement as lists show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerAdjustmentRow {
    pub id: i64,
    /// `DT20260131-` and six letters or digits.
    pub adjustment_no: String,
    pub statement_id: i64,
    pub statement_no: String,
    pub channel_id: i64,
    pub channel_name: String,
    pub amount_cents: i64,
    pub reason: String,
    /// Whether it is on the next statement, its own being confirmed.
    #[sqlx(try_from = "Flag")]
    pub on_next: bool,
    pub status: PartnerAdjustmentStatus,
    pub review_note: Option<String>,
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    pub created_by: Option<i64>,
    pub creator_name: Option<String>,
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PartnerAdjustmentFilters {
    /// The beginning of a number.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub statement_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    pub status: Option<PartnerAdjustmentStatus>,
}

impl ListFilters for PartnerAdjustmentFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "j.created_at")];
    const ID: &'static str = "j.id";
}

/// A request for a correction.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerAdjustmentForm {
    pub statement_id: i64,
    /// Fen; below zero if it reduces the amount owed.
    pub amount_cents: i64,
    pub reason: String,
}

/// A correction in the version that the request names.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PartnerAdjustmentVersion {
    pub id: i64,
    pub version: i64,
}
