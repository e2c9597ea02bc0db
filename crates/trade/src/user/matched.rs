//! How many applicants plans took, and how many found none.

use sqlx::{Any, Executor, Row};

use super::store::SCOPE;
use base::db::Sql;
use frame::access::Scope;

/// Applicants whose search for a plan has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Matched {
    pub sold: i64,
    /// No plan took them.
    pub unmatched: i64,
}

/// The applicants within a scope who came from `from` on and before `start`, and from `start` on, and whose search has ended.
pub(super) async fn matched<'e>(
    on: impl Executor<'e, Database = Any>,
    scope: Scope,
    (from, start): (i64, i64),
) -> Result<[Matched; 2], sqlx::Error> {
    let mut sql = Sql::new("SELECT u.status, CAST(CASE WHEN u.created_at < ");
    sql.bind(start)
        .push(" THEN 0 ELSE 1 END AS BIGINT) AS late, COUNT(*) AS entries FROM applicant u WHERE u.status IN ('distributed', 'unmatched')");
    sql.and("u.created_at >= ", Some(from));
    scope.apply(&mut sql, SCOPE);
    sql.push(" GROUP BY u.status, 2");
    let mut found = [Matched::default(); 2];
    for row in sql.fetch_all(on).await? {
        let of = &mut found[usize::from(row.try_get::<i64, _>("late")? != 0)];
        let entries = row.try_get("entries")?;
        match row.try_get::<&str, _>("status")? {
            "distributed" => of.sold = entries,
            _ => of.unmatched = entries,
        }
    }
    Ok(found)
}
