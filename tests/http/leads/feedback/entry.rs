//! Feedback that people enter, how it is handled, and what its history tells.

use serde_json::{Value, json};

use super::entries;
use testing::feedback::{Sold, grant, send_report, sold};
use testing::lead::phone;
use testing::{TestApp, on_both};

on_both!(staff_enter_what_they_know);
async fn staff_enter_what_they_know(app: TestApp) {
    let Sold { admin, user_id, push_id, no, .. } = sold(&app).await;
    let operator = app.sign_in("operator").await;
    let row = operator
        .post("/user/feedback", json!({"userId": user_id, "star": 0, "endCode": "no_answer", "content": format!("打了 {} 三次", phone(1))}))
        .await
        .ok();
    assert_eq!((&row["source"], &row["pushNo"], &row["orgName"]), (&json!("staff"), &Value::Null, &Value::Null));
    assert_eq!((&row["content"], &row["creatorName"].is_string()), (&json!("打了 100****0001 三次"), &true));
    let of_lead = operator.post("/user/feedback", json!({"pushId": push_id, "source": "applicant", "endCode": "refused"})).await.ok();
    assert_eq!((&of_lead["source"], &of_lead["pushNo"], &of_lead["orgName"]), (&json!("applicant"), &json!(no), &json!("北辰")));
    assert_eq!(admin.get(&format!("/user/{user_id}")).await.ok()["star"], 0);
    let trail = app.trail("feedback", row["id"].as_i64().unwrap()).await;
    assert!(trail[0].diff.iter().any(|change| change.field == "endName" && change.after.as_deref() == Some("多次未接")), "{trail:?}");
    let story = admin.get(&format!("/user/{user_id}")).await.ok();
    assert_eq!(story["feedback"].as_array().unwrap().len(), 2);

    for (wrong, field) in [
        (json!({"userId": user_id}), "star"),
        (json!({"star": 1}), "userId"),
        (json!({"userId": user_id, "star": 9}), "star"),
        (json!({"userId": user_id, "star": 1, "source": "buyer"}), "source"),
        (json!({"userId": user_id, "endCode": "none such"}), "endCode"),
        (json!({"userId": user_id, "star": 1, "loanCents": 5}), "loanCents"),
        (json!({"userId": user_id + 1, "pushId": push_id, "star": 1}), "userId"),
    ] {
        operator.post("/user/feedback", wrong).await.wrong(field);
    }
    operator.post("/user/feedback", json!({"userId": 999_999, "star": 1})).await.refused("1004");
    operator.post("/user/feedback", json!({"pushId": 999_999, "star": 1})).await.refused("1004");
    operator.post("/user/feedback", json!({"userId": user_id, "star": 1, "reply": "x"})).await.refused("4000");
    app.sign_in("auditor").await.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.refused("1003");
    assert_eq!(entries(&app).await, 2);
}

on_both!(an_organisations_people_tell_of_their_leads_alone);
async fn an_organisations_people_tell_of_their_leads_alone(app: TestApp) {
    let Sold { user_id, push_id, .. } = sold(&app).await;
    grant(&app, "org_manager", "user/feedback-list").await;
    let (north, south) = (app.sign_in("north.manager").await, app.sign_in("south.manager").await);
    north.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.refused("1004");
    south.post("/user/feedback", json!({"pushId": push_id, "star": 1})).await.refused("1004");
    north.post("/user/feedback", json!({"pushId": push_id, "star": 1, "source": "staff"})).await.wrong("source");
    let row = north.post("/user/feedback", json!({"pushId": push_id, "star": 1})).await.ok();
    assert_eq!((&row["source"], &row["orgName"]), (&json!("buyer"), &json!("北辰")));
    // Handling it is the platform's.
    let step = json!({"id": row["id"], "version": 1, "status": "done", "reply": "x"});
    north.put("/user/feedback/handle", step.clone()).await.refused("1003");
    south.put("/user/feedback/handle", step).await.refused("1004");
    south.get(&format!("/user/feedback/{}", row["id"])).await.refused("1004");
    south.get(&format!("/user/feedback/history/{}", row["id"])).await.refused("1004");
    assert_eq!(south.post("/user/feedback/page", json!({})).await.ok()["total"], 0);
    assert_eq!(north.post("/user/feedback/page", json!({})).await.ok()["total"], 1);
}

on_both!(feedback_is_handled_step_by_step);
async fn feedback_is_handled_step_by_step(app: TestApp) {
    let Sold { north, no, .. } = sold(&app).await;
    send_report(&app, &north, json!({"requestId": "f-1", "no": no, "endCode": "dead_number"})).await.ok();
    let operator = app.sign_in("operator").await;
    let id = app.count("SELECT id FROM feedback").await;
    let step = |version: i64, status: &str, reply: &str| {
        operator.put("/user/feedback/handle", json!({"id": id, "version": version, "status": status, "reply": reply}))
    };
    step(1, "open", "").await.refused("1006");
    let begun = step(1, "in_progress", &format!("已联系 {}", phone(1))).await.ok();
    assert_eq!(
        (&begun["handleStatus"], &begun["reply"], &begun["version"]),
        (&json!("in_progress"), &json!("已联系 100****0001"), &json!(2))
    );
    step(1, "done", "").await.refused("1005");
    step(2, "done", &"长".repeat(501)).await.wrong("reply");
    step(2, "done", "已换号").await.ok();
    step(3, "closed", "").await.ok();
    step(4, "in_progress", "").await.refused("1006");
    let history = operator.get(&format!("/user/feedback/history/{id}")).await.ok();
    assert_eq!(history.as_array().unwrap().len(), 3, "a server's report is not an act of a person");
    app.sign_in("auditor").await.put("/user/feedback/handle", json!({"id": id, "version": 4, "status": "done"})).await.refused("1003");
}

on_both!(feedback_is_erased_with_the_applicant);
async fn feedback_is_erased_with_the_applicant(app: TestApp) {
    let Sold { admin, north, user_id, no, .. } = sold(&app).await;
    send_report(&app, &north, json!({"requestId": "f-1", "no": no, "star": 2, "content": "要买房"})).await.ok();
    admin.delete(&format!("/user/{user_id}")).await.ok();
    assert_eq!(app.text("SELECT content FROM feedback").await, "");
    admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.refused("1006");
    // The outcome of an erased applicant is counted, but no text about them is kept.
    let report = json!({"requestId": "f-2", "no": no, "star": 1, "content": "张小三 不买了"});
    assert_eq!(send_report(&app, &north, report).await.ok()["counted"], true);
    assert_eq!(app.text("SELECT MAX(content) FROM feedback").await, "");
}
