//! `/chat/wechat` and `/open/wechat/{id}`: official accounts, what WeChat delivers, and what goes out, against a WeChat that is
//! another server.

use std::time::Duration;

use axum::http::Method;
use base::clock::{DAY, HOUR, MINUTE};
use base::outside::Caller;
use chat::sweep_wechat;
use demo::wechat::{self, AES_KEY, APP_ID, APP_SECRET, TEMPLATE, TOKEN};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use testing::chat::{Staff, group, messages, rand_text, staff};
use testing::org::with;
use testing::upload::png;
use testing::{Actor, TestApp, on_both};

const ANN: &str = "oAnn0000000000000000000001";
const MESSAGES: &str = "SELECT COUNT(*) FROM chat_message WHERE direction = 'in'";

/// WeChat as another server.
struct Wechat {
    address: String,
}

impl Wechat {
    async fn post(&self, path: &str, body: Value) -> Value {
        let address = format!("{}{path}", self.address);
        let (answer, _) = Caller { private: true }.post_json(&address, body.to_string(), None, Duration::from_secs(20)).await;
        serde_json::from_slice(&answer.unwrap().body).unwrap_or(Value::Null)
    }

    async fn faults(&self, faults: Value) {
        self.post("/control", faults).await;
    }

    async fn state(&self) -> Value {
        let request = axum::http::Request::builder().uri(format!("{}/control", self.address)).body(String::new()).unwrap();
        serde_json::from_slice(Caller { private: true }.send(request, Duration::from_secs(20)).await.unwrap().body()).unwrap()
    }

    /// The texts that were sent to customers, in order.
    async fn texts(&self) -> Vec<String> {
        let state = self.state().await;
        state["sent"].as_array().unwrap().iter().map(|message| message["text"]["content"].as_str().unwrap_or("-").to_owned()).collect()
    }

    /// A customer writes or does something; the answers of the deliveries.
    async fn write(&self, openid: &str, kind: &str, text: &str, more: Value) -> Vec<Value> {
        let written = with(json!({"openid": openid, "kind": kind, "text": text}), more);
        self.post("/control/write", written).await.as_array().unwrap().clone()
    }

    /// A customer writes a text, which is taken.
    async fn say(&self, openid: &str, text: &str) {
        assert_eq!(self.write(openid, "text", text, json!({})).await, [json!({"status": 200, "body": "success"})]);
    }
}

fn account_form(group: &Value, changes: Value) -> Value {
    let form = json!({
        "name": "贷款服务号", "appId": APP_ID, "appSecret": APP_SECRET, "token": TOKEN, "groupId": group["id"],
        "templateId": TEMPLATE, "templateField": "thing1", "templateText": "您有新的客服消息",
    });
    with(form, changes)
}

async fn enable(operator: &Actor, row: &Value) -> Value {
    operator.put("/chat/wechat/status", json!({"id": row["id"], "version": row["version"], "status": "enabled"})).await.ok()
}

/// An application with an enabled account of WeChat, and that WeChat. The group's one member of the staff is online.
async fn set_up(app: TestApp, changes: Value) -> (TestApp, Wechat, Value, Staff) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let wechat = Wechat { address: format!("http://{}", listener.local_addr().unwrap()) };
    let app = app.calling_wechat_at(&wechat.address).await;
    let site = app.serve().await;
    tokio::spawn(async move { axum::serve(listener, wechat::router(&site, 1)).await });
    let group = group(&app, "贷款咨询", json!({})).await;
    let operator = app.sign_in("operator").await;
    let row = operator.post("/chat/wechat", account_form(&group, changes)).await.ok();
    let row = enable(&operator, &row).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    amy.presence("online").await;
    (app, wechat, row, amy)
}

/// Sends what is due, until nothing is.
async fn sweep(app: &TestApp) {
    while sweep_wechat(&app.app).await.unwrap() {}
}

