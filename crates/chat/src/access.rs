//! What a viewer may see and do in the chat: their record as a member of the staff, and their groups.

use sqlx::Row;

use super::codes::ChatPresence;
use super::staff::SEEN_WITHIN;
use super::words::Reveals;
use base::db::{self, Connection, Sql};
use frame::access::Scope;
use frame::api::{ApiError, Ctx, Result, say};

/// A viewer in the chat. By default they see nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChatAccess {
    /// Their record of the staff, if it is enabled.
    pub staff: Option<AccessStaff>,
    /// Their groups.
    pub group_ids: Vec<i64>,
    /// Whether they see the conversations of all groups.
    pub sees_all: bool,
    /// Texts are masked, except in a call that reveals them.
    pub reveals: Reveals,
    /// Whether they may take conversations away from others.
    pub assigns: bool,
}

/// A member of the staff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccessStaff {
    pub id: i64,
    pub nickname: String,
    /// The presence that they have chosen.
    pub presence: ChatPresence,
    pub last_seen_at: Option<i64>,
}

impl ChatAccess {
    /// Whether they were last seen longer ago than [`SEEN_WITHIN`].
    pub fn was_away(&self, now: i64) -> bool {
        self.staff.as_ref().is_some_and(|staff| staff.last_seen_at.is_none_or(|seen| seen < now - SEEN_WITHIN))
    }

    /// Whether they answer customers, but get none: they have chosen so, or were not seen lately.
    pub fn is_offline(&self, now: i64) -> bool {
        self.was_away(now) || self.staff.as_ref().is_some_and(|staff| staff.presence == ChatPresence::Offline)
    }

    /// The staff record of a viewer who answers customers.
    pub fn staff(&self) -> Result<&AccessStaff> {
        self.staff.as_ref().ok_or_else(no_staff)
    }

    /// The id of their record, or 0.
    pub fn staff_id(&self) -> i64 {
        self.staff.as_ref().map_or(0, |staff| staff.id)
    }

    /// Appends the condition that a conversation, or an event about one, is visible to them. `group_id` and `staff_id`
    /// are the columns with the group and the staff of the conversation.
    pub fn apply(&self, sql: &mut Sql, group_id: &'static str, staff_id: &'static str) {
        if self.sees_all {
            return;
        }
        let Some(staff) = &self.staff else {
            sql.push(" AND 1 = 0");
            return;
        };
        sql.push(" AND (").push(staff_id).push(" = ").bind(staff.id).push(" OR ").push(group_id).push(" IN ");
        sql.ids(self.group_ids.iter().copied()).push(")");
    }

    /// Whether a conversation of this group and member of the staff is visible to them: the same rule as
    /// [`ChatAccess::apply`].
    pub fn sees(&self, group_id: i64, staff_id: Option<i64>) -> bool {
        let own = self.staff.as_ref().map(|staff| staff.id);
        self.sees_all || own.is_some() && (staff_id == own || self.group_ids.contains(&group_id))
    }
}

/// The error for a viewer who is not enabled as service staff.
pub fn no_staff() -> ApiError {
    ApiError::State(say("您还不是客服人员，不能接待客户", "You are not set up as an agent and cannot answer customers"))
}

/// What the viewer of a request may see and do in the chat.
pub async fn access_of(cx: &Ctx) -> Result<ChatAccess> {
    let viewer = cx.viewer()?;
    if viewer.scope() != Scope::All {
        return Ok(ChatAccess::default());
    }
    let rows = sqlx::query(
        "SELECT s.id, s.nickname, s.presence, s.last_seen_at, g.group_id FROM chat_staff s LEFT JOIN chat_staff_group g ON g.staff_id = s.id \
         WHERE s.admin_id = $1 AND s.status = 'enabled' AND s.deleted_at IS NULL",
    )
    .bind(viewer.id)
    .fetch_all(cx.db().read())
    .await?;
    let mut access = ChatAccess {
        sees_all: viewer.has("chat/conversation/all"),
        assigns: viewer.has("chat/conversation/assign"),
        ..ChatAccess::default()
    };
    for row in &rows {
        access.group_ids.extend(row.try_get::<Option<i64>, _>("group_id")?);
    }
    if let Some(row) = rows.first() {
        access.staff = Some(AccessStaff {
            id: row.try_get("id")?,
            nickname: row.try_get("nickname")?,
            presence: db::code(row, "presence")?,
            last_seen_at: row.try_get("last_seen_at")?,
        });
    }
    Ok(access)
}

/// Stores that a member of the staff was online.
pub async fn seen(tx: &mut Connection, staff_id: i64, now: i64) -> sqlx::Result<()> {
    sqlx::query("UPDATE chat_staff SET last_seen_at = $1 WHERE id = $2").bind(now).bind(staff_id).execute(tx).await.map(drop)
}
