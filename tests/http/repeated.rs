//! `Idempotency-Key`: what is sent twice is done once.

use std::time::Duration;

use leadlane::api::idempotency;
use leadlane::clock::{DAY, HOUR, MINUTE};
use leadlane::db::Engine;
use serde_json::{Value, json};

use crate::lead::{application, channel};
use crate::org::payee;
use crate::support::{TestApp, on_both};

on_both!(a_repeated_call_gets_the_first_answer);
async fn a_repeated_call_gets_the_first_answer(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    let first = operator.post("/admin", body.clone()).await;
    let second = operator.post("/admin", body.clone()).await;
    assert_eq!((first.ok(), first.status), (second.ok(), second.status));
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 1);
    let password = first.ok()["password"].as_str().unwrap().to_owned();
    assert!(!app.text("SELECT response FROM idempotency_key").await.contains(&password), "an answer may hold a secret");

    let other = json!({"username": "other.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", other.clone()).await.wrong("Idempotency-Key");
    // Another's key is another key, and after a day it is used up.
    app.sign_in("admin").await.with("idempotency-key", "6f1c").post("/admin", other).await.ok();
    app.advance(DAY + 1000);
    app.sign_in("operator").await.with("idempotency-key", "6f1c").post("/admin", body).await.refused("1005");
}

on_both!(of_two_at_once_one_is_done);
async fn of_two_at_once_one_is_done(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    let (one, other) = tokio::join!(operator.post("/admin", body.clone()), operator.post("/admin", body.clone()));
    assert_eq!(one.ok(), other.ok(), "the second waits for the first, and gets its answer");
    assert_eq!(operator.post("/admin", body).await.ok(), one.ok());
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
}

/// A receipt of the organisation in the north, each by its bank's number.
async fn receipt(app: &TestApp, serial: &str) -> Value {
    if app.count("SELECT COUNT(*) FROM payee_organisation").await == 0 {
        app.sign_in("admin").await.post("/org/payee", payee::form("领航收款")).await.ok();
    }
    json!({
        "orgId": app.organisation("north").await, "payeeOrgId": app.count("SELECT MIN(id) FROM payee_organisation").await,
        "bizType": "recharge", "amountCents": 500_000, "payMethod": "cash", "paidAt": app.now() - 3_600_000, "payerName": "北辰",
        "bankSerial": "", "proofFileIds": [], "remark": serial
    })
}

