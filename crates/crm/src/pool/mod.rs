//! Pools: they hold the clues without an owner, and set the terms on which salespeople claim them. Calls under
//! `/crm/pool`.

mod form;
mod list;
mod model;
mod options;
mod record;
mod store;
mod terms;

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};

pub use terms::{PoolTerms, terms_for, terms_of};

/// The calls of pools.
pub fn calls() -> Calls {
    Calls::new()
        .list("/crm/pool/page", Point("crm/saleman/list"), listing::page::<list::Pools>)
        .get("/crm/pool/options", AnyPoint(&["crm/saleman/list", "crm/clue/claim"]), options::pools)
        .get("/crm/pool/{id}", Point("crm/saleman/list"), record::view)
        .get("/crm/pool/history/{id}", Point("crm/saleman/list"), record::history)
        .post("/crm/pool", Point("crm/saleman/pool"), record::create)
        .put("/crm/pool", Point("crm/saleman/pool"), record::update)
        .put("/crm/pool/status", Point("crm/saleman/pool"), record::set_status)
        .delete("/crm/pool/{id}", Point("crm/saleman/pool"), record::delete)
}
