//! The holder of a clue: a salesperson or a pool. Every change of holder uses [`give`], in one transaction with the
//! salesperson's count of open clues, the log of owners, and the new leads.
//!
//! Order of locks: day counts, salespeople by id, clues.

use sqlx::{FromRow, Row};

use super::super::model::{ClueStage, OwnerWay, SalesLevel};
use super::super::new_lead::{NewLead, lead_arrived, lead_seen};
use super::super::pool::{self, PoolTerms};
use super::super::quota::{self, Quota};
use super::notices;
use base::clock::{DAY, MINUTE};
use base::db::{Connection, Sql};
use frame::places;

/// A clue with the fields that a change of its holder needs.
#[derive(Clone, Debug, FromRow)]
pub struct ClueState {
    pub id: i64,
    pub no: String,
    pub org_id: i64,
    pub sub_org_id: Option<i64>,
    pub owner_id: Option<i64>,
    pub pool_id: Option<i64>,
    pub claimable_at: Option<i64>,
    pub stage: ClueStage,
    #[sqlx(try_from = "places::Stored")]
    pub city: String,
    pub name_mask: String,
    pub first_follow_at: Option<i64>,
    pub reclaim_at: Option<i64>,
    pub version: i64,
}

/// The new holder of a clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// A salesperson's id.
    Salesperson(i64),
    /// The pool that is for its team.
    Pool,
}

/// Why a clue does not change hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotGiven {
    /// Someone else changed the clue at the same moment.
    Overtaken,
    /// The salesperson holds as many open clues as allowed.
    Full,
    /// The salesperson is away, has left, or is of another organisation.
    Unavailable,
    /// The pool of the clue requires this level at least.
    TooJunior(SalesLevel),
}

/// A change of holder.
#[derive(Clone, Copy, Debug)]
pub struct Giving {
    pub way: OwnerWay,
    /// None where the program does it.
    pub by: Option<i64>,
    pub at: i64,
    /// Milliseconds in which the new owner should follow up for the first time.
    pub response_within: i64,
}

/// Reads a clue for a change of hands.
pub async fn state(tx: &mut Connection, id: i64) -> Result<Option<ClueState>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT id, no, org_id, sub_org_id, owner_id, pool_id, claimable_at, stage, city, name_mask, first_follow_at, reclaim_at, version \
         FROM clue WHERE id = $1",
    )
    .bind(id)
    .fetch_optional(tx)
    .await?;
    row.as_ref().map(ClueState::from_row).transpose()
}

/// Gives a clue to a salesperson or to a pool. After an error other than [`NotGiven::Overtaken`] no count has changed
/// and the transaction may go on; after [`NotGiven::Overtaken`] it must be rolled back.
pub async fn give(tx: &mut Connection, clue: &ClueState, to: Holder, giving: &Giving) -> Result<Result<(), NotGiven>, sqlx::Error> {
    let terms = pool::terms_for(&mut *tx, clue.org_id, clue.sub_org_id, giving.at).await?;
    give_under(tx, clue, to, giving, &terms).await
}

