//! `PUT /admin` and `PUT /admin/status`.

use serde_json::{Value, json};

use testing::world::PHONE;
use testing::{Actor, TestApp, on_both};

/// The update that changes nothing about an account as `who` sees it, with some fields replaced.
async fn update(who: &Actor, id: i64, fields: Value) -> Value {
    let row = who.get(&format!("/admin/{id}")).await.ok();
    let roles: Vec<Value> = row["roles"].as_array().unwrap().iter().map(|role| role["id"].clone()).collect();
    let mut update = json!({
        "id": id, "version": row["version"], "realName": row["realName"], "phone": null, "email": row["email"], "orgId": row["orgId"],
        "subOrgId": row["subOrgId"], "roleIds": roles
    });
    update.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    update
}

on_both!(a_change_is_answered_and_told);
async fn a_change_is_answered_and_told(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    let fields = json!({"realName": "李四", "email": "li@example.com", "phone": "13811112222", "subOrgId": null});
    let row = manager.put("/admin", update(&manager, id, fields).await).await.ok();
    assert_eq!((&row["realName"], &row["phoneMask"], &row["version"]), (&json!("李四"), &json!("138****2222"), &json!(2)));
    assert_eq!(row, manager.get(&format!("/admin/{id}")).await.ok());
    let told = serde_json::to_value(&app.trail("administrator", id).await[0].diff).unwrap();
    let expected = json!([
        {"field": "realName", "before": "north north.sales1", "after": "李四"},
        {"field": "phoneMask", "before": "138****0001", "after": "138****2222"},
        {"field": "email", "before": null, "after": "li@example.com"},
        {"field": "subOrgName", "before": "First team", "after": null}
    ]);
    assert_eq!(told, expected);
}

on_both!(no_phone_keeps_the_stored_one);
async fn no_phone_keeps_the_stored_one(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    for phone in [Value::Null, json!(""), json!(PHONE)] {
        manager.put("/admin", update(&manager, id, json!({"phone": phone})).await).await.ok();
        assert_eq!(manager.get(&format!("/admin/reveal/{id}")).await.ok()["phone"], PHONE);
    }
    let taken = manager.put("/admin", update(&manager, id, json!({"phone": "13800000000"})).await).await;
    taken.refused("1005");
    assert_eq!(taken.desc(), "手机号已被其他管理员使用");
}

on_both!(of_two_editors_the_slower_is_told_how_it_is_now);
async fn of_two_editors_the_slower_is_told_how_it_is_now(app: TestApp) {
    let (manager, operator) = (app.sign_in("north.manager").await, app.sign_in("operator").await.in_english());
    let id = app.account("north.sales1").await;
    let slow = update(&operator, id, json!({"realName": "Slow"})).await;
    manager.put("/admin", update(&manager, id, json!({"realName": "Fast"})).await).await.ok();
    let refusal = operator.put("/admin", slow).await;
    assert_eq!(refusal.refused("1005")["current"], operator.get(&format!("/admin/{id}")).await.ok());
    assert_eq!(refusal.desc(), "Someone else has changed this record; nothing was done");
    assert_eq!(refusal.refused("1005")["current"]["realName"], "Fast");
    operator.put("/admin/status", json!({"id": id, "version": 1, "status": "disabled"})).await.refused("1005");
    operator.put("/admin/resetPwd", json!({"id": id, "version": 1})).await.refused("1005");
    assert_eq!(app.trail("administrator", id).await.len(), 1);
}

on_both!(of_two_changes_at_once_one_is_made);
async fn of_two_changes_at_once_one_is_made(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    let (one, other) = (update(&manager, id, json!({"realName": "One"})).await, update(&manager, id, json!({"realName": "Other"})).await);
    let (one, other) = tokio::join!(manager.put("/admin", one), manager.put("/admin", other));
    let mut codes = [one.code(), other.code()];
    codes.sort();
    assert_eq!(codes, ["0000", "1005"]);
    assert_eq!(app.trail("administrator", id).await.len(), 1);
}

