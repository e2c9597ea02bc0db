//! The ledger of an organisation's account: entries are added with the balance after each, and never
//! changed. Whoever moves money posts here, in the transaction of what it is moved for.

use serde::Serialize;
use sqlx::{Any, Executor, Row};
use strum::{EnumString, IntoStaticStr};

use super::account::{self, Funds};
use crate::access::{Scope, ScopeColumns};
use crate::db::{self, Connection, Sql};

/// What an entry is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum EntryKind {
    /// Money came in.
    Recharge,
    /// A lead was sold to it.
    LeadSale,
    /// A lead was given back.
    Refund,
    /// An entry is taken back by its opposite.
    Reversal,
}

/// An entry as it is shown with what it was posted for: what of the account there was besides is not told there.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct LedgerLine {
    pub id: i64,
    pub kind: EntryKind,
    pub org_name: String,
    /// Fen; below zero for what went out of the account.
    pub amount_cents: i64,
    /// The row that it was posted for.
    pub ref_id: i64,
    pub at: i64,
}

/// Whose an entry is: that of the organisation of its account, as a receipt is.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: None, myself: None };

/// The entries that were posted for leads about an applicant, within a scope, the first first.
pub async fn of_user<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, user_id: i64) -> Result<Vec<LedgerLine>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT l.id, l.type, o.name AS org_name, l.amount_cents, l.ref_id, l.at FROM account_ledger l \
         JOIN org_account a ON a.id = l.account_id JOIN organisation o ON o.id = a.org_id WHERE l.ref_type = 'push_record' \
         AND l.ref_id IN (SELECT h.id FROM push_record h WHERE h.user_id = ",
    );
    sql.bind(user_id).push(")");
    scope.apply(&mut sql, SCOPE);
    sql.push(" ORDER BY l.at, l.account_id, l.seq");
    sql.fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            Ok(LedgerLine {
                id: row.try_get("id")?,
                kind: db::code(row, "type")?,
                org_name: row.try_get("org_name")?,
                amount_cents: row.try_get("amount_cents")?,
                ref_id: row.try_get("ref_id")?,
                at: row.try_get("at")?,
            })
        })
        .collect()
}

/// An entry to be posted.
#[derive(Clone, Debug)]
pub struct Entry<'e> {
    pub org_id: i64,
    pub kind: EntryKind,
    /// Fen; below zero for what goes out.
    pub amount_cents: i64,
    /// What it is for: a table and a row of it.
    pub reference: (&'static str, i64),
    /// Posted once under one key, however often it is asked for.
    pub idem_key: &'e str,
    pub operator_id: Option<i64>,
    pub remark: &'e str,
    /// Epoch milliseconds.
    pub at: i64,
}

/// What came of posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posting {
    /// The balance after the entry, in fen.
    Posted { balance_cents: i64 },
    /// There is an entry under this key already.
    Repeated,
    /// Nothing was posted: what can be spent does not cover what would go out.
    Short { available_cents: i64 },
}

/// Posts an entry. The account is held until the transaction ends, so that entries of one account
/// come one after another, numbered without a gap; the first entry opens it.
pub async fn post(tx: &mut Connection, entry: &Entry<'_>) -> Result<Posting, sqlx::Error> {
    account::open(tx, entry.org_id, entry.at).await?;
    let held = sqlx::query("UPDATE org_account SET updated_at = $1 WHERE org_id = $2 RETURNING id, seq, balance_cents")
        .bind(entry.at)
        .bind(entry.org_id)
        .fetch_one(&mut *tx)
        .await?;
    let known = sqlx::query("SELECT id FROM account_ledger WHERE idem_key = $1").bind(entry.idem_key).fetch_optional(&mut *tx).await?;
    if known.is_some() {
        return Ok(Posting::Repeated);
    }
    if entry.amount_cents < 0 {
        let Funds { available_cents, .. } = account::funds(&mut *tx, [entry.org_id]).await?.remove(&entry.org_id).unwrap_or_default();
        if available_cents + entry.amount_cents < 0 {
            return Ok(Posting::Short { available_cents });
        }
    }
    let (account_id, seq): (i64, i64) = (held.try_get("id")?, held.try_get::<i64, _>("seq")? + 1);
    let balance_cents = held.try_get::<i64, _>("balance_cents")? + entry.amount_cents;
    // Money that came in and was taken back did not come in; what is refunded was not spent.
    let (recharged, spent) = match entry.kind {
        EntryKind::Recharge | EntryKind::Reversal => (entry.amount_cents, 0),
        EntryKind::LeadSale | EntryKind::Refund => (0, -entry.amount_cents),
    };
    sqlx::query(
        "UPDATE org_account SET balance_cents = $1, total_recharge_cents = total_recharge_cents + $2, \
           total_spend_cents = total_spend_cents + $3, seq = $4 WHERE id = $5",
    )
    .bind(balance_cents)
    .bind(recharged)
    .bind(spent)
    .bind(seq)
    .bind(account_id)
    .execute(&mut *tx)
    .await?;
    write(tx, entry, account_id, seq, balance_cents).await?;
    Ok(Posting::Posted { balance_cents })
}

