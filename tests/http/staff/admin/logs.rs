//! `POST /audit/page` and `POST /loginLog/page`, and their files.

use serde_json::{Value, json};

use super::role::nodes;
use testing::world::PASSWORD;
use testing::{Actor, TestApp, on_both};

async fn list(who: &Actor, path: &str, query: Value) -> Vec<Value> {
    who.post(path, query).await.ok()["list"].as_array().unwrap().clone()
}

fn texts<'v>(rows: &'v [Value], field: &str) -> Vec<&'v str> {
    rows.iter().map(|row| row[field].as_str().unwrap_or("-")).collect()
}

on_both!(a_change_is_in_the_trail_with_before_and_after);
async fn a_change_is_in_the_trail_with_before_and_after(app: TestApp) {
    let (admin, north) = (app.sign_in("admin").await, app.sign_in("north.manager").await);
    let sales = app.account("north.sales2").await;
    north.put("/admin/status", json!({"id": sales, "version": 1, "status": "disabled"})).await.ok();
    let rows = list(&admin, "/audit/page", json!({"module": "admin", "targetId": sales.to_string()})).await;
    assert_eq!(rows.len(), 1, "{rows:?}");
    let entry = &rows[0];
    assert_eq!((&entry["username"], &entry["role"], &entry["action"]), (&json!("north.manager"), &json!("机构经理"), &json!("update")));
    assert_eq!(entry["diff"], json!([{"field": "status", "before": "enabled", "after": "disabled"}]));
    let request = entry["requestId"].as_str().unwrap();
    assert_eq!(list(&admin, "/audit/page", json!({"requestId": request})).await, rows);
    for nothing in [
        json!({"requestId": "x"}),
        json!({"action": "reveal"}),
        json!({"keyword": "south"}),
        json!({"atTo": "2025-01-01"}),
        json!({"module": "upload"}),
    ] {
        assert!(list(&admin, "/audit/page", nothing.clone()).await.is_empty(), "{nothing}");
    }
    for nonsense in [
        json!({"action": "steal"}),
        json!({"module": "' OR 1=1"}),
        json!({"targetId": "1 OR 1=1"}),
        json!({"atFrom": "yesterday"}),
        json!({"sort": "diff"}),
    ] {
        admin.post("/audit/page", nonsense).await.refused("4000");
    }
}

on_both!(the_trail_names_what_was_changed);
async fn the_trail_names_what_was_changed(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let sales = app.account("north.sales2").await;
    admin.put("/admin/status", json!({"id": sales, "version": 1, "status": "disabled"})).await.ok();
    admin.put("/setting", json!({"changes": [{"key": "session.idle_minutes", "value": 45, "version": 0}]})).await.ok();
    let rows = list(&admin, "/audit/page", json!({})).await;
    assert_eq!(texts(&rows, "targetName"), ["-", "north north.sales2"]);
    assert_eq!(rows[0]["diff"], json!([{"field": "闲置退出", "before": "30", "after": "45"}]));
    let english = list(&admin.in_english(), "/audit/page", json!({"module": "setting"})).await;
    assert_eq!(english[0]["diff"][0]["field"], "Log out idle sessions after");

    let (guest, points) = (app.role("guest").await, nodes(&app, &["admin/list/list"]).await);
    admin.put("/role/menu", json!({"id": guest, "version": 1, "menuIds": points})).await.ok();
    let granted = list(&admin, "/audit/page", json!({"module": "role"})).await;
    assert_ne!(granted[0]["targetName"], Value::Null);
    let told = granted[0]["diff"].to_string();
    assert!(told.contains("管理员列表 / 查询") && !told.contains("admin/list"), "{told}");
}

on_both!(the_trail_of_an_organisation_is_what_its_people_did);
async fn the_trail_of_an_organisation_is_what_its_people_did(app: TestApp) {
    let (operator, north) = (app.sign_in("operator").await, app.sign_in("north.manager").await);
    north.export("/admin/page/export", json!({"format": "csv"})).await;
    operator.export("/channel/page/export", json!({"format": "csv"})).await;
    // Each export has an entry as it begins and another as it ends.
    let all = list(&app.sign_in("admin").await, "/audit/page", json!({"action": "export"})).await;
    assert_eq!(texts(&all, "module"), ["channel", "channel", "admin", "admin"]);
    assert_eq!(texts(&list(&north, "/audit/page", json!({"action": "export"})).await, "username"), ["north.manager"; 2]);
    assert!(list(&app.sign_in("south.manager").await, "/audit/page", json!({})).await.is_empty());
    app.sign_in("nobody").await.post("/audit/page", json!({})).await.refused("1003");
}

on_both!(every_attempt_to_sign_in_is_in_the_log);
async fn every_attempt_to_sign_in_is_in_the_log(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (name, password) in [("north.sales1", "wrong password"), ("nobody-at-all", "wrong password"), ("admin", PASSWORD)] {
        app.stranger().post("/admin/login", json!({"username": name, "password": password})).await;
    }
    let rows = list(&admin, "/loginLog/page", json!({"result": "wrong"})).await;
    // What nobody is called may be a password that was typed into the wrong field.
    assert_eq!(texts(&rows, "username")[1], "north.sales1");
    assert!(texts(&rows, "username")[0].starts_with("未知用户名 "), "{rows:?}");
    assert_eq!(rows[0]["adminName"], Value::Null);
    assert!(!format!("{rows:?}").contains("wrong password"));
    assert_eq!(texts(&list(&admin, "/loginLog/page", json!({"keyword": "adm"})).await, "result"), ["ok"]);
    // Names that nobody has are not an organisation's affair.
    let north = app.sign_in("north.manager").await;
    assert_eq!(texts(&list(&north, "/loginLog/page", json!({})).await, "username"), ["north.sales1"]);
    assert_eq!(list(&admin, "/loginLog/page", json!({"ip": "999."})).await.len(), 0);
    admin.post("/loginLog/page", json!({"result": "maybe"})).await.refused("4000");
}

on_both!(both_logs_are_files_too);
async fn both_logs_are_files_too(app: TestApp) {
    let admin = app.sign_in("admin").await.in_english();
    let sales = app.account("north.sales2").await;
    admin.put("/admin/status", json!({"id": sales, "version": 1, "status": "disabled"})).await.ok();
    let trail = admin.export("/audit/page/export", json!({"format": "csv"})).await;
    let text = String::from_utf8_lossy(&trail.body);
    assert!(text.contains("Edit") && text.contains("status: enabled → disabled"), "{text}");
    app.stranger().post("/admin/login", json!({"username": "admin", "password": PASSWORD})).await.ok();
    let logins = admin.export("/loginLog/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&logins.body).contains("Logged in"));
    app.sign_in("auditor").await.export("/audit/page/export", json!({"format": "csv"})).await.refused("1003");
}
