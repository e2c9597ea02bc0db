//! Applicants and consents are kept for as long as the settings say. Each night, applicants without any change for
//! that long are erased as by hand. Consents that ended that long ago are deleted if their applicants are erased.
//! `GET /setting/retention` counts what tonight would remove, before a setting is saved.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sqlx::Row;
use sqlx::any::AnyRow;
use tokio_util::sync::CancellationToken;

use crate::applicant::record::erase_person;
use base::clock::DAY;
use base::db::{Connection, Sql};
use frame::access::audit::{self, Action, Change};
use frame::api::{self, ApiError, App, Check, Ctx, Query, say};
use frame::daily_task::DailyTask;
use frame::setting::{self, Setting, SettingValue};
use trade::risk;
use trade::user::changes;
use trade::user::list::TARGET;
use trade::user::rounds;

/// Applicants that one transaction erases, and consents that one deletes: few, since other writers wait meanwhile.
const APPLICANTS: i64 = 20;
const CONSENTS: i64 = 500;
const PAUSE: Duration = Duration::from_millis(20);
/// The most rows that a preview counts.
const COUNTED: i64 = 10_000;
/// The statuses whose applicants can be erased.
const STATUSES: [&str; 7] = ["registered", "completed", "distributed", "unmatched", "duplicate", "blocked", "invalid"];

/// Consents `k` that ended before the moment bound next, of applicants who are erased.
const CONSENT_IS_OVER: &str = "FROM consent_record k JOIN applicant u ON u.id = k.user_id WHERE u.status = 'erased' AND k.revoked_at < ";

/// What the settings keep for some days.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kept {
    Applicants,
    Consents,
}

impl Kept {
    fn setting(self) -> &'static Setting<i64> {
        match self {
            Kept::Applicants => &setting::APPLICANT_KEEP_DAYS,
            Kept::Consents => &setting::CONSENT_KEEP_DAYS,
        }
    }
}

/// The kind of rows, and for how many days they are kept.
#[derive(Debug, Deserialize, JsonSchema)]
pub struct RetentionQuery {
    kept: Option<Kept>,
    days: Option<i64>,
}

/// What would be removed tonight.
#[derive(Debug, Serialize, JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct RetentionPreview {
    /// How many rows; at most 10,000 are counted.
    pub count: i64,
    /// There are more than 10,000.
    pub is_more: bool,
    /// When the oldest applicant came or the oldest consent ended; none if nothing would be removed.
    pub oldest_at: Option<i64>,
}

/// `GET /setting/retention?kept=applicants&days=400`: the count for a number of days that is not saved yet.
pub async fn preview(cx: Arc<Ctx>, Query(query): Query<RetentionQuery>) -> api::Result<RetentionPreview> {
    cx.overseer()?;
    let required = || say("必填", "Required");
    let kept = query.kept.ok_or_else(|| ApiError::field("kept", required()))?;
    let days = query.days.ok_or_else(|| ApiError::field("days", required()))?;
    let within = kept.setting().about.check(SettingValue::Number(days)).is_ok();
    Check::new().that("days", within, say("天数超出允许的范围", "Outside the bounds of the setting")).done()?;
    let before = cx.now - days * DAY;
    let (mut count, mut oldest_at) = (0, None);
    let mut add = |row: &AnyRow| -> Result<(), sqlx::Error> {
        count += row.try_get::<i64, _>("found")?;
        let oldest: Option<i64> = row.try_get("oldest")?;
        oldest_at = match (oldest_at, oldest) {
            (Some(one), Some(other)) => Some(i64::min(one, other)),
            (one, other) => one.or(other),
        };
        Ok(())
    };
    match kept {
        Kept::Applicants => {
            for status in STATUSES {
                let mut sql = Sql::new(
                    "SELECT COUNT(*) AS found, MIN(f.created_at) AS oldest FROM (SELECT u.created_at FROM applicant u WHERE u.status = ",
                );
                sql.bind(status.to_owned()).push(" AND u.created_at < ").bind(before);
                is_over(&mut sql, before);
                sql.push(" ORDER BY u.created_at, u.id LIMIT ").bind(COUNTED + 1).push(") AS f");
                sql.fetch_all(cx.db().read()).await?.iter().try_for_each(&mut add)?;
            }
        }
        Kept::Consents => {
            let mut sql = Sql::new("SELECT COUNT(*) AS found, MIN(f.revoked_at) AS oldest FROM (SELECT k.revoked_at ");
            sql.push(CONSENT_IS_OVER).bind(before).push(" ORDER BY k.revoked_at, k.user_id LIMIT ").bind(COUNTED + 1).push(") AS f");
            sql.fetch_all(cx.db().read()).await?.iter().try_for_each(&mut add)?;
        }
    }
    Ok(RetentionPreview { count: count.min(COUNTED), is_more: count > COUNTED, oldest_at })
}

