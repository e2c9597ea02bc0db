//! The types of questions, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::match_log::PassedOver;
use base::codes;
use base::locale::Locale;
use frame::api::ListFilters;
use frame::api::YesNo;
use frame::api::list::{day_from, day_text, day_to, lenient_integer};

/// The direction of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[schemars(rename = "MatchDirection")]
#[ts(export, export_to = "api-types.ts", rename = "MatchDirection")]
pub enum Direction {
    /// From a channel to the platform.
    Inbound,
    /// From the platform to an organisation.
    Outbound,
    /// A round of the search for an applicant, without a question.
    Round,
}

impl Direction {
    /// The label.
    pub fn label(self, locale: Locale) -> &'static str {
        match self {
            Direction::Inbound => locale.pick("渠道→我方", "Channel to us"),
            Direction::Outbound => locale.pick("我方→机构", "Us to organisation"),
            Direction::Round => locale.pick("分发", "Distribution round"),
        }
    }
}

codes! {
    /// The answer.
    pub enum MatchStatus {
        Matched("匹配成功", "Matched"),
        /// The person is known already.
        Exists("用户已存在", "Already known"),
        /// No plan asks for such a person.
        NotQualified("资质不符", "Not qualified"),
        /// No plan takes the person.
        NoPlan("无可用计划", "No plan"),
        /// The channel has no room.
        Capped("量满", "Cap reached"),
        /// No answer in time.
        Timeout("超时", "Timed out"),
        /// No answer that can be read.
        Error("异常", "Error"),
    }
}

/// A question as lists show it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MatchRow {
    pub id: i64,
    /// `M20260131-` and eight letters or digits.
    pub no: String,
    pub direction: Direction,
    /// None if it names no applicant.
    pub user_id: Option<i64>,
    pub user_no: Option<String>,
    pub phone_mask: String,
    pub city: String,
    pub channel_id: i64,
    pub channel_name: String,
    /// The plan of the question, or the first that bought the lead in the round.
    pub plan_id: Option<i64>,
    pub plan_name: Option<String>,
    pub org_id: Option<i64>,
    pub org_name: Option<String>,
    pub status: MatchStatus,
    /// The bid, in fen.
    pub bid_cents: Option<i64>,
    pub cost_ms: i64,
    /// From a channel in test mode.
    pub test: bool,
    pub created_at: i64,
}

/// A plan that was passed over.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PassedPlan {
    pub id: i64,
    pub name: String,
}

/// Plans that were passed over for the same reason.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PassedPlans {
    pub reason: PassedOver,
    /// In the order of their ids.
    pub plans: Vec<PassedPlan>,
    /// What the applicant did not meet, if the reason is the conditions of plans; empty for rounds from before they were stored.
    pub conditions: Vec<FailedCondition>,
}

/// A condition that an applicant did not meet.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FailedCondition {
    /// In words.
    pub text: String,
    pub plan_ids: Vec<i64>,
}

/// A question with all stored data.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MatchDetail {
    #[serde(flatten)]
    #[ts(flatten)]
    pub asked: MatchRow,
    /// Without data that identifies the person.
    pub request: String,
    pub response: Option<String>,
    /// The reason of the most plans first.
    pub passed_over: Vec<PassedPlans>,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MatchFilters {
    /// Its number, or the whole phone of an applicant.
    pub keyword: Option<String>,
    /// Computed from the keyword, with the keys of this installation.
    #[serde(skip)]
    pub phone_hash: Option<String>,
    pub direction: Option<Direction>,
    pub status: Option<MatchStatus>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub plan_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub user_id: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    /// `yes` for questions of channels in test mode, `no` for the others.
    pub test: Option<YesNo>,
}

impl ListFilters for MatchFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "m.created_at")];
    const ID: &'static str = "m.id";
}

/// A channel's questions on a day; in the list's totals, on all days and of all channels.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MatchDay {
    pub id: i64,
    /// `YYYY-MM-DD` in Asia/Shanghai; empty in totals.
    pub day: String,
    pub channel_id: i64,
    pub channel_name: String,
    pub asked: i64,
    pub matched: i64,
    /// Known already.
    pub known: i64,
    /// Not qualified, or the channel had no room.
    pub refused: i64,
    pub no_plan: i64,
    /// Matched questions of all, in basis points; none without questions.
    pub match_bp: Option<i64>,
    /// In test mode; they are part of no other figure.
    pub test: i64,
}

/// Filters of the days.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct MatchDayFilters {
    /// `YYYY-MM-DD`.
    #[serde(deserialize_with = "day_text")]
    pub day_from: Option<String>,
    #[serde(deserialize_with = "day_text")]
    pub day_to: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
}

impl ListFilters for MatchDayFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("day", "s.day")];
    const ID: &'static str = "s.id";
}
