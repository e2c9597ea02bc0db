//! The visitors' page, without an account. `GET` and `POST /talk?g={group}` begin a thread; `/talk/{group}` is the
//! visitor's thread, opened by the [cookie](crate::thread_key) of the browser that began it. Without scripts it works
//! by forms; a script shows news at once. A small script shows the page in a corner of another site.

mod answers;
mod forms;
mod keys;
mod news;
mod page;

use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;

use crate::conversation::write;
use answers::{begin_at, failed, go_to, is_shown, message_of, script};
use base::locale::Locale;
use forms::{BeginForm, MAX_FORM, Typed, done, first_message, read_form};
use frame::api::ctx::RequestInfo;
use frame::api::input::page_form;
use frame::api::site::same_site;
use frame::api::{ApiError, App, Result};
use frame::upload;
use keys::{Thread, Visitor, at_beginning, at_thread, open_thread, thread_of};
use news::{PastQuery, Sent, earlier, events};
use page::{Opened, Welcome, locale_of, thread_page, welcome_page};

const SCRIPT: &str = include_str!("../talk.js");
const EMBED: &str = include_str!("../embed.js");

/// The visitors' pages.
pub fn pages(app: Arc<App>) -> Router {
    Router::new()
        .route("/talk", get(welcome).post(begin))
        .route("/talk/talk.js", get(|| async { script(SCRIPT) }))
        .route("/talk/embed.js", get(|| async { script(EMBED) }))
        .route("/talk/{group}", get(thread).post(act).layer(DefaultBodyLimit::disable()))
        .route("/talk/{group}/events", get(events))
        .route("/talk/{group}/earlier", get(earlier))
        .route("/talk/{group}/file/{id}", get(file))
        .layer(DefaultBodyLimit::max(MAX_FORM))
        .with_state(app)
}

/// Which group a visitor writes to.
#[derive(Debug, Default, Deserialize)]
struct GroupQuery {
    g: Option<String>,
}

/// `GET /talk?g={group}`: redirects to the browser's thread of this group, or shows the page to begin one.
async fn welcome(
    State(app): State<Arc<App>>,
    Query(query): Query<GroupQuery>,
    info: axum::Extension<RequestInfo>,
    headers: HeaderMap,
) -> Response<Body> {
    let locale = locale_of(&info);
    let shown = async {
        let (group, browser) = at_beginning(&app, &info, &headers, query.g.as_deref().unwrap_or_default()).await?;
        match thread_of(&app, &browser).await? {
            Thread::Open(_) => Ok(go_to(&browser.page)),
            Thread::Ended => {
                welcome_page(&app, &group, &browser, locale, Welcome { error: Some(ended(locale)), ..Welcome::default() }).await
            }
            Thread::None(_) => welcome_page(&app, &group, &browser, locale, Welcome::default()).await,
        }
    };
    shown.await.unwrap_or_else(|error| failed(&error, locale, false))
}

/// `POST /talk?g={group}`: the first message.
async fn begin(
    State(app): State<Arc<App>>,
    Query(query): Query<GroupQuery>,
    info: axum::Extension<RequestInfo>,
    headers: HeaderMap,
    body: Bytes,
) -> Response<Body> {
    let locale = locale_of(&info);
    let begun = async {
        check_site(&headers)?;
        let form: BeginForm = page_form(&body)?;
        let (group, browser) = at_beginning(&app, &info, &headers, query.g.as_deref().unwrap_or_default()).await?;
        let error = match thread_of(&app, &browser).await? {
            Thread::Open(Visitor { key, .. }) | Thread::None(Some(key)) => {
                match first_message(&app, &group, &key, &form, &info.origin.ip, locale).await {
                    Ok(()) => {
                        let mut answer = go_to(&browser.page);
                        browser.keep(answer.headers_mut(), &key);
                        return Ok(answer);
                    }
                    Err(error) if is_shown(&error) => (message_of(&error, locale), false),
                    Err(error) => return Err(error),
                }
            }
            Thread::Ended => (ended(locale), false),
            Thread::None(None) => (
                locale
                    .pick(
                        "浏览器没有保存 Cookie，无法继续会话。请允许本站的 Cookie，或",
                        "Your browser keeps no cookies here, which a conversation needs. Allow cookies for this site, or",
                    )
                    .to_owned(),
                true,
            ),
        };
        let (error, keeps_nothing) = (Some(error.0), error.1);
        welcome_page(&app, &group, &browser, locale, Welcome { error, keeps_nothing, draft: &form.content, name: &form.nickname }).await
    };
    begun.await.unwrap_or_else(|error| failed(&error, locale, false))
}

