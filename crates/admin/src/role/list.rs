//! The list of roles: pages, the file, and one role in full.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::model::AdminFilters;
use super::super::store as accounts;
use super::grantable::grantable;
use super::model::{HeldRole, RoleDetail, RoleFilters, RoleHolder, RoleRow};
use super::{rules, store};
use base::db::Connection;
use base::db::page::{self, Page, Sort};
use base::locale::Locale;
use frame::access::audit::{self, AuditEntry, Module, Target};
use frame::access::menu::MenuNode;
use frame::access::role::Role;
use frame::access::versions::Table;
use frame::access::{Scope, ScopeColumns, Viewer, menu};
use frame::api::export::{self, Cell, Exported, Sheet, column};
use frame::api::search::{Names, Search};
use frame::api::{self, ApiError, Ctx, Id, ListFilters, ListQuery, Nothing, say};

/// The name of roles in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Role, kind: "role", id: None };
/// The most holders in a role's details.
const MOST_HOLDERS: i64 = 100;

/// The roles that the viewer may see, `None` for all: viewers who see everything of the platform see all roles;
/// others see those that they could give to an account.
async fn seen(cx: &Ctx) -> api::Result<Option<Vec<i64>>> {
    match cx.viewer()?.scope() {
        Scope::All => Ok(None),
        _ => Ok(Some(grantable(cx).await?.into_iter().map(|choice| choice.role.id).collect())),
    }
}

/// Roles in the search of the whole back office, for readers of Chinese.
const NAMES: Names = Names {
    kind: "role",
    title: ("角色", "Roles"),
    points: &["admin/role-list/list", "admin/role-list/view"],
    tables: &[Table::Role],
    select: "SELECT r.id, r.name, r.code, r.name_en AS also, '' AS note FROM role r WHERE r.deleted_at IS NULL",
    columns: &["r.name", "r.name_en", "r.code"],
    scope: ScopeColumns { owner: None, org: None, sub_org: None, myself: None },
    address: |named| format!("/admin/role-list/{}", named.id),
};

/// The same for readers of English.
const ENGLISH_NAMES: Names =
    Names { select: "SELECT r.id, r.name_en AS name, r.code, r.name AS also, '' AS note FROM role r WHERE r.deleted_at IS NULL", ..NAMES };

/// Finds roles that the viewer sees by their names.
pub async fn search(search: &mut Search<'_>) -> api::Result<()> {
    let cx = search.cx();
    if !cx.viewer()?.has("admin/role-list/view") {
        return Ok(());
    }
    let names = cx.locale.pick(&NAMES, &ENGLISH_NAMES);
    match seen(cx).await? {
        None => search.names(names).await,
        Some(ids) => search.names_among(names, &ids).await,
    }
}

/// Refuses roles that the viewer may not see.
pub(super) async fn is_seen(cx: &Ctx, id: i64) -> api::Result<()> {
    match seen(cx).await? {
        Some(ids) if !ids.contains(&id) => Err(ApiError::Missing),
        _ => Ok(()),
    }
}

/// Adds what depends on the viewer: the accounts in scope, and whether the role may be changed.
pub(super) async fn complete(cx: &Ctx, rows: &mut [RoleRow]) -> api::Result<()> {
    let viewer = cx.viewer()?;
    let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
    let mut counts = store::accounts(cx.db().read(), viewer.scope(), &ids).await?;
    let held = store::held(cx.db().read(), viewer.id).await?;
    for row in rows {
        let role = cx.app.roles.get(cx.db(), row.id, row.version).await?;
        let accounts = counts.remove(&row.id).unwrap_or_default();
        complete_one(cx, viewer, &held, row, &role, accounts);
    }
    Ok(())
}

fn complete_one(cx: &Ctx, viewer: &Viewer, held: &HashSet<i64>, row: &mut RoleRow, role: &Role, accounts: i64) {
    let first = row.default_route.as_deref().and_then(|name| role.nodes.iter().find(|node| node.name == name));
    row.label = role.name(cx.locale).to_owned();
    row.default_page = first.map(|node| cx.locale.pick(&node.title_zh, &node.title_en).clone());
    row.accounts = accounts;
    row.editable = rules::may_manage(viewer).is_ok() && rules::refusal(viewer, held, row, role).is_none();
}

