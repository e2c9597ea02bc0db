//! The list of a screen: a page of it, all of it as a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::figure::{FIGURES, Kind};
use super::model::{StatFilters, StatRow};
use super::rows::{self, Range};
use super::screen::{Screen, star_name};
use base::db::page::Page;
use frame::access::Scope;
use frame::api::export::{self, Cell, Columns, Exported, Sheet};
use frame::api::{Ctx, ListQuery, Result, say};
use trade::visit::{By, Part};

/// `POST …/page`.
pub async fn page<S: Screen>(cx: Arc<Ctx>, query: ListQuery<StatFilters>) -> Result<Page<StatRow>> {
    let ranges = rows::ranges::<S>(&query.filters, cx.now)?;
    let page = rows::page::<S>(cx.db(), cx.viewer()?.scope(), &query, ranges).await?;
    Ok(Page { settled: settled(&query.filters, ranges.0), ..page })
}

/// The default days of the list.
fn settled(filters: &StatFilters, range: Range) -> BTreeMap<&'static str, String> {
    let (from, to) = range.texts();
    let asked = (filters.day_from.as_deref(), filters.day_to.as_deref());
    if asked == (Some(from.as_str()), Some(to.as_str())) {
        return BTreeMap::new();
    }
    [("dayFrom", from), ("dayTo", to)].into()
}

/// `POST …/page/export`.
pub async fn export<S: Screen>(cx: Arc<Ctx>, query: ListQuery<StatFilters>) -> Result<Exported> {
    let scope = cx.viewer()?.scope();
    let ranges = rows::ranges::<S>(&query.filters, cx.now)?;
    let (all, last) = rows::matching::<S>(cx.db(), scope, &query.filters, ranges).await?;
    let all = rows::sorted(&all, query.sort).into_iter().cloned().collect();
    export::export_rows(cx, &query, sheet::<S>(scope, ranges.1.is_some()), all, Some(last)).await
}

/// Keys of the columns of a file.
pub fn columns<S: Screen>(platform: bool) -> Vec<&'static str> {
    let mut keys = if S::PART == Part::Whole { Vec::new() } else { vec!["part"] };
    keys.extend_from_slice(match S::BY {
        By::Subject => &["subjectCode", "subjectName"][..],
        By::System => &["system"],
        By::Star => &["star"],
        By::All => &[],
    });
    keys.extend(S::figures_for(platform));
    keys
}

/// The file of a screen; each figure has its comparisons beside it.
fn sheet<S: Screen>(scope: Scope, is_compared: bool) -> Sheet<StatRow> {
    let mut columns = Columns::of("stat");
    if S::PART != Part::Whole {
        columns = columns.cell("part", |row: &StatRow, locale| match row.id {
            0 => Cell::text(locale.pick("合计", "Total").to_owned()),
            _ => Cell::text(row.part.clone()),
        });
    }
    match S::BY {
        By::Subject => {
            columns = columns.text("subjectCode").cell("subjectName", |row, locale| match row.id {
                0 => Cell::text(locale.pick("合计", "Total").to_owned()),
                _ => Cell::text(row.subject_name.clone()),
            });
        }
        By::System => {
            columns = columns.cell("system", |row, locale| match row.system {
                Some(system) => Cell::text(system.label(locale).to_owned()),
                None => Cell::text(locale.pick("合计", "Total").to_owned()),
            });
        }
        By::Star => {
            columns = columns.cell("star", |row, locale| match row.star {
                Some(star) => Cell::text(star_name(star, locale).to_owned()),
                None => Cell::text(locale.pick("合计", "Total").to_owned()),
            });
        }
        By::All => {}
    }
    let keys = S::figures(scope);
    columns = columns.explained_by("formula");
    for figure in FIGURES.iter().filter(|figure| keys.contains(&figure.key)) {
        columns = match figure.kind {
            Kind::Count => columns.number(figure.key),
            Kind::Money => columns.money(figure.key),
            Kind::Rate => columns.percent(figure.key),
        };
        columns = match S::PART {
            Part::Whole if is_compared => columns.beside("before", &say("对比日期", "compared days")),
            Part::Whole => columns,
            Part::Day => columns.beside("before", &say("前一天", "day before")).beside("week", &say("上周同日", "same day last week")),
            Part::Month => columns.beside("before", &say("上月", "month before")),
        };
    }
    Sheet { target: S::TARGET, title: S::title(), columns: columns.all() }
}
