//! Files that prove a recharge, an adjustment or a payout, kept beside it.

use base::db::{Connection, Sql};
use frame::api::FileRule;
use frame::upload;

/// Makes uploaded files those of a row of a table with `proof_files`. Returns whether all of them may be taken.
pub async fn take(
    tx: &mut Connection,
    (table, id): (&'static str, i64),
    rule: &FileRule,
    file_ids: &[i64],
    (by, at): (i64, i64),
) -> frame::api::Result<bool> {
    if !upload::settle(tx, rule.biz_type, id, file_ids, by, at).await? {
        return Ok(false);
    }
    let files = upload::files_of(tx, rule.biz_type, id).await?;
    let mut sql = Sql::new("UPDATE ");
    sql.push(table).push(" SET proof_files = ").bind(serde_json::to_string(&files).expect("files serialise")).push(" WHERE id = ").bind(id);
    sql.execute(tx).await?;
    Ok(true)
}
