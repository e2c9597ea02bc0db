//! What a salesperson does with a clue.

use serde_json::{Value, json};

use crate::Actor;

/// A follow-up that is taken; answers the clue as it is then.
pub async fn follow(actor: &Actor, id: i64, changes: Value) -> Value {
    let mut body = json!({"id": id, "note": "已联系", "type": "call", "result": "reached"});
    body.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    actor.post("/crm/progress", body).await.ok()
}
