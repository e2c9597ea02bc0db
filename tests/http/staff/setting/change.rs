//! `GET /setting/list` and `PUT /setting`.

use frame::setting::{self, Settings};
use serde_json::{Value, json};

use testing::{Actor, Answer, TestApp, on_both};

/// A setting as the list has it.
async fn row(who: &Actor, key: &str) -> Value {
    let sections = who.get("/setting/list").await.ok();
    let rows = sections.as_array().unwrap().iter().flat_map(|section| section["settings"].as_array().unwrap());
    rows.into_iter().find(|row| row["key"] == key).unwrap_or_else(|| panic!("{key} is not listed")).clone()
}

async fn put(who: &Actor, changes: Value) -> Answer {
    who.put("/setting", json!({"changes": changes})).await
}

async fn set(who: &Actor, key: &str, value: Value) -> Answer {
    let version = row(who, key).await["version"].clone();
    put(who, json!([{"key": key, "value": value, "version": version}])).await
}

/// The latest entry of the trail about settings.
async fn told(app: &TestApp) -> Value {
    let text = app.text("SELECT diff FROM operation_log WHERE module = 'setting' ORDER BY id DESC LIMIT 1").await;
    serde_json::from_str(&text).unwrap()
}

// S1.10 S2.05
on_both!(settings_are_listed_in_groups_with_their_defaults);
async fn settings_are_listed_in_groups_with_their_defaults(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let chinese = admin.get("/setting/list").await.ok();
    assert_eq!((&chinese[0]["group"], &chinese[0]["title"]), (&json!("security"), &json!("登录与密码")));
    assert_eq!(admin.in_english().get("/setting/list").await.ok()[0]["title"], "Login and passwords");
    let listed: usize = chinese.as_array().unwrap().iter().map(|section| section["settings"].as_array().unwrap().len()).sum();
    assert_eq!(listed, setting::ALL.len());
    let idle = row(&admin, "session.idle_minutes").await;
    assert_eq!(
        (&idle["value"], &idle["default"], &idle["isSet"], &idle["version"], &idle["unit"], &idle["least"], &idle["most"]),
        (&json!(30), &json!(30), &json!(false), &json!(0), &json!("minutes"), &json!(5), &json!(720))
    );
    let method = row(&admin.in_english(), "lead.method").await;
    assert_eq!(method["choices"][1], json!({"value": "price", "label": "Highest price"}));
}

on_both!(a_change_counts_at_once_and_is_in_the_trail);
async fn a_change_counts_at_once_and_is_in_the_trail(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let both = json!([
        {"key": "session.idle_minutes", "value": 45, "version": 0},
        {"key": "security.password_words", "value": ["teapot", " teapot ", "kettle"], "version": 0},
    ]);
    let answer = put(&admin, both).await.ok();
    assert_eq!(answer[1]["settings"][0]["value"], 45, "the answer is the list");
    let words = row(&admin, "security.password_words").await;
    assert_eq!((&words["value"], &words["isSet"], &words["version"]), (&json!(["teapot", "kettle"]), &json!(true), &json!(1)));
    assert_eq!(words["updatedBy"], "platform admin");
    assert_eq!(app.app.settings.get(&app.app.db, &setting::SESSION_IDLE_MINUTES).await.unwrap(), 45);
    // Another node has a cache of its own.
    assert_eq!(Settings::default().get(&app.app.db, &setting::SESSION_IDLE_MINUTES).await.unwrap(), 45);
    assert_eq!(
        told(&app).await,
        json!([
            {"field": "session.idle_minutes", "before": "30", "after": "45"},
            {"field": "security.password_words", "before": null, "after": "teapot, kettle"},
        ])
    );

    set(&admin, "session.idle_minutes", Value::Null).await.ok();
    let idle = row(&admin, "session.idle_minutes").await;
    assert_eq!((&idle["value"], &idle["isSet"], &idle["version"]), (&json!(30), &json!(false), &json!(2)));
    assert_eq!(told(&app).await, json!([{"field": "session.idle_minutes", "before": "45", "after": "30"}]));
    // What changes nothing is no change.
    let entries = app.count("SELECT COUNT(*) FROM operation_log").await;
    set(&admin, "session.idle_minutes", Value::Null).await.ok();
    set(&admin, "security.password_words", json!(["teapot", "kettle"])).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, entries);
}

