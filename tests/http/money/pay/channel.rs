//! `/payChannel`: parameters are never returned, and the person who sets them may not enable the channel.

use demo::provider;
use serde_json::{Value, json};

use testing::org::with;
use testing::pay::{channel, channel_form, enable, order, payee_id};
use testing::{TestApp, on_both};

const NOWHERE: &str = "http://127.0.0.1:9";

on_both!(parameters_are_sealed_and_a_second_person_enables_the_channel);
async fn parameters_are_sealed_and_a_second_person_enables_the_channel(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let row = admin.post("/payChannel", channel_form(&app, "wechat", NOWHERE).await).await.ok();
    assert_eq!((&row["status"], &row["provider"]), (&json!("disabled"), &json!("wechat")));
    assert_eq!(row["paramNames"].as_array().unwrap().len(), 6);
    assert!(!row.to_string().contains("PRIVATE KEY") && !row.to_string().contains("demo-api-v3-key"));
    let kept = app.text("SELECT params_enc FROM payee_channel").await;
    assert!(!kept.contains("PRIVATE") && !kept.contains("demo-api"));
    let trail = format!("{:?}", app.trail("payee_channel", row["id"].as_i64().unwrap()).await);
    assert!(!trail.contains("PRIVATE") && !trail.contains("demo-api"), "{trail}");
    let step = json!({"id": row["id"], "version": row["version"], "status": "enabled"});
    admin.put("/payChannel/status", step).await.refused("1006");
    let row = enable(&operator, &row).await;
    assert_eq!(row["status"], "enabled");
    // Empty parameters keep the stored ones, and the channel stays enabled.
    let form = with(
        channel_form(&app, "wechat", NOWHERE).await,
        json!({"id": row["id"], "version": row["version"], "params": {"appId": ""}, "feeBp": 50}),
    );
    let row = operator.put("/payChannel", form).await.ok();
    assert_eq!((&row["status"], &row["feeBp"], row["paramNames"].as_array().unwrap().len()), (&json!("enabled"), &json!(50), 6));
    // Another gateway or key needs a second person again.
    for changes in [json!({"params": {"serialNo": "OTHER1"}}), json!({"params": {}, "gatewayUrl": "http://127.0.0.1:10"})] {
        let row = admin.get(&format!("/payChannel/{}", row["id"])).await.ok();
        let form = with(channel_form(&app, "wechat", NOWHERE).await, json!({"id": row["id"], "version": row["version"]}));
        let row = operator.put("/payChannel", with(form, changes)).await.ok();
        assert_eq!(row["status"], "disabled");
        operator.put("/payChannel/status", json!({"id": row["id"], "version": row["version"], "status": "enabled"})).await.refused("1006");
        enable(&admin, &row).await;
    }
}

on_both!(none_of_those_who_set_parameters_enables_the_channel);
async fn none_of_those_who_set_parameters_enables_the_channel(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let form = channel_form(&app, "wechat", NOWHERE).await;
    let row = admin.post("/payChannel", form.clone()).await.ok();
    let more = json!({"id": row["id"], "version": row["version"], "params": {"serialNo": "OTHER1"}});
    let row = operator.put("/payChannel", with(form, more)).await.ok();
    let step = json!({"id": row["id"], "version": row["version"], "status": "enabled"});
    admin.put("/payChannel/status", step.clone()).await.refused("1006");
    operator.put("/payChannel/status", step).await.refused("1006");
}

on_both!(what_is_no_channel_is_refused);
async fn what_is_no_channel_is_refused(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let form = channel_form(&app, "wechat", NOWHERE).await;
    for (field, changes) in [
        ("code", json!({"code": "a b"})),
        ("name", json!({"name": " "})),
        ("payeeOrgId", json!({"payeeOrgId": 999})),
        ("mchNo", json!({"mchNo": ""})),
        ("gatewayUrl", json!({"gatewayUrl": "ftp://x"})),
        ("feeBp", json!({"feeBp": -1})),
        ("minCents", json!({"minCents": 0})),
        ("maxCents", json!({"maxCents": 50})),
        ("dayCapCents", json!({"dayCapCents": 100})),
        ("certExpireOn", json!({"certExpireOn": "2026-02-30"})),
        ("params.privateKey", json!({"params": {"privateKey": "x"}})),
        ("params.oldPlatformKey", json!({"params": {"oldPlatformKey": "x"}})),
        ("params.oldPlatformKey", json!({"params": {"oldPlatformSerial": "OLD1"}})),
        ("params.oldPlatformSerial", json!({"params": {"oldPlatformKey": provider::PROVIDER_PUBLIC_KEY}})),
        ("oldKeyUntil", json!({"oldKeyUntil": "2026-02-30"})),
        ("oldKeyUntil", json!({"oldKeyUntil": "2099-12-31"})),
        ("params.apiV3Key", json!({"params": {"apiV3Key": "short"}})),
        ("params.colour", json!({"params": {"colour": "red"}})),
    ] {
        admin.post("/payChannel", with(form.clone(), changes)).await.wrong(field);
    }
    admin.post("/payChannel", with(form.clone(), json!({"provider": "gold"}))).await.refused("4000");
    assert_eq!(app.count("SELECT COUNT(*) FROM payee_channel").await, 0);
    // Without all parameters nothing can be called.
    let row = admin.post("/payChannel", with(form.clone(), json!({"params": {"appId": "wx1"}}))).await.ok();
    let step = json!({"id": row["id"], "version": row["version"], "status": "enabled"});
    app.sign_in("operator").await.put("/payChannel/status", step).await.refused("1006");
    admin.post("/payChannel", form).await.refused("1005");
    admin.delete(&format!("/payChannel/{}", row["id"])).await.ok();
    admin.get(&format!("/payChannel/{}", row["id"])).await.refused("1004");
}

