//! The ledger of an organisation's account: entries are added with the balance after each, and never changed. Each
//! has its transfers in the [`journal`]. All movements of money are posted here, in the transaction of their reason.

pub mod account;
pub mod chain;
pub mod head;
pub mod incoming;
pub mod invoiceable;
pub mod journal;
pub mod outgoing;
pub mod partner_items;
pub mod proofs;
pub mod verify;

use serde::Serialize;
use sqlx::{Any, Executor, Row};

use crate::ledger::account::{Free, Funds, SpendOrder};
use crate::ledger::chain::Link;

use crate::ledger::journal::{Source, TransferStatus};
use base::clock::{Clock, MINUTE};
use base::codes;
use base::db::{self, Connection, Sql};
use frame::access::{Scope, ScopeColumns};

pub use chain::ends as chain_ends;
pub use chain::seal::make as seal_ledger;

/// How far an entry may be ahead of the clock, in milliseconds, before the clock that dated it counts as wrong.
const MOST_AHEAD: i64 = 5 * MINUTE;

codes! {
    /// The kind of an entry.
    pub enum EntryKind {
        /// Money came in.
        Recharge("充值", "Recharge"),
        /// Money that the organisation did not pay, and cannot withdraw.
        Gift("赠送", "Gift"),
        /// A lead was sold to it.
        LeadSale("线索扣费", "Lead sale"),
        /// A lead was returned.
        Refund("退单退款", "Lead refund"),
        /// An adjustment by hand, approved by a second person.
        AdjustUp("人工调增", "Manual increase"),
        AdjustDown("人工调减", "Manual decrease"),
        /// The opposite of an earlier entry.
        Reversal("冲正", "Reversal"),
        /// Visitors of its products on a day.
        VisitCharge("访问扣费", "Product visits"),
    }
}

/// The account on the other side of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counter {
    /// Payments of organisations.
    Cash,
    /// Gifts to them.
    Gifts,
    /// Their spending on leads and on visitors of their products.
    Revenue,
    /// Corrections by hand.
    Adjustments,
}

impl Counter {
    /// The column of `org_account` with the sum of its side of all entries of an account.
    fn column(self) -> &'static str {
        match self {
            Counter::Cash => "total_recharge_cents",
            Counter::Gifts => "total_gift_cents",
            Counter::Revenue => "total_spend_cents",
            Counter::Adjustments => "total_adjust_cents",
        }
    }

    /// The amount that an entry adds to that column: spending counts upwards.
    fn adds(self, amount_cents: i64) -> i64 {
        if self == Counter::Revenue { -amount_cents } else { amount_cents }
    }
}

/// An entry with its record; other data of the account is not shown.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct LedgerLine {
    pub id: i64,
    pub kind: EntryKind,
    pub org_name: String,
    /// Fen; below zero for what went out of the account.
    pub amount_cents: i64,
    pub at: i64,
}

/// Who sees an entry: the organisation of its account, as for a receipt.
const SCOPE: ScopeColumns = ScopeColumns { owner: Some("o.owner_admin_id"), org: Some("o.id"), sub_org: None, myself: None };

/// The entries for leads of an applicant, within a scope, oldest first.
pub async fn of_user<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, user_id: i64) -> Result<Vec<LedgerLine>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT l.id, l.type, o.name AS org_name, l.amount_cents, l.at FROM account_ledger l \
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
                at: row.try_get("at")?,
            })
        })
        .collect()
}

/// A new entry.
#[derive(Clone, Debug)]
pub struct Entry<'e> {
    pub org_id: i64,
    pub kind: EntryKind,
    /// Fen; below zero for what goes out.
    pub amount_cents: i64,
    /// The part of the amount from gifts, with its sign. For charges it is computed.
    pub gift_cents: i64,
    /// Its record: a table and a row's id.
    pub reference: (&'static str, i64),
    /// There is one entry for each key, however often it is posted.
    pub idem_key: &'e str,
    pub operator_id: Option<i64>,
    pub remark: &'e str,
    /// Epoch milliseconds.
    pub at: i64,
}

