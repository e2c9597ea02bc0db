//! `GET /chat/events`: what happened after a number, by polls and as a stream, on one node and on others.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::body::{Body, BodyDataStream};
use axum::extract::ConnectInfo;
use axum::http::{HeaderValue, Request};
use base::clock::{DAY, MINUTE};
use chat::Feed;
use futures_util::StreamExt;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::row;
use testing::chat::{ANSWERS, Staff, Visitor, account, group, member, rand_text, staff, visitor};
use testing::{Actor, TestApp, on_both};

async fn number(app: &TestApp) -> i64 {
    app.count("SELECT number FROM chat_feed").await
}

async fn events(who: &Actor, after: i64) -> Value {
    who.get(&format!("/chat/events?after={after}&wait=0")).await.ok()
}

/// Numbers of events.
fn numbers(events: &[Value]) -> Vec<i64> {
    events.iter().map(|event| event["number"].as_i64().unwrap()).collect()
}

/// Numbers that look random and are the same each time.
struct Chance(u64);

impl Chance {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

/// Does something with a conversation, by somebody of a node. Refusals are part of it.
async fn act(chance: &mut Chance, node: &TestApp, staff: &[Staff], visitors: &[Visitor], groups: &[Value]) {
    let begun = &visitors[chance.below(visitors.len())];
    let id = begun.conversation(node).await;
    let who = &staff[chance.below(staff.len())];
    let of = json!({"conversationId": id});
    let (path, body) = match chance.below(14) {
        0..=3 => {
            let said = begun.send(&[("content", format!("问题 {}", rand_text())), ("number", rand_text())]).await;
            assert!([200, 303].contains(&said.status.as_u16()), "{}", said.status);
            return;
        }
        4..=6 => ("/chat/send", json!({"conversationId": id, "clientMsgId": rand_text(), "content": "答复"})),
        7 => ("/chat/send", json!({"conversationId": id, "clientMsgId": rand_text(), "content": "备注", "note": true})),
        8 => ("/chat/take", of),
        9 => ("/chat/close", json!({"conversationId": id, "note": ""})),
        10 => ("/chat/reopen", of),
        11 => ("/chat/snooze", json!({"conversationId": id, "until": node.now() + MINUTE})),
        12 => ("/chat/priority", json!({"conversationId": id, "priority": chance.below(4)})),
        _ => ("/chat/transfer", json!({"conversationId": id, "groupId": groups[chance.below(groups.len())]["id"]})),
    };
    let code = who.who.post(path, body).await.code();
    assert!(["0000", "1003", "1004", "1006"].contains(&code.as_str()), "{path}: {code}");
}

/// Follows the events of a node until nothing comes after the work is done: all of them, and each conversation as it was
/// seen last.
async fn follow(who: &Actor, from: i64, done: &CancellationToken) -> (Vec<Value>, std::collections::BTreeMap<i64, Value>) {
    let (mut after, mut all, mut rows) = (from, Vec::new(), std::collections::BTreeMap::new());
    loop {
        let last = done.is_cancelled();
        let news = who.get(&format!("/chat/events?after={after}&wait=50")).await.ok();
        assert_eq!((&news["reset"], &news["gone"]), (&json!(false), &json!([])));
        after = news["next"].as_i64().unwrap();
        for row in news["conversations"].as_array().unwrap() {
            rows.insert(row["id"].as_i64().unwrap(), row.clone());
        }
        let found = news["events"].as_array().unwrap();
        all.extend(found.iter().cloned());
        if last && found.is_empty() {
            return (all, rows);
        }
    }
}

on_both!(after_a_number_nothing_is_missing_or_doubled);
async fn after_a_number_nothing_is_missing_or_doubled(app: TestApp) {
    let groups = [group(&app, "咨询", json!({})).await, group(&app, "售后", json!({"assignMode": "least_busy"})).await];
    let points: Vec<&str> = ANSWERS.iter().copied().chain(["chat/conversation/assign"]).collect();
    let all: Vec<&Value> = groups.iter().collect();
    for name in ["amy", "ben"] {
        member(&app, account(&app, name, &points).await, name, &all, json!({"maxOpen": 3})).await.presence("online").await;
    }
    let mut visitors = Vec::new();
    for number in 1..=6 {
        visitors.push(visitor(&app, &groups[number as usize % 2], number, "你好").await);
    }
    let from = number(&app).await;
    let nodes = [app.node().await, app.node().await];
    let done = CancellationToken::new();
    let work = |seed: u64| {
        let (node, groups, visitors) = (&nodes[seed as usize % 2], &groups, &visitors);
        async move {
            let mut chance = Chance(seed);
            let mut staff = Vec::new();
            for name in ["amy", "ben"] {
                let who = node.sign_in(name).await;
                let id = who.get("/chat/me").await.ok()["staffId"].as_i64().unwrap();
                staff.push(Staff { who, id });
            }
            for _ in 0..100 {
                act(&mut chance, node, &staff, visitors, groups).await;
            }
        }
    };
    let all_work = async {
        tokio::join!(work(1), work(2));
        done.cancel();
    };
    let (here, there) = (nodes[0].sign_in("operator").await, nodes[1].sign_in("operator").await);
    let ((), (one, one_rows), (other, other_rows)) = tokio::join!(all_work, follow(&here, from, &done), follow(&there, from, &done));
    let expected: Vec<i64> = (from + 1..=number(&app).await).collect();
    assert!(expected.len() > 100, "{}", expected.len());
    assert_eq!(numbers(&one), expected);
    assert_eq!(numbers(&other), expected);
    // What was read last is how things stand.
    for rows in [one_rows, other_rows] {
        for (id, known) in rows {
            assert_eq!(known, row(&app, id).await);
        }
    }
    // Read again from anywhere, in pieces, it is the same.
    let after = from + expected.len() as i64 / 3;
    assert_eq!(numbers(events(&here, after).await["events"].as_array().unwrap())[..50], expected[expected.len() / 3..][..50]);
    // No staff had more conversations at once than they may; those that were taken by hand count, too.
    assert!(
        app.count("SELECT COUNT(*) FROM chat_event e WHERE NOT EXISTS (SELECT 1 FROM chat_conversation c WHERE c.id = e.conversation_id)")
            .await
            == 0
    );
}

on_both!(a_wait_ends_when_something_happens);
async fn a_wait_ends_when_something_happens(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let node = app.node().await;
    let stop = CancellationToken::new();
    let listening = tokio::spawn(chat::listen(node.app.clone(), stop.clone()));
    // On the node where it happens, and on another.
    for who in [app.sign_in("amy").await, node.sign_in("amy").await] {
        let after = number(&app).await;
        let path = format!("/chat/events?after={after}&wait=20000");
        let writes = async {
            tokio::time::sleep(Duration::from_millis(100)).await;
            begun.say("还在吗").await;
            Instant::now()
        };
        let reads = async { (who.get(&path).await.ok(), Instant::now()) };
        let ((news, read_at), written_at) = tokio::join!(reads, writes);
        assert!(read_at.saturating_duration_since(written_at) < Duration::from_secs(5));
        assert_eq!(news["events"][0]["message"]["content"], "还在吗");
        assert_eq!(news["conversations"][0]["lastText"], "还在吗");
    }
    // The visitor's page learns of an answer as soon.
    let last = begun.news(0).await;
    let path = format!("/events?after={}&event={}", last["lines"].as_array().unwrap().last().unwrap()["id"], last["event"]);
    let answers = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        amy.answer(begun.conversation(&app).await, "在的").await;
        Instant::now()
    };
    let reads = async { (begun.get(&path).await, Instant::now()) };
    let ((news, read_at), written_at) = tokio::join!(reads, answers);
    assert!(read_at.saturating_duration_since(written_at) < Duration::from_secs(5));
    let news: Value = serde_json::from_slice(&news.body).unwrap();
    assert!(news["state"].as_str().unwrap().contains("amy") || news["lines"][0]["text"] == "在的", "{news}");
    // Where nothing happens the answer is empty, and a program that stops answers at once.
    let after = number(&app).await;
    let who = node.sign_in("amy").await;
    assert_eq!(who.get(&format!("/chat/events?after={after}&wait=50")).await.ok()["events"], json!([]));
    let began = Instant::now();
    let stops = async {
        tokio::time::sleep(Duration::from_millis(100)).await;
        stop.cancel();
    };
    let path = format!("/chat/events?after={after}&wait=20000");
    let (news, ()) = tokio::join!(who.get(&path), stops);
    assert_eq!((news.ok()["next"].as_i64(), began.elapsed() < Duration::from_secs(5)), (Some(after), true));
    listening.await.unwrap();
}

