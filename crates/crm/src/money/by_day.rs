//! `POST /crm/orgMoney/list`: confirmed money by day.

use std::sync::Arc;

use sqlx::Row;
use sqlx::any::AnyRow;

use super::model::{OrgMoneyDay, OrgMoneyQuery};
use super::store;
use base::canonical;
use base::clock::{self, DAY, HOUR};
use base::db::Sql;
use frame::access::Scope;
use frame::api::chart::{Days, DaysQuery};
use frame::api::check::present;
use frame::api::input::Sent;
use frame::api::{Ctx, Result};

/// One row for each day with confirmed money, the first day first; at most a year of days.
pub async fn list(cx: Arc<Ctx>, Sent(query): Sent<OrgMoneyQuery>) -> Result<Vec<OrgMoneyDay>> {
    let days = days_of(&query, cx.now)?;
    let rows = statement(query.org_id, days, cx.viewer()?.scope()).fetch_all(cx.db().read()).await?;
    Ok(rows.iter().map(read).collect::<std::result::Result<_, sqlx::Error>>()?)
}

/// The days of a query; by default the end is today, and the beginning 29 days before the end.
fn days_of(query: &OrgMoneyQuery, now: i64) -> Result<Days> {
    let to = present(query.day_to.clone()).unwrap_or_else(|| clock::day(now).to_string());
    let from = match present(query.day_from.clone()) {
        Some(from) => Some(from),
        None => canonical::day(&to).map(|start| clock::day(start - 29 * DAY).to_string()),
    };
    DaysQuery { days: None, from, to: Some(to) }.read(now)
}

fn statement(org_id: Option<i64>, days: Days, scope: Scope) -> Sql {
    let mut sql = Sql::new(
        "SELECT (m.paid_at + 28800000) / 86400000 AS day, CAST(COALESCE(SUM(m.loan_cents), 0) AS BIGINT) AS loan_cents, \
           CAST(SUM(CASE m.type WHEN 'refund' THEN 0 ELSE m.amount_cents END) AS BIGINT) AS fee_cents, \
           CAST(SUM(CASE m.type WHEN 'refund' THEN m.amount_cents ELSE 0 END) AS BIGINT) AS refund_cents, COUNT(*) AS records \
         FROM money_record m WHERE m.deleted_at IS NULL AND m.status = 'confirmed'",
    );
    sql.and("m.paid_at >= ", Some(days.from)).and("m.paid_at < ", Some(days.to)).and("m.org_id = ", org_id);
    scope.apply(&mut sql, store::SCOPE);
    sql.push(" GROUP BY (m.paid_at + 28800000) / 86400000 ORDER BY 1");
    sql
}

fn read(row: &AnyRow) -> std::result::Result<OrgMoneyDay, sqlx::Error> {
    let number: i64 = row.try_get("day")?;
    let (fee_cents, refund_cents): (i64, i64) = (row.try_get("fee_cents")?, row.try_get("refund_cents")?);
    Ok(OrgMoneyDay {
        id: number,
        day: clock::day(number * DAY - 8 * HOUR).to_string(),
        loan_cents: row.try_get("loan_cents")?,
        fee_cents,
        refund_cents,
        net_cents: fee_cents - refund_cents,
        count: row.try_get("records")?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn the_days_are_found_by_an_index() {
        let plans = Plans::open().await;
        let days = Days { from: 0, to: DAY };
        for (index, org_id, scope) in [
            ("money_record_org_paid", Some(1), Scope::All),
            ("money_record_org_paid", None, Scope::Org(1)),
            ("money_record_status_paid", None, Scope::All),
        ] {
            let plan = plans.of(statement(org_id, days, scope)).await;
            assert!(plan.contains(&format!("SEARCH m USING INDEX {index} ")), "{index}: {plan}");
        }
    }
}
