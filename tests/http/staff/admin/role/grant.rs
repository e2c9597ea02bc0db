//! An account cannot grant, or get by a role, rights that it does not hold.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sqlx::Row;

use super::{form, nodes, update};
use testing::{Actor, TestApp, on_both};

// S6.03 S6.01
on_both!(staff_cannot_grant_what_they_do_not_hold);
async fn staff_cannot_grant_what_they_do_not_hold(app: TestApp) {
    // The operator holds all but one point.
    let operator = app.sign_in("operator").await;
    let (reveal, list) = (nodes(&app, &["admin/list/reveal"]).await[0], nodes(&app, &["admin/list/list"]).await[0]);
    let guest = app.role("guest").await;
    let refusal = operator.put("/role/menu", json!({"id": guest, "version": 1, "menuIds": [list, reveal]})).await;
    assert_eq!(refusal.wrong("menuIds"), "不能授予您自己没有的权限");
    operator.put("/role", update(&operator, guest, json!({"menuIds": [reveal]})).await).await.wrong("menuIds");
    let mut wide = form(&app, "wide").await;
    wide["menuIds"] = json!([reveal]);
    operator.post("/role", wide).await.wrong("menuIds");
    // A role that holds it is wider than the operator's own: they can neither change nor copy it.
    let manager = app.role("org_manager").await;
    for answer in [
        operator.put("/role", update(&operator, manager, json!({"name": "x"})).await).await,
        operator.put("/role/menu", json!({"id": manager, "version": 1, "menuIds": [list]})).await,
        operator.put("/role/status", json!({"id": manager, "version": 1, "status": "disabled"})).await,
        operator.delete(&format!("/role/{manager}")).await,
    ] {
        answer.refused("1006");
        assert_eq!(answer.desc(), "该角色的权限超出您的权限");
    }
    let mut copy = form(&app, "copied").await;
    copy.as_object_mut().unwrap().remove("menuIds");
    copy["copyOf"] = json!(manager);
    operator.post("/role", copy).await.wrong("menuIds");
    // The operator may give what they hold.
    operator.put("/role/menu", json!({"id": guest, "version": 1, "menuIds": [list]})).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 1);
}

on_both!(the_builtin_role_and_ones_own_stay_as_they_are);
async fn the_builtin_role_and_ones_own_stay_as_they_are(app: TestApp) {
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    for (who, role, reason) in
        [(&admin, "admin", "内置角色不能修改"), (&operator, "admin", "内置角色不能修改"), (&operator, "operator", "不能修改自己拥有的角色")]
    {
        let id = app.role(role).await;
        for answer in [
            who.put("/role", update(who, id, json!({"name": "x"})).await).await,
            who.put("/role/menu", json!({"id": id, "version": 1, "menuIds": []})).await,
            who.put("/role/status", json!({"id": id, "version": 1, "status": "disabled"})).await,
            who.delete(&format!("/role/{id}")).await,
        ] {
            answer.refused("1006");
            assert_eq!(answer.desc(), reason);
        }
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log").await, 0);
}

on_both!(making_a_role_is_not_filling_it);
async fn making_a_role_is_not_filling_it(app: TestApp) {
    app.execute("DELETE FROM role_menu WHERE menu_id = (SELECT id FROM menu_node WHERE name = 'admin/role-list/grant')").await;
    app.execute("UPDATE role SET version = version + 1").await;
    let operator = app.sign_in("operator").await;
    let mut empty = form(&app, "empty").await;
    operator.post("/role", empty.clone()).await.refused("1003");
    empty.as_object_mut().unwrap().remove("menuIds");
    let made = operator.post("/role", empty.clone()).await.ok();
    assert_eq!(made["menuIds"], json!([]));
    empty["copyOf"] = json!(app.role("guest").await);
    empty["code"] = json!("copied");
    operator.post("/role", empty).await.refused("1003");
    let id = made["id"].as_i64().unwrap();
    operator.put("/role", update(&operator, id, json!({"menuIds": []})).await).await.refused("1003");
    operator.put("/role", update(&operator, id, json!({"name": "Renamed"})).await).await.ok();
}

/// A role as the database has it.
struct Known {
    id: i64,
    code: String,
    scope: String,
    points: BTreeSet<String>,
}

async fn known(app: &TestApp) -> Vec<Known> {
    let rows = sqlx::query("SELECT id, code, data_scope FROM role ORDER BY id").fetch_all(app.app.db.read()).await.unwrap();
    let mut roles = Vec::new();
    for row in rows {
        let (id, code): (i64, String) = (row.get("id"), row.get("code"));
        let points: Vec<String> = match code.as_str() {
            "admin" => sqlx::query_scalar("SELECT path FROM menu_node WHERE type = 'point'").fetch_all(app.app.db.read()).await.unwrap(),
            _ => sqlx::query_scalar(
                "SELECT m.path FROM menu_node m JOIN role_menu rm ON rm.menu_id = m.id WHERE rm.role_id = $1 AND m.type = 'point'",
            )
            .bind(id)
            .fetch_all(app.app.db.read())
            .await
            .unwrap(),
        };
        roles.push(Known { id, code, scope: row.get("data_scope"), points: points.into_iter().collect() });
    }
    roles
}

/// The scopes that are no wider than one.
fn no_wider(scope: &str) -> &'static [&'static str] {
    match scope {
        "all" => &["all", "own", "org", "sub_org", "self"],
        "own" => &["own", "self"],
        "org" => &["org", "sub_org", "self"],
        "sub_org" => &["sub_org", "self"],
        _ => &["self"],
    }
}

