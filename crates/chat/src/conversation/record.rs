//! One conversation: its row, its thread, and who had it before.

use std::sync::Arc;

use super::list::TARGET;
use super::model::{ChatThread, ConversationRow, MessagePage, RecordQuery, RevealQuery, ThreadQuery, WholeText, WholeTexts};
use super::store;
use crate::access::{ChatAccess, access_of};
use crate::codes::{ChatDirection, PhoneState};
use crate::customer::store as customers;
use crate::words::{self, Reveals};
use frame::access::audit::{self, AuditEntry};
use frame::api::{ApiError, Ctx, Id, IdQuery, Query, Result, say};
use frame::reveal;

/// The default number of messages of a part of a thread, and the most.
const PAGE: i64 = 50;
const MOST: i64 = 200;
/// The most messages whose whole texts one call reveals.
const MOST_REVEALED: i64 = 500;

/// `GET /chat/conversation/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ConversationRow> {
    let access = access_of(&cx).await?;
    store::find(cx.db().read(), &access, id).await?.ok_or(ApiError::Missing)
}

/// `GET /chat/thread`: the data of a conversation's page; none for the id 0, which means that no conversation is
/// chosen.
pub async fn thread(cx: Arc<Ctx>, Query(query): Query<ThreadQuery>) -> Result<Option<ChatThread>> {
    let id = query.id;
    if id == 0 {
        return Ok(None);
    }
    let access = access_of(&cx).await?;
    let conversation = store::find(cx.db().read(), &access, id).await?.ok_or(ApiError::Missing)?;
    let messages = page_of(&cx, &access, id, None, PAGE).await?;
    let viewer = cx.viewer()?;
    let customer = match viewer.has("chat/client/list") {
        true => customers::find(cx.db().read(), &access.reveals, viewer.scope(), conversation.customer_id).await?,
        false => None,
    };
    let transfers = store::transfers(cx.db().read(), &access, id).await?;
    Ok(Some(ChatThread { conversation, messages, customer, transfers }))
}

/// The latest applicant with the phone number of a conversation's customer, and whether a code has proved the number; for a viewer who
/// sees conversation and customer.
pub async fn applicant_of(cx: &Ctx, id: i64) -> Result<Option<(i64, bool)>> {
    let (access, viewer) = (access_of(cx).await?, cx.viewer()?);
    let conversation = store::find(cx.db().read(), &access, id).await?.ok_or(ApiError::Missing)?;
    if !viewer.has("chat/client/list") {
        return Ok(None);
    }
    let customer = customers::find(cx.db().read(), &Reveals::default(), viewer.scope(), conversation.customer_id).await?;
    Ok(customer.and_then(|customer| Some((customer.user_id?, customer.phone_state == Some(PhoneState::Verified)))))
}

/// A customer's message that the viewer sees, whole, with its conversation. Numbers that staff wrote are not looked up: a note could
/// name any phone.
pub async fn customers_message(cx: &Ctx, id: i64) -> Result<(i64, String)> {
    let access = ChatAccess { reveals: Reveals::with(&cx.app.keys), ..access_of(cx).await? };
    let message = store::messages_by_ids(cx.db().read(), &access, [id]).await?.pop().ok_or(ApiError::Missing)?;
    store::find(cx.db().read(), &access, message.conversation_id).await?.ok_or(ApiError::Missing)?;
    match message.direction {
        ChatDirection::In => Ok((message.conversation_id, message.content)),
        ChatDirection::Out | ChatDirection::Note | ChatDirection::System => Err(ApiError::Missing),
    }
}

/// `GET /chat/getRecord`: a part of a thread.
pub async fn messages(cx: Arc<Ctx>, Query(query): Query<RecordQuery>) -> Result<MessagePage> {
    let access = access_of(&cx).await?;
    let id = query.conversation_id.ok_or_else(|| ApiError::field("conversationId", say("请选择会话", "Choose a conversation")))?;
    store::find(cx.db().read(), &access, id).await?.ok_or(ApiError::Missing)?;
    page_of(&cx, &access, id, query.before, query.limit.unwrap_or(PAGE).clamp(1, MOST)).await
}

async fn page_of(cx: &Ctx, access: &ChatAccess, id: i64, before: Option<i64>, limit: i64) -> Result<MessagePage> {
    let mut list = store::messages(cx.db().read(), access, id, (None, before), limit + 1).await?;
    let more = list.len() as i64 > limit;
    list.truncate(limit as usize);
    list.reverse();
    Ok(MessagePage { list, more })
}

/// `GET /chat/conversation/reveal/{id}`: the whole texts of some messages of a conversation and of the notes about it.
/// The audit trail records it as one reveal of the conversation, unless no text is masked.
pub async fn reveal(cx: Arc<Ctx>, IdQuery(id, range): IdQuery<RevealQuery>) -> Result<WholeTexts> {
    let (cx, viewer) = (&*cx, cx.viewer()?);
    if !viewer.has("chat/conversation/list") {
        return Err(ApiError::Forbidden);
    }
    let access = ChatAccess { reveals: Reveals::with(&cx.app.keys), ..access_of(cx).await? };
    let read = cx.db().read();
    let row = store::find(read, &access, id).await?.ok_or(ApiError::Missing)?;
    let remark = match viewer.has("chat/client/list") {
        true => customers::find(read, &access.reveals, viewer.scope(), row.customer_id).await?.map(|customer| customer.remark),
        false => None,
    };
    let messages = store::messages(read, &access, id, (range.from, range.before), MOST_REVEALED).await?;
    let transfers = store::transfers(read, &access, id).await?;
    let whole = |id: i64, text: Option<String>| text.map(|text| WholeText { id, text });
    let texts = WholeTexts {
        messages: messages.into_iter().filter_map(|one| whole(one.id, words::hidden_content(one.direction, one.content))).collect(),
        transfers: transfers.into_iter().filter_map(|one| whole(one.id, words::hidden(one.note))).collect(),
        close_note: words::hidden(row.close_note),
        rating_note: words::hidden(row.rating_note),
        remark: remark.and_then(words::hidden),
    };
    if texts != WholeTexts::default() {
        reveal::written(cx, cx.db().begin().await?, TARGET.of(id), &[]).await?;
    }
    Ok(texts)
}

/// `GET /chat/conversation/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}
