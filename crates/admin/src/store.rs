//! Administrators in the database. Every statement that finds an account stays inside the
//! viewer's data scope.

use std::collections::HashMap;
use std::sync::Arc;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::{AdminFilters, AdminRow, RoleRef};
use super::rules::Profile;
use base::crypto::place;
use base::db::Connection;
use base::db::page::{self, ListSource, Page};
use base::db::{self, Sql};
use base::locale::Locale;
use frame::access::versions::Table;
use frame::access::{AdminStatus, Scope, ScopeColumns, accounts, sign_in};
use frame::api::chart;
use frame::api::options;
use frame::api::search::Names;
use frame::api::{self, ApiError, Ctx, ListQuery, Say, SelectOption, say};

/// Who owns an account: itself, its team, its organisation.
pub const SCOPE: ScopeColumns =
    ScopeColumns { owner: Some("a.id"), org: Some("a.org_id"), sub_org: Some("a.sub_org_id"), myself: Some("a.id") };

/// The most organisations in the chart of accounts.
const MOST_ORGS: i64 = 100;

const SELECT: &str = "SELECT a.id, a.username, a.real_name, a.phone_mask, a.email, a.org_id, o.name AS org_name, \
     a.sub_org_id, s.name AS sub_org_name, a.status, a.locked_until, a.must_change_pwd, \
     (SELECT COUNT(*) FROM second_factor f WHERE f.admin_id = a.id AND f.confirmed_at IS NOT NULL) AS second_factor, a.last_login_at, a.last_login_ip, \
     a.builtin, a.version, a.created_at, a.updated_at \
     FROM administrator a \
     LEFT JOIN organisation o ON o.id = a.org_id \
     LEFT JOIN sub_organisation s ON s.id = a.sub_org_id \
     WHERE a.deleted_at IS NULL";
const COUNT: &str = "SELECT a.id FROM administrator a WHERE a.deleted_at IS NULL";

fn read(row: &AnyRow, now: i64) -> Result<AdminRow, sqlx::Error> {
    let status = match db::code(row, "status")? {
        AdminStatus::Enabled if sign_in::is_locked(row, now)? => AdminStatus::Locked,
        stored => stored,
    };
    Ok(AdminRow {
        id: row.try_get("id")?,
        username: row.try_get("username")?,
        real_name: row.try_get("real_name")?,
        phone_mask: row.try_get("phone_mask")?,
        email: row.try_get("email")?,
        org_id: row.try_get("org_id")?,
        org_name: row.try_get("org_name")?,
        sub_org_id: row.try_get("sub_org_id")?,
        sub_org_name: row.try_get("sub_org_name")?,
        status,
        roles: Vec::new(),
        must_change_pwd: db::flag(row, "must_change_pwd")?,
        second_factor: db::flag(row, "second_factor")?,
        last_login_at: row.try_get("last_login_at")?,
        last_login_ip: row.try_get("last_login_ip")?,
        builtin: db::flag(row, "builtin")?,
        version: row.try_get("version")?,
        created_at: row.try_get("created_at")?,
        updated_at: row.try_get("updated_at")?,
    })
}

/// How many accounts hold each role, by the role's name, largest first.
pub async fn count_by_role(cx: &Arc<Ctx>, scope: Scope) -> api::Result<Vec<(String, i64)>> {
    let mut sql = Sql::new("SELECT ");
    sql.push(cx.locale.pick("r.name", "r.name_en"));
    sql.push(
        " AS code, COUNT(*) AS entries FROM administrator a JOIN admin_role ar ON ar.admin_id = a.id JOIN role r ON r.id = ar.role_id \
         WHERE a.deleted_at IS NULL AND r.deleted_at IS NULL",
    );
    scope.apply(&mut sql, SCOPE);
    sql.push(" GROUP BY r.id, r.name, r.name_en ORDER BY 2 DESC, r.id");
    chart::by_code(cx, sql).await
}

