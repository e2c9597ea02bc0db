//! Conversations of staff whose account is disabled: others get them.

use base::clock::HOUR;
use serde_json::json;

use super::offline::{assigned, of_amy, requeued};
use super::{row, system_events};
use testing::chat::{Staff, group, staff, visitor};
use testing::{Actor, TestApp, on_both};

/// Sets the status of an account.
async fn set_status(who: &Actor, id: i64, status: &str) {
    let version = who.get(&format!("/admin/{id}")).await.ok()["version"].clone();
    who.put("/admin/status", json!({"id": id, "version": version, "status": status})).await.ok();
}

on_both!(conversations_of_a_disabled_account_go_to_others);
async fn conversations_of_a_disabled_account_go_to_others(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    amy.presence("online").await;
    let mut begun = Vec::new();
    for number in 1..=3 {
        app.advance(1000);
        begun.push(visitor(&app, &group, number, "你好").await);
    }
    let [first, second, put_off] = [&begun[0], &begun[1], &begun[2]];
    let put_off = put_off.conversation(&app).await;
    amy.who.post("/chat/snooze", json!({"conversationId": put_off, "until": app.now() + HOUR})).await.ok();
    let ben = staff(&app, "ben", &[&group], json!({"maxOpen": 1})).await;
    ben.presence("online").await;
    let (admin, id) = (app.sign_in("admin").await, app.account("amy").await);
    assert_eq!(admin.get(&format!("/admin/openWork/{id}")).await.ok(), json!({"clues": 0, "conversations": 3}));

    set_status(&admin, id, "disabled").await;
    assert_eq!(of_amy(&app).await, 0);
    assert_eq!(admin.get(&format!("/admin/openWork/{id}")).await.ok(), json!({"clues": 0, "conversations": 0}));
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation WHERE status = 'queued' AND staff_id IS NULL").await, 2);
    let with_ben = first.conversation(&app).await;
    assert_eq!(system_events(&ben.who, with_ben).await, [assigned("amy"), requeued("disabled"), assigned("ben")]);
    // The customer has waited since the first message.
    let waits = row(&app, with_ben).await;
    assert_eq!((&waits["unread"], waits["waitingSince"].is_number()), (&json!(1), true));
    first.say("还在吗").await;
    let after = row(&app, with_ben).await;
    assert_eq!((&after["status"], &after["staffName"], &after["unread"]), (&json!("open"), &json!("ben"), &json!(2)));
    assert_eq!(after["waitingSince"], waits["waitingSince"]);
    let trail = app.trail("administrator", id).await;
    let line = trail[0].diff.iter().find(|change| change.field == "requeued").unwrap();
    assert_eq!(line.after.as_deref(), Some("3"));
    assert_eq!(app.trail("chat_staff", amy.id).await[0].diff[0].field, "status");

    // The one that was put off is queued, too; the next message of a customer and a free place bring the queued ones to ben.
    second.say("有人吗").await;
    assert_eq!(row(&app, put_off).await["status"], "queued");
    ben.who.post("/chat/close", json!({"conversationId": with_ben, "note": ""})).await.ok();
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(row(&app, second.conversation(&app).await).await["staffName"], "ben");
    amy.who.get("/chat/me").await.refused("2000");

    // A record is not enabled before its account.
    let operator = app.sign_in("operator").await;
    let path = format!("/chat/manage/{}", amy.id);
    let stored = operator.get(&path).await.ok();
    assert_eq!(stored["status"], "disabled");
    let enabling = json!({"id": amy.id, "version": stored["version"], "status": "enabled"});
    operator.put("/chat/manage/status", enabling.clone()).await.refused("1006");
    set_status(&admin, id, "enabled").await;
    assert_eq!(operator.get(&path).await.ok()["status"], "disabled");
    operator.put("/chat/manage/status", enabling).await.ok();
    let amy = Staff { who: app.sign_in("amy").await, ..amy };
    amy.presence("online").await;
    assert_eq!(row(&app, put_off).await["staffName"], "amy");
}

on_both!(a_deleted_account_leaves_no_conversation_behind);
async fn a_deleted_account_leaves_no_conversation_behind(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    amy.presence("online").await;
    let begun = visitor(&app, &group, 1, "你好").await;
    assert_eq!(of_amy(&app).await, 1);
    app.sign_in("admin").await.delete(&format!("/admin/{}", app.account("amy").await)).await.ok();
    assert_eq!(row(&app, begun.conversation(&app).await).await["status"], "queued");
}

// A colleague hands a conversation to amy while her account is disabled, on two nodes.
on_both!(no_conversation_is_left_with_an_account_that_is_disabled_meanwhile);
async fn no_conversation_is_left_with_an_account_that_is_disabled_meanwhile(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (amy, ben) = (staff(&app, "amy", &[&group], json!({})).await, staff(&app, "ben", &[&group], json!({})).await);
    let other = app.node().await;
    let (admin, colleague, id) = (app.sign_in("admin").await, other.sign_in("ben").await, app.account("amy").await);
    for round in 0..6 {
        app.execute("UPDATE administrator SET status = 'enabled' WHERE username = 'amy'").await;
        app.execute("UPDATE chat_staff SET status = 'enabled'").await;
        let conversation = visitor(&app, &group, round + 1, "你好").await.conversation(&app).await;
        ben.who.post("/chat/take", json!({"conversationId": conversation})).await.ok();
        let version = app.count("SELECT version FROM administrator WHERE username = 'amy'").await;
        let disabling = admin.put("/admin/status", json!({"id": id, "version": version, "status": "disabled"}));
        let handing = colleague.post("/chat/transfer", json!({"conversationId": conversation, "staffId": amy.id, "note": ""}));
        // Each is the first at times.
        let disabled = match round % 2 {
            0 => tokio::join!(disabling, handing).0,
            _ => tokio::join!(handing, disabling).1,
        };
        disabled.ok();
        assert_eq!(of_amy(&app).await, 0, "round {round}");
        let status = row(&app, conversation).await["status"].clone();
        assert!(["open", "queued"].contains(&status.as_str().unwrap()), "{status}");
    }
    other.app.db.close().await;
}
