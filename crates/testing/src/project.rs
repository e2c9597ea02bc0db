//! Projects.

use serde_json::{Value, json};

use crate::Actor;

/// A whole application of a channel.
pub fn form() -> Value {
    json!({
        "partnerType": "channel", "name": "星芒信息流接入", "city": "310100", "licenceNo": "91310000MA1FL0XXXX",
        "contactName": "白洁", "contactPhone": "13612345678", "contactEmail": "bai@example.com", "settleMode": "registered",
        "unitPriceCents": 1250, "shareBp": 0, "dailyVolume": 300, "startDate": "2099-01-01",
        "landingUrl": "https://xingmang.example.com/apply", "callbackUrl": null, "ipAllow": ["203.0.113.7", "198.51.100.0/28"],
        "remark": "周结"
    })
}

/// The object with some of its fields replaced.
pub fn with(mut object: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        object[name] = value.clone();
    }
    object
}

/// Submits a project; its id.
pub async fn file(actor: &Actor, changes: Value) -> i64 {
    actor.post("/project", with(form(), changes)).await.ok()["id"].as_i64().unwrap()
}

/// Approves the step that a project is in; the project.
pub async fn approve(actor: &Actor, project: &Value) -> Value {
    actor.put("/project/audit", json!({"id": project["id"], "version": project["version"], "decision": "approve"})).await.ok()
}

/// Returns a project for a reason; the project.
pub async fn send_back(actor: &Actor, project: &Value) -> Value {
    let decision = json!({"id": project["id"], "version": project["version"], "decision": "return", "reasons": ["domain_unregistered"]});
    actor.put("/project/audit", decision).await.ok()
}

/// The project as an actor sees it.
pub async fn seen(actor: &Actor, id: i64) -> Value {
    actor.get(&format!("/project/{id}")).await.ok()["project"].clone()
}
