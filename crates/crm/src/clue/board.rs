//! The board: clues by stage, each column with its count and its first clues.

use std::sync::Arc;

use serde::Serialize;

use super::list::Clues;
use super::model::{ClueFilters, ClueRow};
use crate::model::ClueStage;
use base::codes::Codes as _;
use frame::api::{Ctx, ListQuery, Result, listing};

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
    pub clues: Vec<ClueRow>,
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
    let column = |(stage, (total, mut clues)): (_, (_, Vec<ClueRow>))| {
        // A clue that has just moved to another stage is not shown in its previous one.
        clues.retain(|clue| clue.stage == stage);
        BoardColumn { stage, total, clues }
    };
    Ok(stages.iter().copied().zip(parts).map(column).collect())
}
