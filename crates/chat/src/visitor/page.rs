//! The pages that a visitor sees: the welcome and the thread.

use askama::Template;
use axum::body::Body;
use axum::http::{HeaderValue, Response, header};
use serde::Serialize;

use super::forms::Typed;
use super::keys::{Group, Last, Thread, Visitor, group_by_id, last_of, thread_of};
use super::news::mark_read;
use crate::codes::{ChatDirection, ChatMessageKind, ConversationStatus};
use crate::consent;
use crate::conversation::model::ChatMessageRow;
use crate::conversation::store::{self, Stretch};
use crate::conversation::write;
use crate::customer::model::CustomerStatus;
use crate::feed;
use crate::phone_code;
use crate::thread_key::{self, Browser};
use base::clock::{self};
use base::locale::Locale;
use base::sentence_page::nonce;
use frame::api::ctx::RequestInfo;
use frame::api::{ApiError, App, Result};

/// Messages that a page shows.
pub(super) const SHOWN: usize = 100;

#[derive(Template)]
#[template(path = "talk.html")]
pub(super) struct TalkPage<'p> {
    pub(super) locale: &'static str,
    pub(super) nonce: &'p str,
    pub(super) group: &'p str,
    /// The key of the page through which the visitor came: part of the thread's address.
    pub(super) page: &'p str,
    pub(super) state: String,
    /// Whether a thread has begun.
    pub(super) is_thread: bool,
    /// Whether it shows only earlier messages, without forms.
    pub(super) is_past: bool,
    /// The first message that is shown, where there are earlier ones.
    pub(super) earlier: Option<i64>,
    /// The number of the next message.
    pub(super) fresh: String,
    pub(super) error: Option<String>,
    /// Whether the browser keeps no cookies here. The page then offers to open in its own window.
    pub(super) keeps_nothing: bool,
    pub(super) draft: &'p str,
    /// The note of a rating, as typed.
    pub(super) note: &'p str,
    pub(super) name: &'p str,
    pub(super) messages: Vec<Line>,
    pub(super) last_id: i64,
    pub(super) event: i64,
    /// The visitor's number, and whether it is verified; empty without one.
    pub(super) phone: String,
    pub(super) asks_phone: bool,
    /// Whether a code may be requested, and whether one can be entered.
    pub(super) proves_phone: bool,
    pub(super) asks_code: bool,
    pub(super) asks_rating: bool,
    pub(super) is_blocked: bool,
    pub(super) words: Words,
}

/// A message as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Line {
    pub(super) id: i64,
    pub(super) mine: bool,
    /// The author; empty for the visitor.
    pub(super) name: String,
    pub(super) text: String,
    pub(super) time: String,
    /// The address of its file, and whether that is a picture.
    pub(super) file: Option<String>,
    pub(super) picture: bool,
}

/// The words of the page.
pub(super) struct Words {
    pub(super) title: &'static str,
    pub(super) name: &'static str,
    pub(super) message: &'static str,
    pub(super) consent: &'static str,
    pub(super) consent_version: String,
    pub(super) send: &'static str,
    pub(super) file: &'static str,
    pub(super) send_file: &'static str,
    pub(super) phone: &'static str,
    pub(super) change_phone: &'static str,
    pub(super) save: &'static str,
    pub(super) get_code: &'static str,
    pub(super) code_sent: &'static str,
    pub(super) code: &'static str,
    pub(super) enter_code: &'static str,
    pub(super) rate: &'static str,
    pub(super) rate_send: &'static str,
    pub(super) note: &'static str,
    pub(super) refresh: &'static str,
    pub(super) you: &'static str,
    pub(super) blocked: &'static str,
    pub(super) thread: &'static str,
    pub(super) read: &'static str,
    pub(super) cut: &'static str,
    pub(super) window: &'static str,
    pub(super) earlier: &'static str,
    pub(super) latest: &'static str,
}

pub(super) fn words(locale: Locale) -> Words {
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

pub(super) fn locale_of(request: &RequestInfo) -> Locale {
    request.locale
}

/// The text above a visitor's thread.
pub(super) fn state_of(last: &Last, is_open: bool, locale: Locale) -> String {
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

pub(super) fn lines(page: &str, messages: Vec<ChatMessageRow>, locale: Locale) -> Vec<Line> {
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

/// The data of the page to begin a thread, besides the group.
#[derive(Default)]
pub(super) struct Welcome<'p> {
    pub(super) error: Option<String>,
    pub(super) keeps_nothing: bool,
    pub(super) draft: &'p str,
    pub(super) name: &'p str,
}

/// The page to begin a thread. Gives the browser a key for a new thread unless it has one.
pub(super) async fn welcome_page(
    app: &App,
    group: &Group,
    browser: &Browser,
    locale: Locale,
    shown: Welcome<'_>,
) -> Result<Response<Body>> {
    let is_open = group.hours.as_ref().is_none_or(|hours| hours.is_open(app.clock.now()));
    let state = match (&group.hours, is_open) {
        (Some(hours), false) => {
            format!("{} {}", locale.pick("现在是非工作时间，请留言。", "We are closed now. Leave a message."), hours.sentence(locale))
        }
        (Some(hours), true) => {
            format!("{}{}", locale.pick("请描述您的问题。服务时间：", "How can we help? Opening hours: "), hours.sentence(locale))
        }
        (None, _) => locale.pick("请描述您的问题", "How can we help?").to_owned(),
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

/// What is shown of a thread: the last messages or those before a message, and an error.
pub(super) struct Opened {
    pub(super) before: Option<i64>,
    pub(super) error: Option<String>,
}

pub(super) async fn thread_page(
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

/// Renders a page that these sites and its own may frame, and sets the cookie with the key.
pub(super) fn render(page: TalkPage<'_>, frame_sites: &[String], browser: &Browser, key: &str) -> Result<Response<Body>> {
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
        // Forms need the origin of this site; other sites must not get the address.
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
