//! A provider of payments to try things out with: it speaks WeChat Pay's and Alipay's protocols over HTTP under the demo's keys,
//! checks what it is sent as they do, and reports payments as they do. It runs in a process of its own
//! (`leadlane demo-provider`), also in tests.
//!
//! A scanned code opens `/scan/{no}`, where the payer pays or lets it fail. `POST /control` sets its faults.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, KeyInit, Nonce, Payload};
use axum::body::Bytes;
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::{Value, json};

use base::outside::Caller;
use base::{clock, crypto};
use pay::provider::alipay::yuan;
use pay::provider::key::{self, PrivateKey, PublicKey};
use pay::provider::signed_text;

/// The merchant's keys and the provider's, for demos and tests alone.
pub const MERCHANT_KEY: &str = include_str!("keys/merchant.pem");
pub const PROVIDER_PUBLIC_KEY: &str = include_str!("keys/provider.pub.pem");
const MERCHANT_PUBLIC_KEY: &str = include_str!("keys/merchant.pub.pem");
const PROVIDER_KEY: &str = include_str!("keys/provider.pem");
/// The demo's numbers at WeChat Pay and Alipay.
pub const MCH_NO: &str = "1900000001";
pub const SELLER_ID: &str = "2088000000000001";
pub const APP_ID: &str = "2021000000000001";
pub const WECHAT_APP_ID: &str = "wx0000000000000001";
pub const API_V3_KEY: &str = "demo-api-v3-key-0123456789abcdef";
/// The serial number of its certificate at WeChat Pay, and the ID of its public key: one key under two names.
pub const SERIAL: &str = "DEMOPLATFORM01";
pub const PUB_KEY_ID: &str = "PUB_KEY_ID_0119000000012026";
/// How long a call hangs where faults ask for it.
const HANGS: Duration = Duration::from_secs(60);
/// How long it waits for the answer to a report.
const WITHIN: Duration = Duration::from_secs(10);

/// What it knows.
#[derive(Default)]
struct Books {
    trades: HashMap<String, Trade>,
    refunds: HashMap<String, Refund>,
    misbehaviour: Misbehaviour,
    /// Calls so far, of all kinds.
    calls: u64,
}

#[derive(Clone, Debug)]
struct Trade {
    cents: i64,
    subject: String,
    notify_url: String,
    is_wechat: bool,
    /// In WeChat Pay's words: `NOTPAY`, `SUCCESS`, `CLOSED`, `PAYERROR`.
    state: &'static str,
    trade_no: String,
    paid_cents: i64,
    refunded_cents: i64,
    paid_at: i64,
}

#[derive(Clone, Debug)]
struct Refund {
    order_no: String,
    cents: i64,
    refund_no: String,
    state: &'static str,
    /// When it was made, epoch milliseconds.
    done_at: i64,
}

/// The faults it plays until others are set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Misbehaviour {
    /// Calls hang.
    hang: bool,
    /// What is asked is done, and answered by 500.
    lose_answers: bool,
    /// Nothing is done, and 500 answered.
    fail: bool,
    /// Answers have another signature.
    wrong_signature: bool,
    /// Refunds are refused.
    refuse_refunds: bool,
    /// Refunds of WeChat Pay are made, and a proxy before it answers that they were not.
    refuse_refunds_by_proxy: bool,
    /// Refunds stay on their way.
    slow_refunds: bool,
    /// Refunds are stuck until people complete them.
    abnormal_refunds: bool,
    /// Payments are not reported.
    silent: bool,
}

struct Provider {
    books: Mutex<Books>,
    address: String,
    private: PrivateKey,
    merchant: PublicKey,
}

/// The provider at an address such as `http://127.0.0.1:7998`, by which its codes lead back to it.
pub fn router(address: &str) -> Router {
    let provider = Arc::new(Provider {
        books: Mutex::default(),
        address: address.to_owned(),
        private: key::private(PROVIDER_KEY).expect("the demo's key is one"),
        merchant: key::public(MERCHANT_PUBLIC_KEY).expect("the demo's key is one"),
    });
    Router::new()
        .route("/gateway.do", post(alipay))
        .route("/scan/{no}", get(scan).post(pay))
        .route("/control", post(control).get(calls))
        .route("/control/pay", post(pay_by_number))
        .route("/control/refund", post(refund_by_number))
        .fallback(wechat)
        .with_state(provider)
}