// Two nodes send at the same time, and each message goes out once, in order.
on_both!(two_nodes_send_each_message_once);
async fn two_nodes_send_each_message_once(app: TestApp) {
    let (app, wechat, _, amy) = set_up(app, json!({})).await;
    let other = app.node().await;
    for openid in ["oA", "oB", "oC"] {
        wechat.say(openid, "你好").await;
    }
    let ids = app.count("SELECT MIN(id) FROM chat_conversation").await..=conversation(&app).await;
    for text in ["1", "2", "3", "4"] {
        for id in ids.clone() {
            amy.answer(id, text).await;
        }
    }
    for _ in 0..30 {
        let (one, two) = tokio::join!(sweep_wechat(&app.app), sweep_wechat(&other.app));
        if !(one.unwrap() || two.unwrap()) {
            break;
        }
    }
    let state = wechat.state().await;
    for openid in ["oA", "oB", "oC"] {
        let sent = state["sent"].as_array().unwrap().iter().filter(|message| message["touser"] == openid);
        let texts: Vec<&str> = sent.map(|message| message["text"]["content"].as_str().unwrap()).collect();
        assert_eq!(texts, ["1", "2", "3", "4"], "{openid}");
    }
}

async fn conversation(app: &TestApp) -> i64 {
    app.count("SELECT MAX(id) FROM chat_conversation").await
}

/// The state and the reason of each message that went out, in order.
async fn deliveries(who: &Actor, conversation: i64) -> Vec<(String, String, Value)> {
    let list = messages(who, conversation).await.into_iter().filter(|message| !message["delivery"].is_null());
    list.map(|message| {
        let delivery = &message["delivery"];
        (message["content"].as_str().unwrap().to_owned(), delivery["state"].as_str().unwrap().to_owned(), delivery["reason"].clone())
    })
    .collect()
}

on_both!(an_account_is_set_up);
async fn an_account_is_set_up(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let operator = app.sign_in("operator").await;
    let row = operator.post("/chat/wechat", account_form(&group, json!({"encrypted": true, "aesKey": AES_KEY}))).await.ok();
    assert_eq!((&row["status"], &row["encrypted"], &row["followers"]), (&json!("disabled"), &json!(true), &json!(0)));
    assert_eq!(row["callbackPath"], json!(format!("/api/open/wechat/{}", row["id"])));
    // Keys are not shown, nor stored in clear.
    for text in [row.to_string(), app.text("SELECT keys_enc FROM chat_wechat").await] {
        assert!(!text.contains(APP_SECRET) && !text.contains(TOKEN) && !text.contains(AES_KEY), "{text}");
    }
    operator.post("/chat/wechat", account_form(&group, json!({}))).await.wrong("appId");
    for (field, value) in [
        ("appId", json!("gh_123456")),
        ("appSecret", json!("short")),
        ("token", json!("a b")),
        ("aesKey", json!("x")),
        ("groupId", json!(999)),
        ("templateText", json!("长".repeat(21))),
        ("templateField", json!("")),
    ] {
        let form = account_form(&group, with(json!({"appId": "wx0000000000000009"}), json!({field: value})));
        operator.post("/chat/wechat", form).await.wrong(field);
    }

    // Empty keys stay as they are stored.
    let form = json!({"id": row["id"], "version": row["version"], "name": "服务号", "encrypted": true, "groupId": group["id"]});
    let changed = operator.put("/chat/wechat", form.clone()).await.ok();
    assert_eq!((&changed["name"], &changed["templateId"]), (&json!("服务号"), &json!("")));
    operator.put("/chat/wechat", form.clone()).await.refused("1005");
    let keyed = operator.put("/chat/wechat", with(form, json!({"version": changed["version"], "token": "another1"}))).await.ok();
    let id = row["id"].as_i64().unwrap();
    let entry =
        app.trail("chat_wechat", id).await.into_iter().find(|entry| entry.diff.iter().any(|change| change.field == "keys")).unwrap();
    assert!(!json!(entry.diff).to_string().contains("another1") && json!(entry.diff).to_string().contains("token"), "{:?}", entry.diff);

    // A group that an enabled account needs stays in use.
    let enabled = enable(&operator, &keyed).await;
    let group_row = operator.get(&format!("/chat/group/{}", group["id"])).await.ok();
    let disabled = json!({"id": group["id"], "version": group_row["version"], "status": "disabled"});
    operator.put("/chat/group/status", disabled.clone()).await.refused("1006");
    let off = json!({"id": id, "version": enabled["version"], "status": "disabled"});
    let off = operator.put("/chat/wechat/status", off).await.ok();
    operator.put("/chat/group/status", disabled).await.ok();
    operator.put("/chat/wechat/status", json!({"id": id, "version": off["version"], "status": "enabled"})).await.refused("1006");
    operator.delete(&format!("/chat/group/{}", group["id"])).await.refused("1006");

    let page = operator.post("/chat/wechat/page", json!({"keyword": "wx00", "status": "disabled"})).await.ok();
    assert_eq!(page["total"], json!(1));
    let file = operator.export("/chat/wechat/page/export", json!({"format": "csv"})).await;
    assert!(String::from_utf8_lossy(&file.body).contains(APP_ID));
    operator.delete(&format!("/chat/wechat/{id}")).await.ok();
    assert_eq!(app.text("SELECT keys_enc FROM chat_wechat").await, "");
    operator.get(&format!("/chat/wechat/{id}")).await.refused("1004");
}

