//! A table while it is read: it looks for the titles and takes the rows below them.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::{Cell, Layout, MOST_UNUSED, Note, Row, RowKind, Stored, Table, Titles};
use crate::api::export::harmless;
use crate::api::{ApiError, Result, Say, say};
use crate::import::budget::{Budget, too_much};
use crate::import::refusal::{after_the_sums, broken, wrong};
use crate::import::title::{self, Names};
use crate::import::{LONGEST_CELL, cell, report};
use base::canonical::trimmed;
use base::locale::Locale;

/// Rows of a file among which the titles are looked for.
pub const TITLE_ROWS: usize = 20;
/// Cells of a row, as many as a spreadsheet has columns.
pub const MOST_CELLS: usize = 16_384;
/// Bytes of the cells that are kept of a file, all together.
const MOST_TEXT: usize = 32 * 1024 * 1024;
/// Rows beside the lines, at most, and cells of each that are kept.
const MOST_NOTES: usize = 1000;
const NOTE_CELLS: usize = 64;
/// Titles of a file that a refusal names, and the fewest texts of a row that look like titles.
const MOST_NAMED: usize = 20;
const FEWEST_TITLES: usize = 3;
/// Cells of lines that merged cells may cover.
const MOST_COVERED: usize = 1_000_000;

/// A row that has some of the titles, but not all that are needed.
struct Miss {
    sheet: Option<String>,
    row: usize,
    found: usize,
    missing: Vec<usize>,
    /// Its titles that name no column.
    others: Vec<String>,
}

/// Whether the reading of a sheet goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    Row,
    /// No titles were found among the rows in which they are looked for.
    NoTitles,
}

/// A table while it is being read.
pub struct Draft {
    layout: Layout,
    names: Rc<Names>,
    pub budget: Rc<Budget>,
    /// The sheet that is read, and the hidden ones that are not.
    sheet: Option<String>,
    hidden: Vec<String>,
    titles: Option<Titles>,
    nearest: Option<Miss>,
    /// The texts of the longest row that may be titles, while no row has one of the wanted titles.
    likely: Vec<String>,
    lines: Vec<Stored>,
    notes: Vec<Note>,
    hidden_rows: usize,
    /// Rows that may still come, after the titles of the sums that end the file.
    rows_left: Option<usize>,
    text_left: usize,
}

impl Draft {
    pub fn new(layout: Layout, budget: Rc<Budget>) -> Draft {
        let names = Rc::new(Names::of(&layout.columns));
        Draft {
            layout,
            names,
            budget,
            sheet: None,
            hidden: Vec::new(),
            titles: None,
            nearest: None,
            likely: Vec::new(),
            lines: Vec::new(),
            notes: Vec::new(),
            hidden_rows: 0,
            rows_left: None,
            text_left: MOST_TEXT,
        }
    }

    /// Begins a sheet of a workbook, after those that have no titles.
    pub fn begin(&mut self, sheet: &str) {
        self.sheet = Some(title::shortened(sheet));
    }

    /// Notes a sheet that is passed over.
    pub fn pass_over(&mut self, sheet: &str) {
        self.hidden.push(title::shortened(sheet));
    }

    pub fn has_titles(&self) -> bool {
        self.titles.is_some()
    }

