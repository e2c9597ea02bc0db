//! Risk reports in the database.

use sqlx::any::AnyRow;
use sqlx::{Any, Executor, Row};

use super::model::{RiskLevel, RiskStatus};
use super::provider::{Detail, Findings};
use crate::user::past::Subject;
use base::crypto::{Keys, place};
use base::db::{self, Connection, Sql};
use frame::api::{ApiError, Result};

/// A finished report.
#[derive(Clone, Debug)]
pub struct Report {
    pub provider: String,
    pub status: RiskStatus,
    pub score: Option<i64>,
    pub level: Option<RiskLevel>,
    pub detail: Detail,
    pub cost_cents: i64,
    pub queried_by: String,
    pub queried_at: i64,
    pub valid_until: i64,
}

const SELECT: &str = "SELECT r.id, r.provider, r.status, r.score, r.level, r.detail_enc, r.cost_cents, a.real_name AS queried_by, r.created_at, \
     r.valid_until FROM risk_report r JOIN administrator a ON a.id = r.queried_by WHERE r.status IN ('done', 'no_data')";

/// The latest report of a provider on an applicant that is still valid.
pub async fn valid<'e>(
    on: impl Executor<'e, Database = Any>,
    keys: &Keys,
    user_id: i64,
    provider: &str,
    now: i64,
) -> Result<Option<Report>> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.user_id = ", Some(user_id)).and("r.provider = ", Some(provider.to_owned())).and("r.valid_until > ", Some(now));
    sql.push(" ORDER BY r.id DESC LIMIT 1");
    sql.fetch_optional(on).await?.map(|row| read(&row, keys)).transpose()
}

/// The report of an id, if it is finished.
pub async fn find<'e>(on: impl Executor<'e, Database = Any>, keys: &Keys, id: i64) -> Result<Option<Report>> {
    let mut sql = Sql::new(SELECT);
    sql.and("r.id = ", Some(id));
    sql.fetch_optional(on).await?.map(|row| read(&row, keys)).transpose()
}

fn read(row: &AnyRow, keys: &Keys) -> Result<Report> {
    let sealed: Option<String> = row.try_get("detail_enc")?;
    let detail = match sealed {
        None => Detail::default(),
        Some(sealed) => serde_json::from_str(&keys.open(&place::RISK_DETAIL.of(row.try_get::<i64, _>("id")?), &sealed)?)
            .map_err(|error| ApiError::Internal(error.into()))?,
    };
    Ok(Report {
        provider: row.try_get("provider")?,
        status: db::code(row, "status")?,
        score: row.try_get("score")?,
        level: db::optional_code(row, "level")?,
        detail,
        cost_cents: row.try_get("cost_cents")?,
        queried_by: row.try_get("queried_by")?,
        queried_at: row.try_get("created_at")?,
        valid_until: row.try_get("valid_until")?,
    })
}

/// How often external providers have been asked since a moment, without failures.
pub async fn paid_since(tx: &mut Connection, since: i64) -> std::result::Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT COUNT(*) FROM risk_report WHERE provider <> 'built_in' AND created_at >= $1 AND status <> 'failed'")
        .bind(since)
        .fetch_one(tx)
        .await
}

/// Ends a request that began before a moment and has no result: its process is gone.
pub async fn end_lost(tx: &mut Connection, user_id: i64, before: i64, now: i64) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE risk_report SET status = 'failed', failure = 'lost', updated_at = $1 WHERE user_id = $2 AND status = 'querying' \
           AND created_at < $3",
    )
    .bind(now)
    .bind(user_id)
    .bind(before)
    .execute(tx)
    .await
    .map(drop)
}

/// Stores that a provider is being asked; none if a request on the applicant is under way already.
pub async fn begin(
    tx: &mut Connection,
    subject: &Subject,
    provider: &str,
    consent_id: Option<i64>,
    queried_by: i64,
    now: i64,
) -> std::result::Result<Option<i64>, sqlx::Error> {
    sqlx::query_scalar(
        "INSERT INTO risk_report (user_id, phone_mask, provider, consent_id, status, queried_by, created_at, updated_at) \
         VALUES ($1, $2, $3, $4, 'querying', $5, $6, $7) ON CONFLICT DO NOTHING RETURNING id",
    )
    .bind(subject.id)
    .bind(&subject.phone_mask)
    .bind(provider)
    .bind(consent_id)
    .bind(queried_by)
    .bind(now)
    .bind(now)
    .fetch_optional(tx)
    .await
}

/// The end of a request.
pub struct Ended<'e> {
    pub status: RiskStatus,
    /// Why it failed.
    pub failure: Option<&'static str>,
    pub findings: Option<&'e Findings>,
    pub cost_cents: i64,
    pub valid_until: Option<i64>,
}

/// Ends a request. Nothing is stored about an applicant who was erased meanwhile.
pub async fn end(tx: &mut Connection, keys: &Keys, id: i64, ended: &Ended<'_>, now: i64) -> std::result::Result<(), sqlx::Error> {
    let sealed = ended
        .findings
        .map(|found| keys.seal(&place::RISK_DETAIL.of(id), &serde_json::to_string(&found.detail).expect("findings serialise")));
    sqlx::query(
        "UPDATE risk_report SET status = $1, failure = $2, score = $3, level = $4, detail_enc = $5, cost_cents = $6, \
           valid_until = $7, updated_at = $8 WHERE id = $9 AND status = 'querying'",
    )
    .bind(<&str>::from(ended.status))
    .bind(ended.failure)
    .bind(ended.findings.map(|found| found.score))
    .bind(ended.findings.map(|found| <&str>::from(found.level)))
    .bind(sealed)
    .bind(ended.cost_cents)
    .bind(ended.valid_until)
    .bind(now)
    .bind(id)
    .execute(tx)
    .await
    .map(drop)
}

/// Wipes the content of an applicant's reports; the requests and their cost stay.
pub async fn erase(tx: &mut Connection, user_id: i64, now: i64) -> std::result::Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE risk_report SET phone_mask = '***', score = NULL, level = NULL, detail_enc = NULL, valid_until = NULL, \
           status = CASE status WHEN 'querying' THEN 'failed' ELSE status END, updated_at = $1 WHERE user_id = $2",
    )
    .bind(now)
    .bind(user_id)
    .execute(tx)
    .await
    .map(drop)
}

/// Clears deleted consents in the reports that were requested with them.
pub async fn forget_consents(tx: &mut Connection, ids: &[i64]) -> std::result::Result<(), sqlx::Error> {
    let mut sql = Sql::new("UPDATE risk_report SET consent_id = NULL WHERE consent_id IN ");
    sql.ids(ids.iter().copied());
    sql.execute(tx).await.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn reports_are_found_by_indexes() {
        let plans = Plans::open().await;
        let mut sql = Sql::new(SELECT);
        sql.and("r.user_id = ", Some(1i64)).and("r.valid_until > ", Some(1i64)).push(" ORDER BY r.id DESC LIMIT 1");
        let plan = plans.of(sql).await;
        assert!(plan.contains("SEARCH r USING INDEX risk_report_user (user_id=?)") && !plan.contains("TEMP B-TREE"), "{plan}");
        let paid = Sql::new("SELECT COUNT(*) FROM risk_report WHERE provider <> 'built_in' AND created_at >= 1 AND status <> 'failed'");
        assert!(plans.of(paid).await.contains("risk_report_paid"));
    }
}