on_both!(wechat_checks_the_address);
async fn wechat_checks_the_address(app: TestApp) {
    let (app, wechat, row, _) = set_up(app, json!({})).await;
    assert_eq!(row["verifiedAt"], json!(null));
    assert_eq!(wechat.post("/control/check", json!({})).await, json!({"status": 200, "echoed": true}));
    let operator = app.sign_in("operator").await;
    let row = operator.get("/chat/wechat/1").await.ok();
    assert!(row["verifiedAt"].is_i64());
    // The right signature of another time, a wrong one, no account, and a text that is no number.
    let at = app.now() / 1000;
    let signed = |at: i64, token: &str| wechat::signed(token, &at.to_string(), "n1");
    for (path, query) in [
        ("1", format!("signature={}&timestamp={}&nonce=n1&echostr=1", signed(at - 3600, TOKEN), at - 3600)),
        ("1", format!("signature={}&timestamp={at}&nonce=n1&echostr=1", signed(at, "other"))),
        ("1", format!("timestamp={at}&nonce=n1&echostr=1")),
        ("2", format!("signature={}&timestamp={at}&nonce=n1&echostr=1", signed(at, TOKEN))),
        ("1", format!("signature={}&timestamp={at}&nonce=n1&echostr=%3Cscript%3E", signed(at, TOKEN))),
        ("x", String::new()),
    ] {
        let answer = app.stranger().get(&format!("/open/wechat/{path}?{query}")).await;
        assert_ne!(answer.code(), "0000", "{path} {query}");
    }
}

on_both!(a_message_is_taken_once);
async fn a_message_is_taken_once(app: TestApp) {
    let (app, wechat, row, amy) = set_up(app, json!({"encrypted": true, "aesKey": AES_KEY})).await;
    let taken = json!({"status": 200, "body": "success"});
    // In clear nothing is taken where messages are encrypted, and the account says so.
    assert_ne!(wechat.write(ANN, "text", "你好", json!({})).await[0]["body"], json!("success"));
    assert_eq!(app.count(MESSAGES).await, 0);
    let seen = app.sign_in("operator").await.get("/chat/wechat/1").await.ok();
    assert_eq!((&seen["refusal"], seen["refusedAt"].is_i64(), &seen["receivedAt"]), (&json!("not encrypted"), true, &json!(null)));
    let answers = wechat.write(ANN, "text", "利率多少", json!({"encrypted": true, "number": "7001", "times": 3})).await;
    assert_eq!(answers, vec![taken.clone(); 3]);
    assert_eq!((app.count(MESSAGES).await, app.count("SELECT COUNT(*) FROM chat_customer").await), (1, 1));
    for (kind, shown) in [("voice", "[语音]"), ("video", "[视频]"), ("location", "[位置]"), ("link", "[链接]"), ("image", "[图片]")]
    {
        assert_eq!(wechat.write(ANN, kind, "x", json!({"encrypted": true})).await, std::slice::from_ref(&taken), "{kind}");
        let last = messages(&amy.who, conversation(&app).await).await.pop().unwrap();
        assert!(last["content"].as_str().unwrap().starts_with(shown), "{last}");
    }
    let thread = amy.who.get(&format!("/chat/thread?id={}", conversation(&app).await)).await.ok();
    assert_eq!((&thread["conversation"]["source"], &thread["conversation"]["staffId"]), (&json!("official_account"), &json!(amy.id)));
    let operator = app.sign_in("operator").await;
    let followers = operator.post("/chat/client/page", json!({"wechatId": row["id"]})).await.ok();
    assert_eq!((&followers["total"], &operator.get("/chat/wechat/1").await.ok()["followers"]), (&json!(1), &json!(1)));
    operator.delete("/chat/wechat/1").await.refused("1006");

    // A blocked customer's messages are taken from WeChat, and go nowhere. So are those to a disabled account.
    let customer = &followers["list"][0];
    let blocked = json!({"id": customer["id"], "version": customer["version"], "status": "blocked"});
    operator.put("/chat/client/status", blocked).await.ok();
    let before = app.count(MESSAGES).await;
    assert_eq!(wechat.write(ANN, "text", "还在吗", json!({"encrypted": true})).await, std::slice::from_ref(&taken));
    let now = operator.get("/chat/wechat/1").await.ok();
    operator.put("/chat/wechat/status", json!({"id": 1, "version": now["version"], "status": "disabled"})).await.ok();
    assert_eq!(wechat.write("oBen", "text", "你好", json!({"encrypted": true})).await, [taken]);
    assert_eq!(app.count(MESSAGES).await, before);
}