/// `POST /role/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<RoleFilters>) -> api::Result<Page<RoleRow>> {
    let seen = seen(&cx).await?;
    let filter = |sql: &mut _| store::narrow(sql, &query.filters, seen.as_deref());
    let mut page = page::page(cx.db(), &store::source(&filter), query.sort, query.current, query.page_size, store::read).await?;
    complete(&cx, &mut page.list).await?;
    Ok(page)
}

/// `POST /role/page/export`.
pub async fn export(cx: Arc<Ctx>, query: ListQuery<RoleFilters>) -> api::Result<Exported> {
    let seen = Arc::new(seen(&cx).await?);
    let (asking, narrowed) = (&query, seen.clone());
    let db = cx.db();
    let ids = |most| async move {
        let filter = |sql: &mut _| store::narrow(sql, &asking.filters, narrowed.as_deref());
        page::ids(db, &store::source(&filter), asking.sort, most).await
    };
    let (reader, filters, sort, seen) = (cx.clone(), query.filters.clone(), query.sort, seen.clone());
    let rows = move |ids: Vec<i64>| rows_of(reader.clone(), filters.clone(), sort, seen.clone(), ids);
    export::export(cx.clone(), &query, sheet(), export::Reading { ids, rows, last: std::future::ready(Ok(None)) }).await
}

async fn rows_of(
    cx: Arc<Ctx>,
    filters: RoleFilters,
    sort: Sort,
    seen: Arc<Option<Vec<i64>>>,
    ids: Vec<i64>,
) -> Result<Vec<RoleRow>, sqlx::Error> {
    let filter = |sql: &mut _| store::narrow(sql, &filters, seen.as_deref());
    let mut rows = page::by_ids(cx.db(), &store::source(&filter), sort, &ids, store::read).await?;
    let scope = cx.viewer().map_or(Scope::Nothing, |viewer| viewer.scope());
    let mut counts = store::accounts(cx.db().read(), scope, &ids).await?;
    for row in &mut rows {
        row.accounts = counts.remove(&row.id).unwrap_or_default();
    }
    Ok(rows)
}

fn sheet() -> Sheet<RoleRow> {
    Sheet {
        target: TARGET,
        title: say("角色列表", "Roles"),
        columns: vec![
            column("code", "角色编码", "Code", |row, _| Cell::text(row.code.clone())),
            column("label", "角色", "Role", |row, locale| Cell::text(locale.pick(&row.name, &row.name_en).clone())),
            column("name", "中文名称", "Chinese name", |row, _| Cell::text(row.name.clone())),
            column("nameEn", "英文名称", "English name", |row, _| Cell::text(row.name_en.clone())),
            column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
            column("dataScope", "数据范围", "Data scope", |row, locale| Cell::text(row.data_scope.label(locale).to_owned())),
            column("accounts", "账号数", "Accounts", |row, _| Cell::Number(row.accounts)),
            column("defaultPage", "默认页面", "Default page", |row, locale| {
                let route = row.default_route.as_deref().and_then(base::routes::by_name);
                Cell::text(route.map(|route| route.title.get(locale).to_owned()))
            }),
            column("sort", "排序", "Order", |row, _| Cell::Number(row.sort)),
            column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
            column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
        ],
    }
}

/// `GET /role/{id}`.
pub async fn get(cx: Arc<Ctx>, Id(id): Id) -> api::Result<RoleDetail> {
    is_seen(&cx, id).await?;
    detail(&cx, id).await
}

/// A role in full, as it is now.
pub(super) async fn detail(cx: &Ctx, id: i64) -> api::Result<RoleDetail> {
    let row = store::find(&mut cx.db().read().acquire().await?, id).await?.ok_or(ApiError::Missing)?;
    let mut found = [row];
    complete(cx, &mut found).await?;
    let [row] = found;
    let role = cx.app.roles.get(cx.db(), id, row.version).await?;
    Ok(in_full(row, &role))
}