on_both!(the_first_question_tells_the_number);
async fn the_first_question_tells_the_number(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    visitor(&app, &group, 1, "你好").await;
    let now = number(&app).await;
    assert!(now > 0);
    let first = amy.who.get("/chat/events").await.ok();
    assert_eq!((&first["next"], &first["events"], &first["reset"]), (&json!(now), &json!([]), &json!(false)));
    // A page that was read before goes on from what happened since it began to be read.
    assert_eq!(amy.who.get("/chat/me").await.ok()["after"], 0);
    app.advance(MINUTE);
    assert_eq!(amy.who.get("/chat/me").await.ok()["after"], now);
    for after in [now + 1, -1] {
        for mode in ["poll", "stream"] {
            amy.who.get(&format!("/chat/events?after={after}&mode={mode}")).await.wrong("after");
        }
    }
}

/// A stream of events that is open.
struct Stream {
    body: BodyDataStream,
    text: String,
}

impl Stream {
    async fn open(app: &TestApp, who: &Actor, after: i64) -> Stream {
        let mut request = Request::new(Body::empty());
        *request.uri_mut() = format!("/api/chat/events?mode=stream&after={after}").parse().unwrap();
        request.headers_mut().insert("token", HeaderValue::from_str(who.token()).unwrap());
        request.headers_mut().insert("accept", HeaderValue::from_static("text/event-stream"));
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 50_000))));
        let response = server::api_router(app.app.clone()).oneshot(request).await.unwrap();
        assert_eq!(response.headers()["content-type"], "text/event-stream; charset=utf-8");
        assert_eq!((response.status().as_u16(), response.headers()["x-accel-buffering"].to_str().unwrap()), (200, "no"));
        let mut stream = Stream { body: response.into_body().into_data_stream(), text: String::new() };
        assert!(stream.block().await.contains("retry:"), "the first line comes at once");
        stream
    }

    /// The next lines up to an empty one.
    async fn block(&mut self) -> String {
        loop {
            if let Some(end) = self.text.find("\n\n") {
                let rest = self.text.split_off(end + 2);
                return std::mem::replace(&mut self.text, rest);
            }
            let piece = tokio::time::timeout(Duration::from_secs(20), self.body.next()).await.expect("a piece comes in time");
            self.text += std::str::from_utf8(&piece.expect("the stream goes on").unwrap()).unwrap();
        }
    }

    /// All that still comes, up to the end.
    async fn rest(&mut self) -> String {
        let mut rest = std::mem::take(&mut self.text);
        while let Some(piece) = tokio::time::timeout(Duration::from_secs(20), self.body.next()).await.expect("it ends in time") {
            rest += std::str::from_utf8(&piece.unwrap()).unwrap();
        }
        rest
    }

    /// The next events, with the number under which they were sent.
    async fn next(&mut self) -> (i64, Value) {
        loop {
            let block = self.block().await;
            let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name).map(str::to_owned));
            if let Some(data) = line("data: ") {
                return (line("id: ").unwrap().parse().unwrap(), serde_json::from_str(&data).unwrap());
            }
        }
    }
}

