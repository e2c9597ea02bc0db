//! `/finance`: recharges, accounts with their entries and adjustments, statements, and the chain of the ledger.

mod account;
mod chain;
mod gift;
mod histories;
mod incoming;
pub mod invoice;
mod journal;
mod outgoing;
pub mod recharge;
pub mod red_invoice;
mod statement;

use serde_json::{Value, json};

use crate::org::with;
use crate::support::{Actor, TestApp};

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

/// Its refusal.
pub fn refusal(row: &Value) -> Value {
    json!({"id": row["id"], "version": row["version"], "approve": false, "note": "对不上"})
}

/// The account of an organisation as a list shows it.
pub async fn account(actor: &Actor, org_id: i64) -> Value {
    actor.get(&format!("/finance/account/{org_id}")).await.ok()
}

/// What the accounts of the books do not agree on.
pub async fn wrong(app: &TestApp) -> Vec<leadlane::finance::verify::Discrepancy> {
    leadlane::finance::verify::verify(&app.app.db).await.unwrap()
}
