//! The visits of plans, by day: `/plan/uv-list`.

use crate::visit::{UvRow, UvSubject, columns, uv_list};
use frame::access::ScopeColumns;
use frame::access::audit::{Module, Target};
use frame::api::export::Sheet;
use frame::api::say;

/// Plans, for their list of visits.
pub struct PlanUv;

impl UvSubject for PlanUv {
    uv_list!("plan", "JOIN plan t ON t.id = s.subject_id JOIN organisation o ON o.id = t.org_id", "t.no", "t.name", "o.name");

    const SCOPE: ScopeColumns = ScopeColumns {
        owner: Some("s.org_id IN (SELECT o.id FROM organisation o WHERE o.owner_admin_id = ?)"),
        org: Some("s.org_id"),
        sub_org: Some("s.subject_id IN (SELECT p.id FROM plan p WHERE p.sub_org_id = ?)"),
        myself: None,
    };

    fn sheet() -> Sheet<UvRow> {
        Sheet {
            target: Target { module: Module::Plan, kind: "plan_uv", id: None },
            title: say("计划UV", "Plan visits"),
            columns: columns(
                ("计划", "Plan"),
                &[
                    "day",
                    "subjectCode",
                    "subjectName",
                    "orgName",
                    "exposurePv",
                    "exposureUv",
                    "pv",
                    "uv",
                    "clickBp",
                    "sold",
                    "incomeCents",
                    "returned",
                    "testPv",
                    "testUv",
                    "computedAt",
                ],
            ),
        }
    }
}
