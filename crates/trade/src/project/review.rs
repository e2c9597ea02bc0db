//! The reviewers' side: a project with its history, and the end of each step, which the applicant may never decide.

use std::sync::Arc;

use super::application::{claim, current, record, reread};
use super::form::NOTE;
use super::list::TARGET;
use super::model::{Decision, ProjectAudit, ProjectDetail, ProjectRow, ProjectStatus, RevealedContact, StepAction};
use super::notices;
use super::progress;
use super::store::{self, NewStep};
use frame::access::audit::Change;
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, say};
use frame::dict;
use frame::reveal;

/// The reason that is explained in the note.
const OTHER: &str = "other";

/// `GET /project/{id}`: the project, its history, and its previous content.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ProjectDetail> {
    let on = cx.db().read();
    let project = store::find(on, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let steps = store::steps(&mut on.acquire().await?, id, cx.locale).await?;
    let said = store::submissions(on, id).await?;
    let previous = said.into_iter().find(|content| *content != project.content);
    Ok(ProjectDetail { project, steps, previous })
}

/// `GET /project/reveal/{id}`: the contact's whole phone. The reveal is recorded first.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<RevealedContact> {
    let mut tx = cx.db().begin().await?;
    store::find(&mut *tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    let contact_phone = store::phone(&mut tx, &cx.app.keys, id).await?;
    let seen = Change { field: "contactPhone".to_owned(), before: None, after: None };
    reveal::written(&cx, tx, TARGET.of(id), &[seen]).await?;
    Ok(RevealedContact { contact_phone })
}

/// `PUT /project/audit`: ends the project's current step.
pub async fn audit(cx: Arc<Ctx>, Body(body): Body<ProjectAudit>) -> Result<ProjectRow> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    let before = current(&mut tx, viewer, body.id, Some(body.version)).await?;
    if before.applicant_admin_id == viewer.id {
        return Err(ApiError::State(say("不能审核自己提交的项目", "You cannot review a project that you submitted")));
    }
    let action = match body.decision {
        Decision::Approve => StepAction::Approved,
        Decision::Return => StepAction::Returned,
    };
    let to = progress::next(before.status, before.stage, action)?;
    check(&body)?;
    if let Some(words) = dict::unknown(&mut tx, dict::PROJECT_RETURN_REASON, &body.reasons).await? {
        return Err(ApiError::field("reasons", words));
    }

    claim(&mut tx, &cx, &before).await?;
    let launched_at = (to.0 == ProjectStatus::Launched).then_some(cx.now);
    store::advance(&mut tx, before.id, to, None, launched_at).await?;
    let step = NewStep { stage: before.stage, action, note: body.note.trim(), reasons: &body.reasons, content: None };
    store::add_step(&mut tx, before.id, step, cx.stamp()?).await?;
    let after = reread(&mut tx, before.id).await?;
    record(&mut tx, &cx, Some(&before), &after).await?;
    notices::moved(&mut tx, &after, cx.now).await?;
    tx.commit().await?;
    Ok(after)
}

/// A return has reasons; an approval has none.
fn check(body: &ProjectAudit) -> Result<()> {
    let reasons = &body.reasons;
    let distinct = reasons.iter().enumerate().all(|(index, reason)| !reasons[..index].contains(reason));
    let returned = body.decision == Decision::Return;
    Check::new()
        .text("note", &body.note, 0..=NOTE)
        .that("reasons", returned || reasons.is_empty(), say("通过时没有退回原因", "An approval has no return reasons"))
        .that("reasons", !returned || !reasons.is_empty(), say("请选择退回原因", "Choose the return reasons"))
        .that("reasons", distinct, say("退回原因重复", "Duplicate reason"))
        .that(
            "note",
            !reasons.iter().any(|reason| reason == OTHER) || !body.note.trim().is_empty(),
            say("请在说明中写明其他原因", "State the other reason in the note"),
        )
        .done()
}
