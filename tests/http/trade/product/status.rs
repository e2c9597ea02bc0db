//! `PUT /product/status` and `PUT /product/statusMany`: what going online asks for.

use serde_json::{Value, json};

use testing::product::{form, make, ready, with};
use testing::{Actor, Answer, TestApp, on_both};

async fn put(who: &Actor, id: i64, status: &str) -> Answer {
    let version = who.get(&format!("/product/{id}")).await.ok()["version"].clone();
    who.put("/product/status", json!({"id": id, "version": version, "status": status})).await
}

async fn check(who: &Actor, id: i64) -> Value {
    who.post("/compliance/check", json!({"targetType": "product", "targetId": id})).await.ok()
}

async fn edit(app: &TestApp, who: &Actor, id: i64, changes: Value) -> Answer {
    let row = who.get(&format!("/product/{id}")).await.ok();
    let code = row["code"].as_str().unwrap();
    who.put("/product", with(with(form(app, code).await, json!({"id": id, "version": row["version"]})), changes)).await
}

/// The result of one rule within a check.
fn item<'c>(check: &'c Value, code: &str) -> &'c str {
    let items = check["items"].as_array().unwrap();
    items.iter().find(|item| item["code"] == code).unwrap_or_else(|| panic!("no {code} in {check}"))["result"].as_str().unwrap()
}

on_both!(a_product_goes_online_with_a_check_of_what_it_is);
async fn a_product_goes_online_with_a_check_of_what_it_is(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await.in_english();
    let id = make(&admin, form(&app, "haoxiang").await).await;
    let refused = put(&admin, id, "online").await;
    assert_eq!(refused.refused("1006"), json!({"check": {"targetType": "product", "targetId": id}}), "whose check it is");
    assert_eq!(refused.desc(), "A compliance check must pass first");

    let found = check(&admin, id).await;
    assert_eq!(found["result"], "pass", "{found}");
    for code in ["licence_number", "licence_valid", "lender_named", "annual_rate", "forbidden_words", "upfront_fee", "jump_https"] {
        assert_eq!(item(&found, code), "pass", "{code}");
    }
    assert_eq!(put(&admin, id, "online").await.ok()["status"], "online");

    // The price is no matter of compliance, the wording is.
    put(&admin, id, "offline").await.ok();
    edit(&app, &admin, id, json!({"uvPriceCents": 999})).await.ok();
    put(&admin, id, "online").await.ok();
    for changes in [
        json!({"requirements": "年满 18 周岁。"}),
        json!({"annualRateMaxBp": 2400}),
        json!({"lenderName": "北辰村镇银行"}),
        json!({"tags": []}),
        json!({"name": "好享贷二"}),
    ] {
        edit(&app, &admin, id, changes.clone()).await.ok();
        put(&admin, id, "offline").await.ok();
        let refused = put(&admin, id, "online").await;
        refused.refused("1006");
        assert!(refused.desc().starts_with("The content has changed since its compliance check"), "{changes}: {}", refused.desc());
        check(&admin, id).await;
        put(&admin, id, "online").await.ok();
    }
    put(&admin, id, "offline").await.ok();
    app.advance(91 * 86_400_000);
    let admin = app.sign_in("admin").await.in_english();
    assert!(put(&admin, id, "online").await.desc().contains("has expired"));
}

on_both!(the_check_finds_what_is_wrong_with_a_product);
async fn the_check_finds_what_is_wrong_with_a_product(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await.in_english();
    for (code, changes, rule, result) in [
        ("lender", json!({"lenderName": ""}), "lender_named", "fail"),
        ("rate", json!({"annualRateMaxBp": 2401}), "annual_rate", "fail"),
        ("unsaid", json!({"annualRateMinBp": 0, "annualRateMaxBp": 0}), "annual_rate", "fail"),
        ("fees", json!({"requirements": "先交费锁定额度"}), "upfront_fee", "fail"),
        ("promise", json!({"tags": ["秒下款"]}), "forbidden_words", "fail"),
        ("number", json!({"requirements": "联系 13800138000"}), "masked_display", "fail"),
        ("plain", json!({"jumpUrl": "http://h5.example.com/apply"}), "jump_https", "warn"),
    ] {
        let id = make(&admin, with(form(&app, code).await, changes)).await;
        let found = check(&admin, id).await;
        assert_eq!((item(&found, rule), &found["result"]), (result, &json!(result)), "{code}");
        let answer = put(&admin, id, "online").await;
        assert_eq!(answer.code(), if result == "warn" { "0000" } else { "1006" }, "{code}: {}", answer.desc());
    }
    app.execute("UPDATE organisation SET licence_expire_on = '2020-01-01'").await;
    let id = make(&admin, form(&app, "licence").await).await;
    assert_eq!(item(&check(&admin, id).await, "licence_valid"), "fail");
    assert!(put(&admin, id, "online").await.desc().contains("Licence not expired"));
}

