//! Exposures whose visitors have applied. An application is noted in its own transaction, and the exposures of its
//! visitor are marked within a second.

use std::collections::HashMap;

use sqlx::Row;

use super::batch::day_of;
use super::store::no_rows;
use super::{AHEAD, LOCK};
use base::clock::{DAY, MINUTE};
use base::db::{self, Connection, Db, Sql};

/// An application counts for exposures of at most so many days before.
const DAYS: i64 = 7;
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

/// Marks the exposures of all visitors who have applied so far with the minute of the first application. Its
/// millisecond would identify the applicant.
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

/// The exposures to be marked, by id, with their minutes: in the order in which visits are written, so that no two
/// transactions wait for each other in a circle.
async fn unmarked(tx: &mut Connection, applied: &HashMap<String, Vec<i64>>) -> Result<Vec<(i64, i64)>, sqlx::Error> {
    let Some(first) = applied.values().flatten().min() else { return Ok(Vec::new()) };
    let visitors: Vec<&String> = applied.keys().collect();
    let mut marks = Vec::new();
    for some in db::padded(&visitors) {
        for row in shown_to(some.copied(), first - DAYS * DAY).fetch_all(&mut *tx).await? {
            let (shown_at, last_at): (i64, i64) = (row.try_get("shown_at")?, row.try_get("last_at")?);
            let visitor: String = row.try_get("visitor_key")?;
            let times = applied.get(&visitor).map(Vec::as_slice).unwrap_or_default();
            if let Some(at) = times.iter().find(|at| shown_at <= **at + AHEAD && last_at >= **at - DAYS * DAY) {
                let place: (String, i64, String) = (row.try_get("day")?, row.try_get("plan_id")?, visitor);
                marks.push((place, row.try_get("id")?, at - at % MINUTE));
            }
        }
    }
    marks.sort_unstable();
    Ok(marks.into_iter().map(|(_, id, at)| (id, at)).collect())
}

/// Reads unmarked exposures of visitors since the day of a moment.
fn shown_to<'v>(visitors: impl Iterator<Item = &'v String>, since: i64) -> Sql {
    let mut sql = Sql::new("SELECT e.id, e.day, e.plan_id, e.visitor_key, e.shown_at, e.last_at FROM plan_exposure e WHERE e.day >= ");
    sql.bind(day_of(since)).push(" AND e.applied_at IS NULL AND e.visitor_key IN (");
    for (index, visitor) in visitors.enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind(visitor.clone());
    }
    sql.push(")");
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn exposures_of_visitors_are_found_by_an_index() {
        let (plans, visitors) = (Plans::open().await, ["a".to_owned(), "b".to_owned()]);
        let plan = plans.of(shown_to(visitors.iter(), 0)).await;
        assert_eq!(plan, "SEARCH e USING INDEX plan_exposure_visitor (visitor_key=? AND day>?)");
    }
}
