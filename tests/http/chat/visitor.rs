//! `/talk`: what visitors see and do without an account.

use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::Method;
use base::clock::{DAY, HOUR, MINUTE};
use base::locale::Locale;
use chat::consent;
use futures_util::future::join_all;
use futures_util::{StreamExt, stream};
use serde_json::json;
use tokio::sync::mpsc;

use super::row;
use testing::chat::{Visitor, account, address, at_page, cookie, first, form, group, guest, messages, staff, text, visitor};
use testing::feedback::sold;
use testing::lead::{application, bring, channel, phone};
use testing::plan::begin;
use testing::upload::png;
use testing::{Actor, MULTIPART, TestApp, multipart, on_both};

const MESSAGES: &str = "SELECT COUNT(*) FROM chat_message WHERE direction = 'in'";
const CUSTOMERS: &str = "SELECT COUNT(*) FROM chat_customer";

/// The fields of a first message with one changed; without a value it is left out.
fn changed(field: &str, value: Option<&str>) -> Vec<(&'static str, String)> {
    let mut fields = first(1, "你好");
    match value {
        Some(value) => fields.iter_mut().filter(|(name, _)| *name == field).for_each(|(_, held)| *held = value.to_owned()),
        None => fields.retain(|(name, _)| *name != field),
    }
    fields
}

on_both!(the_words_that_a_visitor_agreed_to_are_kept);
async fn the_words_that_a_visitor_agreed_to_are_kept(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let operator = app.sign_in("operator").await;
    let agreed = async |visitor: &Visitor| {
        let row = operator.get(&format!("/chat/client/{}", visitor.customer(&app).await)).await.ok();
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        (text("consentLocale"), text("consentText"), text("consentVersion"))
    };
    let words = |locale: Locale| (locale.tag().to_owned(), consent::text(locale).to_owned(), consent::version(locale));
    let chinese = visitor(&app, &group, 1, "你好").await;
    assert_eq!(agreed(&chinese).await, words(Locale::Chinese));

    // The page shows the words with their version, which the form sends back: it says which were read.
    let who = at_page(&guest(&app, 2).in_english(), &group).await;
    let page = text(&who.ask(Method::GET, &address(&group), Vec::new()).await);
    let (_, words_shown, version) = words(Locale::English);
    assert!(page.contains(&format!("name=\"consent\" value=\"{version}\"")) && page.contains(&words_shown), "{page}");
    let mut fields = first(2, "Hello");
    fields.iter_mut().filter(|(name, _)| *name == "consent").for_each(|(_, held)| *held = version.clone());
    assert_eq!(form(&who, &address(&group), &fields).await.status, 303);
    let english = Visitor { who, page: group["pageKey"].as_str().unwrap().to_owned(), name: "v0002".to_owned() };
    assert_eq!(agreed(&english).await, words(Locale::English));

    // What was agreed to stays readable when the page says something else; customers from before have none.
    app.execute("UPDATE chat_consent SET version = 'old', text = 'former words' WHERE locale = 'zh-CN'").await;
    app.execute("UPDATE chat_customer SET consent_version = CASE WHEN id = 1 THEN 'old' END").await;
    visitor(&app, &group, 3, "你好").await;
    assert_eq!(agreed(&chinese).await, ("zh-CN".to_owned(), "former words".to_owned(), "old".to_owned()));
    assert_eq!(agreed(&english).await, Default::default());
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_consent").await, 3);
    let file = text(&operator.export("/chat/client/page/export", json!({"format": "csv"})).await);
    assert!(file.contains("former words") && file.contains(consent::text(Locale::Chinese)), "{file}");
}

