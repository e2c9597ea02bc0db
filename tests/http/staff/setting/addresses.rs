//! The rules about addresses from which people sign in and work: `security.sign_in_deny`, `security.sign_in_allow` and
//! `security.sign_in_network_roles`.

use serde_json::{Value, json};

use testing::world::PASSWORD;
use testing::{Actor, Answer, TestApp, on_both};

const DENY: &str = "security.sign_in_deny";
const ALLOW: &str = "security.sign_in_allow";
const ROLES: &str = "security.sign_in_network_roles";
/// An address that the tests refuse. Sessions of [`TestApp::sign_in`] begin at 127.0.0.1.
const ELSEWHERE: [u8; 4] = [203, 0, 113, 9];

async fn login(who: &Actor, username: &str, password: &str) -> Answer {
    who.post("/admin/login", json!({"username": username, "password": password})).await
}

/// A session that begins elsewhere, used from there.
async fn signed_in_elsewhere(app: &TestApp, username: &str) -> Actor {
    let data = login(&app.stranger().from(ELSEWHERE), username, PASSWORD).await.ok();
    app.with_token(data["token"].as_str().unwrap()).from(ELSEWHERE)
}

/// Limits a role to the addresses of the tests.
async fn limit(app: &TestApp, role: &str) {
    app.set(ALLOW, json!(["127.0.0.0/8", "2001:db8:1::/48"])).await;
    app.set(ROLES, json!([role])).await;
}

/// Changes settings that were never set before.
async fn put(who: &Actor, values: &[(&str, Value)]) -> Answer {
    let changes: Vec<Value> = values.iter().map(|(key, value)| json!({"key": key, "value": value, "version": 0})).collect();
    who.put("/setting", json!({"changes": changes})).await
}

/// What came of the tries so far, oldest first, with their addresses.
async fn tries(admin: &Actor) -> Vec<String> {
    let rows = admin.post("/loginLog/page", json!({"sort": "at", "order": "asc"})).await.ok()["list"].clone();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    rows.as_array().unwrap().iter().map(|row| format!("{} {}", text(row, "result"), text(row, "ip"))).collect()
}

