//! Deletes old events. Their figures stay forever.

use std::sync::Arc;
use std::time::Duration;

use sqlx::{Any, Executor, Row};
use tokio_util::sync::CancellationToken;

use super::LOCK;
use super::source::network_of;
use super::store::no_rows;
use base::clock::{self, DAY};
use base::db::Db;
use base::nonce;
use frame::access::tries;
use frame::api::{App, idempotency};
use frame::setting;

/// How often old events are looked for.
const EVERY: Duration = Duration::from_secs(60);
/// Events deleted in one transaction: few, since other writers wait meanwhile.
const BATCH: i64 = 2000;
/// Days for which the visitors of each address are known.
const SOURCES: i64 = 3;

/// The first day with all its events; none if none was ever deleted.
pub async fn kept_from<'e>(on: impl Executor<'e, Database = Any>) -> Result<Option<String>, sqlx::Error> {
    sqlx::query_scalar("SELECT from_day FROM visit_kept WHERE id = 1").fetch_optional(on).await
}

/// Masks the addresses of some older exposures that were stored whole, those after an id; returns the id of the last
/// one, if there was any.
pub async fn mask_addresses(db: &Db, after: i64, most: i64) -> Result<Option<i64>, sqlx::Error> {
    let rows = sqlx::query("SELECT id, client_ip FROM plan_exposure WHERE id > $1 ORDER BY id LIMIT $2")
        .bind(after)
        .bind(most)
        .fetch_all(db.read())
        .await?;
    let mut whole = Vec::new();
    for row in &rows {
        let (id, ip): (i64, String) = (row.try_get("id")?, row.try_get("client_ip")?);
        let network = network_of(&ip);
        if network != ip {
            whole.push((id, network));
        }
    }
    if !whole.is_empty() {
        let mut tx = db.begin().await?;
        for (id, network) in whole {
            sqlx::query("UPDATE plan_exposure SET client_ip = $1 WHERE id = $2").bind(network).bind(id).execute(&mut *tx).await?;
        }
        tx.commit().await?;
    }
    rows.last().map(|row| row.try_get("id")).transpose()
}

/// Deletes old events until the program stops.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(EVERY, stop, || async {
        if let Err(error) = sweep(&app).await {
            tracing::error!(%error, "visits: old events were not dropped");
        }
    })
    .await;
}

/// Deletes the events of days beyond `visit.event_days` and used tokens that are no longer valid. A run that is cut
/// off is continued by the next one.
pub async fn sweep(app: &App) -> Result<u64, sqlx::Error> {
    let now = app.clock.now();
    let days = app.settings.get(&app.db, &setting::VISIT_EVENT_DAYS).await?;
    let from_day = clock::day(now - days * DAY).to_string();
    let mut dropped = 0;
    for statement in [
        "DELETE FROM uv_event WHERE (day, subject_type, subject_id, channel_id, visitor_key) IN \
         (SELECT day, subject_type, subject_id, channel_id, visitor_key FROM uv_event WHERE day < $1 ORDER BY day LIMIT $2)",
        "DELETE FROM plan_exposure WHERE id IN (SELECT id FROM plan_exposure WHERE day < $1 ORDER BY day LIMIT $2)",
    ] {
        loop {
            let mut tx = app.db.begin().await?;
            app.db.lock_shared(&mut tx, LOCK).await?;
            let some = sqlx::query(statement).bind(&from_day).bind(BATCH).execute(&mut *tx).await?.rows_affected();
            if some > 0 {
                // With the first deleted event, the day is no longer complete.
                sqlx::query(
                    "INSERT INTO visit_kept (id, from_day) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET from_day = \
                     CASE WHEN excluded.from_day > visit_kept.from_day THEN excluded.from_day ELSE visit_kept.from_day END",
                )
                .bind(&from_day)
                .execute(&mut *tx)
                .await?;
            }
            tx.commit().await?;
            dropped += some;
            if some < BATCH as u64 {
                break;
            }
        }
    }
    let mut tx = app.db.begin().await?;
    sqlx::query("DELETE FROM visit_source WHERE day < $1")
        .bind(clock::day(now - SOURCES * DAY).to_string())
        .execute(&mut *tx)
        .await
        .map(no_rows)?;
    tx.commit().await?;
    while nonce::sweep(&app.db, now).await? > 0 {}
    while tries::sweep(&app.db, now).await? > 0 {}
    while idempotency::sweep(&app.db, now).await? > 0 {}
    Ok(dropped)
}
