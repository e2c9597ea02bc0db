//! Masks: the visible part of a phone, a name, an identity number, an address or a device, and hidden long numbers in
//! texts.

use std::net::IpAddr;

use crate::canonical;
use crate::crypto::{is_id_no, is_phone};

/// The fewest digits of a long number.
const LONG: usize = 11;
/// The most marks between two digits of one number, as in `138 - 1234`.
const GAP: usize = 4;

/// A text with all but the ends of its long numbers hidden: phones, identity numbers, bank accounts. Eleven decimal digits or more
/// of any script are one long number, also with blanks, dashes, dots or brackets between them, which stay where they are. A mobile
/// number and an identity number are found with commas, slashes, colons and the like between their digits as well.
pub fn numbers(text: &str) -> String {
    let characters: Vec<char> = text.chars().collect();
    let mut shown = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        if !is_digit(character) {
            shown.push(character);
            at += 1;
            continue;
        }
        let run = &characters[at..][..step(&characters[at..])];
        at += run.len();
        hide_middle(run, &mut shown);
    }
    shown
}

/// The digits of the longest number in a text, as [`numbers`] reads it.
pub fn longest_number(text: &str) -> usize {
    let characters: Vec<char> = text.chars().collect();
    let (mut longest, mut at) = (0, 0);
    while at < characters.len() {
        let rest = &characters[at..];
        let length = moment_length(rest).unwrap_or_else(|| number_length(rest));
        longest = longest.max(digits(&rest[..length]));
        at += step(rest).max(1);
    }
    longest
}

/// The beginning of a text with its long numbers hidden, of at most so many characters. The whole text is masked before it is
/// cut: a part of a number would be too short to be masked.
pub fn beginning(text: &str, longest: usize) -> String {
    numbers(text).chars().take(longest).collect()
}

/// The length, at most `longest`, of the beginning of a text that does not end within a long number, as [`numbers`]
/// reads it.
pub fn whole_numbers_length(text: &str, longest: usize) -> usize {
    let characters: Vec<char> = text.chars().collect();
    let mut at = 0;
    while let Some(&character) = characters.get(at) {
        let length = if is_digit(character) { step(&characters[at..]) } else { 1 };
        if at + length > longest {
            return if is_long(&characters[at..][..length]) { at } else { longest };
        }
        at += length;
    }
    at
}

fn is_digit(character: char) -> bool {
    canonical::digit(character).is_some()
}

fn is_x(character: char) -> bool {
    matches!(character, 'x' | 'X' | 'ｘ' | 'Ｘ')
}

fn digits(text: &[char]) -> usize {
    text.iter().filter(|character| is_digit(**character)).count()
}

