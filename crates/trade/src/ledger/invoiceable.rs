//! The invoiceable amounts: spent, less refunded, less invoiced, for each payee that an organisation paid. A request
//! takes its amount by a conditional `UPDATE`, so that concurrent requests never exceed it. Refunds after an invoice
//! can bring it below zero, until red-letter invoices count the surplus back, or the organisation spends as much
//! again.

use sqlx::Row;

use crate::ledger::account;
use base::db::{Connection, Sql};

/// Spending of the account `a`, as it counts here.
const SPENT: &str = "(a.total_spend_cents - a.spent_gift_cents)";

/// Stores that an organisation pays another payee from now on, or none.
pub async fn payee_changed(tx: &mut Connection, org_id: i64, payee_org_id: Option<i64>, at: i64) -> Result<(), sqlx::Error> {
    let open: Option<i64> = sqlx::query_scalar("SELECT payee_org_id FROM org_payee_spend WHERE org_id = $1 AND to_cents IS NULL")
        .bind(org_id)
        .fetch_optional(&mut *tx)
        .await?;
    if open == payee_org_id {
        return Ok(());
    }
    // Locked, so that no other transaction spends or invoices meanwhile.
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
    // Spending without a payee counts for the next one.
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

/// Whether an organisation has ever paid a payee.
pub async fn has_paid(tx: &mut Connection, (org_id, payee_org_id): (i64, i64)) -> Result<bool, sqlx::Error> {
    let found =
        sqlx::query("SELECT id FROM org_payee_spend WHERE org_id = $1 AND payee_org_id = $2 LIMIT 1").bind(org_id).bind(payee_org_id);
    Ok(found.fetch_optional(tx).await?.is_some())
}

/// Takes an amount of what can be invoiced of a payee, if there is that much; returns the refunds since the request
/// before.
pub async fn take(tx: &mut Connection, (org_id, payee_org_id): (i64, i64), cents: i64, at: i64) -> Result<Option<i64>, sqlx::Error> {
    account::open(tx, org_id, at).await?;
    // Requests of one organisation come one after another.
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
    // And no more than the whole spending for all payees together.
    sql.push(" AND (SELECT SUM(v.cents) FROM org_payee_invoiced v WHERE v.org_id = org_payee_invoiced.org_id) + ").bind(cents);
    sql.push(" <= (SELECT ").push(SPENT).push(" FROM org_account a WHERE a.org_id = org_payee_invoiced.org_id)");
    Ok((sql.execute(tx).await? == 1).then_some(refunded_cents))
}

/// Gives back the amount of an invoice, with the refunds that had reduced it. If nothing is invoiced any more,
/// refunds cannot exceed anything.
pub async fn give_back(
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

/// Counts back the amount of an issued red-letter invoice, and the refunds that it balances.
pub async fn count_back(tx: &mut Connection, (org_id, payee_org_id): (i64, i64), cents: i64) -> Result<(), sqlx::Error> {
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

/// Counts the refund of a lead, if its organisation has invoices of the payee that it pays.
pub async fn refunded(tx: &mut Connection, org_id: i64, cents: i64) -> Result<(), sqlx::Error> {
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

/// Stores since when an organisation is invoiced above its spending; false if another node has changed it from
/// `before`.
pub async fn set_over_noted(tx: &mut Connection, org_id: i64, before: Option<i64>, after: Option<i64>) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE org_account SET over_invoiced_at = $1 WHERE org_id = $2 AND COALESCE(over_invoiced_at, 0) = $3")
        .bind(after)
        .bind(org_id)
        .bind(before.unwrap_or_default())
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}
