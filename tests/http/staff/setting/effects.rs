//! What a setting does once it is set. The limits' defaults have their tests in `admin`.

use base::clock::{DAY, HOUR, MINUTE};
use serde_json::json;

use testing::world::{PASSWORD, PHONE};
use testing::{Actor, Answer, TestApp, on_both};

async fn login(who: &Actor, username: &str, password: &str) -> Answer {
    who.post("/admin/login", json!({"username": username, "password": password})).await
}

async fn change(who: &Actor, old: &str, new: &str) -> Answer {
    who.put("/admin/password", json!({"old": old, "new": new})).await
}

// S1.10
on_both!(a_session_without_use_ends);
async fn a_session_without_use_ends(app: TestApp) {
    app.set("session.idle_minutes", json!(10)).await;
    let north = app.sign_in("north.manager").await;
    for _ in 0..6 {
        app.advance(9 * MINUTE);
        north.get("/admin/me").await.ok();
    }
    // A use is written down a minute late at most.
    app.advance(11 * MINUTE + 1);
    north.get("/admin/me").await.refused("2000");
    let north = app.sign_in("north.manager").await;
    app.advance(20 * MINUTE);
    app.set("session.idle_minutes", json!(30)).await;
    north.get("/admin/me").await.ok();
}

on_both!(what_a_page_asks_by_itself_is_no_use);
async fn what_a_page_asks_by_itself_is_no_use(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    for _ in 0..10 {
        north.get("/crm/getNewUserCount").await.ok();
        app.advance(3 * MINUTE);
    }
    app.advance(MINUTE + 1);
    north.get("/crm/getNewUserCount").await.refused("2000");
    north.get("/admin/me").await.refused("2000");
}

on_both!(the_longest_session_ends_although_it_is_used);
async fn the_longest_session_ends_although_it_is_used(app: TestApp) {
    app.set("session.max_hours", json!(2)).await;
    let north = app.sign_in("north.manager").await;
    for _ in 0..5 {
        app.advance(20 * MINUTE);
        north.get("/admin/me").await.ok();
    }
    app.advance(20 * MINUTE);
    north.get("/admin/me").await.refused("2000");
}

on_both!(one_session_an_account_when_it_is_set_so);
async fn one_session_an_account_when_it_is_set_so(app: TestApp) {
    let (first, other) = (app.sign_in("north.manager").await, app.sign_in("north.sales1").await);
    login(&app.stranger(), "north.manager", PASSWORD).await.ok();
    first.get("/admin/me").await.ok();
    app.set("security.single_session", json!(true)).await;
    let token = login(&app.stranger(), "north.manager", PASSWORD).await.ok()["token"].as_str().unwrap().to_owned();
    first.get("/admin/me").await.refused("2000");
    app.with_token(&token).get("/admin/me").await.ok();
    other.get("/admin/me").await.ok();
}

on_both!(a_lower_threshold_locks_earlier_and_for_as_long_as_is_set);
async fn a_lower_threshold_locks_earlier_and_for_as_long_as_is_set(app: TestApp) {
    app.set("security.lock_threshold", json!(3)).await;
    app.set("security.lock_minutes", json!(60)).await;
    let stranger = app.stranger();
    for _ in 0..3 {
        login(&stranger, "north.sales1", "Wrong-1").await.refused("1002");
    }
    let locked = login(&stranger, "north.sales1", PASSWORD).await;
    locked.refused("4029");
    assert!((3590..=3600).contains(&locked.header("retry-after").unwrap().parse::<i64>().unwrap()));
    app.advance(59 * MINUTE);
    login(&stranger, "north.sales1", PASSWORD).await.refused("4029");
    app.advance(MINUTE + 1);
    login(&stranger, "north.sales1", PASSWORD).await.ok();

    app.set("security.lock_address_threshold", json!(5)).await;
    let guesser = stranger.from([203, 0, 113, 9]);
    for number in 0..5 {
        login(&guesser, &format!("guess{number}"), "Wrong-1").await.refused("1002");
    }
    login(&guesser, "operator", PASSWORD).await.refused("4029");
}

on_both!(new_passwords_obey_the_policy);
async fn new_passwords_obey_the_policy(app: TestApp) {
    app.set("security.password_min_length", json!(16)).await;
    app.set("security.password_words", json!(["teapot"])).await;
    let north = app.sign_in("north.manager").await.in_english();
    assert_eq!(
        change(&north, PASSWORD, "Green-Kettle-8").await.wrong("new"),
        "16 to 128 characters, not a common password and not the same as the username, and without words that the company does not allow"
    );
    change(&north, PASSWORD, "Green-TEAPOT-0123456").await.wrong("new");
    change(&north, PASSWORD, "Green-Kettle-0123456").await.ok();
}

on_both!(the_latest_passwords_are_not_used_again);
async fn the_latest_passwords_are_not_used_again(app: TestApp) {
    app.set("security.password_history", json!(3)).await;
    let north = app.sign_in("north.sales1").await;
    change(&north, PASSWORD, "Green-Kettle-1").await.ok();
    change(&north, "Green-Kettle-1", "Green-Kettle-2").await.ok();
    for worn in [PASSWORD, "Green-Kettle-1"] {
        assert_eq!(change(&north, "Green-Kettle-2", worn).await.wrong("new"), "不能与最近 3 次使用的密码相同");
    }
    // By a code neither; it is not used up by that.
    let sign = frame::sms::verification::sign(PHONE, app.now());
    app.stranger().get(&format!("/admin/sendCode?phone={PHONE}&sign={sign}")).await.ok();
    let message = app.messages().await.pop().unwrap();
    let code = message.split(|character: char| !character.is_ascii_digit()).find(|word| word.len() == 6).unwrap();
    let reset = async |password: &str| {
        app.stranger().post("/admin/resetPassword", json!({"phone": PHONE, "code": code, "password": password})).await
    };
    reset(PASSWORD).await.wrong("password");
    reset("Green-Kettle-3").await.ok();
    // Three later, the first may come back.
    let north = app.sign_in("north.sales1").await;
    change(&north, "Green-Kettle-3", PASSWORD).await.ok();
}

on_both!(an_expired_password_must_be_changed_first);
async fn an_expired_password_must_be_changed_first(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    change(&north, PASSWORD, "Green-Kettle-8").await.ok();
    app.set("security.password_days", json!(90)).await;
    app.advance(90 * DAY - HOUR);
    let data = login(&app.stranger(), "north.manager", "Green-Kettle-8").await.ok();
    assert_eq!(data["user"]["mustChangePwd"], false);
    app.advance(HOUR);
    let north = {
        let data = login(&app.stranger(), "north.manager", "Green-Kettle-8").await.ok();
        assert_eq!(data["user"]["mustChangePwd"], true);
        app.with_token(data["token"].as_str().unwrap())
    };
    north.post("/admin/page", json!({})).await.refused("1006");
    change(&north, "Green-Kettle-8", "Green-Kettle-9").await.ok();
    north.post("/admin/page", json!({})).await.ok();
}

on_both!(messages_carry_the_signature);
async fn messages_carry_the_signature(app: TestApp) {
    app.set("sms.sign_name", json!("领航")).await;
    let sign = frame::sms::verification::sign(PHONE, app.now());
    app.stranger().get(&format!("/admin/sendCode?phone={PHONE}&sign={sign}")).await.ok();
    assert!(app.messages().await[0].contains("【领航】验证码"));
}
