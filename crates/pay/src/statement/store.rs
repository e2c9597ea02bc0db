//! Statements and differences in the database.

use sqlx::{Any, Executor, FromRow, Row};

use super::matching::{BookEntry, Difference, StatementLine};
use super::model::{
    DifferenceStatus, MoneyDirection, PaymentDifferenceFilters, PaymentDifferenceRow, PaymentStatementFilters, PaymentStatementRow,
    StatementColumns, StatementDayStatus,
};
use base::db::sql::typed;
use base::db::{self, Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::decision::{self, Awaits};

/// Lines of a statement that are written at once.
const LINES_AT_ONCE: usize = 500;

/// The list of statements, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT r.id, r.payee_channel_id, h.name AS payee_channel_name, h.payee_org_id, p.name AS payee_org_name, r.day, r.file_name, r.our_count, r.our_cents, \
     r.their_count, r.their_cents, r.matched_count, \
     (SELECT COUNT(*) FROM payment_difference d WHERE d.payment_statement_id = r.id AND d.status = 'open') AS open_count, \
     r.status, c.real_name AS importer_name, v.real_name AS closer_name, r.closed_at, r.version, r.created_at, r.updated_at, ",
    decision::open_columns!("payConfig/order-list/reconcile"),
    " FROM payment_statement r JOIN payee_channel h ON h.id = r.payee_channel_id JOIN payee_organisation p ON p.id = h.payee_org_id \
     LEFT JOIN administrator c ON c.id = r.created_by LEFT JOIN administrator v ON v.id = r.closed_by",
    decision::open_join!("payment_statement", "r.id"),
    " WHERE 1 = 1"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT r.id FROM payment_statement r WHERE 1 = 1";

/// The list of differences, before [`narrow_differences`].
pub const DIFFERENCES: &str = "SELECT r.id, r.payment_statement_id, h.name AS payee_channel_name, m.day, r.kind, r.direction, r.number, r.our_cents, \
     r.their_cents, r.payment_order_id, n.no AS payment_order_no, r.status, r.note, s.real_name AS settler_name, r.settled_at, r.version, \
     r.created_at, r.updated_at FROM payment_difference r JOIN payment_statement m ON m.id = r.payment_statement_id \
     JOIN payee_channel h ON h.id = m.payee_channel_id LEFT JOIN payment_order n ON n.id = r.payment_order_id \
     LEFT JOIN administrator s ON s.id = r.settled_by WHERE 1 = 1";

/// The same rows, to be counted.
pub const COUNT_DIFFERENCES: &str = "SELECT r.id FROM payment_difference r WHERE 1 = 1";

/// Statements are the platform's.
fn within(sql: &mut Sql, scope: Scope) {
    scope.apply(sql, ScopeColumns::default());
}

/// The conditions of the list of statements.
pub fn narrow(sql: &mut Sql, filters: &PaymentStatementFilters, scope: Scope) {
    sql.and("r.payee_channel_id = ", filters.payee_channel_id).and("r.status = ", filters.status);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(" AND ", decision::open_exists!("payment_statement", "r.id", "close_statement")));
        decision::and_not_by(sql, "payment_statement", "r.id", filters.own_of);
    }
    within(sql, scope);
}

/// The conditions of the list of differences.
pub fn narrow_differences(sql: &mut Sql, filters: &PaymentDifferenceFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        sql.push(" AND (r.number = ").bind(keyword.to_owned());
        sql.push(" OR r.payment_order_id = (SELECT o.id FROM payment_order o WHERE o.no = ").bind(keyword.to_uppercase()).push("))");
    }
    sql.and("r.payment_statement_id = ", filters.payment_statement_id).and("r.kind = ", filters.kind).and("r.status = ", filters.status);
    within(sql, scope);
}

/// One statement within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PaymentStatementRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    within(&mut sql, scope);
    sql.fetch_optional(on).await?.as_ref().map(PaymentStatementRow::from_row).transpose()
}

/// The id of a channel's statement of a day.
pub async fn of_day(tx: &mut Connection, channel_id: i64, day: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("SELECT id FROM payment_statement WHERE payee_channel_id = $1 AND day = $2")
        .bind(channel_id)
        .bind(day)
        .fetch_optional(tx)
        .await
}

/// Holds a channel's statement of a day until the transaction ends, and returns its id.
pub async fn hold_day(tx: &mut Connection, channel_id: i64, day: &str) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar("UPDATE payment_statement SET version = version WHERE payee_channel_id = $1 AND day = $2 RETURNING id")
        .bind(channel_id)
        .bind(day)
        .fetch_optional(tx)
        .await
}

/// One difference within a scope.
pub async fn find_difference<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
) -> Result<Option<PaymentDifferenceRow>, sqlx::Error> {
    let mut sql = Sql::new(DIFFERENCES);
    sql.and("r.id = ", Some(id));
    within(&mut sql, scope);
    sql.fetch_optional(on).await?.as_ref().map(PaymentDifferenceRow::from_row).transpose()
}

