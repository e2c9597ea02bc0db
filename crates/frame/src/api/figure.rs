//! A number of an area for a first page, with the page behind it.

use serde::Serialize;

/// A number and its link.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Figure {
    pub title: String,
    pub value: i64,
    /// The list with the counted rows.
    pub href: &'static str,
}
