//! Decisions in the database.

use sqlx::Row;
use sqlx::any::AnyRow;

use super::{DecisionAction, Matter, OpenDecision, Pending, Verdict};
use base::db::{self, Connection, Sql};

/// The columns of the open decision of a list's row, for [`read`], with whether no account but the makers holds the point of
/// those who decide: `open_columns!("plan/list/audit")`. Where people of an organisation decide on its own records, only they
/// and staff of the platform count: `open_columns!("crm/clue/moneyAudit", "m.org_id")`. They need [`open_join`].
#[macro_export]
macro_rules! open_columns {
    ($point:literal) => {
        $crate::open_columns!(@with $crate::point_holders!($point))
    };
    ($point:literal, $org:literal) => {
        $crate::open_columns!(@with concat!($crate::point_holders!($point), " AND (ha.org_id IS NULL OR ha.org_id = ", $org, ")"))
    };
    (@with $holders:expr) => {
        concat!(
            "q.action AS q_action, q.makers AS q_makers, q.payload AS q_payload, q.asked_note AS q_note, q.updated_at AS q_at, \
             CASE WHEN q.id IS NULL THEN NULL ELSE (SELECT string_agg(qa.real_name, '、') FROM administrator qa \
               WHERE q.makers LIKE '%,' || CAST(qa.id AS TEXT) || ',%') END AS q_names, \
             CAST(CASE WHEN q.id IS NULL OR EXISTS (",
            $holders,
            " AND q.makers NOT LIKE '%,' || CAST(ha.id AS TEXT) || ',%') THEN 0 ELSE 1 END AS BIGINT) AS q_no_other"
        )
    };
}
pub use open_columns;

/// Joins the open decision of a list's row: `open_join!("receipt", "r.id")`.
#[macro_export]
macro_rules! open_join {
    ($table:literal, $id:literal) => {
        concat!(" LEFT JOIN decision q ON q.target_type = '", $table, "' AND q.target_id = ", $id, " AND q.status = 'open'")
    };
}
pub use open_join;

/// Whether a list's row has an open decision of an action: `open_exists!("receipt", "r.id", "void_receipt")`.
#[macro_export]
macro_rules! open_exists {
    ($table:literal, $id:literal, $action:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM decision qe WHERE qe.target_type = '",
            $table,
            "' AND qe.target_id = ",
            $id,
            " AND qe.status = 'open' AND qe.action = '",
            $action,
            "')"
        )
    };
}
pub use open_exists;

/// Since when the open decision of a list's row waits, null if there is none: `open_since!("receipt", "r.id")`.
#[macro_export]
macro_rules! open_since {
    ($table:literal, $id:literal) => {
        concat!(
            "(SELECT qs.updated_at FROM decision qs WHERE qs.target_type = '",
            $table,
            "' AND qs.target_id = ",
            $id,
            " AND qs.status = 'open')"
        )
    };
}
pub use open_since;

/// Appends the condition that leaves out rows whose open decision an account asked for: `and_not_by(sql, "receipt", "r.id", maker)`.
pub fn and_not_by(sql: &mut Sql, table: &'static str, id: &'static str, maker: Option<i64>) {
    let Some(maker) = maker else { return };
    sql.push(" AND NOT EXISTS (SELECT 1 FROM decision qo WHERE qo.target_type = '").push(table).push("' AND qo.target_id = ").push(id);
    sql.push(" AND qo.status = 'open' AND qo.makers LIKE ").bind(format!("%,{maker},%")).push(")");
}

/// For rows that derive `FromRow` and select [`open_columns`]: `#[sqlx(flatten)] decision: Pending`.
impl<'r> sqlx::FromRow<'r, AnyRow> for Pending {
    fn from_row(row: &'r AnyRow) -> Result<Pending, sqlx::Error> {
        read(row).map(Pending)
    }
}

/// Reads what [`open_columns`] selects.
pub fn read(row: &AnyRow) -> Result<Option<OpenDecision>, sqlx::Error> {
    if row.try_get::<Option<&str>, _>("q_action")?.is_none() {
        return Ok(None);
    }
    Ok(Some(OpenDecision {
        action: db::code(row, "q_action")?,
        makers: ids(row.try_get("q_makers")?),
        maker_names: row.try_get::<Option<String>, _>("q_names")?.unwrap_or_default(),
        note: row.try_get("q_note")?,
        asked_at: row.try_get("q_at")?,
        no_other: row.try_get::<i64, _>("q_no_other")? == 1,
        payload: row.try_get("q_payload")?,
    }))
}

/// The makers in a column that the query names itself; none if nothing waits.
pub fn makers(row: &AnyRow, column: &str) -> Result<Vec<i64>, sqlx::Error> {
    Ok(row.try_get::<Option<&str>, _>(column)?.map(ids).unwrap_or_default())
}

/// An open decision, as stored.
pub struct Open {
    pub action: DecisionAction,
    pub version: i64,
    pub hash: String,
    pub makers: Vec<i64>,
}

