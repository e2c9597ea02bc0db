//! Saved views: each person saves filters, order and columns of a screen under names, and opens the screen with one
//! of them. Platform staff may send the file of a view to a role each day, see [`send`].

pub mod of_list;
mod send;
mod store;

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::model::StatFilters;
use super::screen::Screen;
use super::{page_of, rows};
use base::canonical;
use base::db::Tx;
use base::form_limits;
use frame::access::Scope;
use frame::access::audit::{self, Action, Change, Module, Target};
use frame::api::options::SelectOption;
use frame::api::{ApiError, Body, Check, Ctx, Id, ListQuery, Nothing, Result, say};
use store::Stored;

pub use send::{send_due, work};
pub use store::default_of;

const TARGET: Target = Target { module: Module::Statistics, kind: "saved_view", id: None };

form_limits! {
    /// Of a view that is kept.
    statView {
        NAME: usize = 32,
    }
}

/// Views of one person and screen, at most.
const MOST: usize = 20;
/// Minutes of a day.
const MINUTES: i64 = 24 * 60;
/// The parts of a query that a view stores.
const KEPT: &[&str] =
    &["dayFrom", "dayTo", "range", "againstFrom", "againstTo", "subjectId", "channelId", "orgId", "system", "returnsBy", "sort", "order"];

/// A saved view as its owner sees it.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatView {
    pub id: i64,
    pub name: String,
    /// The query part of its address, with its `?`.
    pub search: String,
    /// Keys of the columns that are shown.
    pub columns: Vec<String>,
    pub is_default: bool,
    /// The role whose people get its file each day, and from which minute of the day on.
    pub send_role_id: Option<i64>,
    pub send_minute: Option<i64>,
    /// How often in a row its files could not be ordered. With a role they are tried again; without one the sending
    /// has ended.
    pub send_failures: i64,
}

/// The views of a screen, and the roles to which its files can be sent: none for viewers who may not send.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatViews {
    pub views: Vec<StatView>,
    pub roles: Vec<SelectOption>,
}

/// A view to be saved.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct StatViewForm {
    /// Absent for a new one.
    pub id: Option<i64>,
    pub name: String,
    /// Filters and order by the names of the list's call; absent to keep them.
    #[schemars(with = "Option<std::collections::BTreeMap<String, String>>")]
    #[ts(optional, type = "Record<string, string>")]
    pub query: Option<Map<String, Value>>,
    /// Absent to keep them.
    pub columns: Option<Vec<String>>,
    pub is_default: bool,
    pub send_role_id: Option<i64>,
    /// Needed with a role: 0 to 1439.
    pub send_minute: Option<i64>,
}

/// `GET …/views`.
pub async fn list<S: Screen>(cx: Arc<Ctx>, _: Nothing) -> Result<StatViews> {
    let viewer = cx.viewer()?;
    let page = page_of::<S>();
    let views = store::of_person(cx.db().read(), viewer.id, page.path).await?.into_iter().map(|stored| stored.view).collect();
    let roles = match viewer.scope() {
        Scope::All => send::roles(&cx, page.export_point, |role, point| role.points.contains(point)).await?,
        _ => Vec::new(),
    };
    Ok(StatViews { views, roles })
}

