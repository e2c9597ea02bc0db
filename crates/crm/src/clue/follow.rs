//! Follow-ups: a note on a clue, with its stage, level, star and the next contact from now on. The rules of steps are
//! in [`step`].

use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::holder::{self, NotGiven};
use super::list::TARGET;
use super::model::{ClueRow, ProgressForm};
use super::notices;
use super::store;
use crate::model::{ClueStage, FollowType};
use crate::new_lead::lead_seen;
use crate::pool;
use base::clock::DAY;
use base::db::{Connection, Sql};
use base::form_limits;
use base::locale::Locale;
use frame::access::audit::{self, Action, Change};
use frame::api::check::present;
use frame::api::input::Sent;
use frame::api::{self, ApiError, Check, Ctx, FileRule, Result, say};
use frame::{dict, upload};
use trade::user;
use trade::visit::lead::{self, LeadKind};

form_limits! {
    /// Of a follow-up on a clue.
    followUp {
        /// Most files beside a note.
        pub MOST_FILES: usize = 9,
        MOST_STARS: i64 = 3,
        NOTE: usize = 1000,
    }
}

/// What lists show of the last note, in characters.
const SHOWN_NOTE: usize = 120;
/// The furthest day on which a contact can be planned.
const FURTHEST: i64 = 366 * DAY;

/// Files beside a note: seen by those who see the clue.
pub const FILES: FileRule = FileRule { biz_type: "clue_follow", pictures_only: false, masks_names: false, sees: sees_file };

fn sees_file(cx: Arc<Ctx>, follow_id: i64) -> BoxFuture<'static, api::Result<bool>> {
    Box::pin(async move {
        let viewer = cx.viewer()?;
        let clue_id: Option<i64> =
            sqlx::query_scalar("SELECT clue_id FROM clue_follow WHERE id = $1").bind(follow_id).fetch_optional(cx.db().read()).await?;
        let Some(clue_id) = clue_id.filter(|_| viewer.has("crm/clue/view")) else { return Ok(false) };
        Ok(store::find(cx.db().read(), viewer.scope(), clue_id, cx.locale).await?.is_some())
    })
}

/// `POST /crm/progress`. Without a version it is about the newest.
pub async fn progress(cx: Arc<Ctx>, Sent(form): Sent<ProgressForm>) -> Result<ClueRow> {
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let scope = cx.viewer()?.scope();
                store::hold(&mut tx, form.id).await?;
                let before = store::find(&mut **tx, scope, form.id, cx.locale).await?.ok_or(ApiError::Missing)?;
                if form.version.is_some_and(|version| version != before.version) {
                    return Err(ApiError::stale(&before));
                }
                let note = present(form.note.clone()).unwrap_or_default();
                let stage = step(&before, form.status, !note.is_empty())?;
                check(&mut tx, form, &before, stage, &note, cx.now).await?;
                let note = without_person(cx, &mut tx, before.id, &note).await?;
                write(cx, &mut tx, form, &before, stage, &note).await?;
                let after = store::find(&mut **tx, scope, form.id, cx.locale).await?.ok_or(ApiError::Missing)?;
                record(cx, &mut tx, form, &before, &after, &note).await?;
                cx.keep_answer(&mut tx, &after).await?;
                Ok(after)
            }
            .boxed()
        })
        .await
}

/// Returns the new stage, or an error if the step is not allowed. A clue that is given up is reopened by
/// [`super::transfer::reopen`].
fn step(before: &ClueRow, asked: Option<ClueStage>, has_note: bool) -> Result<ClueStage> {
    let from = before.stage;
    if before.owner_id.is_none() {
        return Err(ApiError::State(say("线索在公海中，请先领取", "The lead is in a pool: claim it first")));
    }
    if from.is_given_up() {
        return Err(ApiError::State(say(
            format!("线索当前为“{}”，不能跟进", from.label(Locale::Chinese)),
            format!("The lead is {}: it cannot be followed up", from.label(Locale::English).to_lowercase()),
        )));
    }
    let to = match asked {
        None | Some(ClueStage::New) if from == ClueStage::New => ClueStage::Following,
        None => from,
        Some(to) => to,
    };
    use base::codes::Codes as _;
    if to != from && !from.may_become(to) {
        return Err(ApiError::State(say(
            format!("线索当前为“{}”，不能改为“{}”", from.label(Locale::Chinese), to.label(Locale::Chinese)),
            format!(
                "The lead is {}: it cannot become {}",
                from.label(Locale::English).to_lowercase(),
                to.label(Locale::English).to_lowercase()
            ),
        )));
    }
    if from.is_back_to(to) && !has_note {
        return Err(ApiError::field("note", say("退回上一阶段需要说明原因", "Explain why the lead goes back a stage")));
    }
    Ok(to)
}

