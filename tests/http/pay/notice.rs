//! `POST /open/pay/notify`: what providers report is verified, kept once, and believed of their own orders alone.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::any;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{FakeProvider, balance, begin, channel, now, order, wrong};
use crate::support::{Answer, TestApp, on_both};

/// Reports as they were sent, to be sent again or changed.
#[derive(Clone, Default)]
struct Caught(Arc<Mutex<Vec<(HeaderMap, Bytes)>>>);

impl Caught {
    /// An application whose providers report to this instead of to it.
    async fn of(app: &TestApp) -> Caught {
        let caught = Caught::default();
        let kept = caught.clone();
        let keep = move |headers: HeaderMap, body: Bytes| async move {
            kept.0.lock().unwrap().push((headers, body));
            StatusCode::INTERNAL_SERVER_ERROR
        };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        app.set("pay.site_url", json!(format!("http://{}", listener.local_addr().unwrap()))).await;
        tokio::spawn(async move { axum::serve(listener, Router::new().fallback(any(keep))).await });
        caught
    }

    fn last(&self) -> (HeaderMap, Bytes) {
        self.0.lock().unwrap().last().unwrap().clone()
    }
}

const SIGNED: [&str; 4] = ["wechatpay-serial", "wechatpay-timestamp", "wechatpay-nonce", "wechatpay-signature"];

