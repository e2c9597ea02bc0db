//! "My day": what a salesperson has to do today; for team leads and managers, what their people have to do.

use std::sync::Arc;

use futures_util::FutureExt;
use serde::{Deserialize, Serialize};
use sqlx::FromRow;

use super::achievement::{self, AchievementObject, Month, MonthFigure, ObjectPace};
use super::clue::list::{Clues, PoolClues};
use super::clue::model::{ClueDue, ClueFilters, ClueReclaim, ClueRow, ClueState, Unopened};
use super::model::{SalesLevel, SalesStatus, open_stages};
use super::quota::{self, Quota};
use base::clock::DAY;
use base::db::page::Sort;
use base::db::{Connection, Flag, Sql};
use frame::access::Scope;
use frame::access::audit::{self, Action, Change, Module, Target};
use frame::api::figure::Figure;
use frame::api::{ApiError, Body, Ctx, ListFilters, Nothing, Result, Say, listing, say};
use trade::finance;

/// Clues of each list, at most.
const MOST: i64 = 8;
/// People of a team, at most.
const MOST_PEOPLE: i64 = 100;

/// The viewer's own terms as a salesperson.
#[derive(Clone, Debug, Serialize, FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct OwnSales {
    pub level: SalesLevel,
    pub status: SalesStatus,
    /// Whether new leads are assigned to them.
    #[sqlx(try_from = "Flag")]
    pub receiving: bool,
    /// Open clues.
    pub held: i64,
    pub private_cap: Option<i64>,
    #[sqlx(skip)]
    pub assigned_today: i64,
    pub daily_cap: Option<i64>,
    pub version: i64,
}

/// A person of the viewer's team or organisation, today.
#[derive(Clone, Debug, Serialize, FromRow, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PersonDay {
    pub id: i64,
    pub name: String,
    pub sub_org_name: Option<String>,
    pub status: SalesStatus,
    #[sqlx(try_from = "Flag")]
    pub receiving: bool,
    /// Open clues.
    pub held: i64,
    /// Those that are overdue.
    pub overdue: i64,
    /// Not opened yet.
    pub fresh: i64,
    /// Clues that they followed up today.
    pub followed_today: i64,
}

/// The answer of `GET /crm/center`.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Center {
    /// None for viewers who are not salespeople.
    pub me: Option<OwnSales>,
    /// Open work, each with a link to exactly these rows. This, the lists and the people are left out for viewers who
    /// may not list clues.
    pub figures: Vec<Figure>,
    /// Contacts that are due today or overdue, the earliest first.
    pub due: Vec<ClueRow>,
    /// Clues that no person has opened, the latest first.
    pub fresh: Vec<ClueRow>,
    /// None for salespeople.
    pub people: Option<Vec<PersonDay>>,
    /// People with targets of this month, those who are furthest behind first; none for salespeople and platform staff, and for
    /// viewers who may not see achievements.
    pub pace: Option<Vec<ObjectPace>>,
    /// This month compared with the targets: of the salesperson, the team or the organisation; none for platform
    /// staff, and for viewers who may not see achievements.
    pub month: Option<CenterMonth>,
    /// What the account of the viewer's organisation holds, in fen, if that is below its warning line; none for viewers who may not
    /// see the account.
    pub low_balance_cents: Option<i64>,
    /// `YYYY-MM-DD` in Shanghai.
    pub today: String,
}

/// A month's figures, and the page of achievements with exactly these.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CenterMonth {
    /// `YYYY-MM`.
    pub month: String,
    pub object_type: AchievementObject,
    pub object_id: i64,
    pub figures: Vec<MonthFigure>,
}

