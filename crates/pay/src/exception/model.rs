//! Payment exceptions on the wire.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::decision::{Awaits, Pending};

codes! {
    /// Why a payment does not fit its order.
    pub enum ExceptionKind {
        Late("关单后到账", "Paid after the order ended"),
        Amount("金额不符", "Amount mismatch"),
        Currency("币种不符", "Currency mismatch"),
        Twice("重复付款", "Paid twice"),
        UnknownOrder("无此订单", "No such order"),
        /// A service fee of a clue that is invalid, lost or was returned.
        EndedClue("线索已结束", "Lead ended"),
        /// The provider refunded it, or a part of it, before the order counted as paid.
        PaidAndRefunded("已付款又退款", "Paid and refunded at the provider"),
        /// A receipt, a recharge or another order has the number of this payment.
        AlreadyEntered("该笔款项已入账", "Payment already entered"),
        /// The provider refunded it, and our records have no open refund for it.
        Refund("退款不符", "Refund that does not fit"),
        /// The provider cannot complete a refund: a person completes it in the portal.
        RefundStuck("退款异常，须到渠道商户平台处理", "Refund to be completed in the provider's portal"),
    }
}

codes! {
    /// Whether an exception is settled.
    pub enum ExceptionStatus {
        Open("待处理", "Open") -> [Settled],
        Settled("已处理", "Settled"),
    }
}

codes! {
    /// How an exception was settled.
    pub enum ExceptionResolution {
        /// The order counts as paid by it.
        Accepted("入账", "Accepted"),
        /// The payer has the money back, or keeps it: nothing follows here.
        Handled("线下处理", "Handled offline"),
    }
}

/// A payment exception as lists and details show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentExceptionRow {
    pub id: i64,
    pub kind: ExceptionKind,
    pub payee_channel_id: i64,
    pub payee_channel_name: String,
    /// The order that the provider names.
    pub order_no: String,
    /// None where there is no such order of the channel.
    pub payment_order_id: Option<i64>,
    pub org_id: Option<i64>,
    pub org_name: Option<String>,
    /// The amount of the order in fen.
    pub order_cents: Option<i64>,
    /// The provider's number of the payment.
    pub channel_order_no: String,
    /// The smallest unit of the currency, of yuan fen.
    pub amount_cents: i64,
    pub currency: String,
    /// Epoch milliseconds.
    pub paid_at: i64,
    pub payer_mask: String,
    pub status: ExceptionStatus,
    pub resolution: Option<ExceptionResolution>,
    pub note: Option<String>,
    pub settler_name: Option<String>,
    pub settled_at: Option<i64>,
    /// The acceptance that another person has to confirm.
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
pub struct PaymentExceptionFilters {
    /// The whole number of an order or a payment.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_channel_id: Option<i64>,
    pub kind: Option<ExceptionKind>,
    pub status: Option<ExceptionStatus>,
    pub awaits: Option<Awaits>,
    /// Whose own requests are left out.
    #[serde(skip)]
    pub own_of: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
}

impl ListFilters for PaymentExceptionFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "r.created_at"), ("status", "r.status")];
    const ID: &'static str = "r.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "payConfig/order-list/settle");
    }
}

/// How an exception is settled. One that is accepted waits for another person.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentExceptionSettlement {
    pub id: i64,
    pub version: i64,
    pub resolution: ExceptionResolution,
    /// Why.
    pub note: String,
}

/// An exception in the version that the viewer saw.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentExceptionVersion {
    pub id: i64,
    pub version: i64,
}
