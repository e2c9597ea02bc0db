//! One return: request, view, withdrawal, decision. Every step is one transaction with its audit row; an approval
//! takes the lead back and refunds its price in the same transaction.

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::limits::Limits;
use super::model::{ReturnBasis, ReturnDecision, ReturnForm, ReturnRow, ReturnVersion};
use super::notices;
use super::store::{self, End, NewReturn, Progress};
use crate::distribution;
use base::clock::DAY;
use base::db::{Connection, Tx};
use base::form_limits;
use base::locale::Locale;
use base::mask;
use frame::access::Scope;
use frame::access::audit::{self as trail, Action, Change, Module, Target};
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::{self, ApiError, App, Body, Check, Ctx, FileRule, Id, Result, say};
use frame::decision::{self, DecisionAction, Matter, Verdict};
use frame::setting::Values;
use frame::{dict, setting, upload};
use trade::org;
use trade::org::OrgRow;
use trade::plan::push::ReturnStatus;
use trade::plan::push::delivery;
use trade::plan::push::model::{PushRow, PushStatus};
use trade::plan::push::rows as pushes;
use trade::plan::replacement;
use trade::user;

/// The name of returns in the audit trail.
const TARGET: Target = Target { module: Module::Return, kind: "lead_return", id: None };
form_limits! {
    /// Of a return.
    leadReturn {
        /// Most files that prove a return.
        MOST_PROOFS: usize = 5,
        NOTE: usize = 500,
    }
}

/// The reason that needs a note.
const OTHER: &str = "other";

/// Files that prove a return: seen by who sees it.
pub const PROOF: FileRule = FileRule { biz_type: "return_proof", pictures_only: false, masks_names: false, sees: sees_proof };

fn sees_proof(cx: Arc<Ctx>, id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        Ok(viewer.has("plan/push-list/view") && store::find(cx.db().read(), viewer.scope(), id, cx.locale).await?.is_some())
    })
}

/// `GET /plan/return/{id}`.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<ReturnRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)
}

/// What the decision on the return of a push rests on, beside the return itself.
pub async fn basis(cx: &Ctx, push: &PushRow) -> Result<ReturnBasis> {
    let settings = cx.app.settings.values(cx.db()).await?;
    let days = settings.get(&setting::LEAD_RETURN_SHARE_DAYS);
    let mut on = cx.db().read().acquire().await?;
    let (sold, returned) = store::share(&mut on, push.org_id, push.test, cx.now - days * DAY).await?;
    let contacts = store::contacts(&mut on, push.id).await?;
    Ok(ReturnBasis { days, sold, returned, contacts })
}

/// `GET /plan/return/ask/{id}`, by push: whether its return may be requested now. Refuses what the request would be
/// refused for, before the user fills in a form.
pub async fn may_ask(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    may_ask_within(&cx, cx.viewer()?.scope(), id).await
}

/// The same for a clue that the viewer sees.
pub async fn may_ask_for_clue(cx: &Ctx, push_id: i64) -> Result<()> {
    may_ask_within(cx, Scope::All, push_id).await
}

async fn may_ask_within(cx: &Ctx, scope: Scope, id: i64) -> Result<()> {
    let push = pushes::find(cx.db().read(), scope, id).await?.ok_or(ApiError::Missing)?;
    check_progress(&mut cx.db().read().acquire().await?, id).await?;
    let org = org::find(cx.db().read(), Scope::All, push.org_id).await?.ok_or(ApiError::Missing)?;
    let settings = cx.app.settings.values(cx.db()).await?;
    let mut on = cx.db().read().acquire().await?;
    within(&mut on, &push, limits(&settings, &org), cx.now).await
}

/// `POST /plan/return`. A return within the limits is approved automatically, if that was agreed.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<ReturnForm>) -> Result<ReturnRow> {
    create_within(&cx, cx.viewer()?.scope(), &body).await
}

/// The same for a clue that the viewer sees.
pub async fn ask_for_clue(cx: &Ctx, form: &ReturnForm) -> Result<ReturnRow> {
    create_within(cx, Scope::All, form).await
}

