//! Assigning clues to salespeople: who may get them, who would get which, and the assignment itself.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::begin::response_within;
use super::holder::{self, ClueState, Giving, Holder, NotGiven};
use super::model::{AssignForm, AssignShare, ClueRow, HandsResult, LeftClue};
use super::notices;
use super::transfer::{MOST, PEOPLE, Reach, closed, locked, overtaken, reached, record};
use crate::model::{OwnerWay, SalesLevel};
use crate::pool;
use crate::quota;
use base::db::{Connection, Flag, Sql};
use frame::access::Scope;
use frame::api::input::Sent;
use frame::api::{ApiError, Body, Check, Ctx, Query, Result, Say, say};
use frame::places;

/// Most salespeople in one split of clues.
const MOST_PEOPLE: usize = 50;
/// Most salespeople to choose from.
const MOST_LISTED: i64 = 500;

/// Whose salespeople are listed.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct AssignPeople {
    /// One organisation's people.
    pub org_id: Option<i64>,
}

/// A salesperson who may be assigned clues, with what they hold and take.
#[derive(Clone, Debug, Serialize, FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AssignPerson {
    pub id: i64,
    pub name: String,
    pub org_id: i64,
    pub org_name: String,
    pub sub_org_name: Option<String>,
    pub level: SalesLevel,
    /// Codes of cities whose leads the salesperson takes; empty: all.
    #[sqlx(try_from = "places::StoredList")]
    pub cities: Vec<String>,
    /// Whether the salesperson takes leads by the rules.
    #[sqlx(try_from = "Flag")]
    pub receiving: bool,
    /// The number of open clues.
    pub held: i64,
    /// The most open clues; none for no limit.
    pub private_cap: Option<i64>,
    /// Leads assigned today by the rules.
    #[sqlx(skip)]
    pub assigned_today: i64,
    pub daily_cap: Option<i64>,
}

impl AssignPerson {
    /// Why the salesperson cannot have a clue.
    fn takes(&self, clue: &ClueState, least: Option<SalesLevel>) -> std::result::Result<(), Say> {
        if self.org_id != clue.org_id {
            return Err(say("销售与线索不属于同一机构", "The salesperson belongs to another organisation"));
        }
        if clue.owner_id == Some(self.id) {
            return Err(say("已由该销售负责", "The salesperson already has it"));
        }
        if let Some(least) = least.filter(|least| self.level < *least) {
            return Err(least.least());
        }
        match self.private_cap.is_some_and(|cap| self.held >= cap) {
            true => Err(full()),
            false => Ok(()),
        }
    }
}

fn full() -> Say {
    say("销售的线索已达上限", "The salesperson holds as many leads as allowed")
}

/// `GET /crm/assign/people`: the salespeople to choose from, those who take leads and have few first.
pub async fn people(cx: Arc<Ctx>, Query(query): Query<AssignPeople>) -> Result<Vec<AssignPerson>> {
    let mut sql = Sql::new(SELECT);
    sql.and("s.org_id = ", query.org_id);
    cx.viewer()?.scope().apply(&mut sql, PEOPLE);
    sql.push(" ORDER BY s.receiving DESC, s.held, s.id LIMIT ").bind(MOST_LISTED);
    let mut people = read(sql.fetch_all(cx.db().read()).await?)?;
    let ids = people.iter().map(|person| person.id).collect::<Vec<_>>();
    let today = quota::sales_leads_of(cx.db(), &ids, cx.now).await?;
    for person in &mut people {
        person.assigned_today = today.get(&person.id).copied().unwrap_or(0);
    }
    Ok(people)
}

const SELECT: &str = "SELECT s.id, a.real_name AS name, s.org_id, o.short_name AS org_name, t.name AS sub_org_name, s.level, s.cities, \
     s.receiving, s.held, s.private_cap, s.daily_cap \
     FROM salesperson s JOIN administrator a ON a.id = s.id JOIN organisation o ON o.id = s.org_id \
     LEFT JOIN sub_organisation t ON t.id = s.sub_org_id \
     WHERE s.status = 'active' AND s.deleted_at IS NULL AND a.status = 'enabled' AND a.deleted_at IS NULL";

fn read(rows: Vec<sqlx::any::AnyRow>) -> std::result::Result<Vec<AssignPerson>, sqlx::Error> {
    rows.iter().map(AssignPerson::from_row).collect()
}