/// How many differences are open.
pub async fn open<'e>(on: impl Executor<'e, Database = Any>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM payment_difference WHERE status = 'open'").fetch_one(on).await
}

/// The last used columns of a channel's files; none before the first file.
pub async fn columns<'e>(on: impl Executor<'e, Database = Any>, channel_id: i64) -> Result<Option<StatementColumns>, sqlx::Error> {
    sqlx::query_as("SELECT number_column, amount_column, refund_column FROM payment_statement_columns WHERE payee_channel_id = $1")
        .bind(channel_id)
        .fetch_optional(on)
        .await
}

/// Keeps the columns of a channel's files for the next one.
pub async fn keep_columns(tx: &mut Connection, channel_id: i64, columns: &StatementColumns) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO payment_statement_columns (payee_channel_id, number_column, amount_column, refund_column) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (payee_channel_id) DO UPDATE SET number_column = excluded.number_column, amount_column = excluded.amount_column, \
           refund_column = excluded.refund_column",
    )
    .bind(channel_id)
    .bind(&columns.number_column)
    .bind(&columns.amount_column)
    .bind(&columns.refund_column)
    .execute(tx)
    .await
    .map(drop)
}

/// Our payments and refunds of a channel between two moments.
pub async fn book_entries(tx: &mut Connection, channel_id: i64, from: i64, to: i64) -> Result<Vec<BookEntry>, sqlx::Error> {
    let payments = sqlx::query(
        "SELECT id, channel_order_no, paid_cents FROM payment_order WHERE payee_channel_id = $1 AND paid_at >= $2 AND paid_at < $3 \
         AND paid_cents IS NOT NULL",
    )
    .bind(channel_id)
    .bind(from)
    .bind(to)
    .fetch_all(&mut *tx)
    .await?;
    let mut all = payments
        .iter()
        .map(|row| {
            let number: Option<String> = row.try_get("channel_order_no")?;
            Ok(BookEntry {
                numbers: number.into_iter().collect(),
                direction: MoneyDirection::Payment,
                cents: row.try_get("paid_cents")?,
                order_id: row.try_get("id")?,
            })
        })
        .collect::<Result<Vec<BookEntry>, sqlx::Error>>()?;
    let refunds = sqlx::query(
        "SELECT n.id, r.channel_refund_no, r.no, n.channel_order_no, r.amount_cents FROM payment_refund r \
         JOIN payment_order n ON n.id = r.payment_order_id WHERE r.status = 'success' AND n.payee_channel_id = $1 AND r.done_at >= $2 AND r.done_at < $3",
    )
    .bind(channel_id)
    .bind(from)
    .bind(to)
    .fetch_all(tx)
    .await?;
    for row in &refunds {
        let numbers = ["channel_refund_no", "no", "channel_order_no"].into_iter().map(|name| row.try_get::<Option<String>, _>(name));
        let mut known: Vec<String> = Vec::new();
        for number in numbers.collect::<Result<Vec<_>, _>>()?.into_iter().flatten() {
            if !known.contains(&number) {
                known.push(number);
            }
        }
        all.push(BookEntry {
            numbers: known,
            direction: MoneyDirection::Refund,
            cents: row.try_get("amount_cents")?,
            order_id: row.try_get("id")?,
        });
    }
    Ok(all)
}

/// The numbers of a statement.
pub struct Numbers {
    pub our_count: i64,
    pub our_cents: i64,
    pub their_count: i64,
    pub their_cents: i64,
    pub matched_count: i64,
}

/// Adds a statement, or writes over the open one of the day; returns its id.
pub async fn write(
    tx: &mut Connection,
    channel_id: i64,
    day: &str,
    file_name: &str,
    numbers: &Numbers,
    stamp: Stamp,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO payment_statement (payee_channel_id, day, file_name, our_count, our_cents, their_count, their_cents, matched_count, status, \
           created_at, updated_at, created_by, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9, $10, $11, $12) \
         ON CONFLICT (payee_channel_id, day) DO UPDATE SET file_name = excluded.file_name, our_count = excluded.our_count, \
           our_cents = excluded.our_cents, their_count = excluded.their_count, their_cents = excluded.their_cents, \
           matched_count = excluded.matched_count, version = payment_statement.version + 1, updated_at = excluded.updated_at, \
           created_by = excluded.created_by, updated_by = excluded.updated_by RETURNING id",
    )
    .bind(channel_id)
    .bind(day)
    .bind(file_name)
    .bind(numbers.our_count)
    .bind(numbers.our_cents)
    .bind(numbers.their_count)
    .bind(numbers.their_cents)
    .bind(numbers.matched_count)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes the present numbers of a statement.
