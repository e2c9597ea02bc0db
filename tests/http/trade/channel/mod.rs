//! `/channel`: the list, its file, and everything that is done with a channel.

mod changes;
mod create;
mod export;
mod hostile;
mod list;
mod scope;
mod secret;
mod terms;
mod trial;
mod watch;

use serde_json::Value;

use testing::{Actor, TestApp};

/// The codes of a list's page, in its order.
pub async fn codes(actor: &Actor, query: Value) -> Vec<String> {
    let page = actor.post("/channel/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["code"].as_str().unwrap().to_owned()).collect()
}

/// How many channels there are, deleted ones included.
pub async fn rows(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM channel").await
}
