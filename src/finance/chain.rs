//! The chain of the entries of an account: each carries a hash of what it says and of the entry before it, so that one that
//! is changed, removed or inserted by hand is found and named.

use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::verify::{Discrepancy, MOST};
use crate::access::trail::ChainEnd;
use crate::crypto;
use crate::db::{Connection, Sql};

/// All that an entry says.
pub(super) struct Link<'e> {
    pub account_id: i64,
    pub seq: i64,
    pub kind: &'e str,
    pub amount_cents: i64,
    pub gift_part_cents: i64,
    pub balance_after_cents: i64,
    pub ref_type: &'e str,
    pub ref_id: i64,
    pub idem_key: &'e str,
    pub operator_id: Option<i64>,
    pub remark: &'e str,
    pub at: i64,
}

impl Link<'_> {
    /// SHA-256 of the hash before and of what the entry says, in hex.
    pub fn hash(&self, before: &str) -> String {
        let numbers = (self.account_id, self.seq, self.amount_cents, self.gift_part_cents, self.balance_after_cents, self.ref_id, self.at);
        let texts = (self.kind, self.ref_type, self.idem_key, self.remark);
        let all = serde_json::to_vec(&(before, numbers, texts, self.operator_id)).expect("an entry serialises");
        crypto::sha256_hex(&all)
    }
}

/// The columns that [`link`] reads.
const COLUMNS: &str = "account_id, seq, type, amount_cents, gift_part_cents, balance_after_cents, ref_type, ref_id, idem_key, operator_id, \
    remark, at, hash";

fn link(row: &AnyRow) -> Result<Link<'_>, sqlx::Error> {
    Ok(Link {
        account_id: row.try_get(0)?,
        seq: row.try_get(1)?,
        kind: row.try_get(2)?,
        amount_cents: row.try_get(3)?,
        gift_part_cents: row.try_get(4)?,
        balance_after_cents: row.try_get(5)?,
        ref_type: row.try_get(6)?,
        ref_id: row.try_get(7)?,
        idem_key: row.try_get(8)?,
        operator_id: row.try_get(9)?,
        remark: row.try_get(10)?,
        at: row.try_get(11)?,
    })
}

/// The end of a chain: the hash and the time of its last entry.
#[derive(Default)]
pub(super) struct Head {
    pub hash: String,
    pub at: i64,
}

/// The end of the chain of an account, whose last entry has the given number. Entries from before there were hashes are
/// taken into the chain by the first one after them.
pub(super) async fn head(tx: &mut Connection, account_id: i64, seq: i64) -> Result<Head, sqlx::Error> {
    if seq == 0 {
        return Ok(Head::default());
    }
    let last = sqlx::query("SELECT hash, at FROM account_ledger WHERE account_id = $1 AND seq = $2")
        .bind(account_id)
        .bind(seq)
        .fetch_optional(&mut *tx)
        .await?;
    let Some(last) = last else { return Ok(Head::default()) };
    let at = last.try_get("at")?;
    if let Some(hash) = last.try_get("hash")? {
        return Ok(Head { hash, at });
    }
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS)
        .push(" FROM account_ledger WHERE account_id = ")
        .bind(account_id)
        .push(" AND seq <= ")
        .bind(seq)
        .push(" ORDER BY seq");
    let mut hash = String::new();
    let mut rows = sql.fetch(tx);
    while let Some(row) = rows.try_next().await? {
        hash = match row.try_get(12)? {
            Some(stored) => stored,
            None => link(&row)?.hash(&hash),
        };
    }
    Ok(Head { hash, at })
}

/// The ends of the chains of all accounts, by account: of each its last entry. Those without a hash yet are left out.
pub async fn ends<'e>(on: impl Executor<'e, Database = Any>) -> Result<Vec<(i64, ChainEnd)>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT l.account_id, l.seq, l.hash FROM (SELECT account_id, MAX(seq) AS seq FROM account_ledger GROUP BY account_id) e \
         JOIN account_ledger l ON l.account_id = e.account_id AND l.seq = e.seq WHERE l.hash IS NOT NULL ORDER BY l.account_id",
    )
    .fetch_all(on)
    .await?;
    rows.iter().map(|row| Ok((row.try_get("account_id")?, ChainEnd { seq: row.try_get("seq")?, hash: row.try_get("hash")? }))).collect()
}

/// All entries in the order of their chains, for [`broken`].
pub(super) fn entries() -> Sql {
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS).push(", id, COALESCE((SELECT a.org_id FROM org_account a WHERE a.id = account_id), 0) FROM account_ledger ");
    sql.push("ORDER BY account_id, seq");
    sql
}

/// Follows the chains of all accounts through [`entries`], and answers the entries at which one breaks, [`MOST`] at most.
pub(super) async fn broken(mut rows: BoxStream<'_, Result<AnyRow, sqlx::Error>>) -> Result<Vec<Discrepancy>, sqlx::Error> {
    let mut found = Vec::new();
    let (mut account_id, mut before, mut is_chained) = (0, String::new(), false);
    while let Some(row) = rows.try_next().await? {
        let link = link(&row)?;
        if link.account_id != account_id {
            (account_id, before, is_chained) = (link.account_id, String::new(), false);
        }
        let stored: Option<&str> = row.try_get(12)?;
        let hash = link.hash(&before);
        // After the first entry with a hash there is none without.
        if !stored.map_or(!is_chained, |stored| stored == hash) {
            found.push(Discrepancy { org_id: row.try_get(14)?, what: "chain", id: Some(row.try_get(13)?), found: 0, expected: 0 });
            if found.len() as i64 >= MOST {
                break;
            }
        }
        is_chained |= stored.is_some();
        // The next one follows what is stored, so that of one change one entry is named.
        before = stored.map_or(hash, str::to_owned);
    }
    Ok(found)
}
