//! The protocol of WeChat Pay: its calls and its reports.

use std::sync::Arc;

use aes_gcm::Aes256Gcm;
use aes_gcm::aead::{Aead, KeyInit, Nonce, Payload};
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

use super::books::{Misbehaviour, Refund, Trade, refund, trade};
use super::{API_V3_KEY, MCH_NO, PUB_KEY_ID, Provider, SERIAL, WECHAT_APP_ID, WITHIN, misbehave, now};
use base::outside::Caller;
use base::{clock, crypto};

/// The calls of WeChat Pay.
pub async fn wechat(State(provider): State<Arc<Provider>>, request: Request) -> Response {
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

/// Reports something by WeChat Pay's protocol, its content sealed; returns whether it was taken.
pub async fn send_wechat_report(provider: &Provider, url: &str, event: &str, content: &Value) -> bool {
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
pub fn transaction(no: &str, trade: &Trade) -> Value {
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

pub fn refund_json(no: &str, refund: &Refund) -> Value {
    let mut reply = json!({
        "refund_id": refund.refund_no, "out_refund_no": no, "out_trade_no": refund.order_no, "status": refund.state,
        "amount": { "refund": refund.cents, "currency": "CNY" },
    });
    if refund.state == "SUCCESS" {
        reply["success_time"] = Value::from(clock::date_time(refund.done_at).replace(' ', "T") + "+08:00");
    }
    reply
}
