//! Adds what was noted about applicants to the daily figures.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use sqlx::Row;
use tokio_util::sync::CancellationToken;

use super::{EVENTS, read};
use crate::ledger::partner_items;
use crate::visit::stat::{Stats, UNRATED};
use crate::visit::{LOCK, applied, recount};
use base::clock::{self, Clock};
use base::db::{Db, Tx};
use frame::api::App;

/// How often what was noted is added up.
const EVERY: Duration = Duration::from_secs(1);
/// Events added up in one transaction: few, for writers wait meanwhile.
const MOST: i64 = 2000;
/// Stars that are taken up in one transaction.
const MOST_RATINGS: i64 = 200;

/// Adds up what was noted and marks the exposures of applicants, until it is to stop. What is noted after that is left to the next
/// process.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(EVERY, stop, || async {
        if let Err(error) = add_up(&app.db, &app.clock).await {
            tracing::error!(%error, "visits: the outcomes of applicants were not added up");
        }
        if let Err(error) = applied::mark(&app.db).await {
            tracing::error!(%error, "visits: exposures were not marked as applied");
        }
    })
    .await;
}

/// Adds up all that was noted so far.
pub async fn add_up(db: &Db, clock: &Clock) -> Result<(), sqlx::Error> {
    while add_up_some(db, clock.now()).await? == MOST as usize {}
    Ok(())
}

/// Adds up what was noted first, and returns how much it was. Events go in the transaction in which
/// figures grow and what channels are owed for them is booked, so each counts once.
async fn add_up_some(db: &Db, now: i64) -> Result<usize, sqlx::Error> {
    let waits = "SELECT id FROM lead_event UNION ALL SELECT id FROM lead_rating LIMIT 1";
    if sqlx::query(waits).fetch_optional(db.read()).await?.is_none() {
        return Ok(0);
    }
    let mut tx = db.begin().await?;
    db.lock(&mut tx, EVENTS).await?;
    db.lock_shared(&mut tx, LOCK).await?;
    let mut stats = Stats::default();
    let rated = rate(&mut tx, &mut stats).await?;
    let rows = sqlx::query(
        "DELETE FROM lead_event WHERE id IN (SELECT id FROM lead_event ORDER BY id LIMIT $1) \
         RETURNING day, kind, user_id, channel_id, product_id, plan_id, org_id, system, cost_cents, income_cents, money_id, \
           (SELECT z.star FROM lead_star z WHERE z.user_id = lead_event.user_id) AS star",
    )
    .bind(MOST)
    .fetch_all(&mut *tx)
    .await?;
    let mut items = Vec::new();
    for row in &rows {
        let (day, event) = (row.try_get("day")?, read(row)?);
        stats.leads(day, &event, 1, row.try_get::<Option<i64>, _>("star")?.unwrap_or(UNRATED));
        items.extend(event.item(day));
    }
    stats.write(&mut tx, now).await?;
    partner_items::book(&mut tx, &items, now).await?;
    tx.commit().await?;
    Ok(rows.len().max(if rated == MOST_RATINGS { MOST as usize } else { 0 }))
}

/// Takes up stars that were given: what became of their applicants so far is counted under the new ones. What is noted
/// and not added up is not among it, and will count under the new ones too. Returns how many there were.
async fn rate(tx: &mut Tx, stats: &mut Stats) -> Result<i64, sqlx::Error> {
    let rows =
        sqlx::query("DELETE FROM lead_rating WHERE id IN (SELECT id FROM lead_rating ORDER BY id LIMIT $1) RETURNING id, user_id, star")
            .bind(MOST_RATINGS)
            .fetch_all(&mut **tx)
            .await?;
    // The last of each applicant holds.
    let mut stars = BTreeMap::new();
    for row in &rows {
        let (id, star): (i64, i64) = (row.try_get("id")?, row.try_get("star")?);
        let last = stars.entry(row.try_get::<i64, _>("user_id")?).or_insert((id, star));
        *last = (*last).max((id, star));
    }
    if stars.is_empty() {
        return Ok(0);
    }
    for happened in recount::of_users(tx, &stars.keys().copied().collect::<Vec<_>>()).await? {
        let Some((_, star)) = happened.event.user_id.and_then(|id| stars.get(&id)) else { continue };
        let figures = happened.event.figures(happened.number);
        stats.stars(&happened.day, &happened.event, &figures.negative(), happened.star);
        stats.stars(&happened.day, &happened.event, &figures, *star);
    }
    for (user_id, (_, star)) in stars {
        sqlx::query("INSERT INTO lead_star (user_id, star) VALUES ($1, $2) ON CONFLICT (user_id) DO UPDATE SET star = excluded.star")
            .bind(user_id)
            .bind(star)
            .execute(&mut **tx)
            .await?;
    }
    Ok(rows.len() as i64)
}

