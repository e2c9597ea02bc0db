//! Sends a push that ended without a sale once more by hand, to the same plan: a new push, sold as any other. Calls
//! under `/plan/push/again`. The question before a lead is not asked again: its answer was yes when the first push
//! was sold.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::policy::Policy;
use super::resolve::written;
use super::sale::{self, Bill, Repeat, Sale, Sold};
use super::selection::{self, Candidate, Person, Verdict};
use base::db::Tx;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, Change};
use frame::api::owner::require_platform_staff;
use frame::api::{ApiError, App, Body, Ctx, Id, Result, say};
use frame::dict::ChoiceBook;
use frame::terms::applicant::facts_of;
use trade::match_log::PassedOver;
use trade::plan::push::TARGET;
use trade::plan::push::delivery;
use trade::plan::push::edited::{self, Edited};
use trade::plan::push::model::{AuthStatus, PushRow, PushStatus};
use trade::plan::push::rows as pushes;
use trade::plan::{PlanNow, PlanStatus};
use trade::user::form::SaidForm;
use trade::user::person;
use trade::user::reputation::{self, By};
use trade::user::rounds;
use trade::user::rounds::RoundApplicant;

/// A push that is to be sent once more.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PushRepeat {
    pub id: i64,
    /// The status that the viewer saw. A push that has another status by now is not repeated.
    pub status: PushStatus,
    /// What the buyer gets instead of what was sent; absent for the same data.
    pub edited: Option<SaidForm>,
}

/// The price of a repetition, and the data that the buyer would get.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RepeatTerms {
    pub plan_name: String,
    pub org_name: String,
    /// In fen, for the stored answers; other answers may have another price.
    pub price_cents: i64,
    pub name_mask: String,
    pub province: String,
    #[ts(type = "Record<string, string | number | boolean>")]
    pub applicant: Map<String, Value>,
}

/// `GET /plan/push/again/{id}`. Refuses what the repetition would be refused for now, before the user fills in a
/// form.
pub async fn terms(cx: Arc<Ctx>, Id(id): Id) -> Result<RepeatTerms> {
    let viewer = cx.viewer()?;
    let push = pushes::find(cx.db().read(), viewer.scope(), id).await?.ok_or(ApiError::Missing)?;
    require_platform_staff(viewer)?;
    let Repetition { user, price_cents, .. } = prepare(&cx.app, &push, None).await?;
    Ok(RepeatTerms {
        plan_name: push.plan_name,
        org_name: push.org_name,
        price_cents,
        name_mask: user.name_mask,
        province: user.province,
        applicant: user.said,
    })
}

