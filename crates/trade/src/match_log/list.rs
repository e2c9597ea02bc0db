//! The lists of questions, and of their counts by day.

use sqlx::any::AnyRow;

use super::model::{MatchDay, MatchDayFilters, MatchFilters, MatchRow};
use super::store;
use base::crypto::Keys;
use base::db::Sql;
use base::locale::Locale;
use frame::access::Scope;
use frame::access::audit::{Module, Target};
use frame::api::export::{Cell, Sheet, column};
use frame::api::search::{FoundRecord, Numbered, Search};
use frame::api::{Exporting, Listing, WholeNumber, hash_phone, say};
use frame::places;

/// The name of questions in the audit trail.
const TARGET: Target = Target { module: Module::User, kind: "match_record", id: None };

/// The list of questions.
pub struct Matches;

impl Listing for Matches {
    type Filters = MatchFilters;
    type Row = MatchRow;
    const SELECT: &'static str = store::SELECT;
    const COUNT: &'static str = store::COUNT;
    const NEWEST: Option<&'static str> = Some("m.created_at");

    fn conceal(filters: &mut MatchFilters, keys: &Keys) -> Option<WholeNumber> {
        hash_phone(&mut filters.keyword, &mut filters.phone_hash, keys, TARGET)
    }

    fn narrow(sql: &mut Sql, filters: &MatchFilters, scope: Scope) {
        store::narrow(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<MatchRow, sqlx::Error> {
        store::read(row)
    }
}

/// Finds questions and rounds by their numbers, for the search of the whole back office.
pub async fn search(search: &mut Search<'_>) -> frame::api::Result<()> {
    let kind = Numbered::<Matches> {
        kind: "match",
        title: ("撞库明细", "Matches"),
        points: &["user/match-list/list"],
        prefixes: &["M"],
        table: "match_record",
        column: "no",
        capitals: true,
        filters: MatchFilters::default(),
        found: |row, locale| {
            FoundRecord::new(
                &row.no,
                &[&row.phone_mask, &row.channel_name, row.direction.label(locale), row.status.label(locale)],
                format!("/user/match-list/{}", row.id),
            )
        },
    };
    search.numbers(kind).await
}

impl Exporting for Matches {
    fn sheet() -> Sheet<MatchRow> {
        Sheet {
            target: TARGET,
            title: say("撞库明细", "Matches"),
            columns: vec![
                column("no", "编号", "Match number", |row, _| Cell::text(row.no.clone())),
                column("direction", "方向", "Direction", |row, locale| Cell::text(row.direction.label(locale).to_owned())),
                column("status", "结果", "Result", |row, locale| Cell::text(row.status.label(locale).to_owned())),
                column("userNo", "用户编号", "User number", |row, _| Cell::text(row.user_no.clone())),
                column("phoneMask", "手机号", "Phone", |row, _| Cell::text(row.phone_mask.clone())),
                column("city", "城市", "City", |row, locale| Cell::text(places::label(&row.city, locale).into_owned())),
                column("channelName", "渠道", "Channel", |row, _| Cell::text(row.channel_name.clone())),
                column("planName", "计划", "Plan", |row, _| Cell::text(row.plan_name.clone())),
                column("orgName", "机构", "Organisation", |row, _| Cell::text(row.org_name.clone())),
                column("bidCents", "出价（元）", "Bid (CNY)", |row, _| row.bid_cents.map_or(Cell::Empty, Cell::Money)),
                column("test", "测试", "Test", |row, locale| Cell::mark(row.test, locale)),
                column("costMs", "耗时（毫秒）", "Took (ms)", |row, _| Cell::Number(row.cost_ms)),
                column("createdAt", "时间", "Time", |row, _| Cell::Time(row.created_at)),
            ],
        }
    }
}

/// The list of days.
pub struct Days;

impl Listing for Days {
    type Filters = MatchDayFilters;
    type Row = MatchDay;
    const SELECT: &'static str = store::DAYS;
    const COUNT: &'static str = store::DAYS_COUNT;
    const TOTALS: Option<&'static str> = Some(store::DAYS_TOTALS);

    fn narrow(sql: &mut Sql, filters: &MatchDayFilters, scope: Scope) {
        store::narrow_days(sql, filters, scope);
    }

    fn read(row: &AnyRow, _: Locale) -> Result<MatchDay, sqlx::Error> {
        store::read_day(row)
    }
}

impl Exporting for Days {
    fn sheet() -> Sheet<MatchDay> {
        Sheet {
            target: Target { module: Module::User, kind: "match_daily", id: None },
            title: say("渠道撞库", "Matches by channel"),
            columns: vec![
                column("day", "日期", "Day", |row: &MatchDay, locale| match row.day.as_str() {
                    "" => Cell::text(locale.pick("合计", "Total").to_owned()),
                    day => Cell::text(day.to_owned()),
                }),
                column("channelName", "渠道", "Channel", |row, _| Cell::text(row.channel_name.clone())),
                column("asked", "撞库数", "Queries", |row, _| Cell::Number(row.asked)),
                column("matched", "匹配成功", "Matched", |row, _| Cell::Number(row.matched)),
                column("matchBp", "成功率", "Match rate", |row, _| row.match_bp.map_or(Cell::Empty, Cell::Percent)),
                column("known", "用户已存在", "Already known", |row, _| Cell::Number(row.known)),
                column("refused", "不符合", "Refused", |row, _| Cell::Number(row.refused)),
                column("noPlan", "无可用计划", "No plan", |row, _| Cell::Number(row.no_plan)),
                column("test", "测试", "Test", |row, _| Cell::Number(row.test)),
            ],
        }
    }
}
