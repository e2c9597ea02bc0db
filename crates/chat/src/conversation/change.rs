//! Actions of staff on a conversation: take it, hand it over, put it off, set its urgency, close it and open it
//! again.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;
use sqlx::Row;

use super::list::TARGET;
use super::model::{CloseBody, ConversationKey, ConversationRow, PriorityBody, SnoozeBody, TransferBody};
use super::store::{self, Held};
use super::write;
use crate::Feed;
use crate::access::{ChatAccess, access_of, no_staff};
use crate::codes::ConversationStatus::{self, Queued, Resolved, Snoozed};
use crate::feed::NewEvent;
use crate::words::Words;
use crate::{assign, feed, targets};
use base::clock::DAY;
use base::crypto::place;
use base::db::{self, Connection, Db, Sql, Tx};
use base::form_limits;
use frame::access::audit::{self, Action, Target};
use frame::api::{ApiError, Body, Check, Ctx, Result, say};

/// How far ahead a conversation is put off, at most.
const SNOOZE_WITHIN: i64 = 30 * DAY;

form_limits! {
    /// Of a conversation.
    conversation {
        CLOSE_NOTE: usize = 500,
        TRANSFER_NOTE: usize = 200,
    }
}

/// A conversation that a viewer may see, held until the transaction ends.
pub async fn held(tx: &mut Connection, access: &ChatAccess, id: i64) -> Result<Held> {
    let held = store::hold(tx, id).await?.ok_or(ApiError::Missing)?;
    match store::find(tx, access, id).await? {
        Some(_) => Ok(held),
        None => Err(ApiError::Missing),
    }
}

/// Assigns a conversation to the viewer.
pub async fn take(tx: &mut Connection, access: &ChatAccess, held: &mut Held, events: &mut Vec<NewEvent>, now: i64) -> Result<()> {
    let staff = access.staff()?;
    // Locked, so that a member of the staff who is being disabled gets no conversation.
    let mut sql = Sql::new("SELECT s.id FROM chat_staff s WHERE s.status = 'enabled' AND s.deleted_at IS NULL AND s.id = ");
    sql.bind(staff.id);
    tx.hold(&mut sql, "s");
    if sql.fetch_optional(&mut *tx).await?.is_none() {
        return Err(no_staff());
    }
    // On this event the page of the previous member of the staff removes the conversation.
    events.push(write::changed(held));
    assign::give(tx, held, staff.id, now).await?;
    write::system(tx, held, &json!({"event": "taken", "staff": staff.nickname}), events, now).await?;
    events.push(write::changed(held));
    Ok(())
}

type Step<'t> = BoxFuture<'t, Result<()>>;

/// Runs `step` on a conversation in a transaction, with an entry in the audit trail. Returns the changed conversation.
async fn change(
    cx: &Ctx,
    id: i64,
    step: impl for<'t> Fn(&'t Ctx, &'t mut Tx, &'t ChatAccess, &'t mut Held, &'t mut Vec<NewEvent>) -> Step<'t> + Sync,
) -> Result<ConversationRow> {
    let access = access_of(cx).await?;
    access.staff()?;
    let (access, step) = (&access, &step);
    let row = feed::transact(&cx.app, cx.db(), cx.now, move |mut tx, events| {
        async move {
            let mut held = held(&mut tx, access, id).await?;
            let before = store::find(&mut **tx, access, id).await?;
            step(cx, &mut tx, access, &mut held, events).await?;
            events.push(write::changed(&held));
            // The viewer may have given the conversation away, and not see it any more.
            let all = ChatAccess { sees_all: true, ..access.clone() };
            let after = store::find(&mut **tx, &all, id).await?.ok_or(ApiError::Missing)?;
            let mut changes = audit::changes(before.as_ref(), Some(&after));
            changes.retain(|change| KEPT.contains(&change.field.as_str()));
            if !changes.is_empty() {
                let target = Target { id: Some(id), ..TARGET };
                audit::record(&mut tx, &cx.actor()?, target, Action::Update, &changes).await?;
            }
            cx.keep_answer(&mut tx, &after).await?;
            Ok::<_, ApiError>(after)
        }
        .boxed()
    })
    .await?;
    cx.app.service::<Feed>().work.notify_one();
    Ok(row)
}

