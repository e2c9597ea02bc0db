//! `GET /chat/events`: the events after a number, as a long poll or, for `Accept: text/event-stream`, as server-sent
//! events. Both continue from any number: after a lost connection, a restart or on another node no event is missing or
//! repeated.

use std::collections::{BTreeSet, HashMap};
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body as HttpBody;
use axum::http::{HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::{FutureExt, stream};
use serde::{Deserialize, Serialize};
use sqlx::Row;
use tokio::time::Instant;

use super::access::{self, ChatAccess, access_of};
use super::conversation::model::{ChatMessageRow, ConversationRow};
use super::conversation::store;
use super::feed::{self, EventKind};
use super::waiting::{Place, Who};
use crate::Feed;
use base::db::{self, Sql};
use frame::access::session;
use frame::api::calls::Download;
use frame::api::{ApiError, Ctx, Query, Result, error, say};
use frame::meter::Waited;

/// Events of one answer, at most.
const MOST: i64 = 200;
/// How long an answer waits for an event, at most.
const WAIT: Duration = Duration::from_secs(25);
/// How long a stream of events lasts. The browser then opens a new one, with the session that it has then.
const STREAM: Duration = Duration::from_secs(5 * 60);
/// How often a stream without events sends a line to stay alive.
const KEEP_ALIVE: Duration = Duration::from_secs(10);
/// The point that is needed for the call.
pub const POINT: &str = "chat/conversation/list";
/// Streams and waiting polls of one account, at most: one more ends the oldest.
const MOST_WAITS: usize = 5;
/// How often the presence of a member of the staff is stored.
const SEEN_EVERY: i64 = 20_000;

/// The position from which to continue.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct EventQuery {
    /// The number of the last event that the page has. Without it the answer is the present number, at once.
    pub after: Option<i64>,
    /// Milliseconds to wait for an event; 25 seconds at most and by default.
    pub wait: Option<u64>,
    /// `stream` for server-sent events.
    pub mode: Option<EventMode>,
}

/// How events are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventMode {
    Poll,
    Stream,
}

/// An event about a conversation.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatEvent {
    pub number: i64,
    pub conversation_id: i64,
    /// The message that was written or recalled.
    pub message: Option<ChatMessageRow>,
}

/// The events after a number, in order.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatEvents {
    pub events: Vec<ChatEvent>,
    /// The conversations of these events as they are now.
    pub conversations: Vec<ConversationRow>,
    /// Conversations that the viewer does not see any more.
    pub gone: Vec<i64>,
    /// Whether older events were deleted: the page must be loaded again.
    pub reset: bool,
    /// Whether newer pages of this account use all streams: this page tries again when it is visible.
    pub ended: bool,
    /// The number to go on from.
    pub next: i64,
}

/// Returns [`ChatEvents`], or a stream of them.
pub async fn events(cx: Arc<Ctx>, Query(query): Query<EventQuery>) -> Result<Download> {
    let after = match query.after {
        Some(after) => after,
        None => feed::number(cx.db()).await?,
    };
    if query.mode == Some(EventMode::Stream) {
        // A wrong number is refused before the stream begins.
        check_number(after, feed::number(cx.db()).await?)?;
        let place = enter(&cx)?;
        return Ok(Download(stream_from(cx, place, after)));
    }
    let wait = match query.after {
        Some(_) => query.wait.map_or(WAIT, |wait| WAIT.min(Duration::from_millis(wait))),
        None => Duration::ZERO,
    };
    let place = match wait.is_zero() {
        true => None,
        false => Some(enter(&cx)?),
    };
    let found = wait_for(&cx, place.as_ref(), after, wait, true).await?;
    // If the rights have changed, the answer is empty: the next call of the page is checked again.
    let found = found.map_or_else(|| ChatEvents { next: after, ..ChatEvents::default() }, |(found, _)| found);
    let mut answer = error::success(&found);
    answer.extensions_mut().insert(Waited);
    Ok(Download(answer))
}

/// Adds the viewer to the waiting callers.
fn enter(cx: &Ctx) -> Result<Place> {
    Ok(cx.app.service::<Feed>().waiting.enter(Who::Account(cx.viewer()?.id), MOST_WAITS))
}

