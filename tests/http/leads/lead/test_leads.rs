//! Leads of channels in test mode, which plans of test organisations buy: flagged everywhere, billed nowhere.

use std::collections::HashMap;

use ::lead::distribution;
use base::clock::{self, DAY};
use serde_json::{Value, json};
use trade::plan as plans;
use trade::plan::market::Market;
use trade::visit::{self, lead};

use super::question::ask;
use testing::feedback::grant;
use testing::lead::buyer::Buyer;
use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring, channel, plan, story};
use testing::open::Partner;
use testing::plan::begin;
use testing::returns::{ask as ask_return, decide};
use testing::{Actor, TestApp, on_both};

/// North Star and the channels are in test mode from now on.
async fn test_mode(app: &TestApp) {
    app.execute("UPDATE organisation SET mode = 'test' WHERE code = 'north'").await;
    app.execute("UPDATE channel SET mode = 'test'").await;
}

/// A test channel that is paid two yuan for an applicant, and North Star in test mode without money, whose plan delivers to a server.
async fn tried_out(app: &TestApp) -> (Actor, Partner, Buyer) {
    let caps = json!([{"window": "day", "weekday": null, "maxCount": 1, "maxCents": 1000}]);
    let (admin, partner, buyer) = by_api(app, json!({}), json!({ "caps": caps })).await;
    test_mode(app).await;
    app.execute("UPDATE channel SET settle_mode = 'registered', unit_price_cents = 200").await;
    app.execute("UPDATE org_account SET balance_cents = 0").await;
    (admin, partner, buyer)
}

/// What accounts hold and have spent, how many entries there are, and what channels get.
async fn money(app: &TestApp) -> String {
    app.text(
        "SELECT (SELECT COUNT(*) FROM account_ledger) || ' ' || (SELECT COUNT(*) FROM lead_cost) || ' ' || \
           (SELECT COALESCE(SUM(channel_cost_cents), 0) FROM applicant) || ' ' || (SELECT COALESCE(SUM(channel_cost_cents + held_cents + price_cents), 0) \
           FROM push_record WHERE test = 1) || ' ' || COALESCE(SUM(balance_cents), 0) || ' ' || COALESCE(SUM(frozen_cents), 0) || ' ' || \
           COALESCE(SUM(total_spend_cents), 0) FROM org_account",
    )
    .await
}

/// The reason of each plan that was passed over in the last round.
fn passed(story: &Value) -> HashMap<String, String> {
    let last = story["matches"].as_array().unwrap().last().unwrap();
    let of = |group: &Value| {
        let reason = group["reason"].as_str().unwrap().to_owned();
        group["plans"]
            .as_array()
            .unwrap()
            .iter()
            .map(|plan| (plan["name"].as_str().unwrap().to_owned(), reason.clone()))
            .collect::<Vec<_>>()
    };
    last["passedOver"].as_array().unwrap().iter().flat_map(of).collect()
}

on_both!(a_sale_to_a_test_organisation_moves_no_money_and_says_that_it_is_one);
async fn a_sale_to_a_test_organisation_moves_no_money_and_says_that_it_is_one(app: TestApp) {
    let (admin, partner, buyer) = tried_out(&app).await;
    let before = money(&app).await;
    assert_eq!(bring(&app, &partner, "r-1", application(1, json!({}))).await.ok()["status"], "matching");
    app.distribute().await;
    let shown = story(&app, &admin).await;
    let push = &shown["pushes"][0];
    assert_eq!((&shown["status"], &shown["test"], &push["status"]), (&json!("distributed"), &json!(true), &json!("accepted")));
    assert_eq!((&push["test"], &push["priceCents"], &shown["money"]), (&json!(true), &json!(0), &json!([])));
    assert_eq!((&shown["matches"][0]["test"], &shown["matches"][0]["bidCents"]), (&json!(true), &json!(0)));
    let sent = buyer.received();
    assert_eq!((sent.len(), &sent[0]["test"]), (1, &json!(true)));
    assert_eq!(money(&app).await, before);
    assert_eq!(app.count("SELECT used_count FROM cap_counter").await, 1, "caps count test leads");
    assert_eq!(app.count("SELECT COUNT(*) FROM clue WHERE test = 1").await, 1);
    books(&app).await;
    // A plan of a test organisation runs on without money; its cap stops it.
    assert_eq!(plans::sweep(&app.app).await.unwrap(), 0);
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    assert_eq!(passed(&story(&app, &admin).await), HashMap::from([("api".to_owned(), "capped".to_owned())]));

    // Lists filter them, and their files say it.
    for (path, total, other) in [("/plan/push/page", 1, 0), ("/user/page", 2, 0), ("/user/match/page", 2, 0), ("/crm/pushPage", 1, 0)] {
        let of = async |test: &str| admin.post(path, json!({ "test": test })).await.ok();
        let yes = of("yes").await;
        assert_eq!((&yes["total"], &yes["list"][0]["test"]), (&json!(total), &json!(true)), "{path}");
        assert_eq!((&of("no").await["total"], &admin.post(path, json!({})).await.ok()["total"]), (&json!(other), &json!(total)), "{path}");
        let file = admin.export(&format!("{path}/export"), json!({"format": "csv"})).await;
        let text = String::from_utf8_lossy(&file.body).into_owned();
        let mut lines = text.lines();
        let place = lines.next().unwrap().split(',').position(|head| head.trim_matches(['"', '\u{feff}']) == "测试").expect("a column");
        assert_eq!(lines.next().unwrap().split(',').nth(place), Some("是"), "{path}: {text}");
    }
}

