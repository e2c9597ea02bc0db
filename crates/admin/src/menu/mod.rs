//! The menu: the viewer's own, and its editor. The menu belongs to the whole platform, so platform staff who see
//! everything edit it. Screens and points come from the route table: staff decide on their titles, order and use, but
//! not on their existence. External links are made and deleted here. Calls under `/menu`.

mod edit;
mod model;
mod seed;
mod store;

use std::sync::Arc;

use frame::access::menu::MenuNode;
use frame::api::Access::{Point, SignedIn};
use frame::api::{self, Calls, Ctx, Nothing};

pub use seed::seed;

/// The calls about the menu.
pub fn calls() -> Calls {
    Calls::new()
        .get("/menu/listByToken", SignedIn, list_by_token)
        .get("/menu/tree", Point("admin/menu/list"), edit::tree)
        .get("/menu/history/{id}", Point("admin/menu/list"), edit::history)
        .post("/menu", Point("admin/menu/create"), edit::create)
        .put("/menu", Point("admin/menu/update"), edit::update)
        .delete("/menu/{id}", Point("admin/menu/delete"), edit::delete)
}

/// `GET /menu/listByToken`: the menu tree of the active role, with its permission points, in the
/// viewer's language.
async fn list_by_token(cx: Arc<Ctx>, _: Nothing) -> api::Result<Vec<MenuNode>> {
    Ok(cx.viewer()?.role.menu(cx.locale))
}
