//! Changes of a clue's holder: claim from a pool, release to a pool, reopen. [`super::assign`] assigns and transfers;
//! [`super::holder`] writes them all.

use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::FutureExt;
use serde::Deserialize;

use super::begin::response_within;
use super::holder::{self, ClueState, Giving, Holder, NotGiven};
use super::list::{PoolClues, TARGET};
use super::model::{ClueIds, ClueRow, HandsResult, LeftClue};
use super::{follow, notices, store};
use crate::model::{ClueStage, OwnerWay};
use crate::new_lead::lead_seen;
use crate::pool;
use crate::quota::{self, Quota};
use base::clock::{self, DAY};
use base::db::{Connection, Sql};
use base::locale::Locale;
use frame::access::audit::{self, Action, Change};
use frame::access::{Scope, ScopeColumns};
use frame::api::{ApiError, Body, Check, Ctx, Id, Result, Say, say};
use frame::decision;

/// Most clues of one call.
pub(super) const MOST: usize = 200;

/// The scope columns of a salesperson.
pub const PEOPLE: ScopeColumns = ScopeColumns {
    owner: Some("s.org_id IN (SELECT m.id FROM organisation m WHERE m.owner_admin_id = ?)"),
    org: Some("s.org_id"),
    sub_org: Some("s.sub_org_id"),
    myself: Some("s.id"),
};

/// `POST /crm/release`: clues of the viewer's scope go back to a pool.
pub async fn release(cx: Arc<Ctx>, Body(form): Body<ClueIds>) -> Result<HandsResult> {
    Check::new().that("ids", (1..=MOST).contains(&form.ids.len()), say("请选择 1 至 200 条线索", "Choose 1 to 200 leads")).done()?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let mut result = HandsResult::default();
                for (row, clue) in &locked(cx, &mut tx, &form.ids, &BTreeSet::new(), Reach::Scope).await? {
                    if clue.owner_id.is_none() {
                        result.leave(clue, cx.locale, &say("已在公海中", "It is already in a pool"));
                        continue;
                    }
                    if !clue.stage.is_open() {
                        result.leave(clue, cx.locale, &closed(clue.stage));
                        continue;
                    }
                    let giving = Giving { way: OwnerWay::Release, by: Some(cx.viewer()?.id), at: cx.now, response_within: 0 };
                    holder::give(&mut tx, clue, Holder::Pool, &giving).await?.map_err(|_| overtaken())?;
                    let pool = pool::terms_for(&mut tx, clue.org_id, clue.sub_org_id, cx.now).await?;
                    record(cx, &mut tx, row, None, Some(&pool.name)).await?;
                    result.done += 1;
                }
                cx.keep_answer(&mut tx, &result).await?;
                Ok(result)
            }
            .boxed()
        })
        .await
}

/// A clue that is claimed.
#[derive(Clone, Copy, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ClueId {
    pub id: i64,
}

/// `GET /crm/updateStatus/{id}`: takes a clue from its pool for the viewer; if the viewer has it already, it is
/// marked as read.
pub async fn update_status(cx: Arc<Ctx>, Id(id): Id) -> Result<ClueRow> {
    claim_by_id(&cx, id).await
}

/// `POST /crm/clue/claim`: the same.
pub async fn claim(cx: Arc<Ctx>, Body(form): Body<ClueId>) -> Result<ClueRow> {
    claim_by_id(&cx, form.id).await
}

async fn claim_by_id(cx: &Ctx, id: i64) -> Result<ClueRow> {
    let response_within = response_within(&cx.app).await?;
    cx.db()
        .transact(|mut tx| {
            async move {
                let viewer = cx.viewer()?;
                let clue = holder::state(&mut tx, id).await?.ok_or(ApiError::Missing)?;
                if clue.owner_id == Some(viewer.id) {
                    lead_seen(&mut tx, id).await?;
                } else {
                    claim_from_pool(cx, &mut tx, &clue, response_within).await?;
                }
                let row = store::find(&mut **tx, viewer.scope(), id, cx.locale).await?.ok_or(ApiError::Missing)?;
                cx.keep_answer(&mut tx, &row).await?;
                Ok(row)
            }
            .boxed()
        })
        .await
}

