//! The chain of the audit trail: an entry that is changed, removed or inserted by SQL is found and named.
//!
//! - Each entry carries a seal: a keyed hash of its content, written with it. No transaction waits for another's
//!   entry.
//! - A worker appends the entries to the chain in the order of their ids ([`link`]). A link holds a keyed hash of its
//!   number, its entry and the link before, so that a removed or inserted link is found.
//! - The key comes from the data key and is not in the database. A person who can write the database can still remove
//!   the newest entries with their links; for that the end of the chain is kept elsewhere and compared ([`verify`]).
//!
//! Entries of older versions have no seal. They are appended as they are in the first day of the chain.

use std::fmt;
use std::str::FromStr;

use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use base::clock::{DAY, MINUTE};
use base::crypto::TrailKey;
use base::db::{Connection, Db, Engine, Sql};

/// Entries that are appended in one transaction.
const BATCH: i64 = 200;
/// On PostgreSQL an entry may be committed after one with a higher id, at most this much later: a statement of a
/// worker takes up to ten minutes.
const LATE: i64 = 15 * MINUTE;
/// From the first link on, entries without a seal are accepted for this long: nodes with the older version may still
/// run.
const UNSEALED: i64 = DAY;
/// The most faults that are listed: more give no more information.
pub const MOST: usize = 100;

/// The content of an entry, for the hash.
#[derive(Serialize)]
pub struct Said<'e> {
    pub admin_id: Option<i64>,
    pub role_id: Option<i64>,
    pub module: &'e str,
    pub action: &'e str,
    pub target_type: &'e str,
    pub target_id: Option<i64>,
    pub diff: &'e str,
    pub request_id: &'e str,
    pub ip: &'e str,
    pub at: i64,
}

impl Said<'_> {
    /// The seal of a new entry: a random number, so that no two entries have the same seal, and the keyed hash, both
    /// in hex.
    pub fn seal(&self, key: &TrailKey) -> String {
        let number = hex::encode(rand::random::<[u8; 8]>());
        let hash = self.hash(key, &number);
        format!("{number}.{hash}")
    }

    fn hash(&self, key: &TrailKey, number: &str) -> String {
        key.hash(&serde_json::to_vec(&("entry", number, self)).expect("an entry serialises"))
    }

    /// Whether this is the seal of the content.
    fn is_sealed_by(&self, key: &TrailKey, seal: &str) -> bool {
        seal.split_once('.').is_some_and(|(number, hash)| self.hash(key, number) == hash)
    }
}

/// The columns that [`said`] reads, after the id and the seal.
const COLUMNS: &str =
    "l.id, l.seal, l.admin_id, l.role_id, l.module, l.action, l.target_type, l.target_id, l.diff, l.request_id, l.ip, l.at";

fn said(row: &AnyRow) -> Result<Said<'_>, sqlx::Error> {
    Ok(Said {
        admin_id: row.try_get("admin_id")?,
        role_id: row.try_get("role_id")?,
        module: row.try_get("module")?,
        action: row.try_get("action")?,
        target_type: row.try_get("target_type")?,
        target_id: row.try_get("target_id")?,
        diff: row.try_get("diff")?,
        request_id: row.try_get("request_id")?,
        ip: row.try_get("ip")?,
        at: row.try_get("at")?,
    })
}

/// The end of a chain: the number of its links, and the hash of the last one. As text `SEQ:HASH`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEnd {
    pub seq: i64,
    pub hash: String,
}

impl fmt::Display for ChainEnd {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}", self.seq, self.hash)
    }
}

impl FromStr for ChainEnd {
    type Err = String;

    fn from_str(text: &str) -> Result<ChainEnd, String> {
        let (seq, hash) = text.split_once(':').ok_or("an end is SEQ:HASH")?;
        let seq = seq.parse().map_err(|_| "an end is SEQ:HASH")?;
        Ok(ChainEnd { seq, hash: hash.to_owned() })
    }
}

/// A link that follows another.
struct Link<'l> {
    seq: i64,
    log_id: i64,
    /// When it was appended; epoch milliseconds.
    at: i64,
    said: &'l Said<'l>,
    seal: Option<&'l str>,
}

impl Link<'_> {
    fn hash(&self, key: &TrailKey, before: &str) -> String {
        let Link { seq, log_id, at, said, seal } = self;
        key.hash(&serde_json::to_vec(&("link", seq, log_id, at, said, seal, before)).expect("a link serialises"))
    }
}