impl Provider {
    fn books(&self) -> std::sync::MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts a call, and returns the faults to play.
    fn called(&self) -> Misbehaviour {
        let mut books = self.books();
        books.calls += 1;
        books.misbehaviour.clone()
    }

    fn code_url(&self, no: &str) -> String {
        format!("{}/scan/{no}", self.address)
    }

    /// An answer or a report of WeChat Pay, signed under the name of its key that was asked for.
    fn signed(&self, serial: &'static str, status: StatusCode, body: &str, wrong: bool) -> Response {
        let (seconds, nonce) = (now() / 1000, crypto::random_text(32));
        let text = format!("{seconds}\n{nonce}\n{}\n", if wrong { "other" } else { body });
        let headers = [
            ("wechatpay-serial", serial.to_owned()),
            ("wechatpay-timestamp", seconds.to_string()),
            ("wechatpay-nonce", nonce),
            ("wechatpay-signature", key::sign(&self.private, &text)),
            ("content-type", "application/json".to_owned()),
        ];
        let mut response = (status, body.to_owned()).into_response();
        for (name, value) in headers {
            response.headers_mut().insert(name, value.parse().expect("a plain text"));
        }
        response
    }

    /// Whether the merchant has signed a request.
    fn is_merchants(&self, method: &Method, path: &str, headers: &HeaderMap, body: &str) -> bool {
        let said = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let field = |name: &str| {
            let (_, rest) = said.split_once(&format!("{name}=\""))?;
            rest.split_once('"').map(|(value, _)| value.to_owned())
        };
        let (Some(seconds), Some(nonce), Some(signature)) = (field("timestamp"), field("nonce_str"), field("signature")) else {
            return false;
        };
        let text = format!("{method}\n{path}\n{seconds}\n{nonce}\n{body}\n");
        field("mchid").as_deref() == Some(MCH_NO) && key::verifies(&self.merchant, text.as_bytes(), &signature)
    }
}

fn now() -> i64 {
    clock::Clock::default().now()
}

