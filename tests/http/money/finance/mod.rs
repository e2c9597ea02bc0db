//! `/finance`: recharges, accounts with their entries and adjustments, statements, and the chain and the head of the ledger.

mod account;
mod bounds;
mod chain;
mod gift;
mod head;
mod histories;
mod incoming;
mod invoice;
mod journal;
mod outgoing;
mod recharge;
mod red_invoice;
mod statement;

use serde_json::{Value, json};
use sqlx::Row;

use testing::{Actor, TestApp};

/// The refusal of what waits of a record.
pub fn refusal(row: &Value) -> Value {
    json!({"id": row["id"], "version": row["version"], "approve": false, "note": "对不上"})
}

/// The account of an organisation as a list shows it.
pub async fn account(actor: &Actor, org_id: i64) -> Value {
    actor.get(&format!("/finance/account/{org_id}")).await.ok()
}

/// What the accounts of the books do not agree on.
pub async fn wrong(app: &TestApp) -> Vec<trade::ledger::verify::Discrepancy> {
    trade::ledger::verify::verify(&app.app.db).await.unwrap()
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
    base::crypto::sha256_hex(text.as_bytes())
}

/// What does not agree in the chains of the ledger and their seals.
pub async fn wrong_chains(app: &TestApp) -> Vec<(&'static str, Option<i64>)> {
    wrong(app).await.iter().filter(|one| ["chain", "seal"].contains(&one.what)).map(|one| (one.what, one.id)).collect()
}
