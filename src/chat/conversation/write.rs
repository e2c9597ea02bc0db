//! What every change of a conversation is made of: messages, and the events that tell open pages.

use futures_util::FutureExt;
use serde_json::Value;

use super::store::{self, Held, NewMessage};
use crate::api::App;
use crate::chat::assign;
use crate::chat::codes::{ChatDirection, ConversationStatus};
use crate::chat::feed::{self, EventKind, NewEvent};
use crate::db::Connection;

/// Characters of a message that lists show.
const LAST_TEXT: usize = 100;

/// The event that a conversation changed.
pub fn changed(held: &Held) -> NewEvent {
    NewEvent { kind: EventKind::Conversation, conversation_id: held.id, message_id: None, group_id: held.group_id, staff_id: held.staff_id }
}

/// The event that a message was written or recalled.
pub fn message_event(held: &Held, message_id: i64) -> NewEvent {
    NewEvent { kind: EventKind::Message, message_id: Some(message_id), ..changed(held) }
}

/// Writes a message as the last of a held conversation, and returns its id; none where its number was used before. What
/// both sides see becomes the conversation's last text.
pub async fn append(
    tx: &mut Connection,
    held: &Held,
    new: &NewMessage<'_>,
    events: &mut Vec<NewEvent>,
) -> Result<Option<i64>, sqlx::Error> {
    let Some(id) = store::insert_message(tx, new).await? else { return Ok(None) };
    if matches!(new.direction, ChatDirection::In | ChatDirection::Out) {
        sqlx::query("UPDATE chat_conversation SET last_message_at = $1, last_text = $2 WHERE id = $3")
            .bind(new.at)
            .bind(beginning(new.content))
            .bind(held.id)
            .execute(tx)
            .await?;
    }
    events.push(message_event(held, id));
    Ok(Some(id))
}

/// The beginning of a text. It does not end within a number, which would be too short to be masked.
fn beginning(text: &str) -> String {
    let start: String = text.chars().take(LAST_TEXT).collect();
    match text[start.len()..].starts_with(|next: char| next.is_ascii_digit()) {
        true => start.trim_end_matches(|last: char| last.is_ascii_digit()).to_owned(),
        false => start,
    }
}

/// Writes a message of the system: staff read in the thread what was done with the conversation.
pub async fn system(tx: &mut Connection, held: &Held, content: &Value, events: &mut Vec<NewEvent>, now: i64) -> Result<(), sqlx::Error> {
    let (text, number) = (content.to_string(), assign::new_number());
    append(tx, held, &assign::system_message(held, &text, &number, now), events).await.map(drop)
}

/// Assigns a conversation that is still queued; tells whether somebody took it.
pub async fn assign_queued(app: &App, id: i64, now: i64) -> Result<bool, sqlx::Error> {
    let db = &app.db;
    let assigned = db
        .transact(|mut tx| {
            async move {
                let Some(mut held) = store::hold(&mut tx, id).await? else { return Ok(false) };
                if held.status != ConversationStatus::Queued {
                    return Ok(true);
                }
                let mut events = Vec::new();
                let assigned = assign::assign(db, &mut tx, &mut held, &mut events, now).await?;
                feed::publish(db, &mut tx, &events, now).await?;
                Ok::<_, sqlx::Error>(assigned)
            }
            .boxed()
        })
        .await?;
    app.chat.wake();
    Ok(assigned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_of_a_text_ends_before_a_number_that_is_cut() {
        assert_eq!(beginning("call 13812345678"), "call 13812345678");
        assert_eq!(beginning(&format!("{}13812345678", "长".repeat(95))), "长".repeat(95));
        assert_eq!(beginning(&format!("{}13812345678 later", "长".repeat(89))), format!("{}13812345678", "长".repeat(89)));
        assert_eq!(beginning(&"1".repeat(200)), "");
    }
}
