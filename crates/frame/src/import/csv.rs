//! CSV as programs write it: in any of their encodings, separated by commas, tabs or semicolons, with any line ends.

use std::fs::File;
use std::io::Read;

use csv::{ReaderBuilder, StringRecord};

use super::refusal::{broken, no_text, wrong};
use super::table::{Cell, Draft, MOST_CELLS, Next};
use crate::api::{ApiError, Result, say};
use crate::upload::text_of;

/// The separators of cells, the usual one first.
const SEPARATORS: [u8; 3] = *b",\t;";
/// Rows that are searched for the separator.
const FIRST_ROWS: usize = 25;

/// Reads the rows of a file into a table.
pub(super) fn read(mut file: File, draft: &mut Draft) -> Result<()> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|_| broken())?;
    let text = text_of(&bytes).map_err(no_text)?;
    let separator = separator(&text, draft)?;
    if let Some(row) = open_quote(text.as_bytes(), separator) {
        return Err(wrong(say(
            format!("第 {row} 行的引号没有成对，其后的内容无法读取"),
            format!("Row {row}: a quotation mark is not closed, so the rows after it cannot be read"),
        )));
    }
    let mut rows = Rows::of(&text, separator);
    while let Some((number, row)) = rows.next()? {
        if draft.row(number, &cells(row)?)? == Next::NoTitles {
            break;
        }
    }
    Ok(())
}

/// The separator with which one of the first rows is the row of titles, otherwise the one with which most titles are
/// found.
fn separator(text: &str, draft: &Draft) -> Result<u8> {
    let mut best = (0, SEPARATORS[0]);
    for separator in SEPARATORS {
        let mut rows = Rows::of(text, separator);
        for _ in 0..FIRST_ROWS {
            draft.budget.check()?;
            let Some((_, row)) = rows.next()? else { break };
            let cells = cells(row)?;
            if draft.is_title_row(&cells) {
                return Ok(separator);
            }
            let found = draft.titles_in(&cells);
            if found > best.0 {
                best = (found, separator);
            }
        }
    }
    Ok(best.1)
}

fn cells(row: &StringRecord) -> Result<Vec<(usize, Cell<'_>)>> {
    if row.len() > MOST_CELLS {
        return Err(too_wide());
    }
    Ok(row.iter().map(Cell::from).enumerate().collect())
}

fn too_wide() -> ApiError {
    wrong(say(format!("一行最多 {MOST_CELLS} 列"), format!("A row has at most {MOST_CELLS} columns")))
}

/// The rows of a text with their numbers as in a spreadsheet: an empty line counts, a line end within quotation marks
/// does not.
struct Rows<'t> {
    text: &'t [u8],
    reader: csv::Reader<&'t [u8]>,
    row: StringRecord,
    number: usize,
    /// Where the last row ends.
    end: usize,
}

impl<'t> Rows<'t> {
    fn of(text: &'t str, separator: u8) -> Rows<'t> {
        let reader = ReaderBuilder::new().has_headers(false).flexible(true).delimiter(separator).from_reader(text.as_bytes());
        Rows { text: text.as_bytes(), reader, row: StringRecord::new(), number: 1, end: 0 }
    }

    fn next(&mut self) -> Result<Option<(usize, &StringRecord)>> {
        if !self.reader.read_record(&mut self.row).map_err(|_| broken())? {
            return Ok(None);
        }
        // There are only line ends between two rows.
        let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
        let between = self.text[self.end..].iter().take_while(|byte| is_end(byte)).count();
        self.number += line_ends(&self.text[self.end..self.end + between]);
        let read = usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX).min(self.text.len());
        self.end = read - self.text[self.end + between..read].iter().rev().take_while(|byte| is_end(byte)).count();
        Ok(Some((self.number, &self.row)))
    }
}

/// The number of line ends: `\n`, `\r\n` or, from old programs, `\r`.
fn line_ends(bytes: &[u8]) -> usize {
    let second = |index: usize| bytes[index] == b'\n' && index > 0 && bytes[index - 1] == b'\r';
    (0..bytes.len()).filter(|index| !second(*index)).count()
}

