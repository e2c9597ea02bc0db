//! `/message` and `/notice`.

mod notice;
mod own;
mod told;

use frame::api::say;
use frame::message::{self, Audience, MessageKind, NewMessage};
use serde_json::{Value, json};

use testing::{Actor, TestApp};

/// A message that says nothing in particular, sent now.
fn about(title: &str, kind: MessageKind, audience: Audience, at: i64) -> NewMessage {
    NewMessage {
        kind,
        title: say(title.to_owned(), format!("{title} (en)")),
        sub_title: None,
        content: say("内容", "Content"),
        avatar: None,
        link: None,
        state: None,
        biz_type: "test",
        biz_id: None,
        sender_id: None,
        audience,
        org_id: None,
        publish_at: at,
        expires_at: None,
        due_at: None,
    }
}

async fn send(app: &TestApp, new: &NewMessage) -> i64 {
    let mut tx = app.app.db.begin().await.unwrap();
    let id = message::send(&mut tx, new, app.now()).await.unwrap();
    tx.commit().await.unwrap();
    id
}

/// The titles that somebody's list shows.
async fn titles(who: &Actor, query: Value) -> Vec<String> {
    let list = who.post("/message/page", query).await.ok();
    list["list"].as_array().unwrap().iter().map(|row| row["title"].as_str().unwrap().to_owned()).collect()
}

fn counts(message: i64, notice: i64, todo: i64) -> Value {
    json!({"message": message, "notice": notice, "todo": todo})
}
