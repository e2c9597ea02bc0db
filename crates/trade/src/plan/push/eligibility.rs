//! What a sale checks for a plan and a person, and who has bought the person.

use sqlx::{Any, Executor, Row};

use super::model::PushStatus;
use crate::plan::PlanRow;
use base::clock::HOUR;
use base::db::{self, Connection};

/// The conditions between a plan and a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eligibility {
    /// The plan runs, and has the version that was read.
    pub runs: bool,
    /// Its organisation is in test mode.
    pub test: bool,
    /// Its organisation is active.
    pub active: bool,
    /// Its organisation has a licence whose last day is not over.
    pub licensed: bool,
    /// Its organisation's delivery settings are switched on.
    pub delivers: bool,
    /// Its product is online, or it has none.
    pub online: bool,
    /// The applicant's consent is the one that was checked.
    pub consents: bool,
    /// Its organisation has had the applicant in a way that counts, or a person has cancelled a push of them to it,
    /// or it had the person since a moment as a lead that is on its way or was accepted. Test leads count for test
    /// leads, live ones for live ones.
    pub had: bool,
    /// Other organisations that have the person, or may have them, and the smallest number of buyers promised to any
    /// of them; likewise.
    pub buyers: i64,
    pub promised: Option<i64>,
}

/// The query of a sale: the person, and since when earlier sales count.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    pub phone_hash: &'a str,
    pub user_id: i64,
    pub consent_id: Option<i64>,
    /// Since when the organisation does not buy the same person twice.
    pub had_since: i64,
    /// Since when buyers of the person count for the promises to others.
    pub bought_since: i64,
    /// A person repeats a push: earlier refusals of the organisation do not count.
    pub repeats: bool,
    pub today: &'a str,
    pub at: i64,
}

/// Reads all of it in one statement, without locks: a plan that is paused or repriced between this and the commit of
/// the sale sells once more, as if the sale had come first. A shared lock on the plan would order the two, but
/// PostgreSQL lets transactions that share a row pass those that wait to change it: a plan that sells all the time
/// could hardly be paused, and each failed delivery, which is counted in the same row, would wait as well.
pub async fn read(tx: &mut Connection, plan: &PlanRow, asked: &Query<'_>) -> Result<Eligibility, sqlx::Error> {
    // A lead that could not be delivered may be offered again, but not at once: the organisation never had it.
    let row = sqlx::query(
        "SELECT CASE WHEN p.version = $1 AND p.status = 'running' AND p.deleted_at IS NULL THEN 1 ELSE 0 END AS runs, \
           CASE o.mode WHEN 'test' THEN 1 ELSE 0 END AS test, \
           CASE WHEN o.status = 'active' AND o.deleted_at IS NULL THEN 1 ELSE 0 END AS active, \
           CASE WHEN o.licence_no IS NOT NULL AND o.licence_expire_on >= $2 THEN 1 ELSE 0 END AS licensed, \
           CASE WHEN c.status = 'enabled' THEN 1 ELSE 0 END AS delivers, \
           CASE WHEN p.product_id IS NULL OR d.status = 'online' THEN 1 ELSE 0 END AS online, \
           CASE WHEN COALESCE((SELECT MAX(k.id) FROM consent_record k WHERE k.user_id = $3 AND k.revoked_at IS NULL), 0) = $4 \
             THEN 1 ELSE 0 END AS consents, \
           (SELECT COUNT(*) FROM (SELECT h.id FROM push_record h WHERE h.org_id = p.org_id AND h.phone_hash = $5 \
             AND h.test = CASE o.mode WHEN 'test' THEN 1 ELSE 0 END AND ( \
               (h.user_id = $6 AND NOT (h.status = 'cancelled' AND h.reject_code <> 'by_hand') \
                 AND NOT (h.status = 'failed' AND h.reject_code = 'no_delivery' AND h.updated_at < $7) \
                 AND ($8 = 0 OR h.status NOT IN ('rejected', 'duplicate', 'failed', 'cancelled'))) \
               OR (h.created_at > $9 AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted', 'returned'))) LIMIT 1) AS found) AS had, \
           (SELECT COUNT(DISTINCT h.org_id) FROM push_record h WHERE h.phone_hash = $10 AND h.org_id <> p.org_id AND (h.created_at > $11 OR h.user_id = $12) \
             AND h.test = CASE o.mode WHEN 'test' THEN 1 ELSE 0 END AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted')) AS buyers, \
           (SELECT MIN(COALESCE(h.most_buyers, CASE h.sale_mode WHEN 'exclusive' THEN 1 END)) FROM push_record h WHERE h.phone_hash = $13 \
             AND h.org_id <> p.org_id AND (h.created_at > $14 OR h.user_id = $15) AND h.test = CASE o.mode WHEN 'test' THEN 1 ELSE 0 END \
             AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed', 'accepted')) AS promised \
         FROM plan p JOIN organisation o ON o.id = p.org_id LEFT JOIN org_api_config c ON c.org_id = o.id \
           LEFT JOIN product d ON d.id = p.product_id WHERE p.id = $16",
    )
    .bind(plan.version)
    .bind(asked.today)
    .bind(asked.user_id)
    .bind(asked.consent_id.unwrap_or_default())
    .bind(asked.phone_hash)
    .bind(asked.user_id)
    .bind(asked.at - HOUR)
    .bind(i64::from(asked.repeats))
    .bind(asked.had_since)
    .bind(asked.phone_hash)
    .bind(asked.bought_since)
    .bind(asked.user_id)
    .bind(asked.phone_hash)
    .bind(asked.bought_since)
    .bind(asked.user_id)
    .bind(plan.id)
    .fetch_one(tx)
    .await?;
    Ok(Eligibility {
        runs: db::flag(&row, "runs")?,
        test: db::flag(&row, "test")?,
        active: db::flag(&row, "active")?,
        licensed: db::flag(&row, "licensed")?,
        delivers: db::flag(&row, "delivers")?,
        online: db::flag(&row, "online")?,
        consents: db::flag(&row, "consents")?,
        had: db::flag(&row, "had")?,
        buyers: row.try_get("buyers")?,
        promised: row.try_get("promised")?,
    })
}

