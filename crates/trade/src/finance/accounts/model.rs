//! Accounts and entries on the wire.

use serde::{Deserialize, Serialize};

use crate::ledger::EntryKind;
use crate::ledger::account::AccountStatus;
use crate::org::BillMode;
use base::codes;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};

/// The account of an organisation, in fen. Its id is the organisation's.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AccountRow {
    pub id: i64,
    pub org_code: String,
    pub org_name: String,
    pub bill_mode: BillMode,
    pub status: AccountStatus,
    /// Why it is frozen.
    pub status_note: Option<String>,
    /// The part of it from gifts.
    pub balance_cents: i64,
    pub gift_cents: i64,
    /// Held for leads on their way.
    pub frozen_cents: i64,
    pub credit_limit_cents: i64,
    /// What can be spent now.
    pub available_cents: i64,
    pub total_recharge_cents: i64,
    pub total_gift_cents: i64,
    pub total_spend_cents: i64,
    pub total_adjust_cents: i64,
    /// Adjustments that wait for a second person.
    pub adjustments_open: i64,
    /// Statements that wait for the organisation's answer.
    pub statements_open: i64,
}

/// The account of an organisation, and what it held at the requested moment.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AccountDetail {
    #[serde(flatten)]
    pub account: AccountRow,
    pub as_of: Option<AccountAsOf>,
    /// Its balance is below its warning line.
    pub low: bool,
}

/// What an account held at a moment, in fen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AccountAsOf {
    /// Its last millisecond.
    pub at: i64,
    /// What was paid and not spent, and gifts, less the credit that was used.
    pub balance_cents: i64,
    pub paid_cents: i64,
    pub gift_cents: i64,
    pub credit_used_cents: i64,
    /// Held for leads on their way.
    pub held_cents: i64,
    /// How many entries there were.
    pub entries: i64,
}

/// The moment of a query, or the day at whose end it is.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct AccountMoment {
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub at: Option<i64>,
}

/// Filters of the list of accounts.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AccountFilters {
    /// A part of an organisation's code or name.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    pub bill_mode: Option<BillMode>,
    pub status: Option<AccountStatus>,
    pub holds: Option<AccountHolds>,
}

codes! {
    /// What an account holds, as a filter.
    pub enum AccountHolds {
        Owes("欠款", "Owes money"),
        Nothing("余额为零", "Nothing"),
        Gifts("有赠送", "Gifts"),
        OnHold("有冻结", "Funds on hold"),
        Low("低于预警线", "Below its warning line"),
    }
}

impl ListFilters for AccountFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("orgName", "o.name"),
        ("balanceCents", "COALESCE(a.balance_cents, 0)"),
        ("giftCents", "COALESCE(a.gift_cents, 0)"),
        ("frozenCents", "COALESCE(a.frozen_cents, 0)"),
        ("totalRechargeCents", "COALESCE(a.total_recharge_cents, 0)"),
        ("totalSpendCents", "COALESCE(a.total_spend_cents, 0)"),
    ];
    const ID: &'static str = "o.id";
}

/// Freezes an account, or releases it.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct AccountStatusChange {
    pub id: i64,
    pub status: AccountStatus,
    /// Why.
    pub note: String,
}

/// An entry of a ledger.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct EntryRow {
    pub id: i64,
    pub org_id: i64,
    pub org_name: String,
    pub account_id: i64,
    /// Counted from 1 in its account.
    pub seq: i64,
    pub kind: EntryKind,
    /// Fen; below zero for what went out of the account.
    pub amount_cents: i64,
    /// The part of it from gifts, with its sign.
    pub gift_part_cents: i64,
    pub balance_after_cents: i64,
    /// The record of the entry: `push_record`, `receipt`, `recharge`, `account_adjustment` or `payment_refund`, and
    /// its id.
    pub ref_type: String,
    pub ref_id: i64,
    /// The number of that record.
    pub ref_no: String,
    pub operator_name: Option<String>,
    /// Epoch milliseconds.
    pub at: i64,
    /// There is one entry for each key.
    pub idem_key: String,
    /// `1.` and HMAC-SHA-256 of `hashed_text`; SHA-256 alone in entries of versions without a key, none in the
    /// oldest.
    pub hash: String,
    /// The hashed text: the hash of the entry before and the content of this one, as JSON.
    #[sqlx(skip)]
    pub hashed_text: String,
}

/// An entry of a ledger on the page of its organisation.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct LatestEntry {
    pub id: i64,
    pub kind: EntryKind,
    /// Fen; below zero for what went out of the account.
    pub amount_cents: i64,
    pub balance_after_cents: i64,
    /// The record of the entry, see [`EntryRow`].
    pub ref_type: String,
    pub ref_id: i64,
    /// The number of that record.
    pub ref_no: String,
    /// Epoch milliseconds.
    pub at: i64,
}

/// The organisation whose latest entries are read.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LatestEntriesQuery {
    pub org_id: i64,
}

/// Filters of the list of entries.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct EntryFilters {
    /// The beginning of the number of an entry's record.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    pub kind: Option<EntryKind>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub at_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub at_to: Option<i64>,
}

impl ListFilters for EntryFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("at", "l.at")];
    const ID: &'static str = "l.id";
}
