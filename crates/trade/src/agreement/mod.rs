//! The register of agreements that applicants consent to. Each consent names one of its entries, whose digest is
//! computed here. It belongs to the platform. Calls under `/agreement`.

mod form;
mod list;
mod model;
mod named;
mod record;
pub mod store;

pub use form::digest;
use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};
pub use list::first_step;
pub use model::AgreementState;
pub use named::{Held, Named, Register, named};
pub use store::offered;

/// The calls of the register.
pub fn calls() -> Calls {
    Calls::new()
        .list("/agreement/page", Point("admin/agreement/list"), listing::page::<list::Agreements>)
        .list("/agreement/page/export", Point("admin/agreement/export"), listing::export::<list::Agreements>)
        .get("/agreement/options", AnyPoint(&["user/list/list", "user/list/create", "admin/agreement/list"]), list::options)
        .get("/agreement/{id}", Point("admin/agreement/list"), record::view)
        .get("/agreement/history/{id}", Point("admin/agreement/list"), record::history)
        .post("/agreement", Point("admin/agreement/create"), record::create)
        .put("/agreement", Point("admin/agreement/update"), record::update)
        .delete("/agreement/{id}", Point("admin/agreement/delete"), record::delete)
}
