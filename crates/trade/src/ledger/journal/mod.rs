//! The journal: transfers of money between two accounts, each pending, posted or void. Every transfer takes from one
//! account what it adds to another, so the sum of all accounts is zero. The account of an organisation also has
//! numbered entries ([`crate::ledger`]), which are posted in the same transaction. Calls under `/finance/journal`.

/// Which accounts belong to organisations, payee organisations, payment channels and channels that bring applicants.
macro_rules! of_organisation {
    () => {
        " IN ('org_paid', 'org_gift', 'service_fees', 'other_income')"
    };
}
macro_rules! of_payee {
    () => {
        " = 'cash'"
    };
}
macro_rules! of_channel {
    () => {
        " IN ('clearing', 'provider_fees', 'refunds_on_way', 'suspense')"
    };
}
macro_rules! of_partner {
    () => {
        " IN ('channel_payable', 'channel_cost')"
    };
}

mod balances;
mod bounds;
mod checkpoints;
mod earlier;
mod list;
pub mod model;
mod sources;

use sqlx::{Any, Executor, Row};

use model::JournalAccount;

use crate::ledger::Held;
use base::db::{Connection, Sql};
use frame::api::Access::Point;
use frame::api::{Calls, listing};

pub(super) use bounds::push_bounds;
pub use checkpoints::{work_checkpoints, write_checkpoints};
pub use earlier::{enter_earlier, work};
pub(super) use model::TransferStatus;
pub use sources::{Source, enter, enter_all};

/// The calls of the journal.
pub fn calls() -> Calls {
    Calls::new()
        .list("/finance/journal/page", Point("finance/account/journal"), listing::page::<list::Transfers>)
        .list("/finance/journal/page/export", Point("finance/account/journal"), listing::export::<list::Transfers>)
        .get("/finance/journal/progress", Point("finance/account/journal"), balances::progress)
        .list("/finance/journal/balance/page", Point("finance/account/journal"), balances::page)
        .list("/finance/journal/balance/page/export", Point("finance/account/journal"), balances::export)
}

/// The columns of a new transfer.
const INTO: &str = "INSERT INTO journal_transfer (debit_kind, debit_owner, credit_kind, credit_owner, amount_cents, status, ref_type, ref_id, \
     idem_key, begun_at, at) ";

/// A new transfer with the key of a pending one posts that one; otherwise there is one transfer for each key. A void
/// one stays void, and the database refuses another with its key: otherwise a movement of money would have no
/// transfer.
const UNDER_ITS_KEY: &str = " ON CONFLICT (idem_key) DO UPDATE SET status = excluded.status, at = excluded.at \
     WHERE journal_transfer.status = 'void' OR (journal_transfer.status = 'pending' AND excluded.status = 'posted')";

/// Adds the transfers of a lead's price: from paid money and from gifts, in fen, below zero since they leave the
/// account. Posting them posts the pending ones.
pub(super) async fn transfer_price(
    tx: &mut Connection,
    status: TransferStatus,
    (org_id, reference): (i64, (&'static str, i64)),
    (paid_cents, gift_cents): (i64, i64),
    idem_key: &str,
    at: i64,
) -> Result<(), sqlx::Error> {
    let revenue = (JournalAccount::LeadRevenue, 0);
    for (kind, cents, idem_key) in
        [(JournalAccount::OrgPaid, paid_cents, idem_key.to_owned()), (JournalAccount::OrgGift, gift_cents, format!("{idem_key}/gift"))]
    {
        if cents == 0 {
            continue;
        }
        let own = (kind, org_id);
        let (debit, credit) = if cents < 0 { (own, revenue) } else { (revenue, own) };
        let mut sql = Sql::new(INTO);
        sql.push("VALUES (").bind(debit.0).then(debit.1).then(credit.0).then(credit.1).then(cents.abs()).then(status);
        sql.then(reference.0).then(reference.1).then(idem_key).then(at).then(at).push(")").push(UNDER_ITS_KEY);
        sql.execute(&mut *tx).await?;
    }
    Ok(())
}

/// Holds the price of a lead: `held` of its price, with its part from gifts.
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

/// Ends the pending transfers of a lead without a movement.
pub async fn void_price(tx: &mut Connection, push_id: i64, at: i64) -> Result<(), sqlx::Error> {
    void(tx, "push_record", push_id, at).await
}

/// Ends the pending transfers of a row without a movement.
pub async fn void(tx: &mut Connection, ref_type: &'static str, ref_id: i64, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE journal_transfer SET status = 'void', at = $1 WHERE ref_type = $2 AND ref_id = $3 AND status = 'pending'")
        .bind(at)
        .bind(ref_type)
        .bind(ref_id)
        .execute(tx)
        .await
        .map(drop)
}

/// Fen pending out of the accounts of an organisation before a moment.
pub async fn held_before<'e>(on: impl Executor<'e, Database = Any>, org_id: i64, end: i64) -> Result<i64, sqlx::Error> {
    // Amounts that are still pending, and those that ended after it.
    let mut sql = Sql::new("SELECT CAST(COALESCE(SUM(h.cents), 0) AS BIGINT) AS held_cents FROM (");
    for (index, ended) in ["t.status = 'pending'", "t.status <> 'pending' AND t.at >= "].into_iter().enumerate() {
        sql.push(if index == 0 { "" } else { " UNION ALL " })
            .push("SELECT t.amount_cents AS cents FROM journal_transfer t WHERE ")
            .push(ended);
        if index == 1 {
            sql.bind(end);
        }
        sql.push(" AND t.debit_kind IN ('org_paid', 'org_gift') AND t.debit_owner = ").bind(org_id).push(" AND t.begun_at < ").bind(end);
    }
    sql.push(") h");
    sql.fetch_optional(on).await?.map_or(Ok(0), |row| row.try_get("held_cents"))
}
