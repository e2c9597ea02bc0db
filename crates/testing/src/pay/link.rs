//! Links of a static channel.

use serde_json::Value;

use crate::Actor;

/// Brings a table of links.
pub async fn bring(actor: &Actor, dry: bool, table: &str) -> Value {
    let fields: &[(&str, &str)] = &[("dryRun", if dry { "true" } else { "false" })];
    actor.upload("/payPool/import", fields, "链接.csv", table.as_bytes()).await.ok()
}