on_both!(a_page_that_missed_many_messages_gets_them_all);
async fn a_page_that_missed_many_messages_gets_them_all(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let ann = visitor(&app, &group, 1, "你好").await;
    let first = ann.news(0).await;
    let (begun, event) = (first["lines"][0]["id"].as_i64().unwrap(), first["event"].as_i64().unwrap());
    app.execute(
        "INSERT INTO chat_message (conversation_id, direction, kind, content, client_msg_id, at) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) \
         SELECT c.id, 'out', 'text', '第 ' || CAST(n.i AS TEXT) || ' 条', 'n' || CAST(n.i AS TEXT), c.created_at FROM n CROSS JOIN chat_conversation c \
         ORDER BY n.i",
    )
    .await;
    // Something happened since; without it the page waits.
    ann.say("在吗").await;
    let ids =
        |news: &serde_json::Value| news["lines"].as_array().unwrap().iter().map(|line| line["id"].as_i64().unwrap()).collect::<Vec<_>>();
    let (mut after, mut from, mut got) = (begun, event, Vec::new());
    for lines in [100, 100, 51] {
        let news = ann.get(&format!("/events?after={after}&event={from}")).await;
        let news: serde_json::Value = serde_json::from_slice(&news.body).unwrap();
        let new = ids(&news);
        assert_eq!(new.len(), lines, "{news}");
        assert_eq!(news["last"], json!(new.last()));
        (after, from) = (*new.last().unwrap(), news["event"].as_i64().unwrap());
        got.extend(new);
    }
    assert!(got.windows(2).all(|two| two[0] < two[1]) && got.len() == 251, "all of them, each once");
    assert!(from > event, "then it waits for what happens next");

    // A page that is opened shows the last ones and leads to the earlier ones, with its script and without.
    let page = ann.page().await;
    assert!(page.contains("第 250 条") && !page.contains("第 151 条") && page.contains("id=\"write\""), "{page}");
    let before = got[151];
    assert!(page.contains(&format!("?before={before}\">更早的消息")), "{page}");
    let past = text(&ann.get(&format!("?before={before}")).await);
    assert!(past.contains("第 151 条") && past.contains("第 52 条") && !past.contains("第 51 条") && !past.contains("第 152 条"), "{past}");
    assert!(past.contains("返回最新消息") && !past.contains("id=\"write\""), "nothing is written among earlier messages");
    let past: serde_json::Value = serde_json::from_slice(&ann.get(&format!("/earlier?before={before}")).await.body).unwrap();
    assert_eq!((ids(&past), &past["earlier"]), (got[51..151].to_vec(), &json!(got[51])));
    let past: serde_json::Value = serde_json::from_slice(&ann.get(&format!("/earlier?before={}", got[51])).await.body).unwrap();
    assert_eq!((ids(&past).len(), &past["earlier"], ids(&past)[0]), (52, &json!(null), begun));
    assert!(!text(&ann.get(&format!("?before={}", got[51])).await).contains("更早的消息"));
    // It is the thread of its own browser.
    let bob = visitor(&app, &group, 2, "你好").await;
    let theirs: serde_json::Value = serde_json::from_slice(&bob.get(&format!("/earlier?before={before}")).await.body).unwrap();
    assert_eq!(theirs["lines"], json!([]));
    assert_eq!(
        at_page(&guest(&app, 3), &group).await.ask(Method::GET, &format!("/talk/{}/earlier", ann.page), Vec::new()).await.status,
        404
    );
}

on_both!(a_visitor_begins_with_consent);
async fn a_visitor_begins_with_consent(app: TestApp) {
    let group = group(&app, "贷款咨询", json!({})).await;
    let page = guest(&app, 1).ask(Method::GET, &address(&group), Vec::new()).await;
    assert_eq!(page.status, 200);
    assert!(text(&page).contains("贷款咨询") && text(&page).contains("name=\"consent\""), "{}", text(&page));
    // The server says what is wrong in the language of the page; browsers would say it in theirs.
    assert!(text(&page).contains("id=\"begin\" novalidate"), "{}", text(&page));
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    let english = guest(&app, 1).in_english().ask(Method::GET, &address(&group), Vec::new()).await;
    assert!(text(&english).contains("How can we help?"));

    // What is wrong is said, with what was typed.
    for (number, (field, value, said)) in [
        ("consent", None, "请先勾选同意"),
        ("consent", Some("1"), "同意的内容已更新"),
        ("content", Some("  "), "请填写消息"),
        ("content", Some(&*"长".repeat(2001)), ""),
        ("nickname", Some(&*"长".repeat(21)), "称呼最多 20 个字符"),
    ]
    .into_iter()
    .enumerate()
    {
        let who = at_page(&guest(&app, 10 + number as u32), &group).await;
        let refused = form(&who, &address(&group), &changed(field, value)).await;
        let shown = text(&refused);
        assert!(refused.status == 200 && shown.contains("role=\"alert\"") && shown.contains(said), "{field}: {shown}");
    }
    let kept = text(&form(&at_page(&guest(&app, 20), &group).await, &address(&group), &changed("consent", None)).await);
    assert!(kept.contains(">你好</textarea>") && kept.contains("value=\"v0001\""), "{kept}");
    // Without a cookie nothing begins: the page says why, and keeps what was typed.
    let refused = text(&form(&guest(&app, 21), &address(&group), &first(1, "你好")).await);
    assert!(
        refused.contains("浏览器没有保存 Cookie") && refused.contains("target=\"_blank\"") && refused.contains(">你好</textarea>"),
        "{refused}"
    );
    let (known, unknown) = (app.count(CUSTOMERS).await, guest(&app, 22));
    assert_eq!(known, 0);
    for address in ["/talk?g=nowhere", "/talk", "/talk?g="] {
        assert_eq!(form(&unknown, address, &first(1, "你好")).await.status, 404, "{address}");
        assert_eq!(unknown.ask(Method::GET, address, Vec::new()).await.status, 404, "{address}");
    }
    assert_eq!(app.count(CUSTOMERS).await, 0);

    visitor(&app, &group, 1, "你好").await;
    assert_eq!((app.count(CUSTOMERS).await, app.count(MESSAGES).await), (1, 1));
    assert!(app.count("SELECT consented_at FROM chat_customer").await > 0);

    let operator = app.sign_in("operator").await;
    operator.put("/chat/group/status", json!({"id": group["id"], "version": group["version"], "status": "disabled"})).await.ok();
    assert_eq!(form(&guest(&app, 30), &address(&group), &first(2, "你好")).await.status, 404);
    assert_eq!(guest(&app, 30).ask(Method::GET, &address(&group), Vec::new()).await.status, 404);
    assert_eq!(app.count(CUSTOMERS).await, 1);
}

