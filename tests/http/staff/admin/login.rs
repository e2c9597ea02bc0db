//! `GET` and `POST /admin/login`.

use std::io;
use std::sync::{Arc, Mutex};

use base::clock::{HOUR, MINUTE};
use frame::sms::verification;
use futures_util::future::join_all;
use serde_json::{Value, json};

use testing::world::{PASSWORD, PHONE};
use testing::{Actor, Answer, TestApp, on_both};

async fn login(who: &Actor, username: &str, password: &str) -> Answer {
    who.post("/admin/login", json!({"username": username, "password": password})).await
}

/// Seconds that an answer asks to wait.
fn wait(answer: &Answer) -> i64 {
    assert_eq!(answer.refused("4029"), Value::Null);
    // X9: proxies replace the bodies of other statuses, and this one says when to try again.
    assert_eq!(answer.status, 200);
    answer.header("retry-after").expect("a refusal for a while says how long").parse().unwrap()
}

// S1.01 S3.01 S7.02 S8.01
on_both!(the_right_password_gives_a_token_and_the_user);
async fn the_right_password_gives_a_token_and_the_user(app: TestApp) {
    let answer = login(&app.stranger(), " North.Manager ", PASSWORD).await;
    let data = answer.ok();
    let user = json!({
        "id": app.account("north.manager").await, "name": "north north.manager", "username": "north.manager", "role": "org_manager",
        "roleName": "机构经理", "scope": "org", "orgId": app.organisation("north").await, "orgName": "北辰", "avatar": null,
        "mustChangePwd": false, "mustEnrol": false
    });
    assert_eq!(data["user"], user);
    let token = data["token"].as_str().unwrap();
    assert_eq!(answer.header("set-cookie"), Some(format!("token={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200").as_str()));
    assert_eq!(answer.header("cache-control"), Some("no-store"));

    let me = app.with_token(token);
    let mut mine = me.get("/admin/me").await.ok();
    let roles = mine.as_object_mut().unwrap().remove("roles").unwrap();
    assert_eq!(roles, json!([{"id": app.role("org_manager").await, "code": "org_manager", "name": "机构经理"}]));
    assert_eq!(mine, user);
    assert_eq!(me.in_english().get("/admin/me").await.ok()["roleName"], "Organisation manager");
    let row = app.sign_in("operator").await.get(&format!("/admin/{}", user["id"])).await.ok();
    assert_eq!(row["lastLoginIp"], "127.0.0.1");
    assert!((app.now() - HOUR..=app.now()).contains(&row["lastLoginAt"].as_i64().unwrap()));
    assert_eq!(app.text("SELECT username || ' ' || ip || ' ' || result FROM login_log").await, "north.manager 127.0.0.1 ok");
}

// S7.02: the specification's form of it, under the same rules.
on_both!(signing_in_by_address_follows_the_same_rules);
async fn signing_in_by_address_follows_the_same_rules(app: TestApp) {
    let stranger = app.stranger();
    let data = stranger.get(&format!("/admin/login?username=north.manager&password={PASSWORD}&rememberPassword=true")).await.ok();
    assert_eq!((&data["user"]["username"], &data["user"]["role"]), (&json!("north.manager"), &json!("org_manager")));
    app.with_token(data["token"].as_str().unwrap()).get("/admin/me").await.ok();

    assert_eq!(stranger.in_english().get("/admin/login?username=&password=x").await.wrong("username"), "Username cannot be empty");
    for _ in 0..5 {
        stranger.get("/admin/login?username=north.manager&password=Wrong-1").await.refused("1002");
    }
    wait(&stranger.get(&format!("/admin/login?username=north.manager&password={PASSWORD}")).await);
    wait(&login(&stranger, "north.manager", PASSWORD).await);
}

// S5.02: nobody learns which names exist, or which accounts are closed.
on_both!(an_unknown_name_and_a_closed_account_look_like_a_wrong_password);
async fn an_unknown_name_and_a_closed_account_look_like_a_wrong_password(app: TestApp) {
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'south.sales1'").await;
    app.execute("UPDATE administrator SET deleted_at = 1 WHERE username = 'south.manager'").await;
    app.execute("UPDATE role SET status = 'disabled' WHERE code = 'auditor'").await;
    let stranger = app.stranger();
    let wrong = login(&stranger, "operator", "Wrong-password-1").await;
    assert_eq!((wrong.desc(), wrong.refused("1002")), ("账号或者密码错误".to_owned(), Value::Null));
    assert_eq!(wrong.header("set-cookie"), None);
    for (username, password) in [
        ("who.is.this", "Wrong-password-1"),
        ("south.sales1", PASSWORD),
        ("south.manager", PASSWORD),
        ("auditor", PASSWORD),
        ("operator' OR '1'='1", PASSWORD),
        (&"x".repeat(5000), PASSWORD),
        ("operator", &"x".repeat(5000)),
    ] {
        let answer = login(&stranger, username, password).await;
        assert_eq!((answer.status, &answer.body), (wrong.status, &wrong.body), "{username}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM admin_session").await, 0);
}