/// The fields that the audit trail records. Free text is left out, because it is erased with the customer.
const KEPT: &[&str] = &["groupName", "staffName", "status", "priority", "snoozedUntil"];

fn is_closed() -> ApiError {
    ApiError::State(say("会话已结束", "The conversation is closed"))
}

/// `POST /chat/take`: assigns a conversation without staff to the viewer. To take one from another member of the staff,
/// the viewer needs the permission to assign.
pub async fn take_over(cx: Arc<Ctx>, Body(body): Body<ConversationKey>) -> Result<ConversationRow> {
    change(&cx, body.conversation_id, |cx, tx, access, held, events| {
        async move {
            match held.staff_id {
                _ if held.status == Resolved => Err(is_closed()),
                Some(id) if id == access.staff_id() && held.status != Snoozed => {
                    Err(ApiError::State(say("该会话已由您接待", "You already have this conversation")))
                }
                Some(id) if id != access.staff_id() && !access.assigns => Err(ApiError::Forbidden),
                _ => take(tx, access, held, events, cx.now).await,
            }
        }
        .boxed()
    })
    .await
}

/// `POST /chat/transfer`: to a member of the staff, or to the queue of a group.
pub async fn transfer(cx: Arc<Ctx>, Body(body): Body<TransferBody>) -> Result<ConversationRow> {
    Check::new().text("note", body.note.trim(), 0..=TRANSFER_NOTE).done()?;
    if body.staff_id.is_some() == body.group_id.is_some() {
        return Err(ApiError::field("staffId", say("请选择客服或分组之一", "Choose either an agent or a group")));
    }
    change(&cx, body.conversation_id, move |cx, tx, access, held, events| {
        let body = body.clone();
        async move {
            may_handle(access, held)?;
            let staff = access.staff()?;
            events.push(write::changed(held));
            let (from_group, from_staff) = (held.group_id, held.staff_id);
            // No member of the staff is disabled meanwhile.
            cx.db().lock(tx, assign::LOCK).await?;
            let to = target(tx, held, &body).await?;
            if (to.group_id, to.staff_id) == (from_group, from_staff) {
                return Err(ApiError::State(say("该会话已在此处", "The conversation is already there")));
            }
            held.group_id = to.group_id;
            held.staff_id = to.staff_id;
            held.status = if to.staff_id.is_some() { ConversationStatus::Open } else { Queued };
            sqlx::query(
                "UPDATE chat_conversation SET group_id = $1, staff_id = $2, status = $3, snoozed_until = NULL, version = version + 1, updated_at = $4 \
                 WHERE id = $5",
            )
            .bind(held.group_id)
            .bind(held.staff_id)
            .bind(<&str>::from(held.status))
            .bind(cx.now)
            .bind(held.id)
            .execute(&mut **tx)
            .await?;
            let note = Words::of(&cx.app.keys, &store::transfer_place(held.id, cx.now), body.note.trim());
            sqlx::query(
                "INSERT INTO chat_transfer (conversation_id, from_group_id, from_staff_id, to_group_id, to_staff_id, note, note_enc, by_staff_id, at) \
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
            )
            .bind(held.id)
            .bind(from_group)
            .bind(from_staff)
            .bind(held.group_id)
            .bind(held.staff_id)
            .bind(note.shown)
            .bind(note.sealed)
            .bind(staff.id)
            .bind(cx.now)
            .execute(&mut **tx)
            .await?;
            let content = json!({"event": "transferred", "staff": staff.nickname, "to": to.name, "note": body.note.trim()});
            write::system_with_note(tx, Some(&cx.app.keys), held, &content, events, cx.now).await?;
            if held.staff_id.is_none() {
                assign::assign(cx.db(), tx, held, events, cx.now).await?;
            }
            Ok(())
        }
        .boxed()
    })
    .await
}

/// The recipient of a transfer.
struct Recipient {
    group_id: i64,
    staff_id: Option<i64>,
    name: String,
}

