//! How the route table fills the menu.

use sqlx::Row;

use base::db::{Connection, Db};
use base::locale::Text;
use base::routes::{self, Route};

/// Writes the nodes of the route table into the database. Decisions of staff stay: titles, icons, order, hidden
/// nodes, nodes that are switched off, and their own links. New screens and points are added, removed ones go out of
/// use.
pub async fn seed(db: &Db, now: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    let mut kept = Vec::new();
    for route in routes::in_menu(&routes::ROUTES) {
        seed_route(&mut tx, route, None, now, &mut kept).await?;
    }
    let known = sqlx::query("SELECT name FROM menu_node WHERE status = 'enabled' AND custom = 0").fetch_all(&mut *tx).await?;
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
    tx: &mut Connection,
    route: &'static Route,
    parent: Option<i64>,
    now: i64,
    kept: &mut Vec<String>,
) -> Result<(), sqlx::Error> {
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
    let menu = Seed {
        icon: route.icon.as_deref(),
        sort: route.order,
        external: route.external.as_deref(),
        hidden: route.hidden,
        everyone: route.everyone,
        ..seeded("menu", &route.name, route.path.as_deref().unwrap_or_default(), &route.title)
    };
    let id = upsert(tx, &menu, now).await?;
    kept.push(route.name.clone());
    for (point, sort) in route.points.iter().zip(1..) {
        upsert(tx, &Seed { parent: Some(id), sort, ..seeded("point", &point.code, &point.code, &point.title) }, now).await?;
        kept.push(point.code.clone());
    }
    for child in routes::in_menu(&route.children) {
        Box::pin(seed_route(tx, child, Some(id), now, kept)).await?;
    }
    Ok(())
}

/// A node of the route table.
struct Seed<'a> {
    parent: Option<i64>,
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

async fn upsert(tx: &mut Connection, node: &Seed<'_>, now: i64) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO menu_node (parent_id, type, name, path, title_zh, title_en, icon, sort, external_url, hide_in_menu, everyone, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
         ON CONFLICT (name) DO UPDATE SET parent_id = excluded.parent_id, type = excluded.type, path = excluded.path, \
           everyone = excluded.everyone, status = 'enabled' \
         RETURNING id",
    )
    .bind(node.parent)
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
