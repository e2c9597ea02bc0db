//! Payment orders in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, FromRow, Row};

use super::form::Form;
use super::model::{KnownBy, OrderStatus, PaymentOrderFilters, PaymentOrderRow};
use super::shown;
use crate::channel::{PayProvider, PayeeChannelRow};
use crate::provider::Payment;
use base::crypto::Keys;
use base::db::sql::typed;
use base::db::{self, Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::decision::{self, Awaits};

/// Who sees an order: its organisation, and the organisation's account manager.
pub const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("r.org_id"), sub_org: None, myself: None };

/// How long one node has an order, in milliseconds: longer than a provider's time limit.
const LEASE: i64 = 60_000;

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT r.id, r.no, r.payee_channel_id, h.name AS payee_channel_name, h.provider, h.payee_org_id, p.name AS payee_org_name, \
     r.org_id, o.name AS org_name, r.clue_id, k.no AS clue_no, r.biz_type, r.subject, r.amount_cents, r.fee_cents, r.status, r.paid_cents, \
     r.refunding_cents, r.refunded_cents, r.channel_order_no, r.payer_mask, r.known_by, r.paid_at, r.expires_at, \
     r.cancel_asked, g.id AS recharge_id, g.no AS recharge_no, r.remark, r.error, c.real_name AS creator_name, \
     r.version, r.created_at, r.updated_at, ",
    decision::open_columns!("payConfig/order-list/confirm"),
    " FROM payment_order r JOIN organisation o ON o.id = r.org_id JOIN payee_channel h ON h.id = r.payee_channel_id \
     JOIN payee_organisation p ON p.id = h.payee_org_id LEFT JOIN clue k ON k.id = r.clue_id \
     LEFT JOIN recharge g ON g.payment_order_id = r.id LEFT JOIN administrator c ON c.id = r.created_by",
    decision::open_join!("payment_order", "r.id"),
    " WHERE 1 = 1"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT r.id FROM payment_order r JOIN organisation o ON o.id = r.org_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PaymentOrderFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        sql.push(" AND (r.no = ").bind(keyword.to_uppercase());
        sql.push(" OR r.id IN (SELECT n.id FROM payment_order n WHERE n.channel_order_no = ").bind(keyword.to_owned());
        sql.push(" AND n.payee_channel_id IN (SELECT a.id FROM payee_channel a)))");
    }
    sql.and("r.org_id = ", filters.org_id)
        .and("r.payee_channel_id = ", filters.payee_channel_id)
        .and("r.biz_type = ", filters.biz_type)
        .and("r.status = ", filters.status)
        .and("r.created_at >= ", filters.created_from)
        .and("r.created_at < ", filters.created_to)
        .and("r.paid_at >= ", filters.paid_from)
        .and("r.paid_at < ", filters.paid_to);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(" AND ", decision::open_exists!("payment_order", "r.id", "confirm_payment")));
        decision::and_not_by(sql, "payment_order", "r.id", filters.own_of);
    }
    scope.apply(sql, SCOPE);
}

/// Reads a row of [`SELECT`].
pub fn read(row: &AnyRow) -> Result<PaymentOrderRow, sqlx::Error> {
    let mut order = PaymentOrderRow::from_row(row)?;
    let payload = order.decision.as_ref().and_then(|decision| decision.payload.as_deref());
    order.claim = payload.map(serde_json::from_str).transpose().map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(order)
}

/// One order within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PaymentOrderRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// The key of the page of an order.
pub async fn token<'e>(on: impl Executor<'e, Database = Any>, id: i64) -> Result<String, sqlx::Error> {
    sqlx::query_scalar("SELECT token FROM payment_order WHERE id = $1").bind(id).fetch_one(on).await
}

/// Fen of orders within a scope that wait to be paid.
pub async fn due_cents<'e>(on: impl Executor<'e, Database = Any>, scope: Scope) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT CAST(COALESCE(SUM(r.amount_cents), 0) AS BIGINT) AS cents FROM payment_order r JOIN organisation o ON o.id = r.org_id \
         WHERE r.status = 'created'",
    );
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.map_or(Ok(0), |row| row.try_get("cents"))
}

/// Whether an order of a channel has a payment, by its number.
pub async fn by_payment(tx: &mut Connection, channel_id: i64, number: &str) -> Result<bool, sqlx::Error> {
    let found: Option<i64> = sqlx::query_scalar("SELECT id FROM payment_order WHERE payee_channel_id = $1 AND channel_order_no = $2")
        .bind(channel_id)
        .bind(number)
        .fetch_optional(tx)
        .await?;
    Ok(found.is_some())
}

/// Open orders of an organisation.
pub async fn open_of(tx: &mut Connection, org_id: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM payment_order WHERE org_id = $1 AND status IN ('created', 'paying')")
        .bind(org_id)
        .fetch_one(tx)
        .await
}

/// The id and the channel of an order by its number.
pub async fn by_number(tx: &mut Connection, no: &str) -> Result<Option<(i64, i64)>, sqlx::Error> {
    sqlx::query_as("SELECT id, payee_channel_id FROM payment_order WHERE no = $1").bind(no).fetch_optional(tx).await
}