/// [`give`] under the terms of the pool that is for the clue's team.
async fn give_under(
    tx: &mut Connection,
    clue: &ClueState,
    to: Holder,
    giving: &Giving,
    terms: &PoolTerms,
) -> Result<Result<(), NotGiven>, sqlx::Error> {
    let to_owner = match to {
        Holder::Salesperson(id) => Some(id),
        Holder::Pool => None,
    };
    let min_level = match to {
        Holder::Salesperson(_) => min_level(tx, clue, terms).await?,
        Holder::Pool => None,
    };
    let open = clue.stage.is_open();
    // Both counts of open clues, the lower id first.
    let mut changes: Vec<(i64, i64)> = Vec::with_capacity(2);
    if let Some(id) = clue.owner_id.filter(|_| open) {
        changes.push((id, -1));
    }
    if let Some(id) = to_owner {
        changes.push((id, i64::from(open)));
    }
    changes.sort_unstable();
    for (id, change) in changes {
        if Some(id) != to_owner || clue.owner_id == to_owner {
            add_held(tx, id, change).await?;
        } else if !take_place(tx, id, clue.org_id, min_level, change, giving.at).await? {
            if let Some(before) = clue.owner_id.filter(|before| open && *before < id) {
                add_held(tx, before, 1).await?;
            }
            return Ok(Err(why_not(tx, id, clue.org_id, min_level).await?));
        }
    }
    if !write(tx, clue, to_owner, terms, giving).await? {
        return Ok(Err(NotGiven::Overtaken));
    }
    sqlx::query(
        "INSERT INTO clue_owner_log (clue_id, from_owner, to_owner, to_pool, way, admin_id, at) VALUES ($1, $2, $3, $4, $5, $6, $7)",
    )
    .bind(clue.id)
    .bind(clue.owner_id)
    .bind(to_owner)
    .bind(to_owner.is_none().then_some(terms.id))
    .bind(giving.way)
    .bind(giving.by)
    .bind(giving.at)
    .execute(&mut *tx)
    .await?;
    // The reminders were for the former owner.
    if clue.owner_id.is_some() {
        notices::ended(tx, clue.id, giving.at).await?;
    }
    // A clue is new for its owner unless they claimed it themselves. In a pool it is new only when the rules put it
    // there.
    let is_new = match to_owner {
        Some(_) => giving.way != OwnerWay::Claim,
        None => giving.way == OwnerWay::Auto,
    };
    match open && is_new {
        true => {
            let sub_org_id = sqlx::query_scalar("SELECT sub_org_id FROM clue WHERE id = $1").bind(clue.id).fetch_one(&mut *tx).await?;
            let lead = NewLead { clue_id: Some(clue.id), org_id: clue.org_id, sub_org_id, owner_admin_id: to_owner };
            lead_arrived(tx, lead, giving.at).await?;
        }
        false => lead_seen(tx, clue.id).await?,
    }
    Ok(Ok(()))
}

/// The minimum level of a salesperson for a clue: that of the pool it is in, otherwise that of `terms`, the pool for
/// its team.
async fn min_level(tx: &mut Connection, clue: &ClueState, terms: &PoolTerms) -> Result<Option<SalesLevel>, sqlx::Error> {
    match clue.pool_id.filter(|pool| *pool != terms.id) {
        Some(pool) => Ok(pool::terms_of(tx, pool).await?.min_level),
        None => Ok(terms.min_level),
    }
}

/// Writes the new holder over the version that was read. Returns whether the clue still had it.
async fn write(
    tx: &mut Connection,
    clue: &ClueState,
    to_owner: Option<i64>,
    terms: &PoolTerms,
    giving: &Giving,
) -> Result<bool, sqlx::Error> {
    let at = giving.at;
    let open = clue.stage.is_open();
    let mut sql = Sql::new("UPDATE clue SET owner_id = ");
    sql.bind(to_owner);
    match to_owner {
        Some(owner) => {
            let due = clue.first_follow_at.is_none().then_some(at + giving.response_within).filter(|_| open);
            let reclaim_at = terms.reclaim_at(clue.stage, at);
            sql.push(", sub_org_id = COALESCE((SELECT s.sub_org_id FROM salesperson s WHERE s.id = ").bind(owner).push("), sub_org_id)");
            sql.push(", pool_id = NULL, pooled_at = NULL, claimable_at = NULL, assigned_at = ").bind(at);
            sql.push(", response_due_at = ")
                .bind(due)
                .push(", escalate_at = COALESCE(")
                .bind(due)
                .push(", next_follow_at), reclaim_at = ")
                .bind(reclaim_at);
            sql.push(", remind_at = ").bind(reclaim_at.map(|reclaim| reclaim - terms.remind_days * DAY).filter(|remind| *remind > at));
        }
        None => {
            sql.push(", pool_id = ").bind(terms.id).push(", pooled_at = ").bind(at);
            sql.push(", claimable_at = ").bind(at + terms.new_delay_minutes * MINUTE);
            // Planned contacts belonged to its previous owner.
            sql.push(", response_due_at = NULL, next_follow_at = NULL, escalate_at = NULL, reclaim_at = NULL, remind_at = NULL");
        }
    }
    sql.push(", escalation = 0, version = version + 1, updated_at = ").bind(at);
    sql.push(" WHERE id = ").bind(clue.id).push(" AND version = ").bind(clue.version);
    Ok(sql.execute(tx).await? == 1)
}

/// Adds to the number of open clues that a salesperson holds.
pub async fn add_held(tx: &mut Connection, id: i64, change: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE salesperson SET held = held + $1 WHERE id = $2").bind(change).bind(id).execute(tx).await.map(drop)
}

