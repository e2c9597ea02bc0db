//! Exposures whose visitors have applied. An application is noted in the transaction in which it comes, and the exposures of
//! its visitor are marked within a second.

use sqlx::Row;

use super::LOCK;
use super::batch::day_of;
use super::store::no_rows;
use crate::clock::DAY;
use crate::db::{self, Connection, Db, Sql};

/// An application counts for what its visitor was shown at most so many days before.
const DAYS: i64 = 7;
/// Applications whose exposures are marked in one transaction: few, for visits wait meanwhile.
const MOST: i64 = 200;

/// Notes that visitors, by their keys, have applied at a moment.
pub async fn note(tx: &mut Connection, visitors: &[&str], at: i64) -> Result<(), sqlx::Error> {
    for some in db::pieces(visitors) {
        let mut sql = Sql::new("INSERT INTO visitor_application (visitor_key, applied_at) VALUES ");
        for (index, visitor) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind((*visitor).to_owned()).push(", ").bind(at).push(")");
        }
        sql.execute(&mut *tx).await?;
    }
    Ok(())
}

/// Marks the exposures of all visitors who have applied so far. The first application after an exposure holds.
pub async fn mark(db: &Db) -> Result<(), sqlx::Error> {
    while mark_some(db).await? == MOST as usize {}
    Ok(())
}

async fn mark_some(db: &Db) -> Result<usize, sqlx::Error> {
    if sqlx::query("SELECT id FROM visitor_application LIMIT 1").fetch_optional(db.read()).await?.is_none() {
        return Ok(0);
    }
    let mut tx = db.begin().await?;
    // Alone: visits are written in another order.
    db.lock(&mut tx, LOCK).await?;
    let rows = sqlx::query(
        "DELETE FROM visitor_application WHERE id IN (SELECT id FROM visitor_application ORDER BY id LIMIT $1) \
         RETURNING applied_at, visitor_key",
    )
    .bind(MOST)
    .fetch_all(&mut *tx)
    .await?;
    let mut applied: Vec<(i64, String)> =
        rows.iter().map(|row| Ok((row.try_get("applied_at")?, row.try_get("visitor_key")?))).collect::<Result<_, sqlx::Error>>()?;
    applied.sort_unstable();
    for (at, visitor) in applied {
        sqlx::query(
            "UPDATE plan_exposure SET applied_at = $1 WHERE visitor_key = $2 AND day >= $3 AND shown_at >= $4 AND shown_at <= $1 \
               AND applied_at IS NULL",
        )
        .bind(at)
        .bind(visitor)
        .bind(day_of(at - DAYS * DAY))
        .bind(at - DAYS * DAY)
        .execute(&mut *tx)
        .await
        .map(no_rows)?;
    }
    tx.commit().await?;
    Ok(rows.len())
}
