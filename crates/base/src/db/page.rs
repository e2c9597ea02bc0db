//! Lists: one page of rows, their count, and all rows in batches for exports.

use std::collections::{BTreeMap, HashMap};

use futures_util::{StreamExt, TryStreamExt};
use serde::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Db, Sql};

/// Counting stops here: a larger total is shown as a lower bound (`totalIsExact: false`).
pub const EXACT_TOTAL: i64 = 10_000;

/// The source of a list. `filter` appends the `WHERE` conditions, the same for rows, count and export.
pub struct ListSource<'a> {
    /// `SELECT … FROM … WHERE` and a first condition, e.g. `SELECT c.* FROM channel c WHERE c.deleted_at IS NULL`.
    pub select: &'static str,
    /// The same rows, only their ids, without the joins that filters and sorts do not need, e.g. `SELECT c.id FROM
    /// channel c WHERE c.deleted_at IS NULL`.
    pub count: &'static str,
    /// Appends conditions, each beginning with ` AND `.
    pub filter: &'a (dyn Fn(&mut Sql) + Sync),
    /// Finds the rows of a page by their ids first, and reads only those: for a list that sorts many rows whose
    /// filters and sorts are in an index, so that the sort neither joins nor reads them.
    pub ids_first: bool,
    /// The column with the time of a row, in a table that grows forever: indexes serve filters with many matches only
    /// in this order, so other sorts only include the newest [`EXACT_TOTAL`] matches. Such a list finds its ids
    /// first.
    pub newest: Option<&'static str>,
}

impl ListSource<'_> {
    /// The time column by which the newest matches are taken, if the sort only includes those.
    fn window(&self, sort: Sort) -> Option<&'static str> {
        self.newest.filter(|moment| *moment != sort.column)
    }
}

/// The sort of a list: a column from the list's own table of sortable columns, never request text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub column: &'static str,
    /// The id column that makes the order complete.
    pub id: &'static str,
    pub descending: bool,
}

/// One page of a list, as it goes to the browser.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct Page<T> {
    pub list: Vec<T>,
    /// How many rows match; a lower bound when not exact.
    pub total: i64,
    pub total_is_exact: bool,
    /// Counted from 1.
    pub current: i64,
    pub page_size: i64,
    /// How many of the newest matches are sorted, if not all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub newest: Option<i64>,
    /// The sums of all matching rows, if the list has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub totals: Option<T>,
    /// Filters that the list has set itself, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    #[ts(as = "Option<BTreeMap<String, String>>", optional)]
    pub settled: BTreeMap<&'static str, String>,
}

impl<T> Page<T> {
    /// A page of rows that are all in memory, without settled filters.
    pub fn cut(all: Vec<T>, current: i64, page_size: i64, totals: Option<T>) -> Page<T> {
        let total = all.len() as i64;
        let list = all.into_iter().skip(((current - 1) * page_size) as usize).take(page_size as usize).collect();
        Page { list, total, total_is_exact: true, current, page_size, newest: None, totals, settled: BTreeMap::new() }
    }

    /// The same page with its rows converted, without totals.
    pub fn with<U>(self, list: Vec<U>) -> Page<U> {
        let Page { total, total_is_exact, current, page_size, newest, settled, .. } = self;
        Page { list, total, total_is_exact, current, page_size, newest, settled, totals: None }
    }
}

/// Reads one page and the count of all matches.
pub async fn page<T>(
    db: &Db,
    source: &ListSource<'_>,
    sort: Sort,
    current: i64,
    page_size: i64,
    read: impl Fn(&AnyRow) -> Result<T, sqlx::Error>,
) -> Result<Page<T>, sqlx::Error> {
    let found = page_rows(db, source, sort, current, page_size).await?;
    let list = found.list.iter().map(read).collect::<Result<_, _>>()?;
    Ok(found.with(list))
}

/// A page before its rows are read.
type Unread = Page<AnyRow>;

/// Reads a page's rows from the database. Code that does not depend on the type of a row is here and in
/// [`rows_by_ids`], so that it is compiled once.
async fn page_rows(db: &Db, source: &ListSource<'_>, sort: Sort, current: i64, page_size: i64) -> Result<Unread, sqlx::Error> {
    let offset = (current - 1) * page_size;
    let rows = rows_and_total(source, sort, page_size, offset).fetch_all(db.read()).await?;
    let found = rows.len() as i64;
    let counted = rows.first().map(|row| row.try_get::<Option<i64>, _>("page_total")).transpose()?.flatten();
    let list = match source.ids_first {
        true => {
            let ids = rows.iter().map(|row| row.try_get(0)).collect::<Result<Vec<i64>, _>>()?;
            let mut rows = rows_by_ids(db, source, sort, &ids).await?;
            ids.iter().filter_map(|id| rows.remove(id)).collect()
        }
        false => rows,
    };
    let seen = if found == 0 { 0 } else { offset + found };
    let windowed = source.window(sort).is_some();
    let last_page = found < page_size && (found > 0 || offset == 0) && !(windowed && seen == EXACT_TOTAL);
    let (total, total_is_exact) = match last_page {
        // A page that is not full ends the list: its length is the count.
        true => (seen, true),
        false => {
            let counted = match counted {
                Some(counted) => counted,
                None => count(db, source).await?,
            };
            // Beyond the limit, never fewer than the rows up to this page's last.
            if counted <= EXACT_TOTAL { (counted, true) } else { (EXACT_TOTAL.max(seen), false) }
        }
    };
    let newest = (windowed && !total_is_exact).then_some(EXACT_TOTAL);
    Ok(Page { list, total, total_is_exact, current, page_size, newest, totals: None, settled: BTreeMap::new() })
}

