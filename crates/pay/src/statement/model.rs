//! Statements and differences on the wire.

use serde::{Deserialize, Serialize};

use crate::channel::PayProvider;
use base::codes;
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;
use frame::decision::{Awaits, Pending};

codes! {
    /// Whether a day is closed.
    pub enum StatementDayStatus {
        Open("对账中", "Open") -> [Closed],
        Closed("已关账", "Closed"),
    }
}

codes! {
    /// How a payment or refund differs.
    pub enum DifferenceKind {
        OursOnly("平台有、通道无", "Ours only"),
        TheirsOnly("通道有、平台无", "Theirs only"),
        Amount("金额不符", "Amount mismatch"),
    }
}

codes! {
    /// Whether money came in or was given back.
    pub enum MoneyDirection {
        Payment("收款", "Payment"),
        Refund("退款", "Refund"),
    }
}

codes! {
    /// Whether a difference is settled.
    pub enum DifferenceStatus {
        Open("待处理", "Open") -> [Settled],
        Settled("已处理", "Settled"),
    }
}

/// A day's statement of a payee channel as lists show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentStatementRow {
    pub id: i64,
    pub payee_channel_id: i64,
    pub payee_channel_name: String,
    pub payee_org_id: i64,
    pub payee_org_name: String,
    /// YYYY-MM-DD.
    pub day: String,
    /// The last imported file.
    pub file_name: String,
    /// Payments and refunds in our records that day.
    pub our_count: i64,
    /// Fen, refunds subtracted.
    pub our_cents: i64,
    pub their_count: i64,
    pub their_cents: i64,
    pub matched_count: i64,
    /// Differences that are not settled.
    pub open_count: i64,
    pub status: StatementDayStatus,
    pub importer_name: Option<String>,
    pub closer_name: Option<String>,
    /// Epoch milliseconds.
    pub closed_at: Option<i64>,
    /// The closing that a second person has to decide on.
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
pub struct PaymentStatementFilters {
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_channel_id: Option<i64>,
    pub status: Option<StatementDayStatus>,
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
}

impl ListFilters for PaymentStatementFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("day", "r.day"), ("status", "r.status")];
    const ID: &'static str = "r.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "payConfig/order-list/reconcile");
    }
}

/// A difference as lists show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentDifferenceRow {
    pub id: i64,
    pub payment_statement_id: i64,
    pub payee_channel_name: String,
    /// YYYY-MM-DD.
    pub day: String,
    pub kind: DifferenceKind,
    pub direction: MoneyDirection,
    /// The bank's or the provider's number.
    pub number: String,
    /// Fen; none where one side does not have it.
    pub our_cents: Option<i64>,
    pub their_cents: Option<i64>,
    pub payment_order_id: Option<i64>,
    pub payment_order_no: Option<String>,
    pub status: DifferenceStatus,
    pub note: Option<String>,
    pub settler_name: Option<String>,
    /// Epoch milliseconds.
    pub settled_at: Option<i64>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PaymentDifferenceFilters {
    /// The whole number of a payment or of an order.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payment_statement_id: Option<i64>,
    pub kind: Option<DifferenceKind>,
    pub status: Option<DifferenceStatus>,
}

impl ListFilters for PaymentDifferenceFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("status", "r.status")];
    const ID: &'static str = "r.id";
}

/// The titles of the columns of a channel's files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatementColumns {
    /// Titles, as in the file; empty before the first file of a channel whose provider has no titles of its own.
    pub number_column: String,
    pub amount_column: String,
    /// Set if refunds have their own column; otherwise an amount below zero is a refund.
    pub refund_column: Option<String>,
}

impl StatementColumns {
    /// The titles in the bills that Alipay and WeChat Pay offer for download; empty for other providers.
    pub fn of(provider: PayProvider) -> StatementColumns {
        let named = |number: &str, amount: &str, refund: Option<&str>| StatementColumns {
            number_column: number.to_owned(),
            amount_column: amount.to_owned(),
            refund_column: refund.map(str::to_owned),
        };
        match provider {
            PayProvider::Alipay => named("支付宝交易号", "订单金额（元）", None),
            PayProvider::Wechat => named("微信订单号", "应结订单金额", Some("退款金额")),
            PayProvider::Unionpay | PayProvider::Bank | PayProvider::LinkPool => StatementColumns::default(),
        }
    }
}

/// The fields beside the file of a statement.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct StatementFields {
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_channel_id: Option<i64>,
    /// YYYY-MM-DD.
    pub day: String,
    /// Titles of columns; without any they are those of the last file of the channel.
    pub number_column: Option<String>,
    pub amount_column: Option<String>,
    pub refund_column: Option<String>,
}

/// A statement in the version that the viewer saw.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentStatementVersion {
    pub id: i64,
    pub version: i64,
}

/// How a difference was settled.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentDifferenceSettlement {
    pub id: i64,
    pub version: i64,
    pub note: String,
}
