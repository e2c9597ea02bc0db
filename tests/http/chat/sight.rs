//! Who sees what of conversations: groups, points, organisations, whole numbers; and the search.

use axum::http::Method;
use base::clock::MINUTE;
use chat::mask;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use testing::chat::{ANSWERS, account, group, member, messages, rand_text, staff, visitor};
use testing::{Actor, TestApp, on_both};

const NUMBER: &str = "我的电话 13812345678";
const MASKED: &str = "我的电话 138****5678";

async fn found(who: &Actor, query: Value) -> Vec<String> {
    let list = who.post("/chat/search", query).await.ok()["list"].clone();
    list.as_array().unwrap().iter().map(|message| message["content"].as_str().unwrap().to_owned()).collect()
}

/// The whole texts of a conversation, revealed.
async fn revealed(who: &Actor, id: i64, range: &str) -> Value {
    who.get(&format!("/chat/conversation/reveal/{id}{range}")).await.ok()
}

fn texts_of(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect()
}

on_both!(numbers_are_masked_for_everybody);
async fn numbers_are_masked_for_everybody(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let points: Vec<&str> = ANSWERS.iter().copied().chain(["chat/client/reveal", "chat/conversation/export"]).collect();
    let ben = member(&app, account(&app, "ben", &points).await, "ben", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, NUMBER).await;
    let id = begun.conversation(&app).await;
    for who in [&amy.who, &ben.who] {
        assert_eq!(messages(who, id).await[0]["content"], MASKED);
        assert_eq!(who.get(&format!("/chat/conversation/{id}")).await.ok()["lastText"], MASKED);
        let thread = who.get(&format!("/chat/thread?id={id}")).await.ok();
        assert_eq!((&thread["conversation"]["lastText"], &thread["messages"]["list"][0]["content"]), (&json!(MASKED), &json!(MASKED)));
        let events = who.get("/chat/events?after=0&wait=0").await.ok();
        assert_eq!((&events["events"][0]["message"]["content"], &events["conversations"][0]["lastText"]), (&json!(MASKED), &json!(MASKED)));
        assert_eq!(found(who, json!({"keyword": "我的电话"})).await, [MASKED]);
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM reveal").await, 0);
    // Lists and files never show whole numbers.
    for who in [&amy.who, &ben.who] {
        assert_eq!(who.post("/chat/user/page", json!({})).await.ok()["list"][0]["lastText"], MASKED);
    }
    let file = ben.who.export("/chat/user/page/export", json!({"format": "csv"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.contains(MASKED) && !text.contains("13812345678"), "{text}");
    // What one writes oneself is masked as well; the visitor reads all of it.
    assert_eq!(amy.answer(id, "回电 13987654321").await["content"], "回电 139****4321");
    assert!(begun.page().await.contains("13987654321"));
    // A number that the beginning of a message cuts is not half shown.
    for number in ["13812345678", "138-1234-5678", "138 1234 5678", "１３８１２３４５６７８"] {
        begun.say(&format!("{}{number}", "长".repeat(95))).await;
        let text = amy.who.get(&format!("/chat/conversation/{id}")).await.ok()["lastText"].as_str().unwrap().to_owned();
        assert_eq!(text, "长".repeat(95), "{number}");
        assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation WHERE last_text_enc IS NOT NULL").await, 0);
    }
}

const HOLDING_NUMBERS: &str = "SELECT (SELECT COUNT(*) FROM chat_message WHERE content LIKE '%13812345678%') \
     + (SELECT COUNT(*) FROM chat_conversation WHERE last_text || close_note || rating_note LIKE '%13812345678%') \
     + (SELECT COUNT(*) FROM chat_transfer WHERE note LIKE '%13812345678%')";
const SEALED: &str = "SELECT (SELECT COUNT(*) FROM chat_message WHERE content_enc LIKE '2.%') \
     + (SELECT COUNT(*) FROM chat_conversation WHERE last_text_enc LIKE '2.%') + (SELECT COUNT(*) FROM chat_conversation WHERE close_note_enc LIKE '2.%') \
     + (SELECT COUNT(*) FROM chat_conversation WHERE rating_note_enc LIKE '2.%') + (SELECT COUNT(*) FROM chat_transfer WHERE note_enc LIKE '2.%')";

const REVEALS: &str = "SELECT COUNT(*) FROM operation_log WHERE action = 'reveal'";

on_both!(whole_texts_are_revealed_for_one_conversation_at_a_time);
async fn whole_texts_are_revealed_for_one_conversation_at_a_time(app: TestApp) {
    let (group, other) = (group(&app, "咨询", json!({})).await, testing::chat::group(&app, "售后", json!({"assignMode": "manual"})).await);
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let points: Vec<&str> = ANSWERS.iter().copied().chain(["chat/client/reveal"]).collect();
    let ben = member(&app, account(&app, "ben", &points).await, "ben", &[&group], json!({})).await;
    let mut ids = Vec::new();
    for number in 1..=3 {
        let begun = visitor(&app, &group, number, NUMBER).await;
        begun.say("没有号码").await;
        begun.say("另一个 13987654321").await;
        ids.push(begun.conversation(&app).await);
    }
    // It needs the point, and a conversation that they see.
    let path = format!("/chat/conversation/reveal/{}", ids[0]);
    amy.who.get(&path).await.refused("1003");
    account(&app, "reveals", &["chat/client/reveal"]).await.get(&path).await.refused("1003");
    let foreign = visitor(&app, &other, 4, NUMBER).await.conversation(&app).await;
    ben.who.get(&format!("/chat/conversation/reveal/{foreign}")).await.refused("1004");
    assert_eq!((app.count(REVEALS).await, app.count("SELECT COUNT(*) FROM reveal").await), (0, 0));

    app.set("security.reveals_ten_minutes", json!(2)).await;
    let whole = revealed(&ben.who, ids[0], "").await;
    assert_eq!(texts_of(&whole["messages"]), ["另一个 13987654321", NUMBER]);
    assert_eq!((&whole["closeNote"], &whole["remark"], &whole["transfers"]), (&Value::Null, &Value::Null, &json!([])));
    // What arrives afterwards belongs to the same reveal; a part without hidden numbers is none.
    let last = whole["messages"][0]["id"].as_i64().unwrap();
    assert_eq!(texts_of(&revealed(&ben.who, ids[0], &format!("?from={last}")).await["messages"]), ["另一个 13987654321"]);
    assert_eq!(texts_of(&revealed(&ben.who, ids[0], &format!("?before={last}")).await["messages"]), [NUMBER]);
    assert_eq!(revealed(&ben.who, ids[0], &format!("?from={}", last + 1)).await["messages"], json!([]));
    assert_eq!((app.count(REVEALS).await, app.count("SELECT COUNT(*) FROM reveal").await), (3, 1));
    assert_eq!(<&str>::from(app.trail("chat_conversation", ids[0]).await[0].action), "reveal");
    // Reading shows it masked as before, to the one who has revealed it, too.
    assert_eq!(messages(&ben.who, ids[0]).await[0]["content"], MASKED);

    revealed(&ben.who, ids[1], "").await;
    ben.who.get(&format!("/chat/conversation/reveal/{}", ids[2])).await.refused("4029");
    assert!(app.count("SELECT COUNT(*) FROM message WHERE biz_type = 'reveals' AND content_zh LIKE '%ben%'").await > 0);
}

on_both!(numbers_in_texts_lie_encrypted);
async fn numbers_in_texts_lie_encrypted(app: TestApp) {
    let (group, other) = (group(&app, "咨询", json!({})).await, testing::chat::group(&app, "售后", json!({})).await);
    let points: Vec<&str> = ANSWERS.iter().copied().chain(["chat/client/reveal"]).collect();
    let ben = member(&app, account(&app, "ben", &points).await, "ben", &[&group, &other], json!({})).await;
    let begun = visitor(&app, &group, 1, NUMBER).await;
    let id = begun.conversation(&app).await;
    assert_eq!((app.count(HOLDING_NUMBERS).await, app.count(SEALED).await), (0, 2), "the message, and the last text");
    ben.who.post("/chat/take", json!({"conversationId": id})).await.ok();
    ben.send(id, NUMBER, json!({"note": true})).await.ok();
    ben.who.post("/chat/transfer", json!({"conversationId": id, "groupId": other["id"], "note": NUMBER})).await.ok();
    ben.who.post("/chat/take", json!({"conversationId": id})).await.ok();
    ben.who.post("/chat/close", json!({"conversationId": id, "note": NUMBER})).await.ok();
    assert_eq!(begun.send(&[("rating", "4".to_owned()), ("note", NUMBER.to_owned())]).await.status, 303);
    // With the transfer and the closing in the thread, too.
    assert_eq!((app.count(HOLDING_NUMBERS).await, app.count(SEALED).await), (0, 8));
    let thread = ben.who.get(&format!("/chat/thread?id={id}")).await.ok();
    let closed = &thread["conversation"];
    assert_eq!((&closed["lastText"], &closed["closeNote"], &closed["ratingNote"]), (&json!(MASKED), &json!(MASKED), &json!(MASKED)));
    assert_eq!(thread["transfers"][0]["note"], MASKED);
    assert!(!thread.to_string().contains("13812345678"), "{thread}");
    let whole = revealed(&ben.who, id, "").await;
    assert_eq!((&whole["closeNote"], &whole["ratingNote"]), (&json!(NUMBER), &json!(NUMBER)));
    assert_eq!(whole["transfers"], json!([{"id": thread["transfers"][0]["id"], "text": NUMBER}]));
    let contents = texts_of(&whole["messages"]);
    assert_eq!((contents.len(), contents.iter().filter(|text| text.contains(NUMBER)).count()), (4, 4), "{contents:?}");
    assert!(begun.page().await.contains(NUMBER));

    app.sign_in("admin").await.delete(&format!("/chat/client/{}", closed["customerId"])).await.ok();
    assert_eq!(app.count(SEALED).await, 0, "nothing is left of a customer who is erased");
}

on_both!(numbers_in_remarks_are_sealed_and_those_in_names_masked);
async fn numbers_in_remarks_are_sealed_and_those_in_names_masked(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let points: Vec<&str> = ANSWERS.iter().copied().chain(["chat/client/update"]).collect();
    let amy = member(&app, account(&app, "amy", &points).await, "amy", &[&group], json!({})).await;
    let ben = account(&app, "ben", &points.iter().copied().chain(["chat/client/reveal"]).collect::<Vec<_>>()).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let (id, customer) = (begun.conversation(&app).await, begun.customer(&app).await);
    let path = format!("/chat/client/{customer}");
    let change = async |who: &Actor, remark: &str| {
        let version = ben.get(&path).await.ok()["version"].clone();
        let body =
            json!({"id": customer, "version": version, "nickname": "王 13812345678", "remark": remark, "tags": ["备用 13812345678"]});
        who.put("/chat/client", body).await
    };
    change(&ben, NUMBER).await.ok();
    let shown = |row: &Value| {
        (
            row["nickname"].as_str().unwrap().to_owned(),
            row["remark"].as_str().unwrap().to_owned(),
            row["tags"][0].as_str().unwrap().to_owned(),
        )
    };
    let masked = |remark: &str| ("王 138****5678".to_owned(), remark.to_owned(), "备用 138****5678".to_owned());
    for who in [&ben, &amy.who] {
        assert_eq!(shown(&who.get(&path).await.ok()), masked(MASKED));
        assert_eq!(shown(&who.post("/chat/client/page", json!({})).await.ok()["list"][0]), masked(MASKED));
    }
    let thread = amy.who.get(&format!("/chat/thread?id={id}")).await.ok();
    assert_eq!(thread["customer"]["remark"], MASKED);
    let holding = "SELECT COUNT(*) FROM chat_customer WHERE nickname || remark || tags LIKE '%13812345678%'";
    let in_trail = "SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%13812345678%'";
    assert_eq!((app.count(holding).await, app.count(in_trail).await), (0, 0));
    // What was shown masked comes back masked; other words would lose the number.
    let whole = json!({"phone": null, "remark": NUMBER});
    let reveal = format!("/chat/client/reveal/{customer}");
    amy.who.get(&reveal).await.refused("1003");
    for who in [&amy.who, &ben] {
        change(who, MASKED).await.ok();
        assert_eq!(ben.get(&reveal).await.ok(), whole);
        change(who, "138****5678，回访").await.wrong("remark");
    }
    let seen = format!("/chat/conversation/reveal/{id}");
    let admin = app.sign_in("admin").await;
    assert_eq!(admin.get(&seen).await.ok()["remark"], NUMBER);
    change(&ben, "回访").await.ok();
    change(&amy.who, "已回访").await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_customer WHERE remark = '已回访' AND remark_enc IS NULL").await, 1);
}

on_both!(numbers_in_names_of_files_are_masked);
async fn numbers_in_names_of_files_are_masked(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let id = visitor(&app, &group, 1, "你好").await.conversation(&app).await;
    for path in ["/chat/upload", "/common/upload"] {
        let uploaded = amy.who.upload(path, &[("bizType", "chat_message")], "13812345678.csv", b"a,b\n1,2\n").await.ok();
        assert_eq!(uploaded["name"], "138****5678.csv", "{path}");
        let sent = amy.send(id, "", json!({"fileId": uploaded["id"]})).await.ok();
        assert_eq!((&sent["content"], &sent["file"]["name"]), (&json!("138****5678.csv"), &json!("138****5678.csv")));
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%13812345678%'").await, 0);
}

on_both!(texts_from_before_are_read_and_then_masked);
async fn texts_from_before_are_read_and_then_masked(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let points: Vec<&str> = ANSWERS.iter().copied().chain(["chat/client/reveal"]).collect();
    let ben = member(&app, account(&app, "ben", &points).await, "ben", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, NUMBER).await;
    let id = begun.conversation(&app).await;
    app.execute("UPDATE chat_message SET content = '我的电话 13812345678', content_enc = NULL WHERE direction = 'in'").await;
    app.execute("UPDATE chat_conversation SET last_text = '我的电话 13812345678', last_text_enc = NULL").await;
    app.execute("UPDATE chat_customer SET nickname = '王 13812345678', remark = '我的电话 13812345678'").await;
    let seen = async || {
        for who in [&amy.who, &ben.who] {
            assert_eq!(messages(who, id).await[0]["content"], MASKED);
            assert_eq!(who.get(&format!("/chat/conversation/{id}")).await.ok()["lastText"], MASKED);
        }
        assert_eq!(texts_of(&revealed(&ben.who, id, "").await["messages"]), [NUMBER]);
        assert_eq!(found(&ben.who, json!({"keyword": "13812345678"})).await, [MASKED]);
    };
    seen().await;
    let stopped = CancellationToken::new();
    stopped.cancel();
    assert_eq!(mask(&app.app, &stopped).await.unwrap(), 0, "it is left to the next one");
    assert_eq!(mask(&app.node().await.app, &CancellationToken::new()).await.unwrap(), 4);
    assert_eq!((app.count(HOLDING_NUMBERS).await, app.count(SEALED).await), (0, 2));
    let customers = "SELECT COUNT(*) FROM chat_customer WHERE nickname = '王 138****5678' AND remark = '我的电话 138****5678' AND remark_enc IS NOT NULL";
    assert_eq!(app.count(customers).await, 1);
    seen().await;
    assert_eq!(mask(&app.app, &CancellationToken::new()).await.unwrap(), 0, "it is done today");
}

on_both!(messages_are_searched_for);
async fn messages_are_searched_for(app: TestApp) {
    let (group, other) = (group(&app, "咨询", json!({})).await, testing::chat::group(&app, "售后", json!({})).await);
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let points: Vec<&str> = ANSWERS.iter().copied().chain(["chat/client/reveal"]).collect();
    let ben = member(&app, account(&app, "ben", &points).await, "ben", &[&other], json!({})).await;
    let (first, second) = (visitor(&app, &group, 1, "Hello 100% 利率_低").await, visitor(&app, &other, 2, "hello 13812345678").await);
    let id = first.conversation(&app).await;
    assert_eq!(found(&amy.who, json!({"keyword": " HELLO "})).await, ["Hello 100% 利率_低"]);
    assert_eq!(found(&ben.who, json!({"keyword": "hello"})).await, ["hello 138****5678"]);
    // Signs of patterns are letters here.
    assert_eq!(found(&amy.who, json!({"keyword": "100% 利率_"})).await.len(), 1);
    for nothing in ["1_0", "H%o", "\\", "100%%"] {
        assert_eq!(found(&amy.who, json!({"keyword": nothing})).await, [] as [&str; 0], "{nothing}");
    }
    // Part of a number tells nothing to who may not see it.
    for refused in ["13812", "13812345678", "a13812b"] {
        amy.who.post("/chat/search", json!({"keyword": refused})).await.wrong("keyword");
    }
    assert_eq!(found(&amy.who, json!({"keyword": "1381"})).await, [] as [&str; 0]);
    // By the whole number it is found, and shown masked; each such search is counted and written down.
    assert_eq!(found(&ben.who, json!({"keyword": "13812345678"})).await, ["hello 138****5678"]);
    assert_eq!(found(&ben.who, json!({"keyword": "13800005678"})).await, [] as [&str; 0], "another number of the same mask");
    for hidden in ["13812", "81234", "12345678"] {
        assert_eq!(found(&ben.who, json!({"keyword": hidden})).await, [] as [&str; 0], "{hidden}");
    }
    let searches = "SELECT COUNT(*) FROM operation_log WHERE action = 'search' AND target_type = 'chat_conversation'";
    assert_eq!(app.count(searches).await, 2);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%13812345678%'").await, 0);
    app.set("security.number_searches", json!(2)).await;
    ben.who.post("/chat/search", json!({"keyword": "13900005678"})).await.refused("4029");
    for wrong in ["", "  ", &"长".repeat(51)] {
        amy.who.post("/chat/search", json!({"keyword": wrong})).await.wrong("keyword");
    }
    // What the system wrote and what was recalled is not found; notes are.
    amy.answer(id, "答复一").await;
    assert_eq!(found(&amy.who, json!({"keyword": "taken"})).await, [] as [&str; 0]);
    let slip = amy.answer(id, "答复错").await;
    amy.who.post("/chat/recall", json!({"messageId": slip["id"]})).await.ok();
    amy.send(id, "答复备注", json!({"note": true})).await.ok();
    assert_eq!(found(&amy.who, json!({"keyword": "答复"})).await, ["答复备注", "答复一"]);
    let row = amy.who.post("/chat/search", json!({"keyword": "答复一"})).await.ok()["list"][0].clone();
    assert_eq!((&row["customerName"], &row["conversationId"], &row["direction"]), (&json!("v0001"), &json!(id), &json!("out")));
    // Within one conversation, and on from where an answer ends.
    for number in 0..60 {
        amy.answer(id, &format!("很多 {number:02}")).await;
    }
    let one = amy.who.post("/chat/search", json!({"keyword": "很多", "conversationId": id})).await.ok();
    assert_eq!(one["list"].as_array().unwrap().len(), 50);
    let rest = amy.who.post("/chat/search", json!({"keyword": "很多", "conversationId": id, "before": one["before"]})).await.ok();
    assert_eq!((rest["list"].as_array().unwrap().len(), &rest["before"]), (10, &json!(null)));
    assert_eq!((&one["list"][0]["content"], &rest["list"][9]["content"]), (&json!("很多 59"), &json!("很多 00")));
    assert_eq!(found(&ben.who, json!({"keyword": "很多", "conversationId": id})).await, [] as [&str; 0]);
    assert_eq!(found(&ben.who, json!({"keyword": "hello", "conversationId": second.conversation(&app).await})).await.len(), 1);
}

on_both!(each_sees_the_conversations_of_their_groups);
async fn each_sees_the_conversations_of_their_groups(app: TestApp) {
    let (sales, service) = (group(&app, "咨询", json!({})).await, group(&app, "售后", json!({})).await);
    let (amy, ben) = (staff(&app, "amy", &[&sales], json!({})).await, staff(&app, "ben", &[&service], json!({})).await);
    let all = account(&app, "all", &["chat/conversation/list", "chat/conversation/all"]).await;
    let none = account(&app, "none", &["chat/conversation/list"]).await;
    let (first, second) = (visitor(&app, &sales, 1, "你好").await, visitor(&app, &service, 2, "你好").await);
    let names = async |who: &Actor| {
        let page = who.post("/chat/user/page", json!({"sort": "createdAt", "order": "asc"})).await.ok();
        page["list"].as_array().unwrap().iter().map(|row| row["customerName"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!((names(&amy.who).await, names(&ben.who).await), (vec!["v0001".to_owned()], vec!["v0002".to_owned()]));
    assert_eq!((names(&all).await.len(), names(&none).await.len()), (2, 0));
    let (mine, theirs) = (first.conversation(&app).await, second.conversation(&app).await);
    amy.who.get(&format!("/chat/conversation/{mine}")).await.ok();
    for path in ["/chat/conversation/", "/chat/conversation/history/", "/chat/thread?id=", "/chat/getRecord?conversationId="] {
        amy.who.get(&format!("{path}{theirs}")).await.refused("1004");
        none.get(&format!("{path}{mine}")).await.refused("1004");
        all.get(&format!("{path}{theirs}")).await.ok();
    }
    let events = none.get("/chat/events?after=0&wait=0").await.ok();
    assert_eq!((&events["events"], &events["conversations"]), (&json!([]), &json!([])));
    let me = none.get("/chat/me").await.ok();
    assert_eq!((&me["staffId"], &me["groups"], &me["colleagues"]), (&json!(null), &json!([]), &json!([])));
    // Who sees all groups and answers nobody reads on.
    all.post("/chat/read", json!({"conversationId": mine, "messageId": 1})).await.ok();
    all.post("/chat/send", json!({"conversationId": mine, "clientMsgId": rand_text(), "content": "好"})).await.refused("1003");
    // Without the point for customers a thread tells nothing of them.
    assert_eq!(all.get(&format!("/chat/thread?id={mine}")).await.ok()["customer"], json!(null));
}

/// Every call about conversations and customers, with a body that would be read.
fn calls(app: &TestApp) -> Vec<(Method, &'static str, Value)> {
    let of = json!({"conversationId": 1});
    vec![
        (Method::POST, "/chat/user/page", json!({})),
        (Method::POST, "/chat/user/page/export", json!({"format": "csv"})),
        (Method::GET, "/chat/conversation/1", Value::Null),
        (Method::GET, "/chat/conversation/history/1", Value::Null),
        (Method::GET, "/chat/conversation/reveal/1", Value::Null),
        (Method::GET, "/chat/thread?id=1", Value::Null),
        (Method::GET, "/chat/getRecord?conversationId=1", Value::Null),
        (Method::GET, "/chat/events?after=0&wait=0", Value::Null),
        (Method::GET, "/chat/me", Value::Null),
        (Method::PUT, "/chat/presence", json!({"presence": "online"})),
        (Method::POST, "/chat/search", json!({"keyword": "你"})),
        (Method::GET, "/chat/number/1?from=0&length=11", Value::Null),
        (Method::POST, "/chat/send", json!({"conversationId": 1, "clientMsgId": "12345678", "content": "好"})),
        (Method::POST, "/chat/read", json!({"conversationId": 1, "messageId": 1})),
        (Method::POST, "/chat/recall", json!({"messageId": 1})),
        (Method::POST, "/chat/take", of.clone()),
        (Method::POST, "/chat/transfer", json!({"conversationId": 1, "groupId": 1})),
        (Method::POST, "/chat/snooze", json!({"conversationId": 1, "until": app.now() + MINUTE})),
        (Method::POST, "/chat/priority", json!({"conversationId": 1, "priority": 1})),
        (Method::POST, "/chat/close", json!({"conversationId": 1, "note": ""})),
        (Method::POST, "/chat/reopen", of),
        (Method::POST, "/chat/client/page", json!({})),
        (Method::POST, "/chat/client/page/export", json!({"format": "csv"})),
        (Method::GET, "/chat/client/1", Value::Null),
        (Method::GET, "/chat/client/history/1", Value::Null),
        (Method::GET, "/chat/client/reveal/1", Value::Null),
        (Method::PUT, "/chat/client", json!({"id": 1, "version": 1, "nickname": "x", "remark": "", "tags": []})),
        (Method::PUT, "/chat/client/status", json!({"id": 1, "version": 1, "status": "blocked"})),
        (Method::DELETE, "/chat/client/1", Value::Null),
    ]
}

on_both!(every_call_needs_its_point);
async fn every_call_needs_its_point(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    visitor(&app, &group, 1, "你好").await;
    let (nobody, stranger, manager) = (app.sign_in("nobody").await, app.stranger(), app.sign_in("north.manager").await);
    let reader = staff(&app, "amy", &[&group], json!({})).await;
    let lists = account(&app, "lists", &["chat/conversation/list"]).await;
    for (method, path, body) in calls(&app) {
        let body = (!body.is_null()).then_some(&body);
        stranger.call(method.clone(), path, body).await.refused("2000");
        for who in [&nobody, &manager] {
            who.call(method.clone(), path, body).await.refused("1003");
        }
        // Reading conversations opens nothing else.
        let reads = method == Method::GET && !path.starts_with("/chat/client") && !path.contains("reveal")
            || ["/chat/user/page", "/chat/search", "/chat/read"].contains(&path);
        if !reads {
            lists.call(method.clone(), path, body).await.refused("1003");
        }
        if path.starts_with("/chat/client") && !["/chat/client/page", "/chat/client/1", "/chat/client/history/1"].contains(&path) {
            reader.who.call(method, path, body).await.refused("1003");
        }
    }
}

on_both!(organisations_see_nothing_of_the_chat);
async fn organisations_see_nothing_of_the_chat(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    visitor(&app, &group, 1, "你好").await;
    let before = app.text("SELECT last_text || status || version FROM chat_conversation").await;
    app.execute(
        "INSERT INTO role_menu (role_id, menu_id) SELECT r.id, m.id FROM role r, menu_node m WHERE r.code IN ('org_manager', 'channel_manager') \
         AND m.path LIKE 'chat/%'",
    )
    .await;
    app.execute("UPDATE role SET version = version + 1").await;
    for name in ["north.manager", "channel.manager"] {
        let who = app.sign_in(name).await;
        for (method, path, body) in calls(&app) {
            let answer = who.call(method, path, (!body.is_null()).then_some(&body)).await;
            if path.ends_with("/export") {
                continue;
            }
            match answer.code().as_str() {
                "0000" => {
                    let told = answer.ok();
                    let list = [&told["list"], &told["events"]].into_iter().find(|list| list.is_array());
                    match list {
                        Some(list) => assert_eq!(list, &json!([]), "{name} {path}"),
                        None => assert_eq!((path, &told["staffId"], &told["groups"]), ("/chat/me", &json!(null), &json!([]))),
                    }
                }
                code => assert!(["1003", "1004", "1006"].contains(&code), "{name} {path}: {code}"),
            }
        }
        for path in ["/chat/user/page/export", "/chat/client/page/export"] {
            let file = who.export(path, json!({"format": "csv"})).await;
            assert!(!String::from_utf8_lossy(&file.body).contains("v0001"), "{name} {path}");
        }
    }
    assert_eq!(app.text("SELECT last_text || status || version FROM chat_conversation").await, before);
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_customer WHERE status = 'active'").await, 1);
}
