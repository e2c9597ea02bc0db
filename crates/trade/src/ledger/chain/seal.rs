//! The seals of the chains: for each account the last entry whose hash has no key, sealed with the key. They are made
//! once, at the first start of a version that writes keyed hashes. Without them a person with access to the database
//! could rebuild the chain without a key.

use std::collections::BTreeMap;

use futures_util::FutureExt;
use sqlx::{Any, Executor, Row};

use super::{Ends, digest, end};
use crate::ledger::verify::Discrepancy;
use base::crypto::LedgerKey;
use base::db::{Connection, Db, Engine, Sql, Tx};
use frame::access::audit::{self, Action, Change, Module, Target};
use frame::access::trail::ChainEnd;

/// The account id of the seal of all seals: their number, and a digest of them.
const ALL: i64 = 0;
/// The audit name of their making.
const TARGET: Target = Target { module: Module::Finance, kind: "ledger_seal", id: Some(ALL) };
/// Seals per statement.
const BATCH: usize = 100;

fn seal(key: &LedgerKey, account_id: i64, end: &ChainEnd) -> String {
    key.hash(&serde_json::to_vec(&("seal", account_id, end.seq, &end.hash)).expect("a seal serialises"))
}

fn of_all(ends: &Ends) -> ChainEnd {
    ChainEnd { seq: ends.len() as i64, hash: digest(ends) }
}

/// Makes the seals of all accounts, unless they are made; returns the number of accounts. One transaction makes all
/// of them, so that an interrupted start leaves none, and of several nodes one makes them. They are never made again:
/// a missing one was removed. `has_head` means that this node has seen a head of the ledger.
pub async fn make(db: &Db, has_head: bool, now: i64) -> Result<usize, sqlx::Error> {
    if has_all(db.read()).await? {
        return Ok(0);
    }
    let db = &db.for_workers();
    db.transact(|mut tx| async move { make_within(db, &mut tx, has_head, now).await }.boxed()).await
}

async fn make_within(db: &Db, tx: &mut Tx, has_head: bool, now: i64) -> Result<usize, sqlx::Error> {
    db.lock(tx, "ledger seal").await?;
    if has_all(&mut **tx).await? {
        return Ok(0);
    }
    let made: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM operation_log WHERE target_type = $1 AND target_id = $2")
        .bind(TARGET.kind)
        .bind(ALL)
        .fetch_one(&mut **tx)
        .await?;
    if has_head || made > 0 {
        tracing::error!("ledger: its seals were removed; they are not made again, and `leadlane ledger verify` names the entries");
        return Ok(0);
    }
    if db.engine() == Engine::Postgres {
        // All entries are read.
        sqlx::query("SET LOCAL statement_timeout = 0").execute(&mut **tx).await?;
    }
    let ends = ends_without_key(tx).await?;
    let key = tx.ledger_key()?;
    for some in ends.chunks(BATCH) {
        insert(tx, &key, some, now).await?;
    }
    insert(tx, &key, &[(ALL, of_all(&ends))], now).await?;
    if !ends.is_empty() {
        let change = Change { field: "sealedAccounts".to_owned(), before: None, after: Some(ends.len().to_string()) };
        audit::record_own(tx, TARGET, Action::Other, &[change], now).await?;
    }
    Ok(ends.len())
}

async fn has_all<'e>(on: impl Executor<'e, Database = Any>) -> Result<bool, sqlx::Error> {
    let all = sqlx::query("SELECT seq FROM ledger_seal WHERE account_id = $1").bind(ALL).fetch_optional(on).await?;
    Ok(all.is_some())
}