// S5.01
on_both!(empty_fields_are_named);
async fn empty_fields_are_named(app: TestApp) {
    let stranger = app.stranger();
    let both = stranger.post("/admin/login", json!({"username": "  ", "password": ""})).await.refused("1001");
    assert_eq!(both, json!({"username": "用户名不能为空", "password": "密码不能为空"}));
    assert_eq!(stranger.in_english().post("/admin/login", json!({"username": "x"})).await.wrong("password"), "Password cannot be empty");
    assert_eq!(stranger.get("/admin/login").await.refused("1001"), both);
    assert_eq!(app.count("SELECT COUNT(*) FROM login_log").await, 0, "nothing was tried");
}

on_both!(five_failures_close_an_account_for_a_while);
async fn five_failures_close_an_account_for_a_while(app: TestApp) {
    let (stranger, operator) = (app.stranger(), app.sign_in("operator").await);
    let row = format!("/admin/{}", app.account("north.sales1").await);
    for _ in 0..4 {
        login(&stranger, "north.sales1", "Wrong-1").await.refused("1002");
    }
    assert_eq!(operator.get(&row).await.ok()["status"], "enabled");
    login(&stranger, "north.sales1", "Wrong-1").await.refused("1002");
    assert_eq!(operator.get(&row).await.ok()["status"], "locked");
    assert_eq!(operator.post("/admin/page", json!({"status": "locked"})).await.ok()["total"], 1);

    let seconds = wait(&login(&stranger, "NORTH.sales1", PASSWORD).await);
    assert!((14 * 60..=15 * 60).contains(&seconds), "{seconds}");
    wait(&login(&stranger.from([127, 0, 0, 99]), "north.sales1", PASSWORD).await);
    login(&stranger, "north.sales2", PASSWORD).await.ok();

    app.advance(14 * MINUTE);
    wait(&login(&stranger, "north.sales1", PASSWORD).await);
    app.advance(MINUTE + 1);
    login(&stranger, "north.sales1", PASSWORD).await.ok();
    assert_eq!(operator.get(&row).await.ok()["status"], "enabled");
}

on_both!(enabling_a_locked_account_lets_it_in_at_once);
async fn enabling_a_locked_account_lets_it_in_at_once(app: TestApp) {
    let (stranger, operator) = (app.stranger(), app.sign_in("operator").await);
    for _ in 0..5 {
        login(&stranger, "north.sales1", "Wrong-1").await.refused("1002");
    }
    wait(&login(&stranger, "north.sales1", PASSWORD).await);
    let id = app.account("north.sales1").await;
    let row = operator.put("/admin/status", json!({"id": id, "version": 1, "status": "enabled"})).await.ok();
    assert_eq!(row["status"], "enabled");
    login(&stranger, "north.sales1", PASSWORD).await.ok();
    let told = &app.trail("administrator", id).await[0].diff;
    assert_eq!(serde_json::to_value(told).unwrap(), json!([{"field": "status", "before": "locked", "after": "enabled"}]));
}

on_both!(a_success_ends_the_count_of_failures);
async fn a_success_ends_the_count_of_failures(app: TestApp) {
    let stranger = app.stranger();
    for _ in 0..3 {
        for _ in 0..4 {
            login(&stranger, "north.sales1", "Wrong-1").await.refused("1002");
        }
        login(&stranger, "north.sales1", PASSWORD).await.ok();
    }
}

on_both!(twenty_failures_close_an_address_for_a_while);
async fn twenty_failures_close_an_address_for_a_while(app: TestApp) {
    let stranger = app.stranger().from([203, 0, 113, 9]);
    for number in 0..20 {
        login(&stranger, &format!("guess{number}"), "Wrong-1").await.refused("1002");
    }
    wait(&login(&stranger, "operator", PASSWORD).await);
    login(&app.stranger(), "operator", PASSWORD).await.ok();
    app.advance(15 * MINUTE + 1);
    login(&stranger, "operator", PASSWORD).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator WHERE locked_until IS NOT NULL").await, 0, "no account was guessed at");
}

