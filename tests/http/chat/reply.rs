//! `/chat/reply`: automatic and quick replies.

use serde_json::{Value, json};

use super::group::{last_told, listed, status};
use testing::org::with;
use testing::{TestApp, on_both};

/// A form that is accepted, with changes.
fn form(changes: Value) -> Value {
    with(json!({"kind": "keyword", "keyword": "利率", "matchMode": "exact", "content": "以审批为准", "sort": 1}), changes)
}

async fn group(app: &TestApp, name: &str) -> Value {
    app.sign_in("operator").await.post("/chat/group", json!({"name": name, "assignMode": "manual"})).await.ok()
}

on_both!(a_reply_is_made_changed_and_deleted);
async fn a_reply_is_made_changed_and_deleted(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let group = group(&app, "贷前咨询").await;
    let made = operator.post("/chat/reply", form(json!({"keyword": " 利率 "}))).await.ok();
    assert_eq!(
        (&made["name"], &made["kind"], &made["matchMode"], &made["groupId"], &made["groupName"], &made["useCount"], &made["status"]),
        (&json!("利率"), &json!("keyword"), &json!("exact"), &Value::Null, &Value::Null, &json!(0), &json!("enabled"))
    );
    assert_eq!(last_told(&app, "chat_reply", &made).await, ["kind", "keyword", "matchMode", "content", "sort", "status"]);
    let body = json!({"id": made["id"], "version": 1, "kind": "quick", "shortcut": "fee", "groupId": group["id"], "content": "以审批为准", "sort": 1});
    let changed = operator.put("/chat/reply", body.clone()).await.ok();
    assert_eq!(
        (&changed["name"], &changed["keyword"], &changed["matchMode"], &changed["groupName"], &changed["version"]),
        (&json!("/fee"), &json!(""), &json!("contains"), &json!("贷前咨询"), &json!(2))
    );
    assert_eq!(operator.put("/chat/reply", body).await.refused("1005")["current"]["shortcut"], "fee");
    assert_eq!(last_told(&app, "chat_reply", &made).await, ["kind", "groupName", "keyword", "matchMode", "shortcut"]);

    let disabled = operator.put("/chat/reply/status", status(&changed, "disabled")).await.ok();
    assert_eq!((&disabled["status"], &disabled["version"]), (&json!("disabled"), &json!(3)));
    operator.put("/chat/reply/status", status(&disabled, "disabled")).await.refused("1006");
    operator.put("/chat/reply/status", status(&disabled, "enabled")).await.ok();
    let history = operator.get(&format!("/chat/reply/history/{}", made["id"])).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 4);
    operator.delete(&format!("/chat/reply/{}", made["id"])).await.ok();
    operator.get(&format!("/chat/reply/{}", made["id"])).await.refused("1004");
    operator.delete(&format!("/chat/reply/{}", made["id"])).await.refused("1004");
}

on_both!(wrong_fields_of_a_reply_are_named);
async fn wrong_fields_of_a_reply_are_named(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for (changes, field) in [
        (json!({"keyword": ""}), "keyword"),
        (json!({"keyword": "长".repeat(33)}), "keyword"),
        (json!({"kind": "welcome"}), "keyword"),
        (json!({"shortcut": "fee"}), "shortcut"),
        (json!({"kind": "quick", "keyword": ""}), "shortcut"),
        (json!({"kind": "quick", "keyword": "", "shortcut": "a b"}), "shortcut"),
        (json!({"kind": "quick", "keyword": "", "shortcut": "a/b"}), "shortcut"),
        (json!({"content": " "}), "content"),
        (json!({"content": "长".repeat(1001)}), "content"),
        (json!({"sort": 10_000}), "sort"),
        (json!({"groupId": 999_999}), "groupId"),
    ] {
        operator.post("/chat/reply", form(changes)).await.wrong(field);
    }
    operator.post("/chat/reply", form(json!({"id": 1}))).await.refused("4000");
    operator.put("/chat/reply", form(json!({}))).await.refused("4000");
    // A group that was disabled since stays, and is not chosen again.
    let group = group(&app, "贷前咨询").await;
    let made = operator.post("/chat/reply", form(json!({"groupId": group["id"]}))).await.ok();
    operator.put("/chat/group/status", status(&group, "disabled")).await.ok();
    operator.put("/chat/reply", form(json!({"id": made["id"], "version": 1, "groupId": group["id"], "sort": 2}))).await.ok();
    operator.post("/chat/reply", form(json!({"groupId": group["id"], "keyword": "额度"}))).await.wrong("groupId");
}

