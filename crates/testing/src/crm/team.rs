//! Teams.

use serde_json::{Value, json};

/// A form that is accepted, with changes.
pub fn form(changes: Value) -> Value {
    let mut form = json!({
        "name": "Second team", "city": "杭州", "address": "人民路 18 号", "managerName": "邵明", "phone": "13812340001", "cities": ["上海市", "杭州"],
        "dailyCap": 30, "weight": 2, "sort": 5
    });
    form.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
    form
}
