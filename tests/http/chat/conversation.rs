//! What staff do with conversations: they answer, take, hand over, put off, close and open again.

use base::clock::{DAY, HOUR, MINUTE};
use futures_util::future::join_all;
use serde_json::{Value, json};

use super::{row, system_events};
use testing::chat::{ANSWERS, account, group, member, messages, rand_text, staff, visitor};
use testing::{Actor, TestApp, on_both};

/// The ids of the conversations that somebody lists.
async fn listed(who: &Actor, filters: Value) -> Vec<i64> {
    let page = who.post("/chat/user/page", filters).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["id"].as_i64().unwrap()).collect()
}

fn of(id: i64) -> Value {
    json!({"conversationId": id})
}

on_both!(a_message_is_sent_once);
async fn a_message_is_sent_once(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    let body = json!({"conversationId": id, "clientMsgId": "once-0001", "content": "  您好  "});
    let sent = amy.who.post("/chat/send", body.clone()).await.ok();
    assert_eq!(
        (&sent["content"], &sent["direction"], &sent["staffName"], &sent["clientMsgId"]),
        (&json!("您好"), &json!("out"), &json!("amy"), &json!("once-0001"))
    );
    assert_eq!(amy.who.post("/chat/send", body.clone()).await.ok(), sent);
    // At once, too.
    let twin = json!({"conversationId": id, "clientMsgId": "once-0002", "content": "再说一次"});
    let ids: Vec<Value> =
        join_all((0..4).map(|_| amy.who.post("/chat/send", twin.clone()))).await.iter().map(|answer| answer.ok()["id"].clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_message WHERE direction = 'out'").await, 2);
    for (field, wrong) in [
        ("content", json!("")),
        ("content", json!("长".repeat(2001))),
        ("clientMsgId", json!("short")),
        ("clientMsgId", json!("x".repeat(65))),
        ("fileId", json!(999_999)),
    ] {
        let mut wrong_body = json!({"conversationId": id, "clientMsgId": rand_text(), "content": "好"});
        wrong_body[field] = wrong;
        amy.who.post("/chat/send", wrong_body).await.wrong(field);
    }
    amy.send(999_999, "好", json!({})).await.refused("1004");
    assert_eq!(begun.page().await.matches("再说一次").count(), 1);
}

on_both!(an_answer_takes_a_queued_conversation_and_not_anothers);
async fn an_answer_takes_a_queued_conversation_and_not_anothers(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (amy, ben) = (staff(&app, "amy", &[&group], json!({})).await, staff(&app, "ben", &[&group], json!({})).await);
    let points: Vec<&str> = ANSWERS.iter().copied().chain(["chat/conversation/assign"]).collect();
    let lead = member(&app, account(&app, "lead", &points).await, "lead", &[&group], json!({})).await;
    let id = visitor(&app, &group, 1, "你好").await.conversation(&app).await;
    let queued = row(&app, id).await;
    assert_eq!((&queued["status"], &queued["staffId"], &queued["unread"]), (&json!("queued"), &json!(null), &json!(1)));
    amy.answer(id, "您好").await;
    let open = row(&app, id).await;
    assert_eq!(
        (&open["status"], &open["staffName"], &open["unread"], &open["waitingSince"]),
        (&json!("open"), &json!("amy"), &json!(0), &json!(null))
    );
    assert!(open["firstReplyAt"].is_number());
    assert_eq!(system_events(&amy.who, id).await, [json!({"event": "taken", "staff": "amy"})]);

    // A colleague reads it, writes notes, and nothing else.
    ben.send(id, "我也在", json!({})).await.refused("1006");
    ben.send(id, "老客户", json!({"note": true})).await.ok();
    ben.who.post("/chat/take", of(id)).await.refused("1003");
    for (path, body) in [
        ("/chat/transfer", json!({"conversationId": id, "staffId": ben.id})),
        ("/chat/close", json!({"conversationId": id, "note": ""})),
        ("/chat/snooze", json!({"conversationId": id, "until": app.now() + HOUR})),
        ("/chat/priority", json!({"conversationId": id, "priority": 1})),
    ] {
        ben.who.post(path, body).await.refused("1006");
    }
    amy.who.post("/chat/take", of(id)).await.refused("1006");
    assert_eq!(row(&app, id).await["version"], open["version"]);
    // Whoever may assign takes it over; then it is no longer amy's.
    assert_eq!(lead.who.post("/chat/take", of(id)).await.ok()["staffName"], "lead");
    amy.send(id, "还是我", json!({})).await.refused("1006");
    lead.answer(id, "我来").await;
    let trail = app.trail("chat_conversation", id).await;
    let fields: Vec<&str> = trail[0].diff.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, ["staffName"]);
    assert_eq!(amy.who.get(&format!("/chat/conversation/history/{id}")).await.ok().as_array().unwrap().len(), 1);

    // Who is no member of the staff answers nobody.
    app.sign_in("operator")
        .await
        .post("/chat/send", json!({"conversationId": id, "clientMsgId": rand_text(), "content": "好"}))
        .await
        .refused("1006");
    // A new conversation is taken without a message.
    let next = visitor(&app, &group, 2, "你好").await.conversation(&app).await;
    assert_eq!(ben.who.post("/chat/take", of(next)).await.ok()["staffName"], "ben");
    assert_eq!(
        (listed(&ben.who, json!({"box": "mine"})).await, listed(&ben.who, json!({"box": "unassigned"})).await),
        (vec![next], vec![])
    );
    assert_eq!(listed(&ben.who, json!({"order": "asc", "sort": "createdAt"})).await, [id, next]);
}