on_both!(test_leads_count_in_their_own_figures_alone);
async fn test_leads_count_in_their_own_figures_alone(app: TestApp) {
    let (admin, partner, _buyer) = tried_out(&app).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let user_id = app.count("SELECT id FROM applicant").await;
    admin.post("/user/feedback", json!({"userId": user_id, "star": 3})).await.ok();
    app.execute("UPDATE clue SET first_follow_at = created_at, visited_at = created_at, signed_at = created_at").await;
    lead::add_up(&app.app.db, &app.app.clock).await.unwrap();
    let others = "SELECT CAST(COALESCE(SUM(registered + applied + matched + sold + pushed + refused + failed + returned + stars_3 + contacted + visited \
        + signed + ABS(cost_cents) + ABS(income_cents)), 0) AS BIGINT) FROM uv_stat_daily";
    let own = "SELECT test_pushed || ' ' || test_sold FROM uv_stat_daily WHERE subject_type = 'org' AND channel_id = 0 AND system = ''";
    for _ in 0..2 {
        assert_eq!((app.count(others).await, app.text(own).await.as_str()), (0, "1 1"));
        let days = (clock::day(app.now() - DAY), clock::day(app.now()));
        assert_eq!(visit::rebuild(&app.app.db, &app.app.clock, days.0, days.1).await.unwrap().corrected, 0);
    }
    let feedback = async |body: Value| admin.post("/user/feedback/page", body).await.ok()["total"].clone();
    assert_eq!((feedback(json!({"test": "yes"})).await, feedback(json!({"test": "no"})).await), (json!(1), json!(0)));
    let row = admin.post("/chart/org/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!((&row["testSales"], &row["testPushed"], &row["sales"]), (&json!(1), &json!(1), &json!(0)));
}

on_both!(live_and_test_leads_go_to_plans_of_their_own_mode_alone);
async fn live_and_test_leads_go_to_plans_of_their_own_mode_alone(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    plan(&app, &admin, json!({"name": "test", "methodPriority": 1, "priceCents": 90_000})).await;
    let south = app.organisation("south").await;
    plan(&app, &admin, json!({"name": "live", "orgId": south, "methodPriority": 9, "priceCents": 100})).await;
    app.execute("UPDATE organisation SET mode = 'test' WHERE code = 'north'").await;
    for method in ["price", "priority"] {
        app.set("lead.method", json!(method)).await;
        for (number, mode, other) in [(1, "live", "test"), (2, "test", "live")] {
            let sql = format!("UPDATE channel SET mode = '{mode}'");
            app.execute(Box::leak(sql.into_boxed_str())).await;
            let request = format!("{method}-{mode}");
            bring(&app, &partner, &request, application(number + if method == "price" { 0 } else { 2 }, json!({}))).await.ok();
            app.distribute().await;
            let shown = story(&app, &admin).await;
            let buyers: Vec<&Value> = shown["pushes"].as_array().unwrap().iter().map(|push| &push["planName"]).collect();
            assert_eq!((buyers, passed(&shown)), (vec![&json!(mode)], HashMap::from([(other.to_owned(), "mode".to_owned())])));
        }
    }
    // The same person may be bought in both modes: a test promises nothing to a live buyer.
    app.execute("UPDATE channel SET mode = 'test'").await;
    bring(&app, &partner, "again", application(1, json!({"province": "浙江"}))).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["pushes"][0]["planName"], "test");
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE test = 1 AND price_cents = 0 AND channel_cost_cents = 0").await, 3);
    assert_eq!(app.count("SELECT COUNT(*) FROM push_record WHERE test = 0 AND price_cents = 100 AND channel_cost_cents = 1000").await, 2);
    books(&app).await;
    // A question is answered by plans of its own mode.
    for (mode, without) in [("test", "live"), ("live", "test")] {
        let sql = format!("UPDATE channel SET mode = '{mode}'");
        app.execute(Box::leak(sql.into_boxed_str())).await;
        app.advance(2000);
        assert_eq!(ask(&app, &partner, 9, json!({"age": 30, "city": "上海市"})).await.ok()["status"], "matched");
        let end = format!("UPDATE plan SET status = 'paused', version = version + 1 WHERE name = '{mode}'");
        app.execute(Box::leak(end.into_boxed_str())).await;
        app.advance(2000);
        assert_eq!(ask(&app, &partner, 9, json!({"age": 31, "city": "上海市"})).await.ok()["status"], "no_plan", "{without} runs");
        let resume = format!("UPDATE plan SET status = 'running', version = version + 1 WHERE name = '{mode}'");
        app.execute(Box::leak(resume.into_boxed_str())).await;
    }
}

