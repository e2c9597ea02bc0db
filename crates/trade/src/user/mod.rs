//! Applicants: identity, intake and story. Calls under `/user`.

pub mod addresses;
mod admission;
pub mod batch;
pub mod changes;
pub mod check;
mod edit;
pub mod form;
pub mod intake;
pub mod list;
mod matched;
pub mod model;
pub mod past;
pub mod person;
pub mod phone;
pub mod reputation;
pub mod rounds;
mod store;
pub mod submission;
mod table;

pub use check::UserCheck;
use frame::api::Access::Point;
use frame::api::{ApiError, Calls, Ctx, Result};
use frame::export::plain::PlainExporting;
pub use list::{TARGET, search, unusual};
pub use model::{InvalidReason, RevealedUser, UserRow, UserStatus, WithdrawnVia};
pub use store::{NO_CITY, detail, find, is_known};
pub use submission::Submission;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .list("/user/page", Point("user/list/list"), list::page)
        .list("/user/page/export", list::Users::EXPORT, list::export)
        .get("/user/template", Point("user/list/import"), table::template)
        .post("/user/import", Point("user/list/import"), table::import)
        .get("/user/said/{id}", Point("user/list/edit"), edit::said)
        .put("/user", Point("user/list/edit"), edit::edit)
}

/// The applicant, if the viewer may see them.
pub async fn seen(cx: &Ctx, id: i64) -> Result<UserRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)
}