/// Moves the open clues of a salesperson to the team in which the salesperson now works; without one they stay.
pub async fn move_to_team(tx: &mut Connection, id: i64, sub_org_id: Option<i64>) -> Result<(), sqlx::Error> {
    let Some(team) = sub_org_id else { return Ok(()) };
    sqlx::query("UPDATE clue SET sub_org_id = $1 WHERE owner_id = $2 AND stage NOT IN ('disbursed', 'invalid', 'lost')")
        .bind(team)
        .bind(id)
        .execute(&mut *tx)
        .await?;
    sqlx::query("UPDATE new_lead SET sub_org_id = $1 WHERE owner_admin_id = $2").bind(team).bind(id).execute(tx).await.map(drop)
}

/// Changes the number of open clues of an owner whose clue ends or is reopened. Reopening needs a free place.
pub async fn change_held(tx: &mut Connection, id: i64, org_id: i64, change: i64, at: i64) -> Result<Result<(), NotGiven>, sqlx::Error> {
    if change <= 0 {
        add_held(tx, id, change).await?;
        return Ok(Ok(()));
    }
    // Their own clue stays with them, whatever its pool requires by now.
    match take_place(tx, id, org_id, None, change, at).await? {
        true => Ok(Ok(())),
        false => Ok(Err(why_not(tx, id, org_id, None).await?)),
    }
}

/// Adds `change` to a salesperson's number of open clues, if there is room and the level suffices. Returns whether it
/// did.
async fn take_place(
    tx: &mut Connection,
    id: i64,
    org_id: i64,
    min_level: Option<SalesLevel>,
    change: i64,
    at: i64,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE salesperson SET held = held + ");
    sql.bind(change).push(", last_assigned_at = ").bind(at).push(" WHERE id = ").bind(id).push(" AND org_id = ").bind(org_id);
    sql.push(
        " AND status = 'active' AND deleted_at IS NULL \
         AND EXISTS (SELECT 1 FROM administrator a WHERE a.id = salesperson.id AND a.status = 'enabled' AND a.deleted_at IS NULL)",
    );
    if change != 0 {
        sql.push(" AND (private_cap IS NULL OR held < private_cap)");
    }
    of_level(&mut sql, "level", min_level);
    Ok(sql.execute(tx).await? == 1)
}

/// The condition that a salesperson has a level at least.
fn of_level(sql: &mut Sql, column: &'static str, least: Option<SalesLevel>) {
    let Some(least) = least else { return };
    sql.push(" AND ").push(column).push(" IN (''");
    for level in least.and_above() {
        sql.push(", ").bind(level);
    }
    sql.push(")");
}

async fn why_not(tx: &mut Connection, id: i64, org_id: i64, min_level: Option<SalesLevel>) -> Result<NotGiven, sqlx::Error> {
    let level: Option<SalesLevel> = sqlx::query_scalar(
        "SELECT s.level FROM salesperson s JOIN administrator a ON a.id = s.id AND a.status = 'enabled' AND a.deleted_at IS NULL \
             WHERE s.id = $1 AND s.org_id = $2 AND s.status = 'active' AND s.deleted_at IS NULL",
    )
    .bind(id)
    .bind(org_id)
    .fetch_optional(tx)
    .await?;
    Ok(match (level, min_level) {
        (None, _) => NotGiven::Unavailable,
        (Some(level), Some(least)) if level < least => NotGiven::TooJunior(least),
        (Some(_), _) => NotGiven::Full,
    })
}

/// Gives a new clue, or one without a holder, to a salesperson by the rules, otherwise to its pool. The salesperson
/// must work, receive leads, take the city, have room, have the level that the pool requires, and belong to the team of
/// the plan if the plan names one. Teams and people take turns by their weights. Returns whether it was placed: if not,
/// another writer changed the clue first and the transaction must be rolled back.
pub async fn place(tx: &mut Connection, clue: &ClueState, response_within: i64, at: i64) -> Result<bool, sqlx::Error> {
    let giving = Giving { way: OwnerWay::Auto, by: None, at, response_within };
    let terms = pool::terms_for(&mut *tx, clue.org_id, clue.sub_org_id, at).await?;
    if clue.stage.is_open() {
        let min_level = min_level(tx, clue, &terms).await?;
        for candidate in candidates(&mut *tx, clue, min_level, at).await? {
            if !take_day(tx, &candidate, at).await? {
                continue;
            }
            match give_under(tx, clue, Holder::Salesperson(candidate.id), &giving, &terms).await? {
                Ok(()) => {
                    notices::given(tx, candidate.id, std::slice::from_ref(clue), None, at).await?;
                    return Ok(true);
                }
                Err(NotGiven::Overtaken) => return Ok(false),
                Err(NotGiven::Full | NotGiven::Unavailable | NotGiven::TooJunior(_)) => give_day_back(tx, &candidate, at).await?,
            }
        }
    }
    // A pool takes everything.
    Ok(give_under(tx, clue, Holder::Pool, &giving, &terms).await?.is_ok())
}