/// The recipient of a transfer. For a member of the staff who is not in the conversation's group, the conversation
/// moves to one of their groups.
async fn target(tx: &mut Connection, held: &Held, body: &TransferBody) -> Result<Recipient> {
    if let Some(group_id) = body.group_id {
        let mut sql = Sql::new("SELECT g.name FROM chat_group g WHERE g.status = 'enabled' AND g.deleted_at IS NULL AND g.id = ");
        sql.bind(group_id);
        let none = || ApiError::field("groupId", say("请选择启用的分组", "Choose an enabled group"));
        let name = sql.fetch_optional(tx).await?.ok_or_else(none)?.try_get("name")?;
        return Ok(Recipient { group_id, staff_id: None, name });
    }
    let mut sql = Sql::new(
        "SELECT s.nickname, m.group_id FROM chat_staff s JOIN chat_staff_group m ON m.staff_id = s.id JOIN chat_group g ON g.id = m.group_id \
         WHERE s.status = 'enabled' AND s.deleted_at IS NULL AND g.deleted_at IS NULL AND s.id = ",
    );
    sql.bind(body.staff_id.unwrap_or_default()).push(" ORDER BY CASE WHEN m.group_id = ").bind(held.group_id);
    sql.push(" THEN 0 ELSE 1 END, m.group_id LIMIT 1");
    let none = || ApiError::field("staffId", say("请选择启用的客服", "Choose an enabled agent"));
    let row = sql.fetch_optional(tx).await?.ok_or_else(none)?;
    Ok(Recipient { group_id: row.try_get("group_id")?, staff_id: body.staff_id, name: row.try_get("nickname")? })
}

/// Refuses viewers who may not handle a conversation: those who neither have it nor the permission to assign, unless no
/// member of the staff has it.
fn may_handle(access: &ChatAccess, held: &Held) -> Result<()> {
    match held.staff_id {
        _ if held.status == Resolved => Err(is_closed()),
        Some(id) if id != access.staff_id() && !access.assigns => {
            Err(ApiError::State(say("该会话由其他客服接待", "Another agent has this conversation")))
        }
        _ => Ok(()),
    }
}

/// Why a conversation goes back to the queue without a transfer by a member of the staff.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr, strum::EnumString)]
#[strum(serialize_all = "snake_case")]
pub enum RequeueReason {
    /// The member of the staff is offline while the customer waits.
    Offline,
    /// The record of the member of the staff is disabled, for example with the account.
    Disabled,
}

/// Takes a locked conversation from its member of the staff: it joins the queue of its group and is assigned to
/// another one who is available. The customer's waiting time and the unread count stay.
pub async fn requeue(
    db: &Db,
    tx: &mut Tx,
    held: &mut Held,
    reason: RequeueReason,
    events: &mut Vec<NewEvent>,
    now: i64,
) -> std::result::Result<(), sqlx::Error> {
    let names = sqlx::query("SELECT g.name, s.nickname FROM chat_group g LEFT JOIN chat_staff s ON s.id = $1 WHERE g.id = $2")
        .bind(held.staff_id)
        .bind(held.group_id)
        .fetch_one(&mut **tx)
        .await?;
    let (group, staff): (String, Option<String>) = (names.try_get("name")?, names.try_get("nickname")?);
    // On this event the page of the previous member of the staff removes the conversation.
    events.push(write::changed(held));
    held.staff_id = None;
    held.status = Queued;
    sqlx::query(
        "UPDATE chat_conversation SET staff_id = NULL, status = 'queued', snoozed_until = NULL, version = version + 1, updated_at = $1 WHERE id = $2",
    )
    .bind(now)
    .bind(held.id)
    .execute(&mut **tx)
    .await?;
    let content = json!({"event": "transferred", "staff": staff, "to": group, "note": "", "reason": <&str>::from(reason)});
    write::system(tx, held, &content, events, now).await?;
    events.push(write::changed(held));
    assign::assign(db, tx, held, events, now).await.map(drop)
}

