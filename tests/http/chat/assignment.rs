//! Who gets a conversation: in turn, whoever is least busy, within limits, from the queue.

use base::clock::MINUTE;
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{row, system_events};
use testing::chat::{Staff, Visitor, group, staff, visitor};
use testing::{TestApp, on_both};

const SECOND: i64 = 1000;

/// Visitors who begin one after the other, and who has each of their conversations afterwards.
async fn shared(app: &TestApp, group: &Value, numbers: std::ops::RangeInclusive<u32>) -> Vec<Value> {
    let mut had = Vec::new();
    for number in numbers {
        app.advance(SECOND);
        let begun = visitor(app, group, number, "你好").await;
        had.push(row(app, begun.conversation(app).await).await["staffName"].clone());
    }
    had
}

async fn has(app: &TestApp, visitor: &Visitor) -> Value {
    row(app, visitor.conversation(app).await).await["staffName"].clone()
}

on_both!(conversations_are_assigned_in_turn_within_limits);
async fn conversations_are_assigned_in_turn_within_limits(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({"maxOpen": 2})).await;
    let ben = staff(&app, "ben", &[&group], json!({"maxOpen": 2})).await;
    assert_eq!(shared(&app, &group, 1..=1).await, [json!(null)], "nobody is online");
    let offline = async || amy.who.get("/workplace").await.ok()["queuedWhileOffline"].clone();
    assert_eq!(offline().await, 1, "she can go online from her first page");
    amy.presence("online").await;
    // Who comes online gets what waits.
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation WHERE status = 'open'").await, 1);
    ben.presence("online").await;
    assert_eq!(shared(&app, &group, 2..=5).await, [json!("ben"), json!("amy"), json!("ben"), json!(null)]);
    let me = amy.who.get("/chat/me").await.ok();
    assert_eq!((&me["open"], &me["maxOpen"], &me["presence"]), (&json!(2), &json!(2), &json!("online")));
    // The workplace counts what waits for her, and leads to it.
    let workplace = amy.who.get("/workplace").await.ok();
    let queue =
        |href: &str| workplace["queues"].as_array().unwrap().iter().find(|queue| queue["href"] == href).map(|queue| queue["count"].clone());
    assert_eq!(queue("/chat/conversation?box=mine&state=waiting"), Some(json!(2)));
    assert_eq!(queue("/chat/conversation?box=unassigned"), Some(json!(1)));
    assert_eq!(offline().await, json!(null), "she is online");
    let colleagues: Vec<(&Value, &Value)> =
        me["colleagues"].as_array().unwrap().iter().map(|colleague| (&colleague["nickname"], &colleague["presence"])).collect();
    assert_eq!(colleagues, [(&json!("amy"), &json!("online")), (&json!("ben"), &json!("online"))]);
    // Room is made: the next round of work assigns.
    let first = Visitor { name: "v0001".to_owned(), ..visitor_of(&app, &group, 6).await };
    amy.who.post("/chat/close", json!({"conversationId": first.conversation(&app).await, "note": ""})).await.ok();
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation WHERE status = 'queued'").await, 1);
    assert_eq!(amy.who.get("/chat/me").await.ok()["open"], 2);
}

async fn visitor_of(app: &TestApp, group: &Value, number: u32) -> Visitor {
    visitor(app, group, number, "你好").await
}

on_both!(conversations_go_to_whoever_is_least_busy);
async fn conversations_go_to_whoever_is_least_busy(app: TestApp) {
    let group = group(&app, "咨询", json!({"assignMode": "least_busy"})).await;
    let amy = staff(&app, "amy", &[&group], json!({"maxOpen": 3})).await;
    let ben = staff(&app, "ben", &[&group], json!({"maxOpen": 9})).await;
    amy.presence("online").await;
    assert_eq!(shared(&app, &group, 1..=2).await, ["amy", "amy"]);
    ben.presence("online").await;
    assert_eq!(shared(&app, &group, 3..=5).await, ["ben", "ben", "amy"]);
    assert_eq!(shared(&app, &group, 6..=8).await, ["ben", "ben", "ben"], "amy is full");
}

on_both!(only_those_who_are_there_and_take_conversations_get_any);
async fn only_those_who_are_there_and_take_conversations_get_any(app: TestApp) {
    let (here, manual) = (group(&app, "咨询", json!({})).await, group(&app, "人工", json!({"assignMode": "manual"})).await);
    let elsewhere = group(&app, "售后", json!({})).await;
    let amy = staff(&app, "amy", &[&here, &manual], json!({"autoAccept": false})).await;
    let ben = staff(&app, "ben", &[&elsewhere], json!({})).await;
    let cid = staff(&app, "cid", &[&here, &manual], json!({})).await;
    for one in [&amy, &ben] {
        one.presence("online").await;
    }
    cid.presence("busy").await;
    assert_eq!(shared(&app, &here, 1..=1).await, [json!(null)]);
    cid.presence("online").await;
    assert_eq!(shared(&app, &manual, 2..=2).await, [json!(null)]);
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(shared(&app, &here, 3..=3).await, ["cid"]);
    // Who was not seen for a minute counts as away, and is there again with the first event that they ask for.
    app.advance(MINUTE + SECOND);
    assert_eq!(shared(&app, &here, 4..=4).await, [json!(null)]);
    cid.who.get("/chat/events").await.ok();
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation WHERE status = 'queued'").await, 1, "the one of the manual group");
    // A disabled member of the staff gets nothing.
    cid.presence("offline").await;
    app.execute("UPDATE chat_conversation SET status = 'resolved', closed_at = 1 WHERE staff_id IS NOT NULL").await;
    let operator = app.sign_in("operator").await;
    let stored = operator.get(&format!("/chat/manage/{}", cid.id)).await.ok();
    operator.put("/chat/manage/status", json!({"id": cid.id, "version": stored["version"], "status": "disabled"})).await.ok();
    cid.who.put("/chat/presence", json!({"presence": "online"})).await.refused("1006");
    assert_eq!(shared(&app, &here, 5..=5).await, [json!(null)]);
}

