//! Payments of organisations that have come in.

use serde_json::{Value, json};

use crate::org::with;
use crate::{Actor, Answer, TestApp};

pub async fn form(app: &TestApp, changes: Value) -> Value {
    crate::pay::payee_id(app).await;
    let form = json!({
        "orgId": app.organisation("north").await, "payeeOrgId": app.count("SELECT MIN(id) FROM payee_organisation").await,
        "bizType": "recharge", "amountCents": 500_000, "payMethod": "bank", "paidAt": app.now() - 3_600_000, "payerName": "北辰",
        "bankSerial": "SN-1", "proofFileIds": [], "remark": ""
    });
    with(form, changes)
}

/// Enters a receipt of North Star.
pub async fn make(app: &TestApp, actor: &Actor, changes: Value) -> Value {
    actor.post("/org/receipt", form(app, changes).await).await.ok()
}

pub fn decision(row: &Value, status: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "status": status, "note": if status == "confirmed" { "" } else { "对不上" }})
}

/// Asks for the voiding of a receipt.
pub async fn ask_void(actor: &Actor, row: &Value) -> Answer {
    actor.put("/org/receipt/void", json!({"id": row["id"], "version": row["version"], "note": "付款方撤回"})).await
}

/// A receipt of North Star that was entered, confirmed and credited.
pub async fn confirmed(app: &TestApp) -> Value {
    let row = make(app, &app.sign_in("operator").await, json!({})).await;
    app.sign_in("admin").await.put("/org/receipt/status", decision(&row, "confirmed")).await.ok()
}
