//! A text for people in Chinese and in English.

use std::borrow::Cow;

use crate::locale::Locale;

/// A text for people, in both languages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Say {
    chinese: Cow<'static, str>,
    english: Cow<'static, str>,
}

/// Makes a text of its Chinese and its English.
pub fn say(chinese: impl Into<Cow<'static, str>>, english: impl Into<Cow<'static, str>>) -> Say {
    Say { chinese: chinese.into(), english: english.into() }
}

impl Say {
    /// A text that a person wrote: the same in both languages.
    pub fn same(text: &str) -> Say {
        say(text.to_owned(), text.to_owned())
    }

    /// The text in one language.
    pub fn get(&self, locale: Locale) -> &str {
        locale.pick(&self.chinese, &self.english)
    }
}
