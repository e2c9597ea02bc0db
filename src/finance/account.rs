//! What the accounts of organisations hold.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::{Any, Executor, Row};

use crate::db::Sql;

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