/// The data of an order that a report is compared with.
pub struct SeenOrder {
    pub id: i64,
    pub channel_order_no: Option<String>,
}

/// The order of a channel by its number.
pub async fn seen<'e>(on: impl Executor<'e, Database = Any>, no: &str, channel_id: i64) -> Result<Option<SeenOrder>, sqlx::Error> {
    let found = sqlx::query("SELECT id, channel_order_no FROM payment_order WHERE no = $1 AND payee_channel_id = $2")
        .bind(no)
        .bind(channel_id)
        .fetch_optional(on)
        .await?;
    found.map(|row| Ok(SeenOrder { id: row.try_get("id")?, channel_order_no: row.try_get("channel_order_no")? })).transpose()
}

/// Adds an order, and returns its id. It is due when it expires, and keeps what its payer's page shows of the payee.
pub async fn insert(
    tx: &mut Connection,
    keys: &Keys,
    (no, token): (&str, &str),
    channel: &PayeeChannelRow,
    form: &Form,
    clue_id: Option<i64>,
    stamp: Stamp,
) -> frame::api::Result<i64> {
    let payee = shown::sealed(tx, keys, channel, no).await?;
    let id = sqlx::query_scalar(
        "INSERT INTO payment_order (no, token, payee_channel_id, org_id, clue_id, biz_type, subject, amount_cents, status, expires_at, due_at, \
           remark, payee_enc, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'created', $9, $10, $11, $12, $13, $14, $15, $16) RETURNING id",
    )
    .bind(no)
    .bind(token)
    .bind(channel.id)
    .bind(form.org_id)
    .bind(clue_id)
    .bind(form.biz_type)
    .bind(&form.subject)
    .bind(form.amount_cents)
    .bind(stamp.at + form.lives_for)
    .bind(stamp.at + form.lives_for)
    .bind(&form.remark)
    .bind(payee)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await?;
    Ok(id)
}

/// An order with the data for its payer's page and for its provider.
#[derive(Clone, Debug)]
pub struct OpenOrder {
    pub id: i64,
    pub no: String,
    pub payee_channel_id: i64,
    pub provider: PayProvider,
    pub subject: String,
    pub amount_cents: i64,
    pub status: OrderStatus,
    pub code_url: Option<String>,
    pub expires_at: i64,
    pub cancel_asked: bool,
    pub tries: i64,
    /// Whether a person entered it as paid, and another is to confirm that.
    pub is_claimed: bool,
}

const OPEN: &str = concat!(
    "SELECT r.id, r.no, r.payee_channel_id, h.provider, r.subject, r.amount_cents, r.status, r.code_url, r.expires_at, \
     r.cancel_asked, r.tries, CAST(CASE WHEN ",
    decision::open_exists!("payment_order", "r.id", "confirm_payment"),
    " THEN 1 ELSE 0 END AS BIGINT) AS is_claimed FROM payment_order r JOIN payee_channel h ON h.id = r.payee_channel_id WHERE "
);

fn read_open(row: &AnyRow) -> Result<OpenOrder, sqlx::Error> {
    Ok(OpenOrder {
        id: row.try_get("id")?,
        no: row.try_get("no")?,
        payee_channel_id: row.try_get("payee_channel_id")?,
        provider: db::code(row, "provider")?,
        subject: row.try_get("subject")?,
        amount_cents: row.try_get("amount_cents")?,
        status: db::code(row, "status")?,
        code_url: row.try_get("code_url")?,
        expires_at: row.try_get("expires_at")?,
        cancel_asked: db::flag(row, "cancel_asked")?,
        tries: row.try_get("tries")?,
        is_claimed: db::flag(row, "is_claimed")?,
    })
}

/// The order of a payer's page.
pub async fn by_token<'e>(on: impl Executor<'e, Database = Any>, token: &str) -> Result<Option<OpenOrder>, sqlx::Error> {
    let mut sql = Sql::new(OPEN);
    sql.push("r.token = ").bind(token.to_owned());
    sql.fetch_optional(on).await?.as_ref().map(read_open).transpose()
}

/// The ids of orders that are due, the longest due first.
pub async fn due<'e>(on: impl Executor<'e, Database = Any>, now: i64, most: i64) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT id FROM payment_order WHERE due_at IS NOT NULL AND due_at <= $1 AND COALESCE(leased_until, 0) <= $2 ORDER BY due_at LIMIT $3",
    )
    .bind(now)
    .bind(now)
    .bind(most)
    .fetch_all(on)
    .await
}