/// The open decision of a row, locked until the transaction ends.
pub async fn open(tx: &mut Connection, table: &'static str, id: i64) -> Result<Option<Open>, sqlx::Error> {
    let mut sql =
        Sql::new("SELECT d.action, d.version, d.payload_hash, d.makers FROM decision d WHERE d.status = 'open' AND d.target_type = ");
    sql.bind(table).push(" AND d.target_id = ").bind(id);
    tx.hold(&mut sql, "d");
    let row = sql.fetch_optional(tx).await?;
    row.map(|row| {
        Ok(Open {
            action: db::code(&row, "action")?,
            version: row.try_get("version")?,
            hash: row.try_get("payload_hash")?,
            makers: ids(row.try_get("makers")?),
        })
    })
    .transpose()
}

/// Stores the open decision of a row and its makers, in place of an earlier open one.
pub async fn keep(tx: &mut Connection, matter: &Matter<'_>, makers: &[i64], at: i64) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO decision (action, target_type, target_id, version, payload_hash, payload, makers, asked_note, status, created_at, \
           updated_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'open', $9, $10) \
         ON CONFLICT (target_type, target_id) WHERE status = 'open' DO UPDATE SET action = excluded.action, version = excluded.version, \
           payload_hash = excluded.payload_hash, payload = excluded.payload, makers = excluded.makers, asked_note = excluded.asked_note, \
           updated_at = excluded.updated_at",
    )
    .bind(<&str>::from(matter.action))
    .bind(matter.table)
    .bind(matter.id)
    .bind(matter.version)
    .bind(&matter.hash)
    .bind(matter.payload.as_deref())
    .bind(text(makers))
    .bind(matter.note)
    .bind(at)
    .bind(at)
    .execute(tx)
    .await
    .map(drop)
}

/// Ends the open decision of a row with a verdict. Returns whether there was one.
pub async fn end(tx: &mut Connection, table: &'static str, id: i64, verdict: &Verdict<'_>) -> Result<bool, sqlx::Error> {
    let status = match (verdict.by, verdict.approve) {
        (None, _) => "by_rule",
        (Some(_), true) => "approved",
        (Some(_), false) => "refused",
    };
    sqlx::query(
        "UPDATE decision SET status = $1, checker_id = $2, note = $3, decided_at = $4, updated_at = $5 \
         WHERE target_type = $6 AND target_id = $7 AND status = 'open'",
    )
    .bind(status)
    .bind(verdict.by)
    .bind(verdict.note)
    .bind(verdict.at)
    .bind(verdict.at)
    .bind(table)
    .bind(id)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Ends the open decision of a row without a verdict. Returns whether there was one.
pub async fn withdraw(tx: &mut Connection, table: &'static str, id: i64, at: i64) -> Result<bool, sqlx::Error> {
    sqlx::query("UPDATE decision SET status = 'withdrawn', updated_at = $1 WHERE target_type = $2 AND target_id = $3 AND status = 'open'")
        .bind(at)
        .bind(table)
        .bind(id)
        .execute(tx)
        .await
        .map(|done| done.rows_affected() == 1)
}

/// Who created a row, and who wrote it last.
pub async fn writers(tx: &mut Connection, table: &'static str, id: i64) -> Result<(Option<i64>, Option<i64>), sqlx::Error> {
    let mut sql = Sql::new("SELECT created_by, updated_by FROM ");
    sql.push(table).push(" WHERE id = ").bind(id);
    let row = sql.fetch_optional(tx).await?;
    row.map_or(Ok((None, None)), |row| Ok((row.try_get("created_by")?, row.try_get("updated_by")?)))
}

/// The last decision of the same action on the same row: the version of the row that it was about, and its makers if it
/// was a refusal.
pub async fn last(tx: &mut Connection, matter: &Matter<'_>) -> Result<Option<(i64, Vec<i64>)>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT status, version, makers FROM decision WHERE target_type = $1 AND target_id = $2 AND action = $3 ORDER BY id DESC LIMIT 1",
    )
    .bind(matter.table)
    .bind(matter.id)
    .bind(<&str>::from(matter.action))
    .fetch_optional(tx)
    .await?;
    row.map(|row| {
        let refused = row.try_get::<&str, _>("status")? == "refused";
        Ok((row.try_get("version")?, if refused { ids(row.try_get("makers")?) } else { Vec::new() }))
    })
    .transpose()
}

/// The makers and the checker of a row's last approval.
pub async fn approved_by(tx: &mut Connection, table: &'static str, id: i64) -> Result<Vec<i64>, sqlx::Error> {
    let row = sqlx::query(
        "SELECT makers, checker_id FROM decision WHERE target_type = $1 AND target_id = $2 AND status = 'approved' ORDER BY id DESC LIMIT 1",
    )
    .bind(table)
    .bind(id)
    .fetch_optional(tx)
    .await?;
    let Some(row) = row else { return Ok(Vec::new()) };
    let mut people = ids(row.try_get("makers")?);
    people.extend(row.try_get::<Option<i64>, _>("checker_id")?);
    Ok(people)
}

/// Ids as they are stored.
fn text(ids: &[i64]) -> String {
    format!(",{},", ids.iter().map(i64::to_string).collect::<Vec<_>>().join(","))
}

fn ids(text: &str) -> Vec<i64> {
    text.split(',').filter_map(|id| id.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_kept_between_commas() {
        for (given, kept) in [(vec![], ",,"), (vec![3], ",3,"), (vec![3, 17], ",3,17,")] {
            assert_eq!(text(&given), kept);
            assert_eq!(ids(kept), given);
        }
    }
}
