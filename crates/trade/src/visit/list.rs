//! The lists of visits: a row for each day and subject, read from the daily figures alone. An area defines its
//! subject, its names and its scope; the rest is the same for all.

use std::marker::PhantomData;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::System;
use base::clock::{self, DAY};
use base::db::Sql;
use base::db::page::Sort;
use base::locale::Locale;
use frame::access::{Scope, ScopeColumns};
use frame::api::export::{Cell, Column, Sheet, column};
use frame::api::list::{day_text, lenient_integer};
use frame::api::{Exporting, ListFilters, Listing};

/// The default number of days.
const DAYS: i64 = 30;
/// Up to so many days are sorted; more are walked in the order of an index.
const SORTED: i64 = 62;

/// The figures of a subject on a day; in the list's totals, of all days and subjects.
#[derive(Clone, Debug, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct UvRow {
    pub id: i64,
    /// `YYYY-MM-DD` in Asia/Shanghai; empty in totals.
    pub day: String,
    pub subject_id: i64,
    pub subject_code: String,
    pub subject_name: String,
    /// The organisation that the subject belongs to.
    pub org_name: Option<String>,
    /// Views.
    pub pv: i64,
    /// Visitors, once a day and channel.
    pub uv: i64,
    /// Of channels in test mode; they are part of no other figure.
    pub test_pv: i64,
    pub test_uv: i64,
    /// How often the subject, or a plan or product of it, was shown, and to how many visitors. A choice without an
    /// exposure counts as shown once, by day and channel.
    pub exposure_pv: i64,
    pub exposure_uv: i64,
    /// Visitors in basis points of those who saw it; none if it was not shown, or to fewer.
    pub click_bp: Option<i64>,
    /// Applicants, and those who passed all checks.
    pub registered: i64,
    pub applied: i64,
    /// Rounds that found a buyer: a shared lead is one round and several sales.
    pub matched: i64,
    /// Leads that were accepted, and that were returned.
    pub sold: i64,
    pub returned: i64,
    /// What channels get for visitors and applicants.
    pub cost_cents: i64,
    /// What organisations pay for visitors of products and for leads, less refunds.
    pub income_cents: i64,
    pub margin_cents: i64,
    pub computed_at: Option<i64>,
}

/// Filters of the list.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct UvFilters {
    /// `YYYY-MM-DD`. Without both, the last 30 days.
    #[serde(deserialize_with = "day_text")]
    pub day_from: Option<String>,
    #[serde(deserialize_with = "day_text")]
    pub day_to: Option<String>,
    #[serde(deserialize_with = "lenient_integer")]
    pub subject_id: Option<i64>,
    /// Only visits by this channel.
    #[serde(deserialize_with = "lenient_integer")]
    pub channel_id: Option<i64>,
    /// Only visits from this system.
    pub system: Option<System>,
    #[serde(deserialize_with = "lenient_integer")]
    pub org_id: Option<i64>,
    /// Set if the days are the default.
    #[serde(skip)]
    made_up: bool,
}

impl ListFilters for UvFilters {
    const SORTS: &'static [(&'static str, &'static str)] = &[
        ("day", "s.day"),
        ("pv", "s.pv"),
        ("uv", "s.uv"),
        ("exposurePv", "s.exposure_pv"),
        ("exposureUv", "s.exposure_uv"),
        ("costCents", "s.cost_cents"),
        ("incomeCents", "s.income_cents"),
        ("marginCents", "(s.income_cents - s.cost_cents)"),
    ];
    const ID: &'static str = "s.id";

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

    /// The rows of some days, of one subject or of one system are few, and are sorted. Those of years are walked from
    /// the largest on. No engine can choose between these, so the expression does.
    fn order(&self, sort: Sort) -> Sort {
        let start = |day: &Option<String>| day.as_deref().and_then(clock::day_start);
        let days = start(&self.day_from).zip(start(&self.day_to)).map(|(from, to)| (to - from) / DAY + 1);
        if days.is_none_or(|days| days > SORTED) && self.subject_id.is_none() && self.system.is_none() {
            return sort;
        }
        let column = match sort.column {
            "s.pv" => "(s.pv + 0)",
            "s.uv" => "(s.uv + 0)",
            "s.exposure_pv" => "(s.exposure_pv + 0)",
            "s.exposure_uv" => "(s.exposure_uv + 0)",
            "s.cost_cents" => "(s.cost_cents + 0)",
            "s.income_cents" => "(s.income_cents + 0)",
            "(s.income_cents - s.cost_cents)" => "(s.income_cents - s.cost_cents + 0)",
            same => same,
        };
        Sort { column, ..sort }
    }
}

