//! Messages of customers: each is added to the open conversation, to one that was closed within a day, or to a new
//! one.

use futures_util::FutureExt;
use sqlx::{FromRow, Row};

use super::store::{self, Held, NewMessage};
use super::{FILES, write};
use crate::codes::{ChatDirection, ChatMessageKind, ConversationStatus};
use crate::{assign, auto_reply, feed, targets, wechat};
use base::clock::DAY;
use base::db::{Connection, Db, Sql, Tx};
use frame::api::{ApiError, App, Result, say};
use frame::upload;

/// A message within this time after the end of a conversation opens it again.
const REOPENED_WITHIN: i64 = DAY;

/// A message that a customer has written.
#[derive(Clone, Copy, Debug)]
pub struct Inbound<'m> {
    pub customer_id: i64,
    /// The group of a new conversation.
    pub group_id: i64,
    pub kind: ChatMessageKind,
    pub content: &'m str,
    pub file_id: Option<i64>,
    /// WeChat's name of a picture, which is fetched later.
    pub media_id: Option<&'m str>,
    /// The sender's number of the message. Repeated messages with it are ignored.
    pub client_msg_id: &'m str,
}

/// The place of a received message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    pub conversation_id: i64,
    pub message_id: i64,
}

/// Takes a customer's message.
///
/// # Errors
/// [`ApiError::State`] for a customer who is blocked.
pub async fn receive(app: &App, inbound: Inbound<'_>) -> Result<Received> {
    let (db, now) = (&app.db, app.clock.now());
    feed::transact(app, db, now, move |mut tx, events| {
        async move {
            // Locks the customer: their messages are stored one at a time.
            let known = sqlx::query("UPDATE chat_customer SET status = status WHERE id = $1 AND status = 'active'")
                .bind(inbound.customer_id)
                .execute(&mut **tx)
                .await?;
            if known.rows_affected() == 0 {
                return Err(refused());
            }
            // A repeated message is ignored, even if the conversation was closed meanwhile.
            if let Some(known) = received(&mut tx, &inbound).await? {
                return Ok(known);
            }
            let (mut held, begins) = conversation(db, &mut tx, &inbound, now).await?;
            let new = NewMessage {
                conversation_id: held.id,
                direction: ChatDirection::In,
                kind: inbound.kind,
                content: inbound.content,
                keys: Some(&app.keys),
                file_id: inbound.file_id,
                staff_id: None,
                reply_id: None,
                is_template: false,
                client_msg_id: inbound.client_msg_id,
                at: now,
            };
            let message_id = write::append(&mut tx, &held, &new, events).await?.ok_or(ApiError::Missing)?;
            sqlx::query("UPDATE chat_customer SET last_inbound_at = $1 WHERE id = $2")
                .bind(now)
                .bind(inbound.customer_id)
                .execute(&mut **tx)
                .await?;
            if let Some(file_id) = inbound.file_id
                && !upload::take_from_customer(&mut tx, FILES.biz_type, message_id, file_id).await?
            {
                return Err(ApiError::field("file", say("请重新上传文件", "Upload the file again")));
            }
            if let (Some(media_id), Some(wechat_id)) = (inbound.media_id, held.wechat_id) {
                wechat::queue_picture(&mut tx, wechat_id, message_id, media_id, now).await?;
            }
            held.status = if held.staff_id.is_some() { ConversationStatus::Open } else { ConversationStatus::Queued };
            sqlx::query(
                "UPDATE chat_conversation SET unread = unread + 1, waiting_since = COALESCE(waiting_since, $1), status = $2, snoozed_until = NULL, \
                   version = version + 1, updated_at = $3 WHERE id = $4",
            )
            .bind(now)
            .bind(<&str>::from(held.status))
            .bind(now)
            .bind(held.id)
            .execute(&mut **tx)
            .await?;
            if held.staff_id.is_none() {
                assign::assign(db, &mut tx, &mut held, events, now).await?;
            }
            // An official account welcomes its followers when they begin to follow it, not here.
            auto_reply::reply(&mut tx, &app.keys, &held, inbound.content, begins && held.wechat_id.is_none(), events, now).await?;
            events.push(write::changed(&held));
            Ok(Received { conversation_id: held.id, message_id })
        }
        .boxed()
    })
    .await
}

