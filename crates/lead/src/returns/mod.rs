//! Returns: leads that organisations give back within the agreed limits, the decision of staff, and the refund. Calls
//! under `/plan/return`.

mod clue;
mod limits;
mod model;
mod notices;
mod record;
pub mod store;

use frame::api::Access::{AnyPoint, Point};
use frame::api::Calls;

pub use model::{ReturnBasis, ReturnForm, ReturnRow};
pub use record::{Asked, Decision, ask, ask_for_clue, basis, decide, may_ask_for_clue};
pub use store::{erase, of_push, of_user};

/// The calls of returns. They are used from the list of pushes.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&record::PROOF)
        .post("/crm/return", Point("crm/clue/return"), clue::ask)
        .get("/crm/return/ask/{id}", Point("crm/clue/return"), clue::may_ask)
        .get("/plan/return/{id}", AnyPoint(&["plan/push-list/view", "plan/push-list/return", "plan/push-list/audit"]), record::view)
        .get("/plan/return/ask/{id}", Point("plan/push-list/return"), record::may_ask)
        .post("/plan/return", Point("plan/push-list/return"), record::create)
        .put("/plan/return/withdraw", Point("plan/push-list/return"), record::withdraw)
        .put("/plan/return/audit", Point("plan/push-list/audit"), record::audit)
}
