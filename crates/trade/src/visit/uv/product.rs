//! The visits of products, by day: `/product/uv-list`.

use crate::visit::{UvRow, UvSubject, columns, uv_list};
use frame::access::ScopeColumns;
use frame::access::audit::{Module, Target};
use frame::api::export::Sheet;
use frame::api::say;

/// Products, for their list of visits.
pub struct ProductUv;

impl UvSubject for ProductUv {
    uv_list!("product", "JOIN product t ON t.id = s.subject_id JOIN organisation o ON o.id = t.org_id", "t.code", "t.name", "o.name");

    const SCOPE: ScopeColumns = ScopeColumns {
        owner: Some("s.org_id IN (SELECT o.id FROM organisation o WHERE o.owner_admin_id = ?)"),
        org: Some("s.org_id"),
        sub_org: None,
        myself: None,
    };

    fn sheet() -> Sheet<UvRow> {
        Sheet {
            target: Target { module: Module::Product, kind: "product_uv", id: None },
            title: say("产品UV", "Product visits"),
            columns: columns(
                ("产品", "Product"),
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
