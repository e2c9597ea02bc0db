//! The visitors' page, without an account: `GET` and `POST /talk?g={group}` begins, `/talk/{group}` is the visitor's thread,
//! which opens by the [cookie](super::thread_key) of the browser that began it. It works without scripts by forms; a script
//! brings what is new at once. A small script puts the page into a corner of another site.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::get;
use axum::{Json, Router};
use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sqlx::Row;
use tokio::time::Instant;

use super::codes::{ChatDirection, ChatMessageKind, ConversationStatus};
use super::consent;
use super::conversation::inbound::{self, Inbound};
use super::conversation::model::ChatMessageRow;
use super::conversation::store::{self, Held, Stretch};
use super::conversation::{FILES, LONGEST, NUMBER, write};
use super::customer::model::CustomerStatus;
use super::customer::store as customers;
use super::feed;
use super::phone_code;
use super::thread_key::{self, Browser};
use super::waiting::Who;
use crate::Feed;
use base::address::{Sender, counted};
use base::canonical;
use base::clock::{self, DAY};
use base::crypto::{self, place};
use base::db::{self, Sql};
use base::limits::{Asker, Rate};
use base::locale::Locale;
use base::sentence_page;
use base::sentence_page::nonce;
use frame::api::ctx::RequestInfo;
use frame::api::form::{Bounds, FormFile, MAX_FILE, receive_files};
use frame::api::input::page_form;
use frame::api::site::same_site;
use frame::api::{ApiError, App, Check, Result, say};
use frame::meter::Waited;
use frame::terms::Schedule;
use frame::upload;

/// How often one network may begin a conversation, one visitor may write, and all visitors of one network may.
const BEGINNINGS: Rate = Rate { burst: 5, minute: 5 };
const WRITINGS: Rate = Rate { burst: 10, minute: 30 };
const NETWORK_WRITINGS: Rate = Rate { burst: 30, minute: 60 };
/// How often a visitor's page may read.
const READINGS: Rate = Rate { burst: 60, minute: 120 };
/// How often one network may send a file; the files of a visitor in a day, and their bytes.
const FILES_SENT: Rate = Rate { burst: 5, minute: 5 };
const DAY_FILES: i64 = 30;
const DAY_BYTES: i64 = 100 * 1024 * 1024;
/// Letters and digits of a page's key, at most.
const LONGEST_KEY: usize = 64;
/// Bytes of a form without a file.
const MAX_FORM: usize = 32 * 1024;
/// Messages that a page shows.
const SHOWN: usize = 100;
/// How long a page's question waits for something new; questions of one visitor that wait at the same time, at most.
const WAIT: Duration = Duration::from_secs(20);
const MOST_WAITS: usize = 3;
/// After this the thread of a closed conversation does not open any more: who writes again begins a new one.
const OPENS_FOR: i64 = 7 * DAY;

const SCRIPT: &str = include_str!("talk.js");
const EMBED: &str = include_str!("embed.js");

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

/// A first message.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct BeginForm {
    nickname: String,
    content: String,
    /// The version of the words that were agreed to.
    consent: Option<String>,
}

/// What a visitor does in their thread: writes, leaves a phone number, proves it by a code, or rates a closed conversation.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ActForm {
    content: Option<String>,
    number: String,
    phone: Option<String>,
    /// Asks for a code to the number.
    ask_code: Option<String>,
    code: Option<String>,
    rating: Option<i64>,
    note: String,
}

/// What was typed in forms of a thread that were refused.
#[derive(Default)]
struct Typed {
    content: String,
    note: String,
}

/// Where a page goes on, and how far its visitor has read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct VisitQuery {
    after: i64,
    event: i64,
    seen: i64,
}

/// The message before which earlier ones are read.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PastQuery {
    before: Option<i64>,
}

/// A group as visitors know it.
struct Group {
    id: i64,
    name: String,
    page_key: String,
    hours: Option<Schedule>,
    /// The sites that may show its page in a frame.
    frame_sites: Vec<String>,
}

/// A visitor.
struct Visitor {
    id: i64,
    /// The key of their thread.
    key: String,
    nickname: String,
    status: CustomerStatus,
    phone_mask: String,
    /// Whether a code proved the number.
    phone_verified: bool,
}

/// The visitor's last conversation.
struct Last {
    held: Held,
    staff_name: Option<String>,
    staff_read_id: i64,
    rating: Option<i64>,
}

