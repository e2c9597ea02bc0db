//! `GET /server/status`, and its two screens.

use axum::http::Method;
use serde_json::json;

use testing::{TestApp, on_both};

on_both!(what_waits_and_what_was_given_up_is_told);
async fn what_waits_and_what_was_given_up_is_told(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let now = app.now();
    let mut tx = app.app.db.begin().await.unwrap();
    // Key, state, when it is due, tries without an answer.
    for (key, state, due, unanswered) in [
        ("a", "waiting", Some(-90_000), 0),
        ("b", "waiting", Some(60_000), 0),
        ("c", "dead", None, 0),
        ("d", "done", None, 0),
        ("e", "unconfirmed", Some(60_000), 1),
        ("f", "dead", None, 1),
    ] {
        let insert = "INSERT INTO outbox_item (kind, destination, idem_key, state, due_at, unanswered, created_at, updated_at) \
             VALUES ('sms', 'sms', $1, $2, $3, $4, 0, 0)";
        sqlx::query(insert)
            .bind(key)
            .bind(state)
            .bind(due.map(|after: i64| now + after))
            .bind(i64::from(unanswered))
            .execute(&mut *tx)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    let outbox = operator.get("/server/status").await.ok()["outbox"].clone();
    assert_eq!((&outbox["waiting"], &outbox["due"], &outbox["unconfirmed"]), (&json!(3), &json!(1), &json!(2)), "{outbox}");
    assert_eq!((&outbox["failed"], &outbox["level"]), (&json!(2), &json!("watch")));
    assert!((90_000..100_000).contains(&outbox["oldestMs"].as_i64().unwrap()), "{outbox}");
}

on_both!(the_last_hour_grows_sample_by_sample);
async fn the_last_hour_grows_sample_by_sample(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let now = app.now();
    app.app.meter.sample(now);
    assert_eq!(operator.get("/server/status").await.ok()["history"]["at"], json!([]), "a sample needs its beginning");
    app.app.meter.sample(now + 10_000);
    app.app.meter.sample(now + 20_000);
    let history = operator.get("/server/status").await.ok()["history"].clone();
    assert_eq!(history["at"], json!([now + 10_000, now + 20_000]));
    assert_eq!(history["callsPerSecond"], json!([0.1, 0.0]));
    for series in ["pagesPerSecond", "faults", "pageP95", "apiP95", "cpu", "resident", "heap", "queued"] {
        assert_eq!(history[series].as_array().unwrap().len(), 2, "{series}");
    }
    assert_eq!(history["pageP95"], json!([null, null]));
}

on_both!(a_fault_of_ours_is_kept_without_its_query);
async fn a_fault_of_ours_is_kept_without_its_query(app: TestApp) {
    let operator = app.sign_in("operator").await;
    app.execute("DROP TABLE idempotency_key").await;
    let answer = operator.with("idempotency-key", "k").call(Method::POST, "/channel?secret=zz9", Some(&json!({}))).await;
    assert_eq!(answer.code(), "5000");
    let status = operator.get("/server/status").await.ok();
    let kept = &status["requests"]["notable"][0];
    assert_eq!((&kept["code"], &kept["method"], &kept["path"]), (&json!(5000), &json!("POST"), &json!("/api/channel")));
    assert!(!status.to_string().contains("zz9"));
    assert_eq!((&status["requests"]["faults"], &status["requests"]["level"]), (&json!(1), &json!("watch")));
}

/// X13: the state of the server answered people of organisations whose role was granted the point.
mod the_state_of_the_server {
    use super::*;
    use testing::on_both;

    on_both!(is_for_the_platforms_people);
    async fn is_for_the_platforms_people(app: TestApp) {
        for (role, who) in [("org_manager", "north.manager"), ("org_sales", "north.sales1")] {
            testing::feedback::grant(&app, role, "dashboard/server/list").await;
            app.sign_in(who).await.get("/server/status").await.refused("1003");
        }
        testing::feedback::grant(&app, "channel_manager", "dashboard/server/list").await;
        app.sign_in("channel.manager").await.get("/server/status").await.ok();
    }
}

// The monitor asks every few seconds, so its answer stays small however long the server runs.
on_both!(a_whole_hour_is_a_small_answer);
async fn a_whole_hour_is_a_small_answer(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let now = app.now();
    (0..1000).for_each(|sample| app.app.meter.sample(now + sample * 10_000));
    let answer = operator.get("/server/status").await;
    assert!(answer.body.len() < 32 * 1024, "{} bytes", answer.body.len());
    assert_eq!(answer.ok()["history"]["at"].as_array().unwrap().len(), 360);
}
