//! The types of returns, for the wire and the database, with labels.

use serde::{Deserialize, Serialize};

use crm::model::ClueStage;
use frame::decision::OpenDecision;
use frame::dict::TagColor;
use frame::upload::StoredFile;
use trade::plan::push::ReturnStatus;

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
    /// An item of the dictionary's `lead_return_reason`, and its label.
    pub reason_code: String,
    pub reason_name: Option<String>,
    /// Of the dictionary's item.
    pub label_color: Option<TagColor>,
    pub note: String,
    pub proof_files: Vec<StoredFile>,
    pub status: ReturnStatus,
    pub refund_cents: i64,
    /// The channel that brought the applicant is not paid either. That is between the platform and the channel, so
    /// it is not shown to an organisation's people.
    pub charge_channel: Option<bool>,
    /// Until when the plan is to get another lead for it; none if none was promised.
    pub replacement_due_at: Option<i64>,
    /// The number of the lead that replaces it.
    pub replacement_no: Option<String>,
    /// The note of the decision.
    pub review_note: Option<String>,
    /// None if it was within the rules and approved automatically.
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    pub creator_name: Option<String>,
    pub created_by: Option<i64>,
    /// The open decision: another person than the one who requested the return decides.
    pub decision: Option<OpenDecision>,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// What a decision on a return rests on, beside the return itself.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ReturnBasis {
    /// The days over which the share of returns counts.
    pub days: i64,
    /// How many leads the buyer accepted in these days.
    pub sold: i64,
    /// How many of its returns in these days are open or approved.
    pub returned: i64,
    /// What the buyer recorded of the lead; none if its CRM does not have it.
    pub contacts: Option<BuyerContacts>,
}

/// How a buyer followed up on a lead.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BuyerContacts {
    /// The lead in the buyer's CRM.
    pub clue_id: i64,
    pub clue_no: String,
    pub stage: ClueStage,
    pub follow_count: i64,
    /// Epoch milliseconds; none without a follow-up.
    pub first_follow_at: Option<i64>,
    pub last_follow_at: Option<i64>,
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
    /// For an approval: the channel is not paid for the applicant either.
    #[serde(default)]
    pub charge_channel: bool,
    /// For an approval: the plan is to get another lead for it, before other plans and for no more than the refund.
    #[serde(default)]
    pub replace: bool,
    /// At most 200 characters; needed for a refusal.
    #[serde(default)]
    pub note: String,
}

/// A return in the version that the request names.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReturnVersion {
    pub id: i64,
    pub version: i64,
}
