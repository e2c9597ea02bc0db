//! The protocol of Alipay: its calls and its reports.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::Form;
use axum::extract::State;
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::books::{Misbehaviour, Trade, refund, trade};
use super::control::RefundOrdered;
use super::{APP_ID, Provider, SELLER_ID, WITHIN, misbehave, now};
use base::outside::Caller;
use base::{clock, crypto};
use pay::provider::alipay::yuan;
use pay::provider::{key, signed_text};

/// The calls of Alipay: one address for all.
pub async fn alipay(State(provider): State<Arc<Provider>>, Form(fields): Form<BTreeMap<String, String>>) -> Response {
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

/// Reports a refund by Alipay's protocol: the trade, with the sum of its refunds.
pub async fn report_repaid(provider: &Provider, ordered: &RefundOrdered, trade: &Trade) -> bool {
    let mut fields = trade_fields(&ordered.no, trade);
    fields.insert("trade_status", alipay_state(trade).to_owned());
    fields.insert("refund_fee", yuan(trade.refunded_cents));
    fields.insert("gmt_refund", format!("{}.000", clock::date_time(now())));
    if !ordered.refund_no.is_empty() {
        fields.insert("out_biz_no", ordered.refund_no.clone());
    }
    send_alipay_report(provider, &trade.notify_url, fields).await
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

/// What Alipay reports of a trade that is paid.
pub fn trade_fields(no: &str, trade: &Trade) -> BTreeMap<&'static str, String> {
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

/// Reports something by Alipay's protocol; returns whether it was taken.
pub async fn send_alipay_report(provider: &Provider, url: &str, mut fields: BTreeMap<&'static str, String>) -> bool {
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
