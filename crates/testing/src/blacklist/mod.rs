//! Entries of the blacklist.

pub mod import;

use serde_json::{Value, json};

use crate::{Actor, TestApp};

pub const PHONE: &str = "13812340001";

/// A form that is accepted.
pub fn form(changes: Value) -> Value {
    let mut form = json!({
        "kind": "phone", "value": PHONE, "scope": "global", "scopeId": null, "source": "complaint", "reason": "投诉被多次联系", "expiresAt": null
    });
    for (name, value) in changes.as_object().unwrap() {
        form[name] = value.clone();
    }
    form
}

/// Makes an entry.
pub async fn make(actor: &Actor, changes: Value) -> Value {
    actor.post("/blacklist", form(changes)).await.ok()
}

/// Makes a channel and returns its id.
pub async fn channel(app: &TestApp, code: &str) -> i64 {
    let body = json!({
        "code": code, "name": format!("渠道 {code}"), "type": "h5", "settleMode": "uv", "unitPriceCents": 100, "shareBp": 0, "landingUrl": null,
        "ipAllow": [], "callbackUrl": null, "dedupDays": null, "ownerAdminId": null, "remark": ""
    });
    app.sign_in("admin").await.post("/channel", body).await.ok()["id"].as_i64().unwrap()
}
