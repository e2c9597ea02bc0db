//! The background work of the chat: conversations whose staff are offline or disabled are queued, queued ones are assigned,
//! snoozed ones come back, idle ones are closed, and old events are deleted. Several nodes may do it at once.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use serde_json::json;
use sqlx::Row;
use tokio_util::sync::CancellationToken;

use super::codes::ConversationStatus;
use super::conversation::change::{self, RequeueReason};
use super::conversation::store::{self, Held};
use super::conversation::write;
use super::{assign, feed};
use crate::Feed;
use base::clock::{DAY, MINUTE};
use base::db::{self, Sql};
use frame::api::App;
use frame::setting;

/// How often a round begins.
const EVERY: Duration = Duration::from_secs(2);
/// Conversations of a kind in one round.
const MOST: i64 = 200;
/// How long events are kept: a page that was away for longer is loaded again.
const EVENTS_KEPT: i64 = 2 * DAY;
/// Events that are deleted in one round.
const DELETED: i64 = 2000;

/// Works until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    let feed = app.service::<Feed>();
    loop {
        if let Err(error) = sweep(&app).await {
            tracing::error!(%error, "chat: a round of work failed");
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = feed.work.notified() => {}
            () = tokio::time::sleep(EVERY) => {}
        }
    }
}

/// One round.
pub async fn sweep(app: &App) -> Result<(), sqlx::Error> {
    requeue_unattended(app).await?;
    wake_snoozed(app).await?;
    assign::work_off(app).await?;
    close_idle(app).await?;
    delete_old_events(app).await
}

/// Queues the conversations of a member of the staff whose account was just disabled. The worker does the rest.
pub async fn requeue_now(app: &App) {
    if let Err(error) = requeue_unattended(app).await {
        tracing::error!(%error, "chat: conversations could not be queued; the worker tries again");
    }
    app.service::<Feed>().work.notify_one();
}

/// Gives conversations back to the queues of their groups: all open and snoozed ones of staff who are disabled, and those
/// in which the customer waits for staff who are offline for longer than the setting.
async fn requeue_unattended(app: &App) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    let before = now - app.settings.get(&app.db, &setting::CHAT_OFFLINE_MINUTES).await? * MINUTE;
    let mut sql = unattended(before);
    sql.push(" ORDER BY CASE s.status WHEN 'enabled' THEN 1 ELSE 0 END, c.last_message_at, c.id LIMIT ").bind(MOST);
    for row in sql.fetch_all(app.db.read()).await? {
        requeue_if_unattended(app, row.try_get("id")?, before, now).await?;
    }
    Ok(())
}

/// Selects the conversations to be queued. Staff count as offline since their page was last seen, or since they chose
/// to be offline. Staff who chose to be offline but whose page is still open may finish their conversations: such a
/// conversation is queued only if its customer has also waited that long.
fn unattended(before: i64) -> Sql {
    let mut sql = Sql::new(
        "SELECT c.id, CASE WHEN s.status = 'enabled' AND s.deleted_at IS NULL THEN 'offline' ELSE 'disabled' END AS reason \
         FROM chat_staff s JOIN chat_conversation c ON c.staff_id = s.id AND c.status IN ('open', 'snoozed') \
         WHERE (s.status <> 'enabled' OR s.deleted_at IS NOT NULL OR (c.status = 'open' AND c.waiting_since IS NOT NULL \
           AND (COALESCE(s.last_seen_at, s.created_at) <= ",
    );
    sql.bind(before).push(" OR (s.presence = 'offline' AND s.offline_at <= ").bind(before);
    sql.push(" AND c.waiting_since <= ").bind(before).push("))))");
    sql
}

async fn requeue_if_unattended(app: &App, id: i64, before: i64, now: i64) -> Result<(), sqlx::Error> {
    let db = &app.db;
    feed::transact(app, db, now, move |mut tx, events| {
        async move {
            let Some(mut held) = store::hold(&mut tx, id).await? else { return Ok(()) };
            // It may have been answered, handed over or closed meanwhile.
            let mut sql = unattended(before);
            sql.and("c.id = ", Some(id));
            let Some(row) = sql.fetch_optional(&mut **tx).await? else { return Ok(()) };
            let reason: RequeueReason = db::code(&row, "reason")?;
            change::requeue(db, &mut tx, &mut held, reason, events, now).await
        }
        .boxed()
    })
    .await
}