async fn check(tx: &mut Connection, form: &ProgressForm, before: &ClueRow, stage: ClueStage, note: &str, now: i64) -> Result<()> {
    let ends = stage.is_given_up();
    let known = match form.lost_reason.as_deref() {
        Some(reason) => reason.len() <= dict::CHOSEN_VALUE && dict::has(tx, dict::LEAD_LOST_REASON, reason).await?,
        None => !ends,
    };
    // A form without a change needs a note. The step from new to followed up happens by itself and is no change.
    let unchanged = form.level.is_none_or(|level| level == before.level)
        && form.star.is_none_or(|star| star == before.star)
        && (stage == before.stage || before.stage == ClueStage::New && stage == ClueStage::Following)
        && form.next_at.is_none_or(|at| Some(at) == before.next_follow_at)
        && form.result.is_none()
        && form.file_ids.is_empty();
    Check::new()
        .text("note", note, usize::from(unchanged)..=NOTE)
        .that("lostReason", known, say("请选择原因", "Choose a reason"))
        .that("lostReason", ends || form.lost_reason.is_none(), say("只有无效或流失需要原因", "Only for leads that are given up"))
        .that("nextAt", form.next_at.is_none_or(|at| at > now), say("下次联系时间须晚于现在", "The next contact must be in the future"))
        .that(
            "nextAt",
            form.next_at.is_none_or(|at| at <= now + FURTHEST),
            say("下次联系最远可安排在一年内", "The next contact must be within a year"),
        )
        .that(
            "nextAt",
            form.next_at.is_none() || stage.is_open(),
            say("已结束的线索不能安排联系", "No contact can be planned for a closed lead"),
        )
        .range("star", form.star.unwrap_or(0), 0..=MOST_STARS)
        .that("fileIds", form.file_ids.len() <= MOST_FILES, say("最多 9 个", "At most 9"))
        .done()
}

/// A note without the name and the numbers of the clue's person; refused for an erased applicant.
pub(super) async fn without_person(cx: &Ctx, tx: &mut Connection, clue_id: i64, note: &str) -> Result<String> {
    let (user_id, _) = store::person(&mut *tx, clue_id).await?;
    let hidden = user::person::without_person(&mut *tx, &cx.app.keys, user_id, note).await.map_err(ApiError::Internal)?;
    hidden
        .ok_or_else(|| ApiError::State(say("该申请人已注销，不能再跟进", "The applicant has been erased: the lead cannot be followed up")))
}