/// Narrows to applicants `u` without waiting work, which have not changed since a moment, nor have their leads and
/// clues.
fn is_over(sql: &mut Sql, before: i64) {
    sql.push(
        " AND u.due_at IS NULL AND NOT EXISTS (SELECT 1 FROM push_record h WHERE h.user_id = u.id \
         AND h.status IN ('queued', 'sending', 'retrying', 'unconfirmed')) \
         AND NOT EXISTS (SELECT 1 FROM push_record h JOIN lead_return r ON r.push_id = h.id WHERE h.user_id = u.id AND r.status = 'pending')",
    );
    sql.push(" AND u.updated_at < ").bind(before);
    sql.push(" AND NOT EXISTS (SELECT 1 FROM push_record h WHERE h.user_id = u.id AND h.updated_at >= ").bind(before).push(")");
    sql.push(" AND NOT EXISTS (SELECT 1 FROM clue k WHERE k.user_id = u.id AND k.updated_at >= ").bind(before).push(")");
}

/// Removes what has been kept long enough, in small transactions. Returns the number of rows. Stops if another node
/// has taken the task over.
pub async fn sweep(app: &App, task: &mut DailyTask, stop: &CancellationToken) -> api::Result<u64> {
    let now = app.clock.now();
    let applicants = now - app.settings.get(&app.db, &setting::APPLICANT_KEEP_DAYS).await? * DAY;
    let consents = now - app.settings.get(&app.db, &setting::CONSENT_KEEP_DAYS).await? * DAY;
    let mut gone = 0;
    for status in STATUSES {
        let mut after = (0, 0);
        while !stop.is_cancelled() {
            let Some(next) = erase_some(app, task, status, applicants, after).await? else { break };
            (after, gone) = (next.after, gone + next.erased);
            tokio::time::sleep(PAUSE).await;
        }
    }
    while !stop.is_cancelled() {
        let deleted = delete_consents(app, task, consents).await?;
        gone += deleted;
        if deleted < CONSENTS as u64 {
            break;
        }
        tokio::time::sleep(PAUSE).await;
    }
    Ok(gone)
}

/// The progress of a sweep.
struct Swept {
    erased: u64,
    /// The creation time and the id of the last applicant that was looked at.
    after: (i64, i64),
}

/// Erases the next applicants of a status who came before a moment and after those looked at so far; none if there
/// are no more, or if another node has taken the task over.
async fn erase_some(app: &App, task: &mut DailyTask, status: &str, before: i64, after: (i64, i64)) -> api::Result<Option<Swept>> {
    let held = &*task;
    let done = app
        .db
        .transact(|mut tx| {
            async move {
                let now = tx.now(&app.clock).await?;
                let Some(renewed) = held.renew(app, &mut tx).await? else { return Ok::<_, ApiError>(None) };
                let mut sql = Sql::new("SELECT u.id, u.created_at FROM applicant u WHERE u.status = ");
                sql.bind(status.to_owned()).push(" AND u.created_at < ").bind(before);
                sql.push(" AND (u.created_at, u.id) > (").bind(after.0).push(", ").bind(after.1).push(")");
                is_over(&mut sql, before);
                sql.push(" ORDER BY u.created_at, u.id LIMIT ").bind(APPLICANTS);
                let found = sql.fetch_all(&mut **tx).await?;
                let Some(last) = found.last() else { return Ok(Some((renewed, None))) };
                let mut swept = Swept { erased: 0, after: (last.try_get("created_at")?, last.try_get("id")?) };
                for row in &found {
                    swept.erased += u64::from(erase_one(&mut tx, row.try_get("id")?, before, now).await?);
                }
                Ok(Some((renewed, Some(swept))))
            }
            .boxed()
        })
        .await?;
    Ok(done.and_then(|(renewed, swept)| {
        *task = renewed;
        swept
    }))
}

/// Erases an applicant if still nothing waits for them. Returns whether it did.
async fn erase_one(tx: &mut Connection, id: i64, before: i64, now: i64) -> api::Result<bool> {
    rounds::hold(tx, id).await?;
    let mut sql = Sql::new("SELECT u.id FROM applicant u WHERE u.id = ");
    sql.bind(id);
    is_over(&mut sql, before);
    if sql.fetch_optional(&mut *tx).await?.is_none() || !erase_person(tx, id, None, now).await? {
        return Ok(false);
    }
    let why = Change { field: "erased".to_owned(), before: None, after: Some("retention".to_owned()) };
    audit::record_own(tx, TARGET.of(id), Action::Delete, &[why], now).await?;
    Ok(true)
}

/// Deletes consents that ended before a moment. Returns how many.
async fn delete_consents(app: &App, task: &mut DailyTask, before: i64) -> api::Result<u64> {
    let held = &*task;
    let done = app
        .db
        .transact(|mut tx| {
            async move {
                let Some(renewed) = held.renew(app, &mut tx).await? else { return Ok::<_, ApiError>(None) };
                let mut sql = Sql::new("SELECT k.id ");
                sql.push(CONSENT_IS_OVER).bind(before).push(" ORDER BY k.revoked_at, k.user_id LIMIT ").bind(CONSENTS);
                let ids: Vec<i64> = sql.fetch_all(&mut **tx).await?.iter().map(|row| row.try_get("id")).collect::<Result<_, _>>()?;
                risk::forget_consents(&mut tx, &ids).await?;
                changes::delete_consents(&mut tx, &ids).await?;
                Ok(Some((renewed, ids.len() as u64)))
            }
            .boxed()
        })
        .await?;
    Ok(done.map_or(0, |(renewed, deleted)| {
        *task = renewed;
        deleted
    }))
}
