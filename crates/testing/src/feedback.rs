//! A sold lead, and what its buyer reports.

use serde_json::{Value, json};

use crate::lead::{application, bring, channel, plan};
use crate::open::{Call, Partner};
use crate::plan::begin;
use crate::{Actor, Answer, TestApp};

/// A lead that North Star bought, and those who report on it.
pub struct Sold {
    pub admin: Actor,
    pub channel: Partner,
    /// North Star's server.
    pub north: Partner,
    pub user_id: i64,
    pub push_id: i64,
    pub no: String,
}

/// Sells a lead to North Star, and gives it a signing key.
pub async fn sold(app: &TestApp) -> Sold {
    begin(app);
    let (admin, channel) = (app.sign_in("admin").await, channel(app, json!({})).await);
    plan(app, &admin, json!({"subOrgId": app.team("First team").await})).await;
    bring(app, &channel, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let north = signing(app, &admin, "north").await;
    let (user_id, push_id) = (app.count("SELECT id FROM applicant").await, app.count("SELECT id FROM push_record").await);
    Sold { admin, channel, north, user_id, push_id, no: app.text("SELECT no FROM push_record").await }
}

/// Gives an organisation a signing key, or a new one.
pub async fn signing(app: &TestApp, admin: &Actor, org: &str) -> Partner {
    let id = app.organisation(org).await;
    let version = admin.get(&format!("/org/api/secret/{id}")).await.ok()["version"].clone();
    let made = admin.put("/org/api/secret", json!({"id": id, "version": version})).await.ok();
    let text = |name: &str| made[name].as_str().unwrap().to_owned();
    Partner { id, app_key: text("appKey"), secret: text("appSecret") }
}

/// A report of an organisation's server, before it is made.
pub fn report_call(app: &TestApp, partner: &Partner, nonce: &str, body: &Value) -> Call {
    Call { path: "/open/push/status", ..Call::of(app, partner, nonce, body) }
}

/// Makes a report, under a nonce of its own.
pub async fn send_report(app: &TestApp, partner: &Partner, body: Value) -> Answer {
    let nonce = format!("n{}", app.count("SELECT COUNT(*) FROM nonce").await);
    report_call(app, partner, &nonce, &body).make(&app.stranger()).await
}

/// Grants a role the points whose paths begin so.
pub async fn grant(app: &TestApp, role: &str, points: &str) {
    let sql = format!(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = '{role}' AND m.path LIKE '{points}%' \
         ON CONFLICT DO NOTHING"
    );
    app.execute(Box::leak(sql.into_boxed_str())).await;
    app.execute("UPDATE role SET version = version + 1").await;
}