on_both!(the_same_form_makes_one_visitor_and_one_message);
async fn the_same_form_makes_one_visitor_and_one_message(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let fields = first(1, "你好");
    let one = at_page(&guest(&app, 1), &group).await;
    let other = one.from([10, 7, 0, 2]);
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
        let again = form(&begun.who, &address(&group), &first(1, "你好")).await;
        assert_eq!(again.status, 303);
        assert_eq!(row(&app, id).await, closed);
    }
    assert_eq!((app.count("SELECT COUNT(*) FROM chat_conversation").await, app.count(MESSAGES).await), (1, 1));
}

on_both!(what_is_too_large_is_refused);
async fn what_is_too_large_is_refused(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let large = "a".repeat(5 * 1024 * 1024);
    let refused = form(&at_page(&guest(&app, 1), &group).await, &address(&group), &first(1, &large)).await;
    assert_eq!(refused.status, 413);
    assert_eq!((app.count(CUSTOMERS).await, app.count(MESSAGES).await), (0, 0));
    let begun = visitor(&app, &group, 2, "你好").await;
    assert_eq!(begun.send(&[("content", large), ("number", testing::chat::rand_text())]).await.status, 413);
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
    let wrong = one.send(&[("content", "长".repeat(2001)), ("number", testing::chat::rand_text())]).await;
    assert!(wrong.status == 200 && text(&wrong).contains("role=\"alert\""));
    assert!(text(&one.send(&[("content", "草稿".to_owned()), ("number", "1".to_owned())]).await).contains("草稿</textarea>"));
    // Another browser has no thread here, whatever it says it holds.
    for cookie in ["a=1".to_owned(), format!("talk-{}={}", one.page, "9".repeat(64)), format!("talk-{}=x", one.page)] {
        let who = guest(&app, 3).with("cookie", &cookie);
        let stranger = Visitor { who, ..one.clone() };
        assert_eq!(stranger.get("").await.header("location"), Some(address(&group).as_str()), "{cookie}");
        for below in ["/events?after=0&event=0", "/file/1"] {
            assert_eq!(stranger.get(below).await.status, 404, "{cookie}{below}");
        }
        assert_eq!(stranger.send(&fields).await.status, 404);
    }
}

on_both!(a_thread_opens_in_the_browser_that_began_it_alone);
async fn a_thread_opens_in_the_browser_that_began_it_alone(app: TestApp) {
    let (group, other) = (group(&app, "咨询", json!({})).await, group(&app, "售后", json!({})).await);
    let one = visitor(&app, &group, 1, "你好").await;
    // All visitors have the same address, and it holds nothing of the thread.
    let shown = one.page().await;
    let held = one.who.ask(Method::GET, &format!("/talk/{}", one.page), Vec::new()).await;
    let key = cookie(&held).split_once('=').unwrap().1.to_owned();
    assert!(key.len() == 64 && !shown.contains(&key[..32]), "{shown}");
    let set = held.header("set-cookie").unwrap();
    assert!(set.contains("; HttpOnly; SameSite=Lax; Path=/talk; Max-Age="), "{set}");
    assert_eq!(app.count("SELECT COUNT(*) FROM chat_customer WHERE visit_key_hash IS NOT NULL").await, 1);
    assert!(!app.text("SELECT visit_key_hash FROM chat_customer").await.contains(&key[..32]), "its hash is stored");
    // The page leads back to the thread; a second visit to it replaces nothing.
    let back = one.who.ask(Method::GET, &address(&group), Vec::new()).await;
    assert_eq!(
        (back.status.as_u16(), back.header("location"), back.header("set-cookie")),
        (303, Some(&*format!("/talk/{}", one.page)), None)
    );
    // The key of one page opens nothing at another, and a key in a form is of no account.
    let moved = Visitor {
        who: one.who.with("cookie", &format!("talk-{}={key}", other["pageKey"].as_str().unwrap())),
        page: other["pageKey"].as_str().unwrap().to_owned(),
        ..one.clone()
    };
    assert_eq!(moved.get("/events?after=0&event=0").await.status, 404);
    let mut fields = first(2, "第二位");
    fields.push(("key", key.clone()));
    let second = at_page(&guest(&app, 2), &group).await;
    assert_eq!(form(&second, &address(&group), &fields).await.status, 303);
    assert_eq!(app.count(CUSTOMERS).await, 2);
    assert!(!one.page().await.contains("第二位"));
    // An address of before, with a key in it, opens nothing and says so.
    let old = one.who.ask(Method::GET, &format!("/talk/{}", "A".repeat(32)), Vec::new()).await;
    assert!(old.status == 404 && text(&old).contains("重新打开在线咨询") && old.header("set-cookie").is_none(), "{}", text(&old));
    assert!(text(&old).contains("<h1>") && text(&old).contains("open the chat again"), "a page, in both languages: {}", text(&old));
    assert_eq!(form(&one.who, &format!("/talk/{}", "A".repeat(32)), &[("content", "你好".to_owned())]).await.status, 404);
}

