//! What becomes of applicants, for the daily figures. It is noted in the transaction in which it
//! happens, and added up within a second: of many who sell at once, none waits for a row of figures.

use std::sync::Arc;
use std::time::Duration;

use sqlx::any::AnyRow;
use sqlx::{Row, query_scalar};
use strum::{EnumString, IntoStaticStr};
use tokio_util::sync::CancellationToken;

use super::LOCK;
use super::batch::day_of;
use super::model::System;
use super::stat::{Figures, Stats};
use super::store::no_rows;
use crate::api::App;
use crate::clock::{self, Clock, DAY};
use crate::db::{self, Connection, Db, Sql};

/// How often what was noted is added up.
const EVERY: Duration = Duration::from_secs(1);
/// Events added up in one transaction: few, for writers wait meanwhile.
const MOST: i64 = 2000;

/// What has happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum LeadKind {
    /// An applicant has come, and has failed a check.
    Registered,
    /// One has come who passed them all.
    Applied,
    /// A round has found a buyer.
    Matched,
    /// A buyer has taken a lead.
    Sold,
    /// And has given it back.
    Returned,
}

/// Something that has happened to an applicant, or the sum of such.
#[derive(Clone, Debug)]
pub struct LeadEvent {
    pub kind: LeadKind,
    pub channel_id: i64,
    /// These none before somebody buys.
    pub product_id: Option<i64>,
    pub plan_id: Option<i64>,
    pub org_id: Option<i64>,
    pub system: System,
    /// What the channel gets, in fen.
    pub cost_cents: i64,
    /// What the organisation pays, in fen; what it gets back is below nothing.
    pub income_cents: i64,
}

impl LeadEvent {
    /// The figures of so many that are added up here.
    pub(super) fn figures(&self, number: i64) -> Figures {
        let figures = Figures { cost_cents: self.cost_cents, income_cents: self.income_cents, ..Figures::default() };
        match self.kind {
            LeadKind::Registered => Figures { registered: number, ..figures },
            LeadKind::Applied => Figures { registered: number, applied: number, ..figures },
            LeadKind::Matched => Figures { matched: number, ..figures },
            LeadKind::Sold => Figures { sold: number, ..figures },
            LeadKind::Returned => Figures { returned: number, ..figures },
        }
    }
}

/// Notes what happens at a moment.
pub async fn note(tx: &mut Connection, events: &[LeadEvent], at: i64) -> Result<(), sqlx::Error> {
    let day = day_of(at);
    for some in db::pieces(events) {
        let mut sql = Sql::new(
            "INSERT INTO lead_event (day, channel_id, product_id, plan_id, org_id, system, kind, cost_cents, income_cents) VALUES ",
        );
        for (index, event) in some.iter().enumerate() {
            sql.push(if index == 0 { "(" } else { ", (" }).bind(day.clone());
            sql.then(event.channel_id).then(event.product_id).then(event.plan_id).then(event.org_id);
            sql.then(<&str>::from(event.system)).then(<&str>::from(event.kind));
            sql.then(event.cost_cents).then(event.income_cents).push(")");
        }
        sql.execute(&mut *tx).await?;
    }
    Ok(())
}

/// Notes that a lead was taken. What its channel gets for the applicant, if anything, counts with the
/// first of him that is.
pub async fn sold(tx: &mut Connection, push_id: i64, channel_cost_cents: i64, at: i64) -> Result<(), sqlx::Error> {
    let mut cost_cents = None;
    if channel_cost_cents > 0 {
        // Who sells him elsewhere at the same time waits here.
        cost_cents = query_scalar(
            "INSERT INTO lead_cost (user_id, push_id, cost_cents) SELECT h.user_id, h.id, h.channel_cost_cents FROM push_record h \
             WHERE h.id = $1 ON CONFLICT (user_id) DO NOTHING RETURNING cost_cents",
        )
        .bind(push_id)
        .fetch_optional(&mut *tx)
        .await?;
    }
    of_push(tx, push_id, (LeadKind::Sold, 1), cost_cents.unwrap_or(0), at).await
}

/// Notes that a lead was given back, on the day of its sale, from which it is to be taken; and where its channel is charged, that it gets nothing for the
/// applicant after all: once, whoever else gives him back.
pub async fn returned(tx: &mut Connection, push_id: i64, charge_channel: bool) -> Result<(), sqlx::Error> {
    let mut charged_cents = None;
    if charge_channel {
        charged_cents = query_scalar(
            "INSERT INTO lead_cost (user_id, push_id, cost_cents, charged_push_id, charged_cents) \
             SELECT h.user_id, h.id, 0, h.id, u.channel_cost_cents FROM push_record h JOIN applicant u ON u.id = h.user_id WHERE h.id = $1 \
             ON CONFLICT (user_id) DO UPDATE SET charged_push_id = excluded.charged_push_id, \
               charged_cents = excluded.charged_cents + lead_cost.cost_cents WHERE lead_cost.charged_push_id IS NULL RETURNING charged_cents",
        )
        .bind(push_id)
        .fetch_optional(&mut *tx)
        .await?;
    }
    let sold_at: i64 = query_scalar("SELECT COALESCE(sold_at, 0) FROM push_record WHERE id = $1").bind(push_id).fetch_one(&mut *tx).await?;
    of_push(tx, push_id, (LeadKind::Returned, -1), -charged_cents.unwrap_or(0), sold_at).await
}

