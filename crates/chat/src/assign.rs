//! Assignment of conversations to a member of the group who is online, accepts conversations and has room for one more.
//! Assignments are made one at a time, so that limits hold.

use sqlx::Row;

use super::codes::{AssignMode, ConversationStatus};
use super::conversation::store::Held;
use super::conversation::write;
use super::feed::NewEvent;
use super::staff::SEEN_WITHIN;
use base::db::{self, Connection, Db, Sql, Tx};
use frame::api::App;

/// Queued conversations that one round reads.
const MOST: i64 = 200;

/// The name of the lock under which assignments are made.
pub const LOCK: &str = "chat:assign";

/// Assigns a queued conversation if a member of its group is available. Returns whether it was assigned.
pub async fn assign(db: &Db, tx: &mut Tx, held: &mut Held, events: &mut Vec<NewEvent>, now: i64) -> Result<bool, sqlx::Error> {
    let mode = sqlx::query("SELECT assign_mode FROM chat_group WHERE id = $1").bind(held.group_id).fetch_one(&mut **tx).await?;
    let order = match db::code::<AssignMode>(&mode, "assign_mode")? {
        AssignMode::RoundRobin => " ORDER BY COALESCE(s.last_assigned_at, 0), s.id",
        AssignMode::LeastBusy => {
            " ORDER BY (SELECT COUNT(*) FROM chat_conversation c WHERE c.staff_id = s.id AND c.status = 'open'), COALESCE(s.last_assigned_at, 0), s.id"
        }
        AssignMode::Manual => return Ok(false),
    };
    db.lock(tx, LOCK).await?;
    let mut sql = Sql::new("SELECT s.id, s.nickname FROM chat_staff_group g JOIN chat_staff s ON s.id = g.staff_id WHERE g.group_id = ");
    sql.bind(held.group_id).push(" AND s.auto_accept = 1");
    available(&mut sql, now);
    sql.push(order).push(" LIMIT 1");
    let Some(row) = sql.fetch_optional(&mut **tx).await? else { return Ok(false) };
    let (staff_id, nickname): (i64, String) = (row.try_get("id")?, row.try_get("nickname")?);
    sqlx::query("UPDATE chat_staff SET last_assigned_at = $1 WHERE id = $2").bind(now).bind(staff_id).execute(&mut **tx).await?;
    give(tx, held, staff_id, now).await?;
    write::system(tx, held, &serde_json::json!({"event": "assigned", "staff": nickname}), events, now).await?;
    events.push(write::changed(held));
    Ok(true)
}

/// Gives a conversation to a member of the staff.
pub async fn give(tx: &mut Connection, held: &mut Held, staff_id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE chat_conversation SET staff_id = $1, status = 'open', snoozed_until = NULL, version = version + 1, updated_at = $2 WHERE id = $3",
    )
    .bind(staff_id)
    .bind(now)
    .bind(held.id)
    .execute(tx)
    .await?;
    held.staff_id = Some(staff_id);
    held.status = ConversationStatus::Open;
    Ok(())
}

/// The condition that a member `s` of the staff is online and has room for one more conversation.
fn available(sql: &mut Sql, now: i64) {
    sql.push(" AND s.status = 'enabled' AND s.deleted_at IS NULL AND s.presence = 'online' AND s.last_seen_at >= ").bind(now - SEEN_WITHIN);
    sql.push(" AND (SELECT COUNT(*) FROM chat_conversation o WHERE o.staff_id = s.id AND o.status = 'open') < s.max_open");
}

/// Whether a member of the staff is online and has room for one more conversation. No conversation is assigned until the
/// transaction ends.
pub async fn has_room(db: &Db, tx: &mut Tx, staff_id: i64, now: i64) -> Result<bool, sqlx::Error> {
    db.lock(tx, LOCK).await?;
    let mut sql = Sql::new("SELECT s.id FROM chat_staff s WHERE s.id = ");
    sql.bind(staff_id);
    available(&mut sql, now);
    Ok(sql.fetch_optional(&mut **tx).await?.is_some())
}

/// Assigns queued conversations while staff are available: the most urgent first, then the oldest.
pub async fn work_off(app: &App) -> Result<(), sqlx::Error> {
    let now = app.clock.now();
    // Groups without available staff are left out, so that a long queue costs nothing meanwhile.
    let mut sql = Sql::new(
        "SELECT c.id, c.group_id FROM chat_conversation c JOIN chat_group g ON g.id = c.group_id WHERE c.status = 'queued' AND g.assign_mode <> 'manual' \
         AND EXISTS (SELECT 1 FROM chat_staff_group m JOIN chat_staff s ON s.id = m.staff_id WHERE m.group_id = c.group_id AND s.auto_accept = 1",
    );
    available(&mut sql, now);
    sql.push(") ORDER BY c.priority DESC, c.created_at, c.id LIMIT ").bind(MOST);
    let mut full: Vec<i64> = Vec::new();
    for row in sql.fetch_all(app.db.read()).await? {
        let (id, group_id): (i64, i64) = (row.try_get("id")?, row.try_get("group_id")?);
        if !full.contains(&group_id) && !write::assign_queued(app, id, now).await? {
            full.push(group_id);
        }
    }
    Ok(())
}
