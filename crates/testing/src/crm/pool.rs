//! Pools of clues.

use serde_json::{Value, json};

/// A form that is accepted, with changes.
pub fn form(changes: Value) -> Value {
    let mut form = json!({
        "name": "公共池", "subOrgIds": [], "claimPerDay": 20, "formerOwnerDays": 3, "newDelayMinutes": 30, "reclaimDays": 7, "remindDays": 1, "sort": 1
    });
    form.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    form
}
