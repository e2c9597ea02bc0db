//! The page of one of one's own messages, which links to the record that it is about.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::{TestApp, finance, on_both};

on_both!(a_message_has_a_page_that_links_to_its_record);
async fn a_message_has_a_page_that_links_to_its_record(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let recharge = operator.post("/finance/recharge", finance::form(&app, json!({})).await).await.ok();
    let list = app.sign_in("admin").await.post("/message/page", json!({"type": "todo"})).await.ok()["list"].clone();
    let todo = list.as_array().unwrap().iter().find(|row| row["title"].as_str().unwrap().starts_with("充值待审")).unwrap();
    let (id, title) = (&todo["id"], todo["title"].as_str().unwrap());
    assert_eq!(todo["link"], json!(format!("/finance/recharge/{}", recharge["id"])), "the record, not its list");
    let address = format!("/account/message/{id}");
    let admin = Browser::of(&app, "admin").await;
    let page = admin.get(&address).await;
    page.is("accountMessageDetail", 200);
    let html = page.root();
    assert!(html.contains(r#"<li><a href="/account/message">全部消息</a></li>"#), "the breadcrumb leads to the list");
    assert!(html.contains(&format!(r#"aria-current="page">{title}</"#)) && html.contains("待办：在相关记录上处理后自动关闭。"), "{html}");
    assert!(html.contains(&format!(r#"href="/finance/recharge/{}""#, recharge["id"])) && html.contains("请由申请人以外的人审核"), "{html}");
    assert!(html.contains("未读"), "nothing is marked by a page alone");
    assert!(admin.get("/account/message").await.root().contains(&format!(r#"<a href="{address}">{title}</a>"#)));
    app.sign_in("admin").await.post("/message/read", json!({"ids": [id]})).await.ok();
    assert!(admin.in_english().get(&address).await.root().contains("To-do. Closes by itself once the record is handled."));

    // Messages of others, and those that were cleared, have no page.
    Browser::of(&app, "south.manager").await.get(&address).await.is("accountMessageDetail", 404);
    admin.get("/account/message/999999").await.is("accountMessageDetail", 404);
    app.sign_in("admin").await.post("/message/clear", json!({"ids": [id]})).await.ok();
    admin.get(&address).await.is("accountMessageDetail", 404);
    app.stranger().get(&format!("/message/{id}")).await.refused("2000");
}
