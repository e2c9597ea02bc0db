//! `/org/payee`: the legal bodies of ours that organisations pay.

use serde_json::{Value, json};

use testing::org::payee::form;
use testing::{TestApp, on_both};

/// A payee whose account a second person has approved.
pub async fn approved(app: &TestApp, name: &str) -> Value {
    let row = app.sign_in("admin").await.post("/org/payee", form(name)).await.ok();
    app.approve("/org/payee", &row).await
}

on_both!(another_account_holds_once_a_second_person_approves_it);
async fn another_account_holds_once_a_second_person_approves_it(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    // The first account waits as well.
    let row = admin.post("/org/payee", form("领航科技")).await.ok();
    assert_eq!(
        (&row["bankAccountMask"], &row["bankName"], &row["decision"]["action"]),
        (&json!(""), &json!(""), &json!("change_payee_account"))
    );
    assert_eq!(row["proposed"], json!({"bankName": "示例银行", "bankAccountMask": "**** **** 7890", "isAnotherAccount": true}));
    let decision = |row: &Value, approve: bool| json!({"id": row["id"], "version": row["version"], "approve": approve, "note": "原因"});
    admin.put("/org/payee/audit", decision(&row, true)).await.refused("1006");
    let row = operator.put("/org/payee/audit", decision(&row, true)).await.ok();
    assert_eq!((&row["bankAccountMask"], &row["bankName"], &row["proposed"]), (&json!("**** **** 7890"), &json!("示例银行"), &Value::Null));

    let path = format!("/org/payee/reveal/{}", row["id"]);
    let change = |row: &Value, changes: Value| {
        testing::org::with(
            form("领航科技"),
            testing::org::with(json!({"id": row["id"], "version": row["version"], "bankAccount": null}), changes),
        )
    };
    // What is no account is written at once, and the same account is no change.
    let row = admin.put("/org/payee", change(&row, json!({"phone": "021-1", "bankAccount": "6222 0212 3456 7890"}))).await.ok();
    assert_eq!((&row["phone"], &row["proposed"]), (&json!("021-1"), &Value::Null));
    let other = json!({"bankAccount": "9900123456780000", "phone": "021-2"});
    let row = admin.put("/org/payee", change(&row, other)).await.ok();
    assert_eq!((&row["phone"], &row["bankAccountMask"]), (&json!("021-2"), &json!("**** **** 7890")));
    assert_eq!(admin.get(&path).await.ok(), json!({"bankAccount": "6222021234567890", "proposed": "9900123456780000"}));
    assert!(!app.text("SELECT proposed_enc FROM payee_organisation").await.contains("99001234"));
    // The person who replaces a proposal becomes a maker, and only its newest version is approved.
    let seen = decision(&row, true);
    let row = operator.put("/org/payee", change(&row, json!({"bankName": "第三家银行"}))).await.ok();
    assert_eq!(row["proposed"], json!({"bankName": "第三家银行", "bankAccountMask": "**** **** 0000", "isAnotherAccount": true}));
    let third = super::receipt::third(&app, &["org/payee/audit"]).await;
    third.put("/org/payee/audit", seen).await.refused("1005");
    for maker in [&admin, &operator] {
        maker.put("/org/payee/audit", decision(&row, true)).await.refused("1006");
    }
    let todo = app
        .text("SELECT title_zh FROM message WHERE biz_type = 'payee_organisation' AND done_at IS NULL AND type = 'todo' ORDER BY id DESC")
        .await;
    assert!(todo.contains("领航科技"), "{todo}");
    // A rejection needs a reason, and leaves all as it was.
    third.put("/org/payee/audit", testing::org::with(decision(&row, false), json!({"note": ""}))).await.wrong("note");
    let row = third.put("/org/payee/audit", decision(&row, false)).await.ok();
    assert_eq!((&row["bankName"], &row["bankAccountMask"], &row["proposed"]), (&json!("示例银行"), &json!("**** **** 7890"), &Value::Null));
    assert_eq!(app.count("SELECT COUNT(*) FROM payee_organisation WHERE proposed_enc IS NOT NULL").await, 0);
    // Only its makers withdraw it.
    let row = admin.put("/org/payee", change(&row, json!({"bankAccount": "9900123456780000"}))).await.ok();
    let version = |row: &Value| json!({"id": row["id"], "version": row["version"]});
    operator.put("/org/payee/withdraw", version(&row)).await.refused("1006");
    let row = admin.put("/org/payee/withdraw", version(&row)).await.ok();
    assert_eq!(row["proposed"], Value::Null);
    third.put("/org/payee/audit", decision(&row, true)).await.refused("1006");
    // The trail says what was proposed and what became of it, with masks.
    let history = admin.get(&format!("/org/payee/history/{}", row["id"])).await.ok().to_string();
    assert!(history.contains("\"proposalDecision\"") && history.contains("\"rejected\""), "{history}");
    assert!(history.contains("asked.bankAccountMask") && history.contains("**** **** 0000") && history.contains("原因"), "{history}");
    assert!(!history.contains("9900123456780000"));
}

