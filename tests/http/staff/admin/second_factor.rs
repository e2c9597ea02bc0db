//! The second factor (S-M4): setting it up, the second step of a sign-in, and what does not get by it.

use base::clock::{DAY, MINUTE};
use frame::access::totp::{STEP, Secret};
use frame::sms::verification;
use futures_util::future::join_all;
use serde_json::{Value, json};

use testing::admin::second_factor::{MINE, enrol, login};
use testing::limits::Log;
use testing::world::{PASSWORD, PHONE};
use testing::{Actor, Answer, TestApp, on_both};

/// The ticket for the second step.
async fn ticket(who: &Actor, username: &str) -> String {
    login(who, username).await.refused("1007")["ticket"].as_str().expect("a ticket").to_owned()
}

async fn second_step(who: &Actor, ticket: &str, code: &str) -> Answer {
    who.post("/admin/login/code", json!({"ticket": ticket, "code": code})).await
}

on_both!(an_authenticator_is_set_up_and_then_asked_for);
async fn an_authenticator_is_set_up_and_then_asked_for(app: TestApp) {
    let (here, elsewhere) = (app.sign_in("operator").await, app.sign_in("operator").await);
    assert_eq!(here.get(MINE).await.ok(), json!({"since": null, "recoveryCodesLeft": 0}));
    assert_eq!(here.in_english().post(MINE, json!({"password": "Wrong-1"})).await.wrong("password"), "The password is incorrect");
    here.post(MINE, json!({"password": ""})).await.wrong("password");
    let enrolment = here.post(MINE, json!({"password": PASSWORD})).await.ok();
    let (secret, address) = (enrolment["secret"].as_str().unwrap(), enrolment["address"].as_str().unwrap());
    assert!(address.starts_with("otpauth://totp/Leadlane:operator?secret=") && address.contains(secret), "{address}");
    assert!(enrolment["path"].as_str().unwrap().starts_with("M4 4h7v1h-7z"));
    assert!(!app.text("SELECT secret_enc FROM second_factor").await.contains(secret), "it is kept sealed");

    // Until a code was right, no sign-in asks for one, and starting again makes another secret.
    login(&app.stranger(), "operator").await.ok();
    let again = here.post(MINE, json!({"password": PASSWORD})).await.ok();
    assert_ne!(again["secret"], enrolment["secret"]);
    let old = Secret::parse(secret).unwrap();
    here.put(MINE, json!({"code": old.code(app.now() / STEP)})).await.wrong("code");
    let secret = Secret::parse(again["secret"].as_str().unwrap()).unwrap();
    let code = secret.code(app.now() / STEP);
    let codes = here.put(MINE, json!({"code": format!("{} {}", &code[..3], &code[3..])})).await.ok()["codes"].clone();
    assert_eq!(codes.as_array().unwrap().len(), 10);
    assert_eq!(app.count("SELECT COUNT(DISTINCT code_hash) FROM recovery_code").await, 10);
    assert_eq!(app.count("SELECT COUNT(*) FROM recovery_code WHERE LENGTH(code_hash) < 64").await, 0, "they are kept hashed");
    elsewhere.get("/admin/me").await.refused("2000");
    assert_eq!(here.get(MINE).await.ok()["recoveryCodesLeft"], 10);
    here.post(MINE, json!({"password": PASSWORD})).await.refused("1006");
    let entry = &app.trail("administrator", app.account("operator").await).await[0];
    assert_eq!(serde_json::to_value(&entry.diff).unwrap(), json!([{"field": "secondFactor", "before": "false", "after": "true"}]));

    // The code that confirmed it is used.
    let stranger = app.stranger();
    let first = ticket(&stranger, "operator").await;
    second_step(&stranger, &first, &code).await.wrong("code");
    app.advance(2 * STEP);
    let answer = second_step(&stranger, &first, &secret.code(app.now() / STEP)).await;
    assert!(answer.header("set-cookie").unwrap().starts_with("token="));
    app.with_token(answer.ok()["token"].as_str().unwrap()).get("/admin/me").await.ok();
    let log = app.sign_in("admin").await.post("/loginLog/page", json!({"keyword": "operator"})).await.ok();
    let results: Vec<&Value> = log["list"].as_array().unwrap().iter().map(|row| &row["result"]).collect();
    assert!(results.contains(&&json!("ok")) && results.contains(&&json!("wrong")) && results.contains(&&json!("confirmed")), "{log}");
}

