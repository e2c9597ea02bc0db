//! Receipts: what organisations paid to a payee of ours. One is entered, decided on by somebody else,
//! and credited once. Calls under `/org/receipt`.

pub(crate) mod form;
mod list;
pub(crate) mod model;
mod record;
mod status;
pub(crate) mod store;

use crate::api::Access::Point;
use crate::api::{Calls, listing};

pub use record::PROOF;
pub(crate) use record::number;

/// The calls of receipts.
pub fn calls() -> Calls {
    Calls::new()
        .list("/org/receipt/page", Point("org/receipt/list"), listing::page::<list::Receipts>)
        .list("/org/receipt/page/export", Point("org/receipt/export"), listing::export::<list::Receipts>)
        .get("/org/receipt/{id}", Point("org/receipt/list"), record::view)
        .get("/org/receipt/history/{id}", Point("org/receipt/list"), record::history)
        .post("/org/receipt", Point("org/receipt/create"), record::create)
        .put("/org/receipt", Point("org/receipt/update"), record::update)
        .put("/org/receipt/status", Point("org/receipt/audit"), record::decide)
        .delete("/org/receipt/{id}", Point("org/receipt/delete"), record::delete)
}
