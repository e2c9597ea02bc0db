//! `GET /server/status`, and its two screens.

use axum::http::Method;
use leadlane::db::Engine;
use serde_json::{Value, json};

use crate::lead::{application, bring, channel, plan};
use crate::pages::browser::Browser;
use crate::plan::begin;
use crate::support::{TestApp, on_both};

fn kind<'v>(status: &'v Value, name: &str) -> &'v Value {
    status["requests"]["kinds"].as_array().unwrap().iter().find(|kind| kind["kind"] == name).unwrap()
}

fn code(status: &Value, code: u16) -> Value {
    let codes = status["requests"]["codes"].as_array().unwrap();
    codes.iter().find(|counted| counted["code"] == code).map_or(json!(0), |counted| counted["total"].clone())
}

// S1.12
on_both!(what_was_asked_and_refused_is_counted);
async fn what_was_asked_and_refused_is_counted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let before = operator.get("/server/status").await.ok();
    operator.get("/channel/999").await.refused("1004");
    operator.post("/channel/page", json!({"current": "x"})).await.refused("4000");
    app.stranger().get("/server/status").await.refused("2000");
    app.sign_in("nobody").await.get("/server/status").await.refused("1003");
    let page = Browser::of(&app, "operator").await;
    page.get("/channel/list").await.is("channelList", 200);
    page.get("/nowhere").await.is("notFound", 404);
    page.get("/assets/none.js").await;
    for probe in ["/healthz", "/readyz", "/metrics"] {
        page.get(probe).await;
    }
    let status = operator.get("/server/status").await.ok();
    let more = |name: &str| kind(&status, name)["total"].as_i64().unwrap() - kind(&before, name)["total"].as_i64().unwrap();
    // A page's own loads are no requests, probes neither.
    assert_eq!((more("page"), more("api"), more("asset")), (2, 5, 1));
    assert_eq!([1004, 4000, 2000, 1003].map(|refusal| code(&status, refusal)), [1, 1, 1, 1].map(Value::from));
    assert_eq!(code(&status, 404), json!(2), "the page and the file that are not there");
    assert_eq!(kind(&status, "api")["inFlight"], 1, "this very one");
    assert_eq!(kind(&status, "page")["inFlight"], 0);
    assert!(kind(&status, "page")["p95"].as_f64().unwrap() > 0.0);
    assert_eq!((&status["requests"]["faults"], &status["requests"]["notable"]), (&json!(0), &json!([])));
}

// The address of a thread or a payment opens it: what is shown of a request is its route.
on_both!(no_key_of_an_address_is_shown);
async fn no_key_of_an_address_is_shown(app: TestApp) {
    let browser = Browser::of(&app, "operator").await;
    let (thread, token) = ("xMDYARDFUha9P8v57Z2GeSjtEmmTyenU", "k7PqTARDFUha9P8v57Z2GeSjtEmmTyen");
    app.execute("ALTER TABLE chat_customer RENAME TO chat_customer_away").await;
    app.execute("ALTER TABLE payment_order RENAME TO payment_order_away").await;
    for path in [
        format!("/talk/{thread}"),
        format!("/talk/{thread}/events?after=0&event=0"),
        format!("/talk/{thread}/file/7"),
        format!("/pay/{token}"),
        format!("/pay/{token}/"),
        format!("/pays/{token}"),
        format!("/api/pay/{token}"),
    ] {
        browser.get(&path).await;
    }
    let status = app.sign_in("operator").await.get("/server/status").await.ok();
    let failed: Vec<&str> = status["requests"]["notable"].as_array().unwrap().iter().map(|kept| kept["path"].as_str().unwrap()).collect();
    assert!(failed.contains(&"/pay/{token}"), "{failed:?}");
    let seen = format!("{status} {} {}", browser.get("/metrics").await.text(), browser.get("/dashboard/monitor").await.text());
    for key in [thread, token] {
        assert!(!seen.contains(key), "{key}");
    }
}

// M8: rounds that do not come to their applicants are seen, as what waits in the outbox is.
on_both!(applicants_who_wait_for_a_round_are_measured);
async fn applicants_who_wait_for_a_round_are_measured(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let browser = Browser::of(&app, "operator").await;
    let measured = async |name: &str| -> f64 {
        let text = String::from_utf8_lossy(&browser.get("/metrics").await.body).into_owned();
        let line = text.lines().find(|line| line.starts_with(&format!("leadlane_{name} "))).unwrap_or_else(|| panic!("no {name}: {text}"));
        line.split_once(' ').unwrap().1.parse().unwrap()
    };
    assert_eq!((measured("applicants_due").await, measured("applicants_oldest_seconds").await), (0.0, 0.0));
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.advance(90_000);
    let oldest = measured("applicants_oldest_seconds").await;
    assert!(measured("applicants_due").await == 1.0 && (30.0..60.0).contains(&oldest), "who took them in has them for a minute: {oldest}");
    app.distribute().await;
    assert_eq!(measured("applicants_due").await, 0.0);
}

