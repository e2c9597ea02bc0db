//! `/talk`: what visitors see and do without an account.

use axum::http::Method;
use futures_util::future::join_all;
use leadlane::clock::{DAY, HOUR, MINUTE};
use serde_json::{Value, json};

use super::{Visitor, account, first, form, group, messages, row, somebody, staff, text, visitor};
use crate::lead::{application, bring, channel, phone};
use crate::plan::begin;
use crate::support::{MULTIPART, TestApp, multipart, on_both};
use crate::upload::png;

const MESSAGES: &str = "SELECT COUNT(*) FROM chat_message WHERE direction = 'in'";
const CUSTOMERS: &str = "SELECT COUNT(*) FROM chat_customer";

fn address(group: &Value) -> String {
    format!("/talk?g={}", group["pageKey"].as_str().unwrap())
}

/// The fields of a first message with one changed; without a value it is left out.
fn changed(field: &str, value: Option<&str>) -> Vec<(&'static str, String)> {
    let mut fields = first(1, "你好");
    match value {
        Some(value) => fields.iter_mut().filter(|(name, _)| *name == field).for_each(|(_, held)| *held = value.to_owned()),
        None => fields.retain(|(name, _)| *name != field),
    }
    fields
}

on_both!(a_visitor_begins_with_consent);
async fn a_visitor_begins_with_consent(app: TestApp) {
    let group = group(&app, "贷款咨询", json!({})).await;
    let page = somebody(&app, 1).ask(Method::GET, &address(&group), Vec::new()).await;
    assert_eq!(page.status, 200);
    assert!(text(&page).contains("贷款咨询") && text(&page).contains("name=\"consent\""), "{}", text(&page));
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    let english = somebody(&app, 1).in_english().ask(Method::GET, &address(&group), Vec::new()).await;
    assert!(text(&english).contains("How can we help?"));

    // What is wrong is said, with what was typed.
    for (number, (field, value, said)) in [
        ("consent", None, "请先勾选同意"),
        ("content", Some("  "), ""),
        ("content", Some(&*"长".repeat(2001)), ""),
        ("nickname", Some(&*"长".repeat(21)), ""),
    ]
    .into_iter()
    .enumerate()
    {
        let refused = form(&somebody(&app, 10 + number as u32), &address(&group), &changed(field, value)).await;
        let shown = text(&refused);
        assert!(refused.status == 200 && shown.contains("role=\"alert\"") && shown.contains(said), "{field}: {shown}");
    }
    let kept = text(&form(&somebody(&app, 20), &address(&group), &changed("consent", None)).await);
    assert!(kept.contains(">你好</textarea>") && kept.contains("value=\"v0001\""), "{kept}");
    // A key that the page did not make.
    for key in ["short", &"/".repeat(32), &"长".repeat(32)] {
        let refused = form(&somebody(&app, 21), &address(&group), &changed("key", Some(key))).await;
        assert_eq!(refused.status, 400, "{key}");
    }
    let (known, unknown) = (app.count(CUSTOMERS).await, somebody(&app, 22));
    assert_eq!(known, 0);
    for address in ["/talk?g=nowhere", "/talk", "/talk?g="] {
        assert_eq!(form(&unknown, address, &first(1, "你好")).await.status, 404, "{address}");
        assert_eq!(unknown.ask(Method::GET, address, Vec::new()).await.status, 404, "{address}");
    }
    assert_eq!(app.count(CUSTOMERS).await, 0);

    visitor(&app, &group, 1, "你好").await;
    assert_eq!((app.count(CUSTOMERS).await, app.count(MESSAGES).await), (1, 1));
    assert!(app.count("SELECT consented_at FROM chat_customer").await > 0);
    // Only a hash of the key is stored.
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_customer WHERE visit_key_hash = '00000000000000000000000000000001'").await, 0);

    let operator = app.sign_in("operator").await;
    operator.put("/chat/group/status", json!({"id": group["id"], "version": group["version"], "status": "disabled"})).await.ok();
    assert_eq!(form(&somebody(&app, 30), &address(&group), &first(2, "你好")).await.status, 404);
    assert_eq!(somebody(&app, 30).ask(Method::GET, &address(&group), Vec::new()).await.status, 404);
    assert_eq!(app.count(CUSTOMERS).await, 1);
}

