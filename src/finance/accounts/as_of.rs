//! What the account of an organisation held at a moment: by its entries until then and what was pending out of it.

use sqlx::Row;

use super::model::AccountAsOf;
use crate::db::Db;
use crate::finance::journal;

/// The account of an organisation before a moment; one without entries held nothing.
pub async fn before(db: &Db, org_id: i64, end: i64) -> Result<AccountAsOf, sqlx::Error> {
    let row = sqlx::query(
        "SELECT CAST(COALESCE(SUM(l.amount_cents), 0) AS BIGINT) AS balance_cents, CAST(COALESCE(SUM(l.gift_part_cents), 0) AS BIGINT) AS gift_cents, \
           COUNT(*) AS entries FROM account_ledger l JOIN org_account a ON a.id = l.account_id WHERE a.org_id = $1 AND l.at < $2",
    )
    .bind(org_id)
    .bind(end)
    .fetch_one(db.read())
    .await?;
    let (balance_cents, gift_cents): (i64, i64) = (row.try_get("balance_cents")?, row.try_get("gift_cents")?);
    let paid_cents = balance_cents - gift_cents;
    Ok(AccountAsOf {
        at: end - 1,
        balance_cents,
        paid_cents: paid_cents.max(0),
        gift_cents,
        credit_used_cents: (-paid_cents).max(0),
        held_cents: journal::held_before(db.read(), org_id, end).await?,
        entries: row.try_get("entries")?,
    })
}
