//! Customer chat: groups and their staff, visitors, conversations, and the events that tell what happened.

mod assignment;
mod auto_reply;
mod client;
mod conversation;
mod disabled;
mod events;
mod group;
mod offline;
mod phone_code;
mod reply;
mod sight;
mod staff;
mod visitor;
mod wechat;

use serde_json::Value;

use testing::chat::messages;
use testing::{Actor, TestApp};

/// A conversation as its row stands.
pub async fn row(app: &TestApp, id: i64) -> Value {
    app.sign_in("operator").await.get(&format!("/chat/conversation/{id}")).await.ok()
}

/// What the system wrote in a conversation.
pub async fn system_events(who: &Actor, id: i64) -> Vec<Value> {
    let system = messages(who, id).await.into_iter().filter(|message| message["direction"] == "system");
    system.map(|message| serde_json::from_str(message["content"].as_str().unwrap()).unwrap()).collect()
}
