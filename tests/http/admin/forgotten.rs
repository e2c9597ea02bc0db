//! `GET /admin/sendCode` and `POST /admin/resetPassword`.

use leadlane::access::verification;
use leadlane::clock::{DAY, MINUTE, day_compact};
use leadlane::crypto;
use serde_json::{Value, json};

use crate::support::world::{PASSWORD, PHONE};
use crate::support::{Answer, TestApp, on_both};

/// A phone of nobody.
const UNKNOWN: &str = "13888888888";

async fn ask(app: &TestApp, phone: &str) -> Answer {
    let sign = verification::sign(phone, app.now());
    app.stranger().get(&format!("/admin/sendCode?phone={phone}&sign={sign}")).await
}

async fn reset(app: &TestApp, phone: &str, code: &str, password: &str) -> Answer {
    app.stranger().post("/admin/resetPassword", json!({"phone": phone, "code": code, "password": password})).await
}

/// The code in the latest message.
async fn code(app: &TestApp) -> String {
    let messages = app.messages().await;
    let text = messages.last().expect("a message was sent");
    text.split(|character: char| !character.is_ascii_digit()).find(|word| word.len() == 6).expect("it holds a code").to_owned()
}

fn another(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

// S7.03 S3.07 S9.01
on_both!(a_code_reaches_the_phone_and_sets_a_new_password);
async fn a_code_reaches_the_phone_and_sets_a_new_password(app: TestApp) {
    let session = app.sign_in("north.sales1").await;
    let sign = crypto::md5_hex(&format!("{PHONE}{}", day_compact(app.now())));
    assert_eq!(app.stranger().get(&format!("/admin/sendCode?phone={PHONE}&sign={sign}")).await.ok(), Value::Null);
    let messages = app.messages().await;
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains(&format!("\t{PHONE}\t")), "{}", messages[0]);
    let code = code(&app).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM outbox WHERE payload_enc <> ''").await, 0, "sent codes are not kept");
    assert!(!app.text("SELECT code_hash FROM verification_code").await.contains(&code));

    reset(&app, PHONE, &code, "Green-Kettle-8").await.ok();
    session.get("/admin/me").await.refused("2000");
    let stranger = app.stranger();
    stranger.post("/admin/login", json!({"username": "north.sales1", "password": PASSWORD})).await.refused("1002");
    stranger.post("/admin/login", json!({"username": "north.sales1", "password": "Green-Kettle-8"})).await.ok();
    let entry = &app.trail("administrator", app.account("north.sales1").await).await[0];
    assert_eq!((entry.admin_name.as_str(), entry.diff[0].field.as_str()), ("north north.sales1", "password"));

    reset(&app, PHONE, &code, "Green-Kettle-9").await.refused("1002");
}

on_both!(a_reset_opens_a_locked_account);
async fn a_reset_opens_a_locked_account(app: TestApp) {
    for _ in 0..5 {
        app.stranger().post("/admin/login", json!({"username": "north.sales1", "password": "Wrong-1"})).await.refused("1002");
    }
    ask(&app, PHONE).await.ok();
    reset(&app, PHONE, &code(&app).await, "Green-Kettle-8").await.ok();
    app.stranger().post("/admin/login", json!({"username": "north.sales1", "password": "Green-Kettle-8"})).await.ok();
}

on_both!(a_wrong_sign_sends_nothing);
async fn a_wrong_sign_sends_nothing(app: TestApp) {
    let today = verification::sign(PHONE, app.now());
    for sign in ["", "x", &today.to_uppercase(), &verification::sign(PHONE, app.now() - DAY), &verification::sign(UNKNOWN, app.now())] {
        assert_eq!(app.stranger().get(&format!("/admin/sendCode?phone={PHONE}&sign={sign}")).await.wrong("sign"), "签名不正确");
    }
    for phone in ["", "1380000000", "138000000011", "1380000000x", "%2B8613800000001"] {
        app.stranger().get(&format!("/admin/sendCode?phone={phone}&sign={today}")).await.wrong("phone");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM verification_code").await, 0);
    assert!(app.messages().await.is_empty());
}

on_both!(a_phone_of_nobody_is_answered_alike);
async fn a_phone_of_nobody_is_answered_alike(app: TestApp) {
    assert_eq!(ask(&app, UNKNOWN).await.body, ask(&app, PHONE).await.body);
    let messages = app.messages().await;
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains(PHONE));
    ask(&app, UNKNOWN).await.refused("4029");
    assert_eq!(
        reset(&app, UNKNOWN, "123456", "Green-Kettle-8").await.body,
        reset(&app, PHONE, &another(&code(&app).await), "Green-Kettle-8").await.body
    );
}

on_both!(codes_come_once_a_minute_and_ten_times_a_day);
async fn codes_come_once_a_minute_and_ten_times_a_day(app: TestApp) {
    for _ in 0..10 {
        ask(&app, PHONE).await.ok();
        let refused = ask(&app, PHONE).await;
        refused.refused("4029");
        assert!(refused.header("retry-after").unwrap().parse::<i64>().unwrap() <= 60);
        app.advance(MINUTE + 1);
    }
    let refused = ask(&app, PHONE).await;
    refused.refused("4029");
    assert!(refused.header("retry-after").unwrap().parse::<i64>().unwrap() > 23 * 60 * 60);
    ask(&app, UNKNOWN).await.ok();
    app.advance(DAY);
    ask(&app, PHONE).await.ok();
    assert_eq!(app.messages().await.len(), 11);
}

on_both!(a_code_is_good_for_five_minutes);
async fn a_code_is_good_for_five_minutes(app: TestApp) {
    ask(&app, PHONE).await.ok();
    let old = code(&app).await;
    app.advance(5 * MINUTE);
    let refused = reset(&app, PHONE, &old, "Green-Kettle-8").await;
    refused.refused("1002");
    ask(&app, PHONE).await.ok();
    reset(&app, PHONE, &code(&app).await, "Green-Kettle-8").await.ok();
}

on_both!(a_code_is_good_for_five_tries);
async fn a_code_is_good_for_five_tries(app: TestApp) {
    ask(&app, PHONE).await.ok();
    let code = code(&app).await;
    for _ in 0..5 {
        reset(&app, PHONE, &another(&code), "Green-Kettle-8").await.refused("1002");
    }
    reset(&app, PHONE, &code, "Green-Kettle-8").await.refused("1002");
    app.stranger().post("/admin/login", json!({"username": "north.sales1", "password": PASSWORD})).await.ok();
}

on_both!(a_weak_password_does_not_use_the_code_up);
async fn a_weak_password_does_not_use_the_code_up(app: TestApp) {
    ask(&app, PHONE).await.ok();
    let code = code(&app).await;
    for password in ["", "short-1", "no-digits-here"] {
        reset(&app, PHONE, &code, password).await.wrong("password");
    }
    reset(&app, PHONE, "", "Green-Kettle-8").await.wrong("code");
    reset(&app, "13800", &code, "Green-Kettle-8").await.wrong("phone");
    reset(&app, PHONE, &code, "Green-Kettle-8").await.ok();
}
