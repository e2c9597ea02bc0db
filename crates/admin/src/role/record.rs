//! One role: creation, changes, grants, status, deletion. Every change is one transaction with its entry in the audit
//! trail and a new version of the role, which every open session of it reads at its next request.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use futures_util::FutureExt;

use super::list::{TARGET, detail, detail_within, is_seen};
use super::model::{RoleDetail, RoleForm, RoleGrant, RoleRow, RoleStatus, RoleStatusChange, RoleUpdate};
use super::rules::{self, Profile};
use super::store;
use crate::account_messages;
use base::db::Tx;
use frame::access::audit::{self, Action, Change};
use frame::access::menu::{self, Node};
use frame::access::{Viewer, online};
use frame::api::{self, ApiError, Body, Ctx, Id, say};

/// A role with holders is not deleted: the refusal names so many of them.
const NAMED_HOLDERS: i64 = 5;

/// The audit changes of a role itself; those of its points are in `rules::diff`.
pub(super) fn diff(before: Option<&RoleRow>, after: Option<&RoleRow>) -> Vec<Change> {
    const LEFT_OUT: &[&str] = &["accounts", "editable", "builtin", "label", "defaultPage"];
    audit::changes_without(LEFT_OUT, before, after)
}

/// The names of some nodes.
fn names<'n>(nodes: &'n [Node], ids: &BTreeSet<i64>) -> HashSet<&'n str> {
    nodes.iter().filter(|node| node.everyone || ids.contains(&node.id)).map(|node| node.name.as_str()).collect()
}

/// `POST /role`.
pub async fn create(cx: Arc<Ctx>, Body(form): Body<RoleForm>) -> api::Result<RoleDetail> {
    let viewer = cx.viewer()?;
    rules::may_manage(viewer)?;
    if form.menu_ids.is_some() || form.copy_of.is_some() {
        rules::may_grant(viewer)?;
    }
    let copied = match form.copy_of {
        Some(id) => Some(detail(&cx, id).await.map_err(|error| match error {
            ApiError::Missing => ApiError::field("copyOf", say("被复制的角色不存在", "The role to copy does not exist")),
            other => other,
        })?),
        None => None,
    };
    let asked = form.menu_ids.as_deref().or(copied.as_ref().map(|role| role.menu_ids.as_slice())).unwrap_or_default();
    let nodes = rules::nodes_to_grant(viewer, asked)?;
    let (code, profile) = (form.code.trim().to_owned(), Profile::of_form(&form));
    rules::check(viewer, Some(&code), &profile, &names(&viewer.role.nodes, &nodes))?;

    let (context, code, profile, nodes, copied) = (&*cx, &code, &profile, &nodes, copied.as_ref());
    cx.db()
        .transact(|mut tx| {
            async move {
                let id = store::insert(&mut tx, context, code, profile).await?;
                store::grant(&mut tx, id, nodes).await?;
                let made = store::find(&mut tx, id).await?;
                let mut changes = diff(None, made.as_ref());
                if let Some(source) = copied {
                    changes.push(Change { field: "copyOf".to_owned(), before: None, after: Some(source.row.code.clone()) });
                }
                changes.extend(rules::diff(&BTreeSet::new(), nodes, &viewer.role.nodes));
                audit::record(&mut tx, &context.actor()?, TARGET.of(id), Action::Create, &changes).await?;
                let made = detail_within(context, &mut tx, id).await?;
                context.keep_answer(&mut tx, &made).await?;
                Ok(made)
            }
            .boxed()
        })
        .await
}

/// `PUT /role`.
pub async fn update(cx: Arc<Ctx>, Body(update): Body<RoleUpdate>) -> api::Result<RoleDetail> {
    let (mut tx, before) = claim(&cx, update.id, update.version).await?;
    let (viewer, profile) = (cx.viewer()?, Profile::of_update(&update));
    let held = granted(&mut tx, viewer, before.id).await?;
    let nodes = match &update.menu_ids {
        Some(asked) => {
            rules::may_grant(viewer)?;
            rules::nodes_to_grant(viewer, asked)?
        }
        None => held.clone(),
    };
    rules::check(viewer, None, &profile, &names(&viewer.role.nodes, &nodes))?;
    if profile.data_scope != before.data_scope {
        let misfits = store::misfits(&mut tx, before.id, profile.data_scope).await?;
        if misfits > 0 {
            return Err(ApiError::field(
                "dataScope",
                say(
                    format!("有 {misfits} 个账号的所属机构与该数据范围不符"),
                    format!("The data scope does not fit the organisations of {misfits} accounts with this role"),
                ),
            ));
        }
    }
    store::write_profile(&mut tx, before.id, &profile).await?;
    if nodes != held {
        store::grant(&mut tx, before.id, &nodes).await?;
    }
    let action = if nodes == held { Action::Update } else { Action::Grant };
    changed(&cx, tx, before, action, rules::diff(&held, &nodes, &viewer.role.nodes)).await
}

