//! One team: seen, made, changed. Every change is one transaction with its audit row.

use std::sync::Arc;

use super::form::Form;
use super::list::TARGET;
use super::model::{TeamBody, TeamRow};
use super::store;
use base::codes::UseStatus;
use base::db::{self, Connection};
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Target};
use frame::api::input::Sent;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Ctx, Id, Result, say};
use trade::org;

impl Versioned for TeamRow {
    const TARGET: Target = TARGET;
    /// The id is left out because the name is recorded; counts are not part of a change.
    const LEFT_OUT: &'static [&'static str] = &["orgId", "people", "assignedToday"];

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<TeamRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }
}

/// `GET /crm/getSubOrg/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<TeamRow> {
    let mut rows = [store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?];
    store::add_today(cx.db(), &mut rows, cx.now).await?;
    let [row] = rows;
    Ok(row)
}

/// `GET /crm/subOrg/history/{id}`.
pub async fn history(cx: Arc<Ctx>, id: Id) -> Result<Vec<AuditEntry>> {
    let row = view(cx.clone(), id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, row.id).await?)
}

/// `POST /crm/addSubOrg`.
pub async fn create(cx: Arc<Ctx>, Sent(body): Sent<TeamBody>) -> Result<TeamRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new team has none".to_owned()));
    }
    let viewer = cx.viewer()?;
    let scope = viewer.scope();
    if !matches!(scope, Scope::All | Scope::Own(_) | Scope::Org(_)) {
        return Err(ApiError::Forbidden);
    }
    let org_id = body.org_id.or(viewer.org_id);
    let form = Form::of(body, None);
    form.check()?;
    let choose = || ApiError::field("orgId", say("请选择机构", "Choose an organisation"));
    let org_id = org_id.ok_or_else(choose)?;
    let mut tx = cx.db().begin().await?;
    if org::find(&mut *tx, scope, org_id).await?.is_none() {
        return Err(choose());
    }
    let id = store::insert(&mut tx, org_id, &form.name, cx.stamp()?).await.map_err(|error| taken(error, &form))?;
    store::write(&mut tx, &cx.app.keys, id, 0, &form, cx.stamp()?).await?;
    versioned::created(&cx, tx, id).await
}

/// `POST /crm/updateSubOrg`. Without a version the newest one is changed, and the audit trail records that.
pub async fn update(cx: Arc<Ctx>, Sent(body): Sent<TeamBody>) -> Result<TeamRow> {
    let (id, version) = (body.id.ok_or_else(|| ApiError::Malformed("missing field `id`".to_owned()))?, body.version);
    let mut tx = cx.db().begin().await?;
    let before: TeamRow = versioned::current_in_scope(&cx, &mut tx, id, version).await?;
    if body.org_id.is_some_and(|org| org != before.org_id) {
        return Err(ApiError::field("orgId", say("团队所属机构不能修改", "The organisation of a team cannot be changed")));
    }
    let form = Form::of(body, Some(&before));
    form.check()?;
    if before.status == UseStatus::Enabled
        && form.status == UseStatus::Disabled
        && let Some(reason) = store::in_use(&mut tx, id).await?
    {
        return Err(ApiError::State(reason));
    }
    let written = store::write(&mut tx, &cx.app.keys, id, before.version, &form, cx.stamp()?).await.map_err(|error| taken(error, &form))?;
    versioned::changed_unseen(&cx, tx, before, written, version).await
}

fn taken(error: sqlx::Error, form: &Form) -> ApiError {
    match db::is_duplicate(&error) {
        true => ApiError::Duplicate(say(
            format!("该机构已有团队“{}”", form.name),
            format!("The organisation already has a team named “{}”", form.name),
        )),
        false => error.into(),
    }
}
