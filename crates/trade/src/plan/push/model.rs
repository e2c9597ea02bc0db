//! The types of pushes, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::plan::SaleMode;
use crate::visit::lead::LeadKind;
use base::codes;
use frame::api::YesNo;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::api::{Check, ListFilters};
use frame::places;

codes! {
    /// The status of a return.
    pub enum ReturnStatus {
        Pending("待审", "Pending"),
        /// The lead is returned and its price refunded.
        Approved("通过", "Approved"),
        Refused("驳回", "Rejected"),
        /// By the person who requested it.
        Withdrawn("撤回", "Withdrawn"),
    }
}

codes! {
    /// The status of a push.
    pub enum PushStatus {
        Queued("待推送", "Queued"),
        Sending("推送中", "Sending"),
        Accepted("成功", "Accepted"),
        Rejected("拒收", "Rejected"),
        Duplicate("重复", "Duplicate"),
        Failed("失败", "Failed"),
        Retrying("待重试", "Retrying"),
        /// It is unknown whether the organisation has it: money and room stay held, and it is not offered to
        /// organisations that this would wrong.
        Unconfirmed("待核实", "Unconfirmed"),
        Returned("已退回", "Returned"),
        Cancelled("已取消", "Cancelled"),
    }
}

impl PushStatus {
    /// The daily figure for an offer that ended with this status without a sale; none for one that was cancelled or
    /// goes on.
    pub fn not_taken(self) -> Option<LeadKind> {
        match self {
            PushStatus::Rejected => Some(LeadKind::Refused),
            PushStatus::Duplicate => Some(LeadKind::Duplicate),
            PushStatus::Failed => Some(LeadKind::Failed),
            _ => None,
        }
    }
}

/// The outcome of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum AttemptOutcome {
    /// The try is under way, or its process ended before writing the result.
    Open,
    /// The other side reported what it did with it.
    Answered,
    /// It was sent, and it is unknown whether it arrived.
    Unknown,
    /// It did not arrive, or was refused before it was read.
    NotDelivered,
}

codes! {
    /// The status of the applicant's agreement on the organisation's own page.
    pub enum AuthStatus {
        /// The lead is sent once the applicant has agreed.
        Waiting("待授权", "Awaiting authorisation"),
        Authorised("已授权", "Authorised"),
        /// The applicant did not agree.
        Declined("已放弃", "Declined"),
        /// The applicant did not open the page in time, or the push ended before.
        Expired("已失效", "Lapsed"),
    }
}

/// A push as lists show it. The applicant is masked.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PushRow {
    pub id: i64,
    /// `PS20260131-` and eight letters or digits.
    pub no: String,
    /// The applicant; none for leads from before applicants were stored.
    pub user_id: Option<i64>,
    pub name_mask: String,
    pub phone_mask: String,
    pub city: String,
    pub plan_id: i64,
    pub plan_name: String,
    pub org_id: i64,
    pub org_name: String,
    pub sub_org_id: Option<i64>,
    pub sub_org_name: Option<String>,
    pub channel_id: i64,
    pub channel_name: String,
    pub product_id: Option<i64>,
    pub product_name: Option<String>,
    pub sale_mode: SaleMode,
    /// The price at the sale; 0 for a test lead.
    pub price_cents: i64,
    /// Its buyer was a test organisation at the sale: it is not billed, and not part of any figure.
    pub test: bool,
    pub status: PushStatus,
    /// If the organisation wants the applicant to agree on its own page first: the status, and the deadline.
    pub auth_status: Option<AuthStatus>,
    pub auth_until: Option<i64>,
    pub attempts: i64,
    /// Epoch milliseconds; none if it is not tried again.
    pub next_retry_at: Option<i64>,
    /// The buyer's own number.
    pub upstream_no: Option<String>,
    pub reject_code: Option<String>,
    pub reject_reason: Option<String>,
    /// The last return that was requested, and its status.
    pub return_id: Option<i64>,
    pub return_status: Option<ReturnStatus>,
    /// The account that requested it.
    pub return_asker: Option<i64>,
    /// The number of the push that this one repeats.
    pub repeats_no: Option<String>,
    /// The number of the push that repeats this one.
    pub repeated_no: Option<String>,
    /// The number of the returned push that this one replaces: it costs no more than the refund.
    pub replaces_no: Option<String>,
    /// Its buyer has other data than the applicant has now: edited for this push, or from before the applicant was
    /// edited.
    pub edited: bool,
    pub sold_at: Option<i64>,
    pub created_at: i64,
    pub updated_at: i64,
}

