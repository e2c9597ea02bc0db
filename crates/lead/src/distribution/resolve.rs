//! Leads of which it is unknown whether their organisation has them: a person decides, or the organisation reports
//! it. Calls under `/plan/push`.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

use super::deliver::{ERASED, NO_DELIVERY};
use super::notices;
use super::settle::{self, Refusal};
use base::db::Tx;
use base::form_limits;
use base::mask;
use base::outbox::{self, Kind, State};
use frame::access::Scope;
use frame::access::audit::{self, Action, Change};
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::{ApiError, App, Body, Check, Ctx, Result, say};
use frame::decision;
use trade::plan::push::TARGET;
use trade::plan::push::delivery;
use trade::plan::push::model::{PushRow, PushStatus};
use trade::plan::push::rows as pushes;
use trade::user;

/// The refusal code of a lead that, as a person reports, its organisation does not have.
const NOT_THERE: &str = "not_there";

form_limits! {
    /// Of a lead that waits for a person's word.
    push {
        /// Characters of the organisation's number.
        UPSTREAM_NO: usize = 200,
    }
}

/// A person's report on a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum PushDecision {
    /// The organisation has it: it pays.
    Taken,
    /// The organisation does not have it: the lead is given up, and another plan is looked for.
    NotTaken,
    /// The lead is sent, or its status queried, once more.
    Again,
}

/// A report on a lead that is not confirmed, or waits for its next try.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct PushResolution {
    pub id: i64,
    /// The status that the viewer saw. A lead that has another status by now is not decided on.
    pub status: PushStatus,
    pub decision: PushDecision,
    /// The organisation's number of the lead, if it has one; with `taken` only.
    pub upstream_no: Option<String>,
    /// How the person knows it, 1 to 200 characters; not needed to try again.
    pub note: Option<String>,
}

