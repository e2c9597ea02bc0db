//! The texts of messages, as they are set.

use serde_json::{Value, json};
use server::dispatch;

use super::{ask_for_a_code, pass};
use testing::sms::Provider;
use testing::world::PHONE;
use testing::{Actor, Answer, TestApp, on_both};

async fn set(who: &Actor, key: &str, value: Value) -> Answer {
    let sections = who.get("/setting/list").await.ok();
    let rows = sections.as_array().unwrap().iter().flat_map(|section| section["settings"].as_array().unwrap());
    let version = rows.into_iter().find(|row| row["key"] == key).expect("a setting")["version"].clone();
    who.put("/setting", json!({"changes": [{"key": key, "value": value, "version": version}]})).await
}

// S-M4: a provider is sent the template's number and what fills it, beside the text.
on_both!(a_provider_is_sent_the_template_and_what_fills_it);
async fn a_provider_is_sent_the_template_and_what_fills_it(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    let (_, _, body) = provider.sent().pop().unwrap();
    let code = body["params"]["code"].as_str().unwrap();
    assert_eq!((&body["template"], &body["params"]["minutes"], code.len()), (&json!(""), &json!("5"), 6));
    assert_eq!(body["text"], format!("【Leadlane】验证码 {code}，5 分钟内有效。Your verification code is {code}."));

    set(&admin, "sms.code_text", json!(" 您的验证码：{code} ")).await.ok();
    set(&admin, "sms.code_template", json!("SMS_1234")).await.ok();
    set(&admin, "sms.sign_name", json!("领航")).await.ok();
    app.advance(61_000);
    ask_for_a_code(&app).await;
    dispatch::send_all(&app.app).await.unwrap();
    let (_, _, body) = provider.sent().pop().unwrap();
    let code = body["params"]["code"].as_str().unwrap();
    assert_eq!((&body["text"], &body["template"]), (&json!(format!("【领航】您的验证码：{code}")), &json!("SMS_1234")));
    assert_eq!((&body["phone"], &body["signName"]), (&json!(PHONE), &json!("领航")));
}

// S-M4: what a provider refused for its template goes out with the one that is set then.
on_both!(a_mended_template_is_what_is_tried_again);
async fn a_mended_template_is_what_is_tried_again(app: TestApp) {
    let (provider, admin) = (Provider::of(&app).await, app.sign_in("admin").await);
    provider.answers(200, r#"{"code":"15","msg":"template"}"#);
    let row = testing::sms::sent(&app, &admin, "13612345678").await;
    set(&admin, "sms.test_template", json!("T-2")).await.ok();
    provider.answers(200, r#"{"code":"0000"}"#);
    admin.put("/sms/again", json!({"id": row["id"], "version": row["version"]})).await.ok();
    pass(&app, 0).await;
    let templates: Vec<Value> = provider.sent().into_iter().map(|(_, _, body)| body["template"].clone()).collect();
    assert_eq!(templates, ["", "T-2"]);
}

// S-M4: a text without its code, or with what nothing fills, is refused with a word at its field.
on_both!(a_text_names_what_it_must_and_nothing_else);
async fn a_text_names_what_it_must_and_nothing_else(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (key, text, chinese, english) in [
        ("sms.code_text", "验证码已发送", "必须包含 {code}", "Must contain {code}"),
        (
            "sms.code_text",
            "{code} {name}",
            "没有占位符 {name}，可用：{code} {minutes}",
            "There is no placeholder {name}; available: {code} {minutes}",
        ),
        (
            "sms.code_text",
            "{code",
            "花括号 { } 须成对出现，中间是占位符的名称",
            "Braces { } must come in pairs, with a placeholder's name between them",
        ),
        ("sms.low_balance_text", "{organisation} 余额不足", "必须包含 {balance}", "Must contain {balance}"),
        ("sms.new_lead_text", "", "必填", "Required"),
    ] {
        assert_eq!(set(&admin, key, json!(text)).await.wrong(key), chinese);
        assert_eq!(set(&admin.in_english(), key, json!(text)).await.wrong(key), english);
    }
    set(&admin, "sms.test_text", json!("{}")).await.wrong("sms.test_text");
    assert_eq!(app.count("SELECT COUNT(*) FROM general_setting WHERE key LIKE 'sms.%'").await, 0);
}