/// A sale of an applicant.
#[derive(Clone, Copy, Debug)]
pub struct Bought {
    pub org_id: i64,
    pub status: PushStatus,
    /// The organisation has had the applicant; undelivered leads do not count.
    pub had: bool,
    /// The most buyers that it was promised; none if that was not stored.
    pub most_buyers: Option<i64>,
    /// Since when the applicant may be offered to the organisation again; for leads that could not be delivered.
    pub again_at: Option<i64>,
}

/// The buyers of an applicant, and the results.
pub async fn buyers<'e>(on: impl Executor<'e, Database = Any>, user_id: i64, now: i64) -> Result<Vec<Bought>, sqlx::Error> {
    let rows = sqlx::query(
        "SELECT org_id, status, COALESCE(most_buyers, CASE sale_mode WHEN 'exclusive' THEN 1 END) AS most_buyers, \
           CASE WHEN (status = 'cancelled' AND COALESCE(reject_code, '') <> 'by_hand') OR (status = 'failed' AND reject_code = 'no_delivery' AND updated_at < $1) \
           THEN 0 ELSE 1 END AS had, CASE WHEN status = 'failed' AND reject_code = 'no_delivery' THEN updated_at END AS failed_at \
         FROM push_record WHERE user_id = $2",
    )
    .bind(now - HOUR)
    .bind(user_id)
    .fetch_all(on)
    .await?;
    rows.iter()
        .map(|row| {
            Ok(Bought {
                org_id: row.try_get("org_id")?,
                status: db::code(row, "status")?,
                had: db::flag(row, "had")?,
                most_buyers: row.try_get("most_buyers")?,
                again_at: row.try_get::<Option<i64>, _>("failed_at")?.map(|at| at + HOUR + 1),
            })
        })
        .collect()
}

/// Organisations that accepted leads of a phone: since an earlier moment, and since a later one. Test leads do not
/// count.
pub async fn takers<'e>(
    on: impl Executor<'e, Database = Any>,
    phone_hash: &str,
    since: i64,
    lately: i64,
) -> Result<(i64, i64), sqlx::Error> {
    let row = sqlx::query(TAKERS).bind(lately).bind(phone_hash).bind(since).fetch_one(on).await?;
    Ok((row.try_get("takers")?, row.try_get("lately")?))
}

const TAKERS: &str = "SELECT COUNT(DISTINCT org_id) AS takers, COUNT(DISTINCT CASE WHEN created_at > $1 THEN org_id END) AS lately \
     FROM push_record WHERE phone_hash = $2 AND created_at > $3 AND test = 0 AND status IN ('accepted', 'returned')";
