//! A page after its menu was edited.

use serde_json::{Value, json};

use crate::pages::browser::{Browser, between};
use testing::admin::menu_editor::update;
use testing::{TestApp, on_both};

// S1.02
on_both!(words_and_order_count_with_the_next_request);
async fn words_and_order_count_with_the_next_request(app: TestApp) {
    let (admin, manager) = (app.sign_in("admin").await, app.sign_in("channel.manager").await);
    manager.get("/menu/listByToken").await.ok();
    let changed = admin.put("/menu", update(&admin, "channel", json!({"titleZh": "渠道", "icon": "globe", "sort": 7})).await).await.ok();
    assert_eq!(changed["version"], 2);
    let group = async || {
        let menu = manager.get("/menu/listByToken").await.ok();
        menu.as_array().unwrap().iter().find(|node| node["name"] == "channel").unwrap().clone()
    };
    let channel = group().await;
    assert_eq!((&channel["title"], &channel["icon"], &channel["order"]), (&json!("渠道"), &json!("globe"), &json!(7)));
    let home = Browser::of(&app, "channel.manager").await.get("/home").await;
    let menu = between(home.root(), r#"<nav class="app-menu""#, "</nav>").expect("a menu");
    assert!(menu.contains(">渠道<") && !menu.contains(">渠道管理<"), "the menu of a page is made of the same data: {menu}");
    let changes = serde_json::to_value(&app.trail("menu_node", changed["id"].as_i64().unwrap()).await[0].diff).unwrap();
    let expected = json!([
        {"field": "icon", "before": "channel", "after": "globe"},
        {"field": "sort", "before": "2", "after": "7"},
        {"field": "titleZh", "before": "渠道管理", "after": "渠道"}
    ]);
    let mut changes: Vec<Value> = changes.as_array().unwrap().clone();
    changes.sort_by_key(|change| change["field"].to_string());
    assert_eq!(json!(changes), expected);
    let hidden = update(&admin, "channelList", json!({"hidden": true})).await;
    admin.put("/menu", hidden.clone()).await.ok();
    assert_eq!(group().await["children"][0]["hidden"], true);
    manager.post("/channel/page", json!({})).await.ok();
    // The slower of two editors gets the present row.
    assert_eq!(admin.put("/menu", hidden).await.refused("1005")["current"]["version"], 2);
}
