//! `POST /admin/page`, its file, and the choices of `GET /admin/options` and `GET /role/options`.

use serde_json::{Value, json};

use testing::world::{BEGINNING, PHONE};
use testing::{Actor, TestApp, on_both};

/// The user names of the list, in its order.
async fn names(who: &Actor, mut query: Value) -> Vec<String> {
    if query["sort"].is_null() {
        query["sort"] = json!("username");
        query["order"] = json!("asc");
    }
    let page = who.post("/admin/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["username"].as_str().unwrap().to_owned()).collect()
}

fn labels(options: &Value) -> Vec<&str> {
    options.as_array().unwrap().iter().map(|option| option["label"].as_str().unwrap()).collect()
}

on_both!(each_viewer_sees_their_part_of_the_list);
async fn each_viewer_sees_their_part_of_the_list(app: TestApp) {
    assert_eq!(names(&app.sign_in("auditor").await, json!({})).await.len(), 12);
    let north = ["north.lead", "north.manager", "north.sales1", "north.sales2"];
    assert_eq!(names(&app.sign_in("north.manager").await, json!({})).await, north);
    assert_eq!(names(&app.sign_in("north.lead").await, json!({})).await, ["north.lead", "north.sales1", "north.sales2"]);
    assert_eq!(names(&app.sign_in("north.sales1").await, json!({})).await, ["north.sales1"]);
    assert_eq!(names(&app.sign_in("south.manager").await, json!({})).await, ["south.manager", "south.sales1"]);
    app.sign_in("channel.manager").await.post("/admin/page", json!({})).await.refused("1003");
}

// No filter reaches past the scope.
on_both!(filters_narrow_within_the_scope);
async fn filters_narrow_within_the_scope(app: TestApp) {
    let north = app.sign_in("north.manager").await;
    let south = app.organisation("south").await;
    for query in [
        json!({"keyword": "south"}),
        json!({"orgId": south}),
        json!({"roleId": app.role("operator").await}),
        json!({"keyword": "13700000001"}),
        json!({"keyword": "' OR 1=1 --"}),
    ] {
        assert!(names(&north, query.clone()).await.is_empty(), "{query}");
    }
}

on_both!(filters_find_what_they_say);
async fn filters_find_what_they_say(app: TestApp) {
    let auditor = app.sign_in("auditor").await;
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'north.sales2'").await;
    app.execute("UPDATE administrator SET real_name = '100% 张三_' WHERE username = 'south.sales1'").await;
    let (sales, south) = (app.role("org_sales").await, app.organisation("south").await);
    for (query, expected) in [
        (json!({"keyword": "NORTH.s"}), vec!["north.sales1", "north.sales2"]),
        (json!({"keyword": " south South.m "}), vec!["south.manager"]),
        (json!({"keyword": "100% 张"}), vec!["south.sales1"]),
        (json!({"keyword": "%"}), vec!["south.sales1"]),
        (json!({"keyword": "张三"}), vec!["south.sales1"]),
        (json!({"keyword": "１００％　张"}), vec!["south.sales1"]),
        (json!({"keyword": "n_rth"}), vec![]),
        (json!({"keyword": PHONE}), vec!["north.sales1"]),
        (json!({"keyword": "1380000000"}), vec![]),
        (json!({"status": "disabled"}), vec!["north.sales2"]),
        (json!({"status": "locked"}), vec![]),
        (json!({"roleId": sales, "status": "enabled"}), vec!["north.sales1", "south.sales1"]),
        (json!({"roleId": sales.to_string(), "orgId": south.to_string(), "keyword": ""}), vec!["south.sales1"]),
        (json!({"createdFrom": "2026-01-02"}), vec![]),
        (json!({"createdTo": "2025-12-31"}), vec![]),
        (json!({"createdFrom": "2026-01-01", "createdTo": "2026-01-01", "roleId": sales, "orgId": south}), vec!["south.sales1"]),
    ] {
        assert_eq!(names(&auditor, query.clone()).await, expected, "{query}");
    }
    assert_eq!(auditor.post("/admin/page", json!({"status": "enabled"})).await.ok()["total"], 11);
}

on_both!(pages_follow_one_another_in_every_order);
async fn pages_follow_one_another_in_every_order(app: TestApp) {
    let auditor = app.sign_in("auditor").await;
    for (at, name) in [(BEGINNING + 3, "operator"), (BEGINNING + 1, "south.sales1")] {
        let mut tx = app.app.db.begin().await.unwrap();
        sqlx::query("UPDATE administrator SET last_login_at = $1 WHERE username = $2").bind(at).bind(name).execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
    }
    for sort in ["createdAt", "username", "realName", "status", "lastLoginAt"] {
        for order in ["asc", "desc"] {
            let whole = names(&auditor, json!({"sort": sort, "order": order})).await;
            let mut pieces = Vec::new();
            for current in 1..=3 {
                let page =
                    auditor.post("/admin/page", json!({"sort": sort, "order": order, "current": current, "pageSize": "5"})).await.ok();
                assert_eq!((&page["total"], &page["totalIsExact"], &page["pageSize"]), (&json!(12), &json!(true), &json!(5)));
                pieces.extend(page["list"].as_array().unwrap().iter().map(|row| row["username"].as_str().unwrap().to_owned()));
            }
            assert_eq!(pieces, whole, "{sort} {order}");
        }
    }
    // Who never signed in is the oldest, on both engines.
    assert_eq!(names(&auditor, json!({"sort": "lastLoginAt", "order": "desc"})).await[..2], ["operator", "south.sales1"]);
    assert_eq!(names(&auditor, json!({"sort": "lastLoginAt", "order": "asc"})).await[11], "operator");
}

on_both!(rows_hold_masks_and_names_in_the_viewers_language);
async fn rows_hold_masks_and_names_in_the_viewers_language(app: TestApp) {
    let auditor = app.sign_in("auditor").await;
    let row = auditor.post("/admin/page", json!({"keyword": "north.sales1"})).await.ok()["list"][0].clone();
    let expected = json!({
        "id": app.account("north.sales1").await, "username": "north.sales1", "realName": "north north.sales1", "phoneMask": "138****0001",
        "email": null, "orgId": app.organisation("north").await, "orgName": "北辰", "subOrgId": app.team("First team").await,
        "subOrgName": "First team", "status": "enabled", "roles": [{"id": app.role("org_sales").await, "name": "机构销售"}],
        "mustChangePwd": false, "secondFactor": false, "lastLoginAt": null, "lastLoginIp": null, "builtin": false, "version": 1, "createdAt": BEGINNING,
        "updatedAt": BEGINNING
    });
    assert_eq!(row, expected);
    let english = auditor.in_english().post("/admin/page", json!({"keyword": "north.sales1"})).await.ok()["list"][0].clone();
    assert_eq!(english["roles"][0]["name"], "Salesperson");
    assert_eq!(auditor.post("/admin/page", json!({"keyword": "admin"})).await.ok()["list"][0]["builtin"], true);
}

on_both!(choices_are_the_viewers_enabled_colleagues);
async fn choices_are_the_viewers_enabled_colleagues(app: TestApp) {
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'channel.second'").await;
    let operator = app.sign_in("operator").await;
    let all = operator.get("/admin/options").await.ok();
    let platform = ["admin", "auditor", "channel.manager", "nobody", "operator"].map(|name| format!("platform {name} ({name})"));
    assert_eq!(labels(&all), platform);
    assert_eq!(labels(&operator.get("/admin/options?keyword=Chan").await.ok()), ["platform channel.manager (channel.manager)"]);
    assert_eq!(
        labels(&app.sign_in("channel.manager").await.get("/admin/options").await.ok()),
        ["platform channel.manager (channel.manager)"]
    );
    assert_eq!(app.sign_in("north.manager").await.get("/admin/options").await.ok().as_array().unwrap().len(), 4);
}

on_both!(roles_to_choose_from_are_within_the_viewers_own_rights);
async fn roles_to_choose_from_are_within_the_viewers_own_rights(app: TestApp) {
    let choices = async |username: &str| {
        let options = app.sign_in(username).await.in_english().get("/role/options").await.ok();
        labels(&options).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = ["Administrator", "Operator", "Auditor", "Channel manager", "Guest", "Organisation manager", "Team lead", "Salesperson"];
    assert_eq!(choices("admin").await, all);
    // The operator lacks admin/list/reveal, which the built-in role and the organisations' managers hold.
    assert_eq!(choices("operator").await, ["Operator", "Auditor", "Channel manager", "Guest", "Team lead", "Salesperson"]);
    assert_eq!(choices("auditor").await, ["Auditor", "Guest"]);
    assert_eq!(choices("north.manager").await, ["Guest", "Organisation manager", "Team lead", "Salesperson"]);
    assert_eq!(choices("north.lead").await, ["Guest", "Team lead", "Salesperson"]);
    assert_eq!(choices("north.sales1").await, ["Guest", "Salesperson"]);
    app.sign_in("channel.manager").await.get("/role/options").await.refused("1003");
    app.execute("UPDATE role SET status = 'disabled' WHERE code = 'guest'").await;
    assert_eq!(choices("north.sales1").await, ["Salesperson"]);
    assert_eq!(labels(&app.sign_in("admin").await.in_english().get("/role/options?keyword=team").await.ok()), ["Team lead"]);
}

on_both!(the_list_streams_as_a_file);
async fn the_list_streams_as_a_file(app: TestApp) {
    app.execute("UPDATE administrator SET real_name = '=1+1' WHERE username = 'north.sales2'").await;
    let north = app.sign_in("north.manager").await;
    let query =
        json!({"format": "csv", "sort": "username", "order": "asc", "columns": ["username", "realName", "phoneMask", "roles", "status"]});
    let answer = north.export("/admin/page/export", query).await;
    assert_eq!((answer.status.as_u16(), answer.header("x-total-rows")), (200, Some("4")));
    let expected = "\u{feff}用户名,姓名,手机号,角色,状态\r\n\
         north.lead,north north.lead,,团队主管,启用\r\n\
         north.manager,north north.manager,138****0000,机构经理,启用\r\n\
         north.sales1,north north.sales1,138****0001,机构销售,启用\r\n\
         north.sales2,'=1+1,,机构销售,启用\r\n";
    assert_eq!(String::from_utf8_lossy(&answer.body), expected);
    let whole = north.in_english().export("/admin/page/export", json!({"format": "csv", "keyword": "north.manager"})).await;
    let expected = "\u{feff}Username,Name,Status,Roles,Organisation,Team,Mobile,Email,Must change password,Two-step verification,Last login,Login IP,Created,Updated\r\n\
         north.manager,north north.manager,Enabled,Organisation manager,北辰,,138****0000,,No,No,,,2026-01-01 00:00:00,2026-01-01 00:00:00\r\n";
    assert_eq!(String::from_utf8_lossy(&whole.body), expected);
    let workbook = north.export("/admin/page/export", json!({"format": "xlsx"})).await;
    assert!(workbook.body.starts_with(b"PK"));

    north.export("/admin/page/export", json!({"format": "exe"})).await.refused("4000");
    north.export("/admin/page/export", json!({"format": "csv", "columns": ["passwordHash"]})).await.refused("4000");
    app.sign_in("north.sales1").await.export("/admin/page/export", json!({"format": "csv"})).await.refused("1003");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'export' AND target_type = 'administrator'").await, 6);
}

on_both!(nonsense_in_a_list_is_malformed);
async fn nonsense_in_a_list_is_malformed(app: TestApp) {
    let auditor = app.sign_in("auditor").await;
    for query in [
        json!({"status": "asleep"}),
        json!({"roleId": "1 OR 1=1"}),
        json!({"orgId": [1, 2]}),
        json!({"createdFrom": "2026-02-30"}),
        json!({"sort": "password_hash"}),
        json!({"pageSize": "many"}),
        json!({"current": "first"}),
        json!({"keyword": {"$ne": null}}),
        json!({"keyword": "a\0b"}),
    ] {
        auditor.post("/admin/page", query).await.refused("4000");
    }
    auditor.post("/admin/page", json!({"keyword": "x".repeat(100_000)})).await.refused("4000");
}
