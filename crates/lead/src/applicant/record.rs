//! One applicant: story, reveal, entry by hand, another round, erasure.

use std::sync::Arc;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use frame::access::audit::{self, Action, AuditEntry, Change};
use frame::access::{Scope, Viewer};
use frame::api::{ApiError, Body, Ctx, Id, Result, Say, say};
use trade::blacklist::{self, BlacklistScope};
use trade::channel;

use crate::feedback::{self, FeedbackRow};
use crate::push;
use crate::returns::{self, ReturnRow};
use base::db::{Connection, Tx};
use base::locale::Locale;
use frame::dict::ChoiceBook;
use frame::reveal;
use trade::handoff::Claimed;
use trade::handoff::Handoff;
use trade::ledger::{self, LedgerLine};
use trade::match_log::{self, MatchDetail};
use trade::plan::push::delivery;
use trade::plan::push::model::PushStory;
use trade::plan::push::rows as pushes;
use trade::product;
use trade::risk;
use trade::user;
use trade::user::batch;
use trade::user::changes;
use trade::user::check::{CheckResult, UserCheck};
use trade::user::form::{Application, UserForm};
use trade::user::list::TARGET;
use trade::user::model::{RevealedUser, UserDetail, UserRow, UserStatus};
use trade::user::person;
use trade::user::rounds;
use trade::user::seen;
use trade::user::submission::{PreparedSubmission, Submission};
use trade::visit::lead;

/// An applicant's story: every check, match, push and ledger entry, as far as the viewer may see each on its own
/// screen. Nothing in it identifies the applicant.
#[derive(Debug, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct UserStory {
    #[serde(flatten)]
    #[ts(flatten)]
    pub detail: UserDetail,
    /// Why the blacklist keeps the applicant from being sold now, in words; none if it does not.
    pub blacklisted: Option<String>,
    /// The entry that does so; none for viewers who may not open entries.
    pub blacklist_entry_id: Option<i64>,
    /// Questions to organisations about the applicant, oldest first; none for viewers who may not see questions.
    pub matches: Option<Vec<MatchDetail>>,
    /// Leads about the applicant, oldest first; none for viewers who may not see pushes.
    pub pushes: Option<Vec<PushStory>>,
    /// Entries of organisations' accounts for the applicant, oldest first; none for viewers who may not see income.
    pub money: Option<Vec<LedgerLine>>,
    /// Feedback about the applicant, oldest first; none for viewers who may not see feedback.
    pub feedback: Option<Vec<FeedbackRow>>,
    /// Returns of leads about the applicant, oldest first; none for viewers who may not see pushes.
    pub returns: Option<Vec<ReturnRow>>,
    /// What the channel gets for the applicant in all, in fen: for the application and for the sale; none if it was
    /// charged.
    pub channel_cost_cents: i64,
}

/// An applicant that a member of staff enters.
#[derive(Debug, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts", optional_fields)]
pub struct UserEntry {
    /// The channel that the applicant counts for.
    pub channel_id: i64,
    /// The product that the applicant chose. Absent: the one that `user.product` names by its code, if any.
    pub product_id: Option<i64>,
    pub user: UserForm,
}

/// The result of an entry by hand.
#[derive(Debug, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct UserEntered {
    pub id: i64,
    pub no: String,
    pub status: UserStatus,
    /// The check that failed.
    pub failed: Option<UserCheck>,
    pub checks: Vec<CheckResult>,
}

/// An applicant in the version that the request names.
#[derive(Debug, Deserialize, JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct UserVersion {
    pub id: i64,
    pub version: i64,
}

/// `GET /user/{id}`. The right to see an applicant gives no further rights on organisations: each part is there for
/// viewers who hold the point of its own screen, and within their scope there.
pub async fn view(cx: Arc<Ctx>, Id(id): Id) -> Result<UserStory> {
    let user = seen(&cx, id).await?;
    let (viewer, on) = (cx.viewer()?, cx.db().read());
    let scope = viewer.scope();
    let detail = user::detail(cx.db(), &cx.app.keys, user).await?;
    let blacklisted = match detail.user.status {
        UserStatus::Erased => None,
        _ => blacklisted(&cx, id).await?,
    };
    let may_open = viewer.has("user/black-list/view");
    let blacklist_entry_id = blacklisted.as_ref().filter(|_| may_open).map(|(entry, _)| *entry);
    let blacklisted = blacklisted.map(|(_, words)| words.get(cx.locale).to_owned());
    let matches = held(viewer, "user/match-list/list", match_log::of_user(cx.db(), scope, id, cx.locale)).await?;
    let pushes = held(viewer, "plan/push-list/view", push_stories(&cx, id)).await?;
    let money = held(viewer, "org/receipt/list", ledger::of_user(on, scope, id)).await?;
    let feedback = held(viewer, "user/feedback-list/view", feedback::of_user(on, scope, id, cx.locale)).await?;
    let returns = held(viewer, "plan/push-list/view", returns::of_user(on, scope, id, cx.locale)).await?;
    let channel_cost_cents = person::channel_cost(on, id).await? + lead::channel_cost(cx.db(), id).await?;
    Ok(UserStory { detail, blacklisted, blacklist_entry_id, matches, pushes, money, feedback, returns, channel_cost_cents })
}