on_both!(what_is_no_message_is_refused);
async fn what_is_no_message_is_refused(app: TestApp) {
    let (app, _, _, _) = set_up(app, json!({})).await;
    let at = (app.now() / 1000).to_string();
    let query = format!("signature={}&timestamp={at}&nonce=n1", wechat::signed(TOKEN, &at, "n1"));
    let bomb = "<!DOCTYPE xml [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;\">]><xml><FromUserName>oA</FromUserName>\
                <MsgType>text</MsgType><Content>&b;</Content></xml>";
    let nameless = "<xml><MsgType>text</MsgType><Content>x</Content></xml>";
    let good = "<xml><FromUserName>oA</FromUserName><MsgType>text</MsgType><Content>x</Content><MsgId>1</MsgId></xml>";
    for (query, body) in [
        (query.as_str(), ""),
        (&query, "{}"),
        (&query, bomb),
        (&query, nameless),
        (&query, &format!("<xml><Content>{}</Content></xml>", "长".repeat(500_000))),
        (&query.replace("signature=", "signature=0"), good),
        (&query.replace("nonce=n1", "nonce=n2"), good),
    ] {
        let answer = app.stranger().send(Method::POST, &format!("/open/wechat/1?{query}"), body.as_bytes().to_vec()).await;
        assert_ne!(String::from_utf8_lossy(&answer.body), "success", "{query} {}", &body[..body.len().min(80)]);
    }
    assert_eq!((app.count(MESSAGES).await, app.count("SELECT COUNT(*) FROM chat_customer").await), (0, 0));
    let answer = app.stranger().send(Method::POST, &format!("/open/wechat/1?{query}"), good.as_bytes().to_vec()).await;
    assert_eq!(String::from_utf8_lossy(&answer.body), "success");
}

on_both!(in_plain_mode_a_signature_stands_for_one_message);
async fn in_plain_mode_a_signature_stands_for_one_message(app: TestApp) {
    let (app, _, _, _) = set_up(app, json!({})).await;
    let other = app.node().await;
    let at = (app.now() / 1000).to_string();
    let query = |nonce: &str| format!("signature={}&timestamp={at}&nonce={nonce}", wechat::signed(TOKEN, &at, nonce));
    let body = |text: &str, number: u32| {
        format!("<xml><FromUserName>oA</FromUserName><MsgType>text</MsgType><Content>{text}</Content><MsgId>{number}</MsgId></xml>")
            .into_bytes()
    };
    let send = async |app: &TestApp, nonce: &str, body: Vec<u8>| {
        let answer = app.stranger().send(Method::POST, &format!("/open/wechat/1?{}", query(nonce)), body).await;
        String::from_utf8_lossy(&answer.body) == "success"
    };
    assert!(send(&app, "n1", body("x", 1)).await);
    // WeChat delivers it again, under the same signature or a new one; it is taken once.
    assert!(send(&other, "n1", body("x", 1)).await && send(&app, "n2", body("x", 1)).await);
    assert!(!send(&app, "n1", body("forged", 2)).await && !send(&other, "n2", body("forged", 2)).await);
    assert_eq!(app.count(MESSAGES).await, 1);
    let seen = app.sign_in("operator").await.get("/chat/wechat/1").await.ok();
    assert_eq!(seen["refusal"], "nonce");
    // The signature of an address check does not stand for a message either.
    app.stranger().get(&format!("/open/wechat/1?{}&echostr=1", query("n3"))).await;
    assert!(!send(&app, "n3", body("forged", 3)).await && send(&app, "n4", body("y", 4)).await);
}

