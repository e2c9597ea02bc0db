//! The user centre's calls: one's own data, portrait and sign-ins, and the specification's mock calls.

use serde_json::{Value, json};

use testing::upload::png;
use testing::world::PASSWORD;
use testing::{TestApp, on_both};

const PATH: &str = "/account/profile";

fn form(profile: &Value, changes: Value) -> Value {
    let mut form = json!({
        "version": profile["version"], "avatarFileId": profile["avatarFileId"], "email": profile["email"], "job": profile["job"],
        "location": profile["location"], "personalWebsite": profile["personalWebsite"], "introduction": profile["introduction"],
    });
    for (name, value) in changes.as_object().unwrap() {
        form[name] = value.clone();
    }
    form
}

// S3.09 S7.33
on_both!(user_info_has_the_fields_of_the_mock);
async fn user_info_has_the_fields_of_the_mock(app: TestApp) {
    app.execute("UPDATE administrator SET phone_mask = '138****0001' WHERE username = 'north.sales1'").await;
    let sales = app.sign_in("north.sales1").await;
    let info = sales.get("/user/info").await.ok();
    let mut fields: Vec<&String> = info.as_object().unwrap().keys().collect();
    fields.sort();
    assert_eq!(
        fields,
        [
            "accountId",
            "avatar",
            "certification",
            "email",
            "introduction",
            "job",
            "location",
            "name",
            "organization",
            "personalWebsite",
            "phone",
            "registrationDate",
            "role"
        ]
    );
    assert_eq!(sales.post("/user/info", json!({})).await.ok(), info);
    assert_eq!((&info["role"], &info["certification"], &info["phone"]), (&json!("org_sales"), &json!(1), &json!("138****0001")));
    assert_eq!(info["name"], "north north.sales1");
    assert_eq!(info["accountId"], app.account("north.sales1").await.to_string());
    assert_eq!(info["registrationDate"].as_str().unwrap().len(), 19);
    assert!(info["organization"].as_str().unwrap().contains(" · "), "organisation and team: {info}");
    assert_eq!(app.sign_in("operator").await.in_english().get("/user/info").await.ok()["organization"], "Platform");
    app.stranger().get("/user/info").await.refused("2000");
}

// S7.33
on_both!(user_menu_has_the_form_of_the_mock);
async fn user_menu_has_the_form_of_the_mock(app: TestApp) {
    let auditor = app.sign_in("auditor").await;
    let menu = auditor.get("/user/menu").await.ok();
    assert_eq!(auditor.post("/user/menu", json!({})).await.ok(), menu);
    let channel = menu.as_array().unwrap().iter().find(|node| node["name"] == "channel").expect("a group");
    assert_eq!(
        (&channel["path"], &channel["meta"]["locale"], &channel["meta"]["requiresAuth"]),
        (&json!("/channel"), &json!("渠道管理"), &json!(true))
    );
    let list = &channel["children"][0];
    assert_eq!((&list["path"], &list["name"], list.get("children")), (&json!("list"), &json!("channelList"), None));
    assert!(!menu.to_string().contains("channel/list/list"), "points are no pages");
    assert!(!app.sign_in("nobody").await.get("/user/menu").await.ok().to_string().contains("channelList"));
}

// S7.33
on_both!(user_login_and_logout_are_the_same_as_admins);
async fn user_login_and_logout_are_the_same_as_admins(app: TestApp) {
    app.stranger().post("/user/login", json!({"username": "operator", "password": "wrong"})).await.refused("1002");
    let data = app.stranger().post("/user/login", json!({"username": "operator", "password": PASSWORD})).await.ok();
    let operator = app.with_token(data["token"].as_str().unwrap());
    operator.get("/user/info").await.ok();
    operator.post("/user/logout", json!({})).await.ok();
    operator.get("/user/info").await.refused("2000");
}

on_both!(one_changes_ones_own_data_and_no_more);
async fn one_changes_ones_own_data_and_no_more(app: TestApp) {
    let (operator, id) = (app.sign_in("operator").await, app.account("operator").await);
    let before = operator.get(PATH).await.ok();
    let changes = json!({"email": " me@example.com ", "job": "渠道运营", "location": "上海", "personalWebsite": "https://example.com/me", "introduction": "你好"});
    let after = operator.put(PATH, form(&before, changes)).await.ok();
    assert_eq!((&after["email"], &after["job"], &after["location"]), (&json!("me@example.com"), &json!("渠道运营"), &json!("上海")));
    assert_eq!(operator.get(PATH).await.ok(), after);
    // S3.09: the user info has it as well.
    let info = operator.get("/user/info").await.ok();
    let own = ["email", "job", "location", "personalWebsite", "introduction"].map(|field| info[field].as_str().unwrap());
    assert_eq!(own, ["me@example.com", "渠道运营", "上海", "https://example.com/me", "你好"]);
    let trail = app.trail("administrator", id).await;
    let mut told: Vec<&str> = trail[0].diff.iter().map(|change| change.field.as_str()).collect();
    told.sort_unstable();
    assert_eq!(told, ["email", "introduction", "job", "location", "personalWebsite"]);

    // Somebody was faster: nothing is overwritten.
    let stale = operator.put(PATH, form(&before, json!({"job": "x"}))).await.refused("1005");
    assert_eq!(stale["current"]["job"], "渠道运营");
    for (field, value) in
        [("name", json!("Boss")), ("phone", json!("13800000009")), ("role", json!("admin")), ("avatar", json!("https://evil.example/x"))]
    {
        operator.put(PATH, form(&after, json!({ field: value }))).await.refused("4000");
    }
    for (field, value) in [
        ("email", "nobody"),
        ("personalWebsite", "javascript:alert(1)"),
        ("job", &"x".repeat(65)),
        ("location", &"x".repeat(65)),
        ("introduction", &"x".repeat(501)),
    ] {
        operator.put(PATH, form(&after, json!({ field: value }))).await.wrong(field);
    }
    assert_eq!(operator.get(PATH).await.ok(), after);
    let empty = operator.put(PATH, form(&after, json!({"email": "", "job": null, "introduction": "  "}))).await.ok();
    assert_eq!((&empty["email"], &empty["job"], &empty["introduction"]), (&Value::Null, &Value::Null, &Value::Null));
    app.stranger().put(PATH, form(&after, json!({}))).await.refused("2000");
}

