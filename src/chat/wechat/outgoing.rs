//! Messages that go out by WeChat: written with the message, sent by the worker, one after the other for each customer.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::store::{self, Account};
use super::{WINDOW, api};
use crate::api::{ApiError, App, Body, Check, Ctx, Result, say};
use crate::chat::codes::{ChatDirection, ChatMessageKind, DeliveryReason, DeliveryState};
use crate::chat::conversation::model::ChatMessageRow;
use crate::chat::conversation::store::{Held, NewMessage};
use crate::chat::conversation::{NUMBER, change, send, store as conversations, write};
use crate::chat::feed;
use crate::chat::seat::seat_of;
use crate::clock::MINUTE;
use crate::codes::UseStatus;
use crate::db::{self, Connection};
use crate::upload;

/// Bytes of a text that WeChat takes.
pub const LONGEST_TEXT: usize = 2048;
/// How long a node has for one message. After that it is not known whether it was sent.
const SENDING: i64 = MINUTE;
/// Tries of a message that cannot be sent, and the longest pause between two, in milliseconds.
const MOST_TRIES: i64 = 10;
const LONGEST_PAUSE: i64 = 5 * MINUTE;

/// Whether a message has arrived at WeChat, as threads show it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Delivery {
    pub state: DeliveryState,
    pub reason: Option<DeliveryReason>,
}

/// Has a message sent to the customer of a conversation.
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

/// Keeps a message from being sent; false where it may have been.
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

