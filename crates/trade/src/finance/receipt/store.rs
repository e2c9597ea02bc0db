//! Receipts in the database.

use sqlx::{Any, Executor, FromRow};

use super::form::Form;
use super::model::{ReceiptFilters, ReceiptRow, ReceiptStatus};
use base::canonical;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns, stamped};
use frame::decision::{self, Awaits};
use frame::upload::StoredFile;

/// Whose a receipt is: its organisation's, and the account manager's of the organisation.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("r.org_id"), sub_org: None, myself: None };

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT r.id, r.no, r.org_id, o.name AS org_name, r.payee_org_id, p.name AS payee_org_name, r.biz_type, \
     r.amount_cents, r.pay_method, r.paid_at, r.payer_name, r.bank_serial, r.proof_files, r.status, r.review_note, \
     v.real_name AS reviewer_name, r.reviewed_at, r.remark, r.created_by, c.real_name AS creator_name, r.version, r.created_at, r.updated_at, ",
    decision::open_columns!("org/receipt/audit"),
    " FROM receipt r JOIN organisation o ON o.id = r.org_id JOIN payee_organisation p ON p.id = r.payee_org_id \
     LEFT JOIN administrator v ON v.id = r.reviewed_by LEFT JOIN administrator c ON c.id = r.created_by",
    decision::open_join!("receipt", "r.id"),
    " WHERE r.deleted_at IS NULL"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT r.id FROM receipt r JOIN organisation o ON o.id = r.org_id WHERE r.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &ReceiptFilters, scope: Scope) {
    sql.and_named(&["r.payer_name", "r.bank_serial"], &["r.no"], filters.keyword.as_deref())
        .and("r.org_id = ", filters.org_id)
        .and("r.payee_org_id = ", filters.payee_org_id)
        .and("r.status = ", filters.status)
        .and("r.biz_type = ", filters.biz_type)
        .and("r.pay_method = ", filters.pay_method)
        .and("r.paid_at >= ", filters.paid_from)
        .and("r.paid_at < ", filters.paid_to);
    if filters.awaits == Some(Awaits::Decision) {
        sql.push(concat!(" AND (r.status = 'waiting' OR ", decision::open_exists!("receipt", "r.id", "void_receipt"), ")"));
        decision::and_not_by(sql, "receipt", "r.id", filters.own_of);
    }
    scope.apply(sql, SCOPE);
}

/// One receipt within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<ReceiptRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(ReceiptRow::from_row).transpose()
}

/// Adds a receipt that waits, without its proofs ([`write`] has them), and returns its id. Its
/// version is 0 until that.
pub async fn insert(tx: &mut Connection, no: &str, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO receipt (no, org_id, payee_org_id, biz_type, amount_cents, pay_method, paid_at, payer_name, status, version, \
           created_at, updated_at, created_by, updated_by) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'waiting', 0, $9, $10, $11, $12) RETURNING id",
    )
    .bind(no)
    .bind(form.org_id)
    .bind(form.payee_org_id)
    .bind(form.biz_type)
    .bind(form.amount_cents)
    .bind(form.pay_method)
    .bind(form.paid_at)
    .bind(&form.payer_name)
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(tx)
    .await
}

/// Writes a receipt's fields over the given version, and lets it wait; tells whether there was such a one.
pub async fn write(
    tx: &mut Connection,
    id: i64,
    version: i64,
    form: &Form,
    proofs: &[StoredFile],
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql =
        Sql::new("UPDATE receipt SET status = 'waiting', review_note = NULL, reviewed_by = NULL, reviewed_at = NULL, payee_org_id = ");
    sql.bind(form.payee_org_id).push(", biz_type = ").bind(form.biz_type).push(", amount_cents = ").bind(form.amount_cents);
    sql.push(", pay_method = ").bind(form.pay_method).push(", paid_at = ").bind(form.paid_at);
    sql.push(", payer_name = ").bind(form.payer_name.clone()).push(", bank_serial = ").bind(form.bank_serial.clone());
    sql.push(", proof_files = ")
        .bind(serde_json::to_string(proofs).expect("files serialise"))
        .push(", remark = ")
        .bind(form.remark.clone());
    stamped::over(sql, id, version, stamp, tx).await
}

/// Writes a decision over the given version; tells whether there was such a one.
pub async fn decide(
    tx: &mut Connection,
    id: i64,
    version: i64,
    status: ReceiptStatus,
    note: Option<&str>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE receipt SET status = $1, review_note = $2, reviewed_by = $3, reviewed_at = $4, version = version + 1, updated_at = $5, \
           updated_by = $6 WHERE id = $7 AND version = $8 AND deleted_at IS NULL",
    )
    .bind(status)
    .bind(note)
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

/// Notes that the voiding of a confirmed receipt was asked for, or is not wanted any more, over the given
/// version; tells whether there was such a one.
pub async fn void_asked(tx: &mut Connection, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE receipt SET version = version + 1, updated_at = $1, updated_by = $2 WHERE id = $3 AND version = $4 AND status = 'confirmed' \
         AND deleted_at IS NULL",
    )
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Takes a receipt out of every list.
pub async fn delete(tx: &mut Connection, id: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    stamped::remove(tx, "receipt", id, stamp).await
}

/// The number of a payee's receipt, void and rejected ones left out, of a payment by its bank's number.
pub async fn by_serial(tx: &mut Connection, payee_id: i64, serial: &str) -> Result<Option<String>, sqlx::Error> {
    // Receipts from before migration 150 hold the number as it was typed.
    sqlx::query_scalar(
        "SELECT no FROM receipt WHERE payee_org_id = $1 AND bank_serial IN ($2, $3) AND deleted_at IS NULL \
         AND status IN ('waiting', 'confirmed')",
    )
    .bind(payee_id)
    .bind(canonical::payment_no(serial))
    .bind(serial)
    .fetch_optional(tx)
    .await
}

#[cfg(test)]
mod tests {
    use super::super::list::Receipts;
    use super::super::model::ReceiptType;
    use super::*;
    use crate::ledger::incoming::PayMethod;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Receipts>("receipt");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Receipts>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, ReceiptFilters::default);
        for (index, filters, scope) in [
            ("receipt_org", ReceiptFilters { org_id: Some(1), ..none() }, Scope::All),
            ("receipt_payee", ReceiptFilters { payee_org_id: Some(1), ..none() }, Scope::All),
            ("receipt_status", ReceiptFilters { status: Some(ReceiptStatus::Waiting), ..none() }, Scope::All),
            ("receipt_biz_type", ReceiptFilters { biz_type: Some(ReceiptType::Other), ..none() }, Scope::All),
            ("receipt_pay_method", ReceiptFilters { pay_method: Some(PayMethod::Cash), ..none() }, Scope::All),
            ("receipt_org", none(), Scope::Org(1)),
        ] {
            let plan = plan::<Receipts>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH r USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