on_both!(the_builtin_administrator_stays_as_it_is);
async fn the_builtin_administrator_stays_as_it_is(app: TestApp) {
    let id = app.account("admin").await;
    for who in ["admin", "operator"] {
        let who = app.sign_in(who).await;
        let body = update(&who, id, json!({"realName": "Somebody"})).await;
        for answer in [
            who.put("/admin", body).await,
            who.put("/admin/status", json!({"id": id, "version": 1, "status": "disabled"})).await,
            who.put("/admin/resetPwd", json!({"id": id, "version": 1})).await,
            who.delete(&format!("/admin/{id}")).await,
        ] {
            answer.refused("1006");
            assert_eq!(answer.desc(), "内置管理员不能修改");
        }
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
}

on_both!(staff_cannot_lock_themselves_out_or_raise_their_own_rights);
async fn staff_cannot_lock_themselves_out_or_raise_their_own_rights(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.manager").await);
    manager.put("/admin", update(&manager, id, json!({"realName": "Myself", "email": "me@example.com"})).await).await.ok();
    let (sales, mine, team) = (app.role("org_sales").await, app.role("org_manager").await, app.team("First team").await);
    for answer in [
        manager.put("/admin", update(&manager, id, json!({"roleIds": [sales]})).await).await,
        manager.put("/admin", update(&manager, id, json!({"roleIds": [mine, sales]})).await).await,
        manager.put("/admin", update(&manager, id, json!({"subOrgId": team})).await).await,
        manager.put("/admin/status", json!({"id": id, "version": 2, "status": "disabled"})).await,
        manager.put("/admin/resetPwd", json!({"id": id, "version": 2})).await,
        manager.delete(&format!("/admin/{id}")).await,
    ] {
        answer.refused("1006");
        assert_eq!(answer.desc(), "不能对自己的账号进行此操作");
    }
    manager.get("/admin/me").await.ok();
}

// Who could set the password or phone of such an account could sign in as it.
on_both!(an_account_that_may_do_more_is_out_of_reach);
async fn an_account_that_may_do_more_is_out_of_reach(app: TestApp) {
    let (operator, id) = (app.sign_in("operator").await, app.account("north.manager").await);
    let body = update(&operator, id, json!({"phone": "13811112222"})).await;
    for answer in [
        operator.put("/admin", body).await,
        operator.put("/admin/status", json!({"id": id, "version": 1, "status": "disabled"})).await,
        operator.put("/admin/resetPwd", json!({"id": id, "version": 1})).await,
        operator.delete(&format!("/admin/{id}")).await,
    ] {
        answer.refused("1006");
        assert_eq!(answer.desc(), "该账号的权限超出您的权限");
    }
    let lead = app.sign_in("north.lead").await;
    let (sales, manager) = (app.account("north.sales1").await, app.role("org_manager").await);
    lead.put("/admin", update(&lead, sales, json!({"roleIds": [manager]})).await).await.wrong("roleIds");
}

on_both!(an_account_is_not_moved_out_of_reach);
async fn an_account_is_not_moved_out_of_reach(app: TestApp) {
    let (manager, lead) = (app.sign_in("north.manager").await, app.sign_in("north.lead").await);
    let (id, south) = (app.account("north.sales1").await, app.organisation("south").await);
    manager.put("/admin", update(&manager, id, json!({"orgId": south, "subOrgId": null})).await).await.wrong("orgId");
    // What a form leaves out stays the viewer's own.
    let row = manager.put("/admin", update(&manager, id, json!({"orgId": null})).await).await.ok();
    assert_eq!(row["orgName"], "北辰");
    let row = lead.put("/admin", update(&lead, id, json!({"subOrgId": null})).await).await.ok();
    assert_eq!(row["subOrgName"], "First team");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 2);
}

on_both!(a_role_that_is_switched_off_stays_where_it_is_held);
async fn a_role_that_is_switched_off_stays_where_it_is_held(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    app.execute("UPDATE role SET status = 'disabled' WHERE code IN ('org_sales', 'guest')").await;
    manager.put("/admin", update(&manager, id, json!({"realName": "Same role"})).await).await.ok();
    let guest = app.role("guest").await;
    manager.put("/admin", update(&manager, id, json!({"roleIds": [guest]})).await).await.wrong("roleIds");
}

on_both!(status_changes_are_the_listed_ones);
async fn status_changes_are_the_listed_ones(app: TestApp) {
    let (manager, id) = (app.sign_in("north.manager").await, app.account("north.sales1").await);
    let set =
        async |version: i64, status: &str| manager.put("/admin/status", json!({"id": id, "version": version, "status": status})).await;
    let refusal = set(1, "enabled").await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "账号已启用");
    set(1, "locked").await.wrong("status");
    set(1, "asleep").await.refused("4000");
    assert_eq!(set(1, "disabled").await.ok()["status"], "disabled");
    set(2, "disabled").await.refused("1006");
    assert_eq!(set(2, "enabled").await.ok()["version"], 3);
}