on_both!(a_portrait_is_ones_own_upload);
async fn a_portrait_is_ones_own_upload(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let profile = operator.get(PATH).await.ok();
    let file = async |fields: &[(&str, &str)]| operator.upload("/common/upload", fields, "me.png", &png()).await.ok()["id"].clone();
    let (face, other) = (file(&[("bizType", "avatar")]).await, file(&[]).await);
    let theirs = admin.upload("/common/upload", &[("bizType", "avatar")], "me.png", &png()).await.ok()["id"].clone();
    for bad in [&other, &theirs, &json!(999_999)] {
        operator.put(PATH, form(&profile, json!({"avatarFileId": bad}))).await.wrong("avatarFileId");
    }
    let with = operator.put(PATH, form(&profile, json!({"avatarFileId": face}))).await.ok();
    assert_eq!((with["avatar"].clone(), with["avatarFileId"].clone()), (json!(format!("/files/{face}")), face.clone()));
    assert_eq!(operator.get("/admin/me").await.ok()["avatar"], with["avatar"], "the shell shows it");
    assert_eq!(operator.get("/user/info").await.ok()["avatar"], with["avatar"]); // S3.09
    assert_eq!(admin.get(&format!("/common/file/{face}")).await.status, 200, "to who sees the account");
    // It stays when other things change, and goes when it is taken away.
    let kept = operator.put(PATH, form(&with, json!({"job": "x"}))).await.ok();
    assert_eq!(kept["avatarFileId"], face);
    let without = operator.put(PATH, form(&kept, json!({"avatarFileId": null}))).await.ok();
    assert_eq!((&without["avatar"], &without["avatarFileId"]), (&Value::Null, &Value::Null));
    admin.get(&format!("/common/file/{face}")).await.refused("1004");
}

/// S-L2: any account of any organisation could fetch any portrait by its number.
mod a_portrait {
    use super::*;

    on_both!(is_for_who_sees_the_account);
    async fn is_for_who_sees_the_account(app: TestApp) {
        let sales = app.sign_in("north.sales1").await;
        let profile = sales.get(PATH).await.ok();
        let face = sales.upload("/common/upload", &[("bizType", "avatar")], "me.png", &png()).await.ok()["id"].clone();
        sales.put(PATH, form(&profile, json!({"avatarFileId": face}))).await.ok();
        for (who, status) in [
            ("north.sales1", 200),
            ("north.lead", 200),
            ("north.manager", 200),
            ("operator", 200),
            ("auditor", 200),
            ("north.sales2", 0),
            ("south.manager", 0),
            ("south.sales1", 0),
            ("nobody", 0),
            ("channel.manager", 0),
        ] {
            let answer = app.sign_in(who).await.get(&format!("/common/file/{face}")).await;
            match status {
                0 => _ = answer.refused("1004"),
                _ => assert_eq!(answer.status, 200, "{who}"),
            }
        }
    }
}

on_both!(ones_sign_ins_are_ones_own);
async fn ones_sign_ins_are_ones_own(app: TestApp) {
    app.execute(
        "INSERT INTO login_log (admin_id, username, ip, user_agent, result, at) \
         SELECT id, username, '203.0.113.' || id, 'test', 'ok', 1772294400000 FROM administrator",
    )
    .await;
    for who in ["admin", "north.sales1", "nobody"] {
        let page = app.sign_in(who).await.post("/account/loginLog/page", json!({"keyword": ""})).await.ok();
        assert_eq!((&page["total"], &page["list"][0]["username"]), (&json!(1), &json!(who)));
        assert_eq!(app.sign_in(who).await.post("/account/loginLog/page", json!({"result": "wrong"})).await.ok()["total"], 0);
    }
    app.stranger().post("/account/loginLog/page", json!({})).await.refused("2000");
}

on_both!(ones_sign_ins_name_browser_and_system);
async fn ones_sign_ins_name_browser_and_system(app: TestApp) {
    let agent = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36 MicroMessenger/8.0";
    let login = json!({"username": "north.sales1", "password": PASSWORD});
    app.stranger().with("user-agent", agent).post("/admin/login", login).await.ok();
    let sales = app.sign_in("north.sales1").await;
    let named = |row: &Value| (row["browser"].clone(), row["os"].clone());
    let page = sales.post("/account/loginLog/page", json!({})).await.ok();
    assert_eq!(named(&page["list"][0]), (json!("微信 8"), json!("Android 14")));
    let today = sales.in_english().get("/workplace").await.ok();
    assert_eq!(named(&today["signIns"][0]), (json!("WeChat 8"), json!("Android 14")));
}
