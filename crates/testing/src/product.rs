//! Products.

use serde_json::{Value, json};

use crate::{Actor, TestApp};

/// A form that is accepted, of North Star.
pub async fn form(app: &TestApp, code: &str) -> Value {
    json!({
        "code": code, "name": "好享贷", "orgId": app.organisation("north").await, "logoFileId": null, "category": "credit",
        "applyMode": "jump", "jumpUrl": "https://h5.example.com/apply", "minAmountCents": 100_000, "maxAmountCents": 20_000_000,
        "minTermMonths": 3, "maxTermMonths": 36, "annualRateMinBp": 720, "annualRateMaxBp": 2380, "lenderName": "北辰小额贷款有限公司",
        "tags": ["额度高", "随借随还"], "requirements": "年满 22 周岁，以审核结果为准。", "uvPriceCents": 350, "sort": 10,
        "cities": ["310100", "330100"], "ruleSet": {"all": [{"field": "age", "op": "between", "value": [22, 55]}]},
        "onlineFrom": "22:00", "onlineTo": "06:00",
        "caps": [{"window": "day", "weekday": null, "maxCount": 500, "maxCents": null}]
    })
}

/// The same form with some fields otherwise.
pub fn with(mut form: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        form[name] = value.clone();
    }
    form
}

/// Lets business with North Star and Southern Cross go on.
pub async fn ready(app: &TestApp) {
    app.execute("UPDATE organisation SET status = 'active', licence_no = 'L-1', licence_expire_on = '2099-12-31'").await;
}

/// Makes a product and returns its id.
pub async fn make(actor: &Actor, form: Value) -> i64 {
    actor.post("/product", form).await.ok()["id"].as_i64().unwrap()
}
