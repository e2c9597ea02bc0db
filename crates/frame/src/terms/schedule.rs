//! A schedule: opening hours by weekday, on Shanghai's clock.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Wrong;
use super::table::{sentence, weekday_name, word};
use crate::api::say;
use base::clock::{self, DAY, MINUTE};
use base::form_limits;
use base::locale::Locale;

/// Minutes of a day: the latest end of a span.
pub const DAY_MINUTES: u16 = 1440;
/// Days that [`Schedule::open_for`] looks ahead.
const LONGEST_WAIT: i64 = 366;

form_limits! {
    /// Of a schedule.
    schedule {
        /// Most spans of one weekday.
        MOST_SPANS: usize = 24,
    }
}

/// By weekday (1 is Monday) its spans `[from, to)`, in minutes of the day. A span over midnight is
/// two: until 1440, and from 0 of the day after.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, ts_rs::TS)]
#[ts(export, export_to = "api-types.ts", type = "{ [weekday: string]: Array<[number, number]> }")]
pub struct Schedule(BTreeMap<u8, Vec<[u16; 2]>>);

impl Schedule {
    /// Spans in order, adjacent ones joined, days without any left out.
    pub fn tidy(mut self) -> Schedule {
        for spans in self.0.values_mut() {
            spans.sort_unstable();
            let mut tidied: Vec<[u16; 2]> = Vec::with_capacity(spans.len());
            for span in spans.iter() {
                match tidied.last_mut() {
                    Some(last) if last[1] == span[0] => last[1] = span[1],
                    _ => tidied.push(*span),
                }
            }
            *spans = tidied;
        }
        self.0.retain(|_, spans| !spans.is_empty());
        self
    }

    /// All errors: by weekday, then by span.
    pub fn wrong(&self) -> Vec<Wrong> {
        let mut wrong = Vec::new();
        if self.0.values().all(Vec::is_empty) {
            wrong.push(Wrong::new("", say("至少要有一个时段", "At least one time span is required")));
        }
        for (weekday, spans) in &self.0 {
            if !(1..=7).contains(weekday) {
                wrong.push(Wrong::new(weekday.to_string(), say("没有这一天", "This weekday does not exist")));
                continue;
            }
            if spans.len() > MOST_SPANS {
                let message = say(format!("每天最多 {MOST_SPANS} 个时段"), format!("At most {MOST_SPANS} time spans per day"));
                wrong.push(Wrong::new(weekday.to_string(), message));
            }
            for (index, [from, to]) in spans.iter().enumerate() {
                let place = format!("{weekday}.{}", index + 1);
                if from >= to {
                    wrong.push(Wrong::new(place, say("结束要晚于开始", "The end must be after the start")));
                } else if *to > DAY_MINUTES {
                    wrong.push(Wrong::new(place, say("最晚到 24:00", "Must end by 24:00")));
                } else if spans[..index].iter().any(|[other, until]| other < to && from < until) {
                    wrong.push(Wrong::new(place, say("时段重叠", "Overlaps another time span")));
                }
            }
        }
        wrong
    }

    /// Whether it is open at a moment.
    pub fn is_open(&self, at: i64) -> bool {
        let (weekday, minute) = moment(at);
        self.spans(weekday).iter().any(|[from, to]| (*from..*to).contains(&minute))
    }

    /// The first moment from `at` on at which it is open; none if it never is.
    pub fn next_opening(&self, at: i64) -> Option<i64> {
        if self.is_open(at) {
            return Some(at);
        }
        let (today, minute) = moment(at);
        let midnight = clock::start(clock::day(at));
        // The same weekday again in a week: an earlier span of it may be the only one.
        (0..=7u8).find_map(|ahead| {
            let weekday = (today - 1 + ahead) % 7 + 1;
            let opening = self.spans(weekday).iter().map(|[from, _]| *from).filter(|from| ahead > 0 || *from > minute).min()?;
            Some(midnight + i64::from(ahead) * DAY + i64::from(opening) * MINUTE)
        })
    }

