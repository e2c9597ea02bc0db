//! `/finance/invoice`: asked for within what was spent, approved by another person, issued, sent, voided.

use serde_json::{Value, json};

use super::wrong;
use testing::finance::credited;
use testing::finance::invoice::{form, issue, status};
use testing::lead::{application, bring, channel, plan};
use testing::org::{payee, with};
use testing::plan::begin;
use testing::{Actor, TestApp, on_both};

/// North Star pays a payee and has bought two leads, at 90 yuan together.
pub async fn spent(app: &TestApp) -> Actor {
    begin(app);
    let admin = app.sign_in("admin").await;
    credited(app, json!({})).await;
    pays(app, app.count("SELECT MIN(id) FROM payee_organisation").await).await;
    let partner = channel(app, json!({})).await;
    plan(app, &admin, json!({})).await;
    for number in 1..=2 {
        bring(app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    admin
}

/// North Star pays this payee from now on.
async fn pays(app: &TestApp, payee_org_id: i64) {
    let (org_id, now) = (app.organisation("north").await, app.now());
    let mut tx = app.app.db.begin().await.unwrap();
    trade::ledger::invoiceable::payee_changed(&mut tx, org_id, Some(payee_org_id), now).await.unwrap();
    let sql = "UPDATE organisation SET payee_org_id = $1 WHERE id = $2";
    sqlx::query(sql).bind(payee_org_id).bind(org_id).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
}

pub async fn invoiceable(actor: &Actor) -> i64 {
    actor.post("/finance/invoiceable/page", json!({})).await.ok()["list"][0]["invoiceableCents"].as_i64().unwrap()
}

on_both!(an_invoice_goes_from_request_to_courier);
async fn an_invoice_goes_from_request_to_courier(app: TestApp) {
    let admin = spent(&app).await;
    let north = app.sign_in("north.manager").await;
    assert_eq!(invoiceable(&north).await, 9000);
    let row = north.post("/finance/invoice", form(&app, json!({})).await).await.ok();
    assert_eq!((&row["status"], &row["receiverPhoneMask"]), (&json!("waiting"), &json!("138****0001")));
    assert_eq!(invoiceable(&north).await, 3000);
    north.post("/finance/invoice", form(&app, json!({"amountCents": 3001})).await).await.wrong("amountCents");
    assert!(!app.count("SELECT COUNT(*) FROM invoice WHERE receiver_phone_enc LIKE '%13812340001%'").await.is_positive());
    assert_eq!(admin.get(&format!("/finance/invoice/reveal/{}", row["id"])).await.ok()["receiverPhone"], "13812340001");
    let messages = admin.post("/message/page", json!({"kind": "todo"})).await.ok()["list"].to_string();
    assert!(messages.contains("发票待审"), "{messages}");
    admin.put("/finance/invoice/status", status(&row, "issued")).await.refused("4000");
    admin.put("/finance/invoice/status", status(&row, "void")).await.refused("1006");
    let issue = |row: &Value, changes: Value| issue(&app, row, changes);
    admin.put("/finance/invoice/issue", issue(&row, json!({}))).await.refused("1006");
    let row = admin.put("/finance/invoice/status", status(&row, "approved")).await.ok();
    for (field, value) in
        [("invoiceNumber", json!("12")), ("invoiceCode", json!("x")), ("issuedOn", json!("2099-01-01")), ("fileIds", json!([9]))]
    {
        admin.put("/finance/invoice/issue", issue(&row, json!({ field: value }))).await.wrong(field);
    }
    let row = admin.put("/finance/invoice/issue", issue(&row, json!({}))).await.ok();
    let sending = |courier: &str| json!({"id": row["id"], "version": row["version"], "courier": courier, "trackingNo": "SF1"});
    admin.put("/finance/invoice/send", sending("")).await.wrong("courier");
    let row = admin.put("/finance/invoice/send", sending("顺丰")).await.ok();
    assert_eq!((&row["status"], &row["courier"]), (&json!("sent"), &json!("顺丰")));
    let messages = north.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("发票已寄出") && messages.contains("顺丰 SF1"), "{messages}");
    // A void invoice leaves its amount to another, whose number is its own.
    admin.put("/finance/invoice/status", json!({"id": row["id"], "version": row["version"], "status": "void"})).await.wrong("note");
    admin.put("/finance/invoice/status", status(&row, "void")).await.ok();
    assert_eq!(invoiceable(&admin).await, 9000);
    // Both decisions are in the table of decisions.
    for action in ["approve_invoice", "void_invoice"] {
        let decided =
            format!("SELECT COUNT(*) FROM decision WHERE target_type = 'invoice' AND status = 'approved' AND action = '{action}'");
        assert_eq!(app.count(Box::leak(decided.into_boxed_str())).await, 1, "{action}");
    }
    let row = north.post("/finance/invoice", form(&app, json!({"amountCents": 9000})).await).await.ok();
    let row = admin.put("/finance/invoice/status", status(&row, "approved")).await.ok();
    admin.put("/finance/invoice/issue", issue(&row, json!({}))).await.wrong("invoiceNumber");
    let row = admin.put("/finance/invoice/status", status(&row, "refused")).await.ok();
    assert_eq!((&row["status"], invoiceable(&admin).await), (&json!("refused"), 9000));
    assert_eq!(admin.get(&format!("/finance/invoice/history/{}", row["id"])).await.ok().as_array().unwrap().len(), 3);
    let mut wrong = wrong(&app).await;
    wrong.retain(|one| one.what == "invoice");
    assert_eq!(wrong, []);
}

on_both!(requests_at_once_never_exceed_what_was_spent);
async fn requests_at_once_never_exceed_what_was_spent(app: TestApp) {
    let admin = spent(&app).await;
    let wanted = form(&app, json!({"amountCents": 4000})).await;
    let answers = futures_util::future::join_all((0..5).map(|_| admin.post("/finance/invoice", wanted.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 2);
    assert_eq!(app.count("SELECT CAST(SUM(cents) AS BIGINT) FROM org_payee_invoiced").await, 8000);
}

on_both!(what_is_spent_with_one_payee_is_not_invoiced_by_another);
async fn what_is_spent_with_one_payee_is_not_invoiced_by_another(app: TestApp) {
    let admin = spent(&app).await;
    let second = admin.post("/org/payee", with(payee::form("另一收款"), json!({"invoiceTypes": ["electronic"]}))).await.ok();
    pays(&app, second["id"].as_i64().unwrap()).await;
    let electronic = json!({"payeeOrgId": second["id"], "kind": "electronic", "receiverEmail": "a@b.cn", "amountCents": 1});
    admin.post("/finance/invoice", form(&app, json!({"payeeOrgId": second["id"]})).await).await.wrong("kind");
    admin.post("/finance/invoice", form(&app, electronic.clone()).await).await.wrong("amountCents");
    let partner = testing::open::partner(&app, "lead-two", json!({"settleMode": "none"})).await;
    bring(&app, &partner, "r-9", application(9, json!({}))).await.ok();
    app.distribute().await;
    admin.post("/finance/invoice", form(&app, with(electronic, json!({"amountCents": 4500}))).await).await.ok();
    admin.post("/finance/invoice", form(&app, json!({"amountCents": 9001})).await).await.wrong("amountCents");
    admin.post("/finance/invoice", form(&app, json!({"amountCents": 9000})).await).await.ok();
    let page = admin.post("/finance/invoiceable/page", json!({})).await.ok();
    let rest: Vec<i64> = page["list"].as_array().unwrap().iter().map(|row| row["invoiceableCents"].as_i64().unwrap()).collect();
    assert_eq!(rest, [0, 0]);
}

on_both!(a_refund_before_a_change_of_payee_is_counted_once);
async fn a_refund_before_a_change_of_payee_is_counted_once(app: TestApp) {
    let admin = spent(&app).await;
    let first = app.count("SELECT MIN(id) FROM payee_organisation").await;
    let second = admin.post("/org/payee", payee::form("另一收款")).await.ok()["id"].as_i64().unwrap();
    pays(&app, second).await;
    app.execute("UPDATE organisation SET return_allowed = 1, return_auto = 1, return_max_days = 9, return_max_bp = 10000").await;
    testing::returns::ask(&admin, app.count("SELECT MIN(id) FROM push_record").await, json!({})).await.ok();
    for payee in [first, second, first] {
        pays(&app, payee).await;
    }
    let page = admin.post("/finance/invoiceable/page", json!({})).await.ok();
    let all: i64 = page["list"].as_array().unwrap().iter().map(|row| row["spentCents"].as_i64().unwrap()).sum();
    assert_eq!(all, 4500, "what was spent, less what was refunded, however often the payee changes");
}

on_both!(what_is_no_request_is_refused_and_strangers_see_none);
async fn what_is_no_request_is_refused_and_strangers_see_none(app: TestApp) {
    let admin = spent(&app).await;
    let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    for (field, changes) in [
        ("amountCents", json!({"amountCents": 0})),
        ("amountCents", json!({"amountCents": -5})),
        ("amountCents", json!({"amountCents": i64::MAX})),
        ("title", json!({"title": " "})),
        ("taxNo", json!({"taxNo": "12"})),
        ("taxNo", json!({"taxNo": null})),
        ("bank", json!({"kind": "special", "bankAccount": "1", "regAddress": "x", "regPhone": "1"})),
        ("bankAccount", json!({"kind": "special", "bank": "x", "bankAccount": "a1", "regAddress": "x", "regPhone": "1"})),
        ("receiverPhone", json!({"receiverPhone": "12"})),
        ("receiverPhone", json!({"receiverPhone": "20000070009"})),
        ("receiverPhone", json!({"receiverPhone": "138123400.01"})),
        ("receiverEmail", json!({"kind": "electronic"})),
        ("payeeOrgId", json!({"payeeOrgId": 999})),
        ("orgId", json!({"orgId": 999})),
    ] {
        admin.post("/finance/invoice", form(&app, changes).await).await.wrong(field);
    }
    admin.post("/finance/invoice", form(&app, json!({"amountCents": 10.001})).await).await.refused("4000");
    south.post("/finance/invoice", form(&app, json!({})).await).await.wrong("orgId");
    let row = admin.post("/finance/invoice", form(&app, json!({})).await).await.ok();
    admin.put("/finance/invoice/status", status(&row, "approved")).await.refused("1006");
    north.get(&format!("/finance/invoice/{}", row["id"])).await.ok();
    south.get(&format!("/finance/invoice/{}", row["id"])).await.refused("1004");
    assert_eq!(south.post("/finance/invoice/page", json!({})).await.ok()["total"], 0);
    assert_eq!(south.post("/finance/invoiceable/page", json!({})).await.ok()["total"], 0);
    north.put("/finance/invoice/withdraw", json!({"id": row["id"], "version": row["version"]})).await.refused("1006");
    let row = admin.put("/finance/invoice/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
    assert_eq!((&row["status"], invoiceable(&north).await), (&json!("withdrawn"), 9000));
}
