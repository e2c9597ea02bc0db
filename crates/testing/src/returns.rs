//! Leads that are returned.

use serde_json::{Value, json};

use crate::feedback::{Sold, grant, sold};
use crate::{Actor, Answer, TestApp};

/// Of what a test's organisations may give back nothing is short, and their people may ask for it.
pub async fn lenient(app: &TestApp) -> Sold {
    let sold = sold(app).await;
    grant(app, "org_manager", "plan/push-list").await;
    app.set("lead.return_least", json!(100)).await;
    sold
}

/// Asks for the return of a push.
pub async fn ask(who: &Actor, push_id: i64, changes: Value) -> Answer {
    let form = json!({"pushId": push_id, "reasonCode": "dead_number", "note": "", "proofFileIds": []});
    who.post("/plan/return", crate::org::with(form, changes)).await
}

/// Decides on a return as it was asked for.
pub async fn decide(who: &Actor, row: &Value, approve: bool, changes: Value) -> Answer {
    let note = if approve { "" } else { "号码可以接通" };
    let body = json!({"id": row["id"], "version": row["version"], "approve": approve, "chargeChannel": false, "note": note});
    who.put("/plan/return/audit", crate::org::with(body, changes)).await
}
