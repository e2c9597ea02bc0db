//! `POST /open/pay/notify`: what providers report is verified, kept once, and asked for; what counts is what they answer.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::routing::any;
use base64::Engine as _;
use demo::provider::{API_V3_KEY, APP_ID, MERCHANT_KEY, PROVIDER_PUBLIC_KEY, PUB_KEY_ID, SELLER_ID, SERIAL, WECHAT_APP_ID};
use rsa::RsaPrivateKey;
use rsa::pkcs1v15::SigningKey;
use rsa::pkcs8::DecodePrivateKey;
use rsa::sha2::Sha256;
use rsa::signature::{SignatureEncoding, Signer};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use super::{balance, wrong};
use testing::pay::{FakeProvider, begin, channel, now, order};
use testing::{Answer, TestApp, on_both};

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
    app.advance(base::clock::DAY);
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
        app.advance(base::clock::DAY);
    }
    assert_eq!((balance(&app).await, app.count("SELECT COUNT(*) FROM payment_notice").await), (500_000, 1));
    assert_eq!(now(&app, &made).await["payerMask"], "159****5620");
}

on_both!(another_merchants_report_pays_none_of_our_orders);
async fn another_merchants_report_pays_none_of_our_orders(app: TestApp) {
    let (provider, caught) = (FakeProvider::start().await, Caught::of(&app).await);
    let seller = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = begun(&app, &seller).await;
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

const PROVIDER_KEY: &str = include_str!("../../../../crates/demo/src/keys/provider.pem");
const MERCHANT_PUBLIC_KEY: &str = include_str!("../../../../crates/demo/src/keys/merchant.pub.pem");

/// What Alipay signs of some fields, and its signature.
fn signed(fields: &[(&str, &str)]) -> (String, String) {
    let mut sorted: Vec<_> = fields.iter().filter(|(_, value)| !value.is_empty()).collect();
    sorted.sort_unstable();
    let text = sorted.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("&");
    let key = SigningKey::<Sha256>::new(RsaPrivateKey::from_pkcs8_pem(PROVIDER_KEY).unwrap());
    let sign = base64::engine::general_purpose::STANDARD.encode(key.sign(text.as_bytes()).to_bytes());
    (text, sign)
}

/// Posts fields as a report of Alipay under a signature; returns the words of the answer.
async fn report(app: &TestApp, fields: &[(&str, &str)], sign: &str) -> String {
    let all: Vec<(&str, &str)> = fields.iter().copied().chain([("sign", sign), ("sign_type", "RSA2")]).collect();
    let body = serde_urlencoded::to_string(&all).unwrap();
    let actor = app.stranger().with("content-type", "application/x-www-form-urlencoded; charset=utf-8");
    let answer = actor.ask(Method::POST, "/api/open/pay/notify", body.into_bytes()).await;
    assert_eq!(answer.status, 200);
    String::from_utf8(answer.body.to_vec()).unwrap()
}

/// The fields of a report that an order of 5,000 yuan is paid.
fn paid_fields(no: &str) -> Vec<(&str, &str)> {
    vec![
        ("app_id", APP_ID),
        ("charset", "utf-8"),
        ("gmt_payment", "2026-11-26 10:00:00"),
        ("notify_id", "n1"),
        ("out_trade_no", no),
        ("seller_id", SELLER_ID),
        ("total_amount", "5000.00"),
        ("trade_no", "2026112622001"),
        ("trade_status", "TRADE_SUCCESS"),
    ]
}

on_both!(signed_text_that_is_split_anew_credits_nothing);
async fn signed_text_that_is_split_anew_credits_nothing(app: TestApp) {
    let (provider, _caught) = (FakeProvider::start().await, Caught::of(&app).await);
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    let big = order(&app, &channel, json!({"amountCents": 4_900_000, "minutes": 10_080})).await;
    begin(&app, &big).await;
    let small = order(&app, &channel, json!({"amountCents": 100, "minutes": 10_080})).await;
    let (big_no, small_no) = (big["no"].as_str().unwrap(), small["no"].as_str().unwrap());
    // What Alipay would sign of the small order, whose subject holds the fields of a payment of the big one.
    for (number, seller) in ["", &format!("&seller_id={SELLER_ID}")].into_iter().enumerate() {
        let tail = if seller.is_empty() { "" } else { "&trade_nox=1" };
        let subject = format!("x&notify_id=f{number}&out_trade_no={big_no}{seller}&total_amount=49000&trade_no=9{tail}");
        let form = testing::pay::order_form(&app, &channel, json!({"subject": subject})).await;
        app.sign_in("operator").await.post("/payOrder", form).await.wrong("subject");
        let genuine = [
            ("app_id", APP_ID),
            ("body", "b"),
            ("charset", "utf-8"),
            ("notify_id", "real"),
            ("out_trade_no", small_no),
            ("seller_id", SELLER_ID),
            ("subject", subject.as_str()),
            ("total_amount", "1.00"),
            ("trade_no", "2026112622001"),
            ("trade_status", "TRADE_SUCCESS"),
        ];
        let (text, sign) = signed(&genuine);
        // The first splits it as it was shown to work once; the second keeps every known field in its form.
        let swallowing = if seller.is_empty() { "charset" } else { "body" };
        let swallowed = text.split_once(&format!("{swallowing}=")).unwrap().1.split_once("&notify_id=f").unwrap().0.to_owned();
        let (notice, rest) = (format!("f{number}"), "&total_amount=1.00&trade_no=2026112622001");
        let (nine, one) = (format!("9{rest}"), format!("1{rest}"));
        let mut fields = vec![("app_id", APP_ID)];
        if seller.is_empty() {
            fields.push(("body", "b"));
        }
        fields.extend([(swallowing, swallowed.as_str()), ("notify_id", notice.as_str()), ("out_trade_no", big_no)]);
        if seller.is_empty() {
            fields.extend([("total_amount", "49000"), ("trade_no", nine.as_str())]);
        } else {
            fields.extend([("seller_id", SELLER_ID), ("total_amount", "49000"), ("trade_no", "9"), ("trade_nox", one.as_str())]);
        }
        fields.push(("trade_status", "TRADE_SUCCESS"));
        assert_eq!(signed(&fields), (text, sign.clone()), "the same signed text");
        let wanted = if seller.is_empty() { "failure" } else { "success" };
        assert_eq!(report(&app, &fields, &sign).await, wanted, "the provider is asked at most");
    }
    for _ in 0..8 {
        super::sweep_after(&app, 10 * 60_000).await;
    }
    let row = now(&app, &big).await;
    assert_eq!((&row["status"], &row["knownBy"], &row["channelOrderNo"]), (&json!("paying"), &json!(null), &json!(null)));
    assert_eq!((balance(&app).await, app.count("SELECT COUNT(*) FROM payment_exception").await), (0, 0));
    let admin = app.sign_in("admin").await;
    let history = admin.get(&format!("/payOrder/history/{}", big["id"])).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 1, "made, and nothing else: {history}");
    let notices = admin.get(&format!("/payOrder/notices/{}", big["id"])).await.ok();
    assert_eq!((notices.as_array().unwrap().len(), &notices[0]["result"]), (1, &json!("unconfirmed")));
    assert_eq!(wrong(&app).await, []);
}

