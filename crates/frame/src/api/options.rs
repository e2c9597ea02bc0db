//! Choices for selects: `GET /x/options?keyword=`.

use serde::{Deserialize, Serialize};

/// The most choices in one answer; a keyword narrows them.
pub const MOST: i64 = 1000;

/// One choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct SelectOption {
    pub value: i64,
    pub label: String,
}

/// The filter of choices.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
pub struct OptionsQuery {
    /// A part of a choice's name or code.
    pub keyword: Option<String>,
}
