//! `/blacklist`: the entries, what is done with them, and tables that bring many.

mod changes;
mod hit;
mod import;
mod list;
mod scope;

use serde_json::{Value, json};

use testing::TestApp;
use testing::blacklist::form;

pub const ID_NO: &str = "11010519491231002X";

/// The form that changes an entry as [`form`] made it.
pub fn edit(row: &Value, changes: Value) -> Value {
    let mut body = form(json!({"id": row["id"], "version": row["version"], "kind": row["kind"], "value": null}));
    for (name, value) in changes.as_object().unwrap() {
        body[name] = value.clone();
    }
    body
}

/// How many entries there are.
pub async fn entries(app: &TestApp) -> i64 {
    app.count("SELECT COUNT(*) FROM blacklist_entry WHERE deleted_at IS NULL").await
}
