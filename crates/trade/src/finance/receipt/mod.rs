//! Receipts: what organisations paid to a payee of ours. One is entered, decided on by somebody else than
//! wrote it, and credited once; taking that back is asked for by one and done by another. Calls under `/org/receipt`.

pub mod form;
mod list;
pub mod model;
mod notices;
mod record;
mod status;
pub mod store;

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};

pub use list::{open_work, search};
pub use record::{matter, number, payment_of};
pub use store::by_serial;

/// The calls of receipts.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&record::PROOF)
        .list("/org/receipt/page", Point("org/receipt/list"), listing::page::<list::Receipts>)
        .list("/org/receipt/page/export", Point("org/receipt/export"), listing::export::<list::Receipts>)
        .get("/org/receipt/latest", Point("org/receipt/list"), list::latest)
        .get("/org/receipt/reviewers", Point("org/receipt/create"), list::reviewers)
        .get("/org/receipt/{id}", Point("org/receipt/list"), record::view)
        .get("/org/receipt/history/{id}", Point("org/receipt/list"), record::history)
        .post("/org/receipt", Point("org/receipt/create"), record::create)
        .put("/org/receipt", Point("org/receipt/update"), record::update)
        .put("/org/receipt/status", Point("org/receipt/audit"), record::decide)
        .put("/org/receipt/void", AnyPoint(&["org/receipt/update", "org/receipt/audit"]), record::ask_void)
        .put("/org/receipt/void/withdraw", AnyPoint(&["org/receipt/update", "org/receipt/audit"]), record::withdraw_void)
        .delete("/org/receipt/{id}", Point("org/receipt/delete"), record::delete)
}
