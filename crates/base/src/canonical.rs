//! One form for what people write in many: phones, identity numbers, amounts, days, times, names, codes.
//!
//! Forms, searches, imports and partner calls read through here, so that what is stored, hashed and compared is the same
//! everywhere. `js/lib/canonical.ts` holds the same rules for the browser.

mod moments;

use std::borrow::Cow;

pub use self::moments::{Moment, day, day_or_text, moment, moment_or_serial, time};

/// A text with full-width letters, digits, punctuation and blanks (U+FF01 to U+FF5E, U+3000) in plain width.
pub fn half_width(text: &str) -> Cow<'_, str> {
    let plain = |character: char| match character {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(character as u32 - 0xfee0).unwrap_or(character),
        '\u{3000}' => ' ',
        other => other,
    };
    match text.chars().any(|character| plain(character) != character) {
        true => Cow::Owned(text.chars().map(plain).collect()),
        false => Cow::Borrowed(text),
    }
}

/// The zeros of all decimal digits but ASCII's (Unicode 17, general category Nd). Nine more digits follow each.
#[rustfmt::skip]
const ZEROS: [u32; 76] = [
    0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090,
    0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50,
    0xabf0, 0xff10, 0x104a0, 0x10d30, 0x10d40, 0x11066, 0x110f0, 0x11136, 0x111d0, 0x112f0, 0x11450, 0x114d0, 0x11650, 0x116c0,
    0x116d0, 0x116da, 0x11730, 0x118e0, 0x11950, 0x11bf0, 0x11c50, 0x11d50, 0x11da0, 0x11de0, 0x11f50, 0x16130, 0x16a60, 0x16ac0,
    0x16b50, 0x16d70, 0x1ccf0, 0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6, 0x1e140, 0x1e2f0, 0x1e4f0, 0x1e5f1, 0x1e950, 0x1fbf0,
];

/// The ASCII digit of a decimal digit of any script or style, `1` of `１`, `١` and `𝟏`.
pub fn digit(character: char) -> Option<char> {
    if character.is_ascii() {
        return Some(character).filter(char::is_ascii_digit);
    }
    let point = u32::from(character);
    let zero = ZEROS[..ZEROS.partition_point(|zero| *zero <= point)].last()?;
    char::from_digit(point - zero, 10)
}

/// Whether a character shows nothing and takes no room or only looks like a blank: zero-width characters, marks of direction,
/// the byte order mark, fillers, selectors of variants.
pub fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Whether a character is a dash of any kind, in plain width.
pub fn is_dash(character: char) -> bool {
    matches!(character, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' | '\u{fe63}')
}

/// Without invisible characters and blanks around it.
pub fn trimmed(text: &str) -> &str {
    text.trim_matches(|character: char| character.is_whitespace() || is_invisible(character))
}

/// Without invisible characters anywhere and without blanks around it: a keyword, a nickname, a title.
pub fn visible(text: &str) -> Cow<'_, str> {
    let text = trimmed(text);
    match text.chars().any(is_invisible) {
        true => Cow::Owned(text.chars().filter(|character| !is_invisible(*character)).collect()),
        false => Cow::Borrowed(text),
    }
}

/// Without the signs by which spreadsheets keep a number as a text: `'139…`, `` `139… ``, `="139…"`.
fn unquoted(text: &str) -> &str {
    let text = trimmed(text);
    let formula = text.strip_prefix("=\"").and_then(|text| text.strip_suffix('"'));
    formula.unwrap_or_else(|| text.strip_prefix(['\'', '`', '‘', '’']).unwrap_or(text))
}

/// In plain width, with ASCII digits, without blanks, invisible characters and dashes.
fn joined(text: &str) -> String {
    half_width(text)
        .chars()
        .filter(|character| !character.is_whitespace() && !is_invisible(*character) && !is_dash(*character))
        .map(|character| digit(character).unwrap_or(character))
        .collect()
}

fn all_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A mainland mobile number as eleven digits, `10000030001` of `+86 100-0003-0001`; none where it is no such number. A number with
/// one point within, `100000300.01`, is an amount.
pub fn phone(text: &str) -> Option<String> {
    let text = half_width(text);
    let text = joined(unquoted(&text).trim_end_matches(['.', '。']));
    if text.matches('.').count() == 1 {
        return None;
    }
    let digits: String = text.chars().filter(|character| !matches!(character, '.' | '·' | '(' | ')' | '[' | ']')).collect();
    let local = ["+86", "0086", "86"].iter().find_map(|prefix| digits.strip_prefix(prefix).filter(|rest| rest.len() == 11));
    let local = local.unwrap_or(&digits);
    (local.len() == 11 && local.starts_with('1') && all_digits(local)).then(|| local.to_owned())
}

