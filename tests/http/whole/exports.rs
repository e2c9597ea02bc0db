//! Export tasks: requested by a list's own call, made by the worker with the requester's rights, kept for the requester.

use std::time::Duration;

use base::clock::{DAY, MINUTE};
use frame::api::export::task;
use frame::export;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio_util::sync::CancellationToken;

use testing::channel::list::many;
use testing::channel::{form, make, with};
use testing::{Actor, TestApp, on_both};

const PATH: &str = "/channel/page/export";

async fn ask(who: &Actor, body: Value) -> i64 {
    who.post(PATH, body).await.ok()["taskId"].as_i64().expect("a task")
}

async fn state(who: &Actor, id: i64) -> Value {
    who.get(&format!("/export/{id}")).await.ok()
}

async fn file(who: &Actor, id: i64) -> String {
    String::from_utf8(who.get(&format!("/export/{id}/file")).await.body.to_vec()).unwrap()
}

/// How many files lie in the storage.
fn stored(app: &TestApp) -> usize {
    fn count(folder: &std::path::Path) -> usize {
        let entries = std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
    }
    count(&app.app.config.data.join("files"))
}

on_both!(a_task_makes_the_file_that_the_call_would);
async fn a_task_makes_the_file_that_the_call_would(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, with(form("code-0001"), json!({"name": "=1+1"}))).await;
    make(&operator, with(form("code-0002"), json!({"type": "api"}))).await;
    let body = json!({"format": "csv", "columns": ["code", "name"], "type": "ads", "sort": "code", "order": "asc", "current": 3});
    let id = ask(&operator, body.clone()).await;
    let queued = state(&operator, id).await;
    assert_eq!((&queued["status"], &queued["title"], &queued["url"]), (&json!("queued"), &json!("渠道列表"), &Value::Null));
    operator.get(&format!("/export/{id}/file")).await.refused("1006");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'export'").await, 0);

    assert_eq!(app.make_exports().await, 1);
    let done = state(&operator.in_english(), id).await;
    let told = |field: &str| done[field].clone();
    assert_eq!((told("status"), told("title"), told("format")), (json!("success"), json!("Channels"), json!("csv")));
    assert_eq!((told("rowCount"), told("totalRows"), told("reason")), (json!(1), json!(1), Value::Null));
    assert_eq!(told("expiresAt").as_i64().unwrap() - told("finishedAt").as_i64().unwrap(), 7 * DAY);

    let answer = operator.get(&format!("/export/{id}/file")).await;
    assert_eq!(answer.body, operator.export(PATH, body).await.body);
    assert!(String::from_utf8_lossy(&answer.body).contains("'=1+1"), "no cell is a formula");
    assert_eq!(
        (answer.header("content-type"), answer.header("x-content-type-options")),
        (Some("text/csv; charset=utf-8"), Some("nosniff"))
    );
    assert_eq!(answer.header("content-length"), Some(told("fileSize").to_string().as_str()));
    assert!(
        answer
            .header("content-disposition")
            .unwrap()
            .starts_with(&format!("attachment; filename=\"export-{id}.csv\"; filename*=UTF-8''%E6%B8%A0"))
    );
    assert_eq!(told("fileSha256"), hex::encode(Sha256::digest(&answer.body)));
    assert_eq!(state(&operator, id).await["downloadCount"], 1);

    // The trail of the task is the trail of an export: who, from where, by which request, what, how much.
    let trail: Value =
        serde_json::from_str(&app.text("SELECT diff FROM operation_log WHERE action = 'export' ORDER BY id DESC LIMIT 1").await).unwrap();
    let trail =
        |field: &str| trail.as_array().unwrap().iter().find(|change| change["field"] == field).map(|change| change["after"].clone());
    assert_eq!((trail("type"), trail("rows"), trail("ended")), (Some(json!("ads")), Some(json!("1")), None));
    assert_eq!(trail("sort"), Some(json!("code asc")), "by the list's own name");
    assert_eq!(trail("sha256"), Some(told("fileSha256")));
    let who = "SELECT COUNT(*) FROM operation_log l JOIN administrator a ON a.id = l.admin_id JOIN export_task t ON t.request_id = l.request_id \
               WHERE l.action = 'export' AND a.username = 'operator' AND l.ip = '127.0.0.1'";
    assert_eq!(app.count(who).await, 2, "as it begins and as it ends");
}