on_both!(a_denied_address_is_refused_whatever_the_password);
async fn a_denied_address_is_refused_whatever_the_password(app: TestApp) {
    app.set(DENY, json!(["203.0.113.0/24", "2001:db8::/32"])).await;
    // Deny beats allow, for every role.
    app.set(ALLOW, json!(["0.0.0.0/0", "::/0"])).await;
    app.set(ROLES, json!(["operator"])).await;
    let admin = app.sign_in("admin").await;
    let denied = app.stranger().from(ELSEWHERE);
    let first = login(&denied, "operator", PASSWORD).await;
    assert_eq!((first.desc(), first.refused("1002")), ("当前 IP 禁止登录，请联系管理员".to_owned(), Value::Null));
    for (username, password) in [("operator", "Wrong-1"), ("admin", PASSWORD), ("north.sales1", PASSWORD), ("no.such.name", "x")] {
        let answer = login(&denied, username, password).await;
        assert_eq!((answer.status, &answer.body), (first.status, &first.body), "{username}");
    }
    let english = login(&denied.in_english(), "operator", PASSWORD).await;
    assert_eq!(english.desc(), "Login from your IP address is not allowed, contact an administrator");
    // An IPv4 address that is written as IPv6 is the same one.
    login(&app.stranger().at("::ffff:203.0.113.77"), "operator", PASSWORD).await.refused("1002");
    login(&app.stranger().at("2001:db8::7"), "operator", PASSWORD).await.refused("1002");
    let address = format!("/admin/login?username=operator&password={PASSWORD}");
    denied.get(&address).await.refused("1002");
    assert_eq!(app.count("SELECT COUNT(*) FROM admin_session").await, 1, "the administrator's");

    let tries = tries(&admin).await;
    assert_eq!(tries.len(), 9);
    assert!(tries.iter().all(|line| line.starts_with("denied ")), "{tries:?}");
    assert_eq!(
        (tries[0].as_str(), tries[6].as_str(), tries[7].as_str()),
        ("denied 203.0.113.9", "denied 203.0.113.77", "denied 2001:db8::7")
    );
    assert_eq!(admin.post("/loginLog/page", json!({"result": "denied"})).await.ok()["total"], 9);
    let file = admin.export("/loginLog/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&file.body).contains("IP 被禁止"));
    login(&app.stranger(), "operator", PASSWORD).await.ok();
}

on_both!(denied_tries_close_their_address_and_no_account);
async fn denied_tries_close_their_address_and_no_account(app: TestApp) {
    app.set(DENY, json!(["203.0.113.9"])).await;
    let denied = app.stranger().from(ELSEWHERE);
    for _ in 0..20 {
        login(&denied, "operator", PASSWORD).await.refused("1002");
    }
    login(&denied, "operator", PASSWORD).await.refused("4029");
    assert_eq!(app.count("SELECT COUNT(*) FROM login_log").await, 20, "no line more");
    // Not even to the network about it.
    login(&app.stranger().from([203, 0, 113, 10]), "operator", PASSWORD).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator WHERE locked_until IS NOT NULL").await, 0);
}

on_both!(the_allow_list_binds_its_roles);
async fn the_allow_list_binds_its_roles(app: TestApp) {
    app.set(ALLOW, json!(["127.0.0.0/8", "2001:db8:1::/48"])).await;
    let elsewhere = app.stranger().from(ELSEWHERE);
    login(&elsewhere, "operator", PASSWORD).await.ok();
    app.set(ROLES, json!(["operator"])).await;

    // The right password and a wrong one, of this account and of others, look the same.
    let right = login(&elsewhere, "operator", PASSWORD).await;
    assert_eq!((right.desc(), right.refused("1002")), ("账号或者密码错误，或者该账号不能从当前 IP 登录".to_owned(), Value::Null));
    for (username, password) in [("operator", "Wrong-1"), ("auditor", "Wrong-1"), ("no.such.name", "Wrong-1")] {
        let wrong = login(&elsewhere, username, password).await;
        assert_eq!((wrong.status, &wrong.body), (right.status, &right.body), "{username}");
    }
    assert_eq!(
        login(&elsewhere.in_english(), "operator", PASSWORD).await.desc(),
        "Incorrect username or password, or this account cannot log in from your IP address"
    );
    // A password that was made too long ago does not show that it is right either.
    app.execute("UPDATE administrator SET must_change_pwd = 1, pwd_changed_at = 1 WHERE username = 'operator'").await;
    login(&elsewhere, "operator", PASSWORD).await.refused("1002");
    app.execute("UPDATE administrator SET must_change_pwd = 0 WHERE username = 'operator'").await;

    login(&elsewhere, "auditor", PASSWORD).await.ok();
    login(&app.stranger(), "operator", PASSWORD).await.ok();
    login(&app.stranger().at("2001:db8:1:7::1"), "operator", PASSWORD).await.ok();
    login(&app.stranger().at("::ffff:127.0.0.5"), "operator", PASSWORD).await.ok();
    login(&app.stranger().at("2001:db8:2::1"), "operator", PASSWORD).await.refused("1002");
    let at_home = login(&app.stranger(), "auditor", "Wrong-1").await;
    assert_eq!(at_home.desc(), "账号或者密码错误", "said only where it may be the reason");

    let admin = app.sign_in("admin").await;
    let outside = admin.post("/loginLog/page", json!({"result": "outside"})).await.ok();
    assert_eq!((&outside["total"], &outside["list"][0]["username"]), (&json!(4), &json!("operator")));
    let file = admin.export("/loginLog/page/export", json!({"format": "csv", "result": "outside"})).await;
    assert!(String::from_utf8_lossy(&file.body).contains("IP 不在允许范围"));
}

on_both!(the_limit_on_guesses_does_not_say_which_password_was_right);
async fn the_limit_on_guesses_does_not_say_which_password_was_right(app: TestApp) {
    limit(&app, "operator").await;
    let elsewhere = app.stranger().from(ELSEWHERE);
    for password in [PASSWORD, "Wrong-1", PASSWORD, PASSWORD, PASSWORD] {
        login(&elsewhere, "operator", password).await.refused("1002");
    }
    login(&elsewhere, "operator", PASSWORD).await.refused("4029");
    login(&app.stranger(), "operator", PASSWORD).await.ok();
    login(&elsewhere, "operator", PASSWORD).await.refused("4029");
}

on_both!(open_sessions_end_where_a_rule_refuses_them);
async fn open_sessions_end_where_a_rule_refuses_them(app: TestApp) {
    let (admin, home) = (app.sign_in("admin").await, app.sign_in("north.sales1").await);
    let (away, auditor) = (signed_in_elsewhere(&app, "north.sales1").await, signed_in_elsewhere(&app, "auditor").await);
    away.get("/admin/me").await.ok();
    home.from(ELSEWHERE).get("/admin/me").await.ok();
    put(&admin, &[(DENY, json!(["203.0.113.9"]))]).await.ok();
    for path in ["/admin/me", "/crm/getNewUserCount", "/message/unread"] {
        away.get(path).await.refused("2000");
        auditor.get(path).await.refused("2000");
        // A session that began there, and a token that is used there.
        away.from([127, 0, 0, 1]).get(path).await.refused("2000");
        home.from(ELSEWHERE).get(path).await.refused("2000");
        home.get(path).await.ok();
    }
    away.put("/admin/password", json!({"old": PASSWORD, "new": "Green-Kettle-8"})).await.refused("2000");

    app.set(DENY, json!([])).await;
    limit(&app, "auditor").await;
    away.get("/admin/me").await.ok();
    for path in ["/admin/me", "/message/unread"] {
        auditor.get(path).await.refused("2000");
        auditor.from([127, 0, 0, 1]).get(path).await.refused("2000");
    }
    app.sign_in("auditor").await.get("/admin/me").await.ok();
    app.sign_in("auditor").await.from(ELSEWHERE).get("/admin/me").await.refused("2000");
}

on_both!(a_role_that_cannot_be_used_from_here_is_not_switched_to);
async fn a_role_that_cannot_be_used_from_here_is_not_switched_to(app: TestApp) {
    app.execute(
        "INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a, role r WHERE a.username = 'operator' AND r.code = 'auditor'",
    )
    .await;
    limit(&app, "auditor").await;
    let (home, away) = (app.sign_in("operator").await, signed_in_elsewhere(&app, "operator").await);
    let auditor = json!({"roleId": app.role("auditor").await});
    assert_eq!(away.put("/admin/role", auditor.clone()).await.wrong("roleId"), "该角色不能从当前 IP 使用");
    let english = home.from(ELSEWHERE).in_english().put("/admin/role", auditor.clone()).await;
    assert_eq!(english.wrong("roleId"), "This role cannot be used from your IP address");
    away.from([127, 0, 0, 1]).put("/admin/role", auditor.clone()).await.wrong("roleId");
    assert_eq!(away.get("/admin/me").await.ok()["role"], "operator");
    assert_eq!(home.put("/admin/role", auditor).await.ok()["role"], "auditor");
    // From then on the account signs in with that role.
    login(&app.stranger().from(ELSEWHERE), "operator", PASSWORD).await.refused("1002");
    away.get("/admin/me").await.ok();
}

on_both!(a_rule_that_ends_the_own_session_is_not_saved);
async fn a_rule_that_ends_the_own_session_is_not_saved(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for network in ["127.0.0.0/8", "127.0.0.1", "::ffff:127.0.0.1", "0.0.0.0/0"] {
        assert!(put(&admin, &[(DENY, json!([network]))]).await.wrong(DENY).contains("127.0.0.1"), "{network}");
    }
    assert_eq!(
        put(&admin.in_english(), &[(DENY, json!(["127.0.0.1"]))]).await.wrong(DENY),
        "This list contains your own IP address 127.0.0.1: you would be logged out. Nothing was saved"
    );
    let both = [(ALLOW, json!(["10.0.0.0/8"])), (ROLES, json!(["admin"]))];
    let message = put(&admin.in_english(), &both).await.wrong(ALLOW);
    assert!(message.contains("do not include your own, 127.0.0.1, and your role is limited to them"), "{message}");
    assert!(put(&admin, &both).await.wrong(ALLOW).contains("允许名单不包含您当前的 IP 127.0.0.1"));
    assert_eq!(app.count("SELECT COUNT(*) FROM general_setting").await, 0, "nothing was saved");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);

    // The address at which the session began counts as well as the one of the request.
    let away = signed_in_elsewhere(&app, "admin").await.from([127, 0, 0, 1]);
    put(&away, &[(DENY, json!(["203.0.113.9"]))]).await.wrong(DENY);

    // A list that binds others, and one that lets the own address in.
    put(&admin, &[(ALLOW, json!(["10.0.0.0/8"]))]).await.ok();
    put(&admin, &[(ROLES, json!(["admin", "operator"]))]).await.wrong(ROLES);
    put(&admin, &[(ROLES, json!(["operator"]))]).await.ok();
    let change = |key: &str, value: Value| json!({"changes": [{"key": key, "value": value, "version": 1}]});
    admin.put("/setting", change(ALLOW, json!(["10.0.0.0/8", "127.0.0.1"]))).await.ok();
    admin.put("/setting", change(ROLES, json!(["operator", "admin"]))).await.ok();
    put(&admin, &[(DENY, json!(["203.0.113.9"]))]).await.ok();
    admin.get("/admin/me").await.ok();
}

