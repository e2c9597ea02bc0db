//! Refunds in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, FromRow, Row};

use super::model::{PaymentRefundFilters, PaymentRefundForm, PaymentRefundRow, RefundStatus};
use base::db::sql::typed;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::decision;

/// Who sees a refund: those who see the organisation of its order.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("n.org_id"), sub_org: None, myself: None };

/// Most refunds that the page of an order shows.
const MOST_OF_ORDER: i64 = 200;
/// Most open refunds of an order that one report queries.
const MOST_ASKED: i64 = 10;
/// How long one node works on a refund, in milliseconds: longer than a provider is waited for, twice.
const LEASE: i64 = 60_000;

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT r.id, r.no, r.payment_order_id, n.no AS payment_order_no, n.paid_cents AS order_paid_cents, \
     n.refunding_cents AS order_refunding_cents, n.refunded_cents AS order_refunded_cents, n.org_id, o.name AS org_name, \
     n.payee_channel_id, h.name AS payee_channel_name, h.provider, r.amount_cents, r.reason, r.status, r.channel_refund_no, r.created_by, \
     c.real_name AS creator_name, v.real_name AS reviewer_name, r.reviewed_at, r.review_note, r.done_at, r.error, r.version, r.created_at, \
     r.updated_at, ",
    decision::open_columns!("payConfig/order-list/refundAudit"),
    " FROM payment_refund r JOIN payment_order n ON n.id = r.payment_order_id JOIN organisation o ON o.id = n.org_id \
     JOIN payee_channel h ON h.id = n.payee_channel_id LEFT JOIN administrator v ON v.id = r.reviewed_by \
     LEFT JOIN administrator c ON c.id = r.created_by",
    decision::open_join!("payment_refund", "r.id"),
    " WHERE 1 = 1"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT r.id FROM payment_refund r JOIN payment_order n ON n.id = r.payment_order_id \
     JOIN organisation o ON o.id = n.org_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PaymentRefundFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        let number = keyword.to_uppercase();
        sql.push(" AND (r.no = ").bind(number.clone());
        sql.push(" OR r.payment_order_id = (SELECT m.id FROM payment_order m WHERE m.no = ").bind(number).push("))");
    }
    sql.and("n.org_id = ", filters.org_id)
        .and("n.payee_channel_id = ", filters.payee_channel_id)
        .and("r.status = ", filters.status)
        .and("r.created_at >= ", filters.created_from)
        .and("r.created_at < ", filters.created_to);
    if filters.late.is_some() {
        sql.push(" AND r.status = 'processing' AND r.late_at IS NOT NULL");
    }
    scope.apply(sql, SCOPE);
}

/// One refund within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PaymentRefundRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(PaymentRefundRow::from_row).transpose()
}

/// The refunds of an order, the newest first.
pub async fn of_order<'e>(on: impl Executor<'e, Database = Any>, order_id: i64) -> Result<Vec<PaymentRefundRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.payment_order_id = ", Some(order_id));
    sql.push(" ORDER BY r.id DESC LIMIT ").bind(MOST_OF_ORDER);
    sql.fetch_all(on).await?.iter().map(PaymentRefundRow::from_row).collect()
}

/// The id of a refund by its number, of an order by its number and its channel.
pub async fn by_number(tx: &mut Connection, no: &str, order_no: &str, channel_id: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT r.id FROM payment_refund r JOIN payment_order n ON n.id = r.payment_order_id \
         WHERE r.no = $1 AND n.no = $2 AND n.payee_channel_id = $3",
    )
    .bind(no)
    .bind(order_no)
    .bind(channel_id)
    .fetch_optional(tx)
    .await
}

/// Ids and numbers of the refunds of an order to query when the provider reports refunds of its payment: the open ones,
/// and a failed one that the report names.
pub async fn to_ask<'e>(
    on: impl Executor<'e, Database = Any>,
    order_id: i64,
    named: Option<&str>,
) -> Result<Vec<(i64, String)>, sqlx::Error> {
    sqlx::query_as(
        "SELECT id, no FROM payment_refund WHERE payment_order_id = $1 AND (status = 'processing' OR (status = 'failed' AND no = $2)) \
         ORDER BY id LIMIT $3",
    )
    .bind(order_id)
    .bind(named.unwrap_or_default())
    .bind(MOST_ASKED)
    .fetch_all(on)
    .await
}

/// Adds a refund that waits for approval, and returns its id.
pub async fn insert(tx: &mut Connection, no: &str, form: &PaymentRefundForm, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO payment_refund (no, payment_order_id, amount_cents, reason, status, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, 'pending', $5, $6, $7, $8) RETURNING id",
    )
    .bind(no)
    .bind(form.payment_order_id)
    .bind(form.amount_cents)
    .bind(&form.reason)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// The payee organisation of a payment channel, whose account pays its refunds.
pub async fn payee_of(tx: &mut Connection, channel_id: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT payee_org_id FROM payee_channel WHERE id = $1").bind(channel_id).fetch_one(tx).await
}

