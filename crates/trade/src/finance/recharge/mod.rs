//! Recharges: money that goes into the accounts of organisations, applied for by one person and confirmed by another, credited
//! once and taken back by a reversing entry. Calls under `/finance/recharge`.

pub mod form;
mod list;
pub mod model;
mod notices;
mod online;
mod record;
pub mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::TARGET;
pub use list::{first_step, open_work, search};
pub use online::{PaidOnline, paid_online, refund_online};
pub use record::{check_not_terminated, credit, matter, number, payment_of};

/// The calls of recharges.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&record::PROOF)
        .list("/finance/recharge/page", Point("finance/recharge/list"), listing::page::<list::Recharges>)
        .list("/finance/recharge/page/export", Point("finance/recharge/export"), listing::export::<list::Recharges>)
        .get("/finance/recharge/reviewers", Point("finance/recharge/create"), list::reviewers)
        .get("/finance/recharge/{id}", Point("finance/recharge/list"), record::view)
        .get("/finance/recharge/history/{id}", Point("finance/recharge/list"), record::history)
        .get("/finance/recharge/receipts/{id}", Point("finance/recharge/audit"), record::receipts)
        .post("/finance/recharge", Point("finance/recharge/create"), record::create)
        .put("/finance/recharge/cancel", Point("finance/recharge/create"), record::cancel)
        .put("/finance/recharge/audit", Point("finance/recharge/audit"), record::decide)
        .put("/finance/recharge/reverse", Point("finance/recharge/audit"), record::ask_reversal)
        .put("/finance/recharge/reverse/withdraw", Point("finance/recharge/audit"), record::withdraw_reversal)
}
