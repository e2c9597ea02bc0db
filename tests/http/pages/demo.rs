//! What the demo's people see.

use serde_json::{Value, json};

use crate::pages;
use testing::demo::{PASSWORD, filled};
use testing::{TestApp, on_both};

on_both!(its_people_see_what_their_roles_let_them);
async fn its_people_see_what_their_roles_let_them(app: TestApp) {
    filled(&app).await;
    let channels = async |name: &str| app.sign_in(name).await.post("/channel/page", json!({})).await;
    for name in ["admin", "operator", "finance", "auditor"] {
        assert_eq!(channels(name).await.ok()["total"], 40, "{name}");
    }
    let own = channels("channel.lin").await.ok()["total"].as_i64().unwrap();
    assert!((1..40).contains(&own), "{own}");
    for name in ["service", "north.manager", "north.sales1", "north.sales2", "south.manager", "south.sales1"] {
        channels(name).await.refused("1003");
    }
    app.sign_in("operator").await.delete("/channel/1").await.refused("1003");
    app.sign_in("auditor").await.put("/channel/status", json!({"id": 1, "version": 1, "status": "paused"})).await.refused("1003");
    let colleagues = app.sign_in("north.manager").await.post("/admin/page", json!({})).await.ok();
    let names: Vec<&str> = colleagues["list"].as_array().unwrap().iter().map(|row| row["username"].as_str().unwrap()).collect();
    assert!(names.len() == 10 && names.iter().all(|name| name.starts_with("north.")), "{names:?}");
    pages::areas::show_records_in_both_languages(&app).await;
    // The password works for all.
    for name in ["admin", "channel.sun", "south.sales1", "north.lead"] {
        let answer = app.stranger().post("/admin/login", json!({"username": name, "password": PASSWORD})).await;
        assert_ne!(answer.ok()["token"], Value::Null, "{name}");
    }
}