/// Writes a decision over the given version, with its note and the number of a refund that staff made. Returns whether
/// that version existed. A refund that the provider makes is due at once.
pub async fn decide(
    tx: &mut Connection,
    id: i64,
    version: i64,
    status: RefundStatus,
    (note, number): (Option<&str>, Option<&str>),
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE payment_refund SET status = ");
    sql.bind(status).push(", review_note = ").bind(note.map(str::to_owned));
    if status != RefundStatus::Withdrawn {
        sql.push(", reviewed_by = ").bind(stamp.admin_id).push(", reviewed_at = ").bind(stamp.at);
    }
    match status {
        RefundStatus::Processing => drop(sql.push(", due_at = ").bind(stamp.at)),
        RefundStatus::Success => {
            sql.push(", done_at = ").bind(stamp.at).push(", channel_refund_no = ").bind(number.map(str::to_owned));
        }
        _ => {}
    }
    sql.push(", version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version).push(" AND status = 'pending'");
    Ok(sql.execute(tx).await? == 1)
}

/// The data of a refund for its request to the provider.
#[derive(Clone, Debug)]
pub struct DueRefund {
    pub no: String,
    pub order_no: String,
    pub payee_channel_id: i64,
    pub reason: String,
    pub amount_cents: i64,
    pub paid_cents: i64,
    pub tries: i64,
}

fn read_due(row: &AnyRow) -> Result<DueRefund, sqlx::Error> {
    Ok(DueRefund {
        no: row.try_get("no")?,
        order_no: row.try_get("order_no")?,
        payee_channel_id: row.try_get("payee_channel_id")?,
        reason: row.try_get("reason")?,
        amount_cents: row.try_get("amount_cents")?,
        paid_cents: row.try_get("paid_cents")?,
        tries: row.try_get("tries")?,
    })
}

/// The ids of refunds that are due, the longest due first.
pub async fn due<'e>(on: impl Executor<'e, Database = Any>, now: i64, most: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT id FROM payment_refund WHERE due_at IS NOT NULL AND due_at <= $1 AND COALESCE(leased_until, 0) <= $2 ORDER BY due_at LIMIT $3",
    )
    .bind(now)
    .bind(now)
    .bind(most)
    .fetch_all(on)
    .await
}

/// Leases a refund that is due to this node; none if another node has it, or if it is no longer due.
pub async fn lease(tx: &mut Connection, id: i64, now: i64) -> Result<Option<DueRefund>, sqlx::Error> {
    let leased = sqlx::query(
        "UPDATE payment_refund SET leased_until = $1, tries = tries + 1 WHERE id = $2 AND due_at <= $3 AND COALESCE(leased_until, 0) <= $4 \
         AND status = 'processing'",
    )
    .bind(now + LEASE)
    .bind(id)
    .bind(now)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    if leased.rows_affected() == 0 {
        return Ok(None);
    }
    let mut sql = Sql::new(
        "SELECT r.no, n.no AS order_no, n.payee_channel_id, r.reason, r.amount_cents, n.paid_cents, r.tries \
         FROM payment_refund r JOIN payment_order n ON n.id = r.payment_order_id WHERE r.id = ",
    );
    sql.bind(id);
    sql.fetch_optional(tx).await?.as_ref().map(read_due).transpose()
}

/// Schedules the next try of a refund, and stores why this one failed.
pub async fn ask_again(tx: &mut Connection, id: i64, due_at: i64, error: Option<&str>, tries: Option<i64>) -> Result<(), sqlx::Error> {
    let sql = "UPDATE payment_refund SET due_at = $1, leased_until = NULL, error = $2 WHERE id = $3 AND status = 'processing' \
         AND tries = COALESCE($4, tries)";
    sqlx::query(sql).bind(due_at).bind(error).bind(id).bind(tries).execute(tx).await.map(drop)
}

/// The ids of refunds that have been at their provider since a moment or longer, and about which staff got no message
/// yet. `updated_at` is the time of the approval: tries do not change it.
pub async fn late<'e>(on: impl Executor<'e, Database = Any>, since: i64, most: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT id FROM payment_refund WHERE status = 'processing' AND late_at IS NULL AND updated_at <= $1 ORDER BY updated_at LIMIT $2",
    )
    .bind(since)
    .bind(most)
    .fetch_all(on)
    .await
}

/// Records that staff get a message about a late refund. Returns whether it is still open and they had got none.
pub async fn note_late(tx: &mut Connection, id: i64, since: i64, at: i64) -> Result<bool, sqlx::Error> {
    let sql = "UPDATE payment_refund SET late_at = $1 WHERE id = $2 AND status = 'processing' AND late_at IS NULL AND updated_at <= $3";
    sqlx::query(sql).bind(at).bind(id).bind(since).execute(tx).await.map(|done| done.rows_affected() == 1)
}

/// Ends a refund at its provider, as of a moment that the provider may have given. Returns whether it was still open.
pub async fn end(
    tx: &mut Connection,
    id: i64,
    (status, channel_refund_no, error): (RefundStatus, Option<&str>, Option<&str>),
    tries: Option<i64>,
    (done_at, at): (i64, i64),
) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_refund SET status = $1, channel_refund_no = COALESCE($2, channel_refund_no), error = $3, done_at = $4, due_at = NULL, \
           leased_until = NULL, version = version + 1, updated_at = $5 WHERE id = $6 AND status = 'processing' AND tries = COALESCE($7, tries)",
    )
    .bind(status)
    .bind(channel_refund_no)
    .bind(error)
    .bind(done_at)
    .bind(at)
    .bind(id)
    .bind(tries)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Refunds;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Refunds>("paymentRefund");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Refunds>(&["status"]).await;
    }
}