/// The salespeople of some ids within a scope, in the order of their turns.
async fn chosen(on: &mut Connection, scope: Scope, ids: &BTreeSet<i64>) -> Result<Vec<AssignPerson>> {
    let mut sql = Sql::new(SELECT);
    sql.push(" AND s.id IN ").ids(ids.iter().copied());
    scope.apply(&mut sql, PEOPLE);
    sql.push(" ORDER BY s.held, s.id");
    let people = read(sql.fetch_all(on).await?)?;
    match people.len() == ids.len() {
        true => Ok(people),
        false => Err(ApiError::field("salespersonId", say("请选择在职的销售", "Choose salespeople who are active"))),
    }
}

/// What a form asks for.
struct Wanted {
    /// The clues.
    ids: Vec<i64>,
    people: BTreeSet<i64>,
    /// Who gets which clue, as previewed. Empty: they are split evenly.
    shares: HashMap<i64, i64>,
}

impl Wanted {
    fn of(form: AssignForm) -> Result<Wanted> {
        let AssignForm { mut ids, salesperson_id, salesperson_ids, shares } = form;
        let mut people: BTreeSet<i64> = salesperson_id.into_iter().chain(salesperson_ids).collect();
        let mut check = Check::new();
        let mut of = HashMap::new();
        if !shares.is_empty() {
            let either = ids.is_empty() && people.is_empty();
            people = shares.iter().map(|share| share.salesperson_id).collect();
            ids = shares.iter().flat_map(|share| share.ids.iter().copied()).take(MOST + 1).collect();
            of = shares.iter().flat_map(|share| share.ids.iter().map(move |id| (*id, share.salesperson_id))).take(MOST + 1).collect();
            let message = say("每条线索只能分给一名销售", "Give each lead to one salesperson only");
            check.that("shares", either && of.len() == ids.len(), message);
        }
        check
            .that("ids", (1..=MOST).contains(&ids.len()), say("请选择 1 至 200 条线索", "Choose 1 to 200 leads"))
            .that("salespersonId", (1..=MOST_PEOPLE).contains(&people.len()), say("请选择 1 至 50 名销售", "Choose 1 to 50 salespeople"))
            .done()?;
        Ok(Wanted { ids, people, shares: of })
    }
}

/// Who would get which clues, and why others would stay as they are.
#[derive(Clone, Debug, Default, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct AssignPlan {
    /// One for each salesperson who would get clues.
    pub shares: Vec<AssignShare>,
    pub left: Vec<LeftClue>,
}

/// `POST /crm/assign/preview`: who would get which clues. Sent as `shares` to `POST /crm/assign`, each gets exactly
/// those, or none of them where that has become impossible.
pub async fn preview(cx: Arc<Ctx>, Sent(form): Sent<AssignForm>) -> Result<AssignPlan> {
    let wanted = Wanted::of(form)?;
    let mut on = cx.db().read().acquire().await?;
    let clues = reached(&cx, &mut on, &wanted.ids.iter().copied().collect(), Reach::WithPools).await?;
    if clues.is_empty() {
        return Err(ApiError::Missing);
    }
    let people = chosen(&mut on, cx.viewer()?.scope(), &wanted.people).await?;
    let gives = split(&with_levels(&mut on, &clues).await?, people.clone(), &wanted.shares);
    let mut result = HandsResult::default();
    let mut ids: HashMap<i64, Vec<i64>> = HashMap::new();
    for ((_, clue), give) in clues.iter().zip(gives) {
        match give {
            Ok(person) => ids.entry(person).or_default().push(clue.id),
            Err(reason) => result.leave(clue, cx.locale, &reason),
        }
    }
    let share = |person: &AssignPerson| ids.remove(&person.id).map(|ids| AssignShare { salesperson_id: person.id, ids });
    Ok(AssignPlan { shares: people.iter().filter_map(share).collect(), left: result.left })
}

/// A clue, and the least level of a salesperson who may have it.
type Leveled<'c> = (&'c ClueState, Option<SalesLevel>);

async fn with_levels<'c>(on: &mut Connection, clues: &'c [(ClueRow, ClueState)]) -> Result<Vec<Leveled<'c>>> {
    let mut known: HashMap<(Option<i64>, i64, Option<i64>), Option<SalesLevel>> = HashMap::new();
    let mut all = Vec::with_capacity(clues.len());
    for (_, clue) in clues {
        let key = (clue.pool_id, clue.org_id, clue.sub_org_id);
        let least = match known.get(&key) {
            Some(least) => *least,
            None => pool::least_level(on, clue.pool_id, (clue.org_id, clue.sub_org_id)).await?,
        };
        known.insert(key, least);
        all.push((clue, least));
    }
    Ok(all)
}