/// What a channel gets for its applicant's being sold, in fen, less all that it was charged for him.
pub async fn channel_cost(db: &Db, user_id: i64) -> Result<i64, sqlx::Error> {
    let cost = query_scalar("SELECT cost_cents - charged_cents FROM lead_cost WHERE user_id = $1").bind(user_id);
    Ok(cost.fetch_optional(db.read()).await?.unwrap_or(0))
}

/// Notes what happens to a lead, and in which direction its price goes.
async fn of_push(
    tx: &mut Connection,
    push_id: i64,
    (kind, direction): (LeadKind, i64),
    cost_cents: i64,
    at: i64,
) -> Result<(), sqlx::Error> {
    // Leads from before applicants were kept have come from no known system.
    sqlx::query(
        "INSERT INTO lead_event (day, channel_id, product_id, plan_id, org_id, system, kind, cost_cents, income_cents) \
         SELECT $1, h.channel_id, h.product_id, h.plan_id, h.org_id, COALESCE(u.system, 'other'), $2, $3, $4 * h.price_cents \
         FROM push_record h LEFT JOIN applicant u ON u.id = h.user_id WHERE h.id = $5",
    )
    .bind(day_of(at))
    .bind(<&str>::from(kind))
    .bind(cost_cents)
    .bind(direction)
    .bind(push_id)
    .execute(tx)
    .await
    .map(no_rows)
}

/// Adds up what was noted, until told to stop; what is noted then is added up by the next.
pub async fn work(app: Arc<App>, stop: CancellationToken) {
    clock::every(EVERY, stop, || async {
        if let Err(error) = add_up(&app.db, &app.clock).await {
            tracing::error!(%error, "visits: the outcomes of applicants were not added up");
        }
    })
    .await;
}

/// Adds up all that was noted so far.
pub async fn add_up(db: &Db, clock: &Clock) -> Result<(), sqlx::Error> {
    while add_up_some(db, clock.now()).await? == MOST as usize {}
    Ok(())
}

/// Adds up what was noted first, and answers how much it was. Events go in the transaction in which
/// figures grow, so each counts once.
async fn add_up_some(db: &Db, now: i64) -> Result<usize, sqlx::Error> {
    if sqlx::query("SELECT id FROM lead_event LIMIT 1").fetch_optional(db.read()).await?.is_none() {
        return Ok(0);
    }
    let mut tx = db.begin().await?;
    db.lock(&mut tx, "lead events").await?;
    db.lock_shared(&mut tx, LOCK).await?;
    let rows = sqlx::query(
        "DELETE FROM lead_event WHERE id IN (SELECT id FROM lead_event ORDER BY id LIMIT $1) \
         RETURNING day, kind, channel_id, product_id, plan_id, org_id, system, cost_cents, income_cents",
    )
    .bind(MOST)
    .fetch_all(&mut *tx)
    .await?;
    let mut stats = Stats::default();
    for row in &rows {
        stats.leads(row.try_get("day")?, &read(row)?, 1);
    }
    stats.write(&mut tx, now).await?;
    tx.commit().await?;
    Ok(rows.len())
}

fn read(row: &AnyRow) -> Result<LeadEvent, sqlx::Error> {
    Ok(LeadEvent {
        kind: db::code(row, "kind")?,
        channel_id: row.try_get("channel_id")?,
        product_id: row.try_get("product_id")?,
        plan_id: row.try_get("plan_id")?,
        org_id: row.try_get("org_id")?,
        system: db::code(row, "system")?,
        cost_cents: row.try_get("cost_cents")?,
        income_cents: row.try_get("income_cents")?,
    })
}

/// Adds what became of applicants on a day, as their own rows have it, without what is noted and not
/// added up: that is still to come. It is one statement, which sees a sale with its note or neither.
pub(super) async fn count(tx: &mut Connection, day: &str, stats: &mut Stats) -> Result<(), sqlx::Error> {
    let Some(from) = clock::day_start(day) else { return Ok(()) };
    for row in counting(day, from, from + DAY).fetch_all(tx).await? {
        stats.leads(day, &read(&row)?, row.try_get("number")?);
    }
    Ok(())
}

