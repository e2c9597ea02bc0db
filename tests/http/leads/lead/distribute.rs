//! Who buys a lead: eligible plans, their order, and why the others were passed over.

use std::collections::HashMap;

use serde_json::{Value, json};

use testing::feedback::grant;
use testing::lead::{application, books, bring, channel, phone, plan, story};
use testing::plan::begin;
use testing::{TestApp, on_both};

/// The reason of each plan that was passed over in the last round.
fn passed(story: &Value) -> HashMap<String, String> {
    let last = story["matches"].as_array().unwrap().last().unwrap();
    let pairs = last["passedOver"].as_array().unwrap().iter().flat_map(|group| {
        let reason = group["reason"].as_str().unwrap().to_owned();
        group["plans"].as_array().unwrap().iter().map(move |plan| (plan["name"].as_str().unwrap().to_owned(), reason.clone()))
    });
    pairs.collect()
}

fn buyers(story: &Value) -> Vec<String> {
    story["pushes"].as_array().unwrap().iter().map(|push| push["planName"].as_str().unwrap().to_owned()).collect()
}

on_both!(a_lead_is_sold_paid_and_seen_by_its_buyer);
async fn a_lead_is_sold_paid_and_seen_by_its_buyer(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let shown = story(&app, &admin).await;
    assert_eq!((&shown["status"], &shown["rounds"]), (&json!("distributed"), &json!(1)));
    let push = &shown["pushes"][0];
    assert_eq!((&push["status"], &push["priceCents"], &push["phoneMask"]), (&json!("accepted"), &json!(4500), &json!("100****0001")));
    assert_eq!((&shown["money"][0]["amountCents"], &shown["money"][0]["kind"]), (&json!(-4500), &json!("lead_sale")));
    assert_eq!(app.count("SELECT channel_cost_cents FROM push_record").await, 1000);
    assert_eq!(app.count("SELECT frozen_cents FROM org_account WHERE org_id = (SELECT org_id FROM push_record)").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE stage = 'new'").await, 1);
    assert_eq!(app.sign_in("north.manager").await.get("/crm/getNewUserCount").await.ok(), 1);
    assert_eq!(app.sign_in("south.manager").await.get("/crm/getNewUserCount").await.ok(), 0);
    // It is new until one of the organisation's people has opened it; others who look at it change nothing.
    grant(&app, "org_manager", "plan/push-list").await;
    admin.get(&format!("/plan/push/{}", push["id"])).await.ok();
    app.sign_in("south.manager").await.get(&format!("/plan/push/{}", push["id"])).await.refused("1004");
    let manager = app.sign_in("north.manager").await;
    // The list shows what the count counts.
    let unseen = async || manager.post("/plan/push/page", json!({"unseen": "yes"})).await.ok()["total"].clone();
    assert_eq!((manager.get("/crm/getNewUserCount").await.ok(), unseen().await), (json!(1), json!(1)));
    manager.get(&format!("/plan/push/{}", push["id"])).await.ok();
    assert_eq!((manager.get("/crm/getNewUserCount").await.ok(), unseen().await), (json!(0), json!(0)));
    // Nothing more happens to it.
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 1);
}

on_both!(plans_that_do_not_take_an_applicant_say_why);
async fn plans_that_do_not_take_an_applicant_say_why(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let south = app.organisation("south").await;
    for (name, changes) in [
        ("city", json!({"cities": ["杭州市"]})),
        ("rules", json!({"ruleSet": {"all": [{"field": "age", "op": "gte", "value": 40}]}})),
        ("channel", json!({"channelDeny": [partner.id]})),
        ("closed", json!({"schedule": {"1": [[0, 60]]}, "outOfSchedule": "skip"})),
        ("not_started", json!({"startsOn": "2027-02-01"})),
        ("balance", json!({"orgId": south, "priceCents": 9000})),
    ] {
        let mut changes = changes;
        changes["name"] = json!(name);
        plan(&app, &admin, changes).await;
    }
    app.execute("UPDATE org_account SET balance_cents = 8999 WHERE org_id = (SELECT id FROM organisation WHERE code = 'south')").await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let shown = story(&app, &admin).await;
    assert_eq!((&shown["status"], buyers(&shown)), (&json!("unmatched"), vec![]));
    for (name, reason) in passed(&shown) {
        assert_eq!(name, reason);
    }
    assert_eq!(passed(&shown).len(), 6);
}

