//! Imports: a table that somebody brings (XLSX or CSV), checked line by line, tried without writing
//! anything, and then taken: the good lines in batches, the wrong ones as a file with what is wrong.
//! What a line must be, and where it goes, is the area's; nothing of it is known here.

mod budget;
pub mod cell;
mod csv;
mod report;
mod run;
mod table;
mod template;
mod title;
mod xlsx;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _};

use crate::access::audit::{Stamp, Target};
use crate::api::{Ctx, Result, Say, say};
use base::db::{Db, Tx};
use base::fields;

pub use report::{ImportReport, WrongCell};
pub use run::{read, run};
pub use table::{Layout, Line, Note, Row, RowKind, Table};
pub use template::template;

/// Lines of a table, at most, unless the area says fewer.
pub const MOST_LINES: usize = 50_000;
/// Rows that are looked up and written at a time, unless the area says fewer.
const BATCH: usize = 200;
/// Characters that are read of a cell; no column takes as many.
const LONGEST_CELL: usize = 2000;
/// Wrong cells that a report tells.
const TOLD: usize = 20;

/// A column of the table.
pub struct Column {
    /// The name under which a line is asked for it, and under which what is wrong with it is told.
    pub key: &'static str,
    pub title: Say,
    /// An earlier English title, as in files made from an older template.
    pub former: Option<&'static str>,
    /// A table without it is refused.
    pub required: bool,
}

impl Column {
    /// A column with a title that is not in the catalogue of fields.
    pub fn titled(key: &'static str, title: Say, required: bool) -> Column {
        Column { key, title, former: None, required }
    }

    /// A column that must be there, headed as the catalogue of fields says.
    pub fn required(record: &str, key: &'static str) -> Column {
        Column { key, title: fields::heading(record, key), former: None, required: true }
    }

    /// A column that may be missing, headed as the catalogue of fields says.
    pub fn optional(record: &str, key: &'static str) -> Column {
        Column { required: false, ..Column::required(record, key) }
    }

    /// The same column, also found by an earlier title.
    pub fn formerly(self, former: &'static str) -> Column {
        Column { former: Some(former), ..self }
    }
}

/// Whether two titles are the same column's: blanks, marks of what is required and the width of signs do not count.
pub fn same_title(one: &str, other: &str) -> bool {
    title::plain(one) == title::plain(other)
}

/// A column that may be missing.
pub fn title(key: &'static str, chinese: &'static str, english: &'static str) -> Column {
    Column { key, title: say(chinese, english), former: None, required: false }
}

/// A column that must be there.
pub fn required(key: &'static str, chinese: &'static str, english: &'static str) -> Column {
    Column { required: true, ..title(key, chinese, english) }
}

/// What is imported.
pub trait Importing: Send + Sync + 'static {
    /// A good line.
    type Row: Send + Sync + 'static;
    /// What no two rows have in common.
    type Place: std::hash::Hash + Eq + Send;
    /// What the audit trail calls it.
    const TARGET: Target;
    /// Lines of a table, at most.
    const MOST_LINES: usize = MOST_LINES;
    /// Rows that are looked up and written at a time, in one transaction.
    const BATCH: usize = BATCH;
    /// What people call it.
    fn title() -> Say;
    /// The columns, in their usual order. Those of a table may stand in any.
    fn columns() -> Vec<Column>;
    /// Whether a trial may say which of these rows exist already. For rows of phone numbers, that is a search for each number.
    fn may_show_held(&self, _: &Ctx, _: &[Self::Row]) -> impl Future<Output = Result<bool>> + Send {
        std::future::ready(Ok(true))
    }
    /// Reads a line; `ApiError::Fields` tells what is wrong with it, by column.
    fn read(&self, line: &Line<'_>) -> Result<Self::Row>;
    /// Where a row will stand.
    fn place(row: &Self::Row) -> Self::Place;
    /// Which of these rows are there already.
    fn held(&self, db: &Db, rows: &[Self::Row]) -> impl Future<Output = std::result::Result<Vec<bool>, sqlx::Error>> + Send;
    /// Adds rows that are not there yet, and tells how many: one that somebody else has added meanwhile is left out.
    fn write(&self, tx: &mut Tx, rows: &[Self::Row], stamp: Stamp) -> impl Future<Output = Result<usize>> + Send;
    /// What follows once all rows are written. It is not called for an import that was cut off.
    fn finish(&self, _tx: &mut Tx, _stamp: Stamp) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// What is said beside the file.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ImportFields {
    /// Tries, and writes nothing.
    #[serde(deserialize_with = "flag")]
    pub dry_run: bool,
    /// Goes on although the file has columns that are not used. Without it such a file is only tried.
    #[serde(deserialize_with = "flag")]
    pub accept_unused: bool,
}

/// Fields of forms are texts.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<bool, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(|_| D::Error::custom("true or false is expected"))
}
