//! `POST /open/sms/report`: what the provider tells of the messages that it has.

use serde_json::{Value, json};
use server::dispatch;

use super::{ask_for_a_code, pass};
use testing::open::{Call, Partner};
use testing::sms::{Provider, sent};
use testing::{Actor, Answer, TestApp, on_both};

/// A call of the provider, before it is made.
fn told(app: &TestApp, nonce: &str, reports: &Value) -> Call {
    let provider = Partner { id: 0, app_key: "leadlane".to_owned(), secret: "the provider's key".to_owned() };
    Call { path: "/open/sms/report", ..Call::of(app, &provider, nonce, &json!({ "reports": reports })) }
}

async fn tell(app: &TestApp, reports: Value) -> Answer {
    let nonce = format!("n{}", app.count("SELECT COUNT(*) FROM nonce").await);
    told(app, &nonce, &reports).make(&app.stranger()).await
}

/// What came of each.
async fn heard(app: &TestApp, reports: Value) -> Vec<String> {
    let data = tell(app, reports).await.ok();
    data["results"].as_array().unwrap().iter().map(|line| line["outcome"].as_str().unwrap().to_owned()).collect()
}

async fn row(who: &Actor, id: &Value) -> Value {
    who.get(&format!("/sms/{id}")).await.ok()
}

