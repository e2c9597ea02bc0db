//! Single exposures of plans: `/plan/bgList`. The totals come from the daily figures.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use crate::visit::{System, network_of};
use base::clock::{self, DAY};
use base::db::page::Page;
use base::db::{self, Sql};
use base::locale::Locale;
use frame::access::audit::{Module, Target};
use frame::access::{Scope, ScopeColumns};
use frame::api::YesNo;
use frame::api::export::{Cell, Sheet, column};
use frame::api::list::{day_text, lenient_integer};
use frame::api::{Ctx, Exporting, ListFilters, ListQuery, Listing, Result, listing, say};

/// The default number of days.
const DAYS: i64 = 30;
/// Characters of a visitor's key that are shown.
const SHOWN: usize = 8;

/// A plan that was shown to a visitor on a day; in the list's totals, all of them together.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ExposureRow {
    pub id: i64,
    /// Epoch milliseconds of the first time; 0 in totals.
    pub shown_at: i64,
    pub plan_no: String,
    pub plan_name: String,
    pub org_name: Option<String>,
    pub product_name: Option<String>,
    pub channel_name: Option<String>,
    /// The beginning of a keyed hash: enough to compare visitors, and nothing else.
    pub visitor: String,
    /// With its last part masked.
    pub client_ip: String,
    pub system: Option<System>,
    /// The place at which it was shown, from 1.
    pub position: Option<i64>,
    /// How often it was shown that day.
    pub pv_count: i64,
    /// 1; in totals, the number of visitors who saw it.
    pub visitors: i64,
    /// 1 if it was chosen; in totals, the number of visitors who chose it.
    pub clicks: i64,
    pub clicked_at: Option<i64>,
    /// The minute in which the visitor's application passed all checks, within seven days after it was shown.
    pub applied_at: Option<i64>,
    /// From a channel in test mode, or of a test organisation: not part of any figure.
    pub test: bool,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct ExposureFilters {
    /// `YYYY-MM-DD`. Without both, the last 30 days.
    #[serde(deserialize_with = "day_text")]
    pub day_from: Option<String>,
    #[serde(deserialize_with = "day_text")]
    pub day_to: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub plan_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    pub system: Option<System>,
    /// `yes`: only chosen ones.
    pub clicked: Option<Only>,
    /// `yes`: only what was shown to visitors who then applied.
    pub applied: Option<Only>,
    /// `yes` for exposures of test channels and test organisations, `no` for the others.
    pub test: Option<YesNo>,
    #[serde(skip)]
    made_up: bool,
}

/// Narrows to rows with the property that the filter names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "OnlyYes")]
pub enum Only {
    Yes,
}

impl ListFilters for ExposureFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[("shownAt", "e.shown_at")];
    const ID: &'static str = "e.id";

    fn apply_defaults(&mut self, now: i64) {
        if self.day_from.is_none() && self.day_to.is_none() {
            self.day_from = Some(clock::day(now - (DAYS - 1) * DAY).to_string());
            self.day_to = Some(clock::day(now).to_string());
            self.made_up = true;
        }
    }

    fn settled(&self) -> Vec<(&'static str, String)> {
        let days = [("dayFrom", &self.day_from), ("dayTo", &self.day_to)];
        days.into_iter().filter(|_| self.made_up).filter_map(|(name, day)| Some((name, day.clone()?))).collect()
    }
}

/// The list of exposures.
pub struct Exposures;

const SCOPE: ScopeColumns = ScopeColumns {
    owner: Some("e.org_id IN (SELECT o.id FROM organisation o WHERE o.owner_admin_id = ?)"),
    org: Some("e.org_id"),
    sub_org: Some("e.plan_id IN (SELECT p.id FROM plan p WHERE p.sub_org_id = ?)"),
    myself: None,
};

impl Listing for Exposures {
    type Filters = ExposureFilters;
    type Row = ExposureRow;
    const SELECT: &'static str = "SELECT e.id, e.shown_at, t.no AS plan_no, t.name AS plan_name, o.name AS org_name, d.name AS product_name, \
        c.name AS channel_name, e.visitor_key, e.client_ip, e.system, e.position, e.pv_count, e.clicked_at, e.applied_at, e.test \
        FROM plan_exposure e JOIN plan t ON t.id = e.plan_id LEFT JOIN organisation o ON o.id = e.org_id \
        LEFT JOIN product d ON d.id = e.product_id LEFT JOIN channel c ON c.id = e.channel_id WHERE 1 = 1";
    const COUNT: &'static str = "SELECT e.id FROM plan_exposure e WHERE 1 = 1";
    const NEWEST: Option<&'static str> = Some("e.shown_at");

