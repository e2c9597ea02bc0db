//! Plans: what an organisation buys, at which price, how much and when. Calls under `/plan`.

pub mod approval;
mod exposure;
mod facts;
pub mod form;
mod gate;
mod history;
mod list;
pub mod market;
mod model;
pub mod notices;
pub mod now;
pub mod own;
pub mod push;
mod record;
pub mod replacement;
mod status;
pub mod store;
mod visited;
mod watch;

pub use facts::compliance_facts;
use frame::api::Access::{AnyPoint, Point};
use frame::api::{Calls, listing};
pub use list::{first_step, open_work, search, unusual};
pub use model::{DeliverMode, Hold, OutOfSchedule, PauseReason, PlanForm, PlanNow, PlanOwnForm, PlanRow, PlanStatus, SaleMode};
pub use record::number;
pub use store::{bought, find, has_test_plan, on_sale_since, turns, within};
pub use visited::{Visited, running_of, visited};
pub use watch::{delivery_failed, delivery_went_well, resume, sweep, work};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .list("/plan/page", Point("plan/list/list"), list::page)
        .list("/plan/page/export", Point("plan/list/export"), listing::export::<list::Plans>)
        .get(
            "/plan/options",
            AnyPoint(&[
                "plan/list/list",
                "plan/push-list/list",
                "plan/uv-list/list",
                "plan/bgList/list",
                "org/uv-list2/list",
                "user/match-list/list",
            ]),
            list::options,
        )
        .get("/plan/latest", Point("plan/list/list"), list::latest)
        .get("/plan/balance", Point("plan/list/list"), list::balance)
        .get("/plan/reviewers", Point("plan/list/status"), list::reviewers)
        .list("/plan/exposure/page", Point("plan/bgList/list"), exposure::page)
        .list("/plan/exposure/page/export", Point("plan/bgList/export"), listing::export::<exposure::Exposures>)
        .get("/plan/{id}", AnyPoint(&["plan/list/view", "plan/list/update", "plan/list/create"]), record::view)
        .get("/plan/history/{id}", Point("plan/list/view"), record::history)
        .post("/plan", Point("plan/list/create"), record::create)
        .put("/plan", Point("plan/list/update"), record::update)
        .put("/plan/status", Point("plan/list/status"), record::change_status)
        .put("/plan/own", Point("plan/list/own"), own::update)
        .put("/plan/own/status", Point("plan/list/own"), own::change_status)
        .put("/plan/audit", Point("plan/list/audit"), record::decide)
        .put("/plan/change/withdraw", Point("plan/list/update"), record::withdraw_change)
        .delete("/plan/{id}", Point("plan/list/delete"), record::delete)
}
