//! Lists as files: every row that a list's filters match, as CSV or XLSX, in bounded memory. The
//! file is streamed at once where it is asked for so (`Accept: application/octet-stream`); else the
//! call is put into the queue of [`task`]s, whose worker makes it again and keeps the file.
//!
//! The ids of all matching rows are read first, in one statement under the list's own sort (8 MB
//! for a million), then the rows in batches by id. So each row comes once, in order, whatever is
//! written meanwhile, and a slow reader holds no transaction and no connection open. A row that no
//! longer matches, or has left the viewer's scope, when its batch is read is left out.
//!
//! Numbers in a file are masked; see [`plain`] for those that are not.
//!
//! The audit trail has an entry from before the first byte, and another from the end with the rows and the hash of what was
//! sent. Before each batch the viewer is checked; the download breaks off when the session, the role or the scope changed.

mod cell;
mod columns;
mod csv;
pub mod plain;
mod stream;
pub mod task;
mod xlsx;

pub(crate) use cell::harmless;
pub use cell::{Cell, yes_or_no};
pub use columns::{Column, Columns, Sheet, column};
pub use csv::lines;

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use axum::body::Body;
use axum::http::Response;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::{EnumString, IntoStaticStr};

use self::columns::{Head, cells, chosen};
use self::plain::Plain;
use self::stream::{File, READING, ReadCells};
use super::calls::Output;
use super::ctx::Ctx;
use super::error::{self, ApiError};
use super::list::{ListFilters, ListQuery};
use crate::access::audit::Change;
use crate::setting;
use base::say::say;

/// The file's format, as asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts", rename = "ExportFormat")]
pub enum Format {
    Xlsx,
    Csv,
}

impl Format {
    /// The media type of its files.
    pub fn content_type(self) -> &'static str {
        match self {
            Format::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Format::Csv => "text/csv; charset=utf-8",
        }
    }
}

/// What an export answers: the file, or the task that makes it.
pub enum Exported {
    File(Response<Body>),
    Task(ExportTask),
}

/// An export that is made later.
#[derive(Debug, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ExportTask {
    /// For `GET /export/{id}`.
    pub task_id: i64,
}

impl Output for Exported {
    const IS_FILE: bool = true;

    fn respond(self) -> Response<Body> {
        match self {
            Exported::File(response) => response,
            Exported::Task(task) => error::success(&task),
        }
    }

    fn schema(schemas: &mut SchemaGenerator) -> Option<schemars::Schema> {
        Some(schemas.subschema_for::<ExportTask>())
    }
}

/// A file that is being made, for the queue that keeps it: an extension of the response that streams it.
#[derive(Clone)]
pub struct Making {
    /// What it is saved as.
    pub name: String,
    /// Rows in all; those that go meanwhile are left out.
    pub total: usize,
    /// Rows read so far.
    pub rows: Arc<AtomicUsize>,
}

/// How a list's rows are read.
pub struct Reading<I, R, L> {
    /// Finds the matching rows in order, at most as many as are asked for.
    pub ids: I,
    /// Reads the rows of some ids in that order.
    pub rows: R,
    /// Reads the line below them all, if there is one.
    pub last: L,
}

/// The file of rows that are all known, with the line below them.
pub async fn export_rows<T, F>(cx: Arc<Ctx>, query: &ListQuery<F>, sheet: Sheet<T>, all: Vec<T>, last: Option<T>) -> super::Result<Exported>
where
    T: Clone + Serialize + Send + Sync + 'static,
    F: ListFilters,
{
    let all = Arc::new(all);
    let count = all.len() as i64;
    let ids = move |most: i64| async move { Ok((0..count.min(most)).collect()) };
    let rows = move |ids: Vec<i64>| {
        let all = all.clone();
        async move { Ok(ids.into_iter().filter_map(|id| all.get(id as usize).cloned()).collect()) }
    };
    export(cx, query, sheet, Reading { ids, rows, last: async move { Ok(last) } }).await
}

/// Streams a list of masked rows as a file, or puts the call into the queue.
pub async fn export<T, F, I, Ids, R, Rows>(
    cx: Arc<Ctx>,
    query: &ListQuery<F>,
    sheet: Sheet<T>,
    reading: Reading<I, R, impl Future<Output = Result<Option<T>, sqlx::Error>>>,
) -> super::Result<Exported>
where
    T: Serialize + Send + 'static,
    F: ListFilters,
    I: FnOnce(i64) -> Ids,
    Ids: Future<Output = Result<Vec<i64>, sqlx::Error>> + Send,
    R: Fn(Vec<i64>) -> Rows + Send + 'static,
    Rows: Future<Output = Result<Vec<T>, sqlx::Error>> + Send + 'static,
{
    plain::refuse(&query.rest)?;
    make(cx, query, sheet, reading, None).await
}

