//! Refunds of paid orders: requested by one person and approved by another, never more than was paid. The provider is
//! asked to make them, and is queried until the result is known. Calls under `/payRefund`.

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
pub use list::{open_work, search};
pub use record::{approve, matter, payment_of};

/// The calls of refunds.
pub fn calls() -> Calls {
    Calls::new()
        .list("/payRefund/page", Point("payConfig/order-list/list"), listing::page::<list::Refunds>)
        .list("/payRefund/page/export", Point("payConfig/order-list/export"), listing::export::<list::Refunds>)
        .get("/payRefund/order/{id}", Point("payConfig/order-list/list"), record::of_order)
        .get("/payRefund/reviewers", Point("payConfig/order-list/refund"), list::reviewers)
        .get("/payRefund/{id}", Point("payConfig/order-list/list"), record::view)
        .get("/payRefund/history/{id}", Point("payConfig/order-list/list"), record::history)
        .post("/payRefund", Point("payConfig/order-list/refund"), record::create)
        .put("/payRefund/audit", Point("payConfig/order-list/refundAudit"), record::decide)
        .put("/payRefund/withdraw", Point("payConfig/order-list/refund"), record::withdraw)
}

/// A new number: the day and eight random letters or digits. Providers accept only letters and digits.
pub fn number(at: i64) -> String {
    format!("RF{}{}", clock::day_compact(at), crypto::random_text(8).to_uppercase())
}