/// The same, with the changes of a transaction.
pub(super) async fn detail_within(cx: &Ctx, tx: &mut Connection, id: i64) -> api::Result<RoleDetail> {
    let viewer = cx.viewer()?;
    let mut row = store::find(&mut *tx, id).await?.ok_or(ApiError::Missing)?;
    let accounts = store::accounts(&mut *tx, viewer.scope(), &[id]).await?.remove(&id).unwrap_or_default();
    let held = store::held(&mut *tx, viewer.id).await?;
    let role = Role::load(tx, id).await?;
    complete_one(cx, viewer, &held, &mut row, &role, accounts);
    Ok(in_full(row, &role))
}

fn in_full(row: RoleRow, role: &Role) -> RoleDetail {
    RoleDetail { row, menu_ids: menu::grantable(&role.nodes).iter().map(|node| node.id).collect() }
}

/// `GET /role/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> api::Result<Vec<AuditEntry>> {
    get(cx.clone(), Id(id)).await?;
    let entries = audit::history(cx.db(), TARGET.kind, id).await?;
    Ok(entries.into_iter().map(|entry| AuditEntry { diff: rules::in_words(entry.diff, cx.locale), ..entry }).collect())
}

/// `GET /role/menu/{id}`: the grants of a role, as a tree in the viewer's language.
pub async fn menu_of(cx: Arc<Ctx>, Id(id): Id) -> api::Result<Vec<MenuNode>> {
    let row = get(cx.clone(), Id(id)).await?.row;
    let role = cx.app.roles.get(cx.db(), id, row.version).await?;
    Ok(tree(&role, cx.locale))
}

/// `GET /role/ofAccount/{id}`: the roles of an account in the viewer's scope, of those that the viewer sees, and what
/// each lets the account do.
pub async fn of_account(cx: Arc<Ctx>, Id(id): Id) -> api::Result<Vec<HeldRole>> {
    let account = accounts::find(&mut cx.db().read().acquire().await?, &cx, id).await?;
    let seen = seen(&cx).await?;
    let mut held = Vec::new();
    for each in account.roles {
        if seen.as_ref().is_some_and(|ids| !ids.contains(&each.id)) {
            continue;
        }
        let row = detail(&cx, each.id).await?.row;
        let role = cx.app.roles.get(cx.db(), row.id, row.version).await?;
        held.push(HeldRole { id: row.id, label: row.label, status: row.status, data_scope: row.data_scope, menu: tree(&role, cx.locale) });
    }
    Ok(held)
}

/// The tree of the nodes that a role can have by grants.
fn tree(role: &Role, locale: Locale) -> Vec<MenuNode> {
    menu::tree(&menu::grantable(&role.nodes), locale, true)
}

/// `GET /role/grantable`: the tree of the nodes that the viewer can grant: the viewer's own, without those for
/// everyone.
pub async fn grantable_nodes(cx: Arc<Ctx>, _: Nothing) -> api::Result<Vec<MenuNode>> {
    Ok(tree(&cx.viewer()?.role, cx.locale))
}

/// `GET /role/holders/{id}`: the accounts in the viewer's scope that hold a role; the first hundred by name.
/// `/admin/list?roleId=` lists them all.
pub async fn holders(cx: Arc<Ctx>, Id(id): Id) -> api::Result<Vec<RoleHolder>> {
    is_seen(&cx, id).await?;
    let query = ListQuery {
        filters: AdminFilters { role_id: Some(id), ..AdminFilters::default() },
        sort: Sort { column: "a.username", id: AdminFilters::ID, descending: false },
        current: 1,
        page_size: MOST_HOLDERS,
        rest: serde_json::Map::new(),
        asked: serde_json::Map::new(),
    };
    let page = accounts::page(&cx, cx.viewer()?.scope(), &query).await?;
    let holder = |row: super::super::model::AdminRow| RoleHolder {
        id: row.id,
        username: row.username,
        real_name: row.real_name,
        org_name: row.org_name,
        status: row.status,
    };
    Ok(page.list.into_iter().map(holder).collect())
}
