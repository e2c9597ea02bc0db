//! Replacements of returned leads: the plan that bought such a lead is offered applicants before all others, until
//! one replaces it or the time is over. It pays the amount of the refund, or its own price if that is lower by then.
//! The refund itself is made at once, so no money is owed.

use std::collections::HashSet;

use sqlx::{Any, Executor, Row};

use crate::plan::push::model::PushRow;
use base::db::{self, Connection, Sql};

/// Stores that a lead is to be replaced until a moment.
pub async fn open(tx: &mut Connection, return_id: i64, push: &PushRow, due_at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("INSERT INTO lead_replacement (return_id, plan_id, test, price_cents, due_at) VALUES ($1, $2, $3, $4, $5)")
        .bind(return_id)
        .bind(push.plan_id)
        .bind(i64::from(push.test))
        .bind(push.price_cents)
        .bind(due_at)
        .execute(tx)
        .await
        .map(drop)
}

/// The plans that are owed a replacement at a moment, and whether for a test lead.
pub async fn plans<'e>(on: impl Executor<'e, Database = Any>, at: i64) -> Result<HashSet<(i64, bool)>, sqlx::Error> {
    let rows = sqlx::query("SELECT DISTINCT plan_id, test FROM lead_replacement WHERE push_id IS NULL AND due_at > $1")
        .bind(at)
        .fetch_all(on)
        .await?;
    rows.iter().map(|row| Ok((row.try_get("plan_id")?, db::flag(row, "test")?))).collect()
}

/// Narrows pushes, `h`, to those whose replacement is due at a moment: none was sold yet and the time is not over, or
/// the one that was sold is still on its way.
pub fn narrow_due(sql: &mut Sql, at: i64) {
    sql.push(" AND h.return_id IN (SELECT x.return_id FROM lead_replacement x WHERE x.push_id IS NULL AND x.due_at > ").bind(at);
    sql.push(
        " UNION ALL SELECT x.return_id FROM lead_replacement x JOIN push_record y ON y.id = x.push_id \
           WHERE y.status IN ('queued', 'sending', 'retrying', 'unconfirmed'))",
    );
}

/// A replacement that is due.
#[derive(Clone, Copy, Debug)]
pub struct Replacement {
    return_id: i64,
    /// The refund, in fen.
    pub price_cents: i64,
}

/// Locks the oldest replacement that is due to a plan and that no other sale has locked.
pub async fn next(tx: &mut Connection, plan_id: i64, test: bool, at: i64) -> Result<Option<Replacement>, sqlx::Error> {
    let mut sql = Sql::new("SELECT x.return_id, x.price_cents FROM lead_replacement x WHERE x.push_id IS NULL AND x.plan_id = ");
    sql.bind(plan_id).push(" AND x.test = ").bind(i64::from(test)).push(" AND x.due_at > ").bind(at);
    sql.push(" ORDER BY x.return_id LIMIT 1");
    tx.hold_free(&mut sql, "x");
    let row = sql.fetch_optional(tx).await?;
    row.map(|row| Ok(Replacement { return_id: row.try_get("return_id")?, price_cents: row.try_get("price_cents")? })).transpose()
}

/// Stores which push is the replacement.
pub async fn give(tx: &mut Connection, replacement: Replacement, push_id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE lead_replacement SET push_id = $1 WHERE return_id = $2")
        .bind(push_id)
        .bind(replacement.return_id)
        .execute(tx)
        .await
        .map(drop)
}

/// A push was not accepted: the replacement is due again.
pub async fn open_again(tx: &mut Connection, push_id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE lead_replacement SET push_id = NULL WHERE push_id = $1").bind(push_id).execute(tx).await.map(drop)
}