/// One try to deliver.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PushAttempt {
    pub seq: i64,
    pub url: String,
    /// Without data that identifies a person.
    pub request: String,
    /// None if there was no answer.
    pub http_status: Option<i64>,
    pub response: Option<String>,
    pub cost_ms: i64,
    pub error: Option<String>,
    /// None for tries from before outcomes were stored.
    pub outcome: Option<AttemptOutcome>,
    pub at: i64,
}

/// A push with its tries, oldest first.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PushStory {
    #[serde(flatten)]
    #[ts(flatten)]
    pub push: PushRow,
    pub tries: Vec<PushAttempt>,
    /// Why it has not arrived, if it is still on its way: a code of the last failure.
    pub last_error: Option<String>,
    /// Decisions of people on it, oldest first: on a lead in doubt, a cancellation or a repetition. Only for platform
    /// staff.
    pub verdicts: Vec<PushVerdict>,
}

/// A person's decision on a push.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PushVerdict {
    /// Epoch milliseconds.
    pub at: i64,
    pub admin_name: String,
    /// `taken`, `not_taken`, `again`, `cancelled` or `repeated`.
    pub decision: String,
    /// How the person knows it, why it was cancelled, or the number of the push that repeats it.
    pub note: Option<String>,
}

/// Leads that no one of the organisation has opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Unseen {
    Yes,
}

/// Returned leads whose replacement is still due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ReplacementDue {
    Yes,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct PushFilters {
    /// Its number, the platform's or the buyer's, or the whole phone.
    pub keyword: Option<String>,
    /// Computed from the keyword, with the keys of this installation.
    #[serde(skip)]
    pub phone_hash: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub plan_id: Option<i64>,
    /// The team of the organisation that got it.
    #[serde(deserialize_with = "lenient_integer")]
    pub sub_org_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub product_id: Option<i64>,
    /// The city of its applicant, by its code or its name.
    pub city: Option<String>,
    pub status: Option<PushStatus>,
    pub return_status: Option<ReturnStatus>,
    /// `yes`: returned leads whose replacement is due and not delivered yet.
    pub replacement_due: Option<ReplacementDue>,
    pub auth_status: Option<AuthStatus>,
    /// `yes`: leads that no one of the organisation has opened.
    pub unseen: Option<Unseen>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    /// The day on which the buyer accepted it, also if it was returned later.
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub sold_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub sold_to: Option<i64>,
    /// The day on which a return was decided on.
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub decided_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub decided_to: Option<i64>,
    /// The stars of its applicant; -1 for none.
    #[serde(deserialize_with = "lenient_integer")]
    pub user_star: Option<i64>,
    /// `yes` for leads that test organisations bought, `no` for the others.
    pub test: Option<YesNo>,
    /// When the list was requested, for [`ReplacementDue`].
    #[serde(skip)]
    pub now: i64,
}

impl ListFilters for PushFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "h.created_at"),
        // The engines disagree about where NULL sorts.
        ("soldAt", "COALESCE(h.sold_at, 0)"),
        ("priceCents", "h.price_cents"),
    ];
    const ID: &'static str = "h.id";

    fn apply_defaults(&mut self, now: i64) {
        self.now = now;
    }

    fn check(&self, check: &mut Check) {
        places::check_typed(check, "city", self.city.as_deref());
    }
}