on_both!(a_reviewer_sees_that_an_account_with_the_same_mask_is_another);
async fn a_reviewer_sees_that_an_account_with_the_same_mask_is_another(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = approved(&app, "领航科技").await;
    let change = |row: &Value, changes: Value| {
        testing::org::with(
            form("领航科技"),
            testing::org::with(json!({"id": row["id"], "version": row["version"], "bankAccount": null}), changes),
        )
    };
    let proposed =
        |is_another: bool| json!({"bankName": "另一家银行", "bankAccountMask": "**** **** 7890", "isAnotherAccount": is_another});
    let row = admin.put("/org/payee", change(&row, json!({"bankName": "另一家银行"}))).await.ok();
    assert_eq!(row["proposed"], proposed(false), "the bank alone changes");
    let other = json!({"bankName": "另一家银行", "bankAccount": "6225 8888 1111 7890"});
    let row = admin.put("/org/payee", change(&row, other)).await.ok();
    assert_eq!((&row["proposed"], &row["bankAccountMask"]), (&proposed(true), &json!("**** **** 7890")));
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%isAnotherAccount%'").await, 0);

    // Who may decide on it may see both numbers, and those of no other record.
    let path = format!("/org/payee/reveal/{}", row["id"]);
    let other = approved(&app, "远山科技").await;
    app.sign_in("auditor").await.get(&path).await.refused("1003");
    let reviewer = super::receipt::third(&app, &["org/payee/audit"]).await;
    let both = json!({"bankAccount": "6222021234567890", "proposed": "6225888811117890"});
    assert_eq!(reviewer.get(&path).await.ok(), both);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'reveal'").await, 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 1);
    reviewer.get(&format!("/org/payee/reveal/{}", other["id"])).await.refused("1003");
    // A maker does not decide, and sees no number without the point of reveals.
    let reviewer = super::receipt::third(&app, &["org/payee/update"]).await;
    let row = reviewer.put("/org/payee", change(&row, json!({"bankName": "第三家银行"}))).await.ok();
    reviewer.get(&path).await.refused("1003");
    app.approve("/org/payee", &row).await;
    reviewer.get(&path).await.refused("1003");
}

on_both!(a_payees_account_is_kept_sealed);
async fn a_payees_account_is_kept_sealed(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let row = approved(&app, "领航科技").await;
    let id = row["id"].as_i64().unwrap();
    assert_eq!((&row["bankAccountMask"], &row["taxNo"]), (&json!("**** **** 7890"), &json!("91310115MA1DEMO001")));
    let shown = json!({"bankAccount": "6222021234567890", "proposed": null});
    assert_eq!(admin.get(&format!("/org/payee/reveal/{id}")).await.ok(), shown);
    let mut body = testing::org::with(form("领航科技"), json!({"id": id, "version": 2, "address": "北京"}));
    body.as_object_mut().unwrap().remove("bankAccount");
    let row = admin.put("/org/payee", body.clone()).await.ok();
    assert_eq!((&row["version"], &row["address"], &row["proposed"]), (&json!(3), &json!("北京"), &Value::Null));
    assert_eq!(admin.put("/org/payee", body).await.refused("1005")["current"]["version"], 3);
    assert_eq!(admin.get(&format!("/org/payee/reveal/{id}")).await.ok(), shown, "it is kept");

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
        admin.post("/org/payee", testing::org::with(form("领航科技"), json!({ field: value }))).await.wrong(field);
    }
    admin.post("/org/payee", testing::org::with(form("领航科技"), json!({"invoiceTypes": ["paper"]}))).await.refused("4000");
    admin.post("/org/payee", form("领航科技")).await.ok();
    admin.post("/org/payee", form("领航科技")).await.refused("1005");
    assert_eq!(app.count("SELECT COUNT(*) FROM payee_organisation").await, 1);
}

on_both!(a_payee_that_is_paid_stays);
async fn a_payee_that_is_paid_stays(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let payee = admin.post("/org/payee", form("领航科技")).await.ok()["id"].as_i64().unwrap();
    assert_eq!(admin.get("/org/payee/options").await.ok(), json!([{"value": payee, "label": "领航科技"}]));
    let org = admin.post("/org", testing::org::with(testing::org::form("tianxuan"), json!({"payeeOrgId": payee}))).await.ok();
    assert_eq!(org["payeeOrgName"], "领航科技");
    admin.delete(&format!("/org/payee/{payee}")).await.refused("1006");
    // One that is switched off stays with whom it is, and nobody else chooses it.
    admin.put("/org/payee", testing::org::with(form("领航科技"), json!({"id": payee, "version": 1, "status": "disabled"}))).await.ok();
    assert_eq!(admin.get("/org/payee/options").await.ok(), json!([]));
    admin.post("/org", testing::org::with(testing::org::form("another"), json!({"payeeOrgId": payee}))).await.wrong("payeeOrgId");
    let id = org["id"].as_i64().unwrap();
    admin.put("/org", testing::org::edit("tianxuan", id, 1, json!({"payeeOrgId": payee, "name": "同一个"}))).await.ok();
    admin.put("/org", testing::org::edit("tianxuan", id, 2, json!({}))).await.ok();
    admin.delete(&format!("/org/payee/{payee}")).await.ok();
    admin.get(&format!("/org/payee/{payee}")).await.refused("1004");
    admin.post("/org/payee", form("领航科技")).await.ok();
}
