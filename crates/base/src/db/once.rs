//! Requests that are made once, however often they are sent: the key is claimed in the transaction of the work, so
//! that both exist or neither. A repetition meanwhile waits for that transaction to end.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::{Mutex, PoisonError};

use sqlx::Row;
use sqlx::any::AnyRow;

use super::connection::Connection;
use super::read::Reads;

/// A request with a key of its sender.
pub struct Claim {
    pub admin_id: i64,
    pub key: String,
    /// The content and the account: another request with the same key is refused.
    pub request_hash: String,
    /// Its time, epoch milliseconds.
    pub at: i64,
    /// A key that was claimed outside this time does not count, and may be claimed again.
    pub counts: RangeInclusive<i64>,
    stand: Mutex<Stand>,
    /// The last answer that a transaction of its work wrote, as it is sent.
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
    /// It was made earlier.
    Repeated(Earlier),
}

/// An earlier claim of the same key.
#[derive(Clone, Debug)]
pub struct Earlier {
    pub request_hash: String,
    /// The sealed answer; none while the request is under way, and if it was lost.
    pub answer: Option<String>,
    pub at: i64,
}

/// A transaction did not begin, since its request was made earlier.
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

    /// Its progress.
    pub fn stand(&self) -> Stand {
        self.stand.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Notes the answer written with its work.
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

    /// The earlier claim of the same key, if there is one that counts.
    pub async fn earlier(&self, on: &Reads) -> Result<Option<Earlier>, sqlx::Error> {
        let row = sqlx::query(EARLIER).bind(self.admin_id).bind(&self.key).fetch_optional(on).await?;
        Ok(row.as_ref().map(earlier).transpose()?.filter(|earlier| self.counts.contains(&earlier.at)))
    }

    /// Claims the key in a transaction of the request's work, unless an earlier one of them has. Returns whether the
    /// work may continue.
    pub(super) async fn enter(&self, tx: &mut Connection) -> Result<bool, sqlx::Error> {
        if matches!(self.stand(), Stand::Held | Stand::Answered) || self.insert(tx, None).await? {
            return Ok(true);
        }
        let row = sqlx::query(EARLIER).bind(self.admin_id).bind(&self.key).fetch_one(tx).await?;
        self.set(Stand::Repeated(earlier(&row)?));
        Ok(false)
    }

    /// Adds the key, with its answer if there is one. Returns whether it was new.
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

    /// Stores the sealed answer of the work that claimed the key.
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

    /// Releases the key if nothing was written with it.
    pub async fn release(&self, tx: &mut Connection) -> Result<(), sqlx::Error> {
        sqlx::query("DELETE FROM idempotency_key WHERE admin_id = $1 AND key = $2 AND request_hash = $3 AND response IS NULL")
            .bind(self.admin_id)
            .bind(&self.key)
            .bind(&self.request_hash)
            .execute(tx)
            .await
            .map(drop)
    }

    /// Deletes keys from before a moment, up to a limit. Returns how many.
    pub async fn forget(tx: &mut Connection, before: i64, most: i64) -> Result<u64, sqlx::Error> {
        const OLD: &str = "DELETE FROM idempotency_key WHERE (admin_id, key) IN \
             (SELECT admin_id, key FROM idempotency_key WHERE created_at < $1 ORDER BY created_at LIMIT $2)";
        sqlx::query(OLD).bind(before).bind(most).execute(tx).await.map(|done| done.rows_affected())
    }

    /// Notes that a transaction with the key was committed, with or without the answer.
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
