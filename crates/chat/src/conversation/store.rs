//! Conversations and messages in the database.

use std::sync::Arc;

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, FromRow, Row};

use super::model::{ChatMessageRow, ConversationBox, ConversationFilters, ConversationRow, ConversationState, TransferRow};
use crate::SCOPE;
use crate::access::ChatAccess;
use crate::codes::{ChatDirection, ChatMessageKind, ConversationStatus};
use crate::targets::{due, due_soon};
use crate::wechat::{Delivery, WINDOW};
use crate::words::{Reveals, Words};
use base::clock;
use base::crypto::{Keys, Place, place};
use base::db::{self, Connection, Sql};
use frame::access::Scope;
use frame::upload::stored_file;

/// The list, before [`narrow`].
pub const SELECT: &str = concat!(
    "SELECT c.id, c.customer_id, k.nickname AS customer_name, k.phone_mask, \
     CASE WHEN k.phone_hash IS NULL THEN NULL WHEN k.phone_verified_at IS NULL THEN 'unverified' ELSE 'verified' END AS phone_state, \
     k.phone_verified_at, k.source, c.group_id, g.name AS group_name, c.staff_id, \
     s.nickname AS staff_name, c.status, c.priority, c.unread, c.waiting_since, c.first_reply_at, c.snoozed_until, c.last_message_at, c.last_text, \
     c.last_text_enc, c.staff_read_id, c.customer_read_id, c.close_note, c.close_note_enc, c.closed_at, b.nickname AS closed_by_name, c.rating, \
     c.rating_note, c.rating_note_enc, c.version, c.created_at, \
     CASE WHEN f.wechat_id IS NULL THEN NULL ELSE COALESCE(k.last_inbound_at, 0) END AS last_inbound_at, \
     (SELECT COUNT(*) FROM chat_wechat_send n WHERE n.customer_id = f.customer_id AND n.at >= k.last_inbound_at AND n.template = 0 \
       AND n.state <> 'failed') AS answers_sent, \
     CASE WHEN w.template_id <> '' AND w.status = 'enabled' THEN 1 ELSE 0 END AS has_reminder, CASE WHEN c.status <> 'resolved' THEN ",
    due!(),
    " END AS due_at, CASE WHEN c.status <> 'resolved' THEN ",
    due_soon!(),
    " END AS due_soon_at FROM chat_conversation c JOIN chat_customer k ON k.id = c.customer_id JOIN chat_group g ON g.id = c.group_id \
     LEFT JOIN chat_staff s ON s.id = c.staff_id LEFT JOIN chat_staff b ON b.id = c.closed_by \
     LEFT JOIN chat_wechat_follower f ON f.customer_id = c.customer_id LEFT JOIN chat_wechat w ON w.id = f.wechat_id WHERE 1 = 1"
);

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT c.id FROM chat_conversation c WHERE 1 = 1";

/// The conditions of a list, within a scope and what a viewer may see.
pub fn narrow(sql: &mut Sql, filters: &ConversationFilters, scope: Scope) {
    match filters.box_of {
        Some(ConversationBox::Mine) => drop(sql.push(" AND c.staff_id = ").bind(filters.access.staff_id())),
        Some(ConversationBox::Unassigned) => drop(sql.push(" AND c.status = 'queued'")),
        Some(ConversationBox::All) | None => {}
    }
    match filters.state {
        Some(ConversationState::Current) => drop(sql.push(" AND c.status IN ('queued', 'open', 'snoozed')")),
        Some(ConversationState::Waiting) => drop(sql.push(" AND c.waiting_since IS NOT NULL")),
        Some(ConversationState::Overdue) => {
            sql.push(" AND c.status IN ('queued', 'open', 'snoozed') AND ").push(due!()).push(" < ").bind(filters.now);
        }
        None => {}
    }
    if filters.keyword.is_some() || filters.phone_hash.is_some() {
        sql.push(" AND c.customer_id IN (SELECT p.id FROM chat_customer p WHERE 1 = 1");
        sql.and_prefix(&["p.nickname"], filters.keyword.as_deref()).and("p.phone_hash = ", filters.phone_hash.clone()).push(")");
    }
    sql.and("c.status = ", filters.status).and("c.group_id = ", filters.group_id).and("c.staff_id = ", filters.staff_id);
    sql.and("c.customer_id = ", filters.customer_id).and("c.rating = ", filters.rating);
    sql.and("c.created_at >= ", filters.created_from).and("c.created_at < ", filters.created_to);
    filters.access.apply(sql, "c.group_id", "c.staff_id");
    scope.apply(sql, SCOPE);
}

