//! What partners are owed for.

use serde::Serialize;

use crate::codes;

codes! {
    /// What a partner is owed something for, or owes something back for.
    pub enum PartnerItemKind {
        /// All visitors of a day.
        Visit("访问", "Visits"),
        /// An applicant has come.
        Registered("注册", "Registration"),
        /// A lead of an applicant was taken, the first.
        Sold("成单", "Sale"),
        /// A loan was confirmed, of which the channel has a share.
        Share("放款分成", "Share of a loan"),
        /// A lead was given back, and the channel is charged.
        Returned("退单", "Return"),
        /// The money of such a loan was voided.
        ShareBack("分成退回", "Share taken back"),
        /// A correction of a statement, which two people decided on.
        Adjust("调整", "Adjustment"),
    }
}

/// Something that makes it more or less.
#[derive(Clone, Debug)]
pub struct Item {
    pub channel_id: i64,
    pub kind: PartnerItemKind,
    /// Fen, below zero where less is owed.
    pub amount_cents: i64,
    /// The day on which it counts, `YYYY-MM-DD`.
    pub day: String,
    /// What it is about; none for visits.
    pub user_id: Option<i64>,
    pub plan_id: Option<i64>,
    pub org_id: Option<i64>,
    /// The money of a clue, for shares.
    pub money_id: Option<i64>,
    /// How many visitors, for visits.
    pub visitors: i64,
    /// The statement that it is booked on, for corrections.
    pub statement_id: Option<i64>,
    /// Booked once under one key.
    pub idem_key: String,
}

/// What a channel is owed in all, in fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Payable {
    /// The sum of all items.
    pub payable_cents: i64,
    /// What was paid of it, taxes that were withheld included.
    pub paid_cents: i64,
    /// What is still to be paid.
    pub open_cents: i64,
}
