//! Short messages to phones.

use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::store::{self, NewItem};
use super::{Destination, Kind};
use crate::clock::{self, MINUTE};
use crate::crypto::{self, Keys, place};
use crate::db::{Connection, Db};

/// Bytes of the file, after which it is put aside and another is begun.
const LONGEST_FILE: u64 = 1_000_000;

/// A short message to a phone.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sms {
    pub phone: String,
    pub text: String,
}

/// Queues a message. `idem_key` makes a repeated call queue it once; from `expires_at` on it is worth
/// nothing, and goes out no more.
pub async fn enqueue(
    tx: &mut Connection,
    keys: &Keys,
    message: &Sms,
    idem_key: &str,
    expires_at: Option<i64>,
    now: i64,
) -> Result<(), sqlx::Error> {
    let payload = serde_json::to_string(message).expect("texts serialise");
    let item = NewItem {
        kind: Kind::Sms,
        ref_id: None,
        destination: Destination::Sms,
        idem_key,
        payload_enc: Some(keys.seal(&place::OUTBOX_PAYLOAD.of(idem_key), &payload)),
        due_at: now,
        expires_at,
    };
    store::enqueue(tx, &item, now).await.map(drop)
}

/// Takes messages over, some at a time, that wait where they did before there was one outbox for all.
pub async fn adopt(db: &Db, now: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    let rows = sqlx::query(
        "UPDATE outbox SET status = 'moved' WHERE id IN (SELECT id FROM outbox WHERE status = 'waiting' AND next_at <= $1 \
           ORDER BY next_at, id LIMIT 500) AND status = 'waiting' AND next_at <= $2 RETURNING idem_key, payload_enc, created_at",
    )
    .bind(now)
    .bind(now)
    .fetch_all(&mut *tx)
    .await?;
    for row in &rows {
        let key: &str = row.try_get("idem_key")?;
        let item = NewItem {
            kind: Kind::Sms,
            ref_id: None,
            destination: Destination::Sms,
            idem_key: key,
            payload_enc: row.try_get("payload_enc")?,
            due_at: now,
            // A code is worth nothing after its time; other messages had none then.
            expires_at: key.starts_with("code:").then(|| row.try_get::<i64, _>("created_at")).transpose()?.map(|at| at + 5 * MINUTE),
        };
        store::enqueue(&mut tx, &item, now).await?;
    }
    tx.commit().await
}

/// Where short messages go for which no provider is set: a file in the data folder that only the owner
/// reads, begun anew once it is long.
#[derive(Clone)]
pub struct SmsFile(PathBuf);

impl SmsFile {
    /// The file of a data folder.
    pub fn in_folder(data: &Path) -> SmsFile {
        SmsFile(data.join("sms.log"))
    }

    /// Writes a message to the end of the file; unless in clear, without the phone's middle and any digit
    /// of the text.
    pub fn write(&self, sms: &Sms, in_clear: bool, at: i64) -> std::io::Result<()> {
        if std::fs::metadata(&self.0).is_ok_and(|file| file.len() > LONGEST_FILE) {
            std::fs::rename(&self.0, self.0.with_extension("log.1"))?;
        }
        let (phone, text) = match in_clear {
            true => (sms.phone.clone(), sms.text.clone()),
            false => {
                (crypto::mask_phone(&sms.phone), sms.text.chars().map(|char| if char.is_ascii_digit() { '*' } else { char }).collect())
            }
        };
        let mut file = std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(&self.0)?;
        writeln!(file, "{}\t{}\t{}", clock::date_time(at), phone, text.replace('\n', " "))
    }
}
