//! Accounts and transfers of the journal on the wire.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};

codes! {
    /// What an account of the journal is.
    pub enum JournalAccount {
        /// What an organisation paid and did not spend; below zero where it uses credit.
        OrgPaid("机构预付款", "Paid by organisation"),
        /// What was given to an organisation and is not spent.
        OrgGift("机构赠送款", "Gifts of organisation"),
        /// Money of a payee organisation, in its bank or in cash.
        Cash("银行存款与现金", "Bank and cash"),
        /// Money that the provider of a payment channel received for us.
        Clearing("支付渠道待结算款", "At payment provider"),
        ProviderFees("支付渠道手续费", "Provider fees"),
        LeadRevenue("线索收入", "Lead revenue"),
        /// Payments for service fees of clues.
        ServiceFees("服务费收款", "Service fees"),
        /// Payments and receipts that are neither recharges nor service fees.
        OtherIncome("其他收款", "Other receipts"),
        /// What gifts to organisations cost.
        GiftsGiven("赠送支出", "Gifts given"),
        /// The other side of what is corrected by hand.
        Adjustments("调账", "Adjustments"),
        /// Refunds that a provider was asked for and has not made yet.
        RefundsOnWay("在途退款", "Refunds on their way"),
        /// Payments and refunds that fit no order and are not settled.
        Suspense("暂收待处理款", "Suspense"),
        /// What a channel is owed and was not paid.
        ChannelPayable("应付渠道款", "Payable to channel"),
        ChannelCost("渠道成本", "Channel cost"),
        /// Tax that was withheld from what channels were paid.
        TaxWithheld("代扣税款", "Tax withheld"),
        /// What organisations spent on visitors of their products.
        VisitRevenue("访问收入", "Visit revenue"),
    }
}

codes! {
    /// Whether a transfer has moved its money.
    pub enum TransferStatus {
        /// Its money is held.
        Pending("冻结中", "Pending") -> [Posted, Void],
        Posted("已入账", "Posted"),
        /// It moved nothing.
        Void("已解冻", "Void"),
    }
}

/// A transfer of the journal.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct JournalRow {
    pub id: i64,
    /// Since when it has its status, epoch milliseconds.
    pub at: i64,
    pub debit_kind: JournalAccount,
    pub debit_owner: i64,
    /// None for an account of the platform.
    pub debit_name: Option<String>,
    pub credit_kind: JournalAccount,
    pub credit_owner: i64,
    pub credit_name: Option<String>,
    pub amount_cents: i64,
    pub status: TransferStatus,
    /// What it is for: a table, and the row of it.
    pub ref_type: String,
    pub ref_id: i64,
    /// The number of that row, where it has one.
    pub ref_no: Option<String>,
    /// Since when there is the transfer: one that was pending first began before it was posted.
    pub begun_at: i64,
}

/// Filters of the list of transfers.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TransferFilters {
    /// An account on either side; with `ownerId`, that of one owner.
    pub kind: Option<JournalAccount>,
    #[serde(deserialize_with = "lenient_integer")]
    pub owner_id: Option<i64>,
    /// Accounts of an organisation.
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    pub status: Option<TransferStatus>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub at_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub at_to: Option<i64>,
}

impl ListFilters for TransferFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("at", "t.at")];
    const ID: &'static str = "t.id";
}

/// What an account of the journal holds at a moment, in fen. One of debit and credit is 0.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BalanceRow {
    /// Its place in the list.
    pub id: i64,
    /// Its kind, none in the line of sums.
    pub kind: Option<JournalAccount>,
    /// 0 for the platform's, and where accounts of one kind are added up.
    pub owner_id: i64,
    pub name: Option<String>,
    pub debit_cents: i64,
    pub credit_cents: i64,
    /// Held to leave it.
    pub pending_cents: i64,
}

/// Whether balances and transfers are whole.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct JournalProgress {
    /// Whether what programs before the journal booked is all entered.
    pub complete: bool,
}

/// Filters of the balances.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct BalanceFilters {
    /// A day, at whose end it is, or a moment; now where there is none.
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub at_to: Option<i64>,
    /// Each account of one kind; without it, the sums of each kind.
    pub kind: Option<JournalAccount>,
}

impl ListFilters for BalanceFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("kind", "kind")];
    const ID: &'static str = "owner_id";
}
