//! The calls about one's own messages. They need no permission point: everybody has his own, and
//! only his own.

use std::sync::Arc;

use schemars::SchemaGenerator;

use super::inbox::{self, Asked, Mark};
use super::model::{Chosen, MessageKind, MessageList, MessageQuery, MessageRow, Unread};
use crate::api::input::{self, Input, InputDoc, Place, Raw};
use crate::api::{self, ApiError, Body, Check, Ctx, Nothing, say};

/// Messages of a page when none are asked for, and at most.
const PAGE_SIZE: i64 = 20;
const MAX_PAGE_SIZE: i64 = 100;
/// Most ids of one call.
const MAX_IDS: usize = 200;

/// The query of a list, from a JSON body or from an address: empty texts do not filter, and names
/// that it does not know are left alone.
pub struct Listed(MessageQuery);

impl Input for Listed {
    fn read(raw: &Raw<'_>) -> Result<Listed, ApiError> {
        if raw.body.is_empty() {
            return Ok(Listed(MessageQuery::default()));
        }
        let mut value = input::json_object(raw.body)?;
        if let Some(fields) = value.as_object_mut() {
            fields.retain(|_, value| value.as_str() != Some(""));
        }
        input::typed(value).map(Listed)
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Body, schema: schemas.subschema_for::<MessageQuery>() }
    }
}

/// `POST /message/list`.
pub async fn list(cx: Arc<Ctx>, Listed(query): Listed) -> api::Result<MessageList> {
    let size = query.page_size.unwrap_or(PAGE_SIZE);
    if !(1..=MAX_PAGE_SIZE).contains(&size) {
        return Err(ApiError::Malformed("pageSize".to_owned()));
    }
    let read = match query.status {
        None => None,
        Some(0) => Some(false),
        Some(1) => Some(true),
        Some(_) => return Err(ApiError::Malformed("status".to_owned())),
    };
    let before = query.before.as_deref().map(place).transpose()?;
    let asked = Asked { kind: query.kind, read, from: query.time_from, to: query.time_to, before, ids: None };
    let viewer = cx.viewer()?;
    // One more than asked for tells whether there are older ones.
    let mut list = inbox::list(&cx, viewer, &asked, size + 1).await?;
    let more = list.len() as i64 > size;
    list.truncate(size as usize);
    let next = list.last().filter(|_| more).map(|last| format!("{}-{}", last.time, last.id));
    Ok(MessageList { list, unread: inbox::unread(&cx, viewer).await?, next })
}

/// The place in the order that a `next` told.
fn place(text: &str) -> api::Result<(i64, i64)> {
    text.split_once('-')
        .and_then(|(at, id)| Some((at.parse().ok()?, id.parse().ok()?)))
        .ok_or_else(|| ApiError::Malformed("before".to_owned()))
}

/// `GET /message/unread`.
pub async fn unread(cx: Arc<Ctx>, _: Nothing) -> api::Result<Unread> {
    inbox::unread(&cx, cx.viewer()?).await
}

/// `POST /message/read`: 0 becomes 1, and stays. Answers what is unread then.
pub async fn read(cx: Arc<Ctx>, Body(chosen): Body<Chosen>) -> api::Result<Unread> {
    mark(cx, chosen, Mark::Read).await
}

/// `POST /message/clear`: hides messages from the viewer, and from nobody else. Answers what is
/// unread then.
pub async fn clear(cx: Arc<Ctx>, Body(chosen): Body<Chosen>) -> api::Result<Unread> {
    mark(cx, chosen, Mark::Cleared).await
}

async fn mark(cx: Arc<Ctx>, Chosen { ids, kind }: Chosen, mark: Mark) -> api::Result<Unread> {
    Check::new()
        .that("ids", ids.is_some() || kind.is_some(), say("请选择消息", "Choose messages"))
        .that("ids", ids.as_ref().is_none_or(|ids| ids.len() <= MAX_IDS), say("一次最多 200 条", "At most 200 at once"))
        .done()?;
    let viewer = cx.viewer()?;
    let read = matches!(mark, Mark::Read).then_some(false);
    let mut tx = cx.db().begin().await?;
    inbox::mark(&mut tx, &cx, viewer, &Asked { kind, read, ids: ids.as_deref(), ..Asked::default() }, mark).await?;
    tx.commit().await?;
    inbox::unread(&cx, viewer).await
}

/// The viewer's open todos, newest first, at most `limit`: what needs him today.
pub async fn todos(cx: &Ctx, limit: i64) -> api::Result<Vec<MessageRow>> {
    inbox::list(cx, cx.viewer()?, &Asked { kind: Some(MessageKind::Todo), ..Asked::default() }, limit).await
}
