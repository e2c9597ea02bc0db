//! What `GET /server/status` counts of pages, and its two screens.

use base::db::Engine;
use serde_json::{Value, json};

use crate::pages::browser::Browser;
use testing::lead::{application, bring, channel, plan};
use testing::plan::begin;
use testing::{TestApp, on_both};

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
                lead::distribution::settle_all(&app.app).await.unwrap_err();
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
