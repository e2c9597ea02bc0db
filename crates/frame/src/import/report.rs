//! The result of an import, and its wrong lines as a file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::table::{Line, Table};
use crate::api::export::{harmless, lines};
use crate::api::{ApiError, Say};
use crate::upload::StoredFile;
use base::locale::Locale;

/// The result of a trial or an import.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ImportReport {
    /// It was a trial: nothing was written.
    pub dry_run: bool,
    /// Lines in all.
    pub total: usize,
    /// Lines that will be added, or were.
    pub good: usize,
    /// Lines that exist already, or are twice in the file.
    pub duplicate: usize,
    /// Existing lines are not counted: the trial did not search for them.
    pub unsearched: bool,
    /// Lines with something wrong.
    pub wrong: usize,
    /// The sheet of a workbook that was read.
    pub sheet: Option<String>,
    /// Lines hidden in the workbook by a filter or a person; they are included.
    pub hidden_rows: usize,
    /// Columns of the file that are not used, by their titles.
    pub unused_columns: Vec<String>,
    /// The first cells that are wrong.
    pub wrong_cells: Vec<WrongCell>,
    /// The wrong lines with their errors; only for the person who made the import, for a day.
    pub error_file: Option<StoredFile>,
}

/// A cell that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct WrongCell {
    /// The number of the row, as people count.
    pub row: usize,
    /// The column's title in the file; empty for an error of the whole line.
    pub column: String,
    pub message: String,
}

/// A wrong line: its index, and its errors.
pub(super) struct WrongLine {
    pub index: usize,
    pub wrong: Vec<(String, Say)>,
}

impl WrongLine {
    /// The wrong line of a refusal; a fault of this program is returned as an error.
    pub fn of(index: usize, error: ApiError) -> Result<WrongLine, ApiError> {
        match error {
            ApiError::Fields(wrong) => Ok(WrongLine { index, wrong }),
            ApiError::State(message) | ApiError::Duplicate(message) => Ok(WrongLine { index, wrong: vec![(String::new(), message)] }),
            other => Err(other),
        }
    }

    /// Its cells that are wrong.
    pub fn cells(&self, table: &Table, locale: Locale) -> Vec<WrongCell> {
        let row = table.line(self.index).number;
        let cell =
            |(key, message): &(String, Say)| WrongCell { row, column: table.title(key, locale), message: message.get(locale).to_owned() };
        self.wrong.iter().map(cell).collect()
    }
}

/// The titles of the two columns at the end of our files of wrong lines: the row, and the errors.
fn added_titles(locale: Locale) -> [&'static str; 2] {
    locale.pick(["行号", "错误"], ["Row", "Error"])
}

/// The titles that name no column, by position, without those at the end of our own files of wrong lines.
pub(super) fn without_added(unused: &BTreeMap<usize, String>) -> Vec<String> {
    let last: Vec<&str> = unused.values().rev().take(2).rev().map(String::as_str).collect();
    let are_added = [Locale::Chinese, Locale::English].iter().any(|locale| last == added_titles(*locale));
    let kept = if are_added { unused.len() - 2 } else { unused.len() };
    unused.values().take(kept).cloned().collect()
}

/// The wrong lines as a CSV file: as they were, with their numbers and errors. It can be corrected and imported
/// again.
pub(super) fn error_file(table: &Table, wrong: &[WrongLine], locale: Locale) -> Result<Vec<u8>, csv::Error> {
    let titles = table.columns().iter().map(|column| column.title.get(locale).to_owned());
    let head: Vec<String> = titles.chain(added_titles(locale).map(str::to_owned)).collect();
    let rows = wrong.iter().map(|line| {
        let Line { number, .. } = table.line(line.index);
        let wrong = line.cells(table, locale).into_iter().map(|cell| match cell.column.as_str() {
            "" => cell.message,
            column => format!("{column}{}{}", locale.pick("：", ": "), cell.message),
        });
        let wrong = wrong.collect::<Vec<_>>().join(locale.pick("；", "; "));
        let cells = table.line(line.index).cells().iter().map(|text| harmless(text));
        cells.chain([number.to_string(), harmless(&wrong)]).collect::<Vec<String>>()
    });
    let mut file = "\u{feff}".as_bytes().to_vec();
    file.extend(lines([head].into_iter().chain(rows))?);
    Ok(file)
}
