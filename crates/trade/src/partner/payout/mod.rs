//! Payouts to partners: of a confirmed statement, in full or in part, requested by one person, approved by another,
//! and paid by bank transfer, which the bank may send back. Calls under `/partner/payout`.

mod list;
pub mod model;
mod notices;
mod record;
pub mod store;

use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub use list::figures;
pub use record::PROOF;
pub use record::{matter, number, payment_of, post, post_failed, return_of};

/// The calls of payouts.
pub fn calls() -> Calls {
    Calls::new()
        .list("/partner/payout/page", Point("finance/partner/list"), listing::page::<list::Payouts>)
        .list("/partner/payout/page/export", Point("finance/partner/export"), listing::export::<list::Payouts>)
        .get("/partner/payout/{id}", Point("finance/partner/list"), record::view)
        .get("/partner/payout/history/{id}", Point("finance/partner/list"), record::history)
        .get("/partner/payout/statement/{id}", Point("finance/partner/list"), record::of_statement)
        .post("/partner/payout", Point("finance/partner/pay"), record::create)
        .post("/partner/payout/opening", Point("finance/partner/pay"), record::open)
        .put("/partner/payout/audit", Point("finance/partner/audit"), record::decide)
        .put("/partner/payout/withdraw", Point("finance/partner/pay"), record::withdraw)
        .put("/partner/payout/paid", Point("finance/partner/pay"), record::paid)
        .put("/partner/payout/failed", Point("finance/partner/pay"), record::failed)
        .put("/partner/payout/returned", Point("finance/partner/audit"), record::returned)
}