/// How many accounts each organisation has, largest first; the platform has no name.
pub async fn count_by_org(cx: &Arc<Ctx>, scope: Scope) -> api::Result<Vec<(String, i64)>> {
    let mut sql = Sql::new(
        "SELECT COALESCE(o.name, '') AS code, COUNT(*) AS entries FROM administrator a LEFT JOIN organisation o ON o.id = a.org_id \
         WHERE a.deleted_at IS NULL",
    );
    scope.apply(&mut sql, SCOPE);
    sql.push(" GROUP BY o.id, o.name ORDER BY 2 DESC, 1 LIMIT ").bind(MOST_ORGS);
    chart::by_code(cx, sql).await
}

/// Accounts in the search of the whole back office.
pub const NAMES: Names = Names {
    kind: "admin",
    title: ("管理员", "Administrators"),
    points: &["admin/list/list", "admin/list/view"],
    tables: &[Table::Administrator, Table::Organisation],
    select: "SELECT a.id, a.real_name AS name, a.username AS code, '' AS also, COALESCE(o.short_name, '') AS note FROM administrator a \
         LEFT JOIN organisation o ON o.id = a.org_id WHERE a.deleted_at IS NULL",
    columns: &["a.real_name", "a.username"],
    scope: SCOPE,
    address: |named| format!("/admin/list/{}", named.id),
};

/// The query of the list; `filter` appends the conditions.
fn source<'f>(filter: &'f (dyn Fn(&mut Sql) + Sync)) -> ListSource<'f> {
    ListSource { select: SELECT, count: COUNT, filter, ids_first: false, newest: None }
}

/// The conditions of a list, for rows, count and export.
fn narrow(sql: &mut Sql, cx: &Ctx, scope: Scope, filters: &AdminFilters) {
    scope.apply(sql, SCOPE);
    sql.and("a.phone_hash = ", filters.phone_hash.clone());
    sql.and_contains(&["a.username", "a.real_name"], filters.keyword.as_deref().map(str::trim));
    if let Some(status) = filters.status {
        match status {
            AdminStatus::Disabled => sql.push(" AND a.status = 'disabled'"),
            AdminStatus::Enabled => sql.push(" AND a.status = 'enabled' AND COALESCE(a.locked_until, 0) <= ").bind(cx.now),
            AdminStatus::Locked => sql.push(" AND a.status = 'enabled' AND a.locked_until > ").bind(cx.now),
        };
    }
    if let Some(role) = filters.role_id {
        sql.push(" AND EXISTS (SELECT 1 FROM admin_role ar WHERE ar.admin_id = a.id AND ar.role_id = ").bind(role).push(")");
    }
    sql.and("a.org_id = ", filters.org_id).and("a.created_at >= ", filters.created_from).and("a.created_at < ", filters.created_to);
}

/// One page of the accounts within a scope.
pub async fn page(cx: &Ctx, scope: Scope, query: &ListQuery<AdminFilters>) -> Result<Page<AdminRow>, sqlx::Error> {
    let filter = |sql: &mut Sql| narrow(sql, cx, scope, &query.filters);
    let mut page = page::page(cx.db(), &source(&filter), query.sort, query.current, query.page_size, |row| read(row, cx.now)).await?;
    add_roles(&mut cx.db().read().acquire().await?, &mut page.list, cx.locale).await?;
    Ok(page)
}

/// The accounts of a list that were made last.
pub async fn latest(cx: &Ctx, scope: Scope, filters: &AdminFilters, most: i64) -> Result<Vec<AdminRow>, sqlx::Error> {
    let mut sql = Sql::new(SELECT);
    narrow(&mut sql, cx, scope, filters);
    sql.push(" ORDER BY a.created_at DESC, a.id DESC LIMIT ").bind(most);
    let found = sql.fetch_all(cx.db().read()).await?;
    let mut rows = found.iter().map(|row| read(row, cx.now)).collect::<Result<Vec<_>, _>>()?;
    add_roles(&mut cx.db().read().acquire().await?, &mut rows, cx.locale).await?;
    Ok(rows)
}

