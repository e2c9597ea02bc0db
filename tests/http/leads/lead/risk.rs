//! `/user/riskSimple` and `/user/risk`: what the built-in rules find, and a provider outside that answers
//! well, badly or not at all.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::RawQuery;
use axum::http::StatusCode;
use axum::routing::post;
use base::clock::DAY;
use base::config::RiskConfig;
use frame::api::signed;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use testing::lead::{application, bring, channel, id_no, id_no_aged, phone};
use testing::plan::begin;
use testing::{Actor, TestApp, on_both};

const KEY: &str = "the-key-of-a-provider";

/// A provider's server that tests can make answer anything.
#[derive(Clone, Default)]
struct Outside(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    answer: (u16, String),
    received: Vec<(String, Bytes)>,
}

impl Outside {
    /// Starts it, and has the application ask it; `/hang` never answers.
    async fn asked_by(app: TestApp, path: &str) -> (TestApp, Outside) {
        let outside = Outside::default();
        outside.answers(200, report());
        let state = outside.clone();
        let answer = move |RawQuery(query): RawQuery, body: Bytes| {
            let mut held = state.0.lock().unwrap();
            held.received.push((query.unwrap_or_default(), body));
            let (status, text) = held.answer.clone();
            async move { (StatusCode::from_u16(status).unwrap(), text) }
        };
        let router = Router::new().route("/v1", post(answer)).route("/hang", post(std::future::pending::<&'static str>));
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}{path}", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, router).await });
        let config = RiskConfig { url, host: "risk.example.com".into(), app_id: "leadlane".into(), key: KEY.into() };
        (app.asking_about_risks(config).await, outside)
    }

    fn answers(&self, status: u16, body: Value) {
        self.0.lock().unwrap().answer = (status, body.to_string());
    }

    fn answers_text(&self, text: &str) {
        self.0.lock().unwrap().answer = (200, text.to_owned());
    }

    /// How often it was asked.
    fn asked(&self) -> usize {
        self.0.lock().unwrap().received.len()
    }
}

fn report() -> Value {
    json!({"code": "0000", "data": {
        "score": 61, "level": "high",
        "hits": [{"section": "multiLoan", "code": "M1", "title": "七天内多次申请", "titleEn": "Several in a week", "note": "见 13812345678"}],
        "sections": {"contact": [{"title": "在网时长", "value": "36 个月"}]},
    }})
}

async fn latest(app: &TestApp) -> i64 {
    app.count("SELECT MAX(id) FROM applicant").await
}

async fn simple(actor: &Actor, id: i64) -> Value {
    actor.get(&format!("/user/riskSimple/{id}")).await.ok()
}

fn codes(summary: &Value) -> Vec<&str> {
    summary["hits"].as_array().unwrap().iter().map(|hit| hit["code"].as_str().unwrap()).collect()
}

on_both!(our_own_rules_judge_by_what_happened_here);
async fn our_own_rules_judge_by_what_happened_here(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({"dedupDays": 0})).await);
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let first = latest(&app).await;
    let decent = simple(&admin, first).await;
    assert_eq!((&decent["provider"], &decent["score"], &decent["level"]), (&json!("built_in"), &json!(0), &json!("low")));
    assert_eq!((&decent["status"], &decent["costCents"], &decent["reused"]), (&json!("done"), &json!(0), &json!(false)));

    // The same phone with another name and identity number, again and again; and the number with another phone.
    for (number, days) in [(2, 1), (3, 1)] {
        app.advance(days * DAY);
        let other = json!({"name": "李小四", "idNo": id_no_aged(31), "ip": "203.0.113.10"});
        bring(&app, &partner, &format!("r-{number}"), application(1, other)).await.ok();
    }
    bring(&app, &partner, "r-4", application(9, json!({"ip": "203.0.113.11"}))).await.ok();
    let admin = app.sign_in("admin").await;
    let entry = json!({"kind": "ip", "value": "203.0.113.10", "scope": "global", "source": "risk", "reason": "刷单"});
    admin.post("/blacklist", entry).await.ok();
    let summary = simple(&admin, latest(&app).await - 1).await;
    assert_eq!(codes(&summary), ["blacklisted_address", "applied_often_week", "several_id_nos", "several_names"]);
    assert_eq!((&summary["score"], &summary["level"]), (&json!(95), &json!("reject")));
    let moved = simple(&admin, latest(&app).await).await;
    assert_eq!(codes(&moved), ["several_phones"]);
    assert_eq!(app.count("SELECT CAST(SUM(hit_count) AS BIGINT) FROM blacklist_entry").await, 0, "to look is no hit");

    // The applicant's own report is too old by now: their past has changed.
    let later = simple(&admin, first).await;
    assert_eq!((codes(&later).len(), &later["reused"]), (4, &json!(false)));
    assert_eq!(simple(&admin, first).await["reused"], true);
    for whole in [phone(1).as_str(), "张小三", &id_no()] {
        assert!(!later.to_string().contains(whole));
    }
}