on_both!(a_conversation_is_handed_over);
async fn a_conversation_is_handed_over(app: TestApp) {
    let (sales, service) = (group(&app, "咨询", json!({})).await, group(&app, "售后", json!({})).await);
    let (amy, ben) = (staff(&app, "amy", &[&sales], json!({})).await, staff(&app, "ben", &[&sales, &service], json!({})).await);
    let cid = staff(&app, "cid", &[&service], json!({"maxOpen": 1})).await;
    let id = visitor(&app, &sales, 1, "你好").await.conversation(&app).await;
    amy.answer(id, "您好").await;
    let transfer = |changes: Value| testing::org::with(json!({"conversationId": id, "note": "  问退款  "}), changes);
    for (changes, field) in [
        (json!({}), "staffId"),
        (json!({"staffId": ben.id, "groupId": sales["id"]}), "staffId"),
        (json!({"staffId": 999_999}), "staffId"),
        (json!({"groupId": 999_999}), "groupId"),
        (json!({"staffId": ben.id, "note": "长".repeat(201)}), "note"),
    ] {
        amy.who.post("/chat/transfer", transfer(changes)).await.wrong(field);
    }
    amy.who.post("/chat/transfer", transfer(json!({"staffId": amy.id}))).await.refused("1006");
    // To a colleague of the same group.
    let handed = amy.who.post("/chat/transfer", transfer(json!({"staffId": ben.id}))).await.ok();
    assert_eq!((&handed["staffName"], &handed["groupName"], &handed["status"]), (&json!("ben"), &json!("咨询"), &json!("open")));
    let last = system_events(&ben.who, id).await.pop().unwrap();
    assert_eq!(last, json!({"event": "transferred", "staff": "amy", "to": "ben", "note": "问退款"}));
    // To a group: into its queue, or to who is there.
    let queued = ben.who.post("/chat/transfer", transfer(json!({"groupId": service["id"]}))).await.ok();
    assert_eq!((&queued["staffName"], &queued["groupName"], &queued["status"]), (&json!(null), &json!("售后"), &json!("queued")));
    amy.who.get(&format!("/chat/conversation/{id}")).await.refused("1004");
    amy.send(id, "还在吗", json!({})).await.refused("1004");
    cid.presence("online").await;
    assert_eq!(row(&app, id).await["staffName"], "cid");
    // To somebody of another group: it goes along.
    let back = cid.who.post("/chat/transfer", transfer(json!({"staffId": amy.id, "note": ""}))).await.ok();
    assert_eq!((&back["staffName"], &back["groupName"]), (&json!("amy"), &json!("咨询")));
    let thread = amy.who.get(&format!("/chat/thread?id={id}")).await.ok();
    let transfers: Vec<(&Value, &Value, &Value)> =
        thread["transfers"].as_array().unwrap().iter().map(|each| (&each["toName"], &each["toGroup"], &each["byName"])).collect();
    let [amy_name, ben_name, cid_name] = ["amy", "ben", "cid"].map(|name| json!(name));
    let (sales_name, service_name) = (json!("咨询"), json!("售后"));
    assert_eq!(
        transfers,
        [(&amy_name, &sales_name, &cid_name), (&json!(null), &service_name, &ben_name), (&ben_name, &sales_name, &amy_name)]
    );
    // A disabled group and disabled staff take nothing.
    let operator = app.sign_in("operator").await;
    let stored = operator.get(&format!("/chat/manage/{}", ben.id)).await.ok();
    operator.put("/chat/manage/status", json!({"id": ben.id, "version": stored["version"], "status": "disabled"})).await.ok();
    amy.who.post("/chat/transfer", transfer(json!({"staffId": ben.id}))).await.wrong("staffId");
    app.execute("UPDATE chat_group SET status = 'disabled' WHERE name = '售后'").await;
    amy.who.post("/chat/transfer", transfer(json!({"groupId": service["id"]}))).await.wrong("groupId");
}

