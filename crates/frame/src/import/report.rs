//! What an import comes to, and its wrong lines as a file.

use std::collections::BTreeMap;

use serde::Serialize;

use super::table::{Line, Table};
use crate::api::export::{harmless, lines};
use crate::api::{ApiError, Say};
use crate::upload::StoredFile;
use base::locale::Locale;

/// What a table comes to, or has come to.
#[derive(Clone, Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct ImportReport {
    /// It was only tried: nothing was written.
    pub dry_run: bool,
    /// Lines in all.
    pub total: usize,
    /// Lines that will be added, or were.
    pub good: usize,
    /// Lines that are there already, or twice in the file.
    pub duplicate: usize,
    /// Lines that are there already are not among them: the trial did not look for them.
    pub unsearched: bool,
    /// Lines with something wrong.
    pub wrong: usize,
    /// The sheet that was read, of a workbook.
    pub sheet: Option<String>,
    /// Lines that a filter or a person has hidden in the workbook; they are among the lines.
    pub hidden_rows: usize,
    /// Columns of the file that are not used, by their titles.
    pub unused_columns: Vec<String>,
    /// The first cells that are wrong.
    pub wrong_cells: Vec<WrongCell>,
    /// The wrong lines with what is wrong; its maker's alone, for a day.
    pub error_file: Option<StoredFile>,
}

/// A cell that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct WrongCell {
    /// As people count the rows of the file.
    pub row: usize,
    /// The column's title as the file has it; empty for what is wrong with the whole line.
    pub column: String,
    pub message: String,
}

/// A line that is wrong: its index, and what is wrong with it.
pub(super) struct WrongLine {
    pub index: usize,
    pub wrong: Vec<(String, Say)>,
}

impl WrongLine {
    /// Makes one of what a line was refused with; a fault of ours is none.
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

/// The titles of the two columns at the end of our files of wrong lines: the row of the line, and what is wrong.
fn added_titles(locale: Locale) -> [&'static str; 2] {
    locale.pick(["行号", "错误"], ["Row", "Error"])
}

/// The titles that name no column, by place, without those that our own files of wrong lines have at their end.
pub(super) fn without_added(unused: &BTreeMap<usize, String>) -> Vec<String> {
    let last: Vec<&str> = unused.values().rev().take(2).rev().map(String::as_str).collect();
    let are_added = [Locale::Chinese, Locale::English].iter().any(|locale| last == added_titles(*locale));
    let kept = if are_added { unused.len() - 2 } else { unused.len() };
    unused.values().take(kept).cloned().collect()
}

/// The wrong lines as a CSV file: as they came, with their numbers and what is wrong. It can be
/// corrected and brought again.
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
