//! `/org/payee`: the legal bodies of ours that organisations pay.

use serde_json::{Value, json};

use crate::support::{TestApp, on_both};

/// A form that everybody accepts.
pub fn form(name: &str) -> Value {
    json!({
        "name": name, "taxNo": "91310115ma1demo001", "bankName": "示例银行", "bankAccount": "6222 0212 3456 7890", "address": "上海",
        "phone": "021-50000000", "invoiceTypes": ["plain", "electronic"], "status": "enabled"
    })
}

on_both!(a_payees_account_is_kept_sealed);
async fn a_payees_account_is_kept_sealed(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = admin.post("/org/payee", form("领航科技")).await.ok();
    let id = row["id"].as_i64().unwrap();
    assert_eq!((&row["bankAccountMask"], &row["taxNo"]), (&json!("**** **** 7890"), &json!("91310115MA1DEMO001")));
    assert_eq!(admin.get(&format!("/org/payee/reveal/{id}")).await.ok(), json!({"bankAccount": "6222021234567890"}));
    let mut body = super::with(form("领航科技"), json!({"id": id, "version": 1, "bankName": "另一家银行"}));
    body.as_object_mut().unwrap().remove("bankAccount");
    assert_eq!(admin.put("/org/payee", body.clone()).await.ok()["version"], 2);
    assert_eq!(admin.put("/org/payee", body).await.refused("1005")["current"]["version"], 2);
    assert_eq!(admin.get(&format!("/org/payee/reveal/{id}")).await.ok(), json!({"bankAccount": "6222021234567890"}), "it is kept");

    let seen = [
        admin.get(&format!("/org/payee/{id}")).await.ok().to_string(),
        admin.get(&format!("/org/payee/history/{id}")).await.ok().to_string(),
        admin.post("/org/payee/page", json!({"keyword": "领"})).await.ok().to_string(),
        app.text("SELECT bank_account_enc FROM payee_organisation").await,
    ];
    for text in seen {
        assert!(!text.contains("6222021234567890"), "{text}");
    }
}

on_both!(each_wrong_field_of_a_payee_is_named);
async fn each_wrong_field_of_a_payee_is_named(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (field, value) in [
        ("name", json!("")),
        ("taxNo", json!("123")),
        ("bankName", json!(" ")),
        ("bankAccount", json!("")),
        ("bankAccount", json!("12ab5678")),
        ("bankAccount", json!("123")),
        ("phone", json!("call me")),
        ("address", json!("好".repeat(201))),
        ("invoiceTypes", json!(["plain", "plain"])),
    ] {
        admin.post("/org/payee", super::with(form("领航科技"), json!({ field: value }))).await.wrong(field);
    }
    admin.post("/org/payee", super::with(form("领航科技"), json!({"invoiceTypes": ["paper"]}))).await.refused("4000");
    admin.post("/org/payee", form("领航科技")).await.ok();
    admin.post("/org/payee", form("领航科技")).await.refused("1005");
    assert_eq!(app.count("SELECT COUNT(*) FROM payee_organisation").await, 1);
}

on_both!(a_payee_that_is_paid_stays);
async fn a_payee_that_is_paid_stays(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let payee = admin.post("/org/payee", form("领航科技")).await.ok()["id"].as_i64().unwrap();
    assert_eq!(admin.get("/org/payee/options").await.ok(), json!([{"value": payee, "label": "领航科技"}]));
    let org = admin.post("/org", super::with(super::form("tianxuan"), json!({"payeeOrgId": payee}))).await.ok();
    assert_eq!(org["payeeOrgName"], "领航科技");
    admin.delete(&format!("/org/payee/{payee}")).await.refused("1006");
    // One that is switched off stays with whom it is, and nobody else chooses it.
    admin.put("/org/payee", super::with(form("领航科技"), json!({"id": payee, "version": 1, "status": "disabled"}))).await.ok();
    assert_eq!(admin.get("/org/payee/options").await.ok(), json!([]));
    admin.post("/org", super::with(super::form("another"), json!({"payeeOrgId": payee}))).await.wrong("payeeOrgId");
    let id = org["id"].as_i64().unwrap();
    admin.put("/org", super::edit("tianxuan", id, 1, json!({"payeeOrgId": payee, "name": "同一个"}))).await.ok();
    admin.put("/org", super::edit("tianxuan", id, 2, json!({}))).await.ok();
    admin.delete(&format!("/org/payee/{payee}")).await.ok();
    admin.get(&format!("/org/payee/{payee}")).await.refused("1004");
    admin.post("/org/payee", form("领航科技")).await.ok();
}