async fn create_within(cx: &Ctx, scope: Scope, body: &ReturnForm) -> Result<ReturnRow> {
    let viewer = cx.viewer()?;
    let settings = cx.app.settings.values(cx.db()).await?;
    let settings = &*settings;
    cx.db()
        .transact(|mut tx| {
            async move {
                delivery::hold(&mut tx, body.push_id).await?;
                let push = pushes::find(&mut **tx, scope, body.push_id).await?.ok_or(ApiError::Missing)?;
                let org = org::find(&mut **tx, Scope::All, push.org_id).await?.ok_or(ApiError::Missing)?;
                crm::hold_clue_of_push(&mut tx, push.id).await?;
                check_progress(&mut tx, push.id).await?;
                check(&mut tx, body).await?;
                let note = body.note.trim();
                let note = match push.user_id {
                    None => mask::numbers(note),
                    // Nothing is stored about an erased applicant.
                    Some(id) => {
                        let hidden = user::person::without_person(&mut **tx, &cx.app.keys, id, note).await;
                        hidden.map_err(ApiError::Internal)?.unwrap_or_default()
                    }
                };
                let asked =
                    Asked { push: &push, org: &org, settings, reason_code: &body.reason_code, note: &note, by: viewer.id, at: cx.now };
                let id = ask(&cx.app, &mut tx, &asked).await?;
                if !upload::settle(&mut tx, PROOF.biz_type, id, &body.proof_file_ids, viewer.id, cx.now).await? {
                    return Err(ApiError::field("proofFileIds", say("请重新上传凭证", "Upload the evidence again")));
                }
                let proofs = upload::files_of(&mut tx, PROOF.biz_type, id).await?;
                store::set_proofs(&mut tx, id, &proofs).await?;
                let row = found(&mut tx, id, cx.locale).await?;
                trail::record(&mut tx, &cx.actor()?, TARGET.of(id), Action::Create, &diff(None, Some(&row))).await?;
                match org.return_auto {
                    true => {
                        let by_itself =
                            Decision { approve: true, charge_channel: false, replace_until: None, note: None, by: None, at: cx.now };
                        decide(&mut tx, &row, &by_itself, cx.locale).await?;
                    }
                    false => notices::waiting(&mut tx, &row, viewer.id, cx.now).await?,
                }
                let row = store::find(&mut **tx, scope, id, cx.locale).await?.ok_or(ApiError::Missing)?;
                cx.keep_answer(&mut tx, &row).await?;
                Ok(row)
            }
            .boxed()
        })
        .await
}

/// `PUT /plan/return/withdraw`: by the person who requested it.
pub async fn withdraw(cx: Arc<Ctx>, Body(body): Body<ReturnVersion>) -> Result<ReturnRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = current(cx, &mut tx, body.id, body.version).await?;
                if before.created_by != Some(cx.viewer()?.id) {
                    return Err(ApiError::State(say("只有申请人可以撤回", "Only the requester can withdraw it")));
                }
                let end = End { status: ReturnStatus::Withdrawn, charge_channel: false, note: None, reviewed_by: None, at: cx.now };
                decision::withdraw(&mut tx, TARGET.kind, before.id, cx.now).await?;
                let after = ended(&mut tx, &before, &end, cx.locale).await?;
                trail::record(&mut tx, &cx.actor()?, TARGET.of(before.id), Action::Update, &diff(Some(&before), Some(&after))).await?;
                seen(cx, &mut tx, after.id).await
            }
            .boxed()
        })
        .await
}

/// `PUT /plan/return/audit`: approves or refuses. The person who requested the return may not decide.
pub async fn audit(cx: Arc<Ctx>, Body(body): Body<ReturnDecision>) -> Result<ReturnRow> {
    let viewer = cx.viewer()?;
    let days = cx.setting(&setting::LEAD_REPLACEMENT_DAYS).await?;
    let replace_until = body.replace.then_some(cx.now + days * DAY);
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                let before = current(cx, &mut tx, body.id, body.version).await?;
                require_platform_staff(viewer)?;
                let note = present(Some(body.note.clone()));
                let least = usize::from(!body.approve);
                Check::new()
                    .text("note", note.as_deref().unwrap_or_default(), least..=decision::REASON)
                    .that("chargeChannel", body.approve || !body.charge_channel, say("驳回时不追回渠道费用", "Not possible when rejecting"))
                    .that("replace", body.approve || !body.replace, say("驳回时不补发线索", "Not possible when rejecting"))
                    .done()?;
                let decision = Decision {
                    approve: body.approve,
                    charge_channel: body.charge_channel,
                    replace_until,
                    note: note.as_deref(),
                    by: Some(viewer.id),
                    at: cx.now,
                };
                let after = decide(&mut tx, &before, &decision, cx.locale).await?;
                let action = if body.approve { Action::Money } else { Action::Update };
                trail::record(&mut tx, &cx.actor()?, TARGET.of(before.id), action, &diff(Some(&before), Some(&after))).await?;
                Ok(after)
            }
            .boxed()
        })
        .await
}

