//! Service staff in the database.

use std::collections::HashMap;

use sqlx::{Any, Executor, FromRow, Row};

use super::form::Form;
use super::model::{ChatStaffFilters, ChatStaffRow};
use crate::SCOPE;
use crate::codes::ChatPresence;
use base::codes::UseStatus;
use base::db::{Connection, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, stamped};

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT s.id, s.admin_id, a.real_name AS admin_name, a.username, s.nickname, s.max_open, s.auto_accept, s.presence AS chosen, \
     s.last_seen_at, (SELECT COUNT(*) FROM chat_conversation c WHERE c.staff_id = s.id AND c.status = 'open') AS open, \
     s.status, s.version, s.created_at, s.updated_at \
     FROM chat_staff s JOIN administrator a ON a.id = s.admin_id WHERE s.deleted_at IS NULL";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT s.id FROM chat_staff s JOIN administrator a ON a.id = s.admin_id WHERE s.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &ChatStaffFilters, scope: Scope) {
    sql.and_contains(&["s.nickname", "a.real_name", "a.username"], filters.keyword.as_deref()).and("s.status = ", filters.status);
    if let Some(group_id) = filters.group_id {
        sql.push(" AND EXISTS (SELECT 1 FROM chat_staff_group m WHERE m.staff_id = s.id AND m.group_id = ").bind(group_id).push(")");
    }
    match filters.presence {
        Some(ChatPresence::Offline) => {
            sql.push(" AND (s.presence = 'offline' OR s.last_seen_at IS NULL OR s.last_seen_at < ").bind(filters.seen_since).push(")");
        }
        Some(presence) => {
            sql.and("s.presence = ", Some(presence)).and("s.last_seen_at >= ", Some(filters.seen_since));
        }
        None => {}
    }
    scope.apply(sql, SCOPE);
}

/// One member of the staff within a scope, without their groups.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<ChatStaffRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("s.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(ChatStaffRow::from_row).transpose()
}

/// Adds the groups of staff, in the order of the groups.
pub async fn add_groups<'e>(on: impl Executor<'e, Database = Any>, rows: &mut [ChatStaffRow]) -> Result<(), sqlx::Error> {
    let mut sql =
        Sql::new("SELECT m.staff_id, g.id, g.name FROM chat_staff_group m JOIN chat_group g ON g.id = m.group_id WHERE m.staff_id IN ");
    sql.ids(rows.iter().map(|row| row.id)).push(" ORDER BY g.sort, g.id");
    let mut groups: HashMap<i64, (Vec<i64>, Vec<String>)> = HashMap::new();
    for row in sql.fetch_all(on).await? {
        let (ids, names) = groups.entry(row.try_get("staff_id")?).or_default();
        ids.push(row.try_get("id")?);
        names.push(row.try_get("name")?);
    }
    for row in rows {
        (row.group_ids, row.group_names) = groups.remove(&row.id).unwrap_or_default();
    }
    Ok(())
}

/// Whether an account is an enabled one of the platform. It is held until the transaction ends.
pub async fn is_account(tx: &mut Connection, admin_id: i64) -> Result<bool, sqlx::Error> {
    let mut sql =
        Sql::new("SELECT a.id FROM administrator a WHERE a.org_id IS NULL AND a.status = 'enabled' AND a.deleted_at IS NULL AND a.id = ");
    sql.bind(admin_id);
    tx.hold(&mut sql, "a");
    Ok(sql.fetch_optional(tx).await?.is_some())
}

/// Adds a member of the staff with their groups, and returns the id.
pub async fn insert(tx: &mut Connection, admin_id: i64, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "INSERT INTO chat_staff (admin_id, nickname, max_open, auto_accept, presence, status, created_at, updated_at, created_by, updated_by) \
         VALUES (",
    );
    sql.bind(admin_id).then(form.nickname.clone()).then(form.max_open).then(i64::from(form.auto_accept)).then(ChatPresence::Offline);
    sql.then(UseStatus::Enabled).then(stamp.at).then(stamp.at).then(stamp.admin_id).then(stamp.admin_id).push(") RETURNING id");
    let id = sql.fetch_optional(&mut *tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("id")?;
    put_groups(tx, id, &form.group_ids).await?;
    Ok(id)
}

/// Writes a record's fields and groups over the given version. Returns whether the record had that version.
pub async fn write(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE chat_staff SET nickname = ");
    sql.bind(form.nickname.clone()).push(", max_open = ").bind(form.max_open);
    sql.push(", auto_accept = ").bind(i64::from(form.auto_accept));
    if !stamped::over(sql, id, version, stamp, &mut *tx).await? {
        return Ok(false);
    }
    leave_groups(tx, id).await?;
    put_groups(tx, id, &form.group_ids).await?;
    Ok(true)
}

async fn put_groups(tx: &mut Connection, id: i64, group_ids: &[i64]) -> Result<(), sqlx::Error> {
    for group_id in group_ids {
        sqlx::query("INSERT INTO chat_staff_group (staff_id, group_id) VALUES ($1, $2)").bind(id).bind(group_id).execute(&mut *tx).await?;
    }
    Ok(())
}

/// Takes a member of the staff out of every group.
pub async fn leave_groups(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM chat_staff_group WHERE staff_id = $1").bind(id).execute(tx).await.map(drop)
}

/// Conversations of a member of the staff that are open or snoozed.
pub async fn unfinished(tx: &mut Connection, id: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM chat_conversation WHERE staff_id = $1 AND status IN ('open', 'snoozed')")
        .bind(id)
        .fetch_one(tx)
        .await
}

#[cfg(test)]
mod tests {
    use super::super::list::Staff;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{columns_are_fields, every_sort_walks_an_index, plan};

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        columns_are_fields::<Staff>("chatStaff");
    }

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Staff>(&[]).await;
    }

    #[tokio::test]
    async fn open_conversations_are_counted_by_an_index() {
        let plans = Plans::open().await;
        let plan = plan::<Staff>(&plans, ChatStaffFilters::default(), Scope::All).await;
        assert!(plan.contains("SEARCH c USING COVERING INDEX chat_conversation_staff "), "{plan}");
    }
}
