//! WeChat's calls for official accounts, for tests with the demo's account: it gives tokens, takes messages and
//! pictures, enforces the 48 hours and the five answers, and delivers customers' messages to `/open/wechat/{id}`. It
//! runs in its own process (`leadlane demo-wechat`), also in tests.
//!
//! `/` is the customer's side: a thread to read and to write in. `POST /control` sets its faults.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use askama::Template;
use axum::body::Bytes;
use axum::extract::{Path, Query, State};
use axum::http::{Method, Request, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::{Value, json};

use base::outside::Caller;
use base::{clock, crypto};
use chat::wechat::WINDOW;
use chat::wechat::cipher::{MessageKey, signature};
use chat::wechat::xml;

/// The demo's account, its secrets and its template.
pub const APP_ID: &str = "wx0000000000000002";
pub const APP_SECRET: &str = "demo0app0secret0123456789abcdef0";
pub const TOKEN: &str = "demowechattoken";
pub const AES_KEY: &str = "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG";
pub const TEMPLATE: &str = "demo-template-0001";
/// The account's own name in WeChat, and the customer of the page.
const ACCOUNT: &str = "gh_0123456789ab";
const CUSTOMER: &str = "oDemoCustomer0000000000001";
/// Answers that a customer may be sent before they write again.
const MOST_ANSWERS: usize = 5;
/// How long a call hangs if the faults say so, and how long to wait for an answer of Leadlane.
const HANGS: Duration = Duration::from_secs(60);
const WITHIN: Duration = Duration::from_secs(10);
/// The picture that customers send, in base64.
const PICTURE: &str = "iVBORw0KGgoAAAANSUhEUgAAAGAAAABACAIAAABqVuVZAAAAg0lEQVR42u3asQ0AIAwDsF7Bd/zPzgFwQ0eCpcyR6jFqrX1aGbOX1/sLECBAgA\
    ABAgQIECBAgAABAgQoDOi3g7v9gAABAgQIECBAgAABAgQIECBAaUAGM4siIECAAAECBAgQIECAAAECBMh/kMHMoggIECBAgAABAgQIECBAgAAB\
    igW6cl2S/qMwHdkAAAAASUVORK5CYII=";

#[derive(Default)]
struct Books {
    tokens: Vec<String>,
    media: HashMap<String, Vec<u8>>,
    /// Messages to customers, in order.
    sent: Vec<Value>,
    /// Customers' messages, in order: openid and text.
    written: Vec<(String, String)>,
    /// When a customer last wrote, and how many answers they got since.
    windows: HashMap<String, (i64, usize)>,
    faults: Faults,
    calls: u64,
    tokens_given: u64,
}

/// The faults it plays until others are set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Faults {
    /// Calls hang.
    hang: bool,
    /// The request is done, and answered by 500.
    lose_answers: bool,
    /// Nothing is done, and the answer is 500.
    fail: bool,
    /// Nothing is done: the system is busy.
    busy: bool,
    /// The issued tokens are not valid any more.
    end_tokens: bool,
    /// Messages to customers are refused by this error.
    refuse: i64,
}

struct Wechat {
    books: Mutex<Books>,
    /// Where Leadlane is, and the id of its account.
    site: String,
    account: i64,
}

impl Wechat {
    fn books(&self) -> std::sync::MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call, and returns the faults to play.
    fn called(&self) -> Faults {
        let mut books = self.books();
        books.calls += 1;
        books.faults.clone()
    }
}

/// WeChat for the account of that id of a Leadlane at an address such as `http://127.0.0.1:8080`.
pub fn router(site: &str, account: i64) -> Router {
    let wechat = Arc::new(Wechat { books: Mutex::default(), site: site.trim_end_matches('/').to_owned(), account });
    Router::new()
        .route("/cgi-bin/stable_token", post(token))
        .route("/cgi-bin/message/custom/send", post(send))
        .route("/cgi-bin/message/template/send", post(send_template))
        .route("/cgi-bin/media/upload", post(upload))
        .route("/cgi-bin/media/get", get(media))
        .route("/control", post(control).get(state))
        .route("/control/check", post(check))
        .route("/control/write", post(write_by_test))
        .route("/", get(page).post(write_by_page))
        .route("/media/{id}", get(shown))
        .with_state(wechat)
}

