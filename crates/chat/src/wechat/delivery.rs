//! The delivery of messages to WeChat. One node claims a message, one at a time for each customer. An outcome is stored
//! only for the claim that it belongs to.

use std::time::Duration;

use futures_util::FutureExt;
use sqlx::Row;

use super::outgoing::LONGEST_TEXT;
use super::store;
use super::{WINDOW, api};
use crate::codes::{ChatDirection, DeliveryReason, DeliveryState};
use crate::conversation::store::Held;
use crate::conversation::{store as conversations, write};
use crate::feed::{self, NewEvent};
use crate::words::Reveals;
use base::clock::MINUTE;
use base::codes::UseStatus;
use base::db::{self, Connection};
use frame::api::{ApiError, App, Result};
use frame::upload;

/// How long a node has for one message. After that it is not known whether it was sent.
const SENDING: i64 = 3 * MINUTE;
/// Tries of a message that cannot be sent, and the longest pause between two, in milliseconds.
const MOST_TRIES: i64 = 10;
const LONGEST_PAUSE: i64 = 5 * MINUTE;
/// How often the write of an outcome is tried, and the pause between tries.
const WRITES: u32 = 30;
const WRITE_PAUSE: Duration = Duration::from_secs(2);

/// Messages that are due, the oldest first. For each customer only the first unsent message.
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

/// Marks messages whose node has reported no outcome in time as unknown: they may have been sent.
pub async fn mark_interrupted(app: &App, limit: i64) -> Result<()> {
    let rows = sqlx::query(
        "SELECT s.message_id, s.claim FROM chat_wechat_send s WHERE s.state = 'sending' AND s.due_at <= $1 ORDER BY s.due_at LIMIT $2",
    )
    .bind(app.clock.now())
    .bind(limit)
    .fetch_all(app.db.read())
    .await?;
    for row in rows {
        let outcome = Outcome::of(DeliveryState::Unknown, DeliveryReason::Interrupted);
        end(app, row.try_get("message_id")?, row.try_get("claim")?, &outcome).await?;
    }
    Ok(())
}

/// After the database was restored from a backup: marks all waiting and unfinished messages as unknown, because they
/// may have been sent since. Staff send them again; their conversations count as waiting. Returns how many there are.
pub async fn mark_restored(tx: &mut Connection, now: i64) -> sqlx::Result<u64> {
    let marked =
        sqlx::query("UPDATE chat_wechat_send SET state = 'unknown', reason = $1, due_at = $2 WHERE state IN ('waiting', 'sending')")
            .bind(<&str>::from(DeliveryReason::Restored))
            .bind(now)
            .execute(&mut *tx)
            .await?;
    sqlx::query(
        "UPDATE chat_conversation SET waiting_since = COALESCE(waiting_since, $1), version = version + 1, updated_at = $2 \
         WHERE status <> 'resolved' AND id IN (SELECT m.conversation_id FROM chat_wechat_send s JOIN chat_message m ON m.id = s.message_id \
           WHERE s.state = 'unknown' AND s.reason = $3 AND s.due_at = $4 AND m.staff_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM chat_message l \
             WHERE l.conversation_id = m.conversation_id AND l.id > m.id AND l.direction = 'out' AND l.staff_id IS NOT NULL))",
    )
    .bind(now)
    .bind(now)
    .bind(<&str>::from(DeliveryReason::Restored))
    .bind(now)
    .execute(tx)
    .await?;
    Ok(marked.rows_affected())
}

/// A message that this node sends.
struct Claimed {
    message_id: i64,
    claim: i64,
    wechat_id: i64,
    openid: String,
    is_template: bool,
    attempts: i64,
    content: String,
    is_automatic: bool,
    file_id: Option<i64>,
    client_msg_id: String,
    /// Until when the customer can be answered.
    reply_until: i64,
}

/// The outcome of a delivery.
struct Outcome {
    state: DeliveryState,
    reason: Option<DeliveryReason>,
    /// WeChat's number of a template message.
    their_id: String,
}

