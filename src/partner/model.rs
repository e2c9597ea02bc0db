//! What partners are owed for.

use serde::Serialize;
use strum::{EnumString, IntoStaticStr};

/// What an item is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum ItemKind {
    /// All visitors of a day.
    Visit,
    /// An applicant has come.
    Registered,
    /// A lead of an applicant was taken, the first.
    Sold,
    /// A lead was given back, and the channel is charged.
    Returned,
    /// A loan was confirmed, of which the channel has a share.
    Share,
    /// The money of such a loan was voided.
    ShareBack,
}

/// Something that makes it more or less.
#[derive(Clone, Debug)]
pub struct Item {
    pub channel_id: i64,
    pub kind: ItemKind,
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
