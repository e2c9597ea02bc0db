//! The list of plans: pages with current figures, the file, the choices, and the balances of organisations.

use std::sync::Arc;

use serde::Deserialize;
use sqlx::any::AnyRow;

use super::model::{CapsFull, OutOfSchedule, PauseReason, PlanFilters, PlanNow, PlanRow, PlanStatus, SaleMode, StoppedBy};
use super::{now, store};
use crate::ledger::account::{self, Funds};
use crate::org;
use base::clock::DAY;
use base::db::Sql;
use base::db::page::Page;
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::versions::Table;
use frame::access::{Scope, role};
use frame::api::export::{Cell, Sheet, column};
use frame::api::first_steps::{FirstSteps, Step};
use frame::api::list::{ListQuery, lenient_integer};
use frame::api::open_work::{OpenWork, Queue, QueueAction, Watch};
use frame::api::search::{Names, Search};
use frame::api::{ApiError, Ctx, Exporting, Listing, Nothing, OptionsQuery, Query, Result, SelectOption, listing, say};
use frame::decision::{self, Awaits, Reviewers};
use frame::places;
use frame::terms::cap;

/// The name of plans in the audit trail.
pub(super) const TARGET: Target = Target { module: Module::Plan, kind: "plan", id: None };

/// The list of plans.
pub struct Plans;

impl Listing for Plans {
    type Filters = PlanFilters;
    type Row = PlanRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;

    fn narrow(sql: &mut Sql, filters: &PlanFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<PlanRow, sqlx::Error> {
        store::read(row)
    }
}

/// Open work for people who decide on plans.
pub fn open_work(work: &mut OpenWork<'_>) {
    let waiting = PlanFilters { awaits: Some(Awaits::Decision), ..PlanFilters::default() };
    work.add::<Plans>(
        waiting,
        Queue {
            point: "plan/list/audit",
            title: say("待审核的计划", "Plans awaiting approval"),
            action: QueueAction::Review,
            href: "/plan/list?awaits=decision",
            since: concat!("COALESCE(", decision::open_since!("plan", "p.id"), ", p.updated_at)"),
            cents: None,
            within: DAY,
        },
    );
}

/// Plans that should take leads but cannot.
pub fn unusual(work: &mut OpenWork<'_>) {
    const POINT: &str = "plan/list/list";
    let full = PlanFilters { caps_full: Some(CapsFull::Yes), ..PlanFilters::default() };
    let title = say("限量已用完的计划", "Plans that reached a cap");
    work.watch::<Plans>(full, Watch { point: POINT, title, href: "/plan/list?capsFull=yes".to_owned() });
    for (reason, title) in [
        (PauseReason::NoBalance, say("因余额不足暂停的计划", "Plans paused for insufficient balance")),
        (PauseReason::ApiErrors, say("因接口异常暂停的计划", "Plans paused after delivery errors")),
        (PauseReason::Licence, say("因资质过期暂停的计划", "Plans paused because a licence expired")),
    ] {
        let href = format!("/plan/list?status=paused&pauseReason={}", <&str>::from(reason));
        let paused = PlanFilters { status: Some(PlanStatus::Paused), pause_reason: Some(reason), ..PlanFilters::default() };
        work.watch::<Plans>(paused, Watch { point: POINT, title, href });
    }
    for (by, href, title) in [
        (
            StoppedBy::Organisation,
            "/plan/list?stoppedBy=organisation",
            say("因机构不在合作中而未投放的计划", "Running plans of organisations that are not active"),
        ),
        (
            StoppedBy::Licence,
            "/plan/list?stoppedBy=licence",
            say("因机构许可证无效而未投放的计划", "Running plans of organisations without a valid licence"),
        ),
    ] {
        let stopped = PlanFilters { stopped_by: Some(by), ..PlanFilters::default() };
        work.watch::<Plans>(stopped, Watch { point: POINT, title, href: href.to_owned() });
    }
}

/// Plans in the search of the whole back office.
const NAMES: Names = Names {
    kind: "plan",
    title: ("计划", "Plans"),
    points: &["plan/list/list", "plan/list/view"],
    tables: &[Table::Plan, Table::Organisation],
    select: "SELECT p.id, p.name, p.no AS code, '' AS also, o.short_name AS note FROM plan p JOIN organisation o ON o.id = p.org_id \
         WHERE p.deleted_at IS NULL",
    columns: &["p.name", "p.no"],
    scope: store::SCOPE,
    address: |named| format!("/plan/list/{}", named.id),
};

/// Finds plans by their names.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    search.names(&NAMES).await
}

/// The step of an installation that gives it a plan that runs.
pub fn first_step(steps: &mut FirstSteps<'_>) {
    steps.add(Step {
        point: "plan/list/create",
        href: "/plan/list",
        title: say("计划", "A plan"),
        open: say(
            "机构按什么条件和价格买线索：录入后提交审核",
            "What the organisation buys and at which price: submit it once it is entered",
        ),
        begun: say("提交审核，由另一人通过后开始投放", "Submit it; it runs once another person has approved it"),
        has_begun: "EXISTS (SELECT 1 FROM plan WHERE deleted_at IS NULL)",
        is_done: "EXISTS (SELECT 1 FROM plan WHERE deleted_at IS NULL AND status = 'running')",
    });
}