on_both!(a_workbook_is_made_in_the_language_it_was_asked_in);
async fn a_workbook_is_made_in_the_language_it_was_asked_in(app: TestApp) {
    let operator = app.sign_in("operator").await.in_english();
    make(&operator, form("code-0001")).await;
    let ids = [ask(&operator, json!({"format": "xlsx"})).await, ask(&operator, json!({"format": "csv"})).await];
    assert_eq!(app.make_exports().await, 2);
    assert!(operator.get(&format!("/export/{}/file", ids[0])).await.body.starts_with(b"PK\x03\x04"));
    assert!(file(&operator, ids[1]).await.contains("Code,Name,Type"));
    assert!(state(&operator, ids[0]).await["fileName"].as_str().unwrap().starts_with("Channels-20"));
}

on_both!(what_is_asked_for_wrongly_is_refused_at_once);
async fn what_is_asked_for_wrongly_is_refused_at_once(app: TestApp) {
    let operator = app.sign_in("operator").await;
    for bad in [
        json!({"format": "pdf"}),
        json!({"format": ["csv"]}),
        json!({"format": "csv", "columns": ["appSecret"]}),
        json!({"format": "csv", "type": "tv"}),
        json!({"format": "csv", "sort": "nonsense"}),
    ] {
        operator.post(PATH, bad).await.refused("4000");
    }
    app.sign_in("auditor").await.post(PATH, json!({"format": "csv"})).await.refused("1003");
    app.stranger().post(PATH, json!({"format": "csv"})).await.refused("2000");
    assert_eq!(app.count("SELECT COUNT(*) FROM export_task").await, 0);
}

on_both!(it_is_made_with_the_points_and_the_scope_of_that_moment);
async fn it_is_made_with_the_points_and_the_scope_of_that_moment(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let owner = app.account("channel.manager").await;
    make(&operator, with(form("theirs-01"), json!({"ownerAdminId": owner}))).await;
    make(&operator, form("nobodys-1")).await;
    let manager = app.sign_in("channel.manager").await;
    let id = ask(&manager, json!({"format": "csv", "columns": ["code"]})).await;
    app.make_exports().await;
    assert_eq!(file(&manager, id).await, "\u{feff}渠道编码\r\ntheirs-01\r\n", "scope");

    // The scope shrinks between asking and making.
    let id = ask(&operator, json!({"format": "csv", "columns": ["code"]})).await;
    app.execute("UPDATE role SET data_scope = 'own', version = version + 1 WHERE code = 'operator'").await;
    app.make_exports().await;
    assert_eq!(state(&operator, id).await["rowCount"], 0);

    // The point goes.
    let id = ask(&manager, json!({"format": "csv"})).await;
    app.execute("DELETE FROM role_menu WHERE menu_id IN (SELECT id FROM menu_node WHERE name = 'channel/list/export')").await;
    app.execute("UPDATE role SET version = version + 1").await;
    app.make_exports().await;
    let failed = state(&manager, id).await;
    assert_eq!((&failed["status"], &failed["reason"], &failed["url"]), (&json!("failed"), &json!("没有权限进行此操作"), &Value::Null));

    // The account goes.
    let admin = app.sign_in("admin").await;
    let id = ask(&admin, json!({"format": "csv"})).await;
    app.execute("UPDATE administrator SET status = 'disabled' WHERE username = 'admin'").await;
    app.make_exports().await;
    app.execute("UPDATE administrator SET status = 'enabled' WHERE username = 'admin'").await;
    assert_eq!(state(&admin, id).await["reason"], "账号或角色已停用");
    assert_eq!(stored(&app), 2);
}

on_both!(a_queue_has_its_bounds);
async fn a_queue_has_its_bounds(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let mut ids = Vec::new();
    for _ in 0..task::MAX_WAITING {
        ids.push(ask(&operator, json!({"format": "csv"})).await);
    }
    let desc = operator.post(PATH, json!({"format": "csv"})).await;
    desc.refused("1006");
    assert_eq!(desc.desc(), "您已有 10 个导出任务未完成，请稍后再试");
    ask(&app.sign_in("admin").await, json!({"format": "csv"})).await;
    operator.delete(&format!("/export/{}", ids[0])).await.ok();
    ask(&operator, json!({"format": "csv"})).await;

    // One of a person and list at a time.
    let db = &app.app.db;
    let first = task::take(db, &app.app.clock).await.unwrap().expect("one is due");
    let second = task::take(db, &app.app.clock).await.unwrap().expect("another person's is due");
    assert_ne!(first.admin_id, second.admin_id);
    assert!(task::take(db, &app.app.clock).await.unwrap().is_none());
    // Another list of the same person may, until as many run as may at once.
    for list in ["/admin/page/export", "/audit/page/export", "/loginLog/page/export"] {
        operator.delete(&format!("/export/{}", ids.pop().unwrap())).await.ok();
        app.sign_in("operator").await.post(list, json!({"format": "csv"})).await.ok();
    }
    assert!(task::take(db, &app.app.clock).await.unwrap().is_some());
    assert!(task::take(db, &app.app.clock).await.unwrap().is_some());
    assert_eq!(app.count("SELECT COUNT(*) FROM export_task WHERE status = 'running'").await, task::MAX_RUNNING);
    assert!(task::take(db, &app.app.clock).await.unwrap().is_none(), "four run already");
}

