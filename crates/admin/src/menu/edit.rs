//! The editor of the menu. Every change is one transaction with its entry in the audit trail, and applies to the open
//! sessions of all roles concerned at their next request.

use std::sync::Arc;

use futures_util::FutureExt;

use super::model::{MenuEntry, MenuLinkForm, MenuUpdate};
use super::store;
use base::canonical;
use base::crypto;
use base::db::Tx;
use base::form_limits;
use frame::access::Scope;
use frame::access::audit::{self, Action, AuditEntry, Change, Module, Target};
use frame::api::check::present;
use frame::api::{self, ApiError, Body, Check, Ctx, Id, Nothing, say};

form_limits! {
    /// Of an entry of the menu.
    menu {
        ICON: usize = 32,
        MOST_SORT: i64 = 99,
        TITLE_EN: usize = 64,
        TITLE_ZH: usize = 32,
    }
}

/// A node, as the trail refers to it.
fn target(id: i64) -> Target {
    Target { module: Module::Menu, kind: "menu_node", id: Some(id) }
}

/// The audit changes of a node.
fn diff(before: Option<&MenuEntry>, after: Option<&MenuEntry>) -> Vec<Change> {
    const LEFT_OUT: &[&str] = &["parentId", "type", "path", "custom", "vital", "children"];
    audit::changes_without(LEFT_OUT, before, after)
}

/// Whether the viewer may see the menu: only the whole platform's scope.
fn sees_it(cx: &Ctx) -> api::Result<bool> {
    Ok(cx.viewer()?.scope() == Scope::All)
}

/// `GET /menu/tree`: the whole menu, including what is switched off; empty for viewers without this scope.
pub async fn tree(cx: Arc<Ctx>, _: Nothing) -> api::Result<Vec<MenuEntry>> {
    if !sees_it(&cx)? {
        return Ok(Vec::new());
    }
    let nodes = store::all(&mut cx.db().read().acquire().await?).await?;
    Ok(below(None, &nodes).unwrap_or_default())
}

fn below(parent: Option<i64>, nodes: &[MenuEntry]) -> Option<Vec<MenuEntry>> {
    let level = nodes.iter().filter(|node| node.parent_id == parent);
    let found: Vec<MenuEntry> = level.map(|node| MenuEntry { children: below(Some(node.id), nodes), ..node.clone() }).collect();
    (!found.is_empty()).then_some(found)
}

/// `GET /menu/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> api::Result<Vec<AuditEntry>> {
    let found = store::find(&mut cx.db().read().acquire().await?, id).await?;
    match found.is_some() && sees_it(&cx)? {
        true => Ok(audit::history(cx.db(), target(id).kind, id).await?),
        false => Err(ApiError::Missing),
    }
}

/// `POST /menu`: creates an external link.
pub async fn create(cx: Arc<Ctx>, Body(form): Body<MenuLinkForm>) -> api::Result<MenuEntry> {
    if !sees_it(&cx)? {
        return Err(ApiError::Forbidden);
    }
    let link = MenuEntry {
        id: 0,
        parent_id: None,
        kind: 1,
        name: format!("link-{}", crypto::random_text(12).to_lowercase()),
        path: String::new(),
        title_zh: canonical::trimmed(&form.title_zh).to_owned(),
        title_en: canonical::trimmed(&form.title_en).to_owned(),
        icon: present(form.icon),
        sort: form.sort,
        external_url: Some(form.external_url.trim().to_owned()),
        hidden: false,
        enabled: true,
        everyone: form.everyone,
        custom: true,
        vital: false,
        version: 1,
        children: None,
    };
    check(&link)?;
    let (context, link) = (&*cx, &link);
    cx.db()
        .transact(|mut tx| {
            async move {
                let id = store::insert(&mut tx, link, context.now).await?;
                store::renew_roles(&mut tx, id).await?;
                record(context, &mut tx, id, None, Action::Create).await
            }
            .boxed()
        })
        .await
}

