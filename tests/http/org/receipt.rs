//! `/org/receipt`: entered, decided on by somebody else, credited once, taken back.

use serde_json::{Value, json};

use super::{payee, with};
use crate::support::{Actor, TestApp, on_both};
use crate::upload::png;

async fn form(app: &TestApp, changes: Value) -> Value {
    if app.count("SELECT COUNT(*) FROM payee_organisation").await == 0 {
        app.sign_in("admin").await.post("/org/payee", payee::form("领航收款")).await.ok();
    }
    let form = json!({
        "orgId": app.organisation("north").await, "payeeOrgId": app.count("SELECT MIN(id) FROM payee_organisation").await,
        "bizType": "recharge", "amountCents": 500_000, "payMethod": "bank", "paidAt": app.now() - 3_600_000, "payerName": "北辰",
        "bankSerial": "SN-1", "proofFileIds": [], "remark": ""
    });
    with(form, changes)
}

async fn make(app: &TestApp, actor: &Actor, changes: Value) -> Value {
    actor.post("/org/receipt", form(app, changes).await).await.ok()
}

fn decision(row: &Value, status: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "status": status, "note": if status == "confirmed" { "" } else { "对不上" }})
}

async fn balance(app: &TestApp) -> (i64, i64) {
    (
        app.count("SELECT COALESCE(CAST(SUM(balance_cents) AS BIGINT), 0) FROM org_account").await,
        app.count("SELECT COUNT(*) FROM account_ledger").await,
    )
}

