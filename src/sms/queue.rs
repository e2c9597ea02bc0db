//! Queueing short messages: an item of the outbox and its line in the record of messages, in the
//! transaction of whoever has something to say.

use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::kind::{Params, SmsKind};
use super::store;
use crate::clock::MINUTE;
use crate::crypto::{Keys, place};
use crate::db::{Connection, Db};
use crate::outbox::{self, Destination, Kind, NewItem};

/// Messages that are taken over at a time.
const SOME: i64 = 500;

/// A message to be sent.
#[derive(Clone, Debug)]
pub struct NewSms<'n> {
    pub kind: SmsKind,
    pub phone: &'n str,
    pub params: &'n [(&'static str, String)],
    /// A repeated call under one key queues it once.
    pub idem_key: &'n str,
    /// From then on it is worth nothing and goes out no more, epoch milliseconds.
    pub expires_at: i64,
    /// Who has it sent; none of what the program says by itself.
    pub created_by: Option<i64>,
}

/// What an item carries, sealed.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sms {
    pub phone: String,
    /// What a program sends that knows no kinds.
    pub text: String,
    /// None of what such a program has queued.
    #[serde(default)]
    pub kind: Option<SmsKind>,
    #[serde(default)]
    pub params: Params,
}

/// Queues a message; answers its id in the record, or none if there is one under its key already.
pub async fn queue(tx: &mut Connection, keys: &Keys, new: &NewSms<'_>, now: i64) -> Result<Option<i64>, sqlx::Error> {
    let params: Params = new.params.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let sms = Sms { phone: new.phone.to_owned(), text: new.kind.default_text(&params), kind: Some(new.kind), params };
    let item = NewItem {
        kind: Kind::Sms,
        ref_id: None,
        destination: if new.kind == SmsKind::Code { Destination::Code } else { Destination::Sms },
        idem_key: new.idem_key,
        payload_enc: Some(keys.seal(&place::OUTBOX_PAYLOAD.of(new.idem_key), &serde_json::to_string(&sms).expect("texts serialise"))),
        due_at: now,
        expires_at: Some(new.expires_at),
    };
    let Some(item_id) = outbox::store::enqueue(tx, &item, now).await? else { return Ok(None) };
    let id = store::insert(tx, keys, item_id, (new.kind, new.phone), Some(new.expires_at), new.created_by, now).await?;
    outbox::store::refer(tx, item_id, id).await?;
    Ok(Some(id))
}

/// Takes over, some at a time, what a program has queued that kept no record, or had no outbox for all; and
/// has those messages follow their items that such a program has carried.
pub async fn adopt(db: &Db, keys: &Keys, now: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    let rows = sqlx::query(
        "UPDATE outbox SET status = 'moved' WHERE id IN (SELECT id FROM outbox WHERE status = 'waiting' AND next_at <= $1 \
           ORDER BY next_at, id LIMIT $2) AND status = 'waiting' AND next_at <= $3 RETURNING idem_key, payload_enc, created_at",
    )
    .bind(now)
    .bind(SOME)
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
        outbox::store::enqueue(&mut tx, &item, now).await?;
    }
    db.lock(&mut tx, "short messages without a record").await?;
    for item in outbox::store::without_ref(&mut tx, Kind::Sms, SOME).await? {
        // One whose payload no key opens is nobody's to record; carrying it says so.
        let opened = keys
            .open(&place::OUTBOX_PAYLOAD.of(&item.idem_key), &item.payload_enc)
            .ok()
            .and_then(|payload| serde_json::from_str::<Sms>(&payload).ok());
        let Some(sms) = opened else { continue };
        let kind = sms.kind.unwrap_or(match item.idem_key.as_str() {
            key if key.starts_with("code:") => SmsKind::Code,
            key if key.starts_with("low-balance-") => SmsKind::LowBalance,
            _ => SmsKind::NewLead,
        });
        let id = store::insert(&mut tx, keys, item.id, (kind, &sms.phone), item.expires_at, None, item.created_at).await?;
        outbox::store::refer(&mut tx, item.id, id).await?;
        store::follow(&mut tx, id, item.state, None, now).await?;
    }
    for (id, item, error) in store::left_behind(&mut tx, SOME).await? {
        store::follow(&mut tx, id, item, error.as_deref(), now).await?;
    }
    tx.commit().await
}