/// A phone in its one form, or a text that is none without the blanks around it, for a check to refuse.
pub fn phone_or_text(text: &str) -> String {
    phone(text).unwrap_or_else(|| trimmed(text).to_owned())
}

/// An identity number in its one form, or a text that is none without the blanks around it, for a check to refuse.
pub fn id_no_or_text(text: &str) -> String {
    id_no(text).unwrap_or_else(|| trimmed(text).to_owned())
}

/// An identity number's seventeen digits and check character, `11010519491231002X` of `110105 19491231 002x`; none where it has
/// not this shape. Its check character and its day are for [`crate::crypto::is_id_no`].
pub fn id_no(text: &str) -> Option<String> {
    let letters = joined(unquoted(&half_width(text))).to_ascii_uppercase();
    let (digits, check) = letters.split_at_checked(17)?;
    (all_digits(digits) && (check == "X" || check.len() == 1 && all_digits(check))).then_some(letters)
}

/// Why a text is no amount of money.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AmountError {
    /// Nothing is written.
    Empty,
    /// With a unit such as 万: `5万`.
    Unit,
    /// More than two decimals.
    Decimals,
    /// More than twelve digits before the point.
    TooLarge,
    /// Anything else, also a sign before it.
    NotANumber,
}

/// Fen, of yuan with at most two decimals: `5000`, `¥5,000.00`, `5 000元`, `.5`, in either width.
pub fn amount(text: &str) -> Result<i64, AmountError> {
    let text = half_width(text).replace('￥', "¥").replace('。', ".");
    let text = trimmed(&text);
    let text = ["¥", "人民币", "RMB", "CNY"].iter().find_map(|sign| text.strip_prefix(sign)).map_or(text, trimmed);
    let text = ["元整", "圆整", "元", "圆"].iter().find_map(|unit| text.strip_suffix(unit)).map_or(text, trimmed);
    if text.is_empty() {
        return Err(AmountError::Empty);
    }
    if has_unit(text) {
        return Err(AmountError::Unit);
    }
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let yuan = ungrouped(whole).ok_or(AmountError::NotANumber)?;
    if !part.bytes().all(|byte| byte.is_ascii_digit()) || yuan.is_empty() && part.is_empty() {
        return Err(AmountError::NotANumber);
    }
    match (part.len(), yuan.trim_start_matches('0').len()) {
        (3.., _) => Err(AmountError::Decimals),
        (_, 13..) => Err(AmountError::TooLarge),
        _ => format!("0{yuan}{part:0<2}").parse().map_err(|_| AmountError::NotANumber),
    }
}

/// Whether a number is written with a unit such as 万: `5万`, `５万`.
pub fn has_unit(text: &str) -> bool {
    let text = half_width(text);
    trimmed(&text).starts_with(|first: char| first.is_ascii_digit()) && text.contains(['万', '萬', '亿', '千', '百', 'w', 'W', 'k', 'K'])
}

/// The digits of a whole number whose thousands commas or blanks may set apart.
fn ungrouped(text: &str) -> Option<String> {
    let mut groups = text.split(|character: char| character == ',' || character.is_whitespace());
    let first = groups.next()?;
    let rest: Vec<&str> = groups.collect();
    let digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let grouped = rest.is_empty() || (1..=3).contains(&first.len()) && rest.iter().all(|group| group.len() == 3);
    (grouped && digits(first) && rest.iter().all(|group| digits(group))).then(|| first.to_owned() + &rest.concat())
}

/// A whole number: `36`, `36.0`, `5,000`, `5 000`, `-3`, in either width; none where it has other characters or is beyond 64 bits.
pub fn integer(text: &str) -> Option<i64> {
    let text = half_width(text);
    let text = visible(&text);
    let (sign, number) = text.strip_prefix('-').map_or(("", &*text), |number| ("-", number));
    let (whole, zeros) = number.split_once('.').unwrap_or((number, "0"));
    if zeros.is_empty() || !zeros.bytes().all(|byte| byte == b'0') {
        return None;
    }
    format!("{sign}{}", ungrouped(whole)?).parse().ok()
}

