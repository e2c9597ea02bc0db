//! Organisations, who buy leads, and their sub-organisations, the sales teams. So far the choices
//! that other screens need; calls under `/org`.

mod options;
pub mod store;

pub use store::compliance_facts;

use crate::api::{Access, Calls};

/// Whoever works on accounts puts them into organisations.
const CHOOSERS: Access = Access::AnyPoint(&["admin/list/list", "admin/list/create", "admin/list/update"]);

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new().get("/org/options", CHOOSERS, options::organisations).get("/org/subOptions", CHOOSERS, options::sub_organisations)
}