// Applicants whose rounds keep failing are counted on /metrics and the monitor, which leads to the list of them.
on_both!(applicants_whose_rounds_keep_failing_are_shown);
async fn applicants_whose_rounds_keep_failing_are_shown(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    let browser = Browser::of(&app, "operator").await;
    let failing = async || {
        let text = String::from_utf8_lossy(&browser.get("/metrics").await.body).into_owned();
        let line = text.lines().find(|line| line.starts_with("leadlane_applicants_failing ")).expect("the gauge").to_owned();
        let status = admin.get("/server/status").await.ok()["matching"].clone();
        assert_eq!(line, format!("leadlane_applicants_failing {}", status["failing"]));
        (status["failing"].as_i64().unwrap(), status["level"].as_str().unwrap().to_owned())
    };
    let link = "/user/list?failing=yes";
    for number in 1..=2 {
        bring(&app, &partner, &format!("r-{number}"), application(number, json!({}))).await.ok();
        app.execute("UPDATE plan SET schedule = 'unreadable'").await;
        if number == 1 {
            for failed in [0, 0, 1] {
                leadlane::distribution::settle_all(&app.app).await.unwrap_err();
                assert_eq!(failing().await.0, failed, "a failure or two may pass");
                app.advance(61_000);
            }
        }
        app.execute("UPDATE plan SET schedule = NULL").await;
    }
    assert_eq!(failing().await, (1, "watch".to_owned()));
    for (browser, text) in
        [(browser.clone(), "有 1 位用户的匹配多次未能完成"), (browser.clone().in_english(), "matching keeps failing: 1.")]
    {
        let page = browser.get("/dashboard/monitor").await;
        assert!(page.root().contains(text) && page.root().contains(&format!("href=\"{link}\"")), "{}", page.root());
        assert!(browser.get("/dashboard/server").await.root().contains(&format!("href=\"{link}\"")));
        browser.get(link).await.is("userList", 200);
    }
    let listed = async |failing: &str| {
        let page = admin.post("/user/page", json!({ "failing": failing })).await.ok();
        page["list"].as_array().unwrap().iter().map(|row| row["phoneMask"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((listed("yes").await, listed("no").await), (vec!["100****0001".to_owned()], vec!["100****0002".to_owned()]));
    // After the cause is mended it is over with the next round.
    app.advance(3 * 60_000);
    app.distribute().await;
    assert_eq!(failing().await, (0, "good".to_owned()));
    assert!(!browser.get("/dashboard/monitor").await.root().contains(link));
}

on_both!(the_parts_of_the_server_say_how_they_do);
async fn the_parts_of_the_server_say_how_they_do(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let page = Browser::of(&app, "operator").await;
    page.get("/channel/list").await.is("channelList", 200);
    let status = operator.get("/server/status").await.ok();
    let levels = ["good", "watch", "bad"];
    let level = |of: &Value| levels.iter().position(|level| of["level"] == *level).unwrap_or_else(|| panic!("no level in {of}"));
    let worst = ["requests", "isolates", "database", "memory", "matching", "outbox"].map(|part| level(&status[part])).into_iter().max();
    assert_eq!(Some(level(&status)), worst, "{status}");
    assert_eq!(status["database"]["engine"], if app.app.db.engine() == Engine::Sqlite { "sqlite" } else { "postgres" });
    assert!(status["database"]["bytes"].as_i64().unwrap() > 10_000);
    assert!(status["database"]["ping"].as_f64().unwrap() > 0.0);
    assert!(status["database"]["readP50"].as_f64().unwrap() > 0.0 && status["database"]["writeP99"].as_f64().unwrap() > 0.0);
    assert!(status["database"]["inUse"].as_i64().unwrap() <= status["database"]["most"].as_i64().unwrap());
    assert!(status["isolates"]["renders"].as_i64().unwrap() >= 1 && status["isolates"]["p50"].as_f64().unwrap() > 0.0);
    assert!(!status["isolates"]["list"].as_array().unwrap().is_empty());
    assert!(status["memory"]["resident"].as_i64().unwrap() > 1 << 20);
    assert!(status["uptimeMs"].as_i64().unwrap() >= 0);
    assert_eq!(status["version"], env!("CARGO_PKG_VERSION"));
    assert!(!status["node"].as_str().unwrap().is_empty());
}

on_both!(what_waits_and_what_was_given_up_is_told);
async fn what_waits_and_what_was_given_up_is_told(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let now = app.now();
    let mut tx = app.app.db.begin().await.unwrap();
    // Key, state, when it is due, tries that nobody answered.
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

// S1.12: both screens are complete in their HTML, in both languages.
on_both!(both_screens_show_the_state);
async fn both_screens_show_the_state(app: TestApp) {
    let operator = Browser::of(&app, "operator").await;
    app.app.meter.sample(app.now() - 10_000);
    app.app.meter.sample(app.now());
    for (browser, good, ping) in [(operator.clone(), "正常", "应答时间"), (operator.in_english(), "Normal", "to answer")] {
        let page = browser.get("/dashboard/server").await;
        page.is("dashboardServer", 200);
        assert!(page.root().contains(good) && page.root().contains(ping));
        let page = browser.get("/dashboard/monitor").await;
        page.is("dashboardMonitor", 200);
        assert!(page.root().contains(good) && page.root().contains(r#"<path class="ll-line-1" d="M"#), "the curves are drawn");
    }
    let sales = Browser::of(&app, "north.sales1").await;
    sales.get("/dashboard/server").await.is("notFound", 404);
}

/// X13: the state of the server answered people of organisations whose role was granted the point.
mod the_state_of_the_server {
    use super::*;
    use crate::support::on_both;

    on_both!(is_for_the_platforms_people);
    async fn is_for_the_platforms_people(app: TestApp) {
        for (role, who) in [("org_manager", "north.manager"), ("org_sales", "north.sales1")] {
            crate::feedback::grant(&app, role, "dashboard/server/list").await;
            app.sign_in(who).await.get("/server/status").await.refused("1003");
        }
        crate::feedback::grant(&app, "channel_manager", "dashboard/server/list").await;
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
