//! Stuck reports in the database.

use sqlx::{Any, Executor, FromRow};

use super::model::{PaymentReportFilters, PaymentReportRow};
use base::db::sql::typed;
use base::db::{Connection, Sql};
use frame::access::Scope;

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT r.payment_notice_id AS id, n.notice_no, n.order_no, o.id AS payment_order_id, n.payee_channel_id, \
     h.name AS payee_channel_name, n.last_error, n.tries, n.received_at, r.created_at FROM payment_stuck_report r \
     JOIN payment_notice n ON n.id = r.payment_notice_id JOIN payee_channel h ON h.id = n.payee_channel_id \
     LEFT JOIN payment_order o ON o.no = n.order_no AND o.payee_channel_id = n.payee_channel_id WHERE 1 = 1";

/// The same rows, to be counted.
pub const COUNT: &str =
    "SELECT r.payment_notice_id FROM payment_stuck_report r JOIN payment_notice n ON n.id = r.payment_notice_id WHERE 1 = 1";

/// The conditions of a list, within a scope: reports are the platform's, and an account manager's those of the orders of their
/// organisations.
pub fn narrow(sql: &mut Sql, filters: &PaymentReportFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        sql.push(" AND (n.order_no = ").bind(keyword.to_uppercase());
        sql.push(" OR n.notice_no = ").bind(keyword.to_owned()).push(")");
    }
    sql.and("n.payee_channel_id = ", filters.payee_channel_id);
    match scope {
        Scope::All => {}
        Scope::Own(admin_id) => {
            sql.push(
                " AND n.order_no IN (SELECT m.no FROM payment_order m JOIN organisation w ON w.id = m.org_id WHERE w.owner_admin_id = ",
            );
            sql.bind(admin_id).push(")");
        }
        _ => drop(sql.push(" AND 1 = 0")),
    }
}

/// One stuck report within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PaymentReportRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.payment_notice_id = ", Some(id));
    narrow(&mut sql, &PaymentReportFilters::default(), scope);
    sql.fetch_optional(on).await?.as_ref().map(PaymentReportRow::from_row).transpose()
}

/// Sets a report aside that is due and still open. Returns whether it was.
pub async fn set_aside(tx: &mut Connection, id: i64, now: i64) -> Result<bool, sqlx::Error> {
    let set = sqlx::query("UPDATE payment_notice SET state = 'stuck' WHERE id = $1 AND state = 'new' AND due_at <= $2")
        .bind(id)
        .bind(now)
        .execute(&mut *tx)
        .await?;
    if set.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query("INSERT INTO payment_stuck_report (payment_notice_id, created_at) VALUES ($1, $2)")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await
        .map(|_| true)
}

/// Makes a stuck report due again, with the full number of tries. Returns whether it was stuck.
pub async fn retry(tx: &mut Connection, id: i64, now: i64) -> Result<bool, sqlx::Error> {
    let again = sqlx::query("UPDATE payment_notice SET state = 'new', tries = 0, due_at = $1 WHERE id = $2 AND state = 'stuck'")
        .bind(now)
        .bind(id)
        .execute(&mut *tx)
        .await?;
    if again.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query("DELETE FROM payment_stuck_report WHERE payment_notice_id = $1").bind(id).execute(tx).await.map(|_| true)
}

/// Ends a stuck report. Returns whether it was stuck. Its provider may send it again: it stays known by its number.
pub async fn settle(tx: &mut Connection, id: i64) -> Result<bool, sqlx::Error> {
    let settled = sqlx::query("UPDATE payment_notice SET state = 'done', result = 'settled' WHERE id = $1 AND state = 'stuck'")
        .bind(id)
        .execute(&mut *tx)
        .await?;
    if settled.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query("DELETE FROM payment_stuck_report WHERE payment_notice_id = $1").bind(id).execute(tx).await.map(|_| true)
}

#[cfg(test)]
mod tests {
    use super::super::list::Stuck;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Stuck>("paymentReport");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Stuck>(&[]).await;
    }
}
