//! The ledger of an organisation's account: entries are added with the balance after each, and never
//! changed. Whoever moves money posts here, in the transaction of what it is moved for.

use sqlx::{AnyConnection, Row};
use strum::{EnumString, IntoStaticStr};

use super::account::{self, Funds};

/// What an entry is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum EntryKind {
    /// Money came in.
    Recharge,
    /// A lead was sold to it.
    LeadSale,
    /// An entry is taken back by its opposite.
    Reversal,
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
pub async fn post(tx: &mut AnyConnection, entry: &Entry<'_>) -> Result<Posting, sqlx::Error> {
    sqlx::query(
        "INSERT INTO org_account (org_id, status, created_at, updated_at) VALUES ($1, 'normal', $2, $3) ON CONFLICT (org_id) DO NOTHING",
    )
    .bind(entry.org_id)
    .bind(entry.at)
    .bind(entry.at)
    .execute(&mut *tx)
    .await?;
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
    // Money that came in and was taken back did not come in.
    let (recharged, spent) = match entry.kind {
        EntryKind::Recharge | EntryKind::Reversal => (entry.amount_cents, 0),
        EntryKind::LeadSale => (0, -entry.amount_cents),
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
    sqlx::query(
        "INSERT INTO account_ledger (account_id, seq, type, amount_cents, balance_after_cents, ref_type, ref_id, idem_key, operator_id, \
           remark, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)",
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
    .bind(entry.at)
    .execute(tx)
    .await?;
    Ok(Posting::Posted { balance_cents })
}
