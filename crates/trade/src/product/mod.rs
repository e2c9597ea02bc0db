//! Products: the loans of organisations that are shown to applicants, with the price of a visitor. Calls under
//! `/product`.

mod audience;
mod facts;
pub mod form;
mod list;
mod model;
mod now;
mod offer;
mod record;
mod status;
pub mod store;
mod visited;
mod window;

pub use audience::{Audience, Unmet};
pub use facts::compliance_facts;
pub use list::search;
pub use model::{ApplyMode, ProductCategory, ProductRow, ProductStatus};
pub use offer::{logo_of, offered};
pub use record::LOGO;
pub use store::{codes, find, options};
pub use visited::{Named, Visited, choosable, shown, visited};

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&LOGO)
        .list("/product/page", Point("product/list/list"), listing::page::<list::Products>)
        .list("/product/page/export", Point("product/list/export"), listing::export::<list::Products>)
        .get(
            "/product/options",
            AnyPoint(&["product/list/list", "product/uv-list/list", "user/list/list", "plan/list/list"]),
            list::choices,
        )
        .get("/product/{id}", Point("product/list/view"), record::view)
        .get("/product/check/{id}", Point("product/list/status"), record::latest_check)
        .get("/product/history/{id}", Point("product/list/view"), record::history)
        .post("/product", Point("product/list/create"), record::create)
        .put("/product", Point("product/list/update"), record::update)
        .put("/product/status", Point("product/list/status"), record::change_status)
        .put("/product/statusMany", Point("product/list/status"), record::change_many)
        .delete("/product/{id}", Point("product/list/delete"), record::delete)
}
