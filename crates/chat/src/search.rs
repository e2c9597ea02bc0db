//! `POST /chat/search`: messages that contain a text, the latest first and masked, in the conversations that the
//! viewer sees. One call searches a part of all messages, so that its cost does not depend on their number, and
//! returns where to continue.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::access::{ChatAccess, access_of};
use super::conversation::model::ChatMessageRow;
use super::conversation::{TARGET, store};
use super::words::{self, Reveals};
use base::db::{Db, Sql};
use base::mask;
use frame::api::number_search::{self, WholeNumber};
use frame::api::{ApiError, Body, Check, Ctx, Result, say};

/// Messages that one call looks through.
const SPAN: i64 = 200_000;
/// Messages of one conversation that one call looks through.
const SPAN_OF_ONE: i64 = 50_000;
/// Messages that one call finds.
const MOST: i64 = 50;
/// The most digits in a row that viewers without the right to whole numbers may search for.
const MOST_DIGITS: usize = 4;

/// The search.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct ChatSearch {
    pub keyword: String,
    /// Only in this conversation.
    pub conversation_id: Option<i64>,
    /// Messages before this one.
    pub before: Option<i64>,
}

/// A message that was found, with its conversation.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct FoundMessage {
    pub customer_name: String,
    #[serde(flatten)]
    #[ts(flatten)]
    pub message: ChatMessageRow,
}

/// Messages that were found.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct FoundMessages {
    pub list: Vec<FoundMessage>,
    /// Where to continue; none when all messages were searched.
    pub before: Option<i64>,
}

/// Returns [`FoundMessages`].
pub async fn search(cx: Arc<Ctx>, Body(query): Body<ChatSearch>) -> Result<FoundMessages> {
    let keyword = query.keyword.trim();
    Check::new().text("keyword", keyword, 1..=50).done()?;
    let access = access_of(&cx).await?;
    let may_reveal = cx.viewer()?.has(words::POINT);
    if !may_reveal && mask::longest_number(keyword) > MOST_DIGITS {
        return Err(ApiError::field(
            "keyword",
            say(format!("最多可搜索连续 {MOST_DIGITS} 位数字"), format!("Search for at most {MOST_DIGITS} digits in a row")),
        ));
    }
    let masked = mask::numbers(keyword);
    // A search by a whole number reveals where it occurs.
    let is_number = masked != keyword;
    if is_number {
        let hash = cx.app.keys.lookup_hash(&format!("search in the chat: {keyword}"));
        number_search::count(&cx, &WholeNumber { target: TARGET, hash, mask: masked.clone() }).await?;
    }
    let read = cx.db().read();
    let last: Option<i64> = sqlx::query_scalar("SELECT MAX(id) FROM chat_message").fetch_one(read).await?;
    let to = query.before.unwrap_or(i64::MAX).clamp(1, last.unwrap_or(0) + 1);
    let from = match query.conversation_id {
        Some(id) => beginning(cx.db(), id, to).await?,
        None => to - SPAN,
    };
    let mut sql = Sql::new(
        "SELECT m.id, k.nickname FROM chat_message m JOIN chat_conversation c ON c.id = m.conversation_id \
         JOIN chat_customer k ON k.id = c.customer_id WHERE m.id < ",
    );
    sql.bind(to)
        .push(" AND m.id >= ")
        .bind(from)
        .push(" AND m.direction <> 'system' AND m.recalled_at IS NULL AND (LOWER(m.content) LIKE ");
    let pattern = |text: &str| format!("%{}%", text.to_lowercase().replace('\\', "\\\\").replace('%', "\\%").replace('_', "\\_"));
    sql.bind(pattern(keyword)).push(" ESCAPE '\\'");
    // Whole numbers are stored masked: finds the mask, and compares the opened texts below.
    if is_number {
        sql.push(" OR LOWER(m.content) LIKE ").bind(pattern(&masked)).push(" ESCAPE '\\'");
    }
    sql.push(")").and("m.conversation_id = ", query.conversation_id);
    access.apply(&mut sql, "c.group_id", "c.staff_id");
    sql.push(" ORDER BY m.id DESC LIMIT ").bind(MOST);
    let rows = sql.fetch_all(read).await?;
    let mut names: Vec<(i64, String)> = Vec::with_capacity(rows.len());
    for row in &rows {
        names.push((row.try_get("id")?, row.try_get("nickname")?));
    }
    let before = match names.last() {
        Some((id, _)) if names.len() as i64 == MOST => Some(*id),
        _ => (from > 1).then_some(from),
    };
    let reader =
        if is_number { ChatAccess { reveals: Reveals::with(&cx.app.keys), ..ChatAccess::default() } } else { ChatAccess::default() };
    let mut messages = store::messages_by_ids(read, &reader, names.iter().map(|(id, _)| *id)).await?;
    messages.reverse();
    let wanted = keyword.to_lowercase();
    let found = names.into_iter().zip(messages).map(|((_, customer_name), message)| FoundMessage { customer_name, message });
    // Removes other numbers with the same mask.
    let mut list: Vec<FoundMessage> = found.filter(|found| found.message.content.to_lowercase().contains(&wanted)).collect();
    for found in &mut list {
        found.message.content = mask::numbers(&found.message.content);
    }
    Ok(FoundMessages { list, before })
}

/// Where one call stops in a conversation: 0 for its beginning.
async fn beginning(db: &Db, conversation_id: i64, to: i64) -> Result<i64> {
    let first: Option<i64> = sqlx::query_scalar(
        "SELECT m.id FROM chat_message m WHERE m.conversation_id = $1 AND m.id < $2 ORDER BY m.id DESC LIMIT 1 OFFSET $3",
    )
    .bind(conversation_id)
    .bind(to)
    .bind(SPAN_OF_ONE)
    .fetch_optional(db.read())
    .await?;
    Ok(first.unwrap_or(0))
}
