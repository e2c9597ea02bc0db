//! Invoices.

use serde_json::{Value, json};

use crate::TestApp;
use crate::org::{payee, with};

/// An organisation that pays a payee has spent a yuan.
pub async fn sold_with_a_payee(app: &TestApp, org_id: i64) {
    if app.count("SELECT COUNT(*) FROM payee_organisation").await == 0 {
        let row = app.sign_in("admin").await.post("/org/payee", payee::form("收款主体")).await.ok();
        app.approve("/org/payee", &row).await;
    }
    let mut tx = app.app.db.begin().await.unwrap();
    let payee: i64 = sqlx::query_scalar("SELECT MIN(id) FROM payee_organisation").fetch_one(&mut *tx).await.unwrap();
    trade::ledger::invoiceable::payee_changed(&mut tx, org_id, Some(payee), app.now()).await.unwrap();
    trade::ledger::account::open(&mut tx, org_id, app.now()).await.unwrap();
    sqlx::query("UPDATE org_account SET total_spend_cents = total_spend_cents + 100 WHERE org_id = $1")
        .bind(org_id)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// A request of North Star.
pub async fn form(app: &TestApp, changes: Value) -> Value {
    let form = json!({
        "orgId": app.organisation("north").await, "payeeOrgId": app.count("SELECT MIN(id) FROM payee_organisation").await, "kind": "plain",
        "titleType": "company", "title": "北辰银行", "taxNo": "91310000MA1FL0XXXX", "amountCents": 6000, "content": "信息服务费",
        "receiverName": "邵明", "receiverPhone": "13812340001", "receiverAddress": "人民路 18 号", "remark": ""
    });
    with(form, changes)
}

pub fn status(row: &Value, status: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "status": status, "note": if status == "approved" { "" } else { "抬头有误" }})
}

/// What an invoice was issued as today.
pub fn issue(app: &TestApp, row: &Value, changes: Value) -> Value {
    let today = base::clock::day(app.now()).to_string();
    with(
        json!({"id": row["id"], "version": row["version"], "invoiceCode": "031002500111", "invoiceNumber": "12345678", "issuedOn": today}),
        changes,
    )
}

/// An invoice of North Star that its manager asked for and the administrator approved and issued.
pub async fn issued(app: &TestApp, changes: Value) -> Value {
    let (admin, north) = (app.sign_in("admin").await, app.sign_in("north.manager").await);
    let row = north.post("/finance/invoice", form(app, changes).await).await.ok();
    let row = admin.put("/finance/invoice/status", status(&row, "approved")).await.ok();
    admin.put("/finance/invoice/issue", issue(app, &row, json!({}))).await.ok()
}
