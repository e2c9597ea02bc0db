//! The terms of the pool that serves a team. An organisation without a pool gets one when it is needed, so that each
//! clue has an owner or a pool.

use sqlx::FromRow;

use super::super::model::{ClueStage, SalesLevel};
use base::clock::DAY;
use base::db::Connection;

/// The terms on which clues are in a pool and return to it.
#[derive(Clone, Debug, FromRow)]
pub struct PoolTerms {
    pub id: i64,
    pub name: String,
    pub claim_per_day: i64,
    pub former_owner_days: i64,
    pub new_delay_minutes: i64,
    /// 0: never.
    pub reclaim_days: i64,
    pub remind_days: i64,
    /// The least level of a salesperson who may have its clues; none for any.
    pub min_level: Option<SalesLevel>,
}

impl PoolTerms {
    /// When a clue that was last followed up at a moment returns to the pool; none for never.
    pub fn reclaim_at(&self, stage: ClueStage, at: i64) -> Option<i64> {
        (self.reclaim_days > 0 && stage.is_reclaimed()).then(|| at + self.reclaim_days * DAY)
    }
}

/// Terms of a pool that the program makes.
const CLAIM_PER_DAY: i64 = 20;
const FORMER_OWNER_DAYS: i64 = 3;
const RECLAIM_DAYS: i64 = 7;
const REMIND_DAYS: i64 = 1;
const NAME: &str = "公共池";

/// The terms of the first pool in use that is for a team, or for the whole organisation.
pub async fn terms_for(tx: &mut Connection, org_id: i64, sub_org_id: Option<i64>, at: i64) -> Result<PoolTerms, sqlx::Error> {
    if let Some(terms) = find(tx, org_id, sub_org_id).await? {
        return Ok(terms);
    }
    let name = format!("{NAME}{}", sub_org_id.map(|team| format!(" {team}")).unwrap_or_default());
    // A pool of this name that is for a team or disabled becomes the pool of the whole organisation.
    sqlx::query(
        "INSERT INTO clue_pool (org_id, name, claim_per_day, former_owner_days, new_delay_minutes, reclaim_days, remind_days, sort, status, \
           created_at, updated_at) VALUES ($1, $2, $3, $4, 0, $5, $6, 1000, 'enabled', $7, $8) \
         ON CONFLICT (org_id, name) WHERE deleted_at IS NULL DO UPDATE SET status = 'enabled', sub_org_ids = '[]', min_level = NULL, version = clue_pool.version + 1",
    )
    .bind(org_id)
    .bind(name)
    .bind(CLAIM_PER_DAY)
    .bind(FORMER_OWNER_DAYS)
    .bind(RECLAIM_DAYS)
    .bind(REMIND_DAYS)
    .bind(at)
    .bind(at)
    .execute(&mut *tx)
    .await?;
    find(tx, org_id, sub_org_id).await?.ok_or(sqlx::Error::RowNotFound)
}

/// The terms of a pool.
pub async fn terms_of(tx: &mut Connection, id: i64) -> Result<PoolTerms, sqlx::Error> {
    let row = sqlx::query(
        "SELECT id, name, claim_per_day, former_owner_days, new_delay_minutes, reclaim_days, remind_days, min_level FROM clue_pool WHERE id = $1",
    )
    .bind(id)
    .fetch_one(tx)
    .await?;
    PoolTerms::from_row(&row)
}

/// The least level of a salesperson who may have a clue of a pool, or one of a team (the organisation and the team)
/// that is in no pool.
pub async fn least_level(
    on: &mut Connection,
    pool_id: Option<i64>,
    (org_id, sub_org_id): (i64, Option<i64>),
) -> Result<Option<SalesLevel>, sqlx::Error> {
    match pool_id {
        Some(pool) => Ok(terms_of(on, pool).await?.min_level),
        None => Ok(find(on, org_id, sub_org_id).await?.and_then(|terms| terms.min_level)),
    }
}

async fn find(tx: &mut Connection, org_id: i64, sub_org_id: Option<i64>) -> Result<Option<PoolTerms>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT id, name, claim_per_day, former_owner_days, new_delay_minutes, reclaim_days, remind_days, min_level FROM clue_pool \
         WHERE org_id = $1 AND status = 'enabled' AND deleted_at IS NULL \
           AND (sub_org_ids = '[]' OR REPLACE(REPLACE(sub_org_ids, '[', ','), ']', ',') LIKE $2) ORDER BY CASE sub_org_ids WHEN '[]' THEN 1 ELSE 0 END, sort, id LIMIT 1",
    )
    .bind(org_id)
    .bind(format!("%,{},%", sub_org_id.unwrap_or_default()))
    .fetch_optional(tx)
    .await?;
    row.as_ref().map(PoolTerms::from_row).transpose()
}