on_both!(the_same_form_makes_one_visitor_and_one_message);
async fn the_same_form_makes_one_visitor_and_one_message(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let fields = first(1, "你好");
    let (one, other) = (somebody(&app, 1), somebody(&app, 2));
    let address = address(&group);
    for answer in join_all([&one, &other, &one, &other].map(|who| form(who, &address, &fields))).await {
        assert_eq!(answer.status, 303, "{}", text(&answer));
    }
    assert_eq!((app.count(CUSTOMERS).await, app.count(MESSAGES).await), (1, 1));
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_conversation").await, 1);
}

on_both!(a_form_that_is_sent_again_changes_no_closed_conversation);
async fn a_form_that_is_sent_again_changes_no_closed_conversation(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    amy.answer(id, "您好").await;
    amy.who.post("/chat/close", json!({"conversationId": id, "note": "已解答"})).await.ok();
    begun.send(&[("rating", "5".to_owned()), ("note", "好".to_owned())]).await;
    let closed = row(&app, id).await;
    assert_eq!((&closed["status"], &closed["rating"], &closed["closeNote"]), (&json!("resolved"), &json!(5), &json!("已解答")));
    for later in [0, 2 * DAY] {
        app.advance(later);
        let again = form(&somebody(&app, 1), &address(&group), &first(1, "你好")).await;
        assert_eq!(again.status, 303);
        assert_eq!(row(&app, id).await, closed);
    }
    assert_eq!((app.count("SELECT COUNT(*) FROM chat_conversation").await, app.count(MESSAGES).await), (1, 1));
}

on_both!(what_is_too_large_is_refused);
async fn what_is_too_large_is_refused(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let large = "a".repeat(5 * 1024 * 1024);
    let refused = form(&somebody(&app, 1), &address(&group), &first(1, &large)).await;
    assert_eq!(refused.status, 413);
    assert_eq!((app.count(CUSTOMERS).await, app.count(MESSAGES).await), (0, 0));
    let begun = visitor(&app, &group, 2, "你好").await;
    assert_eq!(begun.send(&[("content", large), ("number", super::rand_text())]).await.status, 413);
    assert_eq!(app.count(MESSAGES).await, 1);
}

on_both!(a_visitor_goes_on_in_their_own_thread);
async fn a_visitor_goes_on_in_their_own_thread(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let (one, other) = (visitor(&app, &group, 1, "第一位").await, visitor(&app, &group, 2, "第二位").await);
    one.say("还有一个问题").await;
    let id = one.conversation(&app).await;
    amy.answer(id, "请讲").await;
    let page = one.page().await;
    for shown in ["第一位", "还有一个问题", "请讲", "amy 正在为您服务"] {
        assert!(page.contains(shown), "{shown}: {page}");
    }
    assert!(!page.contains("第二位"));
    assert!(other.page().await.contains("正在为您接入客服"));
    // The same number is the same message.
    let fields = [("content", "一次".to_owned()), ("number", "12345678".to_owned())];
    for _ in 0..2 {
        assert_eq!(one.send(&fields).await.status, 303);
    }
    assert_eq!(one.page().await.matches("一次").count(), 1);
    // What is wrong is said on the page, with what was typed.
    let wrong = one.send(&[("content", "长".repeat(2001)), ("number", super::rand_text())]).await;
    assert!(wrong.status == 200 && text(&wrong).contains("role=\"alert\""));
    assert!(text(&one.send(&[("content", "草稿".to_owned()), ("number", "1".to_owned())]).await).contains("草稿</textarea>"));
    // Another key is nobody's.
    for key in ["9".repeat(32), "x".to_owned(), "长".repeat(32)] {
        let stranger = Visitor { key: serde_urlencoded::to_string([("", &key)]).unwrap()[1..].to_owned(), ..one.clone() };
        for below in ["", "/events?after=0&event=0", "/file/1"] {
            assert_eq!(stranger.get(below).await.status, 404, "{key}{below}");
        }
        assert_eq!(stranger.send(&fields).await.status, 404);
    }
}

