//! What is known from a person's past, where rules ask for it: the stars of feedback and the score of a risk report.

use base::clock::DAY;
use serde_json::{Value, json};

use testing::lead::{application, bring, channel, phone, plan, story};
use testing::open::{Call, Partner};
use testing::plan::begin;
use testing::{Actor, TestApp, on_both, product};

fn rule(field: &str, op: &str, value: Value) -> Value {
    json!({"all": [{"field": field, "op": op, "value": value}]})
}

async fn latest(app: &TestApp) -> i64 {
    app.count("SELECT MAX(id) FROM applicant").await
}

/// Brings an applicant, looks for plans, and answers what became of them.
async fn comes(app: &TestApp, admin: &Actor, partner: &Partner, number: u32) -> Value {
    let request = format!("r-{}", app.count("SELECT COUNT(*) FROM applicant").await);
    bring(app, partner, &request, application(number, json!({}))).await.ok();
    app.distribute().await;
    app.advance(2 * 60_000);
    story(app, admin).await
}

async fn rate(admin: &Actor, user_id: i64, star: i64) {
    admin.post("/user/feedback", json!({"userId": user_id, "star": star, "content": "已联系"})).await.ok();
}

on_both!(a_plan_asks_for_stars_and_for_a_score);
async fn a_plan_asks_for_stars_and_for_a_score(app: TestApp) {
    begin(&app);
    app.set("lead.again_minutes", json!(0)).await;
    let (mut admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    plan(&app, &admin, json!({"name": "by stars", "ruleSet": rule("star", "gte", json!(2)), "dedupDays": 0})).await;
    // A person without a past meets no condition on it.
    let unknown = comes(&app, &admin, &partner, 1).await;
    assert_eq!((&unknown["status"], &unknown["matches"][0]["passedOver"][0]["reason"]), (&json!("unmatched"), &json!("rules")));
    rate(&admin, latest(&app).await, 1).await;
    assert_eq!(comes(&app, &admin, &partner, 1).await["status"], "unmatched");
    rate(&admin, latest(&app).await, 3).await;
    assert_eq!(comes(&app, &admin, &partner, 1).await["status"], "distributed");
    assert_eq!(comes(&app, &admin, &partner, 2).await["status"], "unmatched", "another person");
    // The last feedback counts, and for as long as the setting says.
    rate(&admin, app.count("SELECT MIN(id) FROM applicant").await, 0).await;
    assert_eq!(comes(&app, &admin, &partner, 1).await["status"], "unmatched");
    rate(&admin, app.count("SELECT MIN(id) FROM applicant").await, 2).await;
    app.set("lead.past_days", json!(30)).await;
    app.advance(31 * DAY);
    admin = app.sign_in("admin").await;
    assert_eq!(comes(&app, &admin, &partner, 1).await["status"], "unmatched", "too long ago");

    app.execute("UPDATE plan SET status = 'paused'").await;
    plan(&app, &admin, json!({"name": "by score", "ruleSet": rule("score", "lte", json!(20)), "dedupDays": 0})).await;
    assert_eq!(comes(&app, &admin, &partner, 3).await["status"], "unmatched", "no report");
    let id = latest(&app).await;
    let score = async |admin: &Actor, id: i64| admin.get(&format!("/user/riskSimple/{id}")).await.ok()["score"].as_i64().unwrap();
    assert!(score(&admin, id).await <= 20);
    assert_eq!(comes(&app, &admin, &partner, 3).await["status"], "distributed");
    let entry = json!({"kind": "phone", "value": phone(3), "scope": "organisation", "scopeId": app.organisation("south").await,
        "source": "risk", "reason": "频繁申请"});
    admin.post("/blacklist", entry).await.ok();
    app.advance(2 * DAY);
    admin = app.sign_in("admin").await;
    assert!(score(&admin, latest(&app).await).await > 20);
    assert_eq!(comes(&app, &admin, &partner, 3).await["status"], "unmatched", "the last report counts");
}

on_both!(a_price_asks_for_stars);
async fn a_price_asks_for_stars(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    let dear = json!([{"rules": rule("star", "eq", json!(3)), "priceCents": 6000}]);
    plan(&app, &admin, json!({"priceRules": dear, "dedupDays": 0})).await;
    comes(&app, &admin, &partner, 1).await;
    rate(&admin, latest(&app).await, 3).await;
    comes(&app, &admin, &partner, 1).await;
    comes(&app, &admin, &partner, 2).await;
    let prices = "SELECT CAST(h.price_cents AS TEXT) FROM push_record h WHERE h.id = (SELECT MIN(id) + @ FROM push_record)";
    for (index, price) in ["4500", "6000", "4500"].into_iter().enumerate() {
        let sql = prices.replace('@', &index.to_string());
        assert_eq!(app.text(Box::leak(sql.into_boxed_str())).await, price, "{index}");
    }
}

on_both!(a_channel_asks_for_stars_of_earlier_applications);
async fn a_channel_asks_for_stars_of_earlier_applications(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let filters = json!({"any": [{"field": "star", "op": "gte", "value": 2}, {"field": "star", "op": "exists", "value": false}]});
    let partner = channel(&app, json!({"dedupDays": 0, "filters": filters})).await;
    assert_eq!(comes(&app, &admin, &partner, 1).await["reason"], json!(null), "nothing is known");
    rate(&admin, latest(&app).await, 1).await;
    let refused = comes(&app, &admin, &partner, 1).await;
    assert_eq!((&refused["status"], &refused["reason"]), (&json!("invalid"), &json!("filters")));
    assert!(refused["checks"].to_string().contains("Past stars ≥ 2 or has no past stars"), "{}", refused["checks"]);
    rate(&admin, app.count("SELECT MIN(id) FROM applicant").await, 2).await;
    assert_eq!(comes(&app, &admin, &partner, 1).await["reason"], json!(null));

    // A question before, by the phone's MD5, is answered by the same.
    rate(&admin, app.count("SELECT MIN(id) FROM applicant").await, 0).await;
    app.advance(1000);
    let ask = async |number: u32, applicant: Value| {
        let nonce = format!("m-{}", app.count("SELECT COUNT(*) FROM nonce").await);
        let body = json!({"phoneMd5": base::crypto::md5_hex(&phone(number)), "applicant": applicant});
        Call { path: "/open/match", ..Call::of(&app, &partner, &nonce, &body) }.make(&app.stranger()).await
    };
    assert_eq!(ask(1, json!({})).await.ok()["status"], "not_qualified");
    assert_eq!(ask(2, json!({})).await.ok()["status"], "no_plan");
    ask(2, json!({"star": 3})).await.wrong("applicant");
    bring(&app, &partner, "r-star", application(2, json!({"applicant": {"star": 3}}))).await.wrong("user.applicant");

    // Where it is not known it cannot be asked for, and a trial says the value that it is tried with.
    let form = product::with(product::form(&app, "haoxiang-1").await, json!({ "ruleSet": rule("star", "gte", json!(2)) }));
    let words = admin.in_english().post("/product", form).await.wrong("ruleSet");
    assert!(words.starts_with("No. 1: Past stars: not known of a visitor who has not applied"), "{words}");
}

on_both!(a_trial_on_past_leads_counts_what_was_known_then);
async fn a_trial_on_past_leads_counts_what_was_known_then(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    let terms = json!({
        "priceCents": 4500, "priceRules": [], "methodPriority": 5, "weight": 5, "cities": [], "caps": [], "ruleSet": null,
        "channelAllow": [], "channelDeny": [], "schedule": null, "outOfSchedule": "skip"
    });
    let id = plan(&app, &admin, testing::org::with(terms.clone(), json!({"dedupDays": 0}))).await;
    comes(&app, &admin, &partner, 1).await;
    rate(&admin, latest(&app).await, 3).await;
    // The database's clock may be some milliseconds ahead of the round's.
    app.advance(60_000);
    comes(&app, &admin, &partner, 1).await;
    comes(&app, &admin, &partner, 2).await;
    let body = testing::org::with(terms, json!({"id": id, "days": 1, "ruleSet": rule("star", "gte", json!(2))}));
    let result = admin.post("/plan/try", body).await.ok();
    // Of the first two leads, which are one person's, one came before there was feedback.
    assert_eq!((&result["own"]["wasLeads"], &result["own"]["wouldBeLeads"]), (&json!(3), &json!(1)), "{result}");
}
