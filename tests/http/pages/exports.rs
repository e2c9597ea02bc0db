//! The page route of an export's file.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::channel::{form, make};
use testing::{TestApp, on_both};

on_both!(a_task_is_its_owners_alone);
async fn a_task_is_its_owners_alone(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, form("code-0001")).await;
    let id = operator.post("/channel/page/export", json!({"format": "csv"})).await.ok()["taskId"].as_i64().expect("a task");
    app.make_exports().await;
    for other in ["admin", "channel.manager", "south.manager"] {
        let other = app.sign_in(other).await;
        other.get(&format!("/export/{id}")).await.refused("1004");
        other.get(&format!("/export/{id}/file")).await.refused("1004");
        other.delete(&format!("/export/{id}")).await.refused("1004");
        assert_eq!(other.post("/export/page", json!({})).await.ok()["total"], 0);
    }
    let page = operator.post("/export/page", json!({})).await.ok();
    assert_eq!((&page["total"], &page["list"][0]["id"]), (&json!(1), &json!(id)));

    // A link of a page, with the cookie.
    let own = Browser::of(&app, "operator").await.get(&format!("/exports/{id}")).await;
    assert_eq!((own.status, own.header("cache-control")), (200, Some("no-store")));
    assert!(own.header("content-disposition").unwrap().starts_with("attachment"));
    for other in [Browser::of(&app, "admin").await, Browser::stranger(&app)] {
        let page = other.get(&format!("/exports/{id}")).await;
        assert_eq!((page.status, page.body.len()), (404, 0));
    }
}