// S1.06 S7.11, S7.12
on_both!(a_section_tells_its_facts_alone);
async fn a_section_tells_its_facts_alone(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    bring(&app, &partner, "r-1", application(1, json!({"applicant": {"age": 30, "overdue": "current"}}))).await.ok();
    let id = latest(&app).await;
    for (name, facts, hits) in [("basic", 4, 1), ("blacklist", 0, 0), ("multiLoan", 7, 0), ("contact", 4, 0), ("device", 3, 0)] {
        let section = admin.get(&format!("/user/risk/{id}?type={name}")).await.ok();
        let counts = ["facts", "hits"].map(|list| section[list].as_array().unwrap().len());
        assert_eq!((&section["type"], counts), (&json!(name), [facts, hits]), "{section}");
    }
    for none in ["", "?type=", "?type=undefined", "?type=null"] {
        assert_eq!(admin.get(&format!("/user/risk/{id}{none}")).await.ok()["type"], "basic", "{none}");
    }
    let summary = simple(&admin, id).await;
    assert_eq!((&summary["provider"], &summary["reused"], codes(&summary).len()), (&json!("built_in"), &json!(true), 1), "{summary}");
    admin.get(&format!("/user/risk/{id}?type=moon")).await.refused("4000");
    admin.get("/user/risk/x?type=basic").await.refused("4000");
    admin.get("/user/risk/999999?type=basic").await.refused("1004");
    admin.get("/user/riskSimple/999999").await.refused("1004");
    // All of it is one report, and one entry of the trail.
    assert_eq!(app.count("SELECT COUNT(*) FROM risk_report").await, 1);
    let trail = app.trail("user", id).await;
    assert_eq!(trail.len(), 1);
    let told = serde_json::to_string(&trail[0].diff).unwrap();
    assert!(told.contains("built_in") && told.contains("done") && !told.contains("1000003"), "{told}");
    assert!(!app.text("SELECT detail_enc FROM risk_report").await.contains("overdue"), "it is sealed");
    assert_eq!(app.text("SELECT phone_mask FROM risk_report").await, "100****0001");
}

on_both!(who_may_not_see_an_applicant_learns_nothing);
async fn who_may_not_see_an_applicant_learns_nothing(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let id = latest(&app).await;
    for path in [format!("/user/riskSimple/{id}"), format!("/user/risk/{id}?type=basic")] {
        app.stranger().get(&path).await.refused("2000");
        app.sign_in("nobody").await.get(&path).await.refused("1003");
    }
    // The manager holds the point, and the channel is another's.
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'channel_manager' ON CONFLICT DO NOTHING").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let manager = app.sign_in("channel.manager").await;
    manager.get(&format!("/user/riskSimple/{id}")).await.refused("1004");
    manager.get(&format!("/user/risk/{id}?type=basic")).await.refused("1004");
    assert_eq!(app.count("SELECT COUNT(*) FROM risk_report").await, 0);
}

on_both!(a_provider_is_asked_once_signed_and_paid);
async fn a_provider_is_asked_once_signed_and_paid(app: TestApp) {
    let (app, outside) = Outside::asked_by(app, "/v1").await;
    begin(&app);
    app.set("risk.price_cents", json!(150)).await;
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let id = latest(&app).await;
    let summary = simple(&admin, id).await;
    assert_eq!((&summary["provider"], &summary["score"], &summary["costCents"]), (&json!("risk.example.com"), &json!(61), &json!(150)));
    assert_eq!((&summary["hits"][0]["titleEn"], &summary["hits"][0]["noteZh"]), (&json!("Several in a week"), &json!("见 138****5678")));
    let contact = admin.get(&format!("/user/risk/{id}?type=contact")).await.ok();
    assert_eq!((contact["facts"][0]["valueZh"].as_str(), contact["hits"].as_array().unwrap().len()), (Some("36 个月"), 0));

    // What the provider was asked, and who asked.
    let (query, body) = outside.0.lock().unwrap().received[0].clone();
    let told: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((&told["phone"], &told["name"], &told["idNo"]), (&json!(phone(1)), &json!("张小三"), &json!(id_no())));
    let part = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(&format!("{name}="))).unwrap().to_owned();
    let timestamp = part("timestamp").parse().unwrap();
    let body = std::str::from_utf8(&body).unwrap();
    assert_eq!(format!("/v1?{query}"), signed::address("/v1", "leadlane", KEY, timestamp, &part("nonce"), body));

    // It holds for thirty days, and is then asked for and paid for again.
    app.advance(29 * DAY);
    let admin = app.sign_in("admin").await;
    assert_eq!((simple(&admin, id).await["reused"].clone(), outside.asked()), (json!(true), 1));
    app.advance(2 * DAY);
    let admin = app.sign_in("admin").await;
    assert_eq!((simple(&admin, id).await["reused"].clone(), outside.asked()), (json!(false), 2));
    assert_eq!(app.count("SELECT CAST(SUM(cost_cents) AS BIGINT) FROM risk_report WHERE consent_id IS NOT NULL").await, 300);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%riskCostCents%150%'").await, 2);
}

