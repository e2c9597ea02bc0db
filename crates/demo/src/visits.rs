//! The demo's visits and exposures: every event of the last days, and the figures of the years before, as if their
//! events had been deleted.

use std::collections::BTreeSet;

use sqlx::Row;

use super::random::Random;
use base::clock::{self, DAY, HOUR, MINUTE};
use base::crypto::md5_hex;
use base::db::Connection;
use trade::visit::{Batch, Exposure, Figures, Group, Seen, Stats, Subject, SubjectKind, System, Visit};

/// Days with single events.
const EVENTS: i64 = 7;
/// Most visitors of a channel in a day.
const BUSIEST: i64 = 60;
/// The distribution of visitors' systems.
const SYSTEMS: [System; 10] = [
    System::Wechat,
    System::Wechat,
    System::Wechat,
    System::Wechat,
    System::Android,
    System::Android,
    System::Android,
    System::Ios,
    System::Ios,
    System::Other,
];

/// A subject of visits, from its creation until it was closed.
struct Place {
    id: i64,
    /// 0 of a channel.
    org_id: i64,
    /// Of a plan.
    product_id: Option<i64>,
    /// Of a visitor, in fen.
    price: i64,
    test: bool,
    since: i64,
    until: i64,
    /// How busy it is, of a hundred.
    pull: i64,
}

impl Place {
    fn is_there(&self, at: i64) -> bool {
        (self.since..self.until).contains(&at)
    }
}

/// Adds visits of the last `days` days.
pub async fn insert(tx: &mut Connection, random: &mut Random, days: i64, now: i64) -> Result<(), sqlx::Error> {
    let mut channels = places(
        tx,
        "SELECT id, 0 AS org_id, CAST(NULL AS BIGINT) AS product_id, CASE WHEN settle_mode = 'uv' THEN unit_price_cents ELSE 0 END AS price, \
         CASE WHEN mode = 'test' THEN 1 ELSE 0 END AS test, created_at, CASE WHEN status = 'enabled' THEN 0 ELSE updated_at END AS closed \
         FROM channel ORDER BY id",
        random,
    )
    .await?;
    // It brings the applicants of all clues, and most visitors do not apply.
    if let Some(first) = channels.iter_mut().find(|channel| !channel.test) {
        first.pull = 100;
    }
    let products = places(
        tx,
        "SELECT id, org_id, CAST(NULL AS BIGINT) AS product_id, uv_price_cents AS price, 0 AS test, created_at, \
         CASE WHEN status = 'online' THEN 0 ELSE updated_at END AS closed FROM product WHERE status <> 'draft' ORDER BY id",
        random,
    )
    .await?;
    let plans = places(
        tx,
        "SELECT id, org_id, product_id, 0 AS price, 0 AS test, created_at, CASE WHEN status = 'running' THEN 0 ELSE updated_at END AS closed \
         FROM plan WHERE status IN ('running', 'paused', 'ended') ORDER BY id",
        random,
    )
    .await?;
    let mut town = Town { channels, products, plans, random, stats: Stats::default(), batch: Batch::default(), people: 0 };
    let today = clock::start(clock::day(now));
    for back in (0..days).rev() {
        let day = today - back * DAY;
        if back < EVENTS {
            town.live(day, now);
            town.batch.write(tx, now).await?;
            town.batch = Batch::default();
        } else {
            town.remember(day, days - back);
            // Some days at a time, to limit memory.
            if back % 30 == 0 {
                town.stats.write(tx, day + DAY).await?;
                town.stats = Stats::default();
            }
        }
    }
    town.stats.write(tx, now).await?;
    // Organisations pay for visitors of their products from today on: their accounts have no earlier charges.
    sqlx::query("UPDATE visit_charged_after SET day = $1 WHERE id = 1").bind(clock::day(today - DAY).to_string()).execute(&mut *tx).await?;
    if days > EVENTS {
        sqlx::query("INSERT INTO visit_kept (id, from_day) VALUES (1, $1)")
            .bind(clock::day(today - (EVENTS - 1) * DAY).to_string())
            .execute(tx)
            .await?;
    }
    Ok(())
}

