//! Limits of a day: how many leads a team and a salesperson are assigned, how many clues a salesperson claims from a
//! pool, how many short messages a person gets. There is one row for each limit and day. Its count is only raised while
//! it is below the limit, so that parallel calls cannot exceed it.

use std::collections::HashMap;

use sqlx::Row;

use base::clock;
use base::db::{Connection, Db, Sql};

/// The kind of count and the account or team it belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Quota {
    kind: &'static str,
    subject_id: i64,
    object_id: i64,
}

impl Quota {
    /// Leads that a team is assigned.
    pub fn team_leads(team_id: i64) -> Quota {
        Quota { kind: "team_leads", subject_id: team_id, object_id: 0 }
    }

    /// Leads that a salesperson is assigned.
    pub fn sales_leads(sales_id: i64) -> Quota {
        Quota { kind: "sales_leads", subject_id: sales_id, object_id: 0 }
    }

    /// Clues that a salesperson claims from a pool.
    pub fn claims(sales_id: i64, pool_id: i64) -> Quota {
        Quota { kind: "claims", subject_id: sales_id, object_id: pool_id }
    }

    /// Short messages to the person of a clue.
    pub fn messages(clue_id: i64) -> Quota {
        Quota { kind: "messages", subject_id: clue_id, object_id: 0 }
    }
}

/// The day of a moment, on Shanghai's clock, in the form of the rows.
pub fn day(at: i64) -> String {
    clock::day(at).to_string()
}

/// Counts one more, unless the limit is reached. Returns whether it was counted. `None`: no limit.
pub async fn take(tx: &mut Connection, quota: Quota, limit: Option<i64>, at: i64) -> Result<bool, sqlx::Error> {
    let limit = limit.unwrap_or(i64::MAX);
    if limit <= 0 {
        return Ok(false);
    }
    sqlx::query(
        "INSERT INTO crm_day_count (kind, subject_id, object_id, day, used) VALUES ($1, $2, $3, $4, 1) \
         ON CONFLICT (kind, subject_id, object_id, day) DO UPDATE SET used = crm_day_count.used + 1 WHERE crm_day_count.used < $5",
    )
    .bind(quota.kind)
    .bind(quota.subject_id)
    .bind(quota.object_id)
    .bind(day(at))
    .bind(limit)
    .execute(tx)
    .await
    .map(|done| done.rows_affected() == 1)
}

/// Takes one back from the count, because what was counted did not happen.
pub async fn give_back(tx: &mut Connection, quota: Quota, at: i64) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE crm_day_count SET used = used - 1 WHERE kind = $1 AND subject_id = $2 AND object_id = $3 AND day = $4 AND used > 0")
        .bind(quota.kind)
        .bind(quota.subject_id)
        .bind(quota.object_id)
        .bind(day(at))
        .execute(tx)
        .await
        .map(drop)
}

/// The usage of a limit on the day of a moment.
pub async fn used(tx: &mut Connection, quota: Quota, at: i64) -> Result<i64, sqlx::Error> {
    let used = sqlx::query_scalar("SELECT used FROM crm_day_count WHERE kind = $1 AND subject_id = $2 AND object_id = $3 AND day = $4")
        .bind(quota.kind)
        .bind(quota.subject_id)
        .bind(quota.object_id)
        .bind(day(at))
        .fetch_optional(tx)
        .await?;
    Ok(used.unwrap_or(0))
}

/// Leads that teams were assigned on the day of a moment, by the teams' ids. Teams without leads are absent.
pub async fn team_leads_of(db: &Db, ids: &[i64], at: i64) -> Result<HashMap<i64, i64>, sqlx::Error> {
    used_by(db, "team_leads", ids, at).await
}

/// Leads that salespeople were assigned on the day of a moment, by their ids. Salespeople without leads are absent.
pub async fn sales_leads_of(db: &Db, ids: &[i64], at: i64) -> Result<HashMap<i64, i64>, sqlx::Error> {
    used_by(db, "sales_leads", ids, at).await
}

async fn used_by(db: &Db, kind: &'static str, ids: &[i64], at: i64) -> Result<HashMap<i64, i64>, sqlx::Error> {
    let mut sql = Sql::new("SELECT subject_id, used FROM crm_day_count WHERE object_id = 0 AND kind = ");
    sql.bind(kind).push(" AND day = ").bind(day(at)).push(" AND subject_id IN ").ids(ids.iter().copied());
    sql.fetch_all(db.read()).await?.iter().map(|row| Ok((row.try_get("subject_id")?, row.try_get("used")?))).collect()
}
