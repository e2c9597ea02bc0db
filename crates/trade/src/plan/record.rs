//! One plan: view, creation, changes, steps, deletion. Every change is one transaction with its audit row.

use std::sync::Arc;

use futures_util::FutureExt;

use super::approval::{self, PlanTerms};
use super::form::Form;
use super::list::TARGET;
use super::model::{PauseReason, PlanForm, PlanNow, PlanRow, PlanStatus, PlanStatusChange, PlanVersion};
use super::store::{self, Step};
use super::{gate, history, notices, now, status};
use base::db::Connection;
use base::locale::Locale;
use base::{clock, crypto, db};
use frame::access::Scope;
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, say};
use frame::decision::{self, DecisionForm, Verdict};
use frame::dict::ChoiceBook;
use frame::proposal;
use frame::terms::cap;

impl Versioned for PlanRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, _: Locale) -> std::result::Result<Option<PlanRow>, sqlx::Error> {
        store::find(tx, scope, id).await
    }

    fn diff(before: Option<&PlanRow>, after: Option<&PlanRow>) -> Vec<Change> {
        approval::diff(before, after)
    }
}

/// `GET /plan/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<PlanNow> {
    let row = store::find(cx.db().read(), cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    Ok(now::of_one(cx.db(), row, cx.now).await?)
}

/// `GET /plan/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    let scope = cx.viewer()?.scope();
    store::find(cx.db().read(), scope, id).await?.ok_or(ApiError::Missing)?;
    let entries = audit::history(cx.db(), TARGET.kind, id).await?;
    Ok(history::in_words(cx.db(), entries, scope, cx.locale).await?)
}

/// `POST /plan`: creates a draft.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<PlanForm>) -> Result<PlanRow> {
    if body.id.is_some() || body.version.is_some() {
        return Err(ApiError::Malformed("id: a new plan has none".to_owned()));
    }
    let viewer = cx.viewer()?;
    require_platform_staff(viewer)?;
    let mut form = Form::of(body);
    form.check(&*cx.app.service::<ChoiceBook>().current(cx.db()).await?)?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                gate::choices(&mut tx, viewer.scope(), form.org_id, &form.terms, None, cx.now).await?;
                let no = number(cx.now);
                let id = store::insert(&mut tx, &no, form, PlanStatus::Draft, cx.stamp()?).await?;
                written_by(&mut tx, id, Some(viewer.id), cx.now).await?;
                versioned::created_within(cx, &mut tx, id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /plan`. Sold leads keep the price of their sale. Changed terms of an approved plan become a proposal, and
/// hold once another person has approved it; name and remark change at once.
pub async fn update(cx: Arc<Ctx>, Body(body): Body<PlanForm>) -> Result<PlanRow> {
    let viewer = cx.viewer()?;
    let (Some(id), Some(version)) = (body.id, body.version) else {
        return Err(ApiError::Malformed("missing field `id` or `version`".to_owned()));
    };
    let form = Form::of(body);
    let choices = cx.app.service::<ChoiceBook>().current(cx.db()).await?;
    let (cx, asked_for, choices) = (&*cx, &form, &choices);
    cx.db()
        .transact(|mut tx| {
            async move {
                cap::counters::hold(cx.db(), &mut tx, store::subject(id)).await?;
                let before = versioned::current::<PlanRow>(cx, &mut tx, id, version).await?;
                status::edit(before.status)?;
                if form.org_id != before.org_id {
                    return Err(ApiError::field("orgId", say("计划所属机构不能修改", "The organisation of a plan cannot be changed")));
                }
                let mut form = asked_for.clone();
                form.check(choices)?;
                gate::choices(&mut tx, viewer.scope(), form.org_id, &form.terms, Some(&before), cx.now).await?;
                let held = PlanTerms::of_row(&before);
                let asked = approval::binds(before.status)
                    .then(|| std::mem::replace(&mut form.terms, held.clone()))
                    .filter(|asked| !asked.are(&held));
                let written = store::write(&mut tx, id, version, &form, cx.stamp()?).await?;
                if written {
                    let row = store::find(&mut **tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
                    match asked {
                        Some(asked) if before.change.as_ref().is_none_or(|change| !change.are(&asked)) => {
                            decision::write_down(&mut tx, &approval::change(&row, &asked), Some(viewer.id), cx.now).await?;
                            notices::change_asked(&mut tx, &row, viewer.id, cx.now).await?;
                        }
                        // The same change is proposed already, or no term has changed.
                        _ if approval::binds(before.status) => {}
                        _ => written_by(&mut tx, id, Some(viewer.id), cx.now).await?,
                    }
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /plan/change/withdraw`: withdraws the proposed change of terms; for one of its authors.
pub async fn withdraw_change(cx: Arc<Ctx>, Body(body): Body<PlanVersion>) -> Result<PlanRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PlanRow>(cx, &mut tx, body.id, body.version).await?;
                let Some(open) = before.decision.as_ref().filter(|_| before.change.is_some()) else {
                    return Err(ApiError::State(say("没有待审核的变更", "No change is awaiting approval")));
                };
                proposal::check_maker(cx, open)?;
                let written = store::write_terms(&mut tx, before.id, before.version, &PlanTerms::of_row(&before), cx.stamp()?).await?;
                if written {
                    decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                    notices::change_ended(&mut tx, &before, None, cx.viewer()?.id, cx.now).await?;
                }
                versioned::changed_within(cx, &mut tx, before, written).await
            }
            .boxed()
        })
        .await
}