on_both!(of_two_workers_one_makes_a_task);
async fn of_two_workers_one_makes_a_task(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, form("code-0001")).await;
    for _ in 0..3 {
        ask(&operator, json!({"format": "csv"})).await;
    }
    let (one, two) = tokio::join!(app.make_exports(), app.make_exports());
    let rest = app.make_exports().await;
    assert_eq!(one + two + rest, 3);
    assert_eq!(app.count("SELECT COUNT(*) FROM export_task WHERE status = 'success' AND taking = 1").await, 3);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'export'").await, 6);
    assert_eq!(stored(&app), 3);
}

on_both!(what_a_dead_node_leaves_is_made_by_another);
async fn what_a_dead_node_leaves_is_made_by_another(app: TestApp) {
    let operator = app.sign_in("operator").await;
    make(&operator, form("code-0001")).await;
    let id = ask(&operator, json!({"format": "csv", "columns": ["code"]})).await;
    let db = &app.app.db;
    let dead = task::take(db, &app.app.clock).await.unwrap().expect("it is due");
    // It has written something, and is heard of no more.
    std::mem::forget(app.app.storage.write(&dead.file_key).await.unwrap());
    assert_eq!(app.make_exports().await, 0, "the lease holds");
    app.advance(task::LEASE + 1000);
    assert_eq!(app.make_exports().await, 1);
    let operator = app.sign_in("operator").await;
    assert_eq!(file(&operator, id).await, "\u{feff}渠道编码\r\ncode-0001\r\n");
    assert_eq!(stored(&app), 1, "what it had begun is gone");

    // Back from the dead, it can neither go on nor end the task.
    assert!(!dead.progress(db, 5, Some(9), &app.app.clock).await.unwrap());
    let made = task::Made { name: "x".into(), rows: 7, size: 7, sha256: "x".into(), scope: "all".into() };
    assert!(!dead.succeed(db, &made, DAY, app.now()).await.unwrap());
    dead.put_back(db).await.unwrap();
    assert_eq!((&state(&operator, id).await["status"], &state(&operator, id).await["rowCount"]), (&json!("success"), &json!(1)));
}

on_both!(a_task_that_keeps_dying_is_given_up);
async fn a_task_that_keeps_dying_is_given_up(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = ask(&operator, json!({"format": "csv"})).await;
    for _ in 0..3 {
        assert!(task::take(&app.app.db, &app.app.clock).await.unwrap().is_some());
        app.advance(task::LEASE + 1000);
    }
    assert!(task::take(&app.app.db, &app.app.clock).await.unwrap().is_none());
    let failed = state(&app.sign_in("operator").await, id).await;
    assert_eq!((&failed["status"], &failed["reason"]), (&json!("failed"), &json!("导出多次中断，请重新导出")));
}

