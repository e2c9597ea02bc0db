//! What leaves the house: written in the transaction that decided it, delivered by a worker with
//! retries. A crash repeats a delivery at worst, never loses one.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sqlx::Row;
use tokio_util::sync::CancellationToken;

use crate::clock::{self, Clock, MINUTE};
use crate::crypto::Keys;
use crate::db::{Connection, Db};

/// A short message to a phone.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sms {
    pub phone: String,
    pub text: String,
}

/// Tries before an entry is given up.
const ATTEMPTS: i64 = 5;
/// Entries taken in one round.
const BATCH: i64 = 50;

/// Queues a message. `idem_key` makes a repeated call queue it once.
pub async fn enqueue(tx: &mut Connection, keys: &Keys, message: &Sms, idem_key: &str, now: i64) -> Result<(), sqlx::Error> {
    let payload = serde_json::to_string(message).expect("texts serialise");
    sqlx::query("INSERT INTO outbox (kind, idem_key, payload_enc, next_at, created_at) VALUES ('sms', $1, $2, $3, $4) ON CONFLICT (idem_key) DO NOTHING")
        .bind(idem_key)
        .bind(keys.encrypt(&payload))
        .bind(now)
        .bind(now)
        .execute(tx)
        .await
        .map(drop)
}

/// What has not been delivered.
#[derive(Clone, Copy, Debug, Default)]
pub struct Backlog {
    pub waiting: i64,
    /// When the oldest that waits was written, epoch milliseconds.
    pub oldest_at: Option<i64>,
    /// Given up.
    pub failed: i64,
}

/// Counts what has not been delivered.
pub async fn backlog(db: &Db) -> Result<Backlog, sqlx::Error> {
    const COUNTED: &str =
        "SELECT status, COUNT(*) AS entries, MIN(created_at) AS oldest FROM outbox WHERE status IN ('waiting', 'failed') GROUP BY status";
    let mut backlog = Backlog::default();
    for row in sqlx::query(COUNTED).fetch_all(db.read()).await? {
        let entries = row.try_get("entries")?;
        match row.try_get::<&str, _>("status")? {
            "waiting" => (backlog.waiting, backlog.oldest_at) = (entries, row.try_get("oldest")?),
            _ => backlog.failed = entries,
        }
    }
    Ok(backlog)
}

/// Where short messages go: a file in the data folder that only the owner reads. It stands in
/// for a provider wherever none is configured.
#[derive(Clone)]
pub struct SmsFile(PathBuf);

impl SmsFile {
    /// The file of a data folder.
    pub fn in_folder(data: &Path) -> SmsFile {
        SmsFile(data.join("sms.log"))
    }

    fn send(&self, sms: &Sms, at: i64) -> std::io::Result<()> {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(&self.0)?;
        writeln!(file, "{}\t{}\t{}", clock::date_time(at), sms.phone, sms.text.replace('\n', " "))
    }
}

/// Delivers due entries until told to stop.
pub async fn work(db: Db, keys: std::sync::Arc<Keys>, sms: SmsFile, clock: Clock, stop: CancellationToken) {
    while !stop.is_cancelled() {
        if let Err(error) = deliver_due(&db, &keys, &sms, clock.now()).await {
            tracing::error!(%error, "outbox: a round failed");
        }
        tokio::select! {
            () = stop.cancelled() => {}
            () = tokio::time::sleep(Duration::from_secs(1)) => {}
        }
    }
}

/// Delivers what is due now and returns how many entries were delivered.
pub async fn deliver_due(db: &Db, keys: &Keys, sms: &SmsFile, now: i64) -> Result<usize, sqlx::Error> {
    let due = sqlx::query(
        "SELECT id, payload_enc, attempts FROM outbox WHERE status = 'waiting' AND next_at <= $1 ORDER BY next_at, id LIMIT $2",
    )
    .bind(now)
    .bind(BATCH)
    .fetch_all(db.read())
    .await?;
    let mut delivered = 0;
    for row in due {
        let (id, attempts): (i64, i64) = (row.try_get("id")?, row.try_get("attempts")?);
        // Taking it first keeps a second node from sending it too; the lease ends after a minute.
        let mut tx = db.begin().await?;
        let taken =
            sqlx::query("UPDATE outbox SET attempts = attempts + 1, next_at = $1 WHERE id = $2 AND status = 'waiting' AND attempts = $3")
                .bind(now + MINUTE * (attempts + 1))
                .bind(id)
                .bind(attempts)
                .execute(&mut *tx)
                .await?;
        tx.commit().await?;
        if taken.rows_affected() == 0 {
            continue;
        }
        let outcome = keys
            .decrypt(row.try_get("payload_enc")?)
            .map_err(|error| error.to_string())
            .and_then(|payload| serde_json::from_str::<Sms>(&payload).map_err(|error| error.to_string()))
            .and_then(|message| sms.send(&message, now).map_err(|error| error.to_string()));
        let mut tx = db.begin().await?;
        match outcome {
            Ok(()) => {
                delivered += 1;
                // The text may hold a code: nothing of it stays once it has gone out.
                sqlx::query("UPDATE outbox SET status = 'sent', sent_at = $1, payload_enc = '' WHERE id = $2")
                    .bind(now)
                    .bind(id)
                    .execute(&mut *tx)
                    .await?;
            }
            Err(error) => {
                tracing::warn!(outbox.id = id, %error, "outbox: a delivery failed");
                let status = if attempts + 1 >= ATTEMPTS { "failed" } else { "waiting" };
                sqlx::query("UPDATE outbox SET status = $1, last_error = $2 WHERE id = $3")
                    .bind(status)
                    .bind(error)
                    .bind(id)
                    .execute(&mut *tx)
                    .await?;
            }
        }
        tx.commit().await?;
    }
    Ok(delivered)
}