on_both!(a_conversation_is_put_off_and_comes_back);
async fn a_conversation_is_put_off_and_comes_back(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    let snooze = async |until: i64| amy.who.post("/chat/snooze", json!({"conversationId": id, "until": until})).await;
    snooze(app.now() - 1).await.wrong("until");
    snooze(app.now() + 31 * DAY).await.wrong("until");
    let until = app.now() + 10 * MINUTE;
    let put_off = snooze(until).await.ok();
    assert_eq!((&put_off["status"], &put_off["snoozedUntil"], &put_off["staffName"]), (&json!("snoozed"), &json!(until), &json!("amy")));
    assert_eq!(listed(&amy.who, json!({"status": "snoozed"})).await, [id]);
    app.advance(9 * MINUTE);
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(row(&app, id).await["status"], "snoozed");
    app.advance(MINUTE + 1000);
    chat::sweep(&app.app).await.unwrap();
    let woken = row(&app, id).await;
    assert_eq!((&woken["status"], &woken["snoozedUntil"], &woken["staffName"]), (&json!("open"), &json!(null), &json!("amy")));
    assert_eq!(system_events(&amy.who, id).await.pop().unwrap(), json!({"event": "woken"}));
    // The customer's next message wakes it, too; so does an answer.
    snooze(app.now() + HOUR).await.ok();
    begun.say("还在吗").await;
    assert_eq!((&row(&app, id).await["status"], &row(&app, id).await["snoozedUntil"]), (&json!("open"), &json!(null)));
    snooze(app.now() + HOUR).await.ok();
    amy.answer(id, "在的").await;
    assert_eq!(row(&app, id).await["status"], "open");
}

on_both!(a_closed_conversation_goes_on_within_a_day);
async fn a_closed_conversation_goes_on_within_a_day(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    amy.answer(id, "您好").await;
    let close = async |id: i64, note: &str| app.sign_in("amy").await.post("/chat/close", json!({"conversationId": id, "note": note})).await;
    close(id, &"长".repeat(501)).await.wrong("note");
    let closed = close(id, " 已解答 ").await.ok();
    assert_eq!(
        (&closed["status"], &closed["closeNote"], &closed["closedByName"], &closed["unread"]),
        (&json!("resolved"), &json!("已解答"), &json!("amy"), &json!(0))
    );
    assert_eq!(system_events(&amy.who, id).await.pop().unwrap(), json!({"event": "closed", "staff": "amy", "note": "已解答"}));
    close(id, "").await.refused("1006");
    amy.send(id, "再说一句", json!({})).await.refused("1006");
    amy.send(id, "记一笔", json!({"note": true})).await.ok();
    assert_eq!((listed(&amy.who, json!({})).await, listed(&amy.who, json!({"status": "resolved"})).await), (vec![], vec![id]));

    // While amy is there it is hers again; afterwards it waits.
    app.advance(23 * HOUR);
    let amy = testing::chat::Staff { who: app.sign_in("amy").await, ..amy };
    amy.presence("online").await;
    begun.say("还有一个问题").await;
    let again = row(&app, id).await;
    assert_eq!(
        (&again["status"], &again["staffName"], &again["closedAt"], &again["closeNote"]),
        (&json!("open"), &json!("amy"), &json!(null), &json!(""))
    );
    close(id, "").await.ok();
    app.advance(2 * MINUTE);
    begun.say("又来了").await;
    assert_eq!((&row(&app, id).await["status"], &row(&app, id).await["staffName"]), (&json!("queued"), &json!(null)));
    amy.answer(id, "您说").await;
    close(id, "").await.ok();
    app.advance(DAY + MINUTE);
    begun.say("隔天再来").await;
    let next = begun.conversation(&app).await;
    assert_ne!(next, id);
    assert_eq!(row(&app, id).await["status"], "resolved");
    // The customer has a newer one: the old one stays closed until that is closed, too.
    let amy = testing::chat::Staff { who: app.sign_in("amy").await, ..amy };
    amy.who.post("/chat/reopen", of(id)).await.refused("1006");
    amy.who.post("/chat/reopen", of(next)).await.refused("1006");
    amy.answer(next, "您好").await;
    close(next, "").await.ok();
    let reopened = amy.who.post("/chat/reopen", of(id)).await.ok();
    assert_eq!((&reopened["status"], &reopened["staffName"], &reopened["closedAt"]), (&json!("open"), &json!("amy"), &json!(null)));
    let page = begun.page().await;
    for shown in ["你好", "还有一个问题", "隔天再来"] {
        assert!(page.contains(shown), "{shown}");
    }
    assert!(!page.contains("记一笔"));
}

