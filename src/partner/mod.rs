//! Partners: what channels are owed, month by month, and what is paid to them. Calls under `/partner`.

pub(crate) mod payout;
pub(crate) mod statement;

use crate::api::figure::Figure;
use crate::api::{self, Calls, Ctx};

pub use payout::PROOF as PAYOUT_PROOF;
pub use statement::pages;
pub use statement::{make_monthly, work as work_on_statements};

/// The calls of this area.
pub fn calls() -> Calls {
    statement::calls().and(payout::calls())
}

/// What waits for the viewer, for the workplace.
pub async fn work(cx: &Ctx) -> api::Result<Vec<Figure>> {
    let mut figures = statement::figures(cx).await?;
    figures.extend(payout::figures(cx).await?);
    Ok(figures)
}