async fn write(cx: &Ctx, tx: &mut Connection, form: &ProgressForm, before: &ClueRow, stage: ClueStage, note: &str) -> Result<()> {
    let (now, by) = (cx.now, cx.viewer()?.id);
    let follow_id: i64 = sqlx::query_scalar(
        "INSERT INTO clue_follow (clue_id, admin_id, type, result, content, stage_from, stage_to, next_follow_at, at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) RETURNING id",
    )
    .bind(before.id)
    .bind(by)
    .bind(form.kind.unwrap_or(FollowType::Other))
    .bind(form.result)
    .bind(note)
    .bind(before.stage)
    .bind(stage)
    .bind(form.next_at)
    .bind(now)
    .fetch_one(&mut *tx)
    .await?;
    if !upload::settle(tx, FILES.biz_type, follow_id, &form.file_ids, by, now).await? {
        return Err(ApiError::field("fileIds", say("请重新上传附件", "Upload the files again")));
    }
    let files = upload::files_of(tx, FILES.biz_type, follow_id).await?;
    let files = serde_json::to_string(&files).expect("files serialise");
    sqlx::query("UPDATE clue_follow SET files = $1 WHERE id = $2").bind(files).bind(follow_id).execute(&mut *tx).await?;

    let terms = pool::terms_for(tx, before.org_id, before.sub_org_id, now).await?;
    let reclaim_at = terms.reclaim_at(stage, now);
    let shown: String = note.chars().take(SHOWN_NOTE).collect();
    let mut sql = Sql::new("UPDATE clue SET stage = ");
    sql.bind(stage).push(", last_follow_at = ").bind(now).push(", follow_count = follow_count + 1");
    sql.push(", first_follow_at = COALESCE(first_follow_at, ").bind(now).push("), next_follow_at = ").bind(form.next_at);
    sql.push(", escalate_at = ").bind(form.next_at).push(", escalation = 0, reclaim_at = ").bind(reclaim_at);
    sql.push(", remind_at = ").bind(reclaim_at.map(|reclaim| reclaim - terms.remind_days * DAY).filter(|remind| *remind > now));
    if !shown.is_empty() {
        sql.push(", last_follow_text = ").bind(shown);
    }
    if let Some(level) = form.level {
        sql.push(", level = ").bind(level);
    }
    if let Some(star) = form.star {
        sql.push(", star = ").bind(star);
    }
    // The first time counts, for the salesperson and the team of that time.
    if stage >= ClueStage::Visited && !stage.is_given_up() && before.visited_at.is_none() {
        sql.push(", visited_at = ").bind(now).push(", visited_by = owner_id, visited_sub_org_id = sub_org_id");
    }
    if stage >= ClueStage::Signed && !stage.is_given_up() && before.signed_at.is_none() {
        sql.push(", signed_at = ").bind(now).push(", signed_by = owner_id, signed_sub_org_id = sub_org_id");
    }
    if stage == ClueStage::Disbursed && before.disbursed_at.is_none() {
        sql.push(", disbursed_at = ").bind(now);
    }
    if !stage.is_open() {
        sql.push(", ended_at = ").bind(now);
        sql.push(", lost_reason = ").bind(form.lost_reason.clone());
    } else if !before.stage.is_open() {
        sql.push(", ended_at = NULL");
    }
    sql.push(", version = version + 1, updated_at = ").bind(now);
    sql.push(" WHERE id = ").bind(before.id).push(" AND version = ").bind(before.version);
    if sql.execute(&mut *tx).await? != 1 {
        return Err(ApiError::stale(before));
    }
    note_reached(tx, before, stage).await?;
    let change = i64::from(stage.is_open()) - i64::from(before.stage.is_open());
    if let Some(owner) = before.owner_id.filter(|_| change != 0) {
        match holder::change_held(tx, owner, before.org_id, change, now).await? {
            Ok(()) => {}
            Err(NotGiven::Full) => {
                return Err(ApiError::State(say("负责人持有的线索已达上限", "The owner holds as many open leads as allowed")));
            }
            Err(_) => {
                return Err(ApiError::State(say(
                    "负责人已不在职，请先分配给其他销售",
                    "The owner is not active any more: assign the lead first",
                )));
            }
        }
    }
    lead_seen(tx, before.id).await?;
    notices::followed(tx, before.id, now).await?;
    Ok(())
}

/// Records for the daily figures which stages the clue has reached for the first time.
async fn note_reached(tx: &mut Connection, before: &ClueRow, stage: ClueStage) -> Result<()> {
    let past = |first: ClueStage| stage >= first && !stage.is_given_up();
    for (kind, is_first) in [
        (LeadKind::Contacted, before.first_follow_at.is_none()),
        (LeadKind::Visited, before.visited_at.is_none() && past(ClueStage::Visited)),
        (LeadKind::Signed, before.signed_at.is_none() && past(ClueStage::Signed)),
        (LeadKind::Disbursed, before.disbursed_at.is_none() && stage == ClueStage::Disbursed),
    ] {
        if is_first {
            lead::reached(tx, before.id, kind, before.created_at).await?;
        }
    }
    Ok(())
}

async fn record(cx: &Ctx, tx: &mut Connection, form: &ProgressForm, before: &ClueRow, after: &ClueRow, note: &str) -> Result<()> {
    const FIELDS: &[&str] = &["stage", "level", "star", "nextFollowAt", "lostReason"];
    let mut changes = audit::changes(Some(before), Some(after));
    changes.retain(|change| FIELDS.contains(&change.field.as_str()));
    if !note.is_empty() {
        changes.push(Change { field: "note".to_owned(), before: None, after: Some(note.to_owned()) });
    }
    if form.version.is_none() {
        let latest = cx.locale.pick("未指定，取最新", "not given, latest used").to_owned();
        changes.push(Change { field: "version".to_owned(), before: None, after: Some(latest) });
    }
    Ok(audit::record(tx, &cx.actor()?, TARGET.of(before.id), Action::Update, &changes).await?)
}
