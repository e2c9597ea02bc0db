//! Which exposures of plans led to an application: `visitor` of `POST /open/user`, *Applied* of `/plan/exposure`.

use base::clock::{DAY, HOUR, MINUTE};
use serde_json::{Value, json};
use trade::visit::applied;

use testing::lead::application;
use testing::open::{Call, Partner, partner, sight, supply};
use testing::plan::begin;
use testing::{Actor, Answer, TestApp, on_both};

/// Reports that a plan was shown to a visitor.
async fn show(app: &TestApp, channel: &Partner, nonce: &str, visitor: &str) {
    let body = sight(visitor, json!([{"type": "exposure", "plan": "P0001", "position": 1}]));
    Call::of(app, channel, nonce, &body).make(&app.stranger()).await.ok();
}

/// Brings the application of a visitor.
async fn apply(app: &TestApp, channel: &Partner, nonce: &str, number: u32, visitor: &str) -> Answer {
    let body = json!({"requestId": format!("r-{number}"), "visitor": visitor, "user": application(number, json!({}))});
    Call { path: "/open/user", ..Call::of(app, channel, nonce, &body) }.make(&app.stranger()).await
}

/// The hour after a moment in which the exposures were applied for, oldest exposure first.
async fn applied_after(operator: &Actor, moment: i64) -> Vec<Option<i64>> {
    let page = operator.post("/plan/exposure/page", json!({"sort": "shownAt", "order": "asc"})).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["appliedAt"].as_i64().map(|at| (at - moment).div_euclid(HOUR))).collect()
}

// S1.11
on_both!(an_application_marks_what_its_visitor_was_shown);
async fn an_application_marks_what_its_visitor_was_shown(app: TestApp) {
    // What is shown on two days has two rows: the test begins in the morning.
    begin(&app);
    let (ads, h5) = (partner(&app, "ads-seen-1", json!({})).await, partner(&app, "h5-seen-2", json!({})).await);
    supply(&app).await;
    for (channel, nonce, visitor) in [(&ads, "s1", "u1"), (&ads, "s2", "u2"), (&h5, "s3", "u1")] {
        show(&app, channel, nonce, visitor).await;
        app.advance(1000);
    }
    app.advance(HOUR);
    let first = app.now();
    apply(&app, &ads, "a1", 1, " u1 ").await.ok();
    // Twice is once, and a later application of the same visitor changes nothing.
    app.advance(HOUR);
    apply(&app, &ads, "a2", 1, "u1").await.ok();
    // One that fails a check is none.
    let refused = json!({"requestId": "r-9", "visitor": "u2", "user": application(9, json!({"consent": null}))});
    let refused = Call { path: "/open/user", ..Call::of(&app, &ads, "a9", &refused) }.make(&app.stranger()).await.ok();
    assert_eq!(refused["accepted"], false);
    applied::mark(&app.app.db).await.unwrap();
    apply(&app, &ads, "a3", 2, "u1").await.ok();
    applied::mark(&app.app.db).await.unwrap();
    let operator = app.sign_in("operator").await;
    let marked = applied_after(&operator, first - MINUTE).await;
    assert_eq!(marked, [Some(0), None, None], "of this channel's visitor alone");
    assert_eq!(app.count("SELECT COUNT(*) FROM visitor_application").await, 0);
    let page = operator.post("/plan/exposure/page", json!({"applied": "yes"})).await.ok();
    assert_eq!((&page["total"], &page["list"][0]["pvCount"], &page["totals"]), (&json!(1), &json!(1), &Value::Null));

    // What was shown for the last time more than seven days before did not lead to it; and clocks differ.
    app.advance(DAY - HOUR);
    show(&app, &h5, "s4", "u3").await;
    app.advance(HOUR / 2);
    show(&app, &h5, "s5", "u3").await;
    app.advance(7 * DAY - HOUR / 4);
    let mut ahead = sight("u3", json!([{"type": "exposure", "plan": "P0001", "position": 1}]));
    ahead["at"] = json!(app.now() + 3 * MINUTE);
    Call::of(&app, &h5, "s6", &ahead).make(&app.stranger()).await.ok();
    let last = app.now();
    for (nonce, number, visitor) in [("a4", 3, "u1"), ("a6", 5, "u3")] {
        apply(&app, &h5, nonce, number, visitor).await.ok();
    }
    applied::mark(&app.app.db).await.unwrap();
    let operator = app.sign_in("operator").await;
    let marked = applied_after(&operator, last - HOUR / 2).await;
    assert_eq!(marked.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, false, true, true]);
    assert_eq!(marked[3..], [Some(0), Some(0)]);

    apply(&app, &ads, "a5", 4, &"u".repeat(129)).await.wrong("visitor");
    operator.post("/plan/exposure/page", json!({"applied": "no"})).await.refused("4000");
}