/// Some conversations that a viewer may see, by their ids.
pub async fn by_ids<'e>(
    on: impl Executor<'e, Database = Any>,
    access: &ChatAccess,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<ConversationRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push(" AND c.id IN ").ids(ids);
    access.apply(&mut sql, "c.group_id", "c.staff_id");
    sql.fetch_all(on).await?.iter().map(|row| read(row, access)).collect()
}

/// One conversation that a viewer may see.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, access: &ChatAccess, id: i64) -> Result<Option<ConversationRow>, sqlx::Error> {
    Ok(by_ids(on, access, [id]).await?.pop())
}

/// Reads a row of [`SELECT`] for a viewer.
pub fn read(row: &AnyRow, access: &ChatAccess) -> Result<ConversationRow, sqlx::Error> {
    let read = ConversationRow::from_row(row)?;
    Ok(ConversationRow {
        last_text: access.reveals.text(row, "last_text", || place::CHAT_LAST_TEXT.of(read.id))?,
        close_note: access.reveals.text(row, "close_note", || place::CHAT_CLOSE_NOTE.of(read.id))?,
        rating_note: access.reveals.text(row, "rating_note", || place::CHAT_RATING_NOTE.of(read.id))?,
        reply_until: read.reply_until.map(|last| last + WINDOW),
        ..read
    })
}

const MESSAGES: &str = "SELECT m.id, m.conversation_id, m.direction, m.kind, m.content, m.content_enc, m.staff_id, s.nickname AS staff_name, \
     CASE WHEN m.direction = 'out' AND m.staff_id IS NULL THEN 1 ELSE 0 END AS automatic, m.client_msg_id, m.at, \
     CASE WHEN m.recalled_at IS NULL THEN 0 ELSE 1 END AS recalled, f.id AS file_id, f.name AS file_name, f.size AS file_size, f.mime AS file_mime, \
     n.state AS delivery_state, n.reason AS delivery_reason FROM chat_message m LEFT JOIN chat_staff s ON s.id = m.staff_id LEFT JOIN file f ON f.id = m.file_id AND m.recalled_at IS NULL \
     LEFT JOIN chat_wechat_send n ON n.message_id = m.id WHERE 1 = 1";

fn read_message(row: &AnyRow, access: &ChatAccess) -> Result<ChatMessageRow, sqlx::Error> {
    let direction: ChatDirection = db::code(row, "direction")?;
    let (conversation_id, client_msg_id): (i64, String) = (row.try_get("conversation_id")?, row.try_get("client_msg_id")?);
    let file_id: Option<i64> = row.try_get("file_id")?;
    let file = match file_id {
        Some(id) => Some(stored_file(id, row.try_get("file_name")?, row.try_get("file_size")?, row.try_get("file_mime")?)),
        None => None,
    };
    Ok(ChatMessageRow {
        id: row.try_get("id")?,
        conversation_id,
        direction,
        kind: db::code(row, "kind")?,
        content: access.reveals.content(row, direction, || message_place(conversation_id, direction, &client_msg_id))?,
        file,
        staff_id: row.try_get("staff_id")?,
        staff_name: row.try_get("staff_name")?,
        automatic: db::flag(row, "automatic")?,
        client_msg_id,
        at: row.try_get("at")?,
        recalled: db::flag(row, "recalled")?,
        delivery: delivery(row)?,
    })
}

/// Whether a message that goes out by WeChat has arrived; none for others.
fn delivery(row: &AnyRow) -> Result<Option<Delivery>, sqlx::Error> {
    if row.try_get::<Option<&str>, _>("delivery_state")?.is_none() {
        return Ok(None);
    }
    let has_reason = row.try_get::<Option<&str>, _>("delivery_reason")?.is_some_and(|reason| !reason.is_empty());
    let reason = if has_reason { Some(db::code(row, "delivery_reason")?) } else { None };
    Ok(Some(Delivery { state: db::code(row, "delivery_state")?, reason }))
}

/// The last messages of a conversation, from `from` and before `before` if given, the latest first.
pub async fn messages<'e>(
    on: impl Executor<'e, Database = Any>,
    access: &ChatAccess,
    conversation_id: i64,
    (from, before): (Option<i64>, Option<i64>),
    limit: i64,
) -> Result<Vec<ChatMessageRow>, sqlx::Error> {
    let mut sql = Sql::new(MESSAGES);
    sql.and("m.conversation_id = ", Some(conversation_id))
        .and("m.id >= ", from)
        .and("m.id < ", before)
        .push(" ORDER BY m.id DESC LIMIT ")
        .bind(limit);
    sql.fetch_all(on).await?.iter().map(|row| read_message(row, access)).collect()
}

