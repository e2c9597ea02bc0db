//! The rows of a screen: sums of its days, compared, sorted and added up.

use std::collections::{HashMap, HashSet};

use jiff::{Span, ToSpan};
use serde_json::{Map, Value};

use super::figure::{Shown, StatValues, columns_of};
use super::model::{ReturnsBy, StatFilters, StatRange, StatRow};
use super::screen::Screen;
use base::clock::{self, DAY};
use base::db::Db;
use base::db::page::{Page, Sort};
use frame::access::Scope;
use frame::api::{ApiError, ListQuery, say};
use trade::visit::{By, Figures, Part, Sum, SumsQuery, System, sums};

/// The most days of a range: two years.
const MOST_DAYS: i64 = 731;

/// A range of whole days, as epoch milliseconds of their beginnings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Range {
    pub first: i64,
    pub last: i64,
}

impl Range {
    /// `YYYY-MM-DD` of both ends.
    pub fn texts(self) -> (String, String) {
        (clock::day(self.first).to_string(), clock::day(self.last).to_string())
    }
}

/// The days of a screen, whole months for a screen by month, and the days for comparison.
pub fn ranges<S: Screen>(filters: &StatFilters, now: i64) -> Result<(Range, Option<Range>), ApiError> {
    let today = clock::day(now);
    let range = match range("dayTo", &filters.day_from, &filters.day_to)?.or_else(|| filters.range.map(|range| moving(range, now))) {
        Some(range) => range,
        None => Range { first: clock::start(today.saturating_sub(default_span(S::PART))), last: clock::start(today) },
    };
    match S::PART {
        Part::Whole => Ok((range, self::range("againstTo", &filters.against_from, &filters.against_to)?)),
        Part::Day => Ok((range, None)),
        Part::Month => {
            let (first, last) = (clock::day(range.first).first_of_month(), clock::day(range.last).last_of_month());
            Ok((Range { first: clock::start(first), last: clock::start(last) }, None))
        }
    }
}

/// The first and the last day of a stored query for a screen at a moment.
pub fn days_asked<S: Screen>(query: &Map<String, Value>, now: i64) -> Result<(String, String), ApiError> {
    let read = ListQuery::<StatFilters>::from_fields(query.clone())?;
    Ok(ranges::<S>(&read.filters, now)?.0.texts())
}

/// The days of a range that moves with today.
fn moving(range: StatRange, now: i64) -> Range {
    let today = clock::day(now);
    let (first, last) = match range {
        StatRange::Today => (today, today),
        StatRange::Yesterday => (today.saturating_sub(1.day()), today.saturating_sub(1.day())),
        StatRange::Week => (today.saturating_sub(6.days()), today),
        StatRange::Days30 => (today.saturating_sub(29.days()), today),
        StatRange::Month => (today.first_of_month(), today),
        StatRange::LastMonth => {
            let last = today.first_of_month().saturating_sub(1.day());
            (last.first_of_month(), last)
        }
    };
    Range { first: clock::start(first), last: clock::start(last) }
}

/// How long before today a screen begins by default.
fn default_span(part: Part) -> Span {
    match part {
        Part::Whole => 6.days(),
        Part::Day => 29.days(),
        Part::Month => 5.months(),
    }
}

/// Reads a range; a missing end is the other one.
fn range(field: &'static str, from: &Option<String>, to: &Option<String>) -> Result<Option<Range>, ApiError> {
    let start = |day: &Option<String>| day.as_deref().and_then(clock::day_start);
    let (first, last) = match (start(from), start(to)) {
        (None, None) => return Ok(None),
        (Some(first), None) => (first, first),
        (None, Some(last)) => (last, last),
        (Some(first), Some(last)) => (first, last),
    };
    if first > last {
        return Err(ApiError::field(field, say("结束日期不能早于开始日期", "The last day must not be before the first")));
    }
    if (last - first) / DAY >= MOST_DAYS {
        return Err(ApiError::field(field, say("最多查询两年", "At most two years")));
    }
    Ok(Some(Range { first, last }))
}

