//! Sums of the daily figures: of each subject, each system, each number of stars or of all, in total, by day or by
//! month.

use jiff::ToSpan;
use jiff::civil::Date;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::list::Subjects;
use super::model::{SubjectKind, System};
use super::stat::{COLUMNS, Figures, OF_VISITS};
use base::db::{self, Db, Sql};
use frame::access::Scope;

/// The rows of sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Subject,
    System,
    /// The stars of applicants.
    Star,
    /// All in one.
    All,
}

/// The units of time of sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Whole,
    Day,
    Month,
}

/// The query of sums.
#[derive(Clone)]
pub struct SumsQuery<'q> {
    pub subjects: Subjects,
    pub by: By,
    pub part: Part,
    /// `YYYY-MM-DD`, both included.
    pub from: &'q str,
    pub to: &'q str,
    pub subject_id: Option<i64>,
    /// Only these subjects.
    pub subject_ids: Option<&'q [i64]>,
    /// The columns of figures to read, all if not given; the others are 0.
    pub columns: Option<&'q [&'static str]>,
    /// Whether codes and names of subjects are read; otherwise they are empty.
    pub names: bool,
    /// Only results by this channel.
    pub channel_id: Option<i64>,
    pub system: Option<System>,
    pub org_id: Option<i64>,
    pub scope: Scope,
}

/// The sum of a subject or a system in a part.
#[derive(Clone, Debug)]
pub struct Sum {
    /// `YYYY-MM-DD`, `YYYY-MM`, or empty.
    pub part: String,
    /// 0 unless by subject.
    pub subject_id: i64,
    pub subject_code: String,
    pub subject_name: String,
    /// None unless by system.
    pub system: Option<System>,
    /// None unless by stars; [`super::UNRATED`] for applicants without.
    pub star: Option<i64>,
    pub figures: Figures,
}

/// Computes the sums of a query, in no order. Units and subjects without figures have no sum.
pub async fn sums(db: &Db, query: &SumsQuery<'_>) -> Result<Vec<Sum>, sqlx::Error> {
    let columns = columns(query);
    statement(query, &columns).fetch_all(db.read()).await?.iter().map(|row| read(row, &columns)).collect()
}

/// The positions of the columns to read, in the order of [`COLUMNS`].
fn columns(query: &SumsQuery<'_>) -> Vec<usize> {
    (0..COLUMNS.len()).filter(|index| query.columns.is_none_or(|wanted| wanted.contains(&COLUMNS[*index]))).collect()
}

fn statement(query: &SumsQuery<'_>, columns: &[usize]) -> Sql {
    let Subjects { joins, code, name, .. } = query.subjects;
    let stretches = stretches(query.part, query.from, query.to);
    let is_sum = !is_row_of_its_own(query, &stretches);
    let mut sql = Sql::new("SELECT s.part, s.subject_id, s.system, s.star, ");
    let named = query.by == By::Subject && query.names;
    match named {
        true => sql.push(code).push(" AS subject_code, ").push(name).push(" AS subject_name"),
        false => sql.push("'' AS subject_code, '' AS subject_name"),
    };
    for column in columns.iter().map(|index| COLUMNS[*index]) {
        sql.push(", s.").push(column);
    }
    sql.push(" FROM (");
    if is_sum {
        sql.push("SELECT s.part, s.subject_id, s.system, s.star");
        for column in columns.iter().map(|index| COLUMNS[*index]) {
            sql.push(", CAST(COALESCE(SUM(s.").push(column).push("), 0) AS BIGINT) AS ").push(column);
        }
        sql.push(" FROM (");
    }
    for (index, stretch) in stretches.iter().enumerate() {
        sql.push(if index == 0 { "" } else { " UNION ALL " });
        match query.by {
            By::Star => star_rows(&mut sql, query, stretch, columns),
            _ => subject_rows(&mut sql, query, stretch, columns),
        }
    }
    sql.push(if is_sum { ") s GROUP BY s.part, s.subject_id, s.system, s.star) s" } else { ") s" });
    if named {
        sql.push(" ").push(joins);
    }
    sql
}

