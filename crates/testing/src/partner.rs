//! What channels are paid.

use axum::http::Method;
use serde_json::{Value, json};
use trade::ledger::journal::{self, Source};

use crate::org::with;
use crate::{Actor, Answer, TestApp};

/// A channel of the channel manager.
pub async fn channel(app: &TestApp, code: &str) -> i64 {
    let form = json!({
        "code": format!("channel-{code}"), "name": format!("渠道 {code}"), "type": "h5", "settleMode": "uv", "unitPriceCents": 100, "shareBp": 0, "landingUrl": null,
        "ipAllow": [], "callbackUrl": null, "dedupDays": null, "ownerAdminId": app.account("channel.manager").await, "remark": ""
    });
    app.sign_in("operator").await.post("/channel", form).await.ok()["id"].as_i64().unwrap()
}

/// An item of a channel with its transfer, and no cost that it is for. It is of an applicant whose costs are still to be added up: such
/// items are not compared.
pub async fn item(app: &TestApp, channel_id: i64, kind: &str, cents: i64, day: &str) -> i64 {
    app.execute(
        "INSERT INTO lead_event (day, channel_id, system, kind, cost_cents, income_cents, user_id) SELECT '2026-01-01', 0, 'h5', 'sold', 1, 0, 900000 \
         WHERE NOT EXISTS (SELECT 1 FROM lead_event WHERE user_id = 900000)",
    )
    .await;
    let at = app.now();
    let mut tx = app.app.db.begin().await.unwrap();
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO partner_item (channel_id, kind, amount_cents, day, at, user_id, idem_key) VALUES ($1, $2, $3, $4, $5, 900000, $6) RETURNING id",
    )
    .bind(channel_id)
    .bind(kind)
    .bind(cents)
    .bind(day)
    .bind(at)
    .bind(format!("{kind}-{channel_id}-{day}-{cents}"))
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    if kind == "visit" {
        sqlx::query("INSERT INTO visit_booking (day, partner_cents, org_cents) VALUES ($1, $2, 0)")
            .bind(day)
            .bind(cents)
            .execute(&mut *tx)
            .await
            .unwrap();
    }
    journal::enter(&mut tx, Source::Item, id, at).await.unwrap();
    tx.commit().await.unwrap();
    id
}

/// A statement of a month long ago with one yuan of sales, whatever the time is.
pub async fn made_now(app: &TestApp, code: &str) -> Value {
    let id = channel(app, code).await;
    item(app, id, "sold", 100, "2025-12-01").await;
    app.sign_in("admin").await.post("/partner/statement", json!({"channelId": id, "month": "2025-12"})).await.ok()
}

/// Has the channel confirm a statement by its link.
pub async fn confirm(app: &TestApp, statement: &Value) {
    let path = sent(&app.sign_in("admin").await, statement).await;
    assert_eq!(answer(app, &path, statement, "answer=confirm").await.status.as_u16(), 303);
}

/// The id of a record and its version.
pub fn version(row: &Value) -> Value {
    json!({"id": row["id"], "version": row["version"]})
}

/// What asks to take a statement, as it was read, as confirmed by other means; the proof is uploaded.
pub async fn confirmation(who: &Actor, statement: &Value, changes: Value) -> Value {
    let fields = [("bizType", "partner_confirmation_proof")];
    let proof = who.upload("/common/upload", &fields, "确认函.png", &crate::upload::png()).await.ok();
    let form = json!({"id": statement["id"], "version": statement["version"], "reason": "邮件确认", "proofFileIds": [proof["id"]]});
    with(form, changes)
}

/// Sends a statement as it is now, and returns the path of its link.
pub async fn sent(who: &Actor, statement: &Value) -> String {
    let now = who.get(&format!("/partner/statement/{}", statement["id"])).await.ok();
    let answer = who.post("/partner/statement/send", version(&now)).await.ok();
    answer["path"].as_str().unwrap().to_owned()
}

/// Answers a statement by its link.
pub async fn answer(app: &TestApp, path: &str, statement: &Value, fields: &str) -> Answer {
    let form = format!("statement={}&{fields}", statement["statementNo"].as_str().unwrap());
    app.stranger().ask(Method::POST, path, form.into_bytes()).await
}

/// The form of a payout.
pub async fn payout_form(app: &TestApp, statement: &Value, changes: Value) -> Value {
    let payee = crate::pay::payee_id(app).await;
    with(json!({"statementId": statement["id"], "payeeOrgId": payee, "amountCents": 4000, "remark": ""}), changes)
}

/// The form of a payment of January 10 that was made before the books, which are complete since January 15.
pub async fn opening_form(app: &TestApp, statement: &Value, changes: Value) -> Value {
    app.execute("UPDATE partner_progress SET upto = 1768406400000 WHERE source = 'done'").await;
    let payee = crate::pay::payee_id(app).await;
    let form = json!({
        "statementId": statement["id"], "payeeOrgId": payee, "amountCents": 6000, "taxCents": 0, "day": "2026-01-10", "bankNumber": "O-1",
        "remark": "", "proofFileIds": []
    });
    with(form, changes)
}
