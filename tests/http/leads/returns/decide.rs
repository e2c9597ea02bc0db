//! What is decided on a return, and what follows: the money, the room under the caps, the books.

use base::db::Engine;
use serde_json::json;

use super::balance;
use testing::feedback::Sold;
use testing::lead::books;
use testing::returns::{ask, decide, lenient};
use testing::{TestApp, on_both, run};

on_both!(an_approved_return_is_refunded_once);
async fn an_approved_return_is_refunded_once(app: TestApp) {
    let Sold { admin, push_id, user_id, .. } = lenient(&app).await;
    let (north, operator) = (app.sign_in("north.manager").await, app.sign_in("operator").await);
    let plan = app.count("SELECT plan_id FROM push_record").await;
    app.execute("INSERT INTO cap_rule (subject_type, subject_id, \"window\", max_count, created_at, updated_at) SELECT 'plan', plan_id, 'total', 9, 0, 0 FROM push_record").await;
    app.execute("INSERT INTO cap_counter (rule_id, window_start, used_count, used_cents) SELECT id, 0, 1, 4500 FROM cap_rule").await;
    app.execute(
        "INSERT INTO cap_taken (push_id, rule_id, window_start, count, cents) SELECT h.id, k.id, 0, 1, 4500 FROM push_record h, cap_rule k",
    )
    .await;
    let before = balance(&app).await;
    let row = ask(&north, push_id, json!({})).await.ok();
    assert_eq!(balance(&app).await, before, "nothing moves while it waits");
    let done = decide(&operator, &row, true, json!({"chargeChannel": true})).await.ok();
    assert_eq!((&done["status"], &done["chargeChannel"]), (&json!("approved"), &json!(true)));
    assert!(done["reviewerName"].is_string() && done["reviewedAt"].is_i64());
    // What the channel pays is between the platform and the channel.
    let seen = north.get(&format!("/plan/return/{}", row["id"])).await.ok();
    assert_eq!((&seen["status"], &seen["chargeChannel"]), (&json!("approved"), &serde_json::Value::Null));
    assert_eq!(balance(&app).await, before + 4500);
    assert_eq!(app.count("SELECT total_spend_cents FROM org_account WHERE seq > 0").await, 0);
    assert_eq!(app.count("SELECT used_count + used_cents FROM cap_counter").await, 0, "its room is given back: {plan}");
    assert_eq!(app.text("SELECT stage FROM clue").await, "invalid");
    books(&app).await;

    decide(&operator, &row, true, json!({})).await.refused("1005");
    decide(&operator, &done, true, json!({})).await.refused("1006");
    decide(&operator, &done, false, json!({})).await.refused("1006");
    ask(&north, push_id, json!({})).await.refused("1006");
    let key = format!("push-{push_id}-return");
    let sql = format!("SELECT COUNT(*) FROM account_ledger WHERE idem_key = '{key}' AND type = 'refund' AND amount_cents = 4500");
    assert_eq!(app.count(Box::leak(sql.into_boxed_str())).await, 1);

    let story = admin.get(&format!("/user/{user_id}")).await.ok();
    assert_eq!((&story["pushes"][0]["status"], &story["returns"][0]["status"]), (&json!("returned"), &json!("approved")));
    let money: Vec<i64> = story["money"].as_array().unwrap().iter().map(|line| line["amountCents"].as_i64().unwrap()).collect();
    assert_eq!(money, [-4500, 4500]);
    assert_eq!(story["money"][1]["kind"], "refund");
    // The organisation is told, and nobody has to decide any more.
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE type = 'todo' AND done_at IS NULL").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'lead_return' AND org_id IS NOT NULL").await, 1);
    let trail = app.trail("lead_return", row["id"].as_i64().unwrap()).await;
    assert_eq!(<&str>::from(trail[0].action), "money");
    let of_channel =
        |entry: usize| trail[entry].diff.iter().find(|change| change.field == "chargeChannel").map(|change| change.after.clone());
    assert_eq!((of_channel(0), of_channel(1)), (Some(Some("true".to_owned())), None), "who asked reads nothing of the channel");
}

