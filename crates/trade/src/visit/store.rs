//! Events in the database: a batch becomes rows, and the increase of the rows becomes figures, in one transaction.

use std::collections::{BTreeMap, HashSet};

use sqlx::Row;
use sqlx::any::{AnyQueryResult, AnyRow};

use super::batch::{Batch, ExposureKey, VisitKey};
use super::model::{Source, SubjectKind, System};
use super::source;
use super::stat::{Group, Stats};
use base::db::{self, Connection, Sql};
use frame::terms::cap;
use frame::terms::cap::counters::Happened;

/// For statements whose number of rows is not needed.
pub fn no_rows(_: AnyQueryResult) {}

/// Writes a batch: rows and figures. In the order of their keys, table by table, so that two nodes never wait for
/// each other in a circle.
pub async fn write(tx: &mut Connection, batch: &Batch, now: i64) -> Result<(), sqlx::Error> {
    let mut stats = Stats::default();
    visits(tx, batch, &mut stats, now).await?;
    exposures(tx, batch, &mut stats).await?;
    products(tx, batch, &mut stats).await?;
    stats.write(tx, now).await
}

/// The data of a written row of visits.
struct Written {
    added: i64,
    is_new: bool,
    system: System,
    org_id: i64,
    charge_cents: i64,
    billable: bool,
    test: bool,
}

async fn visits(tx: &mut Connection, batch: &Batch, stats: &mut Stats, now: i64) -> Result<(), sqlx::Error> {
    let rows: Vec<_> = batch.visits.iter().collect();
    let mut written: BTreeMap<VisitKey, Written> = BTreeMap::new();
    for some in db::pieces(&rows) {
        let mut sql = Sql::new(
            "INSERT INTO uv_event (day, subject_type, subject_id, channel_id, visitor_key, system, org_id, pv_count, pv_added, writes, \
             first_at, last_at, charge_cents, billable, test) VALUES ",
        );
        for (index, (key, visits)) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(key.day.clone()).push(", ").bind(<&str>::from(key.kind));
            sql.push(", ").bind(key.subject_id).push(", ").bind(key.channel_id).push(", ").bind(key.visitor.clone());
            sql.push(", ").bind(<&str>::from(visits.system)).push(", ").bind(visits.org_id);
            sql.push(", ").bind(visits.pv).push(", ").bind(visits.pv).push(", 1, ").bind(visits.first_at).push(", ").bind(visits.last_at);
            sql.push(", ").bind(visits.charge_cents).push(", 1, ").bind(i64::from(visits.test)).push(")");
        }
        // The first view of the batch may repeat the last one before it.
        sql.push(
            " ON CONFLICT (day, subject_type, subject_id, channel_id, visitor_key) DO UPDATE SET \
             pv_added = excluded.pv_count - CASE WHEN ABS(excluded.first_at - uv_event.last_at) < 1000 THEN 1 ELSE 0 END, \
             pv_count = uv_event.pv_count + excluded.pv_count - CASE WHEN ABS(excluded.first_at - uv_event.last_at) < 1000 THEN 1 ELSE 0 END, \
             writes = uv_event.writes + 1, last_at = excluded.last_at \
             RETURNING day, subject_type, subject_id, channel_id, visitor_key, system, org_id, pv_added, writes, charge_cents, billable, test",
        );
        for row in sql.fetch_all(&mut *tx).await? {
            let key = VisitKey {
                day: row.try_get("day")?,
                kind: db::code(&row, "subject_type")?,
                subject_id: row.try_get("subject_id")?,
                channel_id: row.try_get("channel_id")?,
                visitor: row.try_get("visitor_key")?,
            };
            let counted = Written {
                added: row.try_get("pv_added")?,
                is_new: row.try_get::<i64, _>("writes")? == 1,
                system: db::code(&row, "system")?,
                org_id: row.try_get("org_id")?,
                charge_cents: row.try_get("charge_cents")?,
                billable: db::flag(&row, "billable")?,
                test: db::flag(&row, "test")?,
            };
            written.insert(key, counted);
        }
    }

    let new: Vec<(&VisitKey, &Source)> = batch
        .visits
        .iter()
        .filter(|(key, visits)| !visits.test && written.get(*key).is_some_and(|counted| counted.is_new))
        .filter_map(|(key, visits)| Some((key, visits.source.as_ref()?)))
        .collect();
    let too_many: HashSet<VisitKey> = source::excess(tx, &new).await?.into_iter().cloned().collect();
    for key in batch.visits.keys().filter(|key| too_many.contains(key)) {
        unbillable(tx, key).await?;
    }

    let mut visitors = Vec::new();
    for (key, counted) in &written {
        let group = Group {
            day: &key.day,
            kind: key.kind,
            subject_id: key.subject_id,
            channel_id: key.channel_id,
            system: counted.system,
            org_id: counted.org_id,
        };
        let counts = counted.is_new && counted.billable && !too_many.contains(key);
        stats.visits(group, counted.added, i64::from(counts), if counts { counted.charge_cents } else { 0 }, counted.test);
        if counts && !counted.test && key.kind == SubjectKind::Product {
            let at = batch.visits.get(key).map_or(now, |visits| visits.first_at);
            visitors.push(Happened { subject_id: key.subject_id, cents: counted.charge_cents, at });
        }
    }
    cap::counters::count(tx, "product", &visitors).await
}

