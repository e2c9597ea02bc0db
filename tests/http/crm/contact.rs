//! The person of a clue: revealed, called, written to; the risk report and the return of its lead.

use serde_json::{Value, json};

use testing::crm::{clue, salesperson};
use testing::feedback::sold;
use testing::{TestApp, on_both};

on_both!(a_reveal_is_counted_and_written_down);
async fn a_reveal_is_counted_and_written_down(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let (one, two) = (clue(&app, "north", Some(owner)).await, clue(&app, "north", Some(owner)).await);
    app.set("crm.daily_reveals", json!(1)).await;
    let sales = app.sign_in("north.sales1").await;
    let contact = sales.get(&format!("/crm/reveal/{one}")).await.ok();
    assert_eq!(contact, json!({"name": "王小明", "phone": "13800000000"}));
    assert_eq!(<&str>::from(app.trail("clue", one).await[0].action), "reveal");
    sales.get(&format!("/crm/reveal/{one}")).await.ok();
    sales.get(&format!("/crm/reveal/{two}")).await.refused("4029");
    app.advance(86_400_000);
    app.sign_in("north.sales1").await.get(&format!("/crm/reveal/{two}")).await.ok();
    app.sign_in("south.manager").await.get(&format!("/crm/reveal/{one}")).await.refused("1004");
    app.execute("UPDATE applicant SET phone_enc = NULL, name_enc = NULL, status = 'erased'").await;
    app.sign_in("north.sales1").await.get(&format!("/crm/reveal/{one}")).await.refused("1006");
}

// A buyer sees the person it bought also where its plans do not deliver by CRM.
on_both!(a_buyer_reveals_the_person_of_its_push);
async fn a_buyer_reveals_the_person_of_its_push(app: TestApp) {
    let sold = sold(&app).await;
    testing::feedback::grant(&app, "org_manager", "plan/push-list/").await;
    let manager = app.sign_in("north.manager").await;
    let contact = manager.get(&format!("/plan/push/reveal/{}", sold.push_id)).await.ok();
    assert!(contact["phone"].as_str().unwrap().len() == 11 && contact["applicant"]["said"].is_object(), "{contact}");
    testing::feedback::grant(&app, "org_sales", "plan/push-list/").await;
    app.sign_in("south.manager").await.get(&format!("/plan/push/reveal/{}", sold.push_id)).await.refused("1004");
    app.execute("UPDATE push_record SET status = 'rejected'").await;
    manager.get(&format!("/plan/push/reveal/{}", sold.push_id)).await.refused("1006");
}

// S7.26
on_both!(a_text_message_goes_through_the_outbox_within_its_limits);
async fn a_text_message_goes_through_the_outbox_within_its_limits(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let (id, pooled) = (clue(&app, "north", Some(owner)).await, clue(&app, "north", None).await);
    let sales = app.sign_in("north.sales1").await;
    let before = sales.get(&format!("/crm/getMsg/{id}")).await.ok();
    assert_eq!((before["previews"].as_array().unwrap().len(), &before["leftToday"], &before["optedOut"]), (3, &json!(2), &json!(false)));
    let sent = sales.get(&format!("/crm/sendMsg/{id}")).await.ok();
    assert_eq!(sent["text"], before["previews"][0]["text"]);
    assert!(sent["text"].as_str().unwrap().contains("北辰"));
    sales.post("/crm/sendMsg", json!({"id": id, "template": "appointment"})).await.ok();
    sales.post("/crm/sendMsg", json!({"id": id})).await.refused("1006");
    let messages = app.messages().await;
    assert!(messages.len() == 2 && messages[0].contains("13800000000"), "{messages:?}");
    let after = sales.get(&format!("/crm/getMsg/{id}")).await.ok();
    assert_eq!(
        (after["history"].as_array().unwrap().len(), &after["leftToday"], &after["history"][1]["state"]),
        (2, &json!(0), &json!("accepted"))
    );
    // One who wants none gets none, in whatever clue of the organisation.
    app.advance(86_400_000);
    let sales = app.sign_in("north.sales1").await;
    sales.put("/crm/optOut", json!({"id": id, "optedOut": true})).await.ok();
    sales.get(&format!("/crm/sendMsg/{id}")).await.refused("1006");
    sales.put("/crm/optOut", json!({"id": id, "optedOut": false})).await.ok();
    sales.get(&format!("/crm/sendMsg/{id}")).await.ok();
    app.sign_in("north.manager").await.get(&format!("/crm/sendMsg/{pooled}")).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_sms").await, 3);
    let other = clue(&app, "north", Some(owner)).await;
    app.execute("UPDATE clue SET phone_hash = (SELECT MIN(c.phone_hash) FROM clue c WHERE c.no = 'CL-0')").await;
    sales.put("/crm/optOut", json!({"id": id, "optedOut": true})).await.ok();
    sales.get(&format!("/crm/sendMsg/{other}")).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%optedOut%'").await, 3);
    sales.put("/crm/optOut", json!({"id": id, "optedOut": true})).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%optedOut%'").await, 3, "nothing changed");
}

