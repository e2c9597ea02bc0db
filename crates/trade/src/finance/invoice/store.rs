//! Invoices in the database.

use sqlx::{Any, Executor, FromRow};

use super::model::{InvoiceColor, InvoiceFilters, InvoiceForm, InvoiceIssue, InvoiceRow, InvoiceSending, InvoiceStatus};
use base::crypto::{Keys, place};
use base::db::{Connection, Sql};
use base::mask;
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::api::check::present;
use frame::decision;
use frame::upload::StoredFile;

/// Who sees an invoice: its organisation, and the organisation's account manager.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("i.org_id"), sub_org: None, myself: None };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT i.id, i.no, i.org_id, o.name AS org_name, i.payee_org_id, p.name AS payee_org_name, \
     CASE WHEN i.red_of_id IS NULL THEN 'blue' ELSE 'red' END AS color, i.red_of_id, b.no AS red_of_no, b.invoice_number AS red_of_number, \
     i.red_reason, i.kind, i.title_type, i.title, i.tax_no, i.bank, i.bank_account, i.reg_address, i.reg_phone, \
     CASE WHEN i.red_of_id IS NULL THEN i.amount_cents ELSE -i.amount_cents END AS amount_cents, i.red_cents, i.refunded_cents, i.content, \
     i.receiver_name, i.receiver_phone_mask, i.receiver_address, i.receiver_email, i.status, i.invoice_code, i.invoice_number, i.issued_on, \
     i.files, i.courier, i.tracking_no, i.remark, i.review_note, v.real_name AS reviewer_name, i.reviewed_at, i.created_by, \
     c.real_name AS creator_name, i.version, i.created_at, i.updated_at, ",
    decision::open_columns!("finance/invoice/audit"),
    " FROM invoice i JOIN organisation o ON o.id = i.org_id JOIN payee_organisation p ON p.id = i.payee_org_id \
     LEFT JOIN invoice b ON b.id = i.red_of_id LEFT JOIN administrator v ON v.id = i.reviewed_by \
     LEFT JOIN administrator c ON c.id = i.created_by",
    decision::open_join!("invoice", "i.id"),
    " WHERE 1 = 1"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT i.id FROM invoice i JOIN organisation o ON o.id = i.org_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &InvoiceFilters, scope: Scope) {
    sql.and_named(&["i.title", "i.invoice_number"], &["i.no"], filters.keyword.as_deref())
        .and("i.receiver_phone_hash = ", filters.phone_hash.clone())
        .and("i.org_id = ", filters.org_id)
        .and("i.payee_org_id = ", filters.payee_org_id)
        .and("i.status = ", filters.status)
        .and("i.red_of_id = ", filters.red_of_id)
        .and("i.kind = ", filters.kind)
        .and("i.created_at >= ", filters.created_from)
        .and("i.created_at < ", filters.created_to)
        .and("i.issued_on >= ", filters.issued_from.clone())
        .and("i.issued_on <= ", filters.issued_to.clone());
    if let Some(color) = filters.color {
        sql.push(match color {
            InvoiceColor::Blue => " AND i.red_of_id IS NULL",
            InvoiceColor::Red => " AND i.red_of_id IS NOT NULL",
        });
    }
    scope.apply(sql, SCOPE);
}

/// One invoice within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<InvoiceRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("i.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(InvoiceRow::from_row).transpose()
}

/// A new request.
pub struct NewInvoice<'n> {
    pub no: &'n str,
    pub form: &'n InvoiceForm,
    /// Refunds since the request before.
    pub refunded_cents: i64,
    /// For a red-letter invoice, the id of the invoice that it counts back, and the reason.
    pub red: Option<(i64, &'n str)>,
}

/// Adds an open request. Returns its id.
pub async fn insert(tx: &mut Connection, keys: &Keys, new: &NewInvoice<'_>, stamp: Stamp) -> Result<i64, sqlx::Error> {
    let form = new.form;
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO invoice (no, org_id, payee_org_id, kind, title_type, title, tax_no, bank, bank_account, reg_address, reg_phone, amount_cents, \
           content, receiver_name, receiver_phone_mask, receiver_address, receiver_email, remark, refunded_cents, red_of_id, red_reason, status, \
           version, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, 'waiting', 1, $22, $23, $24, \
           $25) RETURNING id",
    )
    .bind(new.no)
    .bind(form.org_id)
    .bind(form.payee_org_id)
    .bind(form.kind)
    .bind(form.title_type)
    .bind(&form.title)
    .bind(&form.tax_no)
    .bind(&form.bank)
    .bind(&form.bank_account)
    .bind(&form.reg_address)
    .bind(&form.reg_phone)
    .bind(form.amount_cents)
    .bind(&form.content)
    .bind(&form.receiver_name)
    .bind(if form.receiver_phone.is_empty() { String::new() } else { mask::phone(&form.receiver_phone) })
    .bind(&form.receiver_address)
    .bind(&form.receiver_email)
    .bind(&form.remark)
    .bind(new.refunded_cents)
    .bind(new.red.map(|(of, _)| of))
    .bind(new.red.map(|(_, reason)| reason))
    .bind(stamp.at)
    .bind(stamp.at)
    .bind(stamp.admin_id)
    .bind(stamp.admin_id)
    .fetch_one(&mut *tx)
    .await?;
    if !form.receiver_phone.is_empty() {
        sqlx::query("UPDATE invoice SET receiver_phone_enc = $1, receiver_phone_hash = $2 WHERE id = $3")
            .bind(keys.seal(&place::INVOICE_PHONE.of(id), &form.receiver_phone))
            .bind(keys.lookup_hash(&form.receiver_phone))
            .bind(id)
            .execute(tx)
            .await?;
    }
    Ok(id)
}

