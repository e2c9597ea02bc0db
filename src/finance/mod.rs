//! The money of organisations: what their accounts hold, the ledger by which alone it changes, and the recharges, adjustments,
//! invoices and statements that people work on. Calls under `/finance`.

pub mod account;
pub(crate) mod accounts;
pub(crate) mod adjustment;
mod chain;
pub mod head;
pub(crate) mod incoming;
pub(crate) mod invoice;
pub mod journal;
pub mod ledger;
pub(crate) mod outgoing;
mod overview;
pub(crate) mod proofs;
pub(crate) mod recharge;
pub(crate) mod statement;
pub mod verify;

use crate::api::Access::Point;
use crate::api::figure::Figure;
use crate::api::{self, Calls, Ctx};

pub use adjustment::PROOF as ADJUSTMENT_PROOF;
pub use chain::ends as chain_ends;
pub use chain::seal::make as seal_ledger;
pub use invoice::FILE as INVOICE_FILE;
pub use invoice::invoiceable::payee_changed;
pub use invoice::warn_of_over_invoiced;
pub use recharge::PROOF as RECHARGE_PROOF;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .get("/finance/overview", Point("finance/account/list"), overview::view)
        .and(accounts::calls())
        .and(journal::calls())
        .and(recharge::calls())
        .and(adjustment::calls())
        .and(statement::calls())
        .and(invoice::calls())
}

/// What waits for the viewer, for the workplace.
pub async fn work(cx: &Ctx) -> api::Result<Vec<Figure>> {
    let mut figures = recharge::work(cx).await?;
    figures.extend(adjustment::work(cx).await?);
    figures.extend(invoice::work(cx).await?);
    figures.extend(statement::work(cx).await?);
    Ok(figures)
}