// S-M4: a report says what became of each message, by either number; an unknown one fails no other.
on_both!(a_report_tells_what_arrived);
async fn a_report_tells_what_arrived(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    let first = sent(&app, &admin, "13612345678").await;
    provider.answers(200, r#"{"code":"0000","no":"P-2"}"#);
    let second = sent(&app, &admin, "13612345679").await;
    let now = app.now();
    let reports = json!([
        {"no": "SMS-999", "state": "delivered", "at": now},
        {"no": first["no"], "state": "delivered", "at": now},
        {"providerNo": "P-2", "state": "undelivered", "at": now, "msg": "13612345679 关机"},
        {"state": "delivered", "at": now},
    ]);
    let data = tell(&app, reports).await.ok();
    assert_eq!(data["results"][1], json!({"no": first["no"], "providerNo": null, "outcome": "counted"}));
    assert_eq!(data["results"][2], json!({"no": null, "providerNo": "P-2", "outcome": "counted"}));
    assert_eq!((&data["results"][0]["outcome"], &data["results"][3]["outcome"]), (&json!("unknown"), &json!("unknown")));
    let (first, second) = (row(&admin, &first["id"]).await, row(&admin, &second["id"]).await);
    assert_eq!((&first["state"], &first["reportedAt"]), (&json!("delivered"), &json!(now)));
    assert_eq!((&second["state"], &second["lastError"]), (&json!("undelivered"), &json!("136****5679 关机")));
    admin.put("/sms/again", json!({"id": second["id"], "version": second["version"]})).await.refused("1006");
}

// S-M4: told twice it is one report, and of two the later moment counts, in whichever order they come.
on_both!(reports_come_twice_and_in_any_order);
async fn reports_come_twice_and_in_any_order(app: TestApp) {
    let (_provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    let message = sent(&app, &admin, "13612345678").await;
    let at = app.now();
    let report = |state: &str, at: i64| json!({"no": message["no"], "state": state, "at": at});
    assert_eq!(heard(&app, json!([report("delivered", at - 10)])).await, ["counted"]);
    assert_eq!(heard(&app, json!([report("delivered", at - 10)])).await, ["known"]);
    assert_eq!(heard(&app, json!([report("undelivered", at - 20)])).await, ["known"], "an earlier one that comes late");
    assert_eq!(row(&admin, &message["id"]).await["state"], "delivered");
    assert_eq!(heard(&app, json!([report("delivered", at - 4), report("undelivered", at - 5)])).await, ["counted", "known"]);
    // A clock that runs ahead counts as ours.
    assert_eq!(heard(&app, json!([report("undelivered", at + 3_600_000)])).await, ["counted"]);
    let reported_at = row(&admin, &message["id"]).await["reportedAt"].as_i64().unwrap();
    assert!((at..=app.now()).contains(&reported_at), "{reported_at}");
}

// S-M4: a report resolves what nobody knew, either way, and nothing is sent any more.
on_both!(a_report_resolves_what_is_in_doubt);
async fn a_report_resolves_what_is_in_doubt(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    provider.answers(500, "{}");
    for (phone, state) in [("13612345678", "delivered"), ("13612345679", "undelivered")] {
        let message = sent(&app, &admin, phone).await;
        assert_eq!(message["state"], "unconfirmed");
        assert_eq!(heard(&app, json!([{"no": message["no"], "state": state, "at": app.now()}])).await, ["counted"]);
        assert_eq!(row(&admin, &message["id"]).await["state"], state);
    }
    provider.sent();
    pass(&app, 60_000).await;
    assert_eq!(provider.sent().len(), 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM outbox_item WHERE state = 'done' AND payload_enc IS NULL").await, 2);
}

// S-M4: the provider's answer was lost, we stopped waiting, and its report counts all the same.
on_both!(a_report_counts_after_we_stopped_waiting);
async fn a_report_counts_after_we_stopped_waiting(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    provider.answers(403, "{}");
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    pass(&app, 6 * 60_000).await;
    let message = admin.post("/sms/page", json!({})).await.ok()["list"][0].clone();
    assert_eq!(message["state"], "expired");
    assert_eq!(heard(&app, json!([{"no": message["no"], "state": "delivered", "at": app.now()}])).await, ["counted"]);
    assert_eq!(row(&admin, &message["id"]).await["state"], "delivered");
    // And of what a person gave up.
    provider.answers(200, r#"{"code":"17"}"#);
    let message = sent(&app, &admin, "13612345678").await;
    admin.put("/sms/giveUp", json!({"id": message["id"], "version": message["version"]})).await.ok();
    assert_eq!(heard(&app, json!([{"no": message["no"], "state": "delivered", "at": app.now()}])).await, ["counted"]);
    assert_eq!(row(&admin, &message["id"]).await["state"], "delivered");
}

// S-M4: nobody but the provider reports: wrong key, account, clock, nonce or size, and nothing is kept.
on_both!(nobody_else_reports);
async fn nobody_else_reports(app: TestApp) {
    let (stranger, reports) = (app.stranger(), json!([{"no": "SMS-1", "state": "delivered", "at": 1}]));
    told(&app, "0", &reports).make(&stranger).await.refused("3001");
    let (_provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    let message = sent(&app, &admin, "13612345678").await;
    let reports = json!([{"no": message["no"], "state": "delivered", "at": app.now()}]);
    let call = |nonce: &str| told(&app, nonce, &reports);
    Call { app_id: "somebody".to_owned(), ..call("1") }.make(&stranger).await.refused("3001");
    Call { secret: "another key".to_owned(), ..call("2") }.make(&stranger).await.refused("3002");
    Call { timestamp: app.now() - 301_000, ..call("3") }.make(&stranger).await.refused("3003");
    Call { timestamp: app.now() + 301_000, ..call("4") }.make(&stranger).await.refused("3003");
    let changed = call("5");
    let sign = changed.sign();
    let other = json!({"reports": [{"no": message["no"], "state": "undelivered", "at": app.now()}]}).to_string();
    Call { body: other, ..call("5") }.make_signed(&stranger, &sign).await.refused("3002");
    tell(&app, json!([])).await.wrong("reports");
    let many: Vec<Value> = (0..201).map(|number| json!({"no": format!("SMS-{number}"), "state": "delivered", "at": 1})).collect();
    tell(&app, json!(many)).await.wrong("reports");
    tell(&app, json!([{"no": message["no"], "state": "lost", "at": 1}])).await.refused("4000");
    tell(&app, json!([{"no": message["no"], "state": "delivered", "at": 1, "phone": "1"}])).await.refused("4000");
    assert_eq!(row(&admin, &message["id"]).await["state"], "accepted");
    call("6").make(&stranger).await.ok();
    call("6").make(&stranger).await.refused("3004");
    // The provider's address may be gone: what it has, it reports.
    app.set("sms.provider_url", json!("")).await;
    call("7").make(&stranger).await.ok();
}
