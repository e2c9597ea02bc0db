//! `GET /admin/me`, `PUT /admin/role`, `/admin/me/sessions`: what people do for their own account.

use base::clock::{HOUR, MINUTE};
use serde_json::{Value, json};

use testing::world::PASSWORD;
use testing::{TestApp, on_both};

/// Gives an account one more role.
async fn also(app: &TestApp, username: &str, role: &str) {
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query(
        "INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a, role r WHERE a.username = $1 AND r.code = $2",
    )
    .bind(username)
    .bind(role)
    .execute(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
}

fn codes(me: &Value) -> Vec<&str> {
    me["roles"].as_array().unwrap().iter().map(|role| role["code"].as_str().unwrap()).collect()
}

// S6.06: the role decides menu, points and data; the switch counts with the next call.
on_both!(a_switch_of_the_role_counts_at_once_and_at_the_next_sign_in);
async fn a_switch_of_the_role_counts_at_once_and_at_the_next_sign_in(app: TestApp) {
    also(&app, "operator", "guest").await;
    let (here, elsewhere) = (app.sign_in("operator").await, app.sign_in("operator").await);
    let me = here.get("/admin/me").await.ok();
    assert_eq!((codes(&me), &me["role"]), (vec!["operator", "guest"], &json!("operator")));
    assert_eq!(here.in_english().get("/admin/me").await.ok()["roles"][1]["name"], "Guest");

    let guest = app.role("guest").await;
    let viewer = here.put("/admin/role", json!({"roleId": guest})).await.ok();
    assert_eq!((&viewer["role"], &viewer["roleName"], &viewer["scope"]), (&json!("guest"), &json!("访客"), &json!("self")));
    assert_eq!(here.get("/admin/me").await.ok()["role"], "guest");
    here.post("/channel/page", json!({})).await.refused("1003");
    assert!(!here.get("/menu/listByToken").await.ok().to_string().contains("channel/list"));
    elsewhere.post("/channel/page", json!({})).await.ok();

    let entry = &app.trail("administrator", app.account("operator").await).await[0];
    assert_eq!(serde_json::to_value(&entry.diff).unwrap(), json!([{"field": "activeRole", "before": "运营", "after": "访客"}]));
    let again = app.stranger().post("/admin/login", json!({"username": "operator", "password": PASSWORD})).await.ok();
    assert_eq!(again["user"]["role"], "guest");
    // Choosing the role one is in changes nothing, and back is the same way.
    here.put("/admin/role", json!({"roleId": guest})).await.ok();
    assert_eq!(here.put("/admin/role", json!({"roleId": app.role("operator").await})).await.ok()["role"], "operator");
    here.post("/channel/page", json!({})).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 2);
}

on_both!(the_key_of_drafts_is_that_of_the_account);
async fn the_key_of_drafts_is_that_of_the_account(app: TestApp) {
    let (here, elsewhere) = (app.sign_in("operator").await, app.sign_in("operator").await);
    let answer = here.get("/admin/me/draftKey").await;
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let key = answer.ok()["key"].as_str().unwrap().to_owned();
    assert!(key.len() == 64 && key.bytes().all(|digit| digit.is_ascii_hexdigit()), "{key}");
    assert_eq!(elsewhere.get("/admin/me/draftKey").await.ok()["key"], key);
    // Not with the role: the account keeps its drafts when it changes that.
    also(&app, "operator", "guest").await;
    here.put("/admin/role", json!({"roleId": app.role("guest").await})).await.ok();
    assert_eq!(here.get("/admin/me/draftKey").await.ok()["key"], key);
    assert_ne!(app.sign_in("auditor").await.get("/admin/me/draftKey").await.ok()["key"], key);
    app.stranger().get("/admin/me/draftKey").await.refused("2000");
    here.post("/admin/logout", json!({})).await.ok();
    here.get("/admin/me/draftKey").await.refused("2000");
}