fn counting(day: &str, from: i64, to: i64) -> Sql {
    let mut sql = Sql::new(
        "SELECT kind, channel_id, product_id, plan_id, org_id, system, CAST(SUM(number) AS BIGINT) AS number, \
           CAST(SUM(cost_cents) AS BIGINT) AS cost_cents, CAST(SUM(income_cents) AS BIGINT) AS income_cents FROM ( \
         SELECT CASE WHEN a.reason IS NULL THEN 'applied' ELSE 'registered' END AS kind, a.channel_id, CAST(NULL AS BIGINT) AS product_id, \
           CAST(NULL AS BIGINT) AS plan_id, CAST(NULL AS BIGINT) AS org_id, a.system, 1 AS number, a.channel_cost_cents AS cost_cents, \
           CAST(0 AS BIGINT) AS income_cents FROM applicant a WHERE a.test = 0 AND a.created_at >= ",
    );
    sql.bind(from).push(" AND a.created_at < ").bind(to);
    // A round's first lead has the product; an organisation has an applicant once.
    sql.push(
        " UNION ALL SELECT 'matched', m.channel_id, h.product_id, m.plan_id, m.org_id, u.system, 1, 0, 0 FROM match_record m \
           JOIN applicant u ON u.id = m.user_id LEFT JOIN push_record h ON h.user_id = m.user_id AND h.plan_id = m.plan_id \
           WHERE m.direction = 'round' AND m.status = 'matched' AND m.created_at >= ",
    );
    sql.bind(from).push(" AND m.created_at < ").bind(to);
    sql.push(
        " UNION ALL SELECT 'sold', s.channel_id, s.product_id, s.plan_id, s.org_id, COALESCE(u.system, 'other'), 1, \
           COALESCE(k.cost_cents, 0), s.price_cents FROM push_record s LEFT JOIN applicant u ON u.id = s.user_id \
           LEFT JOIN lead_cost k ON k.user_id = s.user_id AND k.push_id = s.id WHERE COALESCE(s.sold_at, 0) >= ",
    );
    sql.bind(from).push(" AND COALESCE(s.sold_at, 0) < ").bind(to);
    sql.push(
        " UNION ALL SELECT 'returned', h.channel_id, h.product_id, h.plan_id, h.org_id, COALESCE(u.system, 'other'), 1, \
           -COALESCE(k.charged_cents, 0), -h.price_cents FROM push_record h JOIN lead_return r ON r.push_id = h.id AND r.status = 'approved' \
           LEFT JOIN applicant u ON u.id = h.user_id LEFT JOIN lead_cost k ON k.user_id = h.user_id AND k.charged_push_id = h.id \
           WHERE COALESCE(h.sold_at, 0) >= ",
    );
    sql.bind(from).push(" AND COALESCE(h.sold_at, 0) < ").bind(to);
    sql.push(
        " UNION ALL SELECT e.kind, e.channel_id, e.product_id, e.plan_id, e.org_id, e.system, -1, -e.cost_cents, -e.income_cents \
           FROM lead_event e WHERE e.day = ",
    );
    sql.bind(day.to_owned()).push(") AS happened GROUP BY kind, channel_id, product_id, plan_id, org_id, system");
    sql
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::plans::Plans;

    #[tokio::test]
    async fn a_day_is_counted_without_the_others() {
        let plans = Plans::open().await;
        let plan = plans.of(counting("2026-03-01", 1, 2)).await;
        for table in ["a", "m", "h", "u", "s", "k", "r"] {
            assert!(!plan.contains(&format!("SCAN {table} ")) && plan.contains(&format!("SEARCH {table} ")), "{table}: {plan}");
        }
    }

    #[tokio::test]
    async fn what_is_noted_counts_once_at_every_grain() {
        let plans = Plans::open().await;
        let (db, clock) = (&plans.db, Clock::default());
        let at = clock::day_start("2026-03-01").unwrap();
        let came = LeadEvent {
            kind: LeadKind::Applied,
            channel_id: 1,
            product_id: None,
            plan_id: None,
            org_id: None,
            system: System::Ios,
            cost_cents: 300,
            income_cents: 0,
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
        let told = |stats: &Stats| {
            let line = |(key, (org_id, figures)): (&super::super::stat::StatKey, &(i64, Figures))| {
                let Figures { registered, applied, sold, returned, cost_cents, income_cents, .. } = figures;
                let (kind, system) = (<&str>::from(key.kind), key.system.map_or("", <&str>::from));
                format!(
                    "{kind} {} {} {system}: {registered} {applied} {sold} {returned} {cost_cents} {income_cents} of {org_id}",
                    key.subject_id, key.channel_id
                )
            };
            stats.0.iter().map(line).collect::<Vec<_>>()
        };
        let mut lines = told(&first);
        lines.sort();
        assert_eq!(
            lines,
            [
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
        assert!(told(&next).contains(&"channel 1 0 : 0 0 1 1 200 0 of 0".to_owned()), "{:?}", told(&next));
    }
}