on_both!(an_idle_conversation_is_closed);
async fn an_idle_conversation_is_closed(app: TestApp) {
    // That of offline staff is not queued meanwhile.
    app.set("chat.offline_minutes", json!(1440)).await;
    let (group, patient) = (group(&app, "咨询", json!({"idleMinutes": 10})).await, testing::chat::group(&app, "耐心", json!({})).await);
    let amy = staff(&app, "amy", &[&group, &patient], json!({})).await;
    let (answered, waiting) = (visitor(&app, &group, 1, "你好").await, visitor(&app, &group, 2, "你好").await);
    let (queued, other) = (visitor(&app, &group, 3, "你好").await, visitor(&app, &patient, 4, "你好").await);
    for begun in [&answered, &waiting, &other] {
        amy.answer(begun.conversation(&app).await, "您好").await;
    }
    waiting.say("请问").await;
    app.advance(9 * MINUTE);
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(row(&app, answered.conversation(&app).await).await["status"], "open");
    app.advance(2 * MINUTE);
    chat::sweep(&app.app).await.unwrap();
    let id = answered.conversation(&app).await;
    let closed = row(&app, id).await;
    assert_eq!((&closed["status"], &closed["closedByName"], &closed["closeNote"]), (&json!("resolved"), &json!(null), &json!("")));
    assert_eq!(system_events(&amy.who, id).await.pop().unwrap(), json!({"event": "idle"}));
    for (begun, status) in [(&waiting, "open"), (&queued, "queued"), (&other, "open")] {
        assert_eq!(row(&app, begun.conversation(&app).await).await["status"], status, "{}", begun.name);
    }
}

on_both!(the_longest_wait_stands_first_with_the_words_of_the_customer);
async fn the_longest_wait_stands_first_with_the_words_of_the_customer(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let mut ids = Vec::new();
    for number in 1..=3 {
        ids.push(visitor(&app, &group, number, "请问在吗").await.conversation(&app).await);
        app.advance(MINUTE);
    }
    let [first, second, third] = ids[..] else { unreachable!("three conversations") };
    assert_eq!(listed(&amy.who, json!({})).await, [first, second, third]);
    amy.answer(first, "在的").await;
    assert_eq!(row(&app, first).await["lastText"], "请问在吗");
    assert_eq!(listed(&amy.who, json!({})).await, [second, third, first]);
    assert_eq!(amy.who.get("/chat/me").await.ok()["waiting"], 2);
    // What is put off does not wait.
    amy.who.post("/chat/snooze", json!({"conversationId": second, "until": app.now() + HOUR})).await.ok();
    assert_eq!(listed(&amy.who, json!({})).await, [third, first, second]);
    assert_eq!(amy.who.get("/chat/me").await.ok()["waiting"], 1);
}

