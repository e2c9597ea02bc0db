//! Salespeople: accounts of an organisation that work on clues, what each of them takes, and how one leaves. Calls
//! under `/crm/salesperson`.

mod account;
mod form;
mod hand_over;
mod list;
mod model;
mod options;
mod record;
mod status;
mod store;

use frame::api::Access::{AnyPoint, Point};
use frame::api::{Access, Calls, listing};

pub use account::{account_deleted, account_disabled, account_moved, open_clues_of_account};
pub use form::Form as SalespersonForm;
pub use list::search;
pub use model::SalespersonRow;
pub(super) use store::hold as hold_salesperson;
pub use store::insert as insert_salesperson;
pub use store::set_status as set_salesperson_status;

/// Viewers who list clues by their owners, or assign them.
const CHOOSERS: Access = AnyPoint(&["crm/saleman/list", "crm/clue/list", "crm/clue/claim", "crm/clue/assign"]);

/// The calls of salespeople.
pub fn calls() -> Calls {
    Calls::new()
        .list("/crm/salesperson/page", Point("crm/saleman/list"), listing::page::<list::Salespeople>)
        .list("/crm/salesperson/page/export", Point("crm/saleman/export"), listing::export::<list::Salespeople>)
        .get("/crm/salesperson/options", CHOOSERS, options::salespeople)
        .get("/crm/salesperson/accounts", Point("crm/saleman/sales"), options::accounts)
        .get("/crm/salesperson/{id}", Point("crm/saleman/list"), record::view)
        .get("/crm/salesperson/history/{id}", Point("crm/saleman/list"), record::history)
        .post("/crm/salesperson", Point("crm/saleman/sales"), record::create)
        .put("/crm/salesperson", Point("crm/saleman/sales"), record::update)
        .put_repeatable("/crm/salesperson/receiving", Point("crm/saleman/sales"), status::set_receiving)
        .put("/crm/salesperson/status", Point("crm/saleman/sales"), status::set_status)
}