async fn succeeds(who: &Actor, method: &str, path: &str, body: Value) -> bool {
    let answer = who.call(method.parse().unwrap(), path, Some(&body)).await;
    let code = answer.code();
    assert!(["0000", "1001", "1003", "1004", "1005", "1006"].contains(&code.as_str()), "{method} {path} was answered {code}");
    code == "0000"
}

const PEOPLE: &[&str] = &[
    "admin",
    "operator",
    "auditor",
    "channel.manager",
    "channel.second",
    "nobody",
    "north.manager",
    "north.lead",
    "north.sales1",
    "north.sales2",
    "south.manager",
    "south.sales1",
];

// S5.03 S6.01 S6.03: every account, every role, every call that could give an account more rights.
on_both!(no_account_reaches_or_gives_what_it_does_not_hold);
async fn no_account_reaches_or_gives_what_it_does_not_hold(app: TestApp) {
    // Everybody may try: the points of both screens are everybody's, but for one.
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE m.name <> 'admin/list/reveal' \
         AND (m.name LIKE 'admin/role-list/%' OR m.name LIKE 'admin/list/%' OR m.name IN ('admin', 'adminList', 'adminRoleList')) \
         ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let roles = known(&app).await;
    let everything: Vec<i64> = sqlx::query_scalar("SELECT id FROM menu_node").fetch_all(app.app.db.read()).await.unwrap();
    let all_points = &roles.iter().find(|role| role.code == "admin").unwrap().points;
    let mut given = 0;
    for username in PEOPLE {
        let who = app.sign_in(username).await;
        let me = who.get("/admin/me").await.ok();
        let mine = roles.iter().find(|role| role.code == me["role"].as_str().unwrap()).unwrap();
        let platform = me["orgId"].is_null() && me["scope"] == "all";
        for role in &roles {
            let id = role.id;
            let version: i64 =
                sqlx::query_scalar("SELECT version FROM role WHERE id = $1").bind(id).fetch_one(app.app.db.read()).await.unwrap();
            let within = role.points.is_subset(&mine.points) && no_wider(me["scope"].as_str().unwrap()).contains(&role.scope.as_str());
            let changes = platform && within && role.code != "admin" && role.id != mine.id;
            let told = format!("{username} and the role {}", role.code);

            // Seeing: outside the platform, no role that is wider than one's own.
            for path in ["/role", "/role/menu", "/role/holders", "/role/history"] {
                let seen = who.get(&format!("{path}/{id}")).await.code() == "0000";
                assert_eq!(seen, platform || within, "{told}: {path}");
            }
            // Granting: only an account that holds everything can make a role hold everything.
            let all = json!({"id": id, "version": version, "menuIds": everything});
            let holds_all = mine.points == *all_points;
            assert!(!succeeds(&who, "PUT", "/role/menu", all).await || (holds_all && changes), "{told}: all of the menu");
            let form = json!({"id": id, "version": version, "name": "x", "nameEn": "x", "dataScope": "all", "defaultRoute": null, "sort": 1, "menuIds": everything});
            assert!(!succeeds(&who, "PUT", "/role", form).await || (holds_all && changes), "{told}: a form with all of the menu");
            // Switching: to no role but one's own.
            assert_eq!(succeeds(&who, "PUT", "/admin/role", json!({"roleId": id})).await, role.id == mine.id, "{told}: switching");
            // Giving to a new account: no role that is wider than one's own.
            let account = json!({
                "username": format!("{username}.{}", role.code.replace('_', "-")).chars().take(32).collect::<String>(), "realName": "New",
                "phone": null, "email": null, "orgId": null, "subOrgId": null, "roleIds": [id]
            });
            if succeeds(&who, "POST", "/admin", account).await {
                assert!(within, "{told}: an account with it was made");
                given += 1;
            }
            if holds_all && changes {
                // Put back what the administrator may do and did.
                put_back(&app, role).await;
            }
        }
        // Making: no new role with a single point that one does not hold.
        for point in all_points.difference(&mine.points) {
            let mut form = form(&app, "made").await;
            form["menuIds"] = json!(nodes(&app, &[point.as_str()]).await);
            assert!(!succeeds(&who, "POST", "/role", form).await, "{username} made a role with {point}");
        }
    }
    assert!(given > 5, "some of it is allowed: {given}");
    assert_eq!(app.count("SELECT COUNT(*) FROM role WHERE code = 'made'").await, 0);
}

async fn put_back(app: &TestApp, role: &Known) {
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query("DELETE FROM role_menu WHERE role_id = $1").bind(role.id).execute(&mut *tx).await.unwrap();
    for point in &role.points {
        sqlx::query(
            "INSERT INTO role_menu (role_id, menu_id) SELECT $1, m.id FROM menu_node m LEFT JOIN menu_node s ON s.parent_id = m.id \
             LEFT JOIN menu_node p ON p.parent_id = s.id WHERE m.name = $2 OR s.name = $2 OR p.name = $2 ON CONFLICT DO NOTHING",
        )
        .bind(role.id)
        .bind(point)
        .execute(&mut *tx)
        .await
        .unwrap();
    }
    sqlx::query("UPDATE role SET data_scope = $1, version = version + 1 WHERE id = $2")
        .bind(&role.scope)
        .bind(role.id)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}
