//! Whose the blacklist is: the platform's, and of its people those who hold the points.

use serde_json::{Value, json};

use super::{edit, entries};
use testing::blacklist::{channel, form, make};
use testing::feedback::grant;
use testing::{Actor, TestApp, on_both};

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
}

/// X13: managers who see only their own channels read and deleted entries of others'.
mod who_sees_only_their_own {
    use super::*;

    on_both!(works_on_what_holds_for_them);
    async fn works_on_what_holds_for_them(app: TestApp) {
        grant(&app, "channel_manager", "user/black-list").await;
        let (own, other) = (channel(&app, "own-chan-1").await, channel(&app, "other-chan").await);
        for (code, manager) in [("own-chan-1", "channel.manager"), ("other-chan", "channel.second")] {
            let sql = format!(
                "UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = '{manager}') WHERE code = '{code}'"
            );
            app.execute(Box::leak(sql.into_boxed_str())).await;
        }
        let (operator, manager) = (app.sign_in("operator").await, app.sign_in("channel.manager").await);
        let entry =
            async |value: &str, scope: &str, id: Value| make(&operator, json!({"value": value, "scope": scope, "scopeId": id})).await;
        let everywhere = entry("13812340001", "global", json!(null)).await;
        let foreign = entry("13812340002", "channel", json!(other)).await;
        let of_org = entry("13812340003", "organisation", json!(app.organisation("north").await)).await;
        let own_entry = entry("13812340004", "channel", json!(own)).await;

        let seen = async |who: &Actor| {
            let page = who.post("/blacklist/page", json!({"sort": "createdAt", "order": "asc"})).await.ok();
            page["list"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect::<Vec<_>>()
        };
        let id = |row: &Value| row["id"].as_i64().unwrap();
        let mut found = seen(&manager).await;
        found.sort_unstable();
        assert_eq!(found, [id(&everywhere), id(&own_entry)]);
        let file = manager.export("/blacklist/page/export", json!({"format": "csv"})).await;
        assert_eq!(String::from_utf8_lossy(&file.body).lines().count(), 3);
        // The trial of the finding, and of what lies beside it.
        for row in [&foreign, &of_org] {
            for path in ["", "history/", "reveal/"] {
                manager.get(&format!("/blacklist/{path}{}", row["id"])).await.refused("1004");
            }
            manager.put("/blacklist", edit(row, json!({"reason": "x"}))).await.refused("1004");
            manager
                .put("/blacklist/status", json!({"id": row["id"], "version": 1, "status": "lifted", "reason": "x"}))
                .await
                .refused("1004");
            manager.delete(&format!("/blacklist/{}", row["id"])).await.refused("1004");
        }
        // An entry that holds everywhere: the manager reads it masked, and cannot change it.
        assert_eq!(manager.get(&format!("/blacklist/{}", everywhere["id"])).await.ok()["valueMask"], "138****0001");
        manager.get(&format!("/blacklist/reveal/{}", everywhere["id"])).await.refused("1003");
        manager.put("/blacklist", edit(&everywhere, json!({"reason": "x"}))).await.refused("1003");
        manager
            .put("/blacklist/status", json!({"id": everywhere["id"], "version": 1, "status": "lifted", "reason": "x"}))
            .await
            .refused("1003");
        manager.delete(&format!("/blacklist/{}", everywhere["id"])).await.refused("1003");
        // Entries of their own channel: the manager works on them, and can in no way make one that would hold for others.
        manager.get(&format!("/blacklist/reveal/{}", own_entry["id"])).await.ok();
        let changed = manager.put("/blacklist", edit(&own_entry, json!({"scope": "channel", "scopeId": own, "reason": "x"}))).await.ok();
        manager.put("/blacklist", edit(&changed, json!({"scope": "global", "scopeId": null}))).await.wrong("scope");
        manager.put("/blacklist", edit(&changed, json!({"scope": "channel", "scopeId": other}))).await.wrong("scopeId");
        manager.post("/blacklist", form(json!({"value": "13812340005"}))).await.wrong("scope");
        manager.post("/blacklist", form(json!({"value": "13812340005", "scope": "channel", "scopeId": other}))).await.wrong("scopeId");
        let north = app.organisation("north").await;
        manager.post("/blacklist", form(json!({"value": "13812340005", "scope": "organisation", "scopeId": north}))).await.wrong("scopeId");
        let made = make(&manager, json!({"value": "13812340005", "scope": "channel", "scopeId": own})).await;
        let table = "类型,名单值,原因,范围,渠道或机构编码\n手机号,13812340006,x,渠道,own-chan-1\n手机号,13812340007,x,渠道,other-chan\n手机号,13812340008,x,,\n";
        let report = manager.upload("/blacklist/import", &[], "a.csv", table.as_bytes()).await.ok();
        assert_eq!((&report["good"], &report["wrong"]), (&json!(1), &json!(2)), "{report}");
        manager.delete(&format!("/blacklist/{}", made["id"])).await.ok();
        // A channel that the manager no longer owns takes its entries with it, except those that the manager made.
        app.execute("UPDATE channel SET owner_admin_id = NULL").await;
        assert_eq!(seen(&manager).await.len(), 2, "what holds everywhere, and the line of the manager's table");
    }
}

on_both!(each_call_has_its_point);
async fn each_call_has_its_point(app: TestApp) {
    let row = make(&app.sign_in("operator").await, json!({})).await;
    let auditor = app.sign_in("auditor").await;
    assert_eq!(auditor.post("/blacklist/page", json!({})).await.ok()["total"], 1);
    assert_eq!(auditor.get(&format!("/blacklist/{}", row["id"])).await.ok()["valueMask"], row["valueMask"]);
    auditor.get(&format!("/blacklist/reveal/{}", row["id"])).await.refused("1003");
    auditor.post("/blacklist/page/export", json!({"format": "csv"})).await.refused("1003");
    auditor.post("/blacklist", form(json!({}))).await.refused("1003");
    auditor.put("/blacklist/status", json!({"id": row["id"], "version": 1, "status": "lifted", "reason": "x"})).await.refused("1003");
    auditor.delete(&format!("/blacklist/{}", row["id"])).await.refused("1003");
    auditor.upload("/blacklist/import", &[], "a.csv", b"x").await.refused("1003");
    auditor.get("/blacklist/template").await.refused("1003");
    app.stranger().post("/blacklist/page", json!({})).await.refused("2000");
}
