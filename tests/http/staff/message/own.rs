//! `POST /message/list`, `/message/page`, `/message/read`, `/message/clear`, `GET /message/unread`.

use base::clock::{DAY, HOUR, MINUTE};
use frame::api::say;
use frame::message::{self, Audience, Link, MessageKind, MessageState, NewMessage};
use serde_json::json;

use super::{about, counts, send, titles};
use testing::{TestApp, on_both};

// S3.10 S7.33: the fields that clients of the mock know, with its numbers.
on_both!(a_message_has_the_fields_that_clients_know);
async fn a_message_has_the_fields_that_clients_know(app: TestApp) {
    let operator = app.account("operator").await;
    let link = Link { route: "channelList", query: vec![("keyword", "北 辰".to_owned())] };
    let new = NewMessage {
        sub_title: Some(say("副标题", "Sub title")),
        avatar: Some("/a.png".to_owned()),
        link: Some(link),
        state: Some(MessageState::InProgress),
        ..about("标题", MessageKind::Todo, Audience::Person(operator), app.now())
    };
    let id = send(&app, &new).await;
    let who = app.sign_in("operator").await;
    let list = who.post("/message/page", json!({})).await.ok();
    let expected = json!({
        "id": id, "type": "todo", "title": "标题", "subTitle": "副标题", "avatar": "/a.png", "content": "内容", "time": new.publish_at,
        "status": 0, "messageType": 2, "link": "/channel/list?keyword=%E5%8C%97+%E8%BE%B0", "dueAt": null
    });
    assert_eq!(list["list"], json!([expected]));
    assert_eq!((&list["unread"], &list["next"]), (&counts(0, 0, 1), &json!(null)));
    let english = who.in_english().post("/message/page", json!({"type": "todo"})).await.ok();
    assert_eq!((&english["list"][0]["title"], &english["list"][0]["content"]), (&json!("标题 (en)"), &json!("Content")));
    // Who may not open the page gets no link to it.
    let nobody = app.account("nobody").await;
    send(&app, &NewMessage { audience: Audience::Person(nobody), ..new }).await;
    assert_eq!(app.sign_in("nobody").await.post("/message/page", json!({})).await.ok()["list"][0]["link"], json!(null));
}

on_both!(a_message_leads_to_the_page_of_its_record_or_else_to_the_list);
async fn a_message_leads_to_the_page_of_its_record_or_else_to_the_list(app: TestApp) {
    let auditor = app.account("auditor").await;
    let link = Link { route: "planList", query: vec![("keyword", "PL1".to_owned())] };
    let new = NewMessage {
        link: Some(link),
        biz_type: "plan",
        biz_id: Some(7),
        ..about("计划待审", MessageKind::Todo, Audience::Person(auditor), app.now())
    };
    send(&app, &new).await;
    send(&app, &NewMessage { biz_id: None, ..new }).await;
    let links = async || {
        let list = app.sign_in("auditor").await.post("/message/page", json!({})).await.ok();
        [list["list"][1]["link"].clone(), list["list"][0]["link"].clone()]
    };
    assert_eq!(links().await, [json!("/plan/list/7"), json!("/plan/list?keyword=PL1")]);
    testing::private::withdraw(&app, "auditor", "plan/list/view").await;
    assert_eq!(links().await, [json!("/plan/list?keyword=PL1"), json!("/plan/list?keyword=PL1")], "who may not open the page");
}

