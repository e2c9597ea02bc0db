//! Test leads, the mode that they lead to, and how much of caps is used.

use serde_json::{Value, json};

use frame::terms::cap::{self, Subject};
use testing::channel::{form, make, with};
use testing::{Actor, TestApp, on_both};

/// A lead that passes a channel as [`form`] makes it.
fn lead(id: i64, changes: Value) -> Value {
    with(json!({"id": id, "phone": "10000010000", "name": "测试用户", "ip": "10.1.2.3", "applicant": {"age": 30}}), changes)
}

/// The outcomes of a test, by their steps.
fn outcomes(test: &Value) -> Vec<String> {
    let checks = test["checks"].as_array().unwrap();
    checks.iter().map(|check| format!("{} {}", check["step"].as_str().unwrap(), check["outcome"].as_str().unwrap())).collect()
}

async fn go(who: &Actor, id: i64, mode: &str) -> testing::Answer {
    let version = who.get(&format!("/channel/{id}")).await.ok()["version"].clone();
    who.put("/channel/mode", json!({"id": id, "version": version, "mode": mode})).await
}

on_both!(a_test_lead_shows_every_step_in_its_order);
async fn a_test_lead_shows_every_step_in_its_order(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let terms = json!({
        "filters": {"all": [{"field": "age", "op": "between", "value": [22, 55]}]},
        "caps": [{"window": "day", "weekday": null, "maxCount": 2, "maxCents": null}]
    });
    let id = make(&operator, with(form("ads-xingmang-1"), terms)).await;
    assert_eq!(operator.get(&format!("/channel/test/{id}")).await.ok(), Value::Null);
    let test = operator.post("/channel/test", lead(id, json!({}))).await.ok();
    assert_eq!(
        outcomes(&test),
        ["authentication pass", "status pass", "address pass", "required pass", "filters pass", "caps pass", "dedup skip"]
    );
    assert_eq!((&test["passed"], &test["current"], &test["testedBy"]), (&json!(true), &json!(true), &json!("platform operator")));
    assert_eq!(operator.get(&format!("/channel/test/{id}")).await.ok(), test);
    assert_eq!(app.count("SELECT COUNT(*) FROM cap_counter").await, 0, "nothing is taken");

    for (changes, step, note) in [
        (json!({"ip": "192.0.2.1"}), "address", "The IP address is not allowed"),
        (json!({"ip": null}), "address", "Only certain IP addresses may call: enter the partner's"),
        (json!({"phone": "123", "name": " "}), "required", "Missing or wrong: phone, name"),
        (json!({"applicant": {"age": 60}}), "filters", "Conditions not met: Age 22–55"),
        (json!({"applicant": {}}), "filters", "Conditions not met: Age 22–55"),
    ] {
        let test = operator.post("/channel/test", lead(id, changes)).await.ok();
        let failed: Vec<&Value> = test["checks"].as_array().unwrap().iter().filter(|check| check["outcome"] == "fail").collect();
        assert_eq!((failed.len(), &failed[0]["step"], &failed[0]["noteEn"]), (1, &json!(step), &json!(note)));
        assert_eq!(test["passed"], false);
    }

    // Two of two are taken, and the list tells.
    let caps = cap::counters::of(app.app.db.read(), Subject { kind: "channel", id }).await.unwrap();
    let mut tx = app.app.db.begin().await.unwrap();
    cap::counters::take(&mut tx, &caps, 2, 0, app.now()).await.unwrap();
    tx.commit().await.unwrap();
    let usage = json!([{"cap": {"window": "day", "weekday": null, "maxCount": 2, "maxCents": null}, "usedCount": 2, "usedCents": 0}]);
    assert_eq!(operator.post("/channel/page", json!({})).await.ok()["list"][0]["usage"], usage);
    assert_eq!(operator.get(&format!("/channel/{id}")).await.ok()["usage"], usage);
    let test = operator.post("/channel/test", lead(id, json!({}))).await.ok();
    assert!(outcomes(&test).contains(&"caps fail".to_owned()), "{test}");
    operator.put("/channel/status", json!({"id": id, "version": 1, "status": "paused"})).await.ok();
    let test = operator.post("/channel/test", lead(id, json!({}))).await.ok();
    assert!(outcomes(&test).contains(&"status fail".to_owned()), "{test}");

    let trail = app.trail("channel", id).await;
    assert_eq!((trail[0].diff[0].field.as_str(), trail[0].diff[0].after.as_deref()), ("testLead", Some("fail: status, caps")));
    let stored = app.text("SELECT applicant FROM channel_test WHERE id = (SELECT MIN(id) FROM channel_test)").await;
    assert!(stored.contains("100****0000") && !stored.contains("10000010000"), "{stored}");
}

on_both!(bad_applicants_are_refused);
async fn bad_applicants_are_refused(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = make(&operator, form("ads-xingmang-1")).await;
    for (field, applicant) in [("age", json!({"age": 5})), ("house", json!({"house": "castle"})), ("shoe", json!({"shoe": 1}))] {
        operator.post("/channel/test", lead(id, json!({"applicant": applicant}))).await.wrong(field);
    }
    operator.post("/channel/test", lead(id, json!({"name": "好".repeat(33)}))).await.wrong("name");
    operator.post("/channel/test", lead(id, json!({"secret": "x"}))).await.refused("4000");
    operator.post("/channel/test", lead(999_999, json!({}))).await.refused("1004");
    assert_eq!(app.count("SELECT COUNT(*) FROM channel_test").await, 0);
}

on_both!(a_channel_goes_live_as_it_was_tested);
async fn a_channel_goes_live_as_it_was_tested(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let id = make(&operator, form("ads-xingmang-1")).await;
    let refusal = async |note: &str| {
        let refused = go(&operator, id, "live").await;
        refused.refused("1006");
        assert_eq!(refused.desc(), note);
    };
    refusal("A test lead must pass first").await;
    operator.post("/channel/test", lead(id, json!({"name": null}))).await.ok();
    refusal("The latest test lead failed").await;
    operator.post("/channel/test", lead(id, json!({}))).await.ok();
    let edit = |version: i64, changes: Value| with(with(form("ads-xingmang-1"), json!({"id": id, "version": version})), changes);
    // A price is no matter of what a lead is held against; filters are.
    operator.put("/channel", edit(1, json!({"unitPriceCents": 999}))).await.ok();
    assert_eq!(go(&operator, id, "live").await.ok()["mode"], "live");
    assert_eq!(go(&operator, id, "live").await.desc(), "The channel is already Live");
    assert_eq!(go(&operator, id, "test").await.ok()["mode"], "test");
    let filters = json!({"filters": {"all": [{"field": "age", "op": "gte", "value": 22}]}});
    operator.put("/channel", edit(4, filters)).await.ok();
    refusal("The channel has changed since its test lead: run a new one").await;
    operator.post("/channel/test", lead(id, json!({}))).await.ok();
    go(&operator, id, "live").await.ok();
    assert_eq!(app.trail("channel", id).await[0].diff[0].after.as_deref(), Some("live"));
    operator.put("/channel/mode", json!({"id": id, "version": 1, "mode": "test"})).await.refused("1005");
}
