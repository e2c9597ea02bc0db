//! The balances of the journal's accounts at a moment: debit and credit have the same sum.

use std::sync::Arc;

use sqlx::Row;

use super::earlier;
use super::list::TARGET;
use super::model::{BalanceFilters, BalanceRow, JournalAccount, JournalProgress};
use base::db::page::Page;
use base::db::{self, Db, Sql};
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{self, Columns, Exported, Sheet};
use frame::api::{ApiError, Ctx, ListQuery, Nothing, Result, say};

/// Kind and owner of an account, its sums in fen and their rows: checkpoints, debits and credits since, pending
/// amounts, and amounts that were pending at the moment and have ended.
const SIDES: [(&str, &str, &str, &str); 5] = [
    (
        "c.kind",
        "c.owner",
        "SUM(c.credit_cents - c.debit_cents) AS cents, 0 AS pending_cents",
        " FROM journal_checkpoint c WHERE c.upto = (SELECT n.at FROM since n)",
    ),
    (
        "t.debit_kind",
        "t.debit_owner",
        "SUM(-t.amount_cents), 0",
        " FROM journal_transfer t WHERE t.status = 'posted' AND t.at >= (SELECT n.at FROM since n)",
    ),
    (
        "t.credit_kind",
        "t.credit_owner",
        "SUM(t.amount_cents), 0",
        " FROM journal_transfer t WHERE t.status = 'posted' AND t.at >= (SELECT n.at FROM since n)",
    ),
    ("t.debit_kind", "t.debit_owner", "0, SUM(t.amount_cents)", " FROM journal_transfer t WHERE t.status = 'pending'"),
    ("t.debit_kind", "t.debit_owner", "0, SUM(t.amount_cents)", " FROM journal_transfer t WHERE t.status <> 'pending'"),
];

/// `GET /finance/journal/progress`.
pub async fn progress(cx: Arc<Ctx>, _: Nothing) -> Result<JournalProgress> {
    Ok(JournalProgress { complete: earlier::is_done(cx.db().read()).await? })
}

/// `POST /finance/journal/balance/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<BalanceFilters>) -> Result<Page<BalanceRow>> {
    let all = at(cx.db(), cx.viewer()?.scope(), &query.filters, cx.now).await?;
    let totals = sum(&all);
    Ok(Page::cut(all, query.current, query.page_size, Some(totals)))
}

/// `POST /finance/journal/balance/page/export`: refused while balances are incomplete, since readers would take the
/// file for a complete one.
pub async fn export(cx: Arc<Ctx>, query: ListQuery<BalanceFilters>) -> Result<Exported> {
    if !earlier::is_done(cx.db().read()).await? {
        return Err(ApiError::State(say(
            "历史账务仍在补录，补录完成后才能导出余额",
            "Earlier bookings are still being entered: balances can be exported once all are",
        )));
    }
    let all = at(cx.db(), cx.viewer()?.scope(), &query.filters, cx.now).await?;
    let last = sum(&all);
    export::export_rows(cx, &query, sheet(), all, Some(last)).await
}

/// The balances of all kinds of accounts, or of the accounts of one kind, in the order of their kinds and owners.
async fn at(db: &Db, scope: Scope, filters: &BalanceFilters, now: i64) -> Result<Vec<BalanceRow>> {
    // Transfers at this moment count as later.
    let at = filters.at_to.unwrap_or(now + 1);
    // The last checkpoints before it, and both sides of transfers since; pending amounts wait to leave their account.
    let mut sql = Sql::new("WITH since AS (SELECT COALESCE(MAX(d.upto), 0) AS at FROM journal_checkpoint_day d WHERE d.upto <= ");
    sql.bind(at).push("), side AS (");
    for (index, (kind, owner, sums, rows)) in SIDES.into_iter().enumerate() {
        sql.push(if index == 0 { "SELECT " } else { " UNION ALL SELECT " }).push(kind).push(" AS kind, ");
        // Without a kind, all accounts of a kind are added up.
        sql.push(if filters.kind.is_some() { owner } else { "CAST(0 AS BIGINT)" }).push(" AS owner_id, ").push(sums).push(rows);
        match index {
            0 => {}
            1 | 2 => drop(sql.push(" AND t.at < ").bind(at)),
            3 => drop(sql.push(" AND t.begun_at < ").bind(at)),
            _ => drop(sql.push(" AND t.at >= ").bind(at).push(" AND t.begun_at < ").bind(at)),
        }
        if let Some(wanted) = filters.kind {
            sql.push(" AND ").push(kind).push(" = ").bind(wanted);
        }
        scope.apply(&mut sql, ScopeColumns::default());
        sql.push(" GROUP BY 1, 2");
    }
    sql.push(concat!(
        ") SELECT s.kind, s.owner_id, COALESCE(o.name, p.name, h.name, c.name) AS name, CAST(SUM(s.cents) AS BIGINT) AS cents, \
         CAST(SUM(s.pending_cents) AS BIGINT) AS pending_cents FROM side s LEFT JOIN organisation o ON o.id = s.owner_id AND s.kind",
        of_organisation!(),
        " LEFT JOIN payee_organisation p ON p.id = s.owner_id AND s.kind",
        of_payee!(),
        " LEFT JOIN payee_channel h ON h.id = s.owner_id AND s.kind",
        of_channel!(),
        " LEFT JOIN channel c ON c.id = s.owner_id AND s.kind",
        of_partner!(),
        " GROUP BY s.kind, s.owner_id, COALESCE(o.name, p.name, h.name, c.name)",
    ));
    let mut rows = sql
        .fetch_all(db.read())
        .await?
        .iter()
        .map(|row| {
            let cents: i64 = row.try_get("cents")?;
            Ok(BalanceRow {
                id: 0,
                kind: Some(db::code::<JournalAccount>(row, "kind")?),
                owner_id: row.try_get("owner_id")?,
                name: row.try_get("name")?,
                debit_cents: (-cents).max(0),
                credit_cents: cents.max(0),
                pending_cents: row.try_get("pending_cents")?,
            })
        })
        .collect::<std::result::Result<Vec<_>, sqlx::Error>>()?;
    rows.sort_by_key(|row| (row.kind, row.owner_id));
    for (row, id) in rows.iter_mut().zip(1..) {
        row.id = id;
    }
    Ok(rows)
}

fn sum(rows: &[BalanceRow]) -> BalanceRow {
    let sum = |cents: fn(&BalanceRow) -> i64| rows.iter().map(cents).sum();
    BalanceRow {
        id: 0,
        kind: None,
        owner_id: 0,
        name: None,
        debit_cents: sum(|row| row.debit_cents),
        credit_cents: sum(|row| row.credit_cents),
        pending_cents: sum(|row| row.pending_cents),
    }
}

fn sheet() -> Sheet<BalanceRow> {
    Sheet {
        target: TARGET,
        title: say("科目余额", "Account balances"),
        columns: Columns::of("balance")
            .code::<JournalAccount>("kind")
            .text("name")
            .money("debitCents")
            .money("creditCents")
            .money("pendingCents")
            .all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fields;

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        let row = schemars::schema_for!(BalanceRow);
        for column in sheet().columns {
            assert!(row.pointer(&format!("/properties/{}", column.key)).is_some(), "{} is no field of the rows", column.key);
            assert!(fields::is_named("balance", column.key), "balance.{} has no heading", column.key);
        }
    }
}
