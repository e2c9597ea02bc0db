//! Adjustments of accounts by hand: asked for by one person with a reason, posted when another approves. Calls under
//! `/finance/account/adjust`.

mod list;
pub mod model;
mod notices;
mod record;
pub mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::{open_work, search};
pub use record::{matter, number, post};

/// The calls of adjustments.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&record::PROOF)
        .list("/finance/account/adjust/page", Point("finance/account/list"), listing::page::<list::Adjustments>)
        .list("/finance/account/adjust/page/export", Point("finance/account/export"), listing::export::<list::Adjustments>)
        .get("/finance/account/adjust/reviewers", Point("finance/account/adjust"), list::reviewers)
        .get("/finance/account/adjust/{id}", Point("finance/account/list"), record::view)
        .get("/finance/account/adjust/history/{id}", Point("finance/account/list"), record::history)
        .post("/finance/account/adjust", Point("finance/account/adjust"), record::create)
        .put("/finance/account/adjust/withdraw", Point("finance/account/adjust"), record::withdraw)
        .put("/finance/account/adjust/audit", Point("finance/account/audit"), record::decide)
}
