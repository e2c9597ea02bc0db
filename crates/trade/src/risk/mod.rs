//! Risk: findings against an applicant, by section, from a provider: the built-in rules, which use our own data, or a
//! paid external one. A report is requested once and reused for a while. Calls under `/user`.

mod evidence;
mod http;
mod model;
mod provider;
mod report;
mod rules;
mod store;

use frame::api::Access::Point;
use frame::api::Calls;

pub use model::{RiskDetail, RiskSectionQuery, RiskSummary};
pub use report::{section_of, summary_of};
pub use store::{erase, forget_consents};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new().get("/user/riskSimple/{id}", Point("user/list/risk"), report::summary).get(
        "/user/risk/{id}",
        Point("user/list/risk"),
        report::section,
    )
}
