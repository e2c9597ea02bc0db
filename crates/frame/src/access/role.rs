//! Roles, and a cache of them in each process.

use std::collections::HashSet;
use std::sync::Arc;

use moka::sync::Cache;
use sqlx::Row;

use super::menu::{self, MenuNode, Node};
use super::viewer::DataScope;
use base::db::{self, Connection, Db, Sql};
use base::locale::Locale;

/// Code of the built-in administrator role, which holds every point.
pub const BUILTIN_ADMIN: &str = "admin";

/// A role with all data that requests need, computed once.
#[derive(Debug)]
pub struct Role {
    pub id: i64,
    pub version: i64,
    pub code: String,
    pub name_zh: String,
    pub name_en: String,
    pub scope: DataScope,
    pub default_route: Option<String>,
    /// Codes of the points it holds.
    pub points: HashSet<String>,
    /// Names of the routes in its menu tree.
    pub routes: HashSet<String>,
    /// The built-in administrator role: it has every point, including later ones.
    pub is_builtin: bool,
    /// Names of the pages, links and points granted to it, including those that are switched off in the menu.
    pub granted: HashSet<String>,
    /// Its nodes, menus and points.
    pub nodes: Vec<Node>,
    /// The menu and the points for its pages, by language.
    pub page_json: [PageJson; 2],
}

/// What all pages of a role have in common, serialised once: `RoleData` of `js/lib/types.ts`.
#[derive(Debug)]
pub struct PageJson {
    /// Names the content: 32 hexadecimal digits of its hash.
    pub key: Arc<str>,
    pub json: Arc<str>,
}

impl PageJson {
    fn of(json: &str) -> PageJson {
        PageJson { key: base::crypto::sha256_hex(json.as_bytes())[..32].into(), json: json.into() }
    }
}

impl Default for PageJson {
    fn default() -> PageJson {
        PageJson::of(r#"{"locale":"zh-CN","menu":[],"points":[]}"#)
    }
}

impl Default for Role {
    fn default() -> Role {
        Role {
            id: 0,
            version: 0,
            code: String::new(),
            name_zh: String::new(),
            name_en: String::new(),
            scope: DataScope::Myself,
            default_route: None,
            points: HashSet::new(),
            routes: HashSet::new(),
            is_builtin: false,
            granted: HashSet::new(),
            nodes: Vec::new(),
            page_json: Default::default(),
        }
    }
}

impl Role {
    /// The role's name in one language.
    pub fn name(&self, locale: Locale) -> &str {
        locale.pick(&self.name_zh, &self.name_en)
    }

    /// The menu tree with its points, as `GET /menu/listByToken` returns it.
    pub fn menu(&self, locale: Locale) -> Vec<MenuNode> {
        menu::tree(&self.nodes, locale, true)
    }

    /// The pages' JSON in one language.
    pub fn page_json(&self, locale: Locale) -> &PageJson {
        &self.page_json[locale.pick(0, 1)]
    }

    /// Reads a role by its id, as the connection sees it: in a transaction, with its changes.
    pub async fn load(on: &mut Connection, id: i64) -> Result<Role, sqlx::Error> {
        let row = sqlx::query("SELECT version, code, name, name_en, data_scope, default_route, builtin FROM role WHERE id = $1")
            .bind(id)
            .fetch_one(&mut *on)
            .await?;
        let code: String = row.try_get("code")?;
        let everything = db::flag(&row, "builtin")? && code == BUILTIN_ADMIN;
        Ok(Role {
            id,
            // Read before the nodes: after a change in between, the next request loads the role again.
            version: row.try_get("version")?,
            nodes: if everything { menu::nodes(on).await? } else { menu::nodes_of(on, id).await? },
            is_builtin: everything,
            granted: menu::granted(on, id).await?,
            code,
            name_zh: row.try_get("name")?,
            name_en: row.try_get("name_en")?,
            scope: db::code(&row, "data_scope")?,
            default_route: row.try_get("default_route")?,
            ..Role::default()
        }
        .complete())
    }