on_both!(answers_go_out_in_order);
async fn answers_go_out_in_order(app: TestApp) {
    let (app, wechat, _, amy) = set_up(app, json!({})).await;
    wechat.say(ANN, "你好").await;
    let id = conversation(&app).await;
    for text in ["一", "二", "三"] {
        amy.answer(id, text).await;
    }
    assert!(deliveries(&amy.who, id).await.iter().all(|(_, state, _)| state == "waiting"));
    // WeChat is busy: nothing is lost, the order is kept, and open pages see that the first waits again.
    wechat.faults(json!({"busy": true})).await;
    let events = app.count("SELECT COUNT(*) FROM chat_event").await;
    sweep(&app).await;
    assert_eq!(wechat.texts().await, [] as [String; 0]);
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_event").await, events + 1);
    wechat.faults(json!({})).await;
    app.advance(MINUTE);
    sweep(&app).await;
    assert_eq!(wechat.texts().await, ["一", "二", "三"]);
    assert!(deliveries(&amy.who, id).await.iter().all(|(_, state, reason)| state == "sent" && reason.is_null()));
    // A note stays here.
    amy.send(id, "内部", json!({"note": true})).await.ok();
    sweep(&app).await;
    assert_eq!(wechat.texts().await.len(), 3);
    // The token that has ended is renewed, and one token serves all.
    assert_eq!(wechat.state().await["tokensGiven"], json!(1));
    wechat.faults(json!({"endTokens": true})).await;
    amy.answer(id, "四").await;
    sweep(&app).await;
    assert_eq!((wechat.texts().await.len(), &wechat.state().await["tokensGiven"]), (4, &json!(2)));
    // WeChat takes five answers until the customer writes.
    for text in ["五", "六"] {
        amy.answer(id, text).await;
    }
    sweep(&app).await;
    let last = deliveries(&amy.who, id).await.pop().unwrap();
    assert_eq!(last, ("六".to_owned(), "failed".to_owned(), json!("count")));
    let row = amy.who.get(&format!("/chat/conversation/{id}")).await.ok();
    assert_eq!(row["answersSent"], json!(5), "what failed does not count");
    assert!(row["waitingSince"].is_i64(), "the customer waits for what did not arrive");
    wechat.say(ANN, "在").await;
    let failed = messages(&amy.who, id).await.into_iter().find(|message| message["content"] == "六").unwrap();
    amy.who.post("/chat/resend", json!({"messageId": failed["id"]})).await.ok();
    sweep(&app).await;
    assert_eq!(wechat.texts().await.last().unwrap(), "六");
    amy.who.post("/chat/resend", json!({"messageId": failed["id"]})).await.refused("1006");
}

on_both!(an_unknown_outcome_is_shown_and_not_repeated);
async fn an_unknown_outcome_is_shown_and_not_repeated(app: TestApp) {
    let (app, wechat, _, amy) = set_up(app, json!({})).await;
    wechat.say(ANN, "你好").await;
    let id = conversation(&app).await;
    amy.answer(id, "一").await;
    sweep(&app).await;
    wechat.faults(json!({"loseAnswers": true})).await;
    let second = amy.answer(id, "二").await;
    sweep(&app).await;
    assert_eq!(deliveries(&amy.who, id).await.pop().unwrap(), ("二".to_owned(), "unknown".to_owned(), json!("no_answer")));
    assert!(super::row(&app, id).await["waitingSince"].is_i64());
    wechat.faults(json!({})).await;
    app.advance(MINUTE);
    sweep(&app).await;
    assert_eq!(wechat.texts().await, ["一", "二"], "it is not sent again by itself");
    // What may have been sent is not recalled.
    amy.who.post("/chat/recall", json!({"messageId": second["id"]})).await.refused("1006");
    amy.who.post("/chat/resend", json!({"messageId": second["id"]})).await.ok();
    sweep(&app).await;
    assert_eq!(wechat.texts().await, ["一", "二", "二"]);

    // A node that was stopped while it sent leaves it unknown; the next message waits for that.
    app.execute("UPDATE chat_wechat_send SET state = 'sending' WHERE message_id = (SELECT MAX(message_id) FROM chat_wechat_send)").await;
    amy.answer(id, "三").await;
    sweep(&app).await;
    assert_eq!(wechat.texts().await.len(), 3);
    app.advance(5 * MINUTE);
    sweep(&app).await;
    assert_eq!(wechat.texts().await.last().unwrap(), "三");
    let states: Vec<String> = deliveries(&amy.who, id).await.into_iter().map(|(_, state, _)| state).collect();
    assert_eq!(states, ["sent", "unknown", "sent"]);

    // One that waits is recalled, and never sent.
    let fourth = amy.answer(id, "四").await;
    amy.who.post("/chat/recall", json!({"messageId": fourth["id"]})).await.ok();
    sweep(&app).await;
    assert_eq!(wechat.texts().await.len(), 4);
}

