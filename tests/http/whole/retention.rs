//! What is old goes at night, and nothing that somebody asks for.

use base::clock::{self, DAY, HOUR};
use serde_json::{Value, json};
use server::retention;
use tokio_util::sync::CancellationToken;

use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring};
use testing::{TestApp, on_both};

/// Lets the days pass, and the nights' work be done once; answers how many rows went.
async fn nights(app: &TestApp, days: i64) -> Option<u64> {
    let morning = clock::start(clock::day(app.now() + days * DAY)) + 5 * HOUR;
    app.advance(morning - app.now());
    retention::tonight(&app.app, &CancellationToken::new()).await.unwrap()
}

async fn rows(app: &TestApp, table: &str) -> i64 {
    app.count(Box::leak(format!("SELECT COUNT(*) FROM {table}").into_boxed_str())).await
}

on_both!(a_night_that_fails_or_is_cut_off_is_taken_over);
async fn a_night_that_fails_or_is_cut_off_is_taken_over(app: TestApp) {
    let never = CancellationToken::new();
    nights(&app, 1).await.expect("it is this node's night");
    // One that fails half-way.
    app.advance(DAY);
    app.execute("ALTER TABLE match_question RENAME TO match_question_away").await;
    retention::tonight(&app.app, &never).await.unwrap_err();
    app.execute("ALTER TABLE match_question_away RENAME TO match_question").await;
    assert!(retention::tonight(&app.node().await.app, &never).await.unwrap().is_some(), "by another node");
    assert_eq!(retention::tonight(&app.app, &never).await.unwrap(), None, "and then it is done");
    // One whose node stops in an orderly way.
    app.advance(DAY);
    let stopped = CancellationToken::new();
    stopped.cancel();
    retention::tonight(&app.app, &stopped).await.unwrap();
    assert!(retention::tonight(&app.node().await.app, &never).await.unwrap().is_some());
    // One whose node is killed has its lease for an hour.
    app.advance(DAY);
    retention::tonight(&app.app, &never).await.unwrap();
    app.execute("UPDATE daily_task SET done_at = NULL").await;
    assert_eq!(retention::tonight(&app.node().await.app, &never).await.unwrap(), None, "another may be at it");
    app.execute("UPDATE daily_task SET begun_at = begun_at - 3600001").await;
    assert!(retention::tonight(&app.node().await.app, &never).await.unwrap().is_some());
}

on_both!(what_is_old_goes_at_night);
async fn what_is_old_goes_at_night(app: TestApp) {
    let caps = json!([{"window": "hour", "weekday": null, "maxCount": 50, "maxCents": null},
        {"window": "total", "weekday": null, "maxCount": 50, "maxCents": null}]);
    let (admin, partner, buyer) = by_api(&app, json!({"retryMax": 0}), json!({ "caps": caps })).await;
    for number in 1..=3 {
        match number {
            // Taken; in doubt; and nobody's.
            1 => {}
            2 => buyer.answers(500, json!({})),
            _ => buyer.answers(200, json!({"code": "AGE"})),
        }
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
    }
    admin.post("/user/page", json!({"keyword": "13800138000"})).await.ok();
    app.stranger().post("/admin/login", json!({"username": "operator", "password": "wrong"})).await;
    app.stranger().post("/admin/sendCode", json!({"phone": testing::world::PHONE})).await;
    let before = ["push_attempt", "match_record", "login_log", "admin_session", "cap_counter", "cap_taken", "number_search"];
    for table in before {
        assert!(rows(&app, table).await > 0, "{table}");
    }
    let matched = "match_record WHERE direction = 'round' AND status = 'matched'";
    let (found_buyers, leads, people) = (rows(&app, matched).await, rows(&app, "push_record").await, rows(&app, "applicant").await);
    assert!(found_buyers > 0 && rows(&app, "match_record").await > found_buyers);
    let trail = rows(&app, "operation_log").await;

    // Within their time everything stays but what short limits counted.
    nights(&app, 25).await.expect("it is this node's night");
    assert_eq!(nights(&app, 0).await, None, "once a night");
    assert_eq!(retention::tonight(&app.node().await.app, &CancellationToken::new()).await.unwrap(), None, "by one node");
    assert_eq!((rows(&app, "push_attempt").await, rows(&app, "number_search").await), (3, 0));

    nights(&app, 120).await.expect("another night");
    assert_eq!((rows(&app, "admin_session").await, rows(&app, "verification_code").await), (0, 0));
    assert_eq!((rows(&app, "cap_counter").await, rows(&app, "cap_taken").await), (1, 2), "what is counted in total stays");
    assert_eq!((rows(&app, "push_attempt").await, rows(&app, "login_log").await > 0), (3, true));

    // A year later only what the setting keeps longer is there.
    app.set("lead.tries_days", json!(500)).await;
    nights(&app, 270).await.expect("another night");
    assert_eq!((rows(&app, "push_attempt").await, rows(&app, "login_log").await), (3, 0));
    app.set("lead.tries_days", json!(90)).await;
    nights(&app, 1).await.expect("another night");
    assert_eq!(rows(&app, "push_attempt").await, 1, "who is in doubt is looked at by people");
    assert_eq!(app.text("SELECT h.status FROM push_record h JOIN push_attempt t ON t.push_id = h.id").await, "unconfirmed");
    assert_eq!((rows(&app, matched).await, rows(&app, "match_record").await), (found_buyers, found_buyers), "figures are made of them");
    assert_eq!((rows(&app, "push_record").await, rows(&app, "applicant").await), (leads, people));
    assert!(rows(&app, "operation_log").await >= trail);
    books(&app).await;
    // Who looks at an old lead is told so much of it as there is.
    let admin = app.sign_in("admin").await;
    let accepted = app.count("SELECT id FROM push_record WHERE status = 'accepted'").await;
    let old = admin.get(&format!("/plan/push/{accepted}")).await.ok();
    assert_eq!((&old["attempts"], &old["tries"], &old["lastError"]), (&json!(1), &json!([]), &Value::Null));
}

