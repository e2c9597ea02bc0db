//! The errors of terms, and their places.

use crate::api::{Check, Say, say};
use base::locale::Locale;

/// The most faults in one message.
const MOST_NAMED: usize = 5;

/// One fault. The place counts from 1: `2.1` is the first part of the second; empty for the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub place: String,
    pub message: Say,
}

impl Wrong {
    /// A fault at a place.
    pub fn new(place: impl Into<String>, message: Say) -> Wrong {
        Wrong { place: place.into(), message }
    }
}

/// Adds all these faults to the field, each with its place.
pub fn add_faults(check: &mut Check, field: &str, wrong: &[Wrong]) {
    let words = |locale: Locale| {
        let named = wrong.iter().take(MOST_NAMED).map(|Wrong { place, message }| match place.as_str() {
            "" => message.get(locale).to_owned(),
            place => locale.pick(format!("第 {place} 项：{}", message.get(locale)), format!("No. {place}: {}", message.get(locale))),
        });
        named.collect::<Vec<_>>().join(locale.pick("；", "; "))
    };
    check.that(field, wrong.is_empty(), say(words(Locale::Chinese), words(Locale::English)));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::ApiError;

    #[test]
    fn every_fault_is_named_under_the_field() {
        let mut check = Check::new();
        add_faults(&mut check, "caps", &[]);
        let wrong = [Wrong::new("", say("甲", "one")), Wrong::new("2.1", say("乙", "two"))];
        add_faults(&mut check, "filters", &wrong);
        let Err(ApiError::Fields(fields)) = check.done() else { panic!("wrong") };
        let [(name, message)] = fields.as_slice() else { panic!("{fields:?}") };
        assert_eq!((name.as_str(), message.get(Locale::Chinese)), ("filters", "甲；第 2.1 项：乙"));
        assert_eq!(message.get(Locale::English), "one; No. 2.1: two");
    }
}
