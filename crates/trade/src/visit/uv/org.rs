//! The visits of organisations by day (`/org/uv-list`), and by organisation and plan (`/org/uv-list2`).

use crate::visit::{UvRow, UvSubject, columns, uv_list};
use frame::access::ScopeColumns;
use frame::access::audit::{Module, Target};
use frame::api::export::Sheet;
use frame::api::say;

/// Who sees a row: the organisation's people, and its account manager.
const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("s.org_id IN (SELECT o.id FROM organisation o WHERE o.owner_admin_id = ?)"),
    org: Some("s.org_id"),
    sub_org: None,
    myself: None,
};

/// Organisations, for their list of visits.
pub struct OrgUv;

impl UvSubject for OrgUv {
    uv_list!("org", "JOIN organisation t ON t.id = s.subject_id", "t.code", "t.name", "CAST(NULL AS TEXT)");

    const SCOPE: ScopeColumns = SCOPE;

    fn sheet() -> Sheet<UvRow> {
        Sheet {
            target: Target { module: Module::Organisation, kind: "org_uv", id: None },
            title: say("机构UV", "Organisation visits"),
            columns: columns(
                ("机构", "Organisation"),
                &[
                    "day",
                    "subjectCode",
                    "subjectName",
                    "exposurePv",
                    "exposureUv",
                    "pv",
                    "uv",
                    "sold",
                    "returned",
                    "incomeCents",
                    "testPv",
                    "testUv",
                    "computedAt",
                ],
            ),
        }
    }
}

/// The plans of organisations, for the list of visits by organisation.
pub struct OrgPlanUv;

impl UvSubject for OrgPlanUv {
    uv_list!("plan", "JOIN plan t ON t.id = s.subject_id JOIN organisation o ON o.id = s.org_id", "t.no", "t.name", "o.name");

    const SCOPE: ScopeColumns = SCOPE;

    fn sheet() -> Sheet<UvRow> {
        Sheet {
            target: Target { module: Module::Organisation, kind: "org_plan_uv", id: None },
            title: say("机构计划UV", "Visits by plan"),
            columns: columns(
                ("计划", "Plan"),
                &[
                    "orgName",
                    "day",
                    "subjectCode",
                    "subjectName",
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