async fn misbehave(bad: &Misbehaviour) -> Option<Response> {
    if bad.hang {
        tokio::time::sleep(HANGS).await;
    }
    (bad.fail || bad.hang).then(|| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

async fn control(State(provider): State<Arc<Provider>>, Json(bad): Json<Misbehaviour>) -> StatusCode {
    provider.books().misbehaviour = bad;
    StatusCode::NO_CONTENT
}

async fn calls(State(provider): State<Arc<Provider>>) -> Json<Value> {
    Json(json!({ "calls": provider.books().calls }))
}

/// A payment that a test makes: by an order's number, of its amount or another, reported as often as it says. `again` makes one more
/// payment of the order, with another number of the provider.
#[derive(Deserialize)]
struct PaymentOrdered {
    no: String,
    cents: Option<i64>,
    #[serde(default)]
    again: bool,
    #[serde(default)]
    notices: usize,
}

async fn pay_by_number(State(provider): State<Arc<Provider>>, Json(ordered): Json<PaymentOrdered>) -> StatusCode {
    let Some(trade) = paid(&provider, &ordered.no, ordered.cents, ordered.again) else { return StatusCode::NOT_FOUND };
    let mut taken = StatusCode::NO_CONTENT;
    for _ in 0..ordered.notices {
        if !report(&provider, &ordered.no, &trade).await {
            taken = StatusCode::BAD_GATEWAY;
        }
    }
    taken
}

/// A refund that a test makes at the provider by hand, under the refund's number; without one, in the provider's portal.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RefundOrdered {
    no: String,
    #[serde(default)]
    refund_no: String,
    cents: i64,
}

/// Makes a refund of a trade, and reports it; fails where there is no such trade or the report is refused.
async fn refund_by_number(State(provider): State<Arc<Provider>>, Json(ordered): Json<RefundOrdered>) -> StatusCode {
    let made = {
        let mut books = provider.books();
        // Alipay counts refunds of its portal under numbers of its own.
        let no = match ordered.refund_no.as_str() {
            "" => format!("portal {}", books.refunds.len()),
            no => no.to_owned(),
        };
        let refund = refund(&mut books, &ordered.no, &no, ordered.cents);
        books.trades.get(&ordered.no).cloned().zip(refund)
    };
    let Some((trade, (refund, _))) = made else { return StatusCode::NOT_FOUND };
    if !trade.is_wechat {
        return match report_repaid(&provider, &ordered, &trade).await {
            true => StatusCode::NO_CONTENT,
            false => StatusCode::BAD_GATEWAY,
        };
    }
    let mut content = refund_json(&ordered.refund_no, &refund);
    content["mchid"] = Value::from(MCH_NO);
    content["refund_status"] = content["status"].take();
    content.as_object_mut().expect("a refund is an object").remove("status");
    match tell_wechat(&provider, &trade.notify_url, "REFUND.SUCCESS", &content).await {
        true => StatusCode::NO_CONTENT,
        false => StatusCode::BAD_GATEWAY,
    }
}

/// Reports a refund by Alipay's protocol: the trade, with the sum of its refunds.
async fn report_repaid(provider: &Provider, ordered: &RefundOrdered, trade: &Trade) -> bool {
    let mut fields = trade_fields(&ordered.no, trade);
    fields.insert("trade_status", alipay_state(trade).to_owned());
    fields.insert("refund_fee", yuan(trade.refunded_cents));
    fields.insert("gmt_refund", format!("{}.000", clock::date_time(now())));
    if !ordered.refund_no.is_empty() {
        fields.insert("out_biz_no", ordered.refund_no.clone());
    }
    tell_alipay(provider, &trade.notify_url, fields).await
}

/// A trade's status in Alipay's words: one that is all refunded is closed.
fn alipay_state(trade: &Trade) -> &'static str {
    match trade.state {
        "SUCCESS" if trade.refunded_cents == trade.paid_cents => "TRADE_CLOSED",
        "SUCCESS" => "TRADE_SUCCESS",
        "CLOSED" => "TRADE_CLOSED",
        _ => "WAIT_BUYER_PAY",
    }
}

/// Marks a trade as paid, or as paid once more.
fn paid(provider: &Provider, no: &str, cents: Option<i64>, again: bool) -> Option<Trade> {
    let mut books = provider.books();
    let trade = books.trades.get_mut(no)?;
    if again {
        trade.trade_no = trade_no(trade.is_wechat);
    }
    trade.paid_cents = cents.unwrap_or(trade.cents);
    trade.state = "SUCCESS";
    trade.paid_at = now();
    Some(trade.clone())
}

async fn scan(State(provider): State<Arc<Provider>>, Path(no): Path<String>) -> Html<String> {
    let trade = provider.books().trades.get(&no).cloned();
    let text = match trade {
        Some(trade) if trade.state == "NOTPAY" => format!(
            "<h1>¥{}.{:02}</h1><p>{}</p><form method=\"post\"><button>支付 Pay</button></form>",
            trade.cents / 100,
            trade.cents % 100,
            trade.subject.replace(['<', '&'], "")
        ),
        Some(trade) => format!("<h1>{}</h1>", trade.state),
        None => "<h1>没有这个订单 No such order</h1>".to_owned(),
    };
    Html(format!("<!doctype html><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Demo</title>{text}"))
}

async fn pay(State(provider): State<Arc<Provider>>, Path(no): Path<String>) -> Response {
    let is_open = provider.books().trades.get(&no).is_some_and(|trade| trade.state == "NOTPAY");
    if is_open && let Some(trade) = paid(&provider, &no, None, false) {
        report(&provider, &no, &trade).await;
    }
    scan(State(provider), Path(no)).await.into_response()
}