#[derive(Template)]
#[template(path = "talk.html")]
struct TalkPage<'p> {
    locale: &'static str,
    nonce: &'p str,
    group: &'p str,
    /// The key of the group by whose page they came: the address of the thread.
    page: &'p str,
    state: String,
    /// Whether a thread has begun.
    is_thread: bool,
    /// Whether it shows earlier messages alone, without forms.
    is_past: bool,
    /// The first message that is shown, where there are earlier ones.
    earlier: Option<i64>,
    /// The number of the next message.
    fresh: String,
    error: Option<String>,
    /// Whether the browser keeps no cookies here: the page may be opened in a window of its own.
    keeps_nothing: bool,
    draft: &'p str,
    /// What was typed beside a rating.
    note: &'p str,
    name: &'p str,
    messages: Vec<Line>,
    last_id: i64,
    event: i64,
    /// The visitor's number, and whether it is verified; empty without one.
    phone: String,
    asks_phone: bool,
    /// Whether a code may be asked for, and whether one can be entered.
    proves_phone: bool,
    asks_code: bool,
    asks_rating: bool,
    is_blocked: bool,
    words: Words,
}

/// A message as the page shows it.
#[derive(Clone, Debug, Serialize)]
struct Line {
    id: i64,
    mine: bool,
    /// Who wrote it; empty for the visitor.
    name: String,
    text: String,
    time: String,
    /// The address of its file, and whether that is a picture.
    file: Option<String>,
    picture: bool,
}

/// What is new for a page.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct News {
    lines: Vec<Line>,
    /// The last message that was read for it, also where that was recalled.
    last: i64,
    /// Messages that were recalled.
    recalled: Vec<i64>,
    state: String,
    asks_rating: bool,
    /// The last message that staff have read.
    read: i64,
    event: i64,
    /// Whether newer windows of this visitor hold all polls: the window asks again when it is visible.
    ended: bool,
}

/// Earlier messages.
#[derive(Debug, Serialize)]
struct Past {
    lines: Vec<Line>,
    /// The message before which there are earlier ones still.
    earlier: Option<i64>,
}

/// What became of a message that the page's script sent.
#[derive(Debug, Serialize)]
struct Sent {
    error: Option<String>,
    /// The number of the next message.
    number: Option<String>,
}

/// The words of the page.
struct Words {
    title: &'static str,
    name: &'static str,
    message: &'static str,
    consent: &'static str,
    consent_version: String,
    send: &'static str,
    file: &'static str,
    send_file: &'static str,
    phone: &'static str,
    change_phone: &'static str,
    save: &'static str,
    get_code: &'static str,
    code_sent: &'static str,
    code: &'static str,
    enter_code: &'static str,
    rate: &'static str,
    rate_send: &'static str,
    note: &'static str,
    refresh: &'static str,
    you: &'static str,
    blocked: &'static str,
    thread: &'static str,
    read: &'static str,
    cut: &'static str,
    window: &'static str,
    earlier: &'static str,
    latest: &'static str,
}

fn words(locale: Locale) -> Words {
    let pick = |chinese, english| locale.pick(chinese, english);
    Words {
        title: pick("在线咨询", "Chat with us"),
        name: pick("怎么称呼您（选填）", "Your name (optional)"),
        message: pick("请输入消息", "Your message"),
        consent: consent::text(locale),
        consent_version: consent::version(locale),
        send: pick("发送", "Send"),
        file: pick("图片或文件", "Picture or file"),
        send_file: pick("发送文件", "Send file"),
        phone: pick("留下手机号，方便回电", "Leave your mobile number for a call back"),
        change_phone: pick("更换手机号", "Change the number"),
        save: pick("提交", "Submit"),
        get_code: pick("获取短信验证码", "Get a code by SMS"),
        code_sent: pick("验证码短信已发送，5 分钟内有效", "A code was sent by SMS. It is valid for 5 minutes"),
        code: pick("短信验证码", "Code from the SMS"),
        enter_code: pick("验证", "Verify"),
        rate: pick("请评价本次服务", "How was our service?"),
        rate_send: pick("提交评价", "Submit rating"),
        note: pick("补充说明（选填）", "Comment (optional)"),
        refresh: pick("刷新", "Refresh"),
        you: pick("您", "You"),
        blocked: pick("暂时无法发送消息", "Messages cannot be sent at the moment"),
        thread: pick("消息记录", "Messages"),
        read: pick("已读", "Read"),
        cut: pick("未能发送，请重试", "Not sent. Please try again"),
        window: pick("在新窗口中打开", "Open in a new window"),
        earlier: pick("更早的消息", "Earlier messages"),
        latest: pick("返回最新消息", "Back to the latest messages"),
    }
}

