//! `/role`.

mod grant;
mod list;
mod record;
mod standard;

use serde_json::{Value, json};

use testing::{Actor, TestApp};

/// The ids of some nodes of the menu, by name.
pub async fn nodes(app: &TestApp, names: &[&str]) -> Vec<i64> {
    let mut ids = Vec::new();
    for name in names {
        let id = sqlx::query_scalar("SELECT id FROM menu_node WHERE name = $1").bind(*name).fetch_one(app.app.db.read()).await;
        ids.push(id.unwrap_or_else(|error| panic!("{name} is no node: {error}")));
    }
    ids
}

/// The form of a role that may list channels.
pub async fn form(app: &TestApp, code: &str) -> Value {
    let menu_ids = nodes(app, &["channel/list/list"]).await;
    json!({"code": code, "name": "渠道助理", "nameEn": "Channel assistant", "dataScope": "all", "defaultRoute": null, "sort": 5, "menuIds": menu_ids})
}

/// The update that changes nothing about a role as `who` sees it, with some fields replaced.
pub async fn update(who: &Actor, id: i64, fields: Value) -> Value {
    let row = who.get(&format!("/role/{id}")).await.ok();
    let mut update = json!({
        "id": id, "version": row["version"], "name": row["name"], "nameEn": row["nameEn"], "dataScope": row["dataScope"],
        "defaultRoute": row["defaultRoute"], "sort": row["sort"]
    });
    update.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    update
}

/// The latest change of a role in the trail, `field: before → after`.
pub async fn latest_change(app: &TestApp, id: i64) -> Vec<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let trail = app.trail("role", id).await;
    trail[0].diff.iter().map(|change| format!("{}: {} → {}", change.field, text(&change.before), text(&change.after))).collect()
}