on_both!(a_stream_tells_the_same_and_goes_on_by_number);
async fn a_stream_tells_the_same_and_goes_on_by_number(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let amy = staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let (id, from) = (begun.conversation(&app).await, number(&app).await);
    let mut stream = Stream::open(&app, &amy.who, from).await;
    let mut streamed = Vec::new();
    begun.say("第一句").await;
    let (mut at, first) = stream.next().await;
    assert_eq!(first["next"], at);
    streamed.extend(first["events"].as_array().unwrap().clone());
    for number in 0..5 {
        amy.answer(id, &format!("答复 {number}")).await;
        begun.say("好").await;
    }
    // Cut in the middle, another goes on, also on another node.
    let (next, more) = stream.next().await;
    at = at.max(next);
    streamed.extend(more["events"].as_array().unwrap().clone());
    drop(stream);
    let node = app.node().await;
    amy.send(id, "备注", json!({"note": true})).await.ok();
    let mut stream = Stream::open(&node, &amy.who, at).await;
    let last = number(&app).await;
    while at < last {
        let (next, more) = stream.next().await;
        assert!(next > at);
        at = next;
        streamed.extend(more["events"].as_array().unwrap().clone());
    }
    let polled = events(&amy.who, from).await;
    assert_eq!(&Value::from(streamed), &polled["events"]);
    assert_eq!(polled["next"], last);
}

