//! The chain of the entries of an account: each carries a hash of its content and of the entry before it, so that an
//! entry that is changed, removed or inserted by hand is found and named. The hash has a key that is not in the
//! database, so that a chain cannot be rebuilt there. Entries of older versions have hashes without a key; the last
//! of them is sealed ([`seal`]).

pub(super) mod seal;

use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use self::seal::Seals;
use crate::ledger::verify::{Discrepancy, MOST};
use base::crypto::{self, LedgerKey};
use base::db::{Connection, Sql};
use frame::access::trail::ChainEnd;

/// The prefix of a hash with a key: the number of the key. There is one, which stays when the data key is changed.
const KEYED: &str = "1.";

/// The content of an entry.
pub struct Link<'e> {
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
    /// The hashed text: the hash before and the content of the entry, as JSON. Auditors recompute the hashes from it,
    /// so it never changes.
    pub fn text(&self, before: &str) -> String {
        let numbers = (self.account_id, self.seq, self.amount_cents, self.gift_part_cents, self.balance_after_cents, self.ref_id, self.at);
        let texts = (self.kind, self.ref_type, self.idem_key, self.remark);
        serde_json::to_string(&(before, numbers, texts, self.operator_id)).expect("an entry serialises")
    }

    /// The keyed hash of that text (HMAC-SHA256, hex), after the number of the key.
    pub fn hash(&self, key: &LedgerKey, before: &str) -> String {
        format!("{KEYED}{}", key.hash(self.text(before).as_bytes()))
    }

    /// The hash of older versions: SHA-256 of that text, in hex.
    fn plain_hash(&self, before: &str) -> String {
        crypto::sha256_hex(self.text(before).as_bytes())
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
pub struct End {
    pub hash: String,
    pub at: i64,
}

/// The end of the chain of an account, whose last entry has the given number. Entries of versions without hashes are
/// included in the chain by the first one after them.
pub async fn end(tx: &mut Connection, account_id: i64, seq: i64) -> Result<End, sqlx::Error> {
    if seq == 0 {
        return Ok(End::default());
    }
    let last = sqlx::query("SELECT hash, at FROM account_ledger WHERE account_id = $1 AND seq = $2")
        .bind(account_id)
        .bind(seq)
        .fetch_optional(&mut *tx)
        .await?;
    let Some(last) = last else { return Ok(End::default()) };
    let at = last.try_get("at")?;
    if let Some(hash) = last.try_get("hash")? {
        return Ok(End { hash, at });
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
            None => link(&row)?.plain_hash(&hash),
        };
    }
    Ok(End { hash, at })
}

/// The ends of the chains of accounts, by account.
pub type Ends = Vec<(i64, ChainEnd)>;

/// The ends of the chains of all accounts, by account: the last entry of each. Those without a hash yet are left out.
pub async fn ends<'e>(on: impl Executor<'e, Database = Any>) -> Result<Ends, sqlx::Error> {
    read_ends(
        sqlx::query(
            "SELECT l.account_id, l.seq, l.hash FROM (SELECT account_id, MAX(seq) AS seq FROM account_ledger GROUP BY account_id) e \
             JOIN account_ledger l ON l.account_id = e.account_id AND l.seq = e.seq WHERE l.hash IS NOT NULL ORDER BY l.account_id",
        )
        .fetch_all(on)
        .await?,
    )
}

/// The same, including accounts whose last entry has no hash of its own: its seal has it.
pub async fn all_ends<'e>(on: impl Executor<'e, Database = Any>) -> Result<Ends, sqlx::Error> {
    read_ends(
        sqlx::query(
            "SELECT l.account_id, l.seq, COALESCE(l.hash, s.hash, '') AS hash \
             FROM (SELECT account_id, MAX(seq) AS seq FROM account_ledger GROUP BY account_id) e \
             JOIN account_ledger l ON l.account_id = e.account_id AND l.seq = e.seq \
             LEFT JOIN ledger_seal s ON s.account_id = l.account_id AND s.seq = l.seq ORDER BY l.account_id",
        )
        .fetch_all(on)
        .await?,
    )
}

/// Rows of `account_id, seq, hash`.
pub fn read_ends(rows: Vec<AnyRow>) -> Result<Ends, sqlx::Error> {
    rows.iter().map(|row| Ok((row.try_get("account_id")?, ChainEnd { seq: row.try_get("seq")?, hash: row.try_get("hash")? }))).collect()
}

/// The lines `ACCOUNT:NUMBER:HASH` of some ends.
pub fn lines<'e>(ends: impl IntoIterator<Item = &'e (i64, ChainEnd)>) -> String {
    ends.into_iter().map(|(account_id, end)| format!("{account_id}:{end}\n")).collect()
}

/// SHA-256 of these lines, in hex.
pub fn digest<'e>(ends: impl IntoIterator<Item = &'e (i64, ChainEnd)>) -> String {
    crypto::sha256_hex(lines(ends).as_bytes())
}

/// All entries in the order of their chains, for [`broken`].
pub fn entries() -> Sql {
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS).push(", id, COALESCE((SELECT a.org_id FROM org_account a WHERE a.id = account_id), 0) FROM account_ledger ");
    sql.push("ORDER BY account_id, seq");
    sql
}

/// Follows the chains of all accounts through [`entries`]. Returns the entries at which one breaks and the
/// differences from the seals, about [`MOST`] at most.
pub async fn broken(
    mut rows: BoxStream<'_, Result<AnyRow, sqlx::Error>>,
    key: &LedgerKey,
    mut seals: Seals,
) -> Result<Vec<Discrepancy>, sqlx::Error> {
    let mut found = seals.faults();
    let (mut account_id, mut before, mut is_chained, mut is_in_gap, mut sealed_seq) = (0, String::new(), false, false, 0);
    while let Some(row) = rows.try_next().await? {
        let link = link(&row)?;
        if link.account_id != account_id {
            (account_id, before, is_chained, is_in_gap) = (link.account_id, String::new(), false, false);
            sealed_seq = seals.seq_of(account_id);
        }
        let stored: Option<&str> = row.try_get(12)?;
        let is_sealed = link.seq <= sealed_seq;
        let hash = if is_sealed { link.plain_hash(&before) } else { link.hash(key, &before) };
        // After the first entry with a hash none lacks one, and after the seal none lacks a key.
        let is_right = stored.map_or(is_sealed && !is_chained, |stored| stored == hash);
        // Of several in a row that lack it, the first is named.
        let lacks_key = !is_sealed && !stored.is_some_and(|stored| stored.starts_with(KEYED));
        let mut wrong = Vec::new();
        if !(is_right || lacks_key && is_in_gap) {
            wrong.push("chain");
        }
        (is_in_gap, is_chained) = (lacks_key, is_chained || stored.is_some());
        // The next entry follows the stored one, so that one change gives one fault.
        before = stored.map_or(hash, str::to_owned);
        if link.seq == sealed_seq && !seals.take(account_id, &before) {
            wrong.push("seal");
        }
        for what in wrong {
            found.push(Discrepancy { org_id: row.try_get(14)?, what, id: Some(row.try_get(13)?), found: 0, expected: 0 });
        }
        if found.len() as i64 >= MOST {
            return Ok(found);
        }
    }
    found.extend(seals.left());
    Ok(found)
}
