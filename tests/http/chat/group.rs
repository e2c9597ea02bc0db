//! `/chat/group`: groups of service staff.

use serde_json::{Value, json};

use testing::org::with;
use testing::{Actor, TestApp, on_both};

/// A form that is accepted, with changes.
fn form(changes: Value) -> Value {
    with(
        json!({"name": "贷前咨询", "workingHours": {"1": [[540, 1080]]}, "assignMode": "least_busy", "idleMinutes": 30, "sort": 2}),
        changes,
    )
}

/// A conversation of a customer of its own; its id.
pub async fn conversation(app: &TestApp, group: &Value, staff: Option<&Value>, status: &str) -> i64 {
    let mut tx = app.app.db.begin().await.unwrap();
    let customer: i64 = sqlx::query_scalar(
        "INSERT INTO chat_customer (source, nickname, status, created_at, updated_at) VALUES ('web', 'v', 'active', 0, 0) RETURNING id",
    )
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    let id = sqlx::query_scalar(
        "INSERT INTO chat_conversation (customer_id, group_id, staff_id, status, last_message_at, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, 0, 0, 0) RETURNING id",
    )
    .bind(customer)
    .bind(group["id"].as_i64().unwrap())
    .bind(staff.map(|staff| staff["id"].as_i64().unwrap()))
    .bind(status)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    tx.commit().await.unwrap();
    id
}

/// A change of the status of a row.
pub fn status(row: &Value, status: &str) -> Value {
    json!({"id": row["id"], "version": row["version"], "status": status})
}

/// The fields that the last entry of the trail about a row names.
pub async fn last_told(app: &TestApp, kind: &'static str, row: &Value) -> Vec<String> {
    let trail = app.trail(kind, row["id"].as_i64().unwrap()).await;
    trail[0].diff.iter().map(|change| change.field.clone()).collect()
}

/// One field of the rows of a list.
pub async fn listed(who: &Actor, path: &str, field: &str, filters: Value) -> Vec<String> {
    let page = who.post(path, filters).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row[field].as_str().unwrap().to_owned()).collect()
}

on_both!(a_group_is_made_changed_and_deleted);
async fn a_group_is_made_changed_and_deleted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let made = operator.post("/chat/group", form(json!({"name": " 贷前咨询 "}))).await.ok();
    assert_eq!(
        (&made["name"], &made["workingHours"], &made["assignMode"], &made["status"], &made["version"]),
        (&json!("贷前咨询"), &json!({"1": [[540, 1080]]}), &json!("least_busy"), &json!("enabled"), &json!(1))
    );
    assert_eq!((&made["staff"], &made["queued"], &made["open"]), (&json!(0), &json!(0), &json!(0)));
    let key = made["pageKey"].as_str().unwrap();
    assert!(key.len() == 16 && key.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{key}");

    let body = form(json!({"id": made["id"], "version": 1, "workingHours": null, "assignMode": "manual"}));
    let changed = operator.put("/chat/group", body.clone()).await.ok();
    assert_eq!(
        (&changed["workingHours"], &changed["assignMode"], &changed["version"], &changed["pageKey"]),
        (&Value::Null, &json!("manual"), &json!(2), &made["pageKey"])
    );
    assert_eq!(operator.put("/chat/group", body).await.refused("1005")["current"]["version"], 2);
    assert_eq!(last_told(&app, "chat_group", &made).await, ["workingHours", "assignMode"]);
    let history = operator.in_english().get(&format!("/chat/group/history/{}", made["id"])).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 2);
    assert_eq!(history[0]["diff"][0], json!({"field": "workingHours", "before": "Mon 09:00–18:00", "after": null}));

    assert_eq!(changed["frameSites"], json!([]));
    let body = form(
        json!({"id": made["id"], "version": 2, "workingHours": null, "assignMode": "manual", "frameSites": ["https://Shop.example/"]}),
    );
    let changed = operator.put("/chat/group", body).await.ok();
    assert_eq!(changed["frameSites"], json!(["https://shop.example"]));
    assert_eq!(last_told(&app, "chat_group", &made).await, ["frameSites"]);

    let disabled = operator.put("/chat/group/status", status(&changed, "disabled")).await.ok();
    assert_eq!((&disabled["status"], &disabled["version"]), (&json!("disabled"), &json!(4)));
    operator.put("/chat/group/status", status(&changed, "enabled")).await.refused("1005");
    operator.put("/chat/group/status", status(&disabled, "disabled")).await.refused("1006");
    assert_eq!(operator.get("/chat/group/options").await.ok(), json!([]));
    assert_eq!(operator.get("/chat/group/options?all=true&keyword=贷").await.ok(), json!([{"value": made["id"], "label": "贷前咨询"}]));

    operator.delete(&format!("/chat/group/{}", made["id"])).await.ok();
    operator.get(&format!("/chat/group/{}", made["id"])).await.refused("1004");
    operator.delete(&format!("/chat/group/{}", made["id"])).await.refused("1004");
    // The name is free again.
    operator.post("/chat/group", form(json!({}))).await.ok();
    assert_eq!(app.trail("chat_group", made["id"].as_i64().unwrap()).await.len(), 5);
}

