//! A page whose address is too long.

use axum::http::Method;
use serde_json::json;

use testing::bad_requests::{malformed, nothing_is_written};
use testing::{TestApp, on_both};

on_both!(long_fields_of_addresses_are_refused);
async fn long_fields_of_addresses_are_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (most, long) = ("北".repeat(1000), "北".repeat(1001));
    operator.post("/channel/page", json!({"keyword": most})).await.ok();
    assert!(operator.post("/channel/page", json!({"keyword": long})).await.refused("4000").is_null());
    let encoded = |text: &str| serde_urlencoded::to_string([("keyword", text)]).unwrap();
    operator.get(&format!("/channel/options?{}", encoded(&most))).await.ok();
    malformed(&operator, Method::GET, &format!("/channel/options?{}", encoded(&long)), b"").await;
    // A page would repeat it in each of its links.
    let browser = crate::pages::browser::Browser::of(&app, "operator").await;
    browser.get(&format!("/channel/list?{}", encoded(&most))).await.is("channelList", 200);
    let refused = browser.get(&format!("/channel/list?{}", encoded(&long))).await;
    assert!(refused.status == 400 && refused.body.len() < 200, "{} {}", refused.status, refused.body.len());
    nothing_is_written(&app).await;
}
