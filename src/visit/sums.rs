//! The daily figures added up: of each subject, of each system, of each number of stars or of all, in one sum, by day
//! or by month.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::list::Subjects;
use super::model::System;
use super::stat::{COLUMNS, Figures, OF_VISITS};
use crate::access::Scope;
use crate::db::{self, Db, Sql};

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

/// The stretches of time that days are added up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Whole,
    Day,
    Month,
}

/// What is added up.
#[derive(Clone)]
pub struct SumsQuery<'q> {
    pub subjects: Subjects,
    pub by: By,
    pub part: Part,
    /// `YYYY-MM-DD`, both included.
    pub from: &'q str,
    pub to: &'q str,
    pub subject_id: Option<i64>,
    /// Only what came by this channel.
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

/// Adds up what a query asks for, in no order. Parts and subjects without figures have no sum.
pub async fn sums(db: &Db, query: &SumsQuery<'_>) -> Result<Vec<Sum>, sqlx::Error> {
    statement(query).fetch_all(db.read()).await?.iter().map(read).collect()
}

fn statement(query: &SumsQuery<'_>) -> Sql {
    if query.by == By::Star {
        return of_stars(query);
    }
    let Subjects { kind, joins, code, name, scope } = query.subjects;
    let mut sql = Sql::new("SELECT s.part, s.subject_id, s.system, CAST(NULL AS BIGINT) AS star, ");
    match query.by {
        By::Subject => sql.push(code).push(" AS subject_code, ").push(name).push(" AS subject_name"),
        By::System | By::Star | By::All => sql.push("'' AS subject_code, '' AS subject_name"),
    };
    for column in COLUMNS {
        sql.push(", s.").push(column);
    }
    sql.push(" FROM (SELECT ").push(part_of(query.part));
    sql.push(match query.by {
        By::Subject => " AS part, s.subject_id, CAST('' AS TEXT) AS system",
        By::System => " AS part, CAST(0 AS BIGINT) AS subject_id, s.system",
        By::Star | By::All => " AS part, CAST(0 AS BIGINT) AS subject_id, CAST('' AS TEXT) AS system",
    });
    for column in COLUMNS {
        sql.push(", CAST(COALESCE(SUM(s.").push(column).push("), 0) AS BIGINT) AS ").push(column);
    }
    sql.push(" FROM uv_stat_daily s WHERE s.subject_type = ").bind(kind).push(" AND s.channel_id = ").bind(query.channel_id.unwrap_or(0));
    match (query.system, query.by) {
        (Some(system), _) => sql.push(" AND s.system = ").bind(<&str>::from(system)),
        (None, By::System) => sql.push(" AND s.system <> ''"),
        (None, _) => sql.push(" AND s.system = ''"),
    };
    sql.push(" AND s.day >= ").bind(query.from.to_owned()).push(" AND s.day <= ").bind(query.to.to_owned());
    sql.and("s.subject_id = ", query.subject_id).and("s.org_id = ", query.org_id);
    query.scope.apply(&mut sql, scope);
    sql.push(" GROUP BY 1, 2, 3) s");
    if query.by == By::Subject {
        sql.push(" ").push(joins);
    }
    sql
}

fn part_of(part: Part) -> &'static str {
    match part {
        Part::Whole => "CAST('' AS TEXT)",
        Part::Day => "s.day",
        Part::Month => "SUBSTR(s.day, 1, 7)",
    }
}

/// The figures by stars, which are kept for each channel and organisation.
fn of_stars(query: &SumsQuery<'_>) -> Sql {
    let mut sql = Sql::new("SELECT s.part, CAST(0 AS BIGINT) AS subject_id, '' AS system, s.star, '' AS subject_code, '' AS subject_name");
    for (index, column) in COLUMNS.iter().enumerate() {
        sql.push(if index < OF_VISITS { ", CAST(0 AS BIGINT) AS " } else { ", s." }).push(column);
    }
    sql.push(" FROM (SELECT ").push(part_of(query.part)).push(" AS part, s.star");
    for column in &COLUMNS[OF_VISITS..] {
        sql.push(", CAST(COALESCE(SUM(s.").push(column).push("), 0) AS BIGINT) AS ").push(column);
    }
    sql.push(" FROM star_stat_daily s WHERE s.day >= ").bind(query.from.to_owned());
    sql.push(" AND s.day <= ").bind(query.to.to_owned());
    match query.scope {
        Scope::All => {
            sql.push(" AND s.channel_id = ").bind(query.channel_id.unwrap_or(0));
            sql.push(" AND s.org_id = ").bind(query.org_id.unwrap_or(0));
        }
        // A manager's channels are added up.
        Scope::Own(id) => {
            sql.push(" AND s.channel_id IN (SELECT m.id FROM channel m WHERE m.owner_admin_id = ").bind(id).push(")");
            sql.and("s.channel_id = ", query.channel_id).push(" AND s.org_id = ").bind(query.org_id.unwrap_or(0));
        }
        Scope::Org(id) if query.org_id.is_none_or(|org_id| org_id == id) => {
            sql.push(" AND s.org_id = ").bind(id).push(" AND s.channel_id = ").bind(query.channel_id.unwrap_or(0));
        }
        Scope::Org(_) | Scope::SubOrg(_) | Scope::Myself(_) | Scope::Nothing => drop(sql.push(" AND 1 = 0")),
    }
    sql.push(" GROUP BY 1, 2) s");
    sql
}

fn read(row: &AnyRow) -> Result<Sum, sqlx::Error> {
    let mut figures = Figures::default();
    for (figure, column) in figures.each().into_iter().zip(COLUMNS) {
        *figure = row.try_get(*column)?;
    }
    Ok(Sum {
        part: row.try_get("part")?,
        subject_id: row.try_get("subject_id")?,
        subject_code: row.try_get("subject_code")?,
        subject_name: row.try_get("subject_name")?,
        system: match row.try_get::<&str, _>("system")? {
            "" => None,
            _ => Some(db::code(row, "system")?),
        },
        star: row.try_get("star")?,
        figures,
    })
}

/// Applicants of a channel on a day.
#[derive(Clone, Debug)]
pub struct ChannelDay {
    pub channel_id: i64,
    pub channel_name: String,
    /// `YYYY-MM-DD`.
    pub day: String,
    pub registered: i64,
    /// Of them those who passed all checks.
    pub applied: i64,
}

/// Applicants by channel and day, from one day to another, of live channels within a scope.
pub async fn channel_days(db: &Db, scope: Scope, from: &str, to: &str) -> Result<Vec<ChannelDay>, sqlx::Error> {
    let mut sql = Sql::new(
        "SELECT s.subject_id, t.name, s.day, s.registered, s.applied FROM uv_stat_daily s JOIN channel t ON t.id = s.subject_id \
         WHERE s.subject_type = 'channel' AND s.channel_id = 0 AND s.system = '' AND t.mode = 'live' AND s.day >= ",
    );
    sql.bind(from.to_owned()).push(" AND s.day <= ").bind(to.to_owned());
    match scope {
        Scope::All => {}
        Scope::Own(id) => drop(sql.push(" AND t.owner_admin_id = ").bind(id)),
        _ => drop(sql.push(" AND 1 = 0")),
    }
    let read = |row: &AnyRow| {
        Ok(ChannelDay {
            channel_id: row.try_get("subject_id")?,
            channel_name: row.try_get("name")?,
            day: row.try_get("day")?,
            registered: row.try_get("registered")?,
            applied: row.try_get("applied")?,
        })
    };
    sql.fetch_all(db.read()).await?.iter().map(read).collect()
}
