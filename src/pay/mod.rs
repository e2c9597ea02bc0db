//! Payments: the channels by which payees are paid, orders with their refunds, what providers report, and the pool of links.
//! Calls under `/payChannel`, `/payOrder`, `/payRefund`, `/payException` and `/payPool`; payers' pages under `/pay`.

pub(crate) mod channel;
mod exception;
pub(crate) mod link;
mod notice;
pub(crate) mod order;
mod page;
pub mod provider;
pub(crate) mod refund;
mod watch;

use crate::api::figure::Figure;
use crate::api::{self, Calls, Ctx};

pub use channel::warn_of_expiry;
pub use exception::ExceptionKind;
pub use page::pages;
pub use watch::{sweep, work as watch};

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .post("/open/pay/notify", api::Access::Open, notice::receive)
        .and(channel::calls())
        .and(order::calls())
        .and(refund::calls())
        .and(exception::calls())
        .and(link::calls())
}

/// What waits for the viewer, for the workplace.
pub async fn work(cx: &Ctx) -> api::Result<Vec<Figure>> {
    let mut figures = order::work(cx).await?;
    figures.extend(refund::work(cx).await?);
    figures.extend(exception::work(cx).await?);
    Ok(figures)
}

/// Where providers report to; none without a public address.
fn notify_url(site: &str) -> Option<String> {
    (!site.is_empty()).then(|| format!("{}/api/open/pay/notify", site.trim_end_matches('/')))
}