/// A page of the rows of a screen in an order, their number, and the sum of all of them.
pub async fn page<S: Screen>(
    db: &Db,
    scope: Scope,
    query: &ListQuery<StatFilters>,
    ranges: (Range, Option<Range>),
) -> Result<Page<StatRow>, sqlx::Error> {
    if S::BY != By::Subject {
        let (all, totals) = matching::<S>(db, scope, &query.filters, ranges).await?;
        let page = Page::cut(sorted(&all, query.sort), query.current, query.page_size, None);
        let list = page.list.iter().copied().cloned().collect();
        return Ok(Page { totals: Some(totals), ..page.with(list) });
    }
    let (all, totals) = tokio::try_join!(keys::<S>(db, scope, query, ranges), totals::<S>(db, scope, &query.filters, ranges))?;
    let page = Page::cut(sorted(&all, query.sort), query.current, query.page_size, None);
    // The rows of the page are read with all figures.
    let mut ids: Vec<i64> = page.list.iter().map(|row| row.subject_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let read = Read { subject_ids: Some(&ids), ..Read::of::<S>() };
    let ranges = (parts_of(S::PART, &page.list, ranges.0), ranges.1);
    let (rows, _) = matching_of::<S>(db, scope, &query.filters, ranges, read, None).await?;
    let whole: HashMap<(&str, i64), &StatRow> = rows.iter().map(|row| ((row.part.as_str(), row.subject_id), row)).collect();
    let list = page
        .list
        .iter()
        .map(|row| {
            whole
                .get(&(row.part.as_str(), row.subject_id))
                .map_or_else(|| (*row).clone(), |whole| StatRow { id: row.id, ..(*whole).clone() })
        })
        .collect();
    Ok(Page { totals: Some(totals), ..page.with(list) })
}

/// The days of some rows: from the first part to the last one, within a range.
fn parts_of(kind: Part, rows: &[&StatRow], range: Range) -> Range {
    let parts = rows.iter().map(|row| row.part.as_str());
    let (Some(first), Some(last)) = (parts.clone().min(), parts.max()) else { return range };
    let (first, _) = days_of(kind, first, range);
    let (_, last) = days_of(kind, last, range);
    match (clock::day_start(&first), clock::day_start(&last)) {
        (Some(first), Some(last)) => Range { first: first.max(range.first), last: last.min(range.last) },
        _ => range,
    }
}

/// The rows of a screen by subject, only with the figure by which they are sorted.
async fn keys<S: Screen>(
    db: &Db,
    scope: Scope,
    query: &ListQuery<StatFilters>,
    (range, against): (Range, Option<Range>),
) -> Result<Vec<StatRow>, sqlx::Error> {
    // Rows of all days have no part and are sorted by sales, see [`sorted`].
    let column = if query.sort.column == "part" { "sales" } else { query.sort.column };
    let columns = columns_of(column);
    // If returns count by the day of the decision, figures use other columns, so all are read.
    let columns = (query.filters.returns_by != Some(ReturnsBy::Decision)).then_some(columns);
    let read = Read { columns, names: matches!(query.sort.column, "part" | "subjectName"), ..Read::of::<S>() };
    let mut now = added_up::<S>(db, scope, &query.filters, range, read).await?;
    if let Some(against) = against {
        let earlier = added_up::<S>(db, scope, &query.filters, against, Read { columns: Some(&[]), ..read }).await?;
        add_missing(&mut now, &earlier);
    }
    let shown = Shown::of(&[column]);
    let days = (String::new(), String::new());
    Ok(now.iter().enumerate().map(|(index, sum)| row(index as i64 + 1, sum, days.clone(), (sum.figures, None, None), &shown)).collect())
}

/// The sum of all rows of a screen.
async fn totals<S: Screen>(
    db: &Db,
    scope: Scope,
    filters: &StatFilters,
    (range, against): (Range, Option<Range>),
) -> Result<StatRow, sqlx::Error> {
    let read = Read { by: By::All, part: Part::Whole, ..Read::of::<S>() };
    let sum = async |range: Range| -> Result<Figures, sqlx::Error> {
        Ok(added_up::<S>(db, scope, filters, range, read).await?.first().map(|sum| sum.figures).unwrap_or_default())
    };
    let figures = sum(range).await?;
    let before = match against {
        Some(against) => Some(sum(against).await?),
        None => None,
    };
    Ok(row(0, &sum_of_all(String::new(), figures), range.texts(), (figures, before, None), &Shown::of(&S::figures(scope))))
}

/// The rows of a screen, in no order, and their sum.
pub async fn matching<S: Screen>(
    db: &Db,
    scope: Scope,
    filters: &StatFilters,
    ranges: (Range, Option<Range>),
) -> Result<(Vec<StatRow>, StatRow), sqlx::Error> {
    matching_of::<S>(db, scope, filters, ranges, Read::of::<S>(), None).await
}

/// [`matching`] with only some figures, by their keys; the others are none.
pub async fn figures<S: Screen>(
    db: &Db,
    scope: Scope,
    filters: &StatFilters,
    ranges: (Range, Option<Range>),
    keys: &[&str],
) -> Result<(Vec<StatRow>, StatRow), sqlx::Error> {
    let columns: Vec<&str> = keys.iter().flat_map(|key| columns_of(key)).copied().collect();
    matching_of::<S>(db, scope, filters, ranges, Read { columns: Some(&columns), ..Read::of::<S>() }, Some(keys)).await
}

/// [`matching`] for the data that `how` selects.
async fn matching_of<S: Screen>(
    db: &Db,
    scope: Scope,
    filters: &StatFilters,
    (range, against): (Range, Option<Range>),
    how: Read<'_>,
    keys: Option<&[&str]>,
) -> Result<(Vec<StatRow>, StatRow), sqlx::Error> {
    let visible = S::figures(scope);
    let shown = Shown::of(&visible.into_iter().filter(|key| keys.is_none_or(|keys| keys.contains(key))).collect::<Vec<_>>());
    // Reads one more week by day, and one more month by month, for the comparison.
    let read = match S::PART {
        Part::Whole => range,
        Part::Day => Range { first: range.first - 7 * DAY, ..range },
        Part::Month => Range { first: clock::start(clock::day(range.first - DAY).first_of_month()), ..range },
    };
    let (mut now, earlier) = match against {
        Some(against) => {
            let (now, earlier) =
                tokio::try_join!(added_up::<S>(db, scope, filters, read, how), added_up::<S>(db, scope, filters, against, how))?;
            (now, Some(earlier))
        }
        None => (added_up::<S>(db, scope, filters, read, how).await?, None),
    };
    if S::PART == Part::Day {
        fill_days(&mut now, range);
    }
    if let Some(earlier) = &earlier {
        add_missing(&mut now, earlier);
    }
    let (first, last) = range.texts();
    let length = if S::PART == Part::Month { 7 } else { 10 };
    let is_asked = |part: &str| S::PART == Part::Whole || (part >= &first[..length] && part <= &last[..length]);
    let all = by_key(&now);
    let compared = earlier.as_deref().map(by_key);
    let mut stretches: HashMap<&str, Stretch> = HashMap::new();
    let mut total = Figures::default();
    let mut total_before = Figures::default();
    let mut rows = Vec::new();
    for sum in now.iter().filter(|sum| is_asked(&sum.part)) {
        let stretch = stretches.entry(&sum.part).or_insert_with(|| Stretch::of(S::PART, &sum.part, range));
        let at = |part: &str| all.get(&Key { part, ..key(sum) }).copied().unwrap_or_default();
        let before = match &compared {
            Some(compared) => Some(compared.get(&key(sum)).copied().unwrap_or_default()),
            None => stretch.before.as_deref().map(at),
        };
        let week = stretch.week.as_deref().map(at);
        total.add(sum.figures);
        total_before.add(before.unwrap_or_default());
        rows.push(row(rows.len() as i64 + 1, sum, stretch.days.clone(), (sum.figures, before, week), &shown));
    }
    let whole = sum_of_all(String::new(), total);
    let before = against.is_some().then_some(total_before);
    Ok((rows, row(0, &whole, (first, last), (total, before, None), &shown)))
}

/// Figures by the unique keys of their sums.
fn by_key(sums: &[Sum]) -> HashMap<Key<'_>, Figures> {
    sums.iter().map(|sum| (key(sum), sum.figures)).collect()
}

