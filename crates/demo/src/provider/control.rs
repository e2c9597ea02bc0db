//! What tests and payers do at the provider: set its faults, make payments and refunds, and scan a code.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::alipay::{report_repaid, send_alipay_report, trade_fields};
use super::books::{Misbehaviour, Trade, paid, refund};
use super::wechat::{refund_json, send_wechat_report, transaction};
use super::{MCH_NO, Provider};

pub async fn control(State(provider): State<Arc<Provider>>, Json(bad): Json<Misbehaviour>) -> StatusCode {
    provider.books().misbehaviour = bad;
    StatusCode::NO_CONTENT
}

pub async fn calls(State(provider): State<Arc<Provider>>) -> Json<Value> {
    Json(json!({ "calls": provider.books().calls }))
}

/// A payment that a test makes: by an order's number, of its amount or another, reported as often as it says. `again` makes one more
/// payment of the order, with another number of the provider.
#[derive(Deserialize)]
pub struct PaymentOrdered {
    pub no: String,
    pub cents: Option<i64>,
    #[serde(default)]
    pub again: bool,
    #[serde(default)]
    pub notices: usize,
}

pub async fn pay_by_number(State(provider): State<Arc<Provider>>, Json(ordered): Json<PaymentOrdered>) -> StatusCode {
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
pub struct RefundOrdered {
    pub no: String,
    #[serde(default)]
    pub refund_no: String,
    pub cents: i64,
}

/// Makes a refund of a trade, and reports it; fails where there is no such trade or the report is refused.
pub async fn refund_by_number(State(provider): State<Arc<Provider>>, Json(ordered): Json<RefundOrdered>) -> StatusCode {
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
    match send_wechat_report(&provider, &trade.notify_url, "REFUND.SUCCESS", &content).await {
        true => StatusCode::NO_CONTENT,
        false => StatusCode::BAD_GATEWAY,
    }
}

pub async fn scan(State(provider): State<Arc<Provider>>, Path(no): Path<String>) -> Html<String> {
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

pub async fn pay(State(provider): State<Arc<Provider>>, Path(no): Path<String>) -> Response {
    let is_open = provider.books().trades.get(&no).is_some_and(|trade| trade.state == "NOTPAY");
    if is_open && let Some(trade) = paid(&provider, &no, None, false) {
        report(&provider, &no, &trade).await;
    }
    scan(State(provider), Path(no)).await.into_response()
}

/// Reports a payment as the protocol of its trade does; returns whether it was taken.
async fn report(provider: &Provider, no: &str, trade: &Trade) -> bool {
    if provider.books().misbehaviour.silent || !trade.notify_url.starts_with("http") {
        return false;
    }
    if trade.is_wechat {
        return send_wechat_report(provider, &trade.notify_url, "TRANSACTION.SUCCESS", &transaction(no, trade)).await;
    }
    send_alipay_report(provider, &trade.notify_url, trade_fields(no, trade)).await
}