on_both!(a_secret_is_never_answered_or_told);
async fn a_secret_is_never_answered_or_told(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let answer = set(&admin, "sms.provider_key", json!("hush-hush-1")).await;
    answer.ok();
    assert!(!String::from_utf8_lossy(&answer.body).contains("hush-hush"));
    let key = row(&admin, "sms.provider_key").await;
    assert_eq!((&key["value"], &key["default"], &key["isSet"]), (&Value::Null, &Value::Null, &json!(true)));
    assert!(key["updatedAt"].is_i64());
    assert_eq!(told(&app).await, json!([{"field": "sms.provider_key", "before": null, "after": "***"}]));
    assert!(!app.text("SELECT value FROM general_setting").await.contains("hush"));
    let values = app.app.settings.values(&app.app.db).await.unwrap();
    assert_eq!(values.secret(&setting::SMS_PROVIDER_KEY, &app.app.keys).unwrap().as_deref(), Some("hush-hush-1"));

    set(&admin, "sms.provider_key", json!("hush-hush-2")).await.ok();
    assert_eq!(told(&app).await, json!([{"field": "sms.provider_key", "before": "***", "after": "***"}]));
    set(&admin, "sms.provider_key", Value::Null).await.ok();
    assert_eq!(row(&admin, "sms.provider_key").await["isSet"], false);
}

on_both!(whoever_saves_an_older_version_is_told_what_holds_now);
async fn whoever_saves_an_older_version_is_told_what_holds_now(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    set(&operator, "session.idle_minutes", json!(60)).await.ok();
    let late = json!([
        {"key": "session.idle_minutes", "value": 45, "version": 0},
        {"key": "session.max_hours", "value": 24, "version": 0},
    ]);
    let current = put(&admin, late).await.refused("1005")["current"].clone();
    assert_eq!(current[1]["settings"][0]["value"], 60);
    assert_eq!(row(&admin, "session.max_hours").await["isSet"], false, "all of it or nothing");
}

on_both!(nonsense_is_refused_under_the_settings_name);
async fn nonsense_is_refused_under_the_settings_name(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (key, value) in [
        ("session.idle_minutes", json!(4)),
        ("session.idle_minutes", json!(721)),
        ("session.idle_minutes", json!("30")),
        ("session.idle_minutes", json!(true)),
        ("security.single_session", json!(1)),
        ("security.password_words", json!("x")),
        ("security.password_words", json!(["x".repeat(33)])),
        ("sms.sign_name", json!("x".repeat(17))),
        ("sms.provider_url", json!("http://sms.example")),
        ("sms.provider_key", json!("")),
        ("lead.method", json!("luck")),
        ("security.no_such_thing", json!(1)),
    ] {
        put(&admin, json!([{"key": key, "value": value, "version": 0}])).await.wrong(key);
    }
    let twice = json!([{"key": "session.max_hours", "value": 24, "version": 0}, {"key": "session.max_hours", "value": 25, "version": 0}]);
    put(&admin, twice).await.wrong("session.max_hours");
    put(&admin, json!([])).await.wrong("changes");
    for malformed in [json!({}), json!({"changes": [{"key": "session.max_hours", "value": {"a": 1}, "version": 0}]}), json!({"changes": 1})]
    {
        admin.put("/setting", malformed).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM general_setting").await, 0);
}

on_both!(settings_are_the_platforms);
async fn settings_are_the_platforms(app: TestApp) {
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('org_manager', 'channel_manager') ON CONFLICT DO NOTHING").await;
    app.execute("UPDATE role SET version = version + 1").await;
    for who in ["north.manager", "channel.manager"] {
        let actor = app.sign_in(who).await;
        actor.get("/setting/list").await.refused("1004");
        put(&actor, json!([{"key": "session.idle_minutes", "value": 45, "version": 0}])).await.refused("1004");
    }
    let auditor = app.sign_in("auditor").await;
    auditor.get("/setting/list").await.ok();
    put(&auditor, json!([{"key": "session.idle_minutes", "value": 45, "version": 0}])).await.refused("1003");
}

// S-H4's second factor: a role that is not there would bind nobody.
on_both!(only_roles_of_the_platform_can_need_a_second_factor);
async fn only_roles_of_the_platform_can_need_a_second_factor(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let key = "security.second_factor_roles";
    let roles = row(&admin, key).await;
    assert_eq!((&roles["kind"], &roles["value"]), (&json!("roles"), &json!([])));
    let codes: Vec<&str> = roles["choices"].as_array().unwrap().iter().map(|choice| choice["value"].as_str().unwrap()).collect();
    assert!(codes.contains(&"admin") && codes.contains(&"operator") && !codes.contains(&"org_manager"), "{codes:?}");
    for wrong in ["财务", "org_manager", "Operator", "operator'--"] {
        let answer = set(&admin, key, json!(["operator", wrong])).await;
        assert!(answer.wrong(key).contains(wrong), "{wrong}");
    }
    assert_eq!(row(&admin, key).await["version"], 0);
    set(&admin, key, json!(["operator", "operator"])).await.ok();
    assert_eq!(row(&admin, key).await["value"], json!(["operator"]));
}
