//! Statements of a provider.

use serde_json::{Value, json};

use crate::{Actor, Answer, TestApp};

/// Brings the statement of a channel for today.
pub async fn bring(app: &TestApp, actor: &Actor, channel_id: i64, columns: &[(&str, &str)], table: &str) -> Answer {
    let (id, day) = (channel_id.to_string(), base::clock::day(app.now()).to_string());
    let mut fields = vec![("payeeChannelId", id.as_str()), ("day", day.as_str())];
    fields.extend_from_slice(columns);
    actor.upload("/payStatement/import", &fields, "账单.csv", table.as_bytes()).await
}

/// The columns of the statements of tests.
pub const COLUMNS: &[(&str, &str)] = &[("numberColumn", "流水号"), ("amountColumn", "金额")];

/// A statement of today with one difference under a number.
pub async fn of_today(app: &TestApp, channel_id: i64, number: &str) -> Value {
    bring(app, &app.sign_in("admin").await, channel_id, COLUMNS, &format!("流水号,金额\n{number},1\n")).await.ok()
}

/// A statement of a channel that agrees with its one payment under the number B-9, whose day the actor asks to close.
pub async fn closable(app: &TestApp, actor: &Actor, channel_id: i64) -> Value {
    let row = bring(app, actor, channel_id, COLUMNS, "流水号,金额\nB-9,4567\n").await.ok();
    actor.put("/payStatement/close", json!({"id": row["id"], "version": row["version"]})).await.ok()
}