on_both!(a_provider_that_fails_is_told_and_costs_nothing);
async fn a_provider_that_fails_is_told_and_costs_nothing(app: TestApp) {
    let (app, outside) = Outside::asked_by(app, "/v1").await;
    begin(&app);
    app.set("risk.price_cents", json!(150)).await;
    let (admin, partner) = (app.sign_in("admin").await.in_english(), channel(&app, json!({})).await);
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let id = latest(&app).await;
    let path = format!("/user/riskSimple/{id}");
    let fails = async |why: &str| {
        let answer = admin.get(&path).await;
        answer.refused("1006");
        assert_eq!(answer.desc(), why);
    };
    outside.answers(503, json!({}));
    fails("The risk provider cannot be reached: try again later").await;
    outside.answers_text("<html>busy</html>");
    fails("The risk provider's answer cannot be understood").await;
    outside.answers_text(&"x".repeat(100_000));
    fails("The risk provider's answer cannot be understood").await;
    outside.answers(200, json!({"code": "0000", "data": {"score": 400}}));
    fails("The risk provider's answer cannot be understood").await;
    outside.answers(200, json!({"code": "3002", "desc": "wrong signature"}));
    fails("The risk provider refused the query").await;
    assert_eq!(app.count("SELECT COUNT(*) FROM risk_report WHERE status = 'failed' AND cost_cents = 0").await, 5);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%riskStatus%failed%'").await, 5);
    // A failure is not kept: the next one asks again. Who is not known there is known not to be.
    outside.answers(200, json!({"code": "1004", "data": null}));
    let unknown = simple(&admin, id).await;
    assert_eq!((&unknown["status"], &unknown["score"], &unknown["level"]), (&json!("no_data"), &json!(null), &json!(null)));
    assert_eq!((&unknown["costCents"], outside.asked()), (&json!(0), 6));
    assert_eq!((simple(&admin, id).await["reused"].clone(), outside.asked()), (json!(true), 6));
}

on_both!(a_provider_that_hangs_is_given_up);
async fn a_provider_that_hangs_is_given_up(app: TestApp) {
    let (app, _) = Outside::asked_by(app, "/hang").await;
    begin(&app);
    app.set("risk.timeout_ms", json!(200)).await;
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let path = format!("/user/riskSimple/{}", latest(&app).await);
    let (one, other) = futures_util::future::join(admin.get(&path), admin.get(&path)).await;
    let texts = [one, other].map(|answer| {
        answer.refused("1006");
        answer.desc()
    });
    assert!(texts.contains(&"风控服务商没有及时应答，请稍后再试".to_owned()), "{texts:?}");
    // A process that went away while it waited holds up others for no longer than a minute.
    app.execute("UPDATE risk_report SET status = 'querying' WHERE id = (SELECT MAX(id) FROM risk_report)").await;
    let waiting = admin.get(&path).await;
    waiting.refused("1006");
    assert_eq!(waiting.desc(), "正在查询，请稍后再试");
    app.advance(61_000);
    assert_eq!(admin.get(&path).await.desc(), "风控服务商没有及时应答，请稍后再试");
    assert_eq!(app.count("SELECT COUNT(*) FROM risk_report WHERE failure = 'lost'").await, 1);
}

on_both!(no_provider_is_asked_without_consent_or_beyond_the_limit);
async fn no_provider_is_asked_without_consent_or_beyond_the_limit(app: TestApp) {
    let (app, outside) = Outside::asked_by(app, "/v1").await;
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await.in_english(), channel(&app, json!({})).await);
    bring(&app, &partner, "r-1", application(1, json!({"consent": null}))).await.ok();
    let silent = admin.get(&format!("/user/riskSimple/{}", latest(&app).await)).await;
    silent.refused("1006");
    assert_eq!((silent.desc().as_str(), outside.asked()), ("Without the applicant's consent no external provider can be queried", 0));
    app.set("risk.daily_limit", json!(1)).await;
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    simple(&admin, latest(&app).await).await;
    bring(&app, &partner, "r-3", application(3, json!({}))).await.ok();
    let third = admin.get(&format!("/user/riskSimple/{}", latest(&app).await)).await;
    third.refused("1006");
    assert_eq!((third.desc().as_str(), outside.asked()), ("Today's limit of 1 paid risk queries has been reached", 1));
}

on_both!(of_who_is_erased_no_report_is_left);
async fn of_who_is_erased_no_report_is_left(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    app.execute("UPDATE channel SET mode = 'test'").await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let id = latest(&app).await;
    simple(&admin, id).await;
    admin.delete(&format!("/user/{id}")).await.ok();
    admin.get(&format!("/user/riskSimple/{id}")).await.refused("1006");
    let left = "SELECT COUNT(*) FROM risk_report WHERE detail_enc IS NULL AND score IS NULL AND phone_mask = '***'";
    assert_eq!(app.count(left).await, 1);
}
