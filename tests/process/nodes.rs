//! Two processes on one PostgreSQL: what one decides, the other keeps with its next request.

use serde_json::{Value, json};

use super::support::{Client, Engine, House, Node, PASSWORD, run};

#[test]
fn both_start_at_once_on_an_empty_database() {
    run(Engine::Postgres, |house| {
        let nodes = [house.start(&[]), house.start(&[]), house.start(&[])].map(|starting| starting.listening());
        for node in &nodes {
            assert_eq!(node.stranger().get("/readyz").status, 200);
            assert_eq!(node.log(), "", "nothing went wrong on the way");
        }
        assert!(house.count("SELECT COUNT(*) FROM menu_node WHERE status = 'enabled'") > 0);
    });
}

/// Runs a test on two nodes of the demo.
fn on_two(test: impl FnOnce(&House, &Node, &Node)) {
    run(Engine::Postgres, |house| {
        house.demo();
        let (here, there) = (house.serve(), house.serve());
        test(&house, &here, &there);
    });
}

#[track_caller]
fn is_signed_in(client: &Client) {
    client.get("/api/admin/me").ok();
    assert_eq!(client.get("/channel/list").status, 200);
}

/// The very next request of either kind finds nobody. S2.19
#[track_caller]
fn is_signed_out(client: &Client) {
    assert_eq!(client.get("/channel/list?current=2").redirect(), "/login?redirect=channelList&current=2");
    client.get("/api/admin/me").refused("2000");
}

/// An account as an editor has it before him.
fn row(admin: &Client, house: &House, username: &str) -> Value {
    admin.get(&format!("/api/admin/{}", house.account(username))).ok()
}

#[test]
fn signing_out_on_one_ends_the_session_on_both() {
    on_two(|_, here, there| {
        let (operator, other_session) = (here.sign_in("operator"), here.sign_in("operator"));
        is_signed_in(&operator.at(there));
        operator.post("/api/admin/logout", &json!({})).ok();
        is_signed_out(&operator.at(there));
        is_signed_out(&operator);
        is_signed_in(&other_session.at(there));
    });
}

#[test]
fn a_disabled_account_is_out_on_both() {
    on_two(|house, here, there| {
        let (admin, operator) = (here.sign_in("admin"), there.sign_in("operator"));
        is_signed_in(&operator);
        let version = row(&admin, house, "operator")["version"].clone();
        admin.put("/api/admin/status", &json!({"id": house.account("operator"), "version": version, "status": "disabled"})).ok();
        is_signed_out(&operator);
        there.stranger().post("/api/admin/login", &json!({"username": "operator", "password": PASSWORD})).refused("1002");
    });
}

#[test]
fn a_role_change_ends_the_session_on_both() {
    on_two(|house, here, there| {
        let (admin, operator) = (here.sign_in("admin"), there.sign_in("operator"));
        is_signed_in(&operator);
        let row = row(&admin, house, "operator");
        let change = json!({
            "id": row["id"], "version": row["version"], "realName": row["realName"], "phone": null, "email": row["email"],
            "orgId": null, "subOrgId": null, "roleIds": [house.role("finance")],
        });
        admin.put("/api/admin", &change).ok();
        is_signed_out(&operator);
        let again = there.sign_in("operator");
        assert_eq!(again.get("/api/admin/me").ok()["role"], "finance");
    });
}

#[test]
fn a_new_password_ends_the_other_sessions_on_both() {
    on_two(|house, here, there| {
        let (admin, operator, forgotten) = (here.sign_in("admin"), here.sign_in("operator"), there.sign_in("operator"));
        operator.put("/api/admin/password", &json!({"old": PASSWORD, "new": "Green-Kettle-8"})).ok();
        is_signed_out(&forgotten);
        is_signed_in(&operator.at(there));

        let version = row(&admin, house, "operator")["version"].clone();
        admin.put("/api/admin/resetPwd", &json!({"id": house.account("operator"), "version": version})).ok();
        is_signed_out(&operator.at(there));
    });
}

