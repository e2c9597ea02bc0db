//! `PUT /plan/own` and `PUT /plan/own/status`: what an organisation changes of its plans by itself.

use serde_json::{Value, json};

use testing::org::with;
use testing::plan::{begin, decide, form, make, running, step};
use testing::{Actor, Answer, TestApp, feedback, on_both};

/// What is agreed for a plan whose organisation may change everything that can be agreed.
fn bounds() -> Value {
    json!({
        "ownPriceLeastCents": 4000, "ownPriceMostCents": 6000, "ownDayMost": 120, "ownHours": true, "ownCities": true, "ownPause": true
    })
}

fn daily(most: i64) -> Value {
    json!([{"window": "day", "weekday": null, "maxCount": most, "maxCents": null}])
}

/// Has the managers of organisations adjust plans.
async fn grant(app: &TestApp) {
    for point in ["list", "view", "own"] {
        feedback::grant(app, "org_manager", &format!("plan/list/{point}")).await;
    }
}

/// Sends a plan as the form of the organisation would: everything as it is, but some of it.
async fn adjust(actor: &Actor, row: &Value, changes: Value) -> Answer {
    let mut body = json!({});
    for name in ["id", "version", "priceCents", "caps", "cities", "schedule"] {
        body[name] = row[name].clone();
    }
    actor.put("/plan/own", with(body, changes)).await
}

async fn go(actor: &Actor, row: &Value, status: &str) -> Answer {
    actor.put("/plan/own/status", json!({"id": row["id"], "version": row["version"], "status": status})).await
}

on_both!(within_the_bounds_an_organisation_changes_its_plan_at_once);
async fn within_the_bounds_an_organisation_changes_its_plan_at_once(app: TestApp) {
    begin(&app);
    grant(&app).await;
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let manager = app.sign_in("north.manager").await.in_english();
    let id = running(&app, &admin, bounds()).await;
    let read = async || manager.get(&format!("/plan/{id}")).await.ok();
    let before = read().await;
    let changes = json!({"priceCents": 5500, "caps": daily(80), "cities": ["310100"], "schedule": null});
    let row = adjust(&manager, &before, changes).await.ok();
    assert_eq!((&row["priceCents"], &row["caps"], &row["schedule"]), (&json!(5500), &daily(80), &json!(null)));
    assert_eq!((&row["cities"], &row["status"], &row["change"]), (&json!(["310100"]), &json!("running"), &json!(null)));
    assert_eq!(row["priceRules"], before["priceRules"], "the other terms stay");
    let entry = admin.get(&format!("/plan/history/{id}")).await.ok()[0].clone();
    assert_eq!(entry["adminName"], "north north.manager");
    assert!(entry["diff"].as_array().unwrap().contains(&json!({"field": "priceCents", "before": "4500", "after": "5500"})), "{entry}");

    // Outside them each field names its bound.
    for (changes, field, bound) in [
        (json!({"priceCents": 3999}), "priceCents", "between 40 and 60 CNY"),
        (json!({"priceCents": 6001}), "priceCents", "between 40 and 60 CNY"),
        (json!({"caps": daily(121)}), "caps", "more than 120 leads"),
        (json!({"caps": []}), "caps", "more than 120 leads"),
        (json!({"cities": ["nowhere"]}), "cities", ""),
    ] {
        let message = adjust(&manager, &row, changes.clone()).await.wrong(field);
        assert!(message.contains(bound), "{changes}: {message}");
    }
    // The second of two who edit it, another organisation, and who has no right to.
    assert_eq!(adjust(&manager, &before, json!({"priceCents": 5000})).await.refused("1005")["current"], row);
    adjust(&app.sign_in("south.manager").await, &row, json!({"priceCents": 5000})).await.refused("1004");
    adjust(&app.sign_in("north.lead").await, &row, json!({"priceCents": 5000})).await.refused("1003");
    adjust(&admin, &row, json!({"priceCents": 5000})).await.refused("1003");
    assert_eq!(read().await["priceCents"], 5500);

    // A change of the platform that waits is decided on first: it is about the terms as they are.
    let same = with(form(&app, json!({"id": id, "version": row["version"]})).await, bounds());
    let asked = admin.put("/plan", with(same, json!({"priceCents": 9900}))).await.ok();
    assert_eq!(asked["change"]["priceCents"], 9900);
    adjust(&manager, &asked, json!({"priceCents": 5000})).await.refused("1006");
    decide(&operator, &id, false).await.ok();
    assert_eq!(adjust(&manager, &read().await, json!({"priceCents": 5000})).await.ok()["priceCents"], 5000);
    step(&admin, &id, "ended").await.ok();
    adjust(&manager, &read().await, json!({"priceCents": 5100})).await.refused("1006");
}