impl Outcome {
    fn of(state: DeliveryState, reason: DeliveryReason) -> Outcome {
        Outcome { state, reason: Some(reason), their_id: String::new() }
    }
}

/// Sends a message. Returns false where it is not due any more or another node has it.
pub async fn deliver(app: &App, message_id: i64) -> Result<bool> {
    let Some(claimed) = claim(app, message_id).await? else { return Ok(false) };
    let now = app.clock.now();
    let failed = |reason| Outcome::of(DeliveryState::Failed, reason);
    let outcome = match call(app, &claimed).await {
        Ok(Err(reason)) => failed(reason),
        Ok(Ok(api::Reply::Done(their_id))) => Outcome { state: DeliveryState::Sent, reason: None, their_id },
        Ok(Ok(reply)) => {
            tracing::info!(message_id, wechat_id = claimed.wechat_id, why = reply.why(), "chat: WeChat did not take a message");
            match reply {
                api::Reply::Refused(code, _) => failed(reason_of(code, claimed.reply_until > now)),
                api::Reply::NotSent(_) if claimed.attempts < MOST_TRIES => return retry(app, &claimed).await.map(|()| true),
                api::Reply::NotSent(_) => failed(DeliveryReason::Unreachable),
                _ => Outcome::of(DeliveryState::Unknown, DeliveryReason::NoAnswer),
            }
        }
        // Errors of our own occur before a message is sent.
        Err(error) if claimed.attempts < MOST_TRIES => {
            tracing::warn!(message_id, ?error, "chat: a message could not be sent");
            return retry(app, &claimed).await.map(|()| true);
        }
        Err(_) => failed(DeliveryReason::Unreachable),
    };
    // Without a written outcome the message would end as not confirmed.
    let mut written = end(app, message_id, claimed.claim, &outcome).await;
    for _ in 1..WRITES {
        let Err(error) = &written else { break };
        tracing::warn!(message_id, ?error, "chat: the outcome of a message is written again");
        tokio::time::sleep(WRITE_PAUSE).await;
        written = end(app, message_id, claimed.claim, &outcome).await;
    }
    written.map(|()| true)
}

/// What an error of WeChat means. 45015 says that the time to answer is over or that the customer has left.
fn reason_of(code: i64, is_in_time: bool) -> DeliveryReason {
    match code {
        45015 if !is_in_time => DeliveryReason::Window,
        45015 | 43004 | 43019 => DeliveryReason::Unfollowed,
        45047 => DeliveryReason::Count,
        45002 => DeliveryReason::TooLong,
        40004..=40009 => DeliveryReason::File,
        _ => DeliveryReason::Refused,
    }
}

async fn call(app: &App, claimed: &Claimed) -> Result<std::result::Result<api::Reply<String>, DeliveryReason>> {
    let account = store::account(app.db.read(), &app.keys, claimed.wechat_id).await?;
    let Some(account) = account.filter(|account| account.status == UseStatus::Enabled) else { return Ok(Err(DeliveryReason::Disabled)) };
    let Claimed { openid, content, .. } = claimed;
    if claimed.is_template {
        return Ok(Ok(api::send_template(app, &account, openid, content, &claimed.client_msg_id).await?));
    }
    let Some(file_id) = claimed.file_id else {
        // An automatic reply may be longer than WeChat allows.
        let text = if claimed.is_automatic { beginning(content, LONGEST_TEXT) } else { content };
        return Ok(Ok(api::send_text(app, &account, openid, text).await?));
    };
    match upload::content(app, file_id, api::LARGEST_PICTURE).await {
        Ok((picture, mime)) => Ok(Ok(api::send_picture(app, &account, openid, &picture, &mime).await?)),
        Err(ApiError::Missing | ApiError::TooLarge) => Ok(Err(DeliveryReason::File)),
        Err(error) => Err(error),
    }
}

/// The longest beginning of a text that fits into so many bytes.
pub fn beginning(text: &str, bytes: usize) -> &str {
    &text[..text.floor_char_boundary(bytes)]
}

