//! The page of a chart that opens with a saved view.

use base::clock;
use serde_json::{Value, json};

use crate::pages::browser::Browser;
use testing::org::with;
use testing::stats::some_figures;
use testing::{TestApp, on_both};

// A person keeps views of their own, one of them the default of its page.
on_both!(a_person_keeps_views_of_their_own);
async fn a_person_keeps_views_of_their_own(app: TestApp) {
    let (one, _) = some_figures(&app).await;
    let operator = app.sign_in("operator").await;
    let form = json!({
        "name": "渠道一", "isDefault": true, "query": {"range": "last_month", "channelId": one.to_string(), "sort": "sales", "order": "desc"},
        "columns": ["subjectName", "sales"]
    });
    let saved = operator.post("/chart/product/views", form.clone()).await.ok();
    let id = saved["id"].as_i64().unwrap();
    let search = format!("?range=last_month&channelId={one}&sort=sales&order=desc&view={id}");
    assert_eq!(
        (&saved["search"], &saved["isDefault"], &saved["columns"]),
        (&json!(search), &json!(true), &json!(["subjectName", "sales"]))
    );
    // Another default takes its place; a change keeps what it does not name.
    operator.post("/chart/product/views", json!({"name": "第二个", "isDefault": true, "query": {}, "columns": []})).await.ok();
    let views = operator.get("/chart/product/views").await.ok()["views"].clone();
    let defaults: Vec<(&Value, &Value)> = views.as_array().unwrap().iter().map(|view| (&view["name"], &view["isDefault"])).collect();
    assert_eq!(defaults, [(&json!("渠道一"), &json!(false)), (&json!("第二个"), &json!(true))]);
    operator.post("/chart/product/views", json!({"id": id, "name": "渠道 1", "isDefault": true})).await.ok();
    let views = operator.get("/chart/product/views").await.ok()["views"].clone();
    let renamed = views.as_array().unwrap().iter().find(|view| view["id"] == id).unwrap();
    assert_eq!((&renamed["search"], &renamed["isDefault"]), (&json!(search), &json!(true)));
    // The page opens with it; an address of its own shows what it names.
    let opened = Browser::of(&app, "operator").await.get("/chart/product-list").await;
    assert_eq!((opened.status, opened.headers["location"].to_str().unwrap()), (302, &*format!("/chart/product-list{search}")));
    // The range moves with today.
    let list = operator.post("/chart/product/page", json!({"range": "last_month", "view": id.to_string()})).await.ok();
    let last_month = clock::day(app.now()).first_of_month().yesterday().unwrap();
    assert_eq!(list["settled"], json!({"dayFrom": last_month.first_of_month().to_string(), "dayTo": last_month.to_string()}));
    // They belong to one person and to one page.
    let auditor = app.sign_in("auditor").await;
    assert_eq!(auditor.get("/chart/product/views").await.ok()["views"], json!([]));
    assert_eq!(operator.get("/chart/channel/views").await.ok()["views"], json!([]));
    auditor.post("/chart/product/views", json!({"id": id, "name": "x", "isDefault": false})).await.refused("1004");
    operator.post("/chart/channel/views", json!({"id": id, "name": "x", "isDefault": false})).await.refused("1004");
    auditor.delete(&format!("/chart/view/{id}")).await.refused("1004");
    app.sign_in("nobody").await.get("/chart/product/views").await.refused("1003");
    for (wrong, code) in [
        (json!({"name": " "}), "1001"),
        (json!({"name": "第二个"}), "1001"),
        (json!({"name": "x".repeat(33)}), "1001"),
        (json!({"query": {"keyword": "x"}}), "4000"),
        (json!({"query": {"range": "never"}}), "4000"),
        (json!({"query": {"sort": "phone"}}), "4000"),
        (json!({"query": {"dayFrom": "2026-02-30"}}), "4000"),
        (json!({"query": {"dayFrom": "2016-01-01", "dayTo": "2026-01-01"}}), "1001"),
        (json!({"columns": ["phone"]}), "1001"),
        (json!({"sendRoleId": app.count("SELECT id FROM role WHERE code = 'operator'").await}), "1001"),
        (json!({"sendRoleId": app.count("SELECT id FROM role WHERE code = 'operator'").await, "sendMinute": 1440}), "1001"),
        (json!({"sendRoleId": app.count("SELECT id FROM role WHERE code = 'guest'").await, "sendMinute": 480}), "1001"),
    ] {
        let mut body = with(form.clone(), wrong);
        if body["name"] == "渠道一" {
            body["name"] = json!("另一个");
        }
        operator.post("/chart/product/views", body).await.refused(code);
    }
    operator.delete(&format!("/chart/view/{id}")).await.ok();
    assert_eq!(operator.get("/chart/product/views").await.ok()["views"].as_array().unwrap().len(), 1);
    for number in 2..=20 {
        operator
            .post("/chart/product/views", json!({"name": number.to_string(), "isDefault": false, "query": {}, "columns": []}))
            .await
            .ok();
    }
    operator.post("/chart/product/views", json!({"name": "21", "isDefault": false, "query": {}, "columns": []})).await.refused("1006");
}
