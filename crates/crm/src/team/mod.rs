//! Teams of organisations (sub-organisations): their contact data, and which leads they take. Calls of the
//! specification under `/crm`.

mod form;
mod list;
mod model;
mod options;
mod record;
mod store;

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};

pub use form::Form as TeamForm;
pub use list::search;
pub use store::write as write_team;

/// The calls of teams.
pub fn calls() -> Calls {
    Calls::new()
        .list("/crm/subOrgPage", Point("crm/saleman/list"), listing::page::<list::Teams>)
        .list("/crm/subOrgPage/export", Point("crm/saleman/export"), listing::export::<list::Teams>)
        .get(
            "/crm/subOrg/options",
            AnyPoint(&["crm/saleman/list", "crm/clue/list", "crm/clue/money", "plan/list/list", "plan/push-list/list"]),
            options::teams,
        )
        .get("/crm/getSubOrg/{id}", Point("crm/saleman/list"), record::view)
        .get("/crm/subOrg/history/{id}", Point("crm/saleman/list"), record::history)
        .post("/crm/addSubOrg", Point("crm/saleman/create"), record::create)
        .post("/crm/updateSubOrg", Point("crm/saleman/update"), record::update)
}
