//! Statements and closed months in the database.

use sqlx::{Any, Executor, FromRow, Row};

use super::model::{StatementFilters, StatementRow, StatementStatus};
use crate::ledger::head;
use base::db::{Connection, Sql};
use frame::access::{Scope, ScopeColumns};

/// Who sees a statement: its organisation, once it was sent, and the organisation's account manager.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("m.org_id"), sub_org: None, myself: None };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = "SELECT m.id, m.org_id, o.name AS org_name, m.month, m.opening_cents, m.recharge_cents, m.gift_cents, m.adjust_cents, \
     m.spend_cents, m.refund_cents, m.closing_cents, m.entries, m.status, m.note, m.sent_at, m.ledger_head, p.real_name AS answered_name, m.answered_at, \
     m.version, m.created_at FROM org_statement m JOIN organisation o ON o.id = m.org_id \
     LEFT JOIN administrator p ON p.id = m.answered_by WHERE 1 = 1";

/// The same rows, for the count.
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

/// Begins a statement on `stretch`: the entries of each account in a month, by their numbers. A month begins after
/// the last entry of the statement before it and ends with the last entry dated before its end. So each entry is in
/// one statement, even if a clock was wrong or older versions dated two entries in the wrong order.
fn stretches((from, to): (i64, i64)) -> Sql {
    let mut sql = Sql::new(
        "WITH begun AS MATERIALIZED (SELECT a.id AS account_id, a.org_id, COALESCE((SELECT m.last_seq FROM org_statement m WHERE m.org_id = a.org_id \
           ORDER BY m.month DESC LIMIT 1), (SELECT MAX(b.seq) FROM account_ledger b WHERE b.account_id = a.id AND b.at < ",
    );
    sql.bind(from).push(
        "), 0) AS opening_seq FROM org_account a), \
         stretch AS MATERIALIZED (SELECT g.account_id, g.org_id, g.opening_seq, COALESCE((SELECT MAX(l.seq) FROM account_ledger l \
           WHERE l.account_id = g.account_id AND l.seq > g.opening_seq AND l.at < ",
    );
    sql.bind(to).push("), g.opening_seq) AS closing_seq FROM begun g) ");
    sql
}

/// An entry whose balance does not follow from the entry before it.
pub struct Misfit {
    pub org_name: String,
    pub seq: i64,
}

/// The first entry of a month that begins and ends at the given moments whose balance does not follow from the one before it.
pub async fn misfit(tx: &mut Connection, month: (i64, i64)) -> Result<Option<Misfit>, sqlx::Error> {
    let mut sql = stretches(month);
    sql.push(
        "SELECT o.name AS org_name, l.seq FROM stretch t JOIN organisation o ON o.id = t.org_id \
         JOIN account_ledger l ON l.account_id = t.account_id AND l.seq > t.opening_seq AND l.seq <= t.closing_seq \
         LEFT JOIN account_ledger p ON p.account_id = l.account_id AND p.seq = l.seq - 1 \
         WHERE l.balance_after_cents <> COALESCE(p.balance_after_cents, 0) + l.amount_cents OR (p.id IS NULL AND l.seq > 1) \
         ORDER BY t.org_id, l.seq LIMIT 1",
    );
    let found = sql.fetch_optional(tx).await?;
    found.map(|row| Ok(Misfit { org_name: row.try_get("org_name")?, seq: row.try_get("seq")? })).transpose()
}

/// Closes a month with the given beginning and end that has no [`misfit`], and makes the statements of all accounts
/// with entries. Returns how many.
pub async fn close(tx: &mut Connection, month: &str, (from, to): (i64, i64), at: i64) -> Result<u64, sqlx::Error> {
    sqlx::query("INSERT INTO closed_month (month, ends_at) VALUES ($1, $2)").bind(month).bind(to).execute(&mut *tx).await?;
    let mut sql = stretches((from, to));
    sql.push(
        "INSERT INTO org_statement (org_id, month, opening_cents, recharge_cents, gift_cents, adjust_cents, spend_cents, refund_cents, \
           closing_cents, entries, last_seq, status, created_at, updated_at) SELECT t.org_id, ",
    );
    sql.bind(month.to_owned()).push(", COALESCE(b.balance_after_cents, 0)");
    for sum in [
        "CASE WHEN l.type = 'recharge' OR (l.type = 'reversal' AND l.gift_part_cents = 0) THEN l.amount_cents END",
        "CASE WHEN l.type = 'gift' OR (l.type = 'reversal' AND l.gift_part_cents <> 0) THEN l.amount_cents END",
        "CASE WHEN l.type IN ('adjust_up', 'adjust_down') THEN l.amount_cents END",
        "CASE WHEN l.type IN ('lead_sale', 'visit_charge') THEN -l.amount_cents END",
        "CASE WHEN l.type = 'refund' THEN l.amount_cents END",
    ] {
        sql.push(", CAST(COALESCE(SUM(").push(sum).push("), 0) AS BIGINT)");
    }
    sql.push(", e.balance_after_cents, COUNT(l.id), t.closing_seq, 'draft', ").bind(at).push(", ").bind(at);
    sql.push(
        " FROM stretch t JOIN account_ledger e ON e.account_id = t.account_id AND e.seq = t.closing_seq \
         LEFT JOIN account_ledger b ON b.account_id = t.account_id AND b.seq = t.opening_seq \
         LEFT JOIN account_ledger l ON l.account_id = t.account_id AND l.seq > t.opening_seq AND l.seq <= t.closing_seq \
         GROUP BY t.org_id, t.closing_seq, b.balance_after_cents, e.balance_after_cents",
    );
    sql.execute(tx).await
}

/// Makes a step of a statement over the given version. Returns whether that version existed.
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
        // The note of a dispute stays readable until the statement is answered again.
        StatementStatus::Draft | StatementStatus::Sent => {
            sql.push(", sent_at = ").bind(at).push(", ledger_head = ").bind(head::newest(&mut *tx, at).await?);
        }
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
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Statements>("statement");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Statements>(&["status"]).await;
    }
}
