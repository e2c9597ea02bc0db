//! Random events through the writer, against a reference that is simple enough to be right.

use std::collections::BTreeMap;

use sqlx::Row;

use super::batch::{Batch, REPEATED, day_of};
use super::model::{Exposure, Seen, Source, Subject, SubjectKind, System, Visit};
use super::stat::{Figures, StatKey, Stats};
use super::store;
use base::clock::{Clock, DAY};
use base::db::Db;
use base::db::plans::Plans;

/// Pseudo-random numbers, the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as i64) % end
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as i64) as usize]
    }
}

/// Most visitors of a subject that one address may bring.
const MOST: i64 = 3;
/// A midnight of Shanghai, so that both sides of it occur.
const MIDNIGHT: i64 = 1_772_294_400_000;

fn event(chance: &mut Chance, at: i64) -> Seen {
    let person = chance.below(9);
    let (visitor, system) = (format!("v{person}"), chance.pick(&[System::Ios, System::Android, System::Wechat, System::Other]));
    let (channel_id, test) = chance.pick(&[(0, false), (1, false), (2, false), (3, true)]);
    let plan = chance.below(3) + 1;
    if chance.below(3) == 0 {
        return Seen::Exposure(Exposure {
            plan_id: (plan == 1 || chance.below(3) > 0).then_some(plan),
            org_id: plan % 2 + 1,
            product_id: (plan > 1).then_some(plan),
            channel_id,
            visitor,
            system,
            at,
            position: Some(1),
            client_ip: "10.0.0.1".into(),
            ua_hash: "x".into(),
            clicked: chance.below(4) == 0,
            test,
        });
    }
    let kind = chance.pick(&[SubjectKind::Channel, SubjectKind::Product, SubjectKind::Org, SubjectKind::Plan]);
    let (id, channel_id, test) = match kind {
        SubjectKind::Channel => (channel_id + 1, 0, test),
        _ => (plan, channel_id, test),
    };
    Seen::Visit(Visit {
        subject: Subject { kind, id },
        channel_id,
        org_id: if kind == SubjectKind::Channel { 0 } else { plan % 2 + 1 },
        source: (kind == SubjectKind::Channel).then(|| Source { address: format!("a{}", person % 2), most: MOST }),
        visitor,
        system,
        at,
        charge_cents: chance.below(5) * 10,
        test,
    })
}

/// A row of the reference: all data of one visitor and subject.
struct Kept {
    pv: i64,
    last_at: i64,
    first: Seen,
    counts: bool,
}

/// Figures computed in the simplest way: event by event, then row by row.
#[derive(Default)]
struct Reference {
    rows: BTreeMap<(String, Option<SubjectKind>, i64, i64, String), Kept>,
    sources: BTreeMap<(String, i64, String), i64>,
}

impl Reference {
    fn take(&mut self, seen: &Seen) {
        match seen {
            Seen::Visit(visit) => {
                let key = (day_of(visit.at), Some(visit.subject.kind), visit.subject.id, visit.channel_id, visit.visitor.clone());
                match self.rows.get_mut(&key) {
                    Some(row) => {
                        row.pv += i64::from((visit.at - row.last_at).abs() >= REPEATED);
                        row.last_at = visit.at;
                    }
                    None => {
                        let mut counts = true;
                        if let Some(source) = visit.source.as_ref().filter(|_| !visit.test) {
                            let brought = self.sources.entry((day_of(visit.at), visit.subject.id, source.address.clone())).or_default();
                            *brought += 1;
                            counts = *brought <= source.most;
                        }
                        self.rows.insert(key, Kept { pv: 1, last_at: visit.at, first: seen.clone(), counts });
                    }
                }
            }
            Seen::Exposure(shown) => {
                let plan = shown.plan_id.map(|id| (None, id, 0));
                let product = shown.product_id.map(|id| (Some(SubjectKind::ProductShown), id, shown.channel_id));
                for (kind, id, channel_id) in [plan, product].into_iter().flatten() {
                    let key = (day_of(shown.at), kind, id, channel_id, shown.visitor.clone());
                    let row = self.rows.entry(key).or_insert(Kept { pv: 0, last_at: i64::MIN / 2, first: seen.clone(), counts: true });
                    if !shown.clicked {
                        row.pv += i64::from((shown.at - row.last_at).abs() >= REPEATED);
                        row.last_at = shown.at;
                    }
                }
            }
        }
    }

