//! How a lead reaches an organisation's address, and what follows from its answer.

use serde_json::{Value, json};

use super::buyer::Buyer;
use super::{application, books, bring, channel, phone, plan, story};
use crate::open::Partner;
use crate::plan::begin;
use crate::support::{Actor, TestApp, on_both};

const RETRY: i64 = 5 * 60_000 + 1000;

/// A channel, and a plan of North Star that delivers to a server.
async fn by_api(app: &TestApp, settings: Value, changes: Value) -> (Actor, Partner, Buyer) {
    begin(app);
    let (admin, partner) = (app.sign_in("admin").await, channel(app, json!({})).await);
    let buyer = Buyer::of(app, &admin, "north", settings).await;
    plan(app, &admin, crate::org::with(json!({"name": "api", "deliverMode": "api", "methodPriority": 1}), changes)).await;
    (admin, partner, buyer)
}

on_both!(a_lead_goes_out_under_the_organisations_names);
async fn a_lead_goes_out_under_the_organisations_names(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    let push = &told["pushes"][0];
    assert_eq!((&push["status"], &push["upstreamNo"], &push["attempts"]), (&json!("accepted"), &json!("A-1"), &json!(1)));
    let sent = buyer.received();
    assert_eq!(sent.len(), 1);
    assert_eq!((&sent[0]["userName"], &sent[0]["mobile"], &sent[0]["amount"]), (&json!("张小三"), &json!(phone(1)), &json!(50_000)));
    assert_eq!(sent[0]["leadNo"], push["no"]);
    // What is shown of it tells nobody who it is.
    let request = push["tries"][0]["request"].as_str().unwrap();
    assert!(request.contains("张**") && request.contains("100****0001") && !request.contains("张小三"), "{request}");
    assert!(!request.contains(sent[0]["md5"].as_str().unwrap()));
    books(&app).await;
}

on_both!(a_refused_lead_goes_to_the_next_plan_and_costs_nothing);
async fn a_refused_lead_goes_to_the_next_plan_and_costs_nothing(app: TestApp) {
    let caps = json!([{"window": "day", "weekday": null, "maxCount": 1, "maxCents": null}]);
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({ "caps": caps })).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    buyer.answers(200, json!({"code": "AGE", "msg": "年龄不符"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    let (first, second) = (&told["pushes"][0], &told["pushes"][1]);
    assert_eq!((&first["status"], &first["rejectCode"], &first["rejectReason"]), (&json!("rejected"), &json!("AGE"), &json!("年龄不符")));
    assert_eq!((&second["status"], &second["planName"]), (&json!("accepted"), &json!("south")));
    assert_eq!(told["money"].as_array().unwrap().len(), 1);
    assert_eq!(app.count("SELECT CAST(SUM(frozen_cents) AS BIGINT) FROM org_account").await, 0);
    assert_eq!(app.count("SELECT used_count FROM cap_counter").await, 0, "its room is given back");
    buyer.answers(200, json!({"code": "X", "msg": "客户已存在"}));
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "duplicate");
    assert_eq!(buyer.received().len(), 2, "a refused lead is not sent again");
    // A reason that names him is kept without that.
    buyer.answers(200, json!({"code": "Y", "msg": format!("张小三 {} 不符", phone(3))}));
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["rejectReason"], "张** 100****0003 不符");
}

on_both!(a_server_that_fails_is_tried_again_and_given_up);
async fn a_server_that_fails_is_tried_again_and_given_up(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(500, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["status"]), (&json!("retrying"), &json!("distributed")));
    assert_eq!(app.count("SELECT frozen_cents FROM org_account WHERE org_id = (SELECT org_id FROM push_record)").await, 4500);
    assert_eq!(app.count("SELECT balance_cents FROM org_account WHERE org_id = (SELECT org_id FROM push_record)").await, 1_000_000);
    app.distribute().await;
    assert_eq!(buyer.received().len(), 1, "not before its time");
    app.advance(RETRY);
    buyer.answers_rubbish();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["status"], "retrying");
    app.advance(RETRY);
    app.distribute().await;
    let told = story(&app, &admin).await;
    let push = &told["pushes"][0];
    assert_eq!((&push["status"], &push["attempts"], push["tries"].as_array().unwrap().len()), (&json!("failed"), &json!(3), 3));
    assert_eq!((&push["tries"][0]["error"], &push["tries"][1]["error"]), (&json!("bad_status"), &json!("unreadable")));
    let sent = buyer.received();
    assert!(sent.iter().all(|one| one["leadNo"] == push["no"]), "under one number");
    assert_eq!(app.count("SELECT frozen_cents FROM org_account WHERE org_id = (SELECT org_id FROM push_record)").await, 0);
    assert_eq!((&told["status"], told["money"].as_array().unwrap().len()), (&json!("unmatched"), 0));
}