/// A name without blanks and invisible characters around it; none where nothing is left or one stands within. Nothing else is
/// changed: `买买提·艾力`, `𠮷田` and brackets of either width stay.
pub fn name(text: &str) -> Option<String> {
    let text = trimmed(text);
    (!text.is_empty() && !text.chars().any(is_invisible)).then(|| text.to_owned())
}

/// A number on paper in its one form, `91310000MA1FL0XXXX` of `9131 0000-ma1f l0xx xx`: in plain width and capitals, without blanks,
/// invisible characters and dashes. For numbers of taxpayers, bank accounts, invoices and transfers.
pub fn paper_no(text: &str) -> String {
    joined(unquoted(&half_width(text))).to_ascii_uppercase()
}

/// A number that a bank or a payment provider gave, in plain width, without blanks and invisible characters. Dashes and small
/// letters stay: they tell such numbers apart.
pub fn serial_no(text: &str) -> String {
    half_width(unquoted(text)).chars().filter(|character| !character.is_whitespace() && !is_invisible(*character)).collect()
}

/// The number of a payment in the one form in which receipts, recharges and payment orders are compared: [`serial_no`] in capitals.
pub fn payment_no(text: &str) -> String {
    serial_no(text).to_ascii_uppercase()
}

/// A one-time code in plain width, without blanks and dashes: `748123` of `７４８ １２３`.
pub fn code(text: &str) -> String {
    joined(text)
}

