//! The applicant's side: a draft, its submission, a correction, a withdrawal. Every change is one
//! transaction with its audit row.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::SchemaGenerator;

use super::form::{Form, NOTE};
use super::list::TARGET;
use super::model::{ProjectForm, ProjectRow, ProjectStatus, ProjectWithdrawal, StepAction};
use super::notices;
use super::progress;
use super::store::{self, NewStep};
use base::db::{self, Connection};
use frame::access::audit::{self, Action, Change};
use frame::access::{Scope, Viewer};
use frame::api::input::{Input, InputDoc, Place, Raw};
use frame::api::{ApiError, Body, Check, Ctx, Result, say};

/// The `{id}` of the path: a project, or `0` for the viewer's draft.
pub struct DraftOf(Option<i64>);

impl Input for DraftOf {
    fn read(raw: &Raw<'_>) -> Result<DraftOf> {
        let text = raw.path.iter().find_map(|(name, value)| (name == "id").then_some(value)).unwrap_or_default();
        match text.parse::<i64>() {
            Ok(0) => Ok(DraftOf(None)),
            Ok(id) if id > 0 => Ok(DraftOf(Some(id))),
            _ => Err(ApiError::Malformed("id".to_owned())),
        }
    }

    fn doc(_: &mut SchemaGenerator) -> InputDoc {
        InputDoc { place: Place::Nowhere, schema: schemars::Schema::default() }
    }
}

/// `GET /project/draft/{id}`: the initial content of the form; none for a new project without a draft.
pub async fn draft(cx: Arc<Ctx>, DraftOf(id): DraftOf) -> Result<Option<ProjectRow>> {
    let viewer = cx.viewer()?;
    let Some(id) = id else { return Ok(store::open_draft(cx.db().read(), viewer.id).await?) };
    let row = store::find(cx.db().read(), viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
    not_anothers(viewer, &row)?;
    progress::next(row.status, row.stage, StepAction::Submitted)?;
    Ok(Some(row))
}

/// `PUT /project/draft`: saves an unfinished form. A save without changes changes nothing.
pub async fn save_draft(cx: Arc<Ctx>, Body(body): Body<ProjectForm>) -> Result<ProjectRow> {
    let (id, version) = (body.id, body.version);
    let form = Form::of(body);
    form.check_draft()?;
    let mut tx = cx.db().begin().await?;
    let before = match id {
        Some(id) => Some(correctable(&mut tx, &cx, id, version).await?),
        None => own_draft(&mut tx, &cx, version).await?,
    };
    if let Some(before) = &before
        && form.contact_phone.is_none()
        && form.content(before.content.contact_phone_mask.as_deref()) == before.content
    {
        return Ok(before.clone());
    }
    let id = write(&mut tx, &cx, before.as_ref(), &form).await?;
    let after = reread(&mut tx, id).await?;
    record(&mut tx, &cx, before.as_ref(), &after).await?;
    tx.commit().await?;
    Ok(after)
}

/// `POST /project`: submits a new project, or the viewer's draft with the form's fields.
pub async fn submit(cx: Arc<Ctx>, Body(body): Body<ProjectForm>) -> Result<ProjectRow> {
    if body.id.is_some() {
        return Err(ApiError::Malformed("id: a new project has none".to_owned()));
    }
    let version = body.version;
    let form = Form::of(body);
    let (context, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = own_draft(&mut tx, context, version).await?;
                hand_in(context, &mut tx, before, form).await
            }
            .boxed()
        })
        .await
}

/// `PUT /project`: submits a returned project again, corrected.
pub async fn submit_again(cx: Arc<Ctx>, Body(body): Body<ProjectForm>) -> Result<ProjectRow> {
    let id = body.id.ok_or_else(|| ApiError::Malformed("missing field `id`".to_owned()))?;
    let version = body.version;
    let form = Form::of(body);
    let (context, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = correctable(&mut tx, context, id, version).await?;
                hand_in(context, &mut tx, Some(before), form).await
            }
            .boxed()
        })
        .await
}

/// `PUT /project/withdraw`: by the applicant.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<ProjectWithdrawal>) -> Result<ProjectRow> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    let before = current(&mut tx, viewer, body.id, Some(body.version)).await?;
    not_anothers(viewer, &before)?;
    let to = progress::next(before.status, before.stage, StepAction::Withdrawn)?;
    Check::new().text("note", &body.note, 0..=NOTE).done()?;
    claim(&mut tx, &cx, &before).await?;
    store::advance(&mut tx, before.id, to, None, None).await?;
    let step = NewStep { stage: before.stage, action: StepAction::Withdrawn, note: body.note.trim(), reasons: &[], content: None };
    store::add_step(&mut tx, before.id, step, cx.stamp()?).await?;
    let after = reread(&mut tx, before.id).await?;
    record(&mut tx, &cx, Some(&before), &after).await?;
    notices::moved(&mut tx, &after, cx.now).await?;
    tx.commit().await?;
    Ok(after)
}

