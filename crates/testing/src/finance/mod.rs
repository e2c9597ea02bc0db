//! Recharges.

pub mod invoice;
pub mod recharge;
pub mod red_invoice;

use serde_json::{Value, json};

use crate::TestApp;
use crate::org::with;

/// An application for a recharge of North Star.
pub async fn form(app: &TestApp, changes: Value) -> Value {
    crate::pay::payee_id(app).await;
    let serial = format!("BK{:06}", app.count("SELECT COUNT(*) FROM recharge").await);
    let form = json!({
        "orgId": app.organisation("north").await, "payeeOrgId": app.count("SELECT MIN(id) FROM payee_organisation").await,
        "amountCents": 500_000, "giftCents": 0, "payMethod": "bank", "bankSerial": serial, "proofFileIds": [], "remark": ""
    });
    with(form, changes)
}

/// A credited recharge of North Star, applied for by the operator and confirmed by the administrator, also after one of the same amount.
pub async fn credited(app: &TestApp, changes: Value) -> Value {
    let row = app.sign_in("operator").await.post("/finance/recharge", form(app, changes).await).await.ok();
    let decision = with(approval(&row), json!({"anotherPayment": true}));
    app.sign_in("admin").await.put("/finance/recharge/audit", decision).await.ok()
}

/// The approval of what waits of a record.
pub fn approval(row: &Value) -> Value {
    json!({"id": row["id"], "version": row["version"], "approve": true})
}
