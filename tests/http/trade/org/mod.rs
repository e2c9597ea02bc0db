//! `/org`: the organisations, the payees, the delivery settings, and the choices among them.

mod changes;
pub mod delivery;
mod licence;
mod options;
mod payee;
mod receipt;
mod scope;
mod signing;
mod status;
mod trial;

use serde_json::Value;

use testing::Actor;

/// The codes of a list's page, in its order.
pub async fn codes(actor: &Actor, query: Value) -> Vec<String> {
    let page = actor.post("/org/page", query).await.ok();
    page["list"].as_array().unwrap().iter().map(|row| row["code"].as_str().unwrap().to_owned()).collect()
}