/// The ids of the accounts of a list, in its order, up to a limit.
pub async fn ids(cx: &Ctx, scope: Scope, query: &ListQuery<AdminFilters>, most: i64) -> Result<Vec<i64>, sqlx::Error> {
    let filter = |sql: &mut Sql| narrow(sql, cx, scope, &query.filters);
    page::ids(cx.db(), &source(&filter), query.sort, most).await
}

/// Some accounts of a list, in the order of their ids.
pub async fn by_ids(cx: &Ctx, scope: Scope, query: &ListQuery<AdminFilters>, ids: &[i64]) -> Result<Vec<AdminRow>, sqlx::Error> {
    let filter = |sql: &mut Sql| narrow(sql, cx, scope, &query.filters);
    let mut rows = page::by_ids(cx.db(), &source(&filter), query.sort, ids, |row| read(row, cx.now)).await?;
    add_roles(&mut cx.db().read().acquire().await?, &mut rows, cx.locale).await?;
    Ok(rows)
}

/// Adds the role names of all rows with one query.
async fn add_roles(on: &mut Connection, rows: &mut [AdminRow], locale: Locale) -> Result<(), sqlx::Error> {
    if rows.is_empty() {
        return Ok(());
    }
    let mut sql = Sql::new(
        "SELECT ar.admin_id, r.id, r.name, r.name_en FROM admin_role ar JOIN role r ON r.id = ar.role_id \
         WHERE r.deleted_at IS NULL AND ar.admin_id IN (",
    );
    for (index, row) in rows.iter().enumerate() {
        sql.push(if index == 0 { "" } else { ", " }).bind(row.id);
    }
    sql.push(") ORDER BY r.sort, r.id");
    let mut by_admin: HashMap<i64, Vec<RoleRef>> = HashMap::new();
    for row in sql.fetch_all(on).await? {
        let name = row.try_get(locale.pick("name", "name_en"))?;
        by_admin.entry(row.try_get("admin_id")?).or_default().push(RoleRef { id: row.try_get("id")?, name });
    }
    for row in rows {
        row.roles = by_admin.remove(&row.id).unwrap_or_default();
    }
    Ok(())
}

/// The account, if it is in the viewer's scope.
pub async fn find(on: &mut Connection, cx: &Ctx, id: i64) -> api::Result<AdminRow> {
    find_within(on, cx, cx.viewer()?.scope(), id).await
}

/// The account, for an area that has checked the viewer's scope.
pub async fn find_any(on: &mut Connection, cx: &Ctx, id: i64) -> api::Result<AdminRow> {
    find_within(on, cx, Scope::All, id).await
}

async fn find_within(on: &mut Connection, cx: &Ctx, scope: Scope, id: i64) -> api::Result<AdminRow> {
    let mut sql = Sql::new(SELECT);
    sql.and("a.id = ", Some(id));
    scope.apply(&mut sql, SCOPE);
    let row = sql.fetch_optional(&mut *on).await?.ok_or(ApiError::Missing)?;
    let mut found = [read(&row, cx.now)?];
    add_roles(on, &mut found, cx.locale).await?;
    let [found] = found;
    Ok(found)
}

/// The account's whole phone, for viewers who may see it.
pub async fn phone(on: &mut Connection, cx: &Ctx, id: i64) -> api::Result<Option<String>> {
    let row = sqlx::query("SELECT phone_enc FROM administrator WHERE id = $1").bind(id).fetch_one(on).await?;
    let sealed: Option<String> = row.try_get("phone_enc")?;
    Ok(sealed.map(|sealed| cx.app.keys.open(&place::ADMINISTRATOR_PHONE.of(id), &sealed)).transpose()?)
}