on_both!(a_password_alone_opens_nothing);
async fn a_password_alone_opens_nothing(app: TestApp) {
    let operator = app.sign_in("operator").await;
    enrol(&app, &operator).await;
    let sessions = app.count("SELECT COUNT(*) FROM admin_session").await;
    let answer = login(&app.stranger().in_english(), "operator").await;
    let data = answer.refused("1007");
    assert_eq!((data["livesFor"].clone(), answer.header("set-cookie")), (json!(300), None));
    assert_eq!(answer.desc(), "Enter the code shown in your authenticator app");
    // A ticket is no token.
    app.with_token(data["ticket"].as_str().unwrap()).get("/admin/me").await.refused("2000");
    // The old client's sign-in is refused in words.
    let by_address = app.stranger().in_english().get(&format!("/admin/login?username=operator&password={PASSWORD}")).await;
    by_address.refused("1006");
    assert_eq!(by_address.desc(), "This account uses two-step verification, log in on the web page");
    app.stranger().post("/admin/login", json!({"username": "operator", "password": "Wrong-1"})).await.refused("1002");
    assert_eq!(app.count("SELECT COUNT(*) FROM admin_session").await, sessions);
}

on_both!(a_code_is_taken_once_and_a_step_early_or_late);
async fn a_code_is_taken_once_and_a_step_early_or_late(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let stranger = app.stranger();
    for steps in [-2, 2] {
        let ticket = ticket(&stranger, "operator").await;
        second_step(&stranger, &ticket, &authenticator.code(&app, steps)).await.wrong("code");
    }
    let late = authenticator.code(&app, -1);
    second_step(&stranger, &ticket(&stranger, "operator").await, &late).await.ok();
    second_step(&stranger, &ticket(&stranger, "operator").await, &late).await.wrong("code");
    let early = authenticator.code(&app, 1);
    second_step(&stranger, &ticket(&stranger, "operator").await, &early).await.ok();
    // Earlier than one that was taken: it may have been overheard.
    let between = authenticator.code(&app, 0);
    second_step(&stranger, &ticket(&stranger, "operator").await, &between).await.wrong("code");
    app.advance(3 * STEP);
    second_step(&stranger, &ticket(&stranger, "operator").await, &authenticator.code(&app, 0)).await.ok();
}

on_both!(of_two_sign_ins_with_one_code_one_comes_in);
async fn of_two_sign_ins_with_one_code_one_comes_in(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let stranger = app.stranger();
    for code in [authenticator.code(&app, 0), authenticator.recovery[0].clone()] {
        let tickets = [ticket(&stranger, "operator").await, ticket(&stranger, "operator").await, ticket(&stranger, "operator").await];
        let answers = join_all(tickets.iter().map(|ticket| second_step(&stranger, ticket, &code))).await;
        assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1, "with {code}");
        // And of two with one ticket.
        app.advance(3 * STEP);
        let one = ticket(&stranger, "operator").await;
        let codes = [authenticator.code(&app, 0), authenticator.code(&app, 1)];
        let answers = join_all(codes.iter().map(|code| second_step(&stranger, &one, code))).await;
        assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1, "with one ticket");
        app.advance(3 * STEP);
    }
}

