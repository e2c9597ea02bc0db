//! The columns of a file: their titles, and how their cells are made from the rows of a list.

use serde::Serialize;
use serde_json::{Map, Value};

use super::cell::{Cell, yes_or_no};
use crate::access::audit::Target;
use crate::api::ApiError;
use base::codes::Codes;
use base::fields;
use base::locale::Locale;
use base::say::{Say, say};

/// A kind of export: what is listed, and its columns in their usual order.
pub struct Sheet<T> {
    /// What the audit trail calls it; its module also names the file.
    pub target: Target,
    /// Title of the file and its sheet.
    pub title: Say,
    pub columns: Vec<Column<T>>,
}

/// A column of the file.
pub struct Column<T> {
    /// The name under which `columns` asks for it: the JSON key of the list's rows. Columns of one key are chosen together.
    pub key: &'static str,
    /// The JSON key of the part of the row that holds the value; without it, the row itself.
    part: Option<&'static str>,
    pub title: Say,
    /// What its values are, for a second sheet.
    pub(super) note: Option<Say>,
    cell: CellOf<T>,
}

/// A column of a file as it is written.
pub(super) struct Head {
    pub title: Say,
    pub note: Option<Say>,
}

/// How a column's cell is made.
enum CellOf<T> {
    /// From the row.
    Row(fn(&T, Locale) -> Cell),
    /// From the value of the row's JSON under the column's key.
    Json(fn(&Value, Locale) -> Cell),
}

/// Makes a column of its key, its titles and its cells. New lists use [`Columns`], whose titles are the
/// catalogue's.
pub fn column<T>(key: &'static str, chinese: &'static str, english: &'static str, cell: fn(&T, Locale) -> Cell) -> Column<T> {
    Column { key, part: None, title: say(chinese, english), note: None, cell: CellOf::Row(cell) }
}

/// Columns that are headed as the catalogue of fields says ([`fields::heading`]) and show the rows' JSON values
/// of the same keys.
pub struct Columns<T> {
    record: &'static str,
    notes: Option<&'static str>,
    columns: Vec<Column<T>>,
}

impl<T> Columns<T> {
    /// No columns yet; `record` is the catalogue's name of the rows, "receipt".
    pub fn of(record: &'static str) -> Columns<T> {
        Columns { record, notes: None, columns: Vec::new() }
    }

    /// The columns from here on that the catalogue explains under another name of the rows, "formula", are explained in a
    /// second sheet.
    pub fn explained_by(self, notes: &'static str) -> Columns<T> {
        Columns { notes: Some(notes), ..self }
    }

    /// A column of text.
    pub fn text(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| Cell::text(value.as_str().map(str::to_owned))))
    }

    /// A column of whole numbers.
    pub fn number(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| value.as_i64().map_or(Cell::Empty, Cell::Number)))
    }

    /// A column of fen, shown as yuan.
    pub fn money(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| value.as_i64().map_or(Cell::Empty, Cell::Money)))
    }

    /// A column of basis points, shown as per cent.
    pub fn percent(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| value.as_i64().map_or(Cell::Empty, Cell::Percent)))
    }

    /// A column of epoch milliseconds, shown as date and time.
    pub fn time(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, _| Cell::time(value.as_i64())))
    }

    /// A column of yes or no.
    pub fn flag(self, key: &'static str) -> Columns<T> {
        self.add(key, CellOf::Json(|value, locale| Cell::text(value.as_bool().map(|holds| yes_or_no(holds, locale).to_owned()))))
    }

    /// A column of codes, shown by their labels.
    pub fn code<C: Codes>(self, key: &'static str) -> Columns<T> {
        let label = |value: &Value, locale| {
            let code = value.as_str().and_then(|code| code.parse::<C>().ok());
            Cell::text(code.map(|code| code.label(locale).to_owned()))
        };
        self.add(key, CellOf::Json(label))
    }

    /// Beside the last column one of the same value in a part of the row, such as "before"; its title says which.
    pub fn beside(mut self, part: &'static str, title: &Say) -> Columns<T> {
        let last = self.columns.iter().rfind(|column| column.part.is_none());
        let Some(Column { key, cell: CellOf::Json(cell), title: heading, .. }) = last else {
            panic!("a column of a JSON value stands before the one beside it");
        };
        let title = say(
            format!("{}（{}）", heading.get(Locale::Chinese), title.get(Locale::Chinese)),
            format!("{} ({})", heading.get(Locale::English), title.get(Locale::English)),
        );
        let column = Column { key, part: Some(part), title, note: None, cell: CellOf::Json(*cell) };
        self.columns.push(column);
        self
    }

    /// A column whose cells are made from the whole row.
    pub fn cell(self, key: &'static str, cell: fn(&T, Locale) -> Cell) -> Columns<T> {
        self.add(key, CellOf::Row(cell))
    }

    /// All columns in the order in which they were added.
    pub fn all(self) -> Vec<Column<T>> {
        self.columns
    }

    fn add(mut self, key: &'static str, cell: CellOf<T>) -> Columns<T> {
        let note = self.notes.filter(|notes| fields::is_named(notes, key)).map(|notes| fields::heading(notes, key));
        self.columns.push(Column { key, part: None, title: fields::heading(self.record, key), note, cell });
        self
    }
}

