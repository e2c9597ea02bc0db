//! `/pay/{token}`: what a payer sees, without an account and without scripts.

use axum::http::Method;
use serde_json::json;

use super::sweep_after;
use testing::pay::{FakeProvider, begin, channel, now, order, paid, reachable};
use testing::{TestApp, on_both};

async fn shown(app: &TestApp, order: &serde_json::Value) -> String {
    let answer = app.stranger().ask(Method::GET, &format!("/pay/{}", order["token"].as_str().unwrap()), Vec::new()).await;
    assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (200, Some("no-store")));
    assert!(answer.header("content-security-policy").unwrap().starts_with("default-src 'none'"));
    String::from_utf8(answer.body.to_vec()).unwrap()
}

on_both!(a_payer_sees_the_amount_then_a_code_then_that_it_is_paid);
async fn a_payer_sees_the_amount_then_a_code_then_that_it_is_paid(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let channel = channel(&app, "wechat", &provider.address, json!({})).await;
    let made = order(&app, &channel, json!({"subject": "<b>充值</b>"})).await;
    let page = shown(&app, &made).await;
    assert!(page.contains("¥5,000.00") && page.contains("去支付") && page.contains("领航收款") && !page.contains("<svg"), "{page}");
    assert!(page.contains("&#60;b&#62;充值") && !page.contains("<b>充值"), "{page}");
    assert!(!page.contains("<script"));
    begin(&app, &made).await;
    let page = shown(&app, &made).await;
    assert!(page.contains("<svg") && page.contains("http-equiv=\"refresh\"") && !page.contains("去支付"), "{page}");
    // Pressed again, nothing else is asked of the provider.
    let calls = app.count("SELECT version FROM payment_order").await;
    begin(&app, &made).await;
    assert_eq!(app.count("SELECT version FROM payment_order").await, calls);
    assert!(provider.pay(&made, 1).await);
    let page = shown(&app, &made).await;
    assert!(page.contains("已支付") && !page.contains("<svg") && !page.contains("refresh"), "{page}");
    assert_eq!(now(&app, &made).await["status"], "success");
}

on_both!(who_pays_by_bank_sees_the_account_and_nobody_pays_what_is_over);
async fn who_pays_by_bank_sees_the_account_and_nobody_pays_what_is_over(app: TestApp) {
    let bank = channel(&app, "bank", "", json!({"instructions": "请在附言填写订单号"})).await;
    let made = order(&app, &bank, json!({})).await;
    let page = shown(&app, &made).await;
    assert!(page.contains("银行账号") && page.contains("请在附言填写订单号") && page.contains(made["no"].as_str().unwrap()), "{page}");
    begin(&app, &made).await;
    assert_eq!(now(&app, &made).await["status"], "created", "no provider was asked");
    sweep_after(&app, 31 * 60_000).await;
    let page = shown(&app, &made).await;
    assert!(page.contains("请勿付款") && !page.contains("银行账号"), "{page}");
    for token in ["x", "0".repeat(32).as_str(), "%3Cscript%3E"] {
        for (language, tag, heading) in [("zh-CN", "zh-CN", "<h1>此付款页不存在"), ("en-US", "en-US", "<h1>There is no such payment page")]
        {
            let reader = app.stranger().with("accept-language", language);
            let answer = reader.ask(Method::GET, &format!("/pay/{token}"), Vec::new()).await;
            assert_eq!((answer.status.as_u16(), answer.header("cache-control")), (404, Some("no-store")));
            assert_eq!(answer.header("content-type"), Some("text/html; charset=utf-8"));
            let page = String::from_utf8_lossy(&answer.body);
            assert!(page.contains(&format!("<html lang=\"{tag}\">")) && page.contains(heading), "{page}");
            assert!(page.contains("向收款方索取新链接") && page.contains("ask the payee for a new one"), "in both languages: {page}");
            assert!(page.contains("width=device-width") && !page.contains("<script"), "{page}");
        }
        assert_eq!(app.stranger().ask(Method::POST, &format!("/pay/{token}"), Vec::new()).await.status, 404);
    }
}

