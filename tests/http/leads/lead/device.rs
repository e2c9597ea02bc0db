//! The device that an applicant came with: kept sealed, shown masked, and named by the blacklist wherever it is asked.

use base::clock::MINUTE;
use serde_json::{Value, json};

use testing::lead::deliver::by_api;
use testing::lead::{application, books, bring, channel, phone, plan, story};
use testing::open::Call;
use testing::plan::begin;
use testing::{Actor, TestApp, on_both};

const DEVICE: &str = "A1b2C3d4-E5f6";

/// Lists a device, everywhere or for an organisation.
async fn list(admin: &Actor, device: &str, org: Option<i64>) -> Value {
    let scope = if org.is_some() { "organisation" } else { "global" };
    let entry = json!({"kind": "device", "value": device, "scope": scope, "scopeId": org, "source": "risk", "reason": "频繁申请"});
    admin.post("/blacklist", entry).await.ok()
}

async fn lift(admin: &Actor, entry: &Value) {
    admin.delete(&format!("/blacklist/{}", entry["id"])).await.ok();
}

async fn hits(app: &TestApp) -> i64 {
    app.count("SELECT CAST(SUM(hit_count) AS BIGINT) FROM blacklist_entry").await
}

on_both!(is_kept_sealed_and_shown_masked);
async fn is_kept_sealed_and_shown_masked(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    bring(&app, &partner, "r-1", application(1, json!({"deviceId": format!(" {DEVICE} ")}))).await.ok();
    let shown = story(&app, &admin).await;
    assert_eq!(shown["deviceMask"], "A1b2****E5f6");
    assert!(!shown.to_string().contains(DEVICE));
    assert!(!app.text("SELECT device_enc || device_hash FROM applicant").await.contains(DEVICE));
    let id = shown["id"].as_i64().unwrap();
    assert_eq!(admin.get(&format!("/user/reveal/{id}")).await.ok()["deviceId"], DEVICE);
    bring(&app, &partner, "r-2", application(2, json!({}))).await.ok();
    assert_eq!(story(&app, &admin).await["deviceMask"], json!(null));

    for wrong in ["a1b2c", "a1b2 c3d4", "设备一二三四五"] {
        bring(&app, &partner, "r-3", application(3, json!({"deviceId": wrong}))).await.wrong("user.deviceId");
    }
    app.execute("UPDATE applicant SET status = 'unmatched', due_at = NULL").await;
    admin.delete(&format!("/user/{id}")).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM applicant WHERE status = 'erased' AND device_enc IS NULL AND device_hash IS NULL").await, 1);
}

on_both!(on_the_blacklist_is_refused_at_intake);
async fn on_the_blacklist_is_refused_at_intake(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    let entry = list(&admin, DEVICE, None).await;
    let blocked = bring(&app, &partner, "r-1", application(1, json!({"deviceId": DEVICE}))).await.ok();
    assert_eq!((&blocked["accepted"], &blocked["status"], &blocked["reason"]), (&json!(false), &json!("blocked"), &json!("blacklist")));
    assert!(story(&app, &admin).await["checks"][5]["noteEn"].as_str().unwrap().starts_with("Device on the blacklist"));
    assert_eq!(bring(&app, &partner, "r-2", application(2, json!({"deviceId": "another-device"}))).await.ok()["accepted"], true);
    assert_eq!(hits(&app).await, 1);

    let table = format!(
        "渠道编码,手机号,姓名,授权书编码,授权书版本,授权书摘要,授权时间,接收方,设备标识\nlead-chan,{},王小五,LOAN,3,{},2027/1/6,全部合作机构,{DEVICE}\n",
        phone(3),
        "a".repeat(64)
    );
    admin.upload("/user/import", &[("dryRun", "false")], "用户.csv", table.as_bytes()).await.ok();
    assert_eq!(story(&app, &admin).await["reason"], "blacklist");
    lift(&admin, &entry).await;
    assert_eq!(bring(&app, &partner, "r-4", application(4, json!({"deviceId": DEVICE}))).await.ok()["accepted"], true);
}

