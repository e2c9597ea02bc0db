//! The background work of official accounts: messages are sent, pictures are fetched. Several nodes may do it at once.

use std::sync::Arc;
use std::time::Duration;

use futures_util::stream::{self, StreamExt};
use tokio_util::sync::CancellationToken;

use super::{media, outgoing};
use crate::api::{App, Result};
use crate::chat::codes::{DeliveryReason, DeliveryState};

/// How often something may be due.
const EVERY: Duration = Duration::from_secs(2);
/// Messages and pictures of one round, and how many at the same moment.
const MOST: i64 = 100;
const AT_ONCE: usize = 8;

/// Works until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    loop {
        match sweep(&app).await {
            // There may be more, or the next message of a customer.
            Ok(true) => {}
            Ok(false) => tokio::select! {
                () = stop.cancelled() => {}
                () = app.chat.deliveries.notified() => {}
                () = tokio::time::sleep(EVERY) => {}
            },
            Err(error) => {
                tracing::error!(?error, "chat: a round of WeChat's messages failed");
                tokio::time::sleep(EVERY).await;
            }
        }
        if stop.is_cancelled() {
            return;
        }
    }
}

/// One round; tells whether there was something to do.
pub async fn sweep(app: &App) -> Result<bool> {
    for id in outgoing::interrupted(app, MOST).await? {
        outgoing::end(app, id, DeliveryState::Unknown, Some(DeliveryReason::Interrupted), "").await?;
    }
    let (messages, pictures) = tokio::join!(messages(app), pictures(app));
    Ok(messages? + pictures? > 0)
}

async fn messages(app: &App) -> Result<usize> {
    let due = outgoing::due(app, MOST).await?;
    let found = due.len();
    stream::iter(due).for_each_concurrent(AT_ONCE, |id| async move { report("a message", id, outgoing::deliver(app, id).await) }).await;
    Ok(found)
}

async fn pictures(app: &App) -> Result<usize> {
    let due = media::due(app, MOST).await?;
    let found = due.len();
    stream::iter(due).for_each_concurrent(AT_ONCE, |id| async move { report("a picture", id, media::fetch(app, id).await) }).await;
    Ok(found)
}

/// One that fails keeps none of the others from being worked on.
fn report(what: &str, id: i64, outcome: Result<()>) {
    if let Err(error) = outcome {
        tracing::warn!(what, id, ?error, "chat: it is tried again");
    }
}