#[cfg(test)]
mod tests {
    use super::super::{LeadEvent, LeadKind, note};
    use super::*;
    use crate::visit::model::System;
    use crate::visit::stat::Figures;
    use base::clock::DAY;
    use base::db::plans::Plans;

    #[tokio::test]
    async fn what_is_noted_counts_once_at_every_grain() {
        let plans = Plans::open().await;
        let (db, clock) = (&plans.db, Clock::default());
        let at = clock::day_start("2026-03-01").unwrap();
        let came = LeadEvent {
            kind: LeadKind::Applied,
            user_id: None,
            channel_id: 1,
            product_id: None,
            plan_id: None,
            org_id: None,
            system: System::Ios,
            cost_cents: 300,
            income_cents: 0,
            money_id: None,
        };
        let sold = LeadEvent {
            kind: LeadKind::Sold,
            plan_id: Some(5),
            org_id: Some(7),
            cost_cents: 200,
            income_cents: 4500,
            system: System::Wechat,
            ..came.clone()
        };
        let failed = LeadEvent { kind: LeadKind::Registered, cost_cents: 0, ..came.clone() };
        let back = LeadEvent { kind: LeadKind::Returned, cost_cents: 0, income_cents: -4500, ..sold.clone() };
        let mut tx = db.begin().await.unwrap();
        note(&mut tx, &[came, failed, sold.clone()], at).await.unwrap();
        note(&mut tx, &[back, sold], at + DAY).await.unwrap();
        tx.commit().await.unwrap();
        add_up(db, &clock).await.unwrap();
        add_up(db, &clock).await.unwrap();

        let mut tx = db.begin().await.unwrap();
        let first = Stats::of_day(&mut tx, "2026-03-01").await.unwrap();
        let next = Stats::of_day(&mut tx, "2026-03-02").await.unwrap();
        let shown = |stats: &Stats| {
            let line = |(key, (org_id, figures)): (&crate::visit::stat::StatKey, &(i64, Figures))| {
                let Figures { registered, applied, sold, returned, cost_cents, income_cents, .. } = figures;
                let (kind, system) = (<&str>::from(key.kind), key.system.map_or("", <&str>::from));
                format!(
                    "{kind} {} {} {system}: {registered} {applied} {sold} {returned} {cost_cents} {income_cents} of {org_id}",
                    key.subject_id, key.channel_id
                )
            };
            stats.rows.iter().map(line).collect::<Vec<_>>()
        };
        let mut lines = shown(&first);
        lines.sort();
        assert_eq!(
            lines,
            [
                "all_channels 0 0 : 2 1 1 0 500 4500 of 0",
                "all_channels 0 0 ios: 2 1 0 0 300 0 of 0",
                "all_channels 0 0 wechat: 0 0 1 0 200 4500 of 0",
                "all_orgs 0 0 : 0 0 1 0 0 4500 of 0",
                "all_orgs 0 0 wechat: 0 0 1 0 0 4500 of 0",
                "all_orgs 0 1 : 0 0 1 0 0 4500 of 0",
                "all_orgs 0 1 wechat: 0 0 1 0 0 4500 of 0",
                "channel 1 0 : 2 1 1 0 500 4500 of 0",
                "channel 1 0 ios: 2 1 0 0 300 0 of 0",
                "channel 1 0 wechat: 0 0 1 0 200 4500 of 0",
                "org 7 0 : 0 0 1 0 0 4500 of 7",
                "org 7 0 wechat: 0 0 1 0 0 4500 of 7",
                "org 7 1 : 0 0 1 0 0 4500 of 7",
                "org 7 1 wechat: 0 0 1 0 0 4500 of 7",
                "plan 5 0 : 0 0 1 0 0 4500 of 7",
                "plan 5 0 wechat: 0 0 1 0 0 4500 of 7",
                "plan 5 1 : 0 0 1 0 0 4500 of 7",
                "plan 5 1 wechat: 0 0 1 0 0 4500 of 7",
            ]
        );
        assert!(shown(&next).contains(&"channel 1 0 : 0 0 1 1 200 0 of 0".to_owned()), "{:?}", shown(&next));
    }
}
