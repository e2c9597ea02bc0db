//! A channel's secret is shown when it is made, and never again.

use base::crypto::place;
use serde_json::json;

use testing::channel::{form, make};
use testing::{TestApp, on_both};

on_both!(a_secret_is_shown_once);
async fn a_secret_is_shown_once(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let made = operator.post("/channel", form("ads-xingmang-1")).await.ok();
    let id = made["id"].as_i64().unwrap();
    let rotated = operator.put("/channel/secret", json!({"id": id, "version": 1})).await.ok();
    assert_eq!((&rotated["id"], &rotated["appKey"]), (&made["id"], &made["appKey"]));
    assert_ne!(rotated["appSecret"], made["appSecret"]);

    let stored = app.text("SELECT app_secret_enc FROM channel").await;
    let place = place::CHANNEL_SECRET.of(made["appKey"].as_str().unwrap());
    assert_eq!(app.app.keys.open(&place, &stored).unwrap(), rotated["appSecret"].as_str().unwrap());

    let everywhere = [
        operator.post("/channel/page", json!({})).await.body,
        operator.get(&format!("/channel/{id}")).await.body,
        operator.get(&format!("/channel/history/{id}")).await.body,
        operator.get("/channel/options").await.body,
        operator.export("/channel/page/export", json!({"format": "csv"})).await.body,
        operator.put("/channel/status", json!({"id": id, "version": 2, "status": "paused"})).await.body,
        operator.put("/channel/status", json!({"id": id, "version": 2, "status": "paused"})).await.body,
        app.text("SELECT CAST(COUNT(*) AS TEXT) || MIN(diff) || MAX(diff) FROM operation_log").await.into(),
        app.text("SELECT app_key || app_secret_enc FROM channel").await.into(),
    ];
    for secret in [&made["appSecret"], &rotated["appSecret"], &json!(stored)] {
        let secret = secret.as_str().unwrap();
        for (place, text) in everywhere.iter().enumerate().take(8) {
            assert!(!String::from_utf8_lossy(text).contains(secret), "place {place}");
        }
        assert!(secret == stored || !String::from_utf8_lossy(&everywhere[8]).contains(secret));
    }
    let trail = app.trail("channel", id).await;
    let rotation = trail.iter().flat_map(|entry| &entry.diff).find(|change| change.field == "appSecret").expect("that it changed is told");
    assert_eq!((rotation.before.as_deref(), rotation.after.as_deref()), (Some("***"), Some("***")));
}

on_both!(rotating_counts_as_a_change);
async fn rotating_counts_as_a_change(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    operator.put("/channel/secret", json!({"id": id, "version": 1})).await.ok();
    operator.put("/channel/secret", json!({"id": id, "version": 1})).await.refused("1005");
    operator.put("/channel/secret", json!({"id": id, "version": 2, "appSecret": "mine"})).await.refused("4000");
    assert_eq!(operator.get(&format!("/channel/{id}")).await.ok()["version"], 2);
}

on_both!(an_old_secret_stays_valid_for_a_while);
async fn an_old_secret_stays_valid_for_a_while(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let made = operator.post("/channel", form("ads-xingmang-1")).await.ok();
    assert_eq!(made["oldSecretUntil"], serde_json::Value::Null);
    let id = made["id"].as_i64().unwrap();
    let place = place::CHANNEL_SECRET.of(made["appKey"].as_str().unwrap());
    let stored = async || {
        let old = app.text("SELECT COALESCE(old_secret_enc, '') FROM channel").await;
        if old.is_empty() { old } else { app.app.keys.open(&place, &old).unwrap() }
    };
    let end = |version: i64| operator.put("/channel/secretEnd", json!({"id": id, "version": version}));
    end(1).await.refused("1006");
    // A day unless something else is asked for.
    let rotated = operator.put("/channel/secret", json!({"id": id, "version": 1})).await.ok();
    let until = rotated["oldSecretUntil"].as_i64().unwrap();
    assert!((until - app.now() - 24 * 3_600_000).abs() < 60_000);
    assert_eq!(stored().await, made["appSecret"].as_str().unwrap());
    assert_eq!(operator.get(&format!("/channel/{id}")).await.ok()["oldSecretUntil"], until);
    let again = operator.put("/channel/secret", json!({"id": id, "version": 2, "overlapHours": 720})).await.ok();
    assert_eq!(stored().await, rotated["appSecret"].as_str().unwrap(), "never more than two");
    assert_eq!(end(3).await.ok()["oldSecretUntil"], serde_json::Value::Null);
    assert_eq!(stored().await, "");
    end(4).await.refused("1006");
    operator.put("/channel/secret", json!({"id": id, "version": 4, "overlapHours": 0})).await.ok();
    assert_eq!(stored().await, "", "without an overlap the old one ends at once");
    for hours in [-1, 721] {
        operator.put("/channel/secret", json!({"id": id, "version": 5, "overlapHours": hours})).await.wrong("overlapHours");
    }
    operator.put("/channel/secret", json!({"id": id, "version": 5, "overlapHours": 1})).await.ok();
    app.advance(2 * 3_600_000);
    app.sign_in("operator").await.put("/channel/secretEnd", json!({"id": id, "version": 6})).await.refused("1006");
    let trail = app.text("SELECT MIN(diff) || MAX(diff) FROM operation_log").await;
    for secret in [&made, &rotated, &again] {
        assert!(!trail.contains(secret["appSecret"].as_str().unwrap()));
    }
}
