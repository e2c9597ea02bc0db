//! `POST …/charts`: the figures of a screen, and the chart above its list, for the figure by which the list is
//! sorted.

use std::sync::Arc;

use serde::Serialize;

use super::figure::{FIGURES, Figure, Kind};
use super::model::{StatFilters, StatRow};
use super::rows;
use super::screen::{Screen, star_name};
use base::fields;
use frame::api::chart::{Chart, ChartKind, Series};
use frame::api::{Ctx, ListQuery, Result};
use trade::visit::{By, Part};

/// The most subjects of the chart.
const SHOWN: usize = 10;
/// The figure if the list is not sorted by one.
const DEFAULT: &str = "sales";

/// The data around a screen's list.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct StatAround {
    /// The figures that the viewer may see, in the order of columns.
    pub figures: Vec<Figure>,
    pub charts: Vec<Chart>,
    /// Whether figures of leads link to the list of leads, see [`Screen::opens_leads`].
    pub opens_leads: bool,
    /// The same for feedback, where an account manager sees that on their channels.
    pub opens_feedback: bool,
}

/// Returns [`StatAround`].
pub async fn view<S: Screen>(cx: Arc<Ctx>, query: ListQuery<StatFilters>) -> Result<StatAround> {
    let scope = cx.viewer()?.scope();
    let keys = S::figures(scope);
    let figures = FIGURES.iter().copied().filter(|figure| keys.contains(&figure.key)).collect();
    Ok(StatAround {
        figures,
        charts: chart::<S>(&cx, &query, &keys).await?,
        opens_leads: S::opens_leads(scope),
        opens_feedback: S::opens_feedback(scope),
    })
}

/// The chart of the first subjects by the figure, or of the figure over time.
async fn chart<S: Screen>(cx: &Ctx, query: &ListQuery<StatFilters>, keys: &[&str]) -> Result<Vec<Chart>> {
    let ranges = rows::ranges::<S>(&query.filters, cx.now)?;
    let scope = cx.viewer()?.scope();
    let (mut all, _) = rows::matching::<S>(cx.db(), scope, &query.filters, ranges).await?;
    let figure = FIGURES.iter().find(|figure| figure.key == query.sort.column && keys.contains(&figure.key));
    let (key, kind) = figure.map_or((DEFAULT, Kind::Count), |figure| (figure.key, figure.kind));
    let title = fields::heading("stat", key).get(cx.locale).to_owned();
    let name = |row: &StatRow| match (row.system, row.star) {
        (Some(system), _) => system.label(cx.locale).to_owned(),
        (None, Some(star)) => star_name(star, cx.locale).to_owned(),
        (None, None) => row.subject_name.clone(),
    };
    let value = |value: Option<i64>| match kind {
        Kind::Count => value.unwrap_or(0),
        // Yuan without fen, and per cent without decimals.
        Kind::Money | Kind::Rate => value.unwrap_or(0) / 100,
    };
    if S::PART == Part::Whole {
        all.sort_by_key(|row| std::cmp::Reverse(row.values.get(key)));
        all.truncate(SHOWN);
        let mut series = vec![Series { name: title.clone(), values: all.iter().map(|row| value(row.values.get(key))).collect() }];
        if ranges.1.is_some() {
            let before = |row: &StatRow| value(row.before.and_then(|before| before.get(key)));
            series.push(Series { name: cx.locale.pick("对比期", "Compared").to_owned(), values: all.iter().map(before).collect() });
        }
        let axis = S::title().get(cx.locale).to_owned();
        let labels = all.iter().map(name).collect();
        return Ok(vec![Chart { id: "stat-rank", title, kind: ChartKind::Rank, axis, labels, series, colors: Vec::new() }]);
    }
    let mut parts: Vec<String> = all.iter().map(|row| row.part.clone()).collect();
    parts.sort_unstable();
    parts.dedup();
    let sum = |part: &String| all.iter().filter(|row| row.part == *part).map(|row| value(row.values.get(key))).sum::<i64>();
    // Rates of several subjects do not add up.
    if kind == Kind::Rate && S::BY != By::All {
        return Ok(Vec::new());
    }
    let series = vec![Series { name: title.clone(), values: parts.iter().map(sum).collect() }];
    let axis = match S::PART {
        Part::Month => cx.locale.pick("月份", "Month"),
        _ => cx.locale.pick("日期", "Day"),
    };
    Ok(vec![Chart { id: "stat-line", title, kind: ChartKind::Line, axis: axis.to_owned(), labels: parts, series, colors: Vec::new() }])
}
