//! The beginning of a cap's window, and which caps apply at a moment.

use jiff::ToSpan;

use super::{CapRule, CapWindow, StoredCap};
use base::clock::{self, HOUR};

impl CapWindow {
    /// All windows.
    pub const ALL: [CapWindow; 5] = [CapWindow::Hour, CapWindow::Day, CapWindow::Week, CapWindow::Month, CapWindow::Total];

    /// The first millisecond of the window of a moment; 0 for the window of all time.
    pub fn start(self, at: i64) -> i64 {
        let day = clock::day(at);
        match self {
            CapWindow::Hour => at - at.rem_euclid(HOUR),
            CapWindow::Day => clock::start(day),
            CapWindow::Week => clock::start(day.saturating_sub(i64::from(day.weekday().to_monday_zero_offset()).days())),
            CapWindow::Month => clock::start(day.first_of_month()),
            CapWindow::Total => 0,
        }
    }
}

/// The caps that apply at a moment, in the order in which they are taken.
pub fn counting(caps: &[StoredCap], at: i64) -> Vec<&StoredCap> {
    let rules_of = |cap: &StoredCap| caps.iter().filter(|other| other.subject == cap.subject).map(|other| &other.rule).collect::<Vec<_>>();
    let mut counting: Vec<&StoredCap> = caps.iter().filter(|cap| counts(&cap.rule, &rules_of(cap), at)).collect();
    // One order everywhere: two transactions that take the same caps never wait for each other in a circle.
    counting.sort_by_key(|cap| cap.id);
    counting
}

/// Those of one subject's caps that apply at a moment.
pub fn counting_now(caps: &[CapRule], at: i64) -> impl Iterator<Item = &CapRule> {
    let rules: Vec<&CapRule> = caps.iter().collect();
    caps.iter().filter(move |cap| counts(cap, &rules, at))
}

/// Whether a cap applies at a moment, given all caps of its subject: the cap of a weekday replaces that of every day.
fn counts(cap: &CapRule, all: &[&CapRule], at: i64) -> bool {
    let today = clock::day(at).weekday().to_monday_one_offset().unsigned_abs();
    match *cap {
        CapRule { weekday: Some(weekday), .. } => weekday == today,
        CapRule { window: CapWindow::Day, .. } => !all.iter().any(|other| other.window == CapWindow::Day && other.weekday == Some(today)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::super::Subject;
    use super::*;
    use base::clock::{DAY, date_time, day_start};

    fn starts(at: i64) -> [String; 4] {
        [CapWindow::Hour, CapWindow::Day, CapWindow::Week, CapWindow::Month].map(|window| date_time(window.start(at)))
    }

    #[test]
    fn windows_begin_on_shanghais_clock() {
        let midnight = day_start("2026-03-01").unwrap(); // a Sunday, the first of a month
        let text = |times: [&str; 4]| times.map(str::to_owned);
        assert_eq!(
            starts(midnight - 1),
            text(["2026-02-28 23:00:00", "2026-02-28 00:00:00", "2026-02-23 00:00:00", "2026-02-01 00:00:00"])
        );
        assert_eq!(starts(midnight), text(["2026-03-01 00:00:00", "2026-03-01 00:00:00", "2026-02-23 00:00:00", "2026-03-01 00:00:00"]));
        // Sunday's last millisecond and Monday's first.
        assert_eq!(date_time(CapWindow::Week.start(midnight + DAY - 1)), "2026-02-23 00:00:00");
        assert_eq!(date_time(CapWindow::Week.start(midnight + DAY)), "2026-03-02 00:00:00");
        // The turn of a year: Thursday.
        let year = day_start("2026-01-01").unwrap();
        assert_eq!(starts(year), text(["2026-01-01 00:00:00", "2026-01-01 00:00:00", "2025-12-29 00:00:00", "2026-01-01 00:00:00"]));
        assert_eq!(CapWindow::Total.start(midnight), 0);
    }

    #[test]
    fn a_weekdays_cap_stands_for_the_days() {
        let cap = |id, subject, window, weekday| StoredCap {
            id,
            subject: Subject { kind: "channel", id: subject },
            rule: CapRule { window, weekday, max_count: Some(1), max_cents: None },
        };
        let caps = [
            cap(5, 1, CapWindow::Hour, None),
            cap(1, 1, CapWindow::Day, None),
            cap(2, 1, CapWindow::Day, Some(7)),
            cap(3, 1, CapWindow::Day, Some(6)),
            cap(4, 2, CapWindow::Day, None),
        ];
        let ids = |at| counting(&caps, at).iter().map(|cap| cap.id).collect::<Vec<_>>();
        let sunday = day_start("2026-03-01").unwrap();
        assert_eq!(ids(sunday), [2, 4, 5]);
        assert_eq!(ids(sunday + DAY), [1, 4, 5]);
    }
}
