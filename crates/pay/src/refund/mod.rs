//! Refunds of paid orders: asked for by one person and approved by another, never more than was paid, made at the provider
//! and asked for until it is known what became of them. Calls under `/payRefund`.

mod list;
pub mod model;
mod notices;
mod record;
pub mod store;
pub mod watch;

use base::clock;
use base::crypto;
use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::TARGET;
pub use list::work;
pub use record::{approve, matter, payment_of};

/// The calls of refunds.
pub fn calls() -> Calls {
    Calls::new()
        .list("/payRefund/page", Point("payConfig/order-list/list"), listing::page::<list::Refunds>)
        .list("/payRefund/page/export", Point("payConfig/order-list/export"), listing::export::<list::Refunds>)
        .get("/payRefund/order/{id}", Point("payConfig/order-list/list"), record::of_order)
        .get("/payRefund/{id}", Point("payConfig/order-list/list"), record::view)
        .get("/payRefund/history/{id}", Point("payConfig/order-list/list"), record::history)
        .post("/payRefund", Point("payConfig/order-list/refund"), record::create)
        .put("/payRefund/audit", Point("payConfig/order-list/refundAudit"), record::decide)
        .put("/payRefund/withdraw", Point("payConfig/order-list/refund"), record::withdraw)
}

/// A number that no refund has: its day, and eight letters or digits; letters and digits alone, as providers take it.
pub fn number(at: i64) -> String {
    format!("RF{}{}", clock::day_compact(at), crypto::random_text(8).to_uppercase())
}