/// Takes a right from Amy; `who` is one of her sessions.
async fn take(app: &TestApp, who: &Actor, what: &str) {
    let admin = app.sign_in("admin").await;
    match what {
        "points" => {
            let id = app.role("amy").await;
            let version = app.count("SELECT version FROM role WHERE code = 'amy'").await;
            let left = app.count("SELECT id FROM menu_node WHERE path = 'chat/client/list'").await;
            admin.put("/role/menu", json!({"id": id, "version": version, "menuIds": [left]})).await.ok();
        }
        "role" => {
            // To one that may read all, and with whole numbers.
            app.execute("INSERT INTO admin_role (admin_id, role_id) SELECT a.id, r.id FROM administrator a, role r WHERE a.username = 'amy' AND r.code = 'operator'")
                .await;
            who.put("/admin/role", json!({"roleId": app.role("operator").await})).await.ok();
        }
        "account" => {
            let id = app.account("amy").await;
            let version = app.count("SELECT version FROM administrator WHERE username = 'amy'").await;
            admin.put("/admin/status", json!({"id": id, "version": version, "status": "disabled"})).await.ok();
        }
        "logout" => drop(who.post("/user/logout", json!({})).await.ok()),
        "revoked" => {
            let session =
                app.count("SELECT MAX(s.id) FROM admin_session s JOIN administrator a ON a.id = s.admin_id WHERE a.username = 'amy'").await;
            admin.delete(&format!("/session/{session}")).await.ok();
        }
        "idle" => app.execute("UPDATE admin_session SET created_at = 0, last_seen_at = 0").await,
        "password" => app.execute("UPDATE administrator SET must_change_pwd = 1 WHERE username = 'amy'").await,
        "enrolment" => app.set("security.second_factor_roles", json!(["amy"])).await,
        what => unreachable!("{what}"),
    }
}

/// Gives back what was taken, except for points.
async fn give_back(app: &TestApp) {
    app.execute("UPDATE administrator SET must_change_pwd = 0, status = 'enabled' WHERE username = 'amy'").await;
    app.execute("UPDATE chat_staff SET status = 'enabled'").await;
    app.execute("DELETE FROM admin_role WHERE role_id = (SELECT id FROM role WHERE code = 'operator') AND admin_id = (SELECT id FROM administrator WHERE username = 'amy')")
        .await;
    app.set("security.second_factor_roles", json!([])).await;
    app.advance(2 * MINUTE);
}

on_both!(a_stream_writes_nothing_after_rights_were_taken);
async fn a_stream_writes_nothing_after_rights_were_taken(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    for what in ["role", "logout", "revoked", "idle", "enrolment", "password", "account"] {
        let who = app.sign_in("amy").await;
        let mut stream = Stream::open(&app, &who, number(&app).await).await;
        begun.say("您看得到").await;
        assert_eq!(stream.next().await.1["events"][0]["message"]["content"], "您看得到", "{what}");
        take(&app, &who, what).await;
        begun.say("secret 13712345678").await;
        let rest = stream.rest().await;
        assert!(!rest.contains("secret") && !rest.contains("data:"), "{what}: {rest}");
        give_back(&app).await;
    }
    let who = app.sign_in("amy").await;
    let mut stream = Stream::open(&app, &who, number(&app).await).await;
    take(&app, &who, "points").await;
    begun.say("secret 13712345678").await;
    let rest = stream.rest().await;
    assert!(!rest.contains("secret"), "{rest}");
}