/// A kind of subject in the daily figures, and the names of its subjects.
#[derive(Clone, Copy)]
pub struct Subjects {
    /// `s.subject_type`.
    pub kind: &'static str,
    /// The joins for the name of `s.subject_id`.
    pub joins: &'static str,
    pub code: &'static str,
    pub name: &'static str,
    /// The scope columns of a row `s`.
    pub scope: ScopeColumns,
}

impl Subjects {
    /// The subjects of a list of visits.
    pub const fn of<S: UvSubject>() -> Subjects {
        Subjects { kind: S::KIND, joins: S::JOINS, code: S::CODE, name: S::NAME, scope: S::SCOPE }
    }
}

/// A kind of subject with a list of visits. Its texts come from [`uv_list!`].
pub trait UvSubject: 'static {
    const KIND: &'static str;
    const JOINS: &'static str;
    const CODE: &'static str;
    const NAME: &'static str;
    const SELECT: &'static str;
    const COUNT: &'static str;
    const TOTALS: &'static str;
    /// The scope columns of a row `s`.
    const SCOPE: ScopeColumns;
    /// Its file, with columns of [`columns`].
    fn sheet() -> Sheet<UvRow>;
}

/// The statements of a subject's list: `$kind` is the name in the figures, `$joins` the joins for its names, `$code`,
/// `$name` and `$org` its names.
macro_rules! uv_list {
    ($kind:literal, $joins:literal, $code:literal, $name:literal, $org:literal) => {
        const KIND: &'static str = $kind;
        const JOINS: &'static str = $joins;
        const CODE: &'static str = $code;
        const NAME: &'static str = $name;
        const SELECT: &'static str = concat!(
            "SELECT s.id, s.day, s.subject_id, ",
            $code,
            " AS subject_code, ",
            $name,
            " AS subject_name, ",
            $org,
            " AS org_name, s.pv, s.uv, s.test_pv, s.test_uv, s.exposure_pv, s.exposure_uv, s.registered, s.applied, s.matched, s.sold, \
             s.returned, s.cost_cents, s.income_cents, s.computed_at FROM uv_stat_daily s ",
            $joins,
            " WHERE s.subject_type = '",
            $kind,
            "'"
        );
        const COUNT: &'static str = concat!("SELECT s.id FROM uv_stat_daily s WHERE s.subject_type = '", $kind, "'");
        const TOTALS: &'static str = concat!(
            "SELECT CAST(0 AS BIGINT) AS id, '' AS day, CAST(0 AS BIGINT) AS subject_id, '' AS subject_code, '' AS subject_name, \
             CAST(NULL AS TEXT) AS org_name, CAST(COALESCE(SUM(s.pv), 0) AS BIGINT) AS pv, CAST(COALESCE(SUM(s.uv), 0) AS BIGINT) AS uv, \
             CAST(COALESCE(SUM(s.test_pv), 0) AS BIGINT) AS test_pv, CAST(COALESCE(SUM(s.test_uv), 0) AS BIGINT) AS test_uv, \
             CAST(COALESCE(SUM(s.exposure_pv), 0) AS BIGINT) AS exposure_pv, CAST(COALESCE(SUM(s.exposure_uv), 0) AS BIGINT) AS exposure_uv, \
             CAST(COALESCE(SUM(s.registered), 0) AS BIGINT) AS registered, CAST(COALESCE(SUM(s.applied), 0) AS BIGINT) AS applied, \
             CAST(COALESCE(SUM(s.matched), 0) AS BIGINT) AS matched, CAST(COALESCE(SUM(s.sold), 0) AS BIGINT) AS sold, \
             CAST(COALESCE(SUM(s.returned), 0) AS BIGINT) AS returned, \
             CAST(COALESCE(SUM(s.cost_cents), 0) AS BIGINT) AS cost_cents, CAST(COALESCE(SUM(s.income_cents), 0) AS BIGINT) AS income_cents, \
             CAST(NULL AS BIGINT) AS computed_at FROM uv_stat_daily s WHERE s.subject_type = '",
            $kind,
            "'"
        );
    };
}
pub(crate) use uv_list;

/// The list of a subject's visits.
pub struct UvList<S>(PhantomData<S>);

impl<S: UvSubject> Listing for UvList<S> {
    type Filters = UvFilters;
    type Row = UvRow;
    const SELECT: &'static str = S::SELECT;
    const COUNT: &'static str = S::COUNT;
    const TOTALS: Option<&'static str> = Some(S::TOTALS);
    const IDS_FIRST: bool = true;