/// `GET /crm/center`.
pub async fn view(cx: Arc<Ctx>, _: Nothing) -> Result<Center> {
    let viewer = cx.viewer()?;
    let scope = viewer.scope();
    let me = own(&cx, viewer.id).await?;
    let month = month(&cx, &me, scope).await?;
    let pace = match scope {
        Scope::Org(_) | Scope::SubOrg(_) if viewer.has("crm/achievements/list") => Some(achievement::paces(cx.db(), scope, cx.now).await?),
        _ => None,
    };
    let low_balance_cents = match scope {
        Scope::Org(id) if viewer.has("finance/account/list") => finance::held_if_low(cx.db().read(), id).await?,
        _ => None,
    };
    let today = base::clock::day(cx.now).to_string();
    if !viewer.has("crm/clue/list") {
        let (figures, due, fresh) = (Vec::new(), Vec::new(), Vec::new());
        return Ok(Center { me, figures, due, fresh, people: None, pace, month, low_balance_cents, today });
    }
    let none = ClueFilters::default;
    let due = some(&cx, ClueFilters { due: Some(ClueDue::Today), state: Some(ClueState::Open), ..none() }, "nextFollowAt", false).await?;
    let fresh = some(&cx, ClueFilters { unseen: Some(Unopened::Yes), state: Some(ClueState::Open), ..none() }, "createdAt", true).await?;
    let people = match scope {
        Scope::Myself(_) => None,
        scope => Some(people(&cx, scope).await?),
    };
    Ok(Center { figures: figures(&cx, &me, scope).await?, me, due, fresh, people, pace, month, low_balance_cents, today })
}

async fn month(cx: &Ctx, me: &Option<OwnSales>, scope: Scope) -> Result<Option<CenterMonth>> {
    let (object_type, object_id) = match scope {
        Scope::Myself(id) if me.is_some() => (AchievementObject::Person, id),
        Scope::SubOrg(id) => (AchievementObject::Team, id),
        Scope::Org(id) => (AchievementObject::Company, id),
        _ => return Ok(None),
    };
    if !cx.viewer()?.has("crm/achievements/list") {
        return Ok(None);
    }
    let month = Month::of(cx.now);
    let figures = achievement::month_of(cx.db(), (object_type, object_id), month).await?;
    Ok(Some(CenterMonth { month: month.to_string(), object_type, object_id, figures }))
}

async fn own(cx: &Ctx, id: i64) -> Result<Option<OwnSales>> {
    let row = sqlx::query(
        "SELECT level, status, receiving, held, private_cap, daily_cap, version FROM salesperson WHERE id = $1 AND deleted_at IS NULL",
    )
    .bind(id)
    .fetch_optional(cx.db().read())
    .await?;
    let Some(mut me) = row.as_ref().map(OwnSales::from_row).transpose()? else { return Ok(None) };
    me.assigned_today = quota::used(&mut cx.db().read().acquire().await?, Quota::sales_leads(id), cx.now).await?;
    Ok(Some(me))
}

/// Open work. Each number is the count of the list that it links to.
async fn figures(cx: &Arc<Ctx>, me: &Option<OwnSales>, scope: Scope) -> Result<Vec<Figure>> {
    let none = ClueFilters::default;
    let open = Some(ClueState::Open);
    let mut wanted: Vec<(Say, ClueFilters, &'static str)> = vec![
        (
            say("今日待联系", "Contacts due today"),
            ClueFilters { due: Some(ClueDue::Today), state: open, ..none() },
            "/crm/clue?due=today&state=open&sort=nextFollowAt&order=asc",
        ),
        (
            say("已逾期", "Overdue"),
            ClueFilters { due: Some(ClueDue::Overdue), state: open, ..none() },
            "/crm/clue?due=overdue&state=open&sort=nextFollowAt&order=asc",
        ),
        (say("新线索", "New leads"), ClueFilters { unseen: Some(Unopened::Yes), state: open, ..none() }, "/crm/clue?unseen=yes&state=open"),
        (say("未安排联系", "No contact planned"), ClueFilters { due: Some(ClueDue::None), ..none() }, "/crm/clue?due=none"),
        (
            say("3 天内回收", "Reclaimed within 3 days"),
            ClueFilters { reclaim: Some(ClueReclaim::Soon), ..none() },
            "/crm/clue?reclaim=soon",
        ),
    ];
    if !matches!(scope, Scope::Myself(_)) {
        wanted.push((
            say("逾期 5 天以上", "Overdue for 5 days"),
            ClueFilters { escalation: Some(3), state: open, ..none() },
            "/crm/clue?escalation=3&state=open",
        ));
    }
    let counts = listing::counts::<Clues>(cx, wanted.iter().map(|(_, filters, _)| filters.clone()).collect()).await?;
    let figure = |((title, _, href), value): ((Say, _, _), _)| Figure { title: title.get(cx.locale).to_owned(), value, href };
    let mut figures: Vec<Figure> = wanted.into_iter().zip(counts).map(figure).collect();
    if cx.viewer()?.has("crm/clue/claim") && (me.is_some() || !matches!(scope, Scope::Myself(_))) {
        let title = say("公海线索", "In pools");
        for value in listing::counts::<PoolClues>(cx, vec![ClueFilters { state: open, ..none() }]).await? {
            figures.push(Figure { title: title.get(cx.locale).to_owned(), value, href: "/crm/pool?state=open" });
        }
    }
    Ok(figures)
}