on_both!(after_48_hours_a_reminder_alone_goes_out);
async fn after_48_hours_a_reminder_alone_goes_out(app: TestApp) {
    let (app, wechat, _, amy) = set_up(app, json!({})).await;
    wechat.say(ANN, "你好").await;
    let id = conversation(&app).await;
    amy.answer(id, "好").await;
    sweep(&app).await;
    let row = amy.who.get(&format!("/chat/conversation/{id}")).await.ok();
    assert_eq!((&row["hasReminder"], row["replyUntil"].as_i64().unwrap() > app.now() + 47 * HOUR), (&json!(true), true));
    amy.send(id, &"长".repeat(700), json!({})).await.wrong("content");
    let early = json!({"conversationId": id, "clientMsgId": rand_text()});
    amy.who.post("/chat/remind", early).await.refused("1006");
    app.advance(2 * DAY);
    let amy = Staff { who: app.sign_in("amy").await, ..amy };
    amy.send(id, "还在吗", json!({})).await.refused("1006");
    amy.send(id, "备注", json!({"note": true})).await.ok();
    let remind = json!({"conversationId": id, "clientMsgId": rand_text()});
    let sent = amy.who.post("/chat/remind", remind.clone()).await.ok();
    assert_eq!(amy.who.post("/chat/remind", remind).await.ok()["id"], sent["id"], "one number is one reminder");
    let another = json!({"conversationId": id, "clientMsgId": rand_text()});
    amy.who.post("/chat/remind", another).await.refused("1006");
    sweep(&app).await;
    let state = wechat.state().await;
    let last = state["sent"].as_array().unwrap().last().unwrap();
    assert_eq!((&last["template_id"], &last["data"]["thing1"]["value"]), (&json!(TEMPLATE), &json!("您有新的客服消息")));
    assert_eq!(deliveries(&amy.who, id).await.pop().unwrap().1, "sent");
    // WeChat reports that it did not arrive.
    let number = state["sent"].as_array().unwrap().len().to_string();
    app.advance(-2 * DAY);
    wechat.write(ANN, "TEMPLATESENDJOBFINISH", "failed:user block", json!({"number": number})).await;
    assert_eq!(deliveries(&amy.who, id).await.pop().unwrap().1, "failed");
}

// S7.31
on_both!(pictures_come_and_go);
async fn pictures_come_and_go(app: TestApp) {
    let (app, wechat, _, amy) = set_up(app, json!({})).await;
    wechat.write(ANN, "image", "", json!({"number": "1"})).await;
    let id = conversation(&app).await;
    let picture = messages(&amy.who, id).await.into_iter().find(|message| message["kind"] == "image").unwrap();
    assert_eq!((&picture["file"], &picture["content"]), (&json!(null), &json!("[图片]")));
    // WeChat does not answer at first.
    wechat.faults(json!({"fail": true})).await;
    sweep(&app).await;
    wechat.faults(json!({})).await;
    app.advance(MINUTE);
    sweep(&app).await;
    let picture = messages(&amy.who, id).await.into_iter().find(|message| message["kind"] == "image").unwrap();
    let file = picture["file"]["id"].as_i64().unwrap();
    let read = amy.who.get(&format!("/common/file/{file}")).await;
    assert_eq!((read.status.as_u16(), read.header("content-type")), (200, Some("image/png")));
    // The file is for those who see the conversation.
    testing::chat::account(&app, "other", testing::chat::ANSWERS).await.get(&format!("/common/file/{file}")).await.refused("1004");

    let uploaded = amy.who.upload("/chat/upload", &[], "a.png", &png()).await.ok();
    amy.send(id, "", json!({"fileId": uploaded["id"]})).await.ok();
    // A picture or a text, not both.
    let both = amy.who.upload("/chat/upload", &[], "b.png", &png()).await.ok();
    amy.send(id, "说明", json!({"fileId": both["id"]})).await.wrong("content");
    let table = amy.who.upload("/chat/upload", &[], "a.csv", b"a,b\n1,2\n").await.ok();
    amy.send(id, "", json!({"fileId": table["id"]})).await.wrong("fileId");
    sweep(&app).await;
    let state = wechat.state().await;
    assert_eq!(state["sent"].as_array().unwrap().last().unwrap()["msgtype"], json!("image"));
    assert_eq!(deliveries(&amy.who, id).await.pop().unwrap().1, "sent");

    // One that WeChat does not have any more is given up.
    wechat.write(ANN, "image", "", json!({"number": "2"})).await;
    app.execute("UPDATE chat_wechat_media SET media_id = 'gone'").await;
    sweep(&app).await;
    assert_eq!(messages(&amy.who, id).await.into_iter().rfind(|message| message["kind"] == "image").unwrap()["content"], "[图片未能获取]");
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_wechat_media").await, 0);
}

