//! The balances of organisations' accounts.

use std::collections::HashMap;

use serde::Serialize;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};
use strum::{EnumString, IntoStaticStr};

use crate::ledger::Held;
use base::codes;
use base::db::{self, Connection, Sql};

codes! {
    /// Status of an account.
    pub enum AccountStatus {
        Normal("正常", "Normal") -> [Frozen],
        /// It holds and pays nothing.
        Frozen("冻结", "Frozen") -> [Normal],
    }
}

/// The funds of an organisation, in fen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Funds {
    pub balance_cents: i64,
    /// The part of the balance from gifts.
    pub gift_cents: i64,
    /// Held for leads on their way.
    pub frozen_cents: i64,
    /// The part of it held from gifts.
    #[serde(skip)]
    #[ts(skip)]
    pub frozen_gift_cents: i64,
    /// How far the balance may go below zero; 0 for organisations that pay in advance.
    pub credit_limit_cents: i64,
    /// What can be spent now: 0 for a frozen account.
    pub available_cents: i64,
    /// It holds and pays nothing.
    #[serde(skip)]
    #[ts(skip)]
    pub is_frozen: bool,
}

/// SQL: what an organisation `o` can spend now from its account under the given name, which may be missing; as
/// [`Funds::available_cents`].
macro_rules! available {
    ($account:literal) => {
        concat!(
            "CASE WHEN ",
            $account,
            ".status = 'frozen' THEN 0 ELSE COALESCE(",
            $account,
            ".balance_cents, 0) - COALESCE(",
            $account,
            ".frozen_cents, 0) + CASE o.bill_mode WHEN 'credit' THEN o.credit_limit_cents ELSE 0 END END"
        )
    };
}
pub(crate) use available;

impl Funds {
    /// What is neither held nor spent, including credit, frozen or not.
    pub(super) fn unspent_cents(&self) -> i64 {
        self.balance_cents - self.frozen_cents + self.credit_limit_cents
    }
}

/// The funds of some organisations, by id; an organisation without an account has none.
pub async fn funds<'e>(
    on: impl Executor<'e, Database = Any>,
    orgs: impl IntoIterator<Item = i64>,
) -> Result<HashMap<i64, Funds>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT o.id, CASE o.bill_mode WHEN 'credit' THEN o.credit_limit_cents ELSE 0 END AS credit_limit_cents, \
           COALESCE(a.balance_cents, 0) AS balance_cents, COALESCE(a.frozen_cents, 0) AS frozen_cents, \
           COALESCE(a.gift_cents, 0) AS gift_cents, COALESCE(a.frozen_gift_cents, 0) AS frozen_gift_cents, \
           COALESCE(a.status, 'normal') AS status \
         FROM organisation o LEFT JOIN org_account a ON a.org_id = o.id WHERE o.id IN ",
    );
    sql.ids(orgs);
    sql.fetch_all(on)
        .await?
        .iter()
        .map(|row| {
            let (balance_cents, frozen_cents): (i64, i64) = (row.try_get("balance_cents")?, row.try_get("frozen_cents")?);
            let credit_limit_cents: i64 = row.try_get("credit_limit_cents")?;
            let (gift_cents, frozen_gift_cents) = (row.try_get("gift_cents")?, row.try_get("frozen_gift_cents")?);
            let is_frozen = db::code::<AccountStatus>(row, "status")? == AccountStatus::Frozen;
            let mut funds =
                Funds { balance_cents, gift_cents, frozen_cents, frozen_gift_cents, credit_limit_cents, available_cents: 0, is_frozen };
            if !is_frozen {
                funds.available_cents = funds.unspent_cents();
            }
            Ok((row.try_get("id")?, funds))
        })
        .collect()
}

/// Opens an organisation's account if it has none.
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

/// Closes the account of an organisation forever: it holds and pays nothing any more. A concurrent payment comes
/// before, and is seen, or after, and fails.
pub async fn close(tx: &mut Connection, org_id: i64, at: i64) -> Result<(), sqlx::Error> {
    open(tx, org_id, at).await?;
    sqlx::query("UPDATE org_account SET status = 'frozen', updated_at = $1 WHERE org_id = $2")
        .bind(at)
        .bind(org_id)
        .execute(tx)
        .await
        .map(drop)
}

/// Freezes or releases an account. Returns whether its status has changed.
pub async fn change_status(tx: &mut Connection, org_id: i64, status: AccountStatus, note: &str, at: i64) -> Result<bool, sqlx::Error> {
    open(tx, org_id, at).await?;
    let note = (status == AccountStatus::Frozen).then(|| note.to_owned());
    let mut sql = Sql::new("UPDATE org_account SET status = ");
    sql.bind(status).push(", status_note = ").bind(note).push(", updated_at = ").bind(at);
    sql.push(" WHERE org_id = ").bind(org_id).push(" AND status <> ").bind(status);
    Ok(sql.execute(tx).await? == 1)
}

