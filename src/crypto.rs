//! Secrets and personal data at rest: keys, encryption, keyed look-up hashes, random text.

mod key_file;
mod keys;
pub mod place;

use md5::{Digest, Md5};
use sha2::Sha256;
use std::net::IpAddr;

use crate::clock;

pub use key_file::{Found, KeyError, Lines, data_file, secret_file};
pub use keys::{Keys, TrailKey, WrongKey};
pub use place::{Column, Place};

/// Characters of made passwords, keys and secrets: nothing that is mistaken for another.
const ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// Random text of `length` unambiguous letters and digits (5.8 bits each).
pub fn random_text(length: usize) -> String {
    (0..length).map(|_| char::from(ALPHABET[rand::random_range(0..ALPHABET.len())])).collect()
}

/// A made password: 12 characters with at least one letter and one digit.
pub fn random_password() -> String {
    loop {
        let password = random_text(12);
        if password.bytes().any(|byte| byte.is_ascii_digit()) && password.bytes().any(|byte| byte.is_ascii_alphabetic()) {
            return password;
        }
    }
}

/// A six-digit verification code.
pub fn random_code() -> String {
    format!("{:06}", rand::random_range(0..1_000_000u32))
}

/// Lower-case hex MD5, for the signs that partners and the specification ask for; never for secrecy.
pub fn md5_hex(text: &str) -> String {
    hex::encode(Md5::digest(text.as_bytes()))
}

/// Lower-case hex SHA-256.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

/// Compares two texts in time that depends on their length only.
pub fn same(a: &str, b: &str) -> bool {
    subtle::ConstantTimeEq::ct_eq(a.as_bytes(), b.as_bytes()).into()
}

/// Whether a text is as many digits as a mainland mobile number.
pub fn is_phone(text: &str) -> bool {
    text.len() == 11 && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// A text with all but the ends of its long numbers hidden: phones, identity numbers, bank accounts.
pub fn mask_numbers(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut run = String::new();
    for character in text.chars().chain(['\0']) {
        if character.is_ascii_digit() {
            run.push(character);
            continue;
        }
        match run.len() {
            11.. => {
                shown.push_str(&run[..3]);
                shown.extend(std::iter::repeat_n('*', run.len() - 7));
                shown.push_str(&run[run.len() - 4..]);
            }
            _ => shown.push_str(&run),
        }
        run.clear();
        if character != '\0' {
            shown.push(character);
        }
    }
    shown
}

/// `138****1234`: the mask of a mainland mobile number.
pub fn mask_phone(phone: &str) -> String {
    let digits: Vec<char> = phone.chars().collect();
    match digits.len() {
        11 => digits[..3].iter().chain(&['*'; 4]).chain(&digits[7..]).collect(),
        _ => "*".repeat(digits.len()),
    }
}

/// Whether a text is a mainland identity number (GB 11643): its day of birth one that there is, its
/// check digit right. A region is not looked up.
pub fn is_id_no(text: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    const CHECKS: &[u8; 11] = b"10X98765432";
    let Some((digits, [check])) = text.as_bytes().split_at_checked(17) else { return false };
    let sum: u32 = digits.iter().zip(WEIGHTS).map(|(digit, weight)| u32::from(digit.wrapping_sub(b'0')) * weight).sum();
    let born = || std::str::from_utf8(&digits[6..14]).ok().map(|day| format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]));
    digits.iter().all(u8::is_ascii_digit)
        && CHECKS[(sum % 11) as usize] == check.to_ascii_uppercase()
        && born().is_some_and(|day| clock::day_start(&day).is_some())
}

/// `1101***********023`: the mask of an identity number.
pub fn mask_id_no(id_no: &str) -> String {
    let letters: Vec<char> = id_no.chars().collect();
    match letters.len() {
        18 => letters[..4].iter().chain(&['*'; 11]).chain(&letters[15..]).collect(),
        _ => "*".repeat(letters.len()),
    }
}

/// `203.0.*.*`, `2001:db8:*`: the mask of an IP address.
pub fn mask_ip(ip: &str) -> String {
    match ip.parse() {
        Ok(IpAddr::V4(ip)) => format!("{}.{}.*.*", ip.octets()[0], ip.octets()[1]),
        Ok(IpAddr::V6(ip)) => format!("{:x}:{:x}:*", ip.segments()[0], ip.segments()[1]),
        Err(_) => "*".repeat(4),
    }
}

/// `a1b2****c3d4`: the mask of a device's identifier.
pub fn mask_device(device: &str) -> String {
    let letters: Vec<char> = device.chars().collect();
    let shown = if letters.len() < 12 { 1 } else { 4 };
    match letters.len() {
        0..4 => "*".repeat(4),
        length => letters[..shown].iter().chain(&['*'; 4]).chain(&letters[length - shown..]).collect(),
    }
}

/// `张*`, `欧***`: the mask of a name, its first character and a star for each other, three at most.
pub fn mask_name(name: &str) -> String {
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
    fn long_numbers_are_hidden() {
        assert_eq!(
            mask_numbers(r#"{"m":"10000010000","n":"1234567890","id":"990000199001010000"}"#),
            r#"{"m":"100****0000","n":"1234567890","id":"990***********0000"}"#
        );
        assert_eq!(mask_numbers("尾号 13812345678"), "尾号 138****5678");
    }

    #[test]
    fn names_and_identity_numbers_are_masked() {
        for (name, mask) in [("张三", "张*"), ("欧阳娜娜", "欧***"), ("A", "*"), ("Alexander", "A***"), ("", "*")] {
            assert_eq!(mask_name(name), mask, "{name}");
        }
        assert_eq!(mask_id_no("11010519491231002X"), "1101***********02X");
        assert_eq!(mask_id_no("123"), "***");
    }

    #[test]
    fn masks_leave_three_and_four_digits() {
        assert_eq!(mask_phone("13800138000"), "138****8000");
        assert_eq!(mask_phone("123"), "***");
    }

    #[test]
    fn masks_leave_a_place_and_the_end() {
        assert_eq!(mask_id_no("11010519491231002X"), "1101***********02X");
        assert_eq!(mask_id_no("1"), "*");
        assert_eq!(mask_ip("203.0.113.9"), "203.0.*.*");
        assert_eq!(mask_ip("2001:db8::1"), "2001:db8:*");
        assert_eq!(mask_ip("x"), "****");
        assert_eq!(mask_device("a1b2c3d4e5f6"), "a1b2****e5f6");
        assert_eq!(mask_device("abcdef"), "a****f");
        assert_eq!(mask_device("abc"), "****");
    }

    #[test]
    fn an_identity_number_ends_with_its_check_digit() {
        for good in ["11010519491231002X", "11010519491231002x", "990000199001010017"] {
            assert!(is_id_no(good), "{good}");
        }
        for bad in ["", "110105194912310021", "1101051949123100", "11010519491231002Xx", "1101051949123100２X", "a1010519491231002X"] {
            assert!(!is_id_no(bad), "{bad}");
        }
    }
}