// S6.03
#[test]
fn a_roles_points_count_on_both_with_the_next_request() {
    on_two(|house, here, there| {
        let operator = here.sign_in("operator");
        let role = house.role("operator");
        let both = [operator.clone(), operator.at(there)];
        let may_create = |client: &Client| {
            let page = client.get("/channel/list").body;
            let called = client.post("/api/channel", &json!({})).code();
            (page.contains("channel/list/create"), page.contains("New channel"), called.as_deref() != Some("1003"))
        };
        for client in &both {
            assert_eq!(may_create(client), (true, true, true));
        }
        let point = "SELECT id FROM menu_node WHERE name = 'channel/list/create'";
        let newer = format!("UPDATE role SET version = version + 1 WHERE id = {role}");
        house.execute(&format!("DELETE FROM role_menu WHERE role_id = {role} AND menu_id IN ({point}); {newer}"));
        for client in &both {
            assert_eq!(may_create(client), (false, false, false));
        }
        house.execute(&format!("INSERT INTO role_menu (role_id, menu_id) SELECT {role}, id FROM ({point}) AS point; {newer}"));
        for client in &both {
            assert_eq!(may_create(client), (true, true, true));
        }
        // A whole screen: gone from the menu, and no page of this viewer's any more. S2.21
        let screens = "SELECT id FROM menu_node WHERE name = 'channelList' OR name LIKE 'channel/list/%'";
        house.execute(&format!("DELETE FROM role_menu WHERE role_id = {role} AND menu_id IN ({screens}); {newer}"));
        for client in &both {
            assert_eq!(client.get("/channel/list").status, 404);
            assert!(!client.get("/api/menu/listByToken").body.contains("channelList"));
        }
    });
}

// S6.03: the same by the calls of the role list, of the menu editor too.
#[test]
fn what_is_decided_about_a_role_counts_on_both_with_the_next_request() {
    on_two(|house, here, there| {
        let (admin, operator) = (here.sign_in("admin"), there.sign_in("operator"));
        is_signed_in(&operator);
        let both = [operator.clone(), operator.at(here)];
        let screen = house.count("SELECT id FROM menu_node WHERE name = 'adminList'");
        let tree = admin.get("/api/menu/tree").ok();
        let mut screens = tree.as_array().unwrap().iter().flat_map(|group| group["children"].as_array().into_iter().flatten());
        let entry = screens.find(|entry| entry["id"] == screen).expect("the list of administrators");
        let off = json!({
            "id": screen, "version": entry["version"], "titleZh": entry["titleZh"], "titleEn": entry["titleEn"], "icon": null,
            "sort": entry["sort"], "hidden": false, "enabled": false,
        });
        for client in &both {
            assert_eq!(client.get("/admin/list").status, 200);
        }
        admin.put("/api/menu", &off).ok();
        for client in &both {
            assert_eq!(client.get("/admin/list").status, 404);
            client.post("/api/admin/page", &json!({})).refused("1003");
        }

        let role = admin.get(&format!("/api/role/{}", house.role("operator"))).ok();
        let kept = house.count("SELECT id FROM menu_node WHERE name = 'channel/list/view'");
        let role = admin.put("/api/role/menu", &json!({"id": role["id"], "version": role["version"], "menuIds": [kept]})).ok();
        for client in &both {
            client.post("/api/channel/page", &json!({})).refused("1003");
            assert!(!client.get("/channel/list").body.contains("channel/list/create"));
        }
        admin.put("/api/role/status", &json!({"id": role["id"], "version": role["version"], "status": "disabled"})).ok();
        for client in &both {
            is_signed_out(client);
        }
        // The account's other role is the one it signs in with now.
        assert_eq!(there.sign_in("operator").get("/api/admin/me").ok()["role"], "auditor");
    });
}

// S6.06
#[test]
fn a_switched_role_and_a_forced_end_count_on_both_with_the_next_request() {
    on_two(|house, here, there| {
        let (admin, operator) = (here.sign_in("admin"), here.sign_in("operator"));
        assert_eq!(operator.at(there).get("/admin/audit").status, 404);
        operator.put("/api/admin/role", &json!({"roleId": house.role("auditor")})).ok();
        assert_eq!(operator.at(there).get("/api/admin/me").ok()["role"], "auditor");
        assert_eq!(operator.at(there).get("/admin/audit").status, 200);

        let sessions = admin.at(there).post("/api/session/page", &json!({"keyword": "operator"})).ok();
        let id = sessions["list"][0]["id"].as_i64().expect("the operator's session");
        admin.send("DELETE", &format!("/api/session/{id}"), "").expect("an answer").ok();
        is_signed_out(&operator.at(there));
        is_signed_out(&operator);
    });
}
