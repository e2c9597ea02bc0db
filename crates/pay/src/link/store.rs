//! Payment links in the database.

use std::collections::HashSet;

use sqlx::{Any, Executor, FromRow, Row};

use super::model::{PaymentLinkFilters, PaymentLinkRow, PaymentLinkStatus};
use base::crypto::{Keys, place};
use base::db::sql::typed;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::api::Result;
use frame::decision::{self, Awaits};

/// How often another link is tried when an order has just taken the found one.
const TRIES: usize = 20;

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT r.id, r.payee_channel_id, h.name AS payee_channel_name, r.url_mask, r.amount_cents, r.batch_no, b.id AS batch_id, \
     b.version AS batch_version, r.remark, r.status, r.payment_order_id, n.no AS payment_order_no, r.reserved_until, r.free_from, r.used_at, r.expires_at, \
     r.version, r.created_at, r.updated_at, ",
    decision::open_columns!("payConfig/pool-list/audit"),
    " FROM payment_link r JOIN payee_channel h ON h.id = r.payee_channel_id LEFT JOIN payment_order n ON n.id = r.payment_order_id \
     LEFT JOIN payment_link_import b ON b.no = r.batch_no",
    decision::open_join!("payment_link_import", "b.id"),
    " WHERE 1 = 1"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT r.id FROM payment_link r WHERE 1 = 1";

/// The conditions of a list, within a scope: links belong to no organisation and no account, and are seen by viewers who see everything.
pub fn narrow(sql: &mut Sql, filters: &PaymentLinkFilters, scope: Scope) {
    if let Some(keyword) = typed(filters.keyword.as_deref()) {
        sql.push(" AND (r.batch_no = ").bind(keyword.to_owned());
        sql.push(" OR r.payment_order_id = (SELECT m.id FROM payment_order m WHERE m.no = ").bind(keyword.to_uppercase()).push("))");
    }
    sql.and("r.payee_channel_id = ", filters.payee_channel_id)
        .and("r.status = ", filters.status)
        .and("r.created_at >= ", filters.created_from)
        .and("r.created_at < ", filters.created_to);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(
            " AND r.status = 'proposed' AND EXISTS (SELECT 1 FROM payment_link_import i WHERE i.no = r.batch_no AND ",
            decision::open_exists!("payment_link_import", "i.id", "add_payment_links"),
            ")"
        ));
        decision::and_not_by(
            sql,
            "payment_link_import",
            "(SELECT j.id FROM payment_link_import j WHERE j.no = r.batch_no)",
            filters.own_of,
        );
    }
    scope.apply(sql, ScopeColumns::default());
}

/// One link within a scope.
pub async fn find<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    id: i64,
) -> std::result::Result<Option<PaymentLinkRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    narrow(&mut sql, &PaymentLinkFilters::default(), scope);
    sql.fetch_optional(on).await?.as_ref().map(PaymentLinkRow::from_row).transpose()
}

/// A link to be added.
#[derive(Clone, Debug)]
pub struct NewLink {
    pub payee_channel_id: i64,
    pub url: String,
    pub url_hash: String,
    pub amount_cents: Option<i64>,
    pub expires_at: Option<i64>,
    pub remark: String,
}

/// Returns which of these hashes of addresses are in the pool.
pub async fn held<'e>(on: impl Executor<'e, Database = Any>, hashes: &[String]) -> std::result::Result<HashSet<String>, sqlx::Error> {
    let mut sql = Sql::new("SELECT url_hash FROM payment_link WHERE url_hash IN (");
    let mut hashes = hashes.iter();
    let Some(first) = hashes.next() else { return Ok(HashSet::new()) };
    sql.bind(first.clone());
    for hash in hashes {
        sql.then(hash.clone());
    }
    sql.push(")");
    sql.fetch_all(on).await?.iter().map(|row| row.try_get(0)).collect()
}

/// Adds links that are not there yet, which await approval; returns them.
pub async fn insert<'l>(
    tx: &mut Connection,
    keys: &Keys,
    links: &'l [NewLink],
    batch_no: &str,
    stamp: Stamp,
) -> std::result::Result<Vec<&'l NewLink>, sqlx::Error> {
    let mut added = Vec::new();
    for link in links {
        let done = sqlx::query(
            "INSERT INTO payment_link (payee_channel_id, url_hash, url_enc, url_mask, amount_cents, batch_no, remark, status, expires_at, \
               created_at, updated_at, created_by, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, 'proposed', $8, $9, $10, $11, $12) \
             ON CONFLICT (url_hash) DO NOTHING",
        )
        .bind(link.payee_channel_id)
        .bind(&link.url_hash)
        .bind(keys.seal(&place::PAYMENT_LINK.of(&link.url_hash), &link.url))
        .bind(mask(&link.url))
        .bind(link.amount_cents)
        .bind(batch_no)
        .bind(&link.remark)
        .bind(link.expires_at)
        .bind(stamp.at)
        .bind(stamp.at)
        .bind(stamp.admin_id)
        .bind(stamp.admin_id)
        .execute(&mut *tx)
        .await?;
        if done.rows_affected() == 1 {
            added.push(link);
        }
    }
    Ok(added)
}

/// `https://example.com`, of an address or its mask.
pub fn host(url: &str) -> &str {
    let start = url.find("://").map_or(0, |place| place + 3);
    let end = url[start..].find(['/', '?', '#']).map_or(url.len(), |place| start + place);
    &url[..end]
}

/// `https://example.com/…a1b2`
fn mask(url: &str) -> String {
    let (host, rest) = url.split_at(host(url).len());
    let tail: Vec<char> = rest.chars().rev().take(4).collect();
    format!("{host}/…{}", tail.into_iter().rev().collect::<String>())
}