on_both!(what_is_online_stays_fit_to_be);
async fn what_is_online_stays_fit_to_be(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await.in_english();
    let id = make(&admin, form(&app, "haoxiang").await).await;
    check(&admin, id).await;
    put(&admin, id, "online").await.ok();
    edit(&app, &admin, id, json!({"annualRateMaxBp": 2401})).await.wrong("annualRateMaxBp");
    edit(&app, &admin, id, json!({"annualRateMinBp": 0, "annualRateMaxBp": 0})).await.wrong("annualRateMaxBp");
    edit(&app, &admin, id, json!({"lenderName": " "})).await.wrong("lenderName");
    let refused = admin.delete(&format!("/product/{id}")).await;
    refused.refused("1006");
    put(&admin, id, "offline").await.ok();
    edit(&app, &admin, id, json!({"annualRateMaxBp": 3600})).await.ok();
    let refused = put(&admin, id, "online").await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "The maximum annual rate of 36.00% is above the limit of 24.00%");
    // The limit is a setting.
    app.set("compliance.max_rate_bp", json!(3600)).await;
    check(&admin, id).await;
    put(&admin, id, "online").await.ok();

    put(&admin, id, "offline").await.ok();
    app.execute("UPDATE organisation SET status = 'paused'").await;
    assert_eq!(put(&admin, id, "online").await.desc(), "The organisation is not active, so the product cannot go online");
}

on_both!(only_listed_changes_of_status_are_made);
async fn only_listed_changes_of_status_are_made(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await.in_english();
    let id = make(&admin, form(&app, "haoxiang").await).await;
    check(&admin, id).await;
    for (to, allowed) in [
        ("offline", false),
        ("archived", false),
        ("online", true),
        ("archived", false),
        ("draft", false),
        ("offline", true),
        ("online", true),
        ("offline", true),
        ("archived", true),
        ("online", false),
        ("offline", false),
    ] {
        let answer = put(&admin, id, to).await;
        assert_eq!(answer.code(), if allowed { "0000" } else { "1006" }, "{to}: {}", answer.desc());
    }
    let refused = edit(&app, &admin, id, json!({"name": "anew"})).await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "The product is archived; it cannot be changed");
    admin.put("/product/status", json!({"id": id, "version": 1, "status": "online"})).await.refused("1005");
    admin.delete(&format!("/product/{id}")).await.ok();
    assert_eq!(format!("{:?}", app.trail("product", id).await[0].action), "Delete");
}

on_both!(many_change_each_for_itself);
async fn many_change_each_for_itself(app: TestApp) {
    ready(&app).await;
    let admin = app.sign_in("admin").await.in_english();
    let checked = make(&admin, form(&app, "checked").await).await;
    let unchecked = make(&admin, with(form(&app, "unchecked").await, json!({"name": "未检"}))).await;
    check(&admin, checked).await;
    let products: Vec<Value> = [checked, unchecked, 999_999].map(|id| json!({"id": id, "version": 1})).to_vec();
    let outcome = admin.put("/product/statusMany", json!({"products": products, "status": "online"})).await.ok();
    assert_eq!(
        outcome,
        json!({"done": 1, "refused": [
            {"id": unchecked, "name": "未检", "reason": "A compliance check must pass first"},
            {"id": 999_999, "name": "", "reason": "No such record"}
        ]})
    );
    assert_eq!(admin.get(&format!("/product/{checked}")).await.ok()["status"], "online");
    admin.put("/product/statusMany", json!({"products": [], "status": "online"})).await.wrong("products");
    let many: Vec<Value> = (1..=201).map(|id| json!({"id": id, "version": 1})).collect();
    admin.put("/product/statusMany", json!({"products": many, "status": "online"})).await.wrong("products");
}