/// Adds sums of 0 for keys that only the other range has.
fn add_missing(now: &mut Vec<Sum>, earlier: &[Sum]) {
    let known: HashSet<Key<'_>> = now.iter().map(key).collect();
    let missing: Vec<Sum> =
        earlier.iter().filter(|sum| !known.contains(&key(sum))).map(|sum| Sum { figures: Figures::default(), ..sum.clone() }).collect();
    drop(known);
    now.extend(missing);
}

/// The common data of the rows of a part.
struct Stretch {
    /// Its first and its last day.
    days: (String, String),
    /// The day or the month before.
    before: Option<String>,
    /// The same day of the week before.
    week: Option<String>,
}

impl Stretch {
    fn of(kind: Part, part: &str, range: Range) -> Stretch {
        let (before, week) = match kind {
            Part::Whole => (None, None),
            Part::Day => (Some(day_before(part, 1)), Some(day_before(part, 7))),
            Part::Month => (Some(month_before(part)), None),
        };
        Stretch { days: days_of(kind, part, range), before, week }
    }
}

/// The row of a sum: its figures, those of the range before, and those of a week before.
fn row(
    id: i64,
    sum: &Sum,
    (first_day, last_day): (String, String),
    (figures, before, week): (Figures, Option<Figures>, Option<Figures>),
    shown: &Shown,
) -> StatRow {
    let values = |figures: Figures| StatValues::of(&figures, shown);
    StatRow {
        id,
        part: sum.part.clone(),
        first_day,
        last_day,
        subject_id: sum.subject_id,
        subject_code: sum.subject_code.clone(),
        subject_name: sum.subject_name.clone(),
        system: sum.system,
        star: sum.star,
        values: values(figures),
        before: before.map(values),
        week: week.map(values),
    }
}

