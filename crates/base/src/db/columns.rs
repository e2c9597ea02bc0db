//! Columns of a row as the types that they stand for: codes, 0/1 columns and JSON texts.

use std::str::FromStr;

use sqlx::any::AnyRow;
use sqlx::{Any, Row};

/// Reads a short text code of a column as the enumeration it stands for.
pub fn code<T: FromStr>(row: &AnyRow, column: &str) -> Result<T, sqlx::Error> {
    let text: &str = row.try_get(column)?;
    text.parse()
        .map_err(|_| sqlx::Error::ColumnDecode { index: column.to_owned(), source: format!("`{text}` is no code of this column").into() })
}

/// Reads a column of codes that may be empty.
pub fn optional_code<T: FromStr>(row: &AnyRow, column: &str) -> Result<Option<T>, sqlx::Error> {
    match row.try_get::<Option<&str>, _>(column)? {
        Some(_) => code(row, column).map(Some),
        None => Ok(None),
    }
}

/// Reads a 0/1 column.
pub fn flag(row: &AnyRow, column: &str) -> Result<bool, sqlx::Error> {
    row.try_get::<i64, _>(column).map(|value| value != 0)
}

/// A 0/1 column: `#[sqlx(try_from = "Flag")]` on a `bool` of a derived row.
pub struct Flag(bool);

impl sqlx::Type<Any> for Flag {
    fn type_info() -> sqlx::any::AnyTypeInfo {
        <i64 as sqlx::Type<Any>>::type_info()
    }

    fn compatible(other: &sqlx::any::AnyTypeInfo) -> bool {
        <i64 as sqlx::Type<Any>>::compatible(other)
    }
}

impl<'r> sqlx::Decode<'r, Any> for Flag {
    fn decode(value: sqlx::any::AnyValueRef<'r>) -> Result<Flag, sqlx::error::BoxDynError> {
        <i64 as sqlx::Decode<'r, Any>>::decode(value).map(|value| Flag(value != 0))
    }
}

impl From<Flag> for bool {
    fn from(Flag(value): Flag) -> bool {
        value
    }
}

/// A column that holds a JSON text: `#[sqlx(try_from = "JsonText<Vec<…>>")]` on a field of a derived row.
pub struct JsonText<T>(pub T);

impl<T> sqlx::Type<Any> for JsonText<T> {
    fn type_info() -> sqlx::any::AnyTypeInfo {
        <str as sqlx::Type<Any>>::type_info()
    }
}

impl<'r, T: serde::de::DeserializeOwned> sqlx::Decode<'r, Any> for JsonText<T> {
    fn decode(value: sqlx::any::AnyValueRef<'r>) -> Result<JsonText<T>, sqlx::error::BoxDynError> {
        Ok(JsonText(serde_json::from_str(<&str as sqlx::Decode<'r, Any>>::decode(value)?)?))
    }
}

impl<T> From<JsonText<Option<T>>> for Option<T> {
    fn from(JsonText(value): JsonText<Option<T>>) -> Option<T> {
        value
    }
}

impl<T> From<JsonText<Vec<T>>> for Vec<T> {
    fn from(JsonText(list): JsonText<Vec<T>>) -> Vec<T> {
        list
    }
}

/// Reads a column that holds a JSON text.
pub fn json<T: serde::de::DeserializeOwned>(row: &AnyRow, column: &str) -> Result<T, sqlx::Error> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|error| sqlx::Error::ColumnDecode { index: column.to_owned(), source: error.into() })
}
