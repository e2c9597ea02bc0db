//! What the account of an organisation held at a moment: by its entries until then and what was pending out of it.

use sqlx::Row;

use super::model::AccountAsOf;
use crate::ledger::journal;
use base::db::{Db, Sql};

/// The account of an organisation before a moment; 0 without entries. Its entries are added up from the last
/// checkpoint of the journal on, which has the same transfers.
pub async fn before(db: &Db, org_id: i64, end: i64) -> Result<AccountAsOf, sqlx::Error> {
    let mut sql = Sql::new("WITH since AS (SELECT COALESCE(MAX(d.upto), 0) AS at FROM journal_checkpoint_day d WHERE d.upto <= ");
    sql.bind(end).push("), had AS (SELECT c.kind, c.credit_cents - c.debit_cents AS cents FROM journal_checkpoint c");
    sql.push(" WHERE c.upto = (SELECT n.at FROM since n) AND c.kind IN ('org_paid', 'org_gift') AND c.owner = ").bind(org_id);
    sql.push("), later AS (SELECT l.amount_cents, l.gift_part_cents FROM account_ledger l JOIN org_account a ON a.id = l.account_id");
    sql.push(" WHERE a.org_id = ").bind(org_id).push(" AND l.at >= (SELECT n.at FROM since n) AND l.at < ").bind(end);
    sql.push(
        ") SELECT CAST(COALESCE((SELECT SUM(w.cents) FROM had w), 0) + COALESCE((SELECT SUM(e.amount_cents) FROM later e), 0) AS BIGINT) \
           AS balance_cents, CAST(COALESCE((SELECT SUM(w.cents) FROM had w WHERE w.kind = 'org_gift'), 0) \
             + COALESCE((SELECT SUM(e.gift_part_cents) FROM later e), 0) AS BIGINT) AS gift_cents, \
           (SELECT COUNT(*) FROM account_ledger l JOIN org_account a ON a.id = l.account_id WHERE a.org_id = ",
    );
    sql.bind(org_id).push(" AND l.at < ").bind(end).push(") AS entries");
    let row = sql.fetch_optional(db.read()).await?.ok_or(sqlx::Error::RowNotFound)?;
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
