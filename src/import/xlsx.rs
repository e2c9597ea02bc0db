//! XLSX: the first sheet, read cell by cell. What a workbook unpacks to is measured before it is
//! read, so that a small file that holds a huge one is refused.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use calamine::{DataRef, ExcelDateTime, Reader, Xlsx};
use zip::ZipArchive;

use super::table::{Draft, broken, wrong};
use crate::api::{ApiError, Result, say};

/// Bytes that a workbook unpacks to, at most.
const MOST_UNPACKED: u64 = 128 * 1024 * 1024;
/// Above this a float of a spreadsheet is no whole number any more.
const LARGEST_WHOLE: f64 = 9_007_199_254_740_992.0;

/// Reads the rows of a file into a table.
pub(super) fn read(mut file: File, draft: &mut Draft) -> Result<()> {
    measure(&mut file)?;
    file.seek(SeekFrom::Start(0)).map_err(|_| broken())?;
    let mut book = Xlsx::new(BufReader::new(file)).map_err(|_| broken())?;
    let name = book.sheet_names().into_iter().next().ok_or_else(broken)?;
    let mut sheet = book.worksheet_cells_reader(&name).map_err(|_| broken())?;
    let (mut row, mut cells) = (0, Vec::<(usize, String)>::new());
    while let Some(cell) = sheet.next_cell().map_err(|_| broken())? {
        let ((line, column), text) = (cell.get_position(), text(cell.get_value()));
        if line != row {
            take(draft, row, &cells)?;
            cells.clear();
        }
        row = line;
        let place = column as usize;
        if !text.is_empty() && draft.reads(place) {
            cells.push((place, text));
        }
    }
    take(draft, row, &cells)
}

fn take(draft: &mut Draft, row: u32, cells: &[(usize, String)]) -> Result<()> {
    draft.row(row as usize + 1, cells.iter().map(|(place, text)| (*place, text.as_str())))
}

/// Unpacks all of it once, to nowhere, and refuses what is more than a table of people's hands.
fn measure(file: &mut File) -> Result<()> {
    let mut archive = ZipArchive::new(BufReader::new(file)).map_err(|_| broken())?;
    let mut left = MOST_UNPACKED;
    for index in 0..archive.len() {
        let part = archive.by_index(index).map_err(|_| broken())?;
        // What its head says of its size is not believed.
        let size = io::copy(&mut part.take(left + 1), &mut io::sink()).map_err(|_| broken())?;
        left = left.checked_sub(size).ok_or_else(too_much)?;
    }
    Ok(())
}

fn too_much() -> ApiError {
    wrong(say(
        "文件解压后过大，请删除多余的工作表或分成几个文件",
        "The file is too large when unpacked: remove unneeded sheets or split it",
    ))
}

/// A cell as people see it.
fn text(value: &DataRef<'_>) -> String {
    match value {
        DataRef::Int(number) => number.to_string(),
        DataRef::Float(number) if number.fract() == 0.0 && number.abs() < LARGEST_WHOLE => format!("{number:.0}"),
        DataRef::Float(number) => number.to_string(),
        DataRef::String(text) => text.clone(),
        DataRef::SharedString(text) => (*text).to_owned(),
        DataRef::Bool(is) => is.to_string(),
        DataRef::DateTime(at) => moment(at),
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => text.clone(),
        DataRef::Error(_) | DataRef::Empty => String::new(),
    }
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
    use std::io::Write;

    use rust_xlsxwriter::{Format, Formula, Workbook};
    use zip::write::SimpleFileOptions;

    use super::super::table::tests::{draft, said, texts};
    use super::*;

    fn saved(bytes: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(bytes).unwrap();
        file.seek(SeekFrom::Start(0)).unwrap();
        file
    }

    #[test]
    fn the_first_sheet_is_read_as_texts() {
        let mut book = Workbook::new();
        let sheet = book.add_worksheet();
        for (column, title) in ["Kind", "值", "note"].iter().enumerate() {
            sheet.write_string(1, column as u16, *title).unwrap();
        }
        sheet.write_string(2, 0, "phone").unwrap().write_number(2, 1, 13_800_138_000.0).unwrap();
        let day = Format::new().set_num_format("yyyy-mm-dd");
        sheet.write_number_with_format(2, 2, 45_943.0, &day).unwrap();
        sheet.write_formula(4, 0, Formula::new("=1+1").set_result("2")).unwrap().write_number(4, 1, 1.5).unwrap();
        sheet.write_string(4, 2, "=1+1").unwrap().write_string(1_000_000, 16_000, "far away").unwrap();
        book.add_worksheet().write_string(0, 0, "another sheet").unwrap();
        let mut draft = draft();
        read(saved(&book.save_to_buffer().unwrap()), &mut draft).unwrap();
        assert_eq!(texts(draft), [(3, "phone|13800138000|2025-10-13".to_owned()), (5, "2|1.5|=1+1".to_owned())]);
    }

    #[test]
    fn what_unpacks_to_too_much_is_refused_before_it_is_read() {
        let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for name in ["[Content_Types].xml", "xl/workbook.xml"] {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            for _ in 0..65 {
                archive.write_all(&vec![b' '; 1024 * 1024]).unwrap();
            }
        }
        let packed = archive.finish().unwrap().into_inner();
        assert!(packed.len() < 1024 * 1024, "{}", packed.len());
        assert!(said(read(saved(&packed), &mut draft())).starts_with("The file is too large when unpacked"));
    }

    #[test]
    fn what_only_looks_like_a_workbook_is_broken() {
        let mut archive = zip::ZipWriter::new(io::Cursor::new(Vec::new()));
        for name in ["[Content_Types].xml", "xl/workbook.xml"] {
            archive.start_file(name, SimpleFileOptions::default()).unwrap();
            archive.write_all(b"<x/>").unwrap();
        }
        let bytes = archive.finish().unwrap().into_inner();
        for bytes in [&bytes[..], &bytes[..bytes.len() / 2], b"PK\x03\x04"] {
            assert_eq!(said(read(saved(bytes), &mut draft())), "The file is damaged and cannot be read");
        }
    }
}
