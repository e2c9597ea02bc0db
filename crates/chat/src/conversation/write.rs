//! The parts of every change of a conversation: messages, and events for open pages.

use futures_util::FutureExt;
use serde_json::Value;

use super::store::{self, Held, NewMessage};
use crate::assign;
use crate::codes::{ChatDirection, ChatMessageKind, ConversationStatus};
use crate::feed::{self, EventKind, NewEvent};
use crate::wechat;
use crate::words::Words;
use base::crypto::{self, Keys, place};
use base::db::Connection;
use frame::api::App;

/// Characters of a message that lists show.
const LAST_TEXT: usize = 100;

/// The event that a conversation changed.
pub fn changed(held: &Held) -> NewEvent {
    NewEvent {
        goes_out: false,
        kind: EventKind::Conversation,
        conversation_id: held.id,
        customer_id: held.customer_id,
        message_id: None,
        group_id: held.group_id,
        staff_id: held.staff_id,
    }
}

/// The event that a message was written or recalled.
pub fn message_event(held: &Held, message_id: i64) -> NewEvent {
    NewEvent { kind: EventKind::Message, message_id: Some(message_id), ..changed(held) }
}

/// The event that a message waits to be sent by WeChat.
pub fn outgoing_event(held: &Held, message_id: i64) -> NewEvent {
    NewEvent { goes_out: true, ..message_event(held, message_id) }
}

/// Writes a message as the last of a locked conversation, and returns its id; none if its number was used before. A
/// customer's message becomes the conversation's last text, and an answer to a customer who writes by WeChat is sent
/// there.
pub async fn append(
    tx: &mut Connection,
    held: &Held,
    new: &NewMessage<'_>,
    events: &mut Vec<NewEvent>,
) -> Result<Option<i64>, sqlx::Error> {
    let Some(id) = store::insert_message(tx, new).await? else { return Ok(None) };
    if new.direction == ChatDirection::Out {
        sqlx::query("UPDATE chat_conversation SET last_message_at = $1 WHERE id = $2").bind(new.at).bind(held.id).execute(&mut *tx).await?;
    }
    if new.direction == ChatDirection::In {
        let words = Words::of_beginning(new.keys, &place::CHAT_LAST_TEXT.of(held.id), new.content, LAST_TEXT);
        sqlx::query("UPDATE chat_conversation SET last_message_at = $1, last_text = $2, last_text_enc = $3 WHERE id = $4")
            .bind(new.at)
            .bind(words.shown)
            .bind(words.sealed)
            .bind(held.id)
            .execute(&mut *tx)
            .await?;
    }
    match held.wechat_id.filter(|_| new.direction == ChatDirection::Out) {
        Some(wechat_id) => {
            wechat::queue(tx, wechat_id, held.customer_id, id, new.is_template, new.at).await?;
            events.push(outgoing_event(held, id));
        }
        None => events.push(message_event(held, id)),
    }
    Ok(Some(id))
}

/// Writes a message of the system: the thread shows staff what was done with the conversation.
pub async fn system(tx: &mut Connection, held: &Held, content: &Value, events: &mut Vec<NewEvent>, now: i64) -> Result<(), sqlx::Error> {
    system_with_note(tx, None, held, content, events, now).await
}

/// [`system`] with a note written by a person, whose long numbers are sealed with the keys.
pub async fn system_with_note(
    tx: &mut Connection,
    keys: Option<&Keys>,
    held: &Held,
    content: &Value,
    events: &mut Vec<NewEvent>,
    now: i64,
) -> Result<(), sqlx::Error> {
    let (text, number) = (content.to_string(), new_number());
    let new = NewMessage {
        conversation_id: held.id,
        direction: ChatDirection::System,
        kind: ChatMessageKind::Text,
        content: &text,
        keys,
        file_id: None,
        staff_id: None,
        reply_id: None,
        is_template: false,
        client_msg_id: &number,
        at: now,
    };
    append(tx, held, &new, events).await.map(drop)
}

/// A number for a message that the program writes.
pub fn new_number() -> String {
    crypto::random_text(20)
}

/// Assigns a conversation if it is still queued. Returns false where no staff was available.
pub async fn assign_queued(app: &App, id: i64, now: i64) -> Result<bool, sqlx::Error> {
    let db = &app.db;
    feed::transact(app, db, now, move |mut tx, events| {
        async move {
            let Some(mut held) = store::hold(&mut tx, id).await? else { return Ok(false) };
            match held.status {
                ConversationStatus::Queued => assign::assign(db, &mut tx, &mut held, events, now).await,
                _ => Ok(true),
            }
        }
        .boxed()
    })
    .await
}