/// The first and the last day of a part; for all days, those of the range.
fn days_of(kind: Part, part: &str, range: Range) -> (String, String) {
    match kind {
        Part::Whole => range.texts(),
        Part::Day => (part.to_owned(), part.to_owned()),
        Part::Month => {
            let first = format!("{part}-01");
            let last = clock::day_start(&first).map_or(String::new(), |start| clock::day(start).last_of_month().to_string());
            (first, last)
        }
    }
}

/// The unique key of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key<'s> {
    part: &'s str,
    subject_id: i64,
    system: Option<System>,
    star: Option<i64>,
}

fn key(sum: &Sum) -> Key<'_> {
    Key { part: &sum.part, subject_id: sum.subject_id, system: sum.system, star: sum.star }
}

/// Which sums are read, and how they are grouped.
#[derive(Clone, Copy)]
struct Read<'r> {
    by: By,
    part: Part,
    subject_ids: Option<&'r [i64]>,
    columns: Option<&'r [&'static str]>,
    names: bool,
}

impl Read<'_> {
    /// All figures of a screen.
    fn of<S: Screen>() -> Self {
        Read { by: S::BY, part: S::PART, subject_ids: None, columns: None, names: true }
    }
}

async fn added_up<S: Screen>(db: &Db, scope: Scope, filters: &StatFilters, range: Range, read: Read<'_>) -> Result<Vec<Sum>, sqlx::Error> {
    let (from, to) = range.texts();
    let subjects = S::subjects(scope);
    let of_channels = subjects.kind == "channel" && S::BY != By::Star;
    let query = SumsQuery {
        subjects,
        by: read.by,
        part: read.part,
        subject_ids: read.subject_ids,
        columns: read.columns,
        names: read.names,
        from: &from,
        to: &to,
        // The channel is the subject on screens by channel, and a filter on others.
        subject_id: filters.subject_id.or(filters.channel_id.filter(|_| of_channels)),
        channel_id: filters.channel_id.filter(|_| !of_channels),
        system: filters.system,
        org_id: filters.org_id.filter(|_| !of_channels),
        scope,
    };
    let mut sums = sums(db, &query).await?;
    if filters.returns_by == Some(ReturnsBy::Decision) {
        for sum in &mut sums {
            sum.figures = sum.figures.by_decision();
        }
    }
    Ok(sums)
}

/// Adds the days without figures, so that each day of a range has a row.
fn fill_days(sums: &mut Vec<Sum>, range: Range) {
    let known: HashSet<String> = sums.iter().map(|sum| sum.part.clone()).collect();
    let mut at = range.first;
    while at <= range.last {
        let day = clock::day(at).to_string();
        if !known.contains(&day) {
            sums.push(sum_of_all(day, Figures::default()));
        }
        at += DAY;
    }
}

