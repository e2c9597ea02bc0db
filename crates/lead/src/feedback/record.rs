//! One piece of feedback: view, entry, handling, repeated callback. Every change is one transaction with its audit
//! row.

use std::sync::Arc;

use super::form::{self, Outcome};
use super::list::TARGET;
use super::model::{FeedbackDetail, FeedbackForm, FeedbackHandling, FeedbackRow, FeedbackSource, FeedbackVersion};
use super::status;
use super::store::{self, NewFeedback};
use base::db::Connection;
use base::locale::Locale;
use base::outbox::{self, Kind};
use frame::access::audit::{self, AuditEntry, Change, Target};
use frame::access::{Scope, Viewer};
use frame::api::versioned::{self, Versioned};
use frame::api::{ApiError, Body, Ctx, Id, Result, say};
use futures_util::FutureExt;
use trade::channel;
use trade::plan::push::model::{PushRow, PushStatus};
use trade::plan::push::rows as pushes;
use trade::user::{self, UserRow, UserStatus};

impl Versioned for FeedbackRow {
    const TARGET: Target = TARGET;

    fn key(&self) -> (i64, i64) {
        (self.id, self.version)
    }

    async fn find(tx: &mut Connection, scope: Scope, id: i64, locale: Locale) -> std::result::Result<Option<FeedbackRow>, sqlx::Error> {
        store::find(tx, scope, id, locale).await
    }

    /// The fields that people decide on, with names instead of ids.
    fn diff(before: Option<&FeedbackRow>, after: Option<&FeedbackRow>) -> Vec<Change> {
        const SHOWN: &[&str] = &[
            "userNo",
            "pushNo",
            "orgName",
            "source",
            "star",
            "endName",
            "loanCents",
            "content",
            "handleStatus",
            "reply",
            "callbackStatus",
        ];
        let mut changes = audit::changes(before, after);
        changes.retain(|change| SHOWN.contains(&change.field.as_str()));
        changes
    }
}

/// `GET /user/feedback/{id}`. The tries of the callback are shown to the platform only.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<FeedbackDetail> {
    let scope = cx.viewer()?.scope();
    let feedback = seen(&cx, id).await?;
    let (mut tries, mut last_error) = (Vec::new(), None);
    if scope.is_platforms() {
        tries = store::tries(cx.db().read(), id).await?;
        last_error = outbox::queue::last_error(cx.db().read(), Kind::Callback, id).await?;
    }
    Ok(FeedbackDetail { feedback, tries, last_error })
}

/// `GET /user/feedback/history/{id}`.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    seen(&cx, id).await?;
    Ok(audit::history(cx.db(), TARGET.kind, id).await?)
}

/// `POST /user/feedback`: feedback from staff on an applicant, or from an organisation's people on a lead that it
/// bought.
pub async fn create(cx: Arc<Ctx>, Body(body): Body<FeedbackForm>) -> Result<FeedbackRow> {
    let viewer = cx.viewer()?;
    let mut tx = cx.db().begin().await?;
    let (user, push) = subject(&mut tx, viewer, &body).await?;
    let source = whose(viewer, body.source)?;
    let outcome = Outcome::of(body.star, body.end_code, body.loan_cents, &body.content);
    outcome.check(&mut tx).await?;
    if user.status == UserStatus::Erased {
        return Err(ApiError::State(say("该用户已注销", "The applicant has been erased")));
    }
    let person = user::person::reveal(&mut *tx, &cx.app.keys, user.id).await.map_err(ApiError::Internal)?;
    let outcome = outcome.about(person.as_ref());
    let said = Said { user: &user, push: push.as_ref(), source, outcome: &outcome, request_id: None, created_by: Some(viewer.id) };
    let id = keep(&mut tx, &said, cx.now).await?.ok_or(ApiError::Missing)?;
    versioned::created(&cx, tx, id).await
}

