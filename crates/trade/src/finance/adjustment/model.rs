//! Adjustments on the wire.

use serde::{Deserialize, Serialize};

use base::codes;
use base::db::JsonText;
use frame::api::ListFilters;
use frame::api::list::lenient_integer;
use frame::decision::Pending;
use frame::upload::StoredFile;

codes! {
    /// What of an account is adjusted.
    pub enum AccountPart {
        Paid("充值金额", "Paid money"),
        Gift("赠送金额", "Gifts"),
    }
}

codes! {
    /// Status of an adjustment.
    pub enum AdjustmentStatus {
        Pending("待审核", "Pending") -> [Approved, Rejected, Withdrawn],
        Approved("已调账", "Approved"),
        Rejected("已驳回", "Rejected"),
        Withdrawn("已撤回", "Withdrawn"),
    }
}

/// An adjustment as lists show it.
#[derive(Clone, Debug, Serialize, sqlx::FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AdjustmentRow {
    pub id: i64,
    /// `TZ20260131-` and six letters or digits.
    pub no: String,
    pub org_id: i64,
    pub org_name: String,
    pub part: AccountPart,
    /// Fen; below zero for what is taken out.
    pub amount_cents: i64,
    pub reason: String,
    #[sqlx(try_from = "JsonText<Vec<StoredFile>>")]
    pub proof_files: Vec<StoredFile>,
    pub status: AdjustmentStatus,
    pub review_note: Option<String>,
    pub reviewer_name: Option<String>,
    pub reviewed_at: Option<i64>,
    pub created_by: Option<i64>,
    pub creator_name: Option<String>,
    #[sqlx(flatten)]
    #[ts(as = "Option<frame::decision::OpenDecision>")]
    pub decision: Pending,
    pub version: i64,
    pub created_at: i64,
    pub updated_at: i64,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AdjustmentFilters {
    /// The beginning of a number.
    pub keyword: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    pub status: Option<AdjustmentStatus>,
    pub part: Option<AccountPart>,
}

impl ListFilters for AdjustmentFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("createdAt", "j.created_at"), ("no", "j.no")];
    const ID: &'static str = "j.id";
}

/// An adjustment is asked for.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct AdjustmentForm {
    pub org_id: i64,
    pub part: AccountPart,
    /// Fen; below zero to take out.
    pub amount_cents: i64,
    pub reason: String,
    /// Uploaded for the kind of record `adjustment_proof`.
    #[serde(default)]
    pub proof_file_ids: Vec<i64>,
}

/// An adjustment in the version that is meant.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct AdjustmentVersion {
    pub id: i64,
    pub version: i64,
}
