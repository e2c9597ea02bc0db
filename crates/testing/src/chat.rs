//! Groups, staff and visitors of the chat.

use axum::http::Method;
use base::locale::Locale;
use chat::consent;
use serde_json::{Value, json};

use crate::org::with;
use crate::{Actor, Answer, TestApp};

/// The points of a person who answers customers.
pub const ANSWERS: &[&str] = &["chat/conversation/list", "chat/conversation/send", "chat/client/list"];

/// A group whose conversations are assigned in turn, with changes; its row.
pub async fn group(app: &TestApp, name: &str, changes: Value) -> Value {
    let form = json!({"name": name, "assignMode": "round_robin"});
    app.sign_in("operator").await.post("/chat/group", with(form, changes)).await.ok()
}

/// An account of the platform that holds these points and sees everything that they open.
pub async fn account(app: &TestApp, username: &str, points: &[&str]) -> Actor {
    let mut tx = app.app.db.begin().await.unwrap();
    let role: i64 = sqlx::query_scalar(
        "INSERT INTO role (code, name, name_en, data_scope, created_at, updated_at) VALUES ($1, $2, $3, 'all', 0, 0) RETURNING id",
    )
    .bind(username)
    .bind(username)
    .bind(username)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    for point in points {
        let granted = sqlx::query("INSERT INTO role_menu (role_id, menu_id) SELECT $1, m.id FROM menu_node m WHERE m.path = $2")
            .bind(role)
            .bind(*point)
            .execute(&mut *tx)
            .await
            .unwrap();
        assert_eq!(granted.rows_affected(), 1, "{point}");
    }
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO administrator (username, password_hash, real_name, status, pwd_changed_at, created_at, updated_at) \
         SELECT $1, password_hash, $2, status, pwd_changed_at, created_at, updated_at FROM administrator WHERE username = 'auditor' RETURNING id",
    )
    .bind(username)
    .bind(username)
    .fetch_one(&mut *tx)
    .await
    .unwrap();
    sqlx::query("INSERT INTO admin_role (admin_id, role_id) VALUES ($1, $2)").bind(id).bind(role).execute(&mut *tx).await.unwrap();
    tx.commit().await.unwrap();
    app.sign_in(username).await
}

/// A member of the staff.
#[derive(Clone)]
pub struct Staff {
    pub who: Actor,
    pub id: i64,
}

impl Staff {
    pub async fn presence(&self, presence: &str) -> Value {
        self.who.put("/chat/presence", json!({"presence": presence})).await.ok()
    }

    /// Sends an answer under a number of its own.
    pub async fn answer(&self, conversation: i64, content: &str) -> Value {
        self.send(conversation, content, json!({})).await.ok()
    }

    pub async fn send(&self, conversation: i64, content: &str, changes: Value) -> Answer {
        let number = format!("{}-{}", self.id, rand_text());
        self.who.post("/chat/send", with(json!({"conversationId": conversation, "clientMsgId": number, "content": content}), changes)).await
    }
}

/// A text that no other has.
pub fn rand_text() -> String {
    base::crypto::random_text(16)
}

/// Makes an account a member of the staff of these groups.
pub async fn member(app: &TestApp, who: Actor, username: &str, groups: &[&Value], changes: Value) -> Staff {
    let ids: Vec<&Value> = groups.iter().map(|group| &group["id"]).collect();
    let form = json!({"adminId": app.account(username).await, "nickname": username, "groupIds": ids, "maxOpen": 10});
    let row = app.sign_in("operator").await.post("/chat/manage", with(form, changes)).await.ok();
    Staff { who, id: row["id"].as_i64().unwrap() }
}

/// A member of the staff who answers, with an account of their own.
pub async fn staff(app: &TestApp, username: &str, groups: &[&Value], changes: Value) -> Staff {
    let who = account(app, username, ANSWERS).await;
    member(app, who, username, groups, changes).await
}

