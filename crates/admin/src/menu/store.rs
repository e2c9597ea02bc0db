//! The menu's nodes in the database, for the editor.

use std::collections::HashSet;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::MenuEntry;
use base::db::{self, Connection, Sql};
use frame::access::role::BUILTIN_ADMIN;

/// Nodes of the route table, and links of staff.
const SELECT: &str = "SELECT m.id, m.parent_id, m.type, m.name, m.path, m.title_zh, m.title_en, m.icon, m.sort, m.external_url, \
                      m.hide_in_menu, m.switched_off, m.everyone, m.custom, m.version FROM menu_node m WHERE m.status = 'enabled'";

fn read(row: &AnyRow) -> Result<MenuEntry, sqlx::Error> {
    let name: String = row.try_get("name")?;
    Ok(MenuEntry {
        id: row.try_get("id")?,
        parent_id: row.try_get("parent_id")?,
        kind: if row.try_get::<&str, _>("type")? == "point" { 2 } else { 1 },
        path: row.try_get("path")?,
        title_zh: row.try_get("title_zh")?,
        title_en: row.try_get("title_en")?,
        icon: row.try_get("icon")?,
        sort: row.try_get("sort")?,
        external_url: row.try_get("external_url")?,
        hidden: db::flag(row, "hide_in_menu")?,
        enabled: !db::flag(row, "switched_off")?,
        everyone: db::flag(row, "everyone")?,
        custom: db::flag(row, "custom")?,
        vital: name == "admin" || name == "adminMenu" || name.starts_with("admin/menu/"),
        name,
        version: row.try_get("version")?,
        children: None,
    })
}

/// All nodes, in order.
pub async fn all(on: &mut Connection) -> Result<Vec<MenuEntry>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.push(" ORDER BY m.sort, m.id");
    sql.fetch_all(on).await?.iter().map(read).collect()
}

/// One node.
pub async fn find(on: &mut Connection, id: i64) -> Result<Option<MenuEntry>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("m.id = ", Some(id));
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// Adds a link at the top of the menu. Returns its id.
pub async fn insert(tx: &mut Connection, link: &MenuEntry, now: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO menu_node (parent_id, type, name, path, title_zh, title_en, icon, sort, external_url, everyone, custom, created_at, updated_at) \
         VALUES (NULL, 'menu', $1, '', $2, $3, $4, $5, $6, $7, 1, $8, $9) RETURNING id",
    )
    .bind(&link.name)
    .bind(&link.title_zh)
    .bind(&link.title_en)
    .bind(&link.icon)
    .bind(link.sort)
    .bind(&link.external_url)
    .bind(i64::from(link.everyone))
    .bind(now)
    .bind(now)
    .fetch_one(tx)
    .await
}

/// Writes a node over its version. Returns whether that version existed.
pub async fn update(tx: &mut Connection, entry: &MenuEntry, now: i64) -> Result<bool, sqlx::Error> {
    sqlx::query(
        "UPDATE menu_node SET title_zh = $1, title_en = $2, icon = $3, sort = $4, external_url = $5, hide_in_menu = $6, \
           switched_off = $7, everyone = $8, version = version + 1, updated_at = $9 WHERE id = $10 AND version = $11",
    )
    .bind(&entry.title_zh)
    .bind(&entry.title_en)
    .bind(&entry.icon)
    .bind(entry.sort)
    .bind(&entry.external_url)
    .bind(i64::from(entry.hidden))
    .bind(i64::from(!entry.enabled))
    .bind(i64::from(entry.everyone))
    .bind(now)
    .bind(entry.id)
    .bind(entry.version)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Deletes a node without children, and its grants.
pub async fn delete(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("DELETE FROM role_menu WHERE menu_id = $1").bind(id).execute(&mut *tx).await?;
    sqlx::query("DELETE FROM menu_node WHERE id = $1").bind(id).execute(tx).await.map(drop)
}

/// Gives a new version to every role whose menu depends on this node, so that all server nodes read it again at the
/// next request.
pub async fn renew_roles(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    let nodes = all(tx).await?;
    let mut changed = HashSet::from([id]);
    // Each round finds one more level; there are three.
    while let Some(next) = nodes.iter().find(|node| !changed.contains(&node.id) && node.parent_id.is_some_and(|up| changed.contains(&up))) {
        changed.insert(next.id);
    }
    let mut sql = Sql::new("UPDATE role SET version = version + 1 WHERE deleted_at IS NULL");
    if !nodes.iter().any(|node| changed.contains(&node.id) && node.everyone) {
        sql.push(" AND (code = ").bind(BUILTIN_ADMIN).push(" OR id IN (SELECT role_id FROM role_menu WHERE menu_id IN (").bind(id);
        for node in &changed {
            sql.push(", ").bind(*node);
        }
        sql.push(")))");
    }
    sql.execute(tx).await.map(drop)
}
