//! Days and times, as people and spreadsheets write them, on Shanghai's clock.

use jiff::{Timestamp, civil};

use super::{all_digits, half_width, is_dash, trimmed};
use crate::clock::{self, HOUR, MINUTE};

/// A moment on Shanghai's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A whole day, by its first millisecond.
    Day(i64),
    /// Epoch milliseconds.
    At(i64),
}

impl Moment {
    /// Epoch milliseconds; of a day its first one.
    pub fn at(self) -> i64 {
        let (Moment::Day(at) | Moment::At(at)) = self;
        at
    }
}

/// The first millisecond of a day in Shanghai: `2026-11-26`, `2026/1/5`, `2026.1.5`, `2026年1月5日`, `20260105`.
pub fn day(text: &str) -> Option<i64> {
    let text = half_width(text);
    let text = trimmed(&text);
    if text.len() == 8 && all_digits(text) {
        return date(&text[..4], &text[4..6], &text[6..]);
    }
    let text = text.strip_suffix(['日', '号']).unwrap_or(text);
    let mut parts = text.split(|character: char| matches!(character, '/' | '.' | '年' | '月') || is_dash(character)).map(trimmed);
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    parts.next().is_none().then(|| date(year, month, day))?
}

fn date(year: &str, month: &str, day: &str) -> Option<i64> {
    let short = |text: &str| text.len() <= 2 && all_digits(text);
    if year.len() != 4 || !all_digits(year) || !short(month) || !short(day) {
        return None;
    }
    civil::Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok().map(clock::start)
}

/// The milliseconds from midnight: `9:05`, `09:05:30`, `9时5分`, `9点`.
pub fn time(text: &str) -> Option<i64> {
    let text = half_width(text).replace(['时', '点', '分'], ":").replace('秒', "");
    let text = trimmed(&text);
    let parts: Vec<&str> = text.strip_suffix(':').unwrap_or(text).split(':').map(trimmed).collect();
    // `9时` is an hour; a `9` alone is none.
    if parts.len() == 1 && !text.ends_with(':') || parts.len() > 3 {
        return None;
    }
    let (last, fraction) = match parts.get(2).copied() {
        Some(seconds) => seconds.split_once('.').unwrap_or((seconds, "0")),
        None => ("0", "0"),
    };
    let number = |text: &str, most: i64| text.parse::<i64>().ok().filter(|number| text.len() <= 2 && all_digits(text) && *number <= most);
    let hour = number(parts[0], 23)?;
    let minute = parts.get(1).map_or(Some(0), |minute| number(minute, 59))?;
    let second = number(last, 59)?;
    let thousandths: i64 = (all_digits(fraction) && fraction.len() <= 9).then(|| format!("{fraction:0<3}")[..3].parse().ok())??;
    Some(hour * HOUR + minute * MINUTE + second * 1000 + thousandths)
}

/// A day, or a day and a time, on Shanghai's clock; with a zone (`2026-11-26T10:00:00Z`) or as epoch milliseconds of thirteen
/// digits as well.
pub fn moment(text: &str) -> Option<Moment> {
    let text = half_width(text);
    let text = trimmed(&text);
    if text.len() == 13 && all_digits(text) {
        return text.parse().ok().map(Moment::At);
    }
    if let Some(start) = day(text) {
        return Some(Moment::Day(start));
    }
    if text.contains(':')
        && let Ok(at) = text.parse::<Timestamp>()
    {
        return Some(Moment::At(at.as_millisecond()));
    }
    let after = text.find(['日', '号']).map(|at| at + '日'.len_utf8());
    let (start, rest) = match after {
        Some(after) => text.split_at(after),
        None => text.split_once(|character: char| character == 'T' || character.is_whitespace())?,
    };
    Some(Moment::At(day(start)? + time(rest)?))
}

/// A moment that may also be a spreadsheet's serial number, which counts days from 1899-12-30: `46352`, `46352.38`. Only for
/// cells of files: anywhere else such a number is no moment.
pub fn moment_or_serial(text: &str) -> Option<Moment> {
    moment(text).or_else(|| serial(text))
}

fn serial(text: &str) -> Option<Moment> {
    let text = half_width(text);
    let text = trimmed(&text);
    let (days, part) = text.split_once('.').unwrap_or((text, "0"));
    if !all_digits(days) || !all_digits(part) || days.len() > 7 || part.len() > 18 {
        return None;
    }
    // The day before 1900-03-01 is one that there was not; 2958465 is the end of 9999.
    let days: i64 = days.parse().ok().filter(|days| (61..=2_958_465).contains(days))?;
    let whole = 10_i128.pow(u32::try_from(part.len()).ok()?);
    let seconds = (part.parse::<i128>().ok()? * 86_400 + whole / 2) / whole;
    let start = clock::start(civil::date(1899, 12, 30)) + days * clock::DAY;
    // Shanghai's offset has been the same throughout in the product, so days are of equal length.
    Some(match i64::try_from(seconds).ok()? {
        0 => Moment::Day(start),
        seconds => Moment::At(start + seconds * 1000),
    })
}

/// A day as it is stored, `YYYY-MM-DD`, or a text that is no day without the blanks around it, for a check to refuse.
pub fn day_or_text(text: &str) -> String {
    day(text).map_or_else(|| trimmed(text).to_owned(), |start| clock::day(start).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_times_are_read_as_people_and_spreadsheets_write_them() {
        let start = clock::day_start("2026-11-26").unwrap();
        let nine = Moment::At(start + 9 * HOUR + 5 * MINUTE);
        for (written, read) in [
            ("2026-11-26", Some(Moment::Day(start))),
            ("2026/11/26", Some(Moment::Day(start))),
            ("2026年11月26日", Some(Moment::Day(start))),
            ("2026.11.26", Some(Moment::Day(start))),
            ("20261126", Some(Moment::Day(start))),
            ("２０２６／１１／２６", Some(Moment::Day(start))),
            ("2026/11/26 9:05", Some(nine)),
            ("2026-11-26 09:05:00", Some(nine)),
            ("2026-11-26T09:05", Some(nine)),
            ("2026年11月26日 9时5分", Some(nine)),
            ("2026年11月26日9时5分", Some(nine)),
            ("2026-11-26T01:05:00Z", Some(nine)),
            ("2026-11-26T09:05:00+08:00", Some(nine)),
            ("2026-11-26 09:05:30.250", Some(Moment::At(start + 9 * HOUR + 5 * MINUTE + 30_250))),
            ("1795655100000", Some(Moment::At(1_795_655_100_000))),
            ("", None),
            ("明天", None),
            ("2026-02-30", None),
            ("20260230", None),
            ("2026-11-26 25:00", None),
            ("2026-11-26 9", None),
            ("2026-11-26 x", None),
            ("26-11-2026", None),
            ("46352", None),
            ("1", None),
            ("9999999999", None),
        ] {
            assert_eq!(moment(written), read, "{written:?}");
        }
        assert_eq!(moment_or_serial("46352"), Some(Moment::Day(start)));
        assert_eq!(moment_or_serial("46352.38"), Some(Moment::At(start + 9 * HOUR + 7 * MINUTE + 12_000)));
        assert_eq!((moment_or_serial("0"), moment_or_serial("9999999"), moment_or_serial("-1")), (None, None, None));
        assert_eq!((time("8:00"), time("9点"), time("9"), time("24:00"), time("")), (Some(8 * HOUR), Some(9 * HOUR), None, None, None));
    }
}