/// Reports a payment as the protocol of its trade does; tells whether it was taken.
async fn report(provider: &Provider, no: &str, trade: &Trade) -> bool {
    if provider.books().misbehaviour.silent || !trade.notify_url.starts_with("http") {
        return false;
    }
    if trade.is_wechat {
        return tell_wechat(provider, &trade.notify_url, "TRANSACTION.SUCCESS", &transaction(no, trade)).await;
    }
    tell_alipay(provider, &trade.notify_url, trade_fields(no, trade)).await
}

/// What Alipay reports of a trade that is paid.
fn trade_fields(no: &str, trade: &Trade) -> BTreeMap<&'static str, String> {
    BTreeMap::from([
        ("app_id", APP_ID.to_owned()),
        ("charset", "utf-8".to_owned()),
        ("notify_id", crypto::random_text(34)),
        ("notify_time", clock::date_time(now())),
        ("notify_type", "trade_status_sync".to_owned()),
        ("out_trade_no", no.to_owned()),
        ("seller_id", SELLER_ID.to_owned()),
        ("subject", trade.subject.clone()),
        ("trade_no", trade.trade_no.clone()),
        ("trade_status", "TRADE_SUCCESS".to_owned()),
        ("total_amount", yuan(trade.paid_cents)),
        ("gmt_payment", clock::date_time(trade.paid_at)),
        ("buyer_logon_id", "159****5620".to_owned()),
        ("version", "1.0".to_owned()),
    ])
}

/// Reports something by Alipay's protocol; tells whether it was taken.
async fn tell_alipay(provider: &Provider, url: &str, mut fields: BTreeMap<&'static str, String>) -> bool {
    let sign = key::sign(&provider.private, &signed_text(fields.iter().map(|(name, value)| (*name, value.as_str()))));
    fields.insert("sign", sign);
    fields.insert("sign_type", "RSA2".to_owned());
    let request = axum::http::Request::builder()
        .method(Method::POST)
        .uri(url)
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded; charset=utf-8")
        .body(serde_urlencoded::to_string(&fields).expect("texts encode"));
    let Ok(request) = request else { return false };
    matches!(Caller { private: true }.send(request, WITHIN).await, Ok(answer) if answer.body() == b"success")
}

/// Reports something by WeChat Pay's protocol, its content sealed; tells whether it was taken.
async fn tell_wechat(provider: &Provider, url: &str, event: &str, content: &Value) -> bool {
    let nonce = crypto::random_text(12);
    let cipher = Aes256Gcm::new_from_slice(API_V3_KEY.as_bytes()).expect("a key of 32 bytes");
    let content = content.to_string();
    let payload = Payload { msg: content.as_bytes(), aad: b"transaction" };
    let sealed = cipher.encrypt(&Nonce::<Aes256Gcm>::try_from(nonce.as_bytes()).expect("12 bytes"), payload).expect("a text seals");
    let body = json!({
        "id": crypto::random_text(36), "create_time": clock::date_time(now()).replace(' ', "T") + "+08:00", "resource_type": "encrypt-resource",
        "event_type": event, "summary": "支付成功",
        "resource": {
            "original_type": "transaction", "algorithm": "AEAD_AES_256_GCM", "ciphertext": BASE64.encode(sealed), "associated_data": "transaction",
            "nonce": nonce,
        },
    })
    .to_string();
    let signed = provider.signed(SERIAL, StatusCode::OK, &body, false);
    let mut request = axum::http::Request::builder().method(Method::POST).uri(url);
    for (name, value) in signed.headers() {
        if name.as_str().starts_with("wechatpay-") || name == header::CONTENT_TYPE {
            request = request.header(name, value);
        }
    }
    let Ok(request) = request.body(body) else { return false };
    matches!(Caller { private: true }.send(request, WITHIN).await, Ok(answer) if answer.status().is_success())
}