on_both!(guesses_sent_at_once_do_not_outrun_the_limits);
async fn guesses_sent_at_once_do_not_outrun_the_limits(app: TestApp) {
    let people: Vec<Actor> = (0..30).map(|number| app.stranger().from([198, 51, 100, number])).collect();
    let answers = join_all(people.iter().map(|who| login(who, "north.sales1", "Wrong-1"))).await;
    let looked_at = answers.iter().filter(|answer| answer.code() == "1002").count();
    assert_eq!(looked_at, 5, "of one account");
    assert!(answers.iter().all(|answer| ["1002", "4029"].contains(&answer.code().as_str())));

    let guesser = app.stranger().from([203, 0, 113, 9]);
    let names: Vec<String> = (0..30).map(|number| format!("guess{number}")).collect();
    let answers = join_all(names.iter().map(|name| login(&guesser, name, "Wrong-1"))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "1002").count(), 20, "from one address");
}

on_both!(passwords_are_kept_hashed_and_sessions_without_their_token);
async fn passwords_are_kept_hashed_and_sessions_without_their_token(app: TestApp) {
    login(&app.stranger(), "operator", PASSWORD).await.ok();
    let hash = app.text("SELECT password_hash FROM administrator WHERE username = 'operator'").await;
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    assert_eq!(app.count("SELECT COUNT(*) FROM login_log WHERE username LIKE '%Kettle%' OR user_agent LIKE '%Kettle%'").await, 0);
}

/// S-M3: failed sign-ins in a person's name from elsewhere do not keep that person out.
mod locked_out {
    use super::*;

    /// Fails so often from one address.
    async fn fail(app: &TestApp, username: &str, from: [u8; 4], times: usize) {
        let guesser = app.stranger().from(from);
        for _ in 0..times {
            login(&guesser, username, "Wrong-1").await.refused("1002");
        }
    }

    on_both!(failures_close_an_account_to_their_own_network);
    async fn failures_close_an_account_to_their_own_network(app: TestApp) {
        fail(&app, "north.sales1", [203, 0, 113, 9], 5).await;
        wait(&login(&app.stranger().from([203, 0, 113, 200]), "north.sales1", PASSWORD).await);
        login(&app.stranger(), "north.sales1", PASSWORD).await.ok();
        // That the owner signed in does not let the guesser in.
        wait(&login(&app.stranger().from([203, 0, 113, 9]), "north.sales1", PASSWORD).await);
        let boxed = app.sign_in("north.sales1").await.post("/message/list", json!({})).await.ok();
        assert!(boxed.to_string().contains("203.0.113.9"), "they are notified: {boxed}");
    }

    on_both!(many_networks_close_it_to_strangers_and_not_to_where_it_is_at_home);
    async fn many_networks_close_it_to_strangers_and_not_to_where_it_is_at_home(app: TestApp) {
        app.set("security.lock_account_threshold", json!(10)).await;
        login(&app.stranger(), "north.sales1", PASSWORD).await.ok();
        fail(&app, "north.sales1", [203, 0, 113, 9], 4).await;
        fail(&app, "north.sales1", [198, 51, 100, 9], 4).await;
        fail(&app, "north.sales1", [192, 0, 2, 9], 2).await;
        wait(&login(&app.stranger().from([192, 0, 3, 9]), "north.sales1", PASSWORD).await);
        let home = app.stranger().from([127, 0, 0, 77]);
        login(&home, "north.sales1", PASSWORD).await.ok();
        // Another account is not closed by it, and a home of long ago is none.
        login(&app.stranger().from([192, 0, 3, 9]), "north.sales2", PASSWORD).await.ok();
        app.execute("UPDATE login_log SET at = at - 2678400000 WHERE result = 'ok'").await;
        wait(&login(&home, "north.sales1", PASSWORD).await);
        app.advance(15 * MINUTE + 1);
        login(&app.stranger().from([192, 0, 3, 9]), "north.sales1", PASSWORD).await.ok();
    }

    on_both!(an_address_that_closes_many_accounts_is_closed_itself);
    async fn an_address_that_closes_many_accounts_is_closed_itself(app: TestApp) {
        app.set("security.lock_address_threshold", json!(1000)).await;
        for username in ["north.sales1", "north.sales2", "south.sales1"] {
            login(&app.stranger().from([203, 0, 113, 9]), "operator", PASSWORD).await.ok();
            fail(&app, username, [203, 0, 113, 9], 5).await;
        }
        wait(&login(&app.stranger().from([203, 0, 113, 9]), "operator", PASSWORD).await);
        login(&app.stranger().from([203, 0, 113, 10]), "operator", PASSWORD).await.ok();
    }

    on_both!(addresses_of_one_subnet_count_as_one);
    async fn addresses_of_one_subnet_count_as_one(app: TestApp) {
        for number in 0..20 {
            let guesser = app.stranger().at(&format!("2001:db8:0:7::{number:x}"));
            login(&guesser, &format!("guess{number}"), "Wrong-1").await.refused("1002");
        }
        wait(&login(&app.stranger().at("2001:db8:0:7:ffff::1"), "operator", PASSWORD).await);
        login(&app.stranger().at("2001:db8:0:8::1"), "operator", PASSWORD).await.ok();
    }
}

