//! Statements: the movements of an account in a closed month, sent to its organisation and answered there. Calls
//! under `/finance/statement`.

mod list;
pub mod model;
mod month;
mod notices;
mod pdf;
mod record;
pub mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::open_work;

/// The calls of statements.
pub fn calls() -> Calls {
    Calls::new()
        .list("/finance/statement/page", Point("finance/account/list"), listing::page::<list::Statements>)
        .list("/finance/statement/page/export", Point("finance/account/export"), listing::export::<list::Statements>)
        .get("/finance/statement/months", Point("finance/account/list"), month::view)
        .get("/finance/statement/{id}", Point("finance/account/list"), record::view)
        .get("/finance/statement/history/{id}", Point("finance/account/list"), record::history)
        .get("/finance/statement/file/{id}", Point("finance/account/list"), record::file)
        .put("/finance/statement/close", Point("finance/account/statement"), month::close)
        .put("/finance/statement/send", Point("finance/account/statement"), record::send)
        .put("/finance/statement/answer", Point("finance/account/confirm"), record::answer)
}
