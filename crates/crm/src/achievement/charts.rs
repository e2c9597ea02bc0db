//! `POST /crm/achievements/charts`: who is behind, targets against what was reached, and the choices beside the list.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::model::{AchievementCharts, AchievementFilters, AchievementMetric, AchievementObject, AchievementRow};
use super::month::Month;
use super::objects::{self, Objects};
use super::pace;
use super::rows;
use super::sums::{self, Four, Of, Part};
use base::clock::{DAY, HOUR};
use frame::access::Scope;
use frame::api::chart::{Chart, ChartKind, Series};
use frame::api::options::SelectOption;
use frame::api::{Body, Ctx, ListFilters, Result};

/// Objects of the first chart, at most.
const SHOWN: usize = 8;
/// Months of the second chart.
const MONTHS: i32 = 12;
/// Months to choose from: so many in the past.
const BACK: i32 = 24;
/// Choices of a filter, at most.
const CHOICES: usize = 1000;

/// The charts of what the list shows, for one metric.
pub async fn view(cx: Arc<Ctx>, Body(mut filters): Body<AchievementFilters>) -> Result<AchievementCharts> {
    filters.apply_defaults(cx.now);
    let viewer = cx.viewer()?;
    let scope = viewer.scope();
    let this = Month::of(cx.now);
    let metric = filters.metric.unwrap_or(AchievementMetric::FeeReceived);
    let objects = objects::of(cx.db(), scope, filters.org_id).await?;
    let month = filters.month.as_deref().and_then(Month::read);
    let (mut charts, mut paces) = (Vec::new(), Vec::new());
    if let Some(month) = month {
        // Of all metrics: the chart shows one of them, also where the filters name none.
        let mut rows = rows::matching(cx.db(), scope, &AchievementFilters { metric: None, ..filters.clone() }).await?;
        charts.push(of_objects(&cx, scope, &filters, metric, rows.clone()));
        charts.extend(of_months(&cx, scope, &filters, metric, month, &objects).await?);
        let is_present = |row: &AchievementRow| objects.get(&(row.object_type, row.object_id)).is_some_and(|object| !object.is_gone);
        rows.retain(|row| filters.metric.is_none_or(|metric| metric == row.metric) && is_present(row));
        paces = pace::of_month(rows, month, cx.now);
    }
    let mut months: BTreeSet<Month> = (-BACK..=0).map(|months| this.plus(months)).chain(month).collect();
    months.extend(sums::months_with_targets(cx.db(), scope, this).await?);
    let mut shown: Vec<_> = objects.values().filter(|object| object.is_shown_to(scope) && !object.is_gone).collect();
    shown.sort_by(|one, other| (one.kind, &one.org_name, &one.name, one.id).cmp(&(other.kind, &other.org_name, &other.name, other.id)));
    let many = matches!(scope, Scope::All | Scope::Own(_));
    let label = |org: &str, name: &str| if many { format!("{org} · {name}") } else { name.to_owned() };
    let teams = shown.iter().filter(|object| object.kind == AchievementObject::Team);
    let teams = teams.take(CHOICES).map(|team| SelectOption { value: team.id, label: label(&team.org_name, &team.name) }).collect();
    let months = months.iter().rev().map(Month::to_string).collect();
    Ok(AchievementCharts { charts, paces, months, month: this.to_string(), teams })
}

/// Targets and values of the best objects of one kind.
fn of_objects(cx: &Ctx, scope: Scope, filters: &AchievementFilters, metric: AchievementMetric, mut rows: Vec<AchievementRow>) -> Chart {
    let kind = filters.object_type.unwrap_or(match scope {
        Scope::All | Scope::Own(_) if filters.org_id.is_none() && filters.sub_org_id.is_none() => AchievementObject::Company,
        _ => AchievementObject::Person,
    });
    rows.retain(|row| row.object_type == kind && row.metric == metric);
    rows.sort_by(|one, other| (other.actual, other.target, one.object_id).cmp(&(one.actual, one.target, other.object_id)));
    rows.truncate(SHOWN);
    let month = filters.month.as_deref().unwrap_or_default();
    let what = named(cx, metric);
    let value = |row: &AchievementRow, of: fn(&AchievementRow) -> i64| shown(metric, of(row));
    Chart {
        id: "achievement-objects",
        title: format!("{what} · {month} · {}", kind.label(cx.locale)),
        kind: ChartKind::Rank,
        axis: cx.locale.pick("对象", "Object").to_owned(),
        labels: labels(&rows),
        series: vec![
            series(cx, true, rows.iter().map(|row| value(row, |row| row.target.unwrap_or(0))).collect()),
            series(cx, false, rows.iter().map(|row| value(row, |row| row.actual)).collect()),
        ],
        colors: Vec::new(),
    }
}

