//! Whose the blacklist is: the platform's, and of its people those who hold the points.

use serde_json::json;

use super::{entries, form, make};
use crate::support::{TestApp, on_both};

on_both!(people_of_organisations_see_nothing_of_it);
async fn people_of_organisations_see_nothing_of_it(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let org = app.organisation("north").await;
    let row = make(&operator, json!({"scope": "organisation", "scopeId": org})).await;
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('org_manager', 'org_sales', 'channel_manager') AND m.path LIKE 'user/black-list%' ON CONFLICT DO NOTHING").await;
    app.execute("UPDATE role SET version = version + 1").await;
    for name in ["north.manager", "north.sales1", "south.manager"] {
        let them = app.sign_in(name).await;
        assert_eq!(them.post("/blacklist/page", json!({})).await.ok()["total"], 0, "{name}");
        let file = them.export("/blacklist/page/export", json!({"format": "csv"})).await;
        assert_eq!(String::from_utf8_lossy(&file.body).lines().count(), 1, "{name}");
        for path in ["", "history/", "reveal/"] {
            them.get(&format!("/blacklist/{path}{}", row["id"])).await.refused("1004");
        }
        them.post("/blacklist", form(json!({"value": "13812340002"}))).await.refused("1003");
        them.put("/blacklist", form(json!({"id": row["id"], "version": 1, "value": null}))).await.refused("1004");
        them.put("/blacklist/status", json!({"id": row["id"], "version": 1, "status": "lifted", "reason": "x"})).await.refused("1004");
        them.delete(&format!("/blacklist/{}", row["id"])).await.refused("1004");
        them.upload("/blacklist/import", &[], "a.csv", "类型,名单值,原因\n手机号,13812340003,x\n".as_bytes()).await.refused("1003");
    }
    assert_eq!(entries(&app).await, 1);
    // A channel manager is the platform's.
    let manager = app.sign_in("channel.manager").await;
    assert_eq!(manager.post("/blacklist/page", json!({})).await.ok()["total"], 1);
    make(&manager, json!({"value": "13812340002"})).await;
}

on_both!(each_call_has_its_point);
async fn each_call_has_its_point(app: TestApp) {
    let row = make(&app.sign_in("operator").await, json!({})).await;
    let auditor = app.sign_in("auditor").await;
    assert_eq!(auditor.post("/blacklist/page", json!({})).await.ok()["total"], 1);
    assert_eq!(auditor.get(&format!("/blacklist/{}", row["id"])).await.ok(), row);
    auditor.get(&format!("/blacklist/reveal/{}", row["id"])).await.refused("1003");
    auditor.post("/blacklist/page/export", json!({"format": "csv"})).await.refused("1003");
    auditor.post("/blacklist", form(json!({}))).await.refused("1003");
    auditor.put("/blacklist/status", json!({"id": row["id"], "version": 1, "status": "lifted", "reason": "x"})).await.refused("1003");
    auditor.delete(&format!("/blacklist/{}", row["id"])).await.refused("1003");
    auditor.upload("/blacklist/import", &[], "a.csv", b"x").await.refused("1003");
    auditor.get("/blacklist/template").await.refused("1003");
    app.stranger().post("/blacklist/page", json!({})).await.refused("2000");
}
