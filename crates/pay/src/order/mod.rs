//! Payment orders: made for a recharge or a fee, paid on a page of their own, and taken once. A provider's answer to a query, or
//! two people, confirm that an order is paid. Calls under `/payOrder`.

mod form;
mod list;
pub mod model;
mod notices;
pub mod paid;
pub mod record;
pub mod shown;
pub mod store;
pub mod watch;

use crate::channel::store as channels;
use crate::notice;
use base::clock;
use base::crypto;
use base::db::Connection;
use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use form::{Form, not_plain};
pub use list::TARGET;
pub use list::{open_work, search};
pub use model::{KnownBy, OrderBiz, OrderStatus, PaymentOrderRow};

/// The calls of payment orders.
pub fn calls() -> Calls {
    Calls::new()
        .list("/payOrder/page", Point("payConfig/order-list/list"), listing::page::<list::Orders>)
        .list("/payOrder/page/export", Point("payConfig/order-list/export"), listing::export::<list::Orders>)
        .get("/payOrder/reviewers", Point("payConfig/order-list/confirm"), list::reviewers)
        .get("/payOrder/{id}", Point("payConfig/order-list/list"), record::view)
        .get("/payOrder/payPage/{id}", Point("payConfig/order-list/create"), record::pay_page)
        .get("/payOrder/history/{id}", Point("payConfig/order-list/list"), record::history)
        .post("/payOrder", Point("payConfig/order-list/create"), record::create)
        .put("/payOrder/status", Point("payConfig/order-list/create"), record::change_status)
        .put("/payOrder/query", Point("payConfig/order-list/create"), record::query)
        .put("/payOrder/claim", Point("payConfig/order-list/confirm"), record::claim)
        .put("/payOrder/claim/withdraw", Point("payConfig/order-list/confirm"), record::withdraw_claim)
        .get("/payOrder/notices/{id}", Point("payConfig/order-list/list"), notice::of_order_id)
        .get("/payOrder/notice/{id}", Point("payConfig/order-list/reveal"), notice::reveal)
        .put("/payOrder/confirm", Point("payConfig/order-list/confirm"), record::confirm)
}

/// A new number: the day and eight random letters or digits. Providers accept only letters and digits.
pub fn number(at: i64) -> String {
    format!("PO{}{}", clock::day_compact(at), crypto::random_text(8).to_uppercase())
}

/// Adds fen to the day's total of an order's channel; subtracts them if negative.
async fn add_to_day(tx: &mut Connection, order: &PaymentOrderRow, cents: i64) -> Result<(), sqlx::Error> {
    channels::add_to_day(tx, order.payee_channel_id, &clock::day(order.created_at).to_string(), cents).await
}
