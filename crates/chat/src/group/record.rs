//! A service group as master data: who may make one, how it is checked, written and deleted.

use std::sync::Arc;

use futures_util::FutureExt;

use super::form::Form;
use super::list::TARGET;
use super::model::{ChatGroupBody, ChatGroupRow, ChatUseChange};
use super::store;
use crate::wechat;
use base::codes::UseStatus;
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Result, check_step, say};
use frame::terms;

impl Versioned for ChatGroupRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<ChatGroupRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    /// Counts are not part of a change; the key of the visitors' page never changes.
    fn diff(before: Option<&ChatGroupRow>, after: Option<&ChatGroupRow>) -> Vec<Change> {
        let mut changes = audit::changes(before, after);
        changes.retain(|change| !["pageKey", "staff", "online", "queued", "open"].contains(&change.field.as_str()));
        changes
    }
}

/// `GET /chat/group/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ChatGroupRow> {
    let mut rows = [store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?];
    store::add_online(cx.db().read(), &mut rows, cx.now).await?;
    let [row] = rows;
    Ok(row)
}

/// `GET /chat/group/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    let entries = audit::history(cx.db(), TARGET.kind, row.id).await?;
    Ok(entries.into_iter().map(|entry| AuditEntry { diff: terms::history::told(entry.diff, cx.locale), ..entry }).collect())
}

/// `POST /chat/group`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<ChatGroupBody>) -> Result<ChatGroupRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new group has none".to_owned()));
    }
    if cx.viewer()?.scope() != Scope::All {
        return Err(ApiError::Forbidden);
    }
    let form = Form::of(body);
    form.check()?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let id = store::insert(&mut tx, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/group`.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<ChatGroupBody>) -> Result<ChatGroupRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let form = Form::of(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: ChatGroupRow = versioned::current(cx, &mut tx, id, version).await?;
                form.check()?;
                let written = store::write(&mut tx, id, version, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /chat/group/status`. A disabled group takes no new conversations; those that it has go on.
pub async fn set_status(cx: Arc<Ctx>, Body(body): Body<ChatUseChange>) -> Result<ChatGroupRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: ChatGroupRow = versioned::current(cx, &mut tx, body.id, body.version).await?;
                check_step(before.status, body.status, ("该分组", "group"))?;
                if body.status == UseStatus::Disabled
                    && let Some(name) = wechat::store::serves_group(&mut tx, body.id).await?
                {
                    return Err(ApiError::State(say(
                        format!("公众号“{name}”的会话进入该分组，请先停用公众号或更换分组"),
                        format!(
                            "Conversations of the official account “{name}” go to this group: disable the account or choose another group"
                        ),
                    )));
                }
                let written = store::set_status(&mut tx, body.id, body.version, body.status, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `DELETE /chat/group/{id}`. A group to which anything refers stays.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: ChatGroupRow = versioned::ours(cx, &mut tx, id).await?;
                if let Some(reason) = store::referred(&mut tx, id).await? {
                    return Err(ApiError::State(reason));
                }
                if !store::delete(&mut tx, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                versioned::deleted_within(cx, &mut tx, before).await
            }
            .boxed()
        })
        .await
}

fn taken(error: sqlx::Error, form: &Form) -> ApiError {
    match db::is_duplicate(&error) {
        true => ApiError::field("name", say(format!("已有分组“{}”", form.name), format!("A group named “{}” already exists", form.name))),
        false => error.into(),
    }
}
