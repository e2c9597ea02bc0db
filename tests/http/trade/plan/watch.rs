//! The watch over running plans.

use serde_json::json;
use trade::plan;

use testing::plan::{begin, running};
use testing::{TestApp, on_both};

const DAY: i64 = 24 * 3600 * 1000;

on_both!(what_may_no_longer_run_is_paused_written_down_and_told);
async fn what_may_no_longer_run_is_paused_written_down_and_told(app: TestApp) {
    begin(&app);
    let admin = app.sign_in("admin").await;
    let south = app.organisation("south").await;
    testing::feedback::grant(&app, "org_manager", "plan/list/list").await;
    let short = running(&app, &admin, json!({"name": "short", "endsOn": "2027-01-11"})).await;
    let long = running(&app, &admin, json!({"name": "long"})).await;
    let theirs = running(&app, &admin, json!({"name": "theirs", "orgId": south, "subOrgId": null})).await;
    app.execute("UPDATE organisation SET licence_expire_on = '2027-01-16', owner_admin_id = (SELECT id FROM administrator WHERE username = 'operator') WHERE code = 'south'")
        .await;
    app.advance(4 * DAY);
    assert_eq!(plan::sweep(&app.app).await.unwrap(), 0, "its last day is one of them");
    app.advance(DAY);
    assert_eq!(plan::sweep(&app.app).await.unwrap(), 1);
    app.advance(5 * DAY);
    assert_eq!(plan::sweep(&app.app).await.unwrap(), 1);
    assert_eq!(plan::sweep(&app.app).await.unwrap(), 0);
    let (admin, operator, buyer) = (app.sign_in("admin").await, app.sign_in("operator").await, app.sign_in("south.manager").await);
    for (id, status, reason) in
        [(&short, "paused", json!("expired")), (&long, "running", json!(null)), (&theirs, "paused", json!("licence"))]
    {
        let row = admin.get(&format!("/plan/{id}")).await.ok();
        assert_eq!((&row["status"], &row["pauseReason"]), (&json!(status), &reason));
    }
    let history = admin.get(&format!("/plan/history/{theirs}")).await.ok();
    assert_eq!(history[0]["adminName"], "", "the program did it");
    assert!(history[0]["diff"].as_array().unwrap().contains(&json!({"field": "pauseReason", "before": null, "after": "licence"})));
    // Of the organisation, those are told who see its plans: see `message::told`.
    for person in [&operator, &buyer] {
        let told = person.post("/message/page", json!({})).await.ok();
        assert!(told.to_string().contains("计划已暂停：theirs"), "{told}");
    }
    assert!(!app.sign_in("north.manager").await.post("/message/page", json!({})).await.ok().to_string().contains("theirs"));
}