/// Reserves a free, not resting link of a channel for an order: one of exactly its amount, otherwise one for any
/// amount. Returns whether there was one. Two orders never get the same link.
pub async fn reserve(
    tx: &mut Connection,
    channel_id: i64,
    order_id: i64,
    cents: i64,
    until: i64,
    at: i64,
) -> std::result::Result<bool, sqlx::Error> {
    for _ in 0..TRIES {
        let free: Option<i64> = sqlx::query_scalar(
            "SELECT id FROM payment_link WHERE payee_channel_id = $1 AND status = 'free' AND (amount_cents = $2 OR amount_cents IS NULL) \
             AND (expires_at IS NULL OR expires_at >= $3) AND (free_from IS NULL OR free_from <= $4) \
             ORDER BY CASE WHEN amount_cents IS NULL THEN 1 ELSE 0 END, id LIMIT 1",
        )
        .bind(channel_id)
        .bind(cents)
        .bind(until)
        .bind(at)
        .fetch_optional(&mut *tx)
        .await?;
        let Some(id) = free else { return Ok(false) };
        let taken = sqlx::query(
            "UPDATE payment_link SET status = 'reserved', payment_order_id = $1, reserved_until = $2, free_from = NULL, version = version + 1, updated_at = $3 \
             WHERE id = $4 AND status = 'free'",
        )
        .bind(order_id)
        .bind(until)
        .bind(at)
        .bind(id)
        .execute(&mut *tx)
        .await?;
        if taken.rows_affected() == 1 {
            return Ok(true);
        }
    }
    Ok(false)
}

/// When the first resting link becomes free that an order of this amount and end can use; none if there is no such
/// link.
pub async fn free_from(
    tx: &mut Connection,
    channel_id: i64,
    cents: i64,
    until: i64,
    at: i64,
) -> std::result::Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT MIN(free_from) FROM payment_link WHERE payee_channel_id = $1 AND status = 'free' AND (amount_cents = $2 OR amount_cents IS NULL) \
         AND (expires_at IS NULL OR expires_at >= $3) AND free_from > $4",
    )
    .bind(channel_id)
    .bind(cents)
    .bind(until)
    .bind(at)
    .fetch_one(tx)
    .await
}

/// Marks the link of a paid order as used, even if it was free again; one that another order has meanwhile stays with
/// that order.
pub async fn used(tx: &mut Connection, order_id: i64, at: i64) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE payment_link SET status = 'used', payment_order_id = $1, used_at = $2, reserved_until = NULL, free_from = NULL, version = version + 1, \
           updated_at = $3 WHERE payment_order_id = $4 AND status = 'reserved' \
           OR last_order_id = $5 AND payment_order_id IS NULL AND status IN ('free', 'disabled', 'invalid')",
    )
    .bind(order_id)
    .bind(at)
    .bind(at)
    .bind(order_id)
    .bind(order_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Releases the link of an order that was not paid. It rests before it can be reserved again.
pub async fn release(tx: &mut Connection, order_id: i64, rest: i64, at: i64) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE payment_link SET status = 'free', payment_order_id = NULL, last_order_id = $1, reserved_until = NULL, free_from = $2, \
           version = version + 1, updated_at = $3 WHERE payment_order_id = $4 AND status = 'reserved'",
    )
    .bind(order_id)
    .bind(at + rest)
    .bind(at)
    .bind(order_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Marks expired free links as invalid.
pub async fn expire(tx: &mut Connection, now: i64) -> std::result::Result<u64, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_link SET status = 'invalid', version = version + 1, updated_at = $1 \
         WHERE status = 'free' AND expires_at IS NOT NULL AND expires_at <= $2",
    )
    .bind(now)
    .bind(now)
    .execute(tx)
    .await
    .map(|done| done.rows_affected())
}

/// The address of the link that an order has reserved.
pub async fn address_of<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, order_id: i64) -> Result<Option<String>> {
    let found: Option<(String, String)> =
        sqlx::query_as("SELECT url_hash, url_enc FROM payment_link WHERE payment_order_id = $1").bind(order_id).fetch_optional(on).await?;
    Ok(found.map(|(hash, sealed)| keys.open(&place::PAYMENT_LINK.of(hash), &sealed)).transpose()?)
}

/// Writes a status over the given version. Returns whether that version existed.
pub async fn set_status(
    tx: &mut Connection,
    id: i64,
    version: i64,
    status: PaymentLinkStatus,
    stamp: Stamp,
) -> std::result::Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE payment_link SET status = $1, version = version + 1, updated_at = $2, updated_by = $3 WHERE id = $4 AND version = $5 \
         AND status IN ('free', 'disabled')",
    )
    .bind(status)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Removes a link that no order has and that does not await approval. Returns whether it did.
pub async fn delete(tx: &mut Connection, id: i64, version: i64) -> std::result::Result<bool, sqlx::Error> {
    sqlx::query("DELETE FROM payment_link WHERE id = $1 AND version = $2 AND payment_order_id IS NULL AND status <> 'proposed'")
        .bind(id)
        .bind(version)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Links;
    use super::*;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Links>("paymentLink");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Links>(&["status"]).await;
    }

    #[test]
    fn of_a_link_its_host_and_its_end_are_seen() {
        assert_eq!(mask("https://pay.example.com/l/abcdef1234"), "https://pay.example.com/…1234");
        assert_eq!(mask("https://pay.example.com"), "https://pay.example.com/…");
        assert_eq!(mask("https://pay.example.com?token=abcdef"), "https://pay.example.com/…cdef");
    }
}