on_both!(a_recovery_code_opens_once);
async fn a_recovery_code_opens_once(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let stranger = app.stranger();
    let typed = format!(" {} ", authenticator.recovery[3].to_uppercase().replace('-', " "));
    second_step(&stranger, &ticket(&stranger, "operator").await, &typed).await.ok();
    let again = second_step(&stranger, &ticket(&stranger, "operator").await, &authenticator.recovery[3]).await.wrong("code");
    assert_eq!(again, "恢复码不正确或已使用，请换一个", "no other follows it by itself");
    assert_eq!(operator.get(MINE).await.ok()["recoveryCodesLeft"], 9);

    // New ones take the place of the old.
    let form = json!({"password": PASSWORD, "code": authenticator.code(&app, 0)});
    let made = operator.post(&format!("{MINE}/codes"), form.clone()).await.ok();
    operator.post(&format!("{MINE}/codes"), form).await.wrong("code");
    second_step(&stranger, &ticket(&stranger, "operator").await, &authenticator.recovery[4]).await.wrong("code");
    second_step(&stranger, &ticket(&stranger, "operator").await, made["codes"][0].as_str().unwrap()).await.ok();
    // Another account's recovery codes are wrong for this one.
    let auditor = app.sign_in("auditor").await;
    let other = enrol(&app, &auditor).await;
    second_step(&stranger, &ticket(&stranger, "operator").await, &other.recovery[0]).await.wrong("code");
}

on_both!(codes_are_not_guessed);
async fn codes_are_not_guessed(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let stranger = app.stranger();
    for _ in 0..2 {
        let one = ticket(&stranger, "operator").await;
        for _ in 0..5 {
            second_step(&stranger, &one, &authenticator.wrong(&app)).await.wrong("code");
        }
        // The ticket is used up.
        second_step(&stranger, &one, &authenticator.code(&app, 0)).await.refused("1006");
        app.execute("DELETE FROM login_log").await;
    }
    // So are the account's tries, wherever they come from, with whatever ticket.
    let elsewhere = app.stranger().from([203, 0, 113, 9]);
    let another = ticket(&elsewhere, "operator").await;
    let refused = second_step(&elsewhere, &another, &authenticator.code(&app, 0)).await;
    refused.refused("4029");
    assert!(refused.header("retry-after").unwrap().parse::<i64>().unwrap() <= 15 * 60);
    second_step(&elsewhere, &another, &authenticator.recovery[0]).await.refused("4029");
    // Nor are codes taken on the page, from a session of the account.
    let form = json!({"password": PASSWORD, "code": authenticator.code(&app, 0)});
    operator.post(&format!("{MINE}/remove"), form).await.refused("4029");
    let told = operator.post("/message/list", json!({})).await.ok();
    assert!(told.to_string().contains("您的密码可能已泄露"), "{told}");
    app.advance(15 * MINUTE + 1);
    let one = ticket(&stranger, "operator").await;
    second_step(&stranger, &one, &authenticator.code(&app, 0)).await.ok();
    // A right one ends the count.
    second_step(&stranger, &ticket(&stranger, "operator").await, &authenticator.wrong(&app)).await.wrong("code");
}

on_both!(guesses_sent_at_once_do_not_outrun_the_limit);
async fn guesses_sent_at_once_do_not_outrun_the_limit(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let stranger = app.stranger();
    let one = ticket(&stranger, "operator").await;
    let wrong = authenticator.wrong(&app);
    let answers = join_all((0..30).map(|_| second_step(&stranger, &one, &wrong))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "1001").count(), 5, "of one ticket");
    assert_eq!(answers.iter().filter(|answer| answer.code() == "1006").count(), 25);
}

on_both!(a_day_of_guesses_ends_too);
async fn a_day_of_guesses_ends_too(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let stranger = app.stranger();
    for _ in 0..6 {
        let one = ticket(&stranger, "operator").await;
        for _ in 0..5 {
            second_step(&stranger, &one, &authenticator.wrong(&app)).await.wrong("code");
        }
        app.advance(15 * MINUTE + 1);
    }
    let refused = second_step(&stranger, &ticket(&stranger, "operator").await, &authenticator.code(&app, 0)).await;
    refused.refused("4029");
    assert!(refused.header("retry-after").unwrap().parse::<i64>().unwrap() > 20 * 60 * 60);
    app.advance(DAY);
    second_step(&stranger, &ticket(&stranger, "operator").await, &authenticator.code(&app, 0)).await.ok();
}

