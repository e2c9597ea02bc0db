//! Marks an applicant invalid by hand, or valid again: `/user/invalid`, `/user/valid`. Leads that wait to be sent are
//! cancelled, and no plan is offered the applicant any more; organisations keep the leads that they have.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::applicant::record::UserVersion;
use crate::distribution;
use base::db::Tx;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{self, Action, Change};
use frame::api::check::present;
use frame::api::{ApiError, Body, Check, Ctx, Result, say};
use frame::decision;
use trade::plan::push::delivery::Stop;
use trade::user;
use trade::user::changes;
use trade::user::list::TARGET;
use trade::user::model::{InvalidReason, UserRow, UserStatus};
use trade::user::person;
use trade::user::rounds;

/// Why an applicant is marked invalid.
#[derive(Debug, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct UserInvalid {
    pub id: i64,
    pub version: i64,
    pub reason: InvalidReason,
    /// At most 200 characters; needed for the reason `other`. Names and numbers of the applicant are kept masked.
    pub note: Option<String>,
}

/// `PUT /user/invalid`.
pub async fn mark(cx: Arc<Ctx>, Body(body): Body<UserInvalid>) -> Result<UserRow> {
    let note = present(body.note).unwrap_or_default();
    let least = usize::from(body.reason == InvalidReason::Other);
    let (cx, note, reason) = (&*cx, &note, body.reason);
    let (id, version) = (body.id, body.version);
    let marked = cx
        .db()
        .transact(|mut tx| {
            async move {
                let now = tx.now(&cx.app.clock).await?;
                let by = cx.viewer()?.id;
                rounds::hold(&mut tx, id).await?;
                let before = current(cx, &mut tx, id, version).await?;
                may_be_marked(&before)?;
                Check::new().text("note", note, least..=decision::REASON).done()?;
                let kept = person::kept_note(&mut **tx, &cx.app.keys, id, note).await.map_err(ApiError::Internal)?;
                changes::mark_invalid(&mut tx, (id, before.status), (reason, &kept), by, now).await?;
                let noted = (!kept.is_empty()).then(|| Change { field: "invalidNote".to_owned(), before: None, after: Some(kept.clone()) });
                written(cx, &mut tx, &before, noted).await
            }
            .boxed()
        })
        .await?;
    distribution::withdraw_all(&cx.app, id, Stop::Invalid).await?;
    Ok(marked)
}

/// `PUT /user/valid`: takes the mark back. Plans are looked for again if a round was due when the applicant was
/// marked.
pub async fn unmark(cx: Arc<Ctx>, Body(body): Body<UserVersion>) -> Result<UserRow> {
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                rounds::hold(&mut tx, body.id).await?;
                let before = current(cx, &mut tx, body.id, body.version).await?;
                if before.invalid_reason.is_none() || before.status != UserStatus::Invalid {
                    return Err(ApiError::State(say("该用户没有被标记为无效", "The applicant has not been marked invalid")));
                }
                changes::mark_valid(&mut tx, body.id, cx.viewer()?.id, cx.now).await?;
                written(cx, &mut tx, &before, None).await
            }
            .boxed()
        })
        .await
}

/// The applicant in the version that the request names, within the viewer's scope.
async fn current(cx: &Ctx, tx: &mut Tx, id: i64, version: i64) -> Result<UserRow> {
    let user = user::find(&mut **tx, cx.viewer()?.scope(), id).await?.ok_or(ApiError::Missing)?;
    if user.version == version { Ok(user) } else { Err(ApiError::stale(&user)) }
}

/// Accepts an applicant who was let in. Refuses any other, with the reason.
fn may_be_marked(user: &UserRow) -> Result<()> {
    use UserStatus::{Completed, Distributed, Matching, Registered, Unmatched};
    match user.status {
        Registered | Completed | Matching | Distributed | Unmatched => Ok(()),
        status => Err(ApiError::State(say(
            format!("“{}”的用户不能标记为无效", status.label(Locale::Chinese)),
            format!("An applicant who is {} cannot be marked invalid", status.label(Locale::English).to_lowercase()),
        ))),
    }
}

/// Writes the change into the audit trail. Returns the applicant as the viewer sees them now.
async fn written(cx: &Ctx, tx: &mut Tx, before: &UserRow, noted: Option<Change>) -> Result<UserRow> {
    let after = user::find(&mut **tx, Scope::All, before.id).await?.ok_or(ApiError::Missing)?;
    let mut changes = audit::changes(Some(before), Some(&after));
    changes.extend(noted);
    audit::record(tx, &cx.actor()?, TARGET.of(before.id), Action::Update, &changes).await?;
    Ok(after)
}
