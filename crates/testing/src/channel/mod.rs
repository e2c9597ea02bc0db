//! Channels.

pub mod list;

use serde_json::{Value, json};

use crate::Actor;

/// A form that is accepted.
pub fn form(code: &str) -> Value {
    json!({
        "code": code,
        "name": "星芒信息流（华东）",
        "type": "ads",
        "settleMode": "registered",
        "unitPriceCents": 1250,
        "shareBp": 0,
        "landingUrl": "https://xingmang.example.com/apply?c=1",
        "ipAllow": ["203.0.113.7", "10.0.0.0/8", "2001:db8::/32"],
        "callbackUrl": "https://api.xingmang.example.com/status",
        "dedupDays": 30,
        "ownerAdminId": null,
        "remark": "周结"
    })
}

/// The same form with some fields otherwise.
pub fn with(mut form: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        form[name] = value.clone();
    }
    form
}

/// Makes a channel and returns its id.
pub async fn make(actor: &Actor, form: Value) -> i64 {
    actor.post("/channel", form).await.ok()["id"].as_i64().unwrap()
}