/// Excludes a visitor from the count; the row was written in this transaction.
async fn unbillable(tx: &mut Connection, key: &VisitKey) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE uv_event SET billable = 0 WHERE day = $1 AND subject_type = $2 AND subject_id = $3 AND channel_id = $4 AND visitor_key = $5",
    )
    .bind(&key.day)
    .bind(<&str>::from(key.kind))
    .bind(key.subject_id)
    .bind(key.channel_id)
    .bind(&key.visitor)
    .execute(tx)
    .await
    .map(no_rows)
}

async fn exposures(tx: &mut Connection, batch: &Batch, stats: &mut Stats) -> Result<(), sqlx::Error> {
    let rows: Vec<_> = batch.exposures.iter().collect();
    for some in db::pieces(&rows) {
        let mut sql = Sql::new(
            "INSERT INTO plan_exposure (day, plan_id, visitor_key, org_id, product_id, channel_id, system, position, pv_count, \
             pv_added, writes, shown_at, last_at, clicked_at, client_ip, ua_hash, test) VALUES ",
        );
        for (index, (ExposureKey { day, plan_id, visitor }, merged)) in some.iter().enumerate() {
            let first = &merged.first;
            let (shown_at, last_at) = merged.shown_at.unwrap_or((first.at, first.at));
            sql.push(if index == 0 { "(" } else { ", (" }).bind(day.clone()).push(", ").bind(*plan_id).push(", ").bind(visitor.clone());
            sql.push(", ").bind(first.org_id).push(", ").bind(first.product_id).push(", ").bind(first.channel_id);
            sql.push(", ").bind(<&str>::from(first.system)).push(", ").bind(first.position);
            sql.push(", ").bind(merged.shown).push(", ").bind(merged.shown).push(", 1, ").bind(shown_at).push(", ").bind(last_at);
            sql.push(", ")
                .bind(merged.clicked_at)
                .push(", ")
                .bind(source::network_of(&first.client_ip))
                .push(", ")
                .bind(first.ua_hash.clone());
            sql.push(", ").bind(i64::from(first.test)).push(")");
        }
        sql.push(
            " ON CONFLICT (day, plan_id, visitor_key) DO UPDATE SET \
             pv_added = excluded.pv_added - CASE WHEN excluded.pv_added > 0 AND plan_exposure.pv_count > 0 \
               AND ABS(excluded.shown_at - plan_exposure.last_at) < 1000 THEN 1 ELSE 0 END, \
             pv_count = plan_exposure.pv_count + excluded.pv_added - CASE WHEN excluded.pv_added > 0 AND plan_exposure.pv_count > 0 \
               AND ABS(excluded.shown_at - plan_exposure.last_at) < 1000 THEN 1 ELSE 0 END, \
             last_at = CASE WHEN excluded.pv_added > 0 THEN excluded.last_at ELSE plan_exposure.last_at END, \
             writes = plan_exposure.writes + 1, \
             clicked_at = COALESCE(plan_exposure.clicked_at, excluded.clicked_at) \
             RETURNING day, plan_id, org_id, product_id, channel_id, system, pv_count, pv_added, writes, test",
        );
        for row in sql.fetch_all(&mut *tx).await? {
            if db::flag(&row, "test")? {
                continue;
            }
            let (pv, uv) = grown(&row)?;
            let group = Group {
                day: row.try_get("day")?,
                kind: SubjectKind::Plan,
                subject_id: row.try_get("plan_id")?,
                channel_id: row.try_get("channel_id")?,
                system: db::code(&row, "system")?,
                org_id: row.try_get("org_id")?,
            };
            stats.exposures(group, row.try_get::<Option<i64>, _>("product_id")?.is_some(), pv, uv);
        }
    }
    Ok(())
}

