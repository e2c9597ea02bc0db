//! Roles made, changed, switched off, deleted.

use frame::access::audit::Action;
use serde_json::json;

use super::{form, latest_change, nodes, update};
use testing::{TestApp, on_both};

on_both!(a_new_role_is_told_and_works);
async fn a_new_role_is_told_and_works(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let role = admin.post("/role", form(&app, "assistant").await).await.ok();
    let id = role["id"].as_i64().unwrap();
    // The menus above the point came along.
    let mut granted: Vec<i64> = role["menuIds"].as_array().unwrap().iter().map(|id| id.as_i64().unwrap()).collect();
    granted.sort_unstable();
    let mut expected = nodes(&app, &["channel", "channelList", "channel/list/list"]).await;
    expected.sort_unstable();
    assert_eq!(granted, expected);
    assert_eq!(
        (&role["status"], &role["accounts"], &role["editable"], &role["version"]),
        (&json!("enabled"), &json!(0), &json!(true), &json!(1))
    );
    assert_eq!(
        latest_change(&app, id).await,
        [
            "code:  → assistant",
            "name:  → 渠道助理",
            "nameEn:  → Channel assistant",
            "dataScope:  → all",
            "sort:  → 5",
            "status:  → enabled",
            "granted:  → channel/list/list"
        ]
    );
    // Somebody who is in it does what it says and no more.
    let auditor = app.account("auditor").await;
    let row = admin.get(&format!("/admin/{auditor}")).await.ok();
    let change = json!({"id": auditor, "version": row["version"], "realName": "Assistant", "phone": null, "email": null, "orgId": null, "subOrgId": null, "roleIds": [id]});
    admin.put("/admin", change).await.ok();
    let assistant = app.sign_in("auditor").await;
    assistant.post("/channel/page", json!({})).await.ok();
    assistant.post("/admin/page", json!({})).await.refused("1003");
    assert_eq!(admin.get(&format!("/role/{id}")).await.ok()["accounts"], 1);
}

on_both!(wrong_fields_are_named_and_nothing_is_made);
async fn wrong_fields_are_named_and_nothing_is_made(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (field, value) in [
        ("code", json!("")),
        ("code", json!("1st")),
        ("code", json!("Has Blanks")),
        ("code", json!("x".repeat(33))),
        ("name", json!("  ")),
        ("name", json!("好".repeat(33))),
        ("nameEn", json!("")),
        ("sort", json!(-1)),
        ("sort", json!(10_000)),
        ("defaultRoute", json!("adminList")),
        ("defaultRoute", json!("nowhere")),
        ("defaultRoute", json!("login")),
        ("defaultRoute", json!("home")),
        ("menuIds", json!([987_654])),
        ("menuIds", json!([0])),
        ("menuIds", json!(vec![1; 5001])),
    ] {
        let mut form = form(&app, "assistant").await;
        form[field] = value.clone();
        admin.post("/role", form).await.wrong(field);
    }
    for nonsense in
        [json!({"dataScope": "everything"}), json!({"builtin": true}), json!({"menuIds": ["one"]}), json!({"status": "enabled"})]
    {
        let mut form = form(&app, "assistant").await;
        form.as_object_mut().unwrap().extend(nonsense.as_object().unwrap().clone());
        admin.post("/role", form).await.refused("4000");
    }
    let taken = admin.post("/role", form(&app, "auditor").await).await;
    taken.refused("1005");
    assert_eq!(taken.desc(), "角色编码 auditor 已存在");
    assert_eq!(app.count("SELECT COUNT(*) FROM role").await, 8);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
}

on_both!(a_copy_holds_what_the_other_holds);
async fn a_copy_holds_what_the_other_holds(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let source = app.role("channel_manager").await;
    let mut copy = form(&app, "second_manager").await;
    copy.as_object_mut().unwrap().remove("menuIds");
    copy["copyOf"] = json!(source);
    copy["defaultRoute"] = json!("channelList");
    let made = admin.post("/role", copy.clone()).await.ok();
    assert_eq!(made["menuIds"], admin.get(&format!("/role/{source}")).await.ok()["menuIds"]);
    assert_eq!(made["defaultPage"], "渠道列表");
    let told = latest_change(&app, made["id"].as_i64().unwrap()).await;
    assert!(told.contains(&"copyOf:  → channel_manager".to_owned()) && told.last().unwrap().contains("channel/list/delete"), "{told:?}");
    copy["code"] = json!("third");
    copy["copyOf"] = json!(987_654);
    admin.post("/role", copy).await.wrong("copyOf");
}