/// `POST /chat/resend`: sends a message again that was not sent, or of which that is not known.
pub async fn resend(cx: Arc<Ctx>, Body(body): Body<ResendBody>) -> Result<ChatMessageRow> {
    let seat = seat_of(&cx).await?;
    let staff_id = seat.staff()?.id;
    let (cx, body, seat) = (&*cx, &body, &seat);
    feed::transact(&cx.app, cx.db(), cx.now, move |mut tx, events| {
        async move {
            let message = send::written(&mut tx, seat, body.message_id).await?;
            let held = change::held(&mut tx, seat, message.conversation_id).await?;
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
            events.push(write::message_event(&held, message.id));
            let message = send::written(&mut tx, seat, message.id).await?;
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
    let seat = seat_of(&cx).await?;
    let staff_id = seat.staff()?.id;
    let (cx, body, seat) = (&*cx, &body, &seat);
    feed::transact(&cx.app, cx.db(), cx.now, move |mut tx, events| {
        async move {
            let mut held = change::held(&mut tx, seat, body.conversation_id).await?;
            if let Some(id) = conversations::message_by_number(&mut tx, held.id, ChatDirection::Out, &body.client_msg_id).await? {
                let message = send::written(&mut tx, seat, id).await?;
                cx.keep_answer(&mut tx, &message).await?;
                return Ok(message);
            }
            let Some(wechat_id) = held.wechat_id else {
                return Err(ApiError::State(say("该客户不在微信", "The customer does not write by WeChat")));
            };
            let row = sqlx::query("SELECT template_id, template_text FROM chat_wechat WHERE id = $1")
                .bind(wechat_id)
                .fetch_one(&mut **tx)
                .await?;
            if row.try_get::<&str, _>("template_id")?.is_empty() {
                return Err(ApiError::State(say("该公众号未设置模板消息", "The account has no template message")));
            }
            let text: String = row.try_get("template_text")?;
            send::take_to_answer(cx, &mut tx, seat, &mut held, events).await?;
            let new = NewMessage {
                conversation_id: held.id,
                direction: ChatDirection::Out,
                kind: ChatMessageKind::Text,
                content: &text,
                file_id: None,
                staff_id: Some(staff_id),
                reply_id: None,
                client_msg_id: &body.client_msg_id,
                at: cx.now,
            };
            // It is queued as a template message, not as an answer.
            let id = write::append_only(&mut tx, &held, &new, events).await?.ok_or(ApiError::Missing)?;
            queue(&mut tx, wechat_id, held.customer_id, id, true, cx.now).await?;
            events.push(write::changed(&held));
            let message = send::written(&mut tx, seat, id).await?;
            cx.keep_answer(&mut tx, &message).await?;
            Ok(message)
        }
        .boxed()
    })
    .await
}

/// Refuses an answer that WeChat would not take: after the 48 hours, too long, or a file that is no picture.
pub async fn check_answer(tx: &mut Connection, held: &Held, kind: ChatMessageKind, content: &str, now: i64) -> Result<()> {
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
    match kind {
        ChatMessageKind::File => Err(ApiError::field("fileId", say("微信只能发送图片", "Only pictures can be sent by WeChat"))),
        ChatMessageKind::Text if content.len() > LONGEST_TEXT => {
            Err(ApiError::field("content", say("微信消息最长 2048 字节（约 680 个汉字）", "A WeChat message has at most 2,048 bytes")))
        }
        _ => Ok(()),
    }
}

/// Messages that are due, the oldest first: of each customer the one whose turn it is.
pub async fn due(app: &App, limit: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar(
        "SELECT s.message_id FROM chat_wechat_send s WHERE s.state = 'waiting' AND s.due_at <= $1 AND NOT EXISTS (SELECT 1 FROM chat_wechat_send e \
         WHERE e.customer_id = s.customer_id AND e.message_id < s.message_id AND e.state IN ('waiting', 'sending')) ORDER BY s.due_at LIMIT $2",
    )
    .bind(app.clock.now())
    .bind(limit)
    .fetch_all(app.db.read())
    .await?)
}

/// Messages whose node has not come back with an outcome: they may have been sent.
pub async fn interrupted(app: &App, limit: i64) -> Result<Vec<i64>> {
    Ok(sqlx::query_scalar(
        "SELECT s.message_id FROM chat_wechat_send s WHERE s.state = 'sending' AND s.due_at <= $1 ORDER BY s.due_at LIMIT $2",
    )
    .bind(app.clock.now())
    .bind(limit)
    .fetch_all(app.db.read())
    .await?)
}

/// What is sent.
struct Outgoing {
    wechat_id: i64,
    openid: String,
    is_template: bool,
    attempts: i64,
    content: String,
    file_id: Option<i64>,
    client_msg_id: String,
}

/// Sends a message, if it is still due and no other node has it.
pub async fn deliver(app: &App, message_id: i64) -> Result<()> {
    let Some(outgoing) = claim(app, message_id).await? else { return Ok(()) };
    let Some(account) = store::account(app.db.read(), &app.keys, outgoing.wechat_id).await? else {
        return end(app, message_id, DeliveryState::Failed, Some(DeliveryReason::Disabled), "").await;
    };
    if account.status != UseStatus::Enabled {
        return end(app, message_id, DeliveryState::Failed, Some(DeliveryReason::Disabled), "").await;
    }
    let reply = match call(app, &account, &outgoing).await? {
        Ok(reply) => reply,
        Err(reason) => return end(app, message_id, DeliveryState::Failed, Some(reason), "").await,
    };
    if reply != api::Reply::Done(String::new()) {
        tracing::info!(message_id, wechat_id = outgoing.wechat_id, why = reply.why(), "chat: WeChat's answer to a message");
    }
    match reply {
        api::Reply::Done(their_id) => end(app, message_id, DeliveryState::Sent, None, &their_id).await,
        api::Reply::Refused(code, _) => end(app, message_id, DeliveryState::Failed, Some(reason_of(code)), "").await,
        api::Reply::Unknown(_) => end(app, message_id, DeliveryState::Unknown, Some(DeliveryReason::NoAnswer), "").await,
        api::Reply::NotSent(_) if outgoing.attempts >= MOST_TRIES => {
            end(app, message_id, DeliveryState::Failed, Some(DeliveryReason::Unreachable), "").await
        }
        api::Reply::NotSent(_) => retry(app, message_id, outgoing.attempts).await,
    }
}

/// What an error of WeChat means.
fn reason_of(code: i64) -> DeliveryReason {
    match code {
        45015 => DeliveryReason::Window,
        45047 => DeliveryReason::Count,
        43004 | 43019 => DeliveryReason::Unfollowed,
        45002 => DeliveryReason::TooLong,
        40004..=40009 => DeliveryReason::File,
        _ => DeliveryReason::Refused,
    }
}

async fn call(app: &App, account: &Account, outgoing: &Outgoing) -> Result<std::result::Result<api::Reply<String>, DeliveryReason>> {
    let Outgoing { openid, content, .. } = outgoing;
    let done = |reply: api::Reply<()>| match reply {
        api::Reply::Done(()) => api::Reply::Done(String::new()),
        api::Reply::Refused(code, why) => api::Reply::Refused(code, why),
        api::Reply::NotSent(why) => api::Reply::NotSent(why),
        api::Reply::Unknown(why) => api::Reply::Unknown(why),
    };
    if outgoing.is_template {
        return Ok(Ok(api::send_template(app, account, openid, content, &outgoing.client_msg_id).await?));
    }
    let Some(file_id) = outgoing.file_id else {
        return Ok(Ok(done(api::send_text(app, account, openid, content).await?)));
    };
    match upload::content(app, file_id, api::LARGEST_PICTURE).await {
        Ok((picture, mime)) => Ok(Ok(done(api::send_picture(app, account, openid, &picture, &mime).await?))),
        Err(ApiError::Missing | ApiError::TooLarge) => Ok(Err(DeliveryReason::File)),
        Err(error) => Err(error),
    }
}

async fn claim(app: &App, message_id: i64) -> Result<Option<Outgoing>> {
    let now = app.clock.now();
    app.db
        .transact(|mut tx| {
            async move {
                let claimed = sqlx::query(
                    "UPDATE chat_wechat_send SET state = 'sending', attempts = attempts + 1, due_at = $1 WHERE message_id = $2 AND state = 'waiting' \
                     AND due_at <= $3 AND NOT EXISTS (SELECT 1 FROM chat_wechat_send e WHERE e.customer_id = chat_wechat_send.customer_id \
                       AND e.message_id < chat_wechat_send.message_id AND e.state IN ('waiting', 'sending'))",
                )
                .bind(now + SENDING)
                .bind(message_id)
                .bind(now)
                .execute(&mut **tx)
                .await?;
                if claimed.rows_affected() == 0 {
                    return Ok(None);
                }
                let row = sqlx::query(
                    "SELECT s.wechat_id, s.template, s.attempts, f.openid, m.content, m.file_id, m.client_msg_id FROM chat_wechat_send s \
                     JOIN chat_wechat_follower f ON f.customer_id = s.customer_id JOIN chat_message m ON m.id = s.message_id WHERE s.message_id = $1",
                )
                .bind(message_id)
                .fetch_one(&mut **tx)
                .await?;
                Ok::<_, ApiError>(Some(Outgoing {
                    wechat_id: row.try_get("wechat_id")?,
                    openid: row.try_get("openid")?,
                    is_template: db::flag(&row, "template")?,
                    attempts: row.try_get("attempts")?,
                    content: row.try_get("content")?,
                    file_id: row.try_get("file_id")?,
                    client_msg_id: row.try_get("client_msg_id")?,
                }))
            }
            .boxed()
        })
        .await
}

async fn retry(app: &App, message_id: i64, attempts: i64) -> Result<()> {
    let now = app.clock.now();
    let due_at = now + LONGEST_PAUSE.min(1000 << attempts.clamp(0, 20));
    app.db
        .transact(|mut tx| {
            async move {
                sqlx::query("UPDATE chat_wechat_send SET state = 'waiting', due_at = $1 WHERE message_id = $2 AND state = 'sending'")
                    .bind(due_at)
                    .bind(message_id)
                    .execute(&mut **tx)
                    .await
                    .map(drop)
            }
            .boxed()
        })
        .await?;
    Ok(())
}

/// Stores the outcome of a message that is being sent, and shows it to open pages.
pub async fn end(app: &App, message_id: i64, state: DeliveryState, reason: Option<DeliveryReason>, their_id: &str) -> Result<()> {
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            let ended = sqlx::query(
                "UPDATE chat_wechat_send SET state = $1, reason = $2, their_id = $3 WHERE message_id = $4 AND state = 'sending'",
            )
            .bind(<&str>::from(state))
            .bind(reason.map_or("", <&str>::from))
            .bind(their_id)
            .bind(message_id)
            .execute(&mut **tx)
            .await?;
            if ended.rows_affected() == 1 {
                show(&mut tx, message_id, events).await?;
            }
            Ok(())
        }
        .boxed()
    })
    .await
}

