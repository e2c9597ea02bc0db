//! A request that is made once, however often it is sent: its key is claimed in the transaction of
//! its work, so that the two are there together or not at all. Whoever sends it again meanwhile waits
//! for that transaction to end.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use sqlx::Row;
use sqlx::any::AnyRow;

use super::connection::Connection;
use super::read::Reads;

/// A request under a key of its sender.
pub struct Claim {
    pub admin_id: i64,
    pub key: String,
    /// What is asked, and as whom: another request under the same key is refused.
    pub request_hash: String,
    /// When it came, epoch milliseconds.
    pub at: i64,
    /// A key that was claimed outside of this time does not count, and may be claimed again.
    pub counts: RangeInclusive<i64>,
    stand: Mutex<Stand>,
    /// The answer that a transaction of its work wrote last, as it is sent.
    written: Mutex<Option<String>>,
}

/// How far a request with a key has come.
#[derive(Clone, Debug, Default)]
pub enum Stand {
    /// Nothing of its work has been committed.
    #[default]
    Free,
    /// Some of its work has, and the key with it.
    Held,
    /// All of it has, and the answer with it.
    Answered,
    /// It was made before.
    Repeated(Earlier),
}

/// The same key, as it was claimed before.
#[derive(Clone, Debug)]
pub struct Earlier {
    pub request_hash: String,
    /// The sealed answer; none while it is being made, and where it was lost.
    pub answer: Option<String>,
    pub at: i64,
}

/// Why a transaction did not begin: its request was made before.
#[derive(Debug)]
pub(super) struct Repeated;

impl fmt::Display for Repeated {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the request was made before")
    }
}

impl std::error::Error for Repeated {}

const EARLIER: &str = "SELECT request_hash, response, created_at FROM idempotency_key WHERE admin_id = $1 AND key = $2";

impl Claim {
    /// A request that has not begun.
    pub fn new(admin_id: i64, key: String, request_hash: String, at: i64, counts: RangeInclusive<i64>) -> Claim {
        Claim { admin_id, key, request_hash, at, counts, stand: Mutex::default(), written: Mutex::default() }
    }

    /// How far it has come.
    pub fn stand(&self) -> Stand {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes the answer that is written with its work.
    pub fn note_answer(&self, answer: String) {
        *self.written.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
    }

    /// Whether this answer was written with its work.
    pub fn has_answer(&self, answer: &[u8]) -> bool {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).as_ref().is_some_and(|written| written.as_bytes() == answer)
    }

    fn set(&self, stand: Stand) {
        *self.stand.lock().unwrap_or_else(PoisonError::into_inner) = stand;
    }

    /// The same key as it was claimed before, if it was and is not used up.
    pub async fn earlier(&self, on: &Reads) -> Result<Option<Earlier>, sqlx::Error> {
        let row = sqlx::query(EARLIER).bind(self.admin_id).bind(&self.key).fetch_optional(on).await?;
        Ok(row.as_ref().map(earlier).transpose()?.filter(|earlier| self.counts.contains(&earlier.at)))
    }

    /// Claims the key in a transaction of the request's work, unless an earlier one of them did; tells
    /// whether it may go on.
    pub(super) async fn enter(&self, tx: &mut Connection) -> Result<bool, sqlx::Error> {
        if matches!(self.stand(), Stand::Held | Stand::Answered) || self.insert(tx, None).await? {
            return Ok(true);
        }
        let row = sqlx::query(EARLIER).bind(self.admin_id).bind(&self.key).fetch_one(tx).await?;
        self.set(Stand::Repeated(earlier(&row)?));
        Ok(false)
    }

    /// Adds the key, with its answer if there is one; tells whether nobody had.
    pub async fn insert(&self, tx: &mut Connection, sealed: Option<String>) -> Result<bool, sqlx::Error> {
        sqlx::query(
            "INSERT INTO idempotency_key (admin_id, key, request_hash, response, created_at) VALUES ($1, $2, $3, $4, $5) \
             ON CONFLICT (admin_id, key) DO UPDATE SET request_hash = excluded.request_hash, response = excluded.response, \
               created_at = excluded.created_at WHERE idempotency_key.created_at < $6 OR idempotency_key.created_at > $7",
        )
        .bind(self.admin_id)
        .bind(&self.key)
        .bind(&self.request_hash)
        .bind(sealed)
        .bind(self.at)
        .bind(*self.counts.start())
        .bind(*self.counts.end())
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
    }

    /// Keeps the sealed answer of what has claimed the key.
    pub async fn keep(&self, tx: &mut Connection, sealed: String) -> Result<(), sqlx::Error> {
        sqlx::query("UPDATE idempotency_key SET response = $1 WHERE admin_id = $2 AND key = $3 AND request_hash = $4")
            .bind(sealed)
            .bind(self.admin_id)
            .bind(&self.key)
            .bind(&self.request_hash)
            .execute(tx)
            .await
            .map(drop)
    }

    /// Gives the key back, of which nothing came.
    pub async fn release(&self, tx: &mut Connection) -> Result<(), sqlx::Error> {
        sqlx::query("DELETE FROM idempotency_key WHERE admin_id = $1 AND key = $2 AND request_hash = $3 AND response IS NULL")
            .bind(self.admin_id)
            .bind(&self.key)
            .bind(&self.request_hash)
            .execute(tx)
            .await
            .map(drop)
    }

    /// Notes that a transaction which has claimed the key was committed, with the answer or without.
    pub(super) fn hold(&self, answered: bool) {
        let mut stand = self.stand.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(*stand, Stand::Answered) {
            *stand = if answered { Stand::Answered } else { Stand::Held };
        }
    }
}

fn earlier(row: &AnyRow) -> Result<Earlier, sqlx::Error> {
    Ok(Earlier { request_hash: row.try_get("request_hash")?, answer: row.try_get("response")?, at: row.try_get("created_at")? })
}
