//! Reconciliation: the statement of a bank or provider for a day is imported as a table and matched with our payments
//! and refunds of that day. Staff settle the differences. Two people close the day once none is open. It is opened
//! again if a payment or refund is dated into it later. Only platform staff do this. Calls under `/payStatement` and
//! `/payDifference`.

mod compare;
mod direction;
mod list;
pub mod matching;
pub mod model;
mod record;
mod store;
mod table;
mod totals;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use compare::{booked, reconcile};
pub use list::open_work;
pub use store::open;

/// The calls of reconciliation.
pub fn calls() -> Calls {
    Calls::new()
        .list("/payStatement/page", Point("payConfig/order-list/list"), listing::page::<list::Statements>)
        .list("/payStatement/page/export", Point("payConfig/order-list/export"), listing::export::<list::Statements>)
        .get("/payStatement/columns/{id}", Point("payConfig/order-list/reconcile"), table::columns)
        .get("/payStatement/{id}", Point("payConfig/order-list/list"), record::view)
        .get("/payStatement/history/{id}", Point("payConfig/order-list/list"), record::history)
        .post("/payStatement/import", Point("payConfig/order-list/reconcile"), table::import)
        .put("/payStatement/close", Point("payConfig/order-list/reconcile"), record::ask_close)
        .put("/payStatement/close/withdraw", Point("payConfig/order-list/reconcile"), record::withdraw_close)
        .put("/payStatement/audit", Point("payConfig/order-list/reconcile"), record::decide)
        .list("/payDifference/page", Point("payConfig/order-list/list"), listing::page::<list::Differences>)
        .list("/payDifference/page/export", Point("payConfig/order-list/export"), listing::export::<list::Differences>)
        .get("/payDifference/{id}", Point("payConfig/order-list/list"), record::view_difference)
        .get("/payDifference/history/{id}", Point("payConfig/order-list/list"), record::history_of_difference)
        .put("/payDifference/settle", Point("payConfig/order-list/reconcile"), record::settle)
}