    fn narrow(sql: &mut Sql, filters: &ExposureFilters, scope: Scope) {
        let start = |day: &Option<String>| day.as_deref().and_then(clock::day_start);
        sql.and("e.shown_at >= ", start(&filters.day_from))
            .and("e.shown_at < ", start(&filters.day_to).map(|start| start + DAY))
            .and("e.plan_id = ", filters.plan_id)
            .and("e.channel_id = ", filters.channel_id)
            .and("e.org_id = ", filters.org_id)
            .and("e.system = ", filters.system.map(<&str>::from));
        if filters.clicked.is_some() {
            sql.push(" AND e.clicked_at IS NOT NULL");
        }
        if filters.applied.is_some() {
            sql.push(" AND e.applied_at IS NOT NULL");
        }
        match filters.test {
            // In the form of the index of test exposures.
            Some(YesNo::Yes) => sql.push(" AND e.test = 1"),
            Some(YesNo::No) => sql.push(" AND e.test = 0"),
            None => sql,
        };
        scope.apply(sql, SCOPE);
    }

    fn read(row: &AnyRow, _: Locale) -> std::result::Result<ExposureRow, sqlx::Error> {
        let clicked_at: Option<i64> = row.try_get("clicked_at")?;
        Ok(ExposureRow {
            id: row.try_get("id")?,
            shown_at: row.try_get("shown_at")?,
            plan_no: row.try_get("plan_no")?,
            plan_name: row.try_get("plan_name")?,
            org_name: row.try_get("org_name")?,
            product_name: row.try_get("product_name")?,
            channel_name: row.try_get("channel_name")?,
            visitor: row.try_get::<&str, _>("visitor_key")?.chars().take(SHOWN).collect(),
            client_ip: network_of(row.try_get("client_ip")?),
            system: Some(db::code(row, "system")?),
            position: row.try_get("position")?,
            pv_count: row.try_get::<i64, _>("pv_count")?.max(1),
            visitors: 1,
            clicks: i64::from(clicked_at.is_some()),
            clicked_at,
            applied_at: row.try_get("applied_at")?,
            test: db::flag(row, "test")?,
        })
    }
}

