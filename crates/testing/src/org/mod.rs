//! Organisations.

pub mod delivery;
pub mod payee;
pub mod receipt;

use serde_json::{Value, json};

use crate::Actor;

/// A form that is accepted.
pub fn form(code: &str) -> Value {
    json!({
        "code": code, "name": "天璇消费金融有限公司", "shortName": "天璇", "type": "consumer_finance", "mode": "live",
        "licenceNo": "金监许〔2024〕1024号", "licenceExpireOn": "2099-12-31", "licenceFileId": null,
        "contactName": "邵明", "contactPhone": "13812340001", "city": "320100", "address": "人民路 18 号",
        "billMode": "credit", "creditLimitCents": 5_000_000, "lowBalanceCents": 200_000, "alertPhones": ["13812340002", "13812340003"],
        "returnAllowed": true, "returnMaxDays": 7, "returnMaxBp": 1500, "returnAuto": false, "payeeOrgId": null, "ownerAdminId": null
    })
}

/// The same form with some fields otherwise.
pub fn with(mut form: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        form[name] = value.clone();
    }
    form
}

/// Makes an organisation and returns its id.
pub async fn make(actor: &Actor, form: Value) -> i64 {
    actor.post("/org", form).await.ok()["id"].as_i64().unwrap()
}

/// The form that changes an organisation as [`form`] made it.
pub fn edit(code: &str, id: i64, version: i64, changes: Value) -> Value {
    let mut body = with(form(code), json!({"id": id, "version": version, "alertPhones": ["138****0002", "138****0003"]}));
    body.as_object_mut().unwrap().remove("contactPhone");
    with(body, changes)
}
