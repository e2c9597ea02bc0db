//! `/product`: products, their status, and whose they are.

mod changes;
mod status;

use serde_json::Value;

use testing::Actor;

/// The codes of a list's page, in its order.
pub async fn codes(actor: &Actor, query: Value) -> Vec<String> {
    let page = actor.post("/product/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["code"].as_str().unwrap().to_owned()).collect()
}
