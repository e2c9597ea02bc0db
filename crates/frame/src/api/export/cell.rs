//! A cell of a file: its value, and its text made harmless to spreadsheets.

use base::locale::Locale;

/// A cell, before it becomes text or a number of its format.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    Text(String),
    Number(i64),
    /// Fen; shown as yuan with two decimals.
    Money(i64),
    /// Basis points; shown as percent with two decimals.
    Percent(i64),
    /// Epoch milliseconds; shown as Asia/Shanghai date and time.
    Time(i64),
    Empty,
}

impl Cell {
    /// A text, or an empty cell.
    pub fn text(text: impl Into<Option<String>>) -> Cell {
        text.into().filter(|text| !text.is_empty()).map_or(Cell::Empty, Cell::Text)
    }

    /// A yes, or an empty cell: for what is true of few rows.
    pub fn mark(holds: bool, locale: Locale) -> Cell {
        Cell::text(holds.then(|| yes_or_no(true, locale).to_owned()))
    }

    /// A time, or an empty cell.
    pub fn time(at: Option<i64>) -> Cell {
        at.map_or(Cell::Empty, Cell::Time)
    }
}

/// Yes or no, as people read it.
pub fn yes_or_no(holds: bool, locale: Locale) -> &'static str {
    if holds { locale.pick("是", "Yes") } else { locale.pick("否", "No") }
}

/// A text that no spreadsheet takes for a formula (CWE-1236): a quote goes before a beginning that
/// one would read as such, full-width forms included.
pub(crate) fn harmless(text: &str) -> String {
    match text.chars().next() {
        Some('=' | '+' | '-' | '@' | '\t' | '\r' | '\n' | '＝' | '＋' | '－' | '＠') => format!("'{text}"),
        _ => text.to_owned(),
    }
}

/// `-1234.50` of -123450: fen as yuan, basis points as percent.
pub(super) fn hundredths(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let number = number.unsigned_abs();
    format!("{sign}{}.{:02}", number / 100, number % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_of_formulas_are_made_harmless() {
        for bad in ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1"] {
            assert_eq!(harmless(bad), format!("'{bad}"));
        }
        assert_eq!(harmless("a=1"), "a=1");
        assert_eq!(harmless(""), "");
    }

    #[test]
    fn money_is_yuan_with_two_decimals() {
        assert_eq!(hundredths(0), "0.00");
        assert_eq!(hundredths(5), "0.05");
        assert_eq!(hundredths(-123_450), "-1234.50");
        assert_eq!(hundredths(i64::MIN), "-92233720368547758.08");
    }
}
