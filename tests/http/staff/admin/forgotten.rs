//! `GET /admin/sendCode` and `POST /admin/resetPassword`.

use base::clock::{self, DAY, MINUTE};
use base::crypto;
use base::password_hashing::Priority;
use frame::sms::verification;
use futures_util::future::join_all;
use serde_json::{Value, json};

use testing::world::{PASSWORD, PHONE};
use testing::{Answer, TestApp, on_both};

/// A phone that no account has.
const UNKNOWN: &str = "13888888888";

async fn ask(app: &TestApp, phone: &str) -> Answer {
    let sign = verification::sign(phone, app.now());
    app.stranger().get(&format!("/admin/sendCode?phone={phone}&sign={sign}")).await
}

async fn ask_from(app: &TestApp, phone: &str, address: [u8; 4]) -> Answer {
    let sign = verification::sign(phone, app.now());
    app.stranger().from(address).get(&format!("/admin/sendCode?phone={phone}&sign={sign}")).await
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
    // The day as YYYYMMDD, made without the function that the sign uses.
    let day = clock::day(app.now()).to_string().replace('-', "");
    let sign = crypto::md5_hex(&format!("{PHONE}{day}"));
    assert_eq!(app.stranger().get(&format!("/admin/sendCode?phone={PHONE}&sign={sign}")).await.ok(), Value::Null);
    let messages = app.messages().await;
    assert_eq!(messages.len(), 1);
    assert!(messages[0].contains(&format!("\t{PHONE}\t")), "{}", messages[0]);
    let code = code(&app).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM outbox_item WHERE payload_enc IS NOT NULL").await, 0, "sent codes are not kept");
    assert!(!app.text("SELECT code_hash FROM verification_code").await.contains(&code));

    reset(&app, PHONE, &code, "Green-Kettle-8").await.ok();
    session.get("/admin/me").await.refused("2000");
    let stranger = app.stranger();
    stranger.post("/admin/login", json!({"username": "north.sales1", "password": PASSWORD})).await.refused("1002");
    stranger.post("/admin/login", json!({"username": "north.sales1", "password": "Green-Kettle-8"})).await.ok();
    let entry = &app.trail("administrator", app.account("north.sales1").await).await[0];
    assert_eq!((entry.admin_name.as_str(), entry.diff[0].field.as_str()), ("north north.sales1", "password"));

    let again = reset(&app, PHONE, &code, "Green-Kettle-9").await;
    again.refused("1002");
    assert_eq!(again.desc(), "验证码不正确或已过期");
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

// Some libraries write an MD5 in capitals.
on_both!(a_sign_may_be_in_capitals_and_a_phone_with_its_country);
async fn a_sign_may_be_in_capitals_and_a_phone_with_its_country(app: TestApp) {
    let sign = verification::sign(PHONE, app.now()).to_uppercase();
    app.stranger().get(&format!("/admin/sendCode?phone=%2B86%20{PHONE}&sign={sign}")).await.ok();
    assert_eq!(app.messages().await.len(), 1);
}

on_both!(a_wrong_sign_sends_nothing);
async fn a_wrong_sign_sends_nothing(app: TestApp) {
    let today = verification::sign(PHONE, app.now());
    for sign in ["", "x", &verification::sign(PHONE, app.now() - DAY), &verification::sign(UNKNOWN, app.now())] {
        assert_eq!(app.stranger().get(&format!("/admin/sendCode?phone={PHONE}&sign={sign}")).await.wrong("sign"), "签名不正确");
    }
    for phone in ["", "1380000000", "138000000011", "1380000000x", "%2B85213800000001"] {
        app.stranger().get(&format!("/admin/sendCode?phone={phone}&sign={today}")).await.wrong("phone");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM verification_code").await, 0);
    assert!(app.messages().await.is_empty());
}

on_both!(a_phone_without_an_account_is_answered_alike);
async fn a_phone_without_an_account_is_answered_alike(app: TestApp) {
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
    for network in [1, 2] {
        for _ in 0..5 {
            ask_from(&app, PHONE, [127, 0, network, 1]).await.ok();
            // Sent while it is worth something.
            app.messages().await;
            let refused = ask_from(&app, PHONE, [127, 0, network, 2]).await;
            refused.refused("4029");
            assert!(refused.header("retry-after").unwrap().parse::<i64>().unwrap() <= 60);
            app.advance(MINUTE + 1);
        }
        let refused = ask_from(&app, PHONE, [127, 0, network, 1]).await;
        refused.refused("4029");
        assert!(refused.header("retry-after").unwrap().parse::<i64>().unwrap() > 23 * 60 * 60);
    }
    assert_eq!(app.messages().await.len(), 10);
    ask_from(&app, UNKNOWN, [127, 0, 1, 1]).await.ok();
    app.advance(DAY);
    ask(&app, PHONE).await.ok();
    assert_eq!(app.messages().await.len(), 11);
}

/// S-L12: strangers who use up a phone's codes do not learn that, and do not keep its owner out at a known address.
mod used_up {
    use super::*;

    on_both!(codes_that_others_used_up_are_refused_without_a_word);
    async fn codes_that_others_used_up_are_refused_without_a_word(app: TestApp) {
        let home = [192, 0, 2, 7];
        let login = json!({"username": "north.sales1", "password": PASSWORD});
        app.stranger().from(home).post("/admin/login", login).await.ok();
        for network in [1, 2] {
            for _ in 0..5 {
                ask_from(&app, PHONE, [127, 0, network, 1]).await.ok();
                app.advance(MINUTE + 1);
            }
        }
        let sent = app.messages().await.len();
        ask_from(&app, PHONE, [127, 0, 3, 1]).await.ok();
        assert_eq!(app.messages().await.len(), sent, "nothing was sent");
        ask_from(&app, PHONE, home).await.ok();
        assert_eq!(app.messages().await.len(), sent + 1);
        reset(&app, PHONE, &code(&app).await, "Green-Kettle-8").await.ok();
    }

    on_both!(codes_asked_for_at_once_do_not_outrun_the_address_limit);
    async fn codes_asked_for_at_once_do_not_outrun_the_address_limit(app: TestApp) {
        let phones: Vec<String> = (0..30).map(|number| format!("139000001{number:02}")).collect();
        let answers = join_all(phones.iter().map(|phone| ask(&app, phone))).await;
        assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 20);
    }
}

/// S-H1: a flood of resets costs looking and no hash.
mod flood {
    use super::*;

    on_both!(resets_without_a_right_code_hash_nothing_and_are_limited);
    async fn resets_without_a_right_code_hash_nothing_and_are_limited(app: TestApp) {
        ask(&app, PHONE).await.ok();
        let right = code(&app).await;
        let floods = (0..200u32).map(|number| {
            let actor = app.stranger().from([203, 0, 113, (number % 4) as u8]);
            let phone = if number % 2 == 0 { PHONE } else { UNKNOWN };
            let body = json!({"phone": phone, "code": another(&right), "password": "Green-Kettle-8"});
            async move { actor.post("/admin/resetPassword", body).await.code() }
        });
        let login = app.stranger();
        let body = json!({"username": "operator", "password": PASSWORD});
        let (codes, signed_in) = futures_util::join!(join_all(floods), login.post("/admin/login", body));
        signed_in.ok();
        assert_eq!(app.app.hashing.begun(Priority::Reset), 0, "no code was right");
        assert_eq!(app.app.hashing.begun(Priority::Staff), 1, "the sign-in's");
        // Ten of each phone from the one network; the others cost no look at a code.
        assert_eq!(codes.iter().filter(|code| *code == "1002").count(), 20);
        assert_eq!(codes.iter().filter(|code| *code == "4029").count(), 180);
        // From elsewhere the phone is open, though its code has had its five tries.
        reset(&app, PHONE, &right, "Green-Kettle-8").await.refused("1002");
    }

    on_both!(resets_of_an_address_are_limited);
    async fn resets_of_an_address_are_limited(app: TestApp) {
        for number in 0..30 {
            reset(&app, &format!("139000001{number:02}"), "123456", "Green-Kettle-8").await.refused("1002");
        }
        let refused = reset(&app, PHONE, "123456", "Green-Kettle-8").await;
        refused.refused("4029");
        assert_eq!(refused.status, 200);
        assert!(refused.header("retry-after").unwrap().parse::<i64>().unwrap() <= 15 * 60);
        app.advance(15 * MINUTE + 1);
        reset(&app, PHONE, "123456", "Green-Kettle-8").await.refused("1002");
    }

    on_both!(a_full_queue_of_resets_keeps_no_sign_in_waiting);
    async fn a_full_queue_of_resets_keeps_no_sign_in_waiting(app: TestApp) {
        ask(&app, PHONE).await.ok();
        let right = code(&app).await;
        let hashing = &app.app.hashing;
        let mut places = Vec::new();
        while let Ok(place) = hashing.place(Priority::Reset) {
            places.push(place);
        }
        reset(&app, PHONE, &right, "Green-Kettle-8").await.refused("5003");
        app.stranger().post("/admin/login", json!({"username": "operator", "password": PASSWORD})).await.ok();
        // The code was not used up by it.
        drop(places);
        reset(&app, PHONE, &right, "Green-Kettle-8").await.ok();
        // And a full queue at the door counts nothing against who stands there.
        let mut places = Vec::new();
        while let Ok(place) = hashing.place(Priority::Staff) {
            places.push(place);
        }
        for _ in 0..10 {
            app.stranger().post("/admin/login", json!({"username": "operator", "password": PASSWORD})).await.refused("5003");
        }
        drop(places);
        app.stranger().post("/admin/login", json!({"username": "operator", "password": PASSWORD})).await.ok();
    }

    on_both!(of_two_right_resets_at_once_one_is_done);
    async fn of_two_right_resets_at_once_one_is_done(app: TestApp) {
        ask(&app, PHONE).await.ok();
        let right = code(&app).await;
        let (one, two) = futures_util::join!(reset(&app, PHONE, &right, "Green-Kettle-8"), reset(&app, PHONE, &right, "Brown-Kettle-9"));
        let mut codes = [one.code(), two.code()];
        codes.sort();
        assert_eq!(codes, ["0000", "1002"]);
    }
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
    for password in ["", "short-1", "Abcdefg1"] {
        reset(&app, PHONE, &code, password).await.wrong("password");
    }
    reset(&app, PHONE, "", "Green-Kettle-8").await.wrong("code");
    reset(&app, "13800", &code, "Green-Kettle-8").await.wrong("phone");
    reset(&app, PHONE, &code, "Green-Kettle-8").await.ok();
}
