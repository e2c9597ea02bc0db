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

mod csv;
pub mod plain;
pub mod task;
mod xlsx;

pub use csv::lines;

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response, header};
use bytes::Bytes;
use futures_util::stream;
use schemars::{JsonSchema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use strum::{EnumString, IntoStaticStr};
use tokio::sync::{Semaphore, mpsc};

use self::plain::{Beginning, Plain};
use super::calls::Output;
use super::ctx::Ctx;
use super::disposition::Disposition;
use super::error::{self, ApiError};
use super::list::{ListFilters, ListQuery};
use crate::access::audit::{self, Action, Change, Target};
use crate::access::session;
use crate::setting;
use base::codes::Codes;
use base::locale::Locale;
use base::say::{Say, say};
use base::{clock, fields};

/// Rows read at a time.
const BATCH: usize = 500;
/// Exports that read from the database at the same moment; the other connections stay free for pages.
static READING: Semaphore = Semaphore::const_new(2);

/// A kind of export: what is listed, and its columns in their usual order.
pub struct Sheet<T> {
    /// What the audit trail calls it; its module also names the file.
    pub target: Target,
    /// Title of the file and its sheet.
    pub title: Say,
    pub columns: Vec<Column<T>>,
}

/// A column of the file.
pub struct Column<T> {
    /// The name under which `columns` asks for it: the JSON key of the list's rows. Columns of one key are chosen together.
    pub key: &'static str,
    /// The JSON key of the part of the row that holds the value; without it, the row itself.
    part: Option<&'static str>,
    pub title: Say,
    /// What its values are, for a second sheet.
    note: Option<Say>,
    cell: CellOf<T>,
}

/// How a column's cell is made.
enum CellOf<T> {
    /// From the row.
    Row(fn(&T, Locale) -> Cell),
    /// From the value of the row's JSON under the column's key.
    Json(fn(&Value, Locale) -> Cell),
}

/// Makes a column of its key, its titles and its cells. New lists use [`Columns`], whose titles are the
/// catalogue's.
pub fn column<T>(key: &'static str, chinese: &'static str, english: &'static str, cell: fn(&T, Locale) -> Cell) -> Column<T> {
    Column { key, part: None, title: say(chinese, english), note: None, cell: CellOf::Row(cell) }
}

/// Columns that are headed as the catalogue of fields says ([`fields::heading`]) and show the rows' JSON values
/// of the same keys.
pub struct Columns<T> {
    record: &'static str,
    notes: Option<&'static str>,
    columns: Vec<Column<T>>,
}

impl<T> Columns<T> {
    /// No columns yet; `record` is the catalogue's name of the rows, "receipt".
    pub fn of(record: &'static str) -> Columns<T> {
        Columns { record, notes: None, columns: Vec::new() }
    }

    /// The columns from here on that the catalogue explains under another name of the rows, "formula", are explained in a
    /// second sheet.
    pub fn explained_by(self, notes: &'static str) -> Columns<T> {
        Columns { notes: Some(notes), ..self }
    }

    /// A column of text.
    pub fn text(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| Cell::text(value.as_str().map(str::to_owned))))
    }

    /// A column of whole numbers.
    pub fn number(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| value.as_i64().map_or(Cell::Empty, Cell::Number)))
    }

    /// A column of fen, shown as yuan.
    pub fn money(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| value.as_i64().map_or(Cell::Empty, Cell::Money)))
    }

    /// A column of basis points, shown as per cent.
    pub fn percent(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| value.as_i64().map_or(Cell::Empty, Cell::Percent)))
    }

    /// A column of epoch milliseconds, shown as date and time.
    pub fn time(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| Cell::time(value.as_i64())))
    }

    /// A column of yes or no.
    pub fn flag(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, locale| Cell::text(value.as_bool().map(|holds| yes_or_no(holds, locale).to_owned()))))
    }

    /// A column of codes, shown by their labels.
    pub fn code<C: Codes>(self, key: &'static str) -> Columns<T> {
        let label = |value: &Value, locale| {
            let code = value.as_str().and_then(|code| code.parse::<C>().ok());
            Cell::text(code.map(|code| code.label(locale).to_owned()))
        };
        self.add(key, CellOf::Json(label))
    }

    /// Beside the last column one of the same value in a part of the row, such as "before"; its title says which.
    pub fn beside(mut self, part: &'static str, title: &Say) -> Columns<T> {
        let last = self.columns.iter().rfind(|column| column.part.is_none());
        let Some(Column { key, cell: CellOf::Json(cell), title: heading, .. }) = last else {
            panic!("a column of a JSON value stands before the one beside it");
        };
        let title = say(
            format!("{}（{}）", heading.get(Locale::Chinese), title.get(Locale::Chinese)),
            format!("{} ({})", heading.get(Locale::English), title.get(Locale::English)),
        );
        let column = Column { key, part: Some(part), title, note: None, cell: CellOf::Json(*cell) };
        self.columns.push(column);
        self
    }

    /// A column whose cells are made from the whole row.
    pub fn cell(self, key: &'static str, cell: fn(&T, Locale) -> Cell) -> Columns<T> {
        self.add(key, CellOf::Row(cell))
    }

    /// All columns in the order in which they were added.
    pub fn all(self) -> Vec<Column<T>> {
        self.columns
    }

    fn add(mut self, key: &'static str, cell: CellOf<T>) -> Columns<T> {
        let note = self.notes.filter(|notes| fields::is_named(notes, key)).map(|notes| fields::heading(notes, key));
        self.columns.push(Column { key, part: None, title: fields::heading(self.record, key), note, cell });
        self
    }
}

