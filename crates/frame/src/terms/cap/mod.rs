//! Caps: the most that is taken in an hour, a day, a week, a month, or ever.

pub mod counters;
mod sentence;
mod window;

use base::form_limits;
use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr};

use super::Wrong;
use crate::api::say;

pub use counters::{StoredCap, Subject, Taking};
pub use sentence::sentence;
pub use window::counting_now;

form_limits! {
    /// Of caps.
    cap {
        /// Most caps of one subject.
        MOST_CAPS: usize = 20,
        /// Highest amount of a cap, in fen: a billion yuan.
        pub MOST_CENTS: i64 = 100_000_000_000,
        /// Highest count of a cap.
        pub MOST_COUNT: i64 = 10_000_000,
    }
}

/// The time over which a cap counts, on Shanghai's clock. A week begins on Monday.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    EnumString,
    IntoStaticStr,
    Serialize,
    Deserialize,
    schemars::JsonSchema,
    ts_rs::TS,
)]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[ts(export, export_to = "api-types.ts")]
pub enum CapWindow {
    Hour,
    Day,
    Week,
    Month,
    Total,
}

/// One cap: a number of leads, an amount, or both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[ts(export, export_to = "api-types.ts")]
pub struct CapRule {
    pub window: CapWindow,
    /// For a day: only on this weekday (1 is Monday), in place of the cap of every day.
    pub weekday: Option<u8>,
    pub max_count: Option<i64>,
    /// The amount in fen.
    pub max_cents: Option<i64>,
}

impl CapRule {
    /// The key among the caps of its subject, and their order.
    fn key(&self) -> (CapWindow, Option<u8>) {
        (self.window, self.weekday)
    }
}

/// The usage of a cap in the present window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema, ts_rs::TS)]
#[serde(rename_all = "camelCase")]
#[ts(export, export_to = "api-types.ts")]
pub struct CapUsage {
    pub cap: CapRule,
    pub used_count: i64,
    /// Fen.
    pub used_cents: i64,
}

impl CapUsage {
    /// Whether there is no room for one more at this price: the same rule as in taking.
    pub fn is_full(&self, cents: i64) -> bool {
        let full = |used: i64, one: i64, most: Option<i64>| most.is_some_and(|most| used.checked_add(one).is_none_or(|sum| sum > most));
        full(self.used_count, 1, self.cap.max_count) || full(self.used_cents, cents, self.cap.max_cents)
    }
}

/// Caps in the order of their windows.
pub fn tidy(mut caps: Vec<CapRule>) -> Vec<CapRule> {
    caps.sort_by_key(CapRule::key);
    caps
}

/// All errors; a place is the number of a cap.
pub fn wrong(caps: &[CapRule]) -> Vec<Wrong> {
    let mut wrong = Vec::new();
    if caps.len() > MOST_CAPS {
        wrong.push(Wrong::new("", say(format!("最多 {MOST_CAPS} 条"), format!("At most {MOST_CAPS} caps"))));
    }
    for (index, cap) in caps.iter().enumerate() {
        let mut that = |holds: bool, message| {
            if !holds {
                wrong.push(Wrong::new((index + 1).to_string(), message));
            }
            holds
        };
        let weekday = match cap.weekday {
            Some(weekday) => cap.window == CapWindow::Day && (1..=7).contains(&weekday),
            None => true,
        };
        let in_bounds = |value: Option<i64>, most: i64| value.is_none_or(|value| (1..=most).contains(&value));
        _ = that(weekday, say("只有每天的上限可以指定周几", "Only a daily cap can have a weekday"))
            && that(cap.max_count.is_some() || cap.max_cents.is_some(), say("请填写数量或金额", "Enter a count or an amount"))
            && that(
                in_bounds(cap.max_count, MOST_COUNT),
                say("数量应在 1 到 10,000,000 之间", "The count must be between 1 and 10,000,000"),
            )
            && that(
                in_bounds(cap.max_cents, MOST_CENTS),
                say("金额应在 0.01 到 1,000,000,000 元之间", "The amount must be between 0.01 and 1,000,000,000 CNY"),
            )
            && that(caps[..index].iter().all(|other| other.key() != cap.key()), say("周期重复", "Duplicate period"));
    }
    wrong
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::terms::cases;
    use base::locale::Locale;

    #[test]
    fn both_sides_find_the_same_wrong() {
        for case in cases::of("wrongCaps") {
            let caps: Vec<CapRule> = serde_json::from_value(case["caps"].clone()).unwrap();
            let faults: Vec<Value> = wrong(&caps).iter().map(|wrong| json!([wrong.place, wrong.message.get(Locale::English)])).collect();
            assert_eq!(Value::from(faults), case["wrong"], "{}", case["caps"]);
        }
    }

    /// M3: a cap of money is full if the next lead does not fit, not when the last fen is used.
    #[test]
    fn a_cap_is_full_when_the_next_does_not_fit() {
        let usage = |used_count, used_cents, max_count, max_cents| CapUsage {
            cap: CapRule { window: CapWindow::Day, weekday: None, max_count, max_cents },
            used_count,
            used_cents,
        };
        for (usage, cents, full) in [
            (usage(0, 0, Some(1), None), 5000, false),
            (usage(1, 0, Some(1), None), 0, true),
            (usage(0, 9_900, None, Some(10_000)), 100, false),
            (usage(0, 9_900, None, Some(10_000)), 101, true),
            (usage(0, 10_000, None, Some(10_000)), 0, false),
            (usage(0, 0, None, Some(i64::MAX)), i64::MAX, false),
            (usage(0, 1, None, Some(i64::MAX)), i64::MAX, true),
        ] {
            assert_eq!(usage.is_full(cents), full, "{usage:?} {cents}");
        }
    }

    #[test]
    fn bounds() {
        let cap = |max_count, max_cents| CapRule { window: CapWindow::Hour, weekday: None, max_count, max_cents };
        for good in [cap(Some(1), None), cap(Some(MOST_COUNT), Some(MOST_CENTS)), cap(None, Some(1))] {
            assert_eq!(wrong(&[good]), []);
        }
        for bad in
            [cap(Some(0), None), cap(Some(MOST_COUNT + 1), None), cap(None, Some(0)), cap(None, Some(MOST_CENTS + 1)), cap(Some(-1), None)]
        {
            assert_eq!(wrong(&[bad]).len(), 1);
        }
        assert_eq!(wrong(&(0..21).map(|_| cap(Some(1), None)).collect::<Vec<_>>())[0].message.get(Locale::English), "At most 20 caps");
    }
}
