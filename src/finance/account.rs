//! What the accounts of organisations hold.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::{Any, Executor, Row};

use crate::db::{Connection, Sql};

/// What an organisation has, in fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Funds {
    pub balance_cents: i64,
    /// Held for what is on its way.
    pub frozen_cents: i64,
    /// How far below nothing the balance may go; 0 for who pays in advance.
    pub credit_limit_cents: i64,
    /// What can be spent now.
    pub available_cents: i64,
}

/// What some organisations have, by id; who has no account has nothing in it.
pub async fn funds<'e>(
    on: impl Executor<'e, Database = Any>,
    orgs: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Funds>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT o.id, CASE o.bill_mode WHEN 'credit' THEN o.credit_limit_cents ELSE 0 END AS credit_limit_cents, \
           COALESCE(a.balance_cents, 0) AS balance_cents, COALESCE(a.frozen_cents, 0) AS frozen_cents \
         FROM organisation o LEFT JOIN org_account a ON a.org_id = o.id WHERE o.id IN ",
    );
    sql.ids(orgs);
    sql.fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            let (balance_cents, frozen_cents): (i64, i64) = (row.try_get("balance_cents")?, row.try_get("frozen_cents")?);
            let credit_limit_cents: i64 = row.try_get("credit_limit_cents")?;
            let available_cents = balance_cents - frozen_cents + credit_limit_cents;
            Ok((row.try_get("id")?, Funds { balance_cents, frozen_cents, credit_limit_cents, available_cents }))
        })
        .collect()
}

/// Sees to it that an organisation has an account.
pub async fn open(tx: &mut Connection, org_id: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO org_account (org_id, status, created_at, updated_at) VALUES ($1, 'normal', $2, $3) ON CONFLICT (org_id) DO NOTHING",
    )
    .bind(org_id)
    .bind(at)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Closes the account of an organisation for good: nothing is held or paid from it any more. Whoever holds
/// or pays at the same time comes before, and is seen, or after, and fails.
pub async fn close(tx: &mut Connection, org_id: i64, at: i64) -> Result<(), sqlx::Error> {
    open(tx, org_id, at).await?;
    sqlx::query("UPDATE org_account SET status = 'frozen', updated_at = $1 WHERE org_id = $2")
        .bind(at)
        .bind(org_id)
        .execute(tx)
        .await
        .map(drop)
}

/// Holds so much for what is on its way, if it can be spent; tells whether it can. The account is held
/// until the transaction ends, so nobody spends the same money twice.
pub async fn hold(tx: &mut Connection, org_id: i64, cents: i64, at: i64) -> Result<bool, sqlx::Error> {
    for first in [true, false] {
        let mut sql = Sql::new("UPDATE org_account SET frozen_cents = frozen_cents + ");
        sql.bind(cents).push(", updated_at = ").bind(at);
        that_can_spend(&mut sql, org_id, cents);
        if sql.execute(&mut *tx).await? == 1 {
            return Ok(true);
        }
        // Who may go below nothing needs no money to begin with, but an account.
        if first {
            open(tx, org_id, at).await?;
        }
    }
    Ok(false)
}

/// The condition of an `UPDATE` of the account of an organisation that so much can be spent of it.
pub(super) fn that_can_spend(sql: &mut Sql, org_id: i64, cents: i64) {
    sql.push(" WHERE org_id = ").bind(org_id).push(
        " AND status = 'normal' AND balance_cents - frozen_cents + (SELECT CASE o.bill_mode WHEN 'credit' THEN o.credit_limit_cents \
         ELSE 0 END FROM organisation o WHERE o.id = org_account.org_id) >= ",
    );
    sql.bind(cents);
}

/// Releases what was held.
pub async fn release(tx: &mut Connection, org_id: i64, cents: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE org_account SET frozen_cents = frozen_cents - $1, updated_at = $2 WHERE org_id = $3")
        .bind(cents)
        .bind(at)
        .bind(org_id)
        .execute(tx)
        .await
        .map(drop)
}