    /// The moment at which it has been open for so many minutes from `at` on; none if that takes more than a year.
    pub fn open_for(&self, at: i64, minutes: i64) -> Option<i64> {
        let mut left = minutes * MINUTE;
        let (today, _) = moment(at);
        let midnight = clock::start(clock::day(at));
        for ahead in 0..LONGEST_WAIT {
            let start = midnight + ahead * DAY;
            let weekday = (i64::from(today) - 1 + ahead) % 7 + 1;
            for [from, to] in self.spans(weekday as u8) {
                let from = at.max(start + i64::from(*from) * MINUTE);
                let open = start + i64::from(*to) * MINUTE - from;
                if open >= left {
                    return Some(from + left);
                }
                left -= open.max(0);
            }
        }
        None
    }

    /// "周一至周五 09:00–18:00；周六 10:00–16:00".
    pub fn sentence(&self, locale: Locale) -> String {
        // Days with the same spans are joined, in the order of the first of them.
        let mut groups: Vec<(&[[u16; 2]], Vec<u8>)> = Vec::new();
        for (weekday, spans) in self.0.iter().filter(|(weekday, spans)| (1..=7).contains(*weekday) && !spans.is_empty()) {
            match groups.iter_mut().find(|(other, _)| other == spans) {
                Some((_, days)) => days.push(*weekday),
                None => groups.push((spans.as_slice(), vec![*weekday])),
            }
        }
        let parts: Vec<String> =
            groups.iter().map(|(spans, days)| format!("{} {}", days_words(days, locale), spans_words(spans, locale))).collect();
        match parts.is_empty() {
            true => sentence(word("noSchedule", locale).to_owned()),
            false => sentence(parts.join(word("semicolon", locale))),
        }
    }

    fn spans(&self, weekday: u8) -> &[[u16; 2]] {
        self.0.get(&weekday).map_or(&[], Vec::as_slice)
    }
}

/// The weekday (1 is Monday) and the minute of a moment.
fn moment(at: i64) -> (u8, u16) {
    let local = clock::local(at);
    let minute = u16::from(local.hour().unsigned_abs()) * 60 + u16::from(local.minute().unsigned_abs());
    (local.weekday().to_monday_one_offset().unsigned_abs(), minute)
}

/// Runs of three and more are "from to"; the whole week is every day.
fn days_words(days: &[u8], locale: Locale) -> String {
    if days.len() == 7 {
        return word("everyDay", locale).to_owned();
    }
    let runs = days.chunk_by(|day, next| next - day == 1);
    let parts = runs.flat_map(|run| match run {
        [first, _, .., last] => vec![format!("{}{}{}", weekday_name(*first, locale), word("to", locale), weekday_name(*last, locale))],
        few => few.iter().map(|day| weekday_name(*day, locale).to_owned()).collect(),
    });
    parts.collect::<Vec<_>>().join(word("comma", locale))
}

fn spans_words(spans: &[[u16; 2]], locale: Locale) -> String {
    if spans == [[0, DAY_MINUTES]] {
        return word("allDay", locale).to_owned();
    }
    let parts = spans.iter().map(|[from, to]| format!("{}–{}", clock_words(*from), clock_words(*to)));
    parts.collect::<Vec<_>>().join(word("comma", locale))
}