on_both!(a_confirmed_receipt_is_credited_once_and_taken_back_once);
async fn a_confirmed_receipt_is_credited_once_and_taken_back_once(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await.in_english(), app.sign_in("operator").await.in_english());
    let row = make(&app, &operator, json!({})).await;
    assert_eq!((&row["status"], &row["orgName"], &row["creatorName"]), (&json!("waiting"), &json!("北辰"), &json!("platform operator")));
    let own = operator.put("/org/receipt/status", decision(&row, "confirmed")).await;
    own.refused("1006");
    assert!(own.desc().contains("of their own"), "{}", own.desc());
    assert_eq!(balance(&app).await, (0, 0));

    let wanted = decision(&row, "confirmed");
    let answers = futures_util::future::join_all((0..4).map(|_| admin.put("/org/receipt/status", wanted.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1);
    assert_eq!(balance(&app).await, (500_000, 1));
    let funds = admin.get(&format!("/plan/balance?orgId={}", row["orgId"])).await.ok();
    assert_eq!(funds["availableCents"], 500_000);
    let confirmed = admin.get(&format!("/org/receipt/{}", row["id"])).await.ok();
    assert_eq!((&confirmed["status"], &confirmed["reviewerName"]), (&json!("confirmed"), &json!("platform admin")));
    admin.put("/org/receipt", form(&app, json!({"id": row["id"], "version": confirmed["version"]})).await).await.refused("1006");
    admin.delete(&format!("/org/receipt/{}", row["id"])).await.refused("1006");
    let history = admin.get(&format!("/org/receipt/history/{}", row["id"])).await.ok();
    assert_eq!(history[0]["action"], "money");

    // What is spent already cannot be taken back; what is there can, once.
    app.execute("UPDATE org_account SET frozen_cents = 1").await;
    let short = admin.put("/org/receipt/status", decision(&confirmed, "void")).await;
    short.refused("1006");
    assert!(short.desc().contains("only 4,999.99 CNY"), "{}", short.desc());
    app.execute("UPDATE org_account SET frozen_cents = 0").await;
    admin.put("/org/receipt/status", with(decision(&confirmed, "void"), json!({"note": " "}))).await.wrong("note");
    assert_eq!(admin.put("/org/receipt/status", decision(&confirmed, "void")).await.ok()["status"], "void");
    assert_eq!(balance(&app).await, (0, 2));
    let last = app
        .text("SELECT type || ' ' || amount_cents || ' ' || balance_after_cents || ' ' || seq FROM account_ledger ORDER BY id DESC LIMIT 1")
        .await;
    assert_eq!(last, "reversal -500000 0 2");
    // Its serial number may be entered anew.
    make(&app, &operator, json!({})).await;
}

on_both!(a_rejected_receipt_waits_again_once_it_is_corrected);
async fn a_rejected_receipt_waits_again_once_it_is_corrected(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = make(&app, &operator, json!({"bizType": "other"})).await;
    let rejected = admin.put("/org/receipt/status", decision(&row, "rejected")).await.ok();
    assert_eq!((&rejected["status"], &rejected["reviewNote"]), (&json!("rejected"), &json!("对不上")));
    admin.put("/org/receipt/status", decision(&rejected, "confirmed")).await.refused("1006");
    let changes = json!({"id": row["id"], "version": rejected["version"], "bizType": "other", "amountCents": 480_000});
    let again = operator.put("/org/receipt", form(&app, changes.clone()).await).await.ok();
    assert_eq!((&again["status"], &again["reviewNote"], &again["amountCents"]), (&json!("waiting"), &json!(null), &json!(480_000)));
    assert_eq!(operator.put("/org/receipt", form(&app, changes).await).await.refused("1005")["current"], again);
    // What has nothing to do with the account is confirmed without an entry.
    admin.put("/org/receipt/status", decision(&again, "confirmed")).await.ok();
    assert_eq!(balance(&app).await, (0, 0));
}

on_both!(each_wrong_field_of_a_receipt_is_named);
async fn each_wrong_field_of_a_receipt_is_named(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (field, value) in [
        ("orgId", json!(999_999)),
        ("payeeOrgId", json!(999_999)),
        ("amountCents", json!(0)),
        ("amountCents", json!(10_000_000_001i64)),
        ("paidAt", json!(0)),
        ("paidAt", json!(app.now() + 3 * 24 * 3600 * 1000)),
        ("payerName", json!(" ")),
        ("bankSerial", json!(null)),
        ("bankSerial", json!("流水")),
        ("proofFileIds", json!([999_999])),
        ("proofFileIds", json!([1, 2, 3, 4, 5, 6])),
        ("remark", json!("好".repeat(501))),
    ] {
        let answer = admin.post("/org/receipt", form(&app, json!({ field: value })).await).await;
        assert!(!answer.wrong(field).is_empty(), "{field}: {value}");
    }
    for changes in [json!({"status": "confirmed"}), json!({"bizType": "gift"}), json!({"amountCents": "1"}), json!({"id": 1})] {
        admin.post("/org/receipt", form(&app, changes).await).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM receipt").await, 0);
    make(&app, &admin, json!({})).await;
    admin.post("/org/receipt", form(&app, json!({"payerName": "另一个"})).await).await.refused("1005");
}

on_both!(proofs_are_seen_by_who_sees_the_receipt);
async fn proofs_are_seen_by_who_sees_the_receipt(app: TestApp) {
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'org_manager' AND m.path LIKE 'org/receipt/%'").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let admin = app.sign_in("admin").await;
    let file = admin.upload("/common/upload", &[("bizType", "receipt_proof")], "回单.png", &png()).await.ok();
    let row = make(&app, &admin, json!({"proofFileIds": [file["id"]]})).await;
    assert_eq!(row["proofFiles"][0]["name"], "回单.png");
    let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    let path = format!("/common/file/{}", file["id"]);
    assert_eq!(north.get(&path).await.status, 200);
    south.get(&path).await.refused("1004");
    assert_eq!(north.post("/org/receipt/page", json!({})).await.ok()["total"], 1);
    assert_eq!(south.post("/org/receipt/page", json!({})).await.ok()["total"], 0);
    south.get(&format!("/org/receipt/{}", row["id"])).await.refused("1004");
    for (who, code) in [(&north, "1003"), (&south, "1004")] {
        who.put("/org/receipt/status", decision(&row, "confirmed")).await.refused(code);
        who.delete(&format!("/org/receipt/{}", row["id"])).await.refused(code);
    }
    north.post("/org/receipt", form(&app, json!({"bankSerial": "SN-2"})).await).await.refused("1003");
    let csv = admin.export("/org/receipt/page/export", json!({"format": "csv"})).await;
    let csv = String::from_utf8_lossy(&csv.body).into_owned();
    assert!(csv.contains("5000.00") && csv.contains("SN-1") && csv.contains("待确认"), "{csv}");
    admin.delete(&format!("/org/receipt/{}", row["id"])).await.ok();
    assert_eq!(north.get(&path).await.refused("1004"), Value::Null);
}
