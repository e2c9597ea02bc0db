//! Accounts and transfers of the journal on the wire.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};

codes! {
    /// The kind of an account of the journal.
    pub enum JournalAccount {
        /// Paid by an organisation and not spent; below zero if it uses credit.
        OrgPaid("机构预付款", "Paid by organisation"),
        /// Given to an organisation and not spent.
        OrgGift("机构赠送款", "Gifts of organisation"),
        /// Money of a payee organisation, in its bank or in cash.
        Cash("银行存款与现金", "Bank and cash"),
        /// Money that the provider of a payment channel received for the platform.
        Clearing("支付渠道待结算款", "At payment provider"),
        ProviderFees("支付渠道手续费", "Provider fees"),
        LeadRevenue("线索收入", "Lead revenue"),
        /// Payments for service fees of clues.
        ServiceFees("服务费收款", "Service fees"),
        /// Payments and receipts that are neither recharges nor service fees.
        OtherIncome("其他收款", "Other receipts"),
        /// The cost of gifts to organisations.
        GiftsGiven("赠送支出", "Gifts given"),
        /// The other side of corrections by hand.
        Adjustments("调账", "Adjustments"),
        /// Refunds that were requested from a provider and are not made yet.
        RefundsOnWay("在途退款", "Refunds on their way"),
        /// Payments and refunds that fit no order and are not settled.
        Suspense("暂收待处理款", "Suspense"),
        /// Owed to a channel and not paid.
        ChannelPayable("应付渠道款", "Payable to channel"),
        ChannelCost("渠道成本", "Channel cost"),
        /// Tax withheld from payments to channels.
        TaxWithheld("代扣税款", "Tax withheld"),
        /// Spending of organisations on visitors of their products.
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
    /// Its record: a table, and the row's id.
    pub ref_type: String,
    pub ref_id: i64,
    /// The number of that record, if it has one.
    pub ref_no: Option<String>,
    /// When the transfer began: one that was pending first began before it was posted.
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

/// The balance of an account of the journal at a moment, in fen. One of debit and credit is 0.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BalanceRow {
    /// Its position in the list.
    pub id: i64,
    /// Its kind, none in the line of sums.
    pub kind: Option<JournalAccount>,
    /// 0 for the platform's, and if accounts of one kind are added up.
    pub owner_id: i64,
    pub name: Option<String>,
    pub debit_cents: i64,
    pub credit_cents: i64,
    /// Pending to leave it.
    pub pending_cents: i64,
}

/// Whether balances and transfers are complete.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct JournalProgress {
    /// Whether all bookings of versions before the journal are entered.
    pub complete: bool,
}

/// Filters of the balances.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct BalanceFilters {
    /// A day, meaning its end, or a moment; now if absent.
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