on_both!(a_ticket_does_not_get_by_the_rules_about_addresses);
async fn a_ticket_does_not_get_by_the_rules_about_addresses(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let stranger = app.stranger();
    let one = ticket(&stranger, "operator").await;
    app.set("security.sign_in_deny", json!(["127.0.0.1"])).await;
    second_step(&stranger, &one, &authenticator.code(&app, 0)).await.refused("1006");
    login(&stranger, "operator").await.refused("1002");
    app.set("security.sign_in_deny", json!([])).await;
    // An address beside it, in the same network.
    app.set("security.sign_in_allow", json!(["127.0.0.1"])).await;
    app.set("security.sign_in_network_roles", json!(["operator"])).await;
    second_step(&stranger.from([127, 0, 0, 2]), &one, &authenticator.code(&app, 0)).await.refused("1006");
    login(&stranger.from([127, 0, 0, 2]), "operator").await.refused("1002");
    second_step(&stranger, &one, &authenticator.code(&app, 0)).await.ok();
}

on_both!(a_ticket_is_of_one_browser_and_soon_over);
async fn a_ticket_is_of_one_browser_and_soon_over(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let authenticator = enrol(&app, &operator).await;
    let stranger = app.stranger();
    let code = |steps| authenticator.code(&app, steps);
    let one = ticket(&stranger, "operator").await;
    second_step(&stranger.from([203, 0, 113, 9]), &one, &code(0)).await.refused("1006");
    second_step(&stranger.with("user-agent", "another"), &one, &code(0)).await.refused("1006");
    for bad in ["x", &one[1..], &one.to_lowercase()] {
        second_step(&stranger, bad, &code(0)).await.refused("1006");
    }
    for (ticket, code, field) in [("", "123456", "ticket"), (one.as_str(), "  ", "code"), (one.as_str(), &"1".repeat(33), "code")] {
        second_step(&stranger, ticket, code).await.wrong(field);
    }
    app.advance(5 * MINUTE);
    second_step(&stranger, &one, &code(0)).await.refused("1006");
    let one = ticket(&stranger, "operator").await;
    assert!(!app.text("SELECT MAX(ticket_hash) FROM sign_in_ticket").await.contains(&one));
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'operator'").await;
    second_step(&stranger, &one, &code(0)).await.refused("1006");
}

on_both!(it_is_turned_off_by_password_and_code);
async fn it_is_turned_off_by_password_and_code(app: TestApp) {
    let operator = app.sign_in("operator").await;
    operator.post(&format!("{MINE}/remove"), json!({"password": PASSWORD, "code": "123456"})).await.refused("1006");
    let authenticator = enrol(&app, &operator).await;
    let off =
        async |password: &str, code: &str| operator.post(&format!("{MINE}/remove"), json!({"password": password, "code": code})).await;
    off("Wrong-1", &authenticator.code(&app, 0)).await.wrong("password");
    off(PASSWORD, &authenticator.wrong(&app)).await.wrong("code");
    login(&app.stranger(), "operator").await.refused("1007");
    off(PASSWORD, &authenticator.code(&app, 0)).await.ok();
    login(&app.stranger(), "operator").await.ok();
    assert_eq!(operator.get(MINE).await.ok(), json!({"since": null, "recoveryCodesLeft": 0}));
    app.stranger().get(MINE).await.refused("2000");
}

on_both!(a_forgotten_password_does_not_take_it_away);
async fn a_forgotten_password_does_not_take_it_away(app: TestApp) {
    let sales = app.sign_in("north.sales1").await;
    let authenticator = enrol(&app, &sales).await;
    let stranger = app.stranger();
    stranger.get(&format!("/admin/sendCode?phone={PHONE}&sign={}", verification::sign(PHONE, app.now()))).await.ok();
    let message = app.messages().await.pop().unwrap();
    let code = message.split(|character: char| !character.is_ascii_digit()).find(|word| word.len() == 6).unwrap();
    stranger.post("/admin/resetPassword", json!({"phone": PHONE, "code": code, "password": "Green-Kettle-8"})).await.ok();
    let body = json!({"username": "north.sales1", "password": "Green-Kettle-8"});
    let data = stranger.post("/admin/login", body).await.refused("1007");
    second_step(&stranger, data["ticket"].as_str().unwrap(), &authenticator.code(&app, 0)).await.ok();
}

