//! `/admin/login`.

use serde_json::{Value, json};

use crate::support::world::PASSWORD;
use crate::support::{Actor, Answer, TestApp, on_both};

async fn login(who: &Actor, username: &str, password: &str) -> Answer {
    who.post("/admin/login", json!({"username": username, "password": password})).await
}

// S1.01 S3.01 S7.02 S4.01
on_both!(the_right_password_gives_a_token_and_the_user);
async fn the_right_password_gives_a_token_and_the_user(app: TestApp) {
    let answer = login(&app.stranger(), " North.Manager ", PASSWORD).await;
    let data = answer.ok();
    let user = json!({
        "id": app.account("north.manager").await, "name": "north north.manager", "username": "north.manager", "role": "org_manager",
        "roleName": "机构经理", "scope": "org", "orgId": app.organisation("north").await, "orgName": "北辰", "avatar": null,
        "mustChangePwd": false
    });
    assert_eq!(data["user"], user);
    let token = data["token"].as_str().unwrap();
    assert_eq!(answer.header("set-cookie"), Some(format!("token={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age=43200").as_str()));
    let me = app.with_token(token);
    assert_eq!(me.get("/admin/me").await.ok(), user);
    assert_eq!(me.in_english().get("/admin/me").await.ok()["roleName"], "Organisation manager");
    assert_eq!(app.count("SELECT COUNT(*) FROM login_log WHERE result = 'ok' AND username = 'north.manager'").await, 1);
    let row = app.sign_in("operator").await.get(&format!("/admin/{}", user["id"])).await.ok();
    assert_eq!(row["lastLoginIp"], "127.0.0.1");
    assert!(row["lastLoginAt"].as_i64().unwrap() <= app.now());
    assert_ne!(row["lastLoginAt"], Value::Null);
}