    fn narrow(sql: &mut Sql, filters: &UvFilters, scope: Scope) {
        match filters.channel_id {
            Some(id) => sql.push(" AND s.channel_id = ").bind(id),
            None => sql.push(" AND s.channel_id = 0"),
        };
        match filters.system {
            Some(system) => sql.push(" AND s.system = ").bind(<&str>::from(system)),
            None => sql.push(" AND s.system = ''"),
        };
        sql.and("s.day >= ", filters.day_from.clone())
            .and("s.day <= ", filters.day_to.clone())
            .and("s.subject_id = ", filters.subject_id)
            .and("s.org_id = ", filters.org_id);
        scope.apply(sql, S::SCOPE);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<UvRow, sqlx::Error> {
        let (uv, exposure_uv): (i64, i64) = (row.try_get("uv")?, row.try_get("exposure_uv")?);
        let (cost_cents, income_cents): (i64, i64) = (row.try_get("cost_cents")?, row.try_get("income_cents")?);
        Ok(UvRow {
            id: row.try_get("id")?,
            day: row.try_get("day")?,
            subject_id: row.try_get("subject_id")?,
            subject_code: row.try_get("subject_code")?,
            subject_name: row.try_get("subject_name")?,
            org_name: row.try_get("org_name")?,
            pv: row.try_get("pv")?,
            uv,
            test_pv: row.try_get("test_pv")?,
            test_uv: row.try_get("test_uv")?,
            exposure_pv: row.try_get("exposure_pv")?,
            exposure_uv,
            click_bp: (exposure_uv > 0 && uv <= exposure_uv).then(|| uv * 10_000 / exposure_uv),
            registered: row.try_get("registered")?,
            applied: row.try_get("applied")?,
            matched: row.try_get("matched")?,
            sold: row.try_get("sold")?,
            returned: row.try_get("returned")?,
            cost_cents,
            income_cents,
            margin_cents: income_cents - cost_cents,
            computed_at: row.try_get("computed_at")?,
        })
    }
}

impl<S: UvSubject> Exporting for UvList<S> {
    fn sheet() -> Sheet<UvRow> {
        S::sheet()
    }
}

/// The columns of a subject's file, by their keys and in order. `names` is the label of the subject, in both
/// languages.
pub fn columns(names: (&'static str, &'static str), keys: &[&str]) -> Vec<Column<UvRow>> {
    let all = vec![
        column("day", "日期", "Day", |row: &UvRow, locale| match row.day.as_str() {
            "" => Cell::text(locale.pick("合计", "Total").to_owned()),
            day => Cell::text(day.to_owned()),
        }),
        column("subjectCode", "编码", "Code", |row, _| Cell::text(row.subject_code.clone())),
        column("subjectName", names.0, names.1, |row, _| Cell::text(row.subject_name.clone())),
        column("orgName", "机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
        column("pv", "PV", "Page views", |row, _| Cell::Number(row.pv)),
        column("uv", "UV", "Visitors", |row, _| Cell::Number(row.uv)),
        column("exposurePv", "曝光次数", "Impressions", |row, _| Cell::Number(row.exposure_pv)),
        column("exposureUv", "曝光人数", "Visitors reached", |row, _| Cell::Number(row.exposure_uv)),
        column("clickBp", "点击率", "Click-through rate", |row, _| row.click_bp.map_or(Cell::Empty, Cell::Percent)),
        column("registered", "注册", "Registrations", |row, _| Cell::Number(row.registered)),
        column("applied", "申请", "Applications", |row, _| Cell::Number(row.applied)),
        column("matched", "匹配轮次", "Matched rounds", |row, _| Cell::Number(row.matched)),
        column("sold", "成交条数", "Sales", |row, _| Cell::Number(row.sold)),
        column("returned", "退单", "Returns", |row, _| Cell::Number(row.returned)),
        column("costCents", "成本（元）", "Cost (CNY)", |row, _| Cell::Money(row.cost_cents)),
        column("incomeCents", "收入（元）", "Income (CNY)", |row, _| Cell::Money(row.income_cents)),
        column("marginCents", "毛利（元）", "Margin (CNY)", |row, _| Cell::Money(row.margin_cents)),
        column("testPv", "测试 PV", "Test page views", |row, _| Cell::Number(row.test_pv)),
        column("testUv", "测试 UV", "Test visitors", |row, _| Cell::Number(row.test_uv)),
        column("computedAt", "更新时间", "Updated", |row, _| Cell::time(row.computed_at)),
    ];
    let mut all: Vec<Option<Column<UvRow>>> = all.into_iter().map(Some).collect();
    let take = |key: &&str| all.iter_mut().find(|column| column.as_ref().is_some_and(|column| column.key == *key)).and_then(Option::take);
    keys.iter().filter_map(take).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::page::{self, ListSource};
    use base::db::plans::Plans;
    use frame::access::audit::{Module, Target};
    use frame::api::ListQuery;
    use frame::api::list_checks::plan;
    use frame::api::say;

    /// Any subject; the areas' own differ in their names.
    struct Subject;

    impl UvSubject for Subject {
        uv_list!("plan", "JOIN channel t ON t.id = s.subject_id", "t.code", "t.name", "CAST(NULL AS TEXT)");
        const SCOPE: ScopeColumns = ScopeColumns { owner: None, org: Some("s.org_id"), sub_org: None, myself: None };

        fn sheet() -> Sheet<UvRow> {
            Sheet {
                target: Target { module: Module::Plan, kind: "x", id: None },
                title: say("x", "x"),
                columns: columns(("x", "x"), &["day"]),
            }
        }
    }

    fn days(from: &str, to: &str) -> UvFilters {
        UvFilters { day_from: Some(from.into()), day_to: Some(to.into()), ..UvFilters::default() }
    }

    #[tokio::test]
    async fn every_sort_over_all_days_uses_an_index() {
        // All rows of a list have one kind, channel and system: the walk searches those, and reads the index alone.
        let plans = Plans::open().await;
        let filters = UvFilters::default();
        let filter = |sql: &mut Sql| UvList::<Subject>::narrow(sql, &filters, Scope::All);
        let source = ListSource { select: Subject::SELECT, count: Subject::COUNT, filter: &filter, ids_first: true, newest: None };
        for (name, column) in UvFilters::SORTS {
            let plan = plans.page(&source, column, "s.id").await;
            // SQLite does not read an expression from an index.
            let covering = if *name == "marginCents" { "" } else { "COVERING " };
            assert!(plan.starts_with(&format!("SEARCH s USING {covering}INDEX uv_stat_")), "{name}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{name}: {plan}");
        }
    }

    #[tokio::test]
    async fn filters_are_served_by_indexes() {
        let plans = Plans::open().await;
        let month = || days("2026-01-01", "2026-01-30");
        for (index, filters, scope) in [
            ("uv_stat_day (subject_type=? AND channel_id=? AND system=? AND day>? AND day<?)", month(), Scope::All),
            ("uv_stat_day (subject_type=?", UvFilters { channel_id: Some(3), ..month() }, Scope::All),
            ("uv_stat_day (subject_type=?", UvFilters { system: Some(System::Ios), ..month() }, Scope::All),
            ("uv_stat_subject (subject_type=? AND subject_id=?", UvFilters { subject_id: Some(3), ..month() }, Scope::All),
            ("uv_stat_org (org_id=?", month(), Scope::Org(1)),
        ] {
            let plan = plan::<UvList<Subject>>(&plans, filters, scope).await;
            assert!(plan.contains(&format!("SEARCH s USING COVERING INDEX {index}")), "{index}: {plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{index}: {plan}");
        }
        // Totals are added up from an index alone.
        let mut sql = Sql::new(Subject::TOTALS);
        UvList::<Subject>::narrow(&mut sql, &month(), Scope::All);
        assert!(plans.of(sql).await.starts_with("SEARCH s USING COVERING INDEX uv_stat_day "));
    }

    #[tokio::test]
    async fn few_days_are_sorted_and_many_are_walked() {
        let order = |filters: &UvFilters| {
            let query = ListQuery::<UvFilters>::from_fields(serde_json::json!({"sort": "uv"}).as_object().unwrap().clone()).unwrap();
            filters.order(query.sort).column
        };
        assert_eq!(order(&days("2026-01-01", "2026-03-03")), "(s.uv + 0)");
        assert_eq!(order(&days("2026-01-01", "2026-03-04")), "s.uv");
        assert_eq!(order(&UvFilters::default()), "s.uv");
        assert_eq!(order(&UvFilters { system: Some(System::Ios), ..UvFilters::default() }), "(s.uv + 0)");
        // Sorted rows are read by their days.
        let (plans, filters) = (Plans::open().await, days("2026-01-01", "2026-01-02"));
        let filter = |sql: &mut Sql| UvList::<Subject>::narrow(sql, &filters, Scope::All);
        let source = ListSource { select: Subject::SELECT, count: Subject::COUNT, filter: &filter, ids_first: true, newest: None };
        let plan = plans.of(page::rows(&source, Sort { column: "(s.uv + 0)", id: "s.id", descending: true }, 20, 0)).await;
        assert!(plan.starts_with("SEARCH s USING COVERING INDEX uv_stat_day "), "{plan}");
    }

    #[test]
    fn without_days_it_is_the_last_thirty() {
        let now = clock::day_start("2026-03-01").unwrap() + 1;
        let mut filters = UvFilters::default();
        filters.apply_defaults(now);
        assert_eq!(filters.settled(), [("dayFrom", "2026-01-31".to_owned()), ("dayTo", "2026-03-01".to_owned())]);
        let mut asked = days("2026-01-01", "2026-01-02");
        asked.apply_defaults(now);
        assert_eq!((asked.day_from.as_deref(), asked.settled().len()), (Some("2026-01-01"), 0));
        let mut from = UvFilters { day_from: Some("2020-01-01".into()), ..UvFilters::default() };
        from.apply_defaults(now);
        assert_eq!((from.day_to, from.made_up), (None, false));
    }
}
