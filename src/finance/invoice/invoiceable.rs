//! What can be invoiced: spent, less refunded, less invoiced, for each payee that an organisation paid. What was paid with
//! gifts is not. A request takes its amount by a conditional `UPDATE`, so that requests at the same time never exceed it.
//! Refunds after an invoice can bring it below nothing: until red-letter invoices count back what is too much, or the
//! organisation spends as much again.

use sqlx::any::AnyRow;
use sqlx::{FromRow, Row};

use super::model::{InvoiceableFilters, InvoiceableRow, InvoiceableState};
use crate::access::{Scope, ScopeColumns};
use crate::api::{Listing, Say, say};
use crate::db::{Connection, Sql};
use crate::finance::account;
use crate::locale::Locale;
use crate::terms;

/// Spending of the account `a`, as it is counted here.
const SPENT: &str = "(a.total_spend_cents - a.spent_gift_cents)";

/// Whose it is: the organisation's, and its account manager's.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: None, myself: None };

/// Organisations and payees `x` with what is invoiced `v`, the organisation's account `a` and all that it is invoiced `t`.
macro_rules! sources {
    () => {
        "FROM (SELECT s.org_id, s.payee_org_id, CAST(SUM(COALESCE(s.to_cents, a.total_spend_cents - a.spent_gift_cents, 0) - s.from_cents) \
             AS BIGINT) AS spent_cents FROM org_payee_spend s LEFT JOIN org_account a ON a.org_id = s.org_id \
           GROUP BY s.org_id, s.payee_org_id) x \
         JOIN organisation o ON o.id = x.org_id JOIN payee_organisation p ON p.id = x.payee_org_id \
         LEFT JOIN org_account a ON a.org_id = x.org_id \
         LEFT JOIN org_payee_invoiced v ON v.org_id = x.org_id AND v.payee_org_id = x.payee_org_id \
         LEFT JOIN (SELECT u.org_id, CAST(SUM(u.cents) AS BIGINT) AS cents FROM org_payee_invoiced u GROUP BY u.org_id) t ON t.org_id = x.org_id \
         WHERE o.deleted_at IS NULL"
    };
}

/// The list of organisations and payees with what can be invoiced.
pub struct Invoiceables;

impl Listing for Invoiceables {
    type Filters = InvoiceableFilters;
    type Row = InvoiceableRow;
    const SELECT: &'static str = concat!(
        "SELECT o.id, o.name AS org_name, x.payee_org_id, p.name AS payee_org_name, x.spent_cents, COALESCE(v.cents, 0) AS invoiced_cents, \
         x.spent_cents - COALESCE(v.cents, 0) AS invoiceable_cents, COALESCE(v.refunded_cents, 0) AS refunded_cents, \
         COALESCE(a.total_spend_cents - a.spent_gift_cents, 0) - COALESCE(t.cents, 0) AS all_invoiceable_cents ",
        sources!()
    );
    const COUNT: &'static str = concat!("SELECT o.id ", sources!());

    fn narrow(sql: &mut Sql, filters: &InvoiceableFilters, scope: Scope) {
        sql.and("x.org_id = ", filters.org_id).and("x.payee_org_id = ", filters.payee_org_id);
        if let Some(state) = filters.state {
            sql.push(match state {
                InvoiceableState::Open => {
                    " AND COALESCE(v.cents, 0) < x.spent_cents \
                     AND COALESCE(t.cents, 0) < COALESCE(a.total_spend_cents - a.spent_gift_cents, 0)"
                }
                // Red-letter invoices count back only what is invoiced with this payee.
                InvoiceableState::Over => {
                    " AND v.cents > 0 AND (v.cents > x.spent_cents OR t.cents > COALESCE(a.total_spend_cents - a.spent_gift_cents, 0))"
                }
            });
        }
        scope.apply(sql, SCOPE);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<InvoiceableRow, sqlx::Error> {
        let over = -all_or_less(row)?;
        let row = InvoiceableRow::from_row(row)?;
        Ok(InvoiceableRow { over_cents: over.clamp(0, row.invoiced_cents), ..row })
    }
}

/// What can be invoiced with a payee, and no more than with all payees together.
fn all_or_less(row: &AnyRow) -> Result<i64, sqlx::Error> {
    Ok(row.try_get::<i64, _>("invoiceable_cents")?.min(row.try_get("all_invoiceable_cents")?))
}

