//! Messages of staff that go out by WeChat: which are allowed, reminders, and messages that are sent again.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::{WINDOW, api};
use crate::access::access_of;
use crate::codes::{ChatDirection, ChatMessageKind, DeliveryReason, DeliveryState};
use crate::conversation::model::ChatMessageRow;
use crate::conversation::store::{Held, NewMessage};
use crate::conversation::{NUMBER, change, send, store as conversations, write};
use crate::feed;
use base::codes::UseStatus;
use base::db::{self, Connection};
use base::form_limits;
use frame::api::{ApiError, Body, Check, Ctx, Result, say};

/// Pictures that WeChat takes.
const PICTURES: [&str; 3] = ["image/png", "image/jpeg", "image/gif"];

form_limits! {
    /// Of a message by way of an official account.
    wechat {
        /// Bytes of a text that WeChat takes.
        pub LONGEST_TEXT: usize = 2048,
    }
}

/// Whether a message has arrived at WeChat, as threads show it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Delivery {
    pub state: DeliveryState,
    pub reason: Option<DeliveryReason>,
}

/// Queues a message to the customer of a conversation.
pub async fn queue(
    tx: &mut Connection,
    wechat_id: i64,
    customer_id: i64,
    message_id: i64,
    is_template: bool,
    now: i64,
) -> sqlx::Result<()> {
    sqlx::query(
        "INSERT INTO chat_wechat_send (message_id, wechat_id, customer_id, template, state, due_at, at) VALUES ($1, $2, $3, $4, 'waiting', $5, $6)",
    )
    .bind(message_id)
    .bind(wechat_id)
    .bind(customer_id)
    .bind(i64::from(is_template))
    .bind(now)
    .bind(now)
    .execute(tx)
    .await
    .map(drop)
}

/// Removes a message from the queue. Returns false if it may have been sent.
pub async fn cancel(tx: &mut Connection, message_id: i64) -> sqlx::Result<bool> {
    let cancelled = sqlx::query("DELETE FROM chat_wechat_send WHERE message_id = $1 AND state IN ('waiting', 'failed')")
        .bind(message_id)
        .execute(tx)
        .await?;
    Ok(cancelled.rows_affected() == 1)
}

/// A message that is sent again.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ResendBody {
    pub message_id: i64,
}

/// `POST /chat/resend`: sends a message again that was not sent, or may not have been.
pub async fn resend(cx: Arc<Ctx>, Body(body): Body<ResendBody>) -> Result<ChatMessageRow> {
    let access = access_of(&cx).await?;
    let staff_id = access.staff()?.id;
    let (cx, body, access) = (&*cx, &body, &access);
    feed::transact(&cx.app, cx.db(), cx.now, move |mut tx, events| {
        async move {
            let message = send::written(&mut tx, access, body.message_id).await?;
            let held = change::held(&mut tx, access, message.conversation_id).await?;
            if held.staff_id != Some(staff_id) {
                return Err(ApiError::State(say("请先接管该会话", "Take the conversation over first")));
            }
            let again = sqlx::query(
                "UPDATE chat_wechat_send SET state = 'waiting', reason = '', attempts = 0, due_at = $1 WHERE message_id = $2 AND state IN ('failed', 'unknown')",
            )
            .bind(cx.now)
            .bind(message.id)
            .execute(&mut **tx)
            .await?;
            if again.rows_affected() == 0 {
                return Err(ApiError::State(say("该消息已发送或正在发送", "The message was sent or is being sent")));
            }
            events.push(write::outgoing_event(&held, message.id));
            let message = send::written(&mut tx, access, message.id).await?;
            cx.keep_answer(&mut tx, &message).await?;
            Ok(message)
        }
        .boxed()
    })
    .await
}

/// A reminder to write again.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct RemindBody {
    pub conversation_id: i64,
    /// Made by the sender: a reminder that is sent twice under one number is sent once.
    pub client_msg_id: String,
}