/// `PUT /plan/status`: submitted, withdrawn, paused, resumed or ended.
pub async fn change_status(cx: Arc<Ctx>, Body(body): Body<PlanStatusChange>) -> Result<PlanRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = versioned::current::<PlanRow>(cx, &mut tx, body.id, body.version).await?;
                // What its organisation paused, the platform may hold: the organisation does not resume it then.
                let is_held = before.paused_by_org && (before.status, body.status) == (PlanStatus::Paused, PlanStatus::Paused);
                if !is_held {
                    status::change(before.status, body.status)?;
                }
                if body.status == PlanStatus::Running {
                    gate::may_run(&mut tx, &before, cx.now).await?;
                }
                let reason = (body.status == PlanStatus::Paused).then_some(PauseReason::Manual);
                go(cx, &mut tx, before, Step { status: body.status, pause_reason: reason, by_org: false, reject_note: None }).await
            }
            .boxed()
        })
        .await
}

/// `PUT /plan/audit`: starts a pending plan, or rejects it with a note; likewise a proposed change of an approved
/// plan. Authors may not decide on their own proposals.
pub async fn decide(cx: Arc<Ctx>, Body(body): Body<DecisionForm>) -> Result<PlanRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                cap::counters::hold(cx.db(), &mut tx, store::subject(body.id)).await?;
                let before = versioned::current::<PlanRow>(cx, &mut tx, body.id, body.version).await?;
                let note = present(body.note.clone());
                let least = if body.approve { 0 } else { 1 };
                Check::new().text("note", note.as_deref().unwrap_or_default(), least..=decision::REASON).done()?;
                let verdict = Verdict { by: Some(cx.viewer()?.id), approve: body.approve, note: note.as_deref(), at: cx.now };
                if let Some(asked) = before.change.clone() {
                    return decide_change(cx, &mut tx, before, &asked, verdict).await;
                }
                let to = if body.approve { PlanStatus::Running } else { PlanStatus::Rejected };
                status::decide(before.status, to)?;
                decision::decide(&mut tx, &approval::start(&before), &verdict).await?;
                if body.approve {
                    gate::may_run(&mut tx, &before, cx.now).await?;
                }
                let reject_note = if body.approve { None } else { note.as_deref() };
                go(cx, &mut tx, before, Step { status: to, pause_reason: None, by_org: false, reject_note }).await
            }
            .boxed()
        })
        .await
}

/// Applies the proposed terms, or keeps the present ones.
async fn decide_change(cx: &Ctx, tx: &mut db::Tx, before: PlanRow, asked: &PlanTerms, verdict: Verdict<'_>) -> Result<PlanRow> {
    decision::decide(tx, &approval::asked_change(&before), &verdict).await?;
    if verdict.approve {
        // What could be chosen at the time of the proposal may be gone.
        gate::choices(tx, Scope::All, before.org_id, asked, Some(&before), cx.now).await.map_err(no_choice)?;
    }
    let terms = if verdict.approve { asked } else { &PlanTerms::of_row(&before) };
    let written = store::write_terms(tx, before.id, before.version, terms, cx.stamp()?).await?;
    if written {
        notices::change_ended(tx, &before, Some(&verdict), cx.viewer()?.id, cx.now).await?;
    }
    versioned::changed_with_within(cx, tx, before, written, said(&verdict)).await
}

/// The audit changes of a decision itself: a refusal changes nothing else.
fn said(verdict: &Verdict<'_>) -> Vec<Change> {
    let said = |field: &str, after: &str| Change { field: field.to_owned(), before: None, after: Some(after.to_owned()) };
    let note = verdict.note.map(|note| said("verdictNote", note));
    [said("verdict", if verdict.approve { "approved" } else { "refused" })].into_iter().chain(note).collect()
}

/// A decision has no form fields, so an error of one becomes a refusal.
fn no_choice(error: ApiError) -> ApiError {
    match error {
        ApiError::Fields(fields) => {
            ApiError::State(fields.into_iter().next().map_or_else(|| say("内容有误", "Invalid content"), |(_, why)| why))
        }
        error => error,
    }
}

/// Stores the authors of a plan that was not approved yet.
async fn written_by(tx: &mut Connection, id: i64, by: Option<i64>, at: i64) -> Result<()> {
    let row = store::find(&mut *tx, Scope::All, id).await?.ok_or(ApiError::Missing)?;
    decision::write_down(tx, &approval::start(&row), by, at).await
}

/// `DELETE /plan/{id}`: only plans that never ran.
pub async fn delete(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                let before: PlanRow = versioned::hold_as_platform_staff(cx, &mut tx, id).await?;
                status::delete(before.status)?;
                if !store::delete(&mut tx, id, cx.stamp()?).await? {
                    return Err(ApiError::Missing);
                }
                decision::withdraw(&mut tx, TARGET.kind, id, cx.now).await?;
                versioned::deleted_within(cx, &mut tx, before).await
            }
            .boxed()
        })
        .await
}

/// A new plan number: its day, and six letters or digits.
pub fn number(at: i64) -> String {
    format!("PL{}-{}", clock::day_compact(at), crypto::random_text(6))
}

/// Takes a step, with its messages and its entry in the trail.
pub(super) async fn go(cx: &Ctx, tx: &mut db::Tx, before: PlanRow, step: Step<'_>) -> Result<PlanRow> {
    let stamp = cx.stamp()?;
    let written = store::step(tx, before.id, before.version, step.clone(), stamp.at, Some(stamp.admin_id)).await?;
    if written {
        match step.status {
            // Submitting does not make an author; a plan of an older version gets its record now.
            PlanStatus::Pending => written_by(tx, before.id, None, cx.now).await?,
            PlanStatus::Ended => _ = decision::withdraw(tx, TARGET.kind, before.id, cx.now).await?,
            _ => {}
        }
        let after = store::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
        notices::moved(tx, &after, cx.viewer()?.id, cx.now).await?;
    }
    versioned::changed_within(cx, tx, before, written).await
}