/// Ends a submission: the form is complete, and the project is at its first reviewer.
async fn hand_in(cx: &Ctx, tx: &mut db::Tx, before: Option<ProjectRow>, form: &Form) -> Result<ProjectRow> {
    let has_phone = before.as_ref().is_some_and(|row| row.content.contact_phone_mask.is_some());
    form.check_whole(has_phone, cx.now)?;
    let id = write(tx, cx, before.as_ref(), form).await?;
    let row = reread(tx, id).await?;
    let to = progress::next(row.status, row.stage, StepAction::Submitted)?;
    let no = store::number(id, cx.now);
    store::advance(tx, id, to, Some((cx.now, &no)), None).await?;
    let step = NewStep { stage: row.stage, action: StepAction::Submitted, note: "", reasons: &[], content: Some(&row.content) };
    store::add_step(tx, id, step, cx.stamp()?).await?;
    let after = reread(tx, id).await?;
    record(tx, cx, before.as_ref(), &after).await?;
    notices::moved(tx, &after, cx.now).await?;
    cx.keep_answer(tx, &after).await?;
    Ok(after)
}

/// Writes a form over the project, or over a new draft; returns its id.
async fn write(tx: &mut Connection, cx: &Ctx, before: Option<&ProjectRow>, form: &Form) -> Result<i64> {
    let viewer = cx.viewer()?;
    let stamp = cx.stamp()?;
    let (id, version) = match before {
        Some(row) => (row.id, row.version),
        None => {
            let id = store::insert(tx, form, stamp).await.map_err(|error| match db::is_duplicate(&error) {
                true => ApiError::Duplicate(say("您已有一份草稿，请刷新页面", "You already have a draft; reload the page")),
                false => error.into(),
            })?;
            (id, 0)
        }
    };
    if !store::claim(tx, id, version, stamp).await? {
        return Err(overtaken(tx, viewer, id).await?);
    }
    store::write(tx, &cx.app.keys, id, form).await?;
    Ok(id)
}

/// The viewer's draft in the version on screen. Without a version there must be no draft yet.
async fn own_draft(tx: &mut Connection, cx: &Ctx, version: Option<i64>) -> Result<Option<ProjectRow>> {
    let viewer = cx.viewer()?;
    // No viewer would see a project made in another scope.
    if !viewer.has("project/list/create") || !matches!(viewer.scope(), Scope::All | Scope::Own(_) | Scope::Myself(_)) {
        return Err(ApiError::Forbidden);
    }
    match (store::open_draft(tx, viewer.id).await?, version) {
        (Some(row), version) if version != Some(row.version) => Err(ApiError::stale(&row)),
        (None, Some(_)) => Err(ApiError::State(say("这份草稿已经提交或撤回", "This draft has been submitted or withdrawn"))),
        (found, _) => Ok(found),
    }
}

/// A project that was returned to the viewer, in the version on screen.
async fn correctable(tx: &mut Connection, cx: &Ctx, id: i64, version: Option<i64>) -> Result<ProjectRow> {
    let viewer = cx.viewer()?;
    if !viewer.has("project/list/update") {
        return Err(ApiError::Forbidden);
    }
    let row = current(tx, viewer, id, version).await?;
    not_anothers(viewer, &row)?;
    match row.status {
        ProjectStatus::Draft => Err(ApiError::Malformed("id: a draft is the form without one".to_owned())),
        status => progress::next(status, row.stage, StepAction::Submitted).map(|_| row),
    }
}

/// The project in the version that the viewer has on screen.
pub(super) async fn current(tx: &mut Connection, viewer: &Viewer, id: i64, version: Option<i64>) -> Result<ProjectRow> {
    let row = store::find(tx, viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
    match version == Some(row.version) {
        true => Ok(row),
        false => Err(ApiError::stale(&row)),
    }
}

/// Locks a project for a change, unless another transaction was faster.
pub(super) async fn claim(tx: &mut Connection, cx: &Ctx, before: &ProjectRow) -> Result<()> {
    let viewer = cx.viewer()?;
    match store::claim(tx, before.id, before.version, cx.stamp()?).await? {
        true => Ok(()),
        false => Err(overtaken(tx, viewer, before.id).await?),
    }
}

async fn overtaken(tx: &mut Connection, viewer: &Viewer, id: i64) -> Result<ApiError> {
    Ok(store::find(tx, viewer.scope(), id).await?.map_or(ApiError::Missing, |row| ApiError::stale(&row)))
}

/// The project with the changes of this transaction.
pub(super) async fn reread(tx: &mut Connection, id: i64) -> Result<ProjectRow> {
    store::find(tx, Scope::All, id).await?.ok_or(ApiError::Missing)
}

fn not_anothers(viewer: &Viewer, row: &ProjectRow) -> Result<()> {
    match row.applicant_admin_id == viewer.id {
        true => Ok(()),
        false => Err(ApiError::State(say("只有申请人可以修改或撤回", "Only the applicant may change or withdraw this"))),
    }
}

/// The audit changes: the name instead of the id beside it.
pub fn diff(before: Option<&ProjectRow>, after: &ProjectRow) -> Vec<Change> {
    let mut changes = audit::changes(before, Some(after));
    changes.retain(|change| change.field != "applicantAdminId");
    changes
}

/// Writes the audit row of a change.
pub(super) async fn record(tx: &mut Connection, cx: &Ctx, before: Option<&ProjectRow>, after: &ProjectRow) -> Result<()> {
    let action = if before.is_none() { Action::Create } else { Action::Update };
    let target = TARGET.of(after.id);
    Ok(audit::record(tx, &cx.actor()?, target, action, &diff(before, after)).await?)
}