/// Appends some of the entries that are not yet in the chain. Returns how many. One node does it at a time.
pub async fn link(db: &Db, now: i64) -> Result<u64, sqlx::Error> {
    let mut tx = db.begin().await?;
    db.lock(&mut tx, "trail chain").await?;
    let last = sqlx::query("SELECT seq, hash, at FROM trail_link ORDER BY seq DESC LIMIT 1").fetch_optional(&mut *tx).await?;
    let (mut end, before): (ChainEnd, i64) = match &last {
        Some(row) => (ChainEnd { seq: row.try_get("seq")?, hash: row.try_get("hash")? }, row.try_get("at")?),
        None => (ChainEnd::default(), 0),
    };
    // Never earlier than the link before: a link's time gives its age.
    let at = now.max(before);
    let floor = floor(&mut tx, db.engine(), now).await?;
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS).push(" FROM operation_log l WHERE l.id > ").bind(floor);
    sql.push(" AND NOT EXISTS (SELECT 1 FROM trail_link k WHERE k.log_id = l.id) ORDER BY l.id LIMIT ").bind(BATCH);
    let rows = sql.fetch_all(&mut *tx).await?;
    if rows.is_empty() {
        tx.rollback().await?;
        return Ok(0);
    }
    let key = tx.trail_key()?;
    for row in &rows {
        let (log_id, seal): (i64, Option<&str>) = (row.try_get("id")?, row.try_get("seal")?);
        let seq = end.seq + 1;
        let hash = Link { seq, log_id, at, said: &said(row)?, seal }.hash(&key, &end.hash);
        sqlx::query("INSERT INTO trail_link (seq, log_id, hash, at) VALUES ($1, $2, $3, $4)")
            .bind(seq)
            .bind(log_id)
            .bind(&hash)
            .bind(at)
            .execute(&mut *tx)
            .await?;
        end = ChainEnd { seq, hash };
    }
    tx.commit().await?;
    Ok(rows.len() as u64)
}

/// The id up to which every entry is in the chain. On SQLite ids are committed in order.
async fn floor(on: &mut Connection, engine: Engine, now: i64) -> Result<i64, sqlx::Error> {
    let floor: Option<i64> = match engine {
        Engine::Sqlite => sqlx::query_scalar("SELECT MAX(log_id) FROM trail_link").fetch_one(on).await?,
        Engine::Postgres => {
            sqlx::query_scalar("SELECT log_id FROM trail_link WHERE at <= $1 ORDER BY at DESC, seq DESC LIMIT 1")
                .bind(now - LATE)
                .fetch_optional(on)
                .await?
        }
    };
    Ok(floor.unwrap_or(0))
}

/// The end of the chain; none before the first link.
pub async fn end<'e>(on: impl Executor<'e, Database = Any>) -> Result<Option<ChainEnd>, sqlx::Error> {
    let last = sqlx::query("SELECT seq, hash FROM trail_link ORDER BY seq DESC LIMIT 1").fetch_optional(on).await?;
    last.map(|row| Ok(ChainEnd { seq: row.try_get("seq")?, hash: row.try_get("hash")? })).transpose()
}

/// A fault of the trail, by ids of entries and numbers of links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The content of an entry differs from the sealed one.
    Changed(i64),
    /// The entry of a link is gone.
    Removed(i64),
    /// An entry that was not written by this program, or that was added to the chain by something else.
    Inserted(i64),
    /// Two entries with the same seal.
    Repeated(i64),
    /// A link does not follow from its entry and the link before.
    Broken(i64),
    /// Links are gone, from the first to the last number.
    Gap(i64, i64),
    /// The chain does not have an end that it once had.
    Ends(ChainEnd),
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Changed(id) => write!(out, "entry {id} was changed"),
            Fault::Removed(id) => write!(out, "entry {id} was removed"),
            Fault::Inserted(id) => write!(out, "entry {id} was inserted, or changed before it was in the chain"),
            Fault::Repeated(id) => write!(out, "entry {id} is a copy of another entry"),
            Fault::Broken(seq) => write!(out, "link {seq} does not follow the one before it: links were changed, removed or inserted"),
            Fault::Gap(from, to) => write!(out, "the links {from} to {to} were removed"),
            Fault::Ends(end) => write!(out, "the chain does not have the end {end}: entries were removed, or the chain was made again"),
        }
    }
}

