//! The running plans, for the selection. They are read once a second, because hundreds of leads a second use the same
//! plans; a sale reads itself what it must be sure of.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Mutex;

use super::model::PlanNow;
use super::{now, store};
use crate::plan::replacement;
use base::db::Db;

/// The greatest age of the plans, in milliseconds.
const FRESH: i64 = 1000;
/// The most running plans.
const MOST: i64 = 10_000;

/// The running plans at a moment.
pub struct RunningPlans {
    pub at: i64,
    pub plans: Vec<PlanNow>,
    /// Whether a plan, or one of its prices, uses the person's past.
    pub asks_past: bool,
    /// Plans that are owed a replacement for a returned lead, and whether for a test lead: they come first.
    pub replaced: HashSet<(i64, bool)>,
    /// When reading ended, by a clock that always goes on.
    read: Instant,
}

impl RunningPlans {
    /// From plans that have just been read.
    pub fn of(at: i64, plans: Vec<PlanNow>) -> RunningPlans {
        let asks_past = plans.iter().any(|now| now.plan.asks_past());
        RunningPlans { at, plans, asks_past, replaced: HashSet::new(), read: Instant::now() }
    }

    /// Whether they are fresh enough for a caller at a moment. They may be newer than that: a caller that waited while they
    /// were read has an earlier moment. If the clock is set back, they are read again as soon as otherwise.
    fn is_fresh(&self, at: i64, now: Instant) -> bool {
        at < self.at + FRESH && now.saturating_duration_since(self.read) < Duration::from_millis(FRESH.unsigned_abs())
    }
}

/// The cache of running plans.
#[derive(Default)]
pub struct Market(Mutex<Option<Arc<RunningPlans>>>);

impl Market {
    /// The running plans, at most a second old.
    pub async fn running_plans(&self, db: &Db, at: i64) -> Result<Arc<RunningPlans>, sqlx::Error> {
        // Callers that come during a read wait for it instead of reading, too.
        let mut held = self.0.lock().await;
        if let Some(running) = held.as_ref().filter(|running| running.is_fresh(at, Instant::now())) {
            return Ok(running.clone());
        }
        let plans = now::of(db, store::on_sale(db, MOST).await?, at).await?;
        let replaced = replacement::plans(db.read(), at).await?;
        let running = Arc::new(RunningPlans { replaced, ..RunningPlans::of(at, plans) });
        *held = Some(running.clone());
        Ok(running)
    }

    /// Drops the plans; the next caller reads them again.
    pub async fn forget(&self) {
        *self.0.lock().await = None;
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::join_all;

    use super::*;
    use base::db::plans::Plans;

    /// Of several callers that wait for each other, one reads, whichever is first.
    #[tokio::test]
    async fn plans_are_read_once_for_all_who_waited_for_them() {
        let plans = Plans::open().await;
        for of in [|place: i64| 900_000 - place, |place: i64| 900_000 + place, |place: i64| 900_000 + place * 7 % 400] {
            let market = Market::default();
            let all = join_all((0..400).map(|place| market.running_plans(&plans.db, of(place)))).await;
            let read: HashSet<*const RunningPlans> = all.iter().map(|running| Arc::as_ptr(running.as_ref().unwrap())).collect();
            assert_eq!(read.len(), 1);
        }
    }

    #[test]
    fn plans_are_fresh_for_a_second_whichever_way_the_clock_is_set() {
        let read = Instant::now();
        let running = RunningPlans { read, ..RunningPlans::of(900_000, Vec::new()) };
        for (at, later, fresh) in [
            (900_000, 0, true),
            (900_999, 999, true),
            (901_000, 0, false),
            (899_400, 0, true),
            (0, 999, true),
            // Set back by a large amount.
            (0, 1000, false),
            (899_999, 1000, false),
        ] {
            assert_eq!(running.is_fresh(at, read + Duration::from_millis(later)), fresh, "{at} after {later} ms");
        }
    }
}
