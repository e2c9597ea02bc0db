//! Payments: payee channels, payment orders, refunds, reports of providers, reconciliation and the pool of links.
//!
//! Not here: payees (`trade::org::payee`), accounts of organisations (`trade::ledger`), receipts and recharges
//! (`trade::finance`), payouts to channels (`trade::partner`). Used by the router (`server`) and the demo.
//!
//! Calls under `/payChannel`, `/payOrder`, `/payRefund`, `/payException`, `/payReport`, `/payPool`, `/payStatement` and
//! `/payDifference`; payers' pages under `/pay`.

pub mod channel;
mod exception;
pub mod link;
mod notice;
pub mod order;
mod page;
pub mod provider;
pub mod refund;
pub mod statement;
mod stuck;
mod watch;

use std::sync::Arc;

use serde::Serialize;

use frame::access::Scope;
use frame::api::open_work::OpenWork;
use frame::api::search::Search;
use frame::api::{self, Calls, Ctx, Nothing};
use frame::workers::Workers;

pub use channel::warn_of_expiry;
pub use exception::ExceptionKind;
pub use page::pages;
pub use watch::sweep;

/// The calls of this area.
pub fn calls() -> Calls {
    Calls::new()
        .post("/open/pay/notify", api::Access::Open, notice::receive)
        .get("/payOrder/open", api::Access::AnyPoint(&["payConfig/order-list/list", "finance/account/list"]), open)
        .and(channel::calls())
        .and(order::calls())
        .and(refund::calls())
        .and(exception::calls())
        .and(link::calls())
        .and(statement::calls())
        .and(stuck::calls())
}

/// Starts the workers of this area.
pub fn start_workers(workers: &mut Workers) {
    workers.start(watch::work);
}

/// The viewer's open work, for the workplace.
pub fn open_work(work: &mut OpenWork<'_>) {
    order::open_work(work);
    refund::open_work(work);
    exception::open_work(work);
    stuck::open_work(work);
    statement::open_work(work);
    channel::open_work(work);
    link::open_work(work);
}

/// Finds orders, refunds, exceptions and payee channels, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> api::Result<()> {
    order::search(search).await?;
    refund::search(search).await?;
    exception::search(search).await?;
    channel::search(search).await
}

/// Open work on payments.
#[derive(Clone, Copy, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaymentsOpen {
    /// Fen of orders that wait to be paid.
    pub due_cents: i64,
    /// None for an organisation's people.
    pub exceptions: Option<i64>,
    pub differences: Option<i64>,
}

/// `GET /payOrder/open`: the open work on payments within the viewer's scope; none for viewers who see no orders.
async fn open(cx: Arc<Ctx>, _: Nothing) -> api::Result<Option<PaymentsOpen>> {
    let viewer = cx.viewer()?;
    if !viewer.has("payConfig/order-list/list") {
        return Ok(None);
    }
    let (db, scope) = (cx.db().read(), viewer.scope());
    let due_cents = order::store::due_cents(db, scope).await?;
    let (exceptions, differences) = match scope {
        Scope::All => (Some(exception::open(db).await?), Some(statement::open(db).await?)),
        _ => (None, None),
    };
    Ok(Some(PaymentsOpen { due_cents, exceptions, differences }))
}

/// The address for providers' reports; none without a public address.
fn notify_url(site: &str) -> Option<String> {
    (!site.is_empty()).then(|| format!("{}/api/open/pay/notify", site.trim_end_matches('/')))
}