async fn claim_from_pool(cx: &Ctx, tx: &mut Connection, clue: &ClueState, response_within: i64) -> Result<()> {
    let (viewer, now) = (cx.viewer()?, cx.now);
    let (me, scope) = (viewer.id, viewer.scope());
    let in_reach = in_pool_of(tx, scope, clue.id).await?;
    let Some(pool_id) = clue.pool_id.filter(|_| in_reach) else {
        let known = store::find(&mut *tx, scope, clue.id, cx.locale).await?.is_some() || was_offered(tx, me, clue).await?;
        return Err(if known { taken() } else { ApiError::Missing });
    };
    if !clue.stage.is_open() {
        return Err(ApiError::State(closed(clue.stage)));
    }
    if let Some(from) = clue.claimable_at.filter(|from| *from > now) {
        let minutes = (from - now + clock::MINUTE - 1) / clock::MINUTE;
        return Err(ApiError::State(say(
            format!("线索刚进入公海，{minutes} 分钟后可领取"),
            format!("The lead has just entered the pool: it can be claimed in {minutes} min"),
        )));
    }
    let terms = pool::terms_of(tx, pool_id).await?;
    if was_recent_owner(tx, clue.id, me, now - terms.former_owner_days * DAY).await? {
        return Err(ApiError::State(say(
            format!("退回或被回收的线索 {} 天内不能再次领取", terms.former_owner_days),
            format!("A former owner cannot claim a lead again within {} days", terms.former_owner_days),
        )));
    }
    if !quota::take(tx, Quota::claims(me, pool_id), Some(terms.claim_per_day), now).await? {
        return Err(ApiError::State(say(
            format!("今天从该公海领取的线索已达上限 {} 条", terms.claim_per_day),
            format!("You have claimed today's limit of {} leads from this pool", terms.claim_per_day),
        )));
    }
    let giving = Giving { way: OwnerWay::Claim, by: Some(me), at: now, response_within };
    match holder::give(tx, clue, Holder::Salesperson(me), &giving).await? {
        Ok(()) => {}
        Err(NotGiven::Overtaken) => return Err(taken()),
        Err(NotGiven::Full) => {
            return Err(ApiError::State(say("名下进行中的线索已达上限", "You hold as many open leads as allowed")));
        }
        Err(NotGiven::Unavailable) => {
            return Err(ApiError::State(say("只有在职的销售可以领取线索", "Only active salespeople can claim leads")));
        }
        Err(NotGiven::TooJunior(least)) => return Err(ApiError::State(least.least())),
    }
    let change = Change { field: "ownerName".to_owned(), before: None, after: Some(viewer.name.clone()) };
    Ok(audit::record(tx, &cx.actor()?, TARGET.of(clue.id), Action::Update, &[change]).await?)
}

/// Whether a clue is in a pool that a scope may look into.
async fn in_pool_of(tx: &mut Connection, scope: Scope, id: i64) -> Result<bool> {
    let mut sql = Sql::new("SELECT k.id FROM clue k WHERE k.id = ");
    sql.bind(id);
    PoolClues::within(&mut sql, scope);
    Ok(sql.fetch_optional(tx).await?.is_some())
}

/// Whether a clue of a salesperson's organisation was claimed from a pool. Then the error says that another person was
/// faster, instead of "not found".
async fn was_offered(tx: &mut Connection, sales_id: i64, clue: &ClueState) -> Result<bool> {
    let row = sqlx::query(
        "SELECT l.id FROM clue_owner_log l JOIN salesperson s ON s.id = $1 AND s.org_id = $2 WHERE l.clue_id = $3 AND l.way = 'claim' LIMIT 1",
    )
    .bind(sales_id)
    .bind(clue.org_id)
    .bind(clue.id)
    .fetch_optional(tx)
    .await?;
    Ok(row.is_some())
}

