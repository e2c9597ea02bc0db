//! `/menu/tree` and what is done with it.

use admin::menu;
use serde_json::{Value, json};

use testing::admin::menu_editor::{node, update};
use testing::{Actor, TestApp, on_both};

fn link() -> Value {
    json!({"titleZh": "帮助", "titleEn": "Help", "icon": "info", "sort": 8, "externalUrl": "https://help.example/", "everyone": true})
}

// S6.03
on_both!(what_is_switched_off_is_nobodys_and_stays_so);
async fn what_is_switched_off_is_nobodys_and_stays_so(app: TestApp) {
    let (admin, manager) = (app.sign_in("admin").await, app.sign_in("channel.manager").await);
    manager.post("/channel/page", json!({})).await.ok();
    let grants = app.count("SELECT COUNT(*) FROM role_menu").await;
    admin.put("/menu", update(&admin, "channel/list/export", json!({"enabled": false})).await).await.ok();
    manager.post("/channel/page/export", json!({"format": "csv"})).await.refused("1003");
    manager.post("/channel/page", json!({})).await.ok();
    // A group takes all below it along, from the built-in administrator too.
    admin.put("/menu", update(&admin, "channel", json!({"enabled": false})).await).await.ok();
    for who in [&manager, &admin] {
        who.post("/channel/page", json!({})).await.refused("1003");
        assert!(!who.get("/menu/listByToken").await.ok().to_string().contains("\"/channel"));
    }
    // A start brings the route table in again: what staff decided stays.
    menu::seed(&app.app.db, app.now()).await.unwrap();
    app.execute("UPDATE role SET version = version + 1").await;
    manager.post("/channel/page", json!({})).await.refused("1003");
    assert_eq!(node(&admin, "channel").await["enabled"], false);
    admin.put("/menu", update(&admin, "channel", json!({"enabled": true})).await).await.ok();
    manager.post("/channel/page", json!({})).await.ok();
    manager.post("/channel/page/export", json!({"format": "csv"})).await.refused("1003");
    assert_eq!(app.count("SELECT COUNT(*) FROM role_menu").await, grants, "no grant was lost");
}

on_both!(a_point_that_is_switched_off_still_makes_a_role_wide);
async fn a_point_that_is_switched_off_still_makes_a_role_wide(app: TestApp) {
    // The one point that operators do not hold.
    let operator = app.sign_in("operator").await;
    operator.put("/menu", update(&operator, "admin/list/reveal", json!({"enabled": false})).await).await.ok();
    let north = app.organisation("north").await;
    for (role, org) in [("admin", None), ("org_manager", Some(north))] {
        let form = json!({"username": "new.person", "realName": "New Person", "roleIds": [app.role(role).await], "orgId": org});
        assert_eq!(operator.post("/admin", form).await.wrong("roleIds"), "不能授予该角色");
    }
    let manager = operator.get(&format!("/admin/{}", app.account("north.manager").await)).await.ok();
    let answer = operator.put("/admin/resetPwd", json!({"id": manager["id"], "version": manager["version"]})).await;
    answer.refused("1006");
    assert_eq!(answer.desc(), "该账号的权限超出您的权限");
}

on_both!(the_editor_does_not_lock_itself_out);
async fn the_editor_does_not_lock_itself_out(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for name in ["admin", "adminMenu", "admin/menu/list", "admin/menu/update"] {
        for fields in [json!({"enabled": false}), json!({"hidden": true})] {
            admin.put("/menu", update(&admin, name, fields).await).await.refused("1006");
        }
    }
    let kept = admin.delete(&format!("/menu/{}", node(&admin, "channelList").await["id"])).await;
    kept.refused("1006");
    assert_eq!(kept.desc(), "系统自带的菜单和权限不能删除，可以停用");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
}

on_both!(links_are_made_granted_and_deleted);
async fn links_are_made_granted_and_deleted(app: TestApp) {
    let (admin, nobody) = (app.sign_in("admin").await, app.sign_in("nobody").await);
    let sees = async |who: &Actor| who.get("/menu/listByToken").await.ok().to_string().contains("https://help.example/");
    let made = admin.post("/menu", link()).await.ok();
    assert!(sees(&nobody).await && sees(&admin).await);
    // Of those that are granted it, once it is not everybody's.
    let name = made["name"].as_str().unwrap().to_owned();
    admin.put("/menu", update(&admin, &name, json!({"everyone": false})).await).await.ok();
    assert!(!sees(&nobody).await && sees(&admin).await);
    let guest = app.role("guest").await;
    let version = admin.get(&format!("/role/{guest}")).await.ok()["version"].clone();
    admin.put("/role/menu", json!({"id": guest, "version": version, "menuIds": [made["id"]]})).await.ok();
    assert!(sees(&nobody).await);
    menu::seed(&app.app.db, app.now()).await.unwrap();
    app.execute("UPDATE role SET version = version + 1").await;
    assert!(sees(&nobody).await, "a start leaves staff's own links");

    admin.put("/menu", update(&admin, &name, json!({"externalUrl": "https://other.example/"})).await).await.ok();
    assert!(!sees(&nobody).await);
    admin.delete(&format!("/menu/{}", made["id"])).await.ok();
    assert!(!nobody.get("/menu/listByToken").await.ok().to_string().contains("other.example"));
    admin.delete(&format!("/menu/{}", made["id"])).await.refused("1004");
    // A page of ours does not become a link.
    let page = update(&admin, "channelList", json!({"externalUrl": "https://evil.example/", "everyone": true})).await;
    let same = admin.put("/menu", page).await.ok();
    assert_eq!((&same["externalUrl"], &same["everyone"]), (&Value::Null, &json!(false)));
}

on_both!(wrong_fields_of_a_node_are_named);
async fn wrong_fields_of_a_node_are_named(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (field, value) in [
        ("titleZh", json!(" ")),
        ("titleEn", json!("x".repeat(65))),
        ("sort", json!(100)),
        ("sort", json!(-1)),
        ("icon", json!("<svg>")),
        ("externalUrl", json!("")),
        ("externalUrl", json!("javascript:alert(1)")),
        ("externalUrl", json!("//evil.example")),
    ] {
        let mut form = link();
        form[field] = value;
        admin.post("/menu", form).await.wrong(field);
    }
    for nonsense in [json!({"parentId": 1}), json!({"everyone": "yes"}), json!({"sort": "1.5"})] {
        let mut form = link();
        form.as_object_mut().unwrap().extend(nonsense.as_object().unwrap().clone());
        admin.post("/menu", form).await.refused("4000");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM menu_node WHERE custom = 1").await, 0);
}

on_both!(the_menu_is_the_platforms);
async fn the_menu_is_the_platforms(app: TestApp) {
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code IN ('org_manager', 'channel_manager') AND m.name LIKE 'admin/menu/%'",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let admin = app.sign_in("admin").await;
    let change = update(&admin, "channelList", json!({"titleZh": "x"})).await;
    for username in ["north.manager", "channel.manager"] {
        let who = app.sign_in(username).await;
        assert_eq!(who.get("/menu/tree").await.ok(), json!([]));
        who.put("/menu", change.clone()).await.refused("1004");
        who.get(&format!("/menu/history/{}", change["id"])).await.refused("1004");
        who.delete(&format!("/menu/{}", change["id"])).await.refused("1004");
        who.post("/menu", link()).await.refused("1003");
    }
    app.sign_in("auditor").await.put("/menu", change).await.refused("1003");
}