async fn places(tx: &mut Connection, sql: &'static str, random: &mut Random) -> Result<Vec<Place>, sqlx::Error> {
    let rows = sqlx::query(sql).fetch_all(tx).await?;
    rows.iter()
        .map(|row| {
            let closed: i64 = row.try_get("closed")?;
            Ok(Place {
                id: row.try_get("id")?,
                org_id: row.try_get("org_id")?,
                product_id: row.try_get("product_id")?,
                price: row.try_get("price")?,
                test: row.try_get::<i64, _>("test")? == 1,
                since: row.try_get("created_at")?,
                until: if closed == 0 { i64::MAX } else { closed },
                pull: random.between(15, 101),
            })
        })
        .collect()
}

struct Town<'r> {
    channels: Vec<Place>,
    products: Vec<Place>,
    plans: Vec<Place>,
    random: &'r mut Random,
    stats: Stats,
    batch: Batch,
    people: i64,
}

impl Town<'_> {
    /// A channel's visitors on a day: fewer at weekends, more every year, with random variation.
    fn crowd(&mut self, pull: i64, day: i64) -> i64 {
        let weekend = matches!(clock::day(day).weekday(), jiff::civil::Weekday::Saturday | jiff::civil::Weekday::Sunday);
        let usual = BUSIEST * pull / 100 * if weekend { 6 } else { 10 } / 10;
        (usual * self.random.between(70, 131) / 100).max(1)
    }

    /// A day long ago: its figures alone.
    fn remember(&mut self, day: i64, age: i64) {
        let (text, noon) = (clock::day(day).to_string(), day + 12 * HOUR);
        let group =
            |kind, place: &Place, system| Group { day: &text, kind, subject_id: place.id, channel_id: 0, system, org_id: place.org_id };
        let mut arrived = 0;
        for place in 0..self.channels.len() {
            if !self.channels[place].is_there(noon) {
                continue;
            }
            // Business has grown.
            let crowd = (self.crowd(self.channels[place].pull, day) * (40 + age.min(730) * 60 / 730) / 100).max(2);
            let channel = &self.channels[place];
            for (system, share) in [(System::Wechat, 4), (System::Android, 3), (System::Ios, 2), (System::Other, 1)] {
                let uv = (crowd * share + 9) / 10;
                let pv = uv + uv * self.random.between(10, 50) / 100;
                self.stats.visits(group(SubjectKind::Channel, channel, system), pv, uv, uv * channel.price, channel.test);
            }
            if !channel.test {
                let brings = crowd * self.random.between(80, 280);
                let figures = Figures { income_cents: brings, ..Figures::default() };
                self.stats.add(group(SubjectKind::Channel, channel, System::Wechat), &figures);
                arrived += crowd;
            }
        }
        let system = *self.random.pick(&SYSTEMS);
        for product in self.products.iter().filter(|product| product.is_there(noon)) {
            let uv = (arrived * product.pull / 3000).max(1);
            let shown = uv + arrived * product.pull / 1000;
            self.stats.exposures(group(SubjectKind::Product, product, system), false, shown + shown / 4, shown);
            self.stats.visits(group(SubjectKind::Product, product, system), uv + uv / 4, uv, uv * product.price, false);
            let org = Group { subject_id: product.org_id, ..group(SubjectKind::Org, product, system) };
            self.stats.visits(org, uv + uv / 5, uv, 0, false);
        }
        for plan in self.plans.iter().filter(|plan| plan.is_there(noon)) {
            let seen = (arrived * plan.pull / 900).max(3);
            self.stats.exposures(group(SubjectKind::Plan, plan, system), plan.product_id.is_some(), seen + seen / 3, seen);
            if let Some(subject_id) = plan.product_id {
                let product = Group { subject_id, ..group(SubjectKind::Product, plan, system) };
                self.stats.exposures(product, false, seen + seen / 3, seen);
            }
            let clicks = seen * self.random.between(5, 25) / 100;
            self.stats.visits(group(SubjectKind::Plan, plan, system), clicks + clicks / 5, clicks, 0, false);
        }
    }

    /// One of the last days, event by event.
    fn live(&mut self, day: i64, now: i64) {
        let length = DAY.min(now - day).max(1);
        for place in 0..self.channels.len() {
            if !self.channels[place].is_there(day + length / 2) {
                continue;
            }
            let crowd = self.crowd(self.channels[place].pull, day) * length / DAY;
            for _ in 0..crowd {
                let at = day + self.random.below(length);
                self.visitor(place, at);
            }
        }
    }

    /// A visitor comes by a channel, is shown some plans and products and chooses one or none of each.
    fn visitor(&mut self, place: usize, at: i64) {
        self.people += 1;
        let (visitor, system) = (md5_hex(&self.people.to_string()), *self.random.pick(&SYSTEMS));
        let channel = &self.channels[place];
        let (channel_id, test) = (channel.id, channel.test);
        let visit = |kind, id, org_id, charge_cents, at| {
            Seen::Visit(Visit {
                subject: Subject { kind, id },
                channel_id: if kind == SubjectKind::Channel { 0 } else { channel_id },
                org_id,
                visitor: visitor.clone(),
                system,
                at,
                charge_cents: if test { 0 } else { charge_cents },
                test,
                source: None,
            })
        };
        let people = self.people;
        let exposure = |plan_id, product_id, org_id, position, at| Exposure {
            plan_id,
            org_id,
            product_id,
            channel_id,
            visitor: visitor.clone(),
            system,
            at,
            position: Some(position),
            client_ip: format!("203.0.113.{}", people % 250 + 1),
            ua_hash: md5_hex(&format!("browser {}", people % 97)),
            clicked: false,
            test,
        };
        self.batch.add(&visit(SubjectKind::Channel, channel_id, 0, channel.price, at));
        if self.random.percent(25) {
            self.batch.add(&visit(SubjectKind::Channel, channel_id, 0, channel.price, at + MINUTE));
        }
        let plans: Vec<&Place> = self.plans.iter().filter(|plan| plan.is_there(at)).collect();
        let mut shown = BTreeSet::new();
        for position in 1..=self.random.between(0, 4).min(plans.len() as i64) {
            let plan = *self.random.pick(&plans);
            if !shown.insert(plan.id) {
                continue;
            }
            let exposure = exposure(Some(plan.id), plan.product_id, plan.org_id, position, at + 2000);
            self.batch.add(&Seen::Exposure(exposure.clone()));
            if self.random.percent(30) {
                self.batch.add(&Seen::Exposure(Exposure { at: at + MINUTE, ..exposure.clone() }));
            }
            if self.random.percent(12) {
                let at = at + 20_000;
                self.batch.add(&Seen::Exposure(Exposure { at, clicked: true, ..exposure }));
                self.batch.add(&visit(SubjectKind::Plan, plan.id, plan.org_id, 0, at));
                self.batch.add(&visit(SubjectKind::Org, plan.org_id, plan.org_id, 0, at));
            }
        }
        let products: Vec<&Place> = self.products.iter().filter(|product| product.is_there(at)).collect();
        let listed = (self.people % 3) as usize;
        for (position, product) in (1..).zip(products.iter().cycle().skip(self.people as usize % 17).take(listed.min(products.len()))) {
            self.batch.add(&Seen::Exposure(exposure(None, Some(product.id), product.org_id, position, at + 30_000)));
        }
        if self.random.percent(30) && !products.is_empty() {
            let product = *self.random.pick(&products);
            for at in [at + 40_000, at + 3 * MINUTE].into_iter().take(if self.random.percent(20) { 2 } else { 1 }) {
                let chosen = exposure(None, Some(product.id), product.org_id, 1, at);
                self.batch.add(&Seen::Exposure(Exposure { clicked: true, ..chosen }));
                self.batch.add(&visit(SubjectKind::Product, product.id, product.org_id, product.price, at));
                self.batch.add(&visit(SubjectKind::Org, product.org_id, product.org_id, 0, at));
            }
        }
    }
}
