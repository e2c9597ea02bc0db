//! Payouts in the database.

use sqlx::{Any, Executor, FromRow, Row};

use super::model::{PayoutFilters, PayoutForm, PayoutRow, PayoutStatus};
use crate::ledger::incoming;
use crate::ledger::partner_items;
use crate::partner::tax;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, ScopeColumns};
use frame::decision;

/// Who sees a payout: its channel's manager. Accounts of organisations see none.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("c.owner_admin_id"), org: None, sub_org: None, myself: None };

/// The query of the list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT w.id, w.payout_no, w.statement_id, m.statement_no, m.month, w.channel_id, c.name AS channel_name, w.payee_org_id, \
     e.name AS payee_org_name, w.amount_cents, w.tax_cents, w.remark, w.status, w.review_note, v.real_name AS reviewer_name, w.reviewed_at, \
     w.bank_number, w.paid_at, w.proof_files, w.before_books, w.paid_by, w.failure, w.returned_at, w.return_number, w.return_reason, \
     u.real_name AS returner_name, w.created_by, p.real_name AS creator_name, w.version, w.created_at, w.updated_at, ",
    decision::open_columns!("finance/partner/audit"),
    " FROM partner_payout w JOIN partner_statement m ON m.id = w.statement_id JOIN channel c ON c.id = w.channel_id \
     JOIN payee_organisation e ON e.id = w.payee_org_id LEFT JOIN administrator v ON v.id = w.reviewed_by \
     LEFT JOIN administrator p ON p.id = w.created_by LEFT JOIN administrator u ON u.id = w.returned_by",
    decision::open_join!("partner_payout", "w.id"),
    " WHERE 1 = 1"
);

/// The same rows, for the count.
pub const COUNT: &str = "SELECT w.id FROM partner_payout w JOIN channel c ON c.id = w.channel_id WHERE 1 = 1";

/// Their sums.
pub const TOTALS: &str = "SELECT CAST(0 AS BIGINT) AS id, '' AS payout_no, CAST(0 AS BIGINT) AS statement_id, '' AS statement_no, '' AS month, \
     CAST(0 AS BIGINT) AS channel_id, '' AS channel_name, CAST(0 AS BIGINT) AS payee_org_id, '' AS payee_org_name, \
     CAST(COALESCE(SUM(w.amount_cents), 0) AS BIGINT) AS amount_cents, CAST(COALESCE(SUM(w.tax_cents), 0) AS BIGINT) AS tax_cents, \
     '' AS remark, 'waiting' AS status, CAST(NULL AS TEXT) AS review_note, CAST(NULL AS TEXT) AS reviewer_name, \
     CAST(NULL AS BIGINT) AS reviewed_at, CAST(NULL AS TEXT) AS bank_number, CAST(NULL AS BIGINT) AS paid_at, '[]' AS proof_files, \
     CAST(0 AS BIGINT) AS before_books, CAST(NULL AS BIGINT) AS paid_by, CAST(NULL AS TEXT) AS failure, CAST(NULL AS BIGINT) AS returned_at, \
     CAST(NULL AS TEXT) AS return_number, CAST(NULL AS TEXT) AS return_reason, CAST(NULL AS TEXT) AS returner_name, \
     CAST(NULL AS BIGINT) AS created_by, CAST(NULL AS TEXT) AS creator_name, CAST(0 AS BIGINT) AS version, \
     CAST(0 AS BIGINT) AS created_at, CAST(0 AS BIGINT) AS updated_at, CAST(NULL AS TEXT) AS q_action, CAST(NULL AS TEXT) AS q_makers, \
     CAST(NULL AS TEXT) AS q_payload, CAST(NULL AS TEXT) AS q_note, CAST(NULL AS BIGINT) AS q_at, CAST(NULL AS TEXT) AS q_names \
     FROM partner_payout w JOIN channel c ON c.id = w.channel_id WHERE 1 = 1";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &PayoutFilters, scope: Scope) {
    sql.and_prefix(&["w.payout_no", "w.bank_number", "w.return_number"], filters.keyword.as_deref())
        .and("w.channel_id = ", filters.channel_id)
        .and("w.statement_id = ", filters.statement_id)
        .and("w.payee_org_id = ", filters.payee_org_id)
        .and("w.status = ", filters.status)
        .and("w.created_at >= ", filters.created_from)
        .and("w.created_at < ", filters.created_to);
    scope.apply(sql, SCOPE);
}