/// A return that is requested.
pub struct Asked<'a> {
    pub push: &'a PushRow,
    pub org: &'a OrgRow,
    /// Read before the transaction.
    pub settings: &'a Values,
    pub reason_code: &'a str,
    pub note: &'a str,
    pub by: i64,
    pub at: i64,
}

/// Stores the return, if the lead was sold and the limits allow it; returns its id. Returns of one organisation come
/// one after another, so that each is counted before the next.
pub async fn ask(app: &App, tx: &mut Tx, asked: &Asked<'_>) -> Result<i64> {
    let (push, at) = (asked.push, asked.at);
    app.db.lock(tx, &format!("return:{}", push.org_id)).await?;
    within(tx, push, limits(asked.settings, asked.org), at).await?;
    let new = NewReturn {
        push_id: push.id,
        org_id: push.org_id,
        reason_code: asked.reason_code,
        note: asked.note,
        refund_cents: push.price_cents,
        created_by: asked.by,
        at,
    };
    let id = store::insert(tx, &new).await?.ok_or_else(asked_already)?;
    delivery::set_return(tx, push.id, id, ReturnStatus::Pending.into(), at).await?;
    let row = found(tx, id, Locale::Chinese).await?;
    decision::write_down(tx, &matter(&row), Some(asked.by), at).await?;
    Ok(id)
}

fn asked_already() -> ApiError {
    ApiError::State(say("这条线索已经申请退单", "A return has already been requested for this lead"))
}

/// Refuses a lead whose person has signed a contract with the organisation or paid it, since the lead was a good one,
/// or may be paying now. Before a write the clue is locked: contracts and payments come before this or after it.
async fn check_progress(on: &mut Connection, push_id: i64) -> Result<()> {
    match store::progress(on, push_id).await? {
        Some(Progress::Signed) => Err(ApiError::State(say(
            "客户已签约或已付款的线索不能退单",
            "A lead whose person has signed a contract or paid cannot be returned",
        ))),
        Some(Progress::Paying) => Err(ApiError::State(say(
            "该线索有待确认的收款或待支付的订单，请先处理",
            "The lead has a payment that waits to be confirmed or an open payment order: settle it first",
        ))),
        None => Ok(()),
    }
}

/// Accepts a lead that was sold and may be returned within the limits. Refuses any other, with the reason.
async fn within(on: &mut Connection, push: &PushRow, limits: Limits, at: i64) -> Result<()> {
    let sold_at = push.sold_at.filter(|_| push.status == PushStatus::Accepted);
    let Some(sold_at) = sold_at else {
        return Err(ApiError::State(say(
            format!("推送当前为“{}”，不能退单", push.status.label(Locale::Chinese)),
            format!("The lead is {}; it cannot be returned", push.status.label(Locale::English)),
        )));
    };
    if push.return_status == Some(ReturnStatus::Pending) {
        return Err(asked_already());
    }
    limits.check_age(sold_at, at)?;
    let (sold, returned) = store::share(on, push.org_id, push.test, at - limits.share_days * DAY).await?;
    limits.check_share(returned, sold)
}

fn limits(settings: &Values, org: &OrgRow) -> Limits {
    Limits {
        allowed: org.return_allowed,
        max_days: org.return_max_days,
        max_bp: org.return_max_bp,
        least: settings.get(&setting::LEAD_RETURN_LEAST),
        share_days: settings.get(&setting::LEAD_RETURN_SHARE_DAYS),
    }
}

/// A decision on a return.
pub struct Decision<'d> {
    pub approve: bool,
    pub charge_channel: bool,
    /// Until when the plan is to get another lead for it, if at all.
    pub replace_until: Option<i64>,
    pub note: Option<&'d str>,
    /// None if the rules decide.
    pub by: Option<i64>,
    pub at: i64,
}

/// A return as the subject of a decision. Notes and proofs may be deleted when a person is erased; the money stays.
fn matter(row: &ReturnRow) -> Matter<'static> {
    let seen = json!({"push": row.push_id, "org": row.org_id, "reason": row.reason_code, "cents": row.refund_cents});
    let action = DecisionAction::DecideReturn;
    Matter { action, table: TARGET.kind, id: row.id, version: row.version, hash: decision::hash(&seen), payload: None, note: None }
}