/// Compares the trail with its chain, and the chain with an end that was noted before. Returns the faults, at most
/// [`MOST`], and the end of the chain.
pub async fn verify(db: &Db, key: &TrailKey, now: i64, noted: &[ChainEnd]) -> Result<(Vec<Fault>, ChainEnd), sqlx::Error> {
    match db.engine() {
        Engine::Sqlite => {
            let mut on = db.read().acquire().await?;
            verify_on(&mut on, Engine::Sqlite, key, now, noted).await
        }
        Engine::Postgres => {
            let mut tx = db.begin().await?;
            // The whole trail is read.
            sqlx::query("SET LOCAL statement_timeout = 0").execute(&mut *tx).await?;
            let verified = verify_on(&mut tx, Engine::Postgres, key, now, noted).await?;
            tx.rollback().await?;
            Ok(verified)
        }
    }
}

async fn verify_on(
    on: &mut Connection,
    engine: Engine,
    key: &TrailKey,
    now: i64,
    noted: &[ChainEnd],
) -> Result<(Vec<Fault>, ChainEnd), sqlx::Error> {
    let floor = floor(&mut *on, engine, now).await?;
    let (mut faults, mut end, mut unsealed_until) = (Vec::new(), ChainEnd::default(), None);
    let mut missing: Vec<&ChainEnd> = noted.iter().collect();
    let mut sql = Sql::new("SELECT k.seq, k.log_id, k.hash, k.at AS linked_at, ");
    sql.push(COLUMNS).push(" FROM trail_link k LEFT JOIN operation_log l ON l.id = k.log_id ORDER BY k.seq");
    let mut rows = sql.fetch(&mut *on);
    while let Some(row) = rows.try_next().await?
        && faults.len() < MOST
    {
        let (seq, log_id, at): (i64, i64, i64) = (row.try_get("seq")?, row.try_get("log_id")?, row.try_get("linked_at")?);
        let stored: String = row.try_get("hash")?;
        let until = *unsealed_until.get_or_insert(at + UNSEALED);
        if seq != end.seq + 1 {
            faults.push(Fault::Gap(end.seq + 1, seq - 1));
        }
        let id: Option<i64> = row.try_get("id")?;
        if id.is_none() {
            faults.push(Fault::Removed(log_id));
        } else {
            let (said, seal): (Said<'_>, Option<&str>) = (said(&row)?, row.try_get("seal")?);
            let follows = Link { seq, log_id, at, said: &said, seal }.hash(key, &end.hash) == stored;
            match seal {
                Some(seal) if !said.is_sealed_by(key, seal) && follows => faults.push(Fault::Inserted(log_id)),
                Some(seal) if !said.is_sealed_by(key, seal) => faults.push(Fault::Changed(log_id)),
                // Without a seal only the link shows it.
                None if !follows => faults.push(Fault::Changed(log_id)),
                None if at > until => faults.push(Fault::Inserted(log_id)),
                // After a gap no link follows.
                Some(_) if !follows && seq == end.seq + 1 => faults.push(Fault::Broken(seq)),
                _ => {}
            }
        }
        missing.retain(|noted| noted.seq != seq || noted.hash != stored);
        // The next link follows the stored one, so that one change gives one fault.
        end = ChainEnd { seq, hash: stored };
    }
    drop(rows);
    faults.extend(missing.into_iter().filter(|noted| noted.seq > 0).cloned().map(Fault::Ends));

    // Entries outside the chain were written a moment ago.
    let mut sql = Sql::new("SELECT ");
    sql.push(COLUMNS).push(" FROM operation_log l WHERE NOT EXISTS (SELECT 1 FROM trail_link k WHERE k.log_id = l.id) ORDER BY l.id");
    let mut rows = sql.fetch(&mut *on);
    while let Some(row) = rows.try_next().await?
        && faults.len() < MOST
    {
        let (id, seal): (i64, Option<&str>) = (row.try_get("id")?, row.try_get("seal")?);
        let is_ours = match seal {
            Some(seal) => said(&row)?.is_sealed_by(key, seal),
            None => unsealed_until.is_none_or(|until| now <= until),
        };
        if !is_ours || id <= floor {
            faults.push(Fault::Inserted(id));
        }
    }
    drop(rows);

    let copies = "SELECT MAX(id) AS id FROM operation_log WHERE seal IS NOT NULL GROUP BY seal HAVING COUNT(*) > 1 ORDER BY 1 LIMIT 100";
    for row in sqlx::query(copies).fetch_all(on).await? {
        faults.push(Fault::Repeated(row.try_get("id")?));
    }
    faults.truncate(MOST);
    Ok((faults, end))
}
