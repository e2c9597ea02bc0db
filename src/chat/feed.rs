//! The numbered feed of events in conversations. Events are numbered in the order in which their transactions commit, so a
//! reader that continues after a number misses no event and reads none twice. A node that has written wakes its waiting
//! readers; other nodes are woken by PostgreSQL's NOTIFY and, where that is lost, check the number once a second.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use sqlx::postgres::PgListener;
use tokio::sync::{Notify, Semaphore, watch};
use tokio_util::sync::CancellationToken;

use crate::api::App;
use crate::db::{Connection, Db, Engine, Sql, Try};

/// How often the number is checked while readers wait.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// The channel of the notifications.
const CHANNEL: &str = "leadlane_chat";

/// Files of visitors that one node receives at the same time.
const UPLOADS: usize = 16;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum EventKind {
    /// A message was written or recalled.
    Message,
    /// A conversation began, changed hands or status, or was read.
    Conversation,
}

/// An event to be written. `group_id` and `staff_id` say whose conversation it was at that moment.
#[derive(Clone, Copy, Debug)]
pub struct NewEvent {
    /// Whether its message waits to be sent by WeChat; this is not stored.
    pub goes_out: bool,
    pub kind: EventKind,
    pub conversation_id: i64,
    pub message_id: Option<i64>,
    pub group_id: i64,
    pub staff_id: Option<i64>,
}

/// Wakes readers of the feed in this process, and the work on conversations.
pub struct Feed {
    turns: watch::Sender<u64>,
    /// Wakes the work: a conversation may be assigned.
    pub work: Notify,
    /// Wakes the deliveries: a message goes out by WeChat.
    pub deliveries: Notify,
    /// Files of visitors that are received at the same time.
    pub uploads: Semaphore,
    closing: CancellationToken,
}

impl Default for Feed {
    fn default() -> Feed {
        Feed {
            turns: watch::Sender::new(0),
            work: Notify::new(),
            deliveries: Notify::new(),
            uploads: Semaphore::new(UPLOADS),
            closing: CancellationToken::new(),
        }
    }
}

impl Feed {
    /// Wakes all who wait for events.
    pub fn wake(&self) {
        self.turns.send_modify(|turn| *turn = turn.wrapping_add(1));
    }

    /// Becomes ready when something may have happened since it was subscribed or last marked as seen.
    pub fn subscribe(&self) -> watch::Receiver<u64> {
        self.turns.subscribe()
    }

    /// Cancelled when the process stops: waits end with what there is.
    pub fn closing(&self) -> &CancellationToken {
        &self.closing
    }
}

/// Does work on conversations in a transaction, publishes the events that it collects, and wakes the readers of this node,
/// and the deliveries where a message goes out.
/// `db` is the database as the request writes to it. See [`Db::transact`].
pub async fn transact<'env, T: Send, E: From<sqlx::Error> + Send>(
    app: &'env App,
    db: &'env Db,
    now: i64,
    work: impl for<'t> Fn(Try<'t, 'env>, &'t mut Vec<NewEvent>) -> BoxFuture<'t, Result<T, E>> + Copy + Send + Sync + 'env,
) -> Result<T, E> {
    let (done, goes_out) = db
        .transact(move |mut tx| {
            async move {
                let mut events = Vec::new();
                let done = work(tx.lend(), &mut events).await?;
                publish(db, &mut tx, &events, now).await?;
                Ok::<_, E>((done, events.iter().any(|event| event.goes_out)))
            }
            .boxed()
        })
        .await?;
    app.chat.wake();
    if goes_out {
        app.chat.deliveries.notify_one();
    }
    Ok(done)
}

/// Writes events as the last statements of a transaction: the row of the number is held until it commits.
async fn publish(db: &Db, tx: &mut Connection, events: &[NewEvent], now: i64) -> Result<(), sqlx::Error> {
    if events.is_empty() {
        return Ok(());
    }
    let last: i64 = sqlx::query_scalar("UPDATE chat_feed SET number = number + $1 WHERE id = 1 RETURNING number")
        .bind(events.len() as i64)
        .fetch_one(&mut *tx)
        .await?;
    for (event, number) in events.iter().zip(last - events.len() as i64 + 1..) {
        let mut sql = Sql::new("INSERT INTO chat_event (number, kind, conversation_id, message_id, group_id, staff_id, at) VALUES (");
        sql.bind(number).then(<&str>::from(event.kind)).then(event.conversation_id).then(event.message_id).then(event.group_id);
        sql.then(event.staff_id).then(now).push(")");
        sql.execute(&mut *tx).await?;
    }
    if db.engine() == Engine::Postgres {
        sqlx::query("NOTIFY leadlane_chat").execute(tx).await?;
    }
    Ok(())
}

/// The number of the last event.
pub async fn number(db: &Db) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT number FROM chat_feed WHERE id = 1").fetch_one(db.read()).await
}

/// Wakes readers of what other nodes have written, until the program stops.
pub async fn listen(app: Arc<App>, stop: CancellationToken) {
    let feed = app.chat.clone();
    tokio::select! {
        () = stop.cancelled() => {}
        () = notifications(&app), if app.db.engine() == Engine::Postgres => {}
        () = check(&app) => {}
    }
    feed.closing.cancel();
    feed.wake();
}

/// Follows the notifications of PostgreSQL, and connects again after a lost connection.
async fn notifications(app: &App) {
    loop {
        match PgListener::connect(&app.config.database_url).await {
            Ok(mut listener) => match listener.listen(CHANNEL).await {
                Ok(()) => {
                    while let Ok(received) = listener.try_recv().await {
                        // None where the connection was lost meanwhile: something may have been missed.
                        let _ = received;
                        app.chat.wake();
                    }
                }
                Err(error) => tracing::warn!(%error, "chat: notifications of the database are not received"),
            },
            Err(error) => tracing::warn!(%error, "chat: notifications of the database are not received"),
        }
        tokio::time::sleep(CHECK_EVERY).await;
    }
}

/// Checks the number while readers wait.
async fn check(app: &App) {
    let mut known = 0;
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        if app.chat.turns.receiver_count() == 0 {
            continue;
        }
        match number(&app.db).await {
            Ok(number) if number != known => {
                known = number;
                app.chat.wake();
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "chat: the number of the feed could not be read"),
        }
    }
}
