//! What became of the pushes to an organisation, today and in the last days, for its page.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use sqlx::Row;

use base::clock::{self, DAY};
use base::db::{self, Sql};
use frame::api::{Ctx, Query, Result};
use trade::plan::push::model::PushStatus;
use trade::plan::push::rows::SCOPE;

/// Days of the longer figures, today included.
const DAYS: i64 = 7;

/// The organisation of the pushes.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FiguresQuery {
    pub org_id: i64,
}

/// What became of the pushes to an organisation.
#[derive(Debug, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PushFigures {
    /// The first of the last seven days, and today, `YYYY-MM-DD`.
    pub first_day: String,
    pub last_day: String,
    pub today: PushCounts,
    /// The last seven days, today included.
    pub week: PushCounts,
}

/// Pushes of some days by their present status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct PushCounts {
    /// Of every status.
    pub all: i64,
    pub accepted: i64,
    pub rejected: i64,
    pub duplicate: i64,
    pub failed: i64,
    pub returned: i64,
}

impl PushCounts {
    fn add(&mut self, status: PushStatus, pushes: i64) {
        self.all += pushes;
        match status {
            PushStatus::Accepted => self.accepted += pushes,
            PushStatus::Rejected => self.rejected += pushes,
            PushStatus::Duplicate => self.duplicate += pushes,
            PushStatus::Failed => self.failed += pushes,
            PushStatus::Returned => self.returned += pushes,
            PushStatus::Queued | PushStatus::Sending | PushStatus::Retrying | PushStatus::Unconfirmed | PushStatus::Cancelled => {}
        }
    }
}

/// `GET /plan/push/figures?orgId=`.
pub async fn of_org(cx: Arc<Ctx>, Query(query): Query<FiguresQuery>) -> Result<PushFigures> {
    let today = clock::start(clock::day(cx.now));
    let first = today - (DAYS - 1) * DAY;
    let mut sql = select(query.org_id, first, today);
    cx.viewer()?.scope().apply(&mut sql, SCOPE);
    sql.push(" GROUP BY 1, 2");
    let mut figures = PushFigures {
        first_day: clock::day(first).to_string(),
        last_day: clock::day(today).to_string(),
        today: PushCounts::default(),
        week: PushCounts::default(),
    };
    for row in sql.fetch_all(cx.db().read()).await? {
        let (status, pushes): (PushStatus, i64) = (db::code(&row, "status")?, row.try_get("pushes")?);
        figures.week.add(status, pushes);
        if row.try_get::<i64, _>("is_today")? == 1 {
            figures.today.add(status, pushes);
        }
    }
    Ok(figures)
}

/// The pushes to an organisation since a moment, by status and whether they are of today.
fn select(org_id: i64, first: i64, today: i64) -> Sql {
    let mut sql = Sql::new("SELECT h.status, CAST(CASE WHEN h.created_at >= ");
    sql.bind(today).push(" THEN 1 ELSE 0 END AS BIGINT) AS is_today, COUNT(*) AS pushes FROM push_record h WHERE h.org_id = ");
    sql.bind(org_id).push(" AND h.created_at >= ").bind(first);
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn figures_are_counted_in_an_index() {
        let mut sql = select(1, 2, 3);
        sql.push(" GROUP BY 1, 2");
        let plan = Plans::open().await.of(sql).await;
        assert!(plan.contains("USING COVERING INDEX push_record_org (org_id=? AND created_at>?)"), "{plan}");
    }
}