async fn claim(app: &App, message_id: i64) -> Result<Option<Claimed>> {
    let now = app.clock.now();
    app.db
        .transact(|mut tx| {
            async move {
                let claimed = sqlx::query(
                    "UPDATE chat_wechat_send SET state = 'sending', attempts = attempts + 1, claim = claim + 1, due_at = $1, at = $2 \
                     WHERE message_id = $3 AND state = 'waiting' AND due_at <= $4 AND NOT EXISTS (SELECT 1 FROM chat_wechat_send e \
                       WHERE e.customer_id = chat_wechat_send.customer_id AND e.message_id < chat_wechat_send.message_id \
                       AND e.state IN ('waiting', 'sending'))",
                )
                .bind(now + SENDING)
                .bind(now)
                .bind(message_id)
                .bind(now)
                .execute(&mut **tx)
                .await?;
                if claimed.rows_affected() == 0 {
                    return Ok(None);
                }
                let row = sqlx::query(
                    "SELECT s.claim, s.wechat_id, s.template, s.attempts, f.openid, m.content, m.content_enc, m.conversation_id, m.file_id, m.client_msg_id, k.last_inbound_at, \
                       CASE WHEN m.staff_id IS NULL THEN 1 ELSE 0 END AS automatic FROM chat_wechat_send s \
                     JOIN chat_wechat_follower f ON f.customer_id = s.customer_id JOIN chat_customer k ON k.id = s.customer_id \
                     JOIN chat_message m ON m.id = s.message_id WHERE s.message_id = $1",
                )
                .bind(message_id)
                .fetch_one(&mut **tx)
                .await?;
                let (conversation_id, client_msg_id): (i64, String) = (row.try_get("conversation_id")?, row.try_get("client_msg_id")?);
                Ok::<_, ApiError>(Some(Claimed {
                    message_id,
                    claim: row.try_get("claim")?,
                    wechat_id: row.try_get("wechat_id")?,
                    openid: row.try_get("openid")?,
                    is_template: db::flag(&row, "template")?,
                    attempts: row.try_get("attempts")?,
                    content: Reveals::with(&app.keys).text(&row, "content", || {
                        conversations::message_place(conversation_id, ChatDirection::Out, &client_msg_id)
                    })?,
                    is_automatic: db::flag(&row, "automatic")?,
                    file_id: row.try_get("file_id")?,
                    client_msg_id,
                    reply_until: row.try_get::<Option<i64>, _>("last_inbound_at")?.unwrap_or_default() + WINDOW,
                }))
            }
            .boxed()
        })
        .await
}

/// Schedules another try of a message, and shows open pages that it is waiting: until then it can be recalled.
async fn retry(app: &App, claimed: &Claimed) -> Result<()> {
    let now = app.clock.now();
    let due_at = now + LONGEST_PAUSE.min(1000 << claimed.attempts.clamp(0, 20));
    let (message_id, claim) = (claimed.message_id, claimed.claim);
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            // Locks the conversation before the delivery, as a recall does.
            let held = conversations::hold_of_message(&mut tx, message_id).await?;
            let waits = sqlx::query(
                "UPDATE chat_wechat_send SET state = 'waiting', due_at = $1 WHERE message_id = $2 AND claim = $3 AND state = 'sending'",
            )
            .bind(due_at)
            .bind(message_id)
            .bind(claim)
            .execute(&mut **tx)
            .await?;
            if let (1, Some(held)) = (waits.rows_affected(), held) {
                events.push(write::message_event(&held, message_id));
            }
            Ok(())
        }
        .boxed()
    })
    .await
}