impl Entry<'_> {
    /// The account on its other side. A reversal takes back a payment, or a gift.
    pub fn counter(&self) -> Counter {
        match self.kind {
            EntryKind::Recharge => Counter::Cash,
            EntryKind::Gift => Counter::Gifts,
            EntryKind::LeadSale | EntryKind::Refund | EntryKind::VisitCharge => Counter::Revenue,
            EntryKind::AdjustUp | EntryKind::AdjustDown => Counter::Adjustments,
            EntryKind::Reversal if self.gift_cents != 0 => Counter::Gifts,
            EntryKind::Reversal => Counter::Cash,
        }
    }
}

/// The result of posting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posting {
    /// The balance after the entry, in fen.
    Posted { balance_cents: i64 },
    /// There is an entry with this key already.
    Repeated,
    /// Nothing was posted: the funds of its kind do not cover the amount.
    Short { available_cents: i64 },
}

/// Posts an entry. The account is locked until the transaction ends, so that entries of one account come one after
/// another, numbered without a gap; the first entry opens it.
pub async fn post(tx: &mut Connection, entry: &Entry<'_>) -> Result<Posting, sqlx::Error> {
    account::open(tx, entry.org_id, entry.at).await?;
    sqlx::query("UPDATE org_account SET updated_at = $1 WHERE org_id = $2").bind(entry.at).bind(entry.org_id).execute(&mut *tx).await?;
    let known = sqlx::query("SELECT id FROM account_ledger WHERE idem_key = $1").bind(entry.idem_key).fetch_optional(&mut *tx).await?;
    if known.is_some() {
        return Ok(Posting::Repeated);
    }
    if entry.amount_cents < 0 {
        let funds = account::funds(&mut *tx, [entry.org_id]).await?.remove(&entry.org_id).unwrap_or_default();
        if let Some(available_cents) = short_of(&funds, entry) {
            return Ok(Posting::Short { available_cents });
        }
    }
    let counter = entry.counter();
    let mut sql = Sql::new("UPDATE org_account SET balance_cents = balance_cents + ");
    sql.bind(entry.amount_cents).push(", gift_cents = gift_cents + ").bind(entry.gift_cents);
    if counter == Counter::Revenue {
        sql.push(", spent_gift_cents = spent_gift_cents - ").bind(entry.gift_cents);
    }
    sql.push(", ").push(counter.column()).push(" = ").push(counter.column()).push(" + ").bind(counter.adds(entry.amount_cents));
    sql.push(", seq = seq + 1 WHERE org_id = ").bind(entry.org_id).push(" RETURNING id, seq, balance_cents");
    let account = sql.fetch_optional(&mut *tx).await?.ok_or(sqlx::Error::RowNotFound)?;
    let (account_id, seq, balance_cents) = (account.try_get("id")?, account.try_get("seq")?, account.try_get("balance_cents")?);
    write(tx, entry, entry.gift_cents, account_id, seq, balance_cents).await?;
    if entry.kind == EntryKind::Refund {
        invoiceable::refunded(tx, entry.org_id, entry.amount_cents - entry.gift_cents).await?;
    }
    Ok(Posting::Posted { balance_cents })
}

/// The available funds of an entry's kind, if they do not suffice. Credit is for leads only: a reversal of a payment
/// needs paid money.
fn short_of(funds: &Funds, entry: &Entry<'_>) -> Option<i64> {
    let gifts = funds.gift_cents - funds.frozen_gift_cents;
    let credit_cents = if entry.counter() == Counter::Cash { funds.credit_limit_cents } else { 0 };
    let paid = funds.unspent_cents() - credit_cents - gifts;
    if gifts + entry.gift_cents < 0 {
        return Some(gifts);
    }
    (paid + entry.amount_cents - entry.gift_cents < 0).then(|| paid.max(0))
}

