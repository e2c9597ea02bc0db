//! A page of one sentence, for people without an account: in their language, and below in the other.

use askama::Template;
use axum::body::Body;
use axum::http::{HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::locale::Locale;

#[derive(Template)]
#[template(path = "sentence.html")]
struct SentencePage<'p> {
    locale: &'static str,
    nonce: &'p str,
    text: &'p str,
    other_locale: &'static str,
    other_text: &'p str,
}

/// A page that explains why there is no other.
pub fn page(status: StatusCode, locale: Locale, chinese: &str, english: &str) -> Response<Body> {
    let other = locale.pick(Locale::English, Locale::Chinese);
    let nonce = nonce();
    let page = SentencePage {
        locale: locale.tag(),
        nonce: &nonce,
        text: locale.pick(chinese, english),
        other_locale: other.tag(),
        other_text: other.pick(chinese, english),
    };
    document(status, "'none'", &nonce, page.render().expect("texts are rendered"))
}

/// A page that needs no script, with styles of its own under `nonce`. `form_action` is the source to which its forms may be sent:
/// `'self'` or `'none'`.
pub fn document(status: StatusCode, form_action: &str, nonce: &str, html: String) -> Response<Body> {
    let policy =
        format!("default-src 'none'; style-src 'nonce-{nonce}'; form-action {form_action}; base-uri 'none'; frame-ancestors 'none'");
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_SECURITY_POLICY, HeaderValue::from_str(&policy).expect("a nonce is plain text")),
    ];
    (status, headers, html).into_response()
}

/// A nonce for one document and its policy.
pub fn nonce() -> String {
    URL_SAFE_NO_PAD.encode(rand::random::<[u8; 18]>())
}
