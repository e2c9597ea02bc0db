//! What can be invoiced: spent, less refunded, less invoiced, for each payee that an organisation paid. What was paid with
//! gifts is not. A request takes its amount by a conditional `UPDATE`, so that requests at the same time never exceed it.

use sqlx::FromRow;
use sqlx::any::AnyRow;

use super::model::{InvoiceableFilters, InvoiceableRow};
use crate::access::{Scope, ScopeColumns};
use crate::api::Listing;
use crate::db::{Connection, Sql};
use crate::finance::account;
use crate::locale::Locale;

/// Spending of the account `a`, as it is counted here.
const SPENT: &str = "(a.total_spend_cents - a.spent_gift_cents)";

/// Whose it is: the organisation's, and its account manager's.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: None, myself: None };

/// The list of organisations and payees with what can be invoiced.
pub struct Invoiceables;

impl Listing for Invoiceables {
    type Filters = InvoiceableFilters;
    type Row = InvoiceableRow;
    const SELECT: &'static str = "SELECT o.id, o.name AS org_name, x.payee_org_id, p.name AS payee_org_name, x.spent_cents, \
         COALESCE(v.cents, 0) AS invoiced_cents, x.spent_cents - COALESCE(v.cents, 0) AS invoiceable_cents \
         FROM (SELECT s.org_id, s.payee_org_id, CAST(SUM(COALESCE(s.to_cents, a.total_spend_cents - a.spent_gift_cents, 0) - s.from_cents) \
             AS BIGINT) AS spent_cents FROM org_payee_spend s LEFT JOIN org_account a ON a.org_id = s.org_id \
           GROUP BY s.org_id, s.payee_org_id) x \
         JOIN organisation o ON o.id = x.org_id JOIN payee_organisation p ON p.id = x.payee_org_id \
         LEFT JOIN org_payee_invoiced v ON v.org_id = x.org_id AND v.payee_org_id = x.payee_org_id WHERE o.deleted_at IS NULL";
    const COUNT: &'static str = "SELECT o.id FROM (SELECT DISTINCT s.org_id, s.payee_org_id FROM org_payee_spend s) x \
         JOIN organisation o ON o.id = x.org_id WHERE o.deleted_at IS NULL";

    fn narrow(sql: &mut Sql, filters: &InvoiceableFilters, scope: Scope) {
        sql.and("x.org_id = ", filters.org_id).and("x.payee_org_id = ", filters.payee_org_id);
        scope.apply(sql, SCOPE);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<InvoiceableRow, sqlx::Error> {
        InvoiceableRow::from_row(row)
    }
}

/// Notes that an organisation pays another payee from now on, or none.
pub async fn payee_changed(tx: &mut Connection, org_id: i64, payee_org_id: Option<i64>, at: i64) -> Result<(), sqlx::Error> {
    let open: Option<i64> = sqlx::query_scalar("SELECT payee_org_id FROM org_payee_spend WHERE org_id = $1 AND to_cents IS NULL")
        .bind(org_id)
        .fetch_optional(&mut *tx)
        .await?;
    if open == payee_org_id {
        return Ok(());
    }
    // Held, so that nothing is spent or invoiced beside this.
    sqlx::query("UPDATE org_account SET updated_at = updated_at WHERE org_id = $1").bind(org_id).execute(&mut *tx).await?;
    let spent: Option<i64> = sqlx::query_scalar("SELECT total_spend_cents - spent_gift_cents FROM org_account WHERE org_id = $1")
        .bind(org_id)
        .fetch_optional(&mut *tx)
        .await?;
    sqlx::query("UPDATE org_payee_spend SET to_cents = $1 WHERE org_id = $2 AND to_cents IS NULL")
        .bind(spent.unwrap_or_default())
        .bind(org_id)
        .execute(&mut *tx)
        .await?;
    let Some(payee_org_id) = payee_org_id else { return Ok(()) };
    // What was spent while there was no payee is the next one's.
    let from: Option<i64> = sqlx::query_scalar("SELECT to_cents FROM org_payee_spend WHERE org_id = $1 ORDER BY id DESC LIMIT 1")
        .bind(org_id)
        .fetch_optional(&mut *tx)
        .await?;
    sqlx::query("INSERT INTO org_payee_spend (org_id, payee_org_id, from_cents, created_at) VALUES ($1, $2, $3, $4)")
        .bind(org_id)
        .bind(payee_org_id)
        .bind(from.unwrap_or_default())
        .bind(at)
        .execute(tx)
        .await
        .map(drop)
}

/// Whether an organisation ever paid a payee.
pub(super) async fn has_paid(tx: &mut Connection, (org_id, payee_org_id): (i64, i64)) -> Result<bool, sqlx::Error> {
    let found =
        sqlx::query("SELECT id FROM org_payee_spend WHERE org_id = $1 AND payee_org_id = $2 LIMIT 1").bind(org_id).bind(payee_org_id);
    Ok(found.fetch_optional(tx).await?.is_some())
}

/// Takes so much of what can be invoiced of a payee; tells whether there was that much.
pub(crate) async fn take(tx: &mut Connection, (org_id, payee_org_id): (i64, i64), cents: i64, at: i64) -> Result<bool, sqlx::Error> {
    account::open(tx, org_id, at).await?;
    // Those who ask for invoices of one organisation come one after another.
    sqlx::query("UPDATE org_account SET updated_at = $1 WHERE org_id = $2").bind(at).bind(org_id).execute(&mut *tx).await?;
    sqlx::query(
        "INSERT INTO org_payee_invoiced (org_id, payee_org_id, cents) VALUES ($1, $2, 0) ON CONFLICT (org_id, payee_org_id) DO NOTHING",
    )
    .bind(org_id)
    .bind(payee_org_id)
    .execute(&mut *tx)
    .await?;
    let mut sql = Sql::new("UPDATE org_payee_invoiced SET cents = cents + ");
    sql.bind(cents).push(" WHERE org_id = ").bind(org_id).push(" AND payee_org_id = ").bind(payee_org_id);
    sql.push(" AND cents + ").bind(cents);
    sql.push(" <= (SELECT COALESCE(SUM(COALESCE(s.to_cents, ").push(SPENT).push(") - s.from_cents), 0) FROM org_payee_spend s ");
    sql.push("JOIN org_account a ON a.org_id = s.org_id WHERE s.org_id = org_payee_invoiced.org_id ");
    sql.push("AND s.payee_org_id = org_payee_invoiced.payee_org_id)");
    // And of all payees together no more than was spent.
    sql.push(" AND (SELECT SUM(v.cents) FROM org_payee_invoiced v WHERE v.org_id = org_payee_invoiced.org_id) + ").bind(cents);
    sql.push(" <= (SELECT ").push(SPENT).push(" FROM org_account a WHERE a.org_id = org_payee_invoiced.org_id)");
    Ok(sql.execute(tx).await? == 1)
}

/// Gives back what an invoice took.
pub(crate) async fn give_back(tx: &mut Connection, (org_id, payee_org_id): (i64, i64), cents: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE org_payee_invoiced SET cents = cents - $1 WHERE org_id = $2 AND payee_org_id = $3")
        .bind(cents)
        .bind(org_id)
        .bind(payee_org_id)
        .execute(tx)
        .await
        .map(drop)
}

/// Counts back what a red-letter invoice was issued for.
pub(crate) async fn count_back(tx: &mut Connection, of: (i64, i64), cents: i64) -> Result<(), sqlx::Error> {
    give_back(tx, of, cents).await
}
