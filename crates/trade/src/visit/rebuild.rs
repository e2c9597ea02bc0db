//! Rebuilds the daily figures from the events and the applicants themselves: a day at a time, each in a transaction
//! that keeps events waiting while it lasts.

use sqlx::Row;

use super::LOCK;
use super::model::SubjectKind;
use super::stat::{Group, Stats};
use super::{recount, retain};
use base::clock::Clock;
use base::db::{self, Connection, Db};

/// The result of a rebuild.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rebuilt {
    pub days: i64,
    /// The days whose visits are no longer kept: their visits, cost and income stay as they are.
    pub without_visits: i64,
    /// Rows of figures that were wrong.
    pub corrected: usize,
}

/// Rebuilds the figures of the days `from` to `to` (`YYYY-MM-DD`, both included).
pub async fn rebuild(db: &Db, clock: &Clock, from: jiff::civil::Date, to: jiff::civil::Date) -> anyhow::Result<Rebuilt> {
    let mut rebuilt = Rebuilt::default();
    let mut day = from;
    while day <= to {
        let (corrected, has_visits) = of_day(db, &day.to_string(), clock.now()).await?;
        rebuilt.corrected += corrected;
        rebuilt.days += 1;
        rebuilt.without_visits += i64::from(!has_visits);
        if day == to || day == day.last_of_month() {
            of_month(db, &day.to_string()[..7], clock.now()).await?;
        }
        day = day.tomorrow()?;
    }
    Ok(rebuilt)
}

/// Rebuilds one month's figures from those of its days.
async fn of_month(db: &Db, month: &str, now: i64) -> Result<(), sqlx::Error> {
    let mut tx = db.begin().await?;
    db.lock(&mut tx, LOCK).await?;
    Stats::sum_month(&mut tx, month, now).await?;
    tx.commit().await
}

/// Rebuilds one day's figures. Returns how many rows were wrong, and whether its visits are still kept.
async fn of_day(db: &Db, day: &str, now: i64) -> anyhow::Result<(usize, bool)> {
    let mut tx = db.begin().await?;
    db.lock(&mut tx, LOCK).await?;
    // Checked under the lock, under which events are also deleted.
    let has_visits = retain::kept_from(&mut *tx).await?.is_none_or(|kept| day >= kept.as_str());
    let mut right = counted(&mut tx, day, has_visits).await?;
    let stored = Stats::of_day(&mut tx, day).await?;
    if !has_visits {
        right.keep_visits(&stored);
    }
    right.drop_zeros();
    let mut corrected = 0;
    let wrong = Stats {
        rows: right.rows.iter().filter(|(key, row)| stored.rows.get(key) != Some(row)).map(|(key, row)| (key.clone(), *row)).collect(),
        stars: right.stars.iter().filter(|(key, row)| stored.stars.get(key) != Some(row)).map(|(key, row)| (key.clone(), *row)).collect(),
    };
    corrected += wrong.rows.len() + wrong.stars.len();
    wrong.replace(&mut tx, now).await?;
    // A row of zeros equals no row.
    for (key, (_, figures)) in stored.rows.iter().filter(|(key, _)| !right.rows.contains_key(key)) {
        Stats::remove(&mut tx, key).await?;
        corrected += usize::from(!figures.is_zero());
    }
    for (key, figures) in stored.stars.iter().filter(|(key, _)| !right.stars.contains_key(key)) {
        Stats::remove_star(&mut tx, key).await?;
        corrected += usize::from(!figures.is_zero());
    }
    tx.commit().await?;
    Ok((corrected, has_visits))
}

/// A day's figures from its events and applicants; without visits those of applicants alone.
async fn counted(tx: &mut Connection, day: &str, has_visits: bool) -> Result<Stats, sqlx::Error> {
    let mut stats = Stats::default();
    if has_visits {
        visits(tx, day, &mut stats).await?;
    }
    recount::of_day(tx, day, &mut stats).await?;
    Ok(stats)
}

/// Adds a day's visits and exposures.
async fn visits(tx: &mut Connection, day: &str, stats: &mut Stats) -> Result<(), sqlx::Error> {
    let visits = sqlx::query(
        "SELECT subject_type, subject_id, channel_id, system, org_id, test, CAST(SUM(pv_count) AS BIGINT) AS pv, \
         CAST(SUM(billable) AS BIGINT) AS uv, CAST(SUM(CASE WHEN billable = 1 THEN charge_cents ELSE 0 END) AS BIGINT) AS charge_cents \
         FROM uv_event WHERE day = $1 AND subject_type <> 'product_shown' GROUP BY subject_type, subject_id, channel_id, system, org_id, test",
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
    // Before products were counted themselves, the exposures of a plan belonged to its product and have no row of
    // their own.
    let exposures = sqlx::query(
        "SELECT kind, subject_id, product_id, product_alone_id, org_id, channel_id, system, \
           CAST(SUM(CASE WHEN pv_count > 0 THEN pv_count ELSE 1 END) AS BIGINT) AS pv, COUNT(*) AS uv FROM ( \
           SELECT 'plan' AS kind, e.plan_id AS subject_id, e.product_id, CASE WHEN EXISTS (SELECT 1 FROM uv_event v WHERE v.day = e.day \
             AND v.subject_type = 'product_shown' AND v.subject_id = e.product_id AND v.channel_id = e.channel_id \
             AND v.visitor_key = e.visitor_key) THEN CAST(NULL AS BIGINT) ELSE e.product_id END AS product_alone_id, \
             e.org_id, e.channel_id, e.system, e.pv_count FROM plan_exposure e WHERE e.day = $1 AND e.test = 0 \
           UNION ALL SELECT 'product', s.subject_id, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), s.org_id, s.channel_id, s.system, \
             s.pv_count FROM uv_event s WHERE s.day = $2 AND s.subject_type = 'product_shown' AND s.test = 0) shown \
         GROUP BY kind, subject_id, product_id, product_alone_id, org_id, channel_id, system",
    )
    .bind(day)
    .bind(day)
    .fetch_all(&mut *tx)
    .await?;
    for row in exposures {
        let group = Group {
            day,
            kind: db::code(&row, "kind")?,
            subject_id: row.try_get("subject_id")?,
            channel_id: row.try_get("channel_id")?,
            system: db::code(&row, "system")?,
            org_id: row.try_get("org_id")?,
        };
        let (pv, uv): (i64, i64) = (row.try_get("pv")?, row.try_get("uv")?);
        stats.exposures(group, row.try_get::<Option<i64>, _>("product_id")?.is_some(), pv, uv);
        if let Some(subject_id) = row.try_get("product_alone_id")? {
            stats.exposures(Group { kind: SubjectKind::Product, subject_id, ..group }, false, pv, uv);
        }
    }
    Ok(())
}
