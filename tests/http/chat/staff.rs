//! `/chat/manage`: service staff.

use serde_json::{Value, json};

use super::group::{conversation, last_told, listed, status};
use testing::org::with;
use testing::{TestApp, on_both};

/// A group; its row.
async fn group(app: &TestApp, name: &str) -> Value {
    app.sign_in("operator").await.post("/chat/group", json!({"name": name, "assignMode": "round_robin"})).await.ok()
}

/// A form that is accepted, with changes.
async fn form(app: &TestApp, username: &str, groups: &[&Value], changes: Value) -> Value {
    let ids: Vec<&Value> = groups.iter().map(|group| &group["id"]).collect();
    with(json!({"adminId": app.account(username).await, "nickname": username, "groupIds": ids}), changes)
}

on_both!(a_member_of_the_staff_is_made_changed_and_deleted);
async fn a_member_of_the_staff_is_made_changed_and_deleted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (second, first) = (group(&app, "售后服务").await, group(&app, "贷前咨询").await);
    let made =
        operator.post("/chat/manage", form(&app, "auditor", &[&first, &second, &first], json!({"nickname": " 小何 "})).await).await.ok();
    assert_eq!(
        (&made["nickname"], &made["username"], &made["adminName"], &made["maxOpen"], &made["autoAccept"], &made["status"]),
        (&json!("小何"), &json!("auditor"), &json!("platform auditor"), &json!(10), &json!(true), &json!("enabled"))
    );
    assert_eq!((&made["groupNames"], &made["open"], &made["lastSeenAt"]), (&json!(["售后服务", "贷前咨询"]), &json!(0), &Value::Null));
    let id = &made["id"];

    let body = json!({"id": id, "version": 1, "nickname": "小何", "groupIds": [first["id"]], "maxOpen": 3, "autoAccept": false});
    let changed = operator.put("/chat/manage", body.clone()).await.ok();
    assert_eq!(
        (&changed["groupIds"], &changed["maxOpen"], &changed["autoAccept"], &changed["version"]),
        (&json!([first["id"]]), &json!(3), &json!(false), &json!(2))
    );
    assert_eq!(operator.put("/chat/manage", body.clone()).await.refused("1005")["current"]["groupNames"], json!(["贷前咨询"]));
    assert_eq!(last_told(&app, "chat_staff", &made).await, ["groupNames", "maxOpen", "autoAccept"]);
    let other = with(body, json!({"version": 2, "adminId": app.account("nobody").await}));
    operator.put("/chat/manage", other).await.wrong("adminId");

    let disabled = operator.put("/chat/manage/status", status(&changed, "disabled")).await.ok();
    assert_eq!(disabled["status"], "disabled");
    operator.put("/chat/manage/status", status(&disabled, "disabled")).await.refused("1006");
    assert_eq!(operator.get("/chat/manage/options").await.ok(), json!([]));
    assert_eq!(operator.get("/chat/manage/options?all=true").await.ok(), json!([{"value": id, "label": "小何 (platform auditor)"}]));
    operator.put("/chat/manage/status", status(&disabled, "enabled")).await.ok();
    assert_eq!(operator.get(&format!("/chat/manage/options?groupId={}", first["id"])).await.ok()[0]["value"], *id);
    assert_eq!(operator.get(&format!("/chat/manage/options?groupId={}", second["id"])).await.ok(), json!([]));

    operator.delete(&format!("/chat/manage/{id}")).await.ok();
    operator.get(&format!("/chat/manage/{id}")).await.refused("1004");
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_staff_group").await, 0);
    // The account may become staff again.
    operator.post("/chat/manage", form(&app, "auditor", &[&first], json!({})).await).await.ok();
    assert_eq!(app.trail("chat_staff", id.as_i64().unwrap()).await.len(), 5);
}

