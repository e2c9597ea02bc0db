//! Tables that are read row by row, and what the tests of each kind of file share.

use std::rc::Rc;
use std::time::Duration;

use super::*;
use crate::import::{LONGEST_CELL, MOST_LINES, required, title};

/// A layout of three columns.
pub fn layout() -> Layout {
    let columns = vec![required("kind", "类型", "Kind").formerly("Sort"), required("value", "值", "Value"), title("note", "备注", "Note")];
    Layout { columns, most: MOST_LINES, row_kind: None }
}

/// A draft of three columns, whose time does not run out.
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

/// The message of a refusal of the file.
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
    let named = refused(&[(1, &["kind", "note", "amount", "138", "# x"])]);
    assert_eq!(named, "Row 1: columns missing: Value; other headings there: amount", "no number is repeated");
    let likely = refused(&[(1, &["a", "b"]), (2, &["Date", "Sum", "Text", "Name"]), (3, &["Zhang", "x", "y", "z", "13812340001"])]);
    assert_eq!(
        likely,
        "No column headings in the first 20 rows; needed: Kind, Value; the headings of the file may be: Date, Sum, Text, Name"
    );
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
