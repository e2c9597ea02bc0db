//! `PUT /admin/password`, and accounts whose password was made for them.

use base::clock::MINUTE;
use serde_json::json;

use testing::world::PASSWORD;
use testing::{TestApp, on_both};

on_both!(a_person_changes_the_password);
async fn a_person_changes_the_password(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    north.put("/admin/password", json!({"old": PASSWORD, "new": "Green-Kettle-8"})).await.ok();
    let stranger = app.stranger();
    stranger.post("/admin/login", json!({"username": "north.manager", "password": PASSWORD})).await.refused("1002");
    stranger.post("/admin/login", json!({"username": "north.manager", "password": "Green-Kettle-8"})).await.ok();
    let entry = &app.trail("administrator", app.account("north.manager").await).await[0];
    assert_eq!(serde_json::to_value(&entry.diff).unwrap(), json!([{"field": "password", "before": null, "after": null}]));
}

on_both!(weak_and_wrong_passwords_are_refused);
async fn weak_and_wrong_passwords_are_refused(app: TestApp) {
    let north = app.sign_in("north.manager").await.in_english();
    for new in ["", "short-1", "Abcdefg1", "password123", "12345678", "NORTH.manager", &"a1".repeat(65)] {
        north.put("/admin/password", json!({"old": PASSWORD, "new": new})).await.wrong("new");
    }
    assert_eq!(
        north.put("/admin/password", json!({"old": PASSWORD, "new": PASSWORD})).await.wrong("new"),
        "The new password must differ from the old one"
    );
    let wrong = north.put("/admin/password", json!({"old": "Green-Kettle-8", "new": "Green-Kettle-9"})).await;
    assert_eq!(wrong.wrong("old"), "The old password is incorrect");
    north.put("/admin/password", json!({"old": PASSWORD})).await.refused("4000");
    app.stranger().post("/admin/login", json!({"username": "north.manager", "password": PASSWORD})).await.ok();
}

on_both!(a_stolen_session_does_not_guess_the_password);
async fn a_stolen_session_does_not_guess_the_password(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    for _ in 0..5 {
        north.put("/admin/password", json!({"old": "Wrong-1", "new": "Green-Kettle-9"})).await.wrong("old");
    }
    let refused = north.put("/admin/password", json!({"old": PASSWORD, "new": "Green-Kettle-9"})).await;
    refused.refused("4029");
    assert!(refused.header("retry-after").is_some());
    app.advance(15 * MINUTE + 1);
    north.put("/admin/password", json!({"old": PASSWORD, "new": "Green-Kettle-9"})).await.ok();
}

/// S-L5: a password made for somebody who never came is good for three days.
mod stale {
    use base::clock::HOUR;

    use super::*;

    on_both!(a_made_password_lapses);
    async fn a_made_password_lapses(app: TestApp) {
        let (admin, id) = (app.sign_in("admin").await, app.account("north.manager").await);
        let made = admin.put("/admin/resetPwd", json!({"id": id, "version": 1})).await.ok()["password"].as_str().unwrap().to_owned();
        let login = json!({"username": "north.manager", "password": made});
        app.advance(72 * HOUR - MINUTE);
        app.stranger().post("/admin/login", login.clone()).await.ok();
        app.advance(2 * MINUTE);
        let refused = app.stranger().in_english().post("/admin/login", login).await;
        refused.refused("1006");
        assert!(refused.desc().contains("72 hours"), "{}", refused.desc());
        let wrong = json!({"username": "north.manager", "password": "Wrong-1"});
        app.stranger().post("/admin/login", wrong).await.refused("1002");
        // One that was chosen does not.
        app.advance(15 * MINUTE);
        app.stranger().post("/admin/login", json!({"username": "operator", "password": PASSWORD})).await.ok();
    }
}

on_both!(a_made_password_must_be_replaced_first);
async fn a_made_password_must_be_replaced_first(app: TestApp) {
    let (admin, id) = (app.sign_in("admin").await, app.account("north.manager").await);
    let made = admin.put("/admin/resetPwd", json!({"id": id, "version": 1})).await.ok();
    let made = made["password"].as_str().unwrap();
    let data = app.stranger().post("/admin/login", json!({"username": "north.manager", "password": made})).await.ok();
    assert_eq!(data["user"]["mustChangePwd"], true);

    let north = app.with_token(data["token"].as_str().unwrap());
    let refused = north.post("/admin/page", json!({})).await;
    refused.refused("1006");
    assert_eq!(refused.desc(), "请先修改密码");
    north.get("/admin/me").await.ok();
    north.get("/menu/listByToken").await.ok();
    north.put("/admin/password", json!({"old": made, "new": "Green-Kettle-8"})).await.ok();
    assert_eq!(north.get("/admin/me").await.ok()["mustChangePwd"], false);
    north.post("/admin/page", json!({})).await.ok();
}
