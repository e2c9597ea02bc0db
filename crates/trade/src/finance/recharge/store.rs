//! Recharges in the database.

use sqlx::{Any, Executor, FromRow};

use super::form::Form;
use super::model::{RechargeFilters, RechargeRow, RechargeStatus};
use super::online::PaidOnline;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::decision::{self, Awaits};

/// Whose a recharge is: its organisation's, and the account manager's of the organisation.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("r.org_id"), sub_org: None, myself: None };

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT r.id, r.no, r.org_id, o.name AS org_name, r.amount_cents, r.gift_cents, r.pay_method, r.payee_org_id, \
     p.name AS payee_org_name, r.bank_serial, r.proof_files, r.status, r.receipt_id, t.no AS receipt_no, r.payment_order_id, y.no AS payment_order_no, r.remark, r.created_by, \
     c.real_name AS creator_name, v.real_name AS reviewer_name, r.reviewed_at, r.review_note, r.credited_at, r.version, r.created_at, \
     r.updated_at, ",
    decision::open_columns!("finance/recharge/audit"),
    " FROM recharge r JOIN organisation o ON o.id = r.org_id JOIN payee_organisation p ON p.id = r.payee_org_id \
     LEFT JOIN receipt t ON t.id = r.receipt_id LEFT JOIN payment_order y ON y.id = r.payment_order_id LEFT JOIN administrator v ON v.id = r.reviewed_by \
     LEFT JOIN administrator c ON c.id = r.created_by",
    decision::open_join!("recharge", "r.id"),
    " WHERE 1 = 1"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT r.id FROM recharge r JOIN organisation o ON o.id = r.org_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &RechargeFilters, scope: Scope) {
    sql.and_prefix(&["r.no"], filters.keyword.as_deref())
        .and("r.org_id = ", filters.org_id)
        .and("r.payee_org_id = ", filters.payee_org_id)
        .and("r.status = ", filters.status)
        .and("r.pay_method = ", filters.pay_method)
        .and("r.created_at >= ", filters.created_from)
        .and("r.created_at < ", filters.created_to)
        .and("r.credited_at >= ", filters.credited_from)
        .and("r.credited_at < ", filters.credited_to);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(" AND (r.status = 'pending' OR ", decision::open_exists!("recharge", "r.id", "reverse_recharge"), ")"));
        decision::and_not_by(sql, "recharge", "r.id", filters.own_of);
    }
    scope.apply(sql, SCOPE);
}

/// One recharge within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<RechargeRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(RechargeRow::from_row).transpose()
}

/// Adds a recharge that waits, and returns its id.
pub async fn insert(tx: &mut Connection, no: &str, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO recharge (no, org_id, payee_org_id, amount_cents, gift_cents, pay_method, bank_serial, remark, status, version, created_at, \
           updated_at, created_by, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'pending', 1, $9, $10, $11, $12) RETURNING id",
    )
    .bind(no)
    .bind(form.org_id)
    .bind(form.payee_org_id)
    .bind(form.amount_cents)
    .bind(form.gift_cents)
    .bind(form.pay_method)
    .bind(&form.bank_serial)
    .bind(&form.remark)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Adds a credited recharge of a paid order, and returns its id; none where the order has one.
pub async fn insert_paid(tx: &mut Connection, no: &str, paid: &PaidOnline, at: i64) -> Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO recharge (no, org_id, payee_org_id, amount_cents, gift_cents, pay_method, remark, status, payment_order_id, credited_at, \
           version, created_at, updated_at) \
         SELECT $1, $2, h.payee_org_id, $3, 0, $4, '', 'credited', r.id, $5, 1, $6, $7 FROM payment_order r \
         JOIN payee_channel h ON h.id = r.payee_channel_id WHERE r.id = $8 \
         ON CONFLICT (payment_order_id) WHERE payment_order_id IS NOT NULL DO NOTHING RETURNING id",
    )
    .bind(no)
    .bind(paid.org_id)
    .bind(paid.cents)
    .bind(paid.pay_method)
    .bind(at)
    .bind(at)
    .bind(at)
    .bind(paid.order_id)
    .fetch_optional(tx)
    .await
}

/// A step of a recharge.
pub struct Step<'s> {
    pub status: RechargeStatus,
    pub note: Option<&'s str>,
    /// The receipt that brought the money, where one did.
    pub receipt_id: Option<i64>,
}

/// Takes a step over the given version; tells whether there was such a one.
pub async fn step(tx: &mut Connection, id: i64, version: i64, step: &Step<'_>, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE recharge SET status = ");
    sql.bind(step.status).push(", review_note = ").bind(step.note.map(str::to_owned));
    match step.status {
        RechargeStatus::Credited => {
            sql.push(", credited_at = ").bind(stamp.at).push(", receipt_id = ").bind(step.receipt_id);
        }
        // Another recharge may be that of the receipt.
        RechargeStatus::Reversed => drop(sql.push(", receipt_id = NULL")),
        RechargeStatus::Pending | RechargeStatus::Rejected | RechargeStatus::Cancelled => {}
    }
    if step.status != RechargeStatus::Cancelled {
        sql.push(", reviewed_by = ").bind(stamp.admin_id).push(", reviewed_at = ").bind(stamp.at);
    }
    stamped::over_kept(sql, id, version, stamp, tx).await
}

/// Notes that the reversal of a credited recharge was asked for, or is not wanted any more, over the given version;
/// tells whether there was such a one.
pub async fn touch(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE recharge SET version = version + 1, updated_at = $1, updated_by = $2 WHERE id = $3 AND version = $4 AND status = 'credited'",
    )
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Confirmed receipts that may have brought the money of a recharge, the newest first: their ids, their numbers and when
/// they were paid. Those of other recharges are left out.
pub async fn receipts_for<'e>(on: impl Executor<'e, Database = Any>, row: &RechargeRow) -> Result<Vec<(i64, String, i64)>, sqlx::Error> {
    sqlx::query_as(
        "SELECT t.id, t.no, t.paid_at FROM receipt t WHERE t.org_id = $1 AND t.payee_org_id = $2 AND t.amount_cents = $3 \
         AND t.status = 'confirmed' AND t.biz_type = 'recharge' AND t.deleted_at IS NULL \
         AND NOT EXISTS (SELECT 1 FROM recharge r WHERE r.receipt_id = t.id) ORDER BY t.created_at DESC, t.id DESC LIMIT 50",
    )
    .bind(row.org_id)
    .bind(row.payee_org_id)
    .bind(row.amount_cents)
    .fetch_all(on)
    .await
}

/// The number of the credited recharge that a receipt is linked with, if any.
pub async fn of_receipt(tx: &mut Connection, receipt_id: i64) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT no FROM recharge WHERE receipt_id = $1 AND status = 'credited'").bind(receipt_id).fetch_optional(tx).await
}

#[cfg(test)]
mod tests {
    use super::super::list::Recharges;
    use super::*;
    use crate::ledger::incoming::PayMethod;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Recharges>("recharge");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Recharges>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, RechargeFilters::default);
        for (index, filters, scope) in [
            ("recharge_org", RechargeFilters { org_id: Some(1), ..none() }, Scope::All),
            ("recharge_payee", RechargeFilters { payee_org_id: Some(1), ..none() }, Scope::All),
            ("recharge_status", RechargeFilters { status: Some(RechargeStatus::Pending), ..none() }, Scope::All),
            ("recharge_pay_method", RechargeFilters { pay_method: Some(PayMethod::Cash), ..none() }, Scope::All),
            ("recharge_org", none(), Scope::Org(1)),
        ] {
            let plan = plan::<Recharges>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH r USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
