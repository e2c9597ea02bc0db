//! `/org/api/secret`: the key with which an organisation signs its calls.

use base::crypto::place;
use serde_json::{Value, json};

use testing::feedback::{Sold, report_call, sold};
use testing::{TestApp, on_both};

on_both!(a_signing_secret_is_shown_once_and_kept_sealed);
async fn a_signing_secret_is_shown_once_and_kept_sealed(app: TestApp) {
    let (operator, id) = (app.sign_in("operator").await, app.organisation("north").await);
    let none = operator.get(&format!("/org/api/secret/{id}")).await.ok();
    assert_eq!(none, json!({"id": id, "appKey": null, "oldSecretUntil": null, "updatedAt": null, "version": 0}));
    let made = operator.put("/org/api/secret", json!({"id": id, "version": 0})).await.ok();
    assert_eq!(made["oldSecretUntil"], Value::Null, "there was none before");
    operator.put("/org/api/secret", json!({"id": id, "version": 0})).await.refused("1005");
    let rotated = operator.put("/org/api/secret", json!({"id": id, "version": 1, "overlapHours": 2})).await.ok();
    assert_eq!((&rotated["appKey"], rotated["appSecret"] == made["appSecret"]), (&made["appKey"], false));
    let stored = app.text("SELECT app_secret_enc FROM org_signing_key").await;
    assert_eq!(app.app.keys.open(&place::ORGANISATION_SECRET.of(id), &stored).unwrap(), rotated["appSecret"].as_str().unwrap());
    for hours in [-1, 721] {
        operator.put("/org/api/secret", json!({"id": id, "version": 2, "overlapHours": hours})).await.wrong("overlapHours");
    }
    operator.put("/org/api/secret", json!({"id": id, "version": 2, "appSecret": "mine"})).await.refused("4000");
    let everywhere = [
        operator.get(&format!("/org/api/secret/{id}")).await.body,
        operator.get(&format!("/org/api/{id}")).await.body,
        operator.get(&format!("/org/history/{id}")).await.body,
        app.text("SELECT MIN(diff) || MAX(diff) FROM operation_log").await.into(),
    ];
    for secret in [&made, &rotated] {
        let secret = secret["appSecret"].as_str().unwrap();
        assert!(everywhere.iter().all(|text| !String::from_utf8_lossy(text).contains(secret)));
    }
    assert!(app.trail("organisation", id).await[0].diff.iter().any(|change| change.field == "api.appSecret"));
}

on_both!(both_secrets_sign_while_they_overlap);
async fn both_secrets_sign_while_they_overlap(app: TestApp) {
    let Sold { admin, north: before, no, .. } = sold(&app).await;
    let body = |number: u32| json!({"requestId": format!("f-{number}"), "no": no, "star": number % 3});
    let rotated = admin.put("/org/api/secret", json!({"id": before.id, "version": 1, "overlapHours": 1})).await.ok();
    let after =
        testing::open::Partner { secret: rotated["appSecret"].as_str().unwrap().to_owned(), app_key: before.app_key.clone(), id: 0 };
    report_call(&app, &before, "n1", &body(1)).make(&app.stranger()).await.ok();
    report_call(&app, &after, "n2", &body(2)).make(&app.stranger()).await.ok();
    app.advance(61 * 60_000);
    report_call(&app, &before, "n3", &body(3)).make(&app.stranger()).await.refused("3002");
    report_call(&app, &after, "n4", &body(4)).make(&app.stranger()).await.ok();
    // Or it is ended at once.
    let admin = app.sign_in("admin").await;
    admin.put("/org/api/secretEnd", json!({"id": before.id, "version": 2})).await.refused("1006");
    admin.put("/org/api/secret", json!({"id": before.id, "version": 2})).await.ok();
    report_call(&app, &after, "n5", &body(5)).make(&app.stranger()).await.ok();
    assert_eq!(admin.put("/org/api/secretEnd", json!({"id": before.id, "version": 3})).await.ok()["oldSecretUntil"], Value::Null);
    report_call(&app, &after, "n6", &body(6)).make(&app.stranger()).await.refused("3002");
}

on_both!(keys_are_the_platforms_to_change);
async fn keys_are_the_platforms_to_change(app: TestApp) {
    let id = app.organisation("north").await;
    testing::feedback::grant(&app, "org_manager", "org/list").await;
    let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    north.get(&format!("/org/api/secret/{id}")).await.ok();
    north.put("/org/api/secret", json!({"id": id, "version": 0})).await.refused("1003");
    south.get(&format!("/org/api/secret/{id}")).await.refused("1004");
    south.put("/org/api/secret", json!({"id": id, "version": 0})).await.refused("1004");
    app.sign_in("auditor").await.put("/org/api/secret", json!({"id": id, "version": 0})).await.refused("1003");
}