/// Who gets each clue: the salesperson of its share, or without shares the one whose turn it is, or the next one who
/// may have it.
fn split(clues: &[Leveled<'_>], mut people: Vec<AssignPerson>, shares: &HashMap<i64, i64>) -> Vec<std::result::Result<i64, Say>> {
    let mut give = |turn: usize, clue: &ClueState, least: Option<SalesLevel>| {
        if !clue.stage.is_open() {
            return Err(closed(clue.stage));
        }
        let mut reason = say("没有可分配的销售", "No salesperson to assign it to");
        for offset in 0..people.len() {
            let place = (turn + offset) % people.len();
            let person = &people[place];
            if shares.get(&clue.id).is_some_and(|id| *id != person.id) {
                continue;
            }
            match person.takes(clue, least) {
                Err(why) => reason = why,
                Ok(()) => {
                    let id = person.id;
                    people[place].held += 1;
                    for before in people.iter_mut().filter(|person| clue.owner_id == Some(person.id)) {
                        before.held -= 1;
                    }
                    return Ok(id);
                }
            }
        }
        Err(reason)
    };
    clues.iter().enumerate().map(|(turn, (clue, least))| give(turn, clue, *least)).collect()
}

/// The clues of one message to a salesperson, with their former owner, if they all had the same one.
struct Given<'g> {
    name: &'g str,
    from: Option<&'g str>,
    clues: Vec<ClueState>,
}

/// `POST /crm/assign`: gives clues to one salesperson, or evenly to several, or as previewed. Takes clues of the viewer's
/// scope and those in pools that the viewer may look into.
pub async fn assign(cx: Arc<Ctx>, Body(form): Body<AssignForm>) -> Result<HandsResult> {
    let wanted = Wanted::of(form)?;
    let response_within = response_within(&cx.app).await?;
    let (cx, wanted) = (&*cx, &wanted);
    cx.db()
        .transact(|mut tx| {
            async move {
                let clues = locked(cx, &mut tx, &wanted.ids, &wanted.people, Reach::WithPools).await?;
                let people = chosen(&mut tx, cx.viewer()?.scope(), &wanted.people).await?;
                let gives = split(&with_levels(&mut tx, &clues).await?, people.clone(), &wanted.shares);
                let mut result = HandsResult::default();
                let mut given: HashMap<i64, Given> = HashMap::new();
                for ((row, clue), give) in clues.iter().zip(gives) {
                    let person = match give {
                        Ok(id) => people.iter().find(|person| person.id == id).ok_or(ApiError::Missing)?,
                        Err(reason) => {
                            result.leave(clue, cx.locale, &reason);
                            continue;
                        }
                    };
                    let way = if clue.owner_id.is_some() { OwnerWay::Transfer } else { OwnerWay::Assign };
                    let giving = Giving { way, by: Some(cx.viewer()?.id), at: cx.now, response_within };
                    if let Err(why) = holder::give(&mut tx, clue, Holder::Salesperson(person.id), &giving).await? {
                        result.leave(clue, cx.locale, &not_given(why)?);
                        continue;
                    }
                    record(cx, &mut tx, row, Some(&person.name), None).await?;
                    let from = row.owner_name.as_deref();
                    let given = given.entry(person.id).or_insert_with(|| Given { name: &person.name, from, clues: Vec::new() });
                    given.from = given.from.filter(|before| Some(*before) == from);
                    given.clues.push(clue.clone());
                    result.done += 1;
                }
                for (owner, Given { name, from, clues }) in &given {
                    match from {
                        Some(from) => notices::transferred(&mut tx, (*owner, name), clues, from, cx.viewer()?, cx.now).await?,
                        None => notices::given(&mut tx, *owner, clues, Some(cx.viewer()?.id), cx.now).await?,
                    }
                }
                cx.keep_answer(&mut tx, &result).await?;
                Ok(result)
            }
            .boxed()
        })
        .await
}

/// Why a clue was not given. Not expected, because salespeople and clues are locked when they are split.
fn not_given(why: NotGiven) -> Result<Say> {
    match why {
        NotGiven::Full => Ok(full()),
        NotGiven::Unavailable => Ok(say("销售不在职", "The salesperson is not active")),
        NotGiven::TooJunior(least) => Ok(least.least()),
        NotGiven::Overtaken => Err(overtaken()),
    }
}