/// `POST /chat/remind`: sends the account's template message to a customer who last wrote more than 48 hours ago.
pub async fn remind(cx: Arc<Ctx>, Body(body): Body<RemindBody>) -> Result<ChatMessageRow> {
    Check::new().text("clientMsgId", &body.client_msg_id, NUMBER).done()?;
    let access = access_of(&cx).await?;
    let staff_id = access.staff()?.id;
    let (cx, body, access) = (&*cx, &body, &access);
    feed::transact(&cx.app, cx.db(), cx.now, move |mut tx, events| {
        async move {
            let mut held = change::held(&mut tx, access, body.conversation_id).await?;
            if let Some(id) = conversations::message_by_number(&mut tx, held.id, ChatDirection::Out, &body.client_msg_id).await? {
                let message = send::written(&mut tx, access, id).await?;
                cx.keep_answer(&mut tx, &message).await?;
                return Ok(message);
            }
            let Some(wechat_id) = held.wechat_id else {
                return Err(ApiError::State(say("该客户不在微信", "The customer does not write by WeChat")));
            };
            let text = reminder(&mut tx, &held, wechat_id, cx.now).await?;
            send::take_to_answer(cx, &mut tx, access, &mut held, events).await?;
            let new = NewMessage {
                conversation_id: held.id,
                direction: ChatDirection::Out,
                kind: ChatMessageKind::Text,
                content: &text,
                keys: Some(&cx.app.keys),
                file_id: None,
                staff_id: Some(staff_id),
                reply_id: None,
                is_template: true,
                client_msg_id: &body.client_msg_id,
                at: cx.now,
            };
            let id = write::append(&mut tx, &held, &new, events).await?.ok_or(ApiError::Missing)?;
            events.push(write::changed(&held));
            let message = send::written(&mut tx, access, id).await?;
            cx.keep_answer(&mut tx, &message).await?;
            Ok(message)
        }
        .boxed()
    })
    .await
}

/// The text of the reminder. Refused within the 48 hours, and if the customer got one since they last wrote.
async fn reminder(tx: &mut Connection, held: &Held, wechat_id: i64, now: i64) -> Result<String> {
    let row = sqlx::query(
        "SELECT w.template_id, w.template_text, w.status, k.last_inbound_at, \
           (SELECT COUNT(*) FROM chat_wechat_send s WHERE s.customer_id = k.id AND s.template = 1 AND s.state <> 'failed' \
             AND s.at >= COALESCE(k.last_inbound_at, 0)) AS reminders \
         FROM chat_wechat w JOIN chat_customer k ON k.id = $1 WHERE w.id = $2",
    )
    .bind(held.customer_id)
    .bind(wechat_id)
    .fetch_one(tx)
    .await?;
    if row.try_get::<&str, _>("template_id")?.is_empty() || db::code::<UseStatus>(&row, "status")? != UseStatus::Enabled {
        return Err(ApiError::State(say("该公众号未启用或未设置模板消息", "The account is disabled or has no template message")));
    }
    if row.try_get::<Option<i64>, _>("last_inbound_at")?.is_some_and(|last| last + WINDOW > now) {
        return Err(ApiError::State(say("48 小时内请直接回复", "Within 48 hours, answer instead")));
    }
    if row.try_get::<i64, _>("reminders")? > 0 {
        return Err(ApiError::State(say("已提醒过该客户，请等待客户回复", "The customer was asked already. Wait for their message")));
    }
    Ok(row.try_get("template_text")?)
}

/// An answer that is checked before it is written.
#[derive(Clone, Copy, Debug)]
pub struct NewAnswer<'a> {
    pub content: &'a str,
    /// The media type of the file, and its bytes.
    pub file: Option<(&'a str, i64)>,
}

/// Refuses an answer that WeChat would not take: after the 48 hours, too long, or a file that is no picture of its kinds.
pub async fn check_answer(tx: &mut Connection, held: &Held, answer: NewAnswer<'_>, now: i64) -> Result<()> {
    if held.wechat_id.is_none() {
        return Ok(());
    }
    let last: Option<i64> =
        sqlx::query_scalar("SELECT last_inbound_at FROM chat_customer WHERE id = $1").bind(held.customer_id).fetch_one(tx).await?;
    if last.is_none_or(|last| last + WINDOW <= now) {
        return Err(ApiError::State(say(
            "客户最后一条消息已超过 48 小时，微信不再接收回复。客户再次发消息后即可回复",
            "The customer last wrote more than 48 hours ago, and WeChat takes no more answers until they write again",
        )));
    }
    match answer.file {
        Some((mime, size)) if !PICTURES.contains(&mime) || size as usize > api::LARGEST_PICTURE => Err(ApiError::field(
            "fileId",
            say("微信只能发送 10 MB 以内的 PNG、JPG 或 GIF 图片", "Only PNG, JPG or GIF pictures of at most 10 MB can be sent by WeChat"),
        )),
        // WeChat sends a picture or a text.
        Some(_) if !answer.content.is_empty() => {
            Err(ApiError::field("content", say("微信不能同时发送图片和文字，请分开发送", "Send the picture and the text apart by WeChat")))
        }
        None if answer.content.len() > LONGEST_TEXT => {
            Err(ApiError::field("content", say("微信消息最长 2048 字节（约 680 个汉字）", "A WeChat message has at most 2,048 bytes")))
        }
        _ => Ok(()),
    }
}
