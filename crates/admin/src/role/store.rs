//! Roles in the database.

use std::collections::{BTreeSet, HashMap, HashSet};

use sqlx::any::{Any, AnyRow};
use sqlx::{Executor, Row};

use super::super::store::SCOPE;
use super::model::{RoleFilters, RoleRow, RoleStatus};
use super::rules::Profile;
use base::db::Connection;
use base::db::page::ListSource;
use base::db::{self, Sql};
use frame::access::{DataScope, Scope};
use frame::api::{self, ApiError, Ctx, say};

const SELECT: &str = "SELECT r.id, r.code, r.name, r.name_en, r.data_scope, r.default_route, r.sort, r.status, r.builtin, r.version, \
                      r.created_at, r.updated_at FROM role r WHERE r.deleted_at IS NULL";
const COUNT: &str = "SELECT r.id FROM role r WHERE r.deleted_at IS NULL";

/// Reads a row, without the fields that depend on the viewer: see `list::complete`.
pub fn read(row: &AnyRow) -> Result<RoleRow, sqlx::Error> {
    Ok(RoleRow {
        id: row.try_get("id")?,
        code: row.try_get("code")?,
        label: String::new(),
        name: row.try_get("name")?,
        name_en: row.try_get("name_en")?,
        data_scope: db::code(row, "data_scope")?,
        default_route: row.try_get("default_route")?,
        default_page: None,
        sort: row.try_get("sort")?,
        status: db::code(row, "status")?,
        builtin: db::flag(row, "builtin")?,
        accounts: 0,
        editable: false,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// A role that accounts of the platform may hold.
pub struct PlatformRole {
    pub code: String,
    pub name: String,
    pub name_en: String,
}

/// The roles that accounts of the platform may hold, including those that are off, in order.
pub async fn of_platform(on: impl Executor<'_, Database = Any>) -> Result<Vec<PlatformRole>, sqlx::Error> {
    // A role with the scope "own" may be used by staff of an organisation too: it counts if an account of the platform
    // holds it, or no account does.
    let sql = "SELECT r.code, r.name, r.name_en FROM role r WHERE r.deleted_at IS NULL AND r.data_scope NOT IN ('org', 'sub_org') \
               AND (r.data_scope <> 'self' OR NOT EXISTS (SELECT 1 FROM admin_role m WHERE m.role_id = r.id) \
                 OR EXISTS (SELECT 1 FROM admin_role m JOIN administrator a ON a.id = m.admin_id WHERE m.role_id = r.id AND a.org_id IS NULL)) \
               ORDER BY r.sort, r.id";
    sqlx::query(sql)
        .fetch_all(on)
        .await?
        .iter()
        .map(|row| Ok(PlatformRole { code: row.try_get("code")?, name: row.try_get("name")?, name_en: row.try_get("name_en")? }))
        .collect()
}

/// The query of the list; `filter` appends the conditions.
pub fn source<'f>(filter: &'f (dyn Fn(&mut Sql) + Sync)) -> ListSource<'f> {
    ListSource { select: SELECT, count: COUNT, filter, ids_first: false, newest: None }
}

/// The conditions of a list, for the roles that the viewer sees; `None` for all.
pub fn narrow(sql: &mut Sql, filters: &RoleFilters, seen: Option<&[i64]>) {
    sql.and_contains(&["r.code", "r.name", "r.name_en"], filters.keyword.as_deref())
        .and("r.status = ", filters.status.map(<&str>::from))
        .and("r.data_scope = ", filters.data_scope.map(<&str>::from));
    if let Some(ids) = seen {
        sql.push(" AND r.id IN ").ids(ids.iter().copied());
    }
}

/// One role.
pub async fn find(on: &mut Connection, id: i64) -> Result<Option<RoleRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    sql.fetch_optional(on).await?.as_ref().map(read).transpose()
}

/// How many accounts within a scope hold each of some roles.
pub async fn accounts<'e>(on: impl Executor<'e, Database = Any>, scope: Scope, ids: &[i64]) -> Result<HashMap<i64, i64>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT ar.role_id, COUNT(*) AS accounts FROM admin_role ar JOIN administrator a ON a.id = ar.admin_id AND a.deleted_at IS NULL \
         WHERE ar.role_id IN ",
    );
    sql.ids(ids.iter().copied());
    scope.apply(&mut sql, SCOPE);
    sql.push(" GROUP BY ar.role_id");
    sql.fetch_all(on).await?.iter().map(|row| Ok((row.try_get("role_id")?, row.try_get("accounts")?))).collect()
}

/// The roles that an account holds, including those that are off.
pub async fn held<'e>(on: impl Executor<'e, Database = Any>, admin_id: i64) -> Result<HashSet<i64>, sqlx::Error> {
    let ids: Vec<i64> = sqlx::query_scalar("SELECT role_id FROM admin_role WHERE admin_id = $1").bind(admin_id).fetch_all(on).await?;
    Ok(ids.into_iter().collect())
}

/// Locks a role for a change until the transaction ends. False if it is no longer in this version.
pub async fn claim(tx: &mut Connection, cx: &Ctx, id: i64, version: i64) -> api::Result<bool> {
    let taken = sqlx::query(
        "UPDATE role SET version = version + 1, updated_at = $1, updated_by = $2 WHERE id = $3 AND version = $4 AND deleted_at IS NULL",
    )
    .bind(cx.now)
    .bind(cx.viewer()?.id)
    .bind(id)
    .bind(version)
    .execute(tx)
    .await?;
    Ok(taken.rows_affected() == 1)
}

