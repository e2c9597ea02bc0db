//! Projects: new partners from application to launch, in five steps. Calls under `/project`.

mod application;
pub mod form;
mod list;
mod model;
mod notices;
pub mod progress;
mod review;
pub mod store;

use frame::api::{Access, Calls, listing};

pub use application::diff;
pub use list::open_work;
pub use model::{PartnerType, ProjectRow, ProjectStage, ProjectStatus, StepAction};

/// The calls of this area.
pub fn calls() -> Calls {
    /// People who fill in the form: for a new project, or to correct one.
    const APPLICANT: Access = Access::AnyPoint(&["project/list/create", "project/list/update"]);
    Calls::new()
        .list("/project/page", Access::Point("project/list/list"), listing::page::<list::Projects>)
        .list("/project/page/export", Access::Point("project/list/export"), listing::export::<list::Projects>)
        .get("/project/{id}", Access::Point("project/list/view"), review::view)
        .get("/project/reveal/{id}", Access::Point("project/list/reveal"), review::reveal)
        .get("/project/draft/{id}", APPLICANT, application::draft)
        .put_repeatable("/project/draft", APPLICANT, application::save_draft)
        .post("/project", Access::Point("project/list/create"), application::submit)
        .put("/project", Access::Point("project/list/update"), application::submit_again)
        .put("/project/audit", Access::Point("project/list/audit"), review::audit)
        .put("/project/withdraw", Access::Point("project/list/withdraw"), application::withdraw)
}