async fn products(tx: &mut Connection, batch: &Batch, stats: &mut Stats) -> Result<(), sqlx::Error> {
    let rows: Vec<_> = batch.products.iter().collect();
    for some in db::pieces(&rows) {
        let mut sql = Sql::new(
            "INSERT INTO uv_event (day, subject_type, subject_id, channel_id, visitor_key, system, org_id, pv_count, pv_added, writes, \
             first_at, last_at, charge_cents, billable, test) VALUES ",
        );
        for (index, (key, merged)) in some.iter().enumerate() {
            let (shown_at, last_at) = merged.shown_at.unwrap_or((merged.first.at, merged.first.at));
            sql.push(if index == 0 { "(" } else { ", (" }).bind(key.day.clone()).then(<&str>::from(key.kind)).then(key.subject_id);
            sql.then(key.channel_id).then(key.visitor.clone()).then(<&str>::from(merged.first.system)).then(merged.first.org_id);
            sql.then(merged.shown).then(merged.shown).push(", 1").then(shown_at).then(last_at).push(", 0, 1");
            sql.then(i64::from(merged.first.test)).push(")");
        }
        sql.push(
            " ON CONFLICT (day, subject_type, subject_id, channel_id, visitor_key) DO UPDATE SET \
             pv_added = excluded.pv_added - CASE WHEN excluded.pv_added > 0 AND uv_event.pv_count > 0 \
               AND ABS(excluded.first_at - uv_event.last_at) < 1000 THEN 1 ELSE 0 END, \
             pv_count = uv_event.pv_count + excluded.pv_added - CASE WHEN excluded.pv_added > 0 AND uv_event.pv_count > 0 \
               AND ABS(excluded.first_at - uv_event.last_at) < 1000 THEN 1 ELSE 0 END, \
             last_at = CASE WHEN excluded.pv_added > 0 THEN excluded.last_at ELSE uv_event.last_at END, \
             writes = uv_event.writes + 1 \
             RETURNING day, subject_id, org_id, channel_id, system, pv_count, pv_added, writes, test",
        );
        for row in sql.fetch_all(&mut *tx).await? {
            if db::flag(&row, "test")? {
                continue;
            }
            let (pv, uv) = grown(&row)?;
            let group = Group {
                day: row.try_get("day")?,
                kind: SubjectKind::Product,
                subject_id: row.try_get("subject_id")?,
                channel_id: row.try_get("channel_id")?,
                system: db::code(&row, "system")?,
                org_id: row.try_get("org_id")?,
            };
            stats.exposures(group, false, pv, uv);
        }
    }
    Ok(())
}

/// The increase of exposures and visitors in a written row. A choice implies an exposure: it counts as one if none
/// was reported.
fn grown(row: &AnyRow) -> Result<(i64, i64), sqlx::Error> {
    let is_new = row.try_get::<i64, _>("writes")? == 1;
    let (pv, added): (i64, i64) = (row.try_get("pv_count")?, row.try_get("pv_added")?);
    Ok((pv.max(1) - if is_new { 0 } else { (pv - added).max(1) }, i64::from(is_new)))
}