/// One payout within a scope.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<PayoutRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("w.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(PayoutRow::from_row).transpose()
}

/// All payouts of a statement within a scope, newest first.
pub async fn of_statement<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    statement_id: i64,
) -> Result<Vec<PayoutRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("w.statement_id = ", Some(statement_id));
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY w.id DESC");
    sql.fetch_all(on).await?.iter().map(PayoutRow::from_row).collect()
}

/// Takes an amount of the rest of a confirmed statement, with its part of the tax, and returns that part; none if
/// there is not so much. The payout that takes the last of the amount takes the last of the tax.
pub async fn take(tx: &mut Connection, statement_id: i64, amount_cents: i64) -> Result<Option<i64>, sqlx::Error> {
    let row = sqlx::query(
        "UPDATE partner_statement SET asked_cents = asked_cents + $1 WHERE id = $2 AND status = 'confirmed' AND asked_cents + $3 <= net_cents \
         RETURNING asked_cents, net_cents, tax_cents, asked_tax_cents",
    )
    .bind(amount_cents)
    .bind(statement_id)
    .bind(amount_cents)
    .fetch_optional(&mut *tx)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let cents = |name: &str| row.try_get::<i64, _>(name);
    let (net, whole) = (cents("net_cents")?, cents("tax_cents")?);
    let left = whole - cents("asked_tax_cents")?;
    let part = if cents("asked_cents")? == net { left } else { tax::part_of(whole, amount_cents, net).min(left) };
    sqlx::query("UPDATE partner_statement SET asked_tax_cents = asked_tax_cents + $1 WHERE id = $2")
        .bind(part)
        .bind(statement_id)
        .execute(tx)
        .await?;
    Ok(Some(part))
}

/// Takes an amount and a tax that were paid of the rest of a confirmed statement. Returns whether there is so much of
/// both.
pub async fn take_paid(tx: &mut Connection, statement_id: i64, (amount_cents, tax_cents): (i64, i64)) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE partner_statement SET asked_cents = asked_cents + ");
    sql.bind(amount_cents).push(", asked_tax_cents = asked_tax_cents + ").bind(tax_cents).push(" WHERE id = ").bind(statement_id);
    sql.push(" AND status = 'confirmed' AND net_cents - asked_cents >= ").bind(amount_cents);
    sql.push(" AND tax_cents - asked_tax_cents >= ").bind(tax_cents);
    Ok(sql.execute(tx).await? == 1)
}

/// Other payouts of a channel with the same amount within 30 days of a moment, newest first: their numbers, and when
/// they were paid or requested. Cancelled and returned ones are left out.
pub async fn alike(tx: &mut Connection, channel_id: i64, amount_cents: i64, at: i64) -> Result<Vec<(String, i64)>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT w.payout_no, COALESCE(w.paid_at, w.created_at) AS at FROM partner_payout w WHERE w.channel_id = $1 AND w.amount_cents = $2 \
           AND w.status IN ('waiting', 'approved', 'paid') AND COALESCE(w.paid_at, w.created_at) BETWEEN $3 AND $4 ORDER BY 2 DESC, 1 LIMIT $5",
    )
    .bind(channel_id)
    .bind(amount_cents)
    .bind(at - incoming::NEAR)
    .bind(at + incoming::NEAR)
    .bind(incoming::MOST_ALIKE)
    .fetch_all(tx)
    .await?;
    rows.iter().map(|row| Ok((row.try_get("payout_no")?, row.try_get("at")?))).collect()
}

/// The amount payable to a channel that no open payout holds, in fen; below zero if they hold more.
pub async fn free(tx: &mut Connection, channel_id: i64) -> Result<i64, sqlx::Error> {
    let held: i64 = sqlx::query_scalar(
        "SELECT CAST(COALESCE(SUM(w.amount_cents + w.tax_cents), 0) AS BIGINT) FROM partner_payout w \
         WHERE w.channel_id = $1 AND w.status IN ('waiting', 'approved')",
    )
    .bind(channel_id)
    .fetch_one(&mut *tx)
    .await?;
    Ok(partner_items::payable(tx, channel_id).await?.open_cents - held)
}

