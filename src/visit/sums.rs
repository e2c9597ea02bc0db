//! The daily figures added up: of each subject, of each system or of all, in one sum, by day or by month.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::list::Subjects;
use super::model::System;
use super::stat::{COLUMNS, Figures};
use crate::access::Scope;
use crate::db::{self, Db, Sql};

/// The rows of sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    Subject,
    System,
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
    pub figures: Figures,
}

/// Adds up what a query asks for, in no order. Parts and subjects without figures have no sum.
pub async fn sums(db: &Db, query: &SumsQuery<'_>) -> Result<Vec<Sum>, sqlx::Error> {
    statement(query).fetch_all(db.read()).await?.iter().map(read).collect()
}

fn statement(query: &SumsQuery<'_>) -> Sql {
    let Subjects { kind, joins, code, name, scope } = query.subjects;
    let mut sql = Sql::new("SELECT s.part, s.subject_id, s.system, ");
    match query.by {
        By::Subject => sql.push(code).push(" AS subject_code, ").push(name).push(" AS subject_name"),
        By::System | By::All => sql.push("'' AS subject_code, '' AS subject_name"),
    };
    for column in COLUMNS {
        sql.push(", s.").push(column);
    }
    sql.push(" FROM (SELECT ").push(match query.part {
        Part::Whole => "CAST('' AS TEXT)",
        Part::Day => "s.day",
        Part::Month => "SUBSTR(s.day, 1, 7)",
    });
    sql.push(match query.by {
        By::Subject => " AS part, s.subject_id, CAST('' AS TEXT) AS system",
        By::System => " AS part, CAST(0 AS BIGINT) AS subject_id, s.system",
        By::All => " AS part, CAST(0 AS BIGINT) AS subject_id, CAST('' AS TEXT) AS system",
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

fn read(row: &AnyRow) -> Result<Sum, sqlx::Error> {
    let mut figures = Figures::default();
    for (figure, column) in figures.each().into_iter().zip(COLUMNS) {
        *figure = row.try_get(column)?;
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
        figures,
    })
}
