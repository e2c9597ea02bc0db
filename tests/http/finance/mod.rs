//! `/finance`: recharges, accounts with their entries and adjustments, statements, and the chain and the head of the ledger.

mod account;
mod bounds;
mod chain;
mod gift;
mod head;
mod histories;
mod incoming;
pub mod invoice;
mod journal;
mod outgoing;
pub mod recharge;
pub mod red_invoice;
mod statement;

use serde_json::{Value, json};
use sqlx::Row;

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
pub async fn wrong(app: &TestApp) -> Vec<leadlane::ledger::verify::Discrepancy> {
    leadlane::ledger::verify::verify(&app.app.db).await.unwrap()
}

/// Makes the hashes of all entries again, as a person does who changes the database by SQL and has this function.
pub async fn hash_again(app: &TestApp, hash: impl Fn(&str) -> String) {
    let mut tx = app.app.db.begin().await.unwrap();
    let rows = sqlx::query(
        "SELECT id, account_id, seq, amount_cents, gift_part_cents, balance_after_cents, ref_id, at, type, ref_type, idem_key, remark, \
           operator_id FROM account_ledger ORDER BY account_id, seq",
    )
    .fetch_all(&mut *tx)
    .await
    .unwrap();
    let (mut account, mut before) = (0, String::new());
    for row in rows {
        let number = |name: &str| row.get::<i64, _>(name);
        let text = |name: &str| row.get::<String, _>(name);
        if number("account_id") != account {
            (account, before) = (number("account_id"), String::new());
        }
        let numbers = ["account_id", "seq", "amount_cents", "gift_part_cents", "balance_after_cents", "ref_id", "at"].map(number);
        let texts = ["type", "ref_type", "idem_key", "remark"].map(text);
        before = hash(&json!([before, numbers, texts, row.get::<Option<i64>, _>("operator_id")]).to_string());
        sqlx::query("UPDATE account_ledger SET hash = $1 WHERE id = $2").bind(&before).bind(number("id")).execute(&mut *tx).await.unwrap();
    }
    tx.commit().await.unwrap();
}

/// SHA-256 without a key, as programs from before wrote it.
pub fn plain(text: &str) -> String {
    leadlane::crypto::sha256_hex(text.as_bytes())
}

/// What does not agree in the chains of the ledger and their seals.
pub async fn wrong_chains(app: &TestApp) -> Vec<(&'static str, Option<i64>)> {
    wrong(app).await.iter().filter(|one| ["chain", "seal"].contains(&one.what)).map(|one| (one.what, one.id)).collect()
}