/// `PUT /plan/push/resolve`.
pub async fn resolve(cx: Arc<Ctx>, Body(body): Body<PushResolution>) -> Result<PushRow> {
    let viewer = cx.viewer()?;
    let (upstream_no, note) = (present(body.upstream_no), present(body.note));
    let again = body.decision == PushDecision::Again;
    let (request, upstream_no, note) = (&*cx, &upstream_no, &note);
    let after = request
        .db()
        .transact(|mut tx| {
            async move {
                let cx = request;
                let now = tx.now(&cx.app.clock).await?;
                let before = pushes::find(&mut **tx, viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
                require_platform_staff(viewer)?;
                Check::new()
                    .text("upstreamNo", upstream_no.as_deref().unwrap_or_default(), 0..=UPSTREAM_NO)
                    .text("note", note.as_deref().unwrap_or_default(), usize::from(!again)..=decision::REASON)
                    .done()?;
                if before.status != body.status {
                    return Err(ApiError::stale(&before));
                }
                match body.decision {
                    PushDecision::Again => try_again(&mut tx, &before, now).await?,
                    decision => {
                        if before.status != PushStatus::Unconfirmed {
                            return Err(ApiError::State(say("只有待核实的线索需要处理", "Only an unconfirmed lead can be resolved")));
                        }
                        decide(&cx.app, &mut tx, &before, decision, upstream_no.as_deref(), now).await?;
                    }
                }
                let note = match note {
                    Some(note) => Some(kept_note(&cx.app, &mut tx, &before, note).await?),
                    None => None,
                };
                let after = pushes::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
                let action = if again { Action::Update } else { Action::Money };
                written(cx, &mut tx, &before, &after, (action, body.decision.into(), note)).await?;
                Ok::<_, ApiError>(after)
            }
            .boxed()
        })
        .await?;
    cx.app.outbox.wake.notify_one();
    Ok(after)
}

/// A note on a push as it is stored. All viewers of the push read it and it is kept forever, so it names no person.
pub(super) async fn kept_note(app: &App, tx: &mut Tx, push: &PushRow, note: &str) -> Result<String> {
    let Some(user_id) = push.user_id else { return Ok(mask::numbers(note)) };
    user::person::kept_note(&mut **tx, &app.keys, user_id, note).await.map_err(ApiError::Internal)
}

/// Writes a decision on a push into the audit trail.
pub(super) async fn written(
    cx: &Ctx,
    tx: &mut Tx,
    before: &PushRow,
    after: &PushRow,
    (action, decision, note): (Action, &str, Option<String>),
) -> Result<()> {
    let mut changes = audit::changes(Some(before), Some(after));
    let noted = [("decision", Some(decision.to_owned())), ("note", note)];
    let noted = noted.into_iter().filter(|(_, value)| value.is_some());
    changes.extend(noted.map(|(field, after)| Change { field: field.to_owned(), before: None, after }));
    Ok(audit::record(tx, &cx.actor()?, TARGET.of(before.id), action, &changes).await?)
}

async fn try_again(tx: &mut Tx, push: &PushRow, now: i64) -> Result<()> {
    match outbox::queue::again(tx, Kind::Delivery, push.id, None, now).await? {
        true => Ok(()),
        false => Err(ApiError::State(say("线索正在推送或已结束", "The lead is being sent or has ended"))),
    }
}

async fn decide(app: &App, tx: &mut Tx, push: &PushRow, decision: PushDecision, upstream_no: Option<&str>, now: i64) -> Result<()> {
    let changed = || ApiError::State(say("线索状态已变化，请刷新后再试", "The lead's status has changed: refresh and try again"));
    outbox::queue::end(tx, Kind::Delivery, push.id, if decision == PushDecision::Taken { State::Done } else { State::GivenUp }, now)
        .await?;
    let on_way = delivery::find(tx, push.id).await?.ok_or_else(changed)?;
    match decision {
        PushDecision::Taken => settle::accept(app, tx, &on_way, upstream_no, now).await,
        _ => {
            // The note is in the audit trail of the platform only. The organisation reads this refusal as well.
            let refusal = Refusal { status: PushStatus::Failed, code: NOT_THERE.to_owned(), reason: NOT_THERE.to_owned() };
            settle::refuse(tx, &on_way, &refusal, now).await
        }
    }
}

/// What follows when an organisation reports on a lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Heard {
    /// Nothing new.
    Nothing,
    /// The organisation has the lead, which was not known when the lead was read. Read it again: it is sold and paid
    /// now.
    Taken,
    /// The organisation has the lead although it was taken back: people who decide get a message.
    TooLate,
}

/// An organisation's server reports on one of its leads. This proves that it has the lead; the content of the report
/// is handled elsewhere.
pub async fn known_to_buyer(app: &App, tx: &mut Tx, push: &PushRow) -> Result<Heard> {
    // A lead that was never sent cannot be there.
    if push.attempts == 0 {
        return Ok(Heard::Nothing);
    }
    let now = tx.now(&app.clock).await?;
    match push.status {
        PushStatus::Sending | PushStatus::Retrying | PushStatus::Unconfirmed => {
            outbox::queue::end(tx, Kind::Delivery, push.id, State::Done, now).await?;
            // None if another request has decided on the lead meanwhile.
            if let Some(on_way) = delivery::find(tx, push.id).await? {
                settle::accept(app, tx, &on_way, push.upstream_no.as_deref(), now).await?;
            }
            Ok(Heard::Taken)
        }
        PushStatus::Failed | PushStatus::Cancelled if was_taken_back(push) => {
            delivery::hold(tx, push.id).await?;
            notices::taken_too_late(tx, push.id, now).await?;
            Ok(Heard::TooLate)
        }
        _ => Ok(Heard::Nothing),
    }
}

/// Whether a lead that has ended was taken back by the platform, and not refused by its organisation.
fn was_taken_back(push: &PushRow) -> bool {
    push.status == PushStatus::Cancelled || matches!(push.reject_code.as_deref(), Some(NO_DELIVERY | ERASED | NOT_THERE))
}
