//! One account: `GET`, `DELETE`, its history, its phone, its reset password.

use frame::access::audit::Action;
use serde_json::{Value, json};

use testing::world::{PASSWORD, PHONE};
use testing::{TestApp, on_both};

on_both!(foreign_accounts_look_like_none);
async fn foreign_accounts_look_like_none(app: TestApp) {
    let south = app.sign_in("south.manager").await;
    for id in [app.account("north.sales1").await, app.account("operator").await, 4711, i64::MAX] {
        let update = json!({"id": id, "version": 1, "realName": "Mine", "roleIds": [app.role("org_sales").await]});
        for answer in [
            south.get(&format!("/admin/{id}")).await,
            south.get(&format!("/admin/history/{id}")).await,
            south.get(&format!("/admin/reveal/{id}")).await,
            south.put("/admin", update).await,
            south.put("/admin/status", json!({"id": id, "version": 1, "status": "disabled"})).await,
            south.put("/admin/resetPwd", json!({"id": id, "version": 1})).await,
            south.delete(&format!("/admin/{id}")).await,
        ] {
            assert_eq!((answer.refused("1004"), answer.desc().as_str()), (Value::Null, "记录不存在"));
        }
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM administrator WHERE version > 1").await, 0);
}

on_both!(history_tells_who_did_what);
async fn history_tells_who_did_what(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    manager.put("/admin/status", json!({"id": id, "version": 1, "status": "disabled"})).await.ok();
    app.advance(1000);
    manager.get(&format!("/admin/reveal/{id}")).await.ok();
    let history = manager.get(&format!("/admin/history/{id}")).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 2);
    assert_eq!((&history[0]["action"], &history[1]["action"]), (&json!("reveal"), &json!("update")));
    assert_eq!(history[1]["adminName"], "north north.manager");
    assert_eq!(history[1]["diff"], json!([{"field": "status", "before": "enabled", "after": "disabled"}]));
    assert!(history[0]["at"].as_i64() > history[1]["at"].as_i64());
    app.sign_in("north.lead").await.get(&format!("/admin/history/{}", app.account("north.manager").await)).await.refused("1004");
}

on_both!(seeing_a_whole_phone_is_written_down);
async fn seeing_a_whole_phone_is_written_down(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    assert_eq!(manager.get(&format!("/admin/reveal/{id}")).await.ok(), json!({"phone": PHONE}));
    let trail = app.trail("administrator", id).await;
    assert_eq!((trail.len(), trail[0].action), (1, Action::Reveal));
    assert!(!serde_json::to_string(&trail).unwrap().contains(PHONE));
    let without = app.account("north.sales2").await;
    assert_eq!(manager.get(&format!("/admin/reveal/{without}")).await.ok(), json!({"phone": null}));
    app.sign_in("operator").await.get(&format!("/admin/reveal/{id}")).await.refused("1003");
}

on_both!(a_reset_password_is_shown_once_and_ends_all_sessions);
async fn a_reset_password_is_shown_once_and_ends_all_sessions(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    let session = app.sign_in("north.sales1").await;
    let made = manager.put("/admin/resetPwd", json!({"id": id, "version": 1})).await.ok();
    let made = made["password"].as_str().unwrap();
    assert_eq!(made.len(), 12);
    session.get("/admin/me").await.refused("2000");
    let stranger = app.stranger();
    stranger.post("/admin/login", json!({"username": "north.sales1", "password": PASSWORD})).await.refused("1002");
    stranger.post("/admin/login", json!({"username": "north.sales1", "password": made})).await.ok();
    assert_eq!(manager.get(&format!("/admin/{id}")).await.ok()["mustChangePwd"], true);
    let trail = serde_json::to_string(&app.trail("administrator", id).await).unwrap();
    assert!(trail.contains("password") && !trail.contains(made), "{trail}");
}

on_both!(a_deleted_account_is_gone_but_not_from_the_trail);
async fn a_deleted_account_is_gone_but_not_from_the_trail(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    manager.delete(&format!("/admin/{id}")).await.ok();
    manager.get(&format!("/admin/{id}")).await.refused("1004");
    manager.delete(&format!("/admin/{id}")).await.refused("1004");
    assert_eq!(manager.post("/admin/page", json!({})).await.ok()["total"], 3);
    app.stranger().post("/admin/login", json!({"username": "north.sales1", "password": PASSWORD})).await.refused("1002");
    let trail = app.trail("administrator", id).await;
    assert_eq!((trail.len(), trail[0].action), (1, Action::Delete));
    assert!(!serde_json::to_string(&trail).unwrap().contains(PHONE));
}

on_both!(who_owns_something_is_not_deleted);
async fn who_owns_something_is_not_deleted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = app.account("channel.manager").await;
    app.execute("UPDATE organisation SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager')").await;
    let refusal = operator.delete(&format!("/admin/{id}")).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "该管理员名下还有 2 个机构");
    app.execute(
        "INSERT INTO channel (code, name, type, settle_mode, unit_price_cents, share_bp, app_key, app_secret_enc, mode, status, owner_admin_id, \
         created_at, updated_at) SELECT 'north-h5', 'North', 'h5', 'uv', 1, 0, 'key', '', 'test', 'enabled', id, 1, 1 FROM administrator \
         WHERE username = 'channel.manager'",
    )
    .await;
    assert_eq!(operator.in_english().delete(&format!("/admin/{id}")).await.desc(), "This administrator still owns 1 channels");
    app.execute("UPDATE organisation SET deleted_at = 1").await;
    app.execute("UPDATE channel SET deleted_at = 1").await;
    operator.delete(&format!("/admin/{id}")).await.ok();
}