/// Yes or no, as people read it.
pub fn yes_or_no(holds: bool, locale: Locale) -> &'static str {
    if holds { locale.pick("是", "Yes") } else { locale.pick("否", "No") }
}

/// The cells of a row.
fn cells<T: Serialize>(columns: &[Column<T>], row: &T, locale: Locale) -> Result<Vec<Cell>, serde_json::Error> {
    let from_json = columns.iter().any(|column| matches!(column.cell, CellOf::Json(_)));
    let json = if from_json { serde_json::to_value(row)? } else { Value::Null };
    let cell = |column: &Column<T>| match column.cell {
        CellOf::Row(cell) => cell(row, locale),
        CellOf::Json(cell) => cell(&column.part.map_or(&json, |part| &json[part])[column.key], locale),
    };
    Ok(columns.iter().map(cell).collect())
}

/// A cell, before it becomes text or a number of its format.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    Number(i64),
    /// Fen; shown as yuan with two decimals.
    Money(i64),
    /// Basis points; shown as percent with two decimals.
    Percent(i64),
    /// Epoch milliseconds; shown as Asia/Shanghai date and time.
    Time(i64),
    Empty,
}

impl Cell {
    /// A text, or an empty cell.
    pub fn text(text: impl Into<Option<String>>) -> Cell {
        text.into().filter(|text| !text.is_empty()).map_or(Cell::Empty, Cell::Text)
    }

    /// A yes, or an empty cell: for what is true of few rows.
    pub fn mark(holds: bool, locale: Locale) -> Cell {
        Cell::text(holds.then(|| yes_or_no(true, locale).to_owned()))
    }