/// Gives back the amount of a payout that is not made.
pub async fn give_back(tx: &mut Connection, row: &PayoutRow) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE partner_statement SET asked_cents = asked_cents - $1, asked_tax_cents = asked_tax_cents - $2 WHERE id = $3")
        .bind(row.amount_cents)
        .bind(row.tax_cents)
        .bind(row.statement_id)
        .execute(tx)
        .await
        .map(drop)
}

/// Gives back the amount of a payout that came back: it can be paid again.
pub async fn give_back_paid(tx: &mut Connection, row: &PayoutRow) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE partner_statement SET asked_cents = asked_cents - $1, asked_tax_cents = asked_tax_cents - $2, paid_cents = paid_cents - $3 \
         WHERE id = $4",
    )
    .bind(row.amount_cents)
    .bind(row.tax_cents)
    .bind(row.amount_cents)
    .bind(row.statement_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Counts a paid payout of a statement.
pub async fn count_paid(tx: &mut Connection, row: &PayoutRow) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE partner_statement SET paid_cents = paid_cents + $1 WHERE id = $2")
        .bind(row.amount_cents)
        .bind(row.statement_id)
        .execute(tx)
        .await
        .map(drop)
}

/// A payment from before the books: when it was made, and its number in its normal form.
pub type Made<'m> = (i64, Option<&'m str>);

/// Adds an open payout. Returns its id.
pub async fn insert(
    tx: &mut Connection,
    no: &str,
    (channel_id, tax_cents): (i64, i64),
    form: &PayoutForm,
    made: Option<Made<'_>>,
    stamp: Stamp,
) -> Result<i64, sqlx::Error> {
    let (paid_at, bank_number) = made.unzip();
    let mut sql = Sql::new(
        "INSERT INTO partner_payout (payout_no, statement_id, channel_id, payee_org_id, amount_cents, tax_cents, remark, before_books, \
           paid_at, bank_number, status, created_at, updated_at, created_by, updated_by) VALUES (",
    );
    sql.bind(no.to_owned()).then(form.statement_id).then(channel_id).then(form.payee_org_id).then(form.amount_cents).then(tax_cents);
    sql.then(form.remark.as_deref().unwrap_or_default().trim().to_owned()).then(i64::from(made.is_some())).then(paid_at);
    sql.then(bank_number.flatten().map(str::to_owned)).push(", 'waiting'").then(stamp.at).then(stamp.at);
    sql.then(stamp.admin_id).then(stamp.admin_id).push(") RETURNING id");
    sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("id")
}

/// The fields of a payout's step besides its status.
pub enum Step<'s> {
    Decided(Option<&'s str>),
    Withdrawn,
    /// The number of the transfer in its normal form, its time, and who entered it.
    Paid(Option<&'s str>, i64, Option<i64>),
    Failed(&'s str),
    /// The number of the return in its normal form, its time, and the reason.
    Returned(&'s str, i64, &'s str),
}

/// Makes a step of a payout over the given version. Returns whether that version existed.
pub async fn step(
    tx: &mut Connection,
    (id, version): (i64, i64),
    status: PayoutStatus,
    step: &Step<'_>,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE partner_payout SET status = ");
    sql.bind(status);
    match step {
        Step::Decided(note) => {
            sql.push(", review_note = ").bind(note.map(str::to_owned));
            sql.push(", reviewed_by = ").bind(stamp.admin_id).push(", reviewed_at = ").bind(stamp.at);
        }
        Step::Withdrawn => {}
        Step::Paid(number, paid_at, by) => {
            sql.push(", bank_number = ").bind(number.map(str::to_owned)).push(", paid_at = ").bind(*paid_at);
            sql.push(", paid_by = ").bind(*by);
        }
        Step::Failed(failure) => {
            sql.push(", failure = ").bind((*failure).to_owned());
        }
        Step::Returned(number, returned_at, reason) => {
            sql.push(", return_number = ").bind((*number).to_owned()).push(", returned_at = ").bind(*returned_at);
            sql.push(", return_reason = ").bind((*reason).to_owned()).push(", returned_by = ").bind(stamp.admin_id);
        }
    }
    sql.push(", version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version);
    Ok(sql.execute(tx).await? == 1)
}

#[cfg(test)]
mod tests {
    use super::super::list::Payouts;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Payouts>("payout");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Payouts>(&["status"]).await;
    }
}
