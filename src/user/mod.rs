//! Applicants: who they are, how they come in, and their story. Calls under `/user`.

pub mod addresses;
mod admission;
mod arrival;
mod check;
pub mod consent;
mod edit;
pub mod form;
pub mod intake;
mod invalid;
mod list;
mod lot;
mod model;
pub mod past;
pub mod phone;
mod record;
pub mod reputation;
pub mod retain;
pub mod store;
mod table;

use crate::api::Access::Point;
use crate::api::{Calls, listing};
use crate::export::plain::{self, PlainExporting};
use crate::plan::push::Pushes;

pub use arrival::Offer;
pub use check::UserCheck;
pub(crate) use list::TARGET;
pub use model::{InvalidReason, RevealedUser, UserRow, UserStatus, WithdrawnVia, YesNo};
pub(crate) use record::seen;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .list("/user/page", Point("user/list/list"), listing::page::<list::Users>)
        .list("/user/page/export", list::Users::EXPORT, plain::export::<list::Users>)
        .list("/user/push/page", Point("plan/push-list/list"), listing::page::<Pushes>)
        .list("/user/push/export", Pushes::EXPORT, plain::export::<Pushes>)
        .get("/user/template", Point("user/list/import"), table::template)
        .post("/user/import", Point("user/list/import"), table::import)
        .get("/user/{id}", Point("user/list/view"), record::view)
        .get("/user/history/{id}", Point("user/list/view"), record::history)
        .get("/user/reveal/{id}", Point("user/list/reveal"), record::reveal)
        .post("/user", Point("user/list/create"), record::enter)
        .get("/user/said/{id}", Point("user/list/edit"), edit::said)
        .put("/user", Point("user/list/edit"), edit::edit)
        .get("/setting/retention", Point("admin/setting/list"), retain::preview)
        .put("/user/invalid", Point("user/list/invalid"), invalid::mark)
        .put("/user/valid", Point("user/list/invalid"), invalid::unmark)
        .put("/user/consent/withdraw", Point("user/list/consent"), consent::withdraw_by_staff)
        .put("/user/distribute", Point("user/list/distribute"), record::distribute)
        .delete("/user/{id}", Point("user/list/delete"), record::erase)
}
