//! Cities and provinces as columns and JSON texts hold them.

use serde::Deserialize;
use sqlx::Row;
use sqlx::any::AnyRow;

use super::table::short_name;
use super::{city, code_or_text, province_or_text, tidy};
use base::db;

/// The forms in which a city can stand in a column: its code, and its names, by which it was stored before.
pub fn spellings(code: &str) -> Vec<&str> {
    match city(code) {
        Some(city) => vec![city.code.as_str(), city.name.as_str(), short_name(&city.name)],
        None => vec![code],
    }
}

/// The pattern of a JSON list of texts that holds this one, for `LIKE … ESCAPE '!'`.
pub fn listed(text: &str) -> String {
    // Longer than any city: it is in no list.
    let text: String = text.chars().take(64).collect();
    let mut pattern = String::from("%");
    for character in serde_json::to_string(&text).expect("a text serialises").chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern + "%"
}

/// A column of one city of a row that is read by its fields.
#[derive(sqlx::Type)]
#[sqlx(transparent)]
pub struct Stored(String);

impl From<Stored> for String {
    fn from(Stored(text): Stored) -> String {
        code_or_text(&text)
    }
}

/// A column of a list of cities of such a row.
#[derive(sqlx::Type)]
#[sqlx(transparent)]
pub struct StoredList(String);

impl TryFrom<StoredList> for Vec<String> {
    type Error = serde_json::Error;

    fn try_from(StoredList(json): StoredList) -> Result<Vec<String>, serde_json::Error> {
        serde_json::from_str(&json).map(tidy)
    }
}

/// Reads a column of one city, as [`code_or_text`] has it: older rows hold names.
pub fn stored(row: &AnyRow, column: &str) -> Result<String, sqlx::Error> {
    Ok(code_or_text(row.try_get(column)?))
}

/// Reads a column of a province.
pub fn stored_province(row: &AnyRow, column: &str) -> Result<String, sqlx::Error> {
    Ok(province_or_text(row.try_get(column)?))
}

/// Reads a column of a list of cities.
pub fn stored_list(row: &AnyRow, column: &str) -> Result<Vec<String>, sqlx::Error> {
    db::json(row, column).map(tidy)
}

/// Reads a city that was kept as JSON.
pub fn code<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    String::deserialize(from).map(|text| code_or_text(&text))
}

/// Reads a list of cities that was kept as JSON.
pub fn cities<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Vec::deserialize(from).map(tidy)
}

/// The text of a column of cities.
pub fn column(cities: &[String]) -> String {
    serde_json::to_string(cities).expect("texts serialise")
}