on_both!(on_an_organisations_blacklist_is_not_sold_to_it);
async fn on_an_organisations_blacklist_is_not_sold_to_it(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    plan(&app, &admin, json!({})).await;
    let entry = list(&admin, DEVICE, Some(app.organisation("north").await)).await;
    bring(&app, &partner, "r-1", application(1, json!({"deviceId": DEVICE}))).await.ok();
    app.distribute().await;
    let shown = story(&app, &admin).await;
    assert_eq!((&shown["status"], &shown["matches"][0]["passedOver"][0]["reason"]), (&json!("unmatched"), &json!("blacklist")));

    // Listed everywhere, the applicant's page says so, and the applicant is not distributed again.
    let everywhere = list(&admin, DEVICE, None).await;
    let shown = story(&app, &admin).await;
    assert!(shown["blacklisted"].is_string());
    let again = json!({"id": shown["id"], "version": shown["version"]});
    admin.put("/user/distribute", again.clone()).await.refused("1006");
    lift(&admin, &everywhere).await;
    lift(&admin, &entry).await;
    admin.put("/user/distribute", again).await.ok();
    app.distribute().await;
    assert_eq!(story(&app, &admin).await["status"], "distributed");
}

on_both!(listed_after_the_sale_is_not_delivered);
async fn listed_after_the_sale_is_not_delivered(app: TestApp) {
    let (admin, partner, buyer) = by_api(&app, json!({}), json!({})).await;
    app.execute("UPDATE org_api_config SET apply_url = 'http://127.0.0.1:1/'").await;
    bring(&app, &partner, "r-1", application(1, json!({"deviceId": DEVICE}))).await.ok();
    app.distribute().await;
    assert_eq!(app.text("SELECT status FROM push_record").await, "retrying");
    list(&admin, DEVICE, Some(app.organisation("north").await)).await;
    app.advance(6 * MINUTE);
    app.distribute().await;
    assert_eq!(app.text("SELECT status || ' ' || reject_code FROM push_record").await, "cancelled blacklist");
    assert_eq!(buyer.received().len(), 0);
    books(&app).await;
}

on_both!(counts_in_a_risk_report);
async fn counts_in_a_risk_report(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    for number in 1..=3 {
        let form = application(number, json!({"deviceId": DEVICE, "idNo": null, "ip": format!("203.0.113.{number}")}));
        bring(&app, &partner, &format!("r-{number}"), form).await.ok();
    }
    let id = app.count("SELECT MAX(id) FROM applicant").await;
    let codes = async |id: i64| {
        app.execute("DELETE FROM risk_report").await;
        let summary = admin.get(&format!("/user/riskSimple/{id}")).await.ok();
        summary["hits"].as_array().unwrap().iter().map(|hit| hit["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(id).await, ["no_id_no", "busy_device"]);
    list(&admin, DEVICE, None).await;
    assert_eq!(codes(id).await, ["blacklisted_device", "no_id_no", "busy_device"]);
    let section = admin.get(&format!("/user/risk/{id}?type=device")).await.ok();
    assert_eq!(section["facts"].as_array().unwrap().last().unwrap()["valueEn"], "3");
    assert_eq!(hits(&app).await, 0, "to look is no hit");
}

on_both!(is_taken_when_staff_enter_an_applicant);
async fn is_taken_when_staff_enter_an_applicant(app: TestApp) {
    begin(&app);
    let (admin, partner) = (app.sign_in("admin").await, channel(&app, json!({})).await);
    list(&admin, DEVICE, None).await;
    let id = app.count("SELECT id FROM channel WHERE code = 'lead-chan'").await;
    let entered = admin.post("/user", json!({"channelId": id, "user": application(1, json!({"deviceId": DEVICE}))})).await.ok();
    assert_eq!((&entered["status"], &entered["failed"]), (&json!("blocked"), &json!("blacklist")));
    // A question before names no device: it says nothing of one.
    let body = json!({"phoneMd5": "a".repeat(32), "applicant": {}, "deviceId": DEVICE});
    Call { path: "/open/match", ..Call::of(&app, &partner, "m-1", &body) }.make(&app.stranger()).await.refused("4000");
}