    /// A time, or an empty cell.
    pub fn time(at: Option<i64>) -> Cell {
        at.map_or(Cell::Empty, Cell::Time)
    }
}

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
    Rows: Future<Output = Result<Vec<T>, sqlx::Error>> + Send,
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
    Rows: Future<Output = Result<Vec<T>, sqlx::Error>> + Send,
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

    let last = last.await?;
    let mut filters = filters(query);
    if let Some(Plain { reason, .. }) = &plain {
        filters.retain(|change| !["plain", "reason"].contains(&change.field.as_str()));
        filters.splice(0..0, [change("plain", "true".to_owned()), change("plainReason", reason.clone())]);
    }
    let mut response = Response::new(Body::empty());
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(format.content_type()));
    let time = clock::date_time(cx.now).replace(['-', ':'], "").replace(' ', "-");
    let named = |name: &str| format!("{name}-{time}.{}", <&str>::from(format));
    let name = named(sheet.title.get(cx.locale));
    headers.insert(header::CONTENT_DISPOSITION, Disposition::Attachment.of(&named(sheet.target.module.into()), &name));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(HeaderName::from_static("x-total-rows"), HeaderValue::from(ids.len()));

    let mut changes = begun(format, filters.clone());
    changes.push(change("started", ids.len().to_string()));
    match plain {
        Some(Plain { reason, begin, .. }) => begin(Beginning { ids: ids.clone(), title: sheet.title.clone(), reason, changes }).await?,
        None => record(&cx, sheet.target, &changes).await.map_err(ApiError::Internal)?,
    }

    let making = Making { name, total: ids.len(), rows: Arc::default() };
    response.extensions_mut().insert(making.clone());

    let (sender, pieces) = mpsc::channel(1);
    let locale = cx.locale;
    let title = sheet.title.get(locale).to_owned();
    let target = sheet.target;
    tokio::spawn(async move {
        let mut sink = Sink { sender, hash: Sha256::new(), rows: 0 };
        let rows = Walk { cx: cx.clone(), ids, position: 0, read, last, rows: making.rows };
        let ended = match format {
            Format::Csv => csv::write(rows, columns, locale, &mut sink).await,
            Format::Xlsx => xlsx::write(rows, columns, locale, title, &mut sink).await,
        };
        close(&cx, target, format, filters, sink, ended).await;
    });
    *response.body_mut() = body(pieces);
    Ok(Exported::File(response))
}

/// Why a file ended before its last byte.
enum Stop {
    /// The reader has left.
    Left,
    /// The rights of the viewer ended or changed.
    Rights,
    Failed(anyhow::Error),
}

impl<E: Into<anyhow::Error>> From<E> for Stop {
    fn from(error: E) -> Stop {
        Stop::Failed(error.into())
    }
}

/// The rows still to come, a batch at a time.
struct Walk<T, R> {
    cx: Arc<Ctx>,
    ids: Vec<i64>,
    position: usize,
    read: R,
    /// The line below them all; it counts as no row.
    last: Option<T>,
    /// Rows read, for [`Making`].
    rows: Arc<AtomicUsize>,
}

impl<T, R> Walk<T, R> {
    async fn next<Rows>(&mut self) -> Result<Option<Vec<T>>, Stop>
    where
        R: Fn(Vec<i64>) -> Rows,
        Rows: Future<Output = Result<Vec<T>, sqlx::Error>>,
    {
        if !has_same_rights(&self.cx).await? {
            return Err(Stop::Rights);
        }
        let batch = &self.ids[self.position..(self.position + BATCH).min(self.ids.len())];
        if batch.is_empty() {
            return Ok(self.last.take().map(|last| vec![last]));
        }
        let _turn = READING.acquire().await.expect("never closed");
        let rows = (self.read)(batch.to_vec()).await?;
        self.position += batch.len();
        self.rows.fetch_add(rows.len(), Ordering::Relaxed);
        Ok(Some(rows))
    }
}

/// Whether session, account, role and scope of the viewer are those that the export began with. A worker's viewer has no
/// session.
async fn has_same_rights(cx: &Ctx) -> Result<bool, Stop> {
    let (app, before) = (&cx.app, cx.viewer().map_err(|_| anyhow::anyhow!("an export without a viewer"))?);
    let now = match before.session_id {
        0 => session::standing(&app.db, &app.roles, before.id, before.role.id).await?,
        _ => session::viewer_again(app.gate(), before, &cx.origin, app.clock.now()).await?,
    };
    Ok(now.is_some_and(|now| now.has_same_rights_as(before)))
}

