//! The menu tree of a role.
//!
//! Not here: how its nodes get into the database (`admin::menu`).

use std::collections::{HashMap, HashSet};
use std::iter;

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use base::db::{self, Connection};
use base::locale::Locale;
use base::routes;

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
    /// The page opens, but the menu has no link to it.
    pub hidden: bool,
    /// In every role's tree without being granted.
    pub everyone: bool,
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
    /// The page opens, but the menu has no link to it.
    pub hidden: bool,
    /// `null` if there are none.
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
            hidden: node.hidden,
            children: children(nodes, Some(node.id), locale, with_points),
        })
        .collect();
    found.sort_by_key(|node| (node.order, node.id));
    (!found.is_empty()).then_some(found)
}

/// Reads all nodes in use: neither they nor a group above them is deleted or switched off.
pub async fn nodes(on: &mut Connection) -> Result<Vec<Node>, sqlx::Error> {
    const ALL: &str = "SELECT m.id, m.parent_id, m.type, m.name, m.path, m.title_zh, m.title_en, m.icon, m.sort, m.external_url, \
                       m.hide_in_menu, m.everyone FROM menu_node m WHERE m.status = 'enabled' AND m.switched_off = 0 ORDER BY m.sort, m.id";
    let nodes: Vec<Node> = sqlx::query(ALL).fetch_all(on).await?.iter().map(read_node).collect::<Result<_, _>>()?;
    let above: HashMap<i64, Option<i64>> = nodes.iter().map(|node| (node.id, node.parent_id)).collect();
    let in_use = |node: &Node| {
        let top = iter::successors(Some(node.id), |id| above.get(id).copied().flatten()).last();
        top.is_some_and(|id| above.get(&id) == Some(&None))
    };
    Ok(nodes.iter().filter(|node| in_use(node)).cloned().collect())
}

/// Reads the nodes in use of a role: those granted to it, those for everyone, the pages that come with its points,
/// and the groups above them.
pub async fn nodes_of(on: &mut Connection, role_id: i64) -> Result<Vec<Node>, sqlx::Error> {
    let granted: Vec<i64> =
        sqlx::query_scalar("SELECT menu_id FROM role_menu WHERE role_id = $1").bind(role_id).fetch_all(&mut *on).await?;
    let nodes = nodes(on).await?;
    let above: HashMap<i64, Option<i64>> = nodes.iter().map(|node| (node.id, node.parent_id)).collect();
    let points: HashSet<&str> =
        nodes.iter().filter(|node| node.is_point && granted.contains(&node.id)).map(|node| node.path.as_str()).collect();
    let comes_with =
        |node: &Node| routes::by_name(&node.name).is_some_and(|route| route.needs.iter().any(|point| points.contains(point.as_str())));
    let held: HashSet<i64> = nodes
        .iter()
        .filter(|node| granted.contains(&node.id) || node.everyone || comes_with(node))
        .flat_map(|node| iter::successors(Some(node.id), |id| above.get(id).copied().flatten()))
        .collect();
    Ok(nodes.into_iter().filter(|node| held.contains(&node.id)).collect())
}

/// Names of the pages, links and points granted to a role, whether they are switched off or not.
pub async fn granted(on: &mut Connection, role_id: i64) -> Result<HashSet<String>, sqlx::Error> {
    const GRANTED: &str = "SELECT m.id, m.parent_id, m.type, m.name, m.path, m.title_zh, m.title_en, m.icon, m.sort, m.external_url, \
                           m.hide_in_menu, m.everyone FROM menu_node m JOIN role_menu g ON g.menu_id = m.id \
                           WHERE g.role_id = $1 AND m.status = 'enabled'";
    let nodes: Vec<Node> = sqlx::query(GRANTED).bind(role_id).fetch_all(on).await?.iter().map(read_node).collect::<Result<_, _>>()?;
    Ok(nodes.into_iter().filter(is_given).map(|node| node.name).collect())
}

/// Whether a node is granted by itself. Nodes for everyone and pages that come with the points of others are not.
fn is_given(node: &Node) -> bool {
    match routes::by_name(&node.name) {
        _ if node.everyone => false,
        Some(route) => route.page.is_some() && route.needs.is_empty(),
        None => node.is_point || node.external_url.is_some(),
    }
}

/// Of some nodes, those that roles can be granted, and the groups above them.
pub fn grantable(nodes: &[Node]) -> Vec<Node> {
    let above: HashMap<i64, Option<i64>> = nodes.iter().map(|node| (node.id, node.parent_id)).collect();
    let given: HashSet<i64> = nodes
        .iter()
        .filter(|node| is_given(node))
        .flat_map(|node| iter::successors(Some(node.id), |id| above.get(id).copied().flatten()))
        .collect();
    nodes.iter().filter(|node| given.contains(&node.id)).cloned().collect()
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
        hidden: db::flag(row, "hide_in_menu")?,
        everyone: db::flag(row, "everyone")?,
    })
}