on_both!(an_organisation_that_changes_its_mode_after_the_search_buys_nothing);
async fn an_organisation_that_changes_its_mode_after_the_search_buys_nothing(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({"name": "north"})).await;
    for (number, channels, read_as, sold_as) in [(1, "live", "live", "test"), (2, "test", "test", "live")] {
        let become_mode = async |table: &str, mode: &str| {
            app.execute(Box::leak(format!("UPDATE {table} SET mode = '{mode}'").into_boxed_str())).await;
        };
        become_mode("channel", channels).await;
        become_mode("organisation", read_as).await;
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.app.service::<Market>().forget().await;
        app.app.service::<Market>().running_plans(&app.app.db, app.now()).await.unwrap();
        become_mode("organisation", sold_as).await;
        distribution::settle_handed(&app.app).await.unwrap();
        assert_eq!(passed(&story(&app, &admin).await), HashMap::from([("north".to_owned(), "mode".to_owned())]));
        assert_eq!(app.count("SELECT COUNT(*) FROM push_record").await, 0);
    }
}

on_both!(a_lead_stays_what_it_was_when_its_buyer_changes_its_mode);
async fn a_lead_stays_what_it_was_when_its_buyer_changes_its_mode(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    bring(&app, &partner, "live", application(1, json!({}))).await.ok();
    distribution::settle_handed(&app.app).await.unwrap();
    assert_eq!(app.count("SELECT MAX(frozen_cents) FROM org_account").await, 4500);
    test_mode(&app).await;
    app.distribute().await;
    let shown = story(&app, &admin).await;
    assert_eq!((&shown["pushes"][0]["test"], &shown["money"][0]["amountCents"]), (&json!(false), &json!(-4500)));
    // And the other way round.
    let before = money(&app).await;
    bring(&app, &partner, "test", application(2, json!({}))).await.ok();
    distribution::settle_handed(&app.app).await.unwrap();
    app.execute("UPDATE organisation SET mode = 'live'").await;
    app.execute("UPDATE channel SET mode = 'live'").await;
    app.distribute().await;
    let shown = story(&app, &admin).await;
    assert_eq!((&shown["pushes"][0]["status"], &shown["pushes"][0]["test"]), (&json!("accepted"), &json!(true)));
    assert_eq!((money(&app).await, buyer.received().len()), (before, 2));
    books(&app).await;
}

on_both!(a_returned_test_lead_moves_no_money);
async fn a_returned_test_lead_moves_no_money(app: TestApp) {
    let (admin, partner, _buyer) = tried_out(&app).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    grant(&app, "org_manager", "plan/push-list").await;
    app.set("lead.return_least", json!(100)).await;
    let before = money(&app).await;
    let (north, push_id) = (app.sign_in("north.manager").await, app.count("SELECT id FROM push_record").await);
    let row = ask_return(&north, push_id, json!({})).await.ok();
    assert_eq!(row["refundCents"], 0);
    decide(&admin, &row, true, json!({"chargeChannel": true})).await.ok();
    let shown = story(&app, &admin).await;
    assert_eq!((&shown["pushes"][0]["status"], &shown["money"]), (&json!("returned"), &json!([])));
    assert_eq!((money(&app).await, app.text("SELECT stage FROM clue").await.as_str()), (before, "invalid"));
    assert_eq!(app.count("SELECT used_count FROM cap_counter").await, 0, "its room is given back");
    lead::add_up(&app.app.db, &app.app.clock).await.unwrap();
    assert_eq!(app.count("SELECT CAST(COALESCE(SUM(returned + decided), 0) AS BIGINT) FROM uv_stat_daily").await, 0);
    books(&app).await;
}

on_both!(no_fee_arises_from_a_test_lead);
async fn no_fee_arises_from_a_test_lead(app: TestApp) {
    let (_, partner, _buyer) = tried_out(&app).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let (lead, clue_id) = (app.sign_in("north.lead").await, app.count("SELECT id FROM clue").await);
    app.execute("UPDATE clue SET sub_org_id = (SELECT id FROM sub_organisation WHERE name = 'First team')").await;
    lead.post("/crm/addMoney", testing::crm::money::form(&app, clue_id, json!({}))).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM money_record").await, 0);
    app.execute("UPDATE clue SET test = 0").await;
    lead.post("/crm/addMoney", testing::crm::money::form(&app, clue_id, json!({}))).await.ok();
}

on_both!(applicants_of_test_channels_wait_where_no_test_organisation_buys);
async fn applicants_of_test_channels_wait_where_no_test_organisation_buys(app: TestApp) {
    let (admin, partner, buyer) = tried_out(&app).await;
    app.execute("UPDATE plan SET status = 'paused', version = version + 1").await;
    assert_eq!(bring(&app, &partner, "r-1", application(1, json!({}))).await.ok()["status"], "registered");
    app.distribute().await;
    assert_eq!((&story(&app, &admin).await["pushes"], buyer.received().len()), (&json!([]), 0));
    app.execute("UPDATE plan SET status = 'running', version = version + 1").await;
    assert_eq!(bring(&app, &partner, "r-2", application(2, json!({}))).await.ok()["status"], "matching");
}
