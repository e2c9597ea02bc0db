//! The return of a clue's lead, requested from the clue: the same return as from the list of pushes.

use std::sync::Arc;

use serde::Deserialize;

use crate::returns::{self, ReturnForm, ReturnRow};
use crm::clue::record;
use frame::api::{ApiError, Body, Ctx, Id, Result, say};

/// A return that is requested.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueReturnForm {
    /// The id of the clue.
    pub id: i64,
    /// A code of the dictionary `lead_return_reason`.
    pub reason_code: String,
    #[serde(default)]
    pub note: String,
    /// Files uploaded for the kind of record `return_proof`.
    #[serde(default)]
    pub proof_file_ids: Vec<i64>,
}

/// `POST /crm/return`.
pub async fn ask(cx: Arc<Ctx>, Body(form): Body<ClueReturnForm>) -> Result<ReturnRow> {
    let push_id = push_of(&cx, form.id).await?;
    let form = ReturnForm { push_id, reason_code: form.reason_code, note: form.note, proof_file_ids: form.proof_file_ids };
    returns::ask_for_clue(&cx, &form).await
}

/// `GET /crm/return/ask/{id}`: whether the return of a clue's lead may be requested now.
pub async fn may_ask(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let push_id = push_of(&cx, id).await?;
    returns::may_ask_for_clue(&cx, push_id).await
}

async fn push_of(cx: &Ctx, clue_id: i64) -> Result<i64> {
    let clue = record::seen(cx, clue_id).await?;
    clue.push_id.ok_or_else(|| ApiError::State(say("该线索不是购买所得，不能退单", "The lead was not bought: it cannot be returned")))
}
