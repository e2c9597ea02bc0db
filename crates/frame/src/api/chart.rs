//! Charts of the areas: figures with their names, in the viewer's language, over some days. The front end decides how
//! they are drawn.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::Row;

use super::ctx::Ctx;
use super::error::ApiError;
use super::list::lenient_integer;
use base::canonical;
use base::clock::{self, DAY, HOUR};
use base::db::Sql;

/// Shanghai's midnight is this much before UTC's.
const OFFSET: i64 = 8 * HOUR;
/// The default number of days.
const DEFAULT_DAYS: i64 = 30;
/// The most days of one chart.
const MOST_DAYS: i64 = 366;

/// How a chart is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum ChartKind {
    /// Over days, each series by itself.
    Line,
    /// Over days, the series on top of each other.
    Stack,
    /// Parts of a whole.
    Share,
    /// By size.
    Rank,
}

/// A chart: one value a label in each series.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Chart {
    /// Short name, also of its file.
    pub id: &'static str,
    pub title: String,
    pub kind: ChartKind,
    /// The kind of the labels: days, types, …
    pub axis: String,
    pub labels: Vec<String>,
    pub series: Vec<Series>,
    /// The colours of the labels' tags, one for each label; empty: the chart's own.
    pub colors: Vec<&'static str>,
}

/// Values by label.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts")]
pub struct Series {
    pub name: String,
    pub values: Vec<i64>,
}

/// Some whole Shanghai days.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Days {
    /// The beginning of the first day, epoch milliseconds.
    pub from: i64,
    /// The end of the last day, epoch milliseconds, not included.
    pub to: i64,
}

/// The days of a chart: the last so many, or from one day to another.
#[derive(Clone, Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct DaysQuery {
    /// So many days up to today.
    #[serde(deserialize_with = "lenient_integer")]
    pub days: Option<i64>,
    /// `YYYY-MM-DD`; used only together with `to`.
    pub from: Option<String>,
    /// `YYYY-MM-DD`, included.
    pub to: Option<String>,
}

impl DaysQuery {
    /// The days of the query; invalid ones are malformed.
    pub fn read(&self, now: i64) -> Result<Days, ApiError> {
        let day = |text: &Option<String>| match text.as_deref().filter(|text| !text.is_empty()) {
            None => Ok(None),
            Some(text) => canonical::day(text).map(Some).ok_or_else(|| ApiError::Malformed("a day is YYYY-MM-DD".to_owned())),
        };
        let today = clock::day_start(&clock::day(now).to_string()).unwrap_or(now);
        let days = match (day(&self.from)?, day(&self.to)?) {
            (Some(from), Some(to)) => Days { from, to: to + DAY },
            _ => {
                let days = self.days.unwrap_or(DEFAULT_DAYS);
                Days { from: today - (days.clamp(0, MOST_DAYS + 1) - 1) * DAY, to: today + DAY }
            }
        };
        match (days.to - days.from) / DAY {
            1..=MOST_DAYS => Ok(days),
            _ => Err(ApiError::Malformed(format!("1 to {MOST_DAYS} days"))),
        }
    }
}

impl Days {
    /// The number of the day of a log's `l.at`, in SQL.
    pub const DAY_OF: &'static str = "(l.at + 28800000) / 86400000";

    /// Numbers of the days, as [`Self::DAY_OF`] makes them.
    pub fn numbers(self) -> impl Iterator<Item = i64> {
        ((self.from + OFFSET) / DAY)..((self.to + OFFSET) / DAY)
    }

    /// The days as `YYYY-MM-DD`.
    pub fn labels(self) -> Vec<String> {
        self.numbers().map(|number| clock::day(number * DAY - OFFSET).to_string()).collect()
    }

    /// One value per day of each named series, from rows of day, code and count. Codes without a name are left out.
    pub fn series(self, names: &[(&str, String)], rows: &[(i64, String, i64)]) -> Vec<Series> {
        let of = |code: &str, day: i64| rows.iter().filter(|row| row.0 == day && row.1 == code).map(|row| row.2).sum();
        names.iter().map(|(code, name)| Series { name: name.clone(), values: self.numbers().map(|day| of(code, day)).collect() }).collect()
    }
}

impl Chart {
    /// A chart of one series, one value per label.
    pub fn of_counts(id: &'static str, kind: ChartKind, title: String, axis: String, counts: Vec<(String, i64)>) -> Chart {
        let (labels, values) = counts.into_iter().unzip();
        Chart { id, series: vec![Series { name: title.clone(), values }], title, kind, axis, labels, colors: Vec::new() }
    }

    /// The same chart with a colour for each label.
    pub fn colored(self, colors: Vec<&'static str>) -> Chart {
        Chart { colors, ..self }
    }
}

/// Rows of `day`, `code` and `entries`.
pub async fn by_day(cx: &Arc<Ctx>, sql: Sql) -> Result<Vec<(i64, String, i64)>, ApiError> {
    let rows = sql.fetch_all(cx.db().read()).await?;
    let rows = rows.iter().map(|row| Ok((row.try_get("day")?, row.try_get("code")?, row.try_get("entries")?)));
    Ok(rows.collect::<Result<_, sqlx::Error>>()?)
}

/// Rows of `code` and `entries`.
pub async fn by_code(cx: &Arc<Ctx>, sql: Sql) -> Result<Vec<(String, i64)>, ApiError> {
    let rows = sql.fetch_all(cx.db().read()).await?;
    Ok(rows.iter().map(|row| Ok((row.try_get("code")?, row.try_get("entries")?))).collect::<Result<_, sqlx::Error>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: i64 = 1_767_240_000_000; // 2026-01-01 12:00 in Shanghai

    fn query(days: Option<i64>, from: &str, to: &str) -> DaysQuery {
        DaysQuery { days, from: Some(from.to_owned()), to: Some(to.to_owned()) }
    }

    #[test]
    fn days_are_whole_and_end_today() {
        let days = query(Some(7), "", "").read(NOON).unwrap();
        assert_eq!(days.labels(), (26..=31).map(|day| format!("2025-12-{day}")).chain(["2026-01-01".to_owned()]).collect::<Vec<_>>());
        assert_eq!(DaysQuery::default().read(NOON).unwrap().labels().len(), 30);
        assert_eq!(query(Some(7), "2026-02-27", "2026-03-01").read(NOON).unwrap().labels(), ["2026-02-27", "2026-02-28", "2026-03-01"]);
        assert_eq!(query(Some(7), "2026-02-27", "").read(NOON).unwrap(), days, "half a range is none");
    }

    #[test]
    fn nonsense_is_malformed() {
        for bad in [
            query(Some(0), "", ""),
            query(Some(i64::MAX), "", ""),
            query(None, "yesterday", "2026-01-01"),
            query(None, "2026-01-02", "2026-01-01"),
        ] {
            assert!(bad.read(NOON).is_err(), "{bad:?}");
        }
        assert!(query(None, "2020-01-01", "2026-01-01").read(NOON).is_err(), "too many days");
    }

    #[test]
    fn a_value_stands_at_its_day() {
        let days = query(None, "2026-01-01", "2026-01-03").read(NOON).unwrap();
        let first = days.numbers().next().unwrap();
        let rows = [(first, "ok".to_owned(), 2), (first + 2, "ok".to_owned(), 5), (first + 1, "odd".to_owned(), 9)];
        let series = days.series(&[("ok", "Signed in".to_owned()), ("wrong", "Refused".to_owned())], &rows);
        assert_eq!(series.iter().map(|series| series.values.clone()).collect::<Vec<_>>(), [vec![2, 0, 5], vec![0, 0, 0]]);
    }
}