/// Stores the outcome of a claim, even if it was marked as interrupted, and shows it on open pages.
async fn end(app: &App, message_id: i64, claim: i64, outcome: &Outcome) -> Result<()> {
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            // Locks the conversation before the delivery, as a resend or recall does.
            let held = conversations::hold_of_message(&mut tx, message_id).await?;
            let ended = sqlx::query(
                "UPDATE chat_wechat_send SET state = $1, reason = $2, their_id = $3 WHERE message_id = $4 AND claim = $5 \
                 AND (state = 'sending' OR (state = 'unknown' AND reason = 'interrupted'))",
            )
            .bind(<&str>::from(outcome.state))
            .bind(outcome.reason.map_or("", <&str>::from))
            .bind(&outcome.their_id)
            .bind(message_id)
            .bind(claim)
            .execute(&mut **tx)
            .await?;
            match (ended.rows_affected(), held) {
                (1, Some(held)) => show(&mut tx, &held, message_id, outcome.state, events, now).await,
                _ => Ok(()),
            }
        }
        .boxed()
    })
    .await
}

/// Stores what WeChat reports of a template message: it may come before the answer to the call.
pub async fn template_ended(app: &App, wechat_id: i64, openid: &str, their_id: &str, arrived: bool) -> Result<()> {
    if arrived {
        return Ok(());
    }
    let now = app.clock.now();
    feed::transact(app, &app.db, now, move |mut tx, events| {
        async move {
            let found: Option<i64> = sqlx::query_scalar(
                "SELECT s.message_id FROM chat_wechat_send s JOIN chat_wechat_follower f ON f.customer_id = s.customer_id \
                 WHERE f.wechat_id = $1 AND f.openid = $2 AND s.template = 1 AND (s.state = 'sending' OR (s.state IN ('sent', 'unknown') AND s.their_id = $3)) \
                 ORDER BY s.message_id DESC LIMIT 1",
            )
            .bind(wechat_id)
            .bind(openid)
            .bind(their_id)
            .fetch_optional(&mut **tx)
            .await?;
            let Some(message_id) = found else { return Ok(()) };
            // Locks the conversation before the delivery, as a resend or recall does.
            let held = conversations::hold_of_message(&mut tx, message_id).await?;
            sqlx::query("UPDATE chat_wechat_send SET state = 'failed', reason = $1 WHERE message_id = $2")
                .bind(<&str>::from(DeliveryReason::Refused))
                .bind(message_id)
                .execute(&mut **tx)
                .await?;
            match held {
                Some(held) => show(&mut tx, &held, message_id, DeliveryState::Failed, events, now).await,
                None => Ok(()),
            }
        }
        .boxed()
    })
    .await
}

/// The events of a message whose delivery has ended. Where the last answer of staff did not arrive, the customer waits again.
async fn show(tx: &mut Connection, held: &Held, message_id: i64, state: DeliveryState, events: &mut Vec<NewEvent>, now: i64) -> Result<()> {
    events.push(write::message_event(held, message_id));
    if matches!(state, DeliveryState::Failed | DeliveryState::Unknown) {
        let waits = sqlx::query(
            "UPDATE chat_conversation SET waiting_since = COALESCE(waiting_since, $1), version = version + 1, updated_at = $2 \
             WHERE id = $3 AND status <> 'resolved' AND EXISTS (SELECT 1 FROM chat_message m WHERE m.id = $4 AND m.staff_id IS NOT NULL) \
             AND NOT EXISTS (SELECT 1 FROM chat_message l WHERE l.conversation_id = $5 AND l.id > $6 AND l.direction = 'out' AND l.staff_id IS NOT NULL)",
        )
        .bind(now)
        .bind(now)
        .bind(held.id)
        .bind(message_id)
        .bind(held.id)
        .bind(message_id)
        .execute(&mut *tx)
        .await?;
        if waits.rows_affected() == 1 {
            events.push(write::changed(held));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_wechat_means_what_the_window_says() {
        assert_eq!(reason_of(45015, true), DeliveryReason::Unfollowed);
        assert_eq!(reason_of(45015, false), DeliveryReason::Window);
        assert_eq!(reason_of(45047, true), DeliveryReason::Count);
        assert_eq!(reason_of(48001, true), DeliveryReason::Refused);
    }

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(beginning("长长", 5), "长");
        assert_eq!(beginning("ab", 5), "ab");
    }
}
