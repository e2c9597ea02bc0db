//! Invoices of an organisation's spending, less refunds and earlier invoices, with each payee. Requested by the
//! organisation or by staff, approved by another person, issued, sent, voided within the month, or later counted back
//! by a red-letter invoice. Calls under `/finance/invoice`.

pub mod form;
pub mod invoiceable;
mod list;
pub mod model;
mod notices;
mod over;
mod record;
pub mod red;
pub mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::{open_work, search};
pub use over::warn as warn_of_over_invoiced;
pub use record::{matter, number};

/// The calls of invoices.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&record::FILE)
        .list("/finance/invoice/page", Point("finance/invoice/list"), listing::page::<list::Invoices>)
        .list("/finance/invoice/page/export", Point("finance/invoice/export"), listing::export::<list::Invoices>)
        .list("/finance/invoiceable/page", Point("finance/invoice/list"), listing::page::<invoiceable::Invoiceables>)
        .get("/finance/invoice/reviewers", Point("finance/invoice/create"), list::reviewers)
        .get("/finance/invoice/{id}", Point("finance/invoice/list"), record::view)
        .get("/finance/invoice/history/{id}", Point("finance/invoice/list"), record::history)
        .get("/finance/invoice/reveal/{id}", Point("finance/invoice/reveal"), record::reveal)
        .post("/finance/invoice", Point("finance/invoice/create"), record::create)
        .post("/finance/invoice/red", Point("finance/invoice/create"), red::create)
        .put("/finance/invoice/status", Point("finance/invoice/audit"), record::decide)
        .put("/finance/invoice/issue", Point("finance/invoice/audit"), record::issue)
        .put("/finance/invoice/send", Point("finance/invoice/audit"), record::send)
        .put("/finance/invoice/withdraw", Point("finance/invoice/create"), record::withdraw)
}