/// `PUT /menu`.
pub async fn update(cx: Arc<Ctx>, Body(form): Body<MenuUpdate>) -> api::Result<MenuEntry> {
    let (context, form) = (&*cx, &form);
    cx.db().transact(|mut tx| async move { write(context, &mut tx, form).await }.boxed()).await
}

async fn write(cx: &Ctx, tx: &mut Tx, form: &MenuUpdate) -> api::Result<MenuEntry> {
    let before = reached(cx, tx, form.id).await?;
    if before.version != form.version {
        return Err(ApiError::stale(&before));
    }
    let after = MenuEntry {
        title_zh: canonical::trimmed(&form.title_zh).to_owned(),
        title_en: canonical::trimmed(&form.title_en).to_owned(),
        icon: present(form.icon.clone()),
        sort: form.sort,
        hidden: form.hidden,
        enabled: form.enabled,
        external_url: present(form.external_url.clone()).filter(|_| before.custom).or(before.external_url.clone()),
        everyone: form.everyone.filter(|_| before.custom).unwrap_or(before.everyone),
        ..before.clone()
    };
    check(&after)?;
    if before.vital && (!after.enabled || after.hidden) {
        return Err(ApiError::State(say(
            "菜单管理本身不能隐藏或停用，否则无法再改回来",
            "The menu editor cannot be hidden or disabled, because this could not be undone",
        )));
    }
    // The roles concerned are found before and after the change: a link may leave the menu of every role.
    store::renew_roles(tx, before.id).await?;
    if !store::update(tx, &after, cx.now).await? {
        return Err(store::find(tx, before.id).await?.map_or(ApiError::Missing, |row| ApiError::stale(&row)));
    }
    store::renew_roles(tx, before.id).await?;
    record(cx, tx, after.id, Some(before), Action::Update).await
}

/// `DELETE /menu/{id}`: deletes a link that staff have made.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> api::Result<()> {
    let context = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = reached(context, &mut tx, id).await?;
                if !before.custom {
                    return Err(ApiError::State(say(
                        "系统自带的菜单和权限不能删除，可以停用",
                        "Built-in menus and permissions cannot be deleted; disable them instead",
                    )));
                }
                store::renew_roles(&mut tx, id).await?;
                store::delete(&mut tx, id).await?;
                Ok(audit::record(&mut tx, &context.actor()?, target(id), Action::Delete, &diff(Some(&before), None)).await?)
            }
            .boxed()
        })
        .await
}

/// The node, for people who may edit the menu.
async fn reached(cx: &Ctx, tx: &mut Tx, id: i64) -> api::Result<MenuEntry> {
    match sees_it(cx)? {
        true => store::find(tx, id).await?.ok_or(ApiError::Missing),
        false => Err(ApiError::Missing),
    }
}

/// Ends a change: its entry in the trail, and the node as it is now.
async fn record(cx: &Ctx, tx: &mut Tx, id: i64, before: Option<MenuEntry>, action: Action) -> api::Result<MenuEntry> {
    let after = store::find(tx, id).await?.ok_or(ApiError::Missing)?;
    audit::record(tx, &cx.actor()?, target(id), action, &diff(before.as_ref(), Some(&after))).await?;
    cx.keep_answer(tx, &after).await?;
    Ok(after)
}

/// Checks all fields at once.
fn check(entry: &MenuEntry) -> api::Result<()> {
    let mut check = Check::new();
    check.name("titleZh", &entry.title_zh, 1..=TITLE_ZH).name("titleEn", &entry.title_en, 1..=TITLE_EN).range(
        "sort",
        entry.sort,
        0..=MOST_SORT,
    );
    if let Some(icon) = &entry.icon {
        let plain = icon.len() <= ICON && icon.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
        check.that("icon", plain, say("没有这个图标", "There is no such icon"));
    }
    if entry.custom {
        let address = entry.external_url.as_deref().unwrap_or_default();
        check.that("externalUrl", !address.is_empty(), say("必填", "Required")).address("externalUrl", Some(address));
    }
    check.done()
}