/// Pays for a sale from its held amount, which is released: it is owed, whatever the balance. It is posted as in
/// [`post`], in few statements, since the account is locked meanwhile. Amounts held from gifts are spent from gifts.
pub async fn pay_held(tx: &mut Connection, entry: &Entry<'_>, held: Held) -> Result<(), sqlx::Error> {
    let cents = -entry.amount_cents;
    let account = sqlx::query(
        "UPDATE org_account SET frozen_cents = frozen_cents - $1, frozen_gift_cents = frozen_gift_cents - $2, balance_cents = balance_cents - $3, \
           gift_cents = gift_cents - $4, spent_gift_cents = spent_gift_cents + $5, total_spend_cents = total_spend_cents + $6, \
           seq = seq + 1, updated_at = $7 WHERE org_id = $8 RETURNING id, seq, balance_cents",
    )
    .bind(held.cents)
    .bind(held.gift_cents)
    .bind(cents)
    .bind(held.gift_cents)
    .bind(held.gift_cents)
    .bind(cents)
    .bind(entry.at)
    .bind(entry.org_id)
    .fetch_one(&mut *tx)
    .await?;
    write(tx, entry, -held.gift_cents, account.try_get("id")?, account.try_get("seq")?, account.try_get("balance_cents")?).await
}

/// An amount held for a lead on its way, in fen, and its part from gifts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Held {
    pub cents: i64,
    pub gift_cents: i64,
}

/// Pays for a sale at once, if there is that much to spend. Returns whether there was. It is posted as in [`post`],
/// in few statements: hundreds of leads a second are paid this way.
pub async fn charge(tx: &mut Connection, entry: &Entry<'_>, order: SpendOrder) -> Result<bool, sqlx::Error> {
    let cents = -entry.amount_cents;
    for first in [true, false] {
        let mut sql = Sql::new("UPDATE org_account SET balance_cents = balance_cents - ");
        sql.bind(cents).push(", total_spend_cents = total_spend_cents + ").bind(cents);
        sql.push(", seq = seq + 1, updated_at = ").bind(entry.at);
        account::that_can_spend(&mut sql, entry.org_id, cents);
        sql.push(" RETURNING id, seq, balance_cents, ").push(Free::COLUMNS);
        if let Some(account) = sql.fetch_optional(&mut *tx).await? {
            let (id, seq, balance) = (account.try_get("id")?, account.try_get("seq")?, account.try_get("balance_cents")?);
            let gift_cents = Free::after(&account, cents)?.gift_part(cents, order);
            if gift_cents > 0 {
                sqlx::query("UPDATE org_account SET gift_cents = gift_cents - $1, spent_gift_cents = spent_gift_cents + $2 WHERE id = $3")
                    .bind(gift_cents)
                    .bind(gift_cents)
                    .bind(id)
                    .execute(&mut *tx)
                    .await?;
            }
            write(tx, entry, -gift_cents, id, seq, balance).await?;
            return Ok(true);
        }
        if first {
            account::open(tx, entry.org_id, entry.at).await?;
        }
    }
    Ok(false)
}

/// Charges for a past event, whatever there is to spend, also from a frozen account: the balance may go below zero,
/// as a debt. The account is locked as in [`post`].
pub async fn owe(tx: &mut Connection, entry: &Entry<'_>, order: SpendOrder) -> Result<Posting, sqlx::Error> {
    let cents = -entry.amount_cents;
    account::open(tx, entry.org_id, entry.at).await?;
    let mut sql = Sql::new("UPDATE org_account SET updated_at = ");
    sql.bind(entry.at).push(" WHERE org_id = ").bind(entry.org_id).push(" RETURNING ").push(Free::COLUMNS);
    let account = sql.fetch_optional(&mut *tx).await?.ok_or(sqlx::Error::RowNotFound)?;
    let known = sqlx::query("SELECT id FROM account_ledger WHERE idem_key = $1").bind(entry.idem_key).fetch_optional(&mut *tx).await?;
    if known.is_some() {
        return Ok(Posting::Repeated);
    }
    let gift_cents = Free::after(&account, 0)?.gift_part(cents, order);
    let account = sqlx::query(
        "UPDATE org_account SET balance_cents = balance_cents - $1, gift_cents = gift_cents - $2, spent_gift_cents = spent_gift_cents + $3, \
           total_spend_cents = total_spend_cents + $4, seq = seq + 1 WHERE org_id = $5 RETURNING id, seq, balance_cents",
    )
    .bind(cents)
    .bind(gift_cents)
    .bind(gift_cents)
    .bind(cents)
    .bind(entry.org_id)
    .fetch_one(&mut *tx)
    .await?;
    let balance_cents = account.try_get("balance_cents")?;
    write(tx, entry, -gift_cents, account.try_get("id")?, account.try_get("seq")?, balance_cents).await?;
    Ok(Posting::Posted { balance_cents })
}