on_both!(wrong_fields_of_staff_are_named);
async fn wrong_fields_of_staff_are_named(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (first, second) = (group(&app, "贷前咨询").await, group(&app, "售后服务").await);
    for (changes, field) in [
        (json!({"nickname": ""}), "nickname"),
        (json!({"nickname": "长".repeat(21)}), "nickname"),
        (json!({"groupIds": []}), "groupIds"),
        (json!({"groupIds": [999_999]}), "groupIds"),
        (json!({"groupIds": (1..=21).collect::<Vec<i64>>()}), "groupIds"),
        (json!({"maxOpen": 0}), "maxOpen"),
        (json!({"maxOpen": 201}), "maxOpen"),
        (json!({"adminId": null}), "adminId"),
        (json!({"adminId": 999_999}), "adminId"),
        (json!({"adminId": app.account("north.manager").await}), "adminId"),
    ] {
        operator.post("/chat/manage", form(&app, "auditor", &[&first], changes).await).await.wrong(field);
    }
    operator.post("/chat/manage", form(&app, "auditor", &[&first], json!({"id": 1})).await).await.refused("4000");
    operator.put("/chat/manage", form(&app, "auditor", &[&first], json!({})).await).await.refused("4000");
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'nobody'").await;
    operator.post("/chat/manage", form(&app, "nobody", &[&first], json!({})).await).await.wrong("adminId");

    // One record for each account.
    let made = operator.post("/chat/manage", form(&app, "auditor", &[&first], json!({})).await).await.ok();
    let again = operator.in_english().post("/chat/manage", form(&app, "auditor", &[&first], json!({})).await).await;
    assert_eq!(again.wrong("adminId"), "This account is already an agent");
    // A group that was disabled since stays, and no further one is chosen.
    operator.put("/chat/group/status", status(&first, "disabled")).await.ok();
    operator.put("/chat/group/status", status(&second, "disabled")).await.ok();
    let body = json!({"id": made["id"], "version": 1, "nickname": "小何", "groupIds": [first["id"]]});
    operator.put("/chat/manage", body.clone()).await.ok();
    operator.put("/chat/manage", with(body, json!({"version": 2, "groupIds": [first["id"], second["id"]]}))).await.wrong("groupIds");
}

on_both!(whoever_has_conversations_is_not_disabled);
async fn whoever_has_conversations_is_not_disabled(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let group = group(&app, "贷前咨询").await;
    let staff = operator.post("/chat/manage", form(&app, "auditor", &[&group], json!({})).await).await.ok();
    for status in ["open", "open", "snoozed", "resolved"] {
        conversation(&app, &group, Some(&staff), status).await;
    }
    let path = format!("/chat/manage/{}", staff["id"]);
    assert_eq!(operator.get(&path).await.ok()["open"], 2);
    let refusal = operator.in_english().put("/chat/manage/status", status(&staff, "disabled")).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "This agent still has 3 open or snoozed conversations and cannot be disabled. Transfer or close them first");
    let refusal = operator.delete(&path).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "该客服还有 3 个进行中或已挂起的会话，不能删除。请先转接或结束这些会话");
    app.execute("UPDATE chat_conversation SET status = 'resolved'").await;
    operator.put("/chat/manage/status", status(&staff, "disabled")).await.ok();
    operator.delete(&path).await.ok();
}

