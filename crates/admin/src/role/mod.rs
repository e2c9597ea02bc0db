//! Roles: their rights and data scopes, and who may change them. They belong to the whole platform, so platform staff
//! who see everything manage them; an organisation's staff see the roles that they could give to their people, and
//! change none. Calls under `/role`.

mod grantable;
mod list;
mod missing;
mod model;
mod record;
mod rules;
pub mod standard;
mod store;

pub use grantable::{Grantable, grantable};
pub use list::search;
pub use rules::in_words;
pub use store::{PlatformRole, of_platform};

use frame::api::Access::{AnyPoint, EveryPoint, Point};
use frame::api::Calls;

/// The calls about roles.
pub fn calls() -> Calls {
    /// People who work on accounts give them roles, and lists have a filter by role.
    const CHOOSING: &[&str] = &["admin/list/list", "admin/list/create", "admin/list/update", "admin/session/list"];
    const VIEW: frame::api::Access = Point("admin/role-list/view");
    const GRANTING: &[&str] = &["admin/role-list/create", "admin/role-list/update", "admin/role-list/grant"];
    Calls::new()
        .get("/role/options", AnyPoint(CHOOSING), grantable::options)
        .list("/role/page", Point("admin/role-list/list"), list::page)
        .list("/role/page/export", Point("admin/role-list/export"), list::export)
        .get("/role/grantable", AnyPoint(GRANTING), list::grantable_nodes)
        .get("/role/standard", Point("admin/role-list/create"), missing::list)
        .post("/role/standard", Point("admin/role-list/create"), missing::add)
        .get("/role/{id}", VIEW, list::get)
        .get("/role/history/{id}", VIEW, list::history)
        .get("/role/menu/{id}", VIEW, list::menu_of)
        .get("/role/holders/{id}", VIEW, list::holders)
        .get("/role/ofAccount/{id}", EveryPoint(&["admin/list/view", "admin/role-list/view"]), list::of_account)
        .post("/role", Point("admin/role-list/create"), record::create)
        .put("/role", Point("admin/role-list/update"), record::update)
        .put("/role/menu", Point("admin/role-list/grant"), record::grant)
        .put("/role/status", Point("admin/role-list/status"), record::set_status)
        .delete("/role/{id}", Point("admin/role-list/delete"), record::delete)
}
