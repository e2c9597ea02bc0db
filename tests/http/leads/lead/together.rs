//! Many at once: nothing is sold twice, over a cap, or past a balance.

use std::iter;
use std::time::{Duration, Instant};

use base::db::Engine;
use futures_util::FutureExt;
use futures_util::future::join_all;
use lead::distribution;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use trade::handoff::{Buyer, Handoff, Place};

use testing::lead::{application, books, bring, channel, plan};
use testing::open::Partner;
use testing::plan::begin;
use testing::{TestApp, on_both, run};

on_both!(caps_and_balances_hold_among_many);
async fn caps_and_balances_hold_among_many(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let south = app.organisation("south").await;
    // Seven cost 31,500, so the second cap has no room for an eighth either.
    let caps = json!([
        {"window": "day", "weekday": null, "maxCount": 7, "maxCents": null},
        {"window": "month", "weekday": null, "maxCount": null, "maxCents": 35_999}
    ]);
    plan(&app, &admin, json!({"name": "capped", "methodPriority": 1, "caps": caps})).await;
    plan(&app, &admin, json!({"name": "poor", "orgId": south, "methodPriority": 2, "priceCents": 5000})).await;
    app.execute("UPDATE org_account SET balance_cents = 0").await;
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 500000 WHERE code = 'north'").await;
    app.execute("UPDATE organisation SET bill_mode = 'credit', credit_limit_cents = 24999 WHERE code = 'south'").await;

    let nodes = [app.node().await, app.node().await];
    let stop = CancellationToken::new();
    let workers = nodes.each_ref().map(|node| tokio::spawn(distribution::work(node.app.clone(), stop.clone())));
    let brought = join_all((1..=30).map(|number| {
        let (node, partner) = (&nodes[number as usize % 2], &partner);
        async move { bring(node, partner, &format!("r-{number}"), application(number, json!({}))).await }
    }))
    .await;
    assert!(brought.iter().all(|answer| answer.code() == "0000"));
    until_nobody_is_matched(&app).await;
    stop.cancel();
    for worker in workers {
        worker.await.unwrap();
    }
    let sold = async |sql| app.count(sql).await;
    assert_eq!(sold("SELECT COUNT(*) FROM push_record h JOIN plan p ON p.id = h.plan_id WHERE p.name = 'capped'").await, 7);
    assert_eq!(sold("SELECT COUNT(*) FROM push_record h JOIN plan p ON p.id = h.plan_id WHERE p.name = 'poor'").await, 4);
    assert_eq!(sold("SELECT COUNT(DISTINCT user_id) FROM push_record").await, 11);
    assert_eq!(sold("SELECT COUNT(*) FROM applicant WHERE status = 'unmatched'").await, 19);
    assert_eq!(app.count("SELECT MAX(used_count) FROM cap_counter").await, 7);
    assert_eq!(app.count("SELECT MAX(used_cents) FROM cap_counter").await, 31_500);
    // The applicant for whose lead the cap had no room was offered to the next plan, in the same round.
    assert_eq!(sold("SELECT MAX(rounds) FROM applicant").await, 1);
    assert_eq!(trade::ledger::verify::verify(&app.app.db).await.unwrap(), []);
}

