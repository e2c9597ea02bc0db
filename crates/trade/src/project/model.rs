//! The types of projects, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::channel::SettleMode;
use base::codes;
use frame::api::ListFilters;
use frame::api::list::{day_from, day_to, lenient_integer};
use frame::places;

codes! {
    /// The role of the new partner.
    pub enum PartnerType {
        /// Brings applicants.
        Channel("渠道", "Channel"),
        /// Buys leads.
        Organisation("机构", "Organisation"),
    }
}

codes! {
    /// The status of a project.
    pub enum ProjectStatus {
        /// Being written.
        Draft("草稿", "Draft"),
        /// On its way through the steps.
        Submitted("办理中", "In progress"),
        /// Back with the applicant, to be corrected.
        Returned("已退回", "Returned"),
        /// Through all steps.
        Launched("已上线", "Launched"),
        /// Given up by the applicant.
        Withdrawn("已撤回", "Withdrawn"),
    }
}

codes! {
    /// The five steps, in order. A project is at one of them: the earlier ones are done.
    pub enum ProjectStage {
        Application("提交申请", "Submit application"),
        Review("领导审核", "Leader review"),
        Certificate("购买证书", "Purchase certificate"),
        SafetyTest("安全测试", "Safety test"),
        Launch("正式上线", "Officially launched"),
    }
}

/// The action of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum StepAction {
    Submitted,
    Approved,
    Returned,
    Withdrawn,
}

/// Why a project was returned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReturnReason {
    /// A value of the dictionary `project_return_reason`.
    pub code: String,
    /// Its label in the viewer's language; the code itself for a deleted value.
    pub name: String,
}

/// The fields of a project's form. The phone is masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ProjectContent {
    pub partner_type: PartnerType,
    pub name: String,
    #[serde(deserialize_with = "places::code")]
    pub city: String,
    /// Unified social credit code.
    pub licence_no: String,
    pub contact_name: String,
    pub contact_phone_mask: Option<String>,
    pub contact_email: Option<String>,
    pub settle_mode: SettleMode,
    pub unit_price_cents: i64,
    /// Share of the revenue in basis points: 1250 is 12.50 %.
    pub share_bp: i64,
    /// Expected leads a day.
    pub daily_volume: Option<i64>,
    /// `YYYY-MM-DD`.
    pub start_date: Option<String>,
    pub landing_url: Option<String>,
    pub callback_url: Option<String>,
    /// Addresses and networks that may call; empty for any.
    pub ip_allow: Vec<String>,
    pub remark: String,
}

/// A project as lists and its own page show it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ProjectRow {
    pub id: i64,
    /// Set at the first submission.
    pub no: Option<String>,
    #[serde(flatten)]
    pub content: ProjectContent,
    pub status: ProjectStatus,
    pub stage: ProjectStage,
    pub applicant_admin_id: i64,
    pub applicant_name: String,
    /// Last submitted, epoch milliseconds.
    pub submitted_at: Option<i64>,
    pub launched_at: Option<i64>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// One entry of a project's history.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ProjectStep {
    pub id: i64,
    /// The step of the action.
    pub stage: ProjectStage,
    pub action: StepAction,
    pub note: String,
    pub reasons: Vec<ReturnReason>,
    pub by_name: String,
    /// Epoch milliseconds.
    pub at: i64,
}

/// A project with all data of its page.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ProjectDetail {
    pub project: ProjectRow,
    /// Latest first, at most 100.
    pub steps: Vec<ProjectStep>,
    /// The content of an earlier submission, if it was different.
    pub previous: Option<ProjectContent>,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ProjectFilters {
    /// The beginning of a number, a part of a name or of a contact's name, or a whole phone.
    pub keyword: Option<String>,
    pub status: Option<ProjectStatus>,
    pub stage: Option<ProjectStage>,
    pub partner_type: Option<PartnerType>,
    #[serde(deserialize_with = "lenient_integer")]
    pub applicant_admin_id: Option<i64>,
    #[serde(deserialize_with = "day_from")]
    #[schemars(with = "Option<String>")]
    pub created_from: Option<i64>,
    #[serde(deserialize_with = "day_to")]
    #[schemars(with = "Option<String>")]
    pub created_to: Option<i64>,
    /// The hash of a whole phone in the keyword.
    #[serde(skip)]
    pub phone_hash: Option<String>,
}

impl ListFilters for ProjectFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("createdAt", "p.created_at"),
        ("updatedAt", "p.updated_at"),
        ("name", "p.name"),
        ("status", "p.status"),
        // The engines sort NULL differently; a draft may have neither yet.
        ("dailyVolume", "COALESCE(p.daily_volume, 0)"),
        ("startDate", "COALESCE(p.start_date, '')"),
    ];
    const ID: &'static str = "p.id";
}

/// The form of a project: incomplete for a draft, complete for a submission.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ProjectForm {
    /// A returned project that is corrected; absent for the viewer's own draft or a new project.
    pub id: Option<i64>,
    /// As read; absent if there is none yet.
    pub version: Option<i64>,
    pub partner_type: PartnerType,
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub city: String,
    #[serde(default)]
    pub licence_no: String,
    #[serde(default)]
    pub contact_name: String,
    /// Absent or empty to keep the stored one, which the form does not show in full.
    pub contact_phone: Option<String>,
    pub contact_email: Option<String>,
    pub settle_mode: SettleMode,
    #[serde(default)]
    pub unit_price_cents: i64,
    #[serde(default)]
    pub share_bp: i64,
    pub daily_volume: Option<i64>,
    pub start_date: Option<String>,
    pub landing_url: Option<String>,
    pub callback_url: Option<String>,
    #[serde(default)]
    pub ip_allow: Vec<String>,
    #[serde(default)]
    pub remark: String,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum Decision {
    Approve,
    Return,
}

/// The end of a step.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ProjectAudit {
    pub id: i64,
    pub version: i64,
    pub decision: Decision,
    #[serde(default)]
    pub note: String,
    /// The corrections needed, if it is returned: values of the dictionary `project_return_reason`. `other` needs a
    /// note.
    #[serde(default)]
    pub reasons: Vec<String>,
}

/// A project that its applicant withdraws.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ProjectWithdrawal {
    pub id: i64,
    pub version: i64,
    #[serde(default)]
    pub note: String,
}

/// A contact's whole phone.
#[derive(Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RevealedContact {
    /// None if there is no phone yet.
    pub contact_phone: Option<String>,
}
