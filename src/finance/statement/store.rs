//! Statements and closed months in the database.

use sqlx::{Any, Executor, FromRow};

use super::model::{StatementFilters, StatementRow, StatementStatus};
use crate::access::{Scope, ScopeColumns};
use crate::db::{Connection, Sql};

/// Whose a statement is: its organisation's, once it was sent, and the account manager's.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("m.org_id"), sub_org: None, myself: None };

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT m.id, m.org_id, o.name AS org_name, m.month, m.opening_cents, m.recharge_cents, m.gift_cents, m.adjust_cents, \
     m.spend_cents, m.refund_cents, m.closing_cents, m.entries, m.status, m.note, m.sent_at, p.real_name AS answered_name, m.answered_at, \
     m.version, m.created_at FROM org_statement m JOIN organisation o ON o.id = m.org_id \
     LEFT JOIN administrator p ON p.id = m.answered_by WHERE 1 = 1";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT m.id FROM org_statement m JOIN organisation o ON o.id = m.org_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &StatementFilters, scope: Scope) {
    sql.and("m.org_id = ", filters.org_id).and("m.month = ", filters.month.clone()).and("m.status = ", filters.status);
    within(sql, scope);
}

fn within(sql: &mut Sql, scope: Scope) {
    if !scope.is_platforms() {
        sql.push(" AND m.status <> 'draft'");
    }
    scope.apply(sql, SCOPE);
}

/// One statement within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<StatementRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.id = ", Some(id));
    within(&mut sql, scope);
    sql.fetch_optional(on).await?.as_ref().map(StatementRow::from_row).transpose()
}

/// The last closed month.
pub async fn last_closed<'e>(on: impl Executor<'e, Database = Any>) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT MAX(month) FROM closed_month").fetch_one(on).await
}

/// When the first entry of all was posted.
pub async fn first_entry<'e>(on: impl Executor<'e, Database = Any>) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT MIN(at) FROM account_ledger").fetch_one(on).await
}

/// Closes a month that begins and ends at the given moments, and makes the statements of all accounts that have entries;
/// answers how many.
pub async fn close(tx: &mut Connection, month: &str, (from, to): (i64, i64), at: i64) -> Result<u64, sqlx::Error> {
    sqlx::query("INSERT INTO closed_month (month, ends_at) VALUES ($1, $2)").bind(month).bind(to).execute(&mut *tx).await?;
    let balance = "COALESCE((SELECT b.balance_after_cents FROM account_ledger b WHERE b.account_id = a.id AND b.at < ";
    let last = " ORDER BY b.at DESC, b.id DESC LIMIT 1), 0)";
    let mut sql = Sql::new(
        "INSERT INTO org_statement (org_id, month, opening_cents, recharge_cents, gift_cents, adjust_cents, spend_cents, refund_cents, \
           closing_cents, entries, status, created_at, updated_at) SELECT a.org_id, ",
    );
    sql.bind(month.to_owned()).push(", ").push(balance).bind(from).push(last);
    for sum in [
        "CASE WHEN l.type = 'recharge' OR (l.type = 'reversal' AND l.gift_part_cents = 0) THEN l.amount_cents END",
        "CASE WHEN l.type = 'gift' OR (l.type = 'reversal' AND l.gift_part_cents <> 0) THEN l.amount_cents END",
        "CASE WHEN l.type IN ('adjust_up', 'adjust_down') THEN l.amount_cents END",
        "CASE WHEN l.type = 'lead_sale' THEN -l.amount_cents END",
        "CASE WHEN l.type = 'refund' THEN l.amount_cents END",
    ] {
        sql.push(", CAST(COALESCE(SUM(").push(sum).push("), 0) AS BIGINT)");
    }
    sql.push(", ").push(balance).bind(to).push(last).push(", COUNT(l.id), 'draft', ").bind(at).push(", ").bind(at);
    sql.push(" FROM org_account a LEFT JOIN account_ledger l ON l.account_id = a.id AND l.at >= ").bind(from).push(" AND l.at < ").bind(to);
    sql.push(" WHERE EXISTS (SELECT 1 FROM account_ledger e WHERE e.account_id = a.id AND e.at < ").bind(to);
    sql.push(") GROUP BY a.id, a.org_id");
    sql.execute(tx).await
}

/// Takes a step of a statement over the given version; tells whether there was such a one.
pub async fn step(
    tx: &mut Connection,
    row: &StatementRow,
    status: StatementStatus,
    note: Option<&str>,
    by: i64,
    at: i64,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE org_statement SET status = ");
    sql.bind(status);
    match status {
        // What was disputed stays readable until it is answered again.
        StatementStatus::Draft | StatementStatus::Sent => drop(sql.push(", sent_at = ").bind(at)),
        StatementStatus::Confirmed | StatementStatus::Disputed => {
            sql.push(", note = ").bind(note.map(str::to_owned));
            sql.push(", answered_by = ").bind(by).push(", answered_at = ").bind(at);
        }
    };
    sql.push(", version = version + 1, updated_at = ").bind(at);
    sql.push(" WHERE id = ").bind(row.id).push(" AND version = ").bind(row.version);
    Ok(sql.execute(tx).await? == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Statements;
    use crate::api::listing::tests::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Statements>("statement");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Statements>(&["status"]).await;
    }
}