fn error(code: i64, words: &str) -> Response {
    Json(json!({ "errcode": code, "errmsg": words })).into_response()
}

/// Plays the faults of a call around what it does.
async fn answered(faults: &Faults, done: impl FnOnce() -> Response) -> Response {
    if faults.hang {
        tokio::time::sleep(HANGS).await;
    }
    if faults.fail || faults.hang {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    if faults.busy {
        return error(-1, "system error");
    }
    let answer = done();
    if faults.lose_answers { StatusCode::INTERNAL_SERVER_ERROR.into_response() } else { answer }
}

async fn token(State(wechat): State<Arc<Wechat>>, Json(asked): Json<Value>) -> Response {
    let faults = wechat.called();
    answered(&faults, || {
        if asked["appid"] != APP_ID {
            return error(40013, "invalid appid");
        }
        if asked["secret"] != APP_SECRET {
            return error(40125, "invalid appsecret");
        }
        let mut books = wechat.books();
        books.tokens_given += 1;
        // The same one while it is valid.
        if books.tokens.is_empty() {
            books.tokens.push(crypto::random_text(64));
        }
        Json(json!({ "access_token": books.tokens[0], "expires_in": 7200 })).into_response()
    })
    .await
}

#[derive(Deserialize)]
struct Called {
    access_token: String,
    #[serde(default)]
    media_id: String,
}

async fn send(State(wechat): State<Arc<Wechat>>, Query(called): Query<Called>, Json(message): Json<Value>) -> Response {
    let faults = wechat.called();
    answered(&faults, || take(&wechat, &called, message, &faults, false)).await
}

async fn send_template(State(wechat): State<Arc<Wechat>>, Query(called): Query<Called>, Json(message): Json<Value>) -> Response {
    let faults = wechat.called();
    answered(&faults, || take(&wechat, &called, message, &faults, true)).await
}

fn take(wechat: &Wechat, called: &Called, message: Value, faults: &Faults, is_template: bool) -> Response {
    let mut books = wechat.books();
    if faults.end_tokens {
        books.tokens.clear();
        books.faults.end_tokens = false;
    }
    if !books.tokens.contains(&called.access_token) {
        return error(40001, "invalid credential, access_token is invalid or not latest");
    }
    if faults.refuse != 0 {
        return error(faults.refuse, "refused");
    }
    let openid = message["touser"].as_str().unwrap_or_default().to_owned();
    if is_template {
        if message["template_id"] != TEMPLATE {
            return error(40037, "invalid template_id");
        }
    } else {
        let Some((last, answers)) = books.windows.get_mut(&openid) else { return error(45015, "response out of time limit") };
        if *last + WINDOW <= now() {
            return error(45015, "response out of time limit");
        }
        if *answers >= MOST_ANSWERS {
            return error(45047, "out of response count limit");
        }
        *answers += 1;
        if message["text"]["content"].as_str().is_some_and(|text| text.len() > 2048) {
            return error(45002, "content size out of limit");
        }
        if message["msgtype"] == "image" && !books.media.contains_key(message["image"]["media_id"].as_str().unwrap_or_default()) {
            return error(40007, "invalid media_id");
        }
    }
    books.sent.push(message);
    let number = books.sent.len();
    Json(json!({ "errcode": 0, "errmsg": "ok", "msgid": number })).into_response()
}

async fn upload(State(wechat): State<Arc<Wechat>>, Query(called): Query<Called>, body: Bytes) -> Response {
    let faults = wechat.called();
    answered(&faults, || {
        let mut books = wechat.books();
        if !books.tokens.contains(&called.access_token) {
            return error(40001, "invalid credential");
        }
        // The part's content is between the first empty line and the last boundary.
        let start = memchr::memmem::find(&body, b"\r\n\r\n").map(|at| at + 4);
        let end = memchr::memmem::rfind(&body, b"\r\n--");
        let (Some(start), Some(end)) = (start, end) else { return error(41005, "media data missing") };
        let id = crypto::random_text(40);
        books.media.insert(id.clone(), body[start..end].to_vec());
        Json(json!({ "type": "image", "media_id": id, "created_at": now() / 1000 })).into_response()
    })
    .await
}

async fn media(State(wechat): State<Arc<Wechat>>, Query(called): Query<Called>) -> Response {
    let faults = wechat.called();
    answered(&faults, || {
        let books = wechat.books();
        if !books.tokens.contains(&called.access_token) {
            return error(40001, "invalid credential");
        }
        picture(&books, &called.media_id).unwrap_or_else(|| error(40007, "invalid media_id"))
    })
    .await
}

fn picture(books: &Books, id: &str) -> Option<Response> {
    let bytes = books.media.get(id)?.clone();
    let kind = if bytes.starts_with(b"\x89PNG") { "image/png" } else { "image/jpeg" };
    Some(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

async fn shown(State(wechat): State<Arc<Wechat>>, Path(id): Path<String>) -> Response {
    picture(&wechat.books(), &id).unwrap_or_else(|| StatusCode::NOT_FOUND.into_response())
}

async fn control(State(wechat): State<Arc<Wechat>>, Json(faults): Json<Faults>) -> StatusCode {
    wechat.books().faults = faults;
    StatusCode::NO_CONTENT
}

async fn state(State(wechat): State<Arc<Wechat>>) -> Json<Value> {
    let books = wechat.books();
    Json(json!({ "calls": books.calls, "tokensGiven": books.tokens_given, "sent": books.sent }))
}

/// An action of a customer, from a test.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Written {
    openid: String,
    /// `text`, `image`, or an event such as `subscribe`.
    kind: String,
    #[serde(default)]
    text: String,
    /// WeChat's number of it; a new one where it is not given.
    #[serde(default)]
    number: String,
    /// Whether it is encrypted.
    #[serde(default)]
    encrypted: bool,
    /// How often it is delivered.
    #[serde(default = "once")]
    times: usize,
}

fn once() -> usize {
    1
}

async fn write_by_test(State(wechat): State<Arc<Wechat>>, Json(written): Json<Written>) -> Json<Value> {
    let mut answers = Vec::new();
    let number = if written.number.is_empty() { crypto::random_text(18) } else { written.number.clone() };
    for _ in 0..written.times {
        answers.push(deliver(&wechat, &written, &number).await);
    }
    Json(Value::from(answers))
}

/// Delivers a customer's action. Returns the status and the decrypted body.
async fn deliver(wechat: &Wechat, written: &Written, number: &str) -> Value {
    let at = (now() / 1000).to_string();
    let mut fields = vec![("ToUserName", ACCOUNT), ("FromUserName", &written.openid), ("CreateTime", at.as_str())];
    let media_id = format!("picture-{number}");
    match written.kind.as_str() {
        "text" => fields.extend([("MsgType", "text"), ("Content", &written.text), ("MsgId", number)]),
        "image" => {
            wechat.books().media.insert(media_id.clone(), BASE64.decode(PICTURE).expect("the picture is in base64"));
            fields.extend([("MsgType", "image"), ("PicUrl", ""), ("MediaId", &media_id), ("MsgId", number)]);
        }
        kind @ ("voice" | "video" | "location" | "link") => fields.extend([("MsgType", kind), ("Title", &written.text), ("MsgId", number)]),
        event => fields.extend([("MsgType", "event"), ("Event", event), ("EventKey", ""), ("MsgID", number), ("Status", &written.text)]),
    }
    if matches!(written.kind.as_str(), "text" | "image" | "voice" | "video" | "location" | "link") {
        wechat.books().windows.insert(written.openid.clone(), (now(), 0));
    }
    let (mut body, nonce) = (xml::of(&fields), crypto::random_text(10));
    let mut query = vec![("signature", signature(&[TOKEN, &at, &nonce])), ("timestamp", at.clone()), ("nonce", nonce.clone())];
    let key = MessageKey::of(AES_KEY).expect("the demo's key is one");
    if written.encrypted {
        let sealed = key.encrypt(&body, APP_ID);
        query.extend([("encrypt_type", "aes".to_owned()), ("msg_signature", signature(&[TOKEN, &at, &nonce, &sealed]))]);
        body = xml::of(&[("ToUserName", ACCOUNT), ("Encrypt", &sealed)]);
    }
    let (status, mut answer) = call(wechat, Method::POST, &query, body).await;
    if let Some(sealed) = xml::fields(&answer).ok().and_then(|fields| fields.get("Encrypt").cloned()) {
        answer = key.decrypt(&sealed, APP_ID).unwrap_or_default();
    }
    json!({ "status": status, "body": answer })
}

/// Checks the account's address as WeChat does when it is entered.
async fn check(State(wechat): State<Arc<Wechat>>) -> Json<Value> {
    let (at, nonce, echo) = ((now() / 1000).to_string(), crypto::random_text(10), crypto::random_code());
    let query = [("signature", signature(&[TOKEN, &at, &nonce])), ("timestamp", at), ("nonce", nonce), ("echostr", echo.clone())];
    let (status, answer) = call(&wechat, Method::GET, &query, String::new()).await;
    Json(json!({ "status": status, "echoed": answer == echo }))
}

async fn call(wechat: &Wechat, method: Method, query: &[(&str, String)], body: String) -> (u16, String) {
    let query = serde_urlencoded::to_string(query).expect("texts encode");
    let request = Request::builder()
        .method(method)
        .uri(format!("{}/api/open/wechat/{}?{query}", wechat.site, wechat.account))
        .header(header::CONTENT_TYPE, "text/xml");
    let caller = Caller { private: true };
    match caller.send(request.body(body).expect("an address"), WITHIN).await {
        Ok(answer) => (answer.status().as_u16(), String::from_utf8_lossy(answer.body()).into_owned()),
        Err(_) => (0, String::new()),
    }
}

/// The signature of a call under a token.
pub fn signed(token: &str, timestamp: &str, nonce: &str) -> String {
    signature(&[token, timestamp, nonce])
}

fn now() -> i64 {
    clock::Clock::default().now()
}

#[derive(Template)]
#[template(
    ext = "html",
    source = r#"<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>微信</title>
<h1>微信（演示）</h1><ul>{% for line in lines %}<li>{{ line }}</li>{% endfor %}</ul>
<form method="post"><input name="text" maxlength="600" required autofocus> <button name="kind" value="text">发送</button></form>
<form method="post"><button name="kind" value="image">发送图片</button> <button name="kind" value="subscribe">关注</button>
<button name="kind" value="unsubscribe">取消关注</button></form><p><a href="/">刷新</a></p></html>"#
)]
struct CustomerPage {
    lines: Vec<String>,
}

