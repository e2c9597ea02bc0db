//! Secrets and personal data at rest: keys, encryption, keyed look-up hashes, random text.

mod key_file;
mod keys;
pub mod place;

use md5::{Digest, Md5};
use sha2::Sha256;

use crate::clock;

pub use key_file::{Found, KeyError, Lines, data_file, secret_file};
pub use keys::{Keys, LedgerKey, TrailKey, WrongKey};
pub use place::{Column, Place};

/// Characters of generated passwords, keys and secrets: none that is mistaken for another.
const ALPHABET: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// Random text of `length` unambiguous letters and digits (5.8 bits each).
pub fn random_text(length: usize) -> String {
    (0..length).map(|_| char::from(ALPHABET[rand::random_range(0..ALPHABET.len())])).collect()
}

/// A generated password: 12 characters with at least one letter and one digit.
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

/// Lower-case hex MD5, for the signs of partners and of the specification; never for secrecy.
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

/// Whether a text is a mainland mobile number in its one form: eleven digits, the first of which is 1.
pub fn is_phone(text: &str) -> bool {
    text.len() == 11 && text.starts_with('1') && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a text is a mainland identity number (GB 11643), with a valid day of birth and check digit. The region is
/// not looked up.
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

#[cfg(test)]
mod tests {
    use super::*;

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
