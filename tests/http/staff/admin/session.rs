//! `POST /session/page` and `DELETE /session/{id}`.

use base::clock::{HOUR, MINUTE};
use frame::access::audit::Action;
use serde_json::{Value, json};

use testing::world::PASSWORD;
use testing::{Actor, TestApp, on_both};

async fn names(who: &Actor, query: Value) -> Vec<String> {
    let page = who.post("/session/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["username"].as_str().unwrap().to_owned()).collect()
}

async fn id_of(who: &Actor, username: &str) -> i64 {
    who.post("/session/page", json!({"keyword": username})).await.ok()["list"][0]["id"].as_i64().unwrap()
}

on_both!(who_is_signed_in_is_listed_with_where_from);
async fn who_is_signed_in_is_listed_with_where_from(app: TestApp) {
    let admin = app.sign_in("admin").await;
    app.advance(MINUTE);
    let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
    let login = json!({"username": "north.sales1", "password": PASSWORD});
    app.stranger().from([10, 1, 2, 3]).with("user-agent", agent).post("/admin/login", login).await.ok();
    let page = admin.in_english().post("/session/page", json!({"sort": "createdAt"})).await.ok();
    let row = &page["list"][0];
    for (field, value) in [
        ("username", json!("north.sales1")),
        ("realName", json!("north north.sales1")),
        ("roleName", json!("Salesperson")),
        ("orgName", json!("北辰")),
        ("ip", json!("10.1.2.3")),
        ("browser", json!("Firefox 128")),
        ("os", json!("Linux")),
        ("current", json!(false)),
    ] {
        assert_eq!(row[field], value, "{field}");
    }
    assert_eq!((&page["total"], &page["list"][1]["current"]), (&json!(2), &json!(true)));

    for (query, expected) in [
        (json!({"ip": "10.1"}), vec!["north.sales1"]),
        (json!({"roleId": app.role("admin").await.to_string()}), vec!["admin"]),
        (json!({"orgId": app.organisation("north").await}), vec!["north.sales1"]),
        (json!({"keyword": "platform"}), vec!["admin"]),
        (json!({"ip": "%"}), vec![]),
    ] {
        assert_eq!(names(&admin, query.clone()).await, expected, "{query}");
    }
    admin.post("/session/page", json!({"sort": "ip"})).await.refused("4000");

    // Neither a session that has ended nor one that nothing opens any more is in it.
    let auditor = app.sign_in("auditor").await;
    auditor.post("/admin/logout", json!({})).await.ok();
    app.sign_in("nobody").await;
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'nobody'").await;
    assert_eq!(names(&admin, json!({"sort": "createdAt"})).await, ["north.sales1", "admin"]);
    app.advance(13 * HOUR);
    assert_eq!(names(&app.sign_in("operator").await, json!({})).await, ["operator"]);
}

on_both!(an_organisation_sees_its_own_peoples_sessions);
async fn an_organisation_sees_its_own_peoples_sessions(app: TestApp) {
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code = 'org_manager' \
         AND m.name LIKE 'admin/session/%'",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.sales1").await);
    let sales = app.sign_in("north.sales1").await;
    let mut seen = names(&north, json!({})).await;
    seen.sort();
    assert_eq!(seen, ["north.manager", "north.sales1"]);
    let foreign = id_of(&app.sign_in("admin").await, "south.sales1").await;
    north.delete(&format!("/session/{foreign}")).await.refused("1004");
    south.get("/admin/me").await.ok();
    north.delete(&format!("/session/{}", id_of(&north, "north.sales1").await)).await.ok();
    sales.get("/admin/me").await.refused("2000");
}

on_both!(a_session_is_ended_at_once_and_told);
async fn a_session_is_ended_at_once_and_told(app: TestApp) {
    let (admin, sales, other) = (app.sign_in("admin").await, app.sign_in("north.sales1").await, app.sign_in("north.sales1").await);
    let id = id_of(&admin, "north.sales1").await;
    admin.delete(&format!("/session/{id}")).await.ok();
    // The later one comes first in the list.
    other.get("/admin/me").await.refused("2000");
    sales.get("/admin/me").await.ok();
    admin.delete(&format!("/session/{id}")).await.refused("1004");
    let trail = app.trail("administrator", app.account("north.sales1").await).await;
    assert_eq!((trail.len(), trail[0].action, trail[0].diff[0].before.as_deref()), (1, Action::ForceOut, Some("127.0.0.1")));
    assert_eq!(app.text("SELECT module FROM operation_log").await, "session");

    let own = admin.delete(&format!("/session/{}", id_of(&admin, "admin").await)).await;
    own.refused("1006");
    assert_eq!(own.desc(), "这是当前会话，请退出登录");
    admin.get("/admin/me").await.ok();
    app.sign_in("auditor").await.delete(&format!("/session/{}", id_of(&admin, "admin").await)).await.refused("1003");
    admin.delete("/session/x").await.refused("4000");
}

/// S-L11: any holder of the point could sign out the built-in administrator, and whoever may do more.
mod a_lesser_role_signs_nobody_out {
    use super::*;

    on_both!(who_may_do_more);
    async fn who_may_do_more(app: TestApp) {
        testing::feedback::grant(&app, "auditor", "admin/session/revoke").await;
        let (auditor, admin, operator) = (app.sign_in("auditor").await, app.sign_in("admin").await, app.sign_in("operator").await);
        for (name, who) in [("admin", &admin), ("operator", &operator)] {
            let id = id_of(&auditor, name).await;
            auditor.delete(&format!("/session/{id}")).await.refused("1006");
            who.get("/admin/me").await.ok();
        }
        operator.delete(&format!("/session/{}", id_of(&operator, "admin").await)).await.refused("1006");
        // Those who may do less, and oneself elsewhere, may be.
        let (nobody, elsewhere) = (app.sign_in("nobody").await, app.sign_in("auditor").await);
        auditor.delete(&format!("/session/{}", id_of(&auditor, "nobody").await)).await.ok();
        nobody.get("/admin/me").await.refused("2000");
        let own = auditor.post("/session/page", json!({"keyword": "auditor"})).await.ok();
        let other = own["list"].as_array().unwrap().iter().find(|row| row["current"] == false).unwrap()["id"].clone();
        auditor.delete(&format!("/session/{other}")).await.ok();
        elsewhere.get("/admin/me").await.refused("2000");
    }
}