on_both!(who_resets_accounts_can_take_it_away);
async fn who_resets_accounts_can_take_it_away(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = app.account("operator").await;
    let version = || async { admin.get(&format!("/admin/{id}")).await.ok()["version"].clone() };
    admin.put("/admin/secondFactor", json!({"id": id, "version": version().await})).await.refused("1006");
    enrol(&app, &operator).await;
    let row = admin.get(&format!("/admin/{id}")).await.ok();
    assert_eq!(row["secondFactor"], true);
    app.sign_in("auditor").await.put("/admin/secondFactor", json!({"id": id, "version": row["version"]})).await.refused("1003");
    app.sign_in("north.manager").await.put("/admin/secondFactor", json!({"id": id, "version": row["version"]})).await.refused("1004");
    operator.put("/admin/secondFactor", json!({"id": id, "version": row["version"]})).await.refused("1006");
    admin.put("/admin/secondFactor", json!({"id": id, "version": 99})).await.refused("1005");
    let row = admin.put("/admin/secondFactor", json!({"id": id, "version": row["version"]})).await.ok();
    assert_eq!(row["secondFactor"], false);
    operator.get("/admin/me").await.refused("2000");
    let entry = &app.trail("administrator", id).await[0];
    assert_eq!(serde_json::to_value(&entry.diff).unwrap(), json!([{"field": "secondFactor", "before": "true", "after": "false"}]));
    let token = login(&app.stranger(), "operator").await.ok()["token"].as_str().unwrap().to_owned();
    let told = app.with_token(&token).post("/message/list", json!({})).await.ok();
    assert!(told.to_string().contains("两步验证已被关闭"), "{told}");
}

// S-M6: a wrong code was the one wrong thing at the door that left no line in the log.
on_both!(a_wrong_code_is_a_line_of_refusals);
async fn a_wrong_code_is_a_line_of_refusals(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let phone = enrol(&app, &operator).await;
    let stranger = app.stranger().from([203, 0, 113, 78]);
    let ticket = ticket(&stranger, "operator").await;
    let wrong = phone.wrong(&app);
    let (log, _guard) = Log::watch();
    second_step(&stranger, &ticket, &wrong).await.wrong("code");
    operator.post(&format!("{MINE}/codes"), json!({"password": PASSWORD, "code": wrong})).await.wrong("code");
    operator.post(&format!("{MINE}/remove"), json!({"password": "hush-hush-1", "code": wrong})).await.wrong("password");
    // What is not even a code is a mistake, and no try.
    second_step(&stranger, &ticket, "").await.wrong("code");
    second_step(&stranger, &ticket, &phone.code(&app, 0)).await.ok();
    let lines = log.refusals();
    assert_eq!(lines.len(), 3, "{lines:?}");
    let account = format!("account={}", app.account("operator").await);
    for (line, parts) in lines.iter().zip([
        ["code=\"1001\"", "http.path=\"/admin/login/code\"", "client.address=\"203.0.113.78\""],
        ["code=\"1001\"", "http.path=\"/admin/me/secondFactor/codes\"", &account],
        ["code=\"1001\"", "http.path=\"/admin/me/secondFactor/remove\"", &account],
    ]) {
        for part in parts {
            assert!(line.contains(part), "{part}: {line}");
        }
        for sent in [wrong.as_str(), ticket.as_str(), "hush"] {
            assert!(!line.contains(sent), "{line}");
        }
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM login_log WHERE result = 'wrong' AND username = 'operator'").await, 2);
}
