//! The counts of a day until a time of day, from the rows themselves: daily figures only have whole days.

use sqlx::Row;
use sqlx::any::AnyRow;

use base::db::{Db, Sql};
use frame::access::{Scope, ScopeColumns};

/// Who sees an applicant: no organisation.
const APPLICANT: ScopeColumns = ScopeColumns {
    owner: Some("a.channel_id IN (SELECT m.id FROM channel m WHERE m.owner_admin_id = ?)"),
    org: None,
    sub_org: None,
    myself: None,
};

/// Who sees a lead. An account manager sees those of their channels, as in statistics by channel.
const LEAD: ScopeColumns = ScopeColumns {
    owner: Some("h.channel_id IN (SELECT m.id FROM channel m WHERE m.owner_admin_id = ?)"),
    org: Some("h.org_id"),
    sub_org: None,
    myself: None,
};

/// Applicants and leads between two times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SoFar {
    pub registered: i64,
    pub applied: i64,
    pub pushed: i64,
    pub sold: i64,
    /// Prices of the leads that were sold.
    pub sold_cents: i64,
}

/// Counts events between two times, in epoch milliseconds, the second not included; without test leads.
pub async fn so_far(db: &Db, scope: Scope, (from, to): (i64, i64)) -> Result<SoFar, sqlx::Error> {
    let mut sum = SoFar::default();
    if scope.is_platforms() {
        let row = applicants(scope, (from, to)).fetch_all(db.read()).await?;
        (sum.registered, sum.applied) = two(&row)?;
    }
    let row = offers(scope, (from, to)).fetch_all(db.read()).await?;
    (sum.pushed, _) = two(&row)?;
    let row = sales(scope, (from, to)).fetch_all(db.read()).await?;
    (sum.sold, sum.sold_cents) = two(&row)?;
    Ok(sum)
}

fn two(rows: &[AnyRow]) -> Result<(i64, i64), sqlx::Error> {
    rows.first().map_or(Ok((0, 0)), |row| Ok((row.try_get("one")?, row.try_get("other")?)))
}

fn applicants(scope: Scope, (from, to): (i64, i64)) -> Sql {
    let mut sql = Sql::new(
        "SELECT COUNT(*) AS one, CAST(COALESCE(SUM(CASE WHEN a.reason IS NULL THEN 1 ELSE 0 END), 0) AS BIGINT) AS other \
         FROM applicant a WHERE a.test = 0 AND a.created_at >= ",
    );
    sql.bind(from).push(" AND a.created_at < ").bind(to);
    scope.apply(&mut sql, APPLICANT);
    sql
}

fn offers(scope: Scope, (from, to): (i64, i64)) -> Sql {
    let mut sql = Sql::new("SELECT COUNT(*) AS one, CAST(0 AS BIGINT) AS other FROM push_record h WHERE h.test = 0 AND h.created_at >= ");
    sql.bind(from).push(" AND h.created_at < ").bind(to);
    scope.apply(&mut sql, LEAD);
    sql
}

fn sales(scope: Scope, (from, to): (i64, i64)) -> Sql {
    let mut sql = Sql::new(
        "SELECT COUNT(*) AS one, CAST(COALESCE(SUM(h.price_cents), 0) AS BIGINT) AS other FROM push_record h WHERE h.test = 0 AND COALESCE(h.sold_at, 0) >= ",
    );
    sql.bind(from).push(" AND COALESCE(h.sold_at, 0) < ").bind(to);
    scope.apply(&mut sql, LEAD);
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn a_part_of_a_day_is_counted_without_the_others() {
        let plans = Plans::open().await;
        for scope in [Scope::All, Scope::Own(1)] {
            let plan = plans.of(applicants(scope, (1, 2))).await;
            assert!(plan.contains("SEARCH a ") && !plan.contains("SCAN a"), "{scope:?}: {plan}");
        }
        for scope in [Scope::All, Scope::Own(1), Scope::Org(1)] {
            for sql in [offers(scope, (1, 2)), sales(scope, (1, 2))] {
                let plan = plans.of(sql).await;
                assert!(plan.contains("SEARCH h ") && !plan.contains("SCAN h"), "{scope:?}: {plan}");
            }
        }
    }
}