async fn until_nobody_is_matched(app: &TestApp) {
    for _ in 0..600 {
        if app.count("SELECT COUNT(*) FROM applicant WHERE status = 'matching'").await == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn until(holds: impl AsyncFn() -> bool) {
    let began = Instant::now();
    while !holds().await {
        assert!(began.elapsed() < Duration::from_secs(20));
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// A plan of North Star with a cap, which takes people of Shanghai, and one of Southern Cross, which takes those of Beijing.
struct Market {
    partner: Partner,
    hot: Buyer,
}

impl Market {
    async fn open(app: &TestApp) -> Market {
        begin(app);
        let (admin, partner) = (app.sign_in("admin").await, channel(app, json!({})).await);
        let (north, south) = (app.organisation("north").await, app.organisation("south").await);
        let caps = json!([{"window": "day", "weekday": null, "maxCount": 1000, "maxCents": null}]);
        let plan_id = plan(app, &admin, json!({"name": "hot", "cities": ["310100"], "caps": caps})).await;
        plan(app, &admin, json!({"name": "other", "orgId": south, "cities": ["110100"]})).await;
        Market { partner, hot: Buyer { org_id: north, plan_id } }
    }

    /// All places of the first plan.
    fn places(&self, app: &TestApp) -> Vec<Place> {
        iter::from_fn(|| app.app.service::<Handoff>().places.try_enter(self.hot)).collect()
    }

    /// Brings people for the first plan.
    async fn flood(&self, app: &TestApp, numbers: std::ops::RangeInclusive<u32>) {
        let brought = numbers.map(|number| async move {
            bring(app, &self.partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        });
        join_all(brought).await;
    }

    /// Brings one for the other plan, and waits until they are sold, which takes less time than a lock is waited for.
    async fn sells_to_the_other(&self, app: &TestApp) {
        let began = Instant::now();
        let said =
            json!({"age": 30, "sex": "male", "city": "北京市", "applyAmountCents": 5_000_000, "applyTermMonths": 12, "house": "none"});
        bring(app, &self.partner, "r-other", application(9000, json!({"applicant": said}))).await.ok();
        while sold_to(app, "other").await == 0 {
            assert!(began.elapsed() < Duration::from_secs(2), "waits for the flood");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

async fn sold_to(app: &TestApp, plan: &str) -> i64 {
    let sold = "SELECT COUNT(*) FROM push_record h JOIN plan p ON p.id = h.plan_id WHERE h.status = 'accepted' AND p.name = $1";
    sqlx::query_scalar(sold).bind(plan.to_owned()).fetch_one(app.app.db.read()).await.unwrap()
}

/// The sales of a plan wait for its cap, which another transaction holds. They leave the connections to the others.
#[tokio::test]
async fn a_flood_for_one_plan_delays_no_other() {
    run(Engine::Postgres, |app| async move {
        let market = Market::open(&app).await;
        market.flood(&app, 1..=1).await;
        app.distribute().await;
        assert_eq!(sold_to(&app, "hot").await, 1, "there is a counter to be held");
        // More than a plan has places for.
        market.flood(&app, 2..=181).await;
        let mut held = app.app.db.begin().await.unwrap();
        sqlx::query("UPDATE cap_counter SET used_count = used_count").execute(&mut *held).await.unwrap();
        let stop = CancellationToken::new();
        let worker = tokio::spawn(distribution::work(app.app.clone(), stop.clone()));
        app.until_somebody_waits().await;
        market.sells_to_the_other(&app).await;
        let waiting = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let waits = app.count(waiting).await;
        assert!((1..=6).contains(&waits), "{waits} of the flood wait in the database");
        assert_eq!(sold_to(&app, "hot").await, 1);
        held.rollback().await.unwrap();
        until_nobody_is_matched(&app).await;
        stop.cancel();
        worker.await.unwrap();
        assert_eq!((sold_to(&app, "hot").await, sold_to(&app, "other").await), (181, 1));
        assert_eq!(app.count("SELECT MAX(used_count) FROM cap_counter").await, 181);
        books(&app).await;
    })
    .await;
}

on_both!(applicants_wait_for_a_place_among_the_rounds_of_their_plan_alone);
async fn applicants_wait_for_a_place_among_the_rounds_of_their_plan_alone(app: TestApp) {
    let market = Market::open(&app).await;
    let places = market.places(&app);
    market.flood(&app, 1..=5).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(distribution::work(app.app.clone(), stop.clone()));
    market.sells_to_the_other(&app).await;
    assert_eq!(sold_to(&app, "hot").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE status = 'matching'").await, 5);
    drop(places);
    until_nobody_is_matched(&app).await;
    stop.cancel();
    worker.await.unwrap();
    assert_eq!((sold_to(&app, "hot").await, sold_to(&app, "other").await), (5, 1));
    books(&app).await;
}

on_both!(rounds_wait_for_the_place_of_the_plan_that_they_come_to_second);
async fn rounds_wait_for_the_place_of_the_plan_that_they_come_to_second(app: TestApp) {
    let market = Market::open(&app).await;
    let admin = app.sign_in("admin").await;
    // It comes first, and its cap is used up.
    let south = app.organisation("south").await;
    let caps = json!([{"window": "day", "weekday": null, "maxCount": 1, "maxCents": null}]);
    let first = json!({"name": "first", "orgId": south, "cities": ["310100"], "methodPriority": 1, "caps": caps});
    let first = Buyer { org_id: south, plan_id: plan(&app, &admin, first).await };
    app.execute("UPDATE plan SET method_priority = 2 WHERE name = 'hot'").await;
    market.flood(&app, 6..=6).await;
    app.distribute().await;
    assert_eq!(sold_to(&app, "first").await, 1);
    let places = market.places(&app);
    market.flood(&app, 1..=5).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(distribution::work(app.app.clone(), stop.clone()));
    market.sells_to_the_other(&app).await;
    until(async || app.app.service::<Handoff>().places.waiting() == 5).await;
    let free: Vec<Place> = iter::from_fn(|| app.app.service::<Handoff>().places.try_enter(first)).collect();
    assert_eq!(free.len(), 128, "the places of the first plan are given back");
    drop(free);
    drop(places);
    until_nobody_is_matched(&app).await;
    stop.cancel();
    worker.await.unwrap();
    assert_eq!((sold_to(&app, "hot").await, sold_to(&app, "first").await), (5, 1));
    assert_eq!(app.count("SELECT MAX(rounds) FROM applicant").await, 1);
}

on_both!(applicants_in_the_database_have_their_turn_while_rounds_of_one_plan_wait);
async fn applicants_in_the_database_have_their_turn_while_rounds_of_one_plan_wait(app: TestApp) {
    let market = Market::open(&app).await;
    let places = market.places(&app);
    let rounds = &app.app.service::<Handoff>().places;
    let mut waiting: Vec<_> = iter::repeat_with(|| Box::pin(rounds.enter(market.hot))).take(2000).collect();
    assert!(waiting.iter_mut().all(|round| round.as_mut().now_or_never().is_none()) && rounds.is_full());
    market.flood(&app, 1..=3).await;
    // This process has lost them.
    let mut handed = app.app.service::<Handoff>().applicants();
    while handed.as_mut().is_some_and(|handed| handed.try_next().is_some()) {}
    app.app.service::<Handoff>().give_back(handed);
    app.advance(61_000);
    let stop = CancellationToken::new();
    let worker = tokio::spawn(distribution::work(app.app.clone(), stop.clone()));
    let now = app.now();
    let due_later = "SELECT COUNT(*) FROM applicant WHERE due_at BETWEEN $1 AND $2 AND begun = 0";
    let count = async || sqlx::query_scalar(due_later).bind(now + 4000).bind(now + 25_000).fetch_one(app.app.db.read()).await;
    // They are found, and given back for some seconds, since too many wait before them.
    until(async || count().await.is_ok_and(|count: i64| count == 3)).await;
    market.sells_to_the_other(&app).await;
    drop((waiting, places));
    app.advance(30_000);
    until_nobody_is_matched(&app).await;
    stop.cancel();
    worker.await.unwrap();
    assert_eq!((sold_to(&app, "hot").await, sold_to(&app, "other").await), (3, 1));
}

on_both!(applicants_are_kept_while_their_rounds_wait_and_given_back_when_the_work_ends);
async fn applicants_are_kept_while_their_rounds_wait_and_given_back_when_the_work_ends(app: TestApp) {
    let market = Market::open(&app).await;
    let places = market.places(&app);
    market.flood(&app, 1..=3).await;
    // As if a process had taken them up from the database.
    app.execute("UPDATE applicant SET begun = 1").await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(distribution::work(app.app.clone(), stop.clone()));
    until(async || app.app.service::<Handoff>().places.waiting() == 3).await;
    for _ in 0..3 {
        app.advance(40_000);
        let now = app.now();
        let renewed = "SELECT COUNT(*) FROM applicant WHERE due_at > $1";
        let count = async || sqlx::query_scalar(renewed).bind(now + 55_000).fetch_one(app.app.db.read()).await;
        until(async || count().await.is_ok_and(|count: i64| count == 3)).await;
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE begun = 1").await, 3, "no other round was begun");
    stop.cancel();
    worker.await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE begun = 0 AND status = 'matching'").await, 3);
    assert_eq!(app.app.service::<Handoff>().places.waiting(), 0);
    drop(places);
    app.advance(60_000);
    app.distribute().await;
    assert_eq!(sold_to(&app, "hot").await, 3);
    books(&app).await;
}

on_both!(the_same_person_at_once_is_one_applicant);
async fn the_same_person_at_once_is_one_applicant(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let calls = (1..=12).map(|number| {
        let (app, partner) = (&app, &partner);
        async move { bring(app, partner, &format!("r-{number}"), application(1, json!({}))).await.ok() }
    });
    let accepted = join_all(calls).await.into_iter().filter(|answer| answer["accepted"] == true).count();
    assert_eq!(accepted, 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant").await, 1);
}