/// The row of an opening quotation mark without a closing one.
fn open_quote(text: &[u8], separator: u8) -> Option<usize> {
    let (mut row, mut opened, mut begins, mut index) = (1, None, true, 0);
    while index < text.len() {
        let byte = text[index];
        match (opened, byte) {
            (Some(_), b'"') if text.get(index + 1) == Some(&b'"') => index += 1,
            (Some(_), b'"') => opened = None,
            (Some(_), _) => {}
            (None, b'"') if begins => opened = Some(row),
            (None, b'\n') if index > 0 && text[index - 1] == b'\r' => {}
            (None, b'\n' | b'\r') => row += 1,
            (None, _) => {}
        }
        begins = opened.is_none() && (byte == separator || matches!(byte, b'\r' | b'\n'));
        index += 1;
    }
    opened
}

#[cfg(test)]
mod tests {
    use std::io::{Seek, SeekFrom, Write};

    use super::super::table::tests::{draft, faults, said, texts};
    use super::*;

    fn saved(content: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file
    }

    fn of(content: &[u8]) -> Vec<(usize, String)> {
        let mut draft = draft();
        read(saved(content), &mut draft).unwrap();
        texts(draft)
    }

    fn utf_16(text: &str, big: bool) -> Vec<u8> {
        let of = |unit: u16| if big { unit.to_be_bytes() } else { unit.to_le_bytes() };
        format!("\u{feff}{text}").encode_utf16().flat_map(of).collect()
    }

    #[test]
    fn every_way_of_writing_chinese_is_read() {
        let wanted = [(2, "手机号|13800138000|投诉, 多次".to_owned()), (4, "ip|=1+1|".to_owned())];
        let text = "类型,值,备注\r\n手机号,13800138000,\"投诉, 多次\"\r\n\r\nip,=1+1\r\n";
        assert_eq!(of(text.as_bytes()), wanted);
        assert_eq!(of(format!("\u{feff}{text}").as_bytes()), wanted);
        assert_eq!(of(&encoding_rs::GBK.encode(text).0), wanted);
        assert_eq!((of(&utf_16(text, false)), of(&utf_16(text, true))), (wanted.to_vec(), wanted.to_vec()));
        let rare = encoding_rs::GB18030.encode("类型,值\n姓名,𠮷田\n").0.into_owned();
        assert_eq!(of(&rare), [(2, "姓名|𠮷田|".to_owned())]);
    }

    #[test]
    fn the_titles_determine_the_separator() {
        for text in [
            "类型\t值\t备注\na,b\t1;2\tc\n",
            "类型;值;备注\n\"a,b\";\"1;2\";c\n",
            "#remark, with commas\n类型;值;备注\n\"a,b\";\"1;2\";c\n",
        ] {
            let row = 1 + text.matches('\n').count() - 1;
            assert_eq!(of(text.as_bytes()), [(row, "a,b|1;2|c".to_owned())], "{text}");
        }
    }

    #[test]
    fn rows_are_counted_as_a_spreadsheet_shows_them() {
        for end in ["\n", "\r\n", "\r"] {
            let lines = ["", "类型,值,备注", "a,1,\"two\nlines\"", "", "b,2,", "c,3,x", "", ""];
            let wanted = [(3, "a|1|two\nlines".to_owned()), (5, "b|2|".to_owned()), (6, "c|3|x".to_owned())];
            assert_eq!(of(lines.join(end).as_bytes()), wanted, "{end:?}");
        }
    }

    #[test]
    fn a_quotation_mark_that_is_not_closed_loses_no_rows() {
        let refused = |text: &str| said(read(saved(text.as_bytes()), &mut draft()));
        assert!(refused("kind,value\na,1\n\nb,\"2\nc,3\n").starts_with("Row 4: a quotation mark is not closed"));
        assert_eq!(of(b"kind,value\na,\"say \"\"no\"\"\"\nb,5\" wide\n"), [(2, "a|say \"no\"|".to_owned()), (3, "b|5\" wide|".to_owned())]);
    }

    #[test]
    fn errors_and_shortened_numbers_are_wrong_cells() {
        let mut draft = draft();
        read(saved(b"kind,value,note\nphone,1.38E+10,x\nphone,1,#N/A\n"), &mut draft).unwrap();
        let places: Vec<_> = faults(draft).into_iter().map(|(row, key, _)| (row, key)).collect();
        assert_eq!(places, [(2, "value".to_owned()), (3, "note".to_owned())]);
    }
}