/// A part of the file, or its proper end.
enum Piece {
    Bytes(Bytes),
    End,
}

/// Where a file's bytes go, counted and hashed on their way.
struct Sink {
    sender: mpsc::Sender<Piece>,
    hash: Sha256,
    rows: usize,
}

impl Sink {
    /// Hands over a part that ends `rows` more rows; waits until the reader has room.
    async fn send(&mut self, bytes: Bytes, rows: usize) -> Result<(), Stop> {
        let permit = self.sender.reserve().await.map_err(|_| Stop::Left)?;
        self.hash.update(&bytes);
        self.rows += rows;
        permit.send(Piece::Bytes(bytes));
        Ok(())
    }

    /// Whether nobody reads any more.
    fn is_left(&self) -> bool {
        self.sender.is_closed()
    }
}

/// The answer's body: it ends well only with [`Piece::End`], so that a file cut short by a fault
/// is a broken download and never a file that looks whole.
fn body(pieces: mpsc::Receiver<Piece>) -> Body {
    Body::from_stream(stream::unfold(Some(pieces), |pieces| async {
        let mut pieces = pieces?;
        match pieces.recv().await {
            Some(Piece::Bytes(bytes)) => Some((Ok(bytes), Some(pieces))),
            Some(Piece::End) => None,
            None => Some((Err(io::Error::other("the export failed")), None)),
        }
    }))
}

/// Writes the audit row, and only then the end of the file: nobody holds a whole file of which the
/// trail knows nothing.
async fn close(cx: &Ctx, target: Target, format: Format, filters: Vec<Change>, sink: Sink, ended: Result<(), Stop>) {
    let mut changes = begun(format, filters);
    changes.push(change("rows", sink.rows.to_string()));
    changes.push(change("sha256", hex::encode(sink.hash.finalize())));
    match &ended {
        Ok(()) => {}
        Err(Stop::Left) => changes.push(change("ended", "left".to_owned())),
        Err(Stop::Rights) => changes.push(change("ended", "rights".to_owned())),
        Err(Stop::Failed(_)) => changes.push(change("ended", "failed".to_owned())),
    }
    let recorded = record(cx, target, &changes).await.map_err(Stop::Failed);
    for cause in [recorded.err(), ended.err()].into_iter().flatten() {
        match cause {
            Stop::Left => {}
            Stop::Rights => return,
            Stop::Failed(cause) => {
                tracing::error!(request.id = cx.request_id, cause = format!("{cause:#}"), "an export failed");
                return;
            }
        }
    }
    // Fails when the reader has left, and then nobody waits for it.
    let _ = sink.sender.send(Piece::End).await;
}

/// What both entries of an export say.
fn begun(format: Format, filters: Vec<Change>) -> Vec<Change> {
    [change("format", <&str>::from(format).to_owned())].into_iter().chain(filters).collect()
}

fn change(field: &str, after: String) -> Change {
    Change { field: field.to_owned(), before: None, after: Some(after) }
}

async fn record(cx: &Ctx, target: Target, changes: &[Change]) -> anyhow::Result<()> {
    let actor = audit::Actor { at: cx.app.clock.now(), ..cx.actor().map_err(|_| anyhow::anyhow!("an export without a viewer"))? };
    let mut tx = cx.db().begin().await?;
    audit::record(&mut tx, &actor, target, Action::Export, changes).await?;
    tx.commit().await?;
    Ok(())
}

/// The format asked for; a workbook when none is.
fn format(rest: &Map<String, Value>) -> Result<Format, ApiError> {
    let Some(name) = rest.get("format") else { return Ok(Format::Xlsx) };
    name.as_str().and_then(|name| name.parse().ok()).ok_or_else(|| ApiError::Malformed("format".to_owned()))
}