/// Stores what WeChat reports of a template message.
pub async fn template_ended(app: &App, wechat_id: i64, their_id: &str, arrived: bool) -> Result<()> {
    if arrived {
        return Ok(());
    }
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            let failed: Option<i64> = sqlx::query_scalar(
                "UPDATE chat_wechat_send SET state = 'failed', reason = $1 WHERE wechat_id = $2 AND their_id = $3 AND state = 'sent' RETURNING message_id",
            )
            .bind(<&str>::from(DeliveryReason::Refused))
            .bind(wechat_id)
            .bind(their_id)
            .fetch_optional(&mut **tx)
            .await?;
            if let Some(message_id) = failed {
                show(&mut tx, message_id, events).await?;
            }
            Ok(())
        }
        .boxed()
    })
    .await
}

/// The event of a message whose delivery has changed.
pub async fn show(tx: &mut Connection, message_id: i64, events: &mut Vec<feed::NewEvent>) -> Result<()> {
    let conversation_id: i64 =
        sqlx::query_scalar("SELECT conversation_id FROM chat_message WHERE id = $1").bind(message_id).fetch_one(&mut *tx).await?;
    if let Some(held) = conversations::hold(tx, conversation_id).await? {
        events.push(write::message_event(&held, message_id));
    }
    Ok(())
}
