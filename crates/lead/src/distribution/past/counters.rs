//! Usage of each window of the plans' caps during a replay.

use std::collections::HashMap;

use frame::terms::cap::{CapRule, CapUsage, CapWindow, counting_now};

/// Used count and fen, by plan, window and the start of the window.
#[derive(Clone, Debug, Default)]
pub struct Counters(HashMap<(i64, CapWindow, i64), (i64, i64)>);

impl Counters {
    /// Sets the usage of one window before the first round.
    pub fn start(&mut self, plan_id: i64, window: CapWindow, start: i64, used: (i64, i64)) {
        self.0.insert((plan_id, window, start), used);
    }

    /// Takes room for a lead that was offered at a moment.
    pub fn take(&mut self, plan_id: i64, at: i64, cents: i64) {
        self.add(plan_id, at, 1, cents);
    }

    /// Gives the room of such a lead back, in the windows in which it was taken.
    pub fn give_back(&mut self, plan_id: i64, at: i64, cents: i64) {
        self.add(plan_id, at, -1, -cents);
    }

    fn add(&mut self, plan_id: i64, at: i64, count: i64, cents: i64) {
        for window in CapWindow::ALL {
            let used = self.0.entry((plan_id, window, window.start(at))).or_default();
            *used = (used.0 + count, used.1 + cents);
        }
    }

    /// The usage of the caps that apply at a moment.
    pub fn usage(&self, plan_id: i64, caps: &[CapRule], at: i64) -> Vec<CapUsage> {
        let used = |cap: &CapRule| self.0.get(&(plan_id, cap.window, cap.window.start(at))).copied().unwrap_or_default();
        counting_now(caps, at)
            .map(|cap| {
                let (used_count, used_cents) = used(cap);
                CapUsage { cap: cap.clone(), used_count, used_cents }
            })
            .collect()
    }
}