/// Whether a salesperson has released a clue, or lost it to a pool, since a moment.
async fn was_recent_owner(tx: &mut Connection, clue_id: i64, sales_id: i64, since: i64) -> Result<bool> {
    let row =
        sqlx::query("SELECT id FROM clue_owner_log WHERE clue_id = $1 AND from_owner = $2 AND at > $3 AND to_pool IS NOT NULL LIMIT 1")
            .bind(clue_id)
            .bind(sales_id)
            .bind(since)
            .fetch_optional(tx)
            .await?;
    Ok(row.is_some())
}

/// A clue that was given up is worked on again.
#[derive(Clone, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReopenForm {
    pub id: i64,
    pub version: i64,
    /// Why.
    pub note: String,
}

/// `PUT /crm/clue/reopen`: makes a clue that was given up new again. It returns to its owner if they are still active,
/// otherwise to a pool.
pub async fn reopen(cx: Arc<Ctx>, Body(form): Body<ReopenForm>) -> Result<ClueRow> {
    let response_within = response_within(&cx.app).await?;
    let (cx, form) = (&*cx, &form);
    cx.db()
        .transact(|mut tx| {
            async move {
                let scope = cx.viewer()?.scope();
                store::hold(&mut tx, form.id).await?;
                let before = store::find(&mut **tx, scope, form.id, cx.locale).await?.ok_or(ApiError::Missing)?;
                if before.version != form.version {
                    return Err(ApiError::stale(&before));
                }
                if !before.stage.is_given_up() || store::is_returned(&mut **tx, before.id).await? {
                    return Err(ApiError::State(say(
                        "只有无效或流失且未退单的线索可以重新打开",
                        "Only invalid or lost leads that were not returned can be reopened",
                    )));
                }
                let note = form.note.trim();
                Check::new().text("note", note, 1..=decision::REASON).done()?;
                // It has no holder for a moment, then the normal rules and limits apply.
                sqlx::query(
                    "UPDATE clue SET stage = $1, lost_reason = NULL, ended_at = NULL, owner_id = NULL, pool_id = NULL, version = version + 1, \
                       updated_at = $2 WHERE id = $3",
                )
                .bind(ClueStage::New)
                .bind(cx.now)
                .bind(before.id)
                .execute(&mut **tx)
                .await?;
                let clue = holder::state(&mut tx, before.id).await?.ok_or(ApiError::Missing)?;
                let giving = Giving { way: OwnerWay::Assign, by: Some(cx.viewer()?.id), at: cx.now, response_within };
                let to_owner = match before.owner_id {
                    Some(owner) => holder::give(&mut tx, &clue, Holder::Salesperson(owner), &giving).await?.is_ok().then_some(owner),
                    None => None,
                };
                match to_owner {
                    Some(owner) => notices::given(&mut tx, owner, std::slice::from_ref(&clue), giving.by, cx.now).await?,
                    None => {
                        let giving = Giving { way: OwnerWay::Release, ..giving };
                        holder::give(&mut tx, &clue, Holder::Pool, &giving).await?.map_err(|_| overtaken())?;
                    }
                }
                // The owner may have moved to another team, which takes the clue out of the viewer's scope.
                let after = store::find(&mut **tx, Scope::All, form.id, cx.locale).await?.ok_or(ApiError::Missing)?;
                let mut changes = audit::changes(Some(&before), Some(&after));
                changes.retain(|change| ["stage", "lostReason", "ownerName"].contains(&change.field.as_str()));
                let note = follow::without_person(cx, &mut tx, before.id, note).await?;
                changes.push(Change { field: "note".to_owned(), before: None, after: Some(note) });
                audit::record(&mut tx, &cx.actor()?, TARGET.of(before.id), Action::Update, &changes).await?;
                cx.keep_answer(&mut tx, &after).await?;
                Ok(after)
            }
            .boxed()
        })
        .await
}

/// Gives a clue to a salesperson, or to its pool if `owner` is none, as the program and not as a person. Returns
/// whether it was given.
pub async fn hand_to(tx: &mut Connection, clue_id: i64, owner: Option<i64>, at: i64) -> std::result::Result<bool, sqlx::Error> {
    let Some(clue) = holder::state(&mut *tx, clue_id).await? else { return Ok(false) };
    let to = owner.map_or(Holder::Pool, Holder::Salesperson);
    let giving = Giving { way: OwnerWay::Auto, by: None, at, response_within: 30 * clock::MINUTE };
    Ok(holder::give(tx, &clue, to, &giving).await?.is_ok())
}

