//! The list of achievements: a page of it, all of it as a file.

use std::sync::Arc;

use super::model::{AchievementFilters, AchievementMetric, AchievementObject, AchievementRow};
use super::rows;
use super::target::TARGET;
use base::db::page::Page;
use frame::api::export::{self, Cell, Columns, Exported, Sheet};
use frame::api::{Ctx, ListFilters, ListQuery, Result, say};

/// `POST /crm/achievements/page`.
pub async fn page(cx: Arc<Ctx>, mut query: ListQuery<AchievementFilters>) -> Result<Page<AchievementRow>> {
    query.filters.apply_defaults(cx.now);
    let mut all = rows::matching(cx.db(), cx.viewer()?.scope(), &query.filters).await?;
    rows::sort(&mut all, query.sort);
    let totals = totals(&query.filters, &all);
    let settled = query.filters.settled().into_iter().collect();
    Ok(Page { settled, ..Page::cut(all, query.current, query.page_size, totals) })
}

/// The sum of the rows. None unless the filters name one metric and one kind of object: others do not add up.
fn totals(filters: &AchievementFilters, rows: &[AchievementRow]) -> Option<AchievementRow> {
    let (object_type, metric) = filters.object_type.zip(filters.metric)?;
    let target = rows.iter().filter_map(|row| row.target).reduce(|sum, target| sum + target);
    let sum = |value: fn(&AchievementRow) -> i64| rows.iter().map(value).sum::<i64>();
    let (actual, last_actual) = (sum(|row| row.actual), sum(|row| row.last_actual));
    Some(AchievementRow {
        id: 0,
        month: filters.month.clone().unwrap_or_default(),
        org_id: 0,
        org_name: String::new(),
        object_type,
        object_id: 0,
        object_name: String::new(),
        sub_org_id: None,
        sub_org_name: None,
        metric,
        target,
        actual,
        rate_bp: rows::rate_bp(actual, target),
        rank: None,
        last_actual,
        change: actual - last_actual,
    })
}

/// `POST /crm/achievements/page/export`.
pub async fn export(cx: Arc<Ctx>, mut query: ListQuery<AchievementFilters>) -> Result<Exported> {
    query.filters.apply_defaults(cx.now);
    let mut all = rows::matching(cx.db(), cx.viewer()?.scope(), &query.filters).await?;
    rows::sort(&mut all, query.sort);
    let last = totals(&query.filters, &all);
    export::export_rows(cx, &query, sheet(), all, last).await
}

fn value(metric: AchievementMetric, value: i64) -> Cell {
    if metric.is_money() { Cell::Money(value) } else { Cell::Number(value) }
}

fn sheet() -> Sheet<AchievementRow> {
    Sheet {
        target: TARGET,
        title: say("业绩", "Achievements"),
        columns: Columns::of("achievement")
            .text("month")
            .text("orgName")
            .code::<AchievementObject>("objectType")
            .cell("objectName", |row: &AchievementRow, locale| match row.id {
                0 => Cell::text(locale.pick("合计", "Total").to_owned()),
                _ => Cell::text(row.object_name.clone()),
            })
            .text("subOrgName")
            .code::<AchievementMetric>("metric")
            .cell("target", |row, _| row.target.map_or(Cell::Empty, |target| value(row.metric, target)))
            .cell("actual", |row, _| value(row.metric, row.actual))
            .cell("rateBp", |row, _| row.rate_bp.map_or(Cell::Empty, Cell::Percent))
            .number("rank")
            .cell("lastActual", |row, _| value(row.metric, row.last_actual))
            .cell("change", |row, _| value(row.metric, row.change))
            .all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fields;

    #[test]
    fn every_column_of_the_file_is_a_field_with_a_heading() {
        let row = schemars::schema_for!(AchievementRow);
        for column in sheet().columns {
            assert!(row.pointer(&format!("/properties/{}", column.key)).is_some(), "{} is no field of the rows", column.key);
            assert!(fields::is_named("achievement", column.key), "achievement.{} has no heading", column.key);
        }
    }
}
