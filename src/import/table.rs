//! A table as it was brought: which kind of file it is, its columns by their titles, its lines as texts.

use std::collections::HashMap;

use super::{Column, LONGEST_CELL, csv, xlsx};
use crate::api::export::harmless;
use crate::api::form::FormFile;
use crate::api::{ApiError, Result, Say, say};
use crate::locale::Locale;
use crate::upload::Kind;

/// A table whose columns are known.
pub struct Table {
    columns: Vec<Column>,
    /// Each with its number in the file, and a text for each of the columns.
    lines: Vec<(usize, Vec<String>)>,
}

/// One line of a table.
pub struct Line<'t> {
    /// As people count the rows of the file, its titles among them.
    pub number: usize,
    columns: &'t [Column],
    cells: &'t [String],
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
}

impl Table {
    /// Reads a file of at most so many lines. One that is no table, or none of these columns, is refused as
    /// the field `file`.
    pub fn read(file: &FormFile, columns: Vec<Column>, most: usize) -> Result<Table> {
        if file.size == 0 {
            return Err(wrong(say("文件为空", "The file is empty")));
        }
        let fault = |error: std::io::Error| ApiError::Internal(anyhow::Error::from(error).context("an import could not be read"));
        let mut content = file.content().map_err(fault)?;
        let mut draft = Draft { columns, places: None, lines: Vec::new(), most };
        match Kind::of(&mut content, &file.name).map_err(fault)? {
            Some(Kind::Xlsx) => xlsx::read(file.content().map_err(fault)?, &mut draft)?,
            Some(Kind::Csv) => csv::read(file.content().map_err(fault)?, &mut draft)?,
            _ => return Err(ApiError::WrongType(say("请上传 XLSX 或 CSV 文件", "Upload an XLSX or CSV file"))),
        }
        draft.done()
    }

    /// Its columns.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// How many lines it has: one or more.
    pub fn rows(&self) -> usize {
        self.lines.len()
    }

    /// The line at an index.
    pub fn line(&self, index: usize) -> Line<'_> {
        let (number, cells) = &self.lines[index];
        Line { number: *number, columns: &self.columns, cells }
    }
}

/// A refusal of the file.
pub(super) fn wrong(message: Say) -> ApiError {
    ApiError::field("file", message)
}

/// A file that is no proper one of its kind.
pub(super) fn broken() -> ApiError {
    wrong(say("文件已损坏，无法读取", "The file is damaged and cannot be read"))
}

/// A table while it is being read.
pub(super) struct Draft {
    columns: Vec<Column>,
    /// Which column a cell is of, by its place in the file; none until the titles are read.
    places: Option<HashMap<usize, usize>>,
    lines: Vec<(usize, Vec<String>)>,
    /// Lines that it may have.
    most: usize,
}

impl Draft {
    /// Takes the next row, its cells by their places. The first that is not empty holds the titles.
    pub fn row<'c>(&mut self, number: usize, cells: impl Iterator<Item = (usize, &'c str)> + Clone) -> Result<()> {
        let cells = cells.map(|(place, text)| (place, text.trim()));
        if cells.clone().all(|(_, text)| text.is_empty()) {
            return Ok(());
        }
        let Some(places) = &self.places else {
            self.places = Some(self.titles(cells)?);
            return Ok(());
        };
        if self.lines.len() >= self.most {
            let most = self.most;
            return Err(wrong(say(format!("最多 {most} 行，请分成几个文件"), format!("At most {most} rows: split the file"))));
        }
        let mut texts = vec![String::new(); self.columns.len()];
        for (place, text) in cells {
            if let Some(index) = places.get(&place) {
                texts[*index] = plain(text).chars().filter(|character| *character != '\0').take(LONGEST_CELL).collect();
            }
        }
        // A row whose cells are all of other columns is none of ours.
        if texts.iter().any(|text| !text.is_empty()) {
            self.lines.push((number, texts));
        }
        Ok(())
    }

    /// Whether the cells of a place are read at all; all are until the titles are known.
    pub fn reads(&self, place: usize) -> bool {
        self.places.as_ref().is_none_or(|places| places.contains_key(&place))
    }

    fn titles<'c>(&self, cells: impl Iterator<Item = (usize, &'c str)>) -> Result<HashMap<usize, usize>> {
        let mut places = HashMap::new();
        for (place, text) in cells {
            let Some(index) = self.columns.iter().position(|column| is_titled(column, text)) else { continue };
            if places.values().any(|known| *known == index) {
                return Err(wrong(say(format!("列“{text}”重复"), format!("Duplicate column: “{text}”"))));
            }
            places.insert(place, index);
        }
        let missing = |locale: Locale| {
            let columns =
                self.columns.iter().enumerate().filter(|(index, column)| column.required && !places.values().any(|known| known == index));
            columns.map(|(_, column)| column.title.get(locale).to_owned()).collect::<Vec<_>>().join(locale.pick("、", ", "))
        };
        match missing(Locale::Chinese).is_empty() {
            true => Ok(places),
            false => Err(wrong(say(
                format!("第一行缺少列：{}", missing(Locale::Chinese)),
                format!("Columns missing in the first row: {}", missing(Locale::English)),
            ))),
        }
    }

    fn done(self) -> Result<Table> {
        if self.lines.is_empty() {
            return Err(wrong(say("文件里没有数据行", "The file has no data rows")));
        }
        Ok(Table { columns: self.columns, lines: self.lines })
    }
}