/// Whether each row of the figures is already the sum of a subject in a unit. Summing costs PostgreSQL several times
/// as much as reading a row.
fn is_row_of_its_own(query: &SumsQuery<'_>, stretches: &[Stretch]) -> bool {
    let parts = matches!((query.part, stretches), (Part::Day, [Stretch::Days(..)]) | (Part::Month, [Stretch::Months(..)]));
    parts && (query.by == By::Subject || matches!(query.by, By::System | By::All) && (query.subject_id.is_some() || is_kept_of_all(query)))
}

/// Days or whole months of a range, both ends included.
#[derive(Debug, PartialEq, Eq)]
enum Stretch {
    Days(String, String),
    Months(String, String),
}

/// A range as whole months and the days around them: long ranges read few rows. By day it is only days.
fn stretches(part: Part, from: &str, to: &str) -> Vec<Stretch> {
    let all = || vec![Stretch::Days(from.to_owned(), to.to_owned())];
    let (Ok(first), Ok(last)) = (from.parse::<Date>(), to.parse::<Date>()) else { return all() };
    let ends_month = last == last.last_of_month();
    let first_month = if first == first.first_of_month() { first } else { first.last_of_month().saturating_add(1.day()) };
    let last_month_end = if ends_month { last } else { last.first_of_month().saturating_sub(1.day()) };
    if part == Part::Day || first_month > last_month_end {
        return all();
    }
    let month = |day: Date| day.to_string()[..7].to_owned();
    let mut all = Vec::new();
    if first < first_month {
        all.push(Stretch::Days(from.to_owned(), first_month.saturating_sub(1.day()).to_string()));
    }
    all.push(Stretch::Months(month(first_month), month(last_month_end)));
    if last_month_end < last {
        all.push(Stretch::Days(last_month_end.saturating_add(1.day()).to_string(), to.to_owned()));
    }
    all
}

/// The beginning of a row: its part.
fn select_part(sql: &mut Sql, part: Part, stretch: &Stretch) {
    sql.push("SELECT ").push(match (part, stretch) {
        (Part::Whole, _) => "CAST('' AS TEXT)",
        (Part::Day, _) => "s.day",
        (Part::Month, Stretch::Days(..)) => "SUBSTR(s.day, 1, 7)",
        (Part::Month, Stretch::Months(..)) => "s.month",
    });
    sql.push(" AS part");
}

/// The condition of a stretch.
fn within(sql: &mut Sql, stretch: &Stretch) {
    match stretch {
        Stretch::Days(from, to) => sql.push("s.day >= ").bind(from.clone()).push(" AND s.day <= ").bind(to.clone()),
        Stretch::Months(from, to) => sql.push("s.month >= ").bind(from.clone()).push(" AND s.month <= ").bind(to.clone()),
    };
}

/// The figures of each subject, of each system or of all.
fn subject_rows(sql: &mut Sql, query: &SumsQuery<'_>, stretch: &Stretch, columns: &[usize]) {
    let scope = query.subjects.scope;
    select_part(sql, query.part, stretch);
    sql.push(match query.by {
        By::Subject => ", s.subject_id, CAST('' AS TEXT) AS system",
        By::System => ", CAST(0 AS BIGINT) AS subject_id, s.system",
        By::Star | By::All => ", CAST(0 AS BIGINT) AS subject_id, CAST('' AS TEXT) AS system",
    });
    sql.push(", CAST(NULL AS BIGINT) AS star");
    for column in columns.iter().map(|index| COLUMNS[*index]) {
        sql.push(", s.").push(column);
    }
    sql.push(match stretch {
        Stretch::Days(..) => " FROM uv_stat_daily s WHERE ",
        Stretch::Months(..) => " FROM uv_stat_monthly s WHERE ",
    });
    within(sql, stretch);
    sql.push(" AND s.subject_type = ").bind(kind_of(query)).push(" AND s.channel_id = ").bind(query.channel_id.unwrap_or(0));
    match (query.system, query.by) {
        (Some(system), _) => sql.push(" AND s.system = ").bind(<&str>::from(system)),
        (None, By::System) => sql.push(" AND s.system <> ''"),
        (None, _) => sql.push(" AND s.system = ''"),
    };
    if let Some(ids) = query.subject_ids {
        sql.push(" AND s.subject_id IN ").ids(ids.iter().copied());
    }
    sql.and("s.subject_id = ", query.subject_id).and("s.org_id = ", query.org_id);
    query.scope.apply(sql, scope);
}