pub async fn renumber(tx: &mut Connection, id: i64, numbers: &Numbers, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE payment_statement SET our_count = $1, our_cents = $2, matched_count = $3, version = version + 1, updated_at = $4 WHERE id = $5",
    )
    .bind(numbers.our_count)
    .bind(numbers.our_cents)
    .bind(numbers.matched_count)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Opens a closed day again.
pub async fn reopen(tx: &mut Connection, id: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE payment_statement SET status = $1, closed_by = NULL, closed_at = NULL, version = version + 1, updated_at = $2 WHERE id = $3",
    )
    .bind(StatementDayStatus::Open)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// The payments and refunds of a statement; none if an older version imported it.
pub async fn lines(tx: &mut Connection, id: i64) -> Result<Vec<StatementLine>, sqlx::Error> {
    let rows = sqlx::query("SELECT number, direction, cents FROM payment_statement_line WHERE payment_statement_id = $1 ORDER BY id")
        .bind(id)
        .fetch_all(tx)
        .await?;
    rows.iter()
        .map(|row| {
            Ok(StatementLine { number: row.try_get("number")?, direction: db::code(row, "direction")?, cents: row.try_get("cents")? })
        })
        .collect()
}

/// Keeps the payments and refunds of a statement in place of those of an earlier file.
pub async fn replace_lines(tx: &mut Connection, id: i64, all: &[StatementLine]) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM payment_statement_line WHERE payment_statement_id = $1").bind(id).execute(&mut *tx).await?;
    for some in all.chunks(LINES_AT_ONCE) {
        let mut sql = Sql::new("INSERT INTO payment_statement_line (payment_statement_id, number, direction, cents) VALUES ");
        for (index, line) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(id);
            sql.then(line.number.clone()).then(line.direction).then(line.cents).push(")");
        }
        sql.execute(&mut *tx).await?;
    }
    Ok(())
}

/// Replaces the open differences of a statement. A settled difference stays settled, unless it exists with other
/// amounts: then it is open again.
pub async fn replace_differences(tx: &mut Connection, id: i64, all: &[Difference], at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM payment_difference WHERE payment_statement_id = $1 AND status = 'open'").bind(id).execute(&mut *tx).await?;
    for found in all {
        sqlx::query(
            "INSERT INTO payment_difference (payment_statement_id, kind, direction, number, our_cents, their_cents, payment_order_id, status, \
               created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, 'open', $8, $9) \
             ON CONFLICT (payment_statement_id, direction, number, kind) DO UPDATE SET \
               status = CASE WHEN COALESCE(payment_difference.our_cents, 0) = COALESCE(excluded.our_cents, 0) \
                 AND COALESCE(payment_difference.their_cents, 0) = COALESCE(excluded.their_cents, 0) THEN payment_difference.status ELSE 'open' END, \
               our_cents = excluded.our_cents, their_cents = excluded.their_cents, version = payment_difference.version + 1, \
               updated_at = excluded.updated_at",
        )
        .bind(id)
        .bind(found.kind)
        .bind(found.direction)
        .bind(&found.number)
        .bind(found.our_cents)
        .bind(found.their_cents)
        .bind(found.order_id)
        .bind(at)
        .bind(at)
        .execute(&mut *tx)
        .await?;
    }
    Ok(())
}

/// Settles an open difference over the given version. Returns whether that version existed.
pub async fn settle(tx: &mut Connection, id: i64, version: i64, note: &str, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_difference SET status = $1, note = $2, settled_by = $3, settled_at = $4, version = version + 1, updated_at = $5 \
         WHERE id = $6 AND version = $7 AND status = 'open'",
    )
    .bind(DifferenceStatus::Settled)
    .bind(note)
    .bind(stamp.admin_id)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Raises the version of a statement after the closing of its day was requested, or the request ended. Returns whether
/// the given version existed.
pub async fn touch(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_statement SET version = version + 1, updated_at = $1, updated_by = $2 WHERE id = $3 AND version = $4 AND status = 'open'",
    )
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Closes a day without open differences, over the given version. Returns whether that version existed.
pub async fn close(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_statement SET status = $1, closed_by = $2, closed_at = $3, version = version + 1, updated_at = $4, updated_by = $5 \
         WHERE id = $6 AND version = $7 AND status = 'open' \
         AND NOT EXISTS (SELECT 1 FROM payment_difference d WHERE d.payment_statement_id = payment_statement.id AND d.status = 'open')",
    )
    .bind(StatementDayStatus::Closed)
    .bind(stamp.admin_id)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::{Differences, Statements};
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_files_is_a_field_with_a_heading() {
        columns_are_fields::<Statements>("paymentStatement");
        columns_are_fields::<Differences>("paymentDifference");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Statements>(&["status"]).await;
        every_sort_walks_an_index::<Differences>(&[]).await;
    }
}
