//! Payment exceptions in the database.

use sqlx::{Any, Executor, FromRow};

use super::model::{ExceptionKind, ExceptionResolution, PaymentExceptionFilters, PaymentExceptionRow};
use crate::provider::Payment;
use base::db::sql::typed;
use base::db::{Connection, Sql};
use frame::access::Scope;
use frame::access::audit::Stamp;
use frame::decision::{self, Awaits};

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT r.id, r.kind, r.payee_channel_id, h.name AS payee_channel_name, r.order_no, r.payment_order_id, \
     n.org_id, o.name AS org_name, n.amount_cents AS order_cents, r.channel_order_no, r.amount_cents, r.currency, r.paid_at, r.payer_mask, r.status, r.resolution, r.note, \
     s.real_name AS settler_name, r.settled_at, r.version, r.created_at, r.updated_at, ",
    decision::open_columns!("payConfig/order-list/settle"),
    " FROM payment_exception r JOIN payee_channel h ON h.id = r.payee_channel_id LEFT JOIN payment_order n ON n.id = r.payment_order_id \
     LEFT JOIN organisation o ON o.id = n.org_id LEFT JOIN administrator s ON s.id = r.settled_by",
    decision::open_join!("payment_exception", "r.id"),
    " WHERE 1 = 1"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT r.id FROM payment_exception r WHERE 1 = 1";

/// The conditions of a list, within a scope: exceptions are the platform's, and account managers see those of the orders of
/// their own organisations.
pub fn narrow(sql: &mut Sql, filters: &PaymentExceptionFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        sql.push(" AND (r.order_no = ").bind(keyword.to_uppercase());
        sql.push(" OR r.channel_order_no = ").bind(keyword.to_owned()).push(")");
    }
    sql.and("r.payee_channel_id = ", filters.payee_channel_id)
        .and("r.kind = ", filters.kind)
        .and("r.status = ", filters.status)
        .and("r.created_at >= ", filters.created_from)
        .and("r.created_at < ", filters.created_to);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(" AND ", decision::open_exists!("payment_exception", "r.id", "accept_exception")));
        decision::and_not_by(sql, "payment_exception", "r.id", filters.own_of);
    }
    match scope {
        Scope::All => {}
        Scope::Own(admin_id) => {
            sql.push(
                " AND r.payment_order_id IN (SELECT m.id FROM payment_order m JOIN organisation w ON w.id = m.org_id WHERE w.owner_admin_id = ",
            );
            sql.bind(admin_id).push(")");
        }
        _ => drop(sql.push(" AND 1 = 0")),
    }
}

/// One exception within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PaymentExceptionRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    narrow(&mut sql, &PaymentExceptionFilters::default(), scope);
    sql.fetch_optional(on).await?.as_ref().map(PaymentExceptionRow::from_row).transpose()
}

/// How many exceptions are open.
pub async fn open<'e>(on: impl Executor<'e, Database = Any>) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM payment_exception WHERE status = 'open'").fetch_one(on).await
}

/// Adds an exception, and returns its id; none if it exists already.
pub async fn add(
    tx: &mut Connection,
    channel_id: i64,
    order_id: Option<i64>,
    payment: &Payment,
    kind: ExceptionKind,
    at: i64,
) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO payment_exception (payee_channel_id, payment_order_id, kind, order_no, channel_order_no, amount_cents, currency, paid_at, \
           payer_mask, status, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'open', $10, $11) \
         ON CONFLICT (payee_channel_id, channel_order_no) DO NOTHING RETURNING id",
    )
    .bind(channel_id)
    .bind(order_id)
    .bind(kind)
    .bind(&payment.order_no)
    .bind(&payment.channel_order_no)
    .bind(payment.cents)
    .bind(&payment.currency)
    .bind(payment.paid_at)
    .bind(&payment.payer_mask)
    .bind(at)
    .bind(at)
    .fetch_optional(tx)
    .await
}

/// Fen of all refunds of an order that are or were exceptions: those that its provider made and we did not.
pub async fn refunded(tx: &mut Connection, channel_id: i64, order_no: &str) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(x.amount_cents), 0) AS BIGINT) FROM payment_exception x JOIN payment_order n ON n.id = x.payment_order_id \
         WHERE n.no = $1 AND x.payee_channel_id = $2 AND x.kind = 'refund'",
    )
    .bind(order_no)
    .bind(channel_id)
    .fetch_one(tx)
    .await
}

/// Settles an open exception over the given version. Returns whether that version existed.
pub async fn settle(
    tx: &mut Connection,
    id: i64,
    version: i64,
    resolution: ExceptionResolution,
    note: &str,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_exception SET status = 'settled', resolution = $1, note = $2, settled_by = $3, settled_at = $4, version = version + 1, \
           updated_at = $5 WHERE id = $6 AND version = $7 AND status = 'open'",
    )
    .bind(resolution)
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

#[cfg(test)]
mod tests {
    use super::super::list::Exceptions;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Exceptions>("paymentException");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Exceptions>(&["status"]).await;
    }
}