/// How many rows match, counted no further than one past [`EXACT_TOTAL`].
async fn count(db: &Db, source: &ListSource<'_>) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new("");
    push_count(&mut sql, source);
    sql.fetch_optional(db.read()).await?.map_or(Ok(0), |row| row.try_get("total"))
}

/// How many rows each of some sources matches, in one statement: the same number as on their pages, at most
/// [`EXACT_TOTAL`].
pub async fn counts(db: &Db, sources: &[ListSource<'_>]) -> Result<Vec<i64>, sqlx::Error> {
    let mut counts = Counts::default();
    for source in sources {
        counts.add(source);
    }
    counts.read(db).await
}

/// Counts of rows that are read in one statement.
pub struct Counts {
    sql: Sql,
    sources: usize,
}

impl Default for Counts {
    fn default() -> Counts {
        Counts { sql: Sql::new("SELECT "), sources: 0 }
    }
}

impl Counts {
    /// Adds the rows that a source matches.
    pub fn add(&mut self, source: &ListSource<'_>) {
        self.sql.push(if self.sources == 0 { "(" } else { ", (" });
        push_count(&mut self.sql, source);
        self.sql.push(")");
        self.sources += 1;
    }

    /// How many rows each source matches, at most [`EXACT_TOTAL`].
    pub async fn read(self, db: &Db) -> Result<Vec<i64>, sqlx::Error> {
        if self.sources == 0 {
            return Ok(Vec::new());
        }
        let Some(row) = self.sql.fetch_optional(db.read()).await? else { return Err(sqlx::Error::RowNotFound) };
        (0..self.sources).map(|place| Ok(row.try_get::<i64, _>(place)?.min(EXACT_TOTAL))).collect()
    }
}

/// The number of rows of a source, the earliest moment and the sum of the money of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// At most [`EXACT_TOTAL`].
    pub rows: i64,
    pub since: Option<i64>,
    pub cents: Option<i64>,
}

/// Tallies of sources that are read in one statement.
pub struct Tallies {
    sql: Sql,
    sources: usize,
}

impl Default for Tallies {
    fn default() -> Tallies {
        Tallies { sql: Sql::new(""), sources: 0 }
    }
}

impl Tallies {
    /// Adds the rows that a source matches. `since` and `cents` are expressions over the tables of its count: a moment and fen.
    pub fn add(&mut self, source: &ListSource<'_>, since: &'static str, cents: Option<&'static str>) {
        let sql = &mut self.sql;
        sql.push(if self.sources == 0 { "SELECT CAST(" } else { " UNION ALL SELECT CAST(" }).bind(self.sources as i64);
        sql.push(" AS BIGINT) AS place, COUNT(*) AS entries, MIN(matches.since) AS since, CAST(SUM(matches.cents) AS BIGINT) AS cents");
        sql.push(" FROM (SELECT ").push(since).push(" AS since, ").push(cents.unwrap_or(NO_NUMBER)).push(" AS cents, ");
        sql.push(source.count.trim_start_matches("SELECT "));
        (source.filter)(sql);
        sql.push(" LIMIT ").bind(EXACT_TOTAL + 1).push(") AS matches");
        self.sources += 1;
    }

    /// The tally of each source.
    pub async fn read(self, db: &Db) -> Result<Vec<Tally>, sqlx::Error> {
        let mut found = vec![Tally::default(); self.sources];
        if self.sources == 0 {
            return Ok(found);
        }
        for row in self.sql.fetch_all(db.read()).await? {
            let place: i64 = row.try_get("place")?;
            let rows: i64 = row.try_get("entries")?;
            // The sum of some of the rows is not an amount.
            let cents = if rows > EXACT_TOTAL { None } else { row.try_get("cents")? };
            found[place as usize] = Tally { rows: rows.min(EXACT_TOTAL), since: row.try_get("since")?, cents };
        }
        Ok(found)
    }
}

/// For [`Tallies::add`]: the rows have no such number.
pub const NO_NUMBER: &str = "CAST(NULL AS BIGINT)";

fn push_count(sql: &mut Sql, source: &ListSource<'_>) {
    sql.push("SELECT COUNT(*) AS total FROM (").push(source.count);
    (source.filter)(sql);
    sql.push(" LIMIT ").bind(EXACT_TOTAL + 1).push(") AS matches");
}

