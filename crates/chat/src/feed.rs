//! The numbered feed of events in conversations. Events are numbered in the order in which their transactions commit,
//! so that a reader who continues after a number misses no event and reads none twice. After a write, a node wakes its
//! own waiting readers who see the conversation. Other nodes get PostgreSQL's NOTIFY, and also check the number once a
//! second in case a notification is lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use sqlx::Row;
use sqlx::postgres::PgListener;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::places::Places;
use super::waiting::{Touched, Waiting};
use base::db::{Connection, Db, Engine, Sql, Try};
use frame::api::App;

/// How often the number is checked while readers wait.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// Up to this many events of other nodes, only the readers concerned are woken; beyond it all are.
const MOST_TOUCHED: i64 = 200;
/// The channel of the notifications.
const CHANNEL: &str = "leadlane_chat";

/// The kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum EventKind {
    /// A message was written or recalled.
    Message,
    /// A conversation began, changed hands or status, or was read.
    Conversation,
}

/// A new event. `group_id` and `staff_id` are those of the conversation at that moment.
#[derive(Clone, Copy, Debug)]
pub struct NewEvent {
    /// Whether its message waits to be sent by WeChat; this is not stored.
    pub goes_out: bool,
    pub kind: EventKind,
    pub conversation_id: i64,
    /// The customer of the conversation; this is not stored.
    pub customer_id: i64,
    pub message_id: Option<i64>,
    pub group_id: i64,
    pub staff_id: Option<i64>,
}

/// Wakes readers of the feed in this process, and the work on conversations.
pub struct Feed {
    /// Callers that wait for events.
    pub(super) waiting: Waiting,
    /// The number of the last event of other nodes that readers were woken for.
    known: AtomicI64,
    /// Wakes the work: a conversation may be assigned.
    pub work: Notify,
    /// Wakes the deliveries: a message goes out by WeChat.
    pub deliveries: Notify,
    /// Files of visitors that are received at the same time.
    pub(super) uploads: Places,
    closing: CancellationToken,
}

impl Default for Feed {
    fn default() -> Feed {
        Feed {
            waiting: Waiting::default(),
            known: AtomicI64::new(0),
            work: Notify::new(),
            deliveries: Notify::new(),
            uploads: Places::default(),
            closing: CancellationToken::new(),
        }
    }
}

impl Feed {
    /// Streams and polls that wait for events.
    pub fn waiting_readers(&self) -> usize {
        self.waiting.len()
    }

    /// Cancelled when the process stops: waits end with what there is.
    pub fn closing(&self) -> &CancellationToken {
        &self.closing
    }
}

/// Runs `work` on conversations in a transaction, publishes the events that it collects, and wakes the readers of this
/// node, and the deliveries if a message goes out. `db` is the database as the request writes to it. See
/// [`Db::transact`].
pub async fn transact<'env, T: Send, E: From<sqlx::Error> + Send>(
    app: &'env App,
    db: &'env Db,
    now: i64,
    work: impl for<'t> Fn(Try<'t, 'env>, &'t mut Vec<NewEvent>) -> BoxFuture<'t, Result<T, E>> + Copy + Send + Sync + 'env,
) -> Result<T, E> {
    let (done, events) = db
        .transact(move |mut tx| {
            async move {
                let mut events = Vec::new();
                let done = work(tx.lend(), &mut events).await?;
                publish(db, &mut tx, &events, now).await?;
                Ok::<_, E>((done, events))
            }
            .boxed()
        })
        .await?;
    let touched = |event: &NewEvent| Touched { customer_id: event.customer_id, group_id: event.group_id, staff_id: event.staff_id };
    app.service::<Feed>().waiting.wake(&events.iter().map(touched).collect::<Vec<_>>());
    if events.iter().any(|event| event.goes_out) {
        app.service::<Feed>().deliveries.notify_one();
    }
    Ok(done)
}

/// Writes events as the last statements of a transaction: the row of the number is locked until it commits.
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
    let feed = app.service::<Feed>();
    tokio::select! {
        () = stop.cancelled() => {}
        () = notifications(&app), if app.db.engine() == Engine::Postgres => {}
        () = check(&app) => {}
    }
    feed.closing.cancel();
}

/// Follows the notifications of PostgreSQL, and connects again after a lost connection.
async fn notifications(app: &App) {
    loop {
        match PgListener::connect(&app.config.database_url).await {
            Ok(mut listener) => match listener.listen(CHANNEL).await {
                Ok(()) => {
                    while let Ok(received) = listener.try_recv().await {
                        // `None` after a lost connection: notifications may have been missed, so readers are woken too.
                        let _ = received;
                        wake_for_others(app).await;
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
    loop {
        tokio::time::sleep(CHECK_EVERY).await;
        if app.service::<Feed>().waiting_readers() > 0 {
            wake_for_others(app).await;
        }
    }
}

/// Wakes the readers who see the conversations of the events since the last call.
async fn wake_for_others(app: &App) {
    if let Err(error) = wake_since(app).await {
        tracing::warn!(%error, "chat: the number of the feed could not be read");
    }
}

async fn wake_since(app: &App) -> Result<(), sqlx::Error> {
    let known = app.service::<Feed>().known.load(Ordering::Relaxed);
    let number = number(&app.db).await?;
    if number == known {
        return Ok(());
    }
    if number < known || number - known > MOST_TOUCHED {
        app.service::<Feed>().waiting.wake_all();
    } else {
        let rows = sqlx::query(
            "SELECT c.customer_id, e.group_id, e.staff_id FROM chat_event e JOIN chat_conversation c ON c.id = e.conversation_id \
             WHERE e.number > $1 AND e.number <= $2",
        )
        .bind(known)
        .bind(number)
        .fetch_all(app.db.read())
        .await?;
        let mut touched = Vec::with_capacity(rows.len());
        for row in &rows {
            let one = Touched {
                customer_id: row.try_get("customer_id")?,
                group_id: row.try_get("group_id")?,
                staff_id: row.try_get("staff_id")?,
            };
            if !touched.contains(&one) {
                touched.push(one);
            }
        }
        app.service::<Feed>().waiting.wake(&touched);
    }
    app.service::<Feed>().known.store(number, Ordering::Relaxed);
    Ok(())
}