    fn stats(&self) -> Stats {
        let mut stats: BTreeMap<StatKey, (i64, Figures)> = BTreeMap::new();
        let mut add = |day: &str, kind, subject_id, channel_id: i64, system, org_id, grow: &dyn Fn(&mut Figures)| {
            let mut grains = vec![(channel_id, Some(system)), (channel_id, None), (0, Some(system)), (0, None)];
            grains.sort();
            grains.dedup();
            for (channel_id, system) in grains {
                let row = stats.entry(StatKey { day: day.into(), kind, subject_id, channel_id, system }).or_default();
                row.0 = row.0.max(org_id);
                grow(&mut row.1);
                if let Some(kind) = kind.all() {
                    grow(&mut stats.entry(StatKey { day: day.into(), kind, subject_id: 0, channel_id, system }).or_default().1);
                }
            }
        };
        for ((day, kind, id, ..), row) in &self.rows {
            let (pv, one) = (row.pv, i64::from(row.counts));
            match &row.first {
                Seen::Visit(visit) => {
                    let (subject, charge) = (visit.subject, visit.charge_cents * one);
                    add(day, subject.kind, subject.id, visit.channel_id, visit.system, visit.org_id, &|figures| {
                        if visit.test {
                            figures.test_pv += pv;
                            figures.test_uv += 1;
                            return;
                        }
                        figures.pv += pv;
                        figures.uv += one;
                        figures.cost_cents += if subject.kind == SubjectKind::Channel { charge } else { 0 };
                        figures.income_cents += if subject.kind == SubjectKind::Product { charge } else { 0 };
                    });
                    if subject.kind == SubjectKind::Product && !visit.test && charge > 0 {
                        let grow = |figures: &mut Figures| figures.income_cents += charge;
                        if visit.channel_id != 0 {
                            add(day, SubjectKind::Channel, visit.channel_id, 0, visit.system, 0, &grow);
                        }
                        add(day, SubjectKind::Org, visit.org_id, visit.channel_id, visit.system, visit.org_id, &grow);
                    }
                }
                Seen::Exposure(shown) if !shown.test => {
                    // The organisation of a plan that has a product counts the product.
                    let subjects = match (kind, shown.product_id) {
                        (Some(_), _) => [Some((SubjectKind::Product, *id)), Some((SubjectKind::Org, shown.org_id))],
                        (None, Some(_)) => [Some((SubjectKind::Plan, *id)), None],
                        (None, None) => [Some((SubjectKind::Plan, *id)), Some((SubjectKind::Org, shown.org_id))],
                    };
                    for (kind, id) in subjects.into_iter().flatten() {
                        add(day, kind, id, shown.channel_id, shown.system, shown.org_id, &|figures| {
                            // A choice implies an exposure.
                            figures.exposure_pv += pv.max(1);
                            figures.exposure_uv += 1;
                        });
                    }
                }
                Seen::Exposure(_) => {}
            }
        }
        Stats { rows: stats, ..Stats::default() }
    }
}

async fn stored(db: &Db) -> Stats {
    let mut tx = db.begin().await.unwrap();
    let mut all = Stats::default();
    for day in [day_of(MIDNIGHT - DAY), day_of(MIDNIGHT)] {
        all.rows.append(&mut Stats::of_day(&mut tx, &day).await.unwrap().rows);
    }
    all
}