/// Some messages by their ids.
pub async fn messages_by_ids<'e>(
    on: impl Executor<'e, Database = Any>,
    access: &ChatAccess,
    ids: impl IntoIterator<Item = i64>,
) -> Result<Vec<ChatMessageRow>, sqlx::Error> {
    let mut sql = Sql::new(MESSAGES);
    sql.push(" AND m.id IN ").ids(ids).push(" ORDER BY m.id");
    sql.fetch_all(on).await?.iter().map(|row| read_message(row, access)).collect()
}

/// Which messages of a customer are read.
#[derive(Clone, Copy, Debug)]
pub enum Stretch {
    Last,
    /// The first ones after a message.
    After(i64),
    /// The last ones before a message.
    Before(i64),
}

/// The messages that a customer sees of all their conversations: what both sides wrote, the earliest first. Also
/// returns whether the stretch has more messages.
pub async fn customer_messages<'e>(
    on: impl Executor<'e, Database = Any>,
    keys: &Arc<Keys>,
    customer_id: i64,
    stretch: Stretch,
    limit: usize,
) -> Result<(Vec<ChatMessageRow>, bool), sqlx::Error> {
    let mut sql = Sql::new(MESSAGES);
    sql.push(" AND m.conversation_id IN (SELECT c.id FROM chat_conversation c WHERE c.customer_id = ").bind(customer_id).push(")");
    let order = match stretch {
        Stretch::Last => " ORDER BY m.id DESC LIMIT ",
        Stretch::After(id) => {
            sql.and("m.id > ", Some(id));
            " ORDER BY m.id LIMIT "
        }
        Stretch::Before(id) => {
            sql.and("m.id < ", Some(id));
            " ORDER BY m.id DESC LIMIT "
        }
    };
    sql.push(" AND m.direction IN ('in', 'out')").push(order).bind(limit as i64 + 1);
    let access = ChatAccess { reveals: Reveals::with(keys), ..ChatAccess::default() };
    let mut list = sql.fetch_all(on).await?.iter().map(|row| read_message(row, &access)).collect::<Result<Vec<_>, _>>()?;
    let has_more = list.len() > limit;
    list.truncate(limit);
    if !matches!(stretch, Stretch::After(_)) {
        list.reverse();
    }
    Ok((list, has_more))
}

/// How many files a customer has sent on this Asia/Shanghai day, and their bytes.
pub async fn files_today<'e>(on: impl Executor<'e, Database = Any>, customer_id: i64, now: i64) -> Result<(i64, i64), sqlx::Error> {
    let start = clock::day_start(&clock::day(now).to_string()).unwrap_or(now);
    let row = sqlx::query(
        "SELECT COUNT(*) AS files, CAST(COALESCE(SUM(f.size), 0) AS BIGINT) AS bytes FROM chat_conversation c \
         JOIN chat_message m ON m.conversation_id = c.id JOIN file f ON f.id = m.file_id \
         WHERE c.customer_id = $1 AND m.direction = 'in' AND m.file_id IS NOT NULL AND f.created_at >= $2",
    )
    .bind(customer_id)
    .bind(start)
    .fetch_one(on)
    .await?;
    Ok((row.try_get("files")?, row.try_get("bytes")?))
}

/// A conversation for a change: its row is locked until the transaction ends.
#[derive(Clone, Debug, FromRow)]
pub struct Held {
    pub id: i64,
    pub customer_id: i64,
    pub group_id: i64,
    pub staff_id: Option<i64>,
    pub status: ConversationStatus,
    /// The official account by which the customer writes; none for a visitor.
    pub wechat_id: Option<i64>,
}

/// Reads a [`Held`], before the condition.
pub const HELD: &str = "SELECT c.id, c.customer_id, c.group_id, c.staff_id, c.status, \
     (SELECT f.wechat_id FROM chat_wechat_follower f WHERE f.customer_id = c.customer_id) AS wechat_id FROM chat_conversation c WHERE ";

/// Holds a conversation.
pub async fn hold(tx: &mut Connection, id: i64) -> Result<Option<Held>, sqlx::Error> {
    let mut sql = Sql::new(HELD);
    sql.push("c.id = ").bind(id);
    tx.hold(&mut sql, "c");
    sql.fetch_optional(tx).await?.as_ref().map(Held::from_row).transpose()
}