on_both!(the_queue_is_worked_off_by_urgency_then_age);
async fn the_queue_is_worked_off_by_urgency_then_age(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({"maxOpen": 2})).await;
    let mut queued = Vec::new();
    for number in 1..=4 {
        app.advance(SECOND);
        queued.push(visitor(&app, &group, number, "你好").await);
    }
    for (index, priority) in [(2, 1), (3, 3)] {
        let urgent = json!({"conversationId": queued[index].conversation(&app).await, "priority": priority});
        assert_eq!(amy.who.post("/chat/priority", urgent).await.ok()["priority"], priority);
    }
    let wrong = json!({"conversationId": queued[0].conversation(&app).await, "priority": 4});
    amy.who.post("/chat/priority", wrong).await.wrong("priority");
    let me = amy.presence("online").await;
    assert_eq!(me["open"], json!(2));
    let mut had = Vec::new();
    for one in &queued {
        had.push(has(&app, one).await);
    }
    assert_eq!(had, [json!(null), json!(null), json!("amy"), json!("amy")]);
    let close = json!({"conversationId": queued[3].conversation(&app).await, "note": ""});
    amy.who.post("/chat/close", close).await.ok();
    chat::sweep(&app.app).await.unwrap();
    assert_eq!((has(&app, &queued[0]).await, has(&app, &queued[1]).await), (json!("amy"), json!(null)));
    let id = queued[0].conversation(&app).await;
    assert_eq!(system_events(&amy.who, id).await, [json!({"event": "assigned", "staff": "amy"})]);
}

on_both!(a_message_to_a_closed_conversation_keeps_to_the_limits);
async fn a_message_to_a_closed_conversation_keeps_to_the_limits(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({"maxOpen": 1})).await;
    amy.presence("online").await;
    let first = visitor(&app, &group, 1, "你好").await;
    let close = json!({"conversationId": first.conversation(&app).await, "note": ""});
    amy.who.post("/chat/close", close).await.ok();
    let second = visitor(&app, &group, 2, "你好").await;
    assert_eq!(has(&app, &second).await, "amy");
    first.say("还有一个问题").await;
    let waits = row(&app, first.conversation(&app).await).await;
    assert_eq!((&waits["status"], &waits["staffName"]), (&json!("queued"), &json!(null)), "amy is full");
    // With room it goes back to her.
    let close = json!({"conversationId": second.conversation(&app).await, "note": ""});
    amy.who.post("/chat/close", close).await.ok();
    second.say("谢谢").await;
    assert_eq!((has(&app, &first).await, has(&app, &second).await), (json!(null), json!("amy")));
}

on_both!(limits_hold_when_many_begin_at_once);
async fn limits_hold_when_many_begin_at_once(app: TestApp) {
    let group = group(&app, "咨询", json!({"assignMode": "least_busy"})).await;
    let staff: [Staff; 2] =
        [staff(&app, "amy", &[&group], json!({"maxOpen": 4})).await, staff(&app, "ben", &[&group], json!({"maxOpen": 5})).await];
    for one in &staff {
        one.presence("online").await;
    }
    let nodes = [app.node().await, app.node().await];
    let begun = join_all((1..=20u32).map(|number| visitor(&nodes[number as usize % 2], &group, number, "你好"))).await;
    assert_eq!(begun.len(), 20);
    let held = async |id: i64| {
        let mut sql = base::db::Sql::new("SELECT COUNT(*) AS found FROM chat_conversation WHERE status = 'open' AND staff_id = ");
        sql.bind(id);
        sqlx::Row::get::<i64, _>(&sql.fetch_optional(app.app.db.read()).await.unwrap().unwrap(), "found")
    };
    assert_eq!((held(staff[0].id).await, held(staff[1].id).await), (4, 5));
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation WHERE status = 'queued' AND staff_id IS NULL").await, 11);
    // Rooms that come free at once are each taken once, whoever works.
    for one in &staff {
        let mine = one.who.post("/chat/user/page", json!({"box": "mine", "pageSize": 100})).await.ok();
        let closing = mine["list"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| one.who.post("/chat/close", json!({"conversationId": row["id"], "note": ""})));
        for closed in join_all(closing).await {
            closed.ok();
        }
    }
    let (one, other, third) = tokio::join!(chat::sweep(&nodes[0].app), chat::sweep(&nodes[1].app), chat::sweep(&app.app));
    for swept in [one, other, third] {
        swept.unwrap();
    }
    assert_eq!((held(staff[0].id).await, held(staff[1].id).await), (4, 5));
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation WHERE status = 'queued'").await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_message WHERE content LIKE '%assigned%'").await, 18);
}