/// A trade in WeChat Pay's format.
fn transaction(no: &str, trade: &Trade) -> Value {
    let mut reply = json!({
        "appid": WECHAT_APP_ID, "mchid": MCH_NO, "out_trade_no": no, "trade_state": if trade.refunded_cents > 0 { "REFUND" } else { trade.state }, "trade_state_desc": "",
        "amount": { "total": trade.paid_cents, "payer_total": trade.paid_cents, "currency": "CNY", "payer_currency": "CNY" },
    });
    if trade.state == "SUCCESS" {
        reply["transaction_id"] = Value::from(trade.trade_no.as_str());
        reply["trade_type"] = Value::from("NATIVE");
        reply["success_time"] = Value::from(clock::date_time(trade.paid_at).replace(' ', "T") + "+08:00");
        reply["payer"] = json!({ "openid": "oUpF8uMuAJO_M2pxb1Q9zNjWeS6o" });
    }
    reply
}

fn trade(cents: i64, subject: &str, notify_url: &str, is_wechat: bool) -> Trade {
    Trade {
        cents,
        subject: subject.to_owned(),
        notify_url: notify_url.to_owned(),
        is_wechat,
        state: "NOTPAY",
        trade_no: trade_no(is_wechat),
        paid_cents: cents,
        refunded_cents: 0,
        paid_at: 0,
    }
}

/// A number of the provider for a payment.
fn trade_no(is_wechat: bool) -> String {
    let digits = rand::random_range(10_i64.pow(17)..10_i64.pow(18));
    if is_wechat { format!("4200{digits}") } else { format!("2026{digits}") }
}

/// Takes a refund, once under its number; none where it is refused.
fn refund(books: &mut Books, order_no: &str, no: &str, cents: i64) -> Option<(Refund, bool)> {
    if let Some(known) = books.refunds.get(no) {
        return Some((known.clone(), false));
    }
    let state = match &books.misbehaviour {
        bad if bad.abnormal_refunds => "ABNORMAL",
        bad if bad.slow_refunds => "PROCESSING",
        _ => "SUCCESS",
    };
    let trade =
        books.trades.get_mut(order_no).filter(|trade| trade.state == "SUCCESS" && trade.refunded_cents + cents <= trade.paid_cents)?;
    trade.refunded_cents += cents;
    let refund = Refund {
        order_no: order_no.to_owned(),
        cents,
        refund_no: format!("5030{}", rand::random_range(10_i64.pow(15)..10_i64.pow(16))),
        state,
        done_at: now(),
    };
    books.refunds.insert(no.to_owned(), refund.clone());
    Some((refund, true))
}