on_both!(conversations_past_their_target_are_marked_and_counted);
async fn conversations_past_their_target_are_marked_and_counted(app: TestApp) {
    let group = group(&app, "咨询", json!({"replyMinutes": 10, "resolveMinutes": 25})).await;
    let free = testing::chat::group(&app, "售后", json!({})).await;
    let amy = staff(&app, "amy", &[&group, &free], json!({})).await;
    let points = ["chat/conversation/list", "chat/conversation/all", "chat/manage/list"];
    let lead = account(&app, "lead", &points).await;
    let queues = async || lead.get("/workplace").await.ok()["queues"].clone();
    let after = |row: &Value, field: &str| row[field].as_i64().unwrap() - row["createdAt"].as_i64().unwrap();
    let late = visitor(&app, &group, 1, "你好").await.conversation(&app).await;
    let answered = visitor(&app, &group, 2, "你好").await.conversation(&app).await;
    let other = visitor(&app, &free, 3, "你好").await.conversation(&app).await;
    let first = row(&app, late).await;
    assert_eq!((after(&first, "dueAt"), after(&first, "dueSoonAt")), (10 * MINUTE, 8 * MINUTE));
    assert_eq!(row(&app, other).await["dueAt"], json!(null));
    amy.answer(answered, "您好").await;
    assert_eq!(after(&row(&app, answered).await, "dueAt"), 25 * MINUTE);
    assert_eq!((listed(&lead, json!({"state": "overdue"})).await, queues().await), (vec![], json!([])));
    app.advance(10 * MINUTE + 1000);
    assert_eq!(listed(&lead, json!({"state": "overdue"})).await, [late]);
    let queue = queues().await[0].clone();
    assert_eq!((&queue["href"], &queue["count"]), (&json!("/chat/conversation?state=overdue"), &json!(1)));
    amy.answer(late, "抱歉，久等了").await;
    assert_eq!(listed(&lead, json!({"state": "overdue"})).await, Vec::<i64>::new());
    // Closed too late, and no longer due.
    app.advance(20 * MINUTE);
    amy.who.post("/chat/close", json!({"conversationId": answered, "note": ""})).await.ok();
    assert_eq!(listed(&lead, json!({"state": "overdue"})).await, [late]);
    assert_eq!(row(&app, answered).await["dueAt"], json!(null));
    let figures = lead.post("/chat/figures/page", json!({})).await.ok();
    assert_eq!((&figures["totals"]["lateReplies"], &figures["totals"]["lateCloses"]), (&json!(1), &json!(1)));
    // A first answer that was late stays late when the conversation begins again.
    amy.who.post("/chat/close", json!({"conversationId": late, "note": ""})).await.ok();
    amy.who.post("/chat/reopen", json!({"conversationId": late})).await.ok();
    assert_eq!(lead.post("/chat/figures/page", json!({})).await.ok()["totals"]["lateReplies"], 1);
}

on_both!(a_message_is_recalled_by_its_sender_within_two_minutes);
async fn a_message_is_recalled_by_its_sender_within_two_minutes(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (amy, ben) = (staff(&app, "amy", &[&group], json!({})).await, staff(&app, "ben", &[&group], json!({})).await);
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    let kept = amy.answer(id, "您好").await;
    let slip = amy.answer(id, "说错了").await;
    let recall = |message: &Value| json!({"messageId": message["id"]});
    assert!(begun.page().await.contains("说错了"));
    ben.who.post("/chat/recall", recall(&slip)).await.refused("1006");
    let inbound = messages(&amy.who, id).await[0].clone();
    amy.who.post("/chat/recall", recall(&inbound)).await.refused("1006");
    amy.who.post("/chat/recall", json!({"messageId": 999_999})).await.refused("1004");
    let recalled = amy.who.post("/chat/recall", recall(&slip)).await.ok();
    assert_eq!((&recalled["recalled"], &recalled["content"]), (&json!(true), &json!("")));
    amy.who.post("/chat/recall", recall(&slip)).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_message WHERE content LIKE '%说错了%'").await, 0);
    assert_eq!(row(&app, id).await["lastText"], "你好");
    let page = begun.page().await;
    assert!(!page.contains("说错了") && page.contains("您好"), "{page}");
    let news = begun.news(0).await;
    assert_eq!(news["recalled"], json!([slip["id"]]));
    assert!(news["lines"].as_array().unwrap().iter().all(|line| line["id"] != slip["id"]));
    app.advance(2 * MINUTE + 1000);
    amy.who.post("/chat/recall", recall(&kept)).await.refused("1006");
    assert!(begun.page().await.contains("您好"));
}

on_both!(notes_stay_among_staff);
async fn notes_stay_among_staff(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (amy, ben) = (staff(&app, "amy", &[&group], json!({})).await, staff(&app, "ben", &[&group], json!({})).await);
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    let note = amy.send(id, "内部备注：小心", json!({"note": true})).await.ok();
    assert_eq!(note["direction"], "note");
    // A note is no answer, and takes nothing.
    let queued = row(&app, id).await;
    assert_eq!(
        (&queued["status"], &queued["unread"], &queued["lastText"], queued["waitingSince"].is_number()),
        (&json!("queued"), &json!(1), &json!("你好"), true)
    );
    amy.answer(id, "您好").await;
    amy.who.post("/chat/close", json!({"conversationId": id, "note": "内部：麻烦"})).await.ok();
    assert!(messages(&ben.who, id).await.iter().any(|message| message["content"] == "内部备注：小心"));
    for seen in [begun.page().await, begun.news(0).await.to_string()] {
        assert!(seen.contains("您好") && !seen.contains("内部") && !seen.contains("taken"), "{seen}");
    }
}