/// The first clues that some filters match, in an order.
async fn some(cx: &Arc<Ctx>, filters: ClueFilters, sort: &'static str, descending: bool) -> Result<Vec<ClueRow>> {
    let column = ClueFilters::SORTS.iter().find(|(name, _)| *name == sort).map_or(ClueFilters::SORTS[0].1, |(_, column)| column);
    listing::first::<Clues>(cx, filters, Sort { column, id: ClueFilters::ID, descending }, MOST).await
}

/// The active salespeople of a scope, those with the most overdue clues first.
async fn people(cx: &Ctx, scope: Scope) -> Result<Vec<PersonDay>> {
    let start = base::clock::start(base::clock::day(cx.now));
    let mut sql = Sql::new(concat!(
        "SELECT s.id, a.real_name AS name, t.name AS sub_org_name, s.status, s.receiving, s.held, \
           (SELECT COUNT(*) FROM clue k WHERE k.owner_id = s.id AND k.stage IN ",
        open_stages!(),
        " AND k.next_follow_at < "
    ));
    sql.bind(cx.now).push(") AS overdue, (SELECT COUNT(*) FROM new_lead n WHERE n.owner_admin_id = s.id) AS fresh, ");
    sql.push("(SELECT COUNT(DISTINCT f.clue_id) FROM clue_follow f WHERE f.admin_id = s.id AND f.at >= ")
        .bind(start)
        .push(" AND f.at < ")
        .bind(start + DAY);
    sql.push(
        ") AS followed_today FROM salesperson s JOIN administrator a ON a.id = s.id LEFT JOIN sub_organisation t ON t.id = s.sub_org_id \
         WHERE s.status <> 'left' AND s.deleted_at IS NULL",
    );
    scope.apply(&mut sql, super::clue::PEOPLE);
    sql.push(" ORDER BY overdue DESC, s.held DESC, s.id LIMIT ").bind(MOST_PEOPLE);
    let rows = sql.fetch_all(cx.db().read()).await?;
    Ok(rows.iter().map(PersonDay::from_row).collect::<std::result::Result<_, _>>()?)
}

/// Whether the viewer receives new leads.
#[derive(Clone, Copy, Debug, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct ReceivingForm {
    pub receiving: bool,
}

/// `PUT /crm/center/receiving`: the viewer's own switch.
pub async fn receive(cx: Arc<Ctx>, Body(form): Body<ReceivingForm>) -> Result<OwnSales> {
    let id = cx.viewer()?.id;
    let (cx, form) = (&*cx, &form);
    cx.db().transact(|mut tx| async move { switch(cx, &mut tx, id, form.receiving).await }.boxed()).await?;
    own(cx, id).await?.ok_or(ApiError::Missing)
}

async fn switch(cx: &Ctx, tx: &mut Connection, id: i64, receiving: bool) -> Result<()> {
    let written = sqlx::query(
        "UPDATE salesperson SET receiving = $1, version = version + 1, updated_at = $2, updated_by = $3 \
         WHERE id = $4 AND receiving <> $5 AND status = 'active' AND deleted_at IS NULL",
    )
    .bind(i64::from(receiving))
    .bind(cx.now)
    .bind(id)
    .bind(id)
    .bind(i64::from(receiving))
    .execute(&mut *tx)
    .await?;
    if written.rows_affected() == 1 {
        let change = Change { field: "receiving".to_owned(), before: Some((!receiving).to_string()), after: Some(receiving.to_string()) };
        let target = Target { module: Module::Salesperson, kind: "salesperson", id: Some(id) };
        return Ok(audit::record(tx, &cx.actor()?, target, Action::Update, &[change]).await?);
    }
    let as_wanted = sqlx::query("SELECT id FROM salesperson WHERE id = $1 AND receiving = $2 AND deleted_at IS NULL")
        .bind(id)
        .bind(i64::from(receiving))
        .fetch_optional(tx)
        .await?;
    match as_wanted {
        Some(_) => Ok(()),
        None => Err(ApiError::State(say("只有在职的销售可以接收线索", "Only active salespeople receive leads"))),
    }
}