/// A text without the apostrophe that our own files put before what a spreadsheet would take for a formula.
fn plain(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| harmless(rest) != **rest).unwrap_or(text)
}

/// Whether a title is a column's: in either language, an earlier title, or the column's key.
fn is_titled(column: &Column, text: &str) -> bool {
    let names = [column.title.get(Locale::Chinese), column.title.get(Locale::English), column.key];
    names.into_iter().chain(column.former).any(|name| name.to_lowercase() == text.to_lowercase())
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::{MOST_LINES, required, title};
    use super::*;

    /// A draft of three columns.
    pub fn draft() -> Draft {
        let columns =
            vec![required("kind", "类型", "Kind").formerly("Sort"), required("value", "值", "Value"), title("note", "备注", "Note")];
        Draft { columns, places: None, lines: Vec::new(), most: MOST_LINES }
    }

    /// The lines of a table, as texts.
    pub fn texts(draft: Draft) -> Vec<(usize, String)> {
        draft.done().map_or_else(|_| Vec::new(), |table| table.lines.into_iter().map(|(number, cells)| (number, cells.join("|"))).collect())
    }

    /// What a refusal says of the file.
    pub fn said<T>(result: Result<T>) -> String {
        match result {
            Err(ApiError::Fields(fields)) => fields[0].1.get(Locale::English).to_owned(),
            _ => String::new(),
        }
    }

    fn row(draft: &mut Draft, number: usize, cells: &[&str]) -> Result<()> {
        draft.row(number, cells.iter().copied().enumerate())
    }

    #[test]
    fn columns_are_found_by_either_title_in_any_order() {
        let mut draft = draft();
        row(&mut draft, 1, &["", " "]).unwrap();
        row(&mut draft, 2, &["VALUE", "unknown", " 类型 "]).unwrap();
        row(&mut draft, 3, &[" a ", "x", "b\0"]).unwrap();
        row(&mut draft, 4, &["", "", ""]).unwrap();
        row(&mut draft, 5, &["", "only another column", ""]).unwrap();
        row(&mut draft, 6, &["c"]).unwrap();
        assert_eq!(texts(draft), [(3, "b|a|".to_owned()), (6, "|c|".to_owned())]);
    }

    #[test]
    fn a_column_is_found_by_its_earlier_title() {
        let mut draft = draft();
        row(&mut draft, 1, &["note", "SORT", "value"]).unwrap();
        row(&mut draft, 2, &["a", "b", "c"]).unwrap();
        assert_eq!(texts(draft), [(2, "b|c|a".to_owned())]);
    }

    #[test]
    fn a_table_of_other_columns_is_refused() {
        assert_eq!(said(row(&mut draft(), 1, &["kind", "备注"])), "Columns missing in the first row: Value");
        assert_eq!(said(row(&mut draft(), 1, &["kind", "类型", "value"])), "Duplicate column: “类型”");
        let mut only_titles = draft();
        row(&mut only_titles, 1, &["kind", "value"]).unwrap();
        assert_eq!(said(only_titles.done()), "The file has no data rows");
        assert_eq!(said(draft().done()), "The file has no data rows");
    }

    #[test]
    fn one_row_too_many_is_refused() {
        let mut draft = draft();
        row(&mut draft, 1, &["kind", "value"]).unwrap();
        for number in 0..MOST_LINES {
            row(&mut draft, number + 2, &["a", "b"]).unwrap();
        }
        assert_eq!(said(row(&mut draft, MOST_LINES + 2, &["a", "b"])), "At most 50000 rows: split the file");
    }

    #[test]
    fn what_was_made_harmless_is_read_as_it_was() {
        let mut draft = draft();
        row(&mut draft, 1, &["kind", "value"]).unwrap();
        row(&mut draft, 2, &["'+8613800138000", "'quoted'"]).unwrap();
        assert_eq!(texts(draft)[0].1, "+8613800138000|'quoted'|");
    }

    #[test]
    fn an_endless_cell_is_cut() {
        let mut draft = draft();
        row(&mut draft, 1, &["kind", "value"]).unwrap();
        row(&mut draft, 2, &["a", "好".repeat(5000).as_str()]).unwrap();
        assert_eq!(texts(draft)[0].1.chars().count(), "a|".len() + LONGEST_CELL + "|".len());
    }
}