async fn wake_snoozed(app: &App) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    let mut sql = Sql::new("SELECT c.id FROM chat_conversation c WHERE c.status = 'snoozed' AND c.snoozed_until <= ");
    sql.bind(now).push(" ORDER BY c.snoozed_until LIMIT ").bind(MOST);
    for row in sql.fetch_all(app.db.read()).await? {
        let wakes = |held: &Held| held.status == ConversationStatus::Snoozed;
        each(app, row.try_get("id")?, wakes, Step::Wake).await?;
    }
    Ok(())
}

/// Closes conversations without messages or changes for the idle time of their group, unless the customer waits for an
/// answer.
async fn close_idle(app: &App) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    let mut sql = Sql::new(
        "SELECT c.id FROM chat_group g JOIN chat_conversation c ON c.group_id = g.id AND c.status = 'open' WHERE g.idle_minutes > 0 \
         AND c.waiting_since IS NULL AND c.last_message_at <= ",
    );
    sql.bind(now)
        .push(" - g.idle_minutes * 60000 AND c.updated_at <= ")
        .bind(now)
        .push(" - g.idle_minutes * 60000 ORDER BY c.last_message_at LIMIT ")
        .bind(MOST);
    for row in sql.fetch_all(app.db.read()).await? {
        each(app, row.try_get("id")?, |held| held.status == ConversationStatus::Open, Step::Close).await?;
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Step {
    Wake,
    Close,
}

/// Does a step with a conversation, if it is still due.
async fn each(app: &App, id: i64, is_due: fn(&Held) -> bool, step: Step) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            let Some(mut held) = store::hold(&mut tx, id).await?.filter(is_due) else { return Ok(()) };
            match step {
                Step::Wake => {
                    // It may have been put off again meanwhile.
                    let woken = sqlx::query(
                        "UPDATE chat_conversation SET status = 'open', snoozed_until = NULL, version = version + 1, updated_at = $1 \
                         WHERE id = $2 AND snoozed_until <= $3",
                    )
                    .bind(now)
                    .bind(id)
                    .bind(now)
                    .execute(&mut **tx)
                    .await?;
                    if woken.rows_affected() == 0 {
                        return Ok(());
                    }
                    held.status = ConversationStatus::Open;
                    write::system(&mut tx, &held, &json!({"event": "woken"}), events, now).await?;
                }
                Step::Close => {
                    // A message may have come meanwhile.
                    let waits = sqlx::query(
                        "SELECT c.id FROM chat_conversation c JOIN chat_group g ON g.id = c.group_id WHERE c.id = $1 AND c.waiting_since IS NULL \
                         AND c.last_message_at <= $2 - g.idle_minutes * 60000 AND c.updated_at <= $3 - g.idle_minutes * 60000",
                    )
                    .bind(id)
                    .bind(now)
                    .bind(now)
                    .fetch_optional(&mut **tx)
                    .await?;
                    if waits.is_none() {
                        return Ok(());
                    }
                    change::end(&mut tx, &mut held, None, now).await?;
                    write::system(&mut tx, &held, &json!({"event": "idle"}), events, now).await?;
                }
            }
            events.push(write::changed(&held));
            Ok(())
        }
        .boxed()
    })
    .await
}

async fn delete_old_events(app: &App) -> Result<(), sqlx::Error> {
    let before = app.clock.now() - EVENTS_KEPT;
    // The last event stays: its number is that of the feed.
    let last: Option<i64> = sqlx::query_scalar(
        "SELECT MAX(number) FROM (SELECT e.number FROM chat_event e WHERE e.at < $1 AND e.number < (SELECT number FROM chat_feed) \
         ORDER BY e.number LIMIT $2) AS old",
    )
    .bind(before)
    .bind(DELETED)
    .fetch_one(app.db.read())
    .await?;
    let Some(last) = last else { return Ok(()) };
    app.db
        .transact(|mut tx| {
            async move { sqlx::query("DELETE FROM chat_event WHERE number <= $1").bind(last).execute(&mut **tx).await.map(drop) }.boxed()
        })
        .await
}
