//! A table as it was brought: which kind of file it is, its columns by their titles, its lines as texts.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::budget::{Budget, too_much};
use super::title::{self, Names};
use super::{Column, LONGEST_CELL, cell, csv, report, xlsx};
use crate::api::export::harmless;
use crate::api::form::FormFile;
use crate::api::{ApiError, Result, Say, say};
use crate::upload::{Kind, NoTable, NoText};
use base::canonical::trimmed;
use base::locale::Locale;

/// Rows of a file among which the titles are looked for.
pub(super) const TITLE_ROWS: usize = 20;
/// Cells of a row, as many as a spreadsheet has columns.
pub(super) const MOST_CELLS: usize = 16_384;
/// Bytes of the cells that are kept of a file, all together.
const MOST_TEXT: usize = 32 * 1024 * 1024;
/// Rows beside the lines, at most, and cells of each that are kept.
const MOST_NOTES: usize = 1000;
const NOTE_CELLS: usize = 64;
/// Columns that are named as unused.
const MOST_UNUSED: usize = 50;
/// Cells of lines that merged cells may cover.
const MOST_COVERED: usize = 1_000_000;

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

/// A refusal of the file.
pub(super) fn wrong(message: Say) -> ApiError {
    ApiError::field("file", message)
}

/// A refusal of a file that is no table, in words that say what to do.
fn no_table(why: NoTable) -> ApiError {
    match why {
        NoTable::Text(why) => no_text(why),
        NoTable::CutWorkbook => ApiError::WrongType(say(
            "工作簿不完整，可能没有下载或保存完，请重新下载或另存后再导入",
            "The workbook is incomplete: download it again, or save it again and import that",
        )),
        NoTable::OldWorkbook => ApiError::WrongType(say(
            "这是旧版 Excel（XLS）或加密的文件，请在表格软件中去掉密码并另存为 XLSX",
            "This is a file of an old Excel (XLS), or one with a password: save it as XLSX without a password",
        )),
        NoTable::Other => ApiError::WrongType(say("请上传 XLSX 或 CSV 文件", "Upload an XLSX or CSV file")),
    }
}

/// A refusal of a file that is no text of lines.
pub(super) fn no_text(why: NoText) -> ApiError {
    ApiError::WrongType(match why {
        NoText::Blank => return wrong(say("文件里只有空白", "The file holds only blanks")),
        NoText::Page => say(
            "这是网页（HTML）或 XML，不是表格；请在表格软件中打开并另存为 XLSX",
            "This is a web page (HTML) or XML, not a table: open it in a spreadsheet program and save it as XLSX",
        ),
        NoText::Encoding { row } => say(
            format!("第 {row} 行的文字编码无法识别，文件可能混用了多种编码；请在表格软件中核对后另存为 XLSX 或 UTF-8 的 CSV"),
            format!(
                "Row {row}: an unknown encoding, or several in one file: check it in a spreadsheet program and save it as XLSX or as CSV in UTF-8"
            ),
        ),
        NoText::Control { row, character } => {
            let code = format!("U+{:04X}", u32::from(character));
            say(
                format!("第 {row} 行含有控制字符（{code}），表格里不应有；请在表格软件中打开并另存为 XLSX"),
                format!(
                    "Row {row} holds a control character ({code}), which no table has: open it in a spreadsheet program and save it as XLSX"
                ),
            )
        }
    })
}

/// A file that is no proper one of its kind.
pub(super) fn broken() -> ApiError {
    wrong(say("文件已损坏，无法读取", "The file is damaged and cannot be read"))
}

/// A refusal of a file that goes on after the sums at its end, as two files in one do.
fn after_the_sums(row: usize) -> ApiError {
    wrong(say(
        format!("第 {row} 行：汇总数据之后还有内容，请导入原文件，一次一个"),
        format!("Row {row}: the file goes on after its sums: import the original files, one at a time"),
    ))
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

/// A row that has some of the titles, but not all that are needed.
struct Miss {
    sheet: Option<String>,
    row: usize,
    found: usize,
    missing: Vec<usize>,
}

/// Whether the reading of a sheet goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    Row,
    /// No titles were found among the rows in which they are looked for.
    NoTitles,
}

/// A table while it is being read.
pub(super) struct Draft {
    layout: Layout,
    names: Rc<Names>,
    pub budget: Rc<Budget>,
    /// The sheet that is read, and the hidden ones that are not.
    sheet: Option<String>,
    hidden: Vec<String>,
    titles: Option<Titles>,
    nearest: Option<Miss>,
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
        // A row whose cells are all of other columns is none of ours.
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