/// The columns asked for, in the order asked for; all when none are named.
fn chosen<T>(rest: &Map<String, Value>, columns: Vec<Column<T>>) -> Result<Vec<Column<T>>, ApiError> {
    let malformed = || ApiError::Malformed("columns".to_owned());
    let Some(names) = rest.get("columns") else { return Ok(columns) };
    let names = names.as_array().ok_or_else(malformed)?;
    let mut left: Vec<Option<Column<T>>> = columns.into_iter().map(Some).collect();
    names
        .iter()
        .map(|name| {
            // Taken out: a column named twice is as wrong as an unknown one.
            let is_named = |column: &Option<Column<T>>| column.as_ref().is_some_and(|column| name.as_str() == Some(column.key));
            let taken: Vec<_> = left.iter_mut().filter(|column| is_named(column)).filter_map(Option::take).collect();
            (!taken.is_empty()).then_some(taken)
        })
        .collect::<Option<Vec<_>>>()
        .map(|taken| taken.into_iter().flatten().collect())
        .ok_or_else(malformed)
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

/// A text that no spreadsheet takes for a formula (CWE-1236): a quote goes before a beginning that
/// one would read as such, full-width forms included.
pub(crate) fn harmless(text: &str) -> String {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠') => format!("'{text}"),
        _ => text.to_owned(),
    }
}

/// `-1234.50` of -123450: fen as yuan, basis points as percent.
fn hundredths(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let number = number.unsigned_abs();
    format!("{sign}{}.{:02}", number / 100, number % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn columns() -> Vec<Column<i64>> {
        vec![
            column("id", "编号", "Id", |row, _| Cell::Number(*row)),
            column("name", "名称", "Name", |row, _| Cell::text(format!("={row}"))),
        ]
    }

    fn keys(value: Value) -> Option<Vec<&'static str>> {
        let rest = value.as_object().unwrap().clone();
        chosen(&rest, columns()).ok().map(|columns| columns.iter().map(|column| column.key).collect())
    }

    #[test]
    fn columns_come_as_asked_and_unknown_ones_are_refused() {
        assert_eq!(keys(json!({})), Some(vec!["id", "name"]));
        assert_eq!(keys(json!({"columns": ["name", "id"]})), Some(vec!["name", "id"]));
        for bad in [json!("name"), json!(["appSecret"]), json!(["id", "id"]), json!([1])] {
            assert_eq!(keys(json!({"columns": bad})), None);
        }
    }

    /// X6: the specification's client names no format.
    #[test]
    fn a_workbook_is_made_when_no_format_is_named() {
        let named = |value: Value| format(value.as_object().unwrap()).ok();
        assert_eq!([named(json!({})), named(json!({"format": "csv"}))], [Some(Format::Xlsx), Some(Format::Csv)]);
        assert_eq!([named(json!({"format": "pdf"})), named(json!({"format": ["csv"]}))], [None, None]);
    }

    #[test]
    fn beginnings_of_formulas_are_made_harmless() {
        for bad in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(harmless(bad), format!("'{bad}"));
        }
        assert_eq!(harmless("a=1"), "a=1");
        assert_eq!(harmless(""), "");
    }

    #[test]
    fn money_is_yuan_with_two_decimals() {
        assert_eq!(hundredths(0), "0.00");
        assert_eq!(hundredths(5), "0.05");
        assert_eq!(hundredths(-123_450), "-1234.50");
        assert_eq!(hundredths(i64::MIN), "-92233720368547758.08");
    }

    #[tokio::test]
    async fn a_file_cut_short_is_a_broken_download() {
        let (sender, pieces) = mpsc::channel(2);
        sender.send(Piece::Bytes(Bytes::from_static(b"half"))).await.ok();
        drop(sender);
        assert!(axum::body::to_bytes(body(pieces), 100).await.is_err());

        let (sender, pieces) = mpsc::channel(2);
        sender.send(Piece::Bytes(Bytes::from_static(b"whole"))).await.ok();
        sender.send(Piece::End).await.ok();
        assert_eq!(axum::body::to_bytes(body(pieces), 100).await.unwrap(), "whole");
    }
}