/// The entry and the text about an applicant that the blacklist names for all organisations, maybe only since the
/// application. Such an applicant is not sold. The data by which the blacklist names them is shown only to viewers who
/// see the list.
async fn blacklisted(cx: &Ctx, id: i64) -> Result<Option<(i64, Say)>> {
    let Some(known) = person::known_by(cx.db().read(), id).await? else { return Ok(None) };
    let mut on = cx.db().read().acquire().await?;
    let hit = blacklist::hits(&mut on, &[(known.suspect(), (BlacklistScope::Global, 0))], cx.now).await?.remove(&0);
    Ok(hit.map(|id| {
        let words = match cx.viewer().is_ok_and(|viewer| viewer.has("user/black-list/list")) {
            true => say(
                format!("在黑名单中（#{id}），不会再分发给任何机构"),
                format!("On the blacklist (#{id}): no longer distributed to any organisation"),
            ),
            false => say("不会再分发给任何机构", "No longer distributed to any organisation"),
        };
        (id, words)
    }))
}

/// A part of a story, for viewers who hold a point; it is not read for others.
async fn held<T>(
    viewer: &Viewer,
    point: &str,
    part: impl Future<Output = std::result::Result<T, sqlx::Error>>,
) -> std::result::Result<Option<T>, sqlx::Error> {
    match viewer.has(point) {
        true => part.await.map(Some),
        false => Ok(None),
    }
}

/// The leads about an applicant that the viewer may see, with every try to deliver each.
async fn push_stories(cx: &Ctx, user_id: i64) -> std::result::Result<Vec<PushStory>, sqlx::Error> {
    let (mut stories, scope) = (Vec::new(), cx.viewer().map_or(Scope::Nothing, Viewer::scope));
    for push in pushes::of_user_within(cx.db().read(), scope, user_id).await? {
        stories.push(push::story(cx.db(), push, scope).await?);
    }
    Ok(stories)
}

/// `GET /user/history/{id}`. Questions to risk providers are shown to viewers who may ask them.
pub async fn history(cx: Arc<Ctx>, Id(id): Id) -> Result<Vec<AuditEntry>> {
    seen(&cx, id).await?;
    let mut entries = audit::history(cx.db(), TARGET.kind, id).await?;
    if !cx.viewer()?.has("user/list/risk") {
        entries.retain(|entry| !entry.diff.iter().any(|change| change.field.starts_with("risk")));
    }
    Ok(entries)
}

/// `GET /user/reveal/{id}`: the name and numbers, whole. The reveal is audited.
pub async fn reveal(cx: Arc<Ctx>, Id(id): Id) -> Result<RevealedUser> {
    seen(&cx, id).await?;
    let mut tx = cx.db().begin().await?;
    let revealed = person::reveal(&mut *tx, &cx.app.keys, id).await.map_err(ApiError::Internal)?;
    let Some(revealed) = revealed else {
        return Err(ApiError::State(say(
            "该用户已注销，个人信息已清除",
            "The applicant has been erased: there are no personal details to show",
        )));
    };
    reveal::written(&cx, tx, TARGET.of(id), &[]).await?;
    Ok(revealed)
}

/// `POST /user`.
pub async fn enter(cx: Arc<Ctx>, Body(mut entry): Body<UserEntry>) -> Result<UserEntered> {
    let viewer = cx.viewer()?;
    let supplier = channel::supplier(cx.db().read(), entry.channel_id).await?;
    let within = channel::find(cx.db().read(), viewer.scope(), entry.channel_id).await?;
    let Some(channel) = supplier.filter(|_| within.is_some()) else {
        return Err(ApiError::field("channelId", say("请选择渠道", "Choose a channel")));
    };
    if let Some(id) = entry.product_id {
        let product = product::find(cx.db().read(), viewer.scope(), id).await?;
        let product = product.ok_or_else(|| ApiError::field("productId", say("请重新选择产品", "Choose another product")))?;
        entry.user.product = Some(product.code);
    }
    // The address of the person who enters the applicant, unless the applicant's own is given.
    entry.user.ip.get_or_insert_with(|| cx.origin.ip.clone());
    let choices = cx.app.service::<ChoiceBook>().current(cx.db()).await?;
    let application = Application::read(entry.user, &choices, cx.now).map_err(|error| error.below("user"))?;
    let submission =
        Submission { channel, application, request_id: None, visitor: None, entered_by: Some(viewer.id), nonce: None, waits: false };
    let channel_id = submission.channel.id;
    let prepared = PreparedSubmission::of(&cx.app, submission).await.map_err(|error| error.below("user"))?;
    let (context, prepared) = (&*cx, &prepared);
    // The applicant, the audit row and the request's key are one transaction.
    let (entered, claimed) =
        context.db().transact(move |mut tx| async move { take_entered(context, &mut tx, prepared).await }.boxed()).await?;
    if let Some(until) = claimed {
        cx.app.service::<Handoff>().applicant(channel_id, Claimed { user_id: entered.id, until, fresh: true });
    }
    Ok(entered)
}