/// S-L14: a password that is typed into the wrong field does not stay in the log.
mod unknown {
    use super::*;

    on_both!(names_that_nobody_has_are_kept_hashed);
    async fn names_that_nobody_has_are_kept_hashed(app: TestApp) {
        let stranger = app.stranger();
        for _ in 0..5 {
            login(&stranger, PASSWORD, "x").await.refused("1002");
        }
        assert_eq!(app.count("SELECT COUNT(*) FROM login_log WHERE LOWER(username) LIKE '%kettle%'").await, 0);
        assert_eq!(app.count("SELECT COUNT(DISTINCT username) FROM login_log").await, 1, "the same name is the same line");
        wait(&login(&stranger, PASSWORD, "x").await);
        let page = app.sign_in("operator").await.post("/loginLog/page", json!({})).await.ok();
        let shown = page["list"][0]["username"].as_str().unwrap();
        assert!(shown.starts_with("未知用户名"), "{shown}");
    }
}

/// S-M2: no page of another site signs anybody in.
mod from_elsewhere {
    use axum::http::Method;

    use super::*;

    on_both!(another_sites_page_signs_nobody_in);
    async fn another_sites_page_signs_nobody_in(app: TestApp) {
        let stranger = app.stranger().with("host", "leadlane.example");
        let by_address = format!("/admin/login?username=operator&password={PASSWORD}");
        for (name, value) in [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "https://evil.example")] {
            let foreign = stranger.with(name, value);
            for answer in [
                foreign.get(&by_address).await,
                login(&foreign, "operator", PASSWORD).await,
                foreign.post("/user/login", json!({"username": "operator", "password": PASSWORD})).await,
                foreign.post("/admin/login/code", json!({"ticket": "x", "code": "123456"})).await,
            ] {
                answer.refused("1003");
                assert_eq!(answer.header("set-cookie"), None);
            }
        }
        // What a form of any site can send is no JSON.
        let body = json!({"username": "operator", "password": PASSWORD}).to_string().into_bytes();
        for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"] {
            stranger.with("content-type", kind).send(Method::POST, "/admin/login", body.clone()).await.refused("4000");
        }
        assert_eq!(app.count("SELECT COUNT(*) FROM admin_session").await, 0);
        let kind = "application/json; charset=utf-8";
        let ours = stranger.with("sec-fetch-site", "same-origin").with("content-type", kind);
        assert!(login(&ours, "operator", PASSWORD).await.header("set-cookie").is_some());
    }

    on_both!(an_address_signs_programs_in_and_no_browser);
    async fn an_address_signs_programs_in_and_no_browser(app: TestApp) {
        let by_address = format!("/admin/login?username=operator&password={PASSWORD}");
        let answer = app.stranger().get(&by_address).await;
        app.with_token(answer.ok()["token"].as_str().unwrap()).get("/admin/me").await.ok();
        assert_eq!(answer.header("set-cookie"), None);
        app.set("security.login_by_address", json!(false)).await;
        app.stranger().get(&by_address).await.refused("1006");
        login(&app.stranger(), "operator", PASSWORD).await.ok();
    }
}

/// A log that a test can read.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

on_both!(no_password_phone_or_token_is_logged);
async fn no_password_phone_or_token_is_logged(app: TestApp) {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone()).finish();
    let listening = tracing::subscriber::set_default(subscriber);
    let stranger = app.stranger();
    let token =
        stranger.get(&format!("/admin/login?username=operator&password={PASSWORD}")).await.ok()["token"].as_str().unwrap().to_owned();
    login(&stranger, "operator", "Wrong-password-1").await.refused("1002");
    stranger.get(&format!("/admin/sendCode?phone={PHONE}&sign={}", verification::sign(PHONE, app.now()))).await.ok();
    let operator = app.with_token(&token);
    let body = json!({"username": "new.person", "realName": "New", "phone": "13811112222", "roleIds": [app.role("auditor").await]});
    let made = operator.post("/admin", body).await.ok()["password"].as_str().unwrap().to_owned();
    operator.put("/admin/password", json!({"old": PASSWORD, "new": "Green-Kettle-8"})).await.ok();
    drop(listening);

    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("/api/admin/login"), "the log tells of calls: {text}");
    for secret in [PASSWORD, "Wrong-password-1", "Green-Kettle-8", PHONE, "13811112222", &token, &made] {
        assert!(!text.contains(secret), "{secret} is logged: {text}");
    }
}
