//! What a password must be.

/// Fewest and most characters of a password.
pub const LENGTH: std::ops::RangeInclusive<usize> = 8..=128;

/// Whether a new password is good enough: long enough, with a letter and a digit, and not the user name.
pub fn acceptable(password: &str, username: &str) -> bool {
    LENGTH.contains(&password.chars().count())
        && password.chars().any(char::is_alphabetic)
        && password.chars().any(|character| character.is_ascii_digit())
        && !password.eq_ignore_ascii_case(username)
}

#[cfg(test)]
mod tests {
    use super::acceptable;

    #[test]
    fn short_plain_and_familiar_passwords_are_refused() {
        for bad in ["", "a1", "12345678", "abcdefgh", "North.Sales1", &"a1".repeat(65)] {
            assert!(!acceptable(bad, "north.sales1"), "{bad}");
        }
        assert!(acceptable("Blue-Kettle-7", "north.sales1"));
    }
}
