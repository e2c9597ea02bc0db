//! The commonest passwords, recognised by their construction: a familiar word with digits or signs around it,
//! neighbouring keys, a short repeated text, a date, a phone. So a list of some thousand words stands for the lists
//! of millions that guessers begin with.

use std::collections::HashSet;
use std::sync::LazyLock;

use base::clock;
use base::crypto;

/// The words, in small letters.
static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("common_words.txt").split_ascii_whitespace().collect());

/// Neighbouring keys, and the alphabet.
const ROWS: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890",
    "qwertyuiop[]",
    "asdfghjkl;'",
    "zxcvbnm,./",
    "!@#$%^&*()_+",
    "1qaz",
    "2wsx",
    "3edc",
    "4rfv",
    "5tgb",
    "6yhn",
    "7ujm",
    "8ik,",
    "9ol.",
];

/// So many characters around a word do not make it another: `dragon2026!`, `zhang19900101`.
const AROUND: usize = 8;
/// The longest unit whose repetition counts as a password of this kind.
const UNIT: usize = 4;

/// Whether a password is among the first that a guesser tries.
pub fn is_common(password: &str) -> bool {
    let password: Vec<char> = password.to_lowercase().chars().collect();
    runs(&password) <= 2 || is_repeated(&password) || is_word(&password) || is_number_of_something(&password)
}

/// The number of runs of equal or neighbouring characters.
fn runs(password: &[char]) -> usize {
    let mut runs = 0;
    let mut rest = password;
    while !rest.is_empty() {
        let equal = rest.iter().take_while(|character| **character == rest[0]).count();
        let along = |row: &str, backwards: bool| {
            let mut row: Vec<char> = row.chars().collect();
            if backwards {
                row.reverse();
            }
            let starts = row.iter().enumerate().filter(|(_, key)| **key == rest[0]).map(|(at, _)| at);
            starts.map(|at| row[at..].iter().zip(rest).take_while(|(key, character)| key == character).count()).max().unwrap_or(0)
        };
        let longest = ROWS.iter().flat_map(|row| [along(row, false), along(row, true)]).max().unwrap_or(0).max(equal);
        rest = &rest[longest.max(1)..];
        runs += 1;
    }
    runs
}

/// Whether it is a short text, repeated.
fn is_repeated(password: &[char]) -> bool {
    (1..=UNIT).any(|unit| password.len() >= 2 * unit && password.iter().zip(&password[unit..]).all(|(one, next)| one == next))
}

/// Whether it is a familiar word, apart from characters around it and letters written as other signs.
fn is_word(password: &[char]) -> bool {
    let is_around = |character: &&char| !character.is_alphabetic();
    // A character before or behind the word may itself be a letter written as a sign (`$ecret`, `pa55`).
    let before = password.iter().take_while(is_around).count();
    let behind = password[before..].iter().rev().take_while(is_around).count();
    (0..=before).any(|start| {
        (0..=behind).any(|end| {
            let core = &password[start..password.len() - end];
            // Digits alone are not a word, whatever letters they may stand for.
            let is_written = start + end <= AROUND && core.iter().any(|character| character.is_alphabetic());
            is_written && WORDS.contains(core.iter().map(|character| plain(*character)).collect::<String>().as_str())
        })
    })
}

/// The letter that a sign stands for.
fn plain(character: char) -> char {
    match character {
        '@' | '4' => 'a',
        '3' => 'e',
        '1' | '!' => 'i',
        '0' => 'o',
        '$' | '5' => 's',
        '7' => 't',
        other => other,
    }
}

/// Whether it is a date or a mainland mobile number, and nothing else.
fn is_number_of_something(password: &[char]) -> bool {
    let text: String = password.iter().filter(|character| !matches!(character, '-' | '/' | '.' | ' ')).collect();
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return false;
    }
    let is_day = |year: &str, rest: &str| clock::day_start(&format!("{year}-{}-{}", &rest[..2], &rest[2..])).is_some();
    match text.len() {
        8 => ["19", "20"].contains(&&text[..2]) && is_day(&text[..4], &text[4..]) || is_day(&text[4..], &text[..4]),
        11 => crypto::is_phone(&text),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// S-L4: what guessers try first.
    #[test]
    fn the_commonest_passwords_are_known() {
        for password in [
            "12345678",
            "123456789",
            "87654321",
            "11111111",
            "00000000",
            "88888888",
            "password",
            "Password1",
            "P@ssw0rd",
            "Passw0rd!",
            "Abcdefg1",
            "abcd1234",
            "abc12345",
            "a1234567",
            "aa123456",
            "1qaz2wsx",
            "qwer1234",
            "qwertyui",
            "QWErty123",
            "asdfghjkl",
            "iloveyou",
            "iloveyou1",
            "admin123",
            "Admin@123",
            "admin888",
            "welcome1",
            "Welcome2026!",
            "letmein1",
            "sunshine",
            "dragon12",
            "monkey123",
            "football1",
            "12121212",
            "abcabcabc",
            "a1a1a1a1",
            "woaini1314",
            "woaini520",
            "zhang19900101",
            "wang1990",
            "19900101",
            "20001231",
            "1990-01-01",
            "13800138000",
            "trustno1",
            "changeme",
            "test1234",
            "leadlane1",
            "Leadlane2026",
            "!@#$%^&*",
            "zxcvbnm123",
        ] {
            assert!(is_common(password), "{password}");
        }
    }

    #[test]
    fn others_are_left_alone() {
        for password in [
            "Blue-Kettle-7",
            "Green-Kettle-8",
            "no-digits-here",
            "correct horse battery",
            "Tr0ub4dor&3x",
            "kWm7vRq2Xt9b",
            "北京的秋天真好看",
            "83920174",
            "dragon-river-kite",
        ] {
            assert!(!is_common(password), "{password}");
        }
    }

    #[test]
    fn made_passwords_never_are() {
        for _ in 0..200 {
            let made = crypto::random_password();
            assert!(!is_common(&made), "{made}");
        }
    }
}
