//! The background work of payments: providers are queried about their reports and about open orders and refunds,
//! expired links are retired, and people are warned of certificates that end. Several nodes may do it at once.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

use super::{channel, link, notice, order, refund};
use frame::api::{ApiError, App};

/// How often due work is looked for.
const EVERY: Duration = Duration::from_secs(2);
/// Sweeps after which links and certificates are checked: about ten minutes.
const RARELY: u64 = 300;
/// Orders, refunds and reports in one sweep, and how many at the same moment.
const MOST: i64 = 100;
const AT_ONCE: usize = 8;

/// Watches until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let mut sweeps: u64 = 0;
    loop {
        if let Err(error) = sweep(&app).await {
            tracing::error!(?error, "payments: a sweep failed");
        }
        if sweeps.is_multiple_of(RARELY) {
            let now = app.clock.now();
            if let Err(error) = app.db.transact(|mut tx| async move { link::expire(&mut tx, now).await }.boxed()).await {
                tracing::error!(%error, "payments: links whose time is over could not be retired");
            }
            if let Err(error) = channel::warn_of_expiry(&app).await {
                tracing::error!(%error, "payments: warnings of certificates could not be sent");
            }
        }
        sweeps += 1;
        tokio::select! {
            () = stop.cancelled() => return,
            () = app.payments.notified() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// Handles everything that is due: reports, orders and refunds side by side, so that a provider that hangs delays
/// none of the others.
pub async fn sweep(app: &App) -> Result<(), ApiError> {
    let (notices, orders, refunds) = tokio::join!(notices(app), orders(app), refunds(app));
    notices.and(orders).and(refunds)
}

async fn notices(app: &App) -> Result<(), ApiError> {
    let due = notice::new_ones(app, MOST).await?;
    stream::iter(due).for_each_concurrent(AT_ONCE, |id| async move { report("a report", id, notice::work_on(app, id).await) }).await;
    Ok(())
}

async fn orders(app: &App) -> Result<(), ApiError> {
    let due = order::store::due(app.db.read(), app.clock.now(), MOST).await?;
    stream::iter(due).for_each_concurrent(AT_ONCE, |id| async move { report("an order", id, order::watch::look_at(app, id).await) }).await;
    Ok(())
}

async fn refunds(app: &App) -> Result<(), ApiError> {
    let due = refund::store::due(app.db.read(), app.clock.now(), MOST).await?;
    stream::iter(due).for_each_concurrent(AT_ONCE, |id| async move { report("a refund", id, refund::watch::look_at(app, id).await) }).await;
    refund::watch::report_late(app).await
}

/// Logs a failure, which does not stop the others.
fn report(what: &str, id: i64, outcome: Result<(), ApiError>) {
    if let Err(error) = outcome {
        tracing::warn!(what, id, ?error, "payments: it is looked at again");
    }
}