on_both!(presence_is_lost_with_the_last_sight);
async fn presence_is_lost_with_the_last_sight(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let group = group(&app, "贷前咨询").await;
    for username in ["auditor", "nobody", "channel.second"] {
        operator.post("/chat/manage", form(&app, username, &[&group], json!({})).await).await.ok();
    }
    let mut tx = app.app.db.begin().await.unwrap();
    for (nickname, presence, seen) in [("auditor", "online", 30_000), ("nobody", "busy", 30_000), ("channel.second", "online", 90_000)] {
        sqlx::query("UPDATE chat_staff SET presence = $1, last_seen_at = $2 WHERE nickname = $3")
            .bind(presence)
            .bind(app.now() - seen)
            .bind(nickname)
            .execute(&mut *tx)
            .await
            .unwrap();
    }
    tx.commit().await.unwrap();
    let list = operator.post("/chat/manage/page", json!({"sort": "nickname", "order": "asc"})).await.ok();
    let presences: Vec<&str> = list["list"].as_array().unwrap().iter().map(|row| row["presence"].as_str().unwrap()).collect();
    assert_eq!(presences, ["online", "offline", "busy"]);
    assert!(!list.to_string().contains("chosen"));
    for (presence, expected) in [("online", "auditor"), ("busy", "nobody"), ("offline", "channel.second")] {
        assert_eq!(listed(&operator, "/chat/manage/page", "nickname", json!({"presence": presence})).await, [expected]);
    }
    // The account goes; the record stays, and its presence is lost.
    app.execute("UPDATE administrator SET deleted_at = 1, status = 'disabled' WHERE username = 'auditor'").await;
    app.advance(60_000);
    assert_eq!(listed(&operator, "/chat/manage/page", "presence", json!({"keyword": "AUD"})).await, ["offline"]);
    assert_eq!(listed(&operator, "/chat/manage/page", "nickname", json!({"keyword": "platform nobody"})).await, ["nobody"]);
    let id = group["id"].as_i64().unwrap();
    assert_eq!(listed(&operator, "/chat/manage/page", "nickname", json!({"groupId": id.to_string()})).await.len(), 3);
    assert_eq!(listed(&operator, "/chat/manage/page", "nickname", json!({"groupId": id + 1})).await.len(), 0);
    let file = operator.export("/chat/manage/page/export", json!({"format": "csv", "sort": "nickname", "order": "asc"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.lines().next().unwrap().contains("昵称,账号姓名,用户名,分组,在线状态"), "{text}");
    assert!(text.contains("nobody,platform nobody,nobody,贷前咨询,离线"), "{text}");
}

on_both!(only_free_accounts_of_the_platform_may_become_staff);
async fn only_free_accounts_of_the_platform_may_become_staff(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let group = group(&app, "贷前咨询").await;
    operator.post("/chat/manage", form(&app, "auditor", &[&group], json!({})).await).await.ok();
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'nobody'").await;
    let labels = async |path: &str| {
        let options = operator.get(path).await.ok();
        options.as_array().unwrap().iter().map(|option| option["label"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(
        labels("/chat/manage/accounts").await,
        [
            "platform admin (admin)",
            "platform channel.manager (channel.manager)",
            "platform channel.second (channel.second)",
            "platform operator (operator)"
        ]
    );
    assert_eq!(labels("/chat/manage/accounts?keyword=oper").await, ["platform operator (operator)"]);
}

on_both!(each_call_of_staff_needs_its_point);
async fn each_call_of_staff_needs_its_point(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let group = group(&app, "贷前咨询").await;
    let staff = operator.post("/chat/manage", form(&app, "auditor", &[&group], json!({})).await).await.ok();
    let path = format!("/chat/manage/{}", staff["id"]);
    let change = json!({"id": staff["id"], "version": 1, "nickname": "x", "groupIds": [group["id"]]});
    let auditor = app.sign_in("auditor").await;
    auditor.get(&path).await.ok();
    auditor.get("/chat/manage/accounts").await.refused("1003");
    auditor.post("/chat/manage", form(&app, "nobody", &[&group], json!({})).await).await.refused("1003");
    auditor.put("/chat/manage", change.clone()).await.refused("1003");
    auditor.put("/chat/manage/status", status(&staff, "disabled")).await.refused("1003");
    auditor.delete(&path).await.refused("1003");
    auditor.export("/chat/manage/page/export", json!({"format": "csv"})).await.refused("1003");
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('org_manager', 'channel_manager') \
         ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    for username in ["north.manager", "channel.manager"] {
        let other = app.sign_in(username).await;
        assert_eq!(listed(&other, "/chat/manage/page", "nickname", json!({})).await, [] as [&str; 0], "{username}");
        assert_eq!(other.get("/chat/manage/options?all=true").await.ok(), json!([]));
        assert_eq!(other.get("/chat/manage/accounts").await.ok(), json!([]));
        other.get(&path).await.refused("1004");
        other.get(&format!("/chat/manage/history/{}", staff["id"])).await.refused("1004");
        other.post("/chat/manage", form(&app, "nobody", &[&group], json!({})).await).await.refused("1003");
        other.put("/chat/manage", change.clone()).await.refused("1004");
        other.put("/chat/manage/status", status(&staff, "disabled")).await.refused("1004");
        other.delete(&path).await.refused("1004");
    }
}
