//! Rows of master data that are written over the version that was read, with the time and the person. The fields of a
//! row belong to its area.

use super::audit::Stamp;
use base::db::{Connection, Sql};

/// Sets a code of a row, such as its status, over the given version. Returns whether that version existed. `table`
/// and `column` are constants of the program.
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

/// Ends an `UPDATE table SET …` whose fields are set: stamps the row with the given id over the given version.
/// Returns whether that version existed and is not deleted.
pub async fn over(mut sql: Sql, id: i64, version: i64, stamp: Stamp, tx: &mut Connection) -> Result<bool, sqlx::Error> {
    stamp_version(&mut sql, id, version, stamp).push(" AND deleted_at IS NULL");
    Ok(sql.execute(tx).await? == 1)
}

/// [`over`] for a table whose rows are never deleted.
pub async fn over_kept(mut sql: Sql, id: i64, version: i64, stamp: Stamp, tx: &mut Connection) -> Result<bool, sqlx::Error> {
    stamp_version(&mut sql, id, version, stamp);
    Ok(sql.execute(tx).await? == 1)
}

/// Increments the version of a row when a proposal on it is made or withdrawn. Returns whether the given version
/// existed. `table` is a constant of the program.
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

/// Removes a row from every list; it stays in the table for the records that refer to it. Returns whether it was in a
/// list.
pub async fn remove(tx: &mut Connection, table: &'static str, id: i64, stamp: Stamp) -> Result<bool, sqlx::Error> {
    let mut sql = Sql::new("UPDATE ");
    sql.push(table).push(" SET deleted_at = ").bind(stamp.at).push(", version = version + 1, updated_at = ").bind(stamp.at);
    sql.push(", updated_by = ").bind(stamp.admin_id).push(" WHERE id = ").bind(id).push(" AND deleted_at IS NULL");
    Ok(sql.execute(tx).await? == 1)
}
