//! Texts that mean harm stay texts.

use serde_json::json;

use testing::project::{file, form, seen, send_back, with};
use testing::{TestApp, on_both};

const TEXTS: &[&str] = &[
    "<script>alert(1)</script>",
    "</script><img src=x onerror=alert(1)>",
    "<!--<script>",
    "a\u{2028}\u{2029}gnp.exe",
    "'; DROP TABLE project; --",
    "${7*7}{{7*7}}",
    "=HYPERLINK(\"x\")",
];

on_both!(texts_come_back_as_they_went_in);
async fn texts_come_back_as_they_went_in(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    for text in TEXTS {
        let short: String = text.chars().take(32).collect();
        let hostile = json!({"name": text, "contactName": short, "remark": text});
        let id = file(&operator, hostile.clone()).await;
        let row = seen(&operator, id).await;
        for (field, value) in hostile.as_object().unwrap() {
            assert_eq!(&row[field], value);
        }
        let found = operator.post("/project/page", json!({"keyword": text})).await.ok();
        assert_eq!((&found["total"], &found["list"][0]["id"]), (&json!(1), &json!(id)), "{text}");
        let back = json!({"id": id, "version": 1, "decision": "return", "reasons": ["other"], "note": text});
        admin.put("/project/audit", back).await.ok();
        assert_eq!(operator.get(&format!("/project/{id}")).await.ok()["steps"][0]["note"], *text);
        let changed = with(form(), json!({"id": id, "version": 2, "contactPhone": null, "landingUrl": text}));
        operator.put("/project", changed.clone()).await.wrong("landingUrl");
        // A draft keeps even that, as a text.
        assert_eq!(operator.put("/project/draft", changed).await.ok()["landingUrl"], *text);
        let file =
            operator.post("/project/page/export", json!({"format": "csv", "keyword": "星芒", "columns": ["name", "landingUrl"]})).await;
        assert!(!String::from_utf8_lossy(&file.body).contains("\n=HYPERLINK"));
        operator.put("/project/withdraw", json!({"id": id, "version": 3})).await.ok();
    }
}

on_both!(ids_that_are_none_are_malformed);
async fn ids_that_are_none_are_malformed(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for id in ["-1", "x", "1.5", "9223372036854775808", "%00", "..%2f1", "1%20OR%201=1"] {
        operator.get(&format!("/project/{id}")).await.refused("4000");
        operator.get(&format!("/project/draft/{id}")).await.refused("4000");
        operator.get(&format!("/project/reveal/{id}")).await.refused("4000");
    }
    operator.get("/project/0").await.refused("4000");
    operator.get("/project/4711").await.refused("1004");
    operator.get("/project/draft/4711").await.refused("1004");
}

on_both!(large_bodies_are_refused);
async fn large_bodies_are_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let large = with(form(), json!({"remark": "x".repeat(2 * 1024 * 1024)}));
    operator.post("/project", large.clone()).await.refused("4013");
    operator.put("/project/draft", large).await.refused("4013");
    let id = file(&operator, json!({})).await;
    let admin = app.sign_in("admin").await;
    send_back(&admin, &seen(&operator, id).await).await;
}