/// Decides on an open return; the person who requested it may not. An approval takes the lead back, once.
pub async fn decide(tx: &mut Tx, row: &ReturnRow, decision: &Decision<'_>, locale: Locale) -> Result<ReturnRow> {
    let verdict = Verdict { by: decision.by, approve: decision.approve, note: decision.note, at: decision.at };
    decision::decide(tx, &matter(row), &verdict).await?;
    if decision.approve {
        crm::hold_clue_of_push(tx, row.push_id).await?;
        check_progress(tx, row.push_id).await?;
        let push = pushes::find(&mut **tx, Scope::All, row.push_id).await?.ok_or(ApiError::Missing)?;
        distribution::take_back(tx, &push, decision.charge_channel, decision.by, decision.at).await?;
        if let Some(due_at) = decision.replace_until {
            replacement::open(tx, row.id, &push, due_at).await?;
        }
    }
    let status = if decision.approve { ReturnStatus::Approved } else { ReturnStatus::Refused };
    let end = End { status, charge_channel: decision.charge_channel, note: decision.note, reviewed_by: decision.by, at: decision.at };
    ended(tx, row, &end, locale).await
}

/// Ends a return and notifies the people concerned. Returns it in its new state.
async fn ended(tx: &mut Connection, row: &ReturnRow, end: &End<'_>, locale: Locale) -> Result<ReturnRow> {
    let waited = store::end(tx, row.id, row.version, end).await?;
    let after = found(tx, row.id, locale).await?;
    if !waited {
        // It has ended already, or another transaction was faster.
        return Err(if row.status == ReturnStatus::Pending { ApiError::stale(&after) } else { over(row.status) });
    }
    delivery::set_return(tx, row.push_id, row.id, end.status.into(), end.at).await?;
    notices::ended(tx, &after, end.at).await?;
    Ok(after)
}

fn over(status: ReturnStatus) -> ApiError {
    ApiError::State(say(
        format!("退单当前为“{}”，不能再改", status.label(Locale::Chinese)),
        format!("The return is {}; it can no longer be changed", status.label(Locale::English)),
    ))
}

/// Reports every wrong field of a form.
async fn check(tx: &mut Connection, form: &ReturnForm) -> Result<()> {
    let known = form.reason_code.len() <= dict::CHOSEN_VALUE && dict::has(tx, dict::LEAD_RETURN_REASON, &form.reason_code).await?;
    Check::new()
        .that("reasonCode", known, say("请选择退单原因", "Choose a reason"))
        .text("note", &form.note, usize::from(form.reason_code == OTHER)..=NOTE)
        .that("proofFileIds", form.proof_file_ids.len() <= MOST_PROOFS, say("最多 5 个", "At most 5"))
        .done()
}

async fn found(tx: &mut Connection, id: i64, locale: Locale) -> Result<ReturnRow> {
    store::find(tx, Scope::All, id, locale).await?.ok_or(ApiError::Missing)
}

/// A return as the viewer sees it.
async fn seen(cx: &Ctx, tx: &mut Connection, id: i64) -> Result<ReturnRow> {
    store::find(tx, cx.viewer()?.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)
}

/// The return in the version that the viewer has on screen, if it is still open.
async fn current(cx: &Ctx, tx: &mut Connection, id: i64, version: i64) -> Result<ReturnRow> {
    let scope = cx.viewer()?.scope();
    let row = store::find(&mut *tx, scope, id, cx.locale).await?.ok_or(ApiError::Missing)?;
    // Locks the lead first, as everywhere where both are locked; an earlier transaction on it has ended then.
    delivery::hold(&mut *tx, row.push_id).await?;
    let row = store::find(&mut *tx, scope, id, cx.locale).await?.ok_or(ApiError::Missing)?;
    match (row.version == version, row.status) {
        (false, _) => Err(ApiError::stale(&row)),
        // Parts that the viewer may not see are in the audit trail all the same.
        (true, ReturnStatus::Pending) => found(tx, id, cx.locale).await,
        (true, status) => Err(over(status)),
    }
}

/// The audit changes: names instead of the ids beside them.
fn diff(before: Option<&ReturnRow>, after: Option<&ReturnRow>) -> Vec<Change> {
    const SHOWN: &[&str] =
        &["pushNo", "orgName", "reasonName", "note", "status", "refundCents", "chargeChannel", "replacementDueAt", "reviewNote"];
    let mut changes = trail::changes(before, after);
    // Before the decision the channel's part is unknown; the person who requested the return does not see it.
    let is_unknown = |change: &Change| change.field == "chargeChannel" && change.before.is_none();
    changes.retain(|change| SHOWN.contains(&change.field.as_str()) && !is_unknown(change));
    changes
}
