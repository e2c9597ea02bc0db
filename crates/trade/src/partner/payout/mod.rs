//! Payouts to partners: of a confirmed statement, in full or in part, requested by one person, approved by another,
//! and paid by bank transfer, which the bank may send back. Calls under `/partner/payout`.

mod list;
pub mod model;
mod notices;
mod payment;
mod record;
mod request;
pub mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::{open_work, search};
pub use payment::{payment_of, post, post_failed, return_of};
pub use record::{matter, number};

/// The calls of payouts.
pub fn calls() -> Calls {
    Calls::new()
        .files_of(&record::PROOF)
        .list("/partner/payout/page", Point("finance/partner/list"), listing::page::<list::Payouts>)
        .list("/partner/payout/page/export", Point("finance/partner/export"), listing::export::<list::Payouts>)
        .get("/partner/payout/reviewers", Point("finance/partner/pay"), list::reviewers)
        .get("/partner/payout/{id}", Point("finance/partner/list"), record::view)
        .get("/partner/payout/history/{id}", Point("finance/partner/list"), record::history)
        .get("/partner/payout/statement/{id}", Point("finance/partner/list"), record::of_statement)
        .post("/partner/payout", Point("finance/partner/pay"), request::create)
        .post("/partner/payout/opening", Point("finance/partner/pay"), request::open)
        .put("/partner/payout/audit", Point("finance/partner/audit"), record::decide)
        .put("/partner/payout/withdraw", Point("finance/partner/pay"), record::withdraw)
        .put("/partner/payout/paid", Point("finance/partner/pay"), payment::paid)
        .put("/partner/payout/failed", Point("finance/partner/pay"), payment::failed)
        .put("/partner/payout/returned", Point("finance/partner/audit"), payment::returned)
}
