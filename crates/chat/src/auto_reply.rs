//! Automatic replies to a customer's message: a welcome, the answer to a keyword, outside working hours, and while the
//! conversation has no member of the staff.

use futures_util::FutureExt;
use sqlx::{FromRow, Row};

use super::codes::{ChatDirection, ChatMessageKind, KeywordMatch, ReplyKind};
use super::conversation::store::{Held, NewMessage};
use super::conversation::write;
use super::feed::NewEvent;
use base::clock::HOUR;
use base::crypto::Keys;
use base::db::{Connection, Sql};
use frame::api::App;
use frame::terms::Schedule;

/// The time within which a conversation gets the same off-hours or default reply only once.
const REPEAT_AFTER: i64 = HOUR;
/// Replies that are looked at.
const MOST: i64 = 500;

/// A reply that may be sent.
#[derive(Clone, Debug, FromRow)]
struct Candidate {
    id: i64,
    kind: ReplyKind,
    keyword: String,
    match_mode: KeywordMatch,
    content: String,
}

/// Sends the replies to a message that a customer has just written.
pub async fn reply(
    tx: &mut Connection,
    keys: &Keys,
    held: &Held,
    text: &str,
    begins: bool,
    events: &mut Vec<NewEvent>,
    now: i64,
) -> Result<(), sqlx::Error> {
    let replies = candidates(tx, held.group_id).await?;
    if replies.is_empty() {
        return Ok(());
    }
    let is_closed = !is_open(tx, held.group_id, now).await?;
    for reply in chosen(&replies, text, begins, is_closed, held.staff_id.is_none()) {
        let repeats = matches!(reply.kind, ReplyKind::OffHours | ReplyKind::Default);
        if repeats && was_sent(tx, held.id, reply.id, now - REPEAT_AFTER).await? {
            continue;
        }
        let number = write::new_number();
        let new = NewMessage {
            conversation_id: held.id,
            direction: ChatDirection::Out,
            kind: ChatMessageKind::Text,
            content: &reply.content,
            keys: Some(keys),
            file_id: None,
            staff_id: None,
            reply_id: Some(reply.id),
            is_template: false,
            client_msg_id: &number,
            at: now,
        };
        write::append(tx, held, &new, events).await?;
        count_use(tx, reply.id).await?;
    }
    Ok(())
}

/// The automatic replies of a group in the order in which they apply: its own before those of all groups.
async fn candidates(tx: &mut Connection, group_id: i64) -> Result<Vec<Candidate>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT r.id, r.kind, r.keyword, r.match_mode, r.content FROM chat_reply r WHERE r.status = 'enabled' AND r.deleted_at IS NULL \
         AND r.kind <> 'quick' AND (r.group_id IS NULL OR r.group_id = ",
    );
    sql.bind(group_id).push(") ORDER BY CASE WHEN r.group_id IS NULL THEN 1 ELSE 0 END, r.sort, r.id LIMIT ").bind(MOST);
    sql.fetch_all(tx).await?.iter().map(Candidate::from_row).collect()
}

/// The welcome of a group, for new followers of an official account.
pub async fn welcome(app: &App, group_id: i64) -> Result<Option<String>, sqlx::Error> {
    app.db
        .transact(|mut tx| {
            async move {
                let replies = candidates(&mut tx, group_id).await?;
                let Some(reply) = replies.into_iter().find(|reply| reply.kind == ReplyKind::Welcome) else { return Ok(None) };
                count_use(&mut tx, reply.id).await?;
                Ok(Some(reply.content))
            }
            .boxed()
        })
        .await
}

/// Counts that a reply was used.
pub async fn count_use(tx: &mut Connection, reply_id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE chat_reply SET use_count = use_count + 1 WHERE id = $1").bind(reply_id).execute(tx).await.map(drop)
}

/// Whether a group works at a moment.
pub async fn is_open(tx: &mut Connection, group_id: i64, now: i64) -> Result<bool, sqlx::Error> {
    let hours: Option<String> =
        sqlx::query("SELECT working_hours FROM chat_group WHERE id = $1").bind(group_id).fetch_one(tx).await?.try_get("working_hours")?;
    let Some(hours) = hours else { return Ok(true) };
    let schedule: Schedule = serde_json::from_str(&hours).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(schedule.is_open(now))
}

async fn was_sent(tx: &mut Connection, conversation_id: i64, reply_id: i64, since: i64) -> Result<bool, sqlx::Error> {
    let found =
        sqlx::query("SELECT 1 AS found FROM chat_message m WHERE m.conversation_id = $1 AND m.reply_id = $2 AND m.at >= $3 LIMIT 1")
            .bind(conversation_id)
            .bind(reply_id)
            .bind(since)
            .fetch_optional(tx)
            .await?;
    Ok(found.is_some())
}

/// Chooses the welcome if the conversation begins, and at most one more reply: the first keyword that matches, else the
/// off-hours reply outside working hours, else the default reply if no member of the staff has the conversation.
fn chosen<'r>(replies: &'r [Candidate], text: &str, begins: bool, is_closed: bool, is_unassigned: bool) -> Vec<&'r Candidate> {
    let first = |kind: ReplyKind| replies.iter().find(|reply| reply.kind == kind);
    let text = text.trim().to_lowercase();
    let by_keyword = replies.iter().filter(|reply| reply.kind == ReplyKind::Keyword).find(|reply| {
        let keyword = reply.keyword.to_lowercase();
        match reply.match_mode {
            KeywordMatch::Exact => text == keyword,
            KeywordMatch::Contains => text.contains(&keyword),
        }
    });
    let welcome = begins.then(|| first(ReplyKind::Welcome)).flatten();
    let other = by_keyword
        .or_else(|| is_closed.then(|| first(ReplyKind::OffHours)).flatten())
        .or_else(|| (is_unassigned && !is_closed).then(|| first(ReplyKind::Default)).flatten());
    welcome.into_iter().chain(other).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(id: i64, kind: ReplyKind, keyword: &str, match_mode: KeywordMatch) -> Candidate {
        Candidate { id, kind, keyword: keyword.to_owned(), match_mode, content: String::new() }
    }

    #[test]
    fn a_message_gets_the_welcome_and_one_more_reply() {
        let replies = [
            candidate(1, ReplyKind::Welcome, "", KeywordMatch::Contains),
            candidate(2, ReplyKind::Keyword, "利率", KeywordMatch::Contains),
            candidate(3, ReplyKind::Keyword, "Hello", KeywordMatch::Exact),
            candidate(4, ReplyKind::OffHours, "", KeywordMatch::Contains),
            candidate(5, ReplyKind::Default, "", KeywordMatch::Contains),
        ];
        let ids = |text, begins, closed, unassigned| {
            chosen(&replies, text, begins, closed, unassigned).iter().map(|reply| reply.id).collect::<Vec<_>>()
        };
        assert_eq!(ids("请问利率是多少", true, false, true), [1, 2]);
        assert_eq!(ids("hello ", false, false, true), [3]);
        assert_eq!(ids("hello there", false, true, true), [4]);
        assert_eq!(ids("hello there", false, false, true), [5]);
        assert_eq!(ids("hello there", false, false, false), [] as [i64; 0]);
    }
}