/// Which part is spent first, by `finance.spend_order`. Credit is spent last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum SpendOrder {
    #[default]
    GiftFirst,
    PaidFirst,
}

/// The part of an account that is neither held nor spent, in fen.
pub(super) struct Free {
    gift_cents: i64,
    /// Without credit; below zero if credit is used.
    paid_cents: i64,
}

impl Free {
    /// The columns that an `UPDATE` of `org_account` returns for [`Free::after`].
    pub const COLUMNS: &'static str =
        "gift_cents - frozen_gift_cents AS free_gift, balance_cents - gift_cents - frozen_cents + frozen_gift_cents AS free_paid";

    /// The free part before an `UPDATE` took an amount from the account, without a part from gifts yet.
    pub fn after(row: &AnyRow, cents: i64) -> Result<Free, sqlx::Error> {
        Ok(Free { gift_cents: row.try_get("free_gift")?, paid_cents: row.try_get::<i64, _>("free_paid")? + cents })
    }

    /// The part of an amount that comes from gifts.
    pub fn gift_part(&self, cents: i64, order: SpendOrder) -> i64 {
        match order {
            SpendOrder::GiftFirst => cents.min(self.gift_cents),
            SpendOrder::PaidFirst => (cents - self.paid_cents.max(0)).clamp(0, self.gift_cents),
        }
    }
}

/// Holds an amount for a lead on its way, if it can be spent; returns what is held, none otherwise. The account is
/// locked until the transaction ends, so that the same money is not spent twice.
pub async fn hold(tx: &mut Connection, org_id: i64, cents: i64, order: SpendOrder, at: i64) -> Result<Option<Held>, sqlx::Error> {
    for first in [true, false] {
        let mut sql = Sql::new("UPDATE org_account SET frozen_cents = frozen_cents + ");
        sql.bind(cents).push(", updated_at = ").bind(at);
        that_can_spend(&mut sql, org_id, cents);
        sql.push(" RETURNING ").push(Free::COLUMNS);
        if let Some(account) = sql.fetch_optional(&mut *tx).await? {
            let gift_cents = Free::after(&account, cents)?.gift_part(cents, order);
            if gift_cents > 0 {
                sqlx::query("UPDATE org_account SET frozen_gift_cents = frozen_gift_cents + $1 WHERE org_id = $2")
                    .bind(gift_cents)
                    .bind(org_id)
                    .execute(&mut *tx)
                    .await?;
            }
            return Ok(Some(Held { cents, gift_cents }));
        }
        // An organisation with credit needs no money to begin with, but an account.
        if first {
            open(tx, org_id, at).await?;
        }
    }
    Ok(None)
}

/// The condition of an `UPDATE` of an organisation's account that the amount can be spent.
pub(super) fn that_can_spend(sql: &mut Sql, org_id: i64, cents: i64) {
    sql.push(" WHERE org_id = ").bind(org_id).push(
        " AND status = 'normal' AND balance_cents - frozen_cents + (SELECT CASE o.bill_mode WHEN 'credit' THEN o.credit_limit_cents \
         ELSE 0 END FROM organisation o WHERE o.id = org_account.org_id) >= ",
    );
    sql.bind(cents);
}

/// Releases a held amount.
pub async fn release(tx: &mut Connection, org_id: i64, held: Held, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE org_account SET frozen_cents = frozen_cents - $1, frozen_gift_cents = frozen_gift_cents - $2, updated_at = $3 WHERE org_id = $4",
    )
    .bind(held.cents)
    .bind(held.gift_cents)
    .bind(at)
    .bind(org_id)
    .execute(tx)
    .await
    .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gifts_are_spent_before_or_after_what_was_paid_and_always_before_credit() {
        let part = |gift_cents, paid_cents, cents| {
            let free = Free { gift_cents, paid_cents };
            (free.gift_part(cents, SpendOrder::GiftFirst), free.gift_part(cents, SpendOrder::PaidFirst))
        };
        assert_eq!(part(0, 100, 60), (0, 0));
        assert_eq!(part(40, 100, 60), (40, 0));
        assert_eq!(part(40, 50, 60), (40, 10));
        assert_eq!(part(100, 50, 60), (60, 10));
        // The rest comes from credit.
        assert_eq!(part(40, 0, 60), (40, 40));
        assert_eq!(part(40, -500, 60), (40, 40));
    }
}