/// `POST …/views`: saves a new view, or changes one.
pub async fn save<S: Screen>(cx: Arc<Ctx>, Body(form): Body<StatViewForm>) -> Result<StatView> {
    let viewer = cx.viewer()?;
    let page = page_of::<S>();
    let mut check = Check::new();
    check.name("name", canonical::trimmed(&form.name), 1..=NAME);
    if form.send_role_id.is_some() {
        // A role's people may be anywhere on the platform.
        if viewer.scope() != Scope::All || !viewer.role.points.contains(page.export_point) {
            return Err(ApiError::Forbidden);
        }
        check.range("sendMinute", form.send_minute.unwrap_or(-1), 0..=MINUTES - 1);
        let roles = send::roles(&cx, page.export_point, |role, point| role.points.contains(point)).await?;
        let may = roles.iter().any(|role| Some(role.value) == form.send_role_id);
        check.that("sendRoleId", may, say("该角色没有导出此统计的权限", "This role may not export these statistics"));
    }
    let query = form.query.map(|query| kept::<S>(query, cx.now)).transpose()?;
    if let Some(columns) = &form.columns {
        let known = (page.columns)(viewer.scope().is_platforms());
        let wrong = columns.len() > known.len() || columns.iter().any(|key| !known.contains(&key.as_str()));
        check.that("columns", !wrong, say("列不存在", "There is no such column"));
    }
    check.done()?;
    let (cx, name, id) = (&*cx, canonical::trimmed(&form.name), form.id);
    let (query, columns) = (&query, &form.columns);
    cx.db()
        .transact(|mut tx| {
            async move {
                cx.db().lock(&mut tx, &format!("views of {}", viewer.id)).await?;
                let views = store::of_person(&mut **tx, viewer.id, page.path).await?;
                let before = match id {
                    Some(id) => Some(views.iter().find(|stored| stored.view.id == id).ok_or(ApiError::Missing)?),
                    None => None,
                };
                if before.is_none() && views.len() >= MOST {
                    return Err(ApiError::State(say(format!("最多保存 {MOST} 个视图"), format!("At most {MOST} views"))));
                }
                if views.iter().any(|stored| stored.view.name == name && Some(stored.view.id) != id) {
                    return Err(ApiError::field("name", say("已有同名视图", "There is a view of this name")));
                }
                let after = Stored {
                    view: StatView {
                        id: id.unwrap_or_default(),
                        name: name.to_owned(),
                        search: String::new(),
                        columns: columns.clone().or_else(|| before.map(|before| before.view.columns.clone())).unwrap_or_default(),
                        is_default: form.is_default,
                        send_role_id: form.send_role_id,
                        send_minute: form.send_role_id.and(form.send_minute),
                        send_failures: 0,
                    },
                    query: query.clone().or_else(|| before.map(|before| before.query.clone())).unwrap_or_default(),
                };
                store::write(&mut tx, viewer.id, page.path, &after, cx.locale, cx.now).await?;
                record_sending(cx, &mut tx, before, Some(&after)).await?;
                let views = store::of_person(&mut **tx, viewer.id, page.path).await?;
                let kept = views.into_iter().find(|stored| stored.view.name == name).ok_or(ApiError::Missing)?.view;
                cx.keep_answer(&mut tx, &kept).await?;
                Ok(kept)
            }
            .boxed()
        })
        .await
}

/// `DELETE /chart/view/{id}`: the viewer's own view.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let viewer = cx.viewer()?;
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = store::find(&mut tx, viewer.id, id).await?.ok_or(ApiError::Missing)?;
                let shared = store::shared_with(&mut tx, id).await?;
                store::delete(&mut tx, id).await?;
                record_sharing(cx, &mut tx, &before.view.name, (shared, None)).await?;
                record_sending(cx, &mut tx, Some(&before), None).await
            }
            .boxed()
        })
        .await
}

/// Records in the audit trail that the sending of files begins, changes or stops. The rest of a view is private.
async fn record_sending(cx: &Ctx, tx: &mut Tx, before: Option<&Stored>, after: Option<&Stored>) -> Result<()> {
    let (before, after) = (before.map(Stored::sending), after.map(Stored::sending));
    let changes = audit::changes(before.as_ref(), after.as_ref());
    let sends = |sending: &Option<store::Sending>| sending.as_ref().is_some_and(|sending| sending.send_role_id.is_some());
    if changes.is_empty() || !(sends(&before) || sends(&after)) {
        return Ok(());
    }
    Ok(audit::record(tx, &cx.actor()?, TARGET, Action::Update, &changes).await?)
}

/// Records in the audit trail that a view is shared with another role than before, or with none any more.
async fn record_sharing(cx: &Ctx, tx: &mut Tx, name: &str, (before, after): (Option<i64>, Option<i64>)) -> Result<()> {
    if before == after {
        return Ok(());
    }
    let text = |role: Option<i64>| role.map(|id| id.to_string());
    let changes = [
        Change { field: "name".to_owned(), before: None, after: Some(name.to_owned()) },
        Change { field: "shareRoleId".to_owned(), before: text(before), after: text(after) },
    ];
    Ok(audit::record(tx, &cx.actor()?, TARGET, Action::Update, &changes).await?)
}

/// The stored part of a query, after it has been read like the list's.
fn kept<S: Screen>(query: Map<String, Value>, now: i64) -> Result<Map<String, Value>> {
    let query: Map<String, Value> = query.into_iter().filter(|(_, value)| value.as_str().is_some_and(|text| !text.is_empty())).collect();
    if let Some(unknown) = query.keys().find(|name| !KEPT.contains(&name.as_str())) {
        return Err(ApiError::Malformed(format!("query: {unknown}")));
    }
    let read = ListQuery::<StatFilters>::from_fields(query.clone())?;
    rows::ranges::<S>(&read.filters, now)?;
    Ok(query)
}
