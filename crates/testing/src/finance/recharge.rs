//! A recharge by an organisation.

use serde_json::{Value, json};

use crate::Actor;

/// Asks for the reversal of a recharge.
pub async fn ask(actor: &Actor, row: &Value) -> Value {
    actor.put("/finance/recharge/reverse", json!({"id": row["id"], "version": row["version"], "note": "付款方撤回"})).await.ok()
}