/// Waits until a task is as wanted, while a worker runs.
async fn until(who: &Actor, id: i64, wanted: &str) -> Value {
    let seen = async {
        loop {
            let task = state(who, id).await;
            if task["status"] == wanted {
                return task;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), seen).await.unwrap_or_else(|_| panic!("the task never was {wanted}"))
}

/// A worker of exports until `stop`.
fn export_worker(app: &TestApp, stop: &CancellationToken) -> impl Future<Output = ()> + Send + use<> {
    let (app, api, stop) = (app.app.clone(), app.app.clone(), stop.clone());
    async move { export::work(app, move || server::api(api.clone()), stop).await }
}

on_both!(a_worker_that_is_stopped_puts_its_tasks_back);
async fn a_worker_that_is_stopped_puts_its_tasks_back(app: TestApp) {
    let operator = app.sign_in("operator").await;
    many(&app, &operator, 20_000).await;
    let id = ask(&operator, json!({"format": "xlsx"})).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(export_worker(&app, &stop));
    until(&operator, id, "running").await;
    stop.cancel();
    worker.await.unwrap();
    assert_eq!(state(&operator, id).await["status"], "queued");
    assert_eq!(stored(&app), 0);

    // The next process makes it, as if nothing had been.
    let stop = CancellationToken::new();
    let worker = tokio::spawn(export_worker(&app, &stop));
    assert_eq!(until(&operator, id, "success").await["rowCount"], 20_000);
    stop.cancel();
    worker.await.unwrap();
    assert_eq!(app.count("SELECT faults FROM export_task").await, 0);
}

on_both!(a_task_is_stopped_while_it_runs);
async fn a_task_is_stopped_while_it_runs(app: TestApp) {
    let operator = app.sign_in("operator").await;
    many(&app, &operator, 20_000).await;
    let id = ask(&operator, json!({"format": "xlsx"})).await;
    let stop = CancellationToken::new();
    let worker = tokio::spawn(export_worker(&app, &stop));
    until(&operator, id, "running").await;
    operator.delete(&format!("/export/{id}")).await.ok();
    assert_eq!(state(&operator, id).await["status"], "stopped");
    operator.get(&format!("/export/{id}/file")).await.refused("1006");
    // The worker is free for the next.
    let next = ask(&operator, json!({"format": "csv", "keyword": "many-100"})).await;
    until(&operator, next, "success").await;
    stop.cancel();
    worker.await.unwrap();
    assert_eq!((&state(&operator, id).await["status"], stored(&app)), (&json!("stopped"), 1));
    assert_eq!(app.trail("export_task", id).await.len(), 1);
}

on_both!(a_file_is_kept_for_seven_days);
async fn a_file_is_kept_for_seven_days(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = ask(&operator, json!({"format": "csv"})).await;
    app.make_exports().await;
    app.advance(7 * DAY - MINUTE);
    export::sweep(&app.app).await.unwrap();
    let operator = app.sign_in("operator").await;
    assert_eq!(operator.get(&format!("/export/{id}/file")).await.status, 200);
    app.advance(2 * MINUTE);
    // Not a moment longer, whether it has been swept or not.
    for swept in [false, true] {
        if swept {
            export::sweep(&app.app).await.unwrap();
        }
        let task = state(&operator, id).await;
        assert_eq!((&task["status"], &task["url"]), (&json!("expired"), &Value::Null));
        assert_eq!(operator.get(&format!("/export/{id}/file")).await.refused("1006"), Value::Null);
        for (status, total) in [("expired", 1), ("success", 0)] {
            assert_eq!(operator.post("/export/page", json!({"status": status})).await.ok()["total"], total, "{status}");
        }
        assert_eq!(stored(&app), usize::from(!swept));
    }
    app.advance(90 * DAY);
    export::sweep(&app.app).await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM export_task").await, 0);
}

on_both!(a_task_that_has_ended_is_removed_with_its_file);
async fn a_task_that_has_ended_is_removed_with_its_file(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = ask(&operator, json!({"format": "csv"})).await;
    app.make_exports().await;
    operator.delete(&format!("/export/{id}")).await.ok();
    operator.get(&format!("/export/{id}")).await.refused("1004");
    operator.delete(&format!("/export/{id}")).await.refused("1004");
    assert_eq!((stored(&app), app.count("SELECT COUNT(*) FROM export_task").await), (0, 0));
}

on_both!(rows_and_days_are_as_the_settings_say);
async fn rows_and_days_are_as_the_settings_say(app: TestApp) {
    app.set("export.row_cap", json!(1000)).await;
    app.set("export.keep_days", json!(2)).await;
    let operator = app.sign_in("operator").await;
    many(&app, &operator, 1001).await;
    let (over, within) =
        (ask(&operator, json!({"format": "csv"})).await, ask(&operator, json!({"format": "csv", "keyword": "many-10"})).await);
    app.make_exports().await;
    let failed = state(&operator, over).await;
    assert_eq!((&failed["status"], &failed["reason"]), (&json!("failed"), &json!("超过 1000 行，请缩小查询范围")));
    operator.export(PATH, json!({"format": "csv"})).await.refused("1006");
    let done = state(&operator, within).await;
    assert_eq!(done["expiresAt"].as_i64().unwrap() - done["finishedAt"].as_i64().unwrap(), 2 * DAY);
}