fn locale_of(request: &RequestInfo) -> Locale {
    request.locale
}

/// `GET /talk?g={group}`: leads to the thread that the browser has here, or begins one.
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

/// Forms are taken from pages of this site alone, which is also what stands in a frame of another.
fn check_site(headers: &HeaderMap) -> Result<()> {
    if same_site(headers) { Ok(()) } else { Err(ApiError::Forbidden) }
}

/// What is said of a thread that does not open any more.
fn ended(locale: Locale) -> String {
    locale.pick("上次会话已结束多日，请重新发起咨询", "Your last conversation ended some days ago. Please begin a new one").to_owned()
}

async fn first_message(app: &App, group: &Group, key: &str, form: &BeginForm, ip: &str, locale: Locale) -> Result<()> {
    let content = form.content.trim();
    let given = &*canonical::visible(&form.nickname);
    let agreed = form.consent.as_deref().and_then(consent::of);
    let unread = match form.consent {
        None => say("请先勾选同意", "Please agree first"),
        Some(_) => say("同意的内容已更新，请阅读后重新勾选", "What you agree to has changed: please read it and agree again"),
    };
    Check::new()
        // The page has two texts, and shows the first fault above both.
        .that("nickname", given.chars().count() <= 20, say("称呼最多 20 个字符", "The name has at most 20 characters"))
        .text("nickname", given, 0..=20)
        .text("content", content, 1..=LONGEST)
        .that("consent", agreed.is_some(), unread)
        .done()?;
    let agreed = agreed.unwrap_or(locale);
    let (now, hash) = (app.clock.now(), key_hash(app, key));
    let network = counted(ip);
    app.limits
        .take(Asker::Visitor(format!("begin {network}")), BEGINNINGS, now)
        .map_err(|retry_after| ApiError::TooMany { retry_after })?;
    // Sent twice, the form makes one visitor.
    let visitor = match visitor_by_key(app, key).await? {
        Some((visitor, _)) => visitor.id,
        None => {
            let name = if given.is_empty() {
                format!("{}{}", locale.pick("访客", "Visitor "), crypto::random_code())
            } else {
                // Lists show names as they are.
                crypto::mask_numbers(given)
            };
            let (hash, name) = (&hash, &name);
            app.db.transact(|mut tx| async move { customers::insert_visitor(&mut tx, hash, name, agreed, now).await }.boxed()).await?
        }
    };
    let number = number_of(app, key, content);
    let inbound = Inbound {
        customer_id: visitor,
        group_id: group.id,
        kind: ChatMessageKind::Text,
        content,
        file_id: None,
        media_id: None,
        client_msg_id: &number,
    };
    inbound::receive(app, inbound).await.map(drop)
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
    // The page's script sends without a reload: the answer says what was wrong and holds the number of its next message.
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

/// A form of fields, or one with a file, as its content type says. A file is received from visitors alone who may send one.
async fn read_form(app: &App, visitor: &Visitor, headers: &HeaderMap, body: Body, ip: &str) -> Result<(ActForm, Option<FormFile>)> {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.starts_with("multipart/form-data") {
        let bytes = axum::body::to_bytes(body, MAX_FORM).await.map_err(|_| ApiError::TooLarge)?;
        return Ok((page_form(&bytes)?, None));
    }
    if visitor.status != CustomerStatus::Active {
        return Err(inbound::refused());
    }
    let sender = Sender::at(ip);
    app.limits
        .take(Asker::Visitor(format!("file {}", sender.network)), FILES_SENT, app.clock.now())
        .map_err(|retry_after| ApiError::TooMany { retry_after })?;
    let _place = app.service::<Feed>().uploads.take(&sender).ok_or(ApiError::Busy)?;
    let bounds = Bounds { files: 1, all_files: MAX_FILE, fields: 4, field: 4 * LONGEST };
    let (mut fields, files) = receive_files(headers, body, &bounds).await;
    if fields.values().any(|text| text.contains('\0')) {
        return Err(ApiError::Malformed("NUL".to_owned()));
    }
    let form = ActForm { content: fields.remove("content"), number: fields.remove("number").unwrap_or_default(), ..ActForm::default() };
    Ok((form, files?.pop()))
}

async fn done(app: &App, visitor: &Visitor, form: &ActForm, file: Option<FormFile>, ip: &str) -> Result<()> {
    let (now, sender) = (app.clock.now(), Sender::at(ip));
    app.limits
        .take(Asker::Visitor(format!("write {}", visitor.id)), WRITINGS, now)
        .and_then(|()| app.limits.take(Asker::Visitor(format!("write from {}", sender.network)), NETWORK_WRITINGS, now))
        .map_err(|retry_after| ApiError::TooMany { retry_after })?;
    if visitor.status != CustomerStatus::Active {
        return Err(inbound::refused());
    }
    let last = last_of(app, visitor.id).await?;
    if let Some(phone) = &form.phone {
        let phone = canonical::phone_or_text(phone);
        Check::new().phone("phone", &phone).done()?;
        return save_phone(app, &last.held, &phone).await;
    }
    if form.ask_code.is_some() {
        return phone_code::send(app, visitor.id, &sender).await;
    }
    if let Some(code) = &form.code {
        return phone_code::enter(app, &last.held, &canonical::code(code)).await;
    }
    if let Some(rating) = form.rating {
        Check::new().range("rating", rating, 1..=5).text("note", form.note.trim(), 0..=200).done()?;
        return rate(app, &last.held, rating, form.note.trim()).await;
    }
    if let Some(file) = file {
        return send_file(app, visitor, last.held.group_id, (&form.number, &sender), &file).await;
    }
    let content = form.content.as_deref().unwrap_or_default().trim();
    Check::new().text("content", content, 1..=LONGEST).text("number", &form.number, NUMBER).done()?;
    let inbound = Inbound {
        customer_id: visitor.id,
        group_id: last.held.group_id,
        kind: ChatMessageKind::Text,
        content,
        file_id: None,
        media_id: None,
        client_msg_id: &number_of(app, &form.number, content),
    };
    inbound::receive(app, inbound).await.map(drop)
}

/// Takes a file that a visitor sends, as a message of its own.
async fn send_file(app: &App, visitor: &Visitor, group_id: i64, (number, sender): (&str, &Sender), file: &FormFile) -> Result<()> {
    Check::new().text("number", number, NUMBER).done()?;
    let number = number_of(app, number, &file.sha256);
    if inbound::is_known(app, visitor.id, &number).await? {
        return Ok(());
    }
    let (files, bytes) = store::files_today(app.db.read(), visitor.id, app.clock.now()).await?;
    if files >= DAY_FILES || bytes + file.size as i64 > DAY_BYTES {
        return Err(ApiError::State(say("今天发送的文件已达上限，请明天再试", "Today's limit of files is reached. Try again tomorrow")));
    }
    let kept = upload::keep_from_customer(app, &FILES, file, Some(sender)).await?;
    let kind = if kept.mime.starts_with("image/") { ChatMessageKind::Image } else { ChatMessageKind::File };
    let inbound = Inbound {
        customer_id: visitor.id,
        group_id,
        kind,
        content: &kept.name,
        file_id: Some(kept.id),
        media_id: None,
        client_msg_id: &number,
    };
    inbound::receive(app, inbound).await.map(drop)
}

/// Keeps a visitor's phone number: an applicant of this number is the same customer.
async fn save_phone(app: &App, held: &Held, phone: &str) -> Result<()> {
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            // The customer is held before the conversation, as when they write.
            if !customers::set_phone(&mut tx, &app.keys, held.customer_id, phone, now).await? {
                return Err(inbound::refused());
            }
            let held = store::hold(&mut tx, held.id).await?.ok_or(ApiError::Missing)?;
            write::system(&mut tx, &held, &json!({"event": "phone"}), events, now).await?;
            events.push(write::changed(&held));
            Ok(())
        }
        .boxed()
    })
    .await
}