// H8: whoever hangs up at any moment and asks again has one receipt, with its answer.
on_both!(a_receipt_is_made_once_whenever_its_sender_hangs_up);
async fn a_receipt_is_made_once_whenever_its_sender_hangs_up(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let body = receipt(&app, "hung up").await;
    let mut whole = false;
    for moment in 0..200 {
        let operator = operator.with("idempotency-key", &format!("moment-{moment}"));
        {
            // The call is begun and left after so many steps: at each of them there is one of these.
            let mut call = Box::pin(operator.post("/org/receipt", body.clone()));
            for _ in 0..moment {
                if futures_util::poll!(call.as_mut()).is_ready() {
                    whole = true;
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        let made = operator.post("/org/receipt", body.clone()).await.ok();
        assert_eq!(operator.post("/org/receipt", body.clone()).await.ok(), made);
        assert_eq!(app.count("SELECT COUNT(*) FROM receipt").await, moment + 1, "at step {moment}");
        assert_eq!(app.count("SELECT COUNT(*) FROM idempotency_key WHERE response IS NULL").await, 0);
        if whole {
            return;
        }
    }
    panic!("the call never came to its end");
}

// H8: the key, the answer and the work are one transaction.
on_both!(the_key_and_the_answer_are_in_the_transaction_of_the_work);
async fn the_key_and_the_answer_are_in_the_transaction_of_the_work(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = receipt(&app, "one").await;
    let made = operator.post("/org/receipt", body.clone()).await.ok();
    if app.app.db.engine() == Engine::Postgres {
        let together = "SELECT COUNT(*) FROM receipt r JOIN idempotency_key k ON k.xmin = r.xmin WHERE k.response IS NOT NULL";
        assert_eq!(app.count(together).await, 1);
    }
    assert_eq!(operator.post("/org/receipt", body).await.ok(), made);
    operator.post("/org/receipt", receipt(&app, "another").await).await.wrong("Idempotency-Key");
    assert_eq!(app.count("SELECT COUNT(*) FROM receipt").await, 1);
}

// H8: whoever enters an applicant, hangs up at any moment and asks again has entered one, with one line in the trail.
on_both!(an_applicant_is_entered_once_whenever_his_sender_hangs_up);
async fn an_applicant_is_entered_once_whenever_his_sender_hangs_up(app: TestApp) {
    let partner = channel(&app, json!({})).await;
    let admin = app.sign_in("admin").await;
    let mut whole = false;
    for moment in 0..200 {
        let admin = admin.with("idempotency-key", &format!("moment-{moment}"));
        // Each is another person: who comes again within a minute would be known by his phone.
        let body = json!({"channelId": partner.id, "user": application(moment + 1, json!({}))});
        {
            let mut call = Box::pin(admin.post("/user", body.clone()));
            for _ in 0..moment {
                if futures_util::poll!(call.as_mut()).is_ready() {
                    whole = true;
                    break;
                }
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
        }
        let made = admin.post("/user", body.clone()).await.ok();
        assert_eq!(made["failed"], json!(null), "at step {moment}: he was there before his key");
        assert_eq!(admin.post("/user", body.clone()).await.ok(), made);
        assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, i64::from(moment) + 1, "at step {moment}");
        let told = "SELECT COUNT(*) FROM operation_log WHERE target_type = 'user' AND action = 'create'";
        assert_eq!(app.count(told).await, i64::from(moment) + 1, "at step {moment}");
        if whole {
            break;
        }
    }
    assert!(whole, "the call never came to its end");
    if app.app.db.engine() == Engine::Postgres {
        let together = "SELECT COUNT(*) FROM applicant a JOIN idempotency_key k ON k.xmin = a.xmin JOIN operation_log o ON o.xmin = a.xmin \
                        WHERE k.response IS NOT NULL AND o.target_id = a.id";
        assert_eq!(app.count(together).await, app.count("SELECT COUNT(*) FROM applicant").await);
    }
}

// H8: work whose answer was lost is never done again, however late it is asked for.
on_both!(what_was_done_without_an_answer_is_not_done_again);
async fn what_was_done_without_an_answer_is_not_done_again(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", body.clone()).await.ok();
    app.execute("UPDATE idempotency_key SET response = NULL").await;
    operator.post("/admin", body.clone()).await.refused("5003");
    app.advance(10 * MINUTE);
    operator.post("/admin", body).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
}

// S-L13: a key is one of a person in one role.
on_both!(a_key_counts_for_one_role);
async fn a_key_counts_for_one_role(app: TestApp) {
    app.execute(
        "INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a, role r WHERE a.username = 'operator' AND r.code = 'admin'",
    )
    .await;
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", body.clone()).await.ok();
    let me = operator.get("/admin/me").await.ok();
    let other = if me["role"] == "admin" { "operator" } else { "admin" };
    operator.put("/admin/role", json!({"roleId": app.role(other).await})).await.ok();
    operator.post("/admin", body).await.wrong("Idempotency-Key");
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator").await, 13);
}

on_both!(old_keys_are_forgotten_behind_the_calls);
async fn old_keys_are_forgotten_behind_the_calls(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    operator.post("/org/receipt", receipt(&app, "one").await).await.ok();
    app.advance(DAY - HOUR);
    assert_eq!(idempotency::sweep(&app.app.db, app.now()).await.unwrap(), 0);
    app.advance(2 * HOUR);
    assert_eq!(idempotency::sweep(&app.app.db, app.now()).await.unwrap(), 1);
}

on_both!(after_a_refusal_the_key_may_be_tried_again);
async fn after_a_refusal_the_key_may_be_tried_again(app: TestApp) {
    let operator = app.sign_in("operator").await.with("idempotency-key", "6f1c");
    let body = json!({"username": "new.person", "realName": "", "roleIds": [app.role("auditor").await]});
    operator.post("/admin", body.clone()).await.wrong("realName");
    operator.post("/admin", body).await.wrong("realName");
    operator.post("/admin", json!({"username": "new.person", "realName": "New", "roleIds": [app.role("auditor").await]})).await.ok();
    for key in ["", &"x".repeat(101)] {
        app.sign_in("operator").await.with("idempotency-key", key).post("/admin", json!({})).await.refused("4000");
    }
}