/// The last entry without a keyed hash of every account that has one. If it has no hash, the one that it would have.
async fn ends_without_key(tx: &mut Connection) -> Result<Ends, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT account_id, MAX(seq) AS seq FROM account_ledger WHERE hash IS NULL OR hash NOT LIKE '1.%' \
         GROUP BY account_id ORDER BY account_id",
    )
    .fetch_all(&mut *tx)
    .await?;
    let mut ends = Ends::new();
    for row in rows {
        let (account_id, seq) = (row.try_get("account_id")?, row.try_get("seq")?);
        ends.push((account_id, ChainEnd { seq, hash: end(tx, account_id, seq).await?.hash }));
    }
    Ok(ends)
}

async fn insert(tx: &mut Connection, key: &LedgerKey, ends: &[(i64, ChainEnd)], now: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new("INSERT INTO ledger_seal (account_id, seq, hash, seal, created_at) VALUES ");
    for (index, (account_id, end)) in ends.iter().enumerate() {
        sql.push(if index == 0 { "(" } else { ", (" }).bind(*account_id).then(end.seq).then(end.hash.clone());
        sql.then(seal(key, *account_id, end)).then(now).push(")");
    }
    sql.execute(tx).await.map(drop)
}

/// The content of one seal.
struct Sealed {
    org_id: i64,
    end: ChainEnd,
    is_right: bool,
}

/// The seals of a database, for the check of its books.
pub struct Seals {
    all: Option<Sealed>,
    /// By account, those that the check has not reached yet.
    of: BTreeMap<i64, Sealed>,
}

impl Seals {
    /// Reads them, and compares each with the key.
    pub async fn read<'e>(on: impl Executor<'e, Database = Any>, key: &LedgerKey) -> Result<Seals, sqlx::Error> {
        let rows = sqlx::query(
            "SELECT s.account_id, s.seq, s.hash, s.seal, COALESCE(a.org_id, 0) AS org_id FROM ledger_seal s \
             LEFT JOIN org_account a ON a.id = s.account_id",
        )
        .fetch_all(on)
        .await?;
        let mut of = BTreeMap::new();
        for row in rows {
            let (account_id, stored): (i64, String) = (row.try_get("account_id")?, row.try_get("seal")?);
            let end = ChainEnd { seq: row.try_get("seq")?, hash: row.try_get("hash")? };
            let is_right = seal(key, account_id, &end) == stored;
            of.insert(account_id, Sealed { org_id: row.try_get("org_id")?, end, is_right });
        }
        Ok(Seals { all: of.remove(&ALL), of })
    }

    /// Seals that were changed, removed or inserted. Call it before any is taken.
    pub fn faults(&self) -> Vec<Discrepancy> {
        let ends: Ends = self.of.iter().map(|(account_id, sealed)| (*account_id, sealed.end.clone())).collect();
        let (found, expected) = (ends.len() as i64, self.all.as_ref().map_or(0, |all| all.end.seq));
        let is_whole = match &self.all {
            Some(all) => all.is_right && all.end == of_all(&ends),
            None => ends.is_empty(),
        };
        let all = (!is_whole).then_some(Discrepancy { org_id: 0, what: "seal", id: None, found, expected });
        let changed = self.of.values().filter(|sealed| !sealed.is_right).map(Sealed::fault);
        all.into_iter().chain(changed).collect()
    }

    /// The number of the last entry without a key in an account; 0 if none is sealed.
    pub fn seq_of(&self, account_id: i64) -> i64 {
        self.of.get(&account_id).map_or(0, |sealed| sealed.end.seq)
    }

    /// Takes the seal of an account whose entry is reached. Returns whether its hash is the same.
    pub fn take(&mut self, account_id: i64, hash: &str) -> bool {
        self.of.remove(&account_id).is_some_and(|sealed| sealed.end.hash == hash)
    }

    /// Seals whose entries are gone.
    pub fn left(&self) -> impl Iterator<Item = Discrepancy> {
        self.of.values().map(Sealed::fault)
    }
}

impl Sealed {
    fn fault(&self) -> Discrepancy {
        Discrepancy { org_id: self.org_id, what: "seal", id: None, found: 0, expected: self.end.seq }
    }
}
