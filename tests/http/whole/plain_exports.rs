//! Exports with whole numbers: who gets them, which rows they show, how they are counted, reported and kept.

use base::clock::DAY;
use serde_json::{Value, json};

use testing::crm::{clue, salesperson};
use testing::feedback::{grant, sold};
use testing::lead::{id_no, phone};
use testing::{Actor, Answer, TestApp, on_both};

const CLUES: &str = "/crm/pushPage/export";
const REASON: &str = "监管检查 2026-01";

fn plain() -> Value {
    json!({"format": "csv", "plain": true, "reason": REASON, "sort": "createdAt", "order": "asc"})
}

fn with(changes: Value) -> Value {
    let mut body = plain();
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    body
}

fn text(file: &Answer) -> String {
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.starts_with('\u{feff}'), "a file and no refusal: {text}");
    text
}

async fn clues(app: &TestApp, number: usize) -> Vec<i64> {
    let owner = salesperson(app, "north.sales1").await;
    let mut ids = Vec::new();
    for _ in 0..number {
        ids.push(clue(app, "north", Some(owner)).await);
    }
    ids
}

/// Entries of the trail about exports, the first first: what each says of a field.
async fn trail(app: &TestApp, field: &str) -> Vec<Option<String>> {
    const DIFFS: &str = "SELECT '[' || COALESCE(string_agg(diff, ',' ORDER BY id), '') || ']' FROM operation_log WHERE action = 'export'";
    let entries: Vec<Vec<Value>> = serde_json::from_str(&app.text(DIFFS).await).unwrap();
    let of = |entry: &Vec<Value>| entry.iter().find(|change| change["field"] == field)?["after"].as_str().map(str::to_owned);
    entries.iter().map(of).collect()
}

/// Withdraws a point from all roles but the built-in one.
async fn withdraw(app: &TestApp, sql: &'static str) {
    app.execute(sql).await;
    app.execute("UPDATE role SET version = version + 1").await;
}

const NO_PLAIN: &str = "DELETE FROM role_menu WHERE menu_id IN (SELECT id FROM menu_node WHERE name = 'crm/clue/export-plain')";
const NO_REVEAL: &str = "DELETE FROM role_menu WHERE menu_id IN (SELECT id FROM menu_node WHERE name = 'crm/clue/reveal')";

on_both!(whole_numbers_need_a_point_and_a_reason);
async fn whole_numbers_need_a_point_and_a_reason(app: TestApp) {
    clues(&app, 1).await;
    let manager = app.sign_in("north.manager").await;
    for reason in [json!(null), json!("  监管  "), json!("由".repeat(201))] {
        manager.export(CLUES, with(json!({"reason": reason}))).await.wrong("reason");
        manager.post(CLUES, with(json!({"reason": reason}))).await.wrong("reason");
    }
    manager.export(CLUES, with(json!({"plain": "perhaps"}))).await.refused("4000");
    // A list that has no whole numbers.
    app.sign_in("operator").await.export("/channel/page/export", plain()).await.wrong("plain");
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 0);

    for without in [NO_PLAIN, NO_REVEAL] {
        withdraw(&app, without).await;
        let manager = app.sign_in("north.manager").await;
        manager.export(CLUES, plain()).await.refused("1003");
        manager.post(CLUES, plain()).await.refused("1003");
        assert!(!text(&manager.export(CLUES, json!({"format": "csv"})).await).contains("13800000000"), "masked as before");
        grant(&app, "org_manager", "crm/clue/").await;
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 0);
}

on_both!(rows_that_may_be_revealed_are_whole_and_the_others_masked);
async fn rows_that_may_be_revealed_are_whole_and_the_others_masked(app: TestApp) {
    let ids = clues(&app, 3).await;
    app.execute("UPDATE clue SET lost_reason = 'returned', stage = 'lost' WHERE no = 'CL-1'").await;
    app.execute("UPDATE applicant SET phone_enc = NULL, name_enc = NULL, status = 'erased' WHERE no = 'U-2'").await;
    let manager = app.sign_in("north.manager").await;
    let file = text(&manager.export(CLUES, plain()).await);
    assert_eq!((file.lines().count(), file.matches("王小明").count(), file.contains("13800000000")), (4, 1, true), "{file}");
    for masked in ["13800000001", "13800000002"] {
        assert!(!file.contains(masked), "{file}");
    }
    assert!(text(&app.sign_in("south.manager").await.export(CLUES, plain()).await).lines().count() == 1, "none of another organisation");

    // The record that was shown counts once, also if it is revealed later.
    assert_eq!((app.count("SELECT COUNT(*) FROM reveal").await, app.count("SELECT target_id FROM reveal").await), (1, ids[0]));
    manager.get(&format!("/crm/reveal/{}", ids[0])).await.ok();
    text(&manager.export(CLUES, plain()).await);
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 1);
}