/// Takes an amount of an issued invoice for a red-letter invoice. Returns whether it had that much left.
pub async fn take_red(tx: &mut Connection, id: i64, cents: i64) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE invoice SET red_cents = red_cents + ");
    sql.bind(cents).push(" WHERE id = ").bind(id).push(" AND red_of_id IS NULL AND status IN ('issued', 'sent') AND red_cents + ");
    sql.bind(cents).push(" <= amount_cents");
    Ok(sql.execute(tx).await? == 1)
}

/// Gives back what a red-letter invoice took of an invoice.
pub async fn give_back_red(tx: &mut Connection, id: i64, cents: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE invoice SET red_cents = red_cents - $1 WHERE id = $2").bind(cents).bind(id).execute(tx).await.map(drop)
}

/// The receiver's sealed phone; empty without one.
pub async fn sealed_phone(tx: &mut Connection, id: i64) -> Result<String, sqlx::Error> {
    sqlx::query_scalar("SELECT receiver_phone_enc FROM invoice WHERE id = $1").bind(id).fetch_one(tx).await
}

/// Makes a step over the given version. Returns whether that version existed.
pub async fn step(
    tx: &mut Connection,
    (id, version): (i64, i64),
    status: InvoiceStatus,
    note: Option<&str>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE invoice SET status = ");
    sql.bind(status);
    if status != InvoiceStatus::Withdrawn {
        sql.push(", review_note = ").bind(note.map(str::to_owned));
        sql.push(", reviewed_by = ").bind(stamp.admin_id).push(", reviewed_at = ").bind(stamp.at);
    }
    over(sql, id, version, stamp, tx).await
}

/// Writes the issue of an invoice. Returns whether the given version existed.
pub async fn issued(tx: &mut Connection, issue: &InvoiceIssue, files: &[StoredFile], stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE invoice SET status = 'issued', invoice_code = ");
    sql.bind(issue.invoice_code.clone().unwrap_or_default());
    sql.push(", invoice_number = ").bind(issue.invoice_number.clone());
    sql.push(", issued_on = ").bind(issue.issued_on.clone());
    sql.push(", files = ").bind(serde_json::to_string(files).expect("files serialise"));
    over(sql, issue.id, issue.version, stamp, tx).await
}

/// Writes the sending of an invoice. Returns whether the given version existed.
pub async fn sent(tx: &mut Connection, sending: &InvoiceSending, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE invoice SET status = 'sent', courier = ");
    sql.bind(present(sending.courier.clone())).push(", tracking_no = ").bind(present(sending.tracking_no.clone()));
    over(sql, sending.id, sending.version, stamp, tx).await
}

async fn over(mut sql: Sql, id: i64, version: i64, stamp: Stamp, tx: &mut Connection) -> Result<bool, sqlx::Error> {
    sql.push(", version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version);
    Ok(sql.execute(tx).await? == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Invoices;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Invoices>("invoice");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Invoices>(&["status"]).await;
    }

    #[tokio::test]
    async fn every_filter_is_served_by_an_index_in_the_default_order() {
        let (plans, none) = (Plans::open().await, InvoiceFilters::default);
        for (index, filters, scope) in [
            ("invoice_org", InvoiceFilters { org_id: Some(1), ..none() }, Scope::All),
            ("invoice_payee", InvoiceFilters { payee_org_id: Some(1), ..none() }, Scope::All),
            ("invoice_red", InvoiceFilters { red_of_id: Some(1), ..none() }, Scope::All),
            ("invoice_status", InvoiceFilters { status: Some(InvoiceStatus::Waiting), ..none() }, Scope::All),
            ("invoice_org", none(), Scope::Org(1)),
        ] {
            let plan = plan::<Invoices>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH i USING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
    }
}