on_both!(wrong_fields_of_a_group_are_named);
async fn wrong_fields_of_a_group_are_named(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (changes, field) in [
        (json!({"name": " "}), "name"),
        (json!({"name": "长".repeat(33)}), "name"),
        (json!({"idleMinutes": 10_081}), "idleMinutes"),
        (json!({"replyMinutes": -1}), "replyMinutes"),
        (json!({"resolveMinutes": 10_081}), "resolveMinutes"),
        (json!({"sort": 10_000}), "sort"),
        (json!({"frameSites": ["https://*"]}), "frameSites"),
        (json!({"frameSites": ["https://a.example; script-src *"]}), "frameSites"),
        (json!({"workingHours": {}}), "workingHours"),
        (json!({"workingHours": {"1": [[600, 540]]}}), "workingHours"),
    ] {
        operator.post("/chat/group", form(changes)).await.wrong(field);
    }
    operator.post("/chat/group", form(json!({"id": 1}))).await.refused("4000");
    operator.put("/chat/group", form(json!({}))).await.refused("4000");
    operator.post("/chat/group", form(json!({"assignMode": "random"}))).await.refused("4000");

    let first = operator.post("/chat/group", form(json!({}))).await.ok();
    assert_eq!(operator.in_english().post("/chat/group", form(json!({}))).await.wrong("name"), "A group named “贷前咨询” already exists");
    let second = operator.post("/chat/group", form(json!({"name": "售后服务"}))).await.ok();
    let body = form(json!({"id": second["id"], "version": 1, "name": first["name"]}));
    assert_eq!(operator.put("/chat/group", body).await.wrong("name"), "已有分组“贷前咨询”");
}

on_both!(a_group_in_use_is_not_deleted);
async fn a_group_in_use_is_not_deleted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let group = operator.post("/chat/group", form(json!({}))).await.ok();
    let path = format!("/chat/group/{}", group["id"]);
    let staff = json!({"adminId": app.account("auditor").await, "nickname": "小何", "groupIds": [group["id"]]});
    let staff = operator.post("/chat/manage", staff).await.ok();
    let reply = operator.post("/chat/reply", json!({"kind": "welcome", "groupId": group["id"], "content": "您好"})).await.ok();
    for status in ["queued", "open", "open", "resolved"] {
        conversation(&app, &group, None, status).await;
    }
    let refusal = operator.in_english().delete(&path).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "The group still has 1 staff, 4 conversations, 1 replies and cannot be deleted. Disable it instead");
    operator.delete(&format!("/chat/manage/{}", staff["id"])).await.ok();
    operator.delete(&format!("/chat/reply/{}", reply["id"])).await.ok();
    let refusal = operator.delete(&path).await;
    refusal.refused("1006");
    assert_eq!(refusal.desc(), "分组还有 4 个会话，不能删除。不再使用时请停用");
    operator.put("/chat/group/status", status(&group, "disabled")).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_group WHERE deleted_at IS NULL").await, 1);
}