/// Pays for something new from what was held for it, which is released: it is owed, whatever there is to
/// spend. It is posted as [`post`] would, in two statements, for the account is held meanwhile.
pub async fn pay_held(tx: &mut Connection, entry: &Entry<'_>, held_cents: i64) -> Result<(), sqlx::Error> {
    let cents = -entry.amount_cents;
    let account = sqlx::query(
        "UPDATE org_account SET frozen_cents = frozen_cents - $1, balance_cents = balance_cents - $2, \
           total_spend_cents = total_spend_cents + $3, seq = seq + 1, updated_at = $4 WHERE org_id = $5 RETURNING id, seq, balance_cents",
    )
    .bind(held_cents)
    .bind(cents)
    .bind(cents)
    .bind(entry.at)
    .bind(entry.org_id)
    .fetch_one(&mut *tx)
    .await?;
    write(tx, entry, account.try_get("id")?, account.try_get("seq")?, account.try_get("balance_cents")?).await
}

/// Pays for something new at once, if there is that much to spend; tells whether there was. It is
/// posted as [`post`] would, in two statements: hundreds of leads a second are paid so.
pub async fn charge(tx: &mut Connection, entry: &Entry<'_>) -> Result<bool, sqlx::Error> {
    let cents = -entry.amount_cents;
    for first in [true, false] {
        let mut sql = Sql::new("UPDATE org_account SET balance_cents = balance_cents - ");
        sql.bind(cents).push(", total_spend_cents = total_spend_cents + ").bind(cents);
        sql.push(", seq = seq + 1, updated_at = ").bind(entry.at);
        account::that_can_spend(&mut sql, entry.org_id, cents);
        sql.push(" RETURNING id, seq, balance_cents");
        let paid = sql.fetch_optional(&mut *tx).await?;
        if let Some(account) = paid {
            let (id, seq, balance) = (account.try_get("id")?, account.try_get("seq")?, account.try_get("balance_cents")?);
            write(tx, entry, id, seq, balance).await?;
            return Ok(true);
        }
        if first {
            account::open(tx, entry.org_id, entry.at).await?;
        }
    }
    Ok(false)
}

async fn write(tx: &mut Connection, entry: &Entry<'_>, account_id: i64, seq: i64, balance_cents: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, operator_id, \
           remark, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, \
           (SELECT CASE WHEN COALESCE(MAX(b.at), 0) > $11 THEN MAX(b.at) ELSE $12 END FROM account_ledger b \
             WHERE b.account_id = $13 AND b.seq = $14))",
    )
    .bind(account_id)
    .bind(seq)
    .bind(<&str>::from(entry.kind))
    .bind(entry.amount_cents)
    .bind(balance_cents)
    .bind(entry.reference.0)
    .bind(entry.reference.1)
    .bind(entry.idem_key)
    .bind(entry.operator_id)
    .bind(entry.remark)
    // Never before the entry before it: whoever waited for the account brings a moment from before that, and
    // clocks of nodes differ. In the order of their numbers, entries are in the order of their times.
    .bind(entry.at)
    .bind(entry.at)
    .bind(account_id)
    .bind(seq - 1)
    .execute(tx)
    .await
    .map(drop)
}
