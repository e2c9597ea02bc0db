//! Payments that do not fit their order: late, of another amount, without an order, or a second time. A person
//! settles each; a second person confirms that one is accepted for its order. Calls under `/payException`.

mod list;
pub mod model;
mod notices;
mod record;
mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::{open_work, search};
pub use model::ExceptionKind;
pub use store::{add, open, refunded};

/// The kind of record of messages about exceptions.
pub(crate) const BIZ: &str = "payment_exception";

/// The calls of exceptions.
pub fn calls() -> Calls {
    Calls::new()
        .list("/payException/page", Point("payConfig/order-list/list"), listing::page::<list::Exceptions>)
        .list("/payException/page/export", Point("payConfig/order-list/export"), listing::export::<list::Exceptions>)
        .get("/payException/{id}", Point("payConfig/order-list/list"), record::view)
        .get("/payException/history/{id}", Point("payConfig/order-list/list"), record::history)
        .put("/payException/settle", Point("payConfig/order-list/settle"), record::settle)
        .put("/payException/audit", Point("payConfig/order-list/settle"), record::decide)
        .put("/payException/withdraw", Point("payConfig/order-list/settle"), record::withdraw)
}
