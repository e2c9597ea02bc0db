//! Exposures whose visitors have applied. An application is noted in the transaction in which it comes, and the exposures of
//! its visitor are marked within a second.

use std::collections::HashMap;

use sqlx::Row;

use super::LOCK;
use super::batch::day_of;
use super::store::no_rows;
use crate::clock::{DAY, MINUTE};
use crate::db::{self, Connection, Db, Sql};

/// An application counts for what its visitor was shown at most so many days before.
const DAYS: i64 = 7;
/// How far a channel's clock may be ahead of ours, as for what its visitors have seen.
const AHEAD: i64 = 5 * MINUTE;
/// Applications whose exposures are marked in one transaction.
const MOST: i64 = 100;

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

/// Marks the exposures of all visitors who have applied so far with the minute of the first application. Its millisecond
/// would tell whose it is.
pub async fn mark(db: &Db) -> Result<(), sqlx::Error> {
    while mark_some(db).await? == MOST as usize {}
    Ok(())
}

async fn mark_some(db: &Db) -> Result<usize, sqlx::Error> {
    if sqlx::query("SELECT id FROM visitor_application LIMIT 1").fetch_optional(db.read()).await?.is_none() {
        return Ok(0);
    }
    let mut tx = db.begin().await?;
    db.lock_shared(&mut tx, LOCK).await?;
    let rows = sqlx::query(
        "DELETE FROM visitor_application WHERE id IN (SELECT id FROM visitor_application ORDER BY id LIMIT $1) \
         RETURNING visitor_key, applied_at",
    )
    .bind(MOST)
    .fetch_all(&mut *tx)
    .await?;
    let mut applied: HashMap<String, Vec<i64>> = HashMap::new();
    for row in &rows {
        applied.entry(row.try_get("visitor_key")?).or_default().push(row.try_get("applied_at")?);
    }
    applied.values_mut().for_each(|times| times.sort_unstable());
    for (id, at) in unmarked(&mut tx, &applied).await? {
        sqlx::query("UPDATE plan_exposure SET applied_at = $1 WHERE id = $2 AND applied_at IS NULL")
            .bind(at)
            .bind(id)
            .execute(&mut *tx)
            .await
            .map(no_rows)?;
    }
    tx.commit().await?;
    Ok(rows.len())
}

/// The exposures to be marked, by their ids, and with what: in the order in which visits are written, so that no two
/// transactions wait for each other.
async fn unmarked(tx: &mut Connection, applied: &HashMap<String, Vec<i64>>) -> Result<Vec<(i64, i64)>, sqlx::Error> {
    let Some(first) = applied.values().flatten().min() else { return Ok(Vec::new()) };
    let mut sql = Sql::new("SELECT e.id, e.visitor_key, e.shown_at, e.last_at FROM plan_exposure e WHERE e.day >= ");
    sql.bind(day_of(first - DAYS * DAY)).push(" AND e.applied_at IS NULL AND e.visitor_key IN (");
    for (index, visitor) in applied.keys().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind(visitor.clone());
    }
    sql.push(") ORDER BY e.day, e.plan_id, e.visitor_key");
    let mut marks = Vec::new();
    for row in sql.fetch_all(tx).await? {
        let (shown_at, last_at): (i64, i64) = (row.try_get("shown_at")?, row.try_get("last_at")?);
        let times = applied.get(row.try_get::<&str, _>("visitor_key")?).map(Vec::as_slice).unwrap_or_default();
        if let Some(at) = times.iter().find(|at| shown_at <= **at + AHEAD && last_at >= **at - DAYS * DAY) {
            marks.push((row.try_get("id")?, at - at % MINUTE));
        }
    }
    Ok(marks)
}