on_both!(a_group_shows_its_staff_and_conversations);
async fn a_group_shows_its_staff_and_conversations(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let group = operator.post("/chat/group", form(json!({"sort": 2}))).await.ok();
    operator.post("/chat/group", form(json!({"name": "售后服务", "sort": 1, "assignMode": "manual"}))).await.ok();
    let mut rows = Vec::new();
    for account in ["auditor", "nobody", "channel.manager"] {
        let staff = json!({"adminId": app.account(account).await, "nickname": account, "groupIds": [group["id"]]});
        rows.push(operator.post("/chat/manage", staff).await.ok());
    }
    operator.put("/chat/manage/status", status(&rows[2], "disabled")).await.ok();
    for status in ["queued", "open", "open", "snoozed", "resolved"] {
        conversation(&app, &group, None, status).await;
    }
    // One was seen a minute ago, the other longer ago; the disabled one does not count.
    let now = app.now();
    for (row, seen) in rows.iter().zip([now - 60_000, now - 60_001, now]) {
        let mut tx = app.app.db.begin().await.unwrap();
        sqlx::query("UPDATE chat_staff SET presence = 'online', last_seen_at = $1 WHERE id = $2")
            .bind(seen)
            .bind(row["id"].as_i64().unwrap())
            .execute(&mut *tx)
            .await
            .unwrap();
        tx.commit().await.unwrap();
    }
    let file = operator.in_english().export("/chat/group/page/export", json!({"format": "csv", "keyword": "贷前"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.contains("Group,Agents,Queued,Open,Assignment,Closed after (minutes),First answer within (minutes),Closed within (minutes),Status,Visitor page"), "{text}");
    assert!(text.contains("贷前咨询,2,1,2,") && text.lines().count() == 2, "{text}");
    app.sign_in("auditor").await.export("/chat/group/page/export", json!({"format": "csv"})).await.refused("1003");
    let list = operator.post("/chat/group/page", json!({"keyword": "贷前"})).await.ok();
    let row = &list["list"][0];
    assert_eq!((&row["staff"], &row["queued"], &row["open"]), (&json!(2), &json!(1), &json!(2)));
    assert!(row["online"].as_i64().unwrap() <= 1, "{row}");
    app.execute("UPDATE chat_staff SET last_seen_at = last_seen_at + 30000").await;
    assert_eq!(operator.get(&format!("/chat/group/{}", group["id"])).await.ok()["online"], 2);
    app.execute("UPDATE chat_staff SET presence = 'busy'").await;
    assert_eq!(operator.get(&format!("/chat/group/{}", group["id"])).await.ok()["online"], 0);

    assert_eq!(listed(&operator, "/chat/group/page", "name", json!({})).await, ["售后服务", "贷前咨询"]);
    assert_eq!(listed(&operator, "/chat/group/page", "name", json!({"assignMode": "manual"})).await, ["售后服务"]);
    assert_eq!(listed(&operator, "/chat/group/page", "name", json!({"sort": "createdAt", "order": "asc"})).await, ["贷前咨询", "售后服务"]);
    assert_eq!(listed(&operator, "/chat/group/page", "name", json!({"status": "disabled"})).await, [] as [&str; 0]);
}

on_both!(each_call_of_groups_needs_its_point);
async fn each_call_of_groups_needs_its_point(app: TestApp) {
    let group = app.sign_in("operator").await.post("/chat/group", form(json!({}))).await.ok();
    let path = format!("/chat/group/{}", group["id"]);
    // They read, and change nothing.
    let auditor = app.sign_in("auditor").await;
    auditor.get(&path).await.ok();
    auditor.post("/chat/group", form(json!({"name": "另一组"}))).await.refused("1003");
    auditor.put("/chat/group", form(json!({"id": group["id"], "version": 1}))).await.refused("1003");
    auditor.put("/chat/group/status", status(&group, "disabled")).await.refused("1003");
    auditor.delete(&path).await.refused("1003");
    // Organisations, and the platform's people who see only their own records, see no group even with every point.
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('org_manager', 'channel_manager') \
         ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    for username in ["north.manager", "channel.manager"] {
        let other = app.sign_in(username).await;
        assert_eq!(listed(&other, "/chat/group/page", "name", json!({})).await, [] as [&str; 0], "{username}");
        assert_eq!(other.get("/chat/group/options?all=true").await.ok(), json!([]));
        other.get(&path).await.refused("1004");
        other.get(&format!("/chat/group/history/{}", group["id"])).await.refused("1004");
        other.post("/chat/group", form(json!({"name": "另一组"}))).await.refused("1003");
        other.put("/chat/group", form(json!({"id": group["id"], "version": 1}))).await.refused("1004");
        other.put("/chat/group/status", status(&group, "disabled")).await.refused("1004");
        other.delete(&path).await.refused("1004");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_group WHERE version = 1 AND status = 'enabled'").await, 1);
}
