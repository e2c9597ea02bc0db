//! XLSX: the sheet that has the titles, read cell by cell.

mod hidden;
mod unpack;

use std::borrow::Cow;
use std::fs::File;
use std::io::BufReader;

use calamine::{DataRef, ExcelDateTime, Reader, SheetType, SheetVisible, Xlsx, XlsxCellReader};

use self::unpack::unpack;
use super::budget::{Watched, too_much};
use super::cell;
use super::refusal::{broken, wrong};
use super::table::{Cell, Draft, MOST_CELLS, Next};
use crate::api::{ApiError, Result, say};

/// From here on a spreadsheet keeps only the first fifteen digits of a number.
const LARGEST_WHOLE: f64 = 1e15;
/// The days that a spreadsheet can name, counted from the first of 1900, up to the end of the year 9999.
const DAYS: std::ops::Range<f64> = 1.0..2_958_466.0;
type Book = Xlsx<BufReader<Watched<File>>>;
type Cells<'b> = XlsxCellReader<'b, BufReader<Watched<File>>>;

/// Reads the rows of a file into a table.
pub(super) fn read(file: File, draft: &mut Draft) -> Result<()> {
    let budget = draft.budget.clone();
    // A library's refusal may be that the time is over.
    let refused = || if budget.is_spent() { too_much() } else { broken() };
    let (file, hidden) = unpack(file, &budget)?;
    let mut book = Xlsx::new(BufReader::new(Watched::new(file, budget.clone()))).map_err(|_| refused())?;
    let mut names = Vec::new();
    for sheet in book.sheets_metadata().to_vec() {
        match (sheet.typ, sheet.visible) {
            (SheetType::WorkSheet, SheetVisible::Visible) => names.push(sheet.name),
            (SheetType::WorkSheet, _) => draft.pass_over(&sheet.name),
            _ => {}
        }
    }
    for name in names {
        if draft.has_titles() {
            if holds_lines(&mut book, &name, draft, &refused)? {
                return Err(draft.two_sheets(&name));
            }
            continue;
        }
        draft.begin(&name);
        {
            let mut rows = Rows::of(&mut book, &name, &refused)?;
            while let Some((number, cells)) = rows.next()? {
                if draft.row(number, &cells)? == Next::NoTitles {
                    break;
                }
            }
        }
        if draft.has_titles() {
            let regions = book.merge_cells_by_sheet_name(&name).map_err(|_| refused())?;
            let place = |(row, column): (u32, u32)| (row as usize + 1, column as usize);
            draft.merged(regions.iter().map(|region| [place(region.start), place(region.end)]))?;
            if let Some(rows) = hidden.of_sheet(&name) {
                draft.count_hidden(|row| rows.contains(&row));
            }
        }
    }
    Ok(())
}

/// Whether another sheet has the titles too, and a row below them.
fn holds_lines(book: &mut Book, name: &str, draft: &Draft, refused: &dyn Fn() -> ApiError) -> Result<bool> {
    let mut rows = Rows::of(book, name, refused)?;
    let mut titled = false;
    while let Some((number, cells)) = rows.next()? {
        draft.budget.check()?;
        let is_empty = cells.iter().all(|(_, cell)| cell.text.trim().is_empty());
        match titled {
            true if !is_empty => return Ok(true),
            true => {}
            false if number > super::table::TITLE_ROWS => return Ok(false),
            false => titled = draft.is_title_row(&cells),
        }
    }
    Ok(false)
}

