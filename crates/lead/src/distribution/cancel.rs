//! Cancels pushes that are not being sent: one by hand, `PUT /plan/push/cancel`, or all of an applicant who is not to
//! be sent to anyone any more.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::Deserialize;

use super::resolve::{kept_note, written};
use super::settle::{self, Refusal};
use base::db::Tx;
use base::outbox::{self, Kind};
use frame::access::Scope;
use frame::access::audit::Action;
use frame::api::check::present;
use frame::api::owner::require_platform_staff;
use frame::api::{ApiError, App, Body, Check, Ctx, Result, say};
use frame::decision;
use trade::plan::push::delivery;
use trade::plan::push::delivery::Stop;
use trade::plan::push::model::{PushRow, PushStatus};
use trade::plan::push::rows as pushes;

/// The refusal code of a lead that a person cancelled. The round does not offer the applicant to this organisation
/// again.
pub const BY_HAND: &str = "by_hand";

/// A push that is to be cancelled.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PushCancel {
    pub id: i64,
    /// The status that the viewer saw. A push that has another status by now is not cancelled.
    pub status: PushStatus,
    /// The reason, 1 to 200 characters; the organisation does not see it.
    pub note: String,
}

/// `PUT /plan/push/cancel`. Another plan is then looked for.
pub async fn cancel(cx: Arc<Ctx>, Body(body): Body<PushCancel>) -> Result<PushRow> {
    let viewer = cx.viewer()?;
    let note = present(Some(body.note)).unwrap_or_default();
    let (cx, note) = (&*cx, &note);
    cx.db()
        .transact(|mut tx| {
            async move {
                let now = tx.now(&cx.app.clock).await?;
                let before = pushes::find(&mut **tx, viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
                require_platform_staff(viewer)?;
                Check::new().text("note", note, 1..=decision::REASON).done()?;
                if before.status != body.status {
                    return Err(ApiError::stale(&before));
                }
                let note = kept_note(&cx.app, &mut tx, &before, note).await?;
                if !withdraw(&mut tx, before.id, BY_HAND, now).await? {
                    return Err(ApiError::State(say(
                        "只有待推送或待重试、且当前没有在推送的线索可以取消",
                        "Only a delivery that is queued or waits for its next attempt, and is not being sent, can be cancelled",
                    )));
                }
                let after = pushes::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
                written(cx, &mut tx, &before, &after, (Action::Money, "cancelled", Some(note))).await?;
                Ok(after)
            }
            .boxed()
        })
        .await
}

/// Cancels a push that waits to be sent and cannot have arrived; false if it is being sent, may have arrived or has
/// ended. `code` is the reason that the organisation sees, too.
pub async fn withdraw(tx: &mut Tx, id: i64, code: &str, now: i64) -> Result<bool> {
    // Locks in the order of a delivery: the outbox item, the applicant, the lead.
    if !outbox::queue::withdraw(tx, Kind::Delivery, id, now).await? {
        return Ok(false);
    }
    let Some(push) = delivery::find(tx, id).await? else { return Ok(false) };
    let refusal = Refusal { status: PushStatus::Cancelled, code: code.to_owned(), reason: code.to_owned() };
    settle::refuse(tx, &push, &refusal, now).await?;
    Ok(true)
}

/// Cancels those pushes of a stopped applicant that wait to be sent and cannot have arrived. Returns how many. Each
/// has its own transaction, so that none waits for a lock while it holds another. A push that is left over, for
/// example because the program ends, is cancelled when its delivery begins.
pub async fn withdraw_all(app: &App, user_id: i64, stop: Stop) -> Result<i64> {
    let mut cancelled = 0;
    for id in delivery::ids_on_way(app.db.read(), user_id).await? {
        let withdrawn = app.db.transact(|mut tx| {
            async move {
                let now = tx.now(&app.clock).await?;
                withdraw(&mut tx, id, stop.into(), now).await
            }
            .boxed()
        });
        cancelled += i64::from(withdrawn.await?);
    }
    Ok(cancelled)
}