/// The customer's side: their messages and the answers.
async fn page(State(wechat): State<Arc<Wechat>>) -> Html<String> {
    let books = wechat.books();
    let written = books.written.iter().filter(|(openid, _)| openid == CUSTOMER).map(|(_, text)| format!("我：{text}"));
    let sent = books.sent.iter().filter(|message| message["touser"] == CUSTOMER).map(|message| match message["msgtype"].as_str() {
        Some("text") => format!("公众号：{}", message["text"]["content"].as_str().unwrap_or_default()),
        Some(_) => "公众号：[图片]".to_owned(),
        None => format!("公众号：[模板消息] {}", message["data"]),
    });
    Html(CustomerPage { lines: written.chain(sent).collect() }.render().unwrap_or_default())
}

#[derive(Deserialize)]
struct PageForm {
    kind: String,
    #[serde(default)]
    text: String,
}

async fn write_by_page(State(wechat): State<Arc<Wechat>>, Form(form): Form<PageForm>) -> Redirect {
    let line = if form.kind == "text" { form.text.clone() } else { format!("[{}]", form.kind) };
    let written =
        Written { openid: CUSTOMER.to_owned(), kind: form.kind, text: form.text, number: String::new(), encrypted: true, times: 1 };
    let answer = deliver(&wechat, &written, &crypto::random_text(18)).await;
    let mut books = wechat.books();
    books.written.push((CUSTOMER.to_owned(), line));
    if let Some(text) = answer["body"].as_str().and_then(|body| xml::fields(body).ok()).and_then(|fields| fields.get("Content").cloned()) {
        books.sent.push(json!({ "touser": CUSTOMER, "msgtype": "text", "text": { "content": text } }));
    }
    Redirect::to("/")
}
