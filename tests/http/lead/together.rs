//! Many at once: nothing is sold twice, over a cap, or past a balance.

use std::time::Duration;

use futures_util::future::join_all;
use leadlane::distribution;
use serde_json::json;
use tokio_util::sync::CancellationToken;

use super::{application, bring, channel, plan};
use crate::plan::begin;
use crate::support::{TestApp, on_both};

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
    // Whom the cap had no room for was offered to the next plan, in the same round.
    assert_eq!(sold("SELECT MAX(rounds) FROM applicant").await, 1);
    assert_eq!(leadlane::finance::verify::verify(&app.app.db).await.unwrap(), []);
}

async fn until_nobody_is_matched(app: &TestApp) {
    for _ in 0..600 {
        if app.count("SELECT COUNT(*) FROM applicant WHERE status = 'matching'").await == 0 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
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