on_both!(the_order_is_the_settings);
async fn the_order_is_the_settings(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    plan(&app, &admin, json!({"name": "first", "methodPriority": 1, "priceCents": 3000, "dedupDays": 0})).await;
    plan(&app, &admin, json!({"name": "dear", "methodPriority": 9, "priceCents": 8000, "dedupDays": 0})).await;
    let mut sold = Vec::new();
    for (number, method) in [(1, "priority"), (2, "price"), (3, "turns"), (4, "turns"), (5, "weight")] {
        app.set("lead.method", json!(method)).await;
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.advance(1000);
        app.distribute().await;
        sold.extend(buyers(&story(&app, &admin).await));
    }
    assert_eq!(sold[..4], ["first", "dear", "first", "dear"]);
    assert_eq!(sold.len(), 5);
}

on_both!(a_price_follows_the_applicant_and_stays_what_it_was);
async fn a_price_follows_the_applicant_and_stays_what_it_was(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let rules = json!([{"rules": {"all": [{"field": "house", "op": "exists", "value": true}]}, "priceCents": 6000}]);
    let id = plan(&app, &admin, json!({"priceRules": rules})).await;
    bring(&app, &partner, "r-1", application(1, json!({"applicant": {"age": 30, "house": "pledgeable"}}))).await.ok();
    app.distribute().await;
    app.execute("UPDATE plan SET price_rules = '[]', price_cents = 100, version = version + 1").await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["priceCents"], 6000);
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["priceCents"], 100);
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE price_cents = 6000").await, 1, "plan {id}");
}

on_both!(a_shared_lead_goes_to_several_and_an_exclusive_one_to_one);
async fn a_shared_lead_goes_to_several_and_an_exclusive_one_to_one(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let south = app.organisation("south").await;
    let shared = |name: &str, org: Option<i64>, priority: i64| {
        let mut plan = json!({"name": name, "saleMode": "shared", "maxBuyers": 2, "methodPriority": priority});
        if let Some(org) = org {
            plan["orgId"] = json!(org);
        }
        plan
    };
    plan(&app, &admin, shared("north-a", None, 1)).await;
    plan(&app, &admin, shared("north-b", None, 2)).await;
    plan(&app, &admin, shared("south", Some(south), 3)).await;
    let mut alone = shared("south-alone", Some(south), 4);
    alone["saleMode"] = json!("exclusive");
    alone["maxBuyers"] = json!(null);
    plan(&app, &admin, alone).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let shown = story(&app, &admin).await;
    assert_eq!(buyers(&shown), ["north-a", "south"]);
    let passed = passed(&shown);
    assert_eq!((passed["north-b"].as_str(), passed["south-alone"].as_str()), ("duplicate", "enough"));
    app.set("lead.max_buyers", json!(1)).await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(buyers(&story(&app, &admin).await), ["north-a"]);
    books(&app).await;
}

on_both!(a_plan_takes_no_more_than_its_caps);
async fn a_plan_takes_no_more_than_its_caps(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let caps = json!([{"window": "day", "weekday": null, "maxCount": 2, "maxCents": null}, {"window": "hour", "weekday": null, "maxCount": null, "maxCents": 9000}]);
    plan(&app, &admin, json!({"caps": caps})).await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
    }
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE status = 'unmatched'").await, 1);
    // Looked for again, and the day after there is room.
    app.advance(24 * 3_600_000);
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 3);
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE status = 'distributed' AND rounds = 2").await, 1);
}

