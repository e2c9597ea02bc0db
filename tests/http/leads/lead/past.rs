//! Other terms of a plan, tried on past leads: `/plan/try`.

use std::collections::BTreeMap;

use base::clock::{DAY, MINUTE};
use base::db::Engine;
use serde_json::{Value, json};
use trade::visit::lead;

use testing::lead::{application, bring, channel, plan};
use testing::org::with;
use testing::plan::begin;
use testing::{Actor, TestApp, on_both, run};

/// Leads and fen, by plan.
type Sales = BTreeMap<String, (i64, i64)>;

/// The terms that a trial names, as the plan of the tests has them.
fn terms(changes: Value) -> Value {
    let same = json!({
        "priceCents": 4500, "priceRules": [], "methodPriority": 5, "weight": 5, "cities": [],
        "caps": [{"window": "hour", "weekday": null, "maxCount": 3, "maxCents": null}],
        "ruleSet": {"all": [{"field": "age", "op": "lte", "value": 44}]},
        "channelAllow": [], "channelDeny": [], "schedule": null, "outOfSchedule": "skip"
    });
    with(same, changes)
}

/// Has plans of several kinds compete for the applicants of a morning and an afternoon; one has the terms given, and is of
/// a kind that no trial changes. Answers the id of that plan.
async fn course(app: &TestApp, method: &str, kind: &Value, own: &Value) -> i64 {
    begin(app);
    let admin = app.sign_in("admin").await;
    app.set("lead.method", json!(method)).await;
    let partner = channel(app, json!({"dedupDays": 0})).await;
    let south = app.organisation("south").await;
    let id = plan(app, &admin, with(with(own.clone(), kind.clone()), json!({"name": "trial", "dedupDays": 0}))).await;
    for (name, changes) in [
        ("first", json!({"methodPriority": 2, "priceCents": 5200, "ruleSet": {"all": [{"field": "age", "op": "gte", "value": 50}]}})),
        (
            "next",
            json!({"methodPriority": 6, "priceCents": 4000, "caps": [{"window": "hour", "weekday": null, "maxCount": 2, "maxCents": null}]}),
        ),
        ("shared", json!({"methodPriority": 7, "priceCents": 3000, "saleMode": "shared", "maxBuyers": 3})),
        ("last", json!({"methodPriority": 8, "priceCents": 2500, "saleMode": "shared", "maxBuyers": 2, "orgId": south})),
    ] {
        plan(app, &admin, with(changes, json!({"name": name, "dedupDays": 0}))).await;
    }
    app.execute("UPDATE org_account SET balance_cents = 100000000").await;
    for number in 1..=48_u32 {
        let (age, city) = (20 + (number * 7) % 40, ["上海市", "杭州市", "北京市"][number as usize % 3]);
        let user = application(number, json!({"applicant": {"age": age, "city": city}}));
        bring(app, &partner, &format!("r-{number}"), user).await.ok();
        app.distribute().await;
        app.advance(7 * MINUTE);
    }
    id
}

async fn sold(app: &TestApp) -> Sales {
    let rows: Vec<(String, i64, i64)> = sqlx::query_as(
        "SELECT p.name, COUNT(h.id), CAST(COALESCE(SUM(h.price_cents), 0) AS BIGINT) FROM plan p \
         LEFT JOIN push_record h ON h.plan_id = p.id AND h.status = 'accepted' GROUP BY p.name",
    )
    .fetch_all(app.app.db.read())
    .await
    .unwrap();
    rows.into_iter().map(|(name, leads, cents)| (name, (leads, cents))).collect()
}

/// What the sales would have been by a trial: those of plans that it does not name are as they were.
async fn tried(admin: &Actor, id: i64, own: &Value, was: &Sales) -> (Sales, Value) {
    let result = admin.post("/plan/try", with(own.clone(), json!({"id": id, "days": 1}))).await.ok();
    let pair = |sales: &Value, course: &str| {
        (sales[format!("{course}Leads")].as_i64().unwrap(), sales[format!("{course}Cents")].as_i64().unwrap())
    };
    assert_eq!(pair(&result["own"], "was"), was["trial"]);
    let mut sales = was.clone();
    sales.insert("trial".to_owned(), pair(&result["own"], "wouldBe"));
    for other in result["others"].as_array().unwrap() {
        let name = other["planName"].as_str().unwrap();
        assert_eq!(pair(&other["sales"], "was"), was[name]);
        sales.insert(name.to_owned(), pair(&other["sales"], "wouldBe"));
    }
    let all = sales.values().fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert_eq!(pair(&result["all"], "wouldBe"), all);
    (sales, result)
}

