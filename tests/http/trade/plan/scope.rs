//! Whose plans are whose.

use serde_json::{Value, json};

use testing::plan::{begin, form, make};
use testing::{TestApp, on_both};

on_both!(an_organisations_people_see_their_own_and_set_nothing);
async fn an_organisations_people_see_their_own_and_set_nothing(app: TestApp) {
    begin(&app);
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code IN ('org_manager', 'team_lead', 'org_sales', 'channel_manager') AND m.path LIKE 'plan/%'",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let admin = app.sign_in("admin").await;
    let south = app.organisation("south").await;
    let ours = make(&app, &admin, json!({"name": "team"})).await["id"].clone();
    let whole = make(&app, &admin, json!({"name": "whole", "subOrgId": null})).await["id"].clone();
    let theirs =
        make(&app, &admin, json!({"name": "zz-theirs", "orgId": south, "subOrgId": null, "priceCents": 777_700})).await["id"].clone();
    for (who, seen) in [
        ("north.manager", vec!["whole", "team"]),
        ("north.lead", vec!["team"]),
        ("north.sales1", vec![]),
        ("south.manager", vec!["zz-theirs"]),
        ("channel.manager", vec![]),
    ] {
        let actor = app.sign_in(who).await;
        let page = actor.post("/plan/page", json!({})).await.ok();
        let names: Vec<&str> = page["list"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
        assert_eq!(names, seen, "{who}");
        assert_eq!(page["total"], seen.len(), "{who}");
        let options = actor.get("/plan/options").await.ok();
        assert_eq!(options.as_array().unwrap().len(), seen.len(), "{who}");
        let file = actor.export("/plan/page/export", json!({"format": "csv"})).await;
        let file = String::from_utf8_lossy(&file.body).into_owned();
        assert_eq!(file.contains("zz-theirs"), who == "south.manager", "{who}: {file}");
    }
    let manager = app.sign_in("north.manager").await;
    for path in ["/plan", "/plan/history"] {
        manager.get(&format!("{path}/{theirs}")).await.refused("1004");
        manager.get(&format!("{path}/{whole}")).await.ok();
    }
    for (id, code) in [(&theirs, "1004"), (&ours, "1003")] {
        manager.put("/plan", form(&app, json!({"id": id, "version": 1})).await).await.refused(code);
        manager.put("/plan/status", json!({"id": id, "version": 1, "status": "pending"})).await.refused(code);
        manager.put("/plan/audit", json!({"id": id, "version": 1, "approve": true})).await.refused(code);
        manager.delete(&format!("/plan/{id}")).await.refused(code);
    }
    manager.post("/plan", form(&app, json!({})).await).await.refused("1003");
}

on_both!(an_account_manager_works_on_plans_of_their_organisations);
async fn an_account_manager_works_on_plans_of_their_organisations(app: TestApp) {
    begin(&app);
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'channel_manager' AND m.path LIKE 'plan/%'").await;
    app.execute("UPDATE role SET version = version + 1").await;
    app.execute(
        "UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager') WHERE code = 'north'",
    )
    .await;
    let manager = app.sign_in("channel.manager").await;
    let own = make(&app, &manager, json!({"name": "own"})).await;
    let south = app.organisation("south").await;
    manager.post("/plan", form(&app, json!({"orgId": south, "subOrgId": null})).await).await.wrong("orgId");
    let other = app.sign_in("channel.second").await;
    other.get(&format!("/plan/{}", own["id"])).await.refused("1004");
    assert_eq!(other.post("/plan/page", json!({})).await.ok()["list"], Value::Array(Vec::new()));
}
