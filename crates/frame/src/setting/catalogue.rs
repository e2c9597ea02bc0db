//! The catalogue: every setting, one file a group. Code that reads a setting names its constant; the comment of the constant says
//! where that code is.

use std::sync::LazyLock;

use super::model::About;

/// Makes the constants of a group, and the list of them.
macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $made:expr;)*) => {
        $($(#[$doc])* pub static $name: Setting<$type> = $made;)*

        /// The settings of the group.
        pub(super) const ALL: &[&About] = &[$(&$name.about),*];

        /// Their constants' names.
        #[cfg(test)]
        pub(super) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

mod chat;
mod compliance;
mod crm;
mod export;
mod finance;
mod lead;
mod message;
mod push;
mod risk;
mod security;
mod session;
mod sms;
mod visit;

pub use self::chat::*;
pub use self::compliance::*;
pub use self::crm::*;
pub use self::export::*;
pub use self::finance::*;
pub use self::lead::*;
pub use self::message::*;
pub use self::push::*;
pub use self::risk::*;
pub use self::security::*;
pub use self::session::*;
pub use self::sms::*;
pub use self::visit::*;

/// Every setting, in the order in which settings are shown.
pub static ALL: LazyLock<Vec<&'static About>> = LazyLock::new(|| {
    [
        self::security::ALL,
        self::session::ALL,
        self::lead::ALL,
        self::crm::ALL,
        self::chat::ALL,
        self::push::ALL,
        self::risk::ALL,
        self::finance::ALL,
        self::sms::ALL,
        self::export::ALL,
        self::compliance::ALL,
        self::visit::ALL,
        self::message::ALL,
    ]
    .concat()
});

/// The names of their constants.
#[cfg(test)]
pub static NAMES: LazyLock<Vec<&'static str>> = LazyLock::new(|| {
    [
        self::security::NAMES,
        self::session::NAMES,
        self::lead::NAMES,
        self::crm::NAMES,
        self::chat::NAMES,
        self::push::NAMES,
        self::risk::NAMES,
        self::finance::NAMES,
        self::sms::NAMES,
        self::export::NAMES,
        self::compliance::NAMES,
        self::visit::NAMES,
        self::message::NAMES,
    ]
    .concat()
});

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::model::SettingValue;
    use super::*;

    #[test]
    fn every_setting_has_its_texts_in_both_languages_and_takes_its_own_default() {
        let mut seen = HashSet::new();
        for about in ALL.iter() {
            assert!(seen.insert(about.key), "{} is there twice", about.key);
            for (chinese, english) in [about.title, about.help] {
                assert!(!chinese.is_empty() && !english.is_empty(), "{}", about.key);
            }
            if let Some(default) = about.default() {
                assert_eq!(about.check(default.clone()).unwrap(), default, "{}", about.key);
            }
        }
    }

    #[test]
    fn the_guide_lists_every_setting_with_its_default() {
        let guide = include_str!("../../../../docs/configuration.md");
        let rows = guide.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ")).filter(|(key, _)| key.contains('.'));
        let mut listed: Vec<&str> = rows.clone().map(|(key, _)| key).collect();
        let mut known: Vec<&str> = ALL.iter().map(|about| about.key).collect();
        listed.sort_unstable();
        known.sort_unstable();
        assert_eq!(listed, known);
        for (key, rest) in rows {
            let default = rest.split(" | ").next().unwrap_or_default();
            let expected = match ALL.iter().find(|about| about.key == key).and_then(|about| about.default()) {
                Some(SettingValue::Number(number)) => number.to_string(),
                Some(SettingValue::Flag(flag)) => if flag { "on" } else { "off" }.to_owned(),
                _ => continue,
            };
            assert_eq!(default, expected, "{key}");
        }
    }

    #[test]
    fn settings_of_a_group_stand_together() {
        let mut groups: Vec<_> = ALL.iter().map(|about| about.group).collect();
        groups.dedup();
        let distinct: HashSet<&str> = groups.iter().map(|group| <&str>::from(*group)).collect();
        assert_eq!(groups.len(), distinct.len());
    }
}
