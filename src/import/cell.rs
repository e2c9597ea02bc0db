//! How cells are read that hold more than a text: codes, moments, money, yes and no.

use crate::api::{Say, say};
use crate::clock;
use crate::codes::Codes;
use crate::locale::Locale;

/// The one of some codes that a cell names, by its label in either language or by itself; else what it
/// should be.
pub fn coded<T: Copy>(all: impl Iterator<Item = T>, text: &str, names: impl Fn(T) -> [String; 3]) -> Result<T, Say> {
    let all: Vec<(T, [String; 3])> = all.map(|code| (code, names(code))).collect();
    let found = all.iter().find(|(_, names)| names.iter().any(|name| name.eq_ignore_ascii_case(text)));
    found.map(|(code, _)| *code).ok_or_else(|| {
        let labels = |language: usize, comma: &str| all.iter().map(|(_, names)| names[language].as_str()).collect::<Vec<_>>().join(comma);
        say(format!("应为：{}", labels(0, "、")), format!("Must be one of: {}", labels(1, ", ")))
    })
}

/// The code that a cell names by its label in either language or by itself; the error lists the labels.
pub fn code<C: Codes>(text: &str) -> Result<C, Say> {
    let names = |code: C| [code.label(Locale::Chinese), code.label(Locale::English), code.into()].map(str::to_owned);
    coded(C::ALL.iter().copied(), text, names)
}

/// A moment on Shanghai's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A whole day, by its first millisecond.
    Day(i64),
    At(i64),
}

/// The moment that a cell names: `2030-12-31`, `2030/1/5 18:00`; none where it names no such one.
pub fn moment(text: &str) -> Option<Moment> {
    let text = text.replace('/', "-");
    let (day, time) = text.split_once([' ', 'T']).unwrap_or((&text, ""));
    let start = clock::day_start(&padded(day))?;
    match time {
        "" => Some(Moment::Day(start)),
        time => clock::time_of_day(time).map(|milliseconds| Moment::At(start + milliseconds)),
    }
}

/// `2030-01-05` of `2030-1-5`, as spreadsheets write days.
fn padded(day: &str) -> String {
    day.split('-').map(|part| format!("{part:0>2}")).collect::<Vec<_>>().join("-")
}

/// Fen, of yuan with at most two decimals; `12,000.5` is read as well.
pub fn cents(text: &str) -> Option<i64> {
    let text = text.replace([',', '，'], "");
    let (yuan, part) = text.split_once('.').unwrap_or((&text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if yuan.is_empty() || yuan.len() > 12 || part.len() > 2 || !digits(yuan) || !digits(part) {
        return None;
    }
    format!("{yuan}{part:0<2}").parse().ok()
}

/// A yes or a no, in either language.
pub fn flag(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "是" | "有" | "yes" | "true" | "1" => Some(true),
        "否" | "无" | "没有" | "no" | "false" | "0" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::HOUR;

    #[test]
    fn moments_are_read_as_people_and_spreadsheets_write_them() {
        let start = clock::day_start("2030-01-05").unwrap();
        for (text, found) in [
            ("2030-01-05", Some(Moment::Day(start))),
            ("2030/1/5", Some(Moment::Day(start))),
            ("2030-01-05 18:00", Some(Moment::At(start + 18 * HOUR))),
            ("2030-01-05T18:00:30", Some(Moment::At(start + 18 * HOUR + 30_000))),
            ("", None),
            ("2030-02-30", None),
            ("明天", None),
            ("2030-01-05 25:00", None),
            ("20300105", None),
            ("2030-01-05 x", None),
        ] {
            assert_eq!(moment(text), found, "{text}");
        }
    }

    #[test]
    fn yuan_are_read_as_fen() {
        for (text, found) in [
            ("50000", Some(5_000_000)),
            ("50,000.5", Some(5_000_050)),
            ("0.07", Some(7)),
            ("", None),
            (".5", None),
            ("1.005", None),
            ("-1", None),
            ("1e5", None),
            ("9999999999999", None),
        ] {
            assert_eq!(cents(text), found, "{text}");
        }
    }

    #[test]
    fn yes_and_no_are_read_in_either_language() {
        assert_eq!(["是", "YES", "有", "0", "无", "maybe"].map(flag), [Some(true), Some(true), Some(true), Some(false), Some(false), None]);
    }
}
