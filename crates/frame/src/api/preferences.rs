//! What a page reads of the browser's cookies: the login token, language and theme, and whether it has the style sheet.

use axum::http::{HeaderMap, header};
use serde::{Deserialize, Serialize};

use crate::api::cookies::cookies;
use crate::api::ctx::token_cookie_name;
use base::locale::Locale;

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ts_rs::TS)]
#[serde(rename_all = "lowercase")]
#[ts(export, export_to = "api-types.ts")]
pub enum Theme {
    #[default]
    Light,
    Dark,
}

impl Theme {
    /// The name in cookies and in the document.
    pub fn name(self) -> &'static str {
        match self {
            Theme::Light => "light",
            Theme::Dark => "dark",
        }
    }
}

/// The cookies of a request that the pages read.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Preferences<'a> {
    pub token: Option<&'a str>,
    /// The user's choice; without one English for browsers in English, and Chinese for all others.
    pub locale: Locale,
    /// The user's choice.
    pub theme: Option<Theme>,
    /// A form has just set the token, and the page's scripts have not seen it.
    pub handoff: bool,
    /// The style sheet that the browser has loaded before: the name of its file.
    pub sheet: Option<&'a str>,
}

impl<'a> Preferences<'a> {
    /// Reads a request's cookies, from an encrypted connection or a plain one.
    pub fn read(headers: &'a HeaderMap, secure: bool) -> Preferences<'a> {
        let mut found = Preferences { locale: locale_of_browser(headers), ..Preferences::default() };
        for (name, value) in cookies(headers) {
            match name {
                name if name == token_cookie_name(secure) => found.token = Some(value).filter(|token| !token.is_empty()),
                "locale" => found.locale = Locale::from_tag(Some(value)),
                "theme" if value == "dark" => found.theme = Some(Theme::Dark),
                "theme" if value == "light" => found.theme = Some(Theme::Light),
                "handoff" => found.handoff = value == "1",
                "sheet" => found.sheet = Some(value),
                _ => {}
            }
        }
        found
    }
}

fn locale_of_browser(headers: &HeaderMap) -> Locale {
    let first = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
    match first.and_then(|languages| languages.trim_start().get(..2)) {
        Some(language) if language.eq_ignore_ascii_case("en") => Locale::English,
        _ => Locale::Chinese,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn cookies_are_read_among_strangers_cookies() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("a=1; token=x.y.z; locale=en-US;theme=dark; b"));
        let found = Preferences::read(&headers, false);
        assert_eq!(
            found,
            Preferences { token: Some("x.y.z"), locale: Locale::English, theme: Some(Theme::Dark), ..Preferences::default() }
        );
    }

    /// S-L3: over https, a cookie that a subdomain may have set does not count.
    #[test]
    fn over_https_the_token_is_the_hosts_own() {
        let mut headers = HeaderMap::new();
        headers.insert(header::COOKIE, HeaderValue::from_static("__Host-token=own; token=somebodys; theme=dark"));
        assert_eq!(Preferences::read(&headers, true).token, Some("own"));
        assert_eq!(Preferences::read(&headers, false).token, Some("somebodys"));
        headers.insert(header::COOKIE, HeaderValue::from_static("token=somebodys"));
        assert_eq!(Preferences::read(&headers, true).token, None);
    }

    #[test]
    fn without_a_choice_the_page_is_in_english_for_browsers_in_english() {
        for (languages, locale) in [
            ("en-GB,en;q=0.9", Locale::English),
            ("EN", Locale::English),
            ("zh-CN,en;q=0.8", Locale::Chinese),
            ("fr-FR", Locale::Chinese),
            ("e", Locale::Chinese),
            ("\u{4e2d}", Locale::Chinese),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::ACCEPT_LANGUAGE, HeaderValue::from_bytes(languages.as_bytes()).unwrap());
            assert_eq!(Preferences::read(&headers, false).locale, locale, "{languages}");
            headers.insert(header::COOKIE, HeaderValue::from_static("locale=zh-CN"));
            assert_eq!(Preferences::read(&headers, false).locale, Locale::Chinese, "a cookie says otherwise");
        }
    }

    #[test]
    fn without_cookies_nothing_is_chosen_and_the_page_is_chinese() {
        assert_eq!(Preferences::read(&HeaderMap::new(), false), Preferences::default());
    }
}
