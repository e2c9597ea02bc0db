//! `/org/receipt`: entered, decided on by somebody else, credited once, taken back.

use base::db::Engine;
use serde_json::{Value, json};

use testing::org::receipt::{ask_void, decision, form, make};
use testing::org::with;
use testing::upload::png;
use testing::{Actor, TestApp, on_both, run};

async fn balance(app: &TestApp) -> (i64, i64) {
    (
        app.count("SELECT COALESCE(CAST(SUM(balance_cents) AS BIGINT), 0) FROM org_account").await,
        app.count("SELECT COUNT(*) FROM account_ledger").await,
    )
}

/// H6: whoever edits a receipt or decides on it has the receipt first, and none meets another half way.
/// Of SQLite's writers each has its turn.
#[tokio::test]
async fn who_decides_on_a_receipt_has_it_first() {
    run(Engine::Postgres, async |app: TestApp| {
        let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
        let row = make(&app, &operator, json!({})).await;
        let mut editor = app.app.db.begin().await.unwrap();
        sqlx::query("UPDATE receipt SET remark = remark").execute(&mut *editor).await.unwrap();
        let edited = async {
            app.until_somebody_waits().await;
            sqlx::query("SELECT 1 FROM decision FOR UPDATE NOWAIT").fetch_one(&mut *editor).await.expect("what it waits for is free");
            sqlx::query("UPDATE receipt SET amount_cents = 1, version = version + 1").execute(&mut *editor).await.unwrap();
            editor.commit().await.unwrap();
        };
        let (answer, ()) = tokio::join!(admin.put("/org/receipt/status", decision(&row, "confirmed")), edited);
        assert_eq!(answer.refused("1005")["current"]["amountCents"], 1);
    })
    .await;
}

// Who may decide is asked to, and not who entered it; who entered it hears how that ended, and why.
on_both!(a_receipt_is_handed_from_one_to_another_by_word);
async fn a_receipt_is_handed_from_one_to_another_by_word(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let todos = async |who: &Actor| {
        let list = who.post("/message/page", json!({"kind": "todo"})).await.ok()["list"].to_string();
        list.matches("收款单待审").count()
    };
    let heard = async |who: &Actor| who.post("/message/page", json!({})).await.ok()["list"].to_string();
    let row = make(&app, &operator, json!({})).await;
    assert_eq!((todos(&admin).await, todos(&operator).await), (1, 0));
    let rejected = admin.put("/org/receipt/status", decision(&row, "rejected")).await.ok();
    assert_eq!(todos(&admin).await, 0);
    let told = heard(&operator).await;
    assert!(told.contains("收款单被驳回") && told.contains("对不上"), "{told}");
    // Corrected it waits again.
    let again = with(form(&app, json!({})).await, json!({"id": row["id"], "version": rejected["version"], "remark": "已更正"}));
    let row = operator.put("/org/receipt", again).await.ok();
    assert_eq!(todos(&admin).await, 1);
    admin.put("/org/receipt/status", decision(&row, "confirmed")).await.ok();
    assert_eq!(todos(&admin).await, 0);
    assert!(heard(&operator).await.contains("收款单已确认"));
    assert!(!heard(&admin).await.contains("收款单已确认"));
    // What is deleted waits for nobody.
    let row = make(&app, &operator, json!({"bankSerial": "SN-9"})).await;
    assert_eq!(todos(&admin).await, 1);
    operator.delete(&format!("/org/receipt/{}", row["id"])).await.ok();
    assert_eq!(todos(&admin).await, 0);
}