/// A visitor of a group's page.
#[derive(Clone)]
pub struct Visitor {
    /// They hold the cookie of their thread.
    pub who: Actor,
    /// The group's page, which is the address of their thread.
    pub page: String,
    pub name: String,
}

/// The fields of a first message.
pub fn first(number: u32, content: &str) -> Vec<(&'static str, String)> {
    vec![("nickname", format!("v{number:04}")), ("content", content.to_owned()), ("consent", consent::version(Locale::Chinese))]
}

/// A person without an account at an address of their own, who sends forms.
pub fn guest(app: &TestApp, number: u32) -> Actor {
    let [_, _, third, fourth] = number.to_be_bytes();
    app.stranger().with("content-type", "application/x-www-form-urlencoded").from([10, 7, third, fourth])
}

/// Sends a form.
pub async fn form(who: &Actor, address: &str, fields: &[(&str, String)]) -> Answer {
    who.ask(Method::POST, address, serde_urlencoded::to_string(fields).unwrap().into_bytes()).await
}

/// A page's text.
pub fn text(answer: &Answer) -> String {
    String::from_utf8_lossy(&answer.body).into_owned()
}

/// The name and value of the cookie that an answer sets.
pub fn cookie(answer: &Answer) -> String {
    let set = answer.header("set-cookie").unwrap_or_else(|| panic!("no cookie: {}", text(answer)));
    set.split(';').next().unwrap().to_owned()
}

/// The same person after a look at a group's page, which gives them the cookie of a new thread.
pub async fn at_page(who: &Actor, group: &Value) -> Actor {
    let page = who.ask(Method::GET, &address(group), Vec::new()).await;
    assert_eq!(page.status, 200, "{}", text(&page));
    who.with_another("cookie", &cookie(&page))
}

/// The address of a group's page.
pub fn address(group: &Value) -> String {
    format!("/talk?g={}", group["pageKey"].as_str().unwrap())
}

/// A visitor who begins with a message.
pub async fn visitor(app: &TestApp, group: &Value, number: u32, content: &str) -> Visitor {
    let who = at_page(&guest(app, number), group).await;
    let begun = form(&who, &address(group), &first(number, content)).await;
    let page = group["pageKey"].as_str().unwrap().to_owned();
    assert_eq!((begun.status.as_u16(), begun.header("location")), (303, Some(format!("/talk/{page}").as_str())), "{}", text(&begun));
    Visitor { who, page, name: format!("v{number:04}") }
}

impl Visitor {
    /// Writes a message.
    pub async fn say(&self, content: &str) {
        let said = self.send(&[("content", content.to_owned()), ("number", rand_text())]).await;
        assert_eq!(said.status, 303, "{}", text(&said));
    }

    pub async fn send(&self, fields: &[(&str, String)]) -> Answer {
        form(&self.who, &format!("/talk/{}", self.page), fields).await
    }

    pub async fn page(&self) -> String {
        let page = self.get("").await;
        assert_eq!(page.status, 200);
        text(&page)
    }

    /// Asks for something below the thread's address.
    pub async fn get(&self, below: &str) -> Answer {
        self.who.ask(Method::GET, &format!("/talk/{}{below}", self.page), Vec::new()).await
    }

    /// What is new after a message, at once.
    pub async fn news(&self, after: i64) -> Value {
        let news = self.get(&format!("/events?after={after}&event=0")).await;
        assert_eq!(news.status, 200, "{}", text(&news));
        serde_json::from_slice(&news.body).unwrap()
    }

    /// The id of their last conversation.
    pub async fn conversation(&self, app: &TestApp) -> i64 {
        let found: Option<i64> = sqlx::query_scalar(
            "SELECT MAX(c.id) FROM chat_conversation c JOIN chat_customer k ON k.id = c.customer_id WHERE k.nickname = $1",
        )
        .bind(&self.name)
        .fetch_one(app.app.db.read())
        .await
        .unwrap();
        found.expect("a visitor has a conversation")
    }

