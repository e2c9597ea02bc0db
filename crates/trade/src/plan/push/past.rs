//! Pushes of a past period, for the what-if replay.

use sqlx::Row;

use super::model::PushStatus;
use crate::plan::SaleMode;
use base::db::{self, Db, Sql};

/// A lead that was offered to a plan in the past.
#[derive(Debug)]
pub struct PastOffer {
    pub user_id: i64,
    pub plan_id: i64,
    pub org_id: i64,
    pub price_cents: i64,
    pub sale_mode: SaleMode,
    /// The most buyers that it was promised; none for old leads.
    pub most_buyers: Option<i64>,
    pub status: PushStatus,
    pub at: i64,
    /// Its last change: for a lead that ended, its end.
    pub updated_at: i64,
    /// What its channel got for it, and was charged for its return; fen.
    pub cost_cents: i64,
    pub charged_cents: i64,
}

/// Offers of some applicants since a moment, in order.
pub async fn offered(db: &Db, users: &[i64], since: i64) -> Result<Vec<PastOffer>, sqlx::Error> {
    let mut found = Vec::new();
    for some in db::padded(users) {
        let mut sql = Sql::new(
            "SELECT h.user_id, h.plan_id, h.org_id, h.price_cents, h.sale_mode, h.most_buyers, h.status, h.created_at, h.updated_at, \
               CASE WHEN k.push_id = h.id THEN k.cost_cents ELSE 0 END AS cost_cents, \
               CASE WHEN k.charged_push_id = h.id THEN k.charged_cents ELSE 0 END AS charged_cents \
             FROM push_record h LEFT JOIN lead_cost k ON k.user_id = h.user_id WHERE h.created_at >= ",
        );
        sql.bind(since).push(" AND h.user_id IN ").ids(some.copied()).push(" ORDER BY h.created_at, h.id");
        for row in sql.fetch_all(db.read()).await? {
            found.push(PastOffer {
                user_id: row.try_get("user_id")?,
                plan_id: row.try_get("plan_id")?,
                org_id: row.try_get("org_id")?,
                price_cents: row.try_get("price_cents")?,
                sale_mode: db::code(&row, "sale_mode")?,
                most_buyers: row.try_get("most_buyers")?,
                status: db::code(&row, "status")?,
                at: row.try_get("created_at")?,
                updated_at: row.try_get("updated_at")?,
                cost_cents: row.try_get("cost_cents")?,
                charged_cents: row.try_get("charged_cents")?,
            });
        }
    }
    Ok(found)
}

/// Offers that ended and gave their room under the caps back.
const ENDED: &str = "('rejected', 'duplicate', 'failed', 'returned', 'cancelled')";

/// What a plan used of the caps' windows before a moment: each window with its start and sum.
#[derive(Debug)]
pub struct UsedBefore {
    pub plan_id: i64,
    /// Count and fen.
    pub used: [(i64, i64); 5],
}

/// What plans used before a moment, from the start of each window on, in the order of the windows. Offers that had
/// ended by then do not count.
pub async fn used_before(db: &Db, plans: &[i64], starts: [i64; 5], since: i64, before: i64) -> Result<Vec<UsedBefore>, sqlx::Error> {
    const COLUMNS: [[&str; 2]; 5] = [["n0", "c0"], ["n1", "c1"], ["n2", "c2"], ["n3", "c3"], ["n4", "c4"]];
    let mut found = Vec::new();
    for some in db::padded(plans) {
        let mut sql = Sql::new("SELECT plan_id");
        for (start, [count, cents]) in starts.into_iter().zip(COLUMNS) {
            sql.push(", CAST(COALESCE(SUM(CASE WHEN created_at >= ").bind(start).push(" THEN 1 ELSE 0 END), 0) AS BIGINT) AS ").push(count);
            sql.push(", CAST(COALESCE(SUM(CASE WHEN created_at >= ")
                .bind(start)
                .push(" THEN price_cents ELSE 0 END), 0) AS BIGINT) AS ")
                .push(cents);
        }
        sql.push(" FROM push_record WHERE created_at >= ").bind(since).push(" AND created_at < ").bind(before);
        sql.push(" AND (status NOT IN ").push(ENDED).push(" OR updated_at >= ").bind(before);
        sql.push(") AND plan_id IN ").ids(some.copied()).push(" GROUP BY plan_id");
        for row in sql.fetch_all(db.read()).await? {
            let mut used = [(0, 0); 5];
            for (used, [count, cents]) in used.iter_mut().zip(COLUMNS) {
                *used = (row.try_get(count)?, row.try_get(cents)?);
            }
            found.push(UsedBefore { plan_id: row.try_get("plan_id")?, used });
        }
    }
    Ok(found)
}

/// Offers from before a moment that ended after it: the end, the plan, the time of the offer, fen.
pub async fn ended_later(db: &Db, plans: &[i64], since: i64, before: i64) -> Result<Vec<(i64, i64, i64, i64)>, sqlx::Error> {
    let mut found = Vec::new();
    for some in db::padded(plans) {
        let mut sql = Sql::new("SELECT updated_at, plan_id, created_at, price_cents FROM push_record WHERE created_at >= ");
        sql.bind(since).push(" AND created_at < ").bind(before).push(" AND updated_at >= ").bind(before);
        sql.push(" AND status IN ").push(ENDED).push(" AND plan_id IN ").ids(some.copied());
        for row in sql.fetch_all(db.read()).await? {
            found.push((row.try_get("updated_at")?, row.try_get("plan_id")?, row.try_get("created_at")?, row.try_get("price_cents")?));
        }
    }
    Ok(found)
}