/// `POST /chat/snooze`.
pub async fn snooze(cx: Arc<Ctx>, Body(body): Body<SnoozeBody>) -> Result<ConversationRow> {
    let until = body.until;
    Check::new()
        .that("until", until > cx.now && until <= cx.now + SNOOZE_WITHIN, say("请选择30天内的时间", "Choose a time within 30 days"))
        .done()?;
    change(&cx, body.conversation_id, move |cx, tx, access, held, events| {
        async move {
            may_handle(access, held)?;
            if held.staff_id.is_none() {
                take(tx, access, held, events, cx.now).await?;
            }
            held.status = Snoozed;
            sqlx::query(
                "UPDATE chat_conversation SET status = 'snoozed', snoozed_until = $1, version = version + 1, updated_at = $2 WHERE id = $3",
            )
            .bind(until)
            .bind(cx.now)
            .bind(held.id)
            .execute(&mut **tx)
            .await?;
            write::system(tx, held, &json!({"event": "snoozed", "staff": access.staff()?.nickname, "until": until}), events, cx.now)
                .await?;
            Ok(())
        }
        .boxed()
    })
    .await
}

/// `POST /chat/priority`.
pub async fn set_priority(cx: Arc<Ctx>, Body(body): Body<PriorityBody>) -> Result<ConversationRow> {
    Check::new().range("priority", body.priority, 0..=3).done()?;
    let priority = body.priority;
    change(&cx, body.conversation_id, move |cx, tx, access, held, _| {
        async move {
            may_handle(access, held)?;
            sqlx::query("UPDATE chat_conversation SET priority = $1, version = version + 1, updated_at = $2 WHERE id = $3")
                .bind(priority)
                .bind(cx.now)
                .bind(held.id)
                .execute(&mut **tx)
                .await?;
            Ok(())
        }
        .boxed()
    })
    .await
}

/// `POST /chat/close`.
pub async fn close(cx: Arc<Ctx>, Body(body): Body<CloseBody>) -> Result<ConversationRow> {
    Check::new().text("note", body.note.trim(), 0..=CLOSE_NOTE).done()?;
    let note = body.note.trim().to_owned();
    change(&cx, body.conversation_id, move |cx, tx, access, held, events| {
        let note = note.clone();
        async move {
            may_handle(access, held)?;
            let staff = access.staff()?;
            end(tx, held, Some((staff.id, Words::of(&cx.app.keys, &place::CHAT_CLOSE_NOTE.of(held.id), &note))), cx.now).await?;
            let content = json!({"event": "closed", "staff": staff.nickname, "note": note});
            write::system_with_note(tx, Some(&cx.app.keys), held, &content, events, cx.now).await?;
            Ok(())
        }
        .boxed()
    })
    .await
}

/// Ends a conversation, by a member of the staff with a note or for idleness.
pub async fn end(tx: &mut Connection, held: &mut Held, by: Option<(i64, Words)>, now: i64) -> sqlx::Result<()> {
    held.status = Resolved;
    let (staff_id, note) = by.map_or((None, Words::default()), |(staff_id, note)| (Some(staff_id), note));
    sqlx::query(
        "UPDATE chat_conversation SET status = 'resolved', closed_at = $1, closed_by = $2, close_note = $3, close_note_enc = $4, waiting_since = NULL, \
           unread = 0, snoozed_until = NULL, version = version + 1, updated_at = $5 WHERE id = $6",
    )
    .bind(now)
    .bind(staff_id)
    .bind(note.shown)
    .bind(note.sealed)
    .bind(now)
    .bind(held.id)
    .execute(tx)
    .await
    .map(drop)
}

/// `POST /chat/reopen`: a closed conversation becomes the viewer's, unless the customer has a newer one.
pub async fn reopen(cx: Arc<Ctx>, Body(body): Body<ConversationKey>) -> Result<ConversationRow> {
    let reopened = change(&cx, body.conversation_id, |cx, tx, access, held, events| {
        async move {
            if held.status != Resolved {
                return Err(ApiError::State(say("会话未结束", "The conversation is not closed")));
            }
            sqlx::query(
                "UPDATE chat_conversation SET closed_at = NULL, closed_by = NULL, close_note = '', close_note_enc = NULL WHERE id = $1",
            )
            .bind(held.id)
            .execute(&mut **tx)
            .await?;
            targets::set(tx, held.id, cx.now).await?;
            take(tx, access, held, events, cx.now).await
        }
        .boxed()
    })
    .await;
    match reopened {
        Err(ApiError::Internal(cause)) if cause.downcast_ref().is_some_and(db::is_duplicate) => {
            Err(ApiError::State(say("该客户已有进行中的会话", "The customer already has an open conversation")))
        }
        other => other,
    }
}
