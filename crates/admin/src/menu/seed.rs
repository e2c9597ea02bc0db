//! How the route table fills the menu.

use std::collections::HashMap;

use sqlx::Row;

use base::db::{Connection, Db};
use base::locale::Text;
use base::routes::{self, Route};

/// Writes the nodes of the route table into the database. Decisions of staff stay: titles, icons, order, hidden
/// nodes, nodes that are switched off, and their own links. New screens and points are added, removed ones go out of
/// use. A database that has them all is only read, in one statement.
pub async fn seed(db: &Db, now: i64) -> Result<(), sqlx::Error> {
    let mut nodes = Vec::new();
    for route in routes::in_menu(&routes::ROUTES) {
        add_nodes(&mut nodes, route, None);
    }
    if has_all(db, &nodes).await? {
        return Ok(());
    }
    let mut tx = db.begin().await?;
    let mut ids = HashMap::new();
    for node in &nodes {
        let parent = node.parent.map(|name| ids[name]);
        ids.insert(node.name, upsert(&mut tx, node, parent, now).await?);
    }
    let known = sqlx::query("SELECT name FROM menu_node WHERE status = 'enabled' AND custom = 0").fetch_all(&mut *tx).await?;
    for row in known {
        let name: String = row.try_get("name")?;
        if !ids.contains_key(name.as_str()) {
            sqlx::query("UPDATE menu_node SET status = 'disabled', updated_at = $1 WHERE name = $2")
                .bind(now)
                .bind(name)
                .execute(&mut *tx)
                .await?;
        }
    }
    tx.commit().await
}

/// Whether the database has exactly these nodes in use, besides links of staff, with what [`upsert`] sets.
async fn has_all(db: &Db, nodes: &[Seed<'static>]) -> Result<bool, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT node.name, node.type, node.path, node.everyone, node.custom, parent.name AS parent FROM menu_node node \
         LEFT JOIN menu_node parent ON parent.id = node.parent_id WHERE node.status = 'enabled'",
    )
    .fetch_all(db.read())
    .await?;
    let wanted: HashMap<&str, &Seed<'static>> = nodes.iter().map(|node| (node.name, node)).collect();
    let mut found = 0;
    for row in &rows {
        let Some(node) = wanted.get(row.try_get::<&str, _>("name")?) else {
            if row.try_get::<i64, _>("custom")? == 0 {
                return Ok(false);
            }
            continue;
        };
        let same = row.try_get::<&str, _>("type")? == node.kind
            && row.try_get::<&str, _>("path")? == node.path
            && row.try_get::<i64, _>("everyone")? == i64::from(node.everyone)
            && row.try_get::<Option<&str>, _>("parent")? == node.parent;
        if !same {
            return Ok(false);
        }
        found += 1;
    }
    Ok(found == wanted.len())
}

/// Adds the node of a route, those of its points, and those of the routes below it.
fn add_nodes(nodes: &mut Vec<Seed<'static>>, route: &'static Route, parent: Option<&'static str>) {
    let seeded = |kind, name, path, title| Seed {
        parent,
        kind,
        name,
        path,
        title,
        icon: None,
        sort: 0,
        external: None,
        hidden: false,
        everyone: false,
    };
    nodes.push(Seed {
        icon: route.icon.as_deref(),
        sort: route.order,
        external: route.external.as_deref(),
        hidden: route.hidden,
        everyone: route.everyone,
        ..seeded("menu", &route.name, route.path.as_deref().unwrap_or_default(), &route.title)
    });
    for (point, sort) in route.points.iter().zip(1..) {
        nodes.push(Seed { parent: Some(&route.name), sort, ..seeded("point", &point.code, &point.code, &point.title) });
    }
    for child in routes::in_menu(&route.children) {
        add_nodes(nodes, child, Some(&route.name));
    }
}

/// A node of the route table.
struct Seed<'a> {
    /// The name of the node above.
    parent: Option<&'a str>,
    kind: &'static str,
    name: &'a str,
    path: &'a str,
    title: &'a Text,
    icon: Option<&'a str>,
    sort: i64,
    external: Option<&'a str>,
    hidden: bool,
    everyone: bool,
}

async fn upsert(tx: &mut Connection, node: &Seed<'_>, parent: Option<i64>, now: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO menu_node (parent_id, type, name, path, title_zh, title_en, icon, sort, external_url, hide_in_menu, everyone, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
         ON CONFLICT (name) DO UPDATE SET parent_id = excluded.parent_id, type = excluded.type, path = excluded.path, \
           everyone = excluded.everyone, status = 'enabled' \
         RETURNING id",
    )
    .bind(parent)
    .bind(node.kind)
    .bind(node.name)
    .bind(node.path)
    .bind(&node.title.chinese)
    .bind(&node.title.english)
    .bind(node.icon)
    .bind(node.sort)
    .bind(node.external)
    .bind(i64::from(node.hidden))
    .bind(i64::from(node.everyone))
    .bind(now)
    .bind(now)
    .fetch_one(tx)
    .await
}
