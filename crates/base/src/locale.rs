//! The two languages of the interface.

use serde::{Deserialize, Serialize};

/// A viewer's language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, schemars::JsonSchema)]
pub enum Locale {
    #[default]
    #[serde(rename = "zh-CN")]
    Chinese,
    #[serde(rename = "en-US")]
    English,
}

impl Locale {
    /// The language tag, as in `<html lang>`, cookies and catalogues.
    pub fn tag(self) -> &'static str {
        match self {
            Locale::Chinese => "zh-CN",
            Locale::English => "en-US",
        }
    }

    /// Reads a language cookie or header; empty means Chinese, and any other language than Chinese means English.
    pub fn from_tag(tag: Option<&str>) -> Locale {
        match tag {
            // `*` is sent by programs without a preference.
            None | Some("" | "*") => Locale::Chinese,
            Some(tag) if tag.starts_with("zh") => Locale::Chinese,
            Some(_) => Locale::English,
        }
    }

    /// The language that a page's own link asks for by its `lang`, else another one.
    pub fn of_link(lang: Option<&str>, otherwise: Locale) -> Locale {
        match lang {
            Some("zh-CN") => Locale::Chinese,
            Some("en-US") => Locale::English,
            _ => otherwise,
        }
    }

    /// Picks one of two texts.
    pub fn pick<T>(self, chinese: T, english: T) -> T {
        match self {
            Locale::Chinese => chinese,
            Locale::English => english,
        }
    }
}

/// A text in both languages.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Text {
    #[serde(rename = "zh-CN")]
    pub chinese: String,
    #[serde(rename = "en-US")]
    pub english: String,
}

impl Text {
    /// The text in one language.
    pub fn get(&self, locale: Locale) -> &str {
        locale.pick(&self.chinese, &self.english)
    }
}
