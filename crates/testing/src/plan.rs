//! Plans.

use base::clock::{self, HOUR};
use serde_json::{Value, json};

use crate::org::with;
use crate::{Actor, Answer, TestApp};

/// Goes to ten o'clock of a Thursday in Shanghai, 2027-01-07, before the first session.
pub fn begin(app: &TestApp) {
    app.advance(clock::day_start("2027-01-07").unwrap() + 10 * HOUR - app.now());
}

/// A form that is accepted, of a plan of North Star, which may buy.
pub async fn form(app: &TestApp, changes: Value) -> Value {
    app.execute(
        "INSERT INTO org_account (org_id, balance_cents, status, created_at, updated_at) SELECT id, 1000000, 'normal', 0, 0 FROM organisation \
         WHERE TRUE ON CONFLICT (org_id) DO NOTHING",
    )
    .await;
    app.execute("UPDATE organisation SET licence_no = 'L-1', licence_expire_on = '2099-12-31' WHERE licence_no IS NULL").await;
    let form = json!({
        "name": "有房客户", "orgId": app.organisation("north").await, "subOrgId": app.team("First team").await, "productId": null,
        "deliverMode": "crm", "saleMode": "shared", "maxBuyers": 3, "priceCents": 4500,
        "priceRules": [{"rules": {"all": [{"field": "house", "op": "exists", "value": true}]}, "priceCents": 6000}],
        "methodPriority": 10, "weight": 5, "exposureWeight": 0, "cities": ["310100", "330100"], "channelAllow": [], "channelDeny": [],
        "ruleSet": {"all": [{"field": "age", "op": "between", "value": [22, 55]}]}, "dedupDays": 30,
        "schedule": {"1": [[540, 1080]]}, "outOfSchedule": "hold", "startsOn": "2027-01-01", "endsOn": "2027-12-31",
        "caps": [{"window": "day", "weekday": null, "maxCount": 100, "maxCents": null}], "matchRequired": false,
        "ownPriceLeastCents": null, "ownPriceMostCents": null, "ownDayMost": null, "ownHours": false, "ownCities": false, "ownPause": false,
        "remark": "周一"
    });
    with(form, changes)
}

/// Makes a plan and returns it.
pub async fn make(app: &TestApp, actor: &Actor, changes: Value) -> Value {
    actor.post("/plan", form(app, changes).await).await.ok()
}

/// Takes a step with a plan as it is now.
pub async fn step(actor: &Actor, id: &Value, status: &str) -> Answer {
    let version = actor.get(&format!("/plan/{id}")).await.ok()["version"].clone();
    actor.put("/plan/status", json!({"id": id, "version": version, "status": status})).await
}

/// Decides on a plan as it is now.
pub async fn decide(actor: &Actor, id: &Value, approve: bool) -> Answer {
    let version = actor.get(&format!("/plan/{id}")).await.ok()["version"].clone();
    actor.put("/plan/audit", json!({"id": id, "version": version, "approve": approve, "note": if approve { "" } else { "太便宜" }})).await
}

/// A plan that runs: the actor makes it and hands it in, the operator approves it.
pub async fn running(app: &TestApp, actor: &Actor, changes: Value) -> Value {
    let id = make(app, actor, changes).await["id"].clone();
    step(actor, &id, "pending").await.ok();
    decide(&app.sign_in("operator").await, &id, true).await.ok();
    id
}