on_both!(a_report_is_the_reason_to_ask_and_the_answer_decides);
async fn a_report_is_the_reason_to_ask_and_the_answer_decides(app: TestApp) {
    let provider = FakeProvider::start().await;
    testing::pay::reachable(&app).await;
    let mut credited = 0;
    for (kind, fault) in [("wechat", "fail"), ("wechat", "wrongSignature"), ("alipay", "fail"), ("alipay", "wrongSignature")] {
        let code = format!("{kind}-{}", fault.to_lowercase());
        let channel = channel(&app, kind, &provider.address, json!({"code": code})).await;
        let made = begun(&app, &channel).await;
        // The order's own queries are another way to learn of it.
        app.execute("UPDATE payment_order SET due_at = NULL").await;
        provider.misbehave(json!({fault: true})).await;
        assert!(provider.pay(&made, 1).await, "{code}: the report is kept, and answered as taken");
        let row = now(&app, &made).await;
        assert_eq!((&row["status"], balance(&app).await), (&json!("paying"), credited), "{code}: it is not known what became of it");
        super::sweep_after(&app, 6_000).await;
        assert_eq!(now(&app, &made).await["status"], "paying", "{code}");
        provider.misbehave(json!({})).await;
        super::sweep_after(&app, 30_000).await;
        credited += 500_000;
        let row = now(&app, &made).await;
        assert_eq!((&row["status"], &row["knownBy"], balance(&app).await), (&json!("success"), &json!("confirmed"), credited), "{code}");
        let history = app.sign_in("admin").await.get(&format!("/payOrder/history/{}", made["id"])).await.ok().to_string();
        assert!(history.contains("confirmed"), "{history}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM payment_exception").await, 0);
    assert_eq!(wrong(&app).await, []);
}