on_both!(a_poll_answers_nothing_after_rights_were_taken);
async fn a_poll_answers_nothing_after_rights_were_taken(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    for (what, code) in [("role", "0000"), ("logout", "2000"), ("account", "2000"), ("points", "1003")] {
        let who = app.sign_in("amy").await;
        let path = format!("/chat/events?after={}&wait=20000", number(&app).await);
        let poll = tokio::spawn({
            let who = who.clone();
            async move { who.get(&path).await }
        });
        while app.app.service::<Feed>().waiting_readers() == 0 {
            tokio::task::yield_now().await;
        }
        take(&app, &who, what).await;
        begun.say("secret 13712345678").await;
        let answer = poll.await.unwrap();
        assert!(!String::from_utf8_lossy(&answer.body).contains("secret"), "{what}");
        assert_eq!(answer.code(), code, "{what}");
        give_back(&app).await;
    }
}

on_both!(a_group_that_is_left_ends_its_events_at_once);
async fn a_group_that_is_left_ends_its_events_at_once(app: TestApp) {
    let (group, other) = (group(&app, "咨询", json!({})).await, testing::chat::group(&app, "售后", json!({"assignMode": "manual"})).await);
    let amy = staff(&app, "amy", &[&group, &other], json!({})).await;
    let (own, foreign) = (visitor(&app, &group, 1, "你好").await, visitor(&app, &other, 2, "你好").await);
    let mut stream = Stream::open(&app, &amy.who, number(&app).await).await;
    let row = app.sign_in("operator").await.get(&format!("/chat/manage/{}", amy.id)).await.ok();
    let form = json!({"id": amy.id, "version": row["version"], "adminId": row["adminId"], "nickname": "amy", "groupIds": [group["id"]], "maxOpen": 10});
    app.sign_in("operator").await.put("/chat/manage", form).await.ok();
    foreign.say("不再看得到").await;
    own.say("仍看得到").await;
    let mut seen = String::new();
    while !seen.contains("仍看得到") {
        seen += &stream.next().await.1.to_string();
    }
    assert!(!seen.contains("不再看得到"), "{seen}");
}