/// Adds an enabled role. Returns its id.
pub async fn insert(tx: &mut Connection, cx: &Ctx, code: &str, profile: &Profile) -> api::Result<i64> {
    let viewer = cx.viewer()?.id;
    sqlx::query_scalar(
        "INSERT INTO role (code, name, name_en, data_scope, default_route, sort, created_at, updated_at, created_by, updated_by) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING id",
    )
    .bind(code)
    .bind(&profile.name)
    .bind(&profile.name_en)
    .bind(<&str>::from(profile.data_scope))
    .bind(&profile.default_route)
    .bind(profile.sort)
    .bind(cx.now)
    .bind(cx.now)
    .bind(viewer)
    .bind(viewer)
    .fetch_one(tx)
    .await
    .map_err(|error| match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(format!("角色编码 {code} 已存在"), format!("Role code {code} is or was already in use"))),
        false => error.into(),
    })
}

/// Writes the form's fields of a locked role.
pub async fn write_profile(tx: &mut Connection, id: i64, profile: &Profile) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE role SET name = $1, name_en = $2, data_scope = $3, default_route = $4, sort = $5 WHERE id = $6")
        .bind(&profile.name)
        .bind(&profile.name_en)
        .bind(<&str>::from(profile.data_scope))
        .bind(&profile.default_route)
        .bind(profile.sort)
        .bind(id)
        .execute(tx)
        .await
        .map(drop)
}

/// Clears the first page of a locked role: its people begin with the first of their menu.
pub async fn clear_default_route(tx: &mut Connection, id: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE role SET default_route = NULL WHERE id = $1").bind(id).execute(tx).await.map(drop)
}

/// Sets the status of a locked role.
pub async fn set_status(tx: &mut Connection, id: i64, status: RoleStatus) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE role SET status = $1 WHERE id = $2").bind(<&str>::from(status)).bind(id).execute(tx).await.map(drop)
}

/// Marks a locked role as deleted. Its row and its code stay, since the audit trail names it.
pub async fn delete(tx: &mut Connection, id: i64, now: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE role SET deleted_at = $1 WHERE id = $2").bind(now).bind(id).execute(tx).await.map(drop)
}

/// The nodes in use that are granted to a role.
pub async fn granted(on: &mut Connection, id: i64) -> Result<BTreeSet<i64>, sqlx::Error> {
    let ids: Vec<i64> = sqlx::query_scalar(
        "SELECT m.id FROM role_menu rm JOIN menu_node m ON m.id = rm.menu_id AND m.status = 'enabled' AND m.switched_off = 0 WHERE rm.role_id = $1",
    )
    .bind(id)
    .fetch_all(on)
    .await?;
    Ok(ids.into_iter().collect())
}

/// Replaces the grants of a locked role. Grants of nodes out of use stay: they apply again when their node does.
pub async fn grant(tx: &mut Connection, id: i64, nodes: &BTreeSet<i64>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "DELETE FROM role_menu WHERE role_id = $1 AND menu_id IN (SELECT id FROM menu_node WHERE status = 'enabled' AND switched_off = 0)",
    )
    .bind(id)
    .execute(&mut *tx)
    .await?;
    let mut sql = Sql::new("INSERT INTO role_menu (role_id, menu_id) SELECT CAST(");
    sql.bind(id).push(" AS BIGINT), m.id FROM menu_node m WHERE m.id IN ").ids(nodes.iter().copied());
    sql.execute(tx).await.map(drop)
}

/// How many holders of a role a data scope would not fit: the platform's scopes are for platform staff, an
/// organisation's and a team's for people who belong to one.
pub async fn misfits(tx: &mut Connection, id: i64, scope: DataScope) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT COUNT(*) AS misfits FROM admin_role ar JOIN administrator a ON a.id = ar.admin_id AND a.deleted_at IS NULL WHERE ar.role_id = ",
    );
    sql.bind(id).push(match scope {
        DataScope::All | DataScope::Own => " AND a.org_id IS NOT NULL",
        DataScope::Org => " AND a.org_id IS NULL",
        DataScope::SubOrg => " AND a.sub_org_id IS NULL",
        DataScope::Myself => " AND 1 = 0",
    });
    sql.fetch_optional(tx).await?.map_or(Ok(0), |row| row.try_get("misfits"))
}

/// The accounts that hold a role: the first few by name, and their number.
pub async fn holders(tx: &mut Connection, id: i64, first: i64) -> Result<(Vec<String>, i64), sqlx::Error> {
    const HOLDERS: &str = "FROM admin_role ar JOIN administrator a ON a.id = ar.admin_id AND a.deleted_at IS NULL WHERE ar.role_id = ";
    let mut count = Sql::new("SELECT COUNT(*) AS holders ");
    count.push(HOLDERS).bind(id);
    let total = count.fetch_optional(&mut *tx).await?.map_or(Ok(0), |row| row.try_get("holders"))?;
    let mut names = Sql::new("SELECT a.username ");
    names.push(HOLDERS).bind(id).push(" ORDER BY a.username LIMIT ").bind(first);
    let names = names.fetch_all(tx).await?.iter().map(|row| row.try_get("username")).collect::<Result<_, _>>()?;
    Ok((names, total))
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;
    use frame::api::ListFilters;

    #[tokio::test]
    async fn every_sort_uses_an_index() {
        let filter = |sql: &mut Sql| narrow(sql, &RoleFilters::default(), None);
        Plans::open()
            .await
            .every_sort_walks_an_index(&source(&filter), RoleFilters::SORTS, RoleFilters::ID, &["status", "dataScope"])
            .await;
    }
}
