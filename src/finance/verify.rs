//! The check of the books: whether every account is what its entries and the leads on their way say.

use sqlx::Row;

use crate::db::Db;

/// An account that does not agree with what happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discrepancy {
    pub org_id: i64,
    /// What of it: `balance`, `running`, `seq`, `spend` or `frozen`.
    pub what: &'static str,
    /// What the account says, and what it should.
    pub found: i64,
    pub expected: i64,
}

/// Compares every account with the sum of its entries, the balance after its last, their number, and
/// what is held for leads that are on their way. The figures are those of one moment.
pub async fn verify(db: &Db) -> Result<Vec<Discrepancy>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT a.org_id, a.balance_cents, a.frozen_cents, a.seq, a.total_spend_cents, \
           CAST(COALESCE((SELECT SUM(l.amount_cents) FROM account_ledger l WHERE l.account_id = a.id), 0) AS BIGINT) AS entries, \
           COALESCE((SELECT l.balance_after_cents FROM account_ledger l WHERE l.account_id = a.id AND l.seq = a.seq), 0) AS running, \
           (SELECT COUNT(*) FROM account_ledger l WHERE l.account_id = a.id) AS number, \
           CAST(COALESCE((SELECT -SUM(l.amount_cents) FROM account_ledger l WHERE l.account_id = a.id AND l.type IN ('lead_sale', 'refund')), 0) AS BIGINT) AS spent, \
           CAST(COALESCE((SELECT SUM(h.held_cents) FROM push_record h WHERE h.org_id = a.org_id), 0) AS BIGINT) AS held \
         FROM org_account a ORDER BY a.org_id",
    )
    .fetch_all(db.read())
    .await?;
    let mut wrong = Vec::new();
    for row in &rows {
        let number = |column: &str| row.try_get::<i64, _>(column);
        let org_id = number("org_id")?;
        for (what, found, expected) in [
            ("balance", number("balance_cents")?, number("entries")?),
            ("running", number("running")?, number("entries")?),
            ("seq", number("seq")?, number("number")?),
            ("spend", number("total_spend_cents")?, number("spent")?),
            ("frozen", number("frozen_cents")?, number("held")?),
        ] {
            if found != expected {
                wrong.push(Discrepancy { org_id, what, found, expected });
            }
        }
    }
    Ok(wrong)
}
