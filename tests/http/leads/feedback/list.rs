//! The list of feedback, and its file.

use serde_json::{Value, json};

use testing::feedback::{Sold, send_report, sold};
use testing::lead::{application, bring, phone};
use testing::{TestApp, on_both};

// S7.09 S7.34
on_both!(the_list_finds_and_narrows);
async fn the_list_finds_and_narrows(app: TestApp) {
    let Sold { admin, channel, north, user_id, push_id, no } = sold(&app).await;
    bring(&app, &channel, "r-2", application(2, json!({}))).await.ok();
    app.distribute().await;
    let other = app.text("SELECT no FROM push_record ORDER BY id DESC LIMIT 1").await;
    let loan = json!({"requestId": "f-1", "no": no, "endCode": "disbursed", "loanCents": 900});
    send_report(&app, &north, loan).await.ok();
    app.advance(1000);
    send_report(&app, &north, json!({"requestId": "f-2", "no": other, "star": 2})).await.ok();
    app.advance(1000);
    admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok();

    let found = async |body: Value| {
        let page = admin.post("/user/feedback/page", body).await.ok();
        let ids = page["list"].as_array().unwrap().iter().map(|row| row["id"].to_string());
        ids.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(found(json!({})).await, "3 2 1");
    assert_eq!(found(json!({"sort": "loanCents", "order": "desc", "pageSize": 1})).await, "1");
    assert_eq!(found(json!({"keyword": phone(1)})).await, "3 1");
    assert_eq!(found(json!({"keyword": &phone(1)[..8]})).await, "", "a part of a phone finds nobody");
    assert_eq!(found(json!({"keyword": other.to_lowercase()})).await, "2");
    assert_eq!(
        found(json!({"keyword": app.text("SELECT no FROM applicant WHERE id = (SELECT MIN(id) FROM applicant)").await})).await,
        "3 1"
    );
    assert_eq!(found(json!({"keyword": "u2027"})).await, "", "nor does a part of a number");
    for (filters, ids) in [
        (json!({"userId": user_id}), "3 1"),
        (json!({"pushId": push_id}), "1"),
        (json!({"orgId": north.id}), "2 1"),
        (json!({"channelId": channel.id}), "3 2 1"),
        (json!({"source": "staff"}), "3"),
        (json!({"star": "2"}), "2"),
        (json!({"endCode": "disbursed"}), "1"),
        (json!({"handleStatus": "open"}), "3 2 1"),
        (json!({"handleStatus": "done"}), ""),
        (json!({"callbackStatus": "none"}), "3 2 1"),
        (json!({"createdFrom": "2027-01-08"}), ""),
    ] {
        assert_eq!(found(filters.clone()).await, ids, "{filters}");
    }
    admin.post("/user/feedback/page", json!({"sort": "content"})).await.refused("4000");
    admin.post("/user/feedback/page", json!({"source": "nobody"})).await.refused("4000");

    let file = admin.export("/user/feedback/page/export", json!({"format": "csv", "keyword": phone(1)})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.lines().count() == 3 && text.contains("已放款") && text.contains("100****0001"), "{text}");
    assert!(!text.contains(&phone(1)) && !text.contains("张小三"), "{text}");
    let trail = app.text("SELECT diff FROM operation_log WHERE action = 'export'").await;
    assert!(trail.contains("100****0001") && !trail.contains(&phone(1)), "{trail}");
    // The outcome has the colour that the dictionary gives it.
    assert_eq!(admin.post("/user/feedback/page", json!({"endCode": "disbursed"})).await.ok()["list"][0]["labelColor"], "green");
    app.execute("UPDATE dict_item SET tag_color = 'purple' WHERE value = 'disbursed'").await;
    assert_eq!(admin.post("/user/feedback/page", json!({"endCode": "disbursed"})).await.ok()["list"][0]["labelColor"], "purple");
    let english = admin.in_english().post("/user/feedback/page", json!({"endCode": "disbursed"})).await.ok();
    assert_eq!(english["list"][0]["endName"], "Disbursed");
    app.sign_in("nobody").await.post("/user/feedback/page", json!({})).await.refused("1003");
    app.sign_in("auditor").await.post("/user/feedback/page/export", json!({"format": "csv"})).await.refused("1003");
}

on_both!(a_manager_of_channels_sees_what_is_said_of_theirs);
async fn a_manager_of_channels_sees_what_is_said_of_theirs(app: TestApp) {
    let Sold { admin, user_id, .. } = sold(&app).await;
    admin.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.ok();
    testing::feedback::grant(&app, "channel_manager", "user/feedback-list").await;
    let manager = app.sign_in("channel.manager").await;
    assert_eq!(manager.post("/user/feedback/page", json!({})).await.ok()["total"], 0);
    manager.post("/user/feedback", json!({"userId": user_id, "star": 1})).await.refused("1004");
    app.execute("UPDATE channel SET owner_admin_id = (SELECT id FROM administrator WHERE username = 'channel.manager')").await;
    assert_eq!(manager.post("/user/feedback/page", json!({})).await.ok()["total"], 1);
    manager.post("/user/feedback", json!({"userId": user_id, "star": 2})).await.ok();
}