on_both!(the_amount_is_what_the_provider_answers);
async fn the_amount_is_what_the_provider_answers(app: TestApp) {
    let (provider, caught) = (FakeProvider::start().await, Caught::of(&app).await);
    for (kind, exceptions) in [("wechat", 1), ("alipay", 2)] {
        let channel = channel(&app, kind, &provider.address, json!({})).await;
        let made = begun(&app, &channel).await;
        provider.pay(&made, 1).await;
        provider.pay_cents(&made, 499_999, 0).await;
        assert_eq!(send(&app, &caught.last(), &[], str::to_owned).await.status, 200);
        let row = now(&app, &made).await;
        assert_eq!((&row["status"], balance(&app).await), (&json!("paying"), 0));
        let amount = app.count("SELECT amount_cents FROM payment_exception WHERE kind = 'amount' ORDER BY id DESC LIMIT 1").await;
        assert_eq!((amount, app.count("SELECT COUNT(*) FROM payment_exception").await), (499_999, exceptions));
    }
}

on_both!(a_report_of_alipay_is_read_in_one_way);
async fn a_report_of_alipay_is_read_in_one_way(app: TestApp) {
    let (provider, _caught) = (FakeProvider::start().await, Caught::of(&app).await);
    let channel = channel(&app, "alipay", &provider.address, json!({})).await;
    let made = begun(&app, &channel).await;
    provider.pay(&made, 0).await;
    let no = made["no"].as_str().unwrap();
    let with = |name: &'static str, value: &'static str| {
        let mut fields = paid_fields(no);
        fields.retain(|(known, _)| *known != name);
        fields.push((name, value));
        fields
    };
    for (name, value) in [
        ("seller_id", ""),
        ("seller_id", "2088999999999999"),
        ("total_amount", "-10.00"),
        ("total_amount", "0.00"),
        ("total_amount", "92233720368547758.07"),
        ("total_amount", "100000000.01"),
        ("total_amount", "1&x=2"),
        ("trade_no", "9&total_amount=1.00"),
        ("out_trade_no", "../x"),
        ("notify_id", ""),
        ("charset", "utf-8\n"),
        ("version", "1.0&a=b"),
        ("a&b", "1"),
    ] {
        let fields = with(name, value);
        let (_, sign) = signed(&fields);
        assert_eq!(report(&app, &fields, &sign).await, "failure", "{name}={value}");
    }
    let twice = [paid_fields(no), vec![("trade_no", "2026112622001")]].concat();
    let (_, sign) = signed(&paid_fields(no));
    assert_eq!(report(&app, &twice, &sign).await, "failure", "a name twice");
    assert_eq!((balance(&app).await, app.count("SELECT COUNT(*) FROM payment_notice").await), (0, 0));
    // What real ones hold: fields that are not known here, JSON with HTML's escapes, free texts and empty fields.
    let mut fields = paid_fields(no);
    fields.extend([
        ("subject", "a&b=c<d>+e"),
        ("fund_bill_list", "[{&quot;amount&quot;:&quot;5000.00&quot;}]"),
        ("new_field", "x&y=z"),
        ("buyer_pay_amount", ""),
    ]);
    let (_, sign) = signed(&fields);
    assert_eq!(report(&app, &fields, &sign).await, "success");
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("success"), 500_000));
}