on_both!(a_visitor_reads_the_files_of_their_own_thread);
async fn a_visitor_reads_the_files_of_their_own_thread(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let (one, other) = (visitor(&app, &group, 1, "第一位").await, visitor(&app, &group, 2, "第二位").await);
    let id = one.conversation(&app).await;
    let upload = async |name: &str, content: &[u8]| {
        amy.who.upload("/common/upload", &[("bizType", "chat_message")], name, content).await.ok()["id"].as_i64().unwrap()
    };
    let (picture, secret, recalled) = (upload("a.png", &png()).await, upload("b.png", &png()).await, upload("c.png", &png()).await);
    assert_eq!(one.get(&format!("/file/{picture}")).await.status, 404, "it was not sent yet");
    let sent = amy.send(id, "", json!({"fileId": picture})).await.ok();
    assert_eq!((&sent["kind"], &sent["file"]["id"], &sent["content"]), (&json!("image"), &json!(picture), &json!("a.png")));
    amy.send(id, "", json!({"fileId": secret, "note": true})).await.ok();
    let taken_back = amy.send(id, "", json!({"fileId": recalled})).await.ok();
    assert_eq!(one.get(&format!("/file/{recalled}")).await.status, 200);
    amy.who.post("/chat/recall", json!({"messageId": taken_back["id"]})).await.ok();
    let shown = one.get(&format!("/file/{picture}")).await;
    assert_eq!((shown.status.as_u16(), shown.header("content-type"), &shown.body[..]), (200, Some("image/png"), &png()[..]));
    assert!(one.page().await.contains(&format!("/talk/{}/file/{picture}", one.key)));
    for (who, file) in [(&other, picture), (&one, secret), (&one, recalled), (&one, 999_999)] {
        assert_eq!(who.get(&format!("/file/{file}")).await.status, 404, "{file}");
    }
    // A file is sent once, and by who brought it.
    amy.send(id, "", json!({"fileId": picture})).await.wrong("fileId");
    let ben = staff(&app, "ben", &[&group], json!({})).await;
    amy.who.post("/chat/close", json!({"conversationId": id, "note": ""})).await.ok();
    let own = upload("d.png", &png()).await;
    ben.send(other.conversation(&app).await, "", json!({"fileId": own})).await.wrong("fileId");
    // Other staff of the group read it, others do not.
    assert_eq!(ben.who.get(&format!("/common/file/{picture}")).await.body, png());
    let outside = super::group(&app, "售后", json!({})).await;
    let cid = staff(&app, "cid", &[&outside], json!({})).await;
    cid.who.get(&format!("/common/file/{picture}")).await.refused("1004");
}

on_both!(a_visitor_sends_files);
async fn a_visitor_sends_files(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let (one, other) = (visitor(&app, &group, 1, "第一位").await, visitor(&app, &group, 2, "第二位").await);
    let id = one.conversation(&app).await;
    let address = app.stranger().from([10, 7, 9, 9]).with("content-type", MULTIPART);
    let send = async |key: &str, number: &str, name: &str, content: &[u8]| {
        address.ask(Method::POST, &format!("/talk/{key}"), multipart(&[("number", number)], "file", &[(name, content)])).await
    };
    // Sent twice under one number it is one.
    for _ in 0..2 {
        assert_eq!(send(&one.key, "number-1", "身份证.png", &png()).await.status, 303);
    }
    let sent = messages(&amy.who, id).await.pop().unwrap();
    assert_eq!((&sent["kind"], &sent["direction"], &sent["content"]), (&json!("image"), &json!("in"), &json!("身份证.png")));
    let file = sent["file"]["id"].as_i64().unwrap();
    assert_eq!(amy.who.get(&format!("/common/file/{file}")).await.body, png());
    assert_eq!(one.get(&format!("/file/{file}")).await.body, png());
    assert_eq!(other.get(&format!("/file/{file}")).await.status, 404);
    // A file of nothing that is taken, one that is too large, no number, and a thread that does not exist.
    let large = vec![b'a'; 21 * 1024 * 1024];
    for (key, number, name, content) in [
        (one.key.as_str(), "number-2", "a.png", b"<svg/>".as_slice()),
        (&one.key, "number-3", "a.csv", &large),
        (&one.key, "", "a.png", &png()),
        (&"x".repeat(32), "number-4", "a.png", &png()),
    ] {
        assert_ne!(send(key, number, name, content).await.status, 303, "{name}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM file").await, 1);
    // One address sends so many in a minute.
    for number in 0..10 {
        send(&other.key, &format!("another-{number}"), "b.png", &png()).await;
    }
    assert!(app.count("SELECT COUNT(*) FROM file").await < 8);
}

on_both!(what_visitors_write_is_text);
async fn what_visitors_write_is_text(app: TestApp) {
    let script = "<script>alert(1)</script><img src=x onerror=alert(1)>\"'";
    let group = group(&app, "<b>咨询</b>", json!({})).await;
    let begun = visitor(&app, &group, 1, script).await;
    begun.say("</textarea><script>alert(2)</script>").await;
    let wrong = text(&begun.send(&[("content", "</textarea><script>alert(3)</script>".to_owned()), ("number", "1".to_owned())]).await);
    for page in [begun.page().await, wrong] {
        assert!(!page.contains("<script>alert") && !page.contains("<img src=x") && !page.contains("<b>"), "{page}");
        assert!(page.contains("&#60;script&#62;alert(1)") || page.contains("&lt;script&gt;alert(1)"), "{page}");
    }
}