/// Income, cost and margin of the last days by statistics.
async fn figures(app: &TestApp) -> [i64; 3] {
    lead::add_up(&app.app.db, &app.app.clock).await.unwrap();
    let totals = app.sign_in("admin").await.post("/chart/channel/page", json!({})).await.ok()["totals"].clone();
    ["incomeCents", "costCents", "marginCents"].map(|key| totals[key].as_i64().unwrap())
}

/// The same of a course of a trial.
fn margin(result: &Value, course: &str) -> [i64; 3] {
    ["IncomeCents", "CostCents", "MarginCents"].map(|key| result["margin"][format!("{course}{key}")].as_i64().unwrap())
}

/// What a trial says is what is sold when the plan has those terms from the first lead on.
async fn comes_true(app: TestApp, method: &'static str, kind: Value, changes: Vec<Value>) {
    let id = course(&app, method, &kind, &terms(json!({}))).await;
    let (admin, was) = (app.sign_in("admin").await, sold(&app).await);
    assert!(was.values().all(|one| one.0 > 2), "every plan sells: {was:?}");
    let money = figures(&app).await;
    let (same, result) = tried(&admin, id, &terms(json!({})), &was).await;
    assert_eq!([margin(&result, "was"), margin(&result, "wouldBe")], [money, money]);
    assert_eq!((same, &result["rounds"], &result["newOffers"]), (was.clone(), &json!(48), &json!(0)));
    assert!(result["endings"].as_array().unwrap().iter().all(|ending| ending["was"] == ending["wouldBe"]), "{}", result["endings"]);
    for change in changes {
        let own = terms(change.clone());
        let (expected, result) = tried(&admin, id, &own, &was).await;
        let money = margin(&result, "wouldBe");
        let kind = kind.clone();
        run(Engine::Sqlite, |other| async move {
            course(&other, method, &kind, &own).await;
            assert_eq!(sold(&other).await, expected, "{method} {kind} {change}");
            assert_eq!(figures(&other).await, money, "{method} {kind} {change}");
        })
        .await;
    }
}

on_both!(by_priority_a_trial_comes_true);
async fn by_priority_a_trial_comes_true(app: TestApp) {
    let changes = vec![
        json!({"methodPriority": 9}),
        json!({"methodPriority": 1, "priceCents": 2000}),
        json!({"caps": [{"window": "hour", "weekday": null, "maxCount": 2, "maxCents": null}, {"window": "day", "weekday": null, "maxCount": null, "maxCents": 45000}]}),
        json!({"ruleSet": {"all": [{"field": "age", "op": "gte", "value": 40}]}, "cities": ["上海市", "北京市"]}),
        json!({"schedule": {"4": [[720, 840]]}}),
        json!({"priceRules": [{"rules": {"all": [{"field": "age", "op": "lte", "value": 29}]}, "priceCents": 9900}]}),
    ];
    comes_true(app, "priority", json!({}), changes).await;
}

on_both!(of_a_shared_plan_a_trial_comes_true);
async fn of_a_shared_plan_a_trial_comes_true(app: TestApp) {
    let kind = json!({"saleMode": "shared", "maxBuyers": 2, "orgId": app.organisation("south").await});
    let changes = vec![
        json!({"methodPriority": 9}),
        json!({"methodPriority": 1}),
        json!({"ruleSet": null, "caps": []}),
        json!({"caps": [{"window": "total", "weekday": null, "maxCount": 5, "maxCents": null}]}),
    ];
    comes_true(app, "priority", kind, changes).await;
}

on_both!(by_price_a_trial_comes_true);
async fn by_price_a_trial_comes_true(app: TestApp) {
    comes_true(app, "price", json!({}), vec![json!({"priceCents": 2600}), json!({"priceCents": 6000})]).await;
}

