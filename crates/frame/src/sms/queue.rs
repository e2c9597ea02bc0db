//! Queues short messages: an item of the outbox and its line in the record of messages, within the caller's
//! transaction.

use serde::{Deserialize, Serialize};

use super::kind::{Params, SmsKind};
use super::store;
use base::crypto::{Keys, place};
use base::db::Connection;
use base::outbox::{self, Destination, Kind, NewItem};

/// A message to be sent.
#[derive(Clone, Debug)]
pub struct NewSms<'n> {
    pub kind: SmsKind,
    pub phone: &'n str,
    pub params: &'n [(&'static str, String)],
    /// A repeated call with the same key queues it once.
    pub idem_key: &'n str,
    /// From then on it is not sent any more, epoch milliseconds.
    pub expires_at: i64,
    /// Who sends it; none for messages of the program itself.
    pub created_by: Option<i64>,
}

/// The sealed content of an item.
#[derive(Debug, Serialize, Deserialize)]
pub struct Sms {
    pub phone: String,
    /// The text of a message without a kind.
    pub text: String,
    /// None for messages that migration 61 took over from a version without kinds.
    #[serde(default)]
    pub kind: Option<SmsKind>,
    #[serde(default)]
    pub params: Params,
}

/// Queues a message. Returns its id in the record; none if there is one with its key already.
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
    let Some(item_id) = outbox::queue::enqueue(tx, &item, now).await? else { return Ok(None) };
    let id = store::insert(tx, keys, item_id, (new.kind, new.phone), Some(new.expires_at), new.created_by, now).await?;
    outbox::queue::refer(tx, item_id, id).await?;
    Ok(Some(id))
}