on_both!(what_was_not_agreed_stays);
async fn what_was_not_agreed_stays(app: TestApp) {
    begin(&app);
    grant(&app).await;
    let admin = app.sign_in("admin").await;
    let manager = app.sign_in("north.manager").await.in_english();
    let id = running(&app, &admin, json!({})).await;
    let row = manager.get(&format!("/plan/{id}")).await.ok();
    for (field, value) in
        [("priceCents", json!(4501)), ("caps", daily(99)), ("cities", json!([])), ("schedule", json!({"2": [[540, 1080]]}))]
    {
        let message = adjust(&manager, &row, json!({field: value})).await.wrong(field);
        assert!(message.starts_with("It was not agreed"), "{field}: {message}");
    }
    go(&manager, &row, "paused").await.refused("1006");
    // The bounds are terms like others: both prices or neither, and a second person approves them.
    for wrong in [
        json!({"ownPriceLeastCents": 4000}),
        json!({"ownPriceMostCents": 4000}),
        json!({"ownPriceLeastCents": 5000, "ownPriceMostCents": 4000}),
    ] {
        admin.post("/plan", form(&app, wrong).await).await.wrong("ownPriceMostCents");
    }
    let body = with(form(&app, json!({"id": id, "version": row["version"]})).await, bounds());
    let asked = admin.put("/plan", body).await.ok();
    assert_eq!((&asked["ownPriceMostCents"], &asked["change"]["ownPriceMostCents"]), (&json!(null), &json!(6000)));
    // A draft is not in force yet.
    let draft = make(&app, &admin, with(bounds(), json!({"name": "draft"}))).await;
    adjust(&manager, &draft, json!({"priceCents": 5000})).await.refused("1006");
}

on_both!(an_organisation_resumes_what_it_paused);
async fn an_organisation_resumes_what_it_paused(app: TestApp) {
    begin(&app);
    grant(&app).await;
    let admin = app.sign_in("admin").await;
    let manager = app.sign_in("north.manager").await;
    let id = running(&app, &admin, bounds()).await;
    let read = async || manager.get(&format!("/plan/{id}")).await.ok();
    let row = read().await;
    go(&app.sign_in("south.manager").await, &row, "paused").await.refused("1004");
    go(&admin, &row, "paused").await.refused("1003");
    go(&manager, &row, "ended").await.refused("1006");
    let paused = go(&manager, &row, "paused").await.ok();
    assert_eq!((&paused["status"], &paused["pauseReason"], &paused["pausedByOrg"]), (&json!("paused"), &json!("manual"), &json!(true)));
    go(&manager, &row, "running").await.refused("1005");
    let resumed = go(&manager, &paused, "running").await.ok();
    assert_eq!((&resumed["status"], &resumed["pausedByOrg"]), (&json!("running"), &json!(false)));
    // What the platform paused, the platform resumes.
    step(&admin, &id, "paused").await.ok();
    go(&manager, &read().await, "running").await.refused("1006");
    step(&admin, &id, "running").await.ok();
    // The platform holds what the organisation paused; it is paused once.
    go(&manager, &read().await, "paused").await.ok();
    step(&admin, &id, "paused").await.ok();
    assert_eq!(read().await["pausedByOrg"], false);
    go(&manager, &read().await, "running").await.refused("1006");
    step(&admin, &id, "paused").await.refused("1006");
    step(&admin, &id, "running").await.ok();
    // What stands in the way of the platform stands in the way of the organisation.
    go(&manager, &read().await, "paused").await.ok();
    app.execute("UPDATE organisation SET licence_no = NULL").await;
    go(&manager, &read().await, "running").await.refused("1006");
}
