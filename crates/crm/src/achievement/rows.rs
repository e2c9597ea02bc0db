//! The rows of a month: what was reached and its target for each object and metric, with ranks.

use std::cmp::Reverse;
use std::collections::HashMap;

use super::model::{AchievementFilters, AchievementMetric, AchievementObject, AchievementRow};
use super::month::Month;
use super::objects::{self, Object, Objects};
use super::sums::{self, Four, Of, Part, Targets, add};
use base::codes::Codes;
use base::db::Db;
use base::db::page::Sort;
use frame::access::Scope;

/// All rows that a scope shows and the filters match, unsorted. Sums cover the whole organisation in both months,
/// because ranks compare all of it.
pub async fn matching(db: &Db, scope: Scope, filters: &AchievementFilters) -> Result<Vec<AchievementRow>, sqlx::Error> {
    let Some(month) = filters.month.as_deref().and_then(Month::read) else { return Ok(Vec::new()) };
    let of = Of::Organisations(scope, filters.org_id);
    let objects = objects::of(db, scope, filters.org_id).await?;
    let sums = sums::sums(db, of, (month.plus(-1).start(), month.end()), Part::Since(month.start())).await?;
    let targets = sums::targets(db, of, (month, month)).await?;
    let mut rows = ranked(month, &objects, &reached(sums), &targets, scope);
    rows.retain(|(object, row)| object.is_shown_to(scope) && is_matched(object, row, filters));
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// This month's values and last month's.
type Reached = HashMap<(AchievementObject, i64), (Four, Four)>;

/// Adds each sum to its organisation, its team and its person.
fn reached(sums: Vec<sums::Sum>) -> Reached {
    let mut all = Reached::new();
    for sum in sums {
        let keys = [
            Some((AchievementObject::Company, sum.org_id)),
            sum.sub_org_id.map(|id| (AchievementObject::Team, id)),
            sum.person_id.map(|id| (AchievementObject::Person, id)),
        ];
        for key in keys.into_iter().flatten() {
            let (now, before) = all.entry(key).or_default();
            add(if sum.part == 1 { now } else { before }, &sum.four);
        }
    }
    all
}

/// Rows of each object with a target or an achievement, and of a salesperson who views them.
fn ranked<'o>(month: Month, objects: &'o Objects, reached: &Reached, targets: &Targets, scope: Scope) -> Vec<(&'o Object, AchievementRow)> {
    let text = month.to_string();
    let mut rows = Vec::new();
    for object in objects.values() {
        let key = (object.kind, object.id);
        let (values, set) = (reached.get(&key), targets.get(&(object.kind, object.id, text.clone())));
        let is_own = scope == Scope::Myself(object.id) && object.kind == AchievementObject::Person;
        if values.is_none() && set.is_none() && !is_own {
            continue;
        }
        let (now, before) = values.copied().unwrap_or_default();
        for metric in AchievementMetric::ALL {
            let (actual, last_actual) = (now[metric.index()], before[metric.index()]);
            let target = set.and_then(|set| set[metric.index()]);
            let row = AchievementRow {
                id: (object.id * 3 + object.kind as i64) * 4 + metric.index() as i64 + 1,
                month: text.clone(),
                org_id: object.org_id,
                org_name: object.org_name.clone(),
                object_type: object.kind,
                object_id: object.id,
                object_name: object.name.clone(),
                sub_org_id: object.sub_org_id.filter(|_| object.kind == AchievementObject::Person),
                sub_org_name: object.sub_org_name.clone(),
                metric: *metric,
                target,
                actual,
                rate_bp: rate_bp(actual, target),
                rank: None,
                last_actual,
                change: actual - last_actual,
            };
            rows.push((object, row));
        }
    }
    let mut values: HashMap<(i64, AchievementObject, AchievementMetric), Vec<i64>> = HashMap::new();
    for (_, row) in &rows {
        values.entry((row.org_id, row.object_type, row.metric)).or_default().push(row.actual);
    }
    for list in values.values_mut() {
        list.sort_unstable_by_key(|value| Reverse(*value));
    }
    for (_, row) in rows.iter_mut().filter(|(object, _)| object.kind != AchievementObject::Company) {
        // Equal values share the better rank.
        let list = &values[&(row.org_id, row.object_type, row.metric)];
        row.rank = list.iter().position(|value| *value == row.actual).map(|place| place as i64 + 1);
    }
    rows
}

/// How much of a target was reached, in basis points.
pub fn rate_bp(actual: i64, target: Option<i64>) -> Option<i64> {
    let target = target.filter(|target| *target > 0)?;
    Some((i128::from(actual) * 10_000 / i128::from(target)) as i64)
}

fn is_matched(object: &Object, row: &AchievementRow, filters: &AchievementFilters) -> bool {
    filters.object_type.is_none_or(|kind| kind == row.object_type)
        && filters.object_id.is_none_or(|id| id == row.object_id)
        && filters.metric.is_none_or(|metric| metric == row.metric)
        && filters.sub_org_id.is_none_or(|team| object.sub_org_id == Some(team))
        && !(filters.only_present && object.is_gone)
}

/// Puts rows into an order; rows of one metric stay together, because values of different metrics do not compare.
pub fn sort(rows: &mut [AchievementRow], sort: Sort) {
    let place =
        |row: &AchievementRow| (row.org_name.clone(), row.org_id, row.object_type, row.object_name.clone(), row.object_id, row.metric);
    rows.sort_by_cached_key(place);
    if sort.column == "objectName" {
        if sort.descending {
            rows.reverse();
        }
        return;
    }
    let value = |row: &AchievementRow| match sort.column {
        "target" => row.target,
        "rateBp" => row.rate_bp,
        "rank" => row.rank,
        "lastActual" => Some(row.last_actual),
        "change" => Some(row.change),
        _ => Some(row.actual),
    };
    rows.sort_by(|one, other| {
        let (first, second) = (value(one), value(other));
        let values = if sort.descending { second.cmp(&first) } else { first.cmp(&second) };
        // Rows without a value come last.
        one.metric.cmp(&other.metric).then(first.is_none().cmp(&second.is_none())).then(values)
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_whole_basis_points_of_a_target_above_nothing() {
        assert_eq!((rate_bp(1, Some(3)), rate_bp(5, Some(0)), rate_bp(5, None)), (Some(3333), None, None));
        assert_eq!(rate_bp(-50, Some(100)), Some(-5000));
        assert_eq!(rate_bp(i64::MAX / 2, Some(i64::MAX / 2)), Some(10_000));
    }
}