#[tokio::test]
async fn however_events_are_cut_into_batches_the_rows_are_those_of_a_plain_count() {
    for seed in 0..12 {
        let db = Plans::open().await;
        let db = &db.db;
        let mut chance = Chance(seed * 77 + 1);
        let mut reference = Reference::default();
        let mut at = MIDNIGHT - 60_000;
        for _ in 0..40 {
            let mut batch = Batch::default();
            for _ in 0..=chance.below(12) {
                // Mostly onwards, at times back, across midnight.
                at += chance.pick(&[0, 300, 999, 1000, 4000, -2500, 20_000]);
                let seen = event(&mut chance, at);
                // A batch's visitors are numbered in the order of their keys, so the reference takes
                // those that an address limits one by one.
                let limited = matches!(&seen, Seen::Visit(visit) if visit.source.is_some());
                if limited && !batch.visits.is_empty() {
                    flush(db, &batch).await;
                    batch = Batch::default();
                }
                batch.add(&seen);
                reference.take(&seen);
                if limited {
                    flush(db, &batch).await;
                    batch = Batch::default();
                }
            }
            flush(db, &batch).await;
        }
        let (found, right) = (stored(db).await, reference.stats());
        for (key, row) in &right.rows {
            assert_eq!(found.rows.get(key), Some(row), "seed {seed}: {key:?}");
        }
        assert_eq!(found.rows.len(), right.rows.len(), "seed {seed}");

        // The rebuilt figures are the same, and nothing has to be corrected.
        let days = [MIDNIGHT - DAY, MIDNIGHT].map(base::clock::day);
        let rebuilt = super::rebuild(db, &Clock::default(), days[0], days[1]).await.unwrap();
        assert_eq!((rebuilt.days, rebuilt.corrected), (2, 0), "seed {seed}");
        let mut tx = db.begin().await.unwrap();
        sqlx::query("UPDATE uv_stat_daily SET pv = pv + 1 WHERE subject_type = 'channel'").execute(&mut *tx).await.unwrap();
        sqlx::query("DELETE FROM uv_stat_daily WHERE subject_type = 'org'").execute(&mut *tx).await.unwrap();
        sqlx::query("UPDATE uv_stat_daily SET subject_id = subject_id + 90 WHERE subject_type = 'plan'").execute(&mut *tx).await.unwrap();
        tx.commit().await.unwrap();
        assert!(super::rebuild(db, &Clock::default(), days[0], days[1]).await.unwrap().corrected > 0);
        assert_eq!(stored(db).await, right, "seed {seed}");
    }
}

async fn flush(db: &Db, batch: &Batch) {
    let mut tx = db.begin().await.unwrap();
    store::write(&mut tx, batch, 1).await.unwrap();
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn visitors_of_one_batch_are_too_many_like_those_of_several() {
    let plans = Plans::open().await;
    let db = &plans.db;
    let visit = |visitor: i64| {
        Seen::Visit(Visit {
            subject: Subject { kind: SubjectKind::Channel, id: 1 },
            channel_id: 0,
            org_id: 0,
            visitor: format!("v{visitor:02}"),
            system: System::Ios,
            at: MIDNIGHT,
            charge_cents: 50,
            test: false,
            source: Some(Source { address: "a".into(), most: 5 }),
        })
    };
    for some in [0..3, 3..12, 2..13] {
        let mut batch = Batch::default();
        some.for_each(|visitor| batch.add(&visit(visitor)));
        flush(db, &batch).await;
    }
    let all = stored(db).await;
    let (_, figures) = all.rows.values().next().unwrap();
    // The third batch came within a second of the second.
    assert_eq!((figures.pv, figures.uv, figures.cost_cents), (13, 5, 250));
    let row = sqlx::query("SELECT COUNT(*) AS n, CAST(SUM(billable) AS BIGINT) AS b FROM uv_event").fetch_one(db.read()).await.unwrap();
    assert_eq!((row.get::<i64, _>("n"), row.get::<i64, _>("b")), (13, 5));
}