/// Leases an order that is due to this node; none if another node has it, or if it is no longer due.
pub async fn lease(tx: &mut Connection, id: i64, now: i64) -> Result<Option<OpenOrder>, sqlx::Error> {
    let leased = sqlx::query(
        "UPDATE payment_order SET leased_until = $1, tries = tries + 1 WHERE id = $2 AND due_at <= $3 AND COALESCE(leased_until, 0) <= $4",
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
    let mut sql = Sql::new(OPEN);
    sql.push("r.id = ").bind(id);
    sql.fetch_optional(tx).await?.as_ref().map(read_open).transpose()
}

/// Schedules the next query of an open order, and stores why this one failed.
pub async fn ask_again(tx: &mut Connection, id: i64, due_at: i64, error: Option<&str>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE payment_order SET due_at = $1, leased_until = NULL, error = $2 WHERE id = $3 AND status IN ('created', 'paying')")
        .bind(due_at)
        .bind(error)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Marks an order before its code is requested. Returns whether the order was open and not expired.
pub async fn begin(tx: &mut Connection, id: i64, now: i64, due_at: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_order SET status = 'paying', due_at = $1, tries = 0, version = version + 1, updated_at = $2 \
         WHERE id = $3 AND status = 'created' AND expires_at > $4",
    )
    .bind(due_at)
    .bind(now)
    .bind(id)
    .bind(now)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Stores the result of the request for an order's code.
pub async fn set_code(tx: &mut Connection, id: i64, code_url: Option<&str>, error: Option<&str>) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE payment_order SET code_url = COALESCE($1, code_url), error = $2 WHERE id = $3 AND status = 'paying'")
        .bind(code_url)
        .bind(error)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Ends an order that is not paid.
pub async fn end(tx: &mut Connection, id: i64, status: OrderStatus, error: Option<&str>, at: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_order SET status = $1, error = $2, due_at = NULL, leased_until = NULL, code_url = NULL, cancel_asked = 0, \
           version = version + 1, updated_at = $3 WHERE id = $4 AND status IN ('created', 'paying')",
    )
    .bind(status)
    .bind(error)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Requests the cancellation of an order over the given version: the provider is queried at once, and the order is
/// cancelled if it is not paid.
pub async fn ask_cancel(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE payment_order SET cancel_asked = 1, tries = 0, due_at = ");
    sql.bind(stamp.at);
    stamped::over_kept(sql, id, version, stamp, tx).await
}

/// Stores a payment of a locked, unpaid order.
pub async fn set_paid(
    tx: &mut Connection,
    id: i64,
    payment: &Payment,
    fee_cents: i64,
    known_by: KnownBy,
    at: i64,
) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_order SET status = 'success', paid_cents = $1, fee_cents = $2, channel_order_no = $3, payer_mask = $4, paid_at = $5, \
           known_by = $6, error = NULL, code_url = NULL, due_at = NULL, leased_until = NULL, cancel_asked = 0, version = version + 1, \
           updated_at = $7 WHERE id = $8 AND status IN ('created', 'paying', 'failed', 'cancelled', 'closed')",
    )
    .bind(payment.cents)
    .bind(fee_cents)
    .bind(&payment.channel_order_no)
    .bind(&payment.payer_mask)
    .bind(payment.paid_at)
    .bind(known_by)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Raises the version of an order after a request or its withdrawal. Returns whether the given version existed.
pub async fn touch(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE payment_order SET version = version + 1, updated_at = $1, updated_by = $2 WHERE id = $3 AND version = $4")
        .bind(stamp.at)
        .bind(stamp.admin_id)
        .bind(id)
        .bind(version)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Takes an amount of the paid one for a refund. Returns whether there was that much left.
pub async fn take_refund(tx: &mut Connection, id: i64, cents: i64, at: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_order SET refunding_cents = refunding_cents + $1, version = version + 1, updated_at = $2 \
         WHERE id = $3 AND status IN ('success', 'part_refunded') AND refunding_cents + $4 <= paid_cents",
    )
    .bind(cents)
    .bind(at)
    .bind(id)
    .bind(cents)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Releases the amount of a refund that was not made.
pub async fn give_back_refund(tx: &mut Connection, id: i64, cents: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE payment_order SET refunding_cents = refunding_cents - $1, version = version + 1, updated_at = $2 WHERE id = $3")
        .bind(cents)
        .bind(at)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Records that a refund was returned to the payer.
pub async fn set_refunded(tx: &mut Connection, id: i64, cents: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE payment_order SET refunded_cents = refunded_cents + $1, \
           status = CASE WHEN refunded_cents + $2 = paid_cents THEN 'refunded' ELSE 'part_refunded' END, version = version + 1, \
           updated_at = $3 WHERE id = $4",
    )
    .bind(cents)
    .bind(cents)
    .bind(at)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::super::list::Orders;
    use super::super::model::OrderBiz;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Orders>("paymentOrder");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Orders>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, PaymentOrderFilters::default);
        for (index, filters, scope) in [
            ("payment_order_org", PaymentOrderFilters { org_id: Some(1), ..none() }, Scope::All),
            ("payment_order_channel", PaymentOrderFilters { payee_channel_id: Some(1), ..none() }, Scope::All),
            ("payment_order_status", PaymentOrderFilters { status: Some(OrderStatus::Paying), ..none() }, Scope::All),
            ("payment_order_biz", PaymentOrderFilters { biz_type: Some(OrderBiz::Other), ..none() }, Scope::All),
            ("payment_order_org", none(), Scope::Org(1)),
        ] {
            let plan = plan::<Orders>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH r USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
