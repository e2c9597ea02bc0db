//! What feedback is, on the wire and in words.

use serde::{Deserialize, Serialize};

use base::codes;
use frame::api::ListFilters;
use frame::api::YesNo;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::dict::TagColor;
use trade::plan::push::model::PushAttempt;

codes! {
    /// Whose word it is.
    pub enum FeedbackSource {
        /// The organisation's that bought the lead: by its server, or by its people here.
        Buyer("机构", "Organisation"),
        Staff("后台", "Staff"),
        /// His own, as he told our staff.
        Applicant("用户", "Applicant"),
    }
}

codes! {
    /// How far somebody of ours has come with it.
    pub enum HandleStatus {
        Open("待处理", "Open"),
        InProgress("处理中", "In progress"),
        Done("已处理", "Done"),
        Closed("已关闭", "Closed"),
    }
}

codes! {
    /// Whether the channel that brought the applicant has been told.
    pub enum CallbackStatus {
        /// It had no address for that.
        None("无需回传", "Not needed"),
        Waiting("待回传", "Waiting"),
        Sent("已回传", "Sent"),
        /// The tries ran out; a person may have it tried again, or give it up.
        Failed("回传失败", "Failed"),
        /// The same, and nobody knows whether one of them arrived.
        Unconfirmed("待核实", "Unconfirmed"),
        /// By a person.
        GivenUp("已放弃", "Given up"),
    }
}

impl CallbackStatus {
    /// Whether nobody tries any more and a person decides.
    pub fn waits_for_a_person(self) -> bool {
        matches!(self, CallbackStatus::Failed | CallbackStatus::Unconfirmed)
    }
}

/// Feedback as lists and details show it. Who it is about is masked.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FeedbackRow {
    pub id: i64,
    pub user_id: i64,
    pub user_no: String,
    pub name_mask: String,
    pub phone_mask: String,
    pub channel_name: String,
    /// On a test lead: no figure counts it.
    pub test: bool,
    /// The lead that it is about, where it is about one.
    pub push_id: Option<i64>,
    pub push_no: Option<String>,
    pub org_name: Option<String>,
    pub source: FeedbackSource,
    /// 0 unreachable, 1 no need or not qualified, 2 possible, 3 good.
    pub star: Option<i64>,
    /// An item of the dictionary's `feedback_end_code`, and what people call it.
    pub end_code: Option<String>,
    pub end_name: Option<String>,
    /// Of the dictionary's item.
    pub label_color: Option<TagColor>,
    /// What was lent to the applicant, in fen.
    pub loan_cents: Option<i64>,
    pub content: String,
    pub handle_status: HandleStatus,
    pub handler_name: Option<String>,
    pub handled_at: Option<i64>,
    pub reply: String,
    pub callback_status: CallbackStatus,
    pub callback_attempts: i64,
    pub sent_to_channel_at: Option<i64>,
    /// Who entered it; none of what a server told.
    pub creator_name: Option<String>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Feedback with every try to tell the channel, the first first.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FeedbackDetail {
    #[serde(flatten)]
    #[ts(flatten)]
    pub feedback: FeedbackRow,
    /// The platform's alone to see.
    pub tries: Vec<PushAttempt>,
    /// Why the channel has not been told yet: a word for what went wrong last. The platform's alone to see.
    pub last_error: Option<String>,
}

/// What narrows the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct FeedbackFilters {
    /// A whole phone, or a number: the applicant's, the lead's or the buyer's.
    pub keyword: Option<String>,
    /// Set from the keyword, by the keys of this installation.
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
    /// `yes` for feedback on test leads, `no` for the other.
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

/// What became of somebody, as it is told: by stars, by an outcome, or by both.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct FeedbackForm {
    /// The applicant; absent where `pushId` names the lead.
    pub user_id: Option<i64>,
    /// The lead that it is about; the only way for an organisation's people.
    pub push_id: Option<i64>,
    /// Whose word it is. Absent: one's own. An organisation's people tell their own only, ours the staff's
    /// or the applicant's.
    pub source: Option<FeedbackSource>,
    /// 0 to 3.
    pub star: Option<i64>,
    /// An item of the dictionary's `feedback_end_code`.
    pub end_code: Option<String>,
    /// What was lent, in fen; only with the outcome `disbursed`.
    pub loan_cents: Option<i64>,
    /// At most 500 characters. Long numbers in it are kept masked.
    #[serde(default)]
    pub content: String,
}

/// A step with feedback.
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

/// Feedback in the version that is meant.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct FeedbackVersion {
    pub id: i64,
    pub version: i64,
}
