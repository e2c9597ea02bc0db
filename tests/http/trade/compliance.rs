//! `/compliance`: checks, rules, and what a failed check stands in the way of.

use base::clock::DAY;
use serde_json::{Value, json};

use testing::{Actor, TestApp, on_both};

async fn channel(who: &Actor, code: &str, landing: Option<&str>) -> Value {
    let body = json!({
        "code": code, "name": format!("渠道 {code}"), "type": "h5", "settleMode": "uv", "unitPriceCents": 100, "shareBp": 0,
        "landingUrl": landing, "ipAllow": [], "callbackUrl": null, "dedupDays": null, "ownerAdminId": null, "remark": ""
    });
    let id = who.post("/channel", body).await.ok()["id"].clone();
    who.get(&format!("/channel/{id}")).await.ok()
}

async fn set_status(who: &Actor, id: &Value, status: &str) -> testing::Answer {
    let version = who.get(&format!("/channel/{id}")).await.ok()["version"].clone();
    who.put("/channel/status", json!({"id": id, "version": version, "status": status})).await
}

async fn check(who: &Actor, request: Value) -> Value {
    who.post("/compliance/check", request).await.ok()
}

/// The result of one rule within a check.
fn item<'c>(check: &'c Value, code: &str) -> &'c str {
    let items = check["items"].as_array().unwrap();
    items.iter().find(|item| item["code"] == code).unwrap_or_else(|| panic!("no {code} in {check}"))["result"].as_str().unwrap()
}

fn rule(more: Value) -> Value {
    let mut body = json!({
        "code": "no_pressure", "kind": "forbidden_words", "titleZh": "不施压", "titleEn": "No pressure", "targetTypes": ["script"],
        "params": {"fields": [], "words": ["最后一天"], "days": 0}, "severity": "warn", "status": "enabled", "sort": 200
    });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body
}