on_both!(a_server_that_comes_back_gets_the_lead);
async fn a_server_that_comes_back_gets_the_lead(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(503, json!({}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    buyer.answers(200, json!({"code": "0000"}));
    app.advance(RETRY);
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["money"][0]["amountCents"]), (&json!("accepted"), &json!(-4500)));
    assert_eq!(app.count("SELECT delivery_errors FROM plan").await, 0);
    books(&app).await;
}

on_both!(a_wrong_request_is_not_made_again);
async fn a_wrong_request_is_not_made_again(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    buyer.answers(422, json!({"message": "no such city"}));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["pushes"][0]["rejectReason"]), (&json!("failed"), &json!("no such city")));
    assert_eq!(buyer.received().len(), 1);
}

on_both!(a_plan_whose_deliveries_fail_is_paused);
async fn a_plan_whose_deliveries_fail_is_paused(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"retryMax": 0}), json!({})).await;
    buyer.answers(500, json!({}));
    for number in 1..=20 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
    }
    let now = admin.post("/plan/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!((&now["status"], &now["pauseReason"]), (&json!("paused"), &json!("api_errors")));
    assert!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'plan'").await > 0);
}

on_both!(what_a_crash_left_behind_is_finished);
async fn what_a_crash_left_behind_is_finished(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    // Whoever had him is gone: nobody was told, and his time is not over.
    _ = app.app.handoff.applicants();
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 0);
    app.advance(61_000);
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["status"], "distributed");
    // And one whose delivery was under way.
    app.execute("UPDATE push_record SET status = 'sending', held_cents = 4500, sold_at = NULL, next_retry_at = 0").await;
    app.execute(
        "UPDATE org_account SET frozen_cents = 4500, balance_cents = balance_cents + 4500, seq = 0, total_spend_cents = 0 WHERE seq = 1",
    )
    .await;
    app.execute("DELETE FROM account_ledger WHERE type = 'lead_sale'").await;
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["pushes"][0]["status"], &told["pushes"][0]["attempts"]), (&json!("accepted"), &json!(2)));
    assert_eq!(buyer.received().len(), 2, "at worst it is sent twice, under one number");
    books(&app).await;
}

on_both!(an_organisation_is_asked_before_it_is_told_who);
async fn an_organisation_is_asked_before_it_is_told_who(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({"matchUrl": "https://api.example.com/match"}), json!({"matchRequired": true})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let sent = buyer.received();
    assert_eq!(sent.len(), 2, "the question and the lead");
    assert!(sent[0]["md5"].is_string() && sent[0]["mobile"].is_null() && sent[0]["userName"].is_null(), "{}", sent[0]);
    let asked = story(&app, &admin).await["matches"][0].clone();
    assert_eq!((&asked["direction"], &asked["status"], &asked["bidCents"]), (&json!("outbound"), &json!("matched"), &json!(4500)));

    buyer.answers(200, json!({"code": "9", "msg": "exist"}));
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    let told = story(&app, &admin).await;
    assert_eq!((&told["matches"][0]["status"], told["pushes"].as_array().unwrap().len()), (&json!("exists"), 0));
    assert_eq!(told["matches"][1]["passedOver"][0]["reason"], "declined");

    buyer.answers(500, json!({}));
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["matches"][1]["passedOver"][0]["reason"], "no_answer", "no answer is a no");
}

on_both!(a_short_message_tells_that_there_is_a_lead);
async fn a_short_message_tells_that_there_is_a_lead(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({"deliverMode": "sms"})).await;
    let sealed = app.app.keys.encrypt("10000010001");
    let sql = format!("UPDATE organisation SET alert_phones_enc = '[\"{sealed}\"]' WHERE code = 'north'");
    app.execute(Box::leak(sql.into_boxed_str())).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let sent = app.messages().await;
    assert_eq!(sent.len(), 1);
    assert!(sent[0].contains("10000010001") && sent[0].contains("新线索") && !sent[0].contains("张"), "{}", sent[0]);
}