on_both!(a_change_is_answered_told_and_counts_at_once);
async fn a_change_is_answered_told_and_counts_at_once(app: TestApp) {
    let (admin, manager) = (app.sign_in("admin").await, app.sign_in("channel.manager").await);
    let id = app.role("channel_manager").await;
    let granted = nodes(&app, &["channel/list/list", "admin/list/list"]).await;
    let change = update(&admin, id, json!({"name": "渠道", "dataScope": "all", "defaultRoute": "adminList", "menuIds": granted})).await;
    let row = admin.put("/role", change.clone()).await.ok();
    assert_eq!((&row["version"], &row["defaultPage"]), (&json!(2), &json!("管理员列表")));
    assert_eq!(row, admin.get(&format!("/role/{id}")).await.ok());
    assert_eq!(
        latest_change(&app, id).await,
        [
            "name: 渠道经理 → 渠道",
            "dataScope: own → all",
            "defaultRoute:  → adminList",
            "granted:  → admin/list/list",
            "withdrawn: channel/list/create, channel/list/delete, channel/list/export, channel/list/mode, channel/list/secret, \
             channel/list/status, channel/list/test, channel/list/update, channel/list/view, channel/uv-list/export, channel/uv-list/list, \
             chart/channel-d2d-list/export, chart/channel-d2d-list/list, chart/channel-list/export, chart/channel-list/list, \
             chart/org-d2d-list/export, chart/org-d2d-list/list, chart/org-list/export, chart/org-list/list, \
             chart/product-list/export, chart/product-list/list, chart/score-list/export, chart/score-list/list, chart/system-list/export, chart/system-list/list, \
             chartMon/channel-list2/export, chartMon/channel-list2/list, chartMon/org-list2/export, chartMon/org-list2/list, \
             chartMon/product-list2/export, chartMon/product-list2/list, chartMon/system-list2/export, chartMon/system-list2/list → "
        ]
    );
    assert_eq!(app.trail("role", id).await[0].action, Action::Grant);
    manager.post("/channel", json!({})).await.refused("1003");
    manager.post("/admin/page", json!({})).await.ok();

    // The slower of two editors is told how it is now.
    assert_eq!(admin.put("/role", change).await.refused("1005")["current"], row);
    admin.put("/role/status", json!({"id": id, "version": 1, "status": "disabled"})).await.refused("1005");
    // What is not sent stays.
    let same = admin.put("/role", update(&admin, id, json!({"sort": 7})).await).await.ok();
    assert_eq!((&same["menuIds"], &same["sort"]), (&row["menuIds"], &json!(7)));
    assert_eq!(latest_change(&app, id).await, ["sort: 0 → 7"]);
}

on_both!(of_two_changes_of_a_role_at_once_one_is_made);
async fn of_two_changes_of_a_role_at_once_one_is_made(app: TestApp) {
    let (admin, id) = (app.sign_in("admin").await, app.role("guest").await);
    let (one, other) = (update(&admin, id, json!({"name": "One"})).await, update(&admin, id, json!({"name": "Other"})).await);
    let (one, other) = tokio::join!(admin.put("/role", one), admin.put("/role", other));
    let mut codes = [one.code(), other.code()];
    codes.sort();
    assert_eq!(codes, ["0000", "1005"]);
    assert_eq!(app.trail("role", id).await.len(), 1);
}

on_both!(a_data_scope_has_to_fit_who_has_the_role);
async fn a_data_scope_has_to_fit_who_has_the_role(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (code, scope) in [("org_sales", "all"), ("org_manager", "own"), ("channel_manager", "org"), ("org_manager", "sub_org")] {
        let id = app.role(code).await;
        admin.put("/role", update(&admin, id, json!({"dataScope": scope})).await).await.wrong("dataScope");
    }
    let id = app.role("org_sales").await;
    admin.put("/role", update(&admin, id, json!({"dataScope": "org"})).await).await.ok();
}

on_both!(a_first_page_that_is_gone_is_none);
async fn a_first_page_that_is_gone_is_none(app: TestApp) {
    let (admin, id) = (app.sign_in("admin").await, app.role("channel_manager").await);
    admin.put("/role", update(&admin, id, json!({"defaultRoute": "channelList"})).await).await.ok();
    let row = admin.put("/role/menu", json!({"id": id, "version": 2, "menuIds": []})).await.ok();
    assert_eq!((&row["defaultRoute"], &row["menuIds"]), (&json!(null), &json!([])));
    // A form that still names it is refused.
    admin.put("/role", update(&admin, id, json!({"defaultRoute": "channelList"})).await).await.wrong("defaultRoute");
}

on_both!(a_role_that_is_switched_off_ends_its_sessions);
async fn a_role_that_is_switched_off_ends_its_sessions(app: TestApp) {
    let (admin, manager, auditor) = (app.sign_in("admin").await, app.sign_in("channel.manager").await, app.sign_in("auditor").await);
    let id = app.role("channel_manager").await;
    let set = async |version: i64, status: &str| admin.put("/role/status", json!({"id": id, "version": version, "status": status})).await;
    assert_eq!(set(1, "disabled").await.ok()["status"], "disabled");
    manager.get("/admin/me").await.refused("2000");
    auditor.get("/admin/me").await.ok();
    let refusal = set(2, "disabled").await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "角色已停用");
    set(2, "enabled").await.ok();
    // What has ended stays ended.
    manager.get("/admin/me").await.refused("2000");
    app.sign_in("channel.manager").await.get("/admin/me").await.ok();
    assert_eq!(latest_change(&app, id).await, ["status: disabled → enabled"]);
    set(3, "asleep").await.refused("4000");
}

on_both!(a_role_that_somebody_has_is_not_deleted);
async fn a_role_that_somebody_has_is_not_deleted(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let id = app.role("org_sales").await;
    let refusal = admin.delete(&format!("/role/{id}")).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "角色正被 3 个账号使用：north.sales1、north.sales2、south.sales1");
    app.execute("UPDATE administrator SET deleted_at = 1 WHERE username LIKE '%sales%'").await;
    admin.delete(&format!("/role/{id}")).await.ok();
    admin.get(&format!("/role/{id}")).await.refused("1004");
    admin.delete(&format!("/role/{id}")).await.refused("1004");
    assert!(!admin.get("/role/options").await.ok().to_string().contains("机构销售"));
    assert_eq!(app.trail("role", id).await[0].action, Action::Delete);
    // Its code stays its own.
    admin.post("/role", form(&app, "org_sales").await).await.refused("1005");
}
