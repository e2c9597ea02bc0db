//! Payment orders on the wire.

use serde::{Deserialize, Serialize};

use crate::channel::PayProvider;
use base::codes;
use base::db::Flag;
use frame::access::Viewer;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::decision::{Awaits, Pending};

codes! {
    /// The purpose of an order.
    pub enum OrderBiz {
        Recharge("充值", "Recharge"),
        ServiceFee("服务费", "Service fee"),
        Other("其他", "Other"),
    }
}

codes! {
    /// Status of a payment order.
    pub enum OrderStatus {
        Created("待支付", "Created") -> [Paying, Success, Failed, Cancelled, Closed],
        /// The payer has begun to pay. The provider is queried until the result is known.
        Paying("支付中", "Paying") -> [Success, Failed, Cancelled, Closed],
        Success("成功", "Paid") -> [PartRefunded, Refunded],
        Failed("失败", "Failed") -> [Success],
        Cancelled("已撤销", "Cancelled") -> [Success],
        Closed("已关闭", "Closed") -> [Success],
        PartRefunded("部分退款", "Partly refunded") -> [Refunded],
        Refunded("已退款", "Refunded"),
    }
}

impl OrderStatus {
    /// Whether it may still be paid.
    pub fn is_open(self) -> bool {
        matches!(self, OrderStatus::Created | OrderStatus::Paying)
    }

    /// Whether it was paid.
    pub fn is_paid(self) -> bool {
        matches!(self, OrderStatus::Success | OrderStatus::PartRefunded | OrderStatus::Refunded)
    }
}

codes! {
    /// How a payment became known.
    pub enum KnownBy {
        /// By a notification without a query, as in versions until 2026.
        Notice("渠道通知", "Notification"),
        /// By a query after a notification.
        Confirmed("渠道通知，经查询确认", "Notification, confirmed by query"),
        Query("主动查询", "Query"),
        Staff("人工确认", "Confirmed by staff"),
    }
}

/// A payment order as lists and details show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentOrderRow {
    pub id: i64,
    /// `PO20260131` and eight letters or digits.
    pub no: String,
    pub payee_channel_id: i64,
    pub payee_channel_name: String,
    pub provider: PayProvider,
    pub payee_org_id: i64,
    pub payee_org_name: String,
    pub org_id: i64,
    pub org_name: String,
    pub clue_id: Option<i64>,
    pub clue_no: Option<String>,
    pub biz_type: OrderBiz,
    pub subject: String,
    /// Fen that are to be paid.
    pub amount_cents: i64,
    /// The provider's fee in fen; known once the order is paid.
    pub fee_cents: i64,
    pub status: OrderStatus,
    /// Fen that came in.
    pub paid_cents: Option<i64>,
    /// Fen that are refunded or requested to be.
    pub refunding_cents: i64,
    /// Fen that are back with the payer.
    pub refunded_cents: i64,
    /// The provider's number of the payment.
    pub channel_order_no: Option<String>,
    pub payer_mask: String,
    pub known_by: Option<KnownBy>,
    /// Epoch milliseconds.
    pub paid_at: Option<i64>,
    pub expires_at: i64,
    /// It is cancelled as soon as the provider says that it is not paid.
    #[sqlx(try_from = "Flag")]
    pub cancel_asked: bool,
    /// The recharge that was made from it.
    pub recharge_id: Option<i64>,
    pub recharge_no: Option<String>,
    pub remark: String,
    /// Why the provider could not be queried, or why it refused.
    pub error: Option<String>,
    pub creator_name: Option<String>,
    /// A payment entered by a person, which another has to confirm.
    #[sqlx(skip)]
    pub claim: Option<PaymentClaim>,
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

impl PaymentOrderRow {
    /// The clue whose service fee the order is; none for other orders.
    pub fn fee_clue_id(&self) -> Option<i64> {
        self.clue_id.filter(|_| self.biz_type == OrderBiz::ServiceFee)
    }
}

/// A new order with the key of its payer's page.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentOrderMade {
    #[serde(flatten)]
    #[ts(flatten)]
    pub order: PaymentOrderRow,
    /// The payer's page is `/pay/` and this.
    pub token: String,
}

/// The key of an order's page, which shows the whole account or link to pay by.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentPage {
    /// The payer's page is `/pay/` and this.
    pub token: String,
}

/// A payment that a person has seen arrive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentClaim {
    /// The bank's or the provider's number of the payment.
    pub channel_order_no: String,
    /// Epoch milliseconds.
    pub paid_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PaymentOrderFilters {
    /// The full number of an order, or the provider's number of its payment.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub payee_channel_id: Option<i64>,
    pub biz_type: Option<OrderBiz>,
    pub status: Option<OrderStatus>,
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
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub paid_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub paid_to: Option<i64>,
}

impl ListFilters for PaymentOrderFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "r.created_at"),
        ("paidAt", "r.paid_at"),
        ("amountCents", "r.amount_cents"),
        ("no", "r.no"),
        ("status", "r.status"),
    ];
    const ID: &'static str = "r.id";

    fn for_viewer(&mut self, viewer: &Viewer) {
        self.own_of = Awaits::own_of(self.awaits, viewer, "payConfig/order-list/confirm");
    }
}

/// A new order.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PaymentOrderForm {
    pub org_id: i64,
    pub payee_channel_id: i64,
    pub biz_type: OrderBiz,
    /// The number of the clue of a service fee.
    pub clue_no: Option<String>,
    pub subject: String,
    /// Fen.
    pub amount_cents: i64,
    /// Minutes for which it can be paid: 5 to 10,080 (a week).
    pub minutes: i64,
    #[serde(default)]
    pub remark: String,
}

/// A change of an order's status. Only `cancelled` can be set: the other statuses follow from payments.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentOrderStep {
    pub id: i64,
    pub version: i64,
    pub status: OrderStatus,
}

/// The entry of a payment that a person has seen arrive.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentClaimForm {
    pub id: i64,
    pub version: i64,
    /// The bank's or the provider's number of the payment.
    pub channel_order_no: String,
    /// Epoch milliseconds.
    pub paid_at: i64,
}

/// The decision on a payment that a person entered.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PaymentClaimDecision {
    pub id: i64,
    pub version: i64,
    pub approve: bool,
    /// Why; required to refuse.
    pub note: Option<String>,
    /// Needed to approve if the organisation has records of the same amount within 30 days: states that this is another
    /// payment.
    pub another_payment: Option<bool>,
}

/// An order in the version that the viewer saw.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentOrderVersion {
    pub id: i64,
    pub version: i64,
}
