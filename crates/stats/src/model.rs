//! Rows and filters of statistics on the wire.

use serde::{Deserialize, Serialize};

use super::figure::{SORTS, StatValues};
use base::codes;
use frame::api::ListFilters;
use frame::api::list::{day_text, lenient_integer};
use trade::visit::System;

/// The figures of a channel, a product, a system, an organisation or a number of stars in a range of days, or of a day or a month. In the
/// totals the id is 0.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatRow {
    /// Of the subject and the part.
    pub id: i64,
    /// `YYYY-MM-DD` or `YYYY-MM`; empty if all days are one row.
    pub part: String,
    /// The first and the last of its days, `YYYY-MM-DD`.
    pub first_day: String,
    pub last_day: String,
    /// 0 for a system, and for the total.
    pub subject_id: i64,
    pub subject_code: String,
    pub subject_name: String,
    pub system: Option<System>,
    /// The stars of applicants, -1 for those without.
    pub star: Option<i64>,
    #[serde(flatten)]
    #[ts(flatten)]
    pub values: StatValues,
    /// Of the range for comparison, of the day before, or of the month before.
    pub before: Option<StatValues>,
    /// Of the same day a week before.
    pub week: Option<StatValues>,
}

codes! {
    /// The day on which a return and its money count.
    pub enum ReturnsBy {
        Sale("成交当天", "the day of sale"),
        Decision("审核当天", "the day of decision"),
    }
}

codes! {
    /// A range of days that moves with today.
    pub enum StatRange {
        Today("今天", "Today"),
        Yesterday("昨天", "Yesterday"),
        Week("近 7 天", "Last 7 days"),
        Days30("近 30 天", "Last 30 days"),
        Month("本月", "This month"),
        LastMonth("上月", "Last month"),
    }
}

/// Filters of all screens.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct StatFilters {
    /// `YYYY-MM-DD`. Without both: the last 7 days; by day the last 30; by month this month and the 5 before.
    #[serde(deserialize_with = "day_text")]
    pub day_from: Option<String>,
    #[serde(deserialize_with = "day_text")]
    pub day_to: Option<String>,
    /// Used if no days are given.
    pub range: Option<StatRange>,
    /// Another range, for comparison.
    #[serde(deserialize_with = "day_text")]
    pub against_from: Option<String>,
    #[serde(deserialize_with = "day_text")]
    pub against_to: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub subject_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    pub system: Option<System>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    /// Without it, by the day of the sale.
    pub returns_by: Option<ReturnsBy>,
}

impl ListFilters for StatFilters {
    const SORTS: &'static [(&'static str, &'static str)] = SORTS;
    const ID: &'static str = "id";
}
