//! `/blacklist`: the entries, what is done with them, and tables that bring many.

mod changes;
mod hit;
mod import;
mod list;
mod scope;

use serde_json::{Value, json};

use crate::support::{Actor, TestApp};

pub const PHONE: &str = "13812340001";
pub const ID_NO: &str = "11010519491231002X";

/// A form that everybody accepts.
pub fn form(changes: Value) -> Value {
    let mut form = json!({
        "kind": "phone", "value": PHONE, "scope": "global", "scopeId": null, "source": "complaint", "reason": "投诉被多次联系", "expiresAt": null
    });
    for (name, value) in changes.as_object().unwrap() {
        form[name] = value.clone();
    }
    form
}

/// The form that changes an entry as [`form`] made it.
pub fn edit(row: &Value, changes: Value) -> Value {
    let mut body = form(json!({"id": row["id"], "version": row["version"], "kind": row["kind"], "value": null}));
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
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

/// How many entries there are.
pub async fn entries(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM blacklist_entry WHERE deleted_at IS NULL").await
}