    fn complete(mut self) -> Role {
        for node in &self.nodes {
            match node.is_point {
                true => self.points.insert(node.path.clone()),
                false => self.routes.insert(node.name.clone()),
            };
        }
        let mut points: Vec<&String> = self.points.iter().collect();
        points.sort();
        let points = serde_json::to_string(&points).expect("texts serialise");
        self.page_json = [Locale::Chinese, Locale::English].map(|locale| {
            let menu = serde_json::to_string(&menu::tree(&self.nodes, locale, false)).expect("a tree of texts serialises");
            PageJson::of(&format!(r#"{{"locale":"{}","menu":{menu},"points":{points}}}"#, locale.tag()))
        });
        self
    }
}

/// The roles of this process, each cached until its version changes in the database. The version is read with every
/// session, so a change made on one node applies on all at the next request.
pub struct Roles {
    cache: Cache<i64, Arc<Role>>,
}

impl Default for Roles {
    fn default() -> Roles {
        Roles { cache: Cache::new(256) }
    }
}

impl Roles {
    /// The role, at least as new as `version`.
    pub async fn get(&self, db: &Db, id: i64, version: i64) -> Result<Arc<Role>, sqlx::Error> {
        if let Some(role) = self.cache.get(&id).filter(|role| role.version >= version) {
            return Ok(role);
        }
        let role = Arc::new(Role::load(&mut db.read().acquire().await?, id).await?);
        self.cache.insert(id, role.clone());
        Ok(role)
    }
}

/// Ids of the roles in use that hold a point and see everything.
pub async fn overseers(tx: &mut Connection, point: &str) -> Result<Vec<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "SELECT r.id FROM role r WHERE r.status = 'enabled' AND r.deleted_at IS NULL AND r.data_scope = 'all' AND ((r.builtin = 1 AND r.code = $1) \
           OR EXISTS (SELECT 1 FROM role_menu g JOIN menu_node m ON m.id = g.menu_id \
                      WHERE g.role_id = r.id AND m.path = $2 AND m.type = 'point' AND m.status = 'enabled' AND m.switched_off = 0)) ORDER BY r.id",
    )
    .bind(BUILTIN_ADMIN)
    .bind(point)
    .fetch_all(tx)
    .await
}

/// A query of SQL: the ids of the accounts in use that hold a point in one of their roles. The point is a literal:
/// `point_holders!("plan/list/audit")`.
#[macro_export]
macro_rules! point_holders {
    ($point:literal) => {
        concat!(
            "SELECT ha.id FROM administrator ha WHERE ha.status = 'enabled' AND ha.deleted_at IS NULL AND EXISTS \
             (SELECT 1 FROM admin_role hk JOIN role hr ON hr.id = hk.role_id WHERE hk.admin_id = ha.id AND hr.status = 'enabled' \
               AND hr.deleted_at IS NULL AND (hr.builtin = 1 OR EXISTS (SELECT 1 FROM role_menu hg JOIN menu_node hm ON hm.id = hg.menu_id \
                 WHERE hg.role_id = hr.id AND hm.path = '",
            $point,
            "' AND hm.type = 'point' AND hm.status = 'enabled' AND hm.switched_off = 0)))"
        )
    };
}
pub use point_holders;

/// The condition that a role is in use and holds the point bound next.
const HOLDS: &str = " AND r.status = 'enabled' AND r.deleted_at IS NULL AND EXISTS (SELECT 1 FROM role_menu g JOIN menu_node m \
     ON m.id = g.menu_id WHERE g.role_id = r.id AND m.type = 'point' AND m.status = 'enabled' AND m.switched_off = 0 AND m.path = ";

/// Who holds a point in an organisation: ids of the roles that see the whole organisation, and of the people of a
/// team whose role sees their team only.
pub async fn holders(tx: &mut Connection, point: &str, org_id: i64, sub_org_id: Option<i64>) -> Result<(Vec<i64>, Vec<i64>), sqlx::Error> {
    let ids = |rows: Vec<sqlx::any::AnyRow>| rows.iter().map(|row| row.try_get("id")).collect::<Result<Vec<i64>, _>>();
    let mut sql = Sql::new("SELECT r.id FROM role r WHERE r.data_scope = 'org'");
    sql.push(HOLDS).bind(point.to_owned()).push(") ORDER BY r.id");
    let roles = ids(sql.fetch_all(&mut *tx).await?)?;
    let Some(team) = sub_org_id else { return Ok((roles, Vec::new())) };
    let mut sql = Sql::new(
        "SELECT DISTINCT a.id FROM administrator a JOIN admin_role k ON k.admin_id = a.id JOIN role r ON r.id = k.role_id \
         WHERE r.data_scope = 'sub_org' AND a.status = 'enabled' AND a.deleted_at IS NULL AND a.org_id = ",
    );
    sql.bind(org_id).push(" AND a.sub_org_id = ").bind(team).push(HOLDS).bind(point.to_owned()).push(") ORDER BY a.id");
    Ok((roles, ids(sql.fetch_all(tx).await?)?))
}