/// The viewer's enabled colleagues: platform staff for the platform, the organisation's people for an organisation.
pub async fn options(cx: &Ctx, keyword: Option<&str>) -> api::Result<Arc<Vec<SelectOption>>> {
    let viewer = cx.viewer()?;
    let mut sql = Sql::new("SELECT a.id, a.username, a.real_name FROM administrator a WHERE a.deleted_at IS NULL AND a.status = 'enabled'");
    viewer.scope().apply(&mut sql, SCOPE);
    match viewer.org_id {
        None => sql.push(" AND a.org_id IS NULL"),
        Some(org) => sql.and("a.org_id = ", Some(org)),
    };
    sql.and_contains(&["a.username", "a.real_name"], keyword);
    sql.push(" ORDER BY a.real_name, a.id LIMIT ").bind(options::MOST);
    let option = |row: &AnyRow| {
        let (name, username): (&str, &str) = (row.try_get("real_name")?, row.try_get("username")?);
        Ok(SelectOption { value: row.try_get("id")?, label: format!("{name} ({username})") })
    };
    let read = async { sql.fetch_all(cx.db().read()).await?.iter().map(option).collect::<Result<Vec<_>, sqlx::Error>>() };
    cx.choices(&[Table::Administrator], keyword, (), read).await
}

/// Locks an account in the viewer's scope for a change, in the version that the viewer saw, until the transaction
/// ends. Returns it as it was.
pub async fn claim(tx: &mut Connection, cx: &Ctx, id: i64, version: i64) -> api::Result<AdminRow> {
    let is_taken = accounts::take(tx, id, version, cx.viewer()?.id, cx.now).await?;
    let found = find(tx, cx, id).await?;
    if is_taken { Ok(found) } else { Err(ApiError::stale(&found)) }
}

/// Whether the organisation exists, and the team in it.
pub async fn organisation_exists(tx: &mut Connection, org_id: i64, sub_org_id: Option<i64>) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("SELECT o.id FROM organisation o WHERE o.deleted_at IS NULL AND o.id = ");
    sql.bind(org_id);
    if let Some(team) = sub_org_id {
        sql.push(" AND EXISTS (SELECT 1 FROM sub_organisation s WHERE s.org_id = o.id AND s.deleted_at IS NULL AND s.id = ");
        sql.bind(team).push(")");
    }
    Ok(sql.fetch_optional(tx).await?.is_some())
}

/// Adds an account whose owner must choose a password at the first sign-in.
pub async fn insert(tx: &mut Connection, cx: &Ctx, username: &str, password_hash: &str, profile: &Profile) -> api::Result<i64> {
    let by = cx.viewer()?.id;
    accounts::insert(tx, &cx.app.keys, username, password_hash, &profile.details(), by, cx.now).await.map_err(duplicate)
}

/// Writes the form's fields of an account, and its roles. Without a phone the stored one stays.
pub async fn write_profile(tx: &mut Connection, cx: &Ctx, id: i64, profile: &Profile) -> api::Result<()> {
    accounts::write(tx, &cx.app.keys, id, &profile.details()).await.map_err(duplicate)
}

/// The two fields of an account that must be unique.
fn duplicate(error: sqlx::Error) -> ApiError {
    match db::is_duplicate(&error) {
        true if error.to_string().contains("phone") => {
            ApiError::Duplicate(say("手机号已被其他管理员使用", "Another administrator already uses this phone number"))
        }
        true => ApiError::Duplicate(say("用户名已存在", "This username is taken")),
        false => error.into(),
    }
}

/// Why an account cannot be deleted: a record that it still owns; none if there is none.
pub async fn looks_after(tx: &mut Connection, id: i64) -> Result<Option<Say>, sqlx::Error> {
    for (chinese, english, count) in [
        ("渠道", "channels", "SELECT COUNT(*) FROM channel WHERE owner_admin_id = $1 AND deleted_at IS NULL"),
        ("机构", "organisations", "SELECT COUNT(*) FROM organisation WHERE owner_admin_id = $1 AND deleted_at IS NULL"),
    ] {
        let found: i64 = sqlx::query_scalar(count).bind(id).fetch_one(&mut *tx).await?;
        if found > 0 {
            return Ok(Some(say(
                format!("该管理员名下还有 {found} 个{chinese}"),
                format!("This administrator still owns {found} {english}"),
            )));
        }
    }
    Ok(None)
}
