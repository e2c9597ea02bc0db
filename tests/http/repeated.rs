//! `Idempotency-Key`: what is sent twice is done once.

use leadlane::clock::DAY;
use serde_json::json;

use crate::support::{TestApp, on_both};

on_both!(a_repeated_call_gets_the_first_answer);
async fn a_repeated_call_gets_the_first_answer(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    let first = operator.post("/admin", body.clone()).await;
    let second = operator.post("/admin", body.clone()).await;
    assert_eq!((first.ok(), first.status), (second.ok(), second.status));
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 1);
    let password = first.ok()["password"].as_str().unwrap().to_owned();
    assert!(!app.text("SELECT response FROM idempotency_key").await.contains(&password), "an answer may hold a secret");

    let other = json!({"username": "other.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", other.clone()).await.wrong("Idempotency-Key");
    // Another's key is another key, and after a day it is used up.
    app.sign_in("admin").await.with("idempotency-key", "6f1c").post("/admin", other).await.ok();
    app.advance(DAY + 1000);
    app.sign_in("operator").await.with("idempotency-key", "6f1c").post("/admin", body).await.refused("1005");
}

on_both!(of_two_at_once_one_is_done);
async fn of_two_at_once_one_is_done(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    let (one, other) = tokio::join!(operator.post("/admin", body.clone()), operator.post("/admin", body.clone()));
    let mut codes = [one.code(), other.code()];
    codes.sort();
    assert_eq!(codes, ["0000", "5003"], "the second is told to try again");
    operator.post("/admin", body).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
}

on_both!(after_a_refusal_the_key_may_be_tried_again);
async fn after_a_refusal_the_key_may_be_tried_again(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", body.clone()).await.wrong("realName");
    operator.post("/admin", body).await.wrong("realName");
    operator.post("/admin", json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]})).await.ok();
    for key in ["", &"x".repeat(101)] {
        app.sign_in("operator").await.with("idempotency-key", key).post("/admin", json!({})).await.refused("4000");
    }
}
