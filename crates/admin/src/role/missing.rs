//! The standard roles that an installation lacks, and their addition. A role that was deleted is not missing.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};

use super::list::TARGET;
use super::rules;
use super::standard::{self, NewRole, ROLES};
use super::store;
use base::db::Connection;
use frame::access::Viewer;
use frame::access::audit::{self, Action};
use frame::api::{self, ApiError, Body, Ctx, Nothing, say};

/// A standard role.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct StandardRole {
    pub code: &'static str,
    /// Its name and its work, in the viewer's language.
    pub name: &'static str,
    pub about: &'static str,
}

/// Which standard roles are added.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct StandardRolesForm {
    pub codes: Vec<String>,
}

/// `GET /role/standard`: the missing ones whose rights the viewer may grant.
pub async fn list(cx: Arc<Ctx>, _: Nothing) -> api::Result<Vec<StandardRole>> {
    let viewer = cx.viewer()?;
    if rules::may_manage(viewer).is_err() || rules::may_grant(viewer).is_err() {
        return Ok(Vec::new());
    }
    let mut on = cx.db().read().acquire().await?;
    let missing = missing(&mut on, viewer).await?;
    let shown = |(role, _): (&NewRole, _)| StandardRole {
        code: role.code,
        name: cx.locale.pick(role.chinese, role.english),
        about: cx.locale.pick(role.about.0, role.about.1),
    };
    Ok(missing.into_iter().map(shown).collect())
}

/// `POST /role/standard`: adds some of them, all or none.
pub async fn add(cx: Arc<Ctx>, Body(form): Body<StandardRolesForm>) -> api::Result<Vec<i64>> {
    let viewer = cx.viewer()?;
    rules::may_manage(viewer)?;
    rules::may_grant(viewer)?;
    if form.codes.is_empty() || form.codes.len() > ROLES.len() {
        return Err(ApiError::field("codes", say("请选择角色", "Choose roles")));
    }
    let (context, codes) = (&*cx, &form.codes);
    cx.db()
        .transact(|mut tx| {
            async move {
                let missing = missing(&mut tx, viewer).await?;
                let mut made = Vec::new();
                for code in codes.iter().collect::<BTreeSet<_>>() {
                    let Some((role, nodes)) = missing.iter().find(|(role, _)| role.code == code) else {
                        return Err(ApiError::State(say(
                            format!("角色 {code} 已存在或不能添加"),
                            format!("Role {code} exists or cannot be added"),
                        )));
                    };
                    let id = standard::insert_granted(&mut tx, role, nodes, context.now).await?;
                    let row = store::find(&mut tx, id).await?;
                    let mut changes = super::record::diff(None, row.as_ref());
                    changes.extend(rules::diff(&BTreeSet::new(), nodes, &viewer.role.nodes));
                    audit::record(&mut tx, &context.actor()?, TARGET.of(id), Action::Create, &changes).await?;
                    made.push(id);
                }
                context.keep_answer(&mut tx, &made).await?;
                Ok(made)
            }
            .boxed()
        })
        .await
}

/// The missing roles that the viewer may make, each with its nodes.
async fn missing(on: &mut Connection, viewer: &Viewer) -> api::Result<Vec<(&'static NewRole, BTreeSet<i64>)>> {
    let known: HashSet<String> = sqlx::query_scalar("SELECT code FROM role").fetch_all(&mut *on).await?.into_iter().collect();
    let nodes = standard::nodes(on).await?;
    let absent = ROLES.iter().filter(|role| !known.contains(role.code));
    Ok(absent.map(|role| (role, standard::granted(role, &nodes))).filter(|(_, nodes)| may_grant(viewer, nodes)).collect())
}

/// Whether the viewer holds all nodes.
fn may_grant(viewer: &Viewer, nodes: &BTreeSet<i64>) -> bool {
    nodes.is_subset(&viewer.role.nodes.iter().map(|node| node.id).collect())
}
