//! The viewer in the chat: who they are there, whether they take conversations, and what waits.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::access::access_of;
use super::codes::ChatPresence;
use super::staff::SEEN_WITHIN;
use base::db::{self, Sql};
use frame::api::{Body, Ctx, Nothing, Result};

/// The viewer in the chat.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatMe {
    /// None for viewers who answer no customers.
    pub staff_id: Option<i64>,
    pub presence: ChatPresence,
    pub max_open: i64,
    pub open: i64,
    pub quick_replies: Vec<QuickReply>,
    pub groups: Vec<ChatPlace>,
    pub colleagues: Vec<ChatColleague>,
    /// Customers who wait for the viewer's answer, or in the queues of the viewer's groups.
    pub waiting: i64,
    /// The time of this answer, epoch milliseconds.
    pub at: i64,
    /// The number from which a page reads events. It is that of ten seconds ago, so that no event is missed that
    /// happened while the rest of the page was read.
    pub after: i64,
}

/// A quick reply that the viewer may use.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct QuickReply {
    pub id: i64,
    /// None for all groups.
    pub group_id: Option<i64>,
    pub shortcut: String,
    pub content: String,
}

/// A group that a conversation can be handed to.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatPlace {
    pub id: i64,
    pub name: String,
}

/// A member of the staff who can take over a conversation.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct ChatColleague {
    pub id: i64,
    pub nickname: String,
    pub presence: ChatPresence,
}

/// A change of presence.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PresenceBody {
    pub presence: ChatPresence,
}

/// How far back a page begins to read events.
const OVERLAP: i64 = 10_000;
/// Quick replies, groups and colleagues that are named, at most.
const MOST: i64 = 200;

/// `GET /chat/me`.
pub async fn me(cx: Arc<Ctx>, _: Nothing) -> Result<ChatMe> {
    let access = access_of(&cx).await?;
    let read = cx.db().read();
    let after: i64 =
        sqlx::query_scalar("SELECT COALESCE(MIN(e.number) - 1, (SELECT f.number FROM chat_feed f)) FROM chat_event e WHERE e.at > $1")
            .bind(cx.now - OVERLAP)
            .fetch_one(read)
            .await?;
    let mut me = ChatMe {
        staff_id: access.staff.as_ref().map(|staff| staff.id),
        presence: ChatPresence::Offline,
        max_open: 0,
        open: 0,
        quick_replies: Vec::new(),
        groups: Vec::new(),
        colleagues: Vec::new(),
        waiting: 0,
        at: cx.now,
        after,
    };
    if let Some(staff) = &access.staff {
        let row = sqlx::query(
            "SELECT s.presence, s.max_open, (SELECT COUNT(*) FROM chat_conversation c WHERE c.staff_id = s.id AND c.status = 'open') AS open_count \
             FROM chat_staff s WHERE s.id = $1",
        )
        .bind(staff.id)
        .fetch_one(read)
        .await?;
        (me.presence, me.max_open, me.open) = (db::code(&row, "presence")?, row.try_get("max_open")?, row.try_get("open_count")?);
        let mut sql = Sql::new(
            "SELECT COUNT(*) AS waiting FROM chat_conversation c WHERE c.waiting_since IS NOT NULL AND c.status <> 'snoozed' AND (c.staff_id = ",
        );
        sql.bind(staff.id).push(" OR c.status = 'queued' AND c.group_id IN ").ids(access.group_ids.iter().copied()).push(")");
        if let Some(row) = sql.fetch_optional(read).await? {
            me.waiting = row.try_get("waiting")?;
        }
    }
    if access.staff.is_none() && !access.sees_all {
        return Ok(me);
    }
    let mut sql = Sql::new(
        "SELECT r.id, r.group_id, r.shortcut, r.content FROM chat_reply r WHERE r.kind = 'quick' AND r.status = 'enabled' AND r.deleted_at IS NULL",
    );
    if !access.sees_all {
        sql.push(" AND (r.group_id IS NULL OR r.group_id IN ").ids(access.group_ids.iter().copied()).push(")");
    }
    sql.push(" ORDER BY r.sort, r.use_count DESC, r.id LIMIT ").bind(MOST);
    for row in sql.fetch_all(read).await? {
        let reply = QuickReply {
            id: row.try_get("id")?,
            group_id: row.try_get("group_id")?,
            shortcut: row.try_get("shortcut")?,
            content: row.try_get("content")?,
        };
        me.quick_replies.push(reply);
    }
    let mut sql =
        Sql::new("SELECT g.id, g.name FROM chat_group g WHERE g.status = 'enabled' AND g.deleted_at IS NULL ORDER BY g.sort, g.id LIMIT ");
    sql.bind(MOST);
    for row in sql.fetch_all(read).await? {
        me.groups.push(ChatPlace { id: row.try_get("id")?, name: row.try_get("name")? });
    }
    let mut sql = Sql::new("SELECT s.id, s.nickname, CASE WHEN s.last_seen_at >= ");
    sql.bind(cx.now - SEEN_WITHIN)
        .push(" THEN s.presence ELSE 'offline' END AS presence FROM chat_staff s WHERE s.status = 'enabled' AND s.deleted_at IS NULL");
    sql.push(" ORDER BY s.nickname, s.id LIMIT ").bind(MOST);
    for row in sql.fetch_all(read).await? {
        me.colleagues.push(ChatColleague {
            id: row.try_get("id")?,
            nickname: row.try_get("nickname")?,
            presence: db::code(&row, "presence")?,
        });
    }
    Ok(me)
}

/// `PUT /chat/presence`: a member of the staff who comes online may get queued conversations at once.
pub async fn set(cx: Arc<Ctx>, Body(body): Body<PresenceBody>) -> Result<ChatMe> {
    let access = access_of(&cx).await?;
    let id = access.staff()?.id;
    let (now, presence) = (cx.now, body.presence);
    cx.db()
        .transact(|mut tx| {
            async move {
                let mut sql = Sql::new("UPDATE chat_staff SET presence = ");
                sql.bind(presence).push(", last_seen_at = ").bind(now).push(", offline_at = ");
                match presence {
                    ChatPresence::Offline => drop(sql.push("COALESCE(offline_at, ").bind(now).push(")")),
                    _ => drop(sql.push("NULL")),
                }
                sql.push(" WHERE id = ").bind(id);
                sql.execute(&mut **tx).await.map(drop)
            }
            .boxed()
        })
        .await?;
    if presence == ChatPresence::Online {
        super::assign::work_off(&cx.app).await?;
    }
    me(cx, Nothing).await
}
