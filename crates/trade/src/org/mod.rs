//! Organisations, which buy leads: their data, their terms, and the delivery of leads; the platform's payees; and
//! choices of their sub-organisations, the sales teams. Calls under `/org`.

pub mod alert;
pub mod call;
pub mod delivery;
pub mod expression;
pub mod form;
mod licence;
mod list;
pub mod message;
mod model;
mod options;
pub mod payee;
mod preview;
mod record;
pub mod sealing;
mod signing;
pub mod standing;
mod status;
pub mod store;
pub mod terms;
mod trial;

pub use alert::alert;
pub use licence::warn as warn_of_licences;
pub use list::{first_step, open_work, search};
pub use model::{BillMode, OrgMode, OrgRow, OrgStatus, OrgType};
pub use payee::InvoiceKind;
pub use record::LICENCE;
pub use signing::{OrgCaller, by_app_key};
pub use signing::{insert as insert_signing_key, set_secret as set_signing_secret};
pub use store::{
    alert_phone_hashes, by_codes, choice, codes, codes_within, compliance_facts, find, has_sub, option, options, set_low_balance_notified,
    sub_name,
};

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Access, Calls, listing};

/// People who work on accounts assign them to organisations; lists of organisations and of their records have a
/// filter by organisation.
const CHOOSERS: Access = AnyPoint(&[
    "admin/list/list",
    "admin/list/create",
    "admin/list/update",
    "org/list/list",
    "org/receipt/list",
    "finance/recharge/list",
    "finance/account/list",
    "finance/invoice/list",
    "org/uv-list/list",
    "org/uv-list2/list",
    "plan/bgList/list",
    "plan/list/list",
    "user/list/list",
    "user/match-list/list",
    "plan/uv-list/list",
    "product/list/list",
    "product/uv-list/list",
    "user/black-list/list",
    "user/feedback-list/list",
    "crm/saleman/list",
    "crm/clue/money",
    "crm/achievements/list",
]);

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&LICENCE)
        .list("/org/page", Point("org/list/list"), list::page)
        .list("/org/page/export", Point("org/list/export"), listing::export::<list::Organisations>)
        .get("/org/options", CHOOSERS, options::organisations)
        .get("/org/subOptions", CHOOSERS, options::sub_organisations)
        .get("/org/{id}", Point("org/list/view"), record::view)
        .get("/org/history/{id}", Point("org/list/view"), record::history)
        .get("/org/reveal/{id}", Point("org/list/reveal"), record::reveal)
        .post("/org", Point("org/list/create"), record::create)
        .put("/org", Point("org/list/update"), record::update)
        .put("/org/audit", Point("org/list/audit"), terms::decide)
        .put("/org/withdraw", Point("org/list/update"), terms::withdraw)
        .get("/org/check/{id}", Point("org/list/status"), record::latest_check)
        .put("/org/status", Point("org/list/status"), record::change_status)
        .delete("/org/{id}", Point("org/list/delete"), record::delete)
        .get("/org/api/{id}", Point("org/list/apiView"), delivery::view)
        .put("/org/api", Point("org/list/apiUpdate"), delivery::update)
        .put("/org/api/audit", Point("org/list/apiAudit"), delivery::pending::decide)
        .put("/org/api/withdraw", Point("org/list/apiUpdate"), delivery::pending::withdraw)
        .list("/org/api/preview", Point("org/list/apiUpdate"), preview::view)
        .post("/org/api/test", Point("org/list/apiTest"), trial::run)
        .get("/org/api/secret/{id}", Point("org/list/apiView"), signing::view)
        .put("/org/api/secret", Point("org/list/apiSecret"), signing::rotate)
        .put("/org/api/secretEnd", Point("org/list/apiSecret"), signing::end_old)
        .list("/org/payee/page", Point("org/payee/list"), listing::page::<payee::Payees>)
        .list("/org/payee/page/export", Point("org/payee/export"), listing::export::<payee::Payees>)
        .get(
            "/org/payee/options",
            AnyPoint(&[
                "org/list/list",
                "org/payee/list",
                "org/receipt/list",
                "finance/recharge/list",
                "finance/invoice/list",
                "finance/partner/list",
            ]),
            payee::choices,
        )
        .get("/org/payee/{id}", Point("org/payee/list"), payee::view)
        .get("/org/payee/history/{id}", Point("org/payee/list"), payee::history)
        .get("/org/payee/reveal/{id}", AnyPoint(&["org/payee/reveal", "org/payee/audit"]), payee::reveal)
        .post("/org/payee", Point("org/payee/create"), payee::create)
        .put("/org/payee", Point("org/payee/update"), payee::update)
        .put("/org/payee/audit", Point("org/payee/audit"), payee::account::decide)
        .put("/org/payee/withdraw", Point("org/payee/update"), payee::account::withdraw)
        .delete("/org/payee/{id}", Point("org/payee/delete"), payee::delete)
}
