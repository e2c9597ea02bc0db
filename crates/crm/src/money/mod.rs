//! Money of clues: loans granted, fees received and refunds. One person enters a record, another confirms it, and
//! only confirmed records count. Calls under `/crm`.
//!
//! A confirmed record is voided in one step, with a note, by a person who neither wrote nor confirmed it.

mod by_day;
mod clue;
mod form;
mod list;
mod model;
mod notices;
mod record;
mod status;
mod store;

use frame::api::Access::{EveryPoint, Point};
use frame::api::{Calls, listing};

pub use clue::{hold_paid as hold_paid_clue, hold_payable as hold_payable_clue};
pub use form::Form;
pub use list::{open_work, search};
pub use model::MoneyRow;
pub use model::{MoneyStatus, MoneyType};
pub use record::PROOF;
pub use record::{TARGET, matter, number, payment_of};
pub use store::{NewMoney, decide, find, insert, write};
pub use store::{OnlineMoney, money_online, of_clue, refundable_online};

/// The permission to enter records, and the one to decide on them.
const ENTER: &str = "crm/clue/money";
const DECIDE: &str = "crm/clue/moneyAudit";

/// The calls of this area. The specification names most of them.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&PROOF)
        .list("/crm/moneyPage", Point(ENTER), listing::page::<list::Money>)
        .list("/crm/moneyPage/export", EveryPoint(&[ENTER, "crm/clue/export"]), listing::export::<list::Money>)
        .post("/crm/addMoney", Point(ENTER), record::create)
        .post("/crm/updateMoney", Point(ENTER), record::update)
        .get("/crm/money/reviewers", Point(ENTER), list::reviewers)
        .get("/crm/getMoney/{id}", Point(ENTER), record::view)
        .get("/crm/money/history/{id}", Point(ENTER), record::history)
        .delete("/crm/deleteMoney/{id}", Point(ENTER), record::delete)
        .put("/crm/money/status", Point(DECIDE), record::decide)
        .list("/crm/orgMoney/list", Point(ENTER), by_day::list)
}
