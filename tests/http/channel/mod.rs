//! `/channel`: the list, its file, and everything that is done with a channel.

mod changes;
mod create;
mod export;
mod hostile;
pub mod list;
mod scope;
mod secret;
mod terms;
mod trial;
mod watch;

use serde_json::{Value, json};

use crate::support::{Actor, TestApp};

/// A form that everybody accepts.
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

/// The codes of a list's page, in its order.
pub async fn codes(actor: &Actor, query: Value) -> Vec<String> {
    let page = actor.post("/channel/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["code"].as_str().unwrap().to_owned()).collect()
}

/// How many channels there are, deleted ones included.
pub async fn rows(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM channel").await
}
