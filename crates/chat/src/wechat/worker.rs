//! The background work of official accounts: sends messages and fetches pictures, several at the same time, so that a
//! call that hangs does not delay the others. Several nodes may do it at once.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use super::{delivery, media};
use crate::Feed;
use frame::api::{App, Result};

/// How often something may be due, and the pause after a failure.
const EVERY: Duration = Duration::from_secs(2);
/// Messages, and pictures, that are worked on at the same moment.
const AT_ONCE: usize = 8;
/// Interrupted messages that one round marks.
const MOST: i64 = 100;

/// What is worked on.
#[derive(Clone, Copy, Debug)]
enum Work {
    Messages,
    Pictures,
}

impl Work {
    async fn due(self, app: &App, limit: i64) -> Result<Vec<i64>> {
        match self {
            Work::Messages => {
                delivery::mark_interrupted(app, MOST).await?;
                delivery::due(app, limit).await
            }
            Work::Pictures => media::due(app, limit).await,
        }
    }

    /// Handles one item. Returns whether it was still due.
    async fn on(self, app: &App, id: i64) -> Result<bool> {
        match self {
            Work::Messages => delivery::deliver(app, id).await,
            Work::Pictures => media::fetch(app, id).await,
        }
    }
}

/// Works until the program stops, and then finishes what has begun.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    tokio::join!(run(&app, &stop, Work::Messages), run(&app, &stop, Work::Pictures));
}

async fn run(app: &Arc<App>, stop: &CancellationToken, work: Work) {
    let mut tasks = JoinSet::new();
    let mut taken: HashSet<i64> = HashSet::new();
    while !stop.is_cancelled() {
        let mut pause = match work.due(app, (AT_ONCE * 2) as i64).await {
            Ok(due) => {
                let free = AT_ONCE - taken.len();
                for id in due.into_iter().filter(|id| !taken.contains(id)).take(free).collect::<Vec<_>>() {
                    taken.insert(id);
                    let app = app.clone();
                    tasks.spawn(async move { (id, work.on(&app, id).await) });
                }
                false
            }
            Err(error) => {
                tracing::error!(?work, ?error, "chat: what is due by WeChat could not be read");
                true
            }
        };
        let feed = app.service::<Feed>();
        tokio::select! {
            () = stop.cancelled() => break,
            Some(ended) = tasks.join_next() => match ended {
                Ok((id, outcome)) => {
                    taken.remove(&id);
                    if let Err(error) = outcome {
                        tracing::warn!(?work, id, ?error, "chat: it is tried again");
                        pause = true;
                    }
                }
                Err(error) => {
                    tracing::error!(?work, %error, "chat: a task of WeChat failed");
                    // It is not known which item failed: all tasks are aborted, and their items are read again when
                    // they are due.
                    taken.clear();
                    tasks.abort_all();
                    pause = true;
                }
            },
            () = feed.deliveries.notified(), if matches!(work, Work::Messages) && taken.len() < AT_ONCE => {}
            () = tokio::time::sleep(EVERY) => {}
        }
        if pause {
            tokio::select! {
                () = stop.cancelled() => break,
                () = tokio::time::sleep(EVERY) => {}
            }
        }
    }
    while tasks.join_next().await.is_some() {}
}

/// One round, one item at a time. Returns whether there was something to do.
pub async fn sweep(app: &App) -> Result<bool> {
    let mut worked = false;
    for work in [Work::Messages, Work::Pictures] {
        for id in work.due(app, MOST).await? {
            worked |= work.on(app, id).await?;
        }
    }
    Ok(worked)
}