/// The kind of rows that a query reads: all channels, and all organisations, have rows of their own.
fn kind_of(query: &SumsQuery<'_>) -> &'static str {
    match query.subjects.kind {
        "channel" if is_kept_of_all(query) => SubjectKind::AllChannels.into(),
        "org" if is_kept_of_all(query) => SubjectKind::AllOrgs.into(),
        kind => kind,
    }
}

/// Whether a query is about all channels or all organisations, whose sums are stored.
fn is_kept_of_all(query: &SumsQuery<'_>) -> bool {
    let SumsQuery { subjects, by, subject_id, subject_ids, org_id, scope, .. } = query;
    let all =
        matches!(by, By::System | By::All) && subject_id.is_none() && subject_ids.is_none() && org_id.is_none() && *scope == Scope::All;
    all && matches!(subjects.kind, "channel" | "org")
}

/// The figures by stars, which are stored for each channel and organisation.
fn star_rows(sql: &mut Sql, query: &SumsQuery<'_>, stretch: &Stretch, columns: &[usize]) {
    select_part(sql, query.part, stretch);
    sql.push(", CAST(0 AS BIGINT) AS subject_id, CAST('' AS TEXT) AS system, s.star");
    for index in columns {
        sql.push(if *index < OF_VISITS { ", CAST(0 AS BIGINT) AS " } else { ", s." }).push(COLUMNS[*index]);
    }
    sql.push(match stretch {
        Stretch::Days(..) => " FROM star_stat_daily s WHERE ",
        Stretch::Months(..) => " FROM star_stat_monthly s WHERE ",
    });
    within(sql, stretch);
    match query.scope {
        Scope::All => {
            sql.push(" AND s.channel_id = ").bind(query.channel_id.unwrap_or(0));
            sql.push(" AND s.org_id = ").bind(query.org_id.unwrap_or(0));
        }
        // A manager's channels are added up.
        Scope::Own(id) => {
            sql.push(" AND s.channel_id IN (SELECT m.id FROM channel m WHERE m.owner_admin_id = ").bind(id).push(")");
            sql.and("s.channel_id = ", query.channel_id).push(" AND s.org_id = ").bind(query.org_id.unwrap_or(0));
            // Account managers see only their own organisations among the buyers.
            if let Some(org_id) = query.org_id {
                sql.push(" AND EXISTS (SELECT 1 FROM organisation b WHERE b.id = ").bind(org_id);
                sql.push(" AND b.owner_admin_id = ").bind(id).push(")");
            }
        }
        Scope::Org(id) if query.org_id.is_none_or(|org_id| org_id == id) => {
            sql.push(" AND s.org_id = ").bind(id).push(" AND s.channel_id = ").bind(query.channel_id.unwrap_or(0));
        }
        Scope::Org(_) | Scope::SubOrg(_) | Scope::Myself(_) | Scope::Nothing => drop(sql.push(" AND 1 = 0")),
    }
}

/// Reads a row of [`statement`] by position: 37 columns by name would cost more than their values.
fn read(row: &AnyRow, columns: &[usize]) -> Result<Sum, sqlx::Error> {
    let mut figures = Figures::default();
    let each = figures.each();
    for (place, index) in columns.iter().enumerate() {
        *each[*index] = row.try_get(FIRST_FIGURE + place)?;
    }
    Ok(Sum {
        part: row.try_get(0)?,
        subject_id: row.try_get(1)?,
        system: match row.try_get::<&str, _>(2)? {
            "" => None,
            _ => Some(db::code(row, "system")?),
        },
        star: row.try_get(3)?,
        subject_code: row.try_get(4)?,
        subject_name: row.try_get(5)?,
        figures,
    })
}

/// The position of the first figure in a row of [`statement`].
const FIRST_FIGURE: usize = 6;

/// The pass rates of a channel: of the days of a range together, and of the two days after it. Rates are in basis points.
#[derive(Clone, Debug)]
pub struct PassRates {
    pub channel_id: i64,
    pub channel_name: String,
    /// Days of the range with applicants.
    pub days: i64,
    /// Sums of their rates, and of the squares of their rates.
    pub sum: f64,
    pub sum_of_squares: f64,
    /// Applicants of the two days after the range, and those of them who passed all checks.
    pub late: [(i64, i64); 2],
}

/// The pass rates of live channels within a scope: of the days before `yesterday` and from `from` on, of `yesterday` and
/// of `today`, each `YYYY-MM-DD`.
pub async fn pass_rates(db: &Db, scope: Scope, from: &str, yesterday: &str, today: &str) -> Result<Vec<PassRates>, sqlx::Error> {
    let mut sql = Sql::new("SELECT s.*, t.name FROM (SELECT s.subject_id");
    let mut sum = |value: &'static str, name: &'static str| {
        sql.push(", CAST(COALESCE(SUM(CASE WHEN s.day < ").bind(yesterday.to_owned()).push(" THEN ").push(value);
        sql.push(" END), 0) AS DOUBLE PRECISION) AS ").push(name);
    };
    sum("1", "days");
    sum("s.applied * 10000.0 / s.registered", "sum_of_rates");
    sum("(s.applied * 10000.0 / s.registered) * (s.applied * 10000.0 / s.registered)", "sum_of_squares");
    for (day, names) in [(yesterday, ["registered_1", "applied_1"]), (today, ["registered_2", "applied_2"])] {
        for (column, name) in ["s.registered", "s.applied"].into_iter().zip(names) {
            sql.push(", CAST(COALESCE(SUM(CASE WHEN s.day = ").bind(day.to_owned()).push(" THEN ").push(column);
            sql.push(" END), 0) AS BIGINT) AS ").push(name);
        }
    }
    sql.push(" FROM uv_stat_daily s WHERE s.subject_type = 'channel' AND s.channel_id = 0 AND s.system = '' AND s.registered > 0");
    sql.push(" AND s.day >= ").bind(from.to_owned()).push(" AND s.day <= ").bind(today.to_owned());
    sql.push(" GROUP BY s.subject_id) s JOIN channel t ON t.id = s.subject_id WHERE t.mode = 'live'");
    match scope {
        Scope::All => {}
        Scope::Own(id) => drop(sql.push(" AND t.owner_admin_id = ").bind(id)),
        _ => drop(sql.push(" AND 1 = 0")),
    }
    let read = |row: &AnyRow| {
        Ok(PassRates {
            channel_id: row.try_get("subject_id")?,
            channel_name: row.try_get("name")?,
            days: row.try_get::<f64, _>("days")? as i64,
            sum: row.try_get("sum_of_rates")?,
            sum_of_squares: row.try_get("sum_of_squares")?,
            late: [(row.try_get("registered_1")?, row.try_get("applied_1")?), (row.try_get("registered_2")?, row.try_get("applied_2")?)],
        })
    };
    sql.fetch_all(db.read()).await?.iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_ranges_are_read_by_month() {
        let days = |from: &str, to: &str| Stretch::Days(from.to_owned(), to.to_owned());
        let months = |from: &str, to: &str| Stretch::Months(from.to_owned(), to.to_owned());
        let of = |from, to| stretches(Part::Whole, from, to);
        assert_eq!(of("2026-02-03", "2026-02-28"), [days("2026-02-03", "2026-02-28")]);
        assert_eq!(of("2026-02-01", "2026-02-28"), [months("2026-02", "2026-02")]);
        assert_eq!(of("2026-01-31", "2026-02-27"), [days("2026-01-31", "2026-02-27")]);
        assert_eq!(
            of("2025-12-31", "2026-03-01"),
            [days("2025-12-31", "2025-12-31"), months("2026-01", "2026-02"), days("2026-03-01", "2026-03-01")]
        );
        assert_eq!(of("2024-11-26", "2026-10-31"), [days("2024-11-26", "2024-11-30"), months("2024-12", "2026-10")]);
        assert_eq!(stretches(Part::Day, "2026-02-01", "2026-02-28"), [days("2026-02-01", "2026-02-28")]);
    }
}
