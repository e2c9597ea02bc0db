//! Who is behind: what people, teams and organisations reached in a month, compared with the part of their targets that
//! is due by today.

use std::cmp::Reverse;

use serde::Serialize;

use super::model::{AchievementFilters, AchievementMetric, AchievementObject, AchievementRow};
use super::month::Month;
use super::rows;
use base::clock::{self, DAY};
use base::db::Db;
use frame::access::Scope;

/// The most people on the page of a day.
const MOST: usize = 50;
/// The most objects beside the achievements of a month.
const MOST_SHOWN: usize = 200;

/// What was reached of a metric: fen, or numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaceFigure {
    pub metric: AchievementMetric,
    /// None without a target above 0.
    pub target: Option<i64>,
    /// The part of the target that is due by the end of today, each day of the month being equal.
    pub due: Option<i64>,
    pub actual: i64,
}

/// What an object reached in a month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ObjectPace {
    pub object_type: AchievementObject,
    pub id: i64,
    pub name: String,
    pub org_name: String,
    /// The team of a person.
    pub sub_org_name: Option<String>,
    pub figures: Vec<PaceFigure>,
    /// How much of what is due is missing: the mean of the metrics with a target, in basis points. None without targets.
    pub behind_bp: Option<i64>,
}

/// The people within a scope who have targets of this month, those who are furthest behind first; with the metrics that
/// they have targets for.
pub async fn paces(db: &Db, scope: Scope, now: i64) -> Result<Vec<ObjectPace>, sqlx::Error> {
    let month = Month::of(now);
    let filters = AchievementFilters {
        month: Some(month.to_string()),
        object_type: Some(AchievementObject::Person),
        only_present: true,
        ..AchievementFilters::default()
    };
    let rows = rows::matching(db, scope, &filters).await?;
    let mut people = of_objects(rows, days(month, now));
    people.retain(|person| person.behind_bp.is_some());
    for person in &mut people {
        person.figures.retain(|figure| figure.target.is_some());
    }
    people.truncate(MOST);
    Ok(people)
}

/// The objects of the rows of a month, those who are furthest behind first.
pub(super) fn of_month(rows: Vec<AchievementRow>, month: Month, now: i64) -> Vec<ObjectPace> {
    let mut objects = of_objects(rows, days(month, now));
    objects.truncate(MOST_SHOWN);
    objects
}

/// How many days of a month have begun, and how many it has.
fn days(month: Month, now: i64) -> (i64, i64) {
    let end_of_today = clock::start(clock::day(now)) + DAY;
    let days = (month.end() - month.start()) / DAY;
    (((end_of_today - month.start()) / DAY).clamp(0, days), days)
}

/// The objects of some rows after so many of the days of the month.
fn of_objects(mut rows: Vec<AchievementRow>, (passed, days): (i64, i64)) -> Vec<ObjectPace> {
    rows.sort_by_key(|row| (row.object_type, row.object_id, row.metric));
    let mut objects: Vec<ObjectPace> = Vec::new();
    for row in rows {
        let target = row.target.filter(|target| *target > 0);
        let due = target.map(|target| (i128::from(target) * i128::from(passed) / i128::from(days)) as i64);
        let figure = PaceFigure { metric: row.metric, target, due, actual: row.actual };
        match objects.last_mut() {
            Some(object) if (object.object_type, object.id) == (row.object_type, row.object_id) => object.figures.push(figure),
            _ => objects.push(ObjectPace {
                object_type: row.object_type,
                id: row.object_id,
                name: row.object_name,
                org_name: row.org_name,
                sub_org_name: row.sub_org_name,
                figures: vec![figure],
                behind_bp: None,
            }),
        }
    }
    for object in &mut objects {
        let missing: Vec<i64> = object.figures.iter().filter_map(missing_bp).collect();
        object.behind_bp = (!missing.is_empty()).then(|| missing.iter().sum::<i64>() / missing.len() as i64);
    }
    // Those without targets come last.
    objects.sort_by_key(|object| (Reverse(object.behind_bp), object.id));
    objects
}

/// How much of what is due of a metric is missing, in basis points; none without a target.
fn missing_bp(figure: &PaceFigure) -> Option<i64> {
    let due = figure.due?;
    if due <= 0 || figure.actual >= due {
        return Some(0);
    }
    let missing = i128::from(due) - i128::from(figure.actual.max(0));
    Some((missing * 10_000 / i128::from(due)) as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(object_id: i64, metric: AchievementMetric, target: Option<i64>, actual: i64) -> AchievementRow {
        AchievementRow {
            id: object_id * 10 + metric.index() as i64,
            month: "2026-11".to_owned(),
            org_id: 1,
            org_name: String::new(),
            object_type: AchievementObject::Person,
            object_id,
            object_name: format!("p{object_id}"),
            sub_org_id: None,
            sub_org_name: None,
            metric,
            target,
            actual,
            rate_bp: None,
            rank: None,
            last_actual: 0,
            change: 0,
        }
    }

    #[test]
    fn the_furthest_behind_come_first() {
        let rows = vec![
            row(1, AchievementMetric::Signed, Some(30), 27),
            row(2, AchievementMetric::Signed, Some(30), 9),
            row(2, AchievementMetric::Visits, Some(60), 54),
            row(3, AchievementMetric::Signed, None, 0),
            row(4, AchievementMetric::LoanAmount, Some(3_000), -5),
        ];
        // On the 27th of 30 days.
        let people = of_objects(rows, (27, 30));
        let shown: Vec<(i64, Option<i64>)> = people.iter().map(|person| (person.id, person.behind_bp)).collect();
        // Of 27 signed contracts 18 are missing, and no visit: a third on the average.
        assert_eq!(shown, [(4, Some(10_000)), (2, Some(3_333)), (1, Some(0)), (3, None)], "people without targets come last");
        assert_eq!(people[1].figures[0], PaceFigure { metric: AchievementMetric::Signed, target: Some(30), due: Some(27), actual: 9 });
    }

    #[test]
    fn nothing_is_due_of_a_target_below_one_a_day() {
        assert_eq!(of_objects(vec![row(1, AchievementMetric::Signed, Some(2), 0)], (1, 30))[0].behind_bp, Some(0));
    }

    #[test]
    fn all_of_a_past_month_is_due_and_nothing_of_a_later_one() {
        let month = Month::read("2026-11").unwrap();
        assert_eq!((days(month, month.end() + DAY), days(month, month.start() - DAY)), ((30, 30), (0, 30)));
        assert_eq!(days(month, month.start()), (1, 30));
    }
}
