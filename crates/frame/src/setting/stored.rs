//! Settings in the database. A row exists once a setting was set; its default is in the catalogue.

use std::collections::HashMap;

use base::db::Connection;

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

/// The stored value of a setting.
#[derive(Clone, Debug)]
pub struct Stored {
    /// JSON, or encrypted text for a secret; none if the default was restored.
    pub value: Option<String>,
    /// 0 if it was never set.
    pub version: i64,
    /// Epoch milliseconds.
    pub updated_at: i64,
    pub updated_by: Option<i64>,
    /// The name of the person who set it last.
    pub updated_by_name: Option<String>,
}

/// All rows, by key.
pub async fn all<'e>(on: impl Executor<'e, Database = Any>) -> Result<HashMap<String, Stored>, sqlx::Error> {
    Ok(all_and_version(on).await?.0)
}

/// All rows, by key, and the version of their table.
pub async fn all_and_version<'e>(on: impl Executor<'e, Database = Any>) -> Result<(HashMap<String, Stored>, Option<i64>), sqlx::Error> {
    // One row without a setting says the version where nothing was ever set.
    const ALL: &str = "SELECT (SELECT v.version FROM table_version v WHERE v.name = 'general_setting') AS table_version, \
                         s.key, s.value, s.version, s.updated_at, s.updated_by, a.real_name AS updated_by_name \
                       FROM (SELECT 1 AS one) AS once LEFT JOIN general_setting s ON once.one = 1 \
                       LEFT JOIN administrator a ON a.id = s.updated_by";
    let rows = sqlx::query(ALL).fetch_all(on).await?;
    let version = rows.first().map(|row| row.try_get("table_version")).transpose()?.flatten();
    let is_setting = |row: &&AnyRow| row.try_get::<Option<&str>, _>("key").is_ok_and(|key| key.is_some());
    Ok((rows.iter().filter(is_setting).map(read).collect::<Result<_, sqlx::Error>>()?, version))
}

fn read(row: &AnyRow) -> Result<(String, Stored), sqlx::Error> {
    let stored = Stored {
        value: row.try_get("value")?,
        version: row.try_get("version")?,
        updated_at: row.try_get("updated_at")?,
        updated_by: row.try_get("updated_by")?,
        updated_by_name: row.try_get("updated_by_name")?,
    };
    Ok((row.try_get("key")?, stored))
}

/// Writes a value, or the default, over the given version, for an account or for the console. Returns whether that
/// version existed.
pub async fn write(
    tx: &mut Connection,
    key: &str,
    value: Option<&str>,
    version: i64,
    by: Option<i64>,
    at: i64,
) -> Result<bool, sqlx::Error> {
    let statement = match version {
        0 => {
            "INSERT INTO general_setting (value, updated_at, updated_by, key, version) VALUES ($1, $2, $3, $4, $5 + 1) \
             ON CONFLICT (key) DO NOTHING"
        }
        _ => {
            "UPDATE general_setting SET value = $1, version = version + 1, updated_at = $2, updated_by = $3 WHERE key = $4 AND version = $5"
        }
    };
    let written = sqlx::query(statement).bind(value).bind(at).bind(by).bind(key).bind(version).execute(tx).await?;
    Ok(written.rows_affected() == 1)
}