on_both!(a_night_is_done_some_rows_at_a_time);
async fn a_night_is_done_some_rows_at_a_time(app: TestApp) {
    app.execute(
        "INSERT INTO login_log (username, ip, user_agent, result, at) WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number \
         WHERE n < 2500) SELECT 'x', '', '', 'wrong', n FROM number",
    )
    .await;
    // Told to stop, it leaves the rest for another night.
    let stop = CancellationToken::new();
    stop.cancel();
    app.advance(clock::start(clock::day(app.now() + DAY)) + 5 * HOUR - app.now());
    assert_eq!(retention::tonight(&app.app, &stop).await.unwrap(), Some(0));
    assert_eq!(nights(&app, 1).await, Some(2500));
}

on_both!(applicants_and_consents_go_when_their_time_is_over);
async fn applicants_and_consents_go_when_their_time_is_over(app: TestApp) {
    let (admin, partner, _) = by_api(&app, json!({}), json!({})).await;
    for number in 1..=3 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.distribute().await;
    }
    let preview =
        async |kept: &str, days: i64| app.sign_in("admin").await.get(&format!("/setting/retention?kept={kept}&days={days}")).await;
    app.sign_in("north.manager").await.get("/setting/retention?kept=applicants&days=400").await.refused("1003");
    preview("applicants", 179).await.wrong("days");
    preview("consents", 1094).await.wrong("days");
    admin.get("/setting/retention?kept=orders&days=400").await.refused("4000");
    let version = json!([{"key": "applicant.keep_days", "value": 179, "version": 0}]);
    admin.put("/setting", json!({ "changes": version })).await.wrong("applicant.keep_days");
    app.set("applicant.keep_days", json!(200)).await;
    app.set("consent.keep_days", json!(1095)).await;

    // One is worked on still, and of one a return waits.
    nights(&app, 190).await;
    assert_eq!(preview("applicants", 200).await.ok(), json!({"count": 0, "isMore": false, "oldestAt": null}));
    app.execute("UPDATE clue SET updated_at = updated_at + 8640000000 WHERE id = (SELECT MIN(id) FROM clue)").await;
    app.execute(
        "INSERT INTO lead_return (push_id, org_id, reason_code, note, status, refund_cents, created_at, updated_at) \
         SELECT MAX(id), MAX(org_id), 'other', '', 'pending', 0, 1, 1 FROM push_record",
    )
    .await;
    app.advance(11 * DAY);
    let seen = preview("applicants", 200).await.ok();
    assert_eq!((&seen["count"], &seen["isMore"]), (&json!(1), &json!(false)));
    assert!(seen["oldestAt"].is_i64());
    let money = app.count("SELECT CAST(SUM(amount_cents) AS BIGINT) FROM account_ledger").await;
    nights(&app, 0).await.expect("it is this node's night");
    assert_eq!(app.text("SELECT status FROM applicant WHERE request_id = 'r-2'").await, "erased");
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE phone_enc IS NULL").await, 1);
    assert_eq!(
        (rows(&app, "consent_record").await, app.count("SELECT CAST(SUM(amount_cents) AS BIGINT) FROM account_ledger").await),
        (3, money)
    );
    let id = app.count("SELECT id FROM applicant WHERE status = 'erased'").await;
    let trail = app.trail("user", id).await;
    assert!(trail[0].diff.iter().any(|change| change.after.as_deref() == Some("retention")), "{trail:?}");
    books(&app).await;

    // The consent three years later; the others' go on with their applicants.
    app.advance(1096 * DAY);
    assert_eq!(preview("consents", 1095).await.ok()["count"], 1);
    nights(&app, 0).await.expect("it is this node's night");
    assert_eq!(
        app.count("SELECT COUNT(*) FROM consent_record WHERE user_id = (SELECT id FROM applicant WHERE request_id = 'r-2')").await,
        0
    );
    assert_eq!(rows(&app, "consent_record").await, 2);
}