/// An account's name as it is typed at the sign-in, in plain width and without blanks around it.
pub fn account_name(text: &str) -> String {
    trimmed(&half_width(text)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    #[test]
    fn phones_are_brought_into_one_form() {
        for written in [
            "10000030001",
            " 100 0003 0001 ",
            "100-0003-0001",
            "100\u{a0}0003\u{2009}0001",
            "100\u{2013}0003\u{2212}0001",
            "100.0003.0001",
            "(100) 0003 0001",
            "（+86）100 0003 0001",
            "'10000030001",
            "`10000030001",
            "=\"10000030001\"",
            "10000030001。",
            "10000030001.",
            "+86 100 0003 0001",
            "+8610000030001",
            "0086 10000030001",
            "86-10000030001",
            "8610000030001",
            "\u{202a}+86 10000030001\u{202c}",
            "\u{feff}100\u{200b}00030001",
            "１０００００３０００１",
            "＋８６　１００　０００３　０００１",
            "١٠٠ ٠٠٠٣ ٠٠٠١",
            "𝟏𝟎𝟎𝟎𝟎𝟎𝟑𝟎𝟎𝟎𝟏",
        ] {
            assert_eq!(phone(written).as_deref(), Some("10000030001"), "{written:?}");
        }
        for wrong in ["", "1000003000", "100000300011", "20000030001", "+1 10000030001", "1000003000x", "86100000300", "10000030001+"] {
            assert_eq!(phone(wrong), None, "{wrong:?}");
        }
        for amount in ["100000300.01", "1000003000.1", "１００００００３０．０１"] {
            assert_eq!(phone(amount), None, "{amount:?}");
        }
    }

    #[test]
    fn digits_of_all_scripts_are_read() {
        for (zero, nine) in [('0', '9'), ('٠', '٩'), ('۰', '۹'), ('०', '९'), ('๐', '๙'), ('０', '９'), ('𝟎', '𝟗'), ('𝟶', '𝟿')]
        {
            assert_eq!((digit(zero), digit(nine)), (Some('0'), Some('9')), "{zero} {nine}");
        }
        for other in ['a', '/', ':', '一', '①', '²', '\u{665f}', '\u{66a}', '\u{1d800}'] {
            assert_eq!(digit(other), None, "{other}");
        }
        assert!(ZEROS.is_sorted());
    }

    #[test]
    fn identity_numbers_are_brought_into_one_form() {
        for written in [
            "11010519491231002X",
            "11010519491231002x",
            " 110105 19491231 002X",
            "110105-19491231-002x",
            "１１０１０５１９４９１２３１００２Ｘ",
        ] {
            assert_eq!(id_no(written).as_deref(), Some("11010519491231002X"), "{written:?}");
        }
        for wrong in ["", "11010519491231002", "11010519491231002Y", "1101051949123100X2", "11010519491231002XX", "身份证号一二三四五六"]
        {
            assert_eq!(id_no(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn amounts_are_read_as_people_write_them() {
        use AmountError::{Decimals, Empty, NotANumber, TooLarge, Unit};
        for (written, read) in [
            ("5000", Ok(500_000)),
            ("5，000", Ok(500_000)),
            ("¥5000", Ok(500_000)),
            ("￥5,000.00", Ok(500_000)),
            ("5000元", Ok(500_000)),
            ("5 000", Ok(500_000)),
            ("5\u{a0}000.5", Ok(500_050)),
            ("5000.", Ok(500_000)),
            (".5", Ok(50)),
            ("0.07", Ok(7)),
            ("５０００．５", Ok(500_050)),
            ("5000。5", Ok(500_050)),
            ("999999999999.99", Ok(99_999_999_999_999)),
            ("5万", Err(Unit)),
            ("5万元", Err(Unit)),
            ("1.2亿", Err(Unit)),
            ("", Err(Empty)),
            ("元", Err(Empty)),
            (".", Err(NotANumber)),
            ("-1", Err(NotANumber)),
            ("1e5", Err(NotANumber)),
            ("50,00", Err(NotANumber)),
            ("5,000,0", Err(NotANumber)),
            ("1.2.3", Err(NotANumber)),
            ("1.005", Err(Decimals)),
            ("9999999999999", Err(TooLarge)),
        ] {
            assert_eq!(amount(written), read, "{written:?}");
        }
    }

    #[test]
    fn the_shared_cases_hold() {
        let cases: serde_json::Value = serde_json::from_str(include_str!("../../../js/lib/canonical.cases.json")).unwrap();
        let pairs = |name: &str| cases[name].as_array().unwrap().iter().map(|case| (case[0].as_str().unwrap(), &case[1]));
        for (written, read) in pairs("phone") {
            assert_eq!(phone(written).as_deref(), read.as_str(), "{written:?}");
        }
        for (written, read) in pairs("integer") {
            assert_eq!(integer(written), read.as_i64(), "{written:?}");
        }
        for (written, read) in pairs("paperNo") {
            assert_eq!(Some(paper_no(written).as_str()), read.as_str(), "{written:?}");
        }
        for (written, read) in pairs("day") {
            assert_eq!(day(written).map(|start| clock::day(start).to_string()).as_deref(), read.as_str(), "{written:?}");
        }
        let ends = |range: &serde_json::Value| [0_usize, 1].map(|index| u32::from_str_radix(range[index].as_str().unwrap(), 16).unwrap());
        let listed: Vec<[u32; 2]> = cases["invisible"].as_array().unwrap().iter().map(ends).collect();
        for character in '\0'..=char::MAX {
            let is_listed = listed.iter().any(|[first, last]| (*first..=*last).contains(&(character as u32)));
            assert_eq!(is_invisible(character), is_listed, "{character:?}");
        }
    }

    #[test]
    fn names_show_what_they_hold() {
        for (written, read) in [
            (" 张三 ", Some("张三")),
            ("\u{200b}张三\u{feff}", Some("张三")),
            ("买买提·艾力", Some("买买提·艾力")),
            ("𠮷田", Some("𠮷田")),
            ("海豚（华南）", Some("海豚（华南）")),
            ("张\u{200b}三", None),
            ("\u{200b}\u{feff}", None),
            ("\u{3164}", None),
            ("  ", None),
        ] {
            assert_eq!(name(written).as_deref(), read, "{written:?}");
        }
    }

    #[test]
    fn codes_and_account_names_are_of_plain_width() {
        assert_eq!(code("７４８\u{a0}１-２３"), "748123");
        assert_eq!(visible("\u{200b}海\u{200d}豚 \u{feff}"), "海豚");
        assert_eq!((day_or_text("2026/1/5").as_str(), day_or_text(" x ").as_str()), ("2026-01-05", "x"));
        assert_eq!(serial_no(" ２０２6-11 a\u{200b}7\u{a0}"), "2026-11a7");
        assert_eq!(payment_no(" ２０２6-11 a\u{200b}7\u{a0}"), "2026-11A7");
        assert_eq!(account_name(" ａｄｍｉｎ\u{200b}"), "admin");
        assert!(matches!(half_width("plain 字"), Cow::Borrowed(_)));
    }
}
