//! Service groups in the database.

use std::collections::HashMap;

use sqlx::{Any, Executor, FromRow, Row};

use super::form::Form;
use super::model::{ChatGroupFilters, ChatGroupRow};
use crate::SCOPE;
use crate::staff::SEEN_WITHIN;
use base::codes::UseStatus;
use base::crypto;
use base::db::{Connection, Db, Sql};
use frame::access::audit::Stamp;
use frame::access::{Scope, stamped};
use frame::api::{Say, say};

/// Characters of the key in the address of a visitors' page.
const KEY_LENGTH: usize = 16;

/// The list, before [`narrow`].
pub const SELECT: &str = "SELECT g.id, g.name, g.page_key, COALESCE(g.working_hours, 'null') AS working_hours, g.assign_mode, g.idle_minutes, \
     g.reply_minutes, g.resolve_minutes, g.frame_sites, g.sort, g.status, \
     (SELECT COUNT(*) FROM chat_staff_group m JOIN chat_staff s ON s.id = m.staff_id WHERE m.group_id = g.id AND s.status = 'enabled' \
       AND s.deleted_at IS NULL) AS staff, \
     (SELECT COUNT(*) FROM chat_conversation c WHERE c.group_id = g.id AND c.status = 'queued') AS queued, \
     (SELECT COUNT(*) FROM chat_conversation c WHERE c.group_id = g.id AND c.status = 'open') AS open, \
     g.version, g.created_at, g.updated_at FROM chat_group g WHERE g.deleted_at IS NULL";

/// The same rows, to be counted.
pub const COUNT: &str = "SELECT g.id FROM chat_group g WHERE g.deleted_at IS NULL";

/// The conditions of a list, within a scope.
pub fn narrow(sql: &mut Sql, filters: &ChatGroupFilters, scope: Scope) {
    sql.and_contains(&["g.name"], filters.keyword.as_deref())
        .and("g.assign_mode = ", filters.assign_mode)
        .and("g.status = ", filters.status);
    scope.apply(sql, SCOPE);
}

/// One group within a scope, without the count of those who are online.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, id: i64) -> Result<Option<ChatGroupRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("g.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    sql.fetch_optional(on).await?.as_ref().map(ChatGroupRow::from_row).transpose()
}

/// Counts the staff of groups who are online.
pub async fn add_online<'e>(on: impl Executor<'e, Database = Any>, rows: &mut [ChatGroupRow], now: i64) -> Result<(), sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT m.group_id, COUNT(*) AS online FROM chat_staff_group m JOIN chat_staff s ON s.id = m.staff_id WHERE s.status = 'enabled' \
         AND s.deleted_at IS NULL AND s.presence = 'online' AND s.last_seen_at >= ",
    );
    sql.bind(now - SEEN_WITHIN).push(" AND m.group_id IN ").ids(rows.iter().map(|row| row.id)).push(" GROUP BY m.group_id");
    let mut online: HashMap<i64, i64> = HashMap::new();
    for row in sql.fetch_all(on).await? {
        online.insert(row.try_get("group_id")?, row.try_get("online")?);
    }
    for row in rows {
        row.online = Some(online.get(&row.id).copied().unwrap_or(0));
    }
    Ok(())
}

/// Which of these are groups in use. They are held until the transaction ends: none of them is deleted meanwhile.
pub async fn in_use(tx: &mut Connection, ids: &[i64]) -> Result<Vec<i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT g.id FROM chat_group g WHERE g.deleted_at IS NULL AND g.status = 'enabled' AND g.id IN ");
    sql.ids(ids.iter().copied()).push(" ORDER BY g.id");
    tx.hold(&mut sql, "g");
    sql.fetch_all(tx).await?.iter().map(|row| row.try_get("id")).collect()
}

/// The key of the visitors' page of the first group in use.
pub async fn first_page_key(db: &Db) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT g.page_key FROM chat_group g WHERE g.status = 'enabled' AND g.deleted_at IS NULL ORDER BY g.sort, g.id LIMIT 1",
    )
    .fetch_optional(db.read())
    .await
}

