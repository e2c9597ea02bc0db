//! `/chat/client`: customers, what staff write about them, and how they are erased.

use serde_json::{Value, json};

use super::row;
use testing::chat::{account, group, messages, staff, visitor};
use testing::lead::{application, bring, channel, phone};
use testing::plan::begin;
use testing::upload::png;
use testing::{Actor, TestApp, on_both};

async fn names(who: &Actor, filters: Value) -> Vec<String> {
    let page = who.post("/chat/client/page", filters).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["nickname"].as_str().unwrap().to_owned()).collect()
}

on_both!(customers_are_described_and_listed);
async fn customers_are_described_and_listed(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let operator = app.sign_in("operator").await;
    let mut ids = Vec::new();
    for number in 1..=3 {
        app.advance(1000);
        let begun = visitor(&app, &group, number, "你好").await;
        ids.push((begun.customer(&app).await, begun));
    }
    let form = |changes: Value| {
        testing::org::with(
            json!({"id": ids[0].0, "version": 1, "nickname": " 王先生 ", "remark": " 大客户 ", "tags": ["VIP", " 房贷 ", "VIP", ""]}),
            changes,
        )
    };
    for (changes, field) in [
        (json!({"nickname": ""}), "nickname"),
        (json!({"nickname": "长".repeat(33)}), "nickname"),
        (json!({"remark": "长".repeat(501)}), "remark"),
        (json!({"tags": ["长".repeat(21)]}), "tags"),
        (json!({"tags": (0..21).map(|number| number.to_string()).collect::<Vec<_>>()}), "tags"),
    ] {
        operator.put("/chat/client", form(changes)).await.wrong(field);
    }
    let saved = operator.put("/chat/client", form(json!({}))).await.ok();
    assert_eq!(
        (&saved["nickname"], &saved["remark"], &saved["tags"], &saved["version"]),
        (&json!("王先生"), &json!("大客户"), &json!(["VIP", "房贷"]), &json!(2))
    );
    assert_eq!(operator.put("/chat/client", form(json!({}))).await.refused("1005")["current"]["version"], 2);
    let trail = app.trail("chat_customer", ids[0].0).await;
    let fields: Vec<&str> = trail[0].diff.iter().map(|change| change.field.as_str()).collect();
    assert_eq!(fields, ["nickname", "remark", "tags"]);
    assert_eq!(operator.get(&format!("/chat/client/history/{}", ids[0].0)).await.ok().as_array().unwrap().len(), 1);

    operator.put("/chat/client/status", json!({"id": ids[1].0, "version": 1, "status": "blocked"})).await.ok();
    operator.put("/chat/client/status", json!({"id": ids[1].0, "version": 2, "status": "blocked"})).await.refused("1006");
    operator.put("/chat/client/status", json!({"id": ids[1].0, "version": 2, "status": "erased"})).await.refused("1006");
    for (filters, found) in [
        (json!({"order": "asc", "sort": "createdAt"}), vec!["王先生", "v0002", "v0003"]),
        (json!({"keyword": "v000", "order": "asc", "sort": "nickname"}), vec!["v0002", "v0003"]),
        (json!({"status": "blocked"}), vec!["v0002"]),
        (json!({"tag": "VIP"}), vec!["王先生"]),
        (json!({"tag": "VI"}), vec![]),
        (json!({"tag": "%"}), vec![]),
        (json!({"source": "official_account"}), vec![]),
        (json!({"source": "web", "tag": "房贷"}), vec!["王先生"]),
        (json!({"createdFrom": "2020-01-01", "createdTo": "2020-01-02"}), vec![]),
    ] {
        assert_eq!(names(&operator, filters.clone()).await, found, "{filters}");
    }
    let file = operator.export("/chat/client/page/export", json!({"format": "csv", "tag": "VIP"})).await;
    let text = String::from_utf8_lossy(&file.body).into_owned();
    assert!(text.contains("王先生") && text.contains("VIP, 房贷") && text.contains("网页") && !text.contains("v0002"), "{text}");
    let customer = operator.get(&format!("/chat/client/{}", ids[2].0)).await.ok();
    assert_eq!(
        (&customer["conversations"], &customer["conversationStatus"], &customer["phoneMask"]),
        (&json!(1), &json!("queued"), &json!(""))
    );
    operator.get("/chat/client/999999").await.refused("1004");
    // What a customer does is no change of the record: nobody is refused for it.
    ids[2].1.say("再问").await;
    let form = json!({"id": ids[2].0, "version": 1, "nickname": "李女士", "remark": "", "tags": []});
    operator.put("/chat/client", form).await.ok();
}

