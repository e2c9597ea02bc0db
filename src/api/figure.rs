//! A number that an area offers for the workplace, with the page behind it.

use serde::Serialize;

/// A number and where it leads.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Figure {
    pub title: String,
    pub value: i64,
    /// The list of what was counted.
    pub href: &'static str,
}