on_both!(a_refused_return_costs_the_organisation_its_price);
async fn a_refused_return_costs_the_organisation_its_price(app: TestApp) {
    let Sold { admin, push_id, .. } = lenient(&app).await;
    let north = app.sign_in("north.manager").await;
    let before = balance(&app).await;
    let row = ask(&north, push_id, json!({})).await.ok();
    decide(&admin, &row, false, json!({"note": " "})).await.wrong("note");
    decide(&admin, &row, false, json!({"note": "长".repeat(201)})).await.wrong("note");
    decide(&admin, &row, false, json!({"chargeChannel": true})).await.wrong("chargeChannel");
    let done = decide(&admin, &row, false, json!({})).await.ok();
    assert_eq!((&done["status"], &done["reviewNote"]), (&json!("refused"), &json!("号码可以接通")));
    assert_eq!((balance(&app).await, app.text("SELECT status FROM push_record").await.as_str()), (before, "accepted"));
    assert!(app.text("SELECT MAX(content_zh) FROM message WHERE org_id IS NOT NULL").await.contains("号码可以接通"));
    // It may be asked for again, with better reasons.
    ask(&north, push_id, json!({"reasonCode": "duplicate"})).await.ok();
    books(&app).await;
}

on_both!(makers_do_not_decide_on_their_returns);
async fn makers_do_not_decide_on_their_returns(app: TestApp) {
    let Sold { admin, push_id, .. } = lenient(&app).await;
    let operator = app.sign_in("operator").await;
    let row = ask(&operator, push_id, json!({})).await.ok();
    decide(&operator, &row, true, json!({})).await.refused("1006");
    decide(&app.sign_in("auditor").await, &row, true, json!({})).await.refused("1003");
    decide(&admin, &row, true, json!({})).await.ok();
}

on_both!(a_trusted_organisation_is_refunded_at_once);
async fn a_trusted_organisation_is_refunded_at_once(app: TestApp) {
    let Sold { push_id, .. } = lenient(&app).await;
    app.execute("UPDATE organisation SET return_auto = 1 WHERE code = 'north'").await;
    let before = balance(&app).await;
    let row = ask(&app.sign_in("north.manager").await, push_id, json!({})).await.ok();
    assert_eq!((&row["status"], &row["reviewerName"]), (&json!("approved"), &json!(null)));
    assert_eq!((balance(&app).await, app.text("SELECT status FROM push_record").await.as_str()), (before + 4500, "returned"));
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE type = 'todo' AND biz_type = 'lead_return'").await, 0);
    books(&app).await;
}

on_both!(two_who_decide_at_once_refund_once);
async fn two_who_decide_at_once_refund_once(app: TestApp) {
    let Sold { admin, push_id, .. } = lenient(&app).await;
    let operator = app.sign_in("operator").await;
    let before = balance(&app).await;
    let row = ask(&app.sign_in("north.manager").await, push_id, json!({})).await.ok();
    let (one, other) = tokio::join!(decide(&admin, &row, true, json!({})), decide(&operator, &row, true, json!({})));
    let codes = [one.code(), other.code()];
    assert_eq!(codes.iter().filter(|code| *code == "0000").count(), 1, "{codes:?}");
    assert_eq!(balance(&app).await, before + 4500);
    books(&app).await;
}

// C2: what others stood in the way of is done again, and once.
on_both!(a_return_that_others_stand_in_the_way_of_is_decided_on_once);
async fn a_return_that_others_stand_in_the_way_of_is_decided_on_once(app: TestApp) {
    let Sold { push_id, .. } = lenient(&app).await;
    let (north, operator) = (app.sign_in("north.manager").await, app.sign_in("operator").await);
    let before = balance(&app).await;
    app.stand_in_the_way().await;
    let row = ask(&north, push_id, json!({})).await.ok();
    decide(&operator, &row, true, json!({})).await.ok();
    assert_eq!(balance(&app).await - before, 4500, "refunded once");
    assert_eq!(app.count("SELECT COUNT(*) FROM account_ledger WHERE type = 'refund'").await, 1);
    books(&app).await;
}

/// H6: whoever decides on a return has the lead and whose it is first, as a sale and an erasure do.
#[tokio::test]
async fn who_decides_on_a_return_has_the_lead_first() {
    run(Engine::Postgres, async |app: TestApp| {
        let Sold { push_id, .. } = lenient(&app).await;
        let (north, operator) = (app.sign_in("north.manager").await, app.sign_in("operator").await);
        let row = ask(&north, push_id, json!({})).await.ok();
        let mut eraser = app.app.db.begin().await.unwrap();
        sqlx::query("UPDATE applicant SET rounds = rounds").execute(&mut *eraser).await.unwrap();
        let erased = async {
            app.until_somebody_waits().await;
            for held in ["SELECT 1 FROM push_record FOR UPDATE NOWAIT", "SELECT 1 FROM decision FOR UPDATE NOWAIT"] {
                sqlx::query(held).fetch_one(&mut *eraser).await.expect("what it waits for is free");
            }
            eraser.commit().await.unwrap();
        };
        let (answer, ()) = tokio::join!(decide(&operator, &row, true, json!({})), erased);
        assert_eq!(answer.ok()["status"], "approved");
    })
    .await;
}
