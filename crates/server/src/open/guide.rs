//! `GET /partner-api`: the guide for the programmers of partners, `docs/partner-api.md`, as a page in both languages.

use std::sync::LazyLock;

use askama::Template;
use axum::body::Body;
use axum::extract::Extension;
use axum::http::{Response, StatusCode, Uri};
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use serde::Deserialize;

use base::locale::Locale;
use base::sentence_page::{self, nonce};
use frame::api::ctx::RequestInfo;

const ENGLISH: &str = include_str!("../../../../docs/partner-api.md");
const CHINESE: &str = include_str!("../../../../docs/partner-api.zh-CN.md");

/// The language that the page's own link asks for.
#[derive(Default, Deserialize)]
struct Language {
    lang: Option<String>,
}

/// A guide as HTML.
struct Guide {
    title: String,
    /// The id and the text of each part.
    parts: Vec<(String, String)>,
    body: String,
}

#[derive(Template)]
#[template(path = "guide.html")]
struct GuidePage<'p> {
    locale: &'static str,
    other_locale: &'static str,
    other_name: &'static str,
    contents: &'static str,
    nonce: &'p str,
    guide: &'p Guide,
}

/// The page. It has no secrets, so it needs no account.
pub async fn page(Extension(info): Extension<RequestInfo>, uri: Uri) -> Response<Body> {
    static GUIDES: LazyLock<[Guide; 2]> = LazyLock::new(|| [guide(CHINESE), guide(ENGLISH)]);
    let Language { lang } = serde_urlencoded::from_str(uri.query().unwrap_or_default()).unwrap_or_default();
    let locale = Locale::of_link(lang.as_deref(), info.locale);
    let nonce = nonce();
    let page = GuidePage {
        locale: locale.tag(),
        other_locale: locale.pick(Locale::English, Locale::Chinese).tag(),
        other_name: locale.pick("English", "中文"),
        contents: locale.pick("目录", "Contents"),
        nonce: &nonce,
        guide: &GUIDES[locale.pick(0, 1)],
    };
    sentence_page::document(StatusCode::OK, "'none'", &nonce, page.render().expect("texts are rendered"))
}

/// A guide with an id for each heading, its tables in frames that scroll, and links between the two languages that stay on the page.
fn guide(text: &'static str) -> Guide {
    let mut events: Vec<Event<'static>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let mut parts = Vec::new();
    let mut title = String::new();
    for index in 0..events.len() {
        let Event::Start(Tag::Heading { level, .. }) = events[index] else { continue };
        let heading: String = events[index..]
            .iter()
            .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
            .filter_map(|event| match event {
                Event::Text(text) | Event::Code(text) => Some(&**text),
                _ => None,
            })
            .collect();
        let anchor = anchor(&heading);
        if let Event::Start(Tag::Heading { id, .. }) = &mut events[index] {
            *id = Some(CowStr::from(anchor.clone()));
        }
        match level {
            HeadingLevel::H1 => title = heading,
            HeadingLevel::H2 => parts.push((anchor, heading)),
            _ => {}
        }
    }
    let events = events.into_iter().flat_map(|event| match event {
        Event::Start(Tag::Table(_)) => vec![Event::Html(CowStr::from("<div class=\"table\" tabindex=\"0\">")), event],
        Event::End(TagEnd::Table) => vec![event, Event::Html(CowStr::from("</div>"))],
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            vec![Event::Start(Tag::Link { link_type, dest_url: on_page(dest_url), title, id })]
        }
        // The comments of the file mark examples for its tests.
        Event::Html(_) | Event::InlineHtml(_) => Vec::new(),
        event => vec![event],
    });
    let mut body = String::with_capacity(text.len() * 2);
    html::push_html(&mut body, events);
    Guide { title, parts, body }
}

/// The address of a link of the file on the page.
fn on_page(link: CowStr<'static>) -> CowStr<'static> {
    match &*link {
        "partner-api.md" => CowStr::from("?lang=en-US"),
        "partner-api.zh-CN.md" => CowStr::from("?lang=zh-CN"),
        _ => link,
    }
}

/// The id of a heading, as sites that show Markdown files form it: the links within the file rely on it.
fn anchor(heading: &str) -> String {
    heading
        .to_lowercase()
        .chars()
        .filter_map(|letter| match letter {
            ' ' => Some('-'),
            letter if letter.is_alphanumeric() || matches!(letter, '-' | '_') => Some(letter),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_link_within_a_guide_leads_to_a_heading() {
        for text in [ENGLISH, CHINESE] {
            let guide = guide(text);
            assert!(guide.parts.len() > 8 && !guide.title.is_empty(), "{:?}", guide.parts);
            let links: Vec<&str> = guide.body.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert!(links.len() > 5, "{links:?}");
            for link in links {
                let is_found = match link.strip_prefix('#') {
                    // Ids with Chinese letters are escaped in addresses.
                    Some(id) => guide.body.contains(&format!("id=\"{}\"", unescaped(id))),
                    None => link.starts_with("?lang=") || link.starts_with("https://"),
                };
                assert!(is_found, "{link}");
            }
        }
    }

    /// A fragment without its escapes.
    fn unescaped(fragment: &str) -> String {
        let mut bytes = Vec::new();
        let mut rest = fragment.as_bytes();
        while let Some((&byte, tail)) = rest.split_first() {
            let escape = (byte == b'%').then(|| tail.get(..2)).flatten().and_then(|digits| hex::decode(digits).ok());
            match escape {
                Some(decoded) => {
                    bytes.extend(decoded);
                    rest = &tail[2..];
                }
                None => {
                    bytes.push(byte);
                    rest = tail;
                }
            }
        }
        String::from_utf8(bytes).unwrap()
    }
}