on_both!(a_channel_with_orders_stays_and_keeps_its_payee);
async fn a_channel_with_orders_stays_and_keeps_its_payee(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let bank = channel(&app, "bank", "", json!({})).await;
    order(&app, &bank, json!({})).await;
    admin.delete(&format!("/payChannel/{}", bank["id"])).await.refused("1006");
    let other = admin.post("/org/payee", testing::org::payee::form("另一主体")).await.ok();
    let form = with(channel_form(&app, "bank", "").await, json!({"id": bank["id"], "version": bank["version"], "payeeOrgId": other["id"]}));
    admin.put("/payChannel", form).await.wrong("payeeOrgId");
    let row = admin.get(&format!("/payChannel/{}", bank["id"])).await.ok();
    assert_eq!((&bank["hasOrders"], &row["hasOrders"]), (&json!(false), &json!(true)));
    let payee = format!("/org/payee/{}", payee_id(&app).await);
    admin.delete(&payee).await.refused("1006");
}

on_both!(what_payers_read_of_a_channel_needs_a_second_person);
async fn what_payers_read_of_a_channel_needs_a_second_person(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    // The first payee is the one of the forms.
    let first = payee_id(&app).await;
    let other = admin.post("/org/payee", testing::org::payee::form("另一主体")).await.ok();
    let step = |row: &Value| json!({"id": row["id"], "version": row["version"], "status": "enabled"});
    let decision = |row: &Value, approve: bool| json!({"id": row["id"], "version": row["version"], "approve": approve, "note": "原因"});
    for kind in ["bank", "link_pool", "wechat"] {
        let form = channel_form(&app, kind, if kind == "wechat" { NOWHERE } else { "" }).await;
        // Who made it does not enable it, whatever its kind and though it has no instructions.
        let row = admin.post("/payChannel", form.clone()).await.ok();
        admin.put("/payChannel/status", step(&row)).await.refused("1006");
        // Before it is enabled, what payers will read is written at once.
        let base = |row: &Value| with(form.clone(), json!({"id": row["id"], "version": row["version"], "params": {}}));
        let row = admin.put("/payChannel", with(base(&row), json!({"instructions": "先填的说明"}))).await.ok();
        assert_eq!((&row["instructions"], &row["proposed"]), (&json!("先填的说明"), &Value::Null));
        let row = enable(&operator, &row).await;

        let changes =
            json!({"instructions": "转到另一账户", "payeeOrgId": if kind == "bank" { json!(first) } else { other["id"].clone() }});
        let row = operator.put("/payChannel", with(base(&row), changes.clone())).await.ok();
        assert_eq!(
            (&row["status"], &row["instructions"], &row["payeeOrgId"]),
            (&json!("enabled"), &json!("先填的说明"), &json!(first)),
            "{kind}"
        );
        assert_eq!(row["proposed"]["instructions"], "转到另一账户");
        operator.put("/payChannel/audit", decision(&row, true)).await.refused("1006");
        let row = admin.put("/payChannel/audit", decision(&row, false)).await.ok();
        assert_eq!((&row["instructions"], &row["proposed"]), (&json!("先填的说明"), &Value::Null));
        let row = operator.put("/payChannel", with(base(&row), changes.clone())).await.ok();
        let row = admin.put("/payChannel/audit", decision(&row, true)).await.ok();
        assert_eq!(
            (&row["status"], &row["instructions"], &row["payeeOrgId"]),
            (&json!("enabled"), &json!("转到另一账户"), &changes["payeeOrgId"])
        );
        // Taken back by the one who proposed it.
        let row = operator.put("/payChannel", with(base(&row), json!({"instructions": "x", "payeeOrgId": row["payeeOrgId"]}))).await.ok();
        admin.put("/payChannel/withdraw", json!({"id": row["id"], "version": row["version"]})).await.refused("1006");
        let row = operator.put("/payChannel/withdraw", json!({"id": row["id"], "version": row["version"]})).await.ok();
        assert_eq!((&row["instructions"], &row["proposed"]), (&json!("转到另一账户"), &Value::Null));
    }
}