on_both!(a_provider_that_cannot_be_reached_is_asked_again_and_not_too_often);
async fn a_provider_that_cannot_be_reached_is_asked_again_and_not_too_often(app: TestApp) {
    let channel = channel(&app, "alipay", "http://127.0.0.1:9", json!({})).await;
    let made = order(&app, &channel, json!({})).await;
    begin(&app, &made).await;
    let page = shown(&app, &made).await;
    assert!(page.contains("暂时无法取得付款码") && page.contains("重试"), "{page}");
    for _ in 0..4 {
        assert_eq!(begin(&app, &made).await.status, 303);
    }
    assert_eq!(begin(&app, &made).await.status, 429);
}

on_both!(an_order_of_a_channel_under_new_keys_waits_for_the_second_person);
async fn an_order_of_a_channel_under_new_keys_waits_for_the_second_person(app: TestApp) {
    let provider = FakeProvider::start().await;
    reachable(&app).await;
    let row = channel(&app, "wechat", &provider.address, json!({})).await;
    let row = paid(&app, &provider, &row, json!({})).await;
    let made = order(&app, &json!({"id": row["payeeChannelId"]}), json!({})).await;
    begin(&app, &made).await;
    app.execute("UPDATE payee_channel SET keys_checked = 0, status = 'disabled'").await;
    assert!(!provider.pay(&made, 1).await, "a report under unchecked keys is not taken");
    sweep_after(&app, 60_000).await;
    let waits = now(&app, &made).await;
    assert_eq!((&waits["status"], &waits["error"]), (&json!("paying"), &json!("channel_not_enabled")));
    app.execute("UPDATE payee_channel SET keys_checked = 1").await;
    sweep_after(&app, 10 * 60_000).await;
    assert_eq!(now(&app, &made).await["status"], "success");
}

on_both!(who_tries_unknown_keys_is_limited_with_their_network);
async fn who_tries_unknown_keys_is_limited_with_their_network(app: TestApp) {
    let bank = channel(&app, "bank", "", json!({})).await;
    let made = order(&app, &bank, json!({})).await;
    let page = format!("/pay/{}", made["token"].as_str().unwrap());
    let ask = |address: String, path: String| {
        let actor = app.stranger().at(&address);
        async move { actor.ask(Method::GET, &path, Vec::new()).await.status.as_u16() }
    };
    for number in 0..60 {
        assert_eq!(ask(format!("2001:db8::{number:x}"), page.clone()).await, 200, "a known key counts for nothing");
        assert_eq!(ask(format!("2001:db8::{number:x}"), format!("/pay/{number:032}")).await, 404);
    }
    assert_eq!(ask("2001:db8::ffff".to_owned(), format!("/pay/{:032}", 99)).await, 429);
    assert_eq!(ask("2001:db8::ffff".to_owned(), page.clone()).await, 200, "payers behind the same network go on");
    assert_eq!(ask("2001:db8:0:1::1".to_owned(), page.clone()).await, 200, "another network");
    app.advance(3_000);
    assert_eq!(ask("2001:db8::ffff".to_owned(), "/pay/%00".to_owned()).await, 404);
}

// The key of a payer's page opens the whole account: no row holds it, and a call of its own writes who was shown it.
on_both!(the_key_of_a_page_is_shown_one_at_a_time);
async fn the_key_of_a_page_is_shown_one_at_a_time(app: TestApp) {
    let bank = channel(&app, "bank", "", json!({})).await;
    let made = order(&app, &bank, json!({})).await;
    let key = made["token"].as_str().expect("its maker is answered it");
    let (operator, auditor) = (app.sign_in("operator").await, app.sign_in("auditor").await);
    for reader in [&operator, &auditor] {
        let list = reader.post("/payOrder/page", json!({})).await.ok();
        assert_eq!(list["list"][0]["no"], made["no"]);
        let seen = format!("{list}{}", reader.get(&format!("/payOrder/{}", made["id"])).await.ok());
        assert!(!seen.contains(key) && !seen.contains("\"token\""), "{seen}");
    }
    let path = format!("/payOrder/payPage/{}", made["id"]);
    auditor.get(&path).await.refused("1003");
    app.sign_in("south.manager").await.get(&path).await.refused("1004");
    assert_eq!(operator.get(&path).await.ok(), json!({"token": key}));
    let reveals = "SELECT COUNT(*) FROM operation_log WHERE target_type = 'payment_order' AND action = 'reveal'";
    assert_eq!(app.count(reveals).await, 1);
    assert!(!auditor.get(&format!("/payOrder/history/{}", made["id"])).await.ok().to_string().contains(key));
}