impl Exporting for Plans {
    fn sheet() -> Sheet<PlanRow> {
        Sheet {
            target: TARGET,
            title: say("计划列表", "Plans"),
            columns: vec![
                column("no", "计划编号", "Plan number", |row, _| Cell::text(row.no.clone())),
                column("name", "计划名称", "Name", |row, _| Cell::text(row.name.clone())),
                column("orgName", "机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
                column("subOrgName", "团队", "Team", |row, _| Cell::text(row.sub_org_name.clone())),
                column("productName", "产品", "Product", |row, _| Cell::text(row.product_name.clone())),
                column("status", "状态", "Status", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                // The current obstacle is only in the list; the reason of a pause or a rejection is in the file.
                column("holds", "未投放原因", "Blocked by", |row, locale| {
                    Cell::text(row.pause_reason.map(|reason| reason.label(locale).to_owned()).or_else(|| row.reject_note.clone()))
                }),
                column("deliverMode", "推送方式", "Delivery method", |row, locale| {
                    Cell::text(row.deliver_mode.label(locale).to_owned())
                }),
                column("saleMode", "售卖方式", "Sale mode", |row, locale| Cell::text(row.sale_mode.label(locale).to_owned())),
                column("maxBuyers", "最多买家", "Maximum buyers", |row, _| match row.sale_mode {
                    SaleMode::Shared => Cell::Number(row.max_buyers),
                    SaleMode::Exclusive => Cell::Empty,
                }),
                column("priceCents", "单价（元）", "Price (CNY)", |row, _| Cell::Money(row.price_cents)),
                column("methodPriority", "优先级", "Priority", |row, _| Cell::Number(row.method_priority)),
                column("weight", "权重", "Weight", |row, _| Cell::Number(row.weight)),
                column("exposureWeight", "曝光权重", "Exposure weight", |row, _| Cell::Number(row.exposure_weight)),
                column("cities", "投放城市", "Cities", |row, locale| Cell::text(places::labels(&row.cities, locale))),
                column("ruleSet", "申请人条件", "Applicant conditions", |row, locale| {
                    Cell::text(row.rule_set.as_ref().map(|rules| rules.sentence(locale)))
                }),
                column("dedupDays", "去重天数", "Deduplication days", |row, _| row.dedup_days.map_or(Cell::Empty, Cell::Number)),
                column("matchRequired", "推送前撞库", "Match before delivery", |row, locale| {
                    Cell::text(
                        locale.pick(if row.match_required { "是" } else { "否" }, if row.match_required { "Yes" } else { "No" }).to_owned(),
                    )
                }),
                column("schedule", "投放时段", "Schedule", |row, locale| {
                    Cell::text(row.schedule.as_ref().map(|schedule| schedule.sentence(locale)))
                }),
                column("outOfSchedule", "时段外", "Outside the schedule", |row, locale| match row.schedule {
                    Some(_) => Cell::text(OutOfSchedule::label(row.out_of_schedule, locale).to_owned()),
                    None => Cell::Empty,
                }),
                column("startsOn", "开始日期", "Start date", |row, _| Cell::text(row.starts_on.clone())),
                column("endsOn", "结束日期", "End date", |row, _| Cell::text(row.ends_on.clone())),
                column("caps", "量控", "Caps", |row, locale| match row.caps.as_slice() {
                    [] => Cell::Empty,
                    caps => Cell::text(cap::sentence(caps, locale)),
                }),
                column("remark", "备注", "Remark", |row, _| Cell::text(row.remark.clone())),
                column("createdAt", "创建时间", "Created", |row, _| Cell::Time(row.created_at)),
                column("updatedAt", "更新时间", "Updated", |row, _| Cell::Time(row.updated_at)),
            ],
        }
    }
}

/// `POST /plan/page`.
pub async fn page(cx: Arc<Ctx>, query: ListQuery<PlanFilters>) -> Result<Page<PlanNow>> {
    let mut page = listing::page::<Plans>(cx.clone(), query).await?;
    let list = now::of(cx.db(), std::mem::take(&mut page.list), cx.now).await?;
    Ok(page.with(list))
}

/// The most plans of [`latest`].
const LATEST: i64 = 5;

/// The organisation or the product of plans.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct LatestQuery {
    #[serde(default, deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    #[serde(default, deserialize_with = "lenient_integer")]
    pub product_id: Option<i64>,
}

/// `GET /plan/latest?orgId=&productId=`: the plans that changed last, for the page of their organisation or product.
pub async fn latest(cx: Arc<Ctx>, Query(query): Query<LatestQuery>) -> Result<Vec<PlanNow>> {
    let filters = PlanFilters { org_id: query.org_id, product_id: query.product_id, ..PlanFilters::default() };
    let plans = store::latest(cx.db().read(), cx.viewer()?.scope(), &filters, LATEST).await?;
    Ok(now::of(cx.db(), plans, cx.now).await?)
}

/// `GET /plan/options`.
pub async fn options(cx: Arc<Ctx>, Query(query): Query<OptionsQuery>) -> Result<Arc<Vec<SelectOption>>> {
    let (scope, keyword) = (cx.viewer()?.scope(), query.keyword.as_deref());
    cx.choices(&[Table::Plan, Table::Organisation], keyword, (), store::options(cx.db(), scope, keyword)).await
}

/// `GET /plan/reviewers`: whether another person may approve plans.
pub async fn reviewers(cx: Arc<Ctx>, _: Nothing) -> Result<Reviewers> {
    decision::reviewers(&cx, role::point_holders!("plan/list/audit")).await
}

/// The organisation of a balance.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct BalanceQuery {
    pub org_id: i64,
}

/// `GET /plan/balance?orgId=`: what an organisation can spend on its plans.
pub async fn balance(cx: Arc<Ctx>, Query(query): Query<BalanceQuery>) -> Result<Funds> {
    let seen = org::option(cx.db(), cx.viewer()?.scope(), query.org_id).await?;
    let id = seen.ok_or(ApiError::Missing)?.value;
    Ok(account::funds(cx.db().read(), [id]).await?.remove(&id).unwrap_or_default())
}