/// Forms are accepted from pages of this site only, which includes those in a frame of another.
fn check_site(headers: &HeaderMap) -> Result<()> {
    if same_site(headers) { Ok(()) } else { Err(ApiError::Forbidden) }
}

/// The text for a thread that does not open any more.
fn ended(locale: Locale) -> String {
    locale.pick("上次会话已结束多日，请重新发起咨询", "Your last conversation ended some days ago. Please begin a new one").to_owned()
}

/// `GET /talk/{group}`.
async fn thread(
    State(app): State<Arc<App>>,
    Path(page): Path<String>,
    Query(query): Query<PastQuery>,
    info: axum::Extension<RequestInfo>,
    headers: HeaderMap,
) -> Response<Body> {
    let locale = locale_of(&info);
    let shown = async {
        let (place, browser) = at_thread(&app, &info, &headers, &page).await?;
        match thread_of(&app, &browser).await? {
            Thread::Open(visitor) => {
                let opened = Opened { before: query.before, error: None };
                thread_page(&app, &place, &browser, &visitor, locale, opened, &Typed::default()).await
            }
            _ => Ok(begin_at(&place.page_key)),
        }
    };
    shown.await.unwrap_or_else(|error| failed(&error, locale, false))
}

/// `POST /talk/{group}`.
async fn act(
    State(app): State<Arc<App>>,
    Path(page): Path<String>,
    info: axum::Extension<RequestInfo>,
    headers: HeaderMap,
    body: Body,
) -> Response<Body> {
    let locale = locale_of(&info);
    // The page's script gets JSON with the error, or with the number for its next message.
    let is_script = headers.get(header::ACCEPT).is_some_and(|accept| accept == "application/json");
    let acted = async {
        check_site(&headers)?;
        let (place, browser) = at_thread(&app, &info, &headers, &page).await?;
        let visitor = match thread_of(&app, &browser).await? {
            Thread::Open(visitor) => visitor,
            Thread::Ended if is_script => return Ok(Json(Sent { error: Some(ended(locale)), number: None }).into_response()),
            Thread::Ended => return Ok(begin_at(&browser.page)),
            Thread::None(_) => return Err(ApiError::Missing),
        };
        let (typed, outcome) = match read_form(&app, &visitor, &headers, body, &info.origin.ip).await {
            Ok((form, file)) => (
                Typed { content: form.content.clone().unwrap_or_default(), note: form.note.clone() },
                done(&app, &visitor, &form, file, &info.origin.ip).await,
            ),
            Err(error) => (Typed::default(), Err(error)),
        };
        match outcome {
            Ok(()) if is_script => Ok(Json(Sent { error: None, number: Some(write::new_number()) }).into_response()),
            Ok(()) => Ok(go_to(&browser.page)),
            Err(error) if !is_shown(&error) => Err(error),
            Err(error) if is_script => Ok(Json(Sent { error: Some(message_of(&error, locale)), number: None }).into_response()),
            Err(error) => {
                let text = message_of(&error, locale);
                let mut answer =
                    thread_page(&app, &place, &browser, &visitor, locale, Opened { before: None, error: Some(text) }, &typed).await?;
                if matches!(error, ApiError::TooLarge) {
                    *answer.status_mut() = StatusCode::PAYLOAD_TOO_LARGE;
                }
                Ok(answer)
            }
        }
    };
    acted.await.unwrap_or_else(|error| failed(&error, locale, is_script))
}

/// `GET /talk/{group}/file/{id}`: a file of the visitor's own thread.
async fn file(
    State(app): State<Arc<App>>,
    Path((page, id)): Path<(String, i64)>,
    info: axum::Extension<RequestInfo>,
    headers: HeaderMap,
) -> Response<Body> {
    let locale = locale_of(&info);
    let sent = async {
        let visitor = open_thread(&app, &info, &headers, &page).await?;
        let known = sqlx::query(
            "SELECT m.id FROM chat_message m JOIN chat_conversation c ON c.id = m.conversation_id \
             WHERE m.file_id = $1 AND c.customer_id = $2 AND m.direction IN ('in', 'out') AND m.recalled_at IS NULL LIMIT 1",
        )
        .bind(id)
        .bind(visitor.id)
        .fetch_optional(app.db.read())
        .await?;
        match known {
            Some(_) => upload::download(&app, id).await,
            None => Err(ApiError::Missing),
        }
    };
    sent.await.unwrap_or_else(|error| failed(&error, locale, false))
}
