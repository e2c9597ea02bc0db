//! News of a thread, for an open page: waiting for new messages, and reading earlier ones.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, Response, header};
use axum::response::IntoResponse;
use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use tokio::time::Instant;

use super::answers::failed;
use super::keys::{Visitor, group_by_id, last_of, open_thread};
use super::page::{Line, SHOWN, lines, locale_of, state_of};
use crate::Feed;
use crate::codes::ConversationStatus;
use crate::conversation::store::{self, Stretch};
use crate::conversation::write;
use crate::feed;
use crate::waiting::Who;
use base::locale::Locale;
use base::rate_limits::{Asker, Rate};
use frame::api::ctx::RequestInfo;
use frame::api::{ApiError, App, Result, say};
use frame::meter::Waited;

/// How often a visitor's page may read.
const READINGS: Rate = Rate { burst: 60, minute: 120 };
/// How long a poll waits for news; the most polls of one visitor that wait at the same time.
const WAIT: Duration = Duration::from_secs(20);
const MOST_WAITS: usize = 3;

/// The position of a page, and how far its visitor has read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct VisitQuery {
    pub(super) after: i64,
    pub(super) event: i64,
    pub(super) seen: i64,
}

/// The message before which earlier ones are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct PastQuery {
    pub(super) before: Option<i64>,
}

/// The news for a page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct News {
    pub(super) lines: Vec<Line>,
    /// The last message that was read for it, also where that was recalled.
    pub(super) last: i64,
    /// Messages that were recalled.
    pub(super) recalled: Vec<i64>,
    pub(super) state: String,
    pub(super) asks_rating: bool,
    /// The last message that staff have read.
    pub(super) read: i64,
    pub(super) event: i64,
    /// Whether newer windows of this visitor use all polls: this window tries again when it is visible.
    pub(super) ended: bool,
}

/// Earlier messages.
#[derive(Debug, Serialize)]
pub(super) struct Past {
    pub(super) lines: Vec<Line>,
    /// The message to continue before, if there are still earlier ones.
    pub(super) earlier: Option<i64>,
}

/// The result of a message from the page's script.
#[derive(Debug, Serialize)]
pub(super) struct Sent {
    pub(super) error: Option<String>,
    /// The number of the next message.
    pub(super) number: Option<String>,
}

/// `GET /talk/{group}/events`: what is new after a message and an event, as soon as there is something.
pub(super) async fn events(
    State(app): State<Arc<App>>,
    Path(page): Path<String>,
    Query(query): Query<VisitQuery>,
    info: axum::Extension<RequestInfo>,
    headers: HeaderMap,
) -> Response<Body> {
    let locale = locale_of(&info);
    let found = async {
        let visitor = open_thread(&app, &info, &headers, &page).await?;
        news(&app, &page, &visitor, &query, locale).await
    };
    match found.await {
        Ok(news) => ([(header::CACHE_CONTROL, "no-store")], axum::Extension(Waited), Json(news)).into_response(),
        Err(error) => failed(&error, locale, true),
    }
}

pub(super) async fn news(app: &App, page: &str, visitor: &Visitor, query: &VisitQuery, locale: Locale) -> Result<News> {
    app.limits
        .take(Asker::Visitor(format!("read {}", visitor.id)), READINGS, app.clock.now())
        .map_err(|retry_after| ApiError::TooMany { retry_after })?;
    let until = Instant::now() + WAIT;
    let place = app.service::<Feed>().waiting.enter(Who::Visitor(visitor.id), MOST_WAITS);
    if query.seen > 0 {
        mark_read(app, visitor.id, query.seen).await?;
    }
    let mut since = query.event;
    loop {
        let event = feed::number(&app.db).await?;
        if since > event {
            return Err(ApiError::field("event", say("事件编号不存在", "There is no such event number")));
        }
        let happened: i64 = sqlx::query_scalar(
            "SELECT COUNT(*) FROM chat_event e JOIN chat_conversation c ON c.id = e.conversation_id WHERE c.customer_id = $1 AND e.number > $2 AND e.number <= $3",
        )
        .bind(visitor.id)
        .bind(since)
        .bind(event)
        .fetch_one(app.db.read())
        .await?;
        let ended = place.is_ended();
        if happened > 0 || ended || Instant::now() >= until || app.service::<Feed>().closing().is_cancelled() {
            let last = last_of(app, visitor.id).await?;
            let group = group_by_id(app, last.held.group_id).await?;
            let is_open = group.hours.as_ref().is_none_or(|hours| hours.is_open(app.clock.now()));
            let stretch = if query.after > 0 { Stretch::After(query.after) } else { Stretch::Last };
            let (messages, has_more) = store::customer_messages(app.db.read(), &app.keys, visitor.id, stretch, SHOWN).await?;
            let recalled = recalled_after(app, visitor.id, query.event).await?;
            let last_id = messages.last().map_or(query.after, |message| message.id);
            return Ok(News {
                last: last_id,
                lines: lines(page, messages, locale),
                recalled,
                state: state_of(&last, is_open, locale),
                asks_rating: last.held.status == ConversationStatus::Resolved && last.rating.is_none(),
                read: last.staff_read_id,
                // If one answer does not hold all new messages, the event stays, so that the page requests the rest at
                // once.
                event: if has_more && query.after > 0 { query.event } else { event },
                ended,
            });
        }
        since = event;
        let feed = app.service::<Feed>();
        tokio::select! {
            () = place.woken() => {}
            () = place.ended() => {}
            () = tokio::time::sleep_until(until) => {}
            () = feed.closing().cancelled() => {}
        }
    }
}

