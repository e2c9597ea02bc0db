//! The checks of an application at intake, in this order; the first that fails is the
//! reason. Each check is kept in the applicant's story.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::model::UserStatus;
use base::codes;
use base::locale::Locale;
use frame::api::Say;

codes! {
    /// A check.
    pub enum UserCheck {
        /// The channel is known, and its signature is right.
        Authentication("身份验证", "Authentication"),
        /// The channel's status allows traffic.
        Status("渠道状态", "Channel status"),
        /// The same application was not sent a moment ago.
        Repeated("重复提交", "Repeated"),
        /// The required fields are answered.
        Fields("必填资料", "Fields"),
        /// There is a consent to pass the data on to organisations.
        Consent("授权", "Consent"),
        /// Neither the applicant nor the address is on the blacklist.
        Blacklist("黑名单", "Blacklist"),
        /// The filters of the channel allow such applicants.
        Filters("渠道过滤条件", "Channel filters"),
        /// The applicant did not come before.
        Dedup("去重", "Deduplication"),
        /// The caps of the channel have room for one more; applicants who came before take none.
        Caps("渠道量控", "Channel caps"),
    }
}

/// The result of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum CheckOutcome {
    Pass,
    Fail,
    /// There was nothing to compare with.
    Skip,
}

/// One check of an applicant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "UserCheckResult")]
#[ts(export, export_to = "api-types.ts", rename = "UserCheckResult")]
pub struct CheckResult {
    pub check: UserCheck,
    pub outcome: CheckOutcome,
    /// The reason, in both languages; empty if the outcome is enough.
    pub note_zh: String,
    pub note_en: String,
}

/// The checks of one applicant, in the order of execution.
#[derive(Debug, Default)]
pub struct Checks {
    pub made: Vec<CheckResult>,
    /// The first that failed.
    pub failed: Option<UserCheck>,
}

impl Checks {
    /// Notes the result of a check.
    pub fn note(&mut self, check: UserCheck, outcome: CheckOutcome, note: Option<Say>) {
        let text = |locale| note.as_ref().map_or_else(String::new, |note| note.get(locale).to_owned());
        self.made.push(CheckResult { check, outcome, note_zh: text(Locale::Chinese), note_en: text(Locale::English) });
        if outcome == CheckOutcome::Fail && self.failed.is_none() {
            self.failed = Some(check);
        }
    }

    /// Notes a check as passed, or as failed for a reason. Returns whether to go on.
    pub fn that(&mut self, check: UserCheck, failure: Option<Say>) -> bool {
        let outcome = if failure.is_some() { CheckOutcome::Fail } else { CheckOutcome::Pass };
        self.note(check, outcome, failure);
        outcome == CheckOutcome::Pass
    }
}

impl UserCheck {
    /// The status of an applicant who fails the check.
    pub fn ends_in(self) -> UserStatus {
        match self {
            UserCheck::Repeated | UserCheck::Dedup => UserStatus::Duplicate,
            UserCheck::Blacklist => UserStatus::Blocked,
            _ => UserStatus::Invalid,
        }
    }
}