on_both!(who_follows_is_welcomed);
async fn who_follows_is_welcomed(app: TestApp) {
    let (app, wechat, _, amy) = set_up(app, json!({"encrypted": true, "aesKey": AES_KEY})).await;
    let operator = app.sign_in("operator").await;
    operator.post("/chat/reply", json!({"kind": "welcome", "content": "欢迎关注"})).await.ok();
    let answers = wechat.write(ANN, "subscribe", "", json!({"encrypted": true})).await;
    assert!(answers[0]["body"].as_str().unwrap().contains("欢迎关注"), "{answers:?}");
    assert_eq!(operator.get("/chat/wechat/1").await.ok()["followers"], json!(1));
    // The welcome is not sent again when they write.
    wechat.write(ANN, "text", "你好", json!({"encrypted": true})).await;
    sweep(&app).await;
    assert_eq!(wechat.texts().await, [] as [String; 0]);
    wechat.write(ANN, "unsubscribe", "", json!({"encrypted": true})).await;
    assert_eq!(operator.get("/chat/wechat/1").await.ok()["followers"], json!(0));

    // An erased customer is not known any more: their next message makes another customer.
    let id = conversation(&app).await;
    amy.answer(id, "您好").await;
    amy.who.post("/chat/close", json!({"conversationId": id, "note": ""})).await.ok();
    operator.delete(&format!("/chat/client/{}", app.count("SELECT MIN(id) FROM chat_customer").await)).await.ok();
    sweep(&app).await;
    assert_eq!(wechat.texts().await, [] as [String; 0], "what waited is not sent");
    wechat.write(ANN, "text", "又来了", json!({"encrypted": true})).await;
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_customer").await, 2);
}

on_both!(keys_are_tried);
async fn keys_are_tried(app: TestApp) {
    let (app, wechat, row, _) = set_up(app, json!({"appSecret": "0".repeat(32)})).await;
    let operator = app.sign_in("operator").await;
    let check = json!({"id": 1});
    let refused = operator.post("/chat/wechat/check", check.clone()).await.ok();
    assert!(refused["tokenError"].as_str().unwrap().contains("40125"), "{refused}");
    // A secret that was refused is not tried again at once.
    let calls = wechat.state().await["calls"].clone();
    operator.post("/chat/wechat/check", check.clone()).await.ok();
    assert_eq!(wechat.state().await["calls"], calls);
    app.advance(2 * MINUTE);
    let form = json!({"id": 1, "version": row["version"], "name": "服务号", "groupId": row["groupId"], "appSecret": APP_SECRET});
    operator.put("/chat/wechat", form).await.ok();
    assert_eq!(operator.post("/chat/wechat/check", check.clone()).await.ok()["tokenError"], json!(""));
    assert!(!app.text("SELECT access_token_enc FROM chat_wechat").await.is_empty());
    wechat.faults(json!({"fail": true})).await;
    assert_eq!(operator.post("/chat/wechat/check", check).await.ok()["tokenError"], json!("no_answer"));
    operator.post("/chat/wechat/check", json!({"id": 2})).await.refused("1004");
}