/// Adds a group with the key of its visitors' page, and returns its id.
pub async fn insert(tx: &mut Connection, form: &Form, stamp: Stamp) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "INSERT INTO chat_group (name, page_key, working_hours, assign_mode, idle_minutes, reply_minutes, resolve_minutes, frame_sites, sort, status, created_at, \
           updated_at, created_by, updated_by) VALUES (",
    );
    sql.bind(form.name.clone()).then(crypto::random_text(KEY_LENGTH)).then(form.hours_column()).then(form.assign_mode);
    sql.then(form.idle_minutes)
        .then(form.reply_minutes)
        .then(form.resolve_minutes)
        .then(form.sites_column())
        .then(form.sort)
        .then(UseStatus::Enabled);
    sql.then(stamp.at).then(stamp.at).then(stamp.admin_id).then(stamp.admin_id).push(") RETURNING id");
    sql.fetch_optional(tx).await?.ok_or(sqlx::Error::RowNotFound)?.try_get("id")
}

/// Writes a group's fields over the given version. Returns whether the group had that version.
pub async fn write(tx: &mut Connection, id: i64, version: i64, form: &Form, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE chat_group SET name = ");
    sql.bind(form.name.clone()).push(", working_hours = ").bind(form.hours_column()).push(", assign_mode = ").bind(form.assign_mode);
    sql.push(", reply_minutes = ").bind(form.reply_minutes).push(", resolve_minutes = ").bind(form.resolve_minutes);
    sql.push(", idle_minutes = ").bind(form.idle_minutes).push(", frame_sites = ").bind(form.sites_column());
    sql.push(", sort = ").bind(form.sort);
    stamped::over(sql, id, version, stamp, tx).await
}

/// What refers to a group, and so keeps it from being deleted.
const REFERENCES: &[(&str, &str, &str)] = &[
    (
        "SELECT COUNT(*) FROM chat_staff_group m JOIN chat_staff s ON s.id = m.staff_id WHERE m.group_id = $1 AND s.deleted_at IS NULL",
        "名客服",
        "staff",
    ),
    ("SELECT COUNT(*) FROM chat_conversation WHERE group_id = $1", "个会话", "conversations"),
    ("SELECT COUNT(*) FROM chat_wechat WHERE group_id = $1 AND deleted_at IS NULL", "个公众号", "official accounts"),
    ("SELECT COUNT(*) FROM chat_reply WHERE group_id = $1 AND deleted_at IS NULL", "条回复", "replies"),
];

/// Why a group cannot be deleted, if it cannot.
pub async fn referred(tx: &mut Connection, id: i64) -> Result<Option<Say>, sqlx::Error> {
    let (mut chinese, mut english) = (Vec::new(), Vec::new());
    for (query, zh, en) in REFERENCES {
        let found: i64 = sqlx::query_scalar(*query).bind(id).fetch_one(&mut *tx).await?;
        if found > 0 {
            chinese.push(format!("{found} {zh}"));
            english.push(format!("{found} {en}"));
        }
    }
    Ok((!chinese.is_empty()).then(|| {
        say(
            format!("分组还有 {}，不能删除。不再使用时请停用", chinese.join("、")),
            format!("The group still has {} and cannot be deleted. Disable it instead", english.join(", ")),
        )
    }))
}

#[cfg(test)]
mod tests {
    use super::super::list::Groups;
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        every_sort_walks_an_index::<Groups>(&[]).await;
    }

    #[tokio::test]
    async fn what_a_group_has_is_counted_by_indexes() {
        let plans = Plans::open().await;
        let plan = plan::<Groups>(&plans, ChatGroupFilters::default(), Scope::All).await;
        assert!(plan.contains("SEARCH m USING COVERING INDEX chat_staff_group_group "), "{plan}");
        assert!(plan.contains("SEARCH c USING COVERING INDEX chat_conversation_group "), "{plan}");
    }
}