on_both!(a_report_that_fails_for_good_is_set_aside_and_keeps_no_other_waiting);
async fn a_report_that_fails_for_good_is_set_aside_and_keeps_no_other_waiting(app: TestApp) {
    let provider = FakeProvider::start().await;
    testing::pay::reachable(&app).await;
    let row = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = begun(&app, &row).await;
    // The orders' own queries are another way to learn of a payment.
    app.execute("UPDATE payment_order SET due_at = NULL").await;
    provider.misbehave(json!({"fail": true})).await;
    assert!(provider.pay(&made, 1).await);
    let content = app.text("SELECT content FROM payment_notice").await;
    app.execute("UPDATE payment_notice SET content = 'x', received_at = 1").await;
    // A hundred that are as bad, and older than the next one.
    app.execute(
        "INSERT INTO payment_notice (payee_channel_id, notice_no, order_no, body_enc, content, state, received_at) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100) \
         SELECT c.id, 'bad ' || CAST(n.i AS TEXT), 'x', '', 'x', 'new', 1 FROM n CROSS JOIN payee_channel c",
    )
    .await;
    provider.misbehave(json!({})).await;
    let good = begun(&app, &row).await;
    app.execute("UPDATE payment_order SET due_at = NULL").await;
    provider.misbehave(json!({"fail": true})).await;
    assert!(provider.pay(&good, 1).await);
    provider.misbehave(json!({})).await;
    for milliseconds in [10_000, 2_000] {
        super::sweep_after(&app, milliseconds).await;
    }
    assert_eq!((now(&app, &good).await["status"].clone(), balance(&app).await), (json!("success"), 500_000));

    app.execute("DELETE FROM payment_notice WHERE notice_no LIKE 'bad %'").await;
    for _ in 0..42 {
        super::sweep_after(&app, 11 * 60_000).await;
    }
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let stuck = async || app.sign_in("admin").await.post("/payReport/page", json!({})).await.ok()["list"].as_array().unwrap().clone();
    let todos = async || app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'payment_notice' AND done_at IS NULL").await;
    let rows = stuck().await;
    assert_eq!((rows.len(), &rows[0]["orderNo"], &rows[0]["paymentOrderId"]), (1, &made["no"], &made["id"]));
    assert_eq!((&rows[0]["tries"], &rows[0]["lastError"]), (&json!(40), &json!("own_fault")));
    assert!(todos().await > 0);
    let queues = operator.get("/workplace").await.ok()["queues"].to_string();
    assert!(queues.contains("/payConfig/order-list/reports"), "{queues}");
    assert_eq!(admin.get(&format!("/payOrder/notices/{}", made["id"])).await.ok()[0]["result"], "stuck");
    assert_eq!(admin.post("/payReport/page", json!({"keyword": "nothing"})).await.ok()["total"], 0);

    // Its cause is gone: a person has it tried again.
    app.execute(format!("UPDATE payment_notice SET content = '{content}' WHERE state = 'stuck'").leak()).await;
    let retry = json!({"id": rows[0]["id"]});
    app.sign_in("north.manager").await.put("/payReport/retry", retry.clone()).await.refused("1003");
    operator.put("/payReport/retry", retry.clone()).await.ok();
    operator.put("/payReport/retry", retry).await.refused("1004");
    super::sweep_after(&app, 1_000).await;
    assert_eq!((now(&app, &made).await["status"].clone(), balance(&app).await), (json!("success"), 1_000_000));
    assert_eq!((stuck().await.len(), todos().await), (0, 0));
    let trail = app.trail("payment_notice", rows[0]["id"].as_i64().unwrap()).await;
    assert_eq!(trail.len(), 1);

    // So is one whose provider cannot be asked. Alipay's reports carry no time, which WeChat Pay's clock has at hours ago by now.
    let alipay = channel(&app, "alipay", &provider.address, json!({})).await;
    let made = begun(&app, &alipay).await;
    app.execute("UPDATE payment_order SET due_at = NULL").await;
    provider.misbehave(json!({"fail": true})).await;
    assert!(provider.pay(&made, 1).await);
    app.execute("UPDATE payment_notice SET tries = 39 WHERE state = 'new'").await;
    for _ in 0..2 {
        super::sweep_after(&app, 11 * 60_000).await;
    }
    let rows = stuck().await;
    assert_eq!((rows.len(), &rows[0]["orderNo"], &rows[0]["tries"]), (1, &made["no"], &json!(40)));
    assert_ne!(rows[0]["lastError"], "own_fault");

    // A person who has found the cause elsewhere settles it: no money moves, and it stays known by its number.
    let (operator, before) = (app.sign_in("operator").await, balance(&app).await);
    let settle = |note: &str| json!({"id": rows[0]["id"], "note": note});
    for note in ["", " \u{3000}", &"长".repeat(201)] {
        operator.put("/payReport/settle", settle(note)).await.wrong("note");
    }
    operator.put("/payReport/settle", json!({"id": rows[0]["id"]})).await.refused("4000");
    operator.put("/payReport/settle", json!({"id": i64::MAX, "note": "x"})).await.refused("1004");
    for other in ["north.manager", "auditor"] {
        app.sign_in(other).await.put("/payReport/settle", settle("x")).await.refused("1003");
    }
    assert_eq!(stuck().await.len(), 1);
    operator.put("/payReport/settle", settle("渠道已确认为测试款")).await.ok();
    operator.put("/payReport/settle", settle("again")).await.refused("1004");
    operator.put("/payReport/retry", json!({"id": rows[0]["id"]})).await.refused("1004");
    assert_eq!((stuck().await.len(), todos().await, balance(&app).await), (0, 0, before));
    let notices = app.sign_in("admin").await.get(&format!("/payOrder/notices/{}", made["id"])).await.ok();
    assert_eq!(notices[0]["result"], "settled");
    let trail = format!("{:?}", app.trail("payment_notice", rows[0]["id"].as_i64().unwrap()).await);
    assert!(trail.contains("渠道已确认为测试款"), "{trail}");
}