/// `POST /plan/push/again`: the new push.
pub async fn repeat(cx: Arc<Ctx>, Body(body): Body<PushRepeat>) -> Result<PushRow> {
    let viewer = cx.viewer()?;
    let push = pushes::find(cx.db().read(), viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
    require_platform_staff(viewer)?;
    if push.status != body.status {
        return Err(ApiError::stale(&push));
    }
    let repetition = prepare(&cx.app, &push, body.edited.as_ref()).await?;
    let policy = Policy::of(&cx.app).await?;
    let (request, repetition, policy, push) = (&*cx, &repetition, &policy, &push);
    let after = request
        .db()
        .transact(|mut tx| {
            async move {
                let cx = request;
                let now = tx.now(&cx.app.clock).await?;
                let outcome = sell(&cx.app, &mut tx, push, repetition, policy, now).await?;
                let bill = match outcome {
                    Outcome::Sold(bill) => bill,
                    Outcome::Blocked => return Ok::<Option<PushRow>, ApiError>(None),
                };
                let new = pushes::find(&mut **tx, Scope::All, bill.push_id()).await?.ok_or(ApiError::Missing)?;
                let before = pushes::find(&mut **tx, Scope::All, push.id).await?.ok_or(ApiError::Missing)?;
                written(cx, &mut tx, &before, &before, (Action::Update, "repeated", Some(new.no.clone()))).await?;
                let mut changes = audit::changes(None::<&PushRow>, Some(&new));
                changes.extend(repetition.edits.iter().cloned());
                audit::record(&mut tx, &cx.actor()?, TARGET.of(new.id), Action::Money, &changes).await?;
                cx.keep_answer(&mut tx, &new).await?;
                settle(&cx.app, &mut tx, &bill).await?;
                Ok(Some(new))
            }
            .boxed()
        })
        .await?;
    cx.app.outbox.wake.notify_one();
    after.ok_or_else(|| passed_over(PassedOver::Blacklist))
}

/// Sends a push once more as it was. Returns the new one; none if the applicant is on the blacklist. For the demo.
pub async fn repeat_as_it_was(app: &App, id: i64) -> Result<Option<i64>> {
    let push = pushes::find(app.db.read(), Scope::All, id).await?.ok_or(ApiError::Missing)?;
    let (repetition, policy) = (prepare(app, &push, None).await?, Policy::of(app).await?);
    let mut tx = app.db.begin().await?;
    let now = tx.now(&app.clock).await?;
    let outcome = sell(app, &mut tx, &push, &repetition, &policy, now).await?;
    let new_id = match outcome {
        Outcome::Sold(bill) => {
            settle(app, &mut tx, &bill).await?;
            Some(bill.push_id())
        }
        Outcome::Blocked => None,
    };
    tx.commit().await?;
    Ok(new_id)
}

/// A push that can be repeated: the applicant, the plan and the price.
struct Repetition {
    /// The data that the buyer gets.
    user: RoundApplicant,
    edited: Option<Edited>,
    /// The edited fields, for the audit trail.
    edits: Vec<Change>,
    plan: PlanNow,
    price_cents: i64,
}

/// Checks everything that can be known before the sale. The error names the obstacle.
async fn prepare(app: &App, push: &PushRow, form: Option<&SaidForm>) -> Result<Repetition> {
    may_be_repeated(push)?;
    let (db, at) = (&app.db, app.clock.now());
    let gone = || ApiError::State(say("该申请人已注销或不能再分发", "The applicant has been erased or can no longer be distributed"));
    let user_id = push.user_id.ok_or_else(gone)?;
    let mut user = rounds::applicant(db.read(), user_id).await?.ok_or_else(gone)?;
    let before = edited::of(db.read(), &app.keys, push.id).await.map_err(ApiError::Internal)?;
    if let Some(before) = &before {
        apply_edits(&mut user, before);
    }
    let (mut edits, mut edited) = (Vec::new(), before);
    if let Some(form) = form {
        let person = person::reveal(db.read(), &app.keys, user_id).await.map_err(ApiError::Internal)?.ok_or_else(gone)?;
        let choices = app.service::<ChoiceBook>().current(db).await?;
        let form = form.clone().read(&choices, &user.said, person.id_no.as_deref(), at).map_err(|error| error.below("edited"))?;
        let name = edited.as_ref().map_or(person.name, |edited| edited.name.clone());
        let new = Edited {
            name: form.name.clone().unwrap_or_else(|| name.clone()),
            province: form.province.clone(),
            said: form.applicant.clone(),
        };
        let old = Edited { name, province: user.province.clone(), said: user.said.clone() };
        if new != old {
            edits = edited::changes(&old, &new);
            apply_edits(&mut user, &new);
            edited = Some(new);
        }
    }
    let plan = trade::plan::find(db.read(), Scope::All, push.plan_id).await?;
    let plan = plan.ok_or_else(|| ApiError::State(say("计划已删除", "The plan has been deleted")))?;
    if plan.status != PlanStatus::Running {
        return Err(ApiError::State(say(
            format!("计划当前为“{}”，不能再次推送", plan.status.label(Locale::Chinese)),
            format!("The plan is {}; the lead cannot be delivered to it again", plan.status.label(Locale::English)),
        )));
    }
    let plan = trade::plan::now::of_one(db, plan, at).await?;
    let said = facts_of(&user.said).unwrap_or_default();
    let facts = reputation::of(app, By::Phone, &user.known_by.phone_hash, at).await?.add_to(said);
    let person = Person::of(&user, &facts, &[]);
    let price_cents = match selection::verdict(&plan, &person, at) {
        Verdict::Takes(price_cents) => price_cents,
        Verdict::Waits(_) => return Err(passed_over(PassedOver::Closed)),
        Verdict::PassedOver(reason) => return Err(passed_over(reason)),
    };
    Ok(Repetition { user, edited, edits, plan, price_cents })
}

/// The result of a repetition; any other is an error.
enum Outcome {
    /// It is sold once its bill is settled.
    Sold(Bill),
    /// The applicant is on the blacklist: the hit is counted, and nothing is sold.
    Blocked,
}

/// Sells it except for the bill, under the locks of any sale. Of two calls at the same time, one makes a push.
async fn sell(app: &App, tx: &mut Tx, push: &PushRow, repetition: &Repetition, policy: &Policy, now: i64) -> Result<Outcome> {
    // Locks the applicant first, as everywhere.
    delivery::hold(tx, push.id).await?;
    let current = pushes::find(&mut **tx, Scope::All, push.id).await?.ok_or(ApiError::Missing)?;
    may_be_repeated(&current)?;
    let Repetition { user, edited, plan, price_cents, .. } = repetition;
    if rounds::applicant(&mut **tx, user.id).await?.is_none() {
        return Err(ApiError::stale(&current));
    }
    let candidate = Candidate { plan: &plan.plan, price_cents: *price_cents, replaced: false };
    let repeat = Some(Repeat { push_id: push.id, edited: edited.as_ref() });
    let bill = match sale::sell(app, tx, &Sale { user, candidate, policy, repeat, awaited: None, at: now }).await? {
        Sold::Sold(bill) => bill,
        Sold::Passed(PassedOver::Blacklist) => return Ok(Outcome::Blocked),
        Sold::Passed(reason) => return Err(passed_over(reason)),
    };
    rounds::sold_by_hand(tx, user.id, now).await?;
    Ok(Outcome::Sold(bill))
}

/// Takes room under the caps, and the price. It comes last in its transaction, after the audit row: from then on
/// other sales of the plan and of the account wait.
async fn settle(app: &App, tx: &mut Tx, bill: &Bill) -> Result<()> {
    match bill.settle(app, tx).await? {
        None => Ok(()),
        Some(missing) => Err(passed_over(missing)),
    }
}

/// Replaces an applicant's answers with the edited ones.
fn apply_edits(user: &mut RoundApplicant, edited: &Edited) {
    user.name_mask = edited.name_mask();
    user.city = edited.city().to_owned();
    user.province = edited.province.clone();
    user.said = edited.said.clone();
}

/// Accepts a push that ended without a sale and was not repeated. Refuses any other, with the reason.
fn may_be_repeated(push: &PushRow) -> Result<()> {
    use PushStatus::{Cancelled, Duplicate, Failed, Rejected, Unconfirmed};
    if let Some(no) = &push.repeated_no {
        return Err(ApiError::State(say(format!("已再次推送，见 {no}"), format!("It has been delivered again as {no}"))));
    }
    if push.auth_status.is_some_and(|status| status != AuthStatus::Authorised) {
        return Err(ApiError::State(say(
            "申请人没有在机构页面授权，不能再次推送",
            "The applicant has not agreed on the organisation's page: the lead cannot be delivered again",
        )));
    }
    match push.status {
        Rejected | Duplicate | Failed | Cancelled => Ok(()),
        Unconfirmed => {
            Err(ApiError::State(say("线索待核实，核实后才能再次推送", "The lead is unconfirmed: resolve it before it is delivered again")))
        }
        status => Err(ApiError::State(say(
            format!("推送当前为“{}”，不能再次推送", status.label(Locale::Chinese)),
            format!("The delivery is {}; it cannot be repeated", status.label(Locale::English)),
        ))),
    }
}

/// Why the plan does not take the lead.
fn passed_over(reason: PassedOver) -> ApiError {
    ApiError::State(say(
        format!("不能再次推送：{}", reason.label(Locale::Chinese)),
        format!("It cannot be delivered again: {}", reason.label(Locale::English).to_lowercase()),
    ))
}