/// The ids of the first matches of each of some sources, in order and in one statement.
pub async fn firsts(db: &Db, sources: &[ListSource<'_>], sort: Sort, limit: i64) -> Result<Vec<Vec<i64>>, sqlx::Error> {
    let mut found = vec![Vec::new(); sources.len()];
    if sources.is_empty() {
        return Ok(found);
    }
    let mut sql = Sql::new("");
    for (place, source) in sources.iter().enumerate() {
        sql.push(if place == 0 { "SELECT CAST(" } else { " UNION ALL SELECT CAST(" }).bind(place as i64);
        sql.push(" AS BIGINT) AS place, p.id FROM (");
        push_rows(&mut sql, source, sort, limit, 0);
        sql.push(") AS p");
    }
    for row in sql.fetch_all(db.read()).await? {
        let place: i64 = row.try_get("place")?;
        found[place as usize].push(row.try_get("id")?);
    }
    Ok(found)
}

/// The ids of all matches in order, up to `limit`: 8 bytes a row, read in one statement, so that a later walk of the
/// list meets each row once, whatever changes meanwhile.
pub async fn ids(db: &Db, source: &ListSource<'_>, sort: Sort, limit: i64) -> Result<Vec<i64>, sqlx::Error> {
    let mut sql = Sql::new(source.count);
    (source.filter)(&mut sql);
    order(&mut sql, sort);
    sql.push(" LIMIT ").bind(limit);
    sql.fetch(db.read()).map(|row| row?.try_get::<i64, _>(0)).try_collect().await
}

/// Reads the rows of some ids, in the order of the ids. Rows that no longer match are left out.
/// The selected columns include `id`.
pub async fn by_ids<T>(
    db: &Db,
    source: &ListSource<'_>,
    sort: Sort,
    ids: &[i64],
    read: impl Fn(&AnyRow) -> Result<T, sqlx::Error>,
) -> Result<Vec<T>, sqlx::Error> {
    let mut rows = rows_by_ids(db, source, sort, ids).await?;
    ids.iter().filter_map(|id| rows.remove(id)).map(|row| read(&row)).collect()
}

/// The same, by id.
pub async fn found_by_ids<T>(
    db: &Db,
    source: &ListSource<'_>,
    sort: Sort,
    ids: &[i64],
    read: impl Fn(&AnyRow) -> Result<T, sqlx::Error>,
) -> Result<HashMap<i64, T>, sqlx::Error> {
    let rows = rows_by_ids(db, source, sort, ids).await?;
    rows.iter().map(|(id, row)| Ok((*id, read(row)?))).collect()
}

async fn rows_by_ids(db: &Db, source: &ListSource<'_>, sort: Sort, ids: &[i64]) -> Result<HashMap<i64, AnyRow>, sqlx::Error> {
    let mut sql = Sql::new(source.select);
    (source.filter)(&mut sql);
    sql.push(" AND ").push(sort.id).push(" IN ").ids(ids.iter().copied());
    let rows = sql.fetch_all(db.read()).await?;
    rows.into_iter().map(|row| Ok((row.try_get::<i64, _>("id")?, row))).collect()
}

/// The statement that finds one page, its rows or their ids; also for query-plan tests.
pub fn rows(source: &ListSource<'_>, sort: Sort, limit: i64, offset: i64) -> Sql {
    let mut sql = Sql::new("");
    push_rows(&mut sql, source, sort, limit, offset);
    sql
}

/// [`rows`], each with the count of all matches as `page_total`: null if the page is not full, whose length says the
/// count. Both engines find the page once and count only if it is full. They pass its rows on in their order, which SQL does
/// not promise and the list relies on.
fn rows_and_total(source: &ListSource<'_>, sort: Sort, limit: i64, offset: i64) -> Sql {
    let mut sql = Sql::new("WITH page AS (");
    push_rows(&mut sql, source, sort, limit, offset);
    sql.push(") SELECT page.*, CASE WHEN (SELECT COUNT(*) FROM page) = ").bind(limit).push(" THEN (");
    push_count(&mut sql, source);
    sql.push(") END AS page_total FROM page");
    sql
}

fn push_rows(sql: &mut Sql, source: &ListSource<'_>, sort: Sort, limit: i64, offset: i64) {
    match source.window(sort) {
        None => {
            sql.push(if source.ids_first { source.count } else { source.select });
            (source.filter)(sql);
            order(sql, sort);
        }
        Some(moment) => {
            sql.push("SELECT w.id FROM (SELECT ");
            sql.push(sort.column).push(" AS place, ").push(source.count.trim_start_matches("SELECT "));
            (source.filter)(sql);
            order(sql, Sort { column: moment, descending: true, ..sort });
            sql.push(" LIMIT ").bind(EXACT_TOTAL).push(") AS w");
            order(sql, Sort { column: "w.place", id: "w.id", ..sort });
        }
    }
    sql.push(" LIMIT ").bind(limit).push(" OFFSET ").bind(offset);
}

fn order(sql: &mut Sql, sort: Sort) {
    let direction = if sort.descending { " DESC" } else { " ASC" };
    sql.push(" ORDER BY ").push(sort.column).push(direction);
    if sort.column != sort.id {
        sql.push(", ").push(sort.id).push(direction);
    }
}
