//! `PUT /plan/status` and `PUT /plan/audit`: where a plan may go, and what stands in its way.

use serde_json::json;

use testing::plan::{begin, decide, make, running, step};
use testing::{TestApp, on_both};

on_both!(only_listed_steps_are_taken);
async fn only_listed_steps_are_taken(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await.in_english(), app.sign_in("operator").await.in_english());
    let id = make(&app, &admin, json!({})).await["id"].clone();
    let mut status = "draft";
    for (to, allowed) in [
        ("running", false),
        ("paused", false),
        ("ended", false),
        ("pending", true),
        ("running", false),
        ("draft", false),
        ("rejected!", true),
        ("running", false),
        ("draft", true),
        ("pending", true),
        ("running!", true),
        ("rejected!", false),
        ("paused", true),
        ("paused", false),
        ("running", true),
        ("paused", true),
        ("ended", true),
        ("running", false),
        ("paused", false),
    ] {
        // With a mark it is a decision.
        let answer = match to.strip_suffix('!') {
            Some(decided) => decide(&operator, &id, decided == "running").await,
            None => step(&admin, &id, to).await,
        };
        match allowed {
            true => {
                status = to.trim_end_matches('!');
                assert_eq!(answer.ok()["status"], status);
            }
            false => {
                answer.refused("1006");
                assert!(answer.desc().to_lowercase().starts_with(&format!("the plan is {status};")), "{}", answer.desc());
            }
        }
    }
    admin.put("/plan/status", json!({"id": id, "version": 1, "status": "running"})).await.refused("1005");
    admin.put("/plan/status", json!({"id": id, "version": 1, "status": "gone"})).await.refused("4000");
}

on_both!(a_decision_says_why_not_and_people_are_told);
async fn a_decision_says_why_not_and_people_are_told(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await, app.sign_in("operator").await);
    let id = make(&app, &operator, json!({})).await["id"].clone();
    step(&operator, &id, "pending").await.ok();
    let todo = |list: &serde_json::Value| list.as_array().unwrap().iter().any(|row| row["title"] == "计划待审：有房客户");
    let waiting = admin.post("/message/page", json!({"kind": "todo"})).await.ok();
    assert!(todo(&waiting["list"]), "{waiting}");
    let version = admin.get(&format!("/plan/{id}")).await.ok()["version"].clone();
    admin.put("/plan/audit", json!({"id": id, "version": version, "approve": false})).await.wrong("note");
    admin.put("/plan/audit", json!({"id": id, "version": version, "approve": false, "note": "好".repeat(201)})).await.wrong("note");
    let rejected = decide(&admin, &id, false).await.ok();
    assert_eq!((&rejected["status"], &rejected["rejectNote"]), (&json!("rejected"), &json!("太便宜")));
    let told = operator.post("/message/page", json!({})).await.ok();
    assert!(told.to_string().contains("计划被驳回：有房客户"), "{told}");
    // What was to be decided is decided, and a new draft has no word on it.
    assert_eq!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'plan' AND type = 'todo' AND done_at IS NULL").await, 0);
    assert_eq!(step(&operator, &id, "draft").await.ok()["rejectNote"], json!(null));
}

on_both!(what_is_missing_before_it_runs_is_named);
async fn what_is_missing_before_it_runs_is_named(app: TestApp) {
    begin(&app);
    let (admin, operator) = (app.sign_in("admin").await.in_english(), app.sign_in("operator").await.in_english());
    let id = make(&app, &admin, json!({"deliverMode": "api", "endsOn": "2027-03-10"})).await["id"].clone();
    step(&admin, &id, "pending").await.ok();
    let refused = async |words: &str| {
        let answer = decide(&operator, &id, true).await;
        answer.refused("1006");
        assert!(answer.desc().contains(words), "{}", answer.desc());
    };
    app.execute("UPDATE organisation SET status = 'paused'").await;
    refused("not active").await;
    app.execute("UPDATE organisation SET status = 'active', licence_expire_on = '2027-01-06'").await;
    refused("no valid licence").await;
    app.execute("UPDATE organisation SET licence_expire_on = '2099-12-31', licence_no = NULL").await;
    refused("no valid licence").await;
    app.execute("UPDATE organisation SET licence_no = 'L-2'").await;
    refused("delivery is disabled").await;
    let api = json!({
        "id": app.organisation("north").await, "version": 0, "applyUrl": "https://api.example.com/apply", "crypto": "none", "timeoutMs": 5000,
        "retryMax": 1, "fieldMap": {"phone": "mobile"}, "applyOkExpr": "code == 0", "status": "enabled"
    });
    crate::org::delivery::save(&app, api).await;
    // A failed check of the organisation stands in the way until another one passes.
    app.execute("UPDATE organisation SET licence_expire_on = '2020-01-01'").await;
    let check = json!({"targetType": "organisation", "targetId": app.organisation("north").await});
    assert_eq!(admin.post("/compliance/check", check.clone()).await.ok()["result"], "fail");
    app.execute("UPDATE organisation SET licence_expire_on = '2099-12-31'").await;
    refused("compliance check").await;
    assert_eq!(admin.post("/compliance/check", check).await.ok()["result"], "pass");
    decide(&operator, &id, true).await.ok();
    // What was paused meets the same gate.
    step(&admin, &id, "paused").await.ok();
    app.advance(70 * 24 * 3600 * 1000);
    let admin = app.sign_in("admin").await.in_english();
    let late = step(&admin, &id, "running").await;
    late.refused("1006");
    assert!(late.desc().contains("end date has passed"), "{}", late.desc());
}

on_both!(a_plan_is_checked_by_its_organisations_licence_and_its_words);
async fn a_plan_is_checked_by_its_organisations_licence_and_its_words(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let id = make(&app, &admin, json!({"remark": "包过，秒批"})).await["id"].clone();
    let check = json!({"targetType": "plan", "targetId": id});
    let failed = admin.post("/compliance/check", check).await.ok();
    assert_eq!((&failed["result"], &failed["targetName"]), (&json!("fail"), &json!("有房客户")));
    step(&admin, &id, "pending").await.ok();
    let refused = decide(&app.sign_in("operator").await, &id, true).await;
    refused.refused("1006");
    assert!(refused.desc().contains(failed["no"].as_str().unwrap()), "{}", refused.desc());
}

on_both!(of_two_steps_at_once_one_is_taken);
async fn of_two_steps_at_once_one_is_taken(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let id = running(&app, &admin, json!({})).await;
    let version = admin.get(&format!("/plan/{id}")).await.ok()["version"].clone();
    let pause = json!({"id": id, "version": version, "status": "paused"});
    let answers = futures_util::future::join_all((0..4).map(|_| admin.put("/plan/status", pause.clone()))).await;
    assert_eq!(answers.iter().filter(|answer| answer.code() == "0000").count(), 1);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE target_type = 'plan' AND diff LIKE '%manual%'").await, 1);
}