    /// Whether a row has all titles that are needed.
    pub fn is_title_row(&self, cells: &[(usize, Cell<'_>)]) -> bool {
        let named = self.names.find(self.layout.columns.len(), &texts(cells));
        self.missing(&named.places).is_empty()
    }

    /// How many columns the cells of a row name.
    pub fn titles_in(&self, cells: &[(usize, Cell<'_>)]) -> usize {
        self.names.find(self.layout.columns.len(), &texts(cells)).places.iter().filter(|places| !places.is_empty()).count()
    }

    /// Takes the next row, its cells by their places. Rows above the titles are passed over.
    pub fn row(&mut self, number: usize, cells: &[(usize, Cell<'_>)]) -> Result<Next> {
        self.budget.check()?;
        if cells.len() > MOST_CELLS {
            return Err(too_much());
        }
        let is_empty = cells.iter().all(|(_, cell)| cell.fault.is_none() && trimmed(&cell.text).is_empty());
        if self.titles.is_none() {
            return match number > TITLE_ROWS {
                true => Ok(Next::NoTitles),
                false if is_empty => Ok(Next::Row),
                false => self.look(number, cells).map(|()| Next::Row),
            };
        }
        if !is_empty {
            let trimmed: Vec<(usize, Cell<'_>)> = cells.iter().map(|(place, cell)| (*place, trim(cell))).collect();
            self.take(number, &trimmed)?;
        }
        Ok(Next::Row)
    }

    fn take(&mut self, number: usize, cells: &[(usize, Cell<'_>)]) -> Result<()> {
        let Some(titles) = &mut self.titles else { return Ok(()) };
        if let Some(kind) = self.layout.row_kind {
            let row = Row { columns: &self.layout.columns, places: &titles.places, cells };
            let is_note = match self.rows_left {
                Some(0) => return Err(after_the_sums(number)),
                Some(left) => {
                    self.rows_left = Some(left - 1);
                    true
                }
                None => {
                    let kind = kind(&row);
                    self.rows_left = (kind == RowKind::End).then_some(1);
                    kind != RowKind::Line
                }
            };
            if is_note {
                return self.note(number, cells);
            }
        }
        let (mut texts, mut faults) = (vec![String::new(); self.layout.columns.len()], Vec::new());
        for (place, found) in cells {
            let Some(index) = titles.places.get(place) else {
                if !titles.titled.contains(place) && !found.text.is_empty() && titles.untitled.len() < MOST_UNUSED {
                    titles.untitled.insert(*place);
                }
                continue;
            };
            texts[*index] = kept_text(plain(&found.text));
            if let Some(fault) = found.fault.clone().or_else(|| cell::fault(&found.text)) {
                faults.push((*index, fault));
            }
        }
        // A row whose cells are all of other columns is no line.
        if texts.iter().all(String::is_empty) && faults.is_empty() {
            return Ok(());
        }
        if self.lines.len() >= self.layout.most {
            let most = self.layout.most;
            return Err(wrong(say(format!("最多 {most} 行，请分成几个文件"), format!("At most {most} rows: split the file"))));
        }
        let size = texts.iter().map(String::len).sum();
        self.text_left = self.text_left.checked_sub(size).ok_or_else(too_much)?;
        self.lines.push(Stored { number, cells: texts, faults });
        Ok(())
    }

    /// Keeps a row that is no line.
    fn note(&mut self, number: usize, cells: &[(usize, Cell<'_>)]) -> Result<()> {
        if self.notes.len() >= MOST_NOTES {
            return Err(wrong(say(
                format!("第 {number} 行：说明和合计行最多 {MOST_NOTES} 行"),
                format!("Row {number}: at most {MOST_NOTES} rows may be remarks or sums"),
            )));
        }
        let kept = cells.iter().filter(|(_, cell)| !cell.text.is_empty()).take(NOTE_CELLS);
        let cells: Vec<(usize, String)> = kept.map(|(place, cell)| (*place, kept_text(&cell.text))).collect();
        let size = cells.iter().map(|(_, text)| text.len()).sum();
        self.text_left = self.text_left.checked_sub(size).ok_or_else(too_much)?;
        self.notes.push(Note { number, cells });
        Ok(())
    }

    /// Marks the cells of lines that merged cells cover: only the first of them has the text that people see in all of them.
    /// `regions` are the first and the last row and place of each, the rows as people count them.
    pub fn merged(&mut self, regions: impl Iterator<Item = [(usize, usize); 2]>) -> Result<()> {
        let Some(titles) = &self.titles else { return Ok(()) };
        let mut left = MOST_COVERED;
        for [first, last] in regions {
            let of = |number: usize| self.lines.partition_point(|line| line.number < number);
            let (from, to) = (of(first.0), of(last.0.saturating_add(1)));
            for (place, index) in &titles.places {
                if !(first.1..=last.1).contains(place) {
                    continue;
                }
                left = left.checked_sub(to.saturating_sub(from) + 1).ok_or_else(too_much)?;
                for line in self.lines.get_mut(from..to).unwrap_or_default() {
                    if (line.number, *place) != first && !line.faults.iter().any(|(known, _)| known == index) {
                        line.faults
                            .push((*index, say("合并的单元格，请取消合并后逐行填写", "Merged cells: unmerge them and fill in each row")));
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts the lines that are hidden; `is_hidden` says it of a row, as people count them.
    pub fn count_hidden(&mut self, is_hidden: impl Fn(usize) -> bool) {
        self.hidden_rows = self.lines.iter().filter(|line| is_hidden(line.number)).count();
    }

    /// Takes a row for the one of the titles if it has all that are needed.
    fn look(&mut self, number: usize, cells: &[(usize, Cell<'_>)]) -> Result<()> {
        let columns = &self.layout.columns;
        let texts = texts(cells);
        let named = self.names.find(columns.len(), &texts);
        let missing = self.missing(&named.places);
        let found = named.places.iter().filter(|places| !places.is_empty()).count();
        if !missing.is_empty() {
            if found > self.nearest.as_ref().map_or(0, |nearest| nearest.found) {
                let others = named.unused.into_values().filter(|text| may_be_title(text)).take(MOST_NAMED).collect();
                self.nearest = Some(Miss { sheet: self.sheet.clone(), row: number, found, missing, others });
            } else if texts.len() >= FEWEST_TITLES.max(self.likely.len() + 1) && texts.iter().all(|(_, text)| may_be_title(text)) {
                self.likely = texts.iter().map(|(_, text)| title::shortened(text)).take(MOST_NAMED).collect();
            }
            return Ok(());
        }
        let text_of = |place: usize| texts.iter().find(|(at, _)| *at == place).map(|(_, text)| title::shortened(text));
        if let Some([first, second, ..]) = named.places.iter().map(Vec::as_slice).find(|places| places.len() > 1) {
            let text = text_of(*first).unwrap_or_default();
            let (first, second, at) = (title::letters(*first), title::letters(*second), self.at(self.sheet.as_deref(), number));
            return Err(wrong(say(
                format!("{}列“{text}”重复：{first} 列和 {second} 列", at.get(Locale::Chinese)),
                format!("{}duplicate column “{text}”: columns {first} and {second}", at.get(Locale::English)),
            )));
        }
        let own = named.places.iter().map(|places| places.first().and_then(|place| text_of(*place))).collect();
        let places = named.places.iter().enumerate().filter_map(|(index, places)| Some((*places.first()?, index))).collect();
        let titled = texts.iter().map(|(place, _)| *place).collect();
        let unused = report::without_added(&named.unused);
        self.titles = Some(Titles { sheet: self.sheet.clone(), row: number, places, own, unused, titled, untitled: BTreeSet::new() });
        Ok(())
    }

    /// The columns that are needed and have no place.
    fn missing(&self, places: &[Vec<usize>]) -> Vec<usize> {
        let columns = self.layout.columns.iter().enumerate();
        columns.filter(|(index, column)| column.required && places[*index].is_empty()).map(|(index, _)| index).collect()
    }

    /// Which row of which sheet something is said of.
    fn at(&self, sheet: Option<&str>, row: usize) -> Say {
        match sheet {
            Some(sheet) => say(format!("工作表“{sheet}”第 {row} 行："), format!("Sheet “{sheet}”, row {row}: ")),
            None => say(format!("第 {row} 行："), format!("Row {row}: ")),
        }
    }

    /// A refusal for the second of two sheets that have the titles.
    pub fn two_sheets(&self, second: &str) -> ApiError {
        let (first, second) = (self.sheet.clone().unwrap_or_default(), title::shortened(second));
        wrong(say(
            format!("工作表“{first}”和“{second}”都有数据，请合并到一个工作表，或隐藏、删除其中一个"),
            format!("Sheets “{first}” and “{second}” both hold rows: put them into one sheet, or hide or delete one"),
        ))
    }

    /// A refusal of a file without the row of titles: what was looked at, and what is missing there.
    fn untitled(&self) -> ApiError {
        let names = |indices: &[usize], locale: Locale| {
            let names: Vec<&str> = indices.iter().map(|index| self.layout.columns[*index].title.get(locale)).collect();
            names.join(locale.pick("、", ", "))
        };
        let words = |locale: Locale| {
            let mut words = match &self.nearest {
                Some(nearest) => {
                    let (at, missing) = (self.at(nearest.sheet.as_deref(), nearest.row), names(&nearest.missing, locale));
                    let mut words = format!("{}{}{missing}", at.get(locale), locale.pick("缺少列：", "columns missing: "));
                    if !nearest.others.is_empty() {
                        words.push_str(locale.pick("；该行的其他列名：", "; other headings there: "));
                        words.push_str(&nearest.others.join(locale.pick("、", ", ")));
                    }
                    words
                }
                None => {
                    let needed = names(&self.missing(&vec![Vec::new(); self.layout.columns.len()]), locale);
                    let mut words = locale.pick(
                        format!("前 {TITLE_ROWS} 行中没有列名，需要的列：{needed}"),
                        format!("No column headings in the first {TITLE_ROWS} rows; needed: {needed}"),
                    );
                    if !self.likely.is_empty() {
                        words.push_str(locale.pick("；文件的列名可能是：", "; the headings of the file may be: "));
                        words.push_str(&self.likely.join(locale.pick("、", ", ")));
                    }
                    words
                }
            };
            if !self.hidden.is_empty() {
                let hidden = self.hidden.join(locale.pick("、", ", "));
                words.push_str(
                    &locale.pick(format!("（未读取隐藏的工作表：{hidden}）"), format!(" (hidden sheets are not read: {hidden})")),
                );
            }
            words
        };
        wrong(say(words(Locale::Chinese), words(Locale::English)))
    }

    pub fn done(self) -> Result<Table> {
        if self.titles.is_none() {
            return Err(self.untitled());
        }
        let Draft { layout, titles: Some(titles), lines, notes, hidden_rows, .. } = self else { return Err(broken()) };
        if lines.is_empty() {
            let row = titles.row;
            return Err(wrong(say(
                format!("文件里没有数据行（列名在第 {row} 行）"),
                format!("The file has no data rows (the column headings are in row {row})"),
            )));
        }
        Ok(Table { columns: layout.columns, titles, lines, notes, hidden_rows })
    }
}

/// The cells that have a text, without blanks around it.
fn texts<'c>(cells: &'c [(usize, Cell<'_>)]) -> Vec<(usize, &'c str)> {
    cells.iter().map(|(place, cell)| (*place, trimmed(&cell.text))).filter(|(_, text)| !text.is_empty()).collect()
}

/// Whether a text may be a title. One with a digit may be the phone or number of a person, which no refusal repeats.
fn may_be_title(text: &str) -> bool {
    !text.starts_with('#') && !text.contains(char::is_numeric)
}

fn trim<'c>(cell: &'c Cell<'_>) -> Cell<'c> {
    Cell { text: trimmed(&cell.text).into(), fault: cell.fault.clone() }
}

/// As much of a cell as is kept.
fn kept_text(text: &str) -> String {
    text.chars().filter(|character| *character != '\0').take(LONGEST_CELL).collect()
}

/// A text without the apostrophe that exported files have before what a spreadsheet would take for a formula.
fn plain(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| harmless(rest) != **rest).unwrap_or(text)
}