// C2: what others stood in the way of is done again, and once.
on_both!(a_receipt_that_others_stand_in_the_way_of_is_decided_on_once);
async fn a_receipt_that_others_stand_in_the_way_of_is_decided_on_once(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let bodies = [form(&app, json!({})).await, form(&app, json!({"bankSerial": "SN-2"})).await];
    app.stand_in_the_way().await;
    let row = operator.post("/org/receipt", bodies[0].clone()).await.ok();
    let changed = with(bodies[0].clone(), json!({"id": row["id"], "version": row["version"], "remark": "二次核对"}));
    let row = operator.put("/org/receipt", changed).await.ok();
    let row = admin.put("/org/receipt/status", decision(&row, "confirmed")).await.ok();
    assert_eq!(balance(&app).await, (500_000, 1));
    let row = ask_void(&operator, &row).await.ok();
    let row = operator.put("/org/receipt/void/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
    let row = ask_void(&operator, &row).await.ok();
    admin.put("/org/receipt/status", decision(&row, "void")).await.ok();
    assert_eq!(balance(&app).await, (0, 2));
    let other = operator.post("/org/receipt", bodies[1].clone()).await.ok();
    operator.delete(&format!("/org/receipt/{}", other["id"])).await.ok();
    let told = app.trail("receipt", row["id"].as_i64().unwrap()).await;
    assert_eq!(told.len(), 7, "each once");
}

on_both!(a_confirmed_receipt_is_credited_once_and_taken_back_once);
async fn a_confirmed_receipt_is_credited_once_and_taken_back_once(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await.in_english(), app.sign_in("operator").await.in_english());
    let row = make(&app, &operator, json!({})).await;
    assert_eq!((&row["status"], &row["orgName"], &row["creatorName"]), (&json!("waiting"), &json!("北辰"), &json!("platform operator")));
    let own = operator.put("/org/receipt/status", decision(&row, "confirmed")).await;
    own.refused("1006");
    assert!(own.desc().contains("that you entered or changed"), "{}", own.desc());
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
    let asked = ask_void(&admin, &confirmed).await.ok();
    app.execute("UPDATE org_account SET frozen_cents = 1").await;
    let short = operator.put("/org/receipt/status", decision(&asked, "void")).await;
    short.refused("1006");
    assert!(short.desc().contains("only 4,999.99 CNY"), "{}", short.desc());
    // Credit is not paid out.
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 1000000").await;
    let short = operator.put("/org/receipt/status", decision(&asked, "void")).await;
    assert!(short.code() == "1006" && short.desc().contains("only 4,999.99 CNY"), "{}", short.desc());
    assert_eq!(balance(&app).await, (500_000, 1));
    app.execute("UPDATE org_account SET frozen_cents = 0").await;
    assert_eq!(operator.put("/org/receipt/status", decision(&asked, "void")).await.ok()["status"], "void");
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
    for changes in [json!({"status": "confirmed"}), json!({"bizType": "gift"}), json!({"amountCents": "1.5"}), json!({"id": 1})] {
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

on_both!(who_rewrote_a_receipt_does_not_confirm_it);
/// S-H2, H6: whoever rewrites a waiting receipt is one of its makers, and confirms it no more than its author.
async fn who_rewrote_a_receipt_does_not_confirm_it(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await.in_english(), app.sign_in("operator").await);
    let row = make(&app, &operator, json!({"amountCents": 100})).await;
    let million = json!({"id": row["id"], "version": row["version"], "amountCents": 10_000_000_000i64});
    let rewritten = admin.put("/org/receipt", form(&app, million).await).await.ok();
    let makers = [app.account("operator").await, app.account("admin").await];
    assert_eq!(rewritten["decision"]["makers"], json!(makers));
    assert_eq!(rewritten["decision"]["makerNames"].as_str().unwrap().split('、').count(), 2);
    for maker in [&admin, &operator] {
        for status in ["confirmed", "rejected"] {
            maker.put("/org/receipt/status", decision(&rewritten, status)).await.refused("1006");
        }
    }
    assert!(admin.put("/org/receipt/status", decision(&rewritten, "confirmed")).await.desc().contains("that you entered or changed"));
    assert_eq!(balance(&app).await, (0, 0));
    // Who looked at the first version decides on nothing.
    let third = third(&app, &["org/receipt/audit", "org/receipt/update"]).await;
    // Before, there was no account that may decide.
    assert_eq!(rewritten["decision"]["noOther"], true);
    let current = third.get(&format!("/org/receipt/{}", row["id"])).await.ok();
    assert_eq!(current["version"], rewritten["version"]);
    assert_eq!(third.put("/org/receipt/status", decision(&row, "confirmed")).await.refused("1005")["current"], current);
    third.put("/org/receipt/status", decision(&rewritten, "confirmed")).await.ok();
    assert_eq!(balance(&app).await, (10_000_000_000, 1));
    let decided = app.text("SELECT status || ' ' || makers || ' ' || checker_id FROM decision WHERE target_type = 'receipt'").await;
    assert_eq!(decided, format!("approved ,{},{}, {}", makers[0], makers[1], app.account("auditor").await));
}

/// The auditor, who is neither the administrator nor the operator, with more points.
pub async fn third(app: &TestApp, points: &[&str]) -> Actor {
    for point in points {
        testing::feedback::grant(app, "auditor", point).await;
    }
    app.sign_in("auditor").await
}

on_both!(who_wrote_what_was_rejected_does_not_confirm_its_correction);
async fn who_wrote_what_was_rejected_does_not_confirm_its_correction(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = make(&app, &operator, json!({})).await;
    let rejected = admin.put("/org/receipt/status", decision(&row, "rejected")).await.ok();
    assert_eq!(rejected["decision"], json!(null));
    let changes = json!({"id": row["id"], "version": rejected["version"], "amountCents": 480_000});
    let third = third(&app, &["org/receipt/audit", "org/receipt/update"]).await;
    let again = third.put("/org/receipt", form(&app, changes).await).await.ok();
    third.put("/org/receipt/status", decision(&again, "confirmed")).await.refused("1006");
    operator.put("/org/receipt/status", decision(&again, "confirmed")).await.refused("1006");
    admin.put("/org/receipt/status", decision(&again, "confirmed")).await.ok();
}

on_both!(what_was_not_handed_in_is_not_confirmed);
/// S-H2: the hash binds a decision to what was handed in, whatever wrote past the program.
async fn what_was_not_handed_in_is_not_confirmed(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = make(&app, &operator, json!({})).await;
    app.execute("UPDATE receipt SET amount_cents = amount_cents * 100").await;
    admin.put("/org/receipt/status", decision(&row, "confirmed")).await.refused("1006");
    assert_eq!(balance(&app).await, (0, 0));
    // An older program beside this one writes without a word to the table of decisions: who did so is a maker.
    app.execute("UPDATE receipt SET amount_cents = 500000, remark = 'by an older one', version = version + 1, updated_by = (SELECT id FROM administrator WHERE username = 'admin')").await;
    let row = admin.get(&format!("/org/receipt/{}", row["id"])).await.ok();
    admin.put("/org/receipt/status", decision(&row, "confirmed")).await.refused("1006");
    operator.put("/org/receipt/status", decision(&row, "confirmed")).await.refused("1006");
    third(&app, &["org/receipt/audit", "org/receipt/update"]).await.put("/org/receipt/status", decision(&row, "confirmed")).await.ok();
    assert_eq!(balance(&app).await, (500_000, 1));
}

on_both!(voiding_is_asked_for_by_one_and_done_by_another);
/// H6: what was credited is taken back by two people.
async fn voiding_is_asked_for_by_one_and_done_by_another(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = make(&app, &operator, json!({})).await;
    let confirmed = admin.put("/org/receipt/status", decision(&row, "confirmed")).await.ok();
    admin.put("/org/receipt/status", decision(&confirmed, "void")).await.refused("1006");
    admin.put("/org/receipt/void", json!({"id": row["id"], "version": confirmed["version"], "note": " "})).await.wrong("note");
    ask_void(&admin, &row).await.refused("1005");
    let asked = ask_void(&admin, &confirmed).await.ok();
    assert_eq!((&asked["status"], &asked["decision"]["action"]), (&json!("confirmed"), &json!("void_receipt")));
    assert_eq!(asked["decision"]["note"], "付款方撤回");
    ask_void(&operator, &asked).await.refused("1006");
    admin.put("/org/receipt/status", decision(&asked, "void")).await.refused("1006");
    // Those who may decide are asked to, and not who asks.
    let todo = |list: Value| list["list"].to_string().contains("收款单作废待审");
    assert!(todo(operator.post("/message/page", json!({"kind": "todo"})).await.ok()));
    assert!(!todo(admin.post("/message/page", json!({"kind": "todo"})).await.ok()));
    assert_eq!(balance(&app).await, (500_000, 1));

    // It is withdrawn by who asked for it, or refused with a word, and then stays.
    let meant = |row: &Value| json!({"id": row["id"], "version": row["version"]});
    operator.put("/org/receipt/void/withdraw", meant(&asked)).await.refused("1006");
    let withdrawn = admin.put("/org/receipt/void/withdraw", meant(&asked)).await.ok();
    assert_eq!((&withdrawn["status"], &withdrawn["decision"]), (&json!("confirmed"), &json!(null)));
    admin.put("/org/receipt/void/withdraw", meant(&withdrawn)).await.refused("1006");
    assert!(!todo(operator.post("/message/page", json!({"kind": "todo"})).await.ok()));
    let asked = ask_void(&admin, &withdrawn).await.ok();
    operator.put("/org/receipt/status", decision(&asked, "confirmed")).await.wrong("note");
    let stays = operator.put("/org/receipt/status", with(decision(&asked, "confirmed"), json!({"note": "款项属实"}))).await.ok();
    assert_eq!((&stays["status"], &stays["decision"]), (&json!("confirmed"), &json!(null)));
    assert!(admin.post("/message/page", json!({})).await.ok().to_string().contains("款项属实"));
    assert_eq!(balance(&app).await, (500_000, 1));

    let asked = ask_void(&admin, &stays).await.ok();
    let body = json!({"id": row["id"], "version": asked["version"], "status": "void"});
    let answers = futures_util::future::join_all((0..4).map(|_| operator.put("/org/receipt/status", body.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1);
    assert_eq!(balance(&app).await, (0, 2));
    let history = admin.get(&format!("/org/receipt/history/{}", row["id"])).await.ok();
    let told = history[0]["diff"].as_array().unwrap();
    assert!(told.contains(&json!({"field": "voidAsked", "before": "付款方撤回", "after": null})), "{told:?}");
    assert!(told.contains(&json!({"field": "status", "before": "confirmed", "after": "void"})), "{told:?}");
}

on_both!(the_database_refuses_a_checker_who_is_a_maker);
/// S-H2, H6: the database itself refuses a checker who is a maker, and to rewrite or forget a decision.
async fn the_database_refuses_a_checker_who_is_a_maker(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = make(&app, &operator, json!({})).await;
    let refused = async |sql: &'static str| {
        let mut tx = app.app.db.begin().await.unwrap();
        assert!(sqlx::query(sql).execute(&mut *tx).await.is_err(), "{sql}");
        tx.rollback().await.unwrap();
    };
    refused("UPDATE decision SET status = 'approved', checker_id = (SELECT id FROM administrator WHERE username = 'operator') WHERE target_type = 'receipt'").await;
    refused("UPDATE decision SET status = 'approved' WHERE target_type = 'receipt'").await;
    refused("UPDATE decision SET makers = ',,' WHERE target_type = 'receipt'").await;
    refused("DELETE FROM decision WHERE target_type = 'receipt'").await;
    admin.put("/org/receipt/status", decision(&row, "confirmed")).await.ok();
    refused("UPDATE decision SET makers = makers || '99,' WHERE target_type = 'receipt'").await;
    refused("UPDATE decision SET note = 'another' WHERE target_type = 'receipt'").await;
    assert_eq!(app.text("SELECT status FROM decision WHERE target_type = 'receipt'").await, "approved");
}