/// The rows of a sheet that have cells, with their numbers.
struct Rows<'b> {
    cells: Cells<'b>,
    refused: &'b dyn Fn() -> ApiError,
    /// The first cell of the next row.
    next: Option<(u32, (usize, Cell<'b>))>,
}

impl<'b> Rows<'b> {
    fn of(book: &'b mut Book, name: &str, refused: &'b dyn Fn() -> ApiError) -> Result<Rows<'b>> {
        let cells = book.worksheet_cells_reader(name).map_err(|_| refused())?;
        let mut rows = Rows { cells, refused, next: None };
        rows.next = rows.cell(0)?;
        Ok(rows)
    }

    #[allow(clippy::type_complexity)]
    fn next(&mut self) -> Result<Option<(usize, Vec<(usize, Cell<'b>)>)>> {
        let Some((row, first)) = self.next.take() else { return Ok(None) };
        let mut cells = vec![first];
        while let Some((line, cell)) = self.cell(row)? {
            if line != row {
                self.next = Some((line, cell));
                break;
            }
            cells.push(cell);
            if cells.len() > MOST_CELLS {
                return Err(too_much());
            }
        }
        Ok(Some((row as usize + 1, cells)))
    }

    /// The next cell that is not empty, after those of a row.
    fn cell(&mut self, row: u32) -> Result<Option<(u32, (usize, Cell<'b>))>> {
        loop {
            let next = match self.cells.next_cell_with_formula_metadata() {
                Ok(Some(next)) => next,
                Ok(None) => return Ok(None),
                // An error value that the library does not know, of a newer program.
                Err(calamine::XlsxError::CellError(_)) => {
                    let row = row + 1;
                    return Err(wrong(say(
                        format!("第 {row} 行或其后一行有错误值，请改正后再导入"),
                        format!("Row {row} or the one after it holds an error value: correct it and import again"),
                    )));
                }
                Err(_) => return Err((self.refused)()),
            };
            let cell = read_cell(next.value, next.formula.is_some());
            if !cell.text.is_empty() || cell.fault.is_some() {
                return Ok(Some((next.pos.0, (next.pos.1 as usize, cell))));
            }
        }
    }
}

/// A cell as people see it, or why it cannot be read.
fn read_cell(value: DataRef<'_>, has_formula: bool) -> Cell<'_> {
    let wrong = |text: String, fault| Cell { text: text.into(), fault: Some(fault) };
    let text: Cow<'_, str> = match value {
        DataRef::Int(number) => number.to_string().into(),
        DataRef::Float(number) if !number.is_finite() || number.abs() >= LARGEST_WHOLE => {
            return wrong(format!("{number:e}"), cell::shortened());
        }
        DataRef::Float(number) => shown(number).to_string().into(),
        DataRef::String(text) => text.into(),
        DataRef::SharedString(text) => text.into(),
        DataRef::Bool(is) => if is { "TRUE" } else { "FALSE" }.into(),
        DataRef::DateTime(at) if at.is_duration() => {
            return wrong(at.as_f64().to_string(), say("是时长，不是日期或数字", "This is a duration, not a date or a number"));
        }
        DataRef::DateTime(at) if !DAYS.contains(&at.as_f64()) => {
            return wrong(at.as_f64().to_string(), say("不是有效的日期", "This is no valid date"));
        }
        DataRef::DateTime(at) => moment(&at).into(),
        DataRef::DateTimeIso(text) => text.into(),
        DataRef::DurationIso(text) => return wrong(text, say("是时长，不是日期或数字", "This is a duration, not a date or a number")),
        DataRef::Error(error) => return wrong(error.to_string(), cell::error_value(&error.to_string())),
        DataRef::Empty if has_formula => {
            return wrong(
                String::new(),
                say(
                    "公式没有保存的结果，请在表格软件中打开并保存，或改为数值",
                    "A formula without a stored result: open and save the file in a spreadsheet program, or paste the value",
                ),
            );
        }
        DataRef::Empty => "".into(),
    };
    Cell { text, fault: None }
}

/// A number with the fifteen digits that a spreadsheet shows: 0.1 + 0.2 is 0.3 there.
fn shown(number: f64) -> f64 {
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// `2030-12-31`, or `2030-12-31 18:00:00`.
fn moment(at: &ExcelDateTime) -> String {
    let (year, month, day, hour, minute, second, _) = at.to_ymd_hms_milli();
    match (hour, minute, second) {
        (0, 0, 0) => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}"),
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};
    use std::rc::Rc;
    use std::time::Duration;

    use rust_xlsxwriter::{Format, Formula, Workbook, Worksheet};
    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::super::budget::Budget;
    use super::super::table::tests::{draft, faults, layout, said, texts};
    use super::unpack::LONGEST_FORMAT;
    use super::*;

    fn saved(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file
    }

    fn zipped(parts: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content) in parts {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(content).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    /// A workbook whose sheet and other parts are written by hand.
    fn hand_made(rows: &str, others: &[(&str, &[u8])]) -> Vec<u8> {
        let sheet = format!("<worksheet><sheetData>{rows}</sheetData></worksheet>");
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
        let link = |kind: &str, target: &str| {
            format!("<Relationships><Relationship Id=\"rId1\" Type=\"{office}/{kind}\" Target=\"{target}\"/></Relationships>")
        };
        let (root, book) = (link("officeDocument", "xl/workbook.xml"), link("worksheet", "worksheets/sheet1.xml"));
        let mut parts: Vec<(&str, &[u8])> = vec![
            ("[Content_Types].xml", b"<Types/>"),
            ("_rels/.rels", root.as_bytes()),
            ("xl/workbook.xml", b"<workbook><sheets><sheet name=\"A\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"),
            ("xl/_rels/workbook.xml.rels", book.as_bytes()),
            ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
        ];
        parts.extend_from_slice(others);
        zipped(&parts)
    }

    const TITLES: &str = "<row r=\"1\"><c r=\"A1\" t=\"str\"><v>kind</v></c><c r=\"B1\" t=\"str\"><v>value</v></c><c r=\"C1\" t=\"str\"><v>note</v></c></row>";

    fn write(sheet: &mut Worksheet, row: u32, cells: &[&str]) {
        for (column, text) in cells.iter().enumerate() {
            sheet.write_string(row, column as u16, *text).unwrap();
        }
    }

    fn refused(book: &[u8]) -> String {
        let mut draft = draft();
        match read(saved(book), &mut draft) {
            Ok(()) => said(draft.done()),
            error => said(error),
        }
    }

    #[test]
    fn cells_are_read_as_texts() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        write(sheet, 1, &["Kind", "值", "note"]);
        sheet.write_string(2, 0, "phone").unwrap().write_number(2, 1, 13_800_138_000.0).unwrap();
        let day = Format::new().set_num_format("yyyy-mm-dd");
        sheet.write_number_with_format(2, 2, 45_943.0, &day).unwrap();
        sheet.write_formula(4, 0, Formula::new("=1+1").set_result("2")).unwrap().write_number(4, 1, 1.5).unwrap();
        sheet.write_string(4, 2, "=1+1").unwrap().write_string(1_000_000, 16_000, "far away").unwrap();
        sheet.write_number(5, 0, 0.1 + 0.2).unwrap().write_boolean(5, 1, true).unwrap();
        write(book.add_worksheet(), 0, &["another sheet"]);
        let mut draft = draft();
        read(saved(&book.save_to_buffer().unwrap()), &mut draft).unwrap();
        let wanted = [(3, "phone|13800138000|2025-10-13"), (5, "2|1.5|=1+1"), (6, "0.3|TRUE|")];
        assert_eq!(texts(draft), wanted.map(|(row, text)| (row, text.to_owned())));
    }

    #[test]
    fn every_format_of_dates_is_read() {
        let formats = [
            "yyyy/m/d",
            "yyyy-mm-dd hh:mm",
            "yyyy\"年\"m\"月\"d\"日\"",
            "m/d/yy h:mm",
            "d-mmm-yy",
            "[$-804]yyyy\\-m\\-d;@",
            "yyyy.m.d",
            "h:mm AM/PM d",
        ];
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        write(sheet, 0, &["kind", "value"]);
        for (row, format) in (1..).zip(formats) {
            sheet.write_string(row, 0, "a").unwrap();
            sheet.write_number_with_format(row, 1, 45_943.378_472_222_22, &Format::new().set_num_format(format)).unwrap();
        }
        let mut draft = draft();
        read(saved(&book.save_to_buffer().unwrap()), &mut draft).unwrap();
        let read = texts(draft);
        assert_eq!(read.len(), formats.len());
        assert!(read.iter().all(|(_, text)| text == "a|2025-10-13 09:05:00|"), "{read:?}");
    }

    #[test]
    fn what_cannot_be_read_is_a_wrong_cell_and_no_empty_one() {
        let rows = format!(
            "{TITLES}<row r=\"2\"><c r=\"A2\" t=\"e\"><f>VLOOKUP(1,B:B,1)</f><v>#N/A</v></c><c r=\"B2\"><f>A1+1</f></c><c r=\"C2\"><v>4.2E+27</v></c></row>\
             <row r=\"3\"><c r=\"A3\" t=\"str\"><f>\"\"</f><v></v></c><c r=\"B3\" t=\"str\"><v>x</v></c><c r=\"C3\" t=\"str\"><v>#REF!</v></c></row>"
        );
        let mut draft = draft();
        read(saved(&hand_made(&rows, &[])), &mut draft).unwrap();
        let found = faults(draft);
        let places: Vec<_> = found.iter().map(|(row, key, _)| (*row, key.as_str())).collect();
        assert_eq!(places, [(2, "kind"), (2, "value"), (2, "note"), (3, "note")], "a formula whose result is an empty text is none");
        assert!(
            found[0].2.contains("#N/A") && found[1].2.contains("without a stored result") && found[2].2.contains("shortened"),
            "{found:?}"
        );
    }

    #[test]
    fn hidden_sheets_are_passed_over_and_the_one_with_the_titles_is_taken() {
        let mut book = Workbook::new();
        let choices = book.add_worksheet().set_name("choices").unwrap();
        choices.set_hidden(true);
        write(choices, 0, &["kind", "value"]);
        write(choices, 1, &["hidden", "row"]);
        write(book.add_worksheet().set_name("read me").unwrap(), 0, &["how to fill in"]);
        let sheet = book.add_worksheet().set_name("list").unwrap().set_active(true);
        sheet.merge_range(0, 0, 0, 2, "a title", &Format::new()).unwrap();
        write(sheet, 1, &["*kind", "value (required)", "note"]);
        write(sheet, 2, &["a", "b"]);
        let mut draft = draft();
        read(saved(&book.save_to_buffer().unwrap()), &mut draft).unwrap();
        let table = draft.done().unwrap_or_else(|_| panic!("no table"));
        assert_eq!((table.sheet(), table.rows(), table.line(0).number), (Some("list"), 1, 3));
    }

    #[test]
    fn a_refusal_says_what_was_looked_at() {
        let mut book = Workbook::new();
        let hidden = book.add_worksheet().set_name("old").unwrap();
        hidden.set_hidden(true);
        write(hidden, 0, &["kind", "value"]);
        write(book.add_worksheet().set_name("list").unwrap().set_active(true), 3, &["kind", "other"]);
        assert_eq!(
            refused(&book.save_to_buffer().unwrap()),
            "Sheet “list”, row 4: columns missing: Value; other headings there: other (hidden sheets are not read: old)"
        );
        let mut book = Workbook::new();
        for name in ["one", "two"] {
            let sheet = book.add_worksheet().set_name(name).unwrap();
            write(sheet, 0, &["kind", "value"]);
            write(sheet, 1, &["a", name]);
        }
        assert!(refused(&book.save_to_buffer().unwrap()).starts_with("Sheets “one” and “two” both hold rows"));
    }

    #[test]
    fn what_merged_cells_cover_is_wrong() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        write(sheet, 0, &["kind", "value", "note"]);
        for row in 1..4 {
            write(sheet, row, &["a", "b"]);
        }
        sheet.merge_range(1, 2, 2, 2, "for both rows", &Format::new()).unwrap();
        let mut draft = draft();
        read(saved(&book.save_to_buffer().unwrap()), &mut draft).unwrap();
        let places: Vec<_> = faults(draft).into_iter().map(|(row, key, _)| (row, key)).collect();
        assert_eq!(places, [(3, "note".to_owned())]);
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused_before_it_is_read() {
        let blank = vec![b' '; 17 * 1024 * 1024];
        let packed = zipped(&[("[Content_Types].xml", &blank), ("xl/workbook.xml", &blank)]);
        assert!(packed.len() < 1024 * 1024, "{}", packed.len());
        assert!(refused(&packed).starts_with("The file is too large when unpacked"));
    }

    #[test]
    fn a_small_file_that_costs_much_is_refused() {
        let cells = format!("<row r=\"1\">{}</row>", "<c><v>1</v></c>".repeat(MOST_CELLS + 1));
        let many = "<si/>".repeat(400_001);
        let fonts = format!("<styleSheet><fonts><font><name val=\"{}\"/></font></fonts></styleSheet>", "x".repeat(LONGEST_FORMAT));
        let claims = b"<sst uniqueCount=\"99999999999\"><si><t>a</t></si></sst>";
        for (what, book) in [
            ("a row of too many cells", hand_made(&cells, &[])),
            ("texts", hand_made(TITLES, &[("xl/sharedStrings.xml", format!("<sst>{many}</sst>").as_bytes())])),
            ("room for texts", hand_made(TITLES, &[("xl/sharedStrings.xml", claims)])),
            ("formats", hand_made(TITLES, &[("xl/styles.xml", fonts.as_bytes())])),
        ] {
            assert!(book.len() < 256 * 1024, "{what}: {}", book.len());
            assert!(refused(&book).starts_with("The file holds too much"), "{what}: {}", refused(&book));
        }
        // One text, shown in each of many cells.
        let text = "x".repeat(super::super::LONGEST_CELL);
        let rows: String =
            (2..20_000).map(|row| format!("<row r=\"{row}\"><c t=\"s\"><v>0</v></c><c t=\"s\"><v>0</v></c></row>")).collect();
        let strings = format!("<sst><si><t>{text}</t></si></sst>");
        let book = hand_made(&format!("{TITLES}{rows}"), &[("xl/sharedStrings.xml", strings.as_bytes())]);
        assert!(refused(&book).starts_with("The file holds too much"));
    }

    #[test]
    fn reading_ends_within_the_library_when_its_time_is_over() {
        let rows: String = (2..5000).map(|row| format!("<row r=\"{row}\"></row>")).collect();
        let book = hand_made(&format!("{TITLES}{rows}"), &[]);
        // Each look at the clock takes a while: there is one for each block that is read.
        let looks = Rc::new(std::cell::Cell::new(0));
        let counted = looks.clone();
        let budget = Budget::of(move || {
            counted.set(counted.get() + 1);
            Duration::from_millis(400 * counted.get())
        });
        let mut draft = Draft::new(layout(), budget);
        assert!(said(read(saved(&book), &mut draft)).starts_with("The file holds too much"));
        assert!(looks.get() < 30, "{}", looks.get());
    }

    #[test]
    fn what_only_looks_like_a_workbook_is_broken() {
        let bytes = zipped(&[("[Content_Types].xml", b"<x/>"), ("xl/workbook.xml", b"<x/>")]);
        let declared = hand_made("<!DOCTYPE x>", &[]);
        for bytes in [&bytes[..], &bytes[..bytes.len() / 2], b"PK\x03\x04", &declared] {
            assert_eq!(refused(bytes), "The file is damaged and cannot be read");
        }
    }
}