/// The result of an entry by hand, and until when this process has the lease.
async fn take_entered(cx: &Ctx, tx: &mut Tx, prepared: &PreparedSubmission) -> Result<(UserEntered, Option<i64>)> {
    let taken = batch::take_one(cx.db(), tx, &cx.app.clock, prepared).await?.map_err(ApiError::Signed)?;
    let change = Change { field: "status".to_owned(), before: None, after: Some(<&str>::from(taken.status).to_owned()) };
    audit::record(tx, &cx.actor()?, TARGET.of(taken.id), Action::Create, &[change]).await?;
    let entered = UserEntered { id: taken.id, no: taken.no, status: taken.status, failed: taken.failed, checks: taken.checks };
    cx.keep_answer(tx, &entered).await?;
    Ok((entered, taken.claimed))
}

/// `PUT /user/distribute`: starts another round.
pub async fn distribute(cx: Arc<Ctx>, Body(body): Body<UserVersion>) -> Result<UserRow> {
    let before = seen(&cx, body.id).await?;
    if before.version != body.version {
        return Err(ApiError::stale(&before));
    }
    // An applicant who waits for a round, for example after one that failed, has it now.
    if !matches!(before.status, UserStatus::Completed | UserStatus::Unmatched | UserStatus::Distributed) {
        return Err(ApiError::State(say(
            format!("“{}”的用户不能再次分发", before.status.label(Locale::Chinese)),
            format!("An applicant who is {} cannot be distributed again", before.status.label(Locale::English).to_lowercase()),
        )));
    }
    if before.consent_withdrawn_at.is_some() {
        return Err(ApiError::State(say(
            "该用户已撤回授权，不能再次分发",
            "The applicant has withdrawn the consent and cannot be distributed again",
        )));
    }
    if let Some((_, words)) = blacklisted(&cx, body.id).await? {
        return Err(ApiError::State(words));
    }
    let (cx, body) = (&*cx, &body);
    cx.db()
        .transact(|mut tx| {
            async move {
                rounds::again(&mut tx, body.id, cx.now).await?;
                let change = Change { field: "distribute".to_owned(), before: None, after: Some("again".to_owned()) };
                audit::record(&mut tx, &cx.actor()?, TARGET.of(body.id), Action::Other, &[change]).await?;
                Ok::<_, ApiError>(())
            }
            .boxed()
        })
        .await?;
    seen(cx, body.id).await
}

/// `DELETE /user/{id}`: wipes what identifies the applicant. Sales and payments stay, and so do the hashes by
/// which later applications are compared.
pub async fn erase(cx: Arc<Ctx>, Id(id): Id) -> Result<()> {
    let before = seen(&cx, id).await?;
    match before.status {
        UserStatus::Erased => return Err(ApiError::State(say("该用户已注销", "The applicant has already been erased"))),
        UserStatus::Matching => return Err(ApiError::State(say("正在匹配，请稍后再试", "Plans are being matched: try again later"))),
        _ => {}
    }
    let cx = &*cx;
    cx.db()
        .transact(|mut tx| {
            async move {
                if !erase_person(&mut tx, id, Some(cx.viewer()?.id), cx.now).await? {
                    return Err(ApiError::stale(&seen(cx, id).await?));
                }
                audit::record(&mut tx, &cx.actor()?, TARGET.of(id), Action::Delete, &[]).await?;
                Ok(())
            }
            .boxed()
        })
        .await
}

/// Wipes the personal data of an applicant in all tables; false if a round is under way, or if the applicant is
/// erased already. `by` is none if no member of staff asked for it.
pub(super) async fn erase_person(tx: &mut Connection, id: i64, by: Option<i64>, now: i64) -> Result<bool> {
    if !changes::erase(&mut *tx, id, by, now).await? {
        return Ok(false);
    }
    delivery::erase(&mut *tx, id, now).await?;
    crm::erase_clues(&mut *tx, id, now).await?;
    feedback::erase(&mut *tx, id, now).await?;
    returns::erase(&mut *tx, id, now).await?;
    risk::erase(&mut *tx, id, now).await?;
    chat::erase_of_applicant(&mut *tx, id, now).await?;
    Ok(true)
}