/// The cells of a row.
pub(super) fn cells<T: Serialize>(columns: &[Column<T>], row: &T, locale: Locale) -> Result<Vec<Cell>, serde_json::Error> {
    let from_json = columns.iter().any(|column| matches!(column.cell, CellOf::Json(_)));
    let json = if from_json { serde_json::to_value(row)? } else { Value::Null };
    let cell = |column: &Column<T>| match column.cell {
        CellOf::Row(cell) => cell(row, locale),
        CellOf::Json(cell) => cell(&column.part.map_or(&json, |part| &json[part])[column.key], locale),
    };
    Ok(columns.iter().map(cell).collect())
}

/// The columns asked for, in the order asked for; all when none are named.
pub(super) fn chosen<T>(rest: &Map<String, Value>, columns: Vec<Column<T>>) -> Result<Vec<Column<T>>, ApiError> {
    let malformed = || ApiError::Malformed("columns".to_owned());
    let Some(names) = rest.get("columns") else { return Ok(columns) };
    let names = names.as_array().ok_or_else(malformed)?;
    let mut left: Vec<Option<Column<T>>> = columns.into_iter().map(Some).collect();
    names
        .iter()
        .map(|name| {
            // Taken out: a column named twice is as wrong as an unknown one.
            let is_named = |column: &Option<Column<T>>| column.as_ref().is_some_and(|column| name.as_str() == Some(column.key));
            let taken: Vec<_> = left.iter_mut().filter(|column| is_named(column)).filter_map(Option::take).collect();
            (!taken.is_empty()).then_some(taken)
        })
        .collect::<Option<Vec<_>>>()
        .map(|taken| taken.into_iter().flatten().collect())
        .ok_or_else(malformed)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn columns() -> Vec<Column<i64>> {
        vec![
            column("id", "编号", "Id", |row, _| Cell::Number(*row)),
            column("name", "名称", "Name", |row, _| Cell::text(format!("={row}"))),
        ]
    }

    fn keys(value: Value) -> Option<Vec<&'static str>> {
        let rest = value.as_object().unwrap().clone();
        chosen(&rest, columns()).ok().map(|columns| columns.iter().map(|column| column.key).collect())
    }

    #[test]
    fn columns_come_as_asked_and_unknown_ones_are_refused() {
        assert_eq!(keys(json!({})), Some(vec!["id", "name"]));
        assert_eq!(keys(json!({"columns": ["name", "id"]})), Some(vec!["name", "id"]));
        for bad in [json!("name"), json!(["appSecret"]), json!(["id", "id"]), json!([1])] {
            assert_eq!(keys(json!({"columns": bad})), None);
        }
    }
}
