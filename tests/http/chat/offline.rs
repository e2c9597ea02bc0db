//! Conversations in which the customer waits for staff who are offline: others get them.

use base::clock::MINUTE;
use serde_json::{Value, json};

use super::{row, system_events};
use testing::chat::{Staff, group, staff, visitor};
use testing::{TestApp, on_both};

/// The conversations of amy that are not closed.
pub async fn of_amy(app: &TestApp) -> i64 {
    app.count(
        "SELECT COUNT(*) FROM chat_conversation c JOIN chat_staff s ON s.id = c.staff_id WHERE s.nickname = 'amy' \
         AND c.status IN ('open', 'snoozed')",
    )
    .await
}

/// The line of the system about a conversation that went back to the queue.
pub fn requeued(reason: &str) -> Value {
    json!({"event": "transferred", "staff": "amy", "to": "咨询", "note": "", "reason": reason})
}

pub fn assigned(staff: &str) -> Value {
    json!({"event": "assigned", "staff": staff})
}

on_both!(conversations_that_wait_for_offline_staff_go_to_others);
async fn conversations_that_wait_for_offline_staff_go_to_others(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (amy, ben) = (staff(&app, "amy", &[&group], json!({})).await, staff(&app, "ben", &[&group], json!({})).await);
    amy.presence("online").await;
    let waiting = visitor(&app, &group, 1, "你好").await.conversation(&app).await;
    let answered = visitor(&app, &group, 2, "你好").await.conversation(&app).await;
    amy.answer(answered, "您好").await;
    amy.presence("offline").await;
    app.advance(9 * MINUTE);
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(of_amy(&app).await, 2, "not ten minutes yet");
    app.advance(MINUTE);
    ben.presence("online").await;
    for _ in 0..2 {
        chat::sweep(&app.app).await.unwrap();
    }
    assert_eq!((&row(&app, waiting).await["staffName"], &row(&app, answered).await["staffName"]), (&json!("ben"), &json!("amy")));
    assert_eq!(system_events(&ben.who, waiting).await, [assigned("amy"), requeued("offline"), assigned("ben")]);
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_message WHERE content LIKE '%\"reason\"%'").await, 1);
}

on_both!(without_others_a_conversation_waits_in_the_queue);
async fn without_others_a_conversation_waits_in_the_queue(app: TestApp) {
    app.set("chat.offline_minutes", json!(30)).await;
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    // Her page is closed without a word.
    amy.presence("online").await;
    let waiting = visitor(&app, &group, 1, "你好").await.conversation(&app).await;
    app.advance(29 * MINUTE);
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(of_amy(&app).await, 1);
    app.advance(MINUTE);
    chat::sweep(&app.app).await.unwrap();
    let queued = row(&app, waiting).await;
    assert_eq!((&queued["status"], &queued["staffName"]), (&json!("queued"), &json!(null)));
    // She gets it back when she is there again.
    let amy = Staff { who: app.sign_in("amy").await, ..amy };
    amy.presence("online").await;
    assert_eq!(row(&app, waiting).await["staffName"], "amy");
}

on_both!(staff_whose_page_is_open_finish_their_conversations);
async fn staff_whose_page_is_open_finish_their_conversations(app: TestApp) {
    app.set("chat.offline_minutes", json!(5)).await;
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    amy.presence("online").await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    amy.answer(id, "您好").await;
    amy.presence("offline").await;
    app.advance(6 * MINUTE);
    amy.who.get("/chat/events").await.ok();
    begun.say("请问").await;
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(row(&app, id).await["staffName"], "amy", "the customer has just written");
    app.advance(6 * MINUTE);
    amy.who.get("/chat/events").await.ok();
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(row(&app, id).await["status"], "queued");
    assert_eq!(system_events(&amy.who, id).await.pop().unwrap(), requeued("offline"));
}

on_both!(the_minutes_are_within_their_bounds);
async fn the_minutes_are_within_their_bounds(app: TestApp) {
    let admin = app.sign_in("admin").await;
    for (value, code) in [(0, "1001"), (1441, "1001"), (1, "0000")] {
        let change = json!({"changes": [{"key": "chat.offline_minutes", "value": value, "version": 0}]});
        assert_eq!(admin.put("/setting", change).await.code(), code, "{value}");
    }
}