/// "09:30"; the end of a day is "24:00".
fn clock_words(minute: u16) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::terms::cases;
    use base::clock::HOUR;

    fn schedule(value: Value) -> Schedule {
        serde_json::from_value(value).unwrap()
    }

    /// Monday the 2nd of March 2026, midnight.
    fn monday() -> i64 {
        clock::day_start("2026-03-02").unwrap()
    }

    #[test]
    fn minutes_count_while_it_is_open() {
        let week = schedule(json!({"1": [[540, 720], [780, 1080]], "5": [[540, 1080]]}));
        let at = |days: i64, hours: i64, minutes: i64| monday() + days * DAY + hours * HOUR + minutes * MINUTE;
        for (from, minutes, until) in [
            (at(0, 10, 0), 60, at(0, 11, 0)),
            (at(0, 10, 0), 120, at(0, 12, 0)),
            // Over the break, the night and the days without hours.
            (at(0, 11, 30), 60, at(0, 13, 30)),
            (at(0, 17, 30), 60, at(4, 9, 30)),
            (at(0, 0, 0), 30, at(0, 9, 30)),
            (at(5, 12, 0), 30, at(7, 9, 30)),
            (at(4, 17, 59), 2, at(7, 9, 1)),
        ] {
            assert_eq!(week.open_for(from, minutes), Some(until), "{from} {minutes}");
        }
        assert_eq!(schedule(json!({"1": [[0, 1]]})).open_for(monday(), 60), None);
    }

    #[test]
    fn both_sides_say_the_same() {
        for case in cases::of("schedules") {
            let schedule = schedule(case["schedule"].clone()).tidy();
            assert_eq!(schedule.wrong(), []);
            assert_eq!(schedule.sentence(Locale::Chinese), case["zh-CN"], "{}", case["schedule"]);
            assert_eq!(schedule.sentence(Locale::English), case["en-US"], "{}", case["schedule"]);
        }
    }

    #[test]
    fn both_sides_find_the_same_wrong() {
        for case in cases::of("wrongSchedules") {
            let wrong = schedule(case["schedule"].clone()).wrong();
            let faults: Vec<Value> = wrong.iter().map(|wrong| json!([wrong.place, wrong.message.get(Locale::English)])).collect();
            assert_eq!(Value::from(faults), case["wrong"], "{}", case["schedule"]);
        }
    }

    #[test]
    fn open_from_the_first_minute_and_not_at_the_last() {
        let office = schedule(json!({"1": [[540, 720], [810, 1080]]}));
        for (minute, open) in [(0, false), (539, false), (540, true), (719, true), (720, false), (810, true), (1079, true), (1080, false)] {
            assert_eq!(office.is_open(monday() + minute * MINUTE), open, "{minute}");
            assert!(!office.is_open(monday() + DAY + minute * MINUTE), "Tuesday {minute}");
        }
    }

    #[test]
    fn over_midnight_is_two_spans() {
        let night = schedule(json!({"7": [[1320, 1440]], "1": [[0, 120]]}));
        assert!(night.is_open(monday() - 1) && night.is_open(monday()) && !night.is_open(monday() + 2 * HOUR));
    }

    #[test]
    fn the_next_opening() {
        let office = schedule(json!({"1": [[540, 720]], "3": [[600, 660]]}));
        let next = |at| office.next_opening(at).map(|at| (at - monday()) / MINUTE);
        assert_eq!(next(monday()), Some(540));
        assert_eq!(next(monday() + 600 * MINUTE), Some(600), "open already");
        assert_eq!(next(monday() + 720 * MINUTE), Some(2 * 1440 + 600), "closed at noon, then Wednesday");
        assert_eq!(next(monday() + 3 * DAY), Some(7 * 1440 + 540), "next week");
        // The only span ended an hour ago: the next one is in a week.
        let single = schedule(json!({"1": [[540, 600]]}));
        assert_eq!(single.next_opening(monday() + 11 * HOUR), Some(monday() + 7 * DAY + 9 * HOUR));
        assert_eq!(Schedule::default().next_opening(monday()), None);
    }

    #[test]
    fn spans_that_meet_become_one() {
        let messy = schedule(json!({"2": [[720, 900], [540, 720]], "3": []}));
        assert_eq!(messy.tidy(), schedule(json!({"2": [[540, 900]]})));
    }

    #[test]
    fn a_malformed_schedule_is_refused() {
        for bad in
            [json!([]), json!({"mon": []}), json!({"1": [[1]]}), json!({"1": [[-1, 5]]}), json!({"1": [[0, 70000]]}), json!({"1": 5})]
        {
            assert!(serde_json::from_value::<Schedule>(bad.clone()).is_err(), "{bad}");
        }
    }
}
