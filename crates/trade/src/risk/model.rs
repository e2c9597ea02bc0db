//! The types of risk reports, for the wire and the database, with labels.

use serde::de::{Deserializer, Error as _};
use serde::{Deserialize, Serialize};
use strum::{EnumIter, EnumString, IntoStaticStr};

use base::locale::Locale;
use frame::api::Say;

/// A section of a report.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    EnumIter,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    ts_rs::TS,
)]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub enum RiskSection {
    /// The applicant's answers.
    #[default]
    Basic,
    /// Entries of blacklists.
    Blacklist,
    /// How often the person applies, and to how many organisations.
    MultiLoan,
    /// Phone and identity number, and their other users.
    Contact,
    /// The address and the browser of the application.
    Device,
}

/// The level of risk.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum RiskLevel {
    Low,
    Medium,
    High,
    /// Do not serve.
    Reject,
}

impl RiskLevel {
    /// The level of a score.
    pub fn of(score: i64) -> RiskLevel {
        match score {
            ..25 => RiskLevel::Low,
            25..50 => RiskLevel::Medium,
            50..80 => RiskLevel::High,
            _ => RiskLevel::Reject,
        }
    }
}

/// The result of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum RiskStatus {
    /// The answer is outstanding.
    Querying,
    Done,
    /// The provider does not know the person.
    NoData,
    Failed,
}

/// A finding against the applicant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RiskHit {
    pub section: RiskSection,
    /// The rule's name for programs.
    pub code: String,
    /// Its points in the score; none if the provider does not give them.
    pub points: Option<i64>,
    pub title_zh: String,
    pub title_en: String,
    /// The finding, in both languages; empty if the title is enough.
    pub note_zh: String,
    pub note_en: String,
}

/// A fact about the applicant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RiskFact {
    pub section: RiskSection,
    pub title_zh: String,
    pub title_en: String,
    pub value_zh: String,
    pub value_en: String,
}

impl RiskFact {
    /// A fact with a text as its value.
    pub fn new(section: RiskSection, title: (&str, &str), value: &Say) -> RiskFact {
        RiskFact {
            section,
            title_zh: title.0.to_owned(),
            title_en: title.1.to_owned(),
            value_zh: value.get(Locale::Chinese).to_owned(),
            value_en: value.get(Locale::English).to_owned(),
        }
    }
}

/// The summary of a report.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RiskSummary {
    /// `done` or `no_data`.
    pub status: RiskStatus,
    /// `built_in`, or the host of an external provider.
    pub provider: String,
    /// 0 (no finding) to 100; none without data.
    pub score: Option<i64>,
    pub level: Option<RiskLevel>,
    /// Findings of all sections.
    pub hits: Vec<RiskHit>,
    /// Its cost, in fen.
    pub cost_cents: i64,
    pub queried_by: String,
    pub queried_at: i64,
    /// Until then it is reused.
    pub valid_until: i64,
    /// It existed before this call: no provider was asked, and nothing paid.
    pub reused: bool,
}

/// One section of a report.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RiskDetail {
    #[serde(rename = "type")]
    pub section: RiskSection,
    /// `built_in`, or the host of an external provider.
    pub provider: String,
    pub facts: Vec<RiskFact>,
    pub hits: Vec<RiskHit>,
    pub queried_at: i64,
    pub valid_until: i64,
}

/// The requested section; `basic` by default.
#[derive(Clone, Copy, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(default)]
pub struct RiskSectionQuery {
    #[serde(rename = "type", deserialize_with = "section_or_basic")]
    #[schemars(with = "RiskSection")]
    pub section: RiskSection,
}

/// A section by its name. Clients without one send nothing, or the word for it.
fn section_or_basic<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RiskSection, D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        "" | "undefined" | "null" => Ok(RiskSection::default()),
        name => name.parse().map_err(|_| D::Error::custom("no such section")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_follow_the_score() {
        let levels = [0, 24, 25, 49, 50, 79, 80, 100].map(RiskLevel::of);
        use RiskLevel::{High, Low, Medium, Reject};
        assert_eq!(levels, [Low, Low, Medium, Medium, High, High, Reject, Reject]);
    }
}
