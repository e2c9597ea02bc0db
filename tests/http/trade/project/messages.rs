//! Messages about a project, in message box and workplace.

use serde_json::{Value, json};

use testing::project::{approve, file, seen, send_back, with};
use testing::{Actor, TestApp, on_both};

/// Title and link of the messages of an account, of a kind, newest first.
async fn messages_of(who: &Actor, kind: &str) -> Vec<(String, String)> {
    let answer = who.post("/message/page", json!({"type": kind})).await.ok();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    answer["list"].as_array().unwrap().iter().map(|row| (text(&row["title"]), text(&row["link"]))).collect()
}

fn entry(title: &str, link: String) -> Vec<(String, String)> {
    vec![(title.to_owned(), link)]
}

on_both!(a_project_waits_for_those_who_may_decide);
async fn a_project_waits_for_those_who_may_decide(app: TestApp) {
    let (operator, admin, auditor) = (app.sign_in("operator").await, app.sign_in("admin").await, app.sign_in("auditor").await);
    let id = file(&operator, json!({"name": "星芒"})).await;
    let waits = entry("项目待处理：星芒", format!("/project/profile?id={id}"));
    assert_eq!(messages_of(&admin, "todo").await, waits);
    assert_eq!(messages_of(&operator, "todo").await, [], "no one decides on a project of their own");
    assert_eq!(messages_of(&auditor, "todo").await, [], "who may only look has nothing to do");
    assert_eq!(admin.get("/workplace").await.ok()["todos"][0]["title"], "项目待处理：星芒");

    // Each step is one thing to do, and the applicant hears of it.
    let row = approve(&admin, &seen(&admin, id).await).await;
    assert_eq!(messages_of(&admin, "todo").await, waits);
    assert_eq!(messages_of(&operator, "message").await, entry("项目进入下一步：星芒", format!("/project/profile?id={id}")));

    let row = send_back(&admin, &row).await;
    assert_eq!(messages_of(&admin, "todo").await, []);
    assert_eq!(messages_of(&operator, "todo").await, entry("项目被退回：星芒", format!("/result/error?id={id}")));

    let again = with(testing::project::form(), json!({"id": id, "version": row["version"], "name": "星芒"}));
    let mut row = operator.put("/project", again).await.ok();
    assert_eq!((messages_of(&operator, "todo").await, messages_of(&admin, "todo").await), (vec![], waits));
    for _ in 0..4 {
        app.advance(1000);
        row = approve(&admin, &row).await;
    }
    assert_eq!(messages_of(&admin, "todo").await, []);
    assert_eq!(messages_of(&operator, "message").await[0].0, "项目已上线：星芒");
}

on_both!(what_is_withdrawn_waits_for_nobody);
async fn what_is_withdrawn_waits_for_nobody(app: TestApp) {
    let (operator, admin) = (app.sign_in("operator").await, app.sign_in("admin").await);
    let id = file(&operator, json!({})).await;
    let row = seen(&operator, id).await;
    operator.put("/project/withdraw", json!({"id": id, "version": row["version"]})).await.ok();
    assert_eq!(messages_of(&admin, "todo").await, []);
}

on_both!(a_role_that_sees_only_its_own_is_not_asked);
async fn a_role_that_sees_only_its_own_is_not_asked(app: TestApp) {
    app.execute("INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('channel_manager', 'auditor') AND m.name = 'project/list/audit'").await;
    app.execute("UPDATE role SET version = version + 1").await;
    file(&app.sign_in("operator").await, json!({"name": "星芒"})).await;
    assert_eq!(messages_of(&app.sign_in("channel.manager").await, "todo").await, []);
    assert_eq!(messages_of(&app.sign_in("auditor").await, "todo").await.len(), 1);
}
