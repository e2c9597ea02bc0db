//! Writing by staff: answers and internal notes, read positions, and recalled messages.

use std::sync::Arc;

use futures_util::FutureExt;
use sqlx::Row;

use super::model::{ChatMessageRow, ReadBody, RecallBody, SendBody};
use super::store::{self, Held, NewMessage};
use super::{change, write};
use crate::access::{ChatAccess, access_of};
use crate::auto_reply;
use crate::codes::{ChatDirection, ChatMessageKind, ConversationStatus};
use crate::feed;
use crate::wechat::{self, NewAnswer};
use base::clock::MINUTE;
use base::db::{self, Connection, Sql};
use base::form_limits;
use frame::api::{ApiError, Body, Check, Ctx, FileRule, Result, say};
use frame::upload;

/// The kind of record that files of messages belong to.
pub const FILES: FileRule = FileRule { biz_type: "chat_message", pictures_only: false, masks_names: true, sees: sees_file };

form_limits! {
    /// Of a conversation.
    conversation {
        /// Characters of a message.
        pub MESSAGE: usize = 2000,
    }
}

/// Characters of a message's number.
pub const NUMBER: std::ops::RangeInclusive<usize> = 8..=64;
/// How long after it was sent a message can be recalled.
const RECALL_WITHIN: i64 = 2 * MINUTE;

fn sees_file(cx: Arc<Ctx>, message_id: i64) -> futures_util::future::BoxFuture<'static, Result<bool>> {
    async move {
        let access = access_of(&cx).await?;
        let messages = store::messages_by_ids(cx.db().read(), &access, [message_id]).await?;
        let Some(message) = messages.first() else { return Ok(false) };
        let allowed = cx.viewer()?.has("chat/conversation/list");
        Ok(allowed && store::find(cx.db().read(), &access, message.conversation_id).await?.is_some())
    }
    .boxed()
}

/// `POST /chat/send`: an answer, or a note. An answer to a queued conversation takes it.
pub async fn send(cx: Arc<Ctx>, Body(body): Body<SendBody>) -> Result<ChatMessageRow> {
    let content = body.content.trim();
    Check::new()
        .text("clientMsgId", &body.client_msg_id, NUMBER)
        .text("content", content, if body.file_id.is_some() { 0..=MESSAGE } else { 1..=MESSAGE })
        .done()?;
    let access = access_of(&cx).await?;
    let staff = access.staff()?;
    let (cx, body, access) = (&*cx, &body, &access);
    let direction = if body.note { ChatDirection::Note } else { ChatDirection::Out };
    feed::transact(&cx.app, cx.db(), cx.now, move |mut tx, events| {
        async move {
            let mut held = change::held(&mut tx, access, body.conversation_id).await?;
            if let Some(id) = store::message_by_number(&mut tx, held.id, direction, &body.client_msg_id).await? {
                let message = written(&mut tx, access, id).await?;
                cx.keep_answer(&mut tx, &message).await?;
                return Ok(message);
            }
            if !body.note {
                take_to_answer(cx, &mut tx, access, &mut held, events).await?;
            }
            let sent = match body.file_id {
                Some(id) => Some(file_of(&mut tx, id).await?),
                None => None,
            };
            if !body.note {
                let file = sent.as_ref().map(|file| (file.mime.as_str(), file.size));
                wechat::check_answer(&mut tx, &held, NewAnswer { content, file }, cx.now).await?;
            }
            let new = NewMessage {
                conversation_id: held.id,
                direction,
                kind: sent.as_ref().map_or(ChatMessageKind::Text, SentFile::kind),
                content: if content.is_empty() { sent.as_ref().map_or("", |file| file.name.as_str()) } else { content },
                keys: Some(&cx.app.keys),
                file_id: body.file_id,
                staff_id: Some(staff.id),
                reply_id: body.reply_id,
                is_template: false,
                client_msg_id: &body.client_msg_id,
                at: cx.now,
            };
            let id = write::append(&mut tx, &held, &new, events).await?.ok_or(ApiError::Missing)?;
            if let Some(file_id) = body.file_id
                && !upload::settle(&mut tx, FILES.biz_type, id, &[file_id], cx.viewer()?.id, cx.now).await?
            {
                return Err(no_file());
            }
            if !body.note {
                answered(&mut tx, &held, id, cx.now).await?;
                events.push(write::changed(&held));
            }
            if let Some(reply_id) = body.reply_id {
                auto_reply::count_use(&mut tx, reply_id).await?;
            }
            let message = written(&mut tx, access, id).await?;
            cx.keep_answer(&mut tx, &message).await?;
            Ok(message)
        }
        .boxed()
    })
    .await
    .map_err(|error| unknown_reply(error, body))
}

/// The error of the database for a quick reply that does not exist, as a field error.
fn unknown_reply(error: ApiError, body: &SendBody) -> ApiError {
    match &error {
        ApiError::Internal(cause) if body.reply_id.is_some() && cause.downcast_ref().is_some_and(db::is_foreign_key) => {
            ApiError::field("replyId", say("没有这条快捷回复", "There is no such quick reply"))
        }
        _ => error,
    }
}

pub async fn written(tx: &mut Connection, access: &ChatAccess, id: i64) -> Result<ChatMessageRow> {
    store::messages_by_ids(tx, access, [id]).await?.pop().ok_or(ApiError::Missing)
}

