//! A push that is not being sent is cancelled by hand: `PUT /plan/push/cancel`.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::Deserialize;

use super::resolve::{kept_note, written};
use super::settle::{self, Refusal};
use crate::access::Scope;
use crate::access::audit::Action;
use crate::admin::ours_to_change;
use crate::api::check::present;
use crate::api::{ApiError, Body, Check, Ctx, Result, say};
use crate::db::Tx;
use crate::outbox::{self, Kind};
use crate::plan::push::model::{PushRow, PushStatus};
use crate::plan::push::store as pushes;

/// What a lead is refused with that a person cancelled: its organisation is not offered the applicant again by itself.
pub const BY_HAND: &str = "by_hand";

/// A push that is to be cancelled.
#[derive(Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct PushCancel {
    pub id: i64,
    /// As it was seen: a push that has moved since is not cancelled.
    pub status: PushStatus,
    /// Why, 1 to 200 characters; its organisation does not see it.
    pub note: String,
}

/// `PUT /plan/push/cancel`. Plans are looked for again for its applicant.
pub async fn cancel(cx: Arc<Ctx>, Body(body): Body<PushCancel>) -> Result<PushRow> {
    let viewer = cx.viewer()?;
    let note = present(Some(body.note)).unwrap_or_default();
    let (cx, note) = (&*cx, &note);
    cx.db()
        .transact(|mut tx| {
            async move {
                let now = tx.now(&cx.app.clock).await?;
                let before = pushes::find(&mut **tx, viewer.scope(), body.id).await?.ok_or(ApiError::Missing)?;
                ours_to_change(viewer)?;
                Check::new().text("note", note, 1..=200).done()?;
                if before.status != body.status {
                    return Err(ApiError::stale(&before));
                }
                let note = kept_note(&cx.app, &mut tx, &before, note).await?;
                if !withdraw(&mut tx, before.id, now).await? {
                    return Err(ApiError::State(say(
                        "只有待推送或待重试、且当前没有在推送的线索可以取消",
                        "Only a push that is queued or waits for its next attempt, and is not being sent, can be cancelled",
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

/// Cancels a push that waits to be sent and cannot have arrived; false where it is being sent, may have arrived or has ended.
pub(crate) async fn withdraw(tx: &mut Tx, id: i64, now: i64) -> Result<bool> {
    // In the order of a delivery: what carries the lead, then the applicant, then the lead.
    if !outbox::store::withdraw(tx, Kind::Delivery, id, now).await? {
        return Ok(false);
    }
    let Some(push) = pushes::on_way(tx, id).await? else { return Ok(false) };
    let refusal = Refusal { status: PushStatus::Cancelled, code: BY_HAND.to_owned(), reason: BY_HAND.to_owned() };
    settle::refuse(tx, &push, &refusal, now).await?;
    Ok(true)
}
