//! The journal: transfers of money between two accounts, each pending, posted or void. Every transfer takes from one account what it
//! adds to another, so what all accounts hold adds up to nothing. The account of an organisation has numbered entries besides
//! ([`super::ledger`]), which are posted in the same transaction. Calls under `/finance/journal`.

mod balances;
mod earlier;
mod list;
pub(crate) mod model;
mod sources;

use sqlx::{Any, Executor, Row};

use super::ledger::Held;
use crate::api::Access::Point;
use crate::api::{Calls, listing};
use crate::db::{Connection, Sql};

pub use earlier::{enter_earlier, work};
pub use model::{JournalAccount, TransferStatus};
pub use sources::{Source, enter};

/// The calls of the journal.
pub(super) fn calls() -> Calls {
    Calls::new()
        .list("/finance/journal/page", Point("finance/account/journal"), listing::page::<list::Transfers>)
        .list("/finance/journal/page/export", Point("finance/account/journal"), listing::export::<list::Transfers>)
        .list("/finance/journal/balance/page", Point("finance/account/journal"), balances::page)
        .list("/finance/journal/balance/page/export", Point("finance/account/journal"), balances::export)
}

/// An account of the journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Account {
    kind: JournalAccount,
    /// The organisation, payee organisation or payment channel that it is of; 0 for the platform's.
    owner_id: i64,
}

impl Account {
    /// An account of the platform itself.
    fn of_platform(kind: JournalAccount) -> Account {
        Account { kind, owner_id: 0 }
    }
}

/// Money that goes from one account to another.
#[derive(Clone, Copy, Debug)]
struct Transfer<'t> {
    debit: Account,
    credit: Account,
    /// Fen; below zero it goes the other way, at zero there is no transfer.
    amount_cents: i64,
    /// What it is for: a table and a row of it.
    reference: (&'static str, i64),
    /// There is one transfer under one key, however often it is posted.
    idem_key: &'t str,
    /// Epoch milliseconds.
    at: i64,
}

impl Transfer<'_> {
    /// Adds it, pending or posted; one that is pending under its key is posted by it.
    async fn insert(&self, tx: &mut Connection, status: TransferStatus) -> Result<(), sqlx::Error> {
        if self.amount_cents == 0 {
            return Ok(());
        }
        let (debit, credit) = if self.amount_cents < 0 { (self.credit, self.debit) } else { (self.debit, self.credit) };
        sqlx::query(
            "INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, \
               idem_key, begun_at, at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) \
             ON CONFLICT (idem_key) DO UPDATE SET status = excluded.status, at = excluded.at \
             WHERE journal_transfer.status = 'pending' AND excluded.status = 'posted'",
        )
        .bind(debit.kind)
        .bind(debit.owner_id)
        .bind(credit.kind)
        .bind(credit.owner_id)
        .bind(self.amount_cents.abs())
        .bind(status)
        .bind(self.reference.0)
        .bind(self.reference.1)
        .bind(self.idem_key)
        .bind(self.at)
        .bind(self.at)
        .execute(tx)
        .await
        .map(drop)
    }
}

/// The transfers of the price of a lead, for what it is posted: of what its organisation paid, and of gifts. Fen, below zero as they leave the account.
pub(super) async fn transfer_price(
    tx: &mut Connection,
    status: TransferStatus,
    (org_id, reference): (i64, (&'static str, i64)),
    (paid_cents, gift_cents): (i64, i64),
    idem_key: &str,
    at: i64,
) -> Result<(), sqlx::Error> {
    let debit = Account::of_platform(JournalAccount::LeadRevenue);
    for (kind, amount_cents, idem_key) in
        [(JournalAccount::OrgPaid, paid_cents, idem_key), (JournalAccount::OrgGift, gift_cents, &format!("{idem_key}/gift"))]
    {
        let credit = Account { kind, owner_id: org_id };
        let transfer = Transfer { debit, credit, amount_cents, reference, idem_key, at };
        transfer.insert(tx, status).await?;
    }
    Ok(())
}

/// The price of a lead is held: `held` of its price, a part of it of gifts.
pub async fn hold_price(
    tx: &mut Connection,
    (org_id, push_id): (i64, i64),
    held: Held,
    idem_key: &str,
    at: i64,
) -> Result<(), sqlx::Error> {
    let parts = (held.gift_cents - held.cents, -held.gift_cents);
    transfer_price(tx, TransferStatus::Pending, (org_id, ("push_record", push_id)), parts, idem_key, at).await
}

/// Ends the pending transfers of a lead without moving anything.
pub async fn void_price(tx: &mut Connection, push_id: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE journal_transfer SET status = 'void', at = $1 WHERE ref_type = 'push_record' AND ref_id = $2 AND status = 'pending'",
    )
    .bind(at)
    .bind(push_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Fen that were pending out of the accounts of an organisation before a moment.
pub async fn held_before<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, end: i64) -> Result<i64, sqlx::Error> {
    let mut sql =
        Sql::new("SELECT CAST(COALESCE(SUM(t.amount_cents), 0) AS BIGINT) AS held_cents FROM journal_transfer t WHERE t.debit_owner = ");
    sql.bind(org_id).push(" AND t.debit_kind IN ('org_paid', 'org_gift') AND t.begun_at < ").bind(end);
    sql.push(" AND (t.status = 'pending' OR t.at >= ").bind(end).push(")");
    sql.fetch_optional(on).await?.map_or(Ok(0), |row| row.try_get("held_cents"))
}