/// A unique label for each row. Equal names are followed by the organisation and the id.
fn labels(rows: &[AchievementRow]) -> Vec<String> {
    let is_twice = |name: &str| rows.iter().filter(|row| row.object_name == name).count() > 1;
    let label = |row: &AchievementRow| match is_twice(&row.object_name) {
        true => format!("{} · {} #{}", row.object_name, row.org_name, row.object_id),
        false => row.object_name.clone(),
    };
    rows.iter().map(label).collect()
}

/// Target and value of one object month by month.
async fn of_months(
    cx: &Ctx,
    scope: Scope,
    filters: &AchievementFilters,
    metric: AchievementMetric,
    month: Month,
    objects: &Objects,
) -> Result<Option<Chart>> {
    let chosen = filters.object_type.zip(filters.object_id).or_else(|| match scope {
        Scope::Org(id) => Some(filters.sub_org_id.map_or((AchievementObject::Company, id), |team| (AchievementObject::Team, team))),
        Scope::SubOrg(id) => Some((AchievementObject::Team, id)),
        Scope::Myself(id) => Some((AchievementObject::Person, id)),
        _ => filters.sub_org_id.map(|id| (AchievementObject::Team, id)).or(filters.org_id.map(|id| (AchievementObject::Company, id))),
    });
    let (of, name) = match chosen {
        Some(key) => match objects.get(&key).filter(|object| object.is_shown_to(scope)) {
            Some(object) => (Of::Object(key.0, key.1), object.name.clone()),
            None => return Ok(None),
        },
        None => (Of::Organisations(scope, None), cx.locale.pick("全部机构", "All organisations").to_owned()),
    };
    let months: Vec<Month> = (1 - MONTHS..=0).map(|months| month.plus(months)).collect();
    let (first, last) = (months[0], month);
    let mut actual = vec![Four::default(); months.len()];
    for sum in sums::sums(cx.db(), of, (first.start(), last.end()), Part::Day).await? {
        let day = Month::of(sum.part * DAY - 8 * HOUR);
        if let Some(place) = months.iter().position(|month| *month == day) {
            sums::add(&mut actual[place], &sum.four);
        }
    }
    let targets = sums::targets(cx.db(), of, (first, last)).await?;
    let target = |month: &Month| -> i64 {
        let text = month.to_string();
        // For all organisations: the sum of their own targets.
        let of_month =
            targets.iter().filter(|((kind, _, named), _)| *named == text && (chosen.is_some() || *kind == AchievementObject::Company));
        of_month.filter_map(|(_, four)| four[metric.index()]).sum()
    };
    let what = named(cx, metric);
    Ok(Some(Chart {
        id: "achievement-months",
        title: format!("{what} · {name} · {}", cx.locale.pick("近 12 个月", "last 12 months")),
        kind: ChartKind::Line,
        axis: cx.locale.pick("月份", "Month").to_owned(),
        labels: months.iter().map(Month::to_string).collect(),
        series: vec![
            series(cx, true, months.iter().map(|month| shown(metric, target(month))).collect()),
            series(cx, false, actual.iter().map(|four| shown(metric, four[metric.index()])).collect()),
        ],
        colors: Vec::new(),
    }))
}

/// The label of a metric, with its unit.
fn named(cx: &Ctx, metric: AchievementMetric) -> String {
    match metric.is_money() {
        true => format!("{}{}", metric.label(cx.locale), cx.locale.pick("（元）", " (CNY)")),
        false => metric.label(cx.locale).to_owned(),
    }
}

/// A value as charts show it: yuan without fen, or a number.
fn shown(metric: AchievementMetric, value: i64) -> i64 {
    if metric.is_money() { value / 100 } else { value }
}

fn series(cx: &Ctx, is_target: bool, values: Vec<i64>) -> Series {
    let name = if is_target { cx.locale.pick("目标", "Target") } else { cx.locale.pick("实际", "Actual") };
    Series { name: name.to_owned(), values }
}