on_both!(one_reply_for_each_use);
async fn one_reply_for_each_use(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let (first, second) = (group(&app, "贷前咨询").await, group(&app, "售后服务").await);
    let welcome = |group: &Value| json!({"kind": "welcome", "groupId": group, "content": "您好"});
    let quick = |group: &Value| json!({"kind": "quick", "groupId": group, "shortcut": "fee", "content": "您好"});
    for group in [&Value::Null, &first["id"], &second["id"]] {
        operator.post("/chat/reply", form(json!({"groupId": group}))).await.ok();
        operator.post("/chat/reply", welcome(group)).await.ok();
        operator.post("/chat/reply", quick(group)).await.ok();
    }
    let english = operator.in_english();
    let id = &first["id"];
    assert_eq!(operator.post("/chat/reply", form(json!({}))).await.wrong("keyword"), "“全部分组”已有关键词“利率”的回复");
    assert_eq!(
        english.post("/chat/reply", form(json!({"groupId": id, "matchMode": "contains"}))).await.wrong("keyword"),
        "This group already has a reply to the keyword “利率”"
    );
    assert_eq!(operator.post("/chat/reply", welcome(id)).await.wrong("kind"), "该分组已有欢迎语");
    assert_eq!(
        english.post("/chat/reply", welcome(&Value::Null)).await.wrong("kind"),
        "“All groups” already has a reply of the kind “Welcome”"
    );
    assert_eq!(operator.post("/chat/reply", quick(id)).await.wrong("shortcut"), "该分组已有快捷码“fee”");
    assert_eq!(english.post("/chat/reply", quick(&Value::Null)).await.wrong("shortcut"), "“All groups” already has the shortcut “fee”");
    // So it is with a change.
    let other = operator.post("/chat/reply", with(quick(id), json!({"shortcut": "fee2"}))).await.ok();
    let body = with(quick(id), json!({"id": other["id"], "version": 1}));
    operator.put("/chat/reply", body.clone()).await.wrong("shortcut");
    // What was deleted makes room.
    app.execute("UPDATE chat_reply SET deleted_at = 1 WHERE kind = 'quick' AND shortcut = 'fee'").await;
    operator.put("/chat/reply", body).await.ok();
}

on_both!(replies_are_found_sorted_and_exported);
async fn replies_are_found_sorted_and_exported(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let group = group(&app, "贷前咨询").await;
    operator.post("/chat/reply", form(json!({"sort": 3}))).await.ok();
    operator
        .post("/chat/reply", json!({"kind": "quick", "shortcut": "Fee", "content": "费用说明", "sort": 1, "groupId": group["id"]}))
        .await
        .ok();
    operator
        .post("/chat/reply", json!({"kind": "off_hours", "content": "已下班，请留言，我们上班后会尽快回复您的消息", "sort": 2}))
        .await
        .ok();
    app.execute("UPDATE chat_reply SET use_count = 5 WHERE kind = 'off_hours'").await;
    let names = async |filters: Value| listed(&operator, "/chat/reply/page", "name", filters).await;
    let off = "已下班，请留言，我们上班后会尽快回复您的…";
    assert_eq!(names(json!({})).await, ["/Fee", off, "利率"]);
    assert_eq!(names(json!({"sort": "useCount"})).await[0], off);
    assert_eq!(names(json!({"sort": "createdAt", "order": "asc"})).await, ["利率", "/Fee", off]);
    assert_eq!(names(json!({"keyword": "fe"})).await, ["/Fee"]);
    assert_eq!(names(json!({"keyword": "费用"})).await, ["/Fee"]);
    assert_eq!(names(json!({"keyword": "利"})).await, ["利率"]);
    assert_eq!(names(json!({"keyword": "无此说明"})).await, [] as [&str; 0]);
    assert_eq!(names(json!({"kind": "keyword"})).await, ["利率"]);
    assert_eq!(names(json!({"groupId": group["id"]})).await, ["/Fee"]);
    assert_eq!(names(json!({"status": "disabled"})).await, [] as [&str; 0]);
    let file = operator.in_english().export("/chat/reply/page/export", json!({"format": "csv"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.lines().next().unwrap().contains("Content,Kind,Group,Keyword,Match,Shortcut,Uses"), "{text}");
    assert!(text.contains("以审批为准,Keyword,All groups,利率,Exact,,0"), "{text}");
    assert!(text.contains("费用说明,Quick reply,贷前咨询,,,Fee,0"), "{text}");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE module = 'chatReply' AND action = 'export'").await, 2);
}

on_both!(each_call_of_replies_needs_its_point);
async fn each_call_of_replies_needs_its_point(app: TestApp) {
    let reply = app.sign_in("operator").await.post("/chat/reply", form(json!({}))).await.ok();
    let path = format!("/chat/reply/{}", reply["id"]);
    let change = form(json!({"id": reply["id"], "version": 1}));
    let auditor = app.sign_in("auditor").await;
    auditor.get(&path).await.ok();
    auditor.post("/chat/reply", form(json!({"keyword": "额度"}))).await.refused("1003");
    auditor.put("/chat/reply", change.clone()).await.refused("1003");
    auditor.put("/chat/reply/status", status(&reply, "disabled")).await.refused("1003");
    auditor.delete(&path).await.refused("1003");
    auditor.export("/chat/reply/page/export", json!({"format": "csv"})).await.refused("1003");
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('org_manager', 'channel_manager') \
         ON CONFLICT DO NOTHING",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    for username in ["north.manager", "channel.manager"] {
        let other = app.sign_in(username).await;
        assert_eq!(listed(&other, "/chat/reply/page", "name", json!({})).await, [] as [&str; 0], "{username}");
        other.get(&path).await.refused("1004");
        other.get(&format!("/chat/reply/history/{}", reply["id"])).await.refused("1004");
        other.post("/chat/reply", form(json!({"keyword": "额度"}))).await.refused("1003");
        other.put("/chat/reply", change.clone()).await.refused("1004");
        other.put("/chat/reply/status", status(&reply, "disabled")).await.refused("1004");
        other.delete(&path).await.refused("1004");
    }
}