on_both!(an_applicant_without_a_buyer_gets_three_rounds);
async fn an_applicant_without_a_buyer_gets_three_rounds(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    for _ in 0..5 {
        app.distribute().await;
        app.advance(31 * 60_000);
    }
    let admin = app.sign_in("admin").await;
    let shown = story(&app, &admin).await;
    assert_eq!((&shown["status"], &shown["rounds"]), (&json!("unmatched"), &json!(3)));
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE due_at IS NOT NULL").await, 0);
    // Once more by hand, and now a plan takes them.
    plan(&app, &admin, json!({})).await;
    let (id, version) = (shown["id"].clone(), shown["version"].clone());
    admin.put("/user/distribute", json!({"id": id, "version": 0})).await.refused("1005");
    // An applicant on the blacklist is sold to no organisation: staff are shown that, and no sale is tried.
    assert_eq!((&shown["blacklisted"], &shown["blacklistEntryId"]), (&json!(null), &json!(null)));
    let entry = testing::blacklist::make(&admin, json!({"value": phone(1)})).await;
    let words = format!("在黑名单中（#{}），不会再分发给任何机构", entry["id"]);
    let listed = story(&app, &admin).await;
    assert_eq!((&listed["blacklisted"], &listed["blacklistEntryId"]), (&json!(words), &entry["id"]));
    let refused = admin.put("/user/distribute", json!({"id": id, "version": version})).await;
    refused.refused("1006");
    assert_eq!(refused.desc(), words);
    let lift = json!({"id": entry["id"], "version": entry["version"], "status": "lifted", "reason": "误报"});
    admin.put("/blacklist/status", lift).await.ok();
    assert_eq!(story(&app, &admin).await["blacklisted"], json!(null));
    admin.put("/user/distribute", json!({"id": id, "version": version})).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["status"], "distributed");
}

on_both!(a_lead_waits_for_a_plan_that_holds_it);
async fn a_lead_waits_for_a_plan_that_holds_it(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    // Fridays from nine; it is Thursday, ten o'clock.
    plan(&app, &admin, json!({"schedule": {"5": [[540, 600]]}, "outOfSchedule": "hold"})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let shown = story(&app, &admin).await;
    assert_eq!((&shown["status"], &shown["rounds"]), (&json!("completed"), &json!(0)));
    app.advance(22 * 3_600_000);
    app.distribute().await;
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 0, "at eight");
    app.advance(3_600_000 + 1000);
    app.distribute().await;
    let admin = app.sign_in("admin").await;
    assert_eq!(story(&app, &admin).await["status"], "distributed");
}

on_both!(an_organisation_that_the_consent_does_not_name_gets_no_lead);
async fn an_organisation_that_the_consent_does_not_name_gets_no_lead(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "north", "methodPriority": 1})).await;
    plan(&app, &admin, json!({"name": "south", "orgId": south, "methodPriority": 2})).await;
    let consent = json!({"agreement": "LOAN", "version": "3", "textHash": "a".repeat(64), "recipients": ["south"]});
    bring(&app, &partner, "r-1", application(1, json!({"consent": consent}))).await.ok();
    app.distribute().await;
    let shown = story(&app, &admin).await;
    assert_eq!((buyers(&shown), passed(&shown)["north"].as_str()), (vec!["south".to_owned()], "consent"));
    assert_eq!(shown["consents"][0]["recipients"].as_array().unwrap().len(), 1);
}

on_both!(an_organisation_buys_a_phone_once_within_its_days);
async fn an_organisation_buys_a_phone_once_within_its_days(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    plan(&app, &admin, json!({"dedupDays": 10})).await;
    for (request, days, bought) in [("r-1", 0, 1), ("r-2", 5, 1), ("r-3", 6, 2)] {
        app.advance(days * 24 * 3_600_000);
        bring(&app, &partner, request, application(1, json!({}))).await.ok();
        app.distribute().await;
        assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, bought, "{request}");
    }
}
