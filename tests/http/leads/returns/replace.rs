//! A return that is approved with a replacement: the plan gets the next lead before others, for no more than was refunded.

use serde_json::{Value, json};

use super::balance;
use testing::feedback::Sold;
use testing::lead::{application, books, bring, plan};
use testing::returns::{ask, decide, lenient};
use testing::{Actor, TestApp, on_both};
use trade::plan::market::Market;

on_both!(a_returned_lead_is_replaced_first_and_for_no_more);
async fn a_returned_lead_is_replaced_first_and_for_no_more(app: TestApp) {
    let Sold { admin, channel: partner, push_id, .. } = lenient(&app).await;
    let (north, operator) = (app.sign_in("north.manager").await, app.sign_in("operator").await);
    let row = ask(&north, push_id, json!({})).await.ok();
    decide(&operator, &row, false, json!({"replace": true})).await.wrong("replace");
    let before = balance(&app).await;
    let done = decide(&operator, &row, true, json!({"replace": true})).await.ok();
    assert_eq!(balance(&app).await, before + 4500, "the refund does not wait");
    let left = done["replacementDueAt"].as_i64().unwrap() - app.now();
    assert!((7 * 86_400_000 - 60_000..=7 * 86_400_000).contains(&left), "{left}");
    assert_eq!(done["replacementNo"], Value::Null);
    assert!(app.text("SELECT MAX(content_zh) FROM message WHERE biz_type = 'lead_return' AND org_id IS NOT NULL").await.contains("补发"));

    // Another plan would come first by every other measure; the plan's own price went up meanwhile.
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "dear", "orgId": south, "methodPriority": 1, "priceCents": 9000})).await;
    app.execute(
        "UPDATE plan SET price_cents = 6000, version = version + 1, method_priority = 9 WHERE id = (SELECT plan_id FROM push_record)",
    )
    .await;
    app.app.service::<Market>().forget().await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    let pushes = admin.post("/plan/push/page", json!({"sort": "createdAt", "order": "asc"})).await.ok();
    let new = &pushes["list"][1];
    assert_eq!((&new["orgName"], &new["priceCents"], &new["status"]), (&pushes["list"][0]["orgName"], &json!(4500), &json!("accepted")));
    let seen = north.get(&format!("/plan/return/{}", row["id"])).await.ok();
    assert_eq!(seen["replacementNo"], new["no"]);
    assert_eq!(new["replacesNo"], pushes["list"][0]["no"]);
    assert_eq!(balance(&app).await, before);
    // It is replaced once.
    app.app.service::<Market>().forget().await;
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    app.distribute().await;
    let last = admin.post("/plan/push/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!((&last["planName"], &last["priceCents"]), (&json!("dear"), &json!(9000)));
    books(&app).await;
}

on_both!(returns_whose_replacement_is_due_are_listed);
async fn returns_whose_replacement_is_due_are_listed(app: TestApp) {
    let Sold { channel: partner, push_id, .. } = lenient(&app).await;
    let (north, operator) = (app.sign_in("north.manager").await, app.sign_in("operator").await);
    app.set("lead.replacement_days", json!(1)).await;
    let due = async |who: &Actor| {
        let page = who.post("/plan/push/page", json!({"replacementDue": "yes"})).await.ok();
        page["list"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect::<Vec<_>>()
    };
    let row = ask(&north, push_id, json!({})).await.ok();
    assert!(due(&operator).await.is_empty(), "it waits for a decision");
    decide(&operator, &row, true, json!({"replace": true})).await.ok();
    assert_eq!((due(&operator).await, due(&north).await), (vec![push_id], vec![push_id]));
    assert!(due(&app.sign_in("south.manager").await).await.is_empty());
    let file = operator.export("/plan/push/page/export", json!({"format": "csv", "replacementDue": "yes"})).await;
    assert_eq!(String::from_utf8_lossy(&file.body).lines().count(), 2);
    operator.post("/plan/push/page", json!({"replacementDue": "no"})).await.refused("4000");

    // The lead that replaces it is taken, on its way, refused.
    app.app.service::<Market>().forget().await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert!(due(&operator).await.is_empty(), "it was delivered");
    app.execute("UPDATE push_record SET status = 'retrying' WHERE id = (SELECT push_id FROM lead_replacement)").await;
    assert_eq!(due(&operator).await, [push_id]);
    app.execute("UPDATE push_record SET status = 'accepted' WHERE id = (SELECT push_id FROM lead_replacement)").await;
    assert!(due(&operator).await.is_empty());
    app.execute("UPDATE lead_replacement SET push_id = NULL").await;
    assert_eq!(due(&operator).await, [push_id]);
    app.advance(86_400_000);
    assert!(due(&app.sign_in("operator").await).await.is_empty(), "the time is over");
}

on_both!(a_replacement_that_is_not_taken_is_still_due_and_ends_with_its_time);
async fn a_replacement_that_is_not_taken_is_still_due_and_ends_with_its_time(app: TestApp) {
    let Sold { admin, channel: partner, push_id, .. } = lenient(&app).await;
    let (north, operator) = (app.sign_in("north.manager").await, app.sign_in("operator").await);
    app.set("lead.replacement_days", json!(1)).await;
    let row = ask(&north, push_id, json!({})).await.ok();
    decide(&operator, &row, true, json!({"replace": true})).await.ok();
    let number = async || {
        let seen = admin.get(&format!("/plan/return/{}", row["id"])).await.ok();
        seen["replacementNo"].as_str().map(str::to_owned)
    };
    app.app.service::<Market>().forget().await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert!(number().await.is_some());
    // As when its organisation refuses it.
    let id = app.count("SELECT MAX(id) FROM push_record").await;
    let mut tx = app.app.db.begin().await.unwrap();
    trade::plan::replacement::open_again(&mut tx, id).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(number().await, None);
    app.advance(86_400_000);
    app.app.service::<Market>().forget().await;
    let admin = app.sign_in("admin").await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "first", "orgId": south, "methodPriority": 1, "priceCents": 9000})).await;
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    app.distribute().await;
    let last = admin.post("/plan/push/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!(last["planName"], "first", "the time is over");
}