// S1.06 S7.25
on_both!(the_risk_report_of_a_clue_is_that_of_its_person);
async fn the_risk_report_of_a_clue_is_that_of_its_person(app: TestApp) {
    let owner = salesperson(&app, "north.sales1").await;
    let id = clue(&app, "north", Some(owner)).await;
    let sales = app.sign_in("north.sales1").await;
    let summary = sales.get(&format!("/crm/riskSimple/{id}")).await.ok();
    assert!(summary["score"].is_i64(), "{summary}");
    assert!(sales.get(&format!("/crm/risk/{id}?type=basic")).await.ok()["facts"].is_array());
    sales.get(&format!("/crm/risk/{id}?type=nothing")).await.refused("4000");
    app.sign_in("south.manager").await.get(&format!("/crm/riskSimple/{id}")).await.refused("1004");
}

on_both!(a_lead_is_given_back_from_its_clue);
async fn a_lead_is_given_back_from_its_clue(app: TestApp) {
    let sold = testing::returns::lenient(&app).await;
    let owner = salesperson(&app, "north.sales1").await;
    crm::run_clues(&app.app).await.unwrap();
    let manager = app.sign_in("north.manager").await;
    let id = app.count("SELECT id FROM clue").await;
    manager.post("/crm/assign", json!({"ids": [id], "salespersonId": owner})).await.ok();
    let sales = app.sign_in("north.sales1").await;
    sales.get(&format!("/crm/return/ask/{id}")).await.ok();
    let form = |id: i64| json!({"id": id, "reasonCode": "dead_number", "note": "空号", "proofFileIds": []});
    let asked = sales.post("/crm/return", form(id)).await.ok();
    assert_eq!((&asked["status"], &asked["pushId"]), (&json!("pending"), &json!(sold.push_id)));
    sales.post("/crm/return", form(id)).await.refused("1006");
    testing::returns::decide(&sold.admin, &asked, true, json!({})).await.ok();
    let row = sales.get(&format!("/crm/clue/{id}")).await.ok();
    assert_eq!((&row["stage"], &row["lostReasonName"]), (&json!("invalid"), &json!("已退单")));
    sales.get(&format!("/crm/reveal/{id}")).await.refused("1006");
    manager.put("/crm/clue/reopen", json!({"id": id, "version": row["version"], "note": "x"})).await.refused("1006");
    assert_eq!(app.count("SELECT held FROM salesperson").await, 0);
}

on_both!(a_return_of_a_lead_that_signed_meanwhile_is_not_approved);
async fn a_return_of_a_lead_that_signed_meanwhile_is_not_approved(app: TestApp) {
    let sold = testing::returns::lenient(&app).await;
    let owner = salesperson(&app, "north.sales1").await;
    crm::run_clues(&app.app).await.unwrap();
    let id = app.count("SELECT id FROM clue").await;
    app.sign_in("north.manager").await.post("/crm/assign", json!({"ids": [id], "salespersonId": owner})).await.ok();
    let sales = app.sign_in("north.sales1").await;
    let form = json!({"id": id, "reasonCode": "dead_number", "note": "空号", "proofFileIds": []});
    let asked = sales.post("/crm/return", form).await.ok();
    testing::crm::clue::follow(&sales, id, json!({"status": "signed"})).await;
    testing::returns::decide(&sold.admin, &asked, true, json!({})).await.refused("1006");
    testing::returns::decide(&sold.admin, &asked, false, json!({"note": "已签约"})).await.ok();
    assert_eq!(sales.get(&format!("/crm/clue/{id}")).await.ok()["stage"], "signed");
}

// What is sold is with a salesperson in the same transaction: city, caps and turns.
on_both!(a_sold_lead_goes_to_a_salesperson_by_the_rules);
async fn a_sold_lead_goes_to_a_salesperson_by_the_rules(app: TestApp) {
    let (one, two) = (salesperson(&app, "north.sales1").await, salesperson(&app, "north.sales2").await);
    app.execute("UPDATE salesperson SET cities = '[\"重庆\"]' WHERE id = (SELECT MAX(id) FROM salesperson)").await;
    sold(&app).await;
    let manager = app.sign_in("north.manager").await;
    let owner: Value = manager.post("/crm/pushPage", json!({})).await.ok()["list"][0]["ownerId"].clone();
    assert_eq!(owner, one.min(two), "the other takes people of another city alone");
    assert_eq!(app.count("SELECT COUNT(*) FROM crm_day_count WHERE kind IN ('sales_leads', 'team_leads') AND used = 1").await, 2);
    assert_eq!(app.sign_in("north.sales1").await.get("/crm/getNewUserCount").await.ok(), 1);
    // S7.28: the plan of the clue is a choice within its organisation.
    let plan = json!({"value": app.count("SELECT id FROM plan").await, "label": app.text("SELECT name FROM plan").await});
    assert_eq!(manager.post("/crm/plan/list", json!({})).await.ok(), json!([plan]));
    assert_eq!(app.sign_in("south.manager").await.post("/crm/plan/list", json!({})).await.ok(), json!([]));
}

on_both!(without_a_free_salesperson_a_sold_lead_goes_to_the_pool);
async fn without_a_free_salesperson_a_sold_lead_goes_to_the_pool(app: TestApp) {
    salesperson(&app, "north.sales1").await;
    salesperson(&app, "north.sales2").await;
    app.execute("UPDATE salesperson SET receiving = 0 WHERE id = (SELECT MIN(id) FROM salesperson)").await;
    app.execute("UPDATE salesperson SET private_cap = 0 WHERE id = (SELECT MAX(id) FROM salesperson)").await;
    sold(&app).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE pool_id IS NOT NULL AND owner_id IS NULL").await, 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM clue_pool").await, 1, "the organisation got a pool");
    super::transfer::consistent(&app).await;
}
