//! The blacklist: phones, identity numbers, addresses and devices that are refused everywhere, in one channel or for
//! one organisation. It belongs to the platform; an organisation's people do not see it. Calls under `/blacklist`.

pub mod form;
mod hit;
mod list;
pub mod model;
mod record;
pub mod store;
mod table;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use hit::{Asker, Hit, Naming, Suspect, count as count_hit, hit, hits, ip_hash, naming};
pub use model::{BlacklistKind, BlacklistRow, BlacklistScope, BlacklistSource, BlacklistStatus};

/// The calls of the blacklist.
pub fn calls() -> Calls {
    Calls::new()
        .list("/blacklist/page", Point("user/black-list/list"), listing::page::<list::Blacklist>)
        .list("/blacklist/page/export", Point("user/black-list/export"), listing::export::<list::Blacklist>)
        .get("/blacklist/template", Point("user/black-list/import"), table::template)
        .get("/blacklist/{id}", Point("user/black-list/view"), record::view)
        .get("/blacklist/history/{id}", Point("user/black-list/view"), record::history)
        .get("/blacklist/reveal/{id}", Point("user/black-list/reveal"), record::reveal)
        .post("/blacklist", Point("user/black-list/create"), record::create)
        .put("/blacklist", Point("user/black-list/update"), record::update)
        .put("/blacklist/status", Point("user/black-list/status"), record::change_status)
        .delete("/blacklist/{id}", Point("user/black-list/delete"), record::delete)
        .post("/blacklist/import", Point("user/black-list/import"), table::import)
}