/// Holds the conversation of a message.
pub async fn hold_of_message(tx: &mut Connection, message_id: i64) -> Result<Option<Held>, sqlx::Error> {
    let conversation_id: i64 =
        sqlx::query_scalar("SELECT conversation_id FROM chat_message WHERE id = $1").bind(message_id).fetch_one(&mut *tx).await?;
    hold(tx, conversation_id).await
}

/// The place of a message's sealed text.
pub fn message_place(conversation_id: i64, direction: ChatDirection, client_msg_id: &str) -> Place {
    place::CHAT_MESSAGE.of(format!("{conversation_id} {} {client_msg_id}", <&str>::from(direction)))
}

/// A message to be written.
#[derive(Clone)]
pub struct NewMessage<'m> {
    pub conversation_id: i64,
    pub direction: ChatDirection,
    pub kind: ChatMessageKind,
    /// The whole text.
    pub content: &'m str,
    /// The keys that seal its long numbers; none for texts that people have not written.
    pub keys: Option<&'m Keys>,
    pub file_id: Option<i64>,
    pub staff_id: Option<i64>,
    pub reply_id: Option<i64>,
    /// Whether it is sent as the template message of an official account.
    pub is_template: bool,
    pub client_msg_id: &'m str,
    pub at: i64,
}

/// Writes a message, and returns its id; none where the sender's number was used before.
pub async fn insert_message(tx: &mut Connection, new: &NewMessage<'_>) -> Result<Option<i64>, sqlx::Error> {
    let place = message_place(new.conversation_id, new.direction, new.client_msg_id);
    let words = match new.keys {
        Some(keys) => Words::of_message(keys, &place, new.direction, new.content),
        None => Words { shown: new.content.to_owned(), sealed: None },
    };
    let mut sql = Sql::new(
        "INSERT INTO chat_message (conversation_id, direction, kind, content, content_enc, file_id, staff_id, reply_id, client_msg_id, at) VALUES (",
    );
    sql.bind(new.conversation_id)
        .then(new.direction)
        .then(new.kind)
        .then(words.shown)
        .then(words.sealed)
        .then(new.file_id)
        .then(new.staff_id);
    sql.then(new.reply_id).then(new.client_msg_id.to_owned()).then(new.at);
    sql.push(") ON CONFLICT (conversation_id, direction, client_msg_id) DO NOTHING RETURNING id");
    sql.fetch_optional(tx).await?.map(|row| row.try_get("id")).transpose()
}

/// The id of a message by its sender's number.
pub async fn message_by_number(
    tx: &mut Connection,
    conversation_id: i64,
    direction: ChatDirection,
    client_msg_id: &str,
) -> Result<Option<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT m.id FROM chat_message m WHERE m.conversation_id = ");
    sql.bind(conversation_id).push(" AND m.direction = ").bind(direction).push(" AND m.client_msg_id = ").bind(client_msg_id.to_owned());
    sql.fetch_optional(tx).await?.map(|row| row.try_get("id")).transpose()
}

/// The place of the sealed note of a transfer.
pub fn transfer_place(conversation_id: i64, at: i64) -> Place {
    place::CHAT_TRANSFER_NOTE.of(format!("{conversation_id} {at}"))
}

/// The changes of hands of a conversation, the latest first.
pub async fn transfers<'e>(
    on: impl Executor<'e, Database = Any>,
    access: &ChatAccess,
    conversation_id: i64,
) -> Result<Vec<TransferRow>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT t.id, f.nickname AS from_name, fg.name AS from_group, s.nickname AS to_name, tg.name AS to_group, t.note, t.note_enc, t.conversation_id, b.nickname AS by_name, t.at \
         FROM chat_transfer t JOIN chat_group fg ON fg.id = t.from_group_id JOIN chat_group tg ON tg.id = t.to_group_id \
         JOIN chat_staff b ON b.id = t.by_staff_id LEFT JOIN chat_staff f ON f.id = t.from_staff_id LEFT JOIN chat_staff s ON s.id = t.to_staff_id \
         WHERE t.conversation_id = ",
    );
    sql.bind(conversation_id).push(" ORDER BY t.id DESC LIMIT 50");
    let read = |row: &AnyRow| {
        let read = TransferRow::from_row(row)?;
        let note = access.reveals.text(row, "note", || transfer_place(conversation_id, read.at))?;
        Ok(TransferRow { note, ..read })
    };
    sql.fetch_all(on).await?.iter().map(read).collect()
}