on_both!(wrong_lines_are_named_and_right_ones_are_kept_in_their_shortest_form);
async fn wrong_lines_are_named_and_right_ones_are_kept_in_their_shortest_form(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let lines = json!(["10.0.0.0/8", "office", "10.1.2.300", "2001:db8::/129", "192.0.2.0/33"]);
    for key in [DENY, ALLOW] {
        assert_eq!(
            put(&admin, &[(key, lines.clone())]).await.wrong(key),
            "“office”不是 IP 地址或网段；“10.1.2.300”不是 IP 地址或网段；“2001:db8::/129”的前缀长度须为 0 到 128；“192.0.2.0/33”的前缀长度须为 0 到 32"
        );
        let english = put(&admin.in_english(), &[(key, json!(["office", "192.0.2.0/33"]))]).await.wrong(key);
        assert_eq!(english, "“office” is not an IP address or network; The prefix length of “192.0.2.0/33” must be 0 to 32");
        let many: Vec<String> = (0..=200).map(|number| format!("10.0.0.{number}")).collect();
        assert_eq!(put(&admin.in_english(), &[(key, json!(many))]).await.wrong(key), "At most 200 entries");
        put(&admin, &[(key, json!("10.0.0.0/8"))]).await.wrong(key);
    }
    put(&admin, &[(ROLES, json!(["org_manager"]))]).await.wrong(ROLES);
    assert_eq!(app.count("SELECT COUNT(*) FROM general_setting").await, 0);

    let sections = put(&admin, &[(DENY, json!([" 10.1.2.3/8", "", "10.0.0.0/8", "::ffff:192.0.2.1", "2001:DB8:0::1"]))]).await.ok();
    let rows = sections[0]["settings"].as_array().unwrap();
    let row = rows.iter().find(|row| row["key"] == DENY).expect("it is listed");
    assert_eq!(row["value"], json!(["10.0.0.0/8", "192.0.2.1", "2001:db8::1"]));
    assert_eq!((&row["kind"], &row["entries"], &row["default"]), (&json!("list"), &json!(200), &json!([])));
}
