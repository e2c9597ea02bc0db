//! The calls on the viewer's own messages. They need no permission point, since all people see their own messages
//! alone.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::SchemaGenerator;
use serde_json::Value;

use super::inbox::{self, Asked, Mark};
use super::model::{Chosen, MessageKind, MessageList, MessageQuery, MessageRow, Unread};
use crate::api::input::{self, Input, InputDoc, Place, Raw, Sent};
use crate::api::{self, ApiError, Check, Ctx, Id, Nothing, list, say};

/// The default number of messages of a page, and the most.
const PAGE_SIZE: i64 = 20;
const MAX_PAGE_SIZE: i64 = 100;
/// The most ids of one call.
const MAX_IDS: usize = 200;

/// The query of a list, from a JSON body or from an address, read as in every list: empty values do not filter, and
/// unknown names are ignored.
pub struct Listed(MessageQuery);

impl Input for Listed {
    fn read(raw: &Raw<'_>) -> Result<Listed, ApiError> {
        if raw.body.is_empty() {
            return Ok(Listed(MessageQuery::default()));
        }
        let value = input::json_object(raw.body)?;
        let Value::Object(fields) = value else { unreachable!("json_object answers objects") };
        let meant = fields.into_iter().filter_map(|(name, value)| Some((name, list::meant(value)?)));
        input::typed(Value::Object(meant.collect())).map(Listed)
    }

    fn doc(schemas: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Body, schema: schemas.subschema_for::<MessageQuery>() }
    }
}

/// `POST /message/list`: only the messages, as the specification's client expects.
pub async fn list(cx: Arc<Ctx>, query: Listed) -> api::Result<Vec<MessageRow>> {
    Ok(older(&cx, query).await?.0)
}

/// `POST /message/page`: with the unread counts and the position of the next page.
pub async fn page(cx: Arc<Ctx>, query: Listed) -> api::Result<MessageList> {
    let (list, next) = older(&cx, query).await?;
    Ok(MessageList { list, unread: inbox::unread(&cx, cx.viewer()?).await?, next })
}

/// The requested messages, and the position of older ones, if there are any.
async fn older(cx: &Ctx, Listed(query): Listed) -> api::Result<(Vec<MessageRow>, Option<String>)> {
    let size = query.page_size.unwrap_or(PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let read = match query.status {
        None => None,
        Some(0) => Some(false),
        Some(1) => Some(true),
        Some(_) => return Err(ApiError::Malformed("status".to_owned())),
    };
    let before = query.before.as_deref().map(place).transpose()?;
    let asked = Asked { kind: query.kind, read, from: query.time_from, to: query.time_to, before, ids: None };
    // One more than requested shows whether there are older ones.
    let mut list = inbox::list(cx, cx.viewer()?, &asked, size + 1).await?;
    let more = list.len() as i64 > size;
    list.truncate(size as usize);
    let next = list.last().filter(|_| more).map(|last| format!("{}-{}", last.time, last.id));
    Ok((list, next))
}

/// The position in a `next`.
fn place(text: &str) -> api::Result<(i64, i64)> {
    text.split_once('-')
        .and_then(|(at, id)| Some((at.parse().ok()?, id.parse().ok()?)))
        .ok_or_else(|| ApiError::Malformed("before".to_owned()))
}

/// `GET /message/{id}`: one message, while it is in the viewer's list.
pub async fn get(cx: Arc<Ctx>, Id(id): Id) -> api::Result<MessageRow> {
    let ids = [id];
    let asked = Asked { ids: Some(ids.as_slice()), ..Asked::default() };
    inbox::list(&cx, cx.viewer()?, &asked, 1).await?.into_iter().next().ok_or(ApiError::Missing)
}

/// `GET /message/unread`.
pub async fn unread(cx: Arc<Ctx>, _: Nothing) -> api::Result<Unread> {
    inbox::unread(&cx, cx.viewer()?).await
}

/// `POST /message/read`: marks messages as read; this cannot be undone. Returns the unread counts.
pub async fn read(cx: Arc<Ctx>, Sent(chosen): Sent<Chosen>) -> api::Result<Unread> {
    mark(cx, chosen, Mark::Read).await
}

/// `POST /message/clear`: hides messages from the viewer alone. Returns the unread counts.
pub async fn clear(cx: Arc<Ctx>, Sent(chosen): Sent<Chosen>) -> api::Result<Unread> {
    mark(cx, chosen, Mark::Cleared).await
}

async fn mark(cx: Arc<Ctx>, Chosen { ids, kind }: Chosen, mark: Mark) -> api::Result<Unread> {
    Check::new()
        .that("ids", ids.is_some() || kind.is_some(), say("请选择消息", "Choose messages"))
        .that("ids", ids.as_ref().is_none_or(|ids| ids.len() <= MAX_IDS), say("一次最多 200 条", "At most 200 at once"))
        .done()?;
    let (context, viewer) = (&*cx, cx.viewer()?);
    let read = matches!(mark, Mark::Read).then_some(false);
    let asked = &Asked { kind, read, ids: ids.as_deref(), ..Asked::default() };
    cx.db()
        .transact(|mut tx| {
            async move {
                inbox::mark(&mut tx, context, viewer, asked, mark).await?;
                let unread = inbox::unread_within(&mut tx, context, viewer).await?;
                context.keep_answer(&mut tx, &unread).await?;
                Ok(unread)
            }
            .boxed()
        })
        .await
}

/// The viewer's open todos, newest first, at most `limit`.
pub async fn todos(cx: &Ctx, limit: i64) -> api::Result<Vec<MessageRow>> {
    inbox::list(cx, cx.viewer()?, &Asked { kind: Some(MessageKind::Todo), ..Asked::default() }, limit).await
}