/// A salesperson who may get a lead by the rules.
#[derive(Debug)]
struct Candidate {
    id: i64,
    daily_cap: Option<i64>,
    /// The team and its cap, if there is one.
    team: Option<(i64, Option<i64>)>,
}

/// How many candidates are tried: some may have become full meanwhile.
const CANDIDATES: i64 = 5;

async fn candidates(tx: &mut Connection, clue: &ClueState, min_level: Option<SalesLevel>, at: i64) -> Result<Vec<Candidate>, sqlx::Error> {
    let day = quota::day(at);
    let takes = |sql: &mut Sql, column: &'static str| {
        sql.push("(").push(column).push(" = '[]'");
        for text in places::spellings(&clue.city) {
            sql.push(" OR ").push(column).push(" LIKE ").bind(places::listed(text)).push(" ESCAPE '!'");
        }
        sql.push(")");
    };
    let mut sql = Sql::new(
        "SELECT s.id, s.daily_cap, t.id AS team_id, t.daily_cap AS team_cap FROM salesperson s JOIN administrator a ON a.id = s.id \
           AND a.status = 'enabled' AND a.deleted_at IS NULL LEFT JOIN sub_organisation t ON t.id = s.sub_org_id \
         LEFT JOIN crm_day_count d ON d.kind = 'sales_leads' AND d.object_id = 0 AND d.subject_id = s.id AND d.day = ",
    );
    sql.bind(day.clone());
    sql.push(" LEFT JOIN crm_day_count e ON e.kind = 'team_leads' AND e.object_id = 0 AND e.subject_id = t.id AND e.day = ").bind(day);
    sql.push(
        " WHERE s.status = 'active' AND s.receiving = 1 AND s.deleted_at IS NULL AND (s.private_cap IS NULL OR s.held < s.private_cap) \
           AND (s.daily_cap IS NULL OR COALESCE(d.used, 0) < s.daily_cap) AND (t.id IS NULL OR (t.status = 'enabled' AND t.accept_leads = 1 \
             AND t.deleted_at IS NULL AND (t.daily_cap IS NULL OR COALESCE(e.used, 0) < t.daily_cap)",
    );
    sql.push(" AND ");
    takes(&mut sql, "t.cities");
    sql.push(")) AND ");
    takes(&mut sql, "s.cities");
    sql.and("s.org_id = ", Some(clue.org_id)).and("s.sub_org_id = ", clue.sub_org_id);
    of_level(&mut sql, "s.level", min_level);
    sql.push(
        " ORDER BY COALESCE(e.used, d.used, 0) * 1.0 / COALESCE(t.weight, s.weight), COALESCE(d.used, 0) * 1.0 / s.weight, \
         s.last_assigned_at, s.id LIMIT ",
    );
    sql.bind(CANDIDATES);
    sql.fetch_all(tx)
        .await?
        .iter()
        .map(|row| {
            let team: Option<i64> = row.try_get("team_id")?;
            let team_cap: Option<i64> = row.try_get("team_cap")?;
            Ok(Candidate { id: row.try_get("id")?, daily_cap: row.try_get("daily_cap")?, team: team.map(|team| (team, team_cap)) })
        })
        .collect()
}

/// Takes one of the day's leads of a team and of a salesperson of it, if both have one left.
async fn take_day(tx: &mut Connection, candidate: &Candidate, at: i64) -> Result<bool, sqlx::Error> {
    if let Some((team, cap)) = candidate.team
        && !quota::take(tx, Quota::team_leads(team), cap, at).await?
    {
        return Ok(false);
    }
    if quota::take(tx, Quota::sales_leads(candidate.id), candidate.daily_cap, at).await? {
        return Ok(true);
    }
    if let Some((team, _)) = candidate.team {
        quota::give_back(tx, Quota::team_leads(team), at).await?;
    }
    Ok(false)
}

async fn give_day_back(tx: &mut Connection, candidate: &Candidate, at: i64) -> Result<(), sqlx::Error> {
    quota::give_back(tx, Quota::sales_leads(candidate.id), at).await?;
    match candidate.team {
        Some((team, _)) => quota::give_back(tx, Quota::team_leads(team), at).await,
        None => Ok(()),
    }
}
