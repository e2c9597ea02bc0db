//! A table as it was brought: its columns by their titles, and its lines as texts.

mod draft;
#[cfg(test)]
pub(super) mod tests;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use super::budget::Budget;
use super::refusal::{no_table, wrong};
use super::{Column, csv, title, xlsx};
use crate::api::form::FormFile;
use crate::api::{ApiError, Result, Say, say};
use crate::upload::Kind;
use base::locale::Locale;

pub(super) use self::draft::{Draft, MOST_CELLS, Next, TITLE_ROWS};

/// Columns that are named as unused.
const MOST_UNUSED: usize = 50;

/// What is looked for in a file.
pub struct Layout {
    pub columns: Vec<Column>,
    /// Lines, at most.
    pub most: usize,
    /// What a row below the titles is, where not each of them is a line.
    pub row_kind: Option<fn(&Row<'_>) -> RowKind>,
}

/// What a row below the titles is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    Line,
    /// A remark or a sum, kept as a note.
    Note,
    /// The titles of the sums that end the file. They and the row after them are notes, and nothing follows.
    End,
}

/// A row below the titles, before it is known what it is.
pub struct Row<'r> {
    columns: &'r [Column],
    places: &'r HashMap<usize, usize>,
    cells: &'r [(usize, Cell<'r>)],
}

impl Row<'_> {
    /// The text of a column's cell.
    pub fn text(&self, key: &str) -> &str {
        let is_of = |place: &usize| self.places.get(place).is_some_and(|index| self.columns[*index].key == key);
        self.cells.iter().find(|(place, _)| is_of(place)).map_or("", |(_, cell)| &cell.text)
    }

    /// The texts of its cells that have one.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.cells.iter().map(|(_, cell)| &*cell.text).filter(|text| !text.is_empty())
    }
}

/// A row that is no line: a remark, a sum.
pub struct Note {
    /// As people count the rows of the file.
    pub number: usize,
    /// Its cells that have a text, by their places.
    pub cells: Vec<(usize, String)>,
}

/// A cell as it was read.
#[derive(Clone, Default)]
pub(super) struct Cell<'c> {
    pub text: Cow<'c, str>,
    /// Why it cannot be read.
    pub fault: Option<Say>,
}

impl<'c> From<&'c str> for Cell<'c> {
    fn from(text: &'c str) -> Cell<'c> {
        Cell { text: text.into(), fault: None }
    }
}

/// A line as it is kept: its number in the file, a text for each column, and which of them cannot be read.
struct Stored {
    number: usize,
    cells: Vec<String>,
    faults: Vec<(usize, Say)>,
}

/// A table whose columns are known.
pub struct Table {
    columns: Vec<Column>,
    titles: Titles,
    lines: Vec<Stored>,
    notes: Vec<Note>,
    hidden_rows: usize,
}

/// One line of a table.
pub struct Line<'t> {
    /// As people count the rows of the file, its titles among them.
    pub number: usize,
    columns: &'t [Column],
    cells: &'t [String],
    faults: &'t [(usize, Say)],
}

impl<'t> Line<'t> {
    /// A cell's text without blanks around it; empty where the table has no such column.
    pub fn text(&self, key: &str) -> &'t str {
        self.columns.iter().position(|column| column.key == key).and_then(|index| self.cells.get(index)).map_or("", String::as_str)
    }

    /// All cells, in the order of the columns.
    pub fn cells(&self) -> &'t [String] {
        self.cells
    }

    /// The cells that cannot be read, by the keys of their columns. A line with one is wrong, whatever else it says.
    pub fn faults(&self) -> Vec<(String, Say)> {
        self.faults.iter().map(|(index, why)| (self.columns[*index].key.to_owned(), why.clone())).collect()
    }
}

impl Table {
    /// Reads a file. One that is no table, or none of these columns, is refused as the field `file`. It takes a
    /// processor's time, at most [`Budget`]'s: call it on a blocking thread.
    pub fn read(file: &FormFile, layout: Layout) -> Result<Table> {
        if file.size == 0 {
            return Err(wrong(say("文件为空", "The file is empty")));
        }
        let fault = |error: std::io::Error| ApiError::Internal(anyhow::Error::from(error).context("an import could not be read"));
        let mut content = file.content().map_err(fault)?;
        let mut draft = Draft::new(layout, Budget::of_this_thread());
        match Kind::of_table(&mut content, &file.name).map_err(fault)? {
            Ok(Kind::Xlsx) => xlsx::read(file.content().map_err(fault)?, &mut draft)?,
            Ok(_) => csv::read(file.content().map_err(fault)?, &mut draft)?,
            Err(why) => return Err(no_table(why)),
        }
        draft.done()
    }

    /// Its columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// The title of a column as the file has it, else its usual one; of a key that is no column's, the key.
    pub fn title(&self, key: &str, locale: Locale) -> String {
        let Some(index) = self.columns.iter().position(|column| column.key == key) else { return key.to_owned() };
        self.titles.own[index].clone().unwrap_or_else(|| self.columns[index].title.get(locale).to_owned())
    }

    /// Whether the file has a column.
    pub fn has(&self, key: &str) -> bool {
        self.place(key).is_some()
    }

    /// Where the cells of a column stand in the file.
    pub fn place(&self, key: &str) -> Option<usize> {
        self.titles.places.iter().find(|(_, index)| self.columns[**index].key == key).map(|(place, _)| *place)
    }

    /// The columns of the file that are not used: their titles, or `D` for one without a title that has cells.
    pub fn unused(&self, locale: Locale) -> Vec<String> {
        let untitled = |place: &usize| {
            let letters = title::letters(*place);
            locale.pick(format!("{letters} 列（无列名）"), format!("column {letters} (untitled)"))
        };
        self.titles.unused.iter().cloned().chain(self.titles.untitled.iter().map(untitled)).take(MOST_UNUSED).collect()
    }

    /// The sheet that was read, of a workbook.
    pub fn sheet(&self) -> Option<&str> {
        self.titles.sheet.as_deref()
    }

    /// Lines that a filter or a person has hidden in the workbook. They are read like the others.
    pub fn hidden_rows(&self) -> usize {
        self.hidden_rows
    }

    /// The rows that are no lines, in their order.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// How many lines it has: one or more.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// The line at an index.
    pub fn line(&self, index: usize) -> Line<'_> {
        let Stored { number, cells, faults } = &self.lines[index];
        Line { number: *number, columns: &self.columns, cells, faults }
    }
}

/// The row of the titles.
struct Titles {
    sheet: Option<String>,
    row: usize,
    /// Which column a cell is of, by its place in the file.
    places: HashMap<usize, usize>,
    /// The title of each column as the file has it.
    own: Vec<Option<String>>,
    /// Titles that name no column.
    unused: Vec<String>,
    titled: BTreeSet<usize>,
    /// Places without a title that have cells.
    untitled: BTreeSet<usize>,
}