/// Checks session, account and permission of a call that goes on. Returns whether role, points and scope are
/// unchanged.
async fn has_same_rights(cx: &Ctx) -> Result<bool> {
    let before = cx.viewer()?;
    let viewer = session::viewer_again(cx.app.gate(), before, &cx.origin, cx.app.clock.now()).await?.ok_or(ApiError::LoginExpired)?;
    match viewer.has(POINT) {
        true => Ok(viewer.has_same_rights_as(before)),
        false => Err(ApiError::Forbidden),
    }
}

/// Refuses a number that is not one of an event up to the last.
fn check_number(after: i64, last: i64) -> Result<()> {
    match (0..=last).contains(&after) {
        true => Ok(()),
        false => Err(ApiError::field("after", say("事件编号不存在", "There is no such event number"))),
    }
}

/// Records that the viewer is present, unless that was done a moment ago. If the viewer was away, wakes the assignment
/// of conversations.
async fn record_presence(cx: &Ctx, access: &ChatAccess) -> Result<()> {
    let Some(staff) = &access.staff else { return Ok(()) };
    let now = cx.app.clock.now();
    if staff.last_seen_at.is_some_and(|seen| seen > now - SEEN_EVERY) {
        return Ok(());
    }
    let id = staff.id;
    cx.app.db.transact(|mut tx| async move { access::seen(&mut tx, id, now).await }.boxed()).await?;
    if access.was_away(now) {
        cx.app.service::<Feed>().work.notify_one();
    }
    Ok(())
}

/// Waits for events after a number. Returns them and whether there are more; none if the rights have changed.
/// `at_once`: reads before the first wait. The session and the rights are checked again after each wait, and before an
/// answer without a wait.
async fn wait_for(cx: &Ctx, place: Option<&Place>, after: i64, wait: Duration, at_once: bool) -> Result<Option<(ChatEvents, bool)>> {
    let until = Instant::now() + wait;
    let (mut after, mut looks, mut waited) = (after, at_once, false);
    loop {
        if looks {
            // Changes of groups and of the staff record take effect at once.
            let access = access_of(cx).await?;
            if let Some(place) = place {
                place.sees(&access);
            }
            let (mut found, more) = read(cx, &access, after).await?;
            found.ended = place.is_some_and(Place::is_ended);
            let closing = cx.app.service::<Feed>().closing().is_cancelled();
            let is_answer = found.reset || found.ended || !found.events.is_empty() || Instant::now() >= until || closing;
            // Without a wait the last check was that of the call or of the previous piece.
            if is_answer && !waited && !has_same_rights(cx).await? {
                return Ok(None);
            }
            record_presence(cx, &access).await?;
            if is_answer {
                return Ok(Some((found, more)));
            }
            // Skips events that the viewer does not see.
            after = found.next;
        }
        looks = true;
        let Some(place) = place else { continue };
        waited = true;
        let feed = cx.app.service::<Feed>();
        tokio::select! {
            () = place.woken() => {}
            () = place.ended() => {}
            () = tokio::time::sleep_until(until) => {}
            () = feed.closing().cancelled() => {}
        }
        if !has_same_rights(cx).await? {
            return Ok(None);
        }
    }
}

