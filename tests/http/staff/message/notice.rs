//! `/notice`: announcements, from those who write them to those who read them.

use base::clock::{DAY, MINUTE};
use serde_json::{Value, json};

use super::{counts, titles};
use testing::{TestApp, on_both};

fn form() -> Value {
    json!({"title": "系统维护", "titleEn": "", "content": "今晚 22 点维护。", "contentEn": "Maintenance at 22:00.", "scope": "all", "scopeId": null})
}

fn with(changes: Value) -> Value {
    let mut body = form();
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

on_both!(an_announcement_reaches_everybody_until_it_is_withdrawn);
async fn an_announcement_reaches_everybody_until_it_is_withdrawn(app: TestApp) {
    let (operator, reader) = (app.sign_in("operator").await, app.sign_in("south.sales1").await);
    let made = operator.post("/notice", form()).await.ok();
    assert_eq!((&made["status"], &made["audience"], &made["senderName"]), (&json!("published"), &json!(null), &json!("platform operator")));
    let list = reader.in_english().post("/message/page", json!({"type": "notice"})).await.ok();
    assert_eq!((&list["list"][0]["title"], &list["list"][0]["content"]), (&json!("系统维护"), &json!("Maintenance at 22:00.")));
    assert_eq!(reader.get("/message/unread").await.ok(), counts(0, 1, 0));

    let id = made["id"].as_i64().unwrap();
    let edited = operator.put("/notice", with(json!({"id": id, "version": 1, "title": "维护推迟"}))).await.ok();
    assert_eq!((&edited["title"], &edited["publishAt"]), (&json!("维护推迟"), &made["publishAt"]));
    assert_eq!(operator.put("/notice", with(json!({"id": id, "version": 1}))).await.refused("1005")["current"]["version"], 2);
    assert_eq!(titles(&reader, json!({})).await, ["维护推迟"]);
    operator.delete(&format!("/notice/{id}")).await.refused("1006");
    operator.put("/notice/withdraw", json!({"id": id, "version": 2})).await.ok();
    assert_eq!(titles(&reader, json!({})).await, [""; 0]);
    operator.put("/notice/withdraw", json!({"id": id, "version": 3})).await.refused("1006");
    operator.put("/notice", with(json!({"id": id, "version": 3}))).await.refused("1006");

    let history = operator.get(&format!("/notice/history/{id}")).await.ok();
    let told: Vec<(&str, Value)> =
        history.as_array().unwrap().iter().map(|entry| (entry["action"].as_str().unwrap(), entry["diff"].clone())).collect();
    assert_eq!(told[0], ("update", json!([{"field": "status", "before": "published", "after": "withdrawn"}])));
    assert_eq!(told[1], ("update", json!([{"field": "title", "before": "系统维护", "after": "维护推迟"}])));
    assert_eq!((told[2].0, told.len()), ("create", 3));
}

on_both!(roles_and_organisations_are_spoken_to_alone);
async fn roles_and_organisations_are_spoken_to_alone(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (north, sales) = (app.organisation("north").await, app.role("org_sales").await);
    let roles = operator.get("/notice/audience?scope=role").await.ok();
    assert!(roles.as_array().unwrap().contains(&json!({"value": sales, "label": "机构销售"})), "{roles}");
    let orgs = operator.get("/notice/audience?scope=organisation").await.ok();
    assert!(orgs.as_array().unwrap().contains(&json!({"value": north, "label": "北辰"})), "{orgs}");
    operator.post("/notice", with(json!({"title": "给北辰", "scope": "organisation", "scopeId": north}))).await.ok();
    let to_role = operator.post("/notice", with(json!({"title": "给销售", "scope": "role", "scopeId": sales}))).await.ok();
    assert_eq!(to_role["audience"], "机构销售");
    assert_eq!(titles(&app.sign_in("north.manager").await, json!({})).await, ["给北辰"]);
    assert_eq!(titles(&app.sign_in("south.sales1").await, json!({})).await, ["给销售"]);
    assert_eq!(titles(&app.sign_in("auditor").await, json!({})).await, [""; 0]);
    for (scope, found) in [("role", 1), ("organisation", 1), ("all", 0)] {
        assert_eq!(operator.post("/notice/page", json!({"scope": scope})).await.ok()["total"], found, "{scope}");
    }
}

// An organisation's people speak to their own, whatever they ask for.
on_both!(an_organisation_speaks_to_its_own_people);
async fn an_organisation_speaks_to_its_own_people(app: TestApp) {
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'org_manager' AND m.name LIKE 'admin/notice/%' ON CONFLICT DO NOTHING").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let manager = app.sign_in("north.manager").await;
    let (north, south, sales) = (app.organisation("north").await, app.organisation("south").await, app.role("org_sales").await);
    manager.post("/notice", form()).await.wrong("scope");
    manager.post("/notice", with(json!({"scope": "organisation", "scopeId": south}))).await.wrong("scopeId");
    manager.post("/notice", with(json!({"scope": "role", "scopeId": app.role("auditor").await}))).await.wrong("scopeId");
    manager.post("/notice", with(json!({"title": "本机构", "scope": "organisation", "scopeId": north}))).await.ok();
    manager.post("/notice", with(json!({"title": "本机构销售", "scope": "role", "scopeId": sales}))).await.ok();
    assert_eq!(titles(&app.sign_in("north.sales1").await, json!({})).await, ["本机构销售", "本机构"]);
    assert_eq!(titles(&app.sign_in("south.sales1").await, json!({})).await, [""; 0]);
    let labels: Vec<Value> =
        manager.get("/notice/audience?scope=role").await.ok().as_array().unwrap().iter().map(|choice| choice["label"].clone()).collect();
    assert_eq!(labels, ["机构经理", "团队主管", "机构销售"], "roles that its people have");
    app.sign_in("operator").await.post("/notice", form()).await.ok();
    assert_eq!(manager.post("/notice/page", json!({})).await.ok()["total"], 2);
    assert_eq!(app.sign_in("operator").await.post("/notice/page", json!({})).await.ok()["total"], 3);
}

on_both!(times_of_an_announcement);
async fn times_of_an_announcement(app: TestApp) {
    let (operator, now) = (app.sign_in("operator").await, app.now());
    let planned =
        operator.post("/notice", with(json!({"title": "计划", "publishAt": now + 20 * MINUTE, "expiresAt": now + 40 * MINUTE}))).await.ok();
    assert_eq!(planned["status"], "scheduled");
    let reader = app.sign_in("north.sales1").await;
    assert_eq!(titles(&reader, json!({})).await, [""; 0]);
    for (after, status, shown) in [(21 * MINUTE, "published", 1), (20 * MINUTE, "expired", 0)] {
        app.advance(after);
        let found = operator.post("/notice/page", json!({"status": status})).await.ok();
        assert_eq!((found["total"].as_i64(), found["list"][0]["status"].as_str()), (Some(1), Some(status)));
        assert_eq!(titles(&reader, json!({})).await.len(), shown, "{status}");
    }
    let now = app.now();
    operator.post("/notice", with(json!({"publishAt": now + DAY, "expiresAt": now + DAY}))).await.wrong("expiresAt");
    operator.post("/notice", with(json!({"publishAt": now + 4000 * DAY}))).await.wrong("publishAt");
    // What nobody has seen may go.
    let unseen = operator.post("/notice", with(json!({"publishAt": now + DAY}))).await.ok();
    operator.delete(&format!("/notice/{}", unseen["id"])).await.ok();
    operator.get(&format!("/notice/{}", unseen["id"])).await.refused("1004");
    operator.delete(&format!("/notice/{}", unseen["id"])).await.refused("1004");
}

on_both!(a_bad_announcement_is_refused_whole);
async fn a_bad_announcement_is_refused_whole(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (change, field) in [
        (json!({"title": "  "}), "title"),
        (json!({"title": "长".repeat(61)}), "title"),
        (json!({"titleEn": "x".repeat(121)}), "titleEn"),
        (json!({"content": ""}), "content"),
        (json!({"content": "长".repeat(2001)}), "content"),
        (json!({"scope": "role"}), "scopeId"),
        (json!({"scope": "role", "scopeId": 999_999}), "scopeId"),
        (json!({"scope": "organisation", "scopeId": 0}), "scopeId"),
        (json!({"publishAt": -1}), "publishAt"),
    ] {
        operator.post("/notice", with(change)).await.wrong(field);
    }
    for change in [json!({"scope": "planet"}), json!({"publishAt": "tomorrow"}), json!({"version": 1}), json!({"title": 7})] {
        operator.post("/notice", with(change)).await.refused("4000");
    }
    for query in [json!({"status": "lost"}), json!({"scope": 1}), json!({"sort": "content_zh"}), json!({"publishFrom": "x"})] {
        operator.post("/notice/page", query).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM message").await, 0);
    // A message of another kind is no announcement.
    app.execute("INSERT INTO message (type, title_zh, content_zh, biz_type, scope, scope_id, publish_at, created_at, updated_at) VALUES ('message', 'x', 'x', 'account', 'all', 0, 0, 0, 0)").await;
    let id = app.count("SELECT id FROM message").await;
    operator.get(&format!("/notice/{id}")).await.refused("1004");
    operator.put("/notice/withdraw", json!({"id": id, "version": 1})).await.refused("1004");
    operator.put("/notice", with(json!({"id": id, "version": 1}))).await.refused("1004");
    app.sign_in("auditor").await.post("/notice", form()).await.refused("1003");
}