on_both!(a_trial_tells_what_is_wrong_and_changes_nothing);
async fn a_trial_tells_what_is_wrong_and_changes_nothing(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let id = plan(&app, &admin, json!({})).await;
    let body = |changes: Value| with(terms(json!({"id": id, "days": 1})), changes);
    let result = admin.post("/plan/try", body(json!({}))).await.ok();
    assert_eq!((&result["rounds"], &result["own"]["wasLeads"], &result["takenBp"]), (&json!(0), &json!(0), &json!(null)));
    for (wrong, code) in [
        (json!({"days": 0}), "1001"),
        (json!({"days": 15}), "1001"),
        (json!({"priceCents": 0}), "1001"),
        (json!({"caps": [{"window": "day", "weekday": 9, "maxCount": 1, "maxCents": null}]}), "1001"),
        (json!({"ruleSet": {"all": [{"field": "nothing", "op": "gte", "value": 40}]}}), "1001"),
        (json!({"id": 999_999}), "1004"),
        (json!({"orgId": 1}), "4000"),
        (json!({"caps": null}), "4000"),
    ] {
        admin.post("/plan/try", body(wrong.clone())).await.refused(code);
    }
    for person in ["north.manager", "south.manager", "channel.manager"] {
        app.sign_in(person).await.post("/plan/try", body(json!({}))).await.refused("1003");
    }
    assert_eq!(admin.get(&format!("/plan/{id}")).await.ok()["priceCents"], 4500);
}

on_both!(an_organisation_tries_its_own_plan_and_sees_no_other);
async fn an_organisation_tries_its_own_plan_and_sees_no_other(app: TestApp) {
    let kind = json!({"ownPriceLeastCents": 2000, "ownPriceMostCents": 6000});
    let id = course(&app, "price", &kind, &terms(json!({}))).await;
    testing::feedback::grant(&app, "org_manager", "plan/list/try").await;
    let admin = app.sign_in("admin").await;
    let manager = app.sign_in("north.manager").await.in_english();
    let body = |changes: Value| with(terms(json!({"id": id, "days": 1})), changes);
    let whole = admin.post("/plan/try", body(json!({"priceCents": 2600}))).await.ok();
    assert!(!whole["others"].as_array().unwrap().is_empty(), "{whole}");
    let own = manager.post("/plan/try", body(json!({"priceCents": 2600}))).await.ok();
    assert_eq!((&own["own"], &own["all"]), (&whole["own"], &whole["own"]));
    let none = json!({"wasLeads": 0, "wasCents": 0, "wouldBeLeads": 0, "wouldBeCents": 0});
    assert_eq!((&own["others"], &own["rest"], &own["newOffersOfOthers"]), (&json!([]), &none, &json!(0)));
    assert_eq!((&own["margin"], &own["erased"]), (&json!(null), &json!(0)));
    assert!(own["rounds"].as_i64() < whole["rounds"].as_i64(), "{own}");
    for ending in own["endings"].as_array().unwrap() {
        assert!(["bought", "refused"].contains(&ending["ending"].as_str().unwrap()), "{ending}");
    }
    // With any price it could find out what others pay.
    let message = manager.post("/plan/try", body(json!({"priceCents": 6001}))).await.wrong("priceCents");
    assert!(message.contains("between 20 and 60 CNY"), "{message}");
    manager.post("/plan/try", body(json!({"caps": []}))).await.wrong("caps");
    manager.post("/plan/try", body(json!({"methodPriority": 1}))).await.refused("1003");
    app.sign_in("south.manager").await.post("/plan/try", body(json!({}))).await.refused("1004");
    // The bounds of a draft are agreed by no second person.
    let draft = testing::plan::make(&app, &admin, with(kind, json!({"name": "draft"}))).await;
    manager.post("/plan/try", body(json!({"id": draft["id"]}))).await.refused("1006");
}

on_both!(a_total_cap_counts_what_was_sold_before);
async fn a_total_cap_counts_what_was_sold_before(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({"dedupDays": 0})).await;
    let day = json!([{"window": "day", "weekday": null, "maxCount": 100, "maxCents": null}]);
    let id = plan(&app, &app.sign_in("admin").await, json!({"caps": day})).await;
    for number in 1..=5 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
        if number == 3 {
            app.advance(3 * DAY);
        }
    }
    let admin = app.sign_in("admin").await;
    for (total, would_be) in [(3, 0), (4, 1), (9, 2)] {
        let caps = json!([{"window": "total", "weekday": null, "maxCount": total, "maxCents": null}]);
        let result = admin.post("/plan/try", with(terms(json!({"caps": caps, "ruleSet": null})), json!({"id": id, "days": 1}))).await.ok();
        assert_eq!((&result["own"]["wasLeads"], &result["own"]["wouldBeLeads"]), (&json!(2), &json!(would_be)), "{total}");
    }
}