/// Which clues a call reaches: those of the viewer's scope, or also those in pools that the viewer may look into.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    Scope,
    WithPools,
}

/// The clues with these ids in the viewer's scope, locked until the transaction ends: first the salespeople by id, then
/// the clues by id. Clues outside the scope, and those whose owner has just changed, are left out.
pub(super) async fn locked(
    cx: &Ctx,
    tx: &mut Connection,
    ids: &[i64],
    targets: &BTreeSet<i64>,
    reach: Reach,
) -> Result<Vec<(ClueRow, ClueState)>> {
    let ids: BTreeSet<i64> = ids.iter().copied().collect();
    let mut people = targets.clone();
    for id in &ids {
        people.extend(holder::state(tx, *id).await?.and_then(|clue| clue.owner_id));
    }
    hold_all(tx, "SELECT k.id FROM salesperson k WHERE k.id IN ", &people).await?;
    hold_all(tx, "SELECT k.id FROM clue k WHERE k.id IN ", &ids).await?;
    let mut clues = reached(cx, tx, &ids, reach).await?;
    clues.retain(|(_, clue)| clue.owner_id.is_none_or(|owner| people.contains(&owner)));
    match clues.is_empty() {
        true => Err(ApiError::Missing),
        false => Ok(clues),
    }
}

/// The clues with these ids that a call reaches, by id.
pub(super) async fn reached(cx: &Ctx, on: &mut Connection, ids: &BTreeSet<i64>, reach: Reach) -> Result<Vec<(ClueRow, ClueState)>> {
    let scope = cx.viewer()?.scope();
    let mut clues = Vec::with_capacity(ids.len());
    for id in ids {
        let mut row = store::find(&mut *on, scope, *id, cx.locale).await?;
        if row.is_none() && reach == Reach::WithPools && in_pool_of(on, scope, *id).await? {
            row = store::find(&mut *on, Scope::All, *id, cx.locale).await?;
        }
        clues.extend(row.zip(holder::state(on, *id).await?));
    }
    Ok(clues)
}

async fn hold_all(tx: &mut Connection, select: &'static str, ids: &BTreeSet<i64>) -> Result<()> {
    let mut sql = Sql::new(select);
    sql.ids(ids.iter().copied()).push(" ORDER BY k.id");
    tx.hold(&mut sql, "k");
    sql.fetch_all(tx).await?;
    Ok(())
}

/// Writes a change of hands into the trail.
pub(super) async fn record(cx: &Ctx, tx: &mut Connection, before: &ClueRow, owner: Option<&str>, pool: Option<&str>) -> Result<()> {
    let mut changes = vec![Change { field: "ownerName".to_owned(), before: before.owner_name.clone(), after: owner.map(str::to_owned) }];
    if before.pool_name.as_deref() != pool {
        changes.push(Change { field: "poolName".to_owned(), before: before.pool_name.clone(), after: pool.map(str::to_owned) });
    }
    Ok(audit::record(tx, &cx.actor()?, TARGET.of(before.id), Action::Update, &changes).await?)
}

impl HandsResult {
    pub(super) fn leave(&mut self, clue: &ClueState, locale: Locale, reason: &Say) {
        self.left.push(LeftClue { id: clue.id, no: clue.no.clone(), reason: reason.get(locale).to_owned() });
    }
}

pub(super) fn closed(stage: ClueStage) -> Say {
    say(format!("线索当前为“{}”", stage.label(Locale::Chinese)), format!("The lead is {}", stage.label(Locale::English).to_lowercase()))
}

fn taken() -> ApiError {
    ApiError::State(say("线索已被他人领取", "Someone else has taken the lead"))
}

pub(super) fn overtaken() -> ApiError {
    ApiError::State(say("线索刚被他人更改，请刷新后再试", "Someone else has just changed the lead: refresh and try again"))
}
