//! One conversation: its row, its thread, and who had it before.

use std::sync::Arc;

use super::list::TARGET;
use super::model::{ChatThread, ConversationRow, MessagePage, RecordQuery, ThreadQuery};
use super::store;
use crate::access::audit::{self, AuditEntry};
use crate::api::{ApiError, Ctx, Id, Query, Result, say};
use crate::chat::customer::store as customers;
use crate::chat::seat::{Seat, seat_of};

/// Messages of a part of a thread, unless another number is asked for, and at most.
const PAGE: i64 = 50;
const MOST: i64 = 200;

/// `GET /chat/conversation/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ConversationRow> {
    let seat = seat_of(&cx).await?;
    store::find(cx.db().read(), &seat, id).await?.ok_or(ApiError::Missing)
}

/// `GET /chat/thread`: what the page of a conversation shows; nothing for the id 0, where none is chosen.
pub async fn thread(cx: Arc<Ctx>, Query(query): Query<ThreadQuery>) -> Result<Option<ChatThread>> {
    let id = query.id;
    if id == 0 {
        return Ok(None);
    }
    let seat = seat_of(&cx).await?;
    let conversation = store::find(cx.db().read(), &seat, id).await?.ok_or(ApiError::Missing)?;
    let messages = page_of(&cx, &seat, id, None, PAGE).await?;
    let viewer = cx.viewer()?;
    let customer = match viewer.has("chat/client/list") {
        true => customers::find(cx.db().read(), &seat.reveals, viewer.scope(), conversation.customer_id).await?,
        false => None,
    };
    let transfers = store::transfers(cx.db().read(), &seat, id).await?;
    Ok(Some(ChatThread { conversation, messages, customer, transfers }))
}

/// `GET /chat/getRecord`: a part of a thread.
pub async fn messages(cx: Arc<Ctx>, Query(query): Query<RecordQuery>) -> Result<MessagePage> {
    let seat = seat_of(&cx).await?;
    let id = query.conversation_id.ok_or_else(|| ApiError::field("conversationId", say("请选择会话", "Choose a conversation")))?;
    store::find(cx.db().read(), &seat, id).await?.ok_or(ApiError::Missing)?;
    page_of(&cx, &seat, id, query.before, query.limit.unwrap_or(PAGE).clamp(1, MOST)).await
}

async fn page_of(cx: &Ctx, seat: &Seat, id: i64, before: Option<i64>, limit: i64) -> Result<MessagePage> {
    let mut list = store::messages(cx.db().read(), seat, id, before, limit + 1).await?;
    let more = list.len() as i64 > limit;
    list.truncate(limit as usize);
    list.reverse();
    Ok(MessagePage { list, more })
}

/// `GET /chat/conversation/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}