/// The part from gifts of the entry with a key, in fen above zero.
pub async fn gift_part(tx: &mut Connection, idem_key: &str) -> Result<i64, sqlx::Error> {
    let part: Option<i64> =
        sqlx::query_scalar("SELECT gift_part_cents FROM account_ledger WHERE idem_key = $1").bind(idem_key).fetch_optional(tx).await?;
    Ok(part.unwrap_or_default().abs())
}

/// The time of an entry: not before that of the entry before it, since a transaction that waited for the account has
/// an earlier moment. But if the entry before is dated in the future, a clock was wrong, and the mistake ends there:
/// entries are in the order of their numbers, which statements, the check of the books and the chain use.
fn dated(at: i64, before: i64, (account_id, seq): (i64, i64)) -> i64 {
    if before <= at {
        return at;
    }
    let present = at.max(Clock::default().now());
    if before <= present + MOST_AHEAD {
        return before;
    }
    tracing::warn!(account_id, seq, before, at, "ledger: the entry before is dated in the future; a clock was wrong");
    at
}

/// Writes an entry as the last of its account, chained to the one before it.
async fn write(
    tx: &mut Connection,
    entry: &Entry<'_>,
    gift_part_cents: i64,
    account_id: i64,
    seq: i64,
    balance_cents: i64,
) -> Result<(), sqlx::Error> {
    let (before, key) = (chain::end(tx, account_id, seq - 1).await?, tx.ledger_key()?);
    let link = Link {
        account_id,
        seq,
        kind: entry.kind.into(),
        amount_cents: entry.amount_cents,
        gift_part_cents,
        balance_after_cents: balance_cents,
        ref_type: entry.reference.0,
        ref_id: entry.reference.1,
        idem_key: entry.idem_key,
        operator_id: entry.operator_id,
        remark: entry.remark,
        at: dated(entry.at, before.at, (account_id, seq)),
    };
    let id: i64 = sqlx::query_scalar(
        "INSERT INTO account_ledger (account_id, seq, type, amount_cents, gift_part_cents, balance_after_cents, ref_type, ref_id, idem_key, \
           operator_id, remark, at, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) RETURNING id",
    )
    .bind(link.account_id)
    .bind(link.seq)
    .bind(link.kind)
    .bind(link.amount_cents)
    .bind(link.gift_part_cents)
    .bind(link.balance_after_cents)
    .bind(link.ref_type)
    .bind(link.ref_id)
    .bind(link.idem_key)
    .bind(link.operator_id)
    .bind(link.remark)
    .bind(link.at)
    .bind(link.hash(&key, &before.hash))
    .fetch_one(&mut *tx)
    .await?;
    match entry.kind {
        EntryKind::LeadSale | EntryKind::Refund => {
            let parts = (entry.amount_cents - gift_part_cents, gift_part_cents);
            journal::transfer_price(tx, TransferStatus::Posted, (entry.org_id, entry.reference), parts, entry.idem_key, link.at).await
        }
        _ => journal::enter(tx, Source::Entry, id, link.at).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credit_is_spent_and_not_paid_out() {
        let short = |balance_cents, kind, amount_cents, gift_cents| {
            let funds = Funds { balance_cents, gift_cents: 100, credit_limit_cents: 1000, ..Funds::default() };
            let entry = Entry {
                org_id: 1,
                kind,
                amount_cents,
                gift_cents,
                reference: ("receipt", 1),
                idem_key: "",
                operator_id: None,
                remark: "",
                at: 0,
            };
            short_of(&funds, &entry)
        };
        assert_eq!(short(500, EntryKind::Reversal, -400, 0), None);
        assert_eq!(short(500, EntryKind::Reversal, -401, 0), Some(400));
        assert_eq!(short(500, EntryKind::AdjustDown, -401, 0), None, "a correction may be owed");
        // If credit is used, gifts can be taken back, and money cannot.
        assert_eq!(short(-300, EntryKind::Reversal, -1, 0), Some(0));
        assert_eq!(short(-300, EntryKind::Reversal, -100, -100), None);
        assert_eq!(short(-300, EntryKind::Reversal, -101, -101), Some(100));
    }
}