on_both!(a_phone_number_links_a_visitor_with_an_applicant);
async fn a_phone_number_links_a_visitor_with_an_applicant(app: TestApp) {
    begin(&app);
    let partner = channel(&app, json!({})).await;
    let applicant = bring(&app, &partner, "r-1", application(1, json!({}))).await.ok();
    let group = group(&app, "咨询", json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let operator = app.sign_in("operator").await;
    let customer = format!("/chat/client/{}", begun.customer(&app).await);
    assert_eq!(operator.get(&customer).await.ok()["userNo"], json!(null));
    for wrong in ["123", "23812345678", "1381234567x"] {
        let refused = begun.send(&[("phone", wrong.to_owned())]).await;
        assert!(refused.status == 200 && text(&refused).contains("请输入 11 位手机号"), "{wrong}");
    }
    assert_eq!(begun.send(&[("phone", phone(1))]).await.status, 303);
    let linked = operator.get(&customer).await.ok();
    assert_eq!((&linked["userNo"], &linked["phoneMask"]), (&applicant["no"], &json!("100****0001")));
    assert!(begun.page().await.contains("100****0001"));
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_customer WHERE phone_enc LIKE '%10000030001%'").await, 0);
    // The list finds it by the whole number, and by the applicant.
    for filter in [json!({"keyword": phone(1)}), json!({"userId": app.count("SELECT id FROM applicant").await})] {
        assert_eq!(operator.post("/chat/client/page", filter).await.ok()["total"], 1);
    }
    let found = operator.post("/chat/user/page", json!({"keyword": phone(1)})).await.ok();
    assert_eq!(found["list"][0]["customerName"], "v0001");
    assert_eq!(operator.post("/chat/user/page", json!({"keyword": phone(2)})).await.ok()["total"], 0);
}

on_both!(a_closed_conversation_is_rated_once);
async fn a_closed_conversation_is_rated_once(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    amy.answer(id, "您好").await;
    let rate = async |rating: &str, note: &str| begun.send(&[("rating", rating.to_owned()), ("note", note.to_owned())]).await;
    assert!(!begun.page().await.contains("id=\"rating\""));
    assert!(text(&rate("5", "").await).contains("会话未结束或已评价"));
    amy.who.post("/chat/close", json!({"conversationId": id, "note": "已解答"})).await.ok();
    assert!(begun.page().await.contains("id=\"rating\""));
    assert_eq!(begun.news(0).await["asksRating"], true);
    for (rating, note) in [("0", ""), ("6", ""), ("4", &*"长".repeat(201))] {
        assert_eq!(rate(rating, note).await.status, 200);
    }
    assert_eq!(row(&app, id).await["rating"], json!(null));
    assert_eq!(rate("4", "很快，电话 13812345678").await.status, 303);
    assert!(text(&rate("1", "").await).contains("会话未结束或已评价"));
    let rated = row(&app, id).await;
    assert_eq!(
        (&rated["rating"], &rated["ratingNote"], &rated["status"]),
        (&json!(4), &json!("很快，电话 13812345678"), &json!("resolved"))
    );
    let masked = amy.who.get(&format!("/chat/conversation/{id}")).await.ok();
    assert_eq!(masked["ratingNote"], "很快，电话 138****5678");
    assert!(!begun.page().await.contains("id=\"rating\""));
    let operator = app.sign_in("operator").await;
    assert_eq!(operator.post("/chat/user/page", json!({"rating": 4})).await.ok()["total"], 1);
}

on_both!(visitors_write_so_often_and_no_more);
async fn visitors_write_so_often_and_no_more(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let who = somebody(&app, 1);
    for number in 1..=6 {
        let begun = form(&who, &address(&group), &first(number, "你好")).await;
        assert_eq!(begun.status.as_u16(), if number <= 5 { 303 } else { 200 }, "{number}");
    }
    assert_eq!(app.count(CUSTOMERS).await, 5);
    // Others at other addresses still begin.
    let other = visitor(&app, &group, 7, "你好").await;
    for number in 1..=12 {
        let sent = other.send(&[("content", format!("第{number}条")), ("number", super::rand_text())]).await;
        assert_eq!(sent.status.as_u16(), if number <= 10 { 303 } else { 200 }, "{number}");
        assert_eq!(text(&sent).contains("role=\"alert\""), number > 10);
    }
    assert_eq!(app.count(MESSAGES).await, 6 + 10);
    app.advance(MINUTE);
    other.say("再来").await;
    assert_eq!(form(&who, &address(&group), &first(6, "你好")).await.status, 303);
    // Its reading is limited, too.
    let mut refused = 0;
    for _ in 0..70 {
        refused += usize::from(other.get("/events?after=0&event=0").await.status == 429);
    }
    assert!((1..=10).contains(&refused), "{refused}");
}

on_both!(a_blocked_customer_writes_nothing);
async fn a_blocked_customer_writes_nothing(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let id = begun.conversation(&app).await;
    amy.answer(id, "您好").await;
    amy.who.post("/chat/close", json!({"conversationId": id, "note": ""})).await.ok();
    let keeper = account(&app, "keeper", &["chat/client/list", "chat/client/block"]).await;
    let customer = begun.customer(&app).await;
    let blocked = keeper.put("/chat/client/status", json!({"id": customer, "version": 1, "status": "blocked"})).await.ok();
    begun.page().await;
    let (before, events) = (row(&app, id).await, app.count("SELECT number FROM chat_feed").await);
    for fields in [
        vec![("content", "骂".to_owned()), ("number", super::rand_text())],
        vec![("phone", "13812345678".to_owned())],
        vec![("rating", "1".to_owned()), ("note", "差".to_owned())],
    ] {
        let refused = begun.send(&fields).await;
        assert!(refused.status == 200 && text(&refused).contains("暂时无法发送消息"), "{fields:?}");
    }
    let again = form(&somebody(&app, 1), &address(&group), &first(1, "换个说法")).await;
    assert!(text(&again).contains("暂时无法发送消息"));
    assert_eq!(row(&app, id).await, before);
    assert_eq!((app.count(MESSAGES).await, app.count("SELECT number FROM chat_feed").await), (1, events));
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_customer WHERE phone_hash IS NOT NULL").await, 0);
    let page = begun.page().await;
    assert!(page.contains("您好") && !page.contains("id=\"write\""), "{page}");
    // Let in again, they write.
    keeper.put("/chat/client/status", json!({"id": customer, "version": blocked["version"], "status": "active"})).await.ok();
    begun.say("谢谢").await;
    assert_eq!(row(&app, id).await["status"], "queued");
}

on_both!(a_name_is_made_or_masked);
async fn a_name_is_made_or_masked(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    for (number, name) in ["", "我是13812345678"].into_iter().enumerate() {
        let mut fields = first(number as u32, "你好");
        fields.iter_mut().filter(|(field, _)| *field == "nickname").for_each(|(_, held)| *held = name.to_owned());
        assert_eq!(form(&somebody(&app, number as u32), &address(&group), &fields).await.status, 303);
    }
    let page = app.sign_in("operator").await.post("/chat/client/page", json!({"sort": "createdAt", "order": "asc"})).await.ok();
    let names: Vec<&str> = page["list"].as_array().unwrap().iter().map(|row| row["nickname"].as_str().unwrap()).collect();
    assert!(names[0].starts_with("访客"), "{names:?}");
    assert_eq!(names[1], "我是138****5678");
}

on_both!(outside_working_hours_the_page_says_so);
async fn outside_working_hours_the_page_says_so(app: TestApp) {
    begin(&app);
    // A Thursday, ten o'clock.
    let group = group(&app, "咨询", json!({"workingHours": {"4": [[540, 1080]]}})).await;
    let open = text(&somebody(&app, 1).ask(Method::GET, &address(&group), Vec::new()).await);
    assert!(!open.contains("现在是非工作时间"), "{open}");
    let begun = visitor(&app, &group, 1, "你好").await;
    app.advance(12 * HOUR);
    let closed = text(&somebody(&app, 1).ask(Method::GET, &address(&group), Vec::new()).await);
    assert!(closed.contains("现在是非工作时间"));
    assert!(begun.page().await.contains("现在是非工作时间"));
    assert_eq!(begun.news(0).await["state"], "现在是非工作时间，请留言");
}

on_both!(the_scripts_of_the_page_are_served);
async fn the_scripts_of_the_page_are_served(app: TestApp) {
    for path in ["/talk/talk.js", "/talk/embed.js"] {
        let script = app.stranger().ask(Method::GET, path, Vec::new()).await;
        assert_eq!((script.status.as_u16(), script.header("content-type")), (200, Some("text/javascript; charset=utf-8")), "{path}");
    }
}
