//! The accounts of organisations as people see them: balances, entries, and freezing. Calls under `/finance/account`.

mod as_of;
mod entries;
mod list;
pub mod model;
mod record;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::{held_if_low, unusual};

/// The calls of accounts and of their entries.
pub fn calls() -> Calls {
    Calls::new()
        .list("/finance/account/page", Point("finance/account/list"), listing::page::<list::Accounts>)
        .list("/finance/account/page/export", Point("finance/account/export"), listing::export::<list::Accounts>)
        .list("/finance/account/ledger/page", Point("finance/account/list"), listing::page::<entries::Entries>)
        .list("/finance/account/ledger/page/export", Point("finance/account/export"), listing::export::<entries::Entries>)
        .get("/finance/account/latest", Point("finance/account/list"), entries::latest)
        .get("/finance/account/{id}", Point("finance/account/list"), record::view)
        .get("/finance/account/history/{id}", Point("finance/account/list"), record::history)
        .put("/finance/account/status", Point("finance/account/freeze"), record::change_status)
}
