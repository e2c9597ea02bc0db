//! The cases of `js/lib/terms.cases.json`, which test both sides.

use serde_json::Value;

/// The cases of one name.
pub fn of(name: &str) -> Vec<Value> {
    let all: Value = serde_json::from_str(include_str!("../../../../js/lib/terms.cases.json")).unwrap();
    all[name].as_array().unwrap().clone()
}
