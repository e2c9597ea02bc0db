//! `js/terms.json`: the words of terms and the fields of an applicant, for server and browser.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Deserialize;

use super::applicant::Field;
use base::locale::{Locale, Text};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    words: HashMap<String, Text>,
    /// Monday to Sunday.
    weekdays: Vec<Text>,
    windows: HashMap<String, Text>,
    pub fields: Vec<Field>,
}

/// The table, read once; the tests here check its content.
pub static TABLE: LazyLock<Table> =
    LazyLock::new(|| serde_json::from_str(include_str!("../../../../js/terms.json")).expect("js/terms.json has the form of Table"));

/// A word of the sentences.
pub fn word(name: &str, locale: Locale) -> &'static str {
    TABLE.words[name].get(locale)
}

/// A word whose `{name}` places are filled.
pub fn fill(name: &str, locale: Locale, places: &[(&str, &str)]) -> String {
    filled(word(name, locale), places)
}

/// The name of a cap's window: of every day, or of one weekday (1 is Monday).
pub fn window(code: &str, weekday: Option<u8>, locale: Locale) -> String {
    match weekday {
        Some(day) => filled(TABLE.windows["weekday"].get(locale), &[("day", weekday_name(day, locale))]),
        None => TABLE.windows[code].get(locale).to_owned(),
    }
}

/// The name of a weekday, 1 for Monday.
pub fn weekday_name(weekday: u8, locale: Locale) -> &'static str {
    TABLE.weekdays[usize::from(weekday - 1)].get(locale)
}

/// A number with separators between thousands.
pub fn grouped(number: i64) -> String {
    let digits = number.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + 4);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// Fen as yuan, without decimals if they are zero.
pub fn yuan(cents: i64) -> String {
    match cents % 100 {
        0 => grouped(cents / 100),
        rest if (-99..0).contains(&cents) => format!("-0.{:02}", rest.abs()),
        rest => format!("{}.{:02}", grouped(cents / 100), rest.abs()),
    }
}

/// A sentence begins with a capital, if its script has them.
pub fn sentence(text: String) -> String {
    let mut characters = text.chars();
    match characters.next() {
        Some(first) if first.is_ascii_lowercase() => format!("{}{}", first.to_ascii_uppercase(), characters.as_str()),
        _ => text,
    }
}

fn filled(text: &str, places: &[(&str, &str)]) -> String {
    places.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!([0, 999, 1_000, 1_234_567, -1_000].map(grouped), ["0", "999", "1,000", "1,234,567", "-1,000"]);
        assert_eq!([500_000, 500_050, 5].map(yuan), ["5,000", "5,000.50", "0.05"]);
    }
}
