//! The HTML document around a rendered page, and its security policy.

use std::collections::HashMap;

use askama::Template;
use axum::http::HeaderValue;
use serde::Deserialize;

use super::Look;
use base::locale::Locale;
use frame::api::preferences::Theme;
use render::Shared;

/// The manifest of the front end's build (js/app/build.mjs): entry names, and the files that each page needs first in each
/// language.
#[derive(Debug, Deserialize)]
pub struct Manifest {
    pub client: String,
    pub css: String,
    /// Where scripts find all other pages; no script has its name.
    site: String,
    /// By `page:PAGE` and `texts:LANGUAGE:PAGE`.
    preload: HashMap<String, Vec<String>>,
    /// The module that starts each page.
    start: HashMap<String, String>,
}

/// A script that a page loads first.
struct Preload<'a> {
    file: &'a str,
    /// What the client takes from it: `page` or `texts`; none if other scripts import it.
    start: Option<&'static str>,
}

/// A document's parts.
#[derive(Template)]
#[template(path = "document.html")]
pub struct Document<'a> {
    locale: &'static str,
    theme: &'static str,
    title: &'a str,
    /// The render failed: the browser draws the page from the same props.
    shell: bool,
    css: &'a str,
    /// The text of the style sheet, for a browser that has not loaded it before; otherwise the document links it.
    sheet: Option<&'a str>,
    client: &'a str,
    site: &'a str,
    preloads: Vec<Preload<'a>>,
    starts_at_use: bool,
    /// Key of what the pages of the viewer's role have in common, for the browser to fetch.
    role_key: Option<&'a str>,
    /// The same itself, escaped like the props: a page that the browser has to draw waits for nothing more.
    role_data: Option<String>,
    nonce: &'a str,
    menu_width: u32,
    /// Our own rules, made from a checked colour.
    css_of_theme: &'a str,
    color_weak: bool,
    html: &'a str,
    /// JSON in which every `<` is escaped.
    props: &'a str,
}

impl Manifest {
    /// Reads the build's manifest.
    pub fn parse(text: &str) -> Result<Manifest, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// Scripts that a page in a language loads, in the order they should be fetched.
    fn preloads(&self, page: &str, locale: Locale) -> Vec<Preload<'_>> {
        let files = |key: String| self.preload.get(&key).into_iter().flatten().map(String::as_str);
        let start = |file: &str| self.start.get(page).is_some_and(|own| own == file).then_some("page");
        let scripts = files(format!("page:{page}")).map(|file| Preload { file, start: start(file) });
        let texts = files(format!("texts:{}:{page}", locale.tag())).map(|file| Preload { file, start: Some("texts") });
        scripts.chain(texts).collect()
    }
}

/// The context of a document.
pub struct Frame<'a> {
    pub manifest: &'a Manifest,
    pub locale: Locale,
    pub theme: Theme,
    /// What the browser calls the page.
    pub title: &'a str,
    pub page: &'a str,
    /// The page works without scripts, and loads them when it is first used.
    pub starts_at_use: bool,
    pub look: &'a Look,
    pub shared: Option<&'a Shared>,
    /// The text of the style sheet, if the document is to carry it.
    pub sheet: Option<&'a str>,
    pub nonce: &'a str,
}

impl Frame<'_> {
    /// Writes the document. No HTML means that the render failed.
    pub fn document(&self, html: Option<&str>, props: &str) -> String {
        let document = Document {
            locale: self.locale.tag(),
            theme: self.theme.name(),
            title: self.title,
            shell: html.is_none(),
            css: &self.manifest.css,
            sheet: self.sheet,
            client: &self.manifest.client,
            site: &self.manifest.site,
            preloads: self.manifest.preloads(self.page, self.locale),
            starts_at_use: self.starts_at_use && html.is_some(),
            role_key: self.shared.filter(|_| html.is_some()).map(|shared| &*shared.key),
            role_data: self.shared.filter(|_| html.is_none()).map(|shared| escape_json(shared.json.to_string())),
            nonce: self.nonce,
            menu_width: self.look.settings.menu_width,
            css_of_theme: &self.look.css,
            color_weak: self.look.settings.color_weak,
            html: html.unwrap_or_default(),
            props,
        };
        let mut text = String::with_capacity(props.len() + html.map_or(0, str::len) + self.sheet.map_or(0, str::len) + 4096);
        document.render_into(&mut text).expect("writing to a string succeeds");
        text
    }
}

/// The policy of a document: only our own files and elements with its nonce.
pub fn content_security_policy(nonce: &str) -> HeaderValue {
    let policy = format!(
        "default-src 'none'; script-src 'self' 'nonce-{nonce}'; style-src 'self' 'nonce-{nonce}'; img-src 'self' data:; \
         connect-src 'self'; font-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).expect("a nonce is plain text")
}

/// Makes JSON safe inside a `<script>`: no `<` is left, so no tag and no comment can begin. The result is the same
/// JSON, because `<` only occurs in its texts.
pub fn escape_json(json: String) -> String {
    match memchr::memchr(b'<', json.as_bytes()) {
        None => json,
        Some(_) => json.replace('<', "\\u003c"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_ends_the_script() {
        let json = serde_json::json!({"name": "</script><script>alert(1)</script><!--"});
        let escaped = escape_json(json.to_string());
        assert!(!escaped.contains('<'));
        assert_eq!(serde_json::from_str::<serde_json::Value>(&escaped).unwrap(), json);
    }
}