/// `PUT /role/menu`. If the role can no longer open its first page, the first page is cleared.
pub async fn grant(cx: Arc<Ctx>, Body(asked): Body<RoleGrant>) -> api::Result<RoleDetail> {
    let (mut tx, before) = claim(&cx, asked.id, asked.version).await?;
    let viewer = cx.viewer()?;
    let nodes = rules::nodes_to_grant(viewer, &asked.menu_ids)?;
    let held = granted(&mut tx, viewer, before.id).await?;
    store::grant(&mut tx, before.id, &nodes).await?;
    let reached = names(&viewer.role.nodes, &nodes);
    if before.default_route.as_deref().is_some_and(|route| !reached.contains(route)) {
        store::clear_default_route(&mut tx, before.id).await?;
    }
    changed(&cx, tx, before, Action::Grant, rules::diff(&held, &nodes, &viewer.role.nodes)).await
}

/// `PUT /role/status`. Sessions in a role that is switched off end at once.
pub async fn set_status(cx: Arc<Ctx>, Body(RoleStatusChange { id, version, status }): Body<RoleStatusChange>) -> api::Result<RoleDetail> {
    let (mut tx, before) = claim(&cx, id, version).await?;
    if before.status == status {
        return Err(ApiError::State(match status {
            RoleStatus::Disabled => say("角色已停用", "The role is already disabled"),
            RoleStatus::Enabled => say("角色已启用", "The role is already enabled"),
        }));
    }
    store::set_status(&mut tx, id, status).await?;
    if status == RoleStatus::Disabled {
        online::revoke_role(&mut tx, id, cx.now).await?;
    }
    changed(&cx, tx, before, Action::Update, Vec::new()).await
}

/// `DELETE /role/{id}`: only a role without holders.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> api::Result<()> {
    is_seen(&cx, id).await?;
    let row = store::find(&mut cx.db().read().acquire().await?, id).await?.ok_or(ApiError::Missing)?;
    let (mut tx, before) = claim(&cx, id, row.version).await?;
    let (names, total) = store::holders(&mut tx, id, NAMED_HOLDERS).await?;
    if total > 0 {
        let more = if total > NAMED_HOLDERS { ("等", ", …") } else { ("", "") };
        return Err(ApiError::State(say(
            format!("角色正被 {total} 个账号使用：{}{}", names.join("、"), more.0),
            format!("{total} accounts have this role: {}{}", names.join(", "), more.1),
        )));
    }
    store::delete(&mut tx, id, cx.now).await?;
    let held = store::granted(&mut tx, id).await?;
    let mut changes = diff(Some(&before), None);
    changes.extend(rules::diff(&held, &BTreeSet::new(), &menu::nodes(&mut tx).await?));
    audit::record(&mut tx, &cx.actor()?, TARGET.of(id), Action::Delete, &changes).await?;
    tx.commit().await?;
    Ok(())
}

/// The grants of a role within the viewer's own rights.
async fn granted(tx: &mut Tx, viewer: &Viewer, id: i64) -> api::Result<BTreeSet<i64>> {
    let given: HashSet<i64> = menu::grantable(&viewer.role.nodes).iter().map(|node| node.id).collect();
    Ok(store::granted(tx, id).await?.into_iter().filter(|node| given.contains(node)).collect())
}

/// Locks a role for a change, in the version that the viewer saw, after all checks. Returns it as it was.
async fn claim(cx: &Ctx, id: i64, version: i64) -> api::Result<(Tx, RoleRow)> {
    is_seen(cx, id).await?;
    let viewer: &Viewer = cx.viewer()?;
    rules::may_manage(viewer)?;
    let held = store::held(cx.db().read(), viewer.id).await?;
    let mut tx = cx.db().begin().await?;
    let before = store::find(&mut tx, id).await?.ok_or(ApiError::Missing)?;
    let role = cx.app.roles.get(cx.db(), id, before.version).await?;
    if let Some(reason) = rules::refusal(viewer, &held, &before, &role) {
        return Err(ApiError::State(reason));
    }
    if before.version != version || !store::claim(&mut tx, cx, id, version).await? {
        drop(tx);
        let current = detail(cx, id).await?;
        return Err(ApiError::stale(&current));
    }
    Ok((tx, before))
}

/// Ends a change: its entry in the audit trail, and the role as it is now.
async fn changed(cx: &Ctx, mut tx: Tx, before: RoleRow, action: Action, granted: Vec<Change>) -> api::Result<RoleDetail> {
    let after = store::find(&mut tx, before.id).await?.ok_or(ApiError::Missing)?;
    let mut changes = diff(Some(&before), Some(&after));
    if !granted.is_empty() && action != Action::Create {
        account_messages::granted(&mut tx, after.id, cx.now).await?;
    }
    changes.extend(granted);
    audit::record(&mut tx, &cx.actor()?, TARGET.of(after.id), action, &changes).await?;
    let answer = detail_within(cx, &mut tx, after.id).await?;
    cx.commit(tx, answer).await
}