// S4.08
on_both!(unread_becomes_read_for_that_person_and_stays);
async fn unread_becomes_read_for_that_person_and_stays(app: TestApp) {
    let id = send(&app, &about("全体", MessageKind::Notice, Audience::All, app.now())).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM message_receipt").await, 0, "sending to everybody writes one row");
    let (one, other) = (app.sign_in("north.sales1").await, app.sign_in("north.sales2").await);
    assert_eq!(one.get("/message/unread").await.ok(), counts(0, 1, 0));
    assert_eq!(one.post("/message/read", json!({"ids": [id]})).await.ok(), counts(0, 0, 0));
    assert_eq!(app.count("SELECT COUNT(*) FROM message_receipt").await, 1);
    let read_at = app.count("SELECT read_at FROM message_receipt").await;
    app.advance(MINUTE);
    one.post("/message/read", json!({"ids": [id]})).await.ok();
    assert_eq!(app.count("SELECT read_at FROM message_receipt").await, read_at, "it was read once");
    assert_eq!(one.post("/message/page", json!({})).await.ok()["list"][0]["status"], 1);
    assert_eq!(other.post("/message/page", json!({})).await.ok()["list"][0]["status"], 0);
    for (status, found) in [(0, 0), (1, 1)] {
        assert_eq!(titles(&one, json!({"status": status})).await.len(), found, "status {status}");
    }
    assert_eq!(other.get("/message/unread").await.ok(), counts(0, 1, 0));
}

// S2.28
on_both!(clearing_hides_for_that_person_only);
async fn clearing_hides_for_that_person_only(app: TestApp) {
    let now = app.now();
    for title in ["一", "二"] {
        send(&app, &about(title, MessageKind::Notice, Audience::All, now)).await;
    }
    let todo = send(&app, &about("三", MessageKind::Todo, Audience::All, now)).await;
    let (one, other) = (app.sign_in("operator").await, app.sign_in("auditor").await);
    assert_eq!(one.post("/message/clear", json!({"type": "notice"})).await.ok(), counts(0, 0, 1));
    assert_eq!(titles(&one, json!({})).await, ["三"]);
    assert_eq!(titles(&other, json!({})).await, ["三", "二", "一"]);
    assert_eq!(one.post("/message/clear", json!({"ids": [todo]})).await.ok(), counts(0, 0, 0));
    assert_eq!(titles(&one, json!({})).await, [""; 0]);
    // What is cleared is not there to be read.
    one.post("/message/read", json!({"ids": [todo]})).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM message_receipt WHERE read_at IS NOT NULL").await, 0);
    send(&app, &about("四", MessageKind::Notice, Audience::All, now)).await;
    assert_eq!(titles(&one, json!({})).await, ["四"], "a new one is shown");
}