/// Makes sure that the sender has the conversation: takes a queued or snoozed one, refuses one of another member of the
/// staff.
pub async fn take_to_answer(
    cx: &Ctx,
    tx: &mut Connection,
    access: &ChatAccess,
    held: &mut Held,
    events: &mut Vec<feed::NewEvent>,
) -> Result<()> {
    let staff = access.staff()?;
    match (held.status, held.staff_id) {
        (ConversationStatus::Resolved, _) => {
            Err(ApiError::State(say("会话已结束，请先重新打开", "The conversation is closed: reopen it first")))
        }
        (_, Some(other)) if other != staff.id => {
            Err(ApiError::State(say("该会话由其他客服接待，请先接管", "Another agent has this conversation: take it over first")))
        }
        (ConversationStatus::Open, Some(_)) => Ok(()),
        _ => change::take(tx, access, held, events, cx.now).await,
    }
}

/// Marks a conversation as answered, and everything before the answer as read.
async fn answered(tx: &mut Connection, held: &Held, message_id: i64, now: i64) -> sqlx::Result<()> {
    sqlx::query(
        "UPDATE chat_conversation SET waiting_since = NULL, first_reply_at = COALESCE(first_reply_at, $1), unread = 0, staff_read_id = $2, \
           version = version + 1, updated_at = $3 WHERE id = $4",
    )
    .bind(now)
    .bind(message_id)
    .bind(now)
    .bind(held.id)
    .execute(tx)
    .await
    .map(drop)
}

/// A file that is sent.
struct SentFile {
    name: String,
    mime: String,
    size: i64,
}

impl SentFile {
    fn kind(&self) -> ChatMessageKind {
        if self.mime.starts_with("image/") { ChatMessageKind::Image } else { ChatMessageKind::File }
    }
}

async fn file_of(tx: &mut Connection, id: i64) -> Result<SentFile> {
    let mut sql = Sql::new("SELECT f.name, f.mime, f.size FROM file f WHERE f.id = ");
    sql.bind(id);
    let row = sql.fetch_optional(tx).await?.ok_or_else(no_file)?;
    Ok(SentFile { name: row.try_get("name")?, mime: row.try_get("mime")?, size: row.try_get("size")? })
}

fn no_file() -> ApiError {
    ApiError::field("fileId", say("请重新上传文件", "Upload the file again"))
}

/// `POST /chat/read`: the viewer, who has the conversation, has read up to a message.
pub async fn read(cx: Arc<Ctx>, Body(body): Body<ReadBody>) -> Result<()> {
    let access = access_of(&cx).await?;
    let (cx, body, access) = (&*cx, &body, &access);
    feed::transact(&cx.app, cx.db(), cx.now, move |mut tx, events| {
            async move {
                let held = change::held(&mut tx, access, body.conversation_id).await?;
                // Reading by others leaves the conversation unread for the member of the staff who has it.
                if held.staff_id.is_none_or(|staff_id| staff_id != access.staff_id()) {
                    return cx.keep_answer(&mut tx, &()).await;
                }
                let read = sqlx::query(
                    "UPDATE chat_conversation SET staff_read_id = $1, \
                       unread = (SELECT COUNT(*) FROM chat_message m WHERE m.conversation_id = $2 AND m.direction = 'in' AND m.id > $3), \
                       version = version + 1, updated_at = $4 \
                     WHERE id = $5 AND staff_read_id < $6 AND EXISTS (SELECT 1 FROM chat_message m WHERE m.id = $7 AND m.conversation_id = $8)",
                )
                .bind(body.message_id)
                .bind(held.id)
                .bind(body.message_id)
                .bind(cx.now)
                .bind(held.id)
                .bind(body.message_id)
                .bind(body.message_id)
                .bind(held.id)
                .execute(&mut **tx)
                .await?;
                if read.rows_affected() == 1 {
                    events.push(write::changed(&held));
                }
                cx.keep_answer(&mut tx, &()).await
            }
            .boxed()
        })
        .await
}

/// `POST /chat/recall`: takes back a message of the viewer's own.
pub async fn recall(cx: Arc<Ctx>, Body(body): Body<RecallBody>) -> Result<ChatMessageRow> {
    let access = access_of(&cx).await?;
    let staff_id = access.staff()?.id;
    let (cx, body, access) = (&*cx, &body, &access);
    feed::transact(&cx.app, cx.db(), cx.now, move |mut tx, events| {
        async move {
            let message = written(&mut tx, access, body.message_id).await?;
            let held = change::held(&mut tx, access, message.conversation_id).await?;
            if message.staff_id != Some(staff_id) {
                return Err(ApiError::State(say("只能撤回自己的消息", "You can recall only your own messages")));
            }
            if message.at < cx.now - RECALL_WITHIN {
                return Err(ApiError::State(say("发送超过两分钟的消息不能撤回", "A message can be recalled within two minutes only")));
            }
            if message.delivery.is_some() && !wechat::cancel(&mut tx, message.id).await? {
                return Err(ApiError::State(say("微信消息发出后不能撤回", "A message that WeChat has taken cannot be recalled")));
            }
            sqlx::query("UPDATE chat_message SET recalled_at = $1, content = '', content_enc = NULL, file_id = NULL WHERE id = $2 AND recalled_at IS NULL")
                .bind(cx.now)
                .bind(message.id)
                .execute(&mut **tx)
                .await?;
            // Its file is released, and swept.
            upload::settle(&mut tx, FILES.biz_type, message.id, &[], cx.viewer()?.id, cx.now).await?;
            events.extend([write::message_event(&held, message.id), write::changed(&held)]);
            let message = written(&mut tx, access, message.id).await?;
            cx.keep_answer(&mut tx, &message).await?;
            Ok(message)
        }
        .boxed()
    })
    .await
}
