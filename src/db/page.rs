//! Lists: one page of rows, their count, and all rows in batches for exports.

use serde::Serialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::{Db, Sql};

/// Counting stops here: above it the total is told as a lower bound (`totalIsExact: false`).
pub const EXACT_TOTAL: i64 = 10_000;

/// What a list reads. `filter` appends the `WHERE` conditions, the same for rows, count and export.
pub struct ListSource<'a> {
    /// `SELECT … FROM … WHERE` and a first condition, e.g. `SELECT c.* FROM channel c WHERE c.deleted_at IS NULL`.
    pub select: &'static str,
    /// The same rows without their columns and joins they do not need for filtering.
    pub count: &'static str,
    /// Appends conditions, each beginning with ` AND `.
    pub filter: &'a (dyn Fn(&mut Sql) + Sync),
}

/// How a list is sorted: a column from the list's own table of sortable columns, never request text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sort {
    pub column: &'static str,
    /// The id column that makes the order total.
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
    let offset = (current - 1) * page_size;
    let rows = rows(source, sort, page_size, offset).fetch_all(db.read()).await?;
    let list = rows.iter().map(read).collect::<Result<Vec<T>, _>>()?;
    let last_page = (list.len() as i64) < page_size && (!list.is_empty() || offset == 0);
    let total = match last_page {
        // A page that is not full ends the list: its length is the count.
        true => offset + list.len() as i64,
        false => count(db, source).await?,
    };
    Ok(Page { list, total: total.min(EXACT_TOTAL.max(offset)), total_is_exact: total <= EXACT_TOTAL || last_page, current, page_size })
}

/// How many rows match, counted no further than one past [`EXACT_TOTAL`].
pub async fn count(db: &Db, source: &ListSource<'_>) -> Result<i64, sqlx::Error> {
    let mut sql = Sql::new("SELECT COUNT(*) AS total FROM (");
    sql.push(source.count);
    (source.filter)(&mut sql);
    sql.push(" LIMIT ").bind(EXACT_TOTAL + 1).push(") AS matches");
    sql.fetch_optional(db.read()).await?.map_or(Ok(0), |row| row.try_get("total"))
}

/// Reads one batch of at most `limit` rows from `offset`, for exports that walk a whole list.
pub async fn batch<T>(
    db: &Db,
    source: &ListSource<'_>,
    sort: Sort,
    limit: i64,
    offset: i64,
    read: impl Fn(&AnyRow) -> Result<T, sqlx::Error>,
) -> Result<Vec<T>, sqlx::Error> {
    rows(source, sort, limit, offset).fetch_all(db.read()).await?.iter().map(read).collect()
}

fn rows(source: &ListSource<'_>, sort: Sort, limit: i64, offset: i64) -> Sql {
    let direction = if sort.descending { " DESC" } else { " ASC" };
    let mut sql = Sql::new(source.select);
    (source.filter)(&mut sql);
    sql.push(" ORDER BY ").push(sort.column).push(direction);
    if sort.column != sort.id {
        sql.push(", ").push(sort.id).push(direction);
    }
    sql.push(" LIMIT ").bind(limit).push(" OFFSET ").bind(offset);
    sql
}
