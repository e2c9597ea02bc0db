//! The board: clues by stage, each column with its count and its first clues.

use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::list::Clues;
use super::model::{ClueFilters, ClueRow};
use super::store;
use crate::model::ClueStage;
use base::clock::DAY;
use base::codes::Codes as _;
use frame::api::{ApiError, Ctx, ListQuery, Result, listing};
use trade::plan::push::edited;

/// Clues of a column, at most; the list has the others.
const MOST: i64 = 20;

/// A column of the board.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BoardColumn {
    pub stage: ClueStage,
    /// All clues of the stage; an estimate above 10,000.
    pub total: i64,
    /// The latest first.
    pub clues: Vec<BoardClue>,
}

/// A clue on the board.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct BoardClue {
    #[serde(flatten)]
    #[ts(flatten)]
    pub clue: ClueRow,
    /// What the person asks for.
    pub amount_cents: Option<i64>,
    /// Whole days since the clue came to its stage.
    pub stage_days: i64,
}

/// `POST /crm/board`: the filters are those of the list.
pub async fn board(cx: Arc<Ctx>, query: ListQuery<ClueFilters>) -> Result<Vec<BoardColumn>> {
    let scope = cx.viewer()?.scope();
    let wanted = query.filters.stage;
    let stages: Vec<ClueStage> = ClueStage::ALL.iter().copied().filter(|stage| wanted.is_none_or(|wanted| wanted == *stage)).collect();
    let of_stage = |filters: &ClueFilters, stage| ClueFilters { stage: Some(stage), ..filters.clone() };
    let query = ListQuery { page_size: MOST, ..query };
    let parts =
        listing::parts::<Clues>(&cx, query, scope, |filters| stages.iter().map(|stage| of_stage(filters, *stage)).collect()).await?;
    let of_all = |of: fn(&ClueRow) -> Option<i64>| parts.iter().flat_map(|(_, clues)| clues).filter_map(of).collect::<Vec<_>>();
    let on = cx.db().read();
    let known = store::asked_and_since(on, &of_all(|clue| Some(clue.id))).await?;
    let edited = edited::of_all(on, &cx.app.keys, of_all(|clue| clue.push_id)).await.map_err(ApiError::Internal)?;
    let card = |clue: ClueRow| {
        let (asked, since) = known.get(&clue.id).copied().unwrap_or((None, clue.created_at));
        let edited = clue.push_id.and_then(|id| edited.get(&id));
        let amount_cents = edited.map_or(asked, |edited| edited.said.get("applyAmountCents").and_then(Value::as_i64));
        BoardClue { amount_cents, stage_days: (cx.now - since).max(0) / DAY, clue }
    };
    let column = |(stage, (total, clues)): (_, (_, Vec<ClueRow>))| {
        // A clue that has just moved to another stage is not shown in its previous one.
        let clues = clues.into_iter().filter(|clue| clue.stage == stage).map(&card).collect();
        BoardColumn { stage, total, clues }
    };
    Ok(stages.iter().copied().zip(parts).map(column).collect())
}
