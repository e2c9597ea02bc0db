//! The daily figures once more, from the events and the applicants themselves: a day at a time, each
//! in a transaction that keeps events waiting while it lasts.

use sqlx::Row;

use super::LOCK;
use super::lead;
use super::model::SubjectKind;
use super::retain;
use super::stat::{Group, Stats};
use crate::clock::Clock;
use crate::db::{self, Connection, Db};

/// What a rebuilding has found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    pub days: i64,
    /// Rows of figures that were not as the events have it.
    pub corrected: usize,
}

/// Days whose events are no longer all there.
#[derive(Debug, thiserror::Error)]
#[error("the events before {0} are no longer kept; figures can be made again from that day on")]
pub struct TooOld(pub String);

/// Makes the figures of the days `from` to `to` (`YYYY-MM-DD`, both included) again.
pub async fn rebuild(db: &Db, clock: &Clock, from: jiff::civil::Date, to: jiff::civil::Date) -> anyhow::Result<Rebuilt> {
    let mut rebuilt = Rebuilt::default();
    let mut day = from;
    while day <= to {
        rebuilt.corrected += of_day(db, &day.to_string(), clock.now()).await?;
        rebuilt.days += 1;
        day = day.tomorrow()?;
    }
    Ok(rebuilt)
}

/// Makes one day's figures again, and answers how many rows were wrong.
async fn of_day(db: &Db, day: &str, now: i64) -> anyhow::Result<usize> {
    let mut tx = db.begin().await?;
    db.lock(&mut tx, LOCK).await?;
    // Asked under the lock: events are dropped under it too.
    if let Some(kept) = retain::kept_from(&mut *tx).await?
        && day < kept.as_str()
    {
        return Err(TooOld(kept).into());
    }
    let right = counted(&mut tx, day).await?;
    let stored = Stats::of_day(&mut tx, day).await?;
    let wrong = Stats(right.0.iter().filter(|(key, row)| stored.0.get(key) != Some(row)).map(|(key, row)| (key.clone(), *row)).collect());
    let extra: Vec<_> = stored.0.keys().filter(|key| !right.0.contains_key(key)).collect();
    wrong.replace(&mut tx, now).await?;
    for key in &extra {
        Stats::remove(&mut tx, key).await?;
    }
    tx.commit().await?;
    Ok(wrong.0.len() + extra.len())
}

/// A day's figures as its events have them.
async fn counted(tx: &mut Connection, day: &str) -> Result<Stats, sqlx::Error> {
    let mut stats = Stats::default();
    let visits = sqlx::query(
        "SELECT subject_type, subject_id, channel_id, system, org_id, test, CAST(SUM(pv_count) AS BIGINT) AS pv, \
         CAST(SUM(billable) AS BIGINT) AS uv, CAST(SUM(CASE WHEN billable = 1 THEN charge_cents ELSE 0 END) AS BIGINT) AS charge_cents \
         FROM uv_event WHERE day = $1 GROUP BY subject_type, subject_id, channel_id, system, org_id, test",
    )
    .bind(day)
    .fetch_all(&mut *tx)
    .await?;
    for row in visits {
        let group = Group {
            day,
            kind: db::code(&row, "subject_type")?,
            subject_id: row.try_get("subject_id")?,
            channel_id: row.try_get("channel_id")?,
            system: db::code(&row, "system")?,
            org_id: row.try_get("org_id")?,
        };
        stats.visits(group, row.try_get("pv")?, row.try_get("uv")?, row.try_get("charge_cents")?, db::flag(&row, "test")?);
    }
    let exposures = sqlx::query(
        "SELECT plan_id, product_id, org_id, channel_id, system, \
         CAST(SUM(CASE WHEN pv_count > 0 THEN pv_count ELSE 1 END) AS BIGINT) AS pv, COUNT(*) AS uv \
         FROM plan_exposure WHERE day = $1 AND test = 0 GROUP BY plan_id, product_id, org_id, channel_id, system",
    )
    .bind(day)
    .fetch_all(&mut *tx)
    .await?;
    for row in exposures {
        let group = Group {
            day,
            kind: SubjectKind::Plan,
            subject_id: row.try_get("plan_id")?,
            channel_id: row.try_get("channel_id")?,
            system: db::code(&row, "system")?,
            org_id: row.try_get("org_id")?,
        };
        stats.exposures(group, row.try_get("product_id")?, row.try_get("pv")?, row.try_get("uv")?);
    }
    lead::count(tx, day, &mut stats).await?;
    Ok(stats)
}