/// Reads the events after a number that a viewer may see. Returns also whether there are more.
async fn read(cx: &Ctx, access: &ChatAccess, after: i64) -> Result<(ChatEvents, bool)> {
    let read = cx.db().read();
    let now = feed::number(cx.db()).await?;
    check_number(after, now)?;
    let mut answer = ChatEvents { next: now, ..ChatEvents::default() };
    if now == after {
        return Ok((answer, false));
    }
    let first: Option<i64> = sqlx::query_scalar("SELECT MIN(number) FROM chat_event").fetch_one(read).await?;
    if first.is_none_or(|first| first > after + 1) {
        answer.reset = true;
        return Ok((answer, false));
    }
    let mut sql = Sql::new("SELECT e.number, e.kind, e.conversation_id, e.message_id FROM chat_event e WHERE e.number > ");
    sql.bind(after).push(" AND e.number <= ").bind(now);
    access.apply(&mut sql, "e.group_id", "e.staff_id");
    sql.push(" ORDER BY e.number LIMIT ").bind(MOST);
    let rows = sql.fetch_all(read).await?;
    if rows.len() as i64 == MOST
        && let Some(last) = rows.last()
    {
        answer.next = last.try_get("number")?;
    }
    let mut message_ids = Vec::new();
    let mut conversation_ids = BTreeSet::new();
    for row in &rows {
        conversation_ids.insert(row.try_get::<i64, _>("conversation_id")?);
        message_ids.extend(row.try_get::<Option<i64>, _>("message_id")?);
    }
    answer.conversations = store::by_ids(read, access, conversation_ids.iter().copied()).await?;
    let visible: BTreeSet<i64> = answer.conversations.iter().map(|row| row.id).collect();
    answer.gone = conversation_ids.difference(&visible).copied().collect();
    let messages = store::messages_by_ids(read, access, message_ids).await?;
    let messages: HashMap<i64, ChatMessageRow> = messages.into_iter().map(|message| (message.id, message)).collect();
    for row in &rows {
        let conversation_id: i64 = row.try_get("conversation_id")?;
        let message_id: Option<i64> = row.try_get("message_id")?;
        if db::code::<EventKind>(row, "kind")? == EventKind::Message && !visible.contains(&conversation_id) {
            continue;
        }
        let message = message_id.and_then(|id| messages.get(&id)).cloned();
        answer.events.push(ChatEvent { number: row.try_get("number")?, conversation_id, message });
    }
    let more = answer.next < now;
    Ok((answer, more))
}

/// The state of a stream between two pieces.
struct Streaming {
    cx: Arc<Ctx>,
    place: Place,
    after: i64,
    until: Instant,
    /// Whether the first line was sent.
    begun: bool,
    /// Whether the next piece reads before it waits.
    at_once: bool,
    /// Whether the stream has ended.
    over: bool,
}

/// Server-sent events from a number on. Each carries its number as id.
fn stream_from(cx: Arc<Ctx>, place: Place, after: i64) -> Response<HttpBody> {
    let first = Streaming { cx, place, after, until: Instant::now() + STREAM, begun: false, at_once: true, over: false };
    let pieces = stream::unfold(first, |mut state| async move {
        if !state.begun {
            state.begun = true;
            // Sent at once, so that a page notices a proxy that delays events.
            return Some((Ok::<_, Infallible>(Bytes::from_static(b"retry: 2000\n: begun\n\n")), state));
        }
        if state.over || Instant::now() >= state.until || state.cx.app.service::<Feed>().closing().is_cancelled() {
            return None;
        }
        let piece = next_piece(&mut state).await?;
        Some((Ok(piece), state))
    });
    let mut response = Response::new(HttpBody::from_stream(pieces));
    for (name, value) in [
        (header::CONTENT_TYPE, "text/event-stream; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store, no-transform"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The next piece of a stream; none if the stream ends. The rights are checked for each piece as for a call. If they
/// have changed, the stream ends and the page opens a new one.
async fn next_piece(state: &mut Streaming) -> Option<Bytes> {
    let read = wait_for(&state.cx, Some(&state.place), state.after, KEEP_ALIVE, state.at_once);
    let (found, more) = match read.await {
        Ok(Some(found)) => found,
        Ok(None) | Err(ApiError::LoginExpired | ApiError::Forbidden) => return None,
        Err(error) => {
            tracing::warn!(?error, "chat: a stream of events ends");
            return None;
        }
    };
    // Events that arrive between two pieces wake the next one.
    state.at_once = more;
    state.over = found.ended;
    let known = std::mem::replace(&mut state.after, found.next);
    if found.events.is_empty() && found.gone.is_empty() && !found.reset && !found.ended {
        return Some(match known == found.next {
            true => Bytes::from_static(b": \n\n"),
            false => Bytes::from(format!("id: {}\n: \n\n", found.next)),
        });
    }
    let data = serde_json::to_string(&found).ok()?;
    Some(Bytes::from(format!("id: {}\ndata: {data}\n\n", found.next)))
}
