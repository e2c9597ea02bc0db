//! `POST /role/page`, its file, and what a role's detail is made of.

use serde_json::{Value, json};

use testing::{Actor, TestApp, on_both};

async fn codes(who: &Actor, query: Value) -> Vec<String> {
    let page = who.post("/role/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["code"].as_str().unwrap().to_owned()).collect()
}

// S1.10 S2.05
on_both!(roles_are_listed_with_how_many_have_them);
async fn roles_are_listed_with_how_many_have_them(app: TestApp) {
    let admin = app.sign_in("admin").await;
    let page = admin.post("/role/page", json!({"sort": "code", "order": "asc"})).await.ok();
    let rows = page["list"].as_array().unwrap();
    let told: Vec<(&str, i64, bool)> = rows
        .iter()
        .map(|row| (row["code"].as_str().unwrap(), row["accounts"].as_i64().unwrap(), row["editable"].as_bool().unwrap()))
        .collect();
    assert_eq!(
        told,
        [
            ("admin", 1, false),
            ("auditor", 1, true),
            ("channel_manager", 2, true),
            ("guest", 1, true),
            ("operator", 1, true),
            ("org_manager", 2, true),
            ("org_sales", 3, true),
            ("team_lead", 1, true)
        ]
    );
    app.execute("UPDATE administrator SET deleted_at = 1 WHERE username = 'north.sales1'").await;
    let row = admin.get(&format!("/role/{}", app.role("org_sales").await)).await.ok();
    assert_eq!((&row["accounts"], &row["name"], &row["nameEn"]), (&json!(2), &json!("机构销售"), &json!("Salesperson")));
}

on_both!(the_list_is_narrowed_and_sorted);
async fn the_list_is_narrowed_and_sorted(app: TestApp) {
    let admin = app.sign_in("admin").await;
    app.execute("UPDATE role SET status = 'disabled' WHERE code = 'guest'").await;
    app.execute("UPDATE role SET sort = id").await;
    for (query, expected) in [
        (json!({"keyword": "org_", "sort": "code", "order": "asc"}), vec!["org_manager", "org_sales"]),
        (json!({"keyword": "salesp"}), vec!["org_sales"]),
        (json!({"keyword": "渠道"}), vec!["channel_manager"]),
        (json!({"status": "disabled"}), vec!["guest"]),
        (json!({"dataScope": "org"}), vec!["org_manager"]),
        (json!({"dataScope": "self", "sort": "sort", "order": "asc"}), vec!["guest", "org_sales"]),
        (json!({"keyword": "%"}), vec![]),
        (json!({"pageSize": 1, "current": 2, "sort": "sort", "order": "asc"}), vec!["operator"]),
    ] {
        assert_eq!(codes(&admin, query.clone()).await, expected, "{query}");
    }
    for nonsense in [json!({"status": "off"}), json!({"dataScope": "everything"}), json!({"sort": "builtin"}), json!({"pageSize": "many"})]
    {
        admin.post("/role/page", nonsense).await.refused("4000");
    }
}

on_both!(an_organisation_sees_the_roles_that_it_could_give);
async fn an_organisation_sees_the_roles_that_it_could_give(app: TestApp) {
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m \
         WHERE r.code = 'org_manager' AND m.name LIKE 'admin/role-list/%' ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    let north = app.sign_in("north.manager").await;
    let seen = codes(&north, json!({"sort": "code", "order": "asc"})).await;
    assert_eq!(seen, ["guest", "org_manager", "org_sales", "team_lead"]);
    // Its own people are counted and named, nobody else's.
    let sales = app.role("org_sales").await;
    assert_eq!(north.get(&format!("/role/{sales}")).await.ok()["accounts"], 2);
    let holders = north.get(&format!("/role/holders/{sales}")).await.ok();
    let names: Vec<&str> = holders.as_array().unwrap().iter().map(|row| row["username"].as_str().unwrap()).collect();
    assert_eq!(names, ["north.sales1", "north.sales2"]);
    let all = app.sign_in("admin").await.get(&format!("/role/holders/{sales}")).await.ok();
    assert_eq!((all.as_array().unwrap().len(), &all[2]["orgName"]), (3, &json!("南十字")));

    let operator = app.role("operator").await;
    for path in ["", "/history", "/menu", "/holders"] {
        north.get(&format!("/role{path}/{operator}")).await.refused("1004");
    }
    // It changes none, not even one that it sees.
    let (id, version) = (app.role("guest").await, 2);
    for answer in [
        north.put("/role/status", json!({"id": id, "version": version, "status": "disabled"})).await,
        north.put("/role/menu", json!({"id": id, "version": version, "menuIds": []})).await,
        north.put("/role", super::update(&north, id, json!({"name": "x"})).await).await,
        north.post("/role", super::form(&app, "mine").await).await,
        north.delete(&format!("/role/{id}")).await,
    ] {
        answer.refused("1003");
    }
    let page = north.post("/role/page", json!({})).await.ok();
    assert!(page["list"].as_array().unwrap().iter().all(|row| row["editable"] == false));
}

on_both!(a_roles_menu_is_a_tree_in_the_viewers_language);
async fn a_roles_menu_is_a_tree_in_the_viewers_language(app: TestApp) {
    let auditor = app.sign_in("auditor").await;
    let id = app.role("channel_manager").await;
    let tree = auditor.in_english().get(&format!("/role/menu/{id}")).await.ok();
    assert_eq!((&tree[0]["title"], &tree[0]["children"][0]["title"]), (&json!("Channels"), &json!("Channel list")));
    // What can be granted is what one holds, without what everyone has.
    let grantable = app.sign_in("operator").await.get("/role/grantable").await.ok().to_string();
    assert!(grantable.contains("channel/list/list") && !grantable.contains("admin/list/reveal") && !grantable.contains("\"home\""));
    auditor.get("/role/grantable").await.refused("1003");
    auditor.get("/role/99999").await.refused("1004");
    auditor.get("/role/x").await.refused("4000");
}

on_both!(the_list_is_a_file_too);
async fn the_list_is_a_file_too(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    let file = operator.export("/role/page/export", json!({"format": "csv", "sort": "code", "order": "asc"})).await;
    let text = String::from_utf8_lossy(&file.body);
    assert_eq!(text.lines().count(), 9, "{text}");
    assert!(text.contains("org_sales,Salesperson,机构销售,Salesperson,Enabled,Self,3"), "{text}");
    app.sign_in("auditor").await.export("/role/page/export", json!({"format": "csv"})).await.refused("1003");
}