// A list reaches further than a reveal does: what a salesperson has signed stays in their list.
on_both!(a_row_out_of_the_reach_of_reveals_stays_masked);
async fn a_row_out_of_the_reach_of_reveals_stays_masked(app: TestApp) {
    let id = clues(&app, 1).await[0];
    let (first, second) = (app.account("north.sales1").await, salesperson(&app, "north.sales2").await);
    grant(&app, "org_sales", "crm/clue/").await;
    let mut tx = app.app.db.begin().await.unwrap();
    let signed = sqlx::query("UPDATE clue SET signed_by = owner_id, signed_at = 1, owner_id = $1 WHERE id = $2").bind(second).bind(id);
    signed.execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    let sales = app.sign_in("north.sales1").await;
    sales.get(&format!("/crm/reveal/{id}")).await.refused("1004");
    let file = text(&sales.export(CLUES, with(json!({"signedBy": first}))).await);
    assert_eq!((file.lines().count(), file.contains("13800000000")), (2, false), "{file}");
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 0);
}

on_both!(a_file_with_whole_numbers_is_in_the_trail_and_reported);
async fn a_file_with_whole_numbers_is_in_the_trail_and_reported(app: TestApp) {
    clues(&app, 2).await;
    app.execute("UPDATE clue SET lost_reason = 'returned', stage = 'lost' WHERE no = 'CL-1'").await;
    let manager = app.sign_in("north.manager").await;
    let file =
        manager.export(CLUES, with(json!({"reason": format!("  {REASON} "), "star": "", "orgId": app.organisation("north").await}))).await;
    text(&file);
    let both = |value: &str| vec![Some(value.to_owned()); 2];
    assert_eq!(trail(&app, "plain").await, both("true"));
    assert_eq!(trail(&app, "plainReason").await, both(REASON));
    assert_eq!(trail(&app, "sort").await, both("createdAt asc"));
    assert!(trail(&app, "orgId").await.iter().all(Option::is_some), "the filters");
    assert_eq!(trail(&app, "started").await, [Some("2".to_owned()), None]);
    assert_eq!(trail(&app, "revealed").await, [Some("1".to_owned()), None]);
    assert_eq!(trail(&app, "rows").await, [None, Some("2".to_owned())]);
    assert_eq!(trail(&app, "sha256").await, [None, Some(base::crypto::sha256_hex(&file.body))]);

    let messages = app.sign_in("auditor").await.post("/message/page", json!({})).await.ok();
    let message = &messages["list"][0];
    assert_eq!(message["title"], "导出了完整号码");
    for word in ["north.manager", "线索", "共 2 行", "其中 1 行", REASON] {
        assert!(message["content"].as_str().unwrap().contains(word), "{word}: {message}");
    }
    let sent = app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'plain_export'").await;
    text(&manager.export(CLUES, plain()).await);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'plain_export'").await, 2 * sent, "one of each file");
    text(&manager.export(CLUES, json!({"format": "csv"})).await);
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'plain_export'").await, 2 * sent, "none of masks");
}

on_both!(files_and_reveals_share_the_limits_of_a_day);
async fn files_and_reveals_share_the_limits_of_a_day(app: TestApp) {
    let ids = clues(&app, 4).await;
    let manager = app.sign_in("north.manager").await;
    for (setting, limit) in [("security.reveals_day", "每天 3 条"), ("crm.daily_reveals", "每天 3 条线索")] {
        app.set(setting, json!(3)).await;
        let refused = manager.export(CLUES, plain()).await;
        assert!(refused.refused("4029").is_null() && refused.desc().contains(limit), "{}", refused.desc());
        assert!(refused.headers["retry-after"].to_str().unwrap().parse::<i64>().unwrap() > 0);
        app.set(setting, json!(200)).await;
    }
    assert_eq!((app.count("SELECT COUNT(*) FROM reveal").await, trail(&app, "plain").await), (0, vec![]), "refused before its first byte");
    assert!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'reveals' AND content_zh LIKE '%north.manager%'").await > 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal_limit").await, 1);

    // A file is not held to the limit of ten minutes, and leaves that to reveals.
    app.set("security.reveals_day", json!(3)).await;
    app.set("security.reveals_ten_minutes", json!(1)).await;
    text(&manager.export(CLUES, with(json!({"keyword": "CL-0"}))).await);
    text(&manager.export(CLUES, with(json!({"keyword": "CL-1"}))).await);
    manager.get(&format!("/crm/reveal/{}", ids[0])).await.ok();
    manager.get(&format!("/crm/reveal/{}", ids[2])).await.ok();
    app.set("security.reveals_ten_minutes", json!(60)).await;
    // Two in files and one alone.
    manager.get(&format!("/crm/reveal/{}", ids[3])).await.refused("4029");
    manager.export(CLUES, plain()).await.refused("4029");
    text(&manager.export(CLUES, with(json!({"keyword": "CL-1"}))).await);
    app.advance(DAY);
    app.set("security.reveals_day", json!(4)).await;
    text(&app.sign_in("north.manager").await.export(CLUES, plain()).await);
}

