//! Imports of a table (XLSX or CSV): it is checked line by line, first as a trial without writing, then for real: the
//! good lines in batches, the wrong ones as a file with their errors. The area knows the rules of a line and where it
//! is stored; nothing of it is known here.

mod budget;
pub mod cell;
mod csv;
mod refusal;
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

/// The most lines of a table, unless the area sets fewer.
pub const MOST_LINES: usize = 50_000;
/// Rows that are looked up and written together, unless the area sets fewer.
const BATCH: usize = 200;
/// Characters that are read of a cell; no column takes as many.
const LONGEST_CELL: usize = 2000;
/// Wrong cells in a report.
const SHOWN_CELLS: usize = 20;

/// A column of the table.
pub struct Column {
    /// The name by which a line finds the column, and under which its errors are reported.
    pub key: &'static str,
    pub title: Say,
    /// An earlier English title, as in files made from an older template.
    pub former: Option<&'static str>,
    /// A table without it is refused.
    pub required: bool,
}

impl Column {
    /// A column with its own title, not from the catalogue of fields.
    pub fn titled(key: &'static str, title: Say, required: bool) -> Column {
        Column { key, title, former: None, required }
    }

    /// A required column, with the heading of the catalogue of fields.
    pub fn required(record: &str, key: &'static str) -> Column {
        Column { key, title: fields::heading(record, key), former: None, required: true }
    }

    /// An optional column, with the heading of the catalogue of fields.
    pub fn optional(record: &str, key: &'static str) -> Column {
        Column { required: false, ..Column::required(record, key) }
    }

    /// The same column, also found by a former title.
    pub fn formerly(self, former: &'static str) -> Column {
        Column { former: Some(former), ..self }
    }
}

/// Whether two titles name the same column: blanks, marks of required columns and the width of characters do not
/// count.
pub fn same_title(one: &str, other: &str) -> bool {
    title::plain(one) == title::plain(other)
}

/// An optional column.
pub fn title(key: &'static str, chinese: &'static str, english: &'static str) -> Column {
    Column { key, title: say(chinese, english), former: None, required: false }
}

/// A required column.
pub fn required(key: &'static str, chinese: &'static str, english: &'static str) -> Column {
    Column { required: true, ..title(key, chinese, english) }
}

/// The subject of an import.
pub trait Importing: Send + Sync + 'static {
    /// A good line.
    type Row: Send + Sync + 'static;
    /// The key that no two rows share.
    type Place: std::hash::Hash + Eq + Send;
    /// The name in the audit trail.
    const TARGET: Target;
    /// The most lines of a table.
    const MOST_LINES: usize = MOST_LINES;
    /// Rows that are looked up and written together, in one transaction.
    const BATCH: usize = BATCH;
    /// The label.
    fn title() -> Say;
    /// The columns, in their usual order. A table may have them in any order.
    fn columns() -> Vec<Column>;
    /// Whether a trial may report which of these rows exist already. For rows of phone numbers, that is a search for
    /// each number.
    fn may_show_held(&self, _: &Ctx, _: &[Self::Row]) -> impl Future<Output = Result<bool>> + Send {
        std::future::ready(Ok(true))
    }
    /// Reads a line; `ApiError::Fields` has its errors, by column.
    fn read(&self, line: &Line<'_>) -> Result<Self::Row>;
    /// The key of a row.
    fn place(row: &Self::Row) -> Self::Place;
    /// Which of these rows exist already.
    fn held(&self, db: &Db, rows: &[Self::Row]) -> impl Future<Output = std::result::Result<Vec<bool>, sqlx::Error>> + Send;
    /// Adds rows that do not exist yet. Returns how many: rows that another transaction has added meanwhile are left
    /// out.
    fn write(&self, tx: &mut Tx, rows: &[Self::Row], stamp: Stamp) -> impl Future<Output = Result<usize>> + Send;
    /// Called when all rows are written. It is not called for an import that was cut off.
    fn finish(&self, _tx: &mut Tx, _stamp: Stamp) -> impl Future<Output = Result<()>> + Send {
        std::future::ready(Ok(()))
    }
}

/// The fields beside the file.
#[derive(Debug, Default, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub struct ImportFields {
    /// A trial: writes nothing.
    #[serde(deserialize_with = "flag")]
    pub dry_run: bool,
    /// Continues although the file has columns that are not used. Without it such a file is only tried.
    #[serde(deserialize_with = "flag")]
    pub accept_unused: bool,
}

/// Fields of forms are texts.
fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<bool, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(|_| D::Error::custom("true or false is expected"))
}