on_both!(each_viewer_gets_their_own_messages_alone);
async fn each_viewer_gets_their_own_messages_alone(app: TestApp) {
    let (now, north) = (app.now(), app.organisation("north").await);
    let sales = app.role("org_sales").await;
    let person = app.account("north.sales1").await;
    send(&app, &about("个人", MessageKind::Message, Audience::Person(person), now)).await;
    send(&app, &about("角色", MessageKind::Message, Audience::Role(sales), now)).await;
    send(&app, &NewMessage { org_id: Some(north), ..about("本机构角色", MessageKind::Message, Audience::Role(sales), now) }).await;
    send(&app, &about("机构", MessageKind::Message, Audience::Organisation(north), now)).await;
    send(&app, &about("全体", MessageKind::Message, Audience::All, now)).await;
    for (who, expected) in [
        ("north.sales1", &["全体", "机构", "本机构角色", "角色", "个人"][..]),
        ("north.sales2", &["全体", "机构", "本机构角色", "角色"]),
        ("north.manager", &["全体", "机构"]),
        ("south.sales1", &["全体", "角色"]),
        ("operator", &["全体"]),
    ] {
        assert_eq!(titles(&app.sign_in(who).await, json!({})).await, expected, "{who}");
    }
    // A viewer cannot mark messages of other people.
    let foreign = app.count("SELECT id FROM message WHERE scope = 'person'").await;
    for call in ["/message/read", "/message/clear"] {
        app.sign_in("south.sales1").await.post(call, json!({"ids": [foreign]})).await.ok();
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM message_receipt").await, 0);
    for call in ["/message/page", "/message/read", "/message/clear"] {
        app.stranger().post(call, json!({})).await.refused("2000");
    }
    app.stranger().get("/message/unread").await.refused("2000");
}

on_both!(times_decide_what_is_shown);
async fn times_decide_what_is_shown(app: TestApp) {
    let now = app.now();
    let all = |title, at| about(title, MessageKind::Message, Audience::All, at);
    send(&app, &all("以后", now + 20 * MINUTE)).await;
    send(&app, &NewMessage { expires_at: Some(now + 20 * MINUTE), ..all("到期", now) }).await;
    send(&app, &all("很久以前", now - 181 * DAY)).await;
    send(&app, &NewMessage { kind: MessageKind::Todo, ..all("旧待办", now - 181 * DAY) }).await;
    app.execute("UPDATE administrator SET created_at = 0 WHERE username <> 'auditor'").await;
    let operator = app.sign_in("operator").await;
    assert_eq!(titles(&operator, json!({"type": "message"})).await, ["到期"]);
    assert_eq!(titles(&operator, json!({"type": "todo"})).await, ["旧待办"], "a todo stays until it is done");
    assert_eq!(operator.get("/message/unread").await.ok(), counts(1, 0, 1));
    // An account does not get messages from before it was made.
    app.execute("UPDATE administrator SET created_at = 9000000000000 WHERE username = 'auditor'").await;
    assert_eq!(titles(&app.sign_in("auditor").await, json!({})).await, [""; 0]);
    app.advance(21 * MINUTE);
    assert_eq!(titles(&operator, json!({"type": "message"})).await, ["以后"]);
}

on_both!(messages_are_kept_as_long_as_the_setting_says);
async fn messages_are_kept_as_long_as_the_setting_says(app: TestApp) {
    for (title, kind, days) in [
        ("待办", MessageKind::Todo, 100),
        ("百日前", MessageKind::Notice, 100),
        ("八日前", MessageKind::Message, 8),
        ("六日前", MessageKind::Message, 6),
    ] {
        send(&app, &about(title, kind, Audience::All, app.now() - days * DAY)).await;
    }
    app.execute("UPDATE administrator SET created_at = 0").await;
    let operator = app.sign_in("operator").await;
    assert_eq!(titles(&operator, json!({})).await, ["六日前", "八日前"]);
    app.set("message.keep_days", json!(365)).await;
    assert_eq!(operator.get("/message/unread").await.ok(), counts(2, 1, 1));
    app.set("message.keep_days", json!(7)).await;
    assert_eq!(titles(&operator, json!({})).await, ["六日前"]);
    assert_eq!(titles(&operator, json!({"type": "todo"})).await, ["待办"], "a todo stays until it is done");
    assert_eq!(operator.get("/message/unread").await.ok(), counts(1, 0, 1));
    // What is no longer shown is not there to be read.
    operator.post("/message/read", json!({"type": "message"})).await.ok();
    assert_eq!(app.count("SELECT COUNT(*) FROM message_receipt").await, 1);
}

on_both!(a_todo_is_due_soon_and_gone_when_it_is_done);
async fn a_todo_is_due_soon_and_gone_when_it_is_done(app: TestApp) {
    let now = app.now();
    let todo = |title, id, due| NewMessage {
        biz_id: Some(id),
        due_at: Some(due),
        state: Some(MessageState::NotStarted),
        ..about(title, MessageKind::Todo, Audience::All, now)
    };
    send(&app, &todo("今天", 1, now + HOUR)).await;
    send(&app, &todo("下周", 2, now + 7 * DAY)).await;
    let operator = app.sign_in("operator").await;
    let list = operator.post("/message/page", json!({"type": "todo"})).await.ok();
    let states: Vec<i64> = list["list"].as_array().unwrap().iter().map(|row| row["messageType"].as_i64().unwrap()).collect();
    assert_eq!(states, [0, 3]);
    let mut tx = app.app.db.begin().await.unwrap();
    message::done(&mut tx, "test", 1, app.now()).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(titles(&operator, json!({})).await, ["下周"]);
    assert_eq!(titles(&app.sign_in("north.manager").await, json!({})).await, ["下周"], "done for everybody");
}

// A thousand are as quick to page through as ten, and no answer holds them all.
on_both!(a_thousand_messages_come_in_pages);
async fn a_thousand_messages_come_in_pages(app: TestApp) {
    let id = send(&app, &about("第一条", MessageKind::Message, Audience::All, app.now() - DAY)).await;
    app.execute(
        "INSERT INTO message (type, title_zh, content_zh, biz_type, scope, scope_id, publish_at, created_at, updated_at) \
         WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 999) \
         SELECT m.type, 'n', 'c', 'test', m.scope, m.scope_id, m.publish_at + n / 7, 0, 0 FROM number JOIN message m ON m.title_zh = '第一条'",
    )
    .await;
    let operator = app.sign_in("operator").await;
    assert_eq!(operator.get("/message/unread").await.ok(), counts(100, 0, 0), "counted no further");
    let (mut seen, mut query, mut pages) = (Vec::new(), json!({"pageSize": 100}), 0);
    loop {
        let answer = operator.post("/message/page", query).await.ok();
        let rows = answer["list"].as_array().unwrap().clone();
        assert!(rows.len() <= 100);
        seen.extend(rows.iter().map(|row| row["id"].as_i64().unwrap()));
        pages += 1;
        match answer["next"].as_str() {
            Some(next) => query = json!({"pageSize": "100", "before": next}),
            None => break,
        }
    }
    assert_eq!((pages, seen.len(), seen.last()), (10, 1000, Some(&id)), "each of them once, the oldest last");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 1000);
    assert_eq!(operator.post("/message/read", json!({"type": "message"})).await.ok(), counts(0, 0, 0));
    assert_eq!(app.count("SELECT COUNT(*) FROM message_receipt").await, 1000);
}