on_both!(a_bank_channel_needs_a_payee_with_an_approved_account);
async fn a_bank_channel_needs_a_payee_with_an_approved_account(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let form = channel_form(&app, "bank", "").await;
    let fresh = admin.post("/org/payee", testing::org::payee::form("新主体")).await.ok();
    let row = admin.post("/payChannel", with(form.clone(), json!({"payeeOrgId": fresh["id"]}))).await.ok();
    operator.put("/payChannel/status", json!({"id": row["id"], "version": row["version"], "status": "enabled"})).await.refused("1006");
    // It cannot become the payee of an enabled channel either.
    let row = channel(&app, "bank", "", json!({"code": "bank-2"})).await;
    let moved = with(form, json!({"id": row["id"], "version": row["version"], "payeeOrgId": fresh["id"]}));
    operator.put("/payChannel", moved.clone()).await.wrong("payeeOrgId");
    app.approve("/org/payee", &fresh).await;
    assert_eq!(operator.put("/payChannel", moved).await.ok()["proposed"]["payeeOrgName"], "新主体");
}

on_both!(an_order_keeps_what_its_page_showed);
async fn an_order_keeps_what_its_page_showed(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let bank = channel(&app, "bank", "", json!({"instructions": "写订单号"})).await;
    let shown = async |order: &Value| {
        let answer = app.stranger().ask(axum::http::Method::GET, &format!("/pay/{}", order["token"].as_str().unwrap()), Vec::new()).await;
        String::from_utf8(answer.body.to_vec()).unwrap()
    };
    let before = order(&app, &bank, json!({})).await;
    let payee = admin.get(&format!("/org/payee/{}", bank["payeeOrgId"])).await.ok();
    let changes = json!({"id": payee["id"], "version": payee["version"], "bankName": "另一家银行", "bankAccount": "9900123456780000"});
    let payee = admin.put("/org/payee", with(testing::org::payee::form("领航收款"), changes)).await.ok();
    let form = with(channel_form(&app, "bank", "").await, json!({"id": bank["id"], "version": bank["version"], "instructions": "另写"}));
    let bank = admin.put("/payChannel", form).await.ok();
    // Neither before the approval nor after it.
    let page = shown(&before).await;
    assert!(page.contains("6222021234567890") && page.contains("示例银行") && page.contains("写订单号"), "{page}");
    let meanwhile = order(&app, &bank, json!({})).await;
    assert!(shown(&meanwhile).await.contains("6222021234567890"));
    app.approve("/org/payee", &payee).await;
    app.approve("/payChannel", &bank).await;
    for order in [&before, &meanwhile] {
        let page = shown(order).await;
        assert!(page.contains("6222021234567890") && page.contains("写订单号") && !page.contains("9900123456780000"), "{page}");
    }
    let after = shown(&order(&app, &bank, json!({})).await).await;
    assert!(after.contains("9900123456780000") && after.contains("另一家银行") && after.contains("另写"), "{after}");
    assert!(!app.text("SELECT payee_enc FROM payment_order ORDER BY id").await.contains("62220212"));
}

on_both!(a_certificate_that_ends_soon_is_told_once);
async fn a_certificate_that_ends_soon_is_told_once(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let soon = base::clock::day(app.now() + 20 * base::clock::DAY).to_string();
    let bank = channel(&app, "bank", "", json!({"certExpireOn": soon})).await;
    assert_eq!(pay::warn_of_expiry(&app.app).await.unwrap(), 1);
    assert_eq!(pay::warn_of_expiry(&app.app).await.unwrap(), 0);
    let messages = admin.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("证书即将到期") && messages.contains(bank["name"].as_str().unwrap()), "{messages}");
    assert!(messages.contains(&format!(r#""/payConfig/list/{}""#, bank["id"])), "the channel, not its list: {messages}");
}

on_both!(an_old_key_that_ends_soon_is_told_once);
async fn an_old_key_that_ends_soon_is_told_once(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let soon = base::clock::day(app.now() + 20 * base::clock::DAY).to_string();
    let form = channel_form(&app, "wechat", NOWHERE).await;
    let mut params = form["params"].clone();
    params["oldPlatformSerial"] = json!("OLD1");
    params["oldPlatformKey"] = json!(provider::PROVIDER_PUBLIC_KEY);
    let row = channel(&app, "wechat", NOWHERE, json!({"oldKeyUntil": soon, "params": params})).await;
    assert_eq!(pay::warn_of_expiry(&app.app).await.unwrap(), 1);
    assert_eq!(pay::warn_of_expiry(&app.app).await.unwrap(), 0);
    let messages = admin.post("/message/page", json!({})).await.ok()["list"].to_string();
    assert!(messages.contains("旧平台公钥即将停用") && messages.contains(&soon), "{messages}");
    // Another last day, for longer or not, needs a second person again.
    let changes = json!({"id": row["id"], "version": row["version"], "params": {}, "oldKeyUntil": "2099-12-31"});
    let row = admin.put("/payChannel", with(form, changes)).await.ok();
    assert_eq!(row["status"], "disabled");
    let trail = format!("{:?}", app.trail("payee_channel", row["id"].as_i64().unwrap()).await);
    assert!(trail.contains("oldKeyUntil") && trail.contains("2099-12-31") && !trail.contains("PUBLIC KEY"), "{trail}");
}