// S1.10 S2.05
on_both!(a_channel_is_held_against_the_rules);
async fn a_channel_is_held_against_the_rules(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let good = channel(&admin, "good-one", Some("https://h5.example.com/a")).await;
    let found = check(&admin, json!({"targetType": "channel", "targetId": good["id"]})).await;
    assert_eq!((item(&found, "landing_https"), item(&found, "forbidden_words")), ("pass", "unchecked"));
    assert_eq!((&found["result"], item(&found, "channel_owner")), (&json!("warn"), "warn"), "nobody owns it");
    assert_eq!(found["targetName"], "渠道 good-one");
    let days = (found["validUntil"].as_i64().unwrap() - app.now()) / DAY;
    assert!((89..=90).contains(&days), "{days}");

    let texts = json!({"targetType": "channel", "targetId": good["id"], "text": "百分百下款，请联系 13800138000"});
    let found = check(&admin, texts).await;
    assert_eq!((&found["result"], item(&found, "forbidden_words"), item(&found, "masked_display")), (&json!("fail"), "fail", "fail"));
    assert!(!found.to_string().contains("13800138000"), "a check repeats no number");

    let bad = channel(&admin, "bad-one-1", Some("http://10.0.0.1/a")).await;
    assert_eq!(item(&check(&admin, json!({"targetType": "channel", "targetId": bad["id"]})).await, "landing_https"), "fail");

    let list = admin.post("/compliance/page", json!({"targetType": "channel", "targetId": good["id"].to_string()})).await.ok();
    assert_eq!(list["total"], 2, "its history");
    assert_eq!(admin.post("/compliance/page", json!({"result": "fail"})).await.ok()["total"], 2);
    let file = admin.export("/compliance/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&file.body).contains("落地页使用 https 公网地址"));
    let entry = &app.trail("compliance_check", found["id"].as_i64().unwrap()).await[0];
    assert_eq!(entry.diff[2].after.as_deref(), Some("fail"));
}

on_both!(an_organisations_licence_is_checked);
async fn an_organisations_licence_is_checked(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let north = app.organisation("north").await;
    let request = json!({"targetType": "organisation", "targetId": north});
    let found = check(&admin, request.clone()).await;
    assert_eq!((item(&found, "licence_number"), item(&found, "licence_valid")), ("fail", "fail"));
    app.execute("UPDATE organisation SET licence_no = 'L1', licence_expire_on = '2099-12-31' WHERE code = 'north'").await;
    assert_eq!(check(&admin, request.clone()).await["result"], "pass");
    app.execute("UPDATE organisation SET licence_expire_on = '2020-01-01' WHERE code = 'north'").await;
    assert_eq!(item(&check(&admin, request).await, "licence_valid"), "fail");
}

on_both!(texts_and_agreements_are_given);
async fn texts_and_agreements_are_given(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let script = |text: &str| json!({"targetType": "script", "name": "开场白", "text": text});
    assert_eq!(check(&admin, script("年化利率 7.2%-24%，以审核为准")).await["result"], "pass");
    assert_eq!(item(&check(&admin, script("年化利率 36%")).await, "annual_rate"), "fail");
    assert_eq!(item(&check(&admin, script("先交费再放款，年化利率 12%")).await, "upfront_fee"), "fail");
    // The limit is a setting.
    app.set("compliance.max_rate_bp", json!(1800)).await;
    assert_eq!(item(&check(&admin, script("年化利率 7.2%-24%")).await, "annual_rate"), "fail");

    let agreement = json!({
        "targetType": "consent", "name": "个人信息授权书", "text": "您授权以下机构处理您的信息", "version": "v2.1", "recipients": ["北辰金融有限公司"]
    });
    assert_eq!(check(&admin, agreement.clone()).await["result"], "pass");
    let mut vague = agreement.clone();
    vague["recipients"] = json!(["合作机构"]);
    vague["version"] = json!("");
    let found = check(&admin, vague).await;
    assert_eq!((item(&found, "named_recipients"), item(&found, "agreement_version")), ("fail", "fail"));
}

on_both!(a_failed_check_stands_before_enabling);
async fn a_failed_check_stands_before_enabling(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = channel(&admin, "some-one-1", Some("http://h5.example.com")).await;
    let id = &row["id"];
    set_status(&admin, id, "paused").await.ok();
    set_status(&admin, id, "enabled").await.ok();
    set_status(&admin, id, "disabled").await.ok();

    let found = check(&admin, json!({"targetType": "channel", "targetId": id})).await;
    assert_eq!(found["result"], "fail");
    let refused = set_status(&admin.in_english(), id, "enabled").await;
    refused.refused("1006");
    let number = found["no"].as_str().unwrap();
    assert_eq!(refused.desc(), format!("The latest compliance check ({number}) failed: Landing page on a public https address"));
    assert_eq!(admin.get(&format!("/channel/{id}")).await.ok()["status"], "disabled");

    // Put right and checked again, it goes on.
    let mut edit = admin.get(&format!("/channel/{id}")).await.ok();
    edit["landingUrl"] = json!("https://h5.example.com");
    for field in ["appKey", "oldSecretUntil", "usage", "payable", "mode", "status", "ownerName", "createdAt", "updatedAt"] {
        edit.as_object_mut().unwrap().remove(field);
    }
    admin.put("/channel", edit).await.ok();
    set_status(&admin, id, "enabled").await.refused("1006");
    check(&admin, json!({"targetType": "channel", "targetId": id})).await;
    set_status(&admin, id, "enabled").await.ok();
}

on_both!(a_check_may_be_required);
async fn a_check_may_be_required(app: TestApp) {
    let admin = app.sign_in("admin").await;
    app.set("compliance.required_for_channels", json!(true)).await;
    let row = channel(&admin, "some-one-1", Some("https://h5.example.com")).await;
    let id = &row["id"];
    assert_eq!(row["status"], "disabled", "nobody could have checked it yet");
    assert_eq!(set_status(&admin, id, "enabled").await.desc(), "请先通过合规检测");
    check(&admin, json!({"targetType": "channel", "targetId": id})).await;
    set_status(&admin, id, "enabled").await.ok();
    set_status(&admin, id, "paused").await.ok();
    app.set("session.max_hours", json!(720)).await;
    app.advance(91 * DAY);
    let admin = app.sign_in("admin").await;
    let refused = set_status(&admin, id, "enabled").await;
    refused.refused("1006");
    assert!(refused.desc().contains("已过有效期"), "{}", refused.desc());
    app.set("compliance.required_for_channels", json!(false)).await;
    set_status(&admin, id, "enabled").await.ok();
}

on_both!(rules_are_data);
async fn rules_are_data(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let made = admin.post("/compliance/rule", rule(json!({}))).await.ok();
    let script = json!({"targetType": "script", "name": "x", "text": "今天是最后一天，年化利率 12%"});
    let found = check(&admin, script.clone()).await;
    assert_eq!((item(&found, "no_pressure"), &found["result"]), ("warn", &json!("warn")));

    let edit = |version: i64, more: Value| {
        let mut body = rule(more);
        body.as_object_mut().unwrap().retain(|field, _| field != "code" && field != "kind");
        body["id"] = made["id"].clone();
        body["version"] = json!(version);
        body
    };
    admin.put("/compliance/rule", edit(1, json!({"severity": "fail"}))).await.ok();
    assert_eq!(item(&check(&admin, script.clone()).await, "no_pressure"), "fail");
    admin.put("/compliance/rule", edit(1, json!({}))).await.refused("1005");
    admin.put("/compliance/rule", edit(2, json!({"status": "disabled"}))).await.ok();
    assert!(!check(&admin, script).await.to_string().contains("no_pressure"));
    admin.delete(&format!("/compliance/rule/{}", made["id"])).await.ok();
    let builtin = app.count("SELECT MIN(id) FROM compliance_rule").await;
    admin.delete(&format!("/compliance/rule/{builtin}")).await.refused("1006");
    assert_eq!(admin.post("/compliance/rule/page", json!({"kind": "annual_rate"})).await.ok()["total"], 1);

    for (field, more) in [
        ("code", json!({"code": "No Pressure"})),
        ("titleZh", json!({"titleZh": ""})),
        ("targetTypes", json!({"targetTypes": []})),
        ("params.words", json!({"params": {"fields": [], "words": [" "], "days": 0}})),
        ("params.fields", json!({"params": {"fields": ["licenceNo"], "words": ["x"], "days": 0}})),
        ("params.fields", json!({"kind": "required", "params": {"fields": [], "words": [], "days": 0}})),
        ("params.days", json!({"params": {"fields": [], "words": ["x"], "days": -1}})),
    ] {
        admin.post("/compliance/rule", rule(more)).await.wrong(field);
    }
    for malformed in [json!({"kind": "telepathy"}), json!({"targetTypes": ["moon"]}), json!({"more": 1})] {
        admin.post("/compliance/rule", rule(malformed)).await.refused("4000");
    }
}

on_both!(what_cannot_be_checked_is_named);
async fn what_cannot_be_checked_is_named(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (field, request) in [
        ("targetType", json!({})),
        ("targetId", json!({"targetType": "channel"})),
        ("name", json!({"targetType": "script", "text": "x"})),
        ("text", json!({"targetType": "script", "name": "x"})),
        ("text", json!({"targetType": "script", "name": "x", "text": "长".repeat(20_001)})),
        ("recipients", json!({"targetType": "consent", "name": "x", "text": "x", "recipients": ["长".repeat(65)]})),
    ] {
        admin.post("/compliance/check", request).await.wrong(field);
    }
    admin.post("/compliance/check", json!({"targetType": "channel", "targetId": 999_999})).await.refused("1004");
    admin.post("/compliance/check", json!({"targetType": "moon"})).await.refused("4000");
    assert_eq!(app.count("SELECT COUNT(*) FROM compliance_check").await, 0);
}

on_both!(a_manager_checks_their_own_channels_and_organisations_nothing);
async fn a_manager_checks_their_own_channels_and_organisations_nothing(app: TestApp) {
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('org_manager', 'channel_manager') ON CONFLICT DO NOTHING").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let (admin, manager, second) = (app.sign_in("admin").await, app.sign_in("channel.manager").await, app.sign_in("channel.second").await);
    let own = channel(&manager, "my-own-1", Some("https://h5.example.com")).await;
    let request = json!({"targetType": "channel", "targetId": own["id"]});
    let found = check(&manager, request.clone()).await;
    assert_eq!(found["result"], "pass");
    second.post("/compliance/check", request.clone()).await.refused("1004");
    second.get(&format!("/compliance/{}", found["id"])).await.refused("1004");
    manager.get(&format!("/compliance/{}", found["id"])).await.ok();
    assert_eq!(second.post("/compliance/page", json!({})).await.ok()["total"], 0);
    assert_eq!(admin.post("/compliance/page", json!({})).await.ok()["total"], 1);
    manager.post("/compliance/rule", rule(json!({}))).await.refused("1004");
    let north = app.sign_in("north.manager").await;
    north.post("/compliance/check", json!({"targetType": "script", "name": "x", "text": "x"})).await.refused("1004");
    assert_eq!(north.post("/compliance/page", json!({})).await.ok()["total"], 0);
}