/// Whether a message with this number was taken before.
pub async fn is_known(app: &App, customer_id: i64, client_msg_id: &str) -> Result<bool> {
    let known = sqlx::query(KNOWN).bind(customer_id).bind(client_msg_id).fetch_optional(app.db.read()).await?;
    Ok(known.is_some())
}

/// Whether a customer may write.
pub async fn may_write(app: &App, customer_id: i64) -> Result<bool> {
    let active = sqlx::query("SELECT k.id FROM chat_customer k WHERE k.id = $1 AND k.status = 'active'").bind(customer_id);
    Ok(active.fetch_optional(app.db.read()).await?.is_some())
}

/// The error for a customer who is blocked or erased.
pub fn refused() -> ApiError {
    ApiError::State(say("暂时无法发送消息", "Messages cannot be sent at the moment"))
}

/// A customer's message by its number.
const KNOWN: &str = "SELECT m.id, m.conversation_id FROM chat_message m JOIN chat_conversation c ON c.id = m.conversation_id \
     WHERE c.customer_id = $1 AND m.direction = 'in' AND m.client_msg_id = $2 LIMIT 1";

/// The place of an earlier message with this number, in any conversation of the customer.
async fn received(tx: &mut Connection, inbound: &Inbound<'_>) -> Result<Option<Received>> {
    let found = sqlx::query(KNOWN).bind(inbound.customer_id).bind(inbound.client_msg_id).fetch_optional(tx).await?;
    let Some(row) = found else { return Ok(None) };
    Ok(Some(Received { conversation_id: row.try_get("conversation_id")?, message_id: row.try_get("id")? }))
}

/// The conversation of a message, locked, and whether the message begins it.
async fn conversation(db: &Db, tx: &mut Tx, inbound: &Inbound<'_>, now: i64) -> Result<(Held, bool)> {
    let mut sql = Sql::new(store::HELD);
    sql.push("c.customer_id = ")
        .bind(inbound.customer_id)
        .push(" AND (c.status <> 'resolved' OR c.closed_at > ")
        .bind(now - REOPENED_WITHIN);
    sql.push(") ORDER BY CASE c.status WHEN 'resolved' THEN 1 ELSE 0 END, c.id DESC LIMIT 1");
    tx.hold(&mut sql, "c");
    let found = sql.fetch_optional(&mut **tx).await?.as_ref().map(Held::from_row).transpose()?;
    let Some(mut held) = found else { return Ok((begin(tx, inbound, now).await?, true)) };
    if held.status == ConversationStatus::Resolved {
        // A closed conversation returns to the same member of the staff, if they are online and have room.
        if let Some(staff_id) = held.staff_id
            && !assign::has_room(db, tx, staff_id, now).await?
        {
            held.staff_id = None;
        }
        sqlx::query("UPDATE chat_conversation SET staff_id = $1, closed_at = NULL, closed_by = NULL, close_note = '', close_note_enc = NULL WHERE id = $2")
            .bind(held.staff_id)
            .bind(held.id)
            .execute(&mut **tx)
            .await?;
        targets::set(tx, held.id, now).await?;
    }
    Ok((held, false))
}

async fn begin(tx: &mut Connection, inbound: &Inbound<'_>, now: i64) -> Result<Held> {
    let mut sql = Sql::new("SELECT g.id FROM chat_group g WHERE g.status = 'enabled' AND g.deleted_at IS NULL AND g.id = ");
    sql.bind(inbound.group_id);
    if sql.fetch_optional(&mut *tx).await?.is_none() {
        return Err(ApiError::State(say("该客服分组已停用，不再接受新咨询", "This service group takes no new conversations")));
    }
    let row = sqlx::query(
        "INSERT INTO chat_conversation (customer_id, group_id, status, last_message_at, created_at, updated_at) VALUES ($1, $2, 'queued', $3, $4, $5) \
         RETURNING id",
    )
    .bind(inbound.customer_id)
    .bind(inbound.group_id)
    .bind(now)
    .bind(now)
    .bind(now)
    .fetch_one(&mut *tx)
    .await?;
    let id: i64 = row.try_get("id")?;
    targets::set(tx, id, now).await?;
    store::hold(tx, id).await?.ok_or(ApiError::Missing)
}