/// `GET /talk/{group}/earlier`: the last messages before one.
pub(super) async fn earlier(
    State(app): State<Arc<App>>,
    Path(page): Path<String>,
    Query(query): Query<PastQuery>,
    info: axum::Extension<RequestInfo>,
    headers: HeaderMap,
) -> Response<Body> {
    let locale = locale_of(&info);
    let found = async {
        let visitor = open_thread(&app, &info, &headers, &page).await?;
        app.limits
            .take(Asker::Visitor(format!("read {}", visitor.id)), READINGS, app.clock.now())
            .map_err(|retry_after| ApiError::TooMany { retry_after })?;
        let stretch = query.before.map_or(Stretch::Last, Stretch::Before);
        let (messages, has_more) = store::customer_messages(app.db.read(), &app.keys, visitor.id, stretch, SHOWN).await?;
        let earlier = messages.first().filter(|_| has_more).map(|message| message.id);
        Ok::<_, ApiError>(Past { lines: lines(&page, messages, locale), earlier })
    };
    match found.await {
        Ok(past) => ([(header::CACHE_CONTROL, "no-store")], Json(past)).into_response(),
        Err(error) => failed(&error, locale, true),
    }
}

/// The messages of a customer that were recalled after an event.
pub(super) async fn recalled_after(app: &App, customer_id: i64, event: i64) -> Result<Vec<i64>> {
    let rows = sqlx::query(
        "SELECT DISTINCT m.id FROM chat_event e JOIN chat_conversation c ON c.id = e.conversation_id JOIN chat_message m ON m.id = e.message_id \
         WHERE c.customer_id = $1 AND e.number > $2 AND m.recalled_at IS NOT NULL AND m.direction = 'out' ORDER BY m.id LIMIT 100",
    )
    .bind(customer_id)
    .bind(event)
    .fetch_all(app.db.read())
    .await?;
    Ok(rows.iter().map(|row| row.try_get("id")).collect::<std::result::Result<_, sqlx::Error>>()?)
}

/// Records how far the visitor has read, which staff see.
pub(super) async fn mark_read(app: &App, customer_id: i64, message_id: i64) -> Result<()> {
    let now = app.clock.now();
    let unread = sqlx::query(
        "SELECT c.id FROM chat_conversation c JOIN chat_message m ON m.conversation_id = c.id AND m.id = $1 WHERE c.customer_id = $2 AND c.customer_read_id < $3",
    )
    .bind(message_id)
    .bind(customer_id)
    .bind(message_id)
    .fetch_optional(app.db.read())
    .await?;
    let Some(row) = unread else { return Ok(()) };
    let id: i64 = row.try_get("id")?;
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            let Some(held) = store::hold(&mut tx, id).await? else { return Ok(()) };
            sqlx::query("UPDATE chat_conversation SET customer_read_id = $1 WHERE id = $2 AND customer_read_id < $3")
                .bind(message_id)
                .bind(id)
                .bind(message_id)
                .execute(&mut **tx)
                .await?;
            events.push(write::changed(&held));
            Ok(())
        }
        .boxed()
    })
    .await
}
