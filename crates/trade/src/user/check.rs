//! What an applicant is held against when he comes, in this order; the first that fails names the
//! reason. Each check is kept in his story.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::model::UserStatus;
use base::codes;
use base::locale::Locale;
use frame::api::Say;

codes! {
    /// A check.
    pub enum UserCheck {
        /// Who brings him is known, and has signed.
        Authentication("身份验证", "Authentication"),
        /// The channel's traffic is taken.
        Status("渠道状态", "Channel status"),
        /// The same was not sent a moment ago.
        Repeated("重复提交", "Repeated"),
        /// He said what must be said.
        Fields("必填资料", "Fields"),
        /// He agreed that organisations get to know of him.
        Consent("授权", "Consent"),
        /// Neither he nor his address is on the blacklist.
        Blacklist("黑名单", "Blacklist"),
        /// He is one of those whom the channel may bring.
        Filters("渠道过滤条件", "Channel filters"),
        /// He did not come before.
        Dedup("去重", "Deduplication"),
        /// The channel has room for one more; who came before takes none.
        Caps("渠道量控", "Channel caps"),
    }
}

/// What came of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum CheckOutcome {
    Pass,
    Fail,
    /// There was nothing to hold him against.
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
    /// Why, in both languages; empty where the outcome says all.
    pub note_zh: String,
    pub note_en: String,
}

/// The checks of one applicant as they are made.
#[derive(Debug, Default)]
pub struct Checks {
    pub made: Vec<CheckResult>,
    /// The first that failed.
    pub failed: Option<UserCheck>,
}

impl Checks {
    /// Notes what came of a check.
    pub fn note(&mut self, check: UserCheck, outcome: CheckOutcome, note: Option<Say>) {
        let text = |locale| note.as_ref().map_or_else(String::new, |note| note.get(locale).to_owned());
        self.made.push(CheckResult { check, outcome, note_zh: text(Locale::Chinese), note_en: text(Locale::English) });
        if outcome == CheckOutcome::Fail && self.failed.is_none() {
            self.failed = Some(check);
        }
    }

    /// Notes a check that is passed, or failed for a reason; tells whether to go on.
    pub fn that(&mut self, check: UserCheck, failure: Option<Say>) -> bool {
        let outcome = if failure.is_some() { CheckOutcome::Fail } else { CheckOutcome::Pass };
        self.note(check, outcome, failure);
        outcome == CheckOutcome::Pass
    }
}

impl UserCheck {
    /// What an applicant becomes who fails it.
    pub fn ends_in(self) -> UserStatus {
        match self {
            UserCheck::Repeated | UserCheck::Dedup => UserStatus::Duplicate,
            UserCheck::Blacklist => UserStatus::Blocked,
            _ => UserStatus::Invalid,
        }
    }
}
