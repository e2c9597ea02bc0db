//! The consent of an applicant is withdrawn: by a member of staff, `PUT /user/consent/withdraw`, or by the server of the channel
//! that brought the applicant (`open::consent`). No plan is offered the applicant any more, what waits to be sent is cancelled,
//! and organisations that have a lead of theirs get a message.
//!
//! A sale looks at the consent while it holds the applicant, and so does a delivery before it sends: whichever comes second
//! sees what the other did.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::distribution;
use base::db::Tx;
use frame::access::Scope;
use frame::access::audit::{self, Action, Change};
use frame::api::check::present;
use frame::api::{ApiError, App, Body, Check, Ctx, Result, say};
use frame::decision;
use trade::plan::push::delivery;
use trade::plan::push::delivery::Stop;
use trade::user;
use trade::user::changes;
use trade::user::list::TARGET;
use trade::user::model::{UserRow, UserStatus, WithdrawnVia};
use trade::user::person;
use trade::user::rounds;

/// Most applications of one phone whose consents are withdrawn at once, the newest first.
const MOST: i64 = 1000;

/// A consent that is to be withdrawn.
#[derive(Debug, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ConsentWithdrawal {
    pub id: i64,
    pub version: i64,
    /// Withdraws the consents of every application of the same phone that the viewer may see, not of this one alone.
    pub every_application: bool,
    /// How the applicant asked for it, 1 to 200 characters. Names and numbers of the applicant are kept masked.
    pub note: String,
}

/// What a withdrawal did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Withdrawn {
    /// Epoch milliseconds.
    pub at: i64,
    /// Leads that organisations have already.
    pub taken: i64,
}

/// `PUT /user/consent/withdraw`.
pub async fn withdraw_by_staff(cx: Arc<Ctx>, Body(body): Body<ConsentWithdrawal>) -> Result<UserRow> {
    let scope = cx.viewer()?.scope();
    let note = body.note.trim().to_owned();
    Check::new().text("note", &note, 1..=decision::REASON).done()?;
    let before = user::find(cx.db().read(), scope, body.id).await?.ok_or(ApiError::Missing)?;
    may_be_withdrawn(&before)?;
    if before.version != body.version {
        return Err(ApiError::stale(&before));
    }
    let mut others = Vec::new();
    if body.every_application {
        others = changes::of_same_phone(cx.db().read(), scope, body.id, MOST).await?;
        others.retain(|id| *id != body.id);
    }
    // One transaction for each application: a transaction that holds an applicant never waits for another.
    for id in others.into_iter().chain([body.id]) {
        withdraw_one(&cx, id, &note).await?;
    }
    user::find(cx.db().read(), scope, body.id).await?.ok_or(ApiError::Missing)
}

/// Withdraws the consent of one application. An application whose consent is withdrawn already stays as it is.
async fn withdraw_one(cx: &Ctx, id: i64, note: &str) -> Result<()> {
    let viewer = cx.viewer()?;
    cx.db()
        .transact(|mut tx| {
            async move {
                let now = tx.now(&cx.app.clock).await?;
                rounds::hold(&mut tx, id).await?;
                let Some(before) = user::find(&mut **tx, viewer.scope(), id).await? else { return Ok(()) };
                if withdraw(&mut tx, id, WithdrawnVia::Staff, now).await?.is_none() {
                    return Ok(());
                }
                let kept = person::kept_note(&mut **tx, &cx.app.keys, id, note).await.map_err(ApiError::Internal)?;
                let mut changes = changes(&mut tx, &before).await?;
                changes.push(Change { field: "consentNote".to_owned(), before: None, after: Some(kept) });
                Ok::<_, ApiError>(audit::record(&mut tx, &cx.actor()?, TARGET.of(id), Action::Update, &changes).await?)
            }
            .boxed()
        })
        .await?;
    cancel_waiting(&cx.app, id).await.map(drop)
}

/// An applicant as a channel names them: by the channel's own number or by the platform's.
#[derive(Clone, Debug)]
pub enum Named {
    Request(String),
    No(String),
}

impl Named {
    /// Reads the one of the two numbers that the call names.
    pub fn read(request_id: Option<String>, no: Option<String>) -> Result<Named> {
        match (present(request_id), present(no)) {
            (Some(request_id), None) => Ok(Named::Request(request_id)),
            (None, Some(no)) => Ok(Named::No(no.to_uppercase())),
            _ => Err(ApiError::field("requestId", say("请提供 requestId 或 no 其中之一", "Give either requestId or no"))),
        }
    }
}

/// The channel's applicant of this number.
pub async fn of_channel(tx: &mut Tx, channel_id: i64, named: &Named) -> Result<UserRow> {
    let (field, request_id, no) = match named {
        Named::Request(request_id) => ("requestId", Some(request_id.as_str()), None),
        Named::No(no) => ("no", None, Some(no.as_str())),
    };
    let found = match changes::brought_by(tx, channel_id, request_id, no).await? {
        Some(id) => user::find(&mut **tx, Scope::All, id).await?,
        None => None,
    };
    found.ok_or_else(|| ApiError::field(field, say("没有这位申请人", "There is no such applicant")))
}

/// Withdraws the consents of an applicant and locks the applicant until the transaction ends; none if no consent
/// holds. Leads that wait to be sent are cancelled afterwards, by [`cancel_waiting`].
pub async fn withdraw(tx: &mut Tx, id: i64, via: WithdrawnVia, now: i64) -> Result<Option<Withdrawn>> {
    rounds::hold(tx, id).await?;
    if !changes::withdraw_consents(tx, id, via, now).await? {
        return Ok(None);
    }
    rounds::stop_matching(tx, id, now).await?;
    let taken = delivery::taken_of_user(tx, id).await?;
    for push in &taken {
        distribution::consent_withdrawn(tx, (push.id, &push.no), (push.org_id, push.sub_org_id), now).await?;
    }
    Ok(Some(Withdrawn { at: now, taken: taken.len() as i64 }))
}

/// The same for a report of the channel: the audit row names no member of staff.
pub async fn withdraw_for_channel(tx: &mut Tx, before: &UserRow, now: i64) -> Result<Option<Withdrawn>> {
    let withdrawn = withdraw(tx, before.id, WithdrawnVia::Channel, now).await?;
    if withdrawn.is_some() {
        let changes = changes(tx, before).await?;
        audit::record_own(tx, TARGET.of(before.id), Action::Update, &changes, now).await?;
    }
    Ok(withdrawn)
}

/// Cancels the leads that wait to be sent, of an applicant whose consent is withdrawn. Returns how many leads these
/// were.
pub async fn cancel_waiting(app: &App, id: i64) -> Result<i64> {
    let cancelled = distribution::withdraw_all(app, id, Stop::Consent).await?;
    if cancelled > 0 {
        // The leads count as not sold.
        let stopped = app.db.transact(|mut tx| {
            async move {
                let now = tx.now(&app.clock).await?;
                rounds::hold(&mut tx, id).await?;
                Ok::<_, ApiError>(rounds::stop_matching(&mut tx, id, now).await?)
            }
            .boxed()
        });
        stopped.await?;
    }
    Ok(cancelled)
}

/// What a withdrawal changed of an applicant.
async fn changes(tx: &mut Tx, before: &UserRow) -> Result<Vec<Change>> {
    let after = user::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
    Ok(audit::changes(Some(before), Some(&after)))
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