on_both!(rows_of_a_file_have_a_limit);
async fn rows_of_a_file_have_a_limit(app: TestApp) {
    clues(&app, 3).await;
    app.set("export.plain_rows", json!(2)).await;
    let manager = app.sign_in("north.manager").await;
    let refused = manager.export(CLUES, plain()).await;
    assert!(refused.refused("1006").is_null() && refused.desc().contains("超过 2 行"), "{}", refused.desc());
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 0);
    assert_eq!(text(&manager.export(CLUES, json!({"format": "csv"})).await).lines().count(), 4);
}

on_both!(applicants_and_pushes_come_whole);
async fn applicants_and_pushes_come_whole(app: TestApp) {
    let sold = sold(&app).await;
    let admin = &sold.admin;
    let users = text(&admin.export("/user/page/export", plain()).await);
    assert!(["张小三", &phone(1), &id_no()].iter().all(|whole| users.contains(whole)), "{users}");
    for path in ["/plan/push/page/export", "/user/push/export"] {
        let pushes = text(&admin.export(path, plain()).await);
        assert!(pushes.contains("张小三") && pushes.contains(&phone(1)) && !pushes.contains(&id_no()), "{pushes}");
    }
    // The applicant, and the clue that a reveal of the push counts.
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 2);
    admin.get(&format!("/plan/push/reveal/{}", sold.push_id)).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 2);

    grant(&app, "org_manager", "plan/push-list/").await;
    assert!(text(&app.sign_in("north.manager").await.export("/plan/push/page/export", plain()).await).contains(&phone(1)));
    assert_eq!(text(&app.sign_in("south.manager").await.export("/plan/push/page/export", plain()).await).lines().count(), 1);
    // Of a lead that was not taken nothing is revealed.
    app.execute("UPDATE push_record SET status = 'rejected'").await;
    assert!(!text(&admin.export("/plan/push/page/export", plain()).await).contains(&phone(1)));
}

async fn state(who: &Actor, id: i64) -> Value {
    who.get(&format!("/export/{id}")).await.ok()
}

on_both!(a_kept_file_with_whole_numbers_says_why_and_stays_for_a_day);
async fn a_kept_file_with_whole_numbers_says_why_and_stays_for_a_day(app: TestApp) {
    clues(&app, 2).await;
    let manager = app.sign_in("north.manager").await;
    let ask = async |body: Value| manager.post(CLUES, body).await.ok()["taskId"].as_i64().unwrap();
    let (whole, masked) = (ask(plain()).await, ask(json!({"format": "csv"})).await);
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 0, "counted when it is made");
    assert_eq!(app.make_exports().await, 2);
    let (one, two) = (state(&manager, whole).await, state(&manager, masked).await);
    assert_eq!((&one["status"], &one["plainReason"], &two["plainReason"]), (&json!("success"), &json!(REASON), &Value::Null));
    let kept = |task: &Value| task["expiresAt"].as_i64().unwrap() - task["finishedAt"].as_i64().unwrap();
    assert_eq!((kept(&one), kept(&two)), (DAY, 7 * DAY));
    let file = format!("/export/{whole}/file");
    assert!(text(&manager.get(&file).await).contains("13800000001"));
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'download'").await, 1);

    // Beyond a limit it fails, with the reason.
    app.set("security.reveals_day", json!(1)).await;
    app.execute("DELETE FROM reveal").await;
    let refused = ask(plain()).await;
    app.make_exports().await;
    let failed = state(&manager, refused).await;
    assert_eq!(failed["status"], "failed");
    assert!(failed["reason"].as_str().unwrap().contains("每天 1 条"), "{failed}");

    // Once the point is gone, so is the file.
    withdraw(&app, NO_PLAIN).await;
    let manager = app.sign_in("north.manager").await;
    manager.get(&file).await.refused("1003");
    assert_eq!(manager.get(&format!("/export/{masked}/file")).await.status, 200);
}