    /// Marks the cells of lines that merged cells cover: only the first of them has what the person sees in all.
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
                self.nearest = Some(Miss { sheet: self.sheet.clone(), row: number, found, missing });
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
                    format!("{}{}{missing}", at.get(locale), locale.pick("缺少列：", "columns missing: "))
                }
                None => {
                    let needed = names(&self.missing(&vec![Vec::new(); self.layout.columns.len()]), locale);
                    locale.pick(
                        format!("前 {TITLE_ROWS} 行中没有列名，需要的列：{needed}"),
                        format!("No column headings in the first {TITLE_ROWS} rows; needed: {needed}"),
                    )
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

fn trim<'c>(cell: &'c Cell<'_>) -> Cell<'c> {
    Cell { text: trimmed(&cell.text).into(), fault: cell.fault.clone() }
}

/// As much of a cell as is kept.
fn kept_text(text: &str) -> String {
    text.chars().filter(|character| *character != '\0').take(LONGEST_CELL).collect()
}

/// A text without the apostrophe that our own files put before what a spreadsheet would take for a formula.
fn plain(text: &str) -> &str {
    text.strip_prefix('\'').filter(|rest| harmless(rest) != **rest).unwrap_or(text)
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Duration;

    use super::super::{MOST_LINES, required, title};
    use super::*;

    /// A layout of three columns.
    pub fn layout() -> Layout {
        let columns =
            vec![required("kind", "类型", "Kind").formerly("Sort"), required("value", "值", "Value"), title("note", "备注", "Note")];
        Layout { columns, most: MOST_LINES, row_kind: None }
    }

    /// A draft of three columns, with all the time of the world.
    pub fn draft() -> Draft {
        Draft::new(layout(), Budget::of(|| Duration::ZERO))
    }

    /// The lines of a table, as texts.
    pub fn lines(table: &Table) -> Vec<(usize, String)> {
        (0..table.rows()).map(|index| table.line(index)).map(|line| (line.number, line.cells().join("|"))).collect()
    }

    /// The lines of a draft, as texts.
    pub fn texts(draft: Draft) -> Vec<(usize, String)> {
        draft.done().map_or_else(|_| Vec::new(), |table| lines(&table))
    }

    /// What is wrong with the cells of a draft: row, column and why.
    pub fn faults(draft: Draft) -> Vec<(usize, String, String)> {
        let Ok(table) = draft.done() else { return Vec::new() };
        let of = |line: Line<'_>| {
            let faults = line.faults().into_iter();
            faults.map(|(key, why)| (line.number, key, why.get(Locale::English).to_owned())).collect::<Vec<_>>()
        };
        (0..table.rows()).flat_map(|index| of(table.line(index))).collect()
    }

    /// What a refusal says of the file.
    pub fn said<T>(result: Result<T>) -> String {
        match result {
            Err(ApiError::Fields(fields)) => fields[0].1.get(Locale::English).to_owned(),
            _ => String::new(),
        }
    }

    fn row(draft: &mut Draft, number: usize, cells: &[&str]) -> Result<Next> {
        let cells: Vec<(usize, Cell<'_>)> = cells.iter().map(|text| Cell::from(*text)).enumerate().collect();
        draft.row(number, &cells)
    }

    #[test]
    fn columns_are_found_by_either_title_in_any_order() {
        let mut draft = draft();
        row(&mut draft, 1, &["", " "]).unwrap();
        row(&mut draft, 2, &["VALUE", "unknown", " 类型 "]).unwrap();
        row(&mut draft, 3, &[" a ", "x", "b\0"]).unwrap();
        row(&mut draft, 4, &["", "", ""]).unwrap();
        row(&mut draft, 5, &["", "only another column", ""]).unwrap();
        row(&mut draft, 6, &["c", "", "", "\t", "no title"]).unwrap();
        let table = draft.done().unwrap_or_else(|_| panic!("no table"));
        assert_eq!(lines(&table), [(3, "b|a|".to_owned()), (6, "|c|".to_owned())]);
        assert_eq!(table.unused(Locale::English), ["unknown", "column E (untitled)"]);
        assert_eq!(table.title("value", Locale::English), "VALUE", "as the file has it");
        assert_eq!(table.title("note", Locale::English), "Note");
    }

    #[test]
    fn a_column_is_found_by_its_earlier_title() {
        let mut draft = draft();
        row(&mut draft, 1, &["note", "SORT", "value"]).unwrap();
        row(&mut draft, 2, &["a", "b", "c"]).unwrap();
        assert_eq!(texts(draft), [(2, "b|c|a".to_owned())]);
    }

    #[test]
    fn the_titles_are_the_first_row_that_has_all_that_are_needed() {
        let mut draft = draft();
        row(&mut draft, 1, &["用户导入表"]).unwrap();
        row(&mut draft, 3, &["kind", "remarks above the table"]).unwrap();
        row(&mut draft, 4, &["* 类型", "值（必填）"]).unwrap();
        row(&mut draft, 5, &["a", "b"]).unwrap();
        assert_eq!(texts(draft), [(5, "a|b|".to_owned())]);
    }

    #[test]
    fn a_table_of_other_columns_is_refused() {
        let refused = |rows: &[(usize, &[&str])]| {
            let mut draft = draft();
            for (number, cells) in rows {
                row(&mut draft, *number, cells).unwrap();
            }
            said(draft.done())
        };
        assert_eq!(refused(&[(1, &["title"]), (2, &["kind", "备注"]), (3, &["kind"])]), "Row 2: columns missing: Value");
        assert_eq!(refused(&[(1, &["a", "b"])]), "No column headings in the first 20 rows; needed: Kind, Value");
        let late: Vec<(usize, &[&str])> = vec![(21, &["kind", "value"]), (22, &["a", "b"])];
        assert_eq!(refused(&late), "No column headings in the first 20 rows; needed: Kind, Value");
        assert_eq!(said(row(&mut draft(), 1, &["kind", "类型", "value"])), "Row 1: duplicate column “kind”: columns A and B");
        assert_eq!(refused(&[(4, &["kind", "value"])]), "The file has no data rows (the column headings are in row 4)");
        assert_eq!(refused(&[]), "No column headings in the first 20 rows; needed: Kind, Value");
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

    #[test]
    fn a_cell_that_cannot_be_read_is_no_empty_one() {
        let mut draft = draft();
        row(&mut draft, 1, &["kind", "value", "other"]).unwrap();
        row(&mut draft, 2, &["#N/A", "4.2E+27", "#REF!"]).unwrap();
        row(&mut draft, 3, &["", "#VALUE!"]).unwrap();
        let faults = faults(draft);
        let places: Vec<_> = faults.iter().map(|(row, key, _)| (*row, key.as_str())).collect();
        assert_eq!(places, [(2, "kind"), (2, "value"), (3, "value")]);
        assert!(faults[1].2.starts_with("The spreadsheet has shortened this number"), "{faults:?}");
    }

    #[test]
    fn a_file_that_holds_too_much_is_refused() {
        let mut wide = draft();
        let cells: Vec<(usize, Cell<'_>)> = (0..=MOST_CELLS).map(|place| (place, Cell::from("kind"))).collect();
        assert!(said(wide.row(1, &cells)).starts_with("The file holds too much"));
        let mut long = draft();
        row(&mut long, 1, &["kind", "value", "note"]).unwrap();
        let text = "好".repeat(LONGEST_CELL);
        let refused = (2..).map(|number| row(&mut long, number, &[&text, &text, &text])).find(Result::is_err).unwrap();
        assert!(said(refused).starts_with("The file holds too much"));
    }

    #[test]
    fn reading_ends_when_its_time_is_over() {
        let time = Rc::new(std::cell::Cell::new(Duration::ZERO));
        let clock = time.clone();
        let mut draft = Draft::new(layout(), Budget::of(move || clock.get()));
        row(&mut draft, 1, &["kind", "value"]).unwrap();
        time.set(Duration::from_secs(5));
        row(&mut draft, 2, &["a", "b"]).unwrap();
        time.set(Duration::from_millis(5001));
        assert!(said(row(&mut draft, 3, &["a", "b"])).starts_with("The file holds too much"));
    }

    #[test]
    fn what_merged_cells_cover_is_wrong() {
        let mut draft = draft();
        row(&mut draft, 1, &["a title over all columns"]).unwrap();
        row(&mut draft, 2, &["kind", "value", "note"]).unwrap();
        for number in 3..6 {
            row(&mut draft, number, &["a", "b"]).unwrap();
        }
        draft.merged([[(1, 0), (1, 2)], [(3, 2), (4, 2)]].into_iter()).unwrap();
        let places: Vec<_> = faults(draft).into_iter().map(|(row, key, _)| (row, key)).collect();
        assert_eq!(places, [(4, "note".to_owned())]);
    }
}