/// Why there is not as much as a request asks for.
pub(super) async fn shortage(tx: &mut Connection, (org_id, payee_org_id): (i64, i64)) -> Result<Say, sqlx::Error> {
    let mut sql = Sql::new(Invoiceables::SELECT);
    sql.and("x.org_id = ", Some(org_id)).and("x.payee_org_id = ", Some(payee_org_id));
    let found = sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?;
    let (left, row) = (all_or_less(&found)?.max(0), Invoiceables::read(&found, Locale::Chinese)?);
    let (left, refunded) = (terms::yuan(left), terms::yuan(row.refunded_cents));
    Ok(match (row.over_cents, row.refunded_cents) {
        (1.., _) => {
            let over = terms::yuan(row.over_cents);
            say(
                format!("该机构有退款，已多开票 {over} 元，请先申请红字发票，或待后续消费抵扣"),
                format!(
                    "{over} CNY more is invoiced than was spent, after refunds: ask for a red-letter invoice, or wait until it is spent"
                ),
            )
        }
        (_, 1..) => say(
            format!("超过可开票金额（{left} 元，已扣除上次申请开票后的退款 {refunded} 元）"),
            format!("More than can be invoiced: {left} CNY, less refunds of {refunded} CNY since the last request"),
        ),
        _ => say(format!("超过可开票金额（{left} 元）"), format!("More than can be invoiced: {left} CNY")),
    })
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

/// Takes so much of what can be invoiced of a payee, if there is that much; answers the refunds since the request before.
pub(crate) async fn take(tx: &mut Connection, (org_id, payee_org_id): (i64, i64), cents: i64, at: i64) -> Result<Option<i64>, sqlx::Error> {
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
    let mut sql = Sql::new("SELECT v.refunded_cents FROM org_payee_invoiced v WHERE v.org_id = ");
    sql.bind(org_id).push(" AND v.payee_org_id = ").bind(payee_org_id);
    tx.hold(&mut sql, "v");
    let refunded_cents: i64 = sql.fetch_optional(&mut *tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("refunded_cents")?;
    let mut sql = Sql::new("UPDATE org_payee_invoiced SET refunded_cents = 0, cents = cents + ");
    sql.bind(cents).push(" WHERE org_id = ").bind(org_id).push(" AND payee_org_id = ").bind(payee_org_id);
    sql.push(" AND cents + ").bind(cents);
    sql.push(" <= (SELECT COALESCE(SUM(COALESCE(s.to_cents, ").push(SPENT).push(") - s.from_cents), 0) FROM org_payee_spend s ");
    sql.push("JOIN org_account a ON a.org_id = s.org_id WHERE s.org_id = org_payee_invoiced.org_id ");
    sql.push("AND s.payee_org_id = org_payee_invoiced.payee_org_id)");
    // And of all payees together no more than was spent.
    sql.push(" AND (SELECT SUM(v.cents) FROM org_payee_invoiced v WHERE v.org_id = org_payee_invoiced.org_id) + ").bind(cents);
    sql.push(" <= (SELECT ").push(SPENT).push(" FROM org_account a WHERE a.org_id = org_payee_invoiced.org_id)");
    Ok((sql.execute(tx).await? == 1).then_some(refunded_cents))
}

/// Gives back what an invoice took, with the refunds that it was less by. Where nothing is invoiced any more, there is nothing
/// that refunds could exceed.
pub(crate) async fn give_back(
    tx: &mut Connection,
    (org_id, payee_org_id): (i64, i64),
    cents: i64,
    refunded_cents: i64,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE org_payee_invoiced SET cents = cents - $1, refunded_cents = CASE WHEN cents > $2 THEN refunded_cents + $3 ELSE 0 END \
         WHERE org_id = $4 AND payee_org_id = $5",
    )
    .bind(cents)
    .bind(cents)
    .bind(refunded_cents)
    .bind(org_id)
    .bind(payee_org_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Counts back what a red-letter invoice was issued for, and with it the refunds that it makes up for.
pub(crate) async fn count_back(tx: &mut Connection, (org_id, payee_org_id): (i64, i64), cents: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE org_payee_invoiced SET cents = cents - $1, refunded_cents = CASE WHEN refunded_cents > $2 THEN refunded_cents - $3 ELSE 0 END \
         WHERE org_id = $4 AND payee_org_id = $5",
    )
    .bind(cents)
    .bind(cents)
    .bind(cents)
    .bind(org_id)
    .bind(payee_org_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Counts the refund of a lead, where its organisation has invoices of the payee that it pays.
pub(crate) async fn refunded(tx: &mut Connection, org_id: i64, cents: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE org_payee_invoiced SET refunded_cents = refunded_cents + $1 WHERE cents > 0 AND org_id = $2 \
         AND payee_org_id = (SELECT s.payee_org_id FROM org_payee_spend s WHERE s.org_id = $3 AND s.to_cents IS NULL)",
    )
    .bind(cents)
    .bind(org_id)
    .bind(org_id)
    .execute(tx)
    .await
    .map(drop)
}