/// Keeps the rating of a closed conversation, once.
async fn rate(app: &App, held: &Held, rating: i64, note: &str) -> Result<()> {
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            let held = store::hold(&mut tx, held.id).await?.ok_or(ApiError::Missing)?;
            let words = super::words::Words::of(&app.keys, &place::CHAT_RATING_NOTE.of(held.id), note);
            let rated = sqlx::query(
                "UPDATE chat_conversation SET rating = $1, rating_note = $2, rating_note_enc = $3, version = version + 1, updated_at = $4 \
                     WHERE id = $5 AND status = 'resolved' AND rating IS NULL",
            )
            .bind(rating)
            .bind(words.shown)
            .bind(words.sealed)
            .bind(now)
            .bind(held.id)
            .execute(&mut **tx)
            .await?;
            if rated.rows_affected() == 0 {
                return Err(ApiError::State(say("会话未结束或已评价", "The conversation is open or already rated")));
            }
            events.push(write::changed(&held));
            Ok(())
        }
        .boxed()
    })
    .await
}

/// `GET /talk/{group}/events`: what is new after a message and an event, as soon as there is something.
async fn events(
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

async fn news(app: &App, page: &str, visitor: &Visitor, query: &VisitQuery, locale: Locale) -> Result<News> {
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
                // Where more messages are new than one answer holds, the page asks for the rest at once.
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
async fn earlier(
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

/// The messages of a customer that events after a number have recalled.
async fn recalled_after(app: &App, customer_id: i64, event: i64) -> Result<Vec<i64>> {
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

/// Staff see how far the visitor has read.
async fn mark_read(app: &App, customer_id: i64, message_id: i64) -> Result<()> {
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

/// What is answered instead of a page; to the page's script, a text that it shows.
fn failed(error: &ApiError, locale: Locale, is_script: bool) -> Response<Body> {
    let status = match error {
        ApiError::Missing => StatusCode::NOT_FOUND,
        ApiError::TooMany { .. } | ApiError::TooOften { .. } => StatusCode::TOO_MANY_REQUESTS,
        ApiError::Fields(_) => StatusCode::BAD_REQUEST,
        ApiError::Forbidden => StatusCode::FORBIDDEN,
        error => error.status(),
    };
    if let ApiError::Internal(cause) = error {
        tracing::error!(cause = format!("{cause:#}"), "a visitor's page failed");
    }
    let [chinese, english] = match error {
        // Also an address of earlier versions, which had a key in it.
        ApiError::Missing => [
            "此地址不存在或已失效，请从原网站重新打开在线咨询".to_owned(),
            "This address opens nothing. Please open the chat again from the site where you found it".to_owned(),
        ],
        error => [error.text(Locale::Chinese), error.text(Locale::English)],
    };
    match is_script {
        true => (status, [(header::CACHE_CONTROL, "no-store")], locale.pick(chinese, english)).into_response(),
        false => sentence_page::page(status, locale, &chinese, &english),
    }
}

/// Whether an error is shown in the page, with what was typed.
fn is_shown(error: &ApiError) -> bool {
    matches!(
        error,
        ApiError::Fields(_)
            | ApiError::State(_)
            | ApiError::TooMany { .. }
            | ApiError::TooOften { .. }
            | ApiError::TooLarge
            | ApiError::WrongType(_)
            | ApiError::Busy
    )
}

/// What a visitor reads of an error: the message of the first field that is wrong.
fn message_of(error: &ApiError, locale: Locale) -> String {
    match error {
        ApiError::Fields(fields) if !fields.is_empty() => fields[0].1.get(locale).to_owned(),
        error => error.text(locale),
    }
}

/// Leads to the thread that the browser has on a group's page.
fn go_to(page: &str) -> Response<Body> {
    see_other(&format!("/talk/{page}"))
}

/// Leads to where a thread begins.
fn begin_at(page: &str) -> Response<Body> {
    see_other(&format!("/talk?g={page}"))
}

fn see_other(address: &str) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    let to = HeaderValue::from_str(address).unwrap_or(HeaderValue::from_static("/talk"));
    response.headers_mut().insert(header::LOCATION, to);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn script(text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("text/javascript; charset=utf-8"));
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=300"));
    response.headers_mut().insert(HeaderName::from_static("cross-origin-resource-policy"), HeaderValue::from_static("cross-origin"));
    response
}

/// The number of a visitor's message: sent twice it is one, changed after a cut line it is another. It tells nothing of
/// what the page sent, which may be the visitor's key.
fn number_of(app: &App, number: &str, content: &str) -> String {
    app.keys.lookup_hash(&format!("chat message {number} {content}"))
}

/// Under which a visitor is found: their key itself is not stored.
fn key_hash(app: &App, key: &str) -> String {
    app.keys.lookup_hash(&format!("chat visitor {key}"))
}

/// What a browser's keys open.
enum Thread {
    Open(Visitor),
    /// A thread that was closed too long ago.
    Ended,
    /// None; a key that no thread has, if the browser holds one.
    None(Option<String>),
}

async fn thread_of(app: &App, browser: &Browser) -> Result<Thread> {
    let (mut has_ended, mut unused) = (false, None);
    for key in &browser.keys {
        match visitor_by_key(app, key).await? {
            Some((visitor, true)) => return Ok(Thread::Open(visitor)),
            Some((_, false)) => has_ended = true,
            None => unused = Some(key.clone()),
        }
    }
    Ok(match unused {
        None if has_ended => Thread::Ended,
        unused => Thread::None(unused),
    })
}

/// The visitor whose thread a browser's keys open.
async fn open_thread(app: &App, info: &RequestInfo, headers: &HeaderMap, page: &str) -> Result<Visitor> {
    check_page_key(app, info, page)?;
    let browser = Browser::of(headers, page, info.secure, &app.keys);
    count_guess(app, info, &browser)?;
    match thread_of(app, &browser).await? {
        Thread::Open(visitor) => Ok(visitor),
        _ => Err(ApiError::Missing),
    }
}

/// The group of a new thread by the key in an address, and the browser that asks for it.
async fn at_beginning(app: &App, info: &RequestInfo, headers: &HeaderMap, page: &str) -> Result<(Group, Browser)> {
    check_page_key(app, info, page)?;
    let group = known(app, info, group_by_key(app, page).await)?;
    let browser = Browser::of(headers, page, info.secure, &app.keys);
    // A new visitor is let in, also where others of their network have used up its unknown keys.
    _ = count_guess(app, info, &browser);
    Ok((group, browser))
}

/// The group of a thread by the key in an address, and the browser that asks for it.
async fn at_thread(app: &App, info: &RequestInfo, headers: &HeaderMap, page: &str) -> Result<(Group, Browser)> {
    check_page_key(app, info, page)?;
    let group = known(app, info, page_by_key(app, page).await)?;
    let browser = Browser::of(headers, page, info.secure, &app.keys);
    count_guess(app, info, &browser)?;
    Ok((group, browser))
}

/// A text that cannot be the key of a page is refused before the database is asked.
fn check_page_key(app: &App, info: &RequestInfo, page: &str) -> Result<()> {
    let is_key = (1..=LONGEST_KEY).contains(&page.len()) && page.bytes().all(|byte| byte.is_ascii_alphanumeric());
    known(app, info, if is_key { Ok(()) } else { Err(ApiError::Missing) })
}

/// What was found by a key. Unknown keys are counted by network, and limited.
fn known<T>(app: &App, info: &RequestInfo, found: Result<T>) -> Result<T> {
    if matches!(found, Err(ApiError::Missing)) {
        unknown_key(app, info)?;
    }
    found
}

/// Counts a key of a browser that the server has not made; a browser that holds one that it has made goes on.
fn count_guess(app: &App, info: &RequestInfo, browser: &Browser) -> Result<()> {
    match browser.guesses && browser.keys.is_empty() {
        true => unknown_key(app, info),
        false => Ok(()),
    }
}

fn unknown_key(app: &App, info: &RequestInfo) -> Result<()> {
    app.limits.unknown_key(&info.origin.ip, app.clock.now()).map_err(|retry_after| ApiError::TooMany { retry_after })
}

/// The visitor of a key, and whether their thread still opens.
async fn visitor_by_key(app: &App, key: &str) -> Result<Option<(Visitor, bool)>> {
    let row = sqlx::query(
        "SELECT k.id, k.nickname, k.status, k.phone_mask, k.phone_verified_at, l.closed_at FROM chat_customer k \
         LEFT JOIN chat_conversation l ON l.id = (SELECT MAX(c.id) FROM chat_conversation c WHERE c.customer_id = k.id) WHERE k.visit_key_hash = $1",
    )
    .bind(key_hash(app, key))
    .fetch_optional(app.db.read())
    .await?;
    let Some(row) = row else { return Ok(None) };
    let visitor = Visitor {
        id: row.try_get("id")?,
        key: key.to_owned(),
        nickname: row.try_get("nickname")?,
        status: db::code(&row, "status")?,
        phone_mask: row.try_get("phone_mask")?,
        phone_verified: row.try_get::<Option<i64>, _>("phone_verified_at")?.is_some(),
    };
    let closed_at: Option<i64> = row.try_get("closed_at")?;
    Ok(Some((visitor, closed_at.is_none_or(|closed| closed > app.clock.now() - OPENS_FOR))))
}

/// A group in use.
async fn group_by_key(app: &App, key: &str) -> Result<Group> {
    group_where(app, |sql| {
        sql.push(" AND g.status = 'enabled' AND g.page_key = ").bind(key.to_owned());
    })
    .await
}

/// The group of a thread's address, also one that takes no new conversations.
async fn page_by_key(app: &App, key: &str) -> Result<Group> {
    group_where(app, |sql| {
        sql.push(" AND g.page_key = ").bind(key.to_owned());
    })
    .await
}

async fn group_by_id(app: &App, id: i64) -> Result<Group> {
    group_where(app, |sql| {
        sql.push(" AND g.id = ").bind(id);
    })
    .await
}

async fn group_where(app: &App, narrow: impl FnOnce(&mut Sql)) -> Result<Group> {
    let mut sql = Sql::new("SELECT g.id, g.name, g.page_key, g.working_hours, g.frame_sites FROM chat_group g WHERE g.deleted_at IS NULL");
    narrow(&mut sql);
    group_row(&sql.fetch_optional(app.db.read()).await?.ok_or(ApiError::Missing)?)
}

fn group_row(row: &sqlx::any::AnyRow) -> Result<Group> {
    let hours: Option<String> = row.try_get("working_hours")?;
    let hours = hours.map(|hours| serde_json::from_str(&hours)).transpose().map_err(|error| ApiError::Internal(error.into()))?;
    Ok(Group {
        id: row.try_get("id")?,
        name: row.try_get("name")?,
        page_key: row.try_get("page_key")?,
        hours,
        frame_sites: db::json(row, "frame_sites")?,
    })
}

/// A visitor's last conversation: each has one, because their first message makes it.
async fn last_of(app: &App, customer_id: i64) -> Result<Last> {
    let row = sqlx::query(
        "SELECT c.id, c.customer_id, c.group_id, c.staff_id, c.status, CAST(NULL AS BIGINT) AS wechat_id, s.nickname, c.staff_read_id, c.rating FROM chat_conversation c \
         LEFT JOIN chat_staff s ON s.id = c.staff_id WHERE c.customer_id = $1 ORDER BY c.id DESC LIMIT 1",
    )
    .bind(customer_id)
    .fetch_optional(app.db.read())
    .await?
    .ok_or(ApiError::Missing)?;
    Ok(Last {
        held: sqlx::FromRow::from_row(&row)?,
        staff_name: row.try_get("nickname")?,
        staff_read_id: row.try_get("staff_read_id")?,
        rating: row.try_get("rating")?,
    })
}

/// What a visitor reads above their thread.
fn state_of(last: &Last, is_open: bool, locale: Locale) -> String {
    match (last.held.status, &last.staff_name) {
        (ConversationStatus::Resolved, _) => {
            locale.pick("会话已结束，可继续留言", "This conversation is closed. Write to continue").to_owned()
        }
        (_, Some(name)) => match locale {
            Locale::Chinese => format!("{name} 正在为您服务"),
            Locale::English => format!("You are chatting with {name}"),
        },
        (_, None) if !is_open => locale.pick("现在是非工作时间，请留言", "We are closed now. Leave a message").to_owned(),
        (_, None) => locale.pick("正在为您接入客服，请稍候", "Please wait: we will be with you shortly").to_owned(),
    }
}

fn lines(page: &str, messages: Vec<ChatMessageRow>, locale: Locale) -> Vec<Line> {
    messages
        .into_iter()
        .filter(|message| !message.recalled)
        .map(|message| Line {
            id: message.id,
            mine: message.direction == ChatDirection::In,
            name: match message.direction {
                ChatDirection::In => String::new(),
                _ => message.staff_name.unwrap_or_else(|| locale.pick("自动回复", "Automatic reply").to_owned()),
            },
            text: if message.file.is_some() && message.kind == ChatMessageKind::Image { String::new() } else { message.content },
            time: clock::date_time(message.at)[5..16].to_owned(),
            picture: message.kind == ChatMessageKind::Image,
            file: message.file.map(|file| format!("/talk/{page}/file/{}", file.id)),
        })
        .collect()
}

/// What the page of a beginning shows beside the group.
#[derive(Default)]
struct Welcome<'p> {
    error: Option<String>,
    keeps_nothing: bool,
    draft: &'p str,
    name: &'p str,
}

/// The page of a beginning. A browser that holds no key for a new thread is given one.
async fn welcome_page(app: &App, group: &Group, browser: &Browser, locale: Locale, shown: Welcome<'_>) -> Result<Response<Body>> {
    let is_open = group.hours.as_ref().is_none_or(|hours| hours.is_open(app.clock.now()));
    let state = match (&group.hours, is_open) {
        (Some(hours), false) => {
            format!("{} {}", locale.pick("现在是非工作时间，请留言。", "We are closed now. Leave a message."), hours.sentence(locale))
        }
        _ => locale.pick("请描述您的问题", "How can we help?").to_owned(),
    };
    let key = match thread_of(app, browser).await? {
        Thread::Open(Visitor { key, .. }) | Thread::None(Some(key)) => key,
        Thread::Ended | Thread::None(None) => thread_key::new_key(&app.keys, &browser.page),
    };
    let page = TalkPage {
        locale: locale.tag(),
        nonce: &nonce(),
        group: &group.name,
        page: &browser.page,
        state,
        is_thread: false,
        is_past: false,
        earlier: None,
        fresh: String::new(),
        error: shown.error,
        keeps_nothing: shown.keeps_nothing,
        draft: shown.draft,
        note: "",
        name: shown.name,
        messages: Vec::new(),
        last_id: 0,
        event: 0,
        phone: String::new(),
        asks_phone: false,
        proves_phone: false,
        asks_code: false,
        asks_rating: false,
        is_blocked: false,
        words: words(locale),
    };
    render(page, &group.frame_sites, browser, &key)
}

/// What of a thread is shown: the last messages, or those before one, and what went wrong.
struct Opened {
    before: Option<i64>,
    error: Option<String>,
}

async fn thread_page(
    app: &App,
    place: &Group,
    browser: &Browser,
    visitor: &Visitor,
    locale: Locale,
    Opened { before, error }: Opened,
    typed: &Typed,
) -> Result<Response<Body>> {
    let event = feed::number(&app.db).await?;
    let last = last_of(app, visitor.id).await?;
    let group = group_by_id(app, last.held.group_id).await?;
    let stretch = before.map_or(Stretch::Last, Stretch::Before);
    let (messages, has_more) = store::customer_messages(app.db.read(), &app.keys, visitor.id, stretch, SHOWN).await?;
    let earlier = messages.first().filter(|_| has_more).map(|message| message.id);
    let last_id = messages.last().map_or(0, |message| message.id);
    if last_id > 0 && before.is_none() {
        mark_read(app, visitor.id, last_id).await?;
    }
    let is_open = group.hours.as_ref().is_none_or(|hours| hours.is_open(app.clock.now()));
    let page = TalkPage {
        locale: locale.tag(),
        nonce: &nonce(),
        group: &group.name,
        page: &browser.page,
        state: state_of(&last, is_open, locale),
        is_thread: true,
        is_past: before.is_some(),
        earlier,
        fresh: write::new_number(),
        error,
        keeps_nothing: false,
        draft: &typed.content,
        note: &typed.note,
        name: &visitor.nickname,
        messages: lines(&browser.page, messages, locale),
        last_id,
        event,
        phone: match (visitor.phone_mask.is_empty(), visitor.phone_verified) {
            (true, _) => String::new(),
            (false, true) => format!("{}{}", visitor.phone_mask, locale.pick("，已验证", ", verified")),
            (false, false) => format!("{}{}", visitor.phone_mask, locale.pick("，未验证", ", not verified")),
        },
        asks_phone: visitor.phone_mask.is_empty(),
        proves_phone: !visitor.phone_mask.is_empty() && !visitor.phone_verified,
        asks_code: !visitor.phone_verified && phone_code::is_awaited(app, visitor.id).await?,
        asks_rating: last.held.status == ConversationStatus::Resolved && last.rating.is_none(),
        is_blocked: visitor.status != CustomerStatus::Active,
        words: words(locale),
    };
    render(page, &place.frame_sites, browser, &visitor.key)
}

/// A page that may stand in frames of these sites and of its own, for a browser that keeps a key.
fn render(page: TalkPage<'_>, frame_sites: &[String], browser: &Browser, key: &str) -> Result<Response<Body>> {
    let nonce = page.nonce.to_owned();
    let mut response = Response::new(Body::from(page.render().map_err(|error| ApiError::Internal(error.into()))?));
    let ancestors = frame_sites.iter().fold("'self'".to_owned(), |sites, site| format!("{sites} {site}"));
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; script-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'self'; base-uri 'none'; \
         frame-ancestors {ancestors}"
    );
    for (name, value) in [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        // Forms of this site send their origin; other sites do not get the address.
        (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).map_err(|error| ApiError::Internal(error.into()))?),
    ] {
        response.headers_mut().insert(name, value);
    }
    if frame_sites.is_empty() {
        response.headers_mut().insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("SAMEORIGIN"));
    }
    browser.keep(response.headers_mut(), key);
    Ok(response)
}