on_both!(what_was_read_is_marked_by_who_has_the_conversation);
async fn what_was_read_is_marked_by_who_has_the_conversation(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (amy, ben) = (staff(&app, "amy", &[&group], json!({})).await, staff(&app, "ben", &[&group], json!({})).await);
    let (begun, other) = (visitor(&app, &group, 1, "第一条").await, visitor(&app, &group, 2, "别人").await);
    let id = begun.conversation(&app).await;
    let read = |message: &Value| json!({"conversationId": id, "messageId": message["id"]});
    // Nobody has it: who looks on has not read it, with or without a record of the staff.
    let first = messages(&ben.who, id).await[0].clone();
    for looker in [&ben.who, &app.sign_in("operator").await] {
        looker.post("/chat/read", read(&first)).await.ok();
        assert_eq!(row(&app, id).await["unread"], 1);
    }
    amy.answer(id, "您好").await;
    for text in ["第二条", "第三条"] {
        begun.say(text).await;
    }
    let thread = messages(&amy.who, id).await;
    let inbound: Vec<&Value> = thread.iter().filter(|message| message["direction"] == "in").collect();
    assert_eq!(row(&app, id).await["unread"], 2);
    ben.who.post("/chat/read", read(inbound[2])).await.ok();
    assert_eq!(row(&app, id).await["unread"], 2);
    amy.who.post("/chat/read", read(inbound[1])).await.ok();
    assert_eq!(row(&app, id).await["unread"], 1);
    // Never backwards, and no message of another conversation.
    amy.who.post("/chat/read", read(&first)).await.ok();
    let foreign = messages(&amy.who, other.conversation(&app).await).await[0].clone();
    amy.who.post("/chat/read", read(&foreign)).await.ok();
    assert_eq!((&row(&app, id).await["unread"], &row(&app, id).await["staffReadId"]), (&json!(1), &inbound[1]["id"]));
    amy.who.post("/chat/read", read(inbound[2])).await.ok();
    assert_eq!(row(&app, id).await["unread"], 0);
    assert_eq!(begun.news(0).await["read"], inbound[2]["id"]);
    // Staff see how far the customer has read.
    let answer = amy.answer(id, "回答").await;
    begun.get(&format!("/events?after=0&event=0&seen={}", foreign["id"])).await;
    assert_ne!(row(&app, id).await["customerReadId"], answer["id"]);
    begun.get(&format!("/events?after=0&event=0&seen={}", answer["id"])).await;
    assert_eq!(row(&app, id).await["customerReadId"], answer["id"]);
}

on_both!(a_thread_is_read_backwards_without_gaps);
async fn a_thread_is_read_backwards_without_gaps(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let id = visitor(&app, &group, 1, "第0条").await.conversation(&app).await;
    let other = visitor(&app, &group, 2, "别人").await.conversation(&app).await;
    for number in 1..=22 {
        amy.answer(if number % 5 == 0 { other } else { id }, &format!("第{number}条")).await;
    }
    let whole = messages(&amy.who, id).await;
    for limit in [1, 7, 50] {
        let (mut read, mut before) = (Vec::new(), String::new());
        loop {
            let page = amy.who.get(&format!("/chat/getRecord?conversationId={id}&limit={limit}{before}")).await.ok();
            let list = page["list"].as_array().unwrap().clone();
            assert!(list.len() <= limit && !list.is_empty());
            before = format!("&before={}", list[0]["id"]);
            read.splice(0..0, list);
            if page["more"] == false {
                break;
            }
            assert_eq!(page["list"].as_array().unwrap().len(), limit);
        }
        assert_eq!(read, whole, "by {limit}");
    }
    assert_eq!(whole.iter().filter(|message| message["direction"] != "system").count(), 1 + 18);
    amy.who.get("/chat/getRecord").await.wrong("conversationId");
    amy.who.get("/chat/getRecord?conversationId=999999").await.refused("1004");
    assert_eq!(amy.who.get("/chat/thread?id=0").await.ok(), json!(null));
    let thread = amy.who.get(&format!("/chat/thread?id={id}")).await.ok();
    assert_eq!((&thread["messages"]["list"], &thread["messages"]["more"]), (&json!(whole), &json!(false)));
    assert_eq!(thread["customer"]["nickname"], "v0001");
}