/// `PUT /user/feedback/handle`.
pub async fn handle(cx: Arc<Ctx>, Body(body): Body<FeedbackHandling>) -> Result<FeedbackRow> {
    let (body, keys, stamp) = (&body, &cx.app.keys, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &FeedbackRow| {
        async move {
            status::step(before.handle_status, body.status)?;
            form::check_reply(&body.reply)?;
            let reply = user::person::without_person(&mut **tx, keys, before.user_id, body.reply.trim()).await;
            let reply = reply.map_err(ApiError::Internal)?.unwrap_or_default();
            Ok(store::handle(&mut tx, before.id, body.version, body.status, &reply, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// `PUT /user/feedback/resend`: sends a callback again that could not be sent.
pub async fn resend(cx: Arc<Ctx>, Body(body): Body<FeedbackVersion>) -> Result<FeedbackRow> {
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &FeedbackRow| {
        async move {
            if !before.callback_status.waits_for_a_person() {
                return Err(ApiError::State(say(
                    "只有回传失败或待核实的反馈可以重新回传",
                    "Only failed or unconfirmed callbacks can be resent",
                )));
            }
            Ok(store::resend(&mut tx, before.id, body.version, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// `PUT /user/feedback/giveUp`: ends the tries of a callback that could not be sent.
pub async fn give_up(cx: Arc<Ctx>, Body(body): Body<FeedbackVersion>) -> Result<FeedbackRow> {
    let (body, stamp) = (&body, cx.stamp()?);
    versioned::change(&cx, body.id, body.version, |mut tx, before: &FeedbackRow| {
        async move {
            if !before.callback_status.waits_for_a_person() {
                return Err(ApiError::State(say(
                    "只有回传失败或待核实的反馈可以放弃回传",
                    "Only failed or unconfirmed callbacks can be given up",
                )));
            }
            Ok(store::give_up(&mut tx, before.id, body.version, stamp).await?)
        }
        .boxed()
    })
    .await
}

/// Feedback on an applicant.
pub(super) struct Said<'s> {
    pub user: &'s UserRow,
    /// The lead that it is about.
    pub push: Option<&'s PushRow>,
    pub source: FeedbackSource,
    pub outcome: &'s Outcome,
    /// The organisation's own number of the feedback.
    pub request_id: Option<&'s str>,
    pub created_by: Option<i64>,
}

/// Stores feedback, sets the applicant's stars and queues the callback. Returns its id; none if the organisation has
/// sent it under this number already.
pub(super) async fn keep(tx: &mut Connection, said: &Said<'_>, at: i64) -> Result<Option<i64>> {
    let new = NewFeedback {
        user_id: said.user.id,
        channel_id: said.user.channel_id,
        push: said.push.map(|push| (push.id, push.org_id, push.sub_org_id)),
        source: said.source,
        outcome: said.outcome,
        request_id: said.request_id,
        to_channel: channel::callback_address(&mut *tx, said.user.channel_id).await?.is_some(),
        created_by: said.created_by,
        at,
    };
    let id = store::insert(tx, &new).await?;
    if let (Some(_), Some(star)) = (id, said.outcome.star) {
        user::changes::set_star(tx, said.user.id, star, at).await?;
    }
    Ok(id)
}

/// The applicant of a lead that an organisation has accepted.
pub(super) fn sold_user(push: &PushRow) -> Result<i64> {
    if !matches!(push.status, PushStatus::Accepted | PushStatus::Returned) {
        return Err(ApiError::State(say("这条线索没有成交，不能反馈", "The lead was not sold and takes no feedback")));
    }
    push.user_id.ok_or_else(|| ApiError::State(say("这条线索没有申请人资料", "This lead has no applicant details")))
}

/// The applicant and the lead, both within the viewer's scope.
async fn subject(tx: &mut Connection, viewer: &Viewer, body: &FeedbackForm) -> Result<(UserRow, Option<PushRow>)> {
    let Some(push_id) = body.push_id else {
        let id = body.user_id.ok_or_else(|| ApiError::field("userId", say("必填", "Required")))?;
        return Ok((user::find(tx, viewer.scope(), id).await?.ok_or(ApiError::Missing)?, None));
    };
    let push = pushes::find(&mut *tx, viewer.scope(), push_id).await?.ok_or(ApiError::Missing)?;
    let user_id = sold_user(&push)?;
    if body.user_id.is_some_and(|id| id != user_id) {
        return Err(ApiError::field("userId", say("与线索的申请人不符", "The lead belongs to another applicant")));
    }
    Ok((user::find(tx, Scope::All, user_id).await?.ok_or(ApiError::Missing)?, Some(push)))
}

/// The source of feedback that a viewer enters.
fn whose(viewer: &Viewer, source: Option<FeedbackSource>) -> Result<FeedbackSource> {
    let ours = viewer.scope().is_platforms();
    let own = if ours { FeedbackSource::Staff } else { FeedbackSource::Buyer };
    match source {
        None => Ok(own),
        Some(source) if (source != FeedbackSource::Buyer) == ours => Ok(source),
        Some(_) => Err(ApiError::field("source", say("不能代他人反馈", "You cannot give feedback for others"))),
    }
}

async fn seen(cx: &Ctx, id: i64) -> Result<FeedbackRow> {
    store::find(cx.db().read(), cx.viewer()?.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)
}
