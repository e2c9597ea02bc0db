//! Rows that refer to a record and so prevent a change of it.

use super::{Say, say};
use base::db::Connection;

/// How such a row is found (`$1` is the record's id), and its label, in Chinese and in English.
pub type Obstacles = &'static [(&'static str, &'static str, &'static str)];

/// The first such row, if there is one.
pub async fn obstacle(tx: &mut Connection, obstacles: Obstacles, id: i64) -> Result<Option<Say>, sqlx::Error> {
    for (query, chinese, english) in obstacles {
        if sqlx::query(*query).bind(id).fetch_optional(&mut *tx).await?.is_some() {
            return Ok(Some(say(*chinese, *english)));
        }
    }
    Ok(None)
}