on_both!(staff_cannot_switch_to_a_role_that_they_do_not_have);
async fn staff_cannot_switch_to_a_role_that_they_do_not_have(app: TestApp) {
    also(&app, "operator", "guest").await;
    also(&app, "operator", "auditor").await;
    let operator = app.sign_in("operator").await;
    app.execute("UPDATE role SET status = 'disabled' WHERE code = 'guest'").await;
    app.execute("UPDATE role SET deleted_at = 1 WHERE code = 'auditor'").await;
    for role in ["admin", "org_manager", "guest", "auditor"] {
        operator.put("/admin/role", json!({"roleId": app.role(role).await})).await.wrong("roleId");
    }
    for nonsense in [json!({}), json!({"roleId": "one"}), json!({"roleId": 1, "admin": true}), json!({"roleId": 1.5})] {
        operator.put("/admin/role", nonsense).await.refused("4000");
    }
    operator.put("/admin/role", json!({"roleId": i64::MAX})).await.wrong("roleId");
    assert_eq!(codes(&operator.get("/admin/me").await.ok()), ["operator"]);
    assert_eq!(operator.get("/admin/me").await.ok()["role"], "operator");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
    app.stranger().put("/admin/role", json!({"roleId": 1})).await.refused("2000");
}

on_both!(ones_own_sessions_are_listed_and_ended);
async fn ones_own_sessions_are_listed_and_ended(app: TestApp) {
    let old = app.sign_in("north.sales1").await;
    app.advance(5 * MINUTE);
    let agent = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36";
    let login = json!({"username": "north.sales1", "password": PASSWORD});
    let signed_in = app.stranger().from([10, 1, 2, 3]).with("user-agent", agent).post("/admin/login", login).await.ok();
    let current = app.with_token(signed_in["token"].as_str().unwrap());
    app.sign_in("north.sales2").await;

    let sessions = current.get("/admin/me/sessions").await.ok();
    let list = sessions.as_array().unwrap();
    assert_eq!(list.len(), 2, "only one's own: {sessions}");
    assert_eq!((&list[0]["current"], &list[1]["current"]), (&json!(true), &json!(false)));
    assert_eq!(
        (&list[0]["browser"], &list[0]["os"], &list[0]["ip"], &list[0]["roleName"]),
        (&json!("Chrome 126"), &json!("Windows 10/11"), &json!("10.1.2.3"), &json!("机构销售"))
    );
    let now = app.now();
    let times = ["createdAt", "lastSeenAt", "expiresAt"].map(|field| list[0][field].as_i64().unwrap() - now);
    assert!(
        (-MINUTE..=0).contains(&times[0]) && times[1] == times[0] && (30 * MINUTE - MINUTE..=32 * MINUTE).contains(&times[2]),
        "{times:?}"
    );

    let other = &list[1]["id"];
    current.delete(&format!("/admin/me/sessions/{other}")).await.ok();
    old.get("/admin/me").await.refused("2000");
    current.delete(&format!("/admin/me/sessions/{other}")).await.refused("1004");
    assert_eq!(current.get("/admin/me/sessions").await.ok().as_array().unwrap().len(), 1);
    let entry = &app.trail("administrator", app.account("north.sales1").await).await[0];
    assert_eq!((entry.action, entry.diff[0].before.as_deref()), (frame::access::audit::Action::ForceOut, Some("127.0.0.1")));

    // The current one ends by signing out; one that has expired is no session any more.
    let refusal = current.delete(&format!("/admin/me/sessions/{}", list[0]["id"])).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "这是当前会话，请退出登录");
    app.advance(13 * HOUR);
    let late = app.sign_in("north.sales1").await;
    assert_eq!(late.get("/admin/me/sessions").await.ok().as_array().unwrap().len(), 1);
    late.delete(&format!("/admin/me/sessions/{}", list[0]["id"])).await.refused("1004");
}

on_both!(another_persons_session_cannot_be_ended_here);
async fn another_persons_session_cannot_be_ended_here(app: TestApp) {
    let (admin, sales) = (app.sign_in("admin").await, app.sign_in("north.sales1").await);
    let id = sales.get("/admin/me/sessions").await.ok()[0]["id"].clone();
    admin.delete(&format!("/admin/me/sessions/{id}")).await.refused("1004");
    admin.delete("/admin/me/sessions/0").await.refused("4000");
    sales.get("/admin/me").await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
}
