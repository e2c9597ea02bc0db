//! A number of an area for the workplace, with the page behind it.

use serde::Serialize;

use base::locale::Locale;
use base::say::Say;

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

impl Figure {
    /// One of the entries counted by code; 0 if the code is missing.
    pub fn of(counts: &[(String, i64)], code: &str, title: &Say, locale: Locale, href: &'static str) -> Figure {
        let value = counts.iter().find(|(known, _)| known == code).map_or(0, |(_, entries)| *entries);
        Figure { title: title.get(locale).to_owned(), value, href }
    }
}
