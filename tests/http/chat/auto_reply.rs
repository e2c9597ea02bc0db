//! Automatic replies to what visitors write, and how often each was used.

use base::clock::{HOUR, MINUTE};
use serde_json::{Value, json};

use super::row;
use testing::chat::{group, messages, staff, visitor};
use testing::org::with;
use testing::plan::begin;
use testing::{TestApp, on_both};

async fn reply(app: &TestApp, kind: &str, content: &str, changes: Value) -> i64 {
    let form = with(json!({"kind": kind, "content": content}), changes);
    app.sign_in("operator").await.post("/chat/reply", form).await.ok()["id"].as_i64().unwrap()
}

async fn used(app: &TestApp, id: i64) -> Value {
    app.sign_in("operator").await.get(&format!("/chat/reply/{id}")).await.ok()["useCount"].clone()
}

on_both!(automatic_replies_are_sent_and_counted);
async fn automatic_replies_are_sent_and_counted(app: TestApp) {
    begin(&app);
    // A Thursday, ten o'clock.
    let group = group(&app, "咨询", json!({"workingHours": {"4": [[540, 1080]]}})).await;
    let other = testing::chat::group(&app, "售后", json!({})).await;
    let general = reply(&app, "welcome", "欢迎", json!({})).await;
    let own = reply(&app, "welcome", "欢迎来到咨询", json!({"groupId": group["id"]})).await;
    let keyword = reply(&app, "keyword", "年化利率 6%", json!({"keyword": "利率"})).await;
    let exact = reply(&app, "keyword", "人工马上来", json!({"keyword": "HUMAN", "matchMode": "exact"})).await;
    let fallback = reply(&app, "default", "客服稍后回复", json!({})).await;
    let off = reply(&app, "off_hours", "明天九点上班", json!({})).await;
    let elsewhere = reply(&app, "keyword", "别组的回复", json!({"keyword": "你好", "groupId": other["id"]})).await;

    let begun = visitor(&app, &group, 1, "请问利率是多少").await;
    let id = begun.conversation(&app).await;
    let sent = async || {
        let sent = messages(&app.sign_in("operator").await, id).await.into_iter().filter(|message| message["direction"] == "out");
        sent.map(|message| message["content"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(sent().await, ["欢迎来到咨询", "年化利率 6%"]);
    let shown = messages(&app.sign_in("operator").await, id).await;
    assert_eq!((&shown[1]["automatic"], &shown[1]["staffId"], &shown[0]["automatic"]), (&json!(true), &json!(null), &json!(false)));
    assert!(begun.page().await.contains("自动回复"));
    // An automatic reply is no answer.
    let waiting = row(&app, id).await;
    assert_eq!((&waiting["unread"], waiting["waitingSince"].is_number(), &waiting["firstReplyAt"]), (&json!(1), true, &json!(null)));

    begun.say("你好").await;
    begun.say(" human ").await;
    begun.say("human please").await;
    assert_eq!(sent().await[2..], ["客服稍后回复", "人工马上来"], "the default reply once an hour");
    app.advance(HOUR + MINUTE);
    begun.say("还在吗").await;
    assert_eq!(sent().await[4..], ["客服稍后回复"]);
    // Somebody has it: no default reply, but keywords.
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    amy.answer(id, "在的").await;
    begun.say("好").await;
    begun.say("利率?").await;
    assert_eq!(sent().await[5..], ["在的", "年化利率 6%"]);
    // In the evening.
    app.advance(12 * HOUR);
    begun.say("有人吗").await;
    begun.say("有人吗?").await;
    assert_eq!(sent().await[7..], ["明天九点上班"]);
    for (id, count) in [(general, 0), (own, 1), (keyword, 2), (exact, 1), (fallback, 2), (off, 1), (elsewhere, 0)] {
        assert_eq!(used(&app, id).await, count, "{id}");
    }
    // A disabled reply is not sent.
    let operator = app.sign_in("operator").await;
    let stored = operator.get(&format!("/chat/reply/{keyword}")).await.ok();
    operator.put("/chat/reply/status", json!({"id": keyword, "version": stored["version"], "status": "disabled"})).await.ok();
    begun.say("利率").await;
    assert_eq!(sent().await.len(), 8);
}

on_both!(quick_replies_are_listed_and_counted);
async fn quick_replies_are_listed_and_counted(app: TestApp) {
    let (group, other) = (group(&app, "咨询", json!({})).await, testing::chat::group(&app, "售后", json!({})).await);
    let own = reply(&app, "quick", "请留下手机号", json!({"shortcut": "phone", "groupId": group["id"]})).await;
    let general = reply(&app, "quick", "谢谢", json!({"shortcut": "thanks"})).await;
    let elsewhere = reply(&app, "quick", "已退款", json!({"shortcut": "refund", "groupId": other["id"]})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let offered = amy.who.get("/chat/me").await.ok()["quickReplies"].clone();
    let ids: Vec<i64> = offered.as_array().unwrap().iter().map(|reply| reply["id"].as_i64().unwrap()).collect();
    assert_eq!(ids, [own, general]);
    let id = visitor(&app, &group, 1, "你好").await.conversation(&app).await;
    amy.send(id, "请留下手机号", json!({"replyId": own})).await.ok();
    amy.send(id, "没有", json!({"replyId": 999_999})).await.wrong("replyId");
    assert_eq!((used(&app, own).await, used(&app, general).await, used(&app, elsewhere).await), (json!(1), json!(0), json!(0)));
    // A message that came from a quick reply is somebody's, not the program's.
    assert_eq!(messages(&amy.who, id).await.last().unwrap()["automatic"], false);
}
