//! The screen of `/visualization`.

use serde_json::json;

use crate::pages::browser::Browser;
use testing::world::PASSWORD;
use testing::{TestApp, on_both};

on_both!(days_that_are_none_are_refused);
async fn days_that_are_none_are_refused(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for nonsense in [
        json!({"days": 0}),
        json!({"days": "many"}),
        json!({"days": 100_000}),
        json!({"from": "2026-02-30", "to": "2026-03-01"}),
        json!({"from": "2026-03-02", "to": "2026-03-01"}),
        json!({"from": "2016-03-02", "to": "2026-03-01"}),
        json!([]),
    ] {
        admin.post("/visualization", nonsense).await.refused("4000");
    }
    assert_eq!(Browser::of(&app, "admin").await.get("/visualization?days=x").await.status, 400);
}

// S1.12: pictures and tables are in the document, in both languages.
on_both!(the_pictures_come_with_the_document);
async fn the_pictures_come_with_the_document(app: TestApp) {
    let admin = Browser::of(&app, "admin").await;
    app.stranger().post("/admin/login", json!({"username": "admin", "password": PASSWORD})).await;
    for (browser, title, table) in [(admin.clone(), "每日登录", "数据表"), (admin.in_english(), "Logins per day", "Table")] {
        let page = browser.get("/visualization?days=30").await;
        page.is("visualization", 200);
        let html = page.root();
        assert!(html.contains(title) && html.contains(table), "{title}");
        if cfg!(feature = "v8") {
            assert!(html.contains(r#"viewBox="0 0 600 260""#) && html.contains("var(--chart-1)"), "no picture");
            assert_eq!(browser.get("/visualization?days=30").await.root(), html, "the same figures give the same bytes");
        }
        assert!(!html.contains(" style=") && !html.contains("<style"), "the page's policy would drop styles");
    }
}