/// Sends a report, some of it changed.
async fn send(
    app: &TestApp,
    (headers, body): &(HeaderMap, Bytes),
    changes: &[(&'static str, &str)],
    change: impl Fn(&str) -> String,
) -> Answer {
    let mut actor = app.stranger();
    for name in SIGNED {
        let said = changes.iter().find(|(changed, _)| *changed == name).map(|(_, value)| *value);
        if let Some(value) = said.or_else(|| headers.get(name).and_then(|value| value.to_str().ok())) {
            actor = actor.with(name, value);
        }
    }
    let actor = actor.with("content-type", headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default());
    let body = change(std::str::from_utf8(body).unwrap());
    actor.ask(Method::POST, "/api/open/pay/notify", body.into_bytes()).await
}

async fn begun(app: &TestApp, channel: &Value) -> Value {
    let made = order(app, channel, json!({})).await;
    begin(app, &made).await;
    made
}

on_both!(a_report_of_wechat_pay_is_verified_and_taken_once);
async fn a_report_of_wechat_pay_is_verified_and_taken_once(app: TestApp) {
    let (provider, caught) = (FakeProvider::start().await, Caught::of(&app).await);
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = begun(&app, &channel).await;
    provider.pay(&made, 1).await;
    let report = caught.last();
    let same = str::to_owned;
    for (changes, wanted) in [
        ([("wechatpay-serial", "OTHER")], 401),
        ([("wechatpay-nonce", "another")], 401),
        ([("wechatpay-timestamp", "1")], 401),
        ([("wechatpay-signature", "AAAA")], 401),
    ] {
        assert_eq!(send(&app, &report, &changes, same).await.status, wanted, "{changes:?}");
    }
    assert_eq!(send(&app, &report, &[], |body| body.replace("TRANSACTION.SUCCESS", "TRANSACTION.CLOSED")).await.status, 401);
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_notice").await, 0);
    assert_eq!(now(&app, &made).await["status"], "paying");
    let answers = futures_util::future::join_all((0..3).map(|_| send(&app, &report, &[], same))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "each is answered as taken");
    assert_eq!((balance(&app).await, app.count("SELECT COUNT(*) FROM payment_notice").await), (500_000, 1));
    let kept = app.text("SELECT body_enc FROM payment_notice").await;
    assert!(!kept.contains("ciphertext"));
    // A day later its time is over.
    app.advance(leadlane::clock::DAY);
    assert_eq!(send(&app, &report, &[], same).await.status, 401);
    assert_eq!(wrong(&app).await, []);
    let admin = app.sign_in("admin").await;
    let notices = admin.get(&format!("/payOrder/notices/{}", made["id"])).await.ok();
    assert_eq!(notices[0]["result"], "paid");
    let shown = admin.get(&format!("/payOrder/notice/{}", notices[0]["id"])).await.ok();
    assert!(shown["body"].as_str().unwrap().contains("ciphertext"));
    let trail = format!("{:?}", app.trail("payment_order", made["id"].as_i64().unwrap()).await);
    assert!(trail.contains("Reveal"), "{trail}");
}

on_both!(a_report_of_alipay_is_verified_and_taken_once);
async fn a_report_of_alipay_is_verified_and_taken_once(app: TestApp) {
    let (provider, caught) = (FakeProvider::start().await, Caught::of(&app).await);
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    let made = begun(&app, &channel).await;
    provider.pay(&made, 1).await;
    let report = caught.last();
    let text = |answer: &Answer| String::from_utf8(answer.body.to_vec()).unwrap();
    for (from, to) in [
        ("total_amount=5000.00", "total_amount=5000.01"),
        ("app_id=2021", "app_id=2022"),
        ("sign_type=RSA2", "sign_type=RSA"),
        ("trade_status=TRADE_SUCCESS", "trade_status=TRADE_CLOSED"),
    ] {
        let answer = send(&app, &report, &[], |body| {
            assert!(body.contains(from), "{body}");
            body.replace(from, to)
        })
        .await;
        assert_eq!((answer.status.as_u16(), text(&answer)), (200, "failure".to_owned()), "{to}");
    }
    assert_eq!((balance(&app).await, app.count("SELECT COUNT(*) FROM payment_notice").await), (0, 0));
    for _ in 0..3 {
        let answer = send(&app, &report, &[], str::to_owned).await;
        assert_eq!(text(&answer), "success");
        app.advance(leadlane::clock::DAY);
    }
    assert_eq!((balance(&app).await, app.count("SELECT COUNT(*) FROM payment_notice").await), (500_000, 1));
    assert_eq!(now(&app, &made).await["payerMask"], "159****5620");
}

on_both!(another_merchants_report_pays_none_of_our_orders);
async fn another_merchants_report_pays_none_of_our_orders(app: TestApp) {
    let (provider, caught) = (FakeProvider::start().await, Caught::of(&app).await);
    let ours = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = begun(&app, &ours).await;
    provider.pay(&made, 1).await;
    // The first channel now belongs to another merchant; the report is for the second channel.
    app.execute("UPDATE payee_channel SET mch_no = '1900000999'").await;
    let report = caught.last();
    assert_eq!(send(&app, &report, &[], str::to_owned).await.status, 401);
    let _second = channel(&app, "wechat", &provider.address, json!({"code": "wechat-2"})).await;
    assert_eq!(send(&app, &report, &[], str::to_owned).await.status, 401, "an order is paid by its own channel alone");
    assert_eq!(now(&app, &made).await["status"], "paying");
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_notice").await, 0);
    assert_eq!(balance(&app).await, 0);
}

on_both!(what_is_no_report_is_refused);
async fn what_is_no_report_is_refused(app: TestApp) {
    let provider = FakeProvider::start().await;
    channel(&app, "wechat", &provider.address, json!({})).await;
    channel(&app, "alipay", &provider.address, json!({})).await;
    let nothing = (HeaderMap::new(), Bytes::new());
    for body in ["", "{}", "a=b&a=c", "%%%", "app_id=2021000000000001&sign=x&sign_type=RSA2", "\u{0}"] {
        let answer = send(&app, &nothing, &[], |_| body.to_owned()).await;
        assert_eq!((answer.status.as_u16(), answer.body.as_ref()), (200, b"failure".as_slice()), "{body}");
        let answer =
            send(&app, &nothing, &[("wechatpay-signature", "x"), ("wechatpay-serial", "DEMOPLATFORM01")], |_| body.to_owned()).await;
        assert_eq!(answer.status, 401, "{body}");
    }
    let answer = send(&app, &nothing, &[], |_| "x".repeat(100_000)).await;
    assert_eq!(answer.status, 413);
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_notice").await, 0);
}