on_both!(forms_of_other_sites_are_refused);
async fn forms_of_other_sites_are_refused(app: TestApp) {
    let group = group(&app, "咨询", json!({"frameSites": ["https://partner.example"]})).await;
    let one = visitor(&app, &group, 1, "你好").await;
    let begins = at_page(&guest(&app, 2), &group).await;
    let (here, thread) = (address(&group), format!("/talk/{}", one.page));
    let fields = || [("content", "我的号码".to_owned()), ("number", testing::chat::rand_text())];
    for (name, value) in
        [("sec-fetch-site", "cross-site"), ("sec-fetch-site", "same-site"), ("origin", "https://evil.example"), ("origin", "null")]
    {
        let (begins, one) = (begins.with("host", "chat.example").with(name, value), one.who.with("host", "chat.example").with(name, value));
        assert_eq!(form(&begins, &here, &first(2, "你好")).await.status, 403, "{name}: {value}");
        assert_eq!(form(&one, &thread, &fields()).await.status, 403, "{name}: {value}");
    }
    assert_eq!((app.count(CUSTOMERS).await, app.count(MESSAGES).await), (1, 1));
    // From the page itself, also where it stands in a frame of the partner's site.
    for (name, value) in [("sec-fetch-site", "same-origin"), ("origin", "https://chat.example")] {
        assert_eq!(
            form(&one.who.with("host", "chat.example").with(name, value).with("sec-fetch-dest", "iframe"), &thread, &fields()).await.status,
            303
        );
    }
    assert_eq!(form(&begins.with("sec-fetch-site", "same-origin"), &here, &first(2, "你好")).await.status, 303);
}

on_both!(a_page_stands_in_frames_of_the_sites_that_its_group_names);
async fn a_page_stands_in_frames_of_the_sites_that_its_group_names(app: TestApp) {
    let app = app.behind(&["10.0.0.1"]).await;
    let own = group(&app, "咨询", json!({})).await;
    let named = group(&app, "贷款", json!({"frameSites": ["https://partner.example", "http://localhost:8080"]})).await;
    let proxy = app.stranger().from([10, 0, 0, 1]).with("x-forwarded-proto", "https").with("sec-fetch-dest", "iframe");
    for (group, ancestors, options) in [
        (&own, "frame-ancestors 'self'", Some("SAMEORIGIN")),
        (&named, "frame-ancestors 'self' https://partner.example http://localhost:8080", None),
    ] {
        let page = proxy.ask(Method::GET, &address(group), Vec::new()).await;
        let policy = page.header("content-security-policy").unwrap();
        assert!(policy.ends_with(ancestors), "{policy}");
        assert_eq!(page.header("x-frame-options"), options);
        let set = page.header("set-cookie").unwrap();
        assert!(set.starts_with("__Secure-talk-") && set.contains("; SameSite=None; Secure; Partitioned; Path=/talk;"), "{set}");
    }
    let one = visitor(&app, &named, 1, "你好").await;
    let thread = one.get("").await;
    assert!(thread.header("content-security-policy").unwrap().contains("https://partner.example"));
    assert_eq!(thread.header("x-frame-options"), None);
    // What is no page of a group stands in no frame.
    let nowhere = app.stranger().ask(Method::GET, "/talk?g=nowhere", Vec::new()).await;
    assert_eq!(nowhere.header("x-frame-options"), Some("DENY"));
}

on_both!(a_thread_that_was_closed_for_days_does_not_open);
async fn a_thread_that_was_closed_for_days_does_not_open(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let (one, open) = (visitor(&app, &group, 1, "你好").await, visitor(&app, &group, 2, "还在").await);
    let id = one.conversation(&app).await;
    amy.answer(id, "您好").await;
    amy.who.post("/chat/close", json!({"conversationId": id, "note": ""})).await.ok();
    app.advance(7 * DAY - MINUTE);
    assert!(one.page().await.contains("您好"));
    app.advance(MINUTE);
    assert!(open.page().await.contains("还在"), "an open one goes on");
    let gone = one.get("").await;
    assert_eq!((gone.status.as_u16(), gone.header("location")), (303, Some(address(&group).as_str())));
    assert_eq!(one.get("/events?after=0&event=0").await.status, 404);
    let fields = [("content", "还有".to_owned()), ("number", testing::chat::rand_text())];
    assert_eq!(one.send(&fields).await.header("location"), Some(address(&group).as_str()));
    let script = Visitor { who: one.who.with("accept", "application/json"), ..one.clone() }.send(&fields).await;
    assert!(text(&script).contains("重新发起咨询"), "{}", text(&script));
    // The page says so and gives a new key, with which a new thread begins.
    let page = one.who.ask(Method::GET, &address(&group), Vec::new()).await;
    assert!(text(&page).contains("重新发起咨询"));
    let stale = form(&one.who, &address(&group), &first(3, "又来了")).await;
    assert!(text(&stale).contains("重新发起咨询") && text(&stale).contains(">又来了</textarea>"));
    let returning = guest(&app, 1).with("cookie", &cookie(&page));
    assert_eq!(form(&returning, &address(&group), &first(3, "又来了")).await.status, 303);
    let shown = Visitor { who: returning, ..one.clone() }.page().await;
    assert!(shown.contains("又来了") && !shown.contains("您好"));
    assert_eq!((app.count(CUSTOMERS).await, app.count(MESSAGES).await), (3, 3));
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
    assert!(one.page().await.contains(&format!("/talk/{}/file/{picture}", one.page)));
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
    let outside = testing::chat::group(&app, "售后", json!({})).await;
    let cid = staff(&app, "cid", &[&outside], json!({})).await;
    cid.who.get(&format!("/common/file/{picture}")).await.refused("1004");
}

