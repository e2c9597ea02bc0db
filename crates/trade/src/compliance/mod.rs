//! The compliance check: rules as data, compared with the facts that an area provides on a target, and the results.
//! Calls under `/compliance`; [`must_pass`] is called before a change of status.
//!
//! A new kind of target is added in [`subject`]: its kind, the facts that its area provides, and a line in
//! [`subject::of`].

mod builtin;
pub mod check;
pub mod evaluate;
mod gate;
mod model;
mod rule;
mod store;
pub mod subject;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use builtin::seed;
pub use check::{run, search};
pub use gate::{is_unchanged, must_match, must_pass, standing};
pub use model::{CheckNow, CheckRequest, CheckRow};
pub use model::{CheckResult, TargetType};
pub use model::{RuleForm, RuleKind, RuleParams, RuleStatus, Severity};
pub use store::insert_rule;
pub use subject::{Fact, Facts, check_request};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .list("/compliance/page", Point("admin/test/list"), listing::page::<check::Checks>)
        .list("/compliance/page/export", Point("admin/test/export"), listing::export::<check::Checks>)
        .list("/compliance/rule/page", Point("admin/test/list"), listing::page::<rule::Rules>)
        .get("/compliance/rule/{id}", Point("admin/test/list"), rule::view)
        .post("/compliance/rule", Point("admin/test/rule"), rule::create)
        .put("/compliance/rule", Point("admin/test/rule"), rule::update)
        .delete("/compliance/rule/{id}", Point("admin/test/rule"), rule::delete)
}
