//! One pool: seen, made, changed, switched off, deleted. Every change is one transaction with its audit row.

use std::sync::Arc;

use futures_util::FutureExt;

use super::form::Form;
use super::list::TARGET;
use super::model::{PoolBody, PoolRow, PoolStatusChange};
use super::store;
use base::codes::UseStatus;
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Result, say};
use trade::org::store as orgs;

impl Versioned for PoolRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PoolRow>, sqlx::Error> {
        let Some(row) = store::find(&mut *tx, scope, id).await? else { return Ok(None) };
        let mut rows = [row];
        store::add_team_names(tx, &mut rows).await?;
        let [row] = rows;
        Ok(Some(row))
    }

    /// Names stand for the ids beside them; the count of clues is not part of a change.
    fn diff(before: Option<&PoolRow>, after: Option<&PoolRow>) -> Vec<Change> {
        let mut changes = audit::changes(before, after);
        changes.retain(|change| !["orgId", "subOrgIds", "clues"].contains(&change.field.as_str()));
        changes
    }
}

/// `GET /crm/pool/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PoolRow> {
    let mut rows = [store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?];
    store::add_team_names(cx.db().read(), &mut rows).await?;
    let [row] = rows;
    Ok(row)
}

/// `GET /crm/pool/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /crm/pool`.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<PoolBody>) -> Result<PoolRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new pool has none".to_owned()));
    }
    may_change(&cx)?;
    let viewer = cx.viewer()?;
    let choose = || ApiError::field("orgId", say("请选择机构", "Choose an organisation"));
    let org_id = body.org_id.or(viewer.org_id).ok_or_else(choose)?;
    let form = Form::of(body);
    form.check()?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                if orgs::find(&mut **tx, viewer.scope(), org_id).await?.is_none() {
                    return Err(choose());
                }
                check_teams(&mut tx, org_id, &form.sub_org_ids).await?;
                let id = store::insert(&mut tx, org_id, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /crm/pool`.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<PoolBody>) -> Result<PoolRow> {
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let org_id = body.org_id;
    let form = Form::of(body);
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = current(cx, &mut tx, id, Some(version)).await?;
                if org_id.is_some_and(|org| org != before.org_id) {
                    return Err(ApiError::field("orgId", say("公海池所属机构不能修改", "The organisation of a pool cannot be changed")));
                }
                form.check()?;
                let added: Vec<i64> = form.sub_org_ids.iter().copied().filter(|team| !before.sub_org_ids.contains(team)).collect();
                check_teams(&mut tx, before.org_id, &added).await?;
                let written = store::write(&mut tx, id, version, form, cx.stamp()?).await.map_err(|error| taken(error, form))?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /crm/pool/status`. New clues do not go to a pool that is switched off; those in it stay until they are claimed
/// or assigned.
pub async fn set_status(cx: Arc<Ctx>, Body(body): Body<PoolStatusChange>) -> Result<PoolRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = current(cx, &mut tx, body.id, Some(body.version)).await?;
                if before.status == body.status {
                    return Err(ApiError::State(match body.status {
                        UseStatus::Enabled => say("公海池已启用", "The pool is already enabled"),
                        UseStatus::Disabled => say("公海池已停用", "The pool is already disabled"),
                    }));
                }
                if body.status == UseStatus::Disabled {
                    keep_one(&mut tx, &before).await?;
                }
                let written = store::set_status(&mut tx, body.id, body.version, body.status, cx.stamp()?).await?;
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `DELETE /crm/pool/{id}`.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = current(cx, &mut tx, id, None).await?;
                if before.clues > 0 {
                    let clues = before.clues;
                    return Err(ApiError::State(say(
                        format!("公海池中还有 {clues} 条进行中的线索，不能删除"),
                        format!("The pool still has {clues} open clues and cannot be deleted"),
                    )));
                }
                keep_one(&mut tx, &before).await?;
                if !store::delete(&mut tx, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                versioned::deleted_within(cx, &mut tx, before).await
            }
            .boxed()
        })
        .await
}

/// A pool that the viewer may change.
async fn current(cx: &Ctx, tx: &mut Connection, id: i64, version: Option<i64>) -> Result<PoolRow> {
    let row = versioned::current_in_scope(cx, tx, id, version).await?;
    may_change(cx)?;
    Ok(row)
}

/// A team's people see the pools that the team uses, and change none.
fn may_change(cx: &Ctx) -> Result<()> {
    match cx.viewer()?.scope() {
        Scope::All | Scope::Own(_) | Scope::Org(_) => Ok(()),
        Scope::SubOrg(_) | Scope::Myself(_) | Scope::Nothing => Err(ApiError::Forbidden),
    }
}

/// Refuses to disable or delete the last pool in use of an organisation.
async fn keep_one(tx: &mut Connection, row: &PoolRow) -> Result<()> {
    match row.status == UseStatus::Disabled || store::has_another(tx, row.org_id, row.id).await? {
        true => Ok(()),
        false => Err(ApiError::State(say(
            "这是该机构唯一启用的公海池，不能停用或删除",
            "This is the only enabled pool of the organisation and can be neither disabled nor deleted",
        ))),
    }
}

async fn check_teams(tx: &mut Connection, org_id: i64, teams: &[i64]) -> Result<()> {
    match store::other_teams(tx, org_id, teams).await? {
        0 => Ok(()),
        _ => Err(ApiError::field("subOrgIds", say("请选择该机构启用的团队", "Choose enabled teams of the organisation"))),
    }
}

fn taken(error: sqlx::Error, form: &Form) -> ApiError {
    match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(
            format!("该机构已有公海池“{}”", form.name),
            format!("The organisation already has a pool named “{}”", form.name),
        )),
        false => error.into(),
    }
}
