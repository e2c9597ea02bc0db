//! Who is behind: what salespeople reached this month, compared with the part of their targets that is due by today.

use serde::Serialize;

use super::model::{AchievementFilters, AchievementMetric, AchievementObject, AchievementRow};
use super::month::Month;
use super::rows;
use base::clock::{self, DAY};
use base::db::Db;
use frame::access::Scope;

/// The most people.
const MOST: usize = 50;

/// A metric of a person who has a target for it: fen, or numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PaceFigure {
    pub metric: AchievementMetric,
    pub target: i64,
    /// The part of the target that is due by the end of today, each day of the month being equal.
    pub due: i64,
    pub actual: i64,
}

/// A person with targets of this month.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PersonPace {
    pub id: i64,
    pub name: String,
    pub sub_org_name: Option<String>,
    pub figures: Vec<PaceFigure>,
    /// How much of what is due is missing: the mean of the metrics, in basis points.
    pub behind_bp: i64,
}

/// The people within a scope who have targets of this month, those who are furthest behind first.
pub async fn paces(db: &Db, scope: Scope, now: i64) -> Result<Vec<PersonPace>, sqlx::Error> {
    let month = Month::of(now);
    let filters = AchievementFilters {
        month: Some(month.to_string()),
        object_type: Some(AchievementObject::Person),
        only_present: true,
        ..AchievementFilters::default()
    };
    let rows = rows::matching(db, scope, &filters).await?;
    let end_of_today = clock::start(clock::day(now)) + DAY;
    Ok(of_people(rows, (end_of_today - month.start()) / DAY, (month.end() - month.start()) / DAY))
}

/// The people of some rows after so many of the days of the month.
fn of_people(mut rows: Vec<AchievementRow>, passed: i64, days: i64) -> Vec<PersonPace> {
    rows.sort_by_key(|row| (row.object_id, row.metric));
    let mut people: Vec<PersonPace> = Vec::new();
    for row in rows {
        let Some(target) = row.target.filter(|target| *target > 0) else { continue };
        let due = (i128::from(target) * i128::from(passed) / i128::from(days)) as i64;
        let figure = PaceFigure { metric: row.metric, target, due, actual: row.actual };
        match people.last_mut() {
            Some(person) if person.id == row.object_id => person.figures.push(figure),
            _ => people.push(PersonPace {
                id: row.object_id,
                name: row.object_name,
                sub_org_name: row.sub_org_name,
                figures: vec![figure],
                behind_bp: 0,
            }),
        }
    }
    for person in &mut people {
        let missing = person.figures.iter().map(missing_bp).sum::<i64>();
        person.behind_bp = missing / person.figures.len() as i64;
    }
    people.sort_by_key(|person| (-person.behind_bp, person.id));
    people.truncate(MOST);
    people
}

/// How much of what is due of a metric is missing, in basis points.
fn missing_bp(figure: &PaceFigure) -> i64 {
    if figure.due <= 0 || figure.actual >= figure.due {
        return 0;
    }
    let missing = i128::from(figure.due) - i128::from(figure.actual.max(0));
    (missing * 10_000 / i128::from(figure.due)) as i64
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
        let people = of_people(rows, 27, 30);
        let shown: Vec<(i64, i64)> = people.iter().map(|person| (person.id, person.behind_bp)).collect();
        // Of 27 signed contracts 18 are missing, and no visit: a third on the average.
        assert_eq!(shown, [(4, 10_000), (2, 3_333), (1, 0)], "people without targets are left out");
        assert_eq!(people[1].figures[0], PaceFigure { metric: AchievementMetric::Signed, target: 30, due: 27, actual: 9 });
    }

    #[test]
    fn nothing_is_due_of_a_target_below_one_a_day() {
        assert_eq!(of_people(vec![row(1, AchievementMetric::Signed, Some(2), 0)], 1, 30)[0].behind_bp, 0);
    }
}