/// How many adjacent digits a text begins with.
fn together(text: &[char]) -> usize {
    text.iter().take_while(|character| is_digit(**character)).count()
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// Whether a character is invisible between two digits of one number: an invisible one, a control character, the mark
/// of an emoji.
fn is_nothing(character: char) -> bool {
    let is_control = character.is_control() && character != '\t' && !is_line_end(character);
    is_control || canonical::is_invisible(character) || matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{20e3}')
}

/// Whether a character may be between two digits of any number. A line end may not.
fn is_between_digits(character: char) -> bool {
    character.is_whitespace() && !is_line_end(character)
        || canonical::is_dash(character)
        || matches!(character, '.' | '(' | ')' | '（' | '）' | '．' | '－')
        || matches!(character, '·' | '\u{387}' | '•' | '‧' | '∙' | '⋅' | '⸱' | '・' | '･')
}

/// Whether a character may be between two digits of a mobile or identity number, although it often separates numbers.
fn is_list_mark(character: char) -> bool {
    matches!(
        character,
        ',' | '，' | '、' | '､' | '。' | ':' | '：' | ';' | '；' | '/' | '／' | '\\' | '|' | '｜' | '_' | '＿' | '~' | '～' | '[' | ']'
    )
}

/// How many characters of a text that begins with a digit are shown or hidden together: a day or a time, a long
/// number, or otherwise the digits up to the first mark.
fn step(text: &[char]) -> usize {
    moment_length(text).unwrap_or_else(|| {
        let length = number_length(text);
        if digits(&text[..length]) < LONG { together(text) } else { length }
    })
}

/// The length of the number at the beginning of a text.
fn number_length(text: &[char]) -> usize {
    let (mut length, mut digits, mut gap) = (0, 0, 0);
    for (index, character) in text.iter().enumerate() {
        match *character {
            // A long number without marks stands alone.
            digit if is_digit(digit) && gap > 0 && (digits >= LONG && length == digits || together(&text[index..]) >= LONG) => break,
            digit if is_digit(digit) => {
                digits += 1;
                (length, gap) = (index + 1, 0);
            }
            // The check character of an identity number.
            x if is_x(x) && digits == 17 && text.get(index + 1).is_none_or(|next| !next.is_ascii_alphanumeric()) => return index + 1,
            other if is_nothing(other) => {}
            other if is_between_digits(other) && gap < GAP => gap += 1,
            _ => break,
        }
    }
    length.max(marked_length(text))
}

/// The length of the mobile or identity number at the beginning of a text, with any marks between its digits; 0
/// without such a number.
fn marked_length(text: &[char]) -> usize {
    let (mut number, mut length, mut gap) = (String::new(), 0, 0);
    for (index, character) in text.iter().enumerate() {
        match *character {
            digit_or_x if is_digit(digit_or_x) || is_x(digit_or_x) && number.len() == 17 => {
                number.push(canonical::digit(digit_or_x).unwrap_or('X'));
                gap = 0;
                if together(&text[index + 1..]) == 0 && (is_mobile(&number) || is_id_no(&number)) {
                    length = index + 1;
                }
                if number.len() == 18 {
                    break;
                }
            }
            other if is_nothing(other) => {}
            other if (is_between_digits(other) || is_list_mark(other)) && gap < GAP => gap += 1,
            _ => break,
        }
    }
    length
}

/// Whether digits are a mainland mobile number.
fn is_mobile(digits: &str) -> bool {
    is_phone(digits) && digits.starts_with('1') && digits.as_bytes()[1] >= b'3'
}

/// The length of the day or the time of day at the beginning of a text: a number that stands alone.
fn moment_length(text: &[char]) -> Option<usize> {
    date_length(text).or_else(|| time_length(text))
}

/// The length of the time at the beginning of a text, `9:05` or `10:00:30`.
fn time_length(text: &[char]) -> Option<usize> {
    let is_colon = |character: Option<&char>| matches!(character, Some(':' | '：'));
    let part = |at: usize, limit: u32| {
        let value: String = text.get(at..at + 2)?.iter().collect();
        (together(&text[at..]) == 2 && value.parse::<u32>().is_ok_and(|value| value < limit)).then_some(at + 2)
    };
    let hour = together(text);
    let is_hour = hour <= 2 && text[..hour].iter().collect::<String>().parse::<u32>().is_ok_and(|hour| hour <= 24);
    let minute = Some(hour).filter(|hour| is_hour && is_colon(text.get(*hour))).and_then(|hour| part(hour + 1, 60))?;
    let second = if is_colon(text.get(minute)) { part(minute + 1, 60)? } else { minute };
    (!is_colon(text.get(second))).then_some(second)
}

/// The length of the day at the beginning of a text, `2026-11-26` or `2026.1.5`.
fn date_length(text: &[char]) -> Option<usize> {
    let head: String = text.iter().take(11).take_while(|character| character.is_ascii_digit() || matches!(character, '-' | '.')).collect();
    let head = head.trim_end_matches(['-', '.']);
    let mark = head.chars().nth(4).filter(|mark| !mark.is_ascii_digit())?;
    let parts: Vec<&str> = head.split(mark).collect();
    let is_day = parts.len() == 3
        && (head.starts_with("19") || head.starts_with("20"))
        && parts[1..].iter().all(|part| (1..=2).contains(&part.len()))
        && canonical::day(head).is_some();
    is_day.then_some(head.len())
}

/// Whether a character of a number is a digit or its check character.
fn counts(character: char) -> bool {
    is_digit(character) || is_x(character)
}

fn digits_of(run: &[char]) -> usize {
    run.iter().filter(|character| counts(**character)).count()
}

/// Whether a number is long, so that its middle is hidden.
fn is_long(run: &[char]) -> bool {
    digits_of(run) >= LONG && !is_address_or_amount(run)
}

/// Writes a number, with all but its first three and last four digits hidden if it is a long one.
fn hide_middle(run: &[char], shown: &mut String) {
    if !is_long(run) {
        shown.extend(run);
        return;
    }
    let (mut place, digits) = (0, digits_of(run));
    for character in run {
        let hidden = counts(*character) && (3..digits - 4).contains(&place);
        place += usize::from(counts(*character));
        shown.push(if hidden { '*' } else { *character });
    }
}

/// Whether a number is an IPv4 address, a browser's version such as `143.0.7499.169`, some amounts with two decimals
/// each, or an amount with separated thousands. An address grouped like a mobile number, `138.112.134.56`, counts as
/// a mobile number.
fn is_address_or_amount(run: &[char]) -> bool {
    let text: String = run.iter().collect();
    let parts: Vec<&str> = text.split('.').collect();
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_grouped_mobile = || is_mobile(&parts.concat()) && parts.iter().map(|part| part.len()).eq([3, 3, 3, 2]);
    let is_address = || text.parse::<std::net::Ipv4Addr>().is_ok() && !is_grouped_mobile();
    let is_version = || parts.len() == 4 && parts[1] == "0" && parts.iter().all(|part| all_digits(part));
    let is_amount = |word: &str| {
        word.split_once('.').is_some_and(|(yuan, part)| yuan.len() < LONG && part.len() == 2 && all_digits(yuan) && all_digits(part))
    };
    let has_thousands = || {
        let plain = canonical::half_width(&text);
        let (yuan, part) = plain.split_once('.').unwrap_or((&plain, ""));
        let groups: Vec<&str> = yuan.split(',').collect();
        groups.len() > 1
            && (1..=3).contains(&groups[0].len())
            && groups[1..].iter().all(|group| group.len() == 3)
            && groups.iter().all(|group| all_digits(group))
            && part.len() <= 2
            && all_digits(part)
    };
    is_address() || is_version() || text.split(' ').filter(|word| !word.is_empty()).all(is_amount) || has_thousands()
}

/// `138****1234`: the mask of a mainland mobile number.
pub fn phone(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().collect();
    match digits.len() {
        11 => digits[..3].iter().chain(&['*'; 4]).chain(&digits[7..]).collect(),
        _ => "*".repeat(digits.len()),
    }
}

/// `1101***********023`: the mask of an identity number.
pub fn id_no(id_no: &str) -> String {
    let letters: Vec<char> = id_no.chars().collect();
    match letters.len() {
        18 => letters[..4].iter().chain(&['*'; 11]).chain(&letters[15..]).collect(),
        _ => "*".repeat(letters.len()),
    }
}

/// `203.0.*.*`, `2001:db8:*`: the mask of an IP address.
pub fn ip(ip: &str) -> String {
    match ip.parse() {
        Ok(IpAddr::V4(ip)) => format!("{}.{}.*.*", ip.octets()[0], ip.octets()[1]),
        Ok(IpAddr::V6(ip)) => format!("{:x}:{:x}:*", ip.segments()[0], ip.segments()[1]),
        Err(_) => "*".repeat(4),
    }
}

/// `a1b2****c3d4`: the mask of a device's identifier.
pub fn device(device: &str) -> String {
    let letters: Vec<char> = device.chars().collect();
    let shown = if letters.len() < 12 { 1 } else { 4 };
    match letters.len() {
        0..4 => "*".repeat(4),
        length => letters[..shown].iter().chain(&['*'; 4]).chain(&letters[length - shown..]).collect(),
    }
}

/// `张*`, `欧***`: the mask of a name, its first character and a star for each other, three at most.
pub fn name(name: &str) -> String {
    let length = name.chars().count();
    match name.chars().next() {
        Some(first) if length > 1 => std::iter::once(first).chain(std::iter::repeat_n('*', length.min(4) - 1)).collect(),
        _ => "*".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_number_written_together_stands_alone() {
        for (text, shown) in [
            ("17 10000060002 空号", "17 100****0002 空号"),
            ("10000060002 5000 元", "100****0002 5000 元"),
            ("10000060002 100 0006 0003", "100****0002 100 **** 0003"),
        ] {
            assert_eq!(numbers(text), shown);
        }
        assert_eq!(longest_number("a12 3456b"), 6);
        assert_eq!(longest_number("100 0006 0002"), 11);
    }

    #[test]
    fn long_numbers_are_hidden() {
        assert_eq!(
            numbers(r#"{"m":"10000010000","n":"1234567890","id":"990000199001010000"}"#),
            r#"{"m":"100****0000","n":"1234567890","id":"990***********0000"}"#
        );
        assert_eq!(numbers("尾号 13812345678"), "尾号 138****5678");
        for (text, shown) in [
            ("100 0006 0002", "100 **** 0002"),
            ("100-0006-0003", "100-****-0003"),
            ("100\u{a0}0006\u{a0}0003", "100\u{a0}****\u{a0}0003"),
            ("(100) 0006.0003", "(100) ****.0003"),
            ("+86 100 0006 0002", "+86 1** **** 0002"),
            ("１００００００６０００２", "１００*****０００２"),
            ("100\u{200b}0006\u{200b}0002", "100\u{200b}****\u{200b}0002"),
            ("11010519491231002X", "110***********002X"),
            ("110105 19491231 002x。", "110*** ******** 002x。"),
            ("6222 0210 0111 1234 567", "622* **** **** ***4 567"),
            ("2026-11-26 13800138000", "2026-11-26 138****8000"),
            ("138 - 1234 - 5678", "138 - **** - 5678"),
            ("138   1234    5678", "138   ****    5678"),
            ("138/1234/5678", "138/****/5678"),
            ("138,1234,5678，谢谢", "138,****,5678，谢谢"),
            ("138，1234、5678", "138，****、5678"),
            ("138_1234:5678", "138_****:5678"),
            ("138•1234‧5678", "138•****‧5678"),
            ("1,3,8,1,2,3,4,5,6,7,8", "1,3,8,*,*,*,*,5,6,7,8"),
            ("138\u{0}123\u{1}4567\u{7f}8", "138\u{0}***\u{1}*567\u{7f}8"),
            ("138.112.134.56", "138.***.*34.56"),
            ("17 138,1234,5678", "17 138,****,5678"),
            ("138,1234,5678,139,1234,5678", "138,****,5678,139,****,5678"),
            ("110105/19491231/002X", "110***/********/002X"),
            ("١٣٨١٢٣٤٥٦٧٨", "١٣٨****٥٦٧٨"),
            ("𝟏𝟑𝟖𝟏𝟐𝟑𝟒𝟓𝟔𝟕𝟖", "𝟏𝟑𝟖****𝟓𝟔𝟕𝟖"),
        ] {
            assert_eq!(numbers(text), shown, "{text:?}");
        }
        for same in [
            "2026-11-26 10:00",
            "2026-11-26 10:00:30",
            "2026-11-26 2026-12-01",
            "2026.11.26-2026.12.01",
            "2026年11月26日 9时5分",
            "1000.00 1200.00 99.00",
            "192.168.100.100",
            "Chrome/143.0.7499.169",
            "PO20261126DEMO0010",
            "123456\n123456",
            "5,000,000,000.00",
            "12345 12345",
            "1,000,000.00",
            "13,812,345,678.00",
            "138,123,456.78",
            "1000.00   1200.00  99.00",
            "13:00-14:30, 15:00:00 16:20:30",
            "2026-11-26T16:20:30.123Z",
            "13:45:30 12345",
            "1500, 2000, 3000",
            "2026/11/26 2026/12/01",
            "172.16.254.100",
            "138\n1234\n5678",
        ] {
            assert_eq!(numbers(same), same, "{same:?}");
        }
    }

    #[test]
    fn long_numbers_are_hidden_with_any_mark_between_their_digits() {
        for mark in [
            "", " ", "-", ".", "\u{a0}", "\u{2009}", "\u{3000}", "\u{2014}", "\u{200e}", "(", ") ", " - ", "    ", "/", ",", "，", "、",
            "_", ":", "：", "·", "•", "\0", "\u{1}", "\u{7f}", "\t",
        ] {
            // `138001380.00` is an amount.
            for split in (1..11).filter(|split| (mark, *split) != (".", 9)) {
                let (head, tail) = "13800138000".split_at(split);
                let shown = numbers(&format!("电话{head}{mark}{tail}，谢谢"));
                let left: String = shown.chars().filter(|character| character.is_ascii_digit() || *character == '*').collect();
                assert_eq!(left, "138****8000", "{head}{mark}{tail}");
            }
        }
    }

    /// A list with the beginning and a thread with the whole text together show no more of a number than its mask.
    #[test]
    fn a_text_is_cut_within_no_long_number() {
        for number in [
            "13812345678",
            "138-1234-5678",
            "138 1234 5678",
            "１３８１２３４５６７８",
            "１３８－１２３４　５６７８",
            "110105 19491231 002X",
        ] {
            let length = number.chars().count();
            for before in 0..=length + 1 {
                let text = format!("{}{number} 谢谢", "长".repeat(20 - before.min(20)));
                let at = whole_numbers_length(&text, 20);
                let parted = (1..length).contains(&before);
                assert_eq!(at, if parted { 20 - before } else { 20 }, "{text:?}");
                let masked: String = numbers(&text).chars().take(20).collect();
                assert_eq!(beginning(&text, 20), masked, "{text:?}");
                let digits = |text: &str| text.chars().filter(|character| is_digit(*character)).count();
                assert!(digits(&masked) <= 7, "{masked:?}");
            }
        }
        assert_eq!(whole_numbers_length("短", 20), 1);
        assert_eq!(whole_numbers_length(&"1".repeat(200), 20), 0);
        assert_eq!(whole_numbers_length("第 2026-11-26 天，共 1234 元", 11), 11, "a day and an amount are no long numbers");
    }

    #[test]
    fn names_and_identity_numbers_are_masked() {
        for (whole, mask) in [("张三", "张*"), ("欧阳娜娜", "欧***"), ("A", "*"), ("Alexander", "A***"), ("", "*")] {
            assert_eq!(name(whole), mask, "{whole}");
        }
        assert_eq!(id_no("11010519491231002X"), "1101***********02X");
        assert_eq!(id_no("123"), "***");
    }

    #[test]
    fn masks_leave_three_and_four_digits() {
        assert_eq!(phone("13800138000"), "138****8000");
        assert_eq!(phone("123"), "***");
    }

    #[test]
    fn masks_leave_a_place_and_the_end() {
        assert_eq!(id_no("11010519491231002X"), "1101***********02X");
        assert_eq!(id_no("1"), "*");
        assert_eq!(ip("203.0.113.9"), "203.0.*.*");
        assert_eq!(ip("2001:db8::1"), "2001:db8:*");
        assert_eq!(ip("x"), "****");
        assert_eq!(device("a1b2c3d4e5f6"), "a1b2****e5f6");
        assert_eq!(device("abcdef"), "a****f");
        assert_eq!(device("abc"), "****");
    }
}