/// The same of a list whose file may have whole numbers: it has them if there is a `plain`.
pub async fn make<T, F, I, Ids, R, Rows>(
    cx: Arc<Ctx>,
    query: &ListQuery<F>,
    sheet: Sheet<T>,
    Reading { ids, rows: read, last }: Reading<I, R, impl Future<Output = Result<Option<T>, sqlx::Error>>>,
    plain: Option<Plain>,
) -> super::Result<Exported>
where
    T: Serialize + Send + 'static,
    F: ListFilters,
    I: FnOnce(i64) -> Ids,
    Ids: Future<Output = Result<Vec<i64>, sqlx::Error>> + Send,
    R: Fn(Vec<i64>) -> Rows + Send + 'static,
    Rows: Future<Output = Result<Vec<T>, sqlx::Error>> + Send + 'static,
{
    let format = format(&query.rest)?;
    let columns = chosen(&query.rest, sheet.columns)?;
    if !cx.at_once {
        let reason = plain.as_ref().map(|plain| plain.reason.as_str());
        return Ok(Exported::Task(ExportTask { task_id: task::add(&cx, &sheet.title, (format, reason), &query.asked).await? }));
    }
    let cap = cx.setting(&setting::EXPORT_ROW_CAP).await?.min(plain.as_ref().map_or(i64::MAX, |plain| plain.most));
    let ids = {
        let _turn = READING.acquire().await.expect("never closed");
        ids(cap + 1).await?
    };
    if ids.len() as i64 > cap {
        let message = say(format!("超过 {cap} 行，请缩小查询范围"), format!("More than {cap} rows: narrow the filters"));
        return Err(ApiError::State(message));
    }
    let locale = cx.locale;
    let heads = columns.iter().map(|column| Head { title: column.title.clone(), note: column.note.clone() }).collect();
    let last = last.await?.map(|last| cells(&columns, &last, locale)).transpose().map_err(|error| ApiError::Internal(error.into()))?;
    let columns = Arc::new(columns);
    let read: ReadCells = Box::new(move |ids| {
        let (columns, rows) = (columns.clone(), read(ids));
        Box::pin(async move { rows.await?.iter().map(|row| Ok(cells(&columns, row, locale)?)).collect() })
    });
    let file = File { target: sheet.target, title: sheet.title, format, heads, ids, read, last };
    stream::start(cx, file, filters(query), plain).await.map(Exported::File)
}

/// The format asked for; a workbook when none is.
fn format(rest: &Map<String, Value>) -> Result<Format, ApiError> {
    let Some(name) = rest.get("format") else { return Ok(Format::Xlsx) };
    name.as_str().and_then(|name| name.parse().ok()).ok_or_else(|| ApiError::Malformed("format".to_owned()))
}

/// What was asked for, as the audit trail keeps it.
fn filters<F: ListFilters>(query: &ListQuery<F>) -> Vec<Change> {
    /// No list has more or longer filters; what else a body holds is not kept.
    const MOST: usize = 40;
    const LONGEST: usize = 400;
    // By the name that the list has for it, not the database.
    let name = F::SORTS.iter().find(|(_, column)| *column == query.sort.column).map_or(query.sort.column, |(name, _)| name);
    let order = format!("{name} {}", if query.sort.descending { "desc" } else { "asc" });
    let asked = query.rest.iter().filter(|(name, _)| *name != "format").take(MOST).map(|(name, value)| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        (name.as_str(), text)
    });
    asked
        .chain([("sort", order)])
        .map(|(name, text)| Change {
            field: name.chars().take(LONGEST).collect(),
            before: None,
            after: Some(text.chars().take(LONGEST).collect()),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// X6: the specification's client names no format.
    #[test]
    fn a_workbook_is_made_when_no_format_is_named() {
        let named = |value: Value| format(value.as_object().unwrap()).ok();
        assert_eq!([named(json!({})), named(json!({"format": "csv"}))], [Some(Format::Xlsx), Some(Format::Csv)]);
        assert_eq!([named(json!({"format": "pdf"})), named(json!({"format": ["csv"]}))], [None, None]);
    }
}
