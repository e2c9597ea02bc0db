//! The types of agreements, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::api::ListFilters;

codes! {
    /// Whether an agreement can be consented to now.
    pub enum AgreementState {
        Waiting("未生效", "Not yet valid"),
        Valid("有效", "Valid"),
        Ended("已结束", "Ended"),
    }
}

impl AgreementState {
    /// The state at a moment.
    pub fn at(valid_from: i64, valid_to: Option<i64>, now: i64) -> AgreementState {
        match (valid_from > now, valid_to.is_some_and(|end| end <= now)) {
            (_, true) => AgreementState::Ended,
            (true, false) => AgreementState::Waiting,
            (false, false) => AgreementState::Valid,
        }
    }
}

/// An agreement as lists show it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AgreementRow {
    pub id: i64,
    pub code: String,
    /// The agreement's own version, such as `2026.1`.
    pub edition: String,
    pub name: String,
    /// SHA-256 of the text in UTF-8, in hex.
    pub digest: String,
    /// False if earlier consents named only the digest.
    pub text_kept: bool,
    /// Epoch milliseconds.
    pub valid_from: i64,
    /// Epoch milliseconds; from then on no consent can name it.
    pub valid_to: Option<i64>,
    /// None in the answer to a change.
    pub state: Option<AgreementState>,
    /// How many consents name it.
    pub consents: i64,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// An agreement with its text.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AgreementDetail {
    #[serde(flatten)]
    #[ts(flatten)]
    pub agreement: AgreementRow,
    /// Lines end with `\n`; empty if it was not kept.
    pub text: String,
}

/// A choice of an agreement.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct AgreementOption {
    pub value: i64,
    pub label: String,
    pub code: String,
    pub edition: String,
    /// It can be consented to now.
    pub valid: bool,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AgreementFilters {
    /// A part of the code, the version or the name.
    pub keyword: Option<String>,
    pub state: Option<AgreementState>,
    /// The moment for which the state is computed.
    #[serde(skip)]
    pub now: i64,
}

impl ListFilters for AgreementFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "g.created_at"),
        ("validFrom", "g.valid_from"),
        // An agreement without an end comes after all others.
        ("validTo", "COALESCE(g.valid_to, 9007199254740991)"),
    ];
    const ID: &'static str = "g.id";

    fn apply_defaults(&mut self, now: i64) {
        self.now = now;
    }
}

/// The form of an agreement.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct AgreementForm {
    /// Absent for a new one, as `version` is.
    pub id: Option<i64>,
    pub version: Option<i64>,
    /// Code and edition: 1 to 32 letters, digits, dots, dashes or underscores.
    pub code: String,
    pub edition: String,
    pub name: String,
    pub text: String,
    /// Epoch milliseconds; absent: now for a new one, unchanged for an existing one.
    pub valid_from: Option<i64>,
    /// Epoch milliseconds; absent: without an end.
    pub valid_to: Option<i64>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_follows_from_the_moments() {
        for (from, to, state) in [
            (10, None, AgreementState::Valid),
            (11, None, AgreementState::Waiting),
            (5, Some(11), AgreementState::Valid),
            (5, Some(10), AgreementState::Ended),
        ] {
            assert_eq!(AgreementState::at(from, to, 10), state, "{from} {to:?}");
        }
    }
}
