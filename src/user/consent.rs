//! The consent of an applicant is withdrawn: by a member of staff, `PUT /user/consent/withdraw`, or by the server of the channel
//! that brought the applicant (`open::consent`). Nobody is offered the applicant any more, what waits to be sent is cancelled,
//! and organisations that have a lead of theirs are told.
//!
//! A sale looks at the consent while it holds the applicant, and so does a delivery before it sends: whichever comes second
//! sees what the other did.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;

use super::list::TARGET;
use super::model::{UserRow, UserStatus, WithdrawnVia};
use super::store;
use crate::access::Scope;
use crate::access::audit::{self, Action, Change};
use crate::api::{ApiError, Body, Check, Ctx, Result, say};
use crate::crypto::mask_numbers;
use crate::db::Tx;
use crate::distribution;
use crate::plan::push::store::{self as pushes, Stop};

/// Longest note, in characters.
const LONGEST_NOTE: usize = 200;
/// Most applications of one phone whose consents are withdrawn at once.
const MOST: usize = 100;

/// A consent that is to be withdrawn.
#[derive(Debug, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ConsentWithdrawal {
    pub id: i64,
    pub version: i64,
    /// That of every application of the same phone that the viewer may see, not of this one alone.
    pub every_application: bool,
    /// How that was asked for, 1 to 200 characters. What tells who the applicant is, is kept masked.
    pub note: String,
}

/// What a withdrawal did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withdrawn {
    /// Epoch milliseconds.
    pub at: i64,
    /// Leads that waited to be sent and were cancelled.
    pub cancelled: i64,
    /// Leads that organisations have.
    pub taken: i64,
}

/// `PUT /user/consent/withdraw`.
pub async fn withdraw_by_staff(cx: Arc<Ctx>, Body(body): Body<ConsentWithdrawal>) -> Result<UserRow> {
    let scope = cx.viewer()?.scope();
    let note = body.note.trim().to_owned();
    Check::new().text("note", &note, 1..=LONGEST_NOTE).done()?;
    let before = store::find(cx.db().read(), scope, body.id).await?.ok_or(ApiError::Missing)?;
    may_be_withdrawn(&before)?;
    if before.version != body.version {
        return Err(ApiError::stale(&before));
    }
    let mut others = Vec::new();
    if body.every_application {
        others = store::of_same_phone(cx.db().read(), scope, body.id).await?;
        others.retain(|id| *id != body.id);
        others.truncate(MOST);
    }
    // One transaction each: none waits for another while it holds an applicant.
    for id in others.into_iter().chain([body.id]) {
        withdraw_one(&cx, id, &note).await?;
    }
    store::find(cx.db().read(), scope, body.id).await?.ok_or(ApiError::Missing)
}

/// Withdraws the consent of one application; one whose consent is withdrawn already stays as it is.
async fn withdraw_one(cx: &Ctx, id: i64, note: &str) -> Result<()> {
    let viewer = cx.viewer()?;
    cx.db()
        .transact(|mut tx| {
            async move {
                let now = tx.now(&cx.app.clock).await?;
                let Some(before) = store::find(&mut **tx, viewer.scope(), id).await? else { return Ok(()) };
                let Some(_) = withdraw(&mut tx, id, WithdrawnVia::Staff, now).await? else { return Ok(()) };
                let kept = store::without_person(&mut **tx, &cx.app.keys, id, note).await.map_err(ApiError::Internal)?;
                let kept = kept.unwrap_or_else(|| mask_numbers(note));
                written(cx, &mut tx, &before, kept).await
            }
            .boxed()
        })
        .await
}

/// The applicant whom a channel brought, by its own number or by ours.
pub(crate) async fn of_channel(tx: &mut Tx, channel_id: i64, request_id: Option<&str>, no: Option<&str>) -> Result<Option<UserRow>> {
    match store::brought_by(tx, channel_id, request_id, no).await? {
        Some(id) => Ok(store::find(&mut **tx, Scope::All, id).await?),
        None => Ok(None),
    }
}

/// Withdraws the consents of an applicant in a transaction that holds nothing yet; none where none holds.
pub(crate) async fn withdraw(tx: &mut Tx, id: i64, via: WithdrawnVia, now: i64) -> Result<Option<Withdrawn>> {
    // What carries a lead is locked before the applicant, as by a delivery.
    let cancelled = distribution::withdraw_all(tx, id, Stop::Consent, now).await?;
    store::hold(tx, id).await?;
    if !store::withdraw_consents(tx, id, via, now).await? {
        return Ok(None);
    }
    store::stop_matching(tx, id, now).await?;
    let taken = pushes::taken_of_user(tx, id).await?;
    for push in &taken {
        distribution::consent_withdrawn(tx, &push.no, (push.org_id, push.sub_org_id), now).await?;
    }
    Ok(Some(Withdrawn { at: now, cancelled, taken: taken.len() as i64 }))
}

/// Writes a withdrawal by a member of staff into the trail.
async fn written(cx: &Ctx, tx: &mut Tx, before: &UserRow, note: String) -> Result<()> {
    let after = store::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
    let mut changes = audit::changes(Some(before), Some(&after));
    changes.push(Change { field: "consentNote".to_owned(), before: None, after: Some(note) });
    Ok(audit::record(tx, &cx.actor()?, TARGET.of(before.id), Action::Update, &changes).await?)
}

fn may_be_withdrawn(user: &UserRow) -> Result<()> {
    if user.status == UserStatus::Erased {
        return Err(ApiError::State(say("该用户已注销", "The applicant has already been erased")));
    }
    match user.consent_withdrawn_at {
        Some(_) => Err(ApiError::State(say("该用户的授权已撤回", "The consent has already been withdrawn"))),
        None => Ok(()),
    }
}
