//! The menu tree: its nodes in the database, and how a route table fills it.

use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

use crate::db::{Db, Sql};
use crate::locale::Locale;
use crate::routes::{self, Route};

/// A node as stored.
#[derive(Clone, Debug)]
pub struct Node {
    pub id: i64,
    pub parent_id: Option<i64>,
    pub is_point: bool,
    pub name: String,
    pub path: String,
    pub title_zh: String,
    pub title_en: String,
    pub icon: Option<String>,
    pub sort: i64,
    pub external_url: Option<String>,
}

/// A node as `GET /menu/listByToken` sends it. Points (type 2) carry their code as `path`.
#[derive(Clone, Debug, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct MenuNode {
    pub id: i64,
    pub name: String,
    pub path: String,
    /// 1 a menu, 2 a permission point.
    #[serde(rename = "type")]
    pub kind: u8,
    pub title: String,
    pub icon: Option<String>,
    pub order: i64,
    pub external: Option<String>,
    /// `null` when there are none.
    pub children: Option<Vec<MenuNode>>,
}

/// Puts nodes into their tree, in one language. `with_points` keeps type 2.
pub fn tree(nodes: &[Node], locale: Locale, with_points: bool) -> Vec<MenuNode> {
    children(nodes, None, locale, with_points).unwrap_or_default()
}

fn children(nodes: &[Node], parent: Option<i64>, locale: Locale, with_points: bool) -> Option<Vec<MenuNode>> {
    let mut found: Vec<MenuNode> = nodes
        .iter()
        .filter(|node| node.parent_id == parent && (with_points || !node.is_point))
        .map(|node| MenuNode {
            id: node.id,
            name: node.name.clone(),
            path: node.path.clone(),
            kind: if node.is_point { 2 } else { 1 },
            title: locale.pick(&node.title_zh, &node.title_en).clone(),
            icon: node.icon.clone(),
            order: node.sort,
            external: node.external_url.clone(),
            children: children(nodes, Some(node.id), locale, with_points),
        })
        .collect();
    found.sort_by_key(|node| (node.order, node.id));
    (!found.is_empty()).then_some(found)
}

/// Reads all enabled nodes, or those that a role holds.
pub async fn nodes(db: &Db, role_id: Option<i64>) -> Result<Vec<Node>, sqlx::Error> {
    const COLUMNS: &str =
        "SELECT m.id, m.parent_id, m.type, m.name, m.path, m.title_zh, m.title_en, m.icon, m.sort, m.external_url FROM menu_node m ";
    let mut sql = Sql::new(COLUMNS);
    if let Some(role) = role_id {
        sql.push("JOIN role_menu rm ON rm.menu_id = m.id AND rm.role_id = ").bind(role);
    }
    sql.push(" WHERE m.status = 'enabled' ORDER BY m.sort, m.id");
    sql.fetch_all(db.read()).await?.iter().map(read_node).collect()
}

fn read_node(row: &AnyRow) -> Result<Node, sqlx::Error> {
    Ok(Node {
        id: row.try_get("id")?,
        parent_id: row.try_get("parent_id")?,
        is_point: row.try_get::<&str, _>("type")? == "point",
        name: row.try_get("name")?,
        path: row.try_get("path")?,
        title_zh: row.try_get("title_zh")?,
        title_en: row.try_get("title_en")?,
        icon: row.try_get("icon")?,
        sort: row.try_get("sort")?,
        external_url: row.try_get("external_url")?,
    })
}

/// Brings the nodes of the route table into the database. Titles, icons and order that staff
/// have changed since stay theirs; new screens and points arrive, vanished ones are switched off.
pub async fn seed(db: &Db, now: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    let mut kept = Vec::new();
    for route in routes::ROUTES.iter().filter(|route| !route.public) {
        seed_route(&mut tx, route, None, now, &mut kept).await?;
    }
    let known = sqlx::query("SELECT name FROM menu_node WHERE status = 'enabled'").fetch_all(&mut *tx).await?;
    for row in known {
        let name: String = row.try_get("name")?;
        if !kept.contains(&name) {
            sqlx::query("UPDATE menu_node SET status = 'disabled', updated_at = $1 WHERE name = $2")
                .bind(now)
                .bind(name)
                .execute(&mut *tx)
                .await?;
        }
    }
    tx.commit().await
}

async fn seed_route(
    tx: &mut AnyConnection,
    route: &'static Route,
    parent: Option<i64>,
    now: i64,
    kept: &mut Vec<String>,
) -> Result<(), sqlx::Error> {
    let path = route.path.as_deref().unwrap_or_default();
    let icon = route.icon.as_deref();
    let id = upsert(tx, parent, "menu", &route.name, path, &route.title, icon, route.order, now).await?;
    kept.push(route.name.clone());
    for (order, point) in route.points.iter().enumerate() {
        upsert(tx, Some(id), "point", &point.code, &point.code, &point.title, None, order as i64 + 1, now).await?;
        kept.push(point.code.clone());
    }
    for child in &route.children {
        Box::pin(seed_route(tx, child, Some(id), now, kept)).await?;
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "the columns of one row")]
async fn upsert(
    tx: &mut AnyConnection,
    parent: Option<i64>,
    kind: &str,
    name: &str,
    path: &str,
    title: &crate::locale::Text,
    icon: Option<&str>,
    sort: i64,
    now: i64,
) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO menu_node (parent_id, type, name, path, title_zh, title_en, icon, sort, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) \
         ON CONFLICT (name) DO UPDATE SET parent_id = excluded.parent_id, type = excluded.type, path = excluded.path, status = 'enabled' \
         RETURNING id",
    )
    .bind(parent)
    .bind(kind)
    .bind(name)
    .bind(path)
    .bind(&title.chinese)
    .bind(&title.english)
    .bind(icon)
    .bind(sort)
    .bind(now)
    .bind(now)
    .fetch_one(tx)
    .await
}