on_both!(a_phone_number_is_shown_and_written_down);
async fn a_phone_number_is_shown_and_written_down(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.customer(&app).await;
    let reader = account(&app, "reader", &["chat/client/list", "chat/client/reveal"]).await;
    reader.get(&format!("/chat/client/reveal/{id}")).await.refused("1006");
    begun.send(&[("phone", "13812345678".to_owned())]).await;
    assert_eq!(reader.get(&format!("/chat/client/{id}")).await.ok()["phoneMask"], "138****5678");
    assert_eq!(reader.get(&format!("/chat/client/reveal/{id}")).await.ok(), json!({"phone": "13812345678", "remark": null}));
    let trail = app.trail("chat_customer", id).await;
    assert_eq!((trail.len(), <&str>::from(trail[0].action)), (1, "reveal"));
    reader.get("/chat/client/reveal/999999").await.refused("1004");
}

on_both!(a_customer_is_erased_when_nothing_is_open);
async fn a_customer_is_erased_when_nothing_is_open(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let (begun, other) = (visitor(&app, &group, 1, "我叫王五").await, visitor(&app, &group, 2, "别人").await);
    let (id, customer) = (begun.conversation(&app).await, begun.customer(&app).await);
    amy.answer(id, "王五您好").await;
    let file = amy.who.upload("/common/upload", &[("bizType", "chat_message")], "a.png", &png()).await.ok()["id"].clone();
    amy.send(id, "王五的图", json!({"fileId": file})).await.ok();
    let admin = app.sign_in("admin").await;
    admin.delete(&format!("/chat/client/{customer}")).await.refused("1006");
    amy.who.post("/chat/close", json!({"conversationId": id, "note": "王五"})).await.ok();
    begun.send(&[("rating", "5".to_owned()), ("note", "王五".to_owned())]).await;
    admin.delete(&format!("/chat/client/{customer}")).await.ok();
    let erased = admin.get(&format!("/chat/client/{customer}")).await.ok();
    assert_eq!((&erased["status"], &erased["nickname"], &erased["tags"]), (&json!("erased"), &json!(""), &json!([])));
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_message WHERE content LIKE '%王五%'").await, 0);
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation WHERE last_text || close_note || rating_note LIKE '%王五%'").await, 0);
    assert_eq!(
        app.count("SELECT COUNT(*) FROM file WHERE biz_type = 'chat_message' AND biz_id IS NOT NULL").await,
        0,
        "its files are let go"
    );
    for message in messages(&admin, id).await {
        assert!(message["direction"] != "system" || serde_json::from_str::<Value>(message["content"].as_str().unwrap()).is_ok());
    }
    assert_eq!((begun.get("").await.status.as_u16(), begun.get("/events?after=0&event=0").await.status.as_u16()), (303, 404));
    assert!(other.page().await.contains("别人"));
    // Nothing is done with them any more.
    admin.delete(&format!("/chat/client/{customer}")).await.refused("1006");
    admin.get(&format!("/chat/client/reveal/{customer}")).await.refused("1006");
    admin
        .put("/chat/client", json!({"id": customer, "version": erased["version"], "nickname": "x", "remark": "", "tags": []}))
        .await
        .refused("1006");
    admin.put("/chat/client/status", json!({"id": customer, "version": erased["version"], "status": "active"})).await.refused("1006");
}

// S7.06
on_both!(with_an_applicant_their_customer_is_erased);
async fn with_an_applicant_their_customer_is_erased(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    app.distribute().await;
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let (begun, other) = (visitor(&app, &group, 1, "我是张小三").await, visitor(&app, &group, 2, "我是别人").await);
    begun.send(&[("phone", phone(1))]).await;
    other.send(&[("phone", phone(2))]).await;
    let (id, customer) = (begun.conversation(&app).await, begun.customer(&app).await);
    amy.answer(id, "张小三您好").await;
    begun.say("还在吗").await;
    let admin = app.sign_in("admin").await;
    admin.delete(&format!("/user/{}", app.count("SELECT id FROM applicant").await)).await.ok();
    let erased = admin.get(&format!("/chat/client/{customer}")).await.ok();
    assert_eq!(
        (&erased["status"], &erased["nickname"], &erased["phoneMask"], &erased["userNo"]),
        (&json!("erased"), &json!(""), &json!(""), &json!(null))
    );
    let closed = row(&app, id).await;
    assert_eq!(
        (&closed["status"], &closed["lastText"], &closed["waitingSince"], &closed["unread"]),
        (&json!("resolved"), &json!(""), &json!(null), &json!(0))
    );
    for message in messages(&amy.who, id).await {
        assert!(["", "{}"].contains(&message["content"].as_str().unwrap()), "{message}");
    }
    assert_eq!(
        app.count("SELECT COUNT(*) FROM chat_customer WHERE phone_enc IS NULL AND phone_hash IS NULL AND visit_key_hash IS NULL").await,
        1
    );
    assert_eq!((begun.get("").await.status.as_u16(), begun.get("/events?after=0&event=0").await.status.as_u16()), (303, 404));
    assert!(other.page().await.contains("我是别人"));
}
