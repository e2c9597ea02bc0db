//! What a return is, on the wire and in words.

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use crate::decision::OpenDecision;
use crate::locale::Locale;
use crate::upload::StoredFile;

/// How a return stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum ReturnStatus {
    Pending,
    /// The lead is returned and its price refunded.
    Approved,
    Refused,
    /// By whoever asked for it.
    Withdrawn,
}

impl ReturnStatus {
    /// What people call it.
    pub fn label(self, locale: Locale) -> &'static str {
        match self {
            ReturnStatus::Pending => locale.pick("待审", "Pending"),
            ReturnStatus::Approved => locale.pick("通过", "Approved"),
            ReturnStatus::Refused => locale.pick("驳回", "Rejected"),
            ReturnStatus::Withdrawn => locale.pick("撤回", "Withdrawn"),
        }
    }
}

/// A return as it is shown.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ReturnRow {
    pub id: i64,
    pub push_id: i64,
    pub push_no: String,
    pub org_id: i64,
    pub org_name: String,
    /// An item of the dictionary's `lead_return_reason`, and what people call it.
    pub reason_code: String,
    pub reason_name: Option<String>,
    pub note: String,
    pub proof_files: Vec<StoredFile>,
    pub status: ReturnStatus,
    pub refund_cents: i64,
    /// The channel that brought the applicant is not paid for him either: between the platform and the channel, so
    /// an organisation's people are told nothing of it.
    pub charge_channel: Option<bool>,
    /// What was said when it was decided on.
    pub review_note: Option<String>,
    /// None where it was within the rules and approved by itself.
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    pub creator_name: Option<String>,
    pub created_by: Option<i64>,
    /// That it waits for somebody else than who asked for it.
    pub decision: Option<OpenDecision>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// The form of a return.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReturnForm {
    pub push_id: i64,
    /// An item of the dictionary's `lead_return_reason`.
    pub reason_code: String,
    /// At most 500 characters; needed for the reason `other`. Long numbers in it are kept masked.
    #[serde(default)]
    pub note: String,
    /// Uploaded for the kind of record `return_proof`, five at most.
    #[serde(default)]
    pub proof_file_ids: Vec<i64>,
}

/// A decision on a return.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReturnDecision {
    pub id: i64,
    pub version: i64,
    pub approve: bool,
    /// Of one that is approved: the channel is not paid for the applicant either.
    #[serde(default)]
    pub charge_channel: bool,
    /// At most 200 characters; needed to refuse one.
    #[serde(default)]
    pub note: String,
}

/// A return in the version that is meant.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReturnVersion {
    pub id: i64,
    pub version: i64,
}
