//! The types of feedback, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::api::ListFilters;
use frame::api::YesNo;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::dict::TagColor;
use trade::plan::push::model::PushAttempt;

codes! {
    /// Who reported it.
    pub enum FeedbackSource {
        /// The organisation that bought the lead: by its server, or by its people here.
        Buyer("机构", "Organisation"),
        Staff("后台", "Staff"),
        /// The applicant, as noted by staff.
        Applicant("用户", "Applicant"),
    }
}

codes! {
    /// How far staff have handled it.
    pub enum HandleStatus {
        Open("待处理", "Open"),
        InProgress("处理中", "In progress"),
        Done("已处理", "Done"),
        Closed("已关闭", "Closed"),
    }
}

codes! {
    /// Whether the channel of the applicant has received the callback.
    pub enum CallbackStatus {
        /// The channel had no address for callbacks.
        None("无需回传", "Not needed"),
        Waiting("待回传", "Waiting"),
        Sent("已回传", "Sent"),
        /// The tries ran out; a person may start them again, or give up.
        Failed("回传失败", "Failed"),
        /// The tries ran out, and it is unknown whether one of them arrived.
        Unconfirmed("待核实", "Unconfirmed"),
        /// A person gave up.
        GivenUp("已放弃", "Given up"),
    }
}

impl CallbackStatus {
    /// Whether no more tries are made and a person has to decide.
    pub fn waits_for_a_person(self) -> bool {
        matches!(self, CallbackStatus::Failed | CallbackStatus::Unconfirmed)
    }
}

/// Feedback as lists and details show it. The applicant is masked.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FeedbackRow {
    pub id: i64,
    pub user_id: i64,
    pub user_no: String,
    pub name_mask: String,
    pub phone_mask: String,
    pub channel_id: i64,
    pub channel_name: String,
    /// On a test lead: it is not part of any figure.
    pub test: bool,
    /// The lead that it is about, if any.
    pub push_id: Option<i64>,
    pub push_no: Option<String>,
    pub org_id: Option<i64>,
    pub org_name: Option<String>,
    pub source: FeedbackSource,
    /// 0 unreachable, 1 no need or not qualified, 2 possible, 3 good.
    pub star: Option<i64>,
    /// An item of the dictionary's `feedback_end_code`, and its label.
    pub end_code: Option<String>,
    pub end_name: Option<String>,
    /// Of the dictionary's item.
    pub label_color: Option<TagColor>,
    /// The amount of the loan, in fen.
    pub loan_cents: Option<i64>,
    pub content: String,
    pub handle_status: HandleStatus,
    pub handler_name: Option<String>,
    pub handled_at: Option<i64>,
    pub reply: String,
    pub callback_status: CallbackStatus,
    pub callback_attempts: i64,
    pub sent_to_channel_at: Option<i64>,
    /// Who entered it; none if it came from a server.
    pub creator_name: Option<String>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Feedback with every try to send the callback, oldest first.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FeedbackDetail {
    #[serde(flatten)]
    #[ts(flatten)]
    pub feedback: FeedbackRow,
    /// Only for the platform.
    pub tries: Vec<PushAttempt>,
    /// Why the callback has not arrived yet: a code of the last failure. Only for the platform.
    pub last_error: Option<String>,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FeedbackFilters {
    /// A whole phone, or a number: the applicant's, the lead's or the buyer's.
    pub keyword: Option<String>,
    /// Computed from the keyword, with the keys of this installation.
    #[serde(skip)]
    pub keyword_hash: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub user_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub push_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    pub source: Option<FeedbackSource>,
    #[serde(deserialize_with = "lenient_integer")]
    pub star: Option<i64>,
    pub end_code: Option<String>,
    pub handle_status: Option<HandleStatus>,
    pub callback_status: Option<CallbackStatus>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    /// `yes` for feedback on test leads, `no` for feedback on others.
    pub test: Option<YesNo>,
}

impl ListFilters for FeedbackFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "f.created_at"),
        // The engines disagree about where NULL sorts.
        ("loanCents", "COALESCE(f.loan_cents, 0)"),
    ];
    const ID: &'static str = "f.id";
}

/// The outcome of an applicant: as stars, as an outcome code, or both.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct FeedbackForm {
    /// The applicant; absent where `pushId` names the lead.
    pub user_id: Option<i64>,
    /// The lead that it is about; the organisation's people must name it.
    pub push_id: Option<i64>,
    /// Who reported it. Absent: the viewer's own side. The organisation's people may only enter their own; staff
    /// enter their own or the applicant's.
    pub source: Option<FeedbackSource>,
    /// 0 to 3.
    pub star: Option<i64>,
    /// An item of the dictionary's `feedback_end_code`.
    pub end_code: Option<String>,
    /// The amount of the loan, in fen; only with the outcome `disbursed`.
    pub loan_cents: Option<i64>,
    /// At most 500 characters. Long numbers in it are kept masked.
    #[serde(default)]
    pub content: String,
}

/// A step in the handling of feedback.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct FeedbackHandling {
    pub id: i64,
    pub version: i64,
    pub status: HandleStatus,
    /// What was done about it, at most 500 characters.
    #[serde(default)]
    pub reply: String,
}

/// Feedback in the version that the request names.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct FeedbackVersion {
    pub id: i64,
    pub version: i64,
}