// S7.33: the specification's client shows what `/message/list` answers as it is, and sends ids as it likes.
on_both!(the_specifications_client_gets_an_array);
async fn the_specifications_client_gets_an_array(app: TestApp) {
    let operator = app.sign_in("operator").await;
    let id = send(&app, &about("全体", MessageKind::Notice, Audience::All, app.now())).await;
    let list = operator.call(axum::http::Method::POST, "/message/list", None).await.ok();
    assert_eq!((list.as_array().map(Vec::len), &list[0]["title"], &list[0]["status"]), (Some(1), &json!("全体"), &json!(0)));
    assert_eq!(list, operator.post("/message/page", json!({})).await.ok()["list"], "with the fields of the page's rows");
    // X8
    operator.post("/message/read", json!({"ids": [id.to_string()]})).await.ok();
    assert_eq!(operator.post("/message/list", json!({})).await.ok()[0]["status"], 1);
    operator.post("/message/read", json!({"ids": ["x"]})).await.refused("4000");
    operator.post("/message/read", json!({"ids": [id], "status": 1})).await.ok();
}

on_both!(nonsense_is_refused_and_writes_nothing);
async fn nonsense_is_refused_and_writes_nothing(app: TestApp) {
    let operator = app.sign_in("operator").await;
    send(&app, &about("全体", MessageKind::Notice, Audience::All, app.now())).await;
    for query in [
        json!({"type": "letter"}),
        json!({"status": 2}),
        json!({"status": "x"}),
        json!({"before": "yesterday"}),
        json!({"before": "1-2-3"}),
        json!({"before": "9".repeat(40)}),
        json!({"timeFrom": "2026-02-30"}),
        json!({"type": ["notice"]}),
    ] {
        operator.post("/message/page", query).await.refused("4000");
    }
    for nothing in [json!({"type": "", "status": "", "utm": "x"}), json!({"type": [], "before": " ", "timeFrom": null, "pageSize": 0})] {
        assert_eq!(titles(&operator, nothing).await, ["全体"], "what is empty does not filter");
    }
    for call in ["/message/read", "/message/clear"] {
        operator.post(call, json!({})).await.wrong("ids");
        operator.post(call, json!({"ids": vec![1; 201]})).await.wrong("ids");
        for body in [json!({"ids": "1"}), json!({"ids": [1.5]}), json!({"ids": ["1x"]}), json!({"type": "letter"})] {
            operator.post(call, body).await.refused("4000");
        }
        operator.post(call, json!({"ids": []})).await.ok();
        operator.post(call, json!({"ids": [0, -1, 999_999, i64::MAX]})).await.ok();
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM message_receipt").await, 0);
}
