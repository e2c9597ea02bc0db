//! The money of organisations: balances, the ledger through which every change goes, and the recharges, adjustments,
//! invoices and statements that people handle. Calls under `/finance`.

pub mod accounts;
pub mod adjustment;
pub mod invoice;
pub mod low_balance;
mod overview;
pub mod receipt;
pub mod recharge;
pub mod statement;

use crate::ledger::journal;
use frame::api::Access::Point;
use frame::api::Calls;
use frame::api::open_work::OpenWork;
use frame::api::search::Search;

pub use accounts::{held_if_low, unusual};
pub use invoice::warn_of_over_invoiced;
pub use low_balance::warn as warn_of_low_balances;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .get("/finance/overview", Point("finance/account/list"), overview::view)
        .and(accounts::calls())
        .and(journal::calls())
        .and(recharge::calls())
        .and(receipt::calls())
        .and(adjustment::calls())
        .and(statement::calls())
        .and(invoice::calls())
}

/// The viewer's open work, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    recharge::open_work(work);
    adjustment::open_work(work);
    invoice::open_work(work);
    statement::open_work(work);
}

/// Finds records of money by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    recharge::search(search).await?;
    receipt::search(search).await?;
    invoice::search(search).await?;
    adjustment::search(search).await
}