    /// Their id as a customer.
    pub async fn customer(&self, app: &TestApp) -> i64 {
        sqlx::query_scalar("SELECT k.id FROM chat_customer k WHERE k.nickname = $1")
            .bind(&self.name)
            .fetch_one(app.app.db.read())
            .await
            .unwrap()
    }
}

/// The messages of a conversation as an actor reads them, the earliest first.
pub async fn messages(who: &Actor, id: i64) -> Vec<Value> {
    who.get(&format!("/chat/getRecord?conversationId={id}&limit=200")).await.ok()["list"].as_array().unwrap().clone()
}

/// The calls that write in a conversation.
pub const CONVERSATION_CALLS: &[&str] = &[
    "/chat/send",
    "/chat/read",
    "/chat/recall",
    "/chat/take",
    "/chat/transfer",
    "/chat/snooze",
    "/chat/priority",
    "/chat/close",
    "/chat/reopen",
    "/chat/remind",
    "/chat/resend",
];

/// Makes a customer one who follows an official account of the group.
async fn follow(app: &TestApp, group: &Value, customer_id: i64) {
    let app_id = format!("wx{}", &rand_text()[..12]);
    let form = json!({
        "name": app_id, "appId": app_id, "appSecret": "a".repeat(32), "token": "abc", "groupId": group["id"], "templateId": "t",
        "templateField": "thing1", "templateText": "您有新消息",
    });
    let operator = app.sign_in("operator").await;
    let row = operator.post("/chat/wechat", form).await.ok();
    operator.put("/chat/wechat/status", json!({"id": row["id"], "version": row["version"], "status": "enabled"})).await.ok();
    let mut tx = app.app.db.begin().await.unwrap();
    sqlx::query("INSERT INTO chat_wechat_follower (wechat_id, openid, customer_id, subscribed, changed_at) VALUES ($1, 'o1', $2, 1, 0)")
        .bind(row["id"].as_i64())
        .bind(customer_id)
        .execute(&mut *tx)
        .await
        .unwrap();
    tx.commit().await.unwrap();
}

/// A member of the staff with a conversation of their own in which a call does something, and what it is sent.
pub async fn writing(app: &TestApp, path: &str) -> (Actor, Value) {
    let name = path.rsplit('/').next().unwrap();
    let group = group(app, name, json!({})).await;
    let staff = staff(app, name, &[&group], json!({})).await;
    let number = app.count("SELECT COUNT(*) FROM chat_customer").await as u32 + 1;
    let begun = visitor(app, &group, number, "你好").await;
    let id = begun.conversation(app).await;
    let of = json!({"conversationId": id});
    if ["/chat/remind", "/chat/resend"].contains(&path) {
        follow(app, &group, begun.customer(app).await).await;
    }
    let body = match path {
        "/chat/remind" => {
            app.execute("UPDATE chat_customer SET last_inbound_at = 0").await;
            with(of, json!({"clientMsgId": rand_text()}))
        }
        "/chat/resend" => {
            let message = staff.answer(id, "您好").await;
            app.execute("UPDATE chat_wechat_send SET state = 'failed', reason = 'window'").await;
            json!({"messageId": message["id"]})
        }
        "/chat/send" => with(of, json!({"clientMsgId": rand_text(), "content": "您好"})),
        "/chat/read" => {
            staff.answer(id, "您好").await;
            begun.say("请问").await;
            with(of, json!({"messageId": messages(&staff.who, id).await.last().unwrap()["id"]}))
        }
        "/chat/recall" => json!({"messageId": staff.answer(id, "您好").await["id"]}),
        "/chat/transfer" => with(of, json!({"groupId": self::group(app, "another", json!({})).await["id"]})),
        "/chat/snooze" => with(of, json!({"until": app.now() + 60_000})),
        "/chat/priority" => with(of, json!({"priority": 1})),
        "/chat/close" => with(of, json!({"note": ""})),
        "/chat/reopen" => {
            staff.answer(id, "您好").await;
            staff.who.post("/chat/close", with(of.clone(), json!({"note": ""}))).await.ok();
            of
        }
        _ => of,
    };
    (staff.who, body)
}