on_both!(a_visitor_sends_files);
async fn a_visitor_sends_files(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let (one, other) = (visitor(&app, &group, 1, "第一位").await, visitor(&app, &group, 2, "第二位").await);
    let id = one.conversation(&app).await;
    let send = async |who: &Actor, number: &str, name: &str, content: &[u8]| {
        let form = multipart(&[("number", number)], "file", &[(name, content)]);
        who.from([10, 7, 9, 9]).with("content-type", MULTIPART).ask(Method::POST, &format!("/talk/{}", one.page), form).await
    };
    // Sent twice under one number it is one.
    for _ in 0..2 {
        assert_eq!(send(&one.who, "number-1", "身份证.png", &png()).await.status, 303);
    }
    let sent = messages(&amy.who, id).await.pop().unwrap();
    assert_eq!((&sent["kind"], &sent["direction"], &sent["content"]), (&json!("image"), &json!("in"), &json!("身份证.png")));
    let file = sent["file"]["id"].as_i64().unwrap();
    assert_eq!(amy.who.get(&format!("/common/file/{file}")).await.body, png());
    assert_eq!(one.get(&format!("/file/{file}")).await.body, png());
    assert_eq!(other.get(&format!("/file/{file}")).await.status, 404);
    // A file of nothing that is taken, one that is too large, no number, and a thread that does not exist.
    let large = vec![b'a'; 21 * 1024 * 1024];
    for (who, number, name, content) in [
        (&one.who, "number-2", "a.png", b"<svg/>".as_slice()),
        (&one.who, "number-3", "a.csv", &large),
        (&one.who, "", "a.png", &png()),
        (&app.stranger(), "number-4", "a.png", &png()),
    ] {
        assert_ne!(send(who, number, name, content).await.status, 303, "{name}");
    }
    assert_eq!(app.count("SELECT COUNT(*) FROM file").await, 1);
    // One address sends so many in a minute.
    for number in 0..10 {
        send(&other.who, &format!("another-{number}"), "b.png", &png()).await;
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

on_both!(the_application_of_a_visitor_is_beside_the_conversation);
async fn the_application_of_a_visitor_is_beside_the_conversation(app: TestApp) {
    let sold = sold(&app).await;
    let service = account(&app, "agent", &["chat/conversation/list", "chat/conversation/all", "chat/client/list"]).await;
    let without = account(&app, "reader", &["chat/conversation/list", "chat/conversation/all"]).await;
    let whole =
        app.sign_in("operator").await.get(&format!("/user/reveal/{}", sold.user_id)).await.ok()["phone"].as_str().unwrap().to_owned();
    let group = group(&app, "咨询", json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let path = format!("/chat/application?id={}", begun.conversation(&app).await);
    // Without a phone number there is no application.
    assert_eq!(service.get(&path).await.ok(), json!(null));
    assert_eq!(service.get("/chat/application?id=0").await.ok(), json!(null));
    assert_eq!(begun.send(&[("phone", whole)]).await.status, 303);
    // A number that no code has proved may be another person's: who bought the lead is not shown.
    assert_eq!(service.get(&path).await.ok()["sales"], json!(null));
    app.execute("UPDATE chat_customer SET phone_verified_at = 1").await;
    let card = service.get(&path).await.ok();
    assert_eq!((&card["userId"], &card["status"]), (&json!(sold.user_id), &json!("distributed")), "{card}");
    let sale = &card["sales"][0];
    assert!(sale["orgName"].is_string() && sale["soldAt"].is_i64(), "{card}");
    assert_eq!((&sale["returned"], &sale["nextContactAt"]), (&json!(false), &json!(null)));
    app.execute("UPDATE clue SET next_follow_at = 1769900000000").await;
    assert_eq!(service.get(&path).await.ok()["sales"][0]["nextContactAt"], json!(1_769_900_000_000_i64));
    // Nothing in it identifies the applicant, and viewers who see no customers have no card.
    assert!(!card.to_string().contains("phone") && !card.to_string().contains("name\""), "{card}");
    without.get(&path).await.refused("1003");
    service.get("/chat/application?id=999999").await.refused("1004");
}

on_both!(a_number_in_a_message_leads_to_the_application);
async fn a_number_in_a_message_leads_to_the_application(app: TestApp) {
    let sold = sold(&app).await;
    let points = ["chat/conversation/list", "chat/conversation/all", "chat/client/list"];
    let service = account(&app, "agent", &points).await;
    let opens = account(&app, "opens", &[&points[..], &["user/list/view", "plan/push-list/view"]].concat()).await;
    let operator = app.sign_in("operator").await;
    let whole = operator.get(&format!("/user/reveal/{}", sold.user_id)).await.ok()["phone"].as_str().unwrap().to_owned();
    let no = app.text("SELECT no FROM applicant").await;
    let push = app.text("SELECT no FROM push_record").await;
    let group = group(&app, "咨询", json!({})).await;
    let begun = visitor(&app, &group, 1, &format!("手机 {whole}，{no}，{push}，13800000000")).await;
    let id = begun.conversation(&app).await;
    let message = messages(&service, id).await[0]["id"].as_i64().unwrap();
    let find = async |who: &Actor, before: &str, number: &str| {
        let (from, length) = (before.chars().count(), number.chars().count());
        who.get(&format!("/chat/number/{message}?from={from}&length={length}")).await.ok()
    };
    let (before_no, before_push) = (format!("手机 {whole}，"), format!("手机 {whole}，{no}，"));
    let places = [("手机 ", whole.as_str()), (before_no.as_str(), no.as_str()), (before_push.as_str(), push.as_str())];
    // The number is not proved: without a right to deliveries it is not shown who bought the lead.
    for (before, number) in places {
        let found = find(&service, before, number).await;
        assert_eq!((&found["card"]["userId"], &found["card"]["sales"]), (&json!(sold.user_id), &json!(null)), "{number}: {found}");
        assert_eq!(found["address"], json!(null));
    }
    let applicant = json!(format!("/user/list/{}", sold.user_id));
    let delivery = json!(format!("/plan/push-list/{}", app.count("SELECT id FROM push_record").await));
    for ((before, number), address) in places.into_iter().zip([&applicant, &applicant, &delivery]) {
        assert_eq!(find(&opens, before, number).await["address"], *address, "{number}");
    }
    let other = find(&service, &format!("手机 {whole}，{no}，{push}，"), "13800000000").await;
    assert_eq!((&other["card"], &other["address"]), (&json!(null), &json!(null)));
    service.get(&format!("/chat/number/{message}?from=0&length=2")).await.wrong("from");
    service.get("/chat/number/999999?from=0&length=11").await.refused("1004");
    // Each is counted, and stands in the trail without the whole phone.
    assert_eq!(app.count("SELECT COUNT(*) FROM number_search").await, 7);
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE action = 'search' AND target_type = 'user'").await, 7);
    assert!(whole.starts_with("1000003"), "{whole}");
    assert_eq!(app.count("SELECT COUNT(*) FROM operation_log WHERE diff LIKE '%1000003%'").await, 0);
    // A number that staff wrote is not looked up.
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let note = amy.send(id, &format!("手机 {whole}"), json!({"note": true})).await.ok();
    service.get(&format!("/chat/number/{}?from=3&length=11", note["id"])).await.refused("1004");
    // Conversations of others stay closed.
    let stranger = account(&app, "none", &["chat/conversation/list", "chat/client/list"]).await;
    stranger.get(&format!("/chat/number/{message}?from=3&length=11")).await.refused("1004");
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
        let refused = rate(rating, note).await;
        assert_eq!(refused.status, 200);
        // What was typed stays whole.
        assert!(text(&refused).contains(&format!("value=\"{note}\"")), "{rating}");
        assert!(note.is_empty() || text(&refused).contains("最多 200 个字符，现在有 201 个"));
    }
    assert_eq!(row(&app, id).await["rating"], json!(null));
    assert_eq!(rate("4", "很快，电话 13812345678").await.status, 303);
    assert!(text(&rate("1", "").await).contains("会话未结束或已评价"));
    let rated = row(&app, id).await;
    assert_eq!(
        (&rated["rating"], &rated["ratingNote"], &rated["status"]),
        (&json!(4), &json!("很快，电话 138****5678"), &json!("resolved"))
    );
    assert!(!begun.page().await.contains("id=\"rating\""));
    let whole = app.sign_in("admin").await.get(&format!("/chat/conversation/reveal/{id}")).await.ok();
    assert_eq!(whole["ratingNote"], "很快，电话 13812345678");
    let operator = app.sign_in("operator").await;
    assert_eq!(operator.post("/chat/user/page", json!({"rating": 4})).await.ok()["total"], 1);
}

on_both!(visitors_write_so_often_and_no_more);
async fn visitors_write_so_often_and_no_more(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let who = guest(&app, 1);
    for number in 1..=6 {
        let begun = form(&at_page(&who, &group).await, &address(&group), &first(number, "你好")).await;
        assert_eq!(begun.status.as_u16(), if number <= 5 { 303 } else { 200 }, "{number}");
    }
    assert_eq!(app.count(CUSTOMERS).await, 5);
    // Others at other addresses still begin.
    let other = visitor(&app, &group, 7, "你好").await;
    for number in 1..=12 {
        let sent = other.send(&[("content", format!("第{number}条")), ("number", testing::chat::rand_text())]).await;
        assert_eq!(sent.status.as_u16(), if number <= 10 { 303 } else { 200 }, "{number}");
        assert_eq!(text(&sent).contains("role=\"alert\""), number > 10);
    }
    assert_eq!(app.count(MESSAGES).await, 6 + 10);
    app.advance(MINUTE);
    other.say("再来").await;
    assert_eq!(form(&at_page(&who, &group).await, &address(&group), &first(6, "你好")).await.status, 303);
    // Its reading is limited, too.
    let mut refused = 0;
    for _ in 0..70 {
        refused += usize::from(other.get("/events?after=0&event=0").await.status == 429);
    }
    assert!((1..=10).contains(&refused), "{refused}");
}

on_both!(the_visitors_of_one_network_write_so_often_together);
async fn the_visitors_of_one_network_write_so_often_together(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let mut crowd = Vec::new();
    for number in 1..=5 {
        let one = visitor(&app, &group, number, "你好").await;
        crowd.push(Visitor { who: one.who.from([10, 9, 9, 9]), ..one });
    }
    let write = async |visitor: &Visitor| {
        visitor.send(&[("content", "在吗".to_owned()), ("number", testing::chat::rand_text())]).await.status == 303
    };
    let mut written = 0;
    for one in &crowd {
        for _ in 0..10 {
            written += usize::from(write(one).await);
        }
    }
    // The clock goes on meanwhile: one a second is free again.
    assert!((30..45).contains(&written), "{written}");
    assert!(write(&visitor(&app, &group, 6, "你好").await).await, "another network");
    app.advance(MINUTE);
    assert!(write(&crowd[0]).await);
}

on_both!(a_site_of_ipv6_sends_half_of_a_days_files);
async fn a_site_of_ipv6_sends_half_of_a_days_files(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let thread = format!("/talk/{}", group["pageKey"].as_str().unwrap());
    let send = async |number: u32, address: &str| {
        let who = at_page(&guest(&app, number).at(address), &group).await;
        assert_eq!(form(&who, &self::address(&group), &first(number, "你好")).await.status, 303);
        let sent = multipart(&[("number", "number-1")], "file", &[("a.png", &png())]);
        who.with("content-type", MULTIPART).ask(Method::POST, &thread, sent).await
    };
    for network in 1..=2 {
        assert_eq!(send(network, &format!("2001:db8:1:{network}::1")).await.status, 303);
    }
    app.execute("UPDATE file SET size = CAST(5 AS BIGINT) * 512 * 1024 * 1024").await;
    assert!(text(&send(3, "2001:db8:1:3::1").await).contains("今天接收的文件已达上限"));
    for (number, address) in [(4, "2001:db8:2:3::1"), (5, "10.9.9.9")] {
        assert_eq!(send(number, address).await.status, 303, "{address}");
    }
}

on_both!(a_network_begins_and_sends_so_much_whatever_its_addresses);
async fn a_network_begins_and_sends_so_much_whatever_its_addresses(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let page = address(&group);
    let at = |host: u32| format!("2001:db8:0:7::{host:x}");
    let mut begun = Vec::new();
    for number in 1..=8 {
        let who = at_page(&guest(&app, number).at(&at(number)), &group).await;
        let answer = form(&who, &page, &first(number, "你好")).await;
        assert_eq!(answer.status.as_u16(), if number <= 5 { 303 } else { 200 }, "{number}");
        begun.push(who);
    }
    let other = at_page(&guest(&app, 9).at("2001:db8:0:8::1"), &group).await;
    assert_eq!(form(&other, &page, &first(9, "你好")).await.status, 303, "another network");
    // Files likewise.
    let thread = format!("/talk/{}", group["pageKey"].as_str().unwrap());
    let send = async |who: &Actor, number: u32| {
        let number = format!("number-{number}");
        let sent = multipart(&[("number", &number)], "file", &[("a.png", &png())]);
        who.with("content-type", MULTIPART).ask(Method::POST, &thread, sent).await
    };
    for number in 0..8_u32 {
        let sent = send(&begun[number as usize % 5].at(&at(100 + number)), number).await;
        assert_eq!(sent.status.as_u16(), if number < 5 { 303 } else { 200 }, "{number}");
    }
    assert_eq!(app.count("SELECT COUNT(DISTINCT network_hash) FROM file").await, 1);
    assert_eq!(send(&other, 8).await.status, 303);
    assert_eq!(app.count("SELECT COUNT(DISTINCT network_hash) FROM file").await, 2);
    // A network that has used up its share of the day sends no more; others do.
    app.execute("UPDATE file SET size = 1024 * 1024 * 1024 WHERE id = 1").await;
    app.advance(MINUTE);
    let refused = text(&send(&begun[1].at(&at(300)), 20).await);
    assert!(refused.contains("今天接收的文件已达上限"), "{refused}");
    assert_eq!(send(&other, 21).await.status, 303);
}

on_both!(keys_that_nobody_has_are_counted_by_network);
async fn keys_that_nobody_has_are_counted_by_network(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let network = |host: u32| guest(&app, 1).at(&format!("2001:db8:0:9::{host:x}"));
    let one = at_page(&network(1), &group).await;
    assert_eq!(form(&one, &address(&group), &first(1, "你好")).await.status, 303);
    let thread = format!("/talk/{}", group["pageKey"].as_str().unwrap());
    let mut last = 0;
    for host in 0..70_u32 {
        let guess = format!("talk-{}={host:064}", group["pageKey"].as_str().unwrap());
        last = match host % 2 {
            0 => network(host).ask(Method::GET, &format!("/talk/{host:032}"), Vec::new()).await.status.as_u16(),
            _ => network(host)
                .with("cookie", &guess)
                .ask(Method::GET, &format!("{thread}/events?after=0&event=0"), Vec::new())
                .await
                .status
                .as_u16(),
        };
    }
    assert_eq!(last, 429);
    for unknown in ["/talk?g=nothing", "/talk/nothing", "/talk/nothing/events?after=0&event=0"] {
        let status = network(99).ask(Method::GET, unknown, Vec::new()).await.status.as_u16();
        assert_eq!(status, if unknown.contains("events") { 404 } else { 429 }, "{unknown}");
    }
    // Who has begun goes on, a new visitor of the same network begins, and other networks are free.
    assert_eq!(one.ask(Method::GET, &thread, Vec::new()).await.status, 200);
    assert_eq!(one.ask(Method::GET, &format!("{thread}/events?after=0&event=0"), Vec::new()).await.status, 200);
    let new = at_page(&network(98), &group).await;
    assert_eq!(form(&new, &address(&group), &first(2, "你好")).await.status, 303);
    assert_eq!(new.ask(Method::GET, &thread, Vec::new()).await.status, 200);
    assert_eq!(guest(&app, 2).at("2001:db8:0:a::1").ask(Method::GET, &address(&group), Vec::new()).await.status, 200);
}

// PostgreSQL keeps no NUL.
on_both!(texts_with_nul_are_refused);
async fn texts_with_nul_are_refused(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let new = at_page(&guest(&app, 2), &group).await;
    for path in ["/talk?g=%00", "/talk/%00", "/talk/a%00b", "/talk/%00/events?after=0&event=0", "/talk/%00/file/1"] {
        assert_eq!(new.ask(Method::GET, path, Vec::new()).await.status, 404, "{path}");
    }
    for field in ["nickname", "content", "consent"] {
        let refused = form(&new, &address(&group), &changed(field, Some("a\0b"))).await;
        assert_eq!(refused.status, 400, "{field}");
    }
    let nul = || "a\0b".to_owned();
    for fields in [
        vec![("content", nul()), ("number", testing::chat::rand_text())],
        vec![("content", "你好".to_owned()), ("number", nul())],
        vec![("phone", nul())],
        vec![("code", nul())],
        vec![("rating", "5".to_owned()), ("note", nul())],
    ] {
        assert_eq!(begun.send(&fields).await.status, 400, "{fields:?}");
    }
    for field in ["number", "content"] {
        let sent = multipart(&[(field, "number\0number")], "file", &[("a.png", &png())]);
        let sent = begun.who.with("content-type", MULTIPART).ask(Method::POST, &format!("/talk/{}", begun.page), sent).await;
        assert_eq!(sent.status, 400, "{field}");
    }
    assert_eq!((app.count(CUSTOMERS).await, app.count(MESSAGES).await), (1, 1));
    // A sign that looks like one is text.
    begun.say("100%00").await;
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
        vec![("content", "骂".to_owned()), ("number", testing::chat::rand_text())],
        vec![("phone", "13812345678".to_owned())],
        vec![("rating", "1".to_owned()), ("note", "差".to_owned())],
    ] {
        let refused = begun.send(&fields).await;
        assert!(refused.status == 200 && text(&refused).contains("暂时无法发送消息"), "{fields:?}");
    }
    let again = form(&begun.who, &address(&group), &first(1, "换个说法")).await;
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
        let who = at_page(&guest(&app, number as u32), &group).await;
        assert_eq!(form(&who, &address(&group), &fields).await.status, 303);
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
    let open = text(&guest(&app, 1).ask(Method::GET, &address(&group), Vec::new()).await);
    assert!(!open.contains("现在是非工作时间") && open.contains("服务时间：周四 09:00–18:00"), "{open}");
    let begun = visitor(&app, &group, 1, "你好").await;
    app.advance(12 * HOUR);
    let closed = text(&guest(&app, 1).ask(Method::GET, &address(&group), Vec::new()).await);
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

/// A form with a file whose end never comes, and that it is waited for.
fn unending(waits: mpsc::UnboundedSender<()>) -> Body {
    let form = multipart(&[("number", "number-slow")], "file", &[("a.png", &png())]);
    let beginning = Bytes::from(form[..form.len() - 60].to_vec());
    let end = async move {
        waits.send(()).unwrap();
        std::future::pending::<Result<Bytes, std::io::Error>>().await
    };
    Body::from_stream(stream::once(std::future::ready(Ok(beginning))).chain(stream::once(end)))
}

// A network has three files on their way at most, and one that does not come ends within seconds.
on_both!(files_that_do_not_come_leave_places_to_others);
async fn files_that_do_not_come_leave_places_to_others(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let (one, other) = (visitor(&app, &group, 1, "第一位").await, visitor(&app, &group, 2, "第二位").await);
    let sender = |who: &Actor| who.with("content-type", MULTIPART);
    let thread = format!("/talk/{}", one.page);
    let (waits, mut waiting) = mpsc::unbounded_channel();
    let slow: Vec<_> = (0..3)
        .map(|_| {
            let (who, thread, body) = (sender(&one.who), thread.clone(), unending(waits.clone()));
            tokio::spawn(async move { who.ask_with(Method::POST, &thread, body).await })
        })
        .collect();
    for _ in 0..3 {
        waiting.recv().await.unwrap();
    }
    let whole = |number: &str| multipart(&[("number", number)], "file", &[("a.png", &png())]);
    let refused = sender(&one.who).ask(Method::POST, &thread, whole("number-1")).await;
    assert!(refused.status == 200 && text(&refused).contains("请稍后再试"), "{}", text(&refused));
    assert_eq!(sender(&other.who).ask(Method::POST, &thread, whole("number-2")).await.status, 303, "another network");
    for answer in tokio::time::timeout(Duration::from_secs(25), join_all(slow)).await.expect("they are given up") {
        assert_eq!(answer.unwrap().status, 503);
    }
    assert_eq!(sender(&one.who).ask(Method::POST, &thread, whole("number-3")).await.status, 303, "its places are free again");
}