/// The sum of all subjects in a part.
fn sum_of_all(part: String, figures: Figures) -> Sum {
    Sum { part, subject_id: 0, subject_code: String::new(), subject_name: String::new(), system: None, star: None, figures }
}

fn day_before(day: &str, days: i64) -> String {
    clock::day_start(day).map_or(String::new(), |start| clock::day(start - days * DAY).to_string())
}

fn month_before(month: &str) -> String {
    let first = clock::day_start(&format!("{month}-01"));
    first.map_or(String::new(), |first| clock::day(first - DAY).to_string()[..7].to_owned())
}

/// Rows in an order; those without a value come last, those with the same value by part and id. Rows of all days have
/// no part: they are sorted by sales. Rows are large, so references are sorted.
pub fn sorted(rows: &[StatRow], mut sort: Sort) -> Vec<&StatRow> {
    if sort.column == "part" && rows.iter().all(|row| row.part.is_empty()) {
        sort = Sort { column: "sales", descending: true, ..sort };
    }
    let mut sorted: Vec<&StatRow> = rows.iter().collect();
    let place = |row: &StatRow| (row.subject_id, row.system.map(<&str>::from), row.star);
    sorted.sort_by(|one, other| one.part.cmp(&other.part).then_with(|| place(one).cmp(&place(other))));
    match sort.column {
        "part" | "subjectName" | "star" => {
            match sort.column {
                "part" => sorted.sort_by_key(|row| (&row.part, &row.subject_name)),
                "subjectName" => sorted.sort_by_key(|row| (&row.subject_name, row.system.map(<&str>::from), &row.part)),
                _ => {}
            }
            if sort.descending {
                sorted.reverse();
            }
        }
        figure => sorted.sort_by_cached_key(|row| {
            let value = row.values.get(figure).map(i128::from);
            (value.is_none(), value.map(|value| if sort.descending { -value } else { value }))
        }),
    }
    sorted
}

#[cfg(test)]
mod tests {
    use super::super::screen::ChannelMonths;
    use super::*;

    #[test]
    fn a_range_is_read_bounded_and_in_order() {
        let text = |text: &str| Some(text.to_owned());
        let one = range("dayTo", &text("2026-03-01"), &None).unwrap().unwrap();
        assert_eq!(one.texts(), ("2026-03-01".to_owned(), "2026-03-01".to_owned()));
        assert_eq!(range("dayTo", &None, &None).unwrap(), None);
        assert!(range("dayTo", &text("2026-03-02"), &text("2026-03-01")).is_err());
        assert!(range("dayTo", &text("2016-03-02"), &text("2026-03-01")).is_err());
    }

    #[test]
    fn without_days_a_screen_by_month_has_six_months() {
        for today in ["2026-03-01", "2026-03-31", "2026-08-31"] {
            let now = clock::day_start(today).unwrap();
            let (range, _) = ranges::<ChannelMonths>(&StatFilters::default(), now).unwrap();
            let (first, last) = range.texts();
            let months = |text: &str| text[..4].parse::<i64>().unwrap() * 12 + text[5..7].parse::<i64>().unwrap();
            assert_eq!(months(&last) - months(&first), 5, "{today}: {first} to {last}");
        }
    }

    #[test]
    fn days_and_months_before() {
        assert_eq!((day_before("2026-03-01", 1), day_before("2026-03-01", 7)), ("2026-02-28".to_owned(), "2026-02-22".to_owned()));
        assert_eq!(month_before("2026-01"), "2025-12");
        let range = Range { first: clock::day_start("2026-02-03").unwrap(), last: clock::day_start("2026-02-04").unwrap() };
        let days = |kind, part: &str| days_of(kind, part, range);
        assert_eq!(days(Part::Whole, ""), ("2026-02-03".to_owned(), "2026-02-04".to_owned()));
        assert_eq!(days(Part::Month, "2026-02"), ("2026-02-01".to_owned(), "2026-02-28".to_owned()));
        assert_eq!(days(Part::Day, "2026-02-03"), ("2026-02-03".to_owned(), "2026-02-03".to_owned()));
    }
}
