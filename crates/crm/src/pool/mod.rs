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
use frame::api::{Calls, listing, master_data};

use model::PoolRow;

pub use terms::{PoolTerms, least_level, terms_for, terms_of};

/// The calls of pools.
pub fn calls() -> Calls {
    Calls::new()
        .list("/crm/pool/page", Point("crm/saleman/list"), listing::page::<list::Pools>)
        .get("/crm/pool/options", AnyPoint(&["crm/saleman/list", "crm/clue/claim"]), options::pools)
        .get("/crm/pool/{id}", Point("crm/saleman/list"), master_data::view::<PoolRow>)
        .get("/crm/pool/history/{id}", Point("crm/saleman/list"), master_data::history::<PoolRow>)
        .post("/crm/pool", Point("crm/saleman/pool"), master_data::create::<PoolRow>)
        .put("/crm/pool", Point("crm/saleman/pool"), master_data::update::<PoolRow>)
        .put("/crm/pool/status", Point("crm/saleman/pool"), master_data::set_status::<PoolRow>)
        .delete("/crm/pool/{id}", Point("crm/saleman/pool"), master_data::delete::<PoolRow>)
}