impl Exporting for Exposures {
    fn sheet() -> Sheet<ExposureRow> {
        Sheet {
            target: Target { module: Module::Plan, kind: "plan_exposure", id: None },
            title: say("曝光列表", "Exposures"),
            columns: vec![
                column("shownAt", "曝光时间", "Shown at", |row, _| Cell::Time(row.shown_at)),
                column("planNo", "计划编号", "Plan number", |row, _| Cell::text(row.plan_no.clone())),
                column("planName", "计划", "Plan", |row, _| Cell::text(row.plan_name.clone())),
                column("orgName", "机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
                column("productName", "产品", "Product", |row, _| Cell::text(row.product_name.clone())),
                column("channelName", "渠道", "Channel", |row, _| Cell::text(row.channel_name.clone())),
                column("visitor", "访客", "Visitor", |row, _| Cell::text(row.visitor.clone())),
                column("clientIp", "IP", "IP address", |row, _| Cell::text(row.client_ip.clone())),
                column("system", "系统", "System", |row, locale| Cell::text(row.system.map(|system| system.label(locale).to_owned()))),
                column("position", "位置", "Position", |row, _| row.position.map_or(Cell::Empty, Cell::Number)),
                column("pvCount", "曝光次数", "Impressions", |row, _| Cell::Number(row.pv_count)),
                column("visitors", "曝光人数", "Visitors reached", |row, _| Cell::Number(row.visitors)),
                column("clicks", "点击人数", "Visitors who clicked", |row, _| Cell::Number(row.clicks)),
                column("clickedAt", "点击时间", "Clicked at", |row, _| Cell::time(row.clicked_at)),
                column("appliedAt", "申请时间", "Applied at", |row, _| Cell::time(row.applied_at)),
                column("test", "测试", "Test", |row, locale| Cell::mark(row.test, locale)),
            ],
        }
    }
}

/// `POST /plan/exposure/page`.
pub async fn page(cx: Arc<Ctx>, mut query: ListQuery<ExposureFilters>) -> Result<Page<ExposureRow>> {
    query.filters.apply_defaults(cx.now);
    let filters = query.filters.clone();
    let mut page = listing::page::<Exposures>(cx.clone(), query).await?;
    // There may be millions of rows: their totals are read from the daily figures, which leave out test exposures and
    // have no single clicks and applications.
    if filters.clicked.is_none() && filters.applied.is_none() && filters.test != Some(YesNo::Yes) {
        page.totals = Some(totals(&cx, &filters).await?);
    }
    Ok(page)
}

async fn totals(cx: &Ctx, filters: &ExposureFilters) -> Result<ExposureRow> {
    let mut sql = Sql::new(
        "SELECT CAST(COALESCE(SUM(s.exposure_pv), 0) AS BIGINT) AS pv, CAST(COALESCE(SUM(s.exposure_uv), 0) AS BIGINT) AS visitors, \
         CAST(COALESCE(SUM(s.uv), 0) AS BIGINT) AS clicks FROM uv_stat_daily s WHERE s.subject_type = 'plan'",
    );
    sql.push(" AND s.channel_id = ").bind(filters.channel_id.unwrap_or(0));
    match filters.system {
        Some(system) => sql.push(" AND s.system = ").bind(<&str>::from(system)),
        None => sql.push(" AND s.system = ''"),
    };
    sql.and("s.day >= ", filters.day_from.clone())
        .and("s.day <= ", filters.day_to.clone())
        .and("s.subject_id = ", filters.plan_id)
        .and("s.org_id = ", filters.org_id);
    cx.viewer()?.scope().apply(&mut sql, <crate::visit::uv::plan::PlanUv as crate::visit::UvSubject>::SCOPE);
    let row = sql.fetch_optional(cx.db().read()).await?.ok_or_else(|| sqlx::Error::RowNotFound)?;
    Ok(ExposureRow {
        id: 0,
        shown_at: 0,
        plan_no: String::new(),
        plan_name: String::new(),
        org_name: None,
        product_name: None,
        channel_name: None,
        visitor: String::new(),
        client_ip: String::new(),
        system: None,
        position: None,
        pv_count: row.try_get("pv")?,
        visitors: row.try_get("visitors")?,
        clicks: row.try_get("clicks")?,
        clicked_at: None,
        applied_at: None,
        test: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;
    use frame::api::list_checks::{every_sort_walks_an_index, plan};

    #[tokio::test]
    async fn every_sort_and_filter_uses_an_index() {
        every_sort_walks_an_index::<Exposures>(&[]).await;
        let (plans, none) = (Plans::open().await, ExposureFilters::default);
        for (index, filters, scope) in [
            ("plan_exposure_shown", ExposureFilters { day_from: Some("2026-01-01".into()), ..none() }, Scope::All),
            ("plan_exposure_plan", ExposureFilters { plan_id: Some(1), ..none() }, Scope::All),
            ("plan_exposure_channel", ExposureFilters { channel_id: Some(1), ..none() }, Scope::All),
            ("plan_exposure_org", ExposureFilters { org_id: Some(1), ..none() }, Scope::All),
            ("plan_exposure_org", none(), Scope::Org(1)),
        ] {
            let plan = plan::<Exposures>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH e USING COVERING INDEX {index} ")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
        // Rows of one system are counted from the index alone.
        let mut sql = Sql::new(Exposures::COUNT);
        Exposures::narrow(
            &mut sql,
            &ExposureFilters { system: Some(System::Ios), day_from: Some("2026-01-01".into()), ..none() },
            Scope::All,
        );
        assert!(plans.of(sql).await.starts_with("SEARCH e USING COVERING INDEX plan_exposure_shown "));
        let clicked = plan::<Exposures>(&plans, ExposureFilters { clicked: Some(Only::Yes), ..none() }, Scope::All).await;
        assert!(clicked.contains("plan_exposure_clicked") && !clicked.contains("TEMP B-TREE"), "{clicked}");
        let applied = plan::<Exposures>(&plans, ExposureFilters { applied: Some(Only::Yes), ..none() }, Scope::All).await;
        assert!(applied.contains("plan_exposure_applied") && !applied.contains("TEMP B-TREE"), "{applied}");
        let test = plan::<Exposures>(&plans, ExposureFilters { test: Some(YesNo::Yes), ..none() }, Scope::All).await;
        assert!(test.contains("plan_exposure_test") && !test.contains("TEMP B-TREE"), "{test}");
    }
}
