//! Reading of cells that are more than a text: codes, moments, money, yes and no.

use crate::api::check::with_unit;
use crate::api::{Say, say};
pub use base::canonical::Moment;
use base::canonical::{self, AmountError};
use base::codes::Codes;
use base::locale::Locale;

/// The texts of spreadsheets for a formula without a value.
const ERROR_VALUES: &[&str] = &[
    "#N/A",
    "#REF!",
    "#VALUE!",
    "#DIV/0!",
    "#NAME?",
    "#NUM!",
    "#NULL!",
    "#SPILL!",
    "#CALC!",
    "#FIELD!",
    "#BLOCKED!",
    "#CONNECT!",
    "#BUSY!",
    "#UNKNOWN!",
    "#EXTERNAL!",
    "#PYTHON!",
    "#GETTING_DATA",
    "#DATA!",
];

/// Why a text is not a valid cell: an error of a spreadsheet, or a number whose last digits a spreadsheet has
/// dropped.
pub(super) fn fault(text: &str) -> Option<Say> {
    if text.starts_with('#') && ERROR_VALUES.iter().any(|error| error.eq_ignore_ascii_case(text)) {
        return Some(error_value(text));
    }
    is_shortened(text).then(shortened)
}

/// The error of a cell with a spreadsheet's error value.
pub(super) fn error_value(text: &str) -> Say {
    say(
        format!("是错误值 {text}，请改正公式或填写内容"),
        format!("This is the error value {text}: correct the formula or fill in the value"),
    )
}

/// The error of a number that has lost digits.
pub(super) fn shortened() -> Say {
    say(
        "数字已被表格软件改为科学记数，末尾数字已丢失；请将该列设为文本后从原文件重新取数",
        "The spreadsheet has shortened this number, and its last digits are lost: format the column as text and copy it from the original file again",
    )
}

/// `4.2E+27`: the form in which spreadsheets write long numbers.
fn is_shortened(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let Some((number, power)) = text.trim_start_matches(['-', '`']).split_once(['E', 'e']) else { return false };
    let (whole, part) = number.split_once('.').unwrap_or((number, "0"));
    whole.len() == 1 && digits(whole) && digits(part) && power.strip_prefix('+').is_some_and(digits)
}

/// The code of a cell, by its label in either language or by itself; otherwise an error with the choices.
pub fn coded<T: Copy>(all: impl Iterator<Item = T>, text: &str, names: impl Fn(T) -> [String; 3]) -> Result<T, Say> {
    let all: Vec<(T, [String; 3])> = all.map(|code| (code, names(code))).collect();
    let found = all.iter().find(|(_, names)| names.iter().any(|name| name.eq_ignore_ascii_case(text)));
    found.map(|(code, _)| *code).ok_or_else(|| {
        let labels = |language: usize, comma: &str| all.iter().map(|(_, names)| names[language].as_str()).collect::<Vec<_>>().join(comma);
        say(format!("应为：{}", labels(0, "、")), format!("Must be one of: {}", labels(1, ", ")))
    })
}

/// The code of a cell, by its label in either language or by itself; the error lists the labels.
pub fn code<C: Codes>(text: &str) -> Result<C, Say> {
    let names = |code: C| [code.label(Locale::Chinese), code.label(Locale::English), code.into()].map(str::to_owned);
    coded(C::ALL.iter().copied(), text, names)
}

/// The moment in a cell, also as a spreadsheet's serial number; none if it is not a moment.
pub fn moment(text: &str) -> Option<Moment> {
    canonical::moment_or_serial(text)
}

/// Yuan with at most two decimals, as fen; none if it is not an amount.
pub fn cents(text: &str) -> Option<i64> {
    canonical::amount(text).ok()
}

/// Yuan with at most two decimals, as fen; otherwise an error with the expected form.
pub fn money(text: &str) -> Result<i64, Say> {
    canonical::amount(text).map_err(|error| match error {
        AmountError::Unit => with_unit(),
        AmountError::TooLarge => out_of_range(),
        AmountError::Empty | AmountError::Decimals | AmountError::NotANumber => {
            say("应为金额，最多两位小数", "Enter an amount with at most two decimals")
        }
    })
}

/// The error of an amount that is too large to store.
pub fn out_of_range() -> Say {
    say("金额超出范围", "The amount is out of range")
}

/// A whole number; otherwise an error with the expected form.
pub fn integer(text: &str) -> Result<i64, Say> {
    canonical::integer(text).ok_or_else(|| match canonical::has_unit(text) {
        true => with_unit(),
        false => say("应为整数", "Enter a whole number"),
    })
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
    use base::clock::{self, HOUR};

    #[test]
    fn moments_are_read_as_people_and_spreadsheets_write_them() {
        let start = clock::day_start("2030-01-05").unwrap();
        for (text, found) in [
            ("2030-01-05", Some(Moment::Day(start))),
            ("2030/1/5", Some(Moment::Day(start))),
            ("2030-01-05 18:00", Some(Moment::At(start + 18 * HOUR))),
            ("2030/1/5 9:05", Some(Moment::At(start + 9 * HOUR + 300_000))),
            ("47488", Some(Moment::Day(start))),
            ("2030-01-05T18:00:30", Some(Moment::At(start + 18 * HOUR + 30_000))),
            ("", None),
            ("2030-02-30", None),
            ("明天", None),
            ("2030-01-05 25:00", None),
            ("20300105", Some(Moment::Day(start))),
            ("2030.1.5", Some(Moment::Day(start))),
            ("2030年1月5日", Some(Moment::Day(start))),
            ("2030年01月05日 9:05", Some(Moment::At(start + 9 * HOUR + 300_000))),
            ("2030/1/5 9:05", Some(Moment::At(start + 9 * HOUR + 300_000))),
            ("2030/1/5 9:05:07", Some(Moment::At(start + 9 * HOUR + 307_000))),
            ("203001050", None),
            ("2030-01-05 :", None),
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
            (".5", Some(50)),
            ("5，000元", Some(500_000)),
            ("5万", None),
            ("1.005", None),
            ("-1", None),
            ("1e5", None),
            ("9999999999999", None),
        ] {
            assert_eq!(cents(text), found, "{text}");
        }
    }

    #[test]
    fn what_spreadsheets_leave_of_a_value_is_none() {
        for text in ["#N/A", "#ref!", "#SPILL!", "4.2E+27", "1.38E+10", "5e+15", "-1.1E+17"] {
            assert!(fault(text).is_some(), "{text}");
        }
        for text in ["", "#1", "N/A", "#", "1E5", "13800138000", "E+5", "1.5", "12.3E+4", "2E+", "1.E+5"] {
            assert!(fault(text).is_none(), "{text}");
        }
    }

    #[test]
    fn yes_and_no_are_read_in_either_language() {
        assert_eq!(["是", "YES", "有", "0", "无", "maybe"].map(flag), [Some(true), Some(true), Some(true), Some(false), Some(false), None]);
    }
}