on_both!(one_stream_too_many_ends_the_oldest);
async fn one_stream_too_many_ends_the_oldest(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    staff(&app, "amy", &[&group], json!({})).await;
    let ben = staff(&app, "ben", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let from = number(&app).await;
    let mut others = Stream::open(&app, &ben.who, from).await;
    let mut streams = Vec::new();
    for _ in 0..6 {
        streams.push(Stream::open(&app, &app.sign_in("amy").await, from).await);
    }
    let mut oldest = streams.remove(0);
    let (next, last) = oldest.next().await;
    assert_eq!((next, &last["ended"], &last["events"]), (from, &json!(true), &json!([])));
    assert_eq!(oldest.rest().await, "");
    begun.say("在吗").await;
    for stream in streams.iter_mut().chain([&mut others]) {
        let (_, news) = stream.next().await;
        assert_eq!((&news["ended"], &news["events"][0]["message"]["content"]), (&json!(false), &json!("在吗")));
    }
}

on_both!(one_question_of_a_visitor_too_many_ends_the_oldest);
async fn one_question_of_a_visitor_too_many_ends_the_oldest(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let now = begun.news(0).await;
    let path = format!("/events?after={}&event={}", now["lines"][0]["id"], now["event"]);
    let mut asked = Vec::new();
    for number in 1..=4 {
        let (one, path) = (begun.clone(), path.clone());
        asked.push(tokio::spawn(async move { serde_json::from_slice::<Value>(&one.get(&path).await.body).unwrap() }));
        while app.app.service::<Feed>().waiting_readers() < number.min(3) {
            tokio::task::yield_now().await;
        }
    }
    let oldest = asked.remove(0).await.unwrap();
    assert_eq!((&oldest["ended"], &oldest["lines"]), (&json!(true), &json!([])));
    begun.say("还有").await;
    for question in asked {
        let news = question.await.unwrap();
        assert_eq!((&news["ended"], &news["lines"][0]["text"]), (&json!(false), &json!("还有")));
    }
}

on_both!(who_loses_sight_of_a_conversation_learns_that_it_is_gone);
async fn who_loses_sight_of_a_conversation_learns_that_it_is_gone(app: TestApp) {
    let (sales, service) = (group(&app, "咨询", json!({})).await, group(&app, "售后", json!({})).await);
    let (amy, ben, cid) = (
        staff(&app, "amy", &[&sales], json!({})).await,
        staff(&app, "ben", &[&service], json!({})).await,
        staff(&app, "cid", &[&sales], json!({})).await,
    );
    let begun = visitor(&app, &sales, 1, "你好").await;
    let id = begun.conversation(&app).await;
    amy.answer(id, "您好").await;
    let from = number(&app).await;
    amy.who.post("/chat/transfer", json!({"conversationId": id, "groupId": service["id"], "note": "转"})).await.ok();
    ben.answer(id, "我是售后").await;
    ben.send(id, "售后的备注", json!({"note": true})).await.ok();
    for who in [&amy.who, &cid.who] {
        let news = events(who, from).await;
        assert_eq!((&news["gone"], &news["conversations"]), (&json!([id]), &json!([])));
        assert!(news["events"].as_array().unwrap().iter().all(|event| event["message"].is_null()), "{news}");
        // What happens there afterwards is not theirs.
        let later = events(who, news["next"].as_i64().unwrap()).await;
        assert_eq!((&later["events"], &later["gone"]), (&json!([]), &json!([])));
    }
    let news = events(&ben.who, from).await;
    let texts: Vec<&str> = news["events"].as_array().unwrap().iter().filter_map(|event| event["message"]["content"].as_str()).collect();
    assert!(texts.contains(&"我是售后") && texts.contains(&"售后的备注"), "{texts:?}");
    assert_eq!((&news["conversations"][0]["id"], &news["gone"]), (&json!(id), &json!([])));
    // A recalled message is told to whoever had read it.
    let slip = ben.answer(id, "说错了").await;
    let before = number(&app).await;
    ben.who.post("/chat/recall", json!({"messageId": slip["id"]})).await.ok();
    let message = events(&ben.who, before).await["events"][0]["message"].clone();
    assert_eq!((&message["id"], &message["recalled"], &message["content"]), (&slip["id"], &json!(true), &json!("")));
}

on_both!(a_page_that_was_away_for_days_reads_anew);
async fn a_page_that_was_away_for_days_reads_anew(app: TestApp) {
    let group = group(&app, "咨询", json!({})).await;
    staff(&app, "amy", &[&group], json!({})).await;
    let begun = visitor(&app, &group, 1, "你好").await;
    let old = number(&app).await;
    app.advance(3 * DAY);
    begun.say("还在吗").await;
    let now = number(&app).await;
    chat::sweep(&app.app).await.unwrap();
    assert_eq!(app.count("SELECT MIN(number) FROM chat_event").await, old + 1, "what is younger than two days stays");
    let who = app.sign_in("amy").await;
    for after in [0, old - 1] {
        let news = events(&who, after).await;
        assert_eq!((&news["reset"], &news["events"], &news["next"]), (&json!(true), &json!([]), &json!(now)));
    }
    let news = events(&who, old).await;
    assert_eq!((&news["reset"], numbers(news["events"].as_array().unwrap())), (&json!(false), (old + 1..=now).collect()));
    // The last event stays, so that its number is known.
    app.advance(3 * DAY);
    chat::sweep(&app.app).await.unwrap();
    assert_eq!((app.count("SELECT COUNT(*) FROM chat_event").await, number(&app).await), (1, now));
    let who = app.sign_in("amy").await;
    assert_eq!(events(&who, now).await["reset"], false);
    assert_eq!(events(&who, now - 2).await["reset"], true);
    assert_eq!(who.get("/chat/me").await.ok()["after"], now);
}
