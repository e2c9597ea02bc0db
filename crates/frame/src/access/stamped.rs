//! Rows of master data that are written over the version that was read, and stamped with who did it
//! and when. What the row says is its area's.

use super::audit::Stamp;
use base::db::{Connection, Sql};

/// Sets a code of a row, such as its status, over the given version; tells whether there was such a
/// row. `table` and `column` are the program's own words.
pub async fn set_code(
    tx: &mut Connection,
    (table, column): (&'static str, &'static str),
    id: i64,
    version: i64,
    code: &'static str,
    stamp: Stamp,
) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE ");
    sql.push(table).push(" SET ").push(column).push(" = ").bind(code);
    over(sql, id, version, stamp, tx).await
}

/// Ends an `UPDATE table SET …` whose fields were set: stamps the row with the given id over the given
/// version, and returns whether there was one that is not deleted.
pub async fn over(mut sql: Sql, id: i64, version: i64, stamp: Stamp, tx: &mut Connection) -> Result<bool, sqlx::Error> {
    stamp_version(&mut sql, id, version, stamp).push(" AND deleted_at IS NULL");
    Ok(sql.execute(tx).await? == 1)
}

/// [`over`] for a table whose rows are never deleted.
pub async fn over_kept(mut sql: Sql, id: i64, version: i64, stamp: Stamp, tx: &mut Connection) -> Result<bool, sqlx::Error> {
    stamp_version(&mut sql, id, version, stamp);
    Ok(sql.execute(tx).await? == 1)
}

/// Counts up the version of a row of which something was proposed, asked or withdrawn; tells whether there was the given one.
/// `table` is the program's own word.
pub async fn touch(tx: &mut Connection, table: &'static str, id: i64, version: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE ");
    sql.push(table).push(" SET version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version);
    Ok(sql.execute(tx).await? == 1)
}

fn stamp_version(sql: &mut Sql, id: i64, version: i64, stamp: Stamp) -> &mut Sql {
    sql.push(", version = version + 1, updated_at = ").bind(stamp.at).push(", updated_by = ").bind(stamp.admin_id);
    sql.push(" WHERE id = ").bind(id).push(" AND version = ").bind(version)
}

/// Takes a row out of every list, where it stays for what happened under it; tells whether it was in one.
pub async fn remove(tx: &mut Connection, table: &'static str, id: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE ");
    sql.push(table).push(" SET deleted_at = ").bind(stamp.at).push(", version = version + 1, updated_at = ").bind(stamp.at);
    sql.push(", updated_by = ").bind(stamp.admin_id).push(" WHERE id = ").bind(id).push(" AND deleted_at IS NULL");
    Ok(sql.execute(tx).await? == 1)
}