on_both!(two_keys_of_wechat_pay_are_chosen_by_their_serials);
async fn two_keys_of_wechat_pay_are_chosen_by_their_serials(app: TestApp) {
    let (provider, caught) = (FakeProvider::start().await, Caught::of(&app).await);
    let two = |old_key: &str| {
        json!({"oldKeyUntil": "2099-12-31", "params": {
            "appId": WECHAT_APP_ID, "serialNo": "DEMOMERCHANT01", "privateKey": MERCHANT_KEY, "apiV3Key": API_V3_KEY,
            "platformSerial": PUB_KEY_ID, "platformKey": PROVIDER_PUBLIC_KEY, "oldPlatformSerial": SERIAL, "oldPlatformKey": old_key,
        }})
    };
    // Answers come under the serial that the request names: under the old key they would not verify.
    let row = channel(&app, "wechat", &provider.address, two(MERCHANT_PUBLIC_KEY)).await;
    assert_eq!((&row["oldKeyUntil"], row["paramNames"].as_array().unwrap().len()), (&json!("2099-12-31"), 8));
    let made = begun(&app, &row).await;
    assert_eq!(now(&app, &made).await["error"], json!(null));
    provider.pay(&made, 1).await;
    let under_old = caught.last();
    assert_eq!(send(&app, &under_old, &[], str::to_owned).await.status, 401, "the old serial stands for the old key");
    app.execute("DELETE FROM payment_notice").await;
    let form = testing::org::with(testing::pay::channel_form(&app, "wechat", &provider.address).await, two(PROVIDER_PUBLIC_KEY));
    let row = app.sign_in("admin").await.get(&format!("/payChannel/{}", row["id"])).await.ok();
    let form = testing::org::with(form, json!({"id": row["id"], "version": row["version"]}));
    let form = testing::org::with(form, json!({"params": {"oldPlatformKey": PROVIDER_PUBLIC_KEY}}));
    let row = app.sign_in("admin").await.put("/payChannel", form).await.ok();
    assert_eq!(row["status"], "disabled", "a second person looks at keys");
    testing::pay::enable(&app.sign_in("operator").await, &row).await;
    // After its last day the old key is believed no more.
    app.execute("UPDATE payee_channel SET old_key_until = '2020-01-01'").await;
    assert_eq!(send(&app, &under_old, &[], str::to_owned).await.status, 401);
    app.execute("UPDATE payee_channel SET old_key_until = NULL").await;
    assert_eq!(send(&app, &under_old, &[], str::to_owned).await.status, 200);
    assert_eq!(now(&app, &made).await["status"], "success");
}