/// The calls of WeChat Pay.
async fn wechat(State(provider): State<Arc<Provider>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let bytes: Bytes = axum::body::to_bytes(body, 64 * 1024).await.unwrap_or_default();
    let (text, bad) = (String::from_utf8_lossy(&bytes).into_owned(), provider.called());
    if let Some(response) = misbehave(&bad).await {
        return response;
    }
    let path = parts.uri.path_and_query().map(|path| path.as_str()).unwrap_or_default().to_owned();
    if !provider.is_merchants(&parts.method, &path, &parts.headers, &text) {
        return (StatusCode::UNAUTHORIZED, r#"{"code":"SIGN_ERROR","message":"错误的签名"}"#).into_response();
    }
    let asked: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let (status, answer) = wechat_answer(&provider, &parts.method, parts.uri.path(), &asked, &bad);
    if bad.lose_answers {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let body = if answer.is_null() { String::new() } else { answer.to_string() };
    let serial = if parts.headers.get("wechatpay-serial").is_some_and(|asked| asked == PUB_KEY_ID) { PUB_KEY_ID } else { SERIAL };
    provider.signed(serial, status, &body, bad.wrong_signature || status == StatusCode::REQUEST_TIMEOUT)
}

fn wechat_answer(provider: &Provider, method: &Method, path: &str, asked: &Value, bad: &Misbehaviour) -> (StatusCode, Value) {
    let wrong = |code: &str| (StatusCode::BAD_REQUEST, json!({ "code": code, "message": "" }));
    let mut books = provider.books();
    let parts: Vec<&str> = path.trim_start_matches('/').split('/').collect();
    match (method, parts.as_slice()) {
        (&Method::POST, ["v3", "pay", "transactions", "native"]) => {
            let no = asked["out_trade_no"].as_str().unwrap_or_default();
            let (Some(cents), Some(subject)) = (asked["amount"]["total"].as_i64(), asked["description"].as_str()) else {
                return wrong("PARAM_ERROR");
            };
            let url = asked["notify_url"].as_str().unwrap_or_default();
            books.trades.entry(no.to_owned()).or_insert_with(|| trade(cents, subject, url, true));
            (StatusCode::OK, json!({ "code_url": provider.code_url(no) }))
        }
        (&Method::GET, ["v3", "pay", "transactions", "out-trade-no", no]) => match books.trades.get(*no) {
            Some(found) => (StatusCode::OK, transaction(no, found)),
            None => (StatusCode::NOT_FOUND, json!({ "code": "ORDER_NOT_EXIST", "message": "订单不存在" })),
        },
        (&Method::POST, ["v3", "pay", "transactions", "out-trade-no", no, "close"]) => match books.trades.get_mut(*no) {
            Some(found) if found.state == "SUCCESS" => wrong("ORDERPAID"),
            Some(found) => {
                found.state = "CLOSED";
                (StatusCode::NO_CONTENT, Value::Null)
            }
            None => (StatusCode::NOT_FOUND, json!({ "code": "ORDER_NOT_EXIST", "message": "订单不存在" })),
        },
        (&Method::POST, ["v3", "refund", "domestic", "refunds"]) => {
            let text = |name: &str| asked[name].as_str().unwrap_or_default().to_owned();
            if bad.refuse_refunds {
                return wrong("INVALID_REQUEST");
            }
            match refund(&mut books, &text("out_trade_no"), &text("out_refund_no"), asked["amount"]["refund"].as_i64().unwrap_or_default())
            {
                Some(_) if bad.refuse_refunds_by_proxy => (StatusCode::REQUEST_TIMEOUT, json!({ "code": "TIMEOUT", "message": "" })),
                Some((refund, _)) => (StatusCode::OK, refund_json(&text("out_refund_no"), &refund)),
                None => wrong("INVALID_REQUEST"),
            }
        }
        (&Method::GET, ["v3", "refund", "domestic", "refunds", no]) => match books.refunds.get(*no) {
            Some(refund) => (StatusCode::OK, refund_json(no, refund)),
            None => (StatusCode::NOT_FOUND, json!({ "code": "RESOURCE_NOT_EXISTS", "message": "退款单不存在" })),
        },
        _ => (StatusCode::NOT_FOUND, json!({ "code": "NOT_FOUND", "message": "" })),
    }
}

fn refund_json(no: &str, refund: &Refund) -> Value {
    let mut reply = json!({
        "refund_id": refund.refund_no, "out_refund_no": no, "out_trade_no": refund.order_no, "status": refund.state,
        "amount": { "refund": refund.cents, "currency": "CNY" },
    });
    if refund.state == "SUCCESS" {
        reply["success_time"] = Value::from(clock::date_time(refund.done_at).replace(' ', "T") + "+08:00");
    }
    reply
}

/// The calls of Alipay: one address for all.
async fn alipay(State(provider): State<Arc<Provider>>, Form(fields): Form<BTreeMap<String, String>>) -> Response {
    let bad = provider.called();
    if let Some(response) = misbehave(&bad).await {
        return response;
    }
    let text = |name: &str| fields.get(name).cloned().unwrap_or_default();
    let name = format!("{}_response", text("method").replace('.', "_"));
    let signed = signed_text(fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    let answer = match text("app_id") == APP_ID && key::verifies(&provider.merchant, signed.as_bytes(), &text("sign")) {
        false => json!({ "code": "40002", "msg": "Invalid Arguments", "sub_code": "isv.invalid-signature" }),
        true => {
            let asked = serde_json::from_str(&text("biz_content")).unwrap_or(Value::Null);
            alipay_answer(&provider, &text("method"), &asked, &text("notify_url"), &bad)
        }
    };
    if bad.lose_answers {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    }
    let content = answer.to_string();
    let sign = key::sign(&provider.private, if bad.wrong_signature { "other" } else { &content });
    let body = format!("{{\"{name}\":{content},\"sign\":\"{sign}\"}}");
    ([(header::CONTENT_TYPE, "text/html;charset=utf-8")], body).into_response()
}

fn alipay_answer(provider: &Provider, method: &str, asked: &Value, notify_url: &str, bad: &Misbehaviour) -> Value {
    let wrong = |code: &str| json!({ "code": "40004", "msg": "Business Failed", "sub_code": code, "sub_msg": "" });
    let text = |name: &str| asked[name].as_str().unwrap_or_default().to_owned();
    let cents = |name: &str| frame::import::cell::cents(&text(name)).unwrap_or_default();
    let (mut books, no) = (provider.books(), text("out_trade_no"));
    // Alipay has no number of a refund but that of its payment.
    let trade_no = books.trades.get(&no).map(|trade| trade.trade_no.clone()).unwrap_or_default();
    match method {
        "alipay.trade.precreate" => {
            books.trades.entry(no.clone()).or_insert_with(|| trade(cents("total_amount"), &text("subject"), notify_url, false));
            json!({ "code": "10000", "msg": "Success", "out_trade_no": no, "qr_code": provider.code_url(&no) })
        }
        "alipay.trade.query" => match books.trades.get(&no) {
            None => wrong("ACQ.TRADE_NOT_EXIST"),
            Some(found) => {
                let mut answer = json!({
                    "code": "10000", "msg": "Success", "out_trade_no": no, "trade_no": found.trade_no, "trade_status": alipay_state(found),
                    "total_amount": yuan(found.paid_cents), "buyer_logon_id": "159****5620", "sub_msg": null,
                });
                if found.state == "SUCCESS" {
                    answer["send_pay_date"] = Value::from(clock::date_time(found.paid_at));
                }
                answer
            }
        },
        "alipay.trade.close" => match books.trades.get_mut(&no) {
            None => wrong("ACQ.TRADE_NOT_EXIST"),
            Some(found) if found.state == "SUCCESS" => wrong("ACQ.REASON_TRADE_STATUS_INVALID"),
            Some(found) => {
                found.state = "CLOSED";
                json!({ "code": "10000", "msg": "Success", "out_trade_no": no })
            }
        },
        "alipay.trade.refund" if bad.refuse_refunds => wrong("ACQ.REFUND_AMT_NOT_EQUAL_TOTAL"),
        "alipay.trade.refund" => match refund(&mut books, &no, &text("out_request_no"), cents("refund_amount")) {
            Some((refund, changed)) => json!({
                "code": "10000", "msg": "Success", "out_trade_no": no, "trade_no": trade_no,
                "fund_change": if changed && refund.state == "SUCCESS" { "Y" } else { "N" },
            }),
            None => wrong("ACQ.TRADE_STATUS_ERROR"),
        },
        "alipay.trade.fastpay.refund.query" => match books.refunds.get(&text("out_request_no")) {
            Some(refund) if refund.state == "SUCCESS" => {
                let mut answer = json!({
                    "code": "10000", "msg": "Success", "out_trade_no": no, "trade_no": trade_no, "refund_status": "REFUND_SUCCESS",
                    "refund_amount": yuan(refund.cents),
                });
                if asked["query_options"].as_array().is_some_and(|options| options.contains(&json!("gmt_refund_pay"))) {
                    answer["gmt_refund_pay"] = Value::from(clock::date_time(refund.done_at));
                }
                answer
            }
            Some(_) => json!({ "code": "10000", "msg": "Success", "out_trade_no": no, "refund_status": "REFUND_PROCESSING" }),
            None => json!({ "code": "10000", "msg": "Success", "out_trade_no": no }),
        },
        _ => wrong("isv.invalid-method"),
    }
}
